#include "db/labels.h"

#include "core/base/utf8.h"
#include "db/store_internal.h"
#include "db/user_impl.h"

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
						    arena_str(arena, stmt_str(st, 1)),
						    (uint32_t)sqlite3_column_int64(st, 2)}));
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

/* --- running a step --- */

static enum status put_row(struct user *u, struct conn *where, const struct step *step,
			   struct err *err)
{
	sqlite3_stmt *st = stmt_get(where, STMT_LABEL_PUT, err);

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, u->dataset);
	stmt_bind_str(st, 2, step->name);
	sqlite3_bind_int64(st, 3, step->id);
	if (stmt_run(where, st, err) != OK)
		return err->code;
	if (!sqlite3_changes(stmt_db(where)))
		return err_set(err, E_FORMAT, "the class that \"%.*s\" meant is not there any more",
			       (int)(step->name.n > 100 ? 100 : step->name.n), step->name.p);
	return OK;
}

static enum status drop_row(struct user *u, struct conn *where, struct str text, struct err *err)
{
	sqlite3_stmt *st = stmt_get(where, STMT_LABEL_DROP, err);

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, u->dataset);
	stmt_bind_str(st, 2, text);
	return stmt_run(where, st, err);
}

static bool says_that(const struct label_row *row, const struct step *step)
{
	return step->what == USER_LABEL && row->cls == step->id && str_eq(row->text, step->name);
}

/* Rows whose text is the same but for case go; what they said is what undo brings back. */
static enum status replace(struct user *u, struct conn *where, const struct step *step,
			   const struct label_row *rows, size_t n, struct steps *undo, bool *changed,
			   struct err *err)
{
	const struct step gone = {.what = USER_UNLABEL, .name = step->name};
	bool put = step->what == USER_LABEL, was = false;
	enum status rc = OK;

	for (size_t i = 0; rc == OK && i < n; i++) {
		const struct step back = {.what = USER_LABEL, .name = rows[i].text, .id = rows[i].cls};

		if (!same_folded(rows[i].text, step->name))
			continue;
		was = true;
		if (says_that(&rows[i], step))
			return OK;
		steps_add(undo, &back);
		rc = drop_row(u, where, rows[i].text, err);
	}
	if (put && !was)
		steps_add(undo, &gone);
	if (rc == OK && put)
		rc = put_row(u, where, step, err);
	*changed = put || was;
	return rc;
}

enum status label_run(struct user *u, struct conn *where, const struct step *step,
		      struct steps *undo, bool *changed, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct label_row *rows;
	size_t n;
	enum status rc = labels_list(where, u->dataset, &rows, &n, &arena, err);

	*changed = false;
	if (rc == OK)
		rc = replace(u, where, step, rows, n, undo, changed, err);
	arena_release(&arena);
	return rc;
}

/* --- changing --- */

static enum status is_there(const struct label_row *rows, size_t n, struct str text,
			    struct err *err)
{
	for (size_t i = 0; i < n; i++)
		if (same_folded(rows[i].text, text))
			return OK;
	return err_set(err, E_NOT_FOUND, "the label map has no \"%.*s\"",
		       (int)(text.n > 100 ? 100 : text.n), text.p);
}

static enum status add_step(struct edit_steps *e, const struct labelling *l,
			    const struct label_row *rows, size_t n, struct err *err)
{
	struct step like = {.what = l->drop ? USER_UNLABEL : USER_LABEL, .name = str_trim(l->text)};
	enum status rc;

	if (!like.name.n || like.name.n > TEXT_MAX)
		return err_set(err, E_USAGE, "a label has 1 to %zu bytes", TEXT_MAX);
	if (utf8_valid_prefix(like.name) != like.name.n)
		return err_set(err, E_USAGE, "the label is not valid UTF-8");
	rc = l->drop ? is_there(rows, n, like.name, err)
		     : find_class(e->u->c, e->u->dataset, str_trim(l->which), &like.id, err);
	if (rc == OK)
		steps_add(&e->in, &like);
	return rc;
}

enum status labels_edit(struct user *u, const char *label, const struct labelling *changes, size_t n,
			struct user_done *done, struct err *err)
{
	struct edit_steps e = {.u = u};
	struct arena arena = ARENA_INIT;
	struct label_row *rows;
	size_t n_rows;
	char now[32];
	enum status rc = labels_list(u->c, u->dataset, &rows, &n_rows, &arena, err);

	if (rc == OK && conn_read_only(u->c))
		rc = err_set(err, E_IO, "%s cannot be written", conn_path(u->c));
	if (rc == OK && u->watch && u->watch->closed)
		rc = err_set(err, E_BUSY, "%s", u->watch->closed);
	for (size_t i = 0; i < n && rc == OK; i++)
		rc = add_step(&e, &changes[i], rows, n_rows, err);
	user_now(now);
	if (rc == OK)
		rc = edit_steps_run(&e, label, now, done, err);
	edit_steps_release(&e);
	arena_release(&arena);
	return rc;
}
