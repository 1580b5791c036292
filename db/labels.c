#include "db/labels.h"

#include "db/store_internal.h"

#define TEXT_MAX STORE_NAME_MAX

enum status labels_list(struct conn *c, int64_t dataset, struct label_row **out, size_t *n,
			struct arena *arena, struct err *err)
{
	sqlite3_stmt *st = stmt_get(c, STMT_LABEL_LIST, err);
	VEC(struct label_row) rows = {0};
	enum status rc;
	bool row;

	*out = NULL;
	*n = 0;
	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, dataset);
	while ((rc = stmt_step(c, st, &row, err)) == OK && row)
		vec_push(&rows, ((struct label_row){arena_str(arena, stmt_str(st, 0)),
						    arena_str(arena, stmt_str(st, 1))}));
	*out = arena_zalloc(arena, rows.n + 1, sizeof **out);
	if (rows.n)
		memcpy(*out, rows.v, rows.n * sizeof **out);
	*n = rows.n;
	vec_release(&rows);
	return rc;
}

/* --- which class --- */

static bool same_folded(struct str a, struct str b)
{
	struct buf x = BUF_INIT, y = BUF_INIT;
	bool same = str_eq(store_fold(a, &x), store_fold(b, &y));

	buf_release(&x);
	buf_release(&y);
	return same;
}

static bool is_meant(sqlite3_stmt *st, struct str which)
{
	int64_t index;

	if (which.n > 1 && which.p[0] == '#' &&
	    str_int((struct str){which.p + 1, which.n - 1}, &index))
		return sqlite3_column_type(st, 1) == SQLITE_INTEGER &&
		       sqlite3_column_int64(st, 1) == index;
	return str_eq(stmt_str(st, 2), which) || same_folded(stmt_str(st, 3), which);
}

static enum status find_class(struct conn *c, int64_t dataset, struct str which, int64_t *cls,
			      struct err *err)
{
	sqlite3_stmt *st = stmt_get(c, STMT_STORE_CLASS_LIST, err);
	size_t found = 0;
	enum status rc;
	bool row;

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, dataset);
	while ((rc = stmt_step(c, st, &row, err)) == OK && row) {
		if (!is_meant(st, which))
			continue;
		*cls = sqlite3_column_int64(st, 0);
		found++;
	}
	if (rc == OK && found != 1)
		rc = err_set(err, E_USAGE, "%s \"%.*s\"; #N or a wnid names one",
			     found ? "several classes are called" : "there is no class",
			     (int)(which.n > 100 ? 100 : which.n), which.p);
	return rc;
}

/* --- changing --- */

/* Rows whose text is the same but for case. */
static enum status drop_same(struct conn *c, int64_t dataset, struct str text, size_t *n,
			     struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct label_row *rows;
	size_t n_rows;
	enum status rc = labels_list(c, dataset, &rows, &n_rows, &arena, err);

	*n = 0;
	for (size_t i = 0; rc == OK && i < n_rows; i++) {
		sqlite3_stmt *st;

		if (!same_folded(rows[i].text, text))
			continue;
		st = stmt_get(c, STMT_LABEL_DROP, err);
		if (!st) {
			rc = err->code;
			break;
		}
		sqlite3_bind_int64(st, 1, dataset);
		stmt_bind_str(st, 2, rows[i].text);
		rc = stmt_run(c, st, err);
		++*n;
	}
	arena_release(&arena);
	return rc;
}

static enum status put_row(struct conn *c, int64_t dataset, struct str text, int64_t cls,
			   struct err *err)
{
	sqlite3_stmt *st = stmt_get(c, STMT_LABEL_PUT, err);

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, dataset);
	stmt_bind_str(st, 2, text);
	sqlite3_bind_int64(st, 3, cls);
	return stmt_run(c, st, err);
}

static enum status begin(struct conn *c, struct err *err)
{
	if (conn_read_only(c))
		return err_set(err, E_IO, "%s cannot be written", conn_path(c));
	return conn_begin(c, err);
}

static enum status finish(struct conn *c, enum status rc, struct err *err)
{
	if (rc == OK)
		return conn_commit(c, err);
	conn_rollback(c);
	return rc;
}

enum status labels_put(struct conn *c, int64_t dataset, struct str text, struct str which,
		       struct err *err)
{
	int64_t cls = 0;
	size_t n;
	enum status rc;

	text = str_trim(text);
	which = str_trim(which);
	if (!text.n || text.n > TEXT_MAX)
		return err_set(err, E_USAGE, "a label has 1 to %zu bytes", TEXT_MAX);
	if (begin(c, err) != OK)
		return err->code;
	rc = find_class(c, dataset, which, &cls, err);
	if (rc == OK)
		rc = drop_same(c, dataset, text, &n, err);
	if (rc == OK)
		rc = put_row(c, dataset, text, cls, err);
	return finish(c, rc, err);
}

enum status labels_drop(struct conn *c, int64_t dataset, struct str text, struct err *err)
{
	size_t n = 0;
	enum status rc;

	if (begin(c, err) != OK)
		return err->code;
	rc = drop_same(c, dataset, text, &n, err);
	if (rc == OK && !n)
		rc = err_set(err, E_NOT_FOUND, "the label map has no \"%.*s\"",
			     (int)(text.n > 100 ? 100 : text.n), text.p);
	return finish(c, rc, err);
}
