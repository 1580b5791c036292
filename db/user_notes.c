/* Notes of one sample, and what was looked at. */
#include <stdlib.h>

#include "db/overlay.h"
#include "db/user_impl.h"

/* --- notes --- */

struct gather {
	struct user *u;
	struct conn *from;
	struct arena *arena;
	VEC(struct user_note) notes;
	bool fixed;
};

static enum status gather(void *ctx, size_t k, struct str key, struct err *err)
{
	struct gather *g = ctx;
	sqlite3_stmt *s = stmt_get(g->from, STMT_USER_NOTES_OF, err);
	enum status st;
	bool row;

	(void)k;
	if (!s)
		return err->code;
	stmt_bind_str(s, 1, str_z(g->u->name));
	stmt_bind_str(s, 2, key);
	while ((st = stmt_step(g->from, s, &row, err)) == OK && row) {
		struct user_note note = {.id = sqlite3_column_int64(s, 0),
					 .text = arena_str(g->arena, stmt_str(s, 1)),
					 .author = arena_str(g->arena, stmt_str(s, 2)),
					 .created = arena_str(g->arena, stmt_str(s, 3)),
					 .changed = arena_str(g->arena, stmt_str(s, 4)),
					 .fixed = g->fixed};

		vec_push(&g->notes, note);
	}
	return st;
}

enum status user_notes(struct user *u, uint32_t ord, struct user_note **out, size_t *n,
		       struct arena *arena, struct err *err)
{
	struct gather g = {.u = u, .from = u->c, .arena = arena, .fixed = u->c->read_only};
	struct conn *overlay = NULL;
	enum status st = user_each_key(u, &ord, 1, gather, &g, err);

	*out = NULL;
	*n = 0;
	if (st == OK && u->c->read_only)
		st = overlay_open(u->c, false, &overlay, err);
	if (st == OK && overlay) {
		g.from = overlay;
		g.fixed = false;
		st = user_each_key(u, &ord, 1, gather, &g, err);
	}
	if (st == OK && g.notes.n) {
		*out = arena_zalloc(arena, g.notes.n, sizeof **out);
		memcpy(*out, g.notes.v, g.notes.n * sizeof **out);
		*n = g.notes.n;
	}
	vec_release(&g.notes);
	return st;
}

/* --- seen --- */

void user_see(struct user *u, uint32_t ord)
{
	if (ord >= u->things.n || u->things.seen[ord])
		return;
	u->things.seen[ord] = 1;
	u->things.n_seen++;
	if (!u->seen_off)
		vec_push(&u->unkept, ord);
}

struct keep {
	struct user *u;
	struct conn *where;
	const char *now;
};

static enum status keep_one(void *ctx, size_t k, struct str key, struct err *err)
{
	struct keep *kp = ctx;
	sqlite3_stmt *s = stmt_get(kp->where, STMT_USER_SEEN_PUT, err);

	(void)k;
	if (!s)
		return err->code;
	stmt_bind_str(s, 1, str_z(kp->u->name));
	stmt_bind_str(s, 2, key);
	stmt_bind_str(s, 3, str_z(kp->now));
	return stmt_run(kp->where, s, err);
}

static enum status keep(struct user *u, struct err *err)
{
	struct keep kp = {.u = u};
	char now[32];
	enum status st = user_conn(u->c, &kp.where, err);

	if (st != OK)
		return st;
	user_now(now);
	kp.now = now;
	conn_hurry(u->c, true);
	st = conn_begin(kp.where, err);
	if (st == OK) {
		st = user_each_key(u, u->unkept.v, u->unkept.n, keep_one, &kp, err);
		if (st == OK)
			st = conn_commit(kp.where, err);
		conn_rollback(kp.where);
	}
	conn_hurry(u->c, false);
	return st;
}

enum status user_keep_seen(struct user *u, struct err *err)
{
	enum status st = OK;

	if (u->unkept.n) {
		qsort(u->unkept.v, u->unkept.n, sizeof *u->unkept.v, user_by_number);
		st = keep(u, err);
		/* A full disk stays full: one word about it is enough. */
		u->seen_off = st != OK && st != E_BUSY;
		if (st != E_BUSY)
			vec_clear(&u->unkept);
	}
	return st;
}
