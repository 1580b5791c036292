#include "db/vectors.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/stmt.h"

#define DIM_MAX 65536u

static enum status find(struct conn *c, struct str encoder, struct str text, uint32_t *dim, struct str *data,
			sqlite3_stmt **stmt, struct err *err)
{
	sqlite3_stmt *s = *stmt = stmt_get(c, STMT_VECTOR_GET, err);
	bool row;

	*data = STR_NONE;
	if (!s)
		return err->code;
	stmt_bind_str(s, 1, encoder);
	stmt_bind_str(s, 2, text);
	if (stmt_step(c, s, &row, err) != OK)
		return err->code;
	if (!row)
		return OK;
	*dim = (uint32_t)sqlite3_column_int64(s, 0);
	*data = stmt_blob(s, 1);
	if (!*dim || *dim > DIM_MAX || data->n != (size_t)*dim * sizeof(float))
		*data = STR_NONE; /* damaged: to be made again */
	return OK;
}

/* Room for n vectors, once their dimension is known. */
static enum status make_room(float **v, size_t n, uint32_t dim, struct err *err)
{
	size_t size;

	if (*v)
		return OK;
	*v = mem_mul(n ? n : 1, (size_t)dim * sizeof **v, &size) ? mem_try(size) : NULL;
	return *v ? OK : err_set(err, E_MEMORY, "there is no memory for %zu vectors", n);
}

enum status vectors_get(struct conn *c, struct str encoder, const struct str *texts, size_t n, uint32_t *dim,
			float **v, bool *known, struct err *err)
{
	*v = NULL;
	if (*dim && make_room(v, n, *dim, err) != OK)
		return err->code;
	for (size_t i = 0; i < n; i++) {
		sqlite3_stmt *s;
		struct str data;
		uint32_t own = 0;

		known[i] = false;
		if (find(c, encoder, texts[i], &own, &data, &s, err) != OK)
			return err->code;
		*dim = *dim || !data.p ? *dim : own;
		if (data.p && own == *dim) {
			if (make_room(v, n, own, err) != OK)
				return err->code;
			memcpy(*v + i * own, data.p, data.n);
			known[i] = true;
		}
		sqlite3_reset(s);
	}
	return OK;
}

enum status vectors_put(struct conn *c, struct str encoder, const struct str *texts, size_t n, uint32_t dim,
			const float *v, struct err *err)
{
	enum status st = conn_begin(c, err);

	for (size_t i = 0; i < n && st == OK; i++) {
		sqlite3_stmt *s = stmt_get(c, STMT_VECTOR_PUT, err);

		if (!s) {
			st = err->code;
			break;
		}
		stmt_bind_str(s, 1, encoder);
		stmt_bind_str(s, 2, texts[i]);
		sqlite3_bind_int64(s, 3, dim);
		sqlite3_bind_blob(s, 4, v + i * dim, (int)(dim * sizeof *v), SQLITE_STATIC);
		st = stmt_run(c, s, err);
	}
	if (st == OK)
		return conn_commit(c, err);
	conn_rollback(c);
	return st;
}

/* A step from one name to the next: the texts of an encoder are many, and are not looked at. */
enum status vectors_encoders(struct conn *c, size_t max, struct str *out, size_t *n, struct arena *arena,
			     struct err *err)
{
	struct str last = STR("");
	bool more = true;

	for (*n = 0; more && *n < max;) {
		sqlite3_stmt *s = stmt_get(c, STMT_VECTOR_NEXT, err);
		bool row;

		if (!s)
			return err->code;
		stmt_bind_str(s, 1, last);
		if (stmt_step(c, s, &row, err) != OK)
			return err->code;
		more = row && sqlite3_column_type(s, 0) != SQLITE_NULL;
		if (more)
			last = out[(*n)++] = arena_str(arena, stmt_str(s, 0));
		sqlite3_reset(s);
	}
	return OK;
}
