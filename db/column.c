#include "db/column.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/conn_impl.h"

#define COLUMN_MAX_BYTES ((size_t)1 << 30)

static const char *owner_word(enum owner_kind kind)
{
	static const char *const words[] = {
	    [OWNER_DATASET] = "dataset",
	    [OWNER_LAYER] = "layer",
	    [OWNER_FACET] = "facet",
	    [OWNER_RUN] = "run",
	};

	return words[kind];
}

static enum status damaged(struct err *err, enum owner_kind kind, int64_t owner, const char *name,
			   const char *why)
{
	return err_set(err, E_FORMAT, "the project is damaged: column %s of %s %lld %s", name,
		       owner_word(kind), (long long)owner, why);
}

struct place { /* of a column in the file */
	int64_t row, dtype, n;
};

static enum status find(struct conn *c, enum owner_kind kind, int64_t owner, const char *name,
			struct place *at, struct err *err)
{
	sqlite3_stmt *s = stmt_get(c, STMT_COL_FIND, err);
	enum status st;
	bool row;

	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, (int64_t)kind);
	sqlite3_bind_int64(s, 2, owner);
	stmt_bind_str(s, 3, str_z(name));
	st = stmt_step(c, s, &row, err);
	if (st != OK)
		return st;
	if (!row)
		return err_set(err, E_NOT_FOUND, "%s %lld has no column %s", owner_word(kind),
			       (long long)owner, name);
	*at = (struct place){sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1),
			     sqlite3_column_int64(s, 2)};
	sqlite3_reset(s);
	return OK;
}

static enum status read_bytes(struct conn *c, const struct place *at, struct column *out,
			      bool *fits, struct err *err)
{
	sqlite3_blob *blob = NULL;
	size_t bytes = (size_t)at->n * dtype_size(out->dtype);
	enum status st = OK;

	*fits = false;
	if (sqlite3_blob_open(c->db, "main", "col", "data", at->row, 0, &blob) != SQLITE_OK) {
		if (sqlite3_errcode(c->db) != SQLITE_ERROR) /* ERROR: not a BLOB */
			st = stmt_error(c, err, c->path);
		goto out;
	}
	if ((size_t)sqlite3_blob_bytes(blob) != bytes)
		goto out;
	*fits = true;
	out->data = mem_try(bytes ? bytes : 1);
	if (!out->data)
		st = err_set(err, E_MEMORY, "%s: there is not enough memory", c->path);
	else if (bytes && sqlite3_blob_read(blob, out->data, (int)bytes, 0) != SQLITE_OK)
		st = stmt_error(c, err, c->path);
out:
	sqlite3_blob_close(blob);
	return st;
}

enum status column_load(struct conn *c, enum owner_kind kind, int64_t owner, const char *name,
			struct column *out, struct err *err)
{
	struct column col = {DT_U8, 0, NULL};
	struct place at = {0, 0, 0};
	bool fits;
	enum status st = find(c, kind, owner, name, &at, err);

	if (st != OK)
		return st;
	if (at.dtype < 0 || at.dtype >= N_DTYPES)
		return damaged(err, kind, owner, name, "is of no known type");
	col.dtype = (enum dtype)at.dtype;
	if (at.n < 0 || (uint64_t)at.n > COLUMN_MAX_BYTES / dtype_size(col.dtype))
		return damaged(err, kind, owner, name, "has an impossible length");
	st = read_bytes(c, &at, &col, &fits, err);
	if (st == OK && !fits)
		st = damaged(err, kind, owner, name, "is not as long as it says");
	if (st != OK) {
		free(col.data);
		return st;
	}
	col.n = (size_t)at.n;
	*out = col;
	return OK;
}

enum status column_store(struct conn *c, enum owner_kind kind, int64_t owner, const char *name,
			 const struct column *col, struct err *err)
{
	size_t bytes = col->n * dtype_size(col->dtype);
	sqlite3_stmt *s;

	if (bytes >= COLUMN_MAX_BYTES)
		return err_set(err, E_LIMIT, "column %s of %s %lld would be larger than 1 GiB", name,
			       owner_word(kind), (long long)owner);
	s = stmt_get(c, STMT_COL_PUT, err);
	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, (int64_t)kind);
	sqlite3_bind_int64(s, 2, owner);
	stmt_bind_str(s, 3, str_z(name));
	sqlite3_bind_int64(s, 4, (int64_t)col->dtype);
	sqlite3_bind_int64(s, 5, (int64_t)col->n);
	sqlite3_bind_blob64(s, 6, col->data ? col->data : "", bytes, SQLITE_STATIC);
	return stmt_run(c, s, err);
}
