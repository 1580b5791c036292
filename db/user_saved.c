#include "db/user_saved.h"

#include "core/base/utf8.h"
#include "core/filter/filter.h"
#include "db/overlay.h"
#include "db/user_impl.h"

/* --- what there is --- */

typedef VEC(struct user_saved) saved_list;

static bool has_name(const saved_list *list, struct str name)
{
	for (size_t i = 0; i < list->n; i++)
		if (str_eq(list->v[i].name, name))
			return true;
	return false;
}

static enum status list_from(struct conn *from, const char *dataset, bool fixed, saved_list *list,
			     struct arena *arena, struct err *err)
{
	sqlite3_stmt *s = stmt_get(from, STMT_SAVED_LIST, err);
	enum status st;
	bool row;

	if (!s)
		return err->code;
	stmt_bind_str(s, 1, str_z(dataset));
	while ((st = stmt_step(from, s, &row, err)) == OK && row && list->n < USER_SAVED_MAX) {
		struct user_saved v = {.fixed = fixed};

		if (has_name(list, stmt_str(s, 0)))
			continue;
		v.name = arena_str(arena, stmt_str(s, 0));
		v.filter = arena_str(arena, stmt_str(s, 1));
		v.state = arena_str(arena, stmt_str(s, 2));
		v.created = arena_str(arena, stmt_str(s, 3));
		vec_push(list, v);
	}
	sqlite3_reset(s);
	return st;
}

enum status user_saved_list(struct conn *c, const char *dataset, struct user_saved **out, size_t *n,
			    struct arena *arena, struct err *err)
{
	struct conn *overlay = NULL;
	saved_list list = {0};
	enum status st = OK;

	*out = NULL;
	*n = 0;
	if (c->read_only)
		st = overlay_open(c, false, &overlay, err);
	if (st == OK && overlay)
		st = list_from(overlay, dataset, false, &list, arena, err);
	if (st == OK)
		st = list_from(c, dataset, c->read_only, &list, arena, err);
	if (st == OK) {
		*out = arena_zalloc(arena, list.n + 1, sizeof **out);
		if (list.n)
			memcpy(*out, list.v, list.n * sizeof **out);
		*n = list.n;
	}
	vec_release(&list);
	return st;
}

/* --- checking --- */

enum status user_saved_name(struct str name, struct err *err)
{
	if (!name.n)
		return err_set(err, E_USAGE, "a saved filter needs a name");
	if (name.n > USER_SAVED_NAME_MAX)
		return err_set(err, E_USAGE, "a name can have %d bytes at most", USER_SAVED_NAME_MAX);
	if (utf8_valid_prefix(name) != name.n)
		return err_set(err, E_USAGE, "the name is not valid UTF-8");
	if (str_trim(name).n != name.n)
		return err_set(err, E_USAGE, "a name has no blanks around it");
	for (size_t i = 0, len; i < name.n; i += len) {
		uint32_t cp = utf8_decode(name.p + i, name.n - i, &len);

		if (cp < 0x20 || utf8_is_unsafe(cp))
			return err_set(err, E_USAGE, "a name has visible characters only");
	}
	return OK;
}

enum status saved_check(const struct user_saving *v, struct err *err)
{
	if (user_saved_name(v->name, err) != OK)
		return err->code;
	if (v->filter.n > FILTER_TEXT_MAX)
		return err_set(err, E_LIMIT, "a filter can have %d bytes at most", FILTER_TEXT_MAX);
	if (v->state.n > USER_SAVED_STATE_MAX)
		return err_set(err, E_LIMIT, "what belongs to a filter can have %d bytes at most",
			       USER_SAVED_STATE_MAX);
	return OK;
}

/* --- running --- */

static sqlite3_stmt *prepare(struct user *u, struct conn *where, enum stmt_id id, struct str name,
			     struct err *err)
{
	sqlite3_stmt *s = stmt_get(where, id, err);

	if (s) {
		stmt_bind_str(s, 1, str_z(u->name));
		stmt_bind_str(s, 2, name);
	}
	return s;
}

static bool is_the_same(const struct step *a, const struct step *b)
{
	return a->what == b->what && str_eq(a->text, b->text) && str_eq(a->state, b->state) &&
	       str_eq(a->created, b->created);
}

/* *back: the step that leads back to how it is now; its texts are borrowed from s. */
static enum status look(sqlite3_stmt *s, struct conn *where, struct step *back, struct err *err)
{
	bool row;
	enum status st = stmt_step(where, s, &row, err);

	if (st != OK || !row)
		return st;
	back->what = USER_SAVE;
	back->text = stmt_str(s, 0);
	back->state = stmt_str(s, 1);
	back->created = stmt_str(s, 2);
	return OK;
}

static enum status change(struct user *u, struct conn *where, const struct step *step,
			  struct err *err)
{
	bool put = step->what == USER_SAVE;
	sqlite3_stmt *s = prepare(u, where, put ? STMT_SAVED_PUT : STMT_SAVED_DROP, step->name, err);

	if (!s)
		return err->code;
	if (put) {
		stmt_bind_str(s, 3, step->text.p ? step->text : STR(""));
		stmt_bind_str(s, 4, step->state.p ? step->state : STR(""));
		stmt_bind_str(s, 5, step->created.p ? step->created : STR(""));
	}
	return stmt_run(where, s, err);
}

enum status saved_run(struct user *u, struct conn *where, const struct step *step,
		      struct steps *undo, bool *changed, struct err *err)
{
	struct step back = {.what = USER_UNSAVE, .name = step->name};
	sqlite3_stmt *s = prepare(u, where, STMT_SAVED_GET, step->name, err);
	enum status st;

	*changed = false;
	if (!s)
		return err->code;
	st = look(s, where, &back, err);
	if (st == OK && !is_the_same(step, &back)) {
		steps_add(undo, &back);
		*changed = true;
	}
	sqlite3_reset(s);
	return st == OK && *changed ? change(u, where, step, err) : st;
}
