/* Edits and the journal of them: each is one transaction, so that undo finds all or nothing. */
#include <stdlib.h>

#include "core/base/utf8.h"
#include "db/overlay.h"
#include "db/user_impl.h"

void edit_steps_release(struct edit_steps *e)
{
	steps_release(&e->in);
	steps_release(&e->done);
	steps_release(&e->undo);
}

/* How many samples are different now. Several steps may be about the same ones. */
static void sum_up(const struct steps *steps, const char *label, struct user_done *done)
{
	VEC(uint32_t) all = {0};
	size_t n = strlen(label);

	done->saved = done->labels = false;
	for (size_t i = 0; i < steps->list.n; i++) {
		done->saved |= step_is_saved(&steps->list.v[i]);
		done->labels |= step_is_label(&steps->list.v[i]);
		for (size_t k = 0; k < steps->list.v[i].ords.n; k++)
			vec_push(&all, steps->list.v[i].ords.v[k]);
	}
	if (all.n > 1)
		qsort(all.v, all.n, sizeof *all.v, user_by_number);
	done->n = 0;
	done->first = all.n ? all.v[0] : 0;
	for (size_t i = 0; i < all.n; i++)
		done->n += i == 0 || all.v[i] != all.v[i - 1];
	vec_release(&all);
	n = n < sizeof done->label ? n : sizeof done->label - 1;
	n = utf8_valid_prefix((struct str){label, n});
	memcpy(done->label, label, n);
	done->label[n] = '\0';
}

void user_watch(struct user *u, const struct label_watch *watch)
{
	u->watch = watch;
}

/* --- a new edit --- */

enum status user_tag_name(struct str name, struct err *err)
{
	if (!name.n)
		return err_set(err, E_USAGE, "a tag needs a name");
	if (name.n > USER_TAG_MAX)
		return err_set(err, E_USAGE, "a tag can have %d bytes at most", USER_TAG_MAX);
	if (utf8_valid_prefix(name) != name.n)
		return err_set(err, E_USAGE, "the tag is not valid UTF-8");
	if (name.p[0] == '-')
		return err_set(err, E_USAGE, "a tag cannot begin with \"-\"");
	for (size_t i = 0, len; i < name.n; i += len) {
		uint32_t cp = utf8_decode(name.p + i, name.n - i, &len);

		if (cp <= 0x20 || utf8_is_unsafe(cp))
			return err_set(err, E_USAGE, "a tag is one word of visible characters");
	}
	return OK;
}

static enum status note_text(struct str text, struct err *err)
{
	if (!text.n)
		return err_set(err, E_USAGE, "a note needs a text");
	if (text.n > USER_NOTE_MAX)
		return err_set(err, E_USAGE, "a note can have %d bytes at most", USER_NOTE_MAX);
	if (utf8_valid_prefix(text) != text.n)
		return err_set(err, E_USAGE, "the note is not valid UTF-8");
	return OK;
}

static enum status check(const struct user *u, const struct user_change *c, struct err *err)
{
	if (c->what >= USER_SAVE)
		return err_set(err, E_USAGE, "saved filters and labels are about no samples");
	for (size_t i = 0; i < c->n; i++)
		if (c->ords[i] >= u->things.n || (i && c->ords[i] <= c->ords[i - 1]))
			return err_set(err, E_USAGE, "there are no such samples");
	if (c->what == USER_TAG || c->what == USER_UNTAG)
		return user_tag_name(c->text, err);
	if (c->what == USER_NOTE && note_text(c->text, err) != OK)
		return err->code;
	if ((c->note || c->what == USER_UNNOTE) && c->n != 1)
		return err_set(err, E_USAGE, "one note is of one sample");
	return OK;
}

static void add_step(struct edit_steps *e, const struct user_change *c, const char *now)
{
	bool tags = c->what == USER_TAG || c->what == USER_UNTAG;
	struct step like = {.what = c->what, .id = c->note}, *s;

	if (tags)
		like.name = c->text;
	if (c->what == USER_TAG)
		like.at = str_z(now);
	if (c->what == USER_NOTE) {
		like.text = c->text;
		like.author = str_z(e->u->author);
		like.created = like.changed = str_z(now);
	}
	s = steps_add(&e->in, &like);
	vec_reserve(&s->ords, c->n);
	for (size_t i = 0; i < c->n; i++)
		vec_push(&s->ords, c->ords[i]);
}

/* A note that is changed keeps the time when it was made. */
static enum status keep_created(struct edit_steps *e, struct err *err)
{
	struct arena arena = ARENA_INIT;
	enum status st = OK;

