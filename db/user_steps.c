/* Steps against the file: each one run makes the steps that take it back. */
#include <time.h>

#include "db/user_impl.h"

void user_now(char out[32])
{
	time_t now = time(NULL);
	struct tm tm;

	if (!gmtime_r(&now, &tm) || !strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &tm))
		out[0] = '\0';
}

int user_by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

struct step *steps_add(struct steps *s, const struct step *like)
{
	struct step step = {.what = like->what, .id = like->id};

	step.name = arena_str(&s->arena, like->name);
	step.at = arena_str(&s->arena, like->at);
	step.text = arena_str(&s->arena, like->text);
	step.author = arena_str(&s->arena, like->author);
	step.created = arena_str(&s->arena, like->created);
	step.changed = arena_str(&s->arena, like->changed);
	step.state = arena_str(&s->arena, like->state);
	vec_push(&s->list, step);
	return &s->list.v[s->list.n - 1];
}

void steps_release(struct steps *s)
{
	for (size_t i = 0; i < s->list.n; i++)
		vec_release(&s->list.v[i].ords);
	vec_release(&s->list);
	arena_release(&s->arena);
}

/* --- samples --- */

static enum status each_of_range(struct user *u, const uint32_t *ords, size_t from, size_t n,
				 sample_fn fn, void *ctx, struct err *err)
{
	sqlite3_stmt *s = stmt_get(u->c, STMT_USER_KEYS, err);
	int64_t base = (int64_t)((uint64_t)u->dataset << 32);
	enum status st;
	bool row;

	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, base + ords[from]);
	sqlite3_bind_int64(s, 2, base + ords[from] + (int64_t)(n - 1));
	while ((st = stmt_step(u->c, s, &row, err)) == OK && row) {
		uint32_t ord = (uint32_t)sqlite3_column_int64(s, 0);

		if (ord - ords[from] >= n) /* a damaged table may give others */
			continue;
		st = fn(ctx, from + (ord - ords[from]), stmt_str(s, 1), err);
		if (st != OK)
			break;
	}
	sqlite3_reset(s);
	return st;
}

enum status user_each_key(struct user *u, const uint32_t *ords, size_t n, sample_fn fn, void *ctx,
			  struct err *err)
{
	enum status st = OK;

	for (size_t from = 0, end; from < n && st == OK; from = end) {
		for (end = from + 1; end < n && ords[end] == ords[end - 1] + 1; end++)
			;
		st = each_of_range(u, ords, from, end - from, fn, ctx, err);
	}
	return st;
}

/* --- running --- */

struct run {
	struct user *u;
	struct conn *where;
	const struct step *step;
	struct steps *done, *undo;
	size_t first_undo; /* of this step */
	size_t done_at;
	int64_t id; /* of the first new note; 0 = not known yet */
};

static sqlite3_stmt *prepare(struct run *r, enum stmt_id id, struct str key, struct err *err)
{
	sqlite3_stmt *s = stmt_get(r->where, id, err);

	if (s) {
		stmt_bind_str(s, 1, str_z(r->u->name));
		stmt_bind_str(s, 2, key);
	}
	return s;
}

static void was_done(struct run *r, uint32_t ord)
{
	vec_push(&r->done->list.v[r->done_at].ords, ord);
}

/* The step that takes this one back, for one sample more. Steps that differ only in the time when
 * the tag was given are told apart: each gets its own back. */
static void take_back(struct run *r, const struct step *like, uint32_t ord)
{
	struct step *s = NULL;

	for (size_t i = r->undo->list.n; i > r->first_undo && !s; i--) {
		struct step *old = &r->undo->list.v[i - 1];

		if (str_eq(old->at, like->at))
			s = old;
	}
	if (!s)
		s = steps_add(r->undo, like);
	vec_push(&s->ords, ord);
}

static enum status run_simple(struct run *r, enum stmt_id id, enum user_what back, struct str key,
			      uint32_t ord, struct err *err)
{
	const struct step like = {.what = back, .name = r->step->name};
	sqlite3_stmt *s = prepare(r, id, key, err);
	enum status st;

	if (!s)
		return err->code;
	if (r->step->what == USER_TAG) {
		stmt_bind_str(s, 3, r->step->name);
		stmt_bind_str(s, 4, r->step->at);
	}
	st = stmt_run(r->where, s, err);
	if (st == OK && sqlite3_changes(stmt_db(r->where)) > 0) {
		was_done(r, ord);
		take_back(r, &like, ord);
	}
	return st;
}

static enum status run_untag(struct run *r, struct str key, uint32_t ord, struct err *err)
{
	struct step like = {.what = USER_TAG, .name = r->step->name};
	sqlite3_stmt *s = prepare(r, STMT_USER_TAG_DROP, key, err);
	enum status st;
	bool row;

	if (!s)
		return err->code;
	stmt_bind_str(s, 3, r->step->name);
	st = stmt_step(r->where, s, &row, err);
	if (st != OK || !row)
		return st;
	like.at = stmt_str(s, 0);
	was_done(r, ord);
	take_back(r, &like, ord);
	return stmt_run(r->where, s, err);
}

static struct step note_of_row(sqlite3_stmt *s, int64_t id)
{
	return (struct step){.what = USER_NOTE, .id = id, .text = stmt_str(s, 0),
			     .author = stmt_str(s, 1), .created = stmt_str(s, 2),
			     .changed = stmt_str(s, 3)};
}

