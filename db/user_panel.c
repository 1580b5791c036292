#include "db/user_panel.h"

#include "core/base/vec.h"
#include "db/conn_impl.h"
#include "db/overlay.h"
#include "db/user.h"

static enum status get(struct conn *c, const char *dataset, const char *const **handles, size_t *n,
		       struct arena *arena, struct err *err)
{
	VEC(const char *) v = {0};
	sqlite3_stmt *s = stmt_get(c, STMT_PANEL_LIST, err);
	const char **out;
	enum status st;
	bool row;

	if (!s)
		return err->code;
	stmt_bind_str(s, 1, str_z(dataset));
	while ((st = stmt_step(c, s, &row, err)) == OK && row) {
		struct str handle = stmt_str(s, 0);

		vec_push(&v, arena_strndup(arena, handle.n ? handle.p : "", handle.n));
	}
	if (st == OK && v.n) {
		out = arena_zalloc(arena, v.n, sizeof *out);
		memcpy(out, v.v, v.n * sizeof *out);
		*handles = out;
		*n = v.n;
	}
	vec_release(&v);
	return st;
}

enum status user_panel_get(struct conn *c, const char *dataset, const char *const **handles,
			   size_t *n, struct arena *arena, struct err *err)
{
	struct conn *overlay = NULL;
	enum status st = OK;

	*handles = NULL;
	*n = 0;
	if (c->read_only)
		st = overlay_open(c, false, &overlay, err);
	if (st == OK && overlay)
		st = get(overlay, dataset, handles, n, arena, err);
	if (st == OK && !*n)
		st = get(c, dataset, handles, n, arena, err);
	return st;
}

static enum status replace(struct conn *where, const char *dataset, const char *const *handles,
			   size_t n, struct err *err)
{
	sqlite3_stmt *s = stmt_get(where, STMT_PANEL_DROP, err);
	enum status st;

	if (!s)
		return err->code;
	stmt_bind_str(s, 1, str_z(dataset));
	st = stmt_run(where, s, err);
	for (size_t i = 0; st == OK && i < n; i++) {
		s = stmt_get(where, STMT_PANEL_PUT, err);
		if (!s)
			return err->code;
		stmt_bind_str(s, 1, str_z(dataset));
		sqlite3_bind_int64(s, 2, (int64_t)i);
		stmt_bind_str(s, 3, str_z(handles[i]));
		st = stmt_run(where, s, err);
	}
	return st;
}

enum status user_panel_set(struct conn *c, const char *dataset, const char *const *handles,
			   size_t n, struct err *err)
{
	struct conn *where;
	enum status st = user_conn(c, &where, err);

	if (st == OK)
		st = conn_begin(where, err);
	if (st != OK)
		return st;
	st = replace(where, dataset, handles, n, err);
	if (st == OK)
		st = conn_commit(where, err);
	if (st != OK)
		conn_rollback(where);
	return st;
}