	for (size_t i = 0; i < e->in.list.n && st == OK; i++) {
		struct step *s = &e->in.list.v[i];
		struct user_note *notes;
		size_t n = 0;

		if (s->what != USER_NOTE || !s->id)
			continue;
		st = user_notes(e->u, s->ords.v[0], &notes, &n, &arena, err);
		for (size_t k = 0; k < n; k++)
			if (notes[k].id == s->id && !notes[k].fixed)
				s->created = arena_str(&e->in.arena, notes[k].created);
	}
	arena_release(&arena);
	return st;
}

static const char *kind_of(const struct steps *s)
{
	static const char *const kinds[] = {
	    [USER_TAG] = "tag",     [USER_UNTAG] = "tag", [USER_MARK] = "mark",
	    [USER_UNMARK] = "mark", [USER_NOTE] = "note", [USER_UNNOTE] = "note",
	    [USER_SAVE] = "saved",  [USER_UNSAVE] = "saved", [USER_LABEL] = "label",
	    [USER_UNLABEL] = "label",
	};

	return kinds[s->list.v[0].what];
}

static enum status write_row(struct edit_steps *e, const char *label, const char *now, struct err *err)
{
	struct buf undo = BUF_INIT, redo = BUF_INIT;
	sqlite3_stmt *s = stmt_get(e->where, STMT_JOURNAL_PUT, err);
	enum status st = OK;

	steps_json(&e->undo, true, &undo);
	steps_json(&e->done, false, &redo);
	if (undo.failed || redo.failed)
		st = err_set(err, E_LIMIT, "the edit is too large to be taken back");
	else if (!s)
		st = err->code;
	if (st == OK) {
		stmt_bind_str(s, 1, str_z(now));
		stmt_bind_str(s, 2, str_z(e->u->name));
		stmt_bind_str(s, 3, str_z(kind_of(&e->done)));
		stmt_bind_str(s, 4, str_z(label));
		stmt_bind_str(s, 5, buf_view(&undo));
		stmt_bind_str(s, 6, buf_view(&redo));
		st = stmt_run(e->where, s, err);
	}
	buf_release(&undo);
	buf_release(&redo);
	return st;
}

static enum status drop_undone(struct edit_steps *e, struct err *err)
{
	sqlite3_stmt *s = stmt_get(e->where, STMT_JOURNAL_DROP_UNDONE, err);

	if (!s)
		return err->code;
	stmt_bind_str(s, 1, str_z(e->u->name));
	return stmt_run(e->where, s, err);
}

/* What lies further back is not taken back any more: the file does not grow with every key. */
static enum status trim(struct edit_steps *e, struct err *err)
{
	sqlite3_stmt *s = stmt_get(e->where, STMT_JOURNAL_TRIM, err);

	if (!s)
		return err->code;
	stmt_bind_str(s, 1, str_z(e->u->name));
	sqlite3_bind_int(s, 2, USER_UNDO_MAX);
	return stmt_run(e->where, s, err);
}

static enum status inside(struct edit_steps *e, const char *label, const char *now, struct err *err)
{
	enum status st = keep_created(e, err);

	if (st == OK)
		st = steps_run(e->u, e->where, &e->in, &e->done, &e->undo, err);
	if (st != OK || !e->done.list.n)
		return st;
	st = drop_undone(e, err);
	if (st == OK)
		st = write_row(e, label, now, err);
	return st == OK ? trim(e, err) : st;
}

enum status edit_steps_run(struct edit_steps *e, const char *label, const char *now,
			   struct user_done *done, struct err *err)
{
	enum status st = user_conn(e->u->c, &e->where, err);

	if (st == OK)
		st = conn_begin(e->where, err);
	if (st != OK)
		return st;
	st = inside(e, label, now, err);
	if (st == OK && e->done.list.n)
		st = conn_commit(e->where, err);
	conn_rollback(e->where); /* nothing is open after a commit */
	if (st == OK) {
		things_show(e->u, &e->done);
		sum_up(&e->done, label, done);
		done->moves = e->u->moves;
	}
	return st;
}

enum status user_edit(struct user *u, const char *label, const struct user_change *changes,
		      size_t n_changes, struct user_done *done, struct err *err)
{
	struct edit_steps e = {.u = u};
	char now[32];
	enum status st = OK;

	user_now(now);
	for (size_t i = 0; i < n_changes && st == OK; i++) {
		st = check(u, &changes[i], err);
		if (st == OK && changes[i].n)
			add_step(&e, &changes[i], now);
	}
	if (st == OK)
		st = edit_steps_run(&e, label, now, done, err);
	edit_steps_release(&e);
	return st;
}