/* A note goes back as a step of its own: every text may be different. */
static void note_back(struct run *r, const struct step *like, uint32_t ord)
{
	struct step *s = steps_add(r->undo, like);

	vec_push(&s->ords, ord);
}

/* Takes the note as it was, if it was, into undo. */
static enum status note_before(struct run *r, int64_t id, struct str key, uint32_t ord,
			       struct err *err)
{
	struct step like = {.what = USER_UNNOTE, .id = id};
	sqlite3_stmt *s = stmt_get(r->where, STMT_USER_NOTE_GET, err);
	enum status st;
	bool row;

	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, id);
	stmt_bind_str(s, 2, str_z(r->u->name));
	stmt_bind_str(s, 3, key);
	st = stmt_step(r->where, s, &row, err);
	if (st != OK)
		return st;
	if (row)
		like = note_of_row(s, id);
	note_back(r, &like, ord);
	sqlite3_reset(s);
	return OK;
}

static enum status put_note(struct run *r, int64_t id, struct str key, struct err *err)
{
	sqlite3_stmt *s = stmt_get(r->where, STMT_USER_NOTE_PUT, err);

	if (!s)
		return err->code;
	if (id)
		sqlite3_bind_int64(s, 1, id);
	stmt_bind_str(s, 2, str_z(r->u->name));
	stmt_bind_str(s, 3, key);
	stmt_bind_str(s, 4, r->step->text);
	stmt_bind_str(s, 5, r->step->author);
	stmt_bind_str(s, 6, r->step->created);
	stmt_bind_str(s, 7, r->step->changed);
	return stmt_run(r->where, s, err);
}

static void new_note_back(struct run *r, uint32_t ord)
{
	const struct step like = {.what = USER_UNNOTE, .id = r->id};

	if (r->undo->list.n == r->first_undo)
		steps_add(r->undo, &like);
	vec_push(&r->undo->list.v[r->first_undo].ords, ord);
}

/* The first of new notes gets the next free id from SQLite, the others follow it. */
static enum status run_new_note(struct run *r, struct str key, uint32_t ord, struct err *err)
{
	struct step *done = &r->done->list.v[r->done_at];
	enum status st = put_note(r, r->id ? r->id + (int64_t)done->ords.n : 0, key, err);

	if (st != OK)
		return st;
	if (!r->id)
		r->id = done->id = sqlite3_last_insert_rowid(stmt_db(r->where));
	was_done(r, ord);
	new_note_back(r, ord);
	return OK;
}

static enum status run_note(struct run *r, size_t k, struct str key, uint32_t ord, struct err *err)
{
	int64_t id = r->step->id + (int64_t)k;
	enum status st;

	if (!r->step->id)
		return run_new_note(r, key, ord, err);
	st = note_before(r, id, key, ord, err);
	if (st == OK)
		st = put_note(r, id, key, err);
	if (st == OK)
		was_done(r, ord);
	return st;
}

static enum status run_unnote(struct run *r, size_t k, struct str key, uint32_t ord,
			      struct err *err)
{
	int64_t id = r->step->id + (int64_t)k;
	sqlite3_stmt *s = stmt_get(r->where, STMT_USER_NOTE_DROP, err);
	struct step like;
	enum status st;
	bool row;

	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, id);
	stmt_bind_str(s, 2, str_z(r->u->name));
	stmt_bind_str(s, 3, key);
	st = stmt_step(r->where, s, &row, err);
	if (st != OK || !row)
		return st;
	like = note_of_row(s, id);
	was_done(r, ord);
	note_back(r, &like, ord);
	return stmt_run(r->where, s, err);
}

static enum status run_sample(void *ctx, size_t k, struct str key, struct err *err)
{
	struct run *r = ctx;
	uint32_t ord = r->step->ords.v[k];

	switch (r->step->what) {
	case USER_TAG:
		return run_simple(r, STMT_USER_TAG_PUT, USER_UNTAG, key, ord, err);
	case USER_UNTAG:
		return run_untag(r, key, ord, err);
	case USER_MARK:
		return run_simple(r, STMT_USER_MARK_PUT, USER_UNMARK, key, ord, err);
	case USER_UNMARK:
		return run_simple(r, STMT_USER_MARK_DROP, USER_MARK, key, ord, err);
	case USER_NOTE:
		return run_note(r, k, key, ord, err);
	case USER_UNNOTE:
		return run_unnote(r, k, key, ord, err);
	case USER_SAVE:
	case USER_UNSAVE:
	case USER_LABEL:
	case USER_UNLABEL:
		break; /* about no sample */
	}
	return OK;
}

enum status steps_run(struct user *u, struct conn *where, const struct steps *in,
		      struct steps *done, struct steps *undo, struct err *err)
{
	enum status st = OK;

	for (size_t i = 0; i < in->list.n && st == OK; i++) {
		const struct step *step = &in->list.v[i];
		struct run r = {u, where, step, done, undo, undo->list.n, done->list.n, step->id};
		bool changed = false;

		steps_add(done, step);
		if (step_is_saved(step))
			st = saved_run(u, where, step, undo, &changed, err);
		else if (step_is_label(step))
			st = label_run(u, where, step, undo, &changed, err);
		else
			st = user_each_key(u, step->ords.v, step->ords.n, run_sample, &r, err);
		if (!done->list.v[r.done_at].ords.n && !changed) {
			vec_release(&done->list.v[r.done_at].ords);
			done->list.n--;
		}
	}
	return st == OK ? relabel(u, where, done, err) : st;
}