enum status user_saved_edit(struct user *u, const char *label, const struct user_saving *changes,
			    size_t n_changes, struct user_done *done, struct err *err)
{
	struct edit_steps e = {.u = u};
	char now[32];
	enum status st = OK;

	user_now(now);
	for (size_t i = 0; i < n_changes && st == OK; i++) {
		const struct user_saving *c = &changes[i];
		struct step like = {.what = c->drop ? USER_UNSAVE : USER_SAVE, .name = c->name};

		st = saved_check(c, err);
		if (!c->drop) {
			like.text = c->filter;
			like.state = c->state;
			like.created = c->created.n ? c->created : str_z(now);
		}
		steps_add(&e.in, &like);
	}
	if (st == OK)
		st = edit_steps_run(&e, label, now, done, err);
	edit_steps_release(&e);
	return st;
}

/* --- back and forth --- */

static enum status next_row(struct edit_steps *e, bool back, int64_t *id, char **label, struct err *err)
{
	enum stmt_id which = back ? STMT_JOURNAL_UNDO_NEXT : STMT_JOURNAL_REDO_NEXT;
	sqlite3_stmt *s = stmt_get(e->where, which, err);
	struct str text;
	enum status st;
	bool row;

	if (!s)
		return err->code;
	stmt_bind_str(s, 1, str_z(e->u->name));
	st = stmt_step(e->where, s, &row, err);
	if (st != OK)
		return st;
	if (!row)
		return err_set(err, E_NOT_FOUND, "there is nothing to %s", back ? "undo" : "redo");
	*id = sqlite3_column_int64(s, 0);
	text = stmt_str(s, 1);
	*label = xstrndup(text.p ? text.p : "", text.n);
	st = steps_parse(stmt_str(s, 2), e->u->things.n, &e->in, err);
	if (st != OK)
		err_prefix(err, "the journal is damaged, nothing is changed");
	sqlite3_reset(s);
	return st;
}

static enum status turn(struct edit_steps *e, int64_t id, bool back, struct err *err)
{
	sqlite3_stmt *s = stmt_get(e->where, STMT_JOURNAL_TURN, err);

	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, id);
	sqlite3_bind_int(s, 2, back);
	return stmt_run(e->where, s, err);
}

static enum status find_journal(struct user *u, struct conn **where, struct err *err)
{
	*where = u->c;
	return u->c->read_only ? overlay_open(u->c, false, where, err) : OK;
}

/* Told before the wait for another writer, which may well be the reason. */
static enum status closed_map(struct user *u, struct conn *where, bool back, struct err *err)
{
	struct edit_steps e = {.u = u, .where = where};
	char *label = NULL;
	int64_t id;
	enum status st = next_row(&e, back, &id, &label, err);

	for (size_t i = 0; i < e.in.list.n && st == OK; i++)
		if (step_is_label(&e.in.list.v[i]))
			st = err_set(err, E_BUSY, "%s", u->watch->closed);
	free(label);
	edit_steps_release(&e);
	return st;
}

static enum status go(struct user *u, bool back, struct user_done *done, struct err *err)
{
	struct edit_steps e = {.u = u};
	char *label = NULL;
	int64_t id = 0;
	enum status st = find_journal(u, &e.where, err);

	if (st == OK && !e.where)
		st = err_set(err, E_NOT_FOUND, "there is nothing to %s", back ? "undo" : "redo");
	if (st == OK && u->watch && u->watch->closed)
		st = closed_map(u, e.where, back, err);
	if (st == OK)
		st = conn_begin(e.where, err);
	if (st != OK)
		goto out;
	st = next_row(&e, back, &id, &label, err);
	if (st == OK)
		st = steps_run(u, e.where, &e.in, &e.done, &e.undo, err);
	if (st == OK)
		st = turn(&e, id, back, err);
	if (st == OK)
		st = conn_commit(e.where, err);
	conn_rollback(e.where);
	if (st == OK) {
		things_show(u, &e.done);
		sum_up(&e.done, label, done);
		done->moves = u->moves;
	}
out:
	free(label);
	edit_steps_release(&e);
	return st;
}

enum status user_undo(struct user *u, struct user_done *done, struct err *err)
{
	return go(u, true, done, err);
}

enum status user_redo(struct user *u, struct user_done *done, struct err *err)
{
	return go(u, false, done, err);
}
