/* What the user wrote while the project was read-only lies beside it. Once it can be written, it
 * can be taken over: by one edit, so that it can be taken back. */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/fetch.h"
#include "db/overlay.h"
#include "db/user_impl.h"

#define TAKEN "overlay taken" /* the setting: as of which edit of the overlay */

/* What is to be done to some samples; a note to one. */
struct share {
	enum user_what what;
	char *text;
	VEC(uint32_t) ords;
};

struct adoption {
	struct user *u;
	struct conn *from;
	struct arena arena;
	VEC(struct share) shares;
	size_t n; /* things */
};

static void adoption_release(struct adoption *a)
{
	for (size_t i = 0; i < a->shares.n; i++) {
		free(a->shares.v[i].text);
		vec_release(&a->shares.v[i].ords);
	}
	vec_release(&a->shares);
	arena_release(&a->arena);
}

static struct share *share_of(struct adoption *a, enum user_what what, struct str text)
{
	struct share fresh = {.what = what};

	for (size_t i = 0; i < a->shares.n && what != USER_NOTE; i++)
		if (a->shares.v[i].what == what && str_eqz(text, a->shares.v[i].text))
			return &a->shares.v[i];
	fresh.text = xstrndup(text.p ? text.p : "", text.n);
	vec_push(&a->shares, fresh);
	return &a->shares.v[a->shares.n - 1];
}

static enum status has_note(struct adoption *a, uint32_t ord, struct str text, bool *has,
			    struct err *err)
{
	struct user_note *notes;
	size_t n;
	enum status st = user_notes(a->u, ord, &notes, &n, &a->arena, err);

	*has = false;
	for (size_t i = 0; i < n && st == OK; i++)
		*has = *has || str_eq(notes[i].text, text);
	return st;
}

static bool has_tag(const struct user_things *t, struct str name, uint32_t ord)
{
	for (uint32_t i = 0; i < t->n_tags; i++)
		if (str_eqz(name, t->tags[i].name))
			return user_has_tag(&t->tags[i], ord);
	return false;
}

/* One row of the overlay; what the project has already, or has no sample for, is passed over. */
static enum status take(struct adoption *a, enum user_what what, struct str key, struct str text,
			struct err *err)
{
	struct share *s;
	uint32_t ord;
	bool has = false;

	if (fetch_ordinal(a->u->c, a->u->dataset, key, &ord, err) != OK) {
		if (err->code != E_NOT_FOUND)
			return err->code;
		err_clear(err);
		return OK;
	}
	if (ord >= a->u->things.n)
		return OK;
	if (what == USER_MARK)
		has = a->u->things.marked[ord];
	else if (what == USER_TAG)
		has = has_tag(&a->u->things, text, ord);
	else if (has_note(a, ord, text, &has, err) != OK)
		return err->code;
	if (has)
		return OK;
	s = share_of(a, what, text);
	vec_push(&s->ords, ord);
	a->n++;
	return OK;
}

static enum status gather(struct adoption *a, enum stmt_id id, enum user_what what, struct err *err)
{
	sqlite3_stmt *s = stmt_get(a->from, id, err);
	enum status st = s ? OK : err->code;
	bool row = true;

	if (s)
		stmt_bind_str(s, 1, str_z(a->u->name));
	while (st == OK && row) {
		st = stmt_step(a->from, s, &row, err);
		if (st == OK && row)
			st = take(a, what, stmt_str(s, 0),
				  what == USER_MARK ? STR("") : stmt_str(s, 1), err);
	}
	if (s)
		sqlite3_reset(s);
	return st;
}

/* The overlay's last edit of all; owned by the caller. NULL when it has none. */
static enum status last_edit(struct conn *overlay, char **out, struct err *err)
{
	sqlite3_stmt *s = stmt_get(overlay, STMT_JOURNAL_LAST, err);
	struct str text;
	bool row;

	*out = NULL;
	if (!s || stmt_step(overlay, s, &row, err) != OK)
		return err->code;
	if (row) {
		text = stmt_str(s, 0);
		*out = text.n ? xstrndup(text.p, text.n) : NULL;
		sqlite3_reset(s);
	}
	return OK;
}

static char *setting_name(const struct user *u)
{
	return xasprintf("%s: %s", TAKEN, u->name);
}

/* Nothing is gathered when there is nothing new. *last: as of which edit; owned by the caller. */
static enum status look(struct adoption *a, char **last, struct err *err)
{
	char *setting = setting_name(a->u), *before = NULL;
	struct err none = ERR_INIT;
	enum status st = OK;

	*last = NULL;
	if (!a->u->c->read_only)
		st = overlay_open(a->u->c, false, &a->from, err);
	if (st == OK && a->from)
		st = last_edit(a->from, last, err);
	if (st != OK || !*last)
		goto out;
	user_setting_get(a->u->c, setting, &before, &none);
	if (before && strcmp(before, *last) == 0)
		goto out;
	if (gather(a, STMT_USER_TAGS, USER_TAG, err) != OK ||
	    gather(a, STMT_USER_MARKS, USER_MARK, err) != OK ||
	    gather(a, STMT_USER_NOTES_ALL, USER_NOTE, err) != OK)
		st = err->code;
out:
	free(before);
	free(setting);
	return st;
}

enum status user_adoptable(struct user *u, size_t *n, struct err *err)
{
	struct adoption a = {.u = u};
	char *last;
	enum status st = look(&a, &last, err);

	*n = st == OK ? a.n : 0;
	free(last);
	adoption_release(&a);
	return st;
}

static enum status carry_out(struct adoption *a, struct user_done *done, struct err *err)
{
	struct user_change *changes = xcalloc(a->shares.n + 1, sizeof *changes);
	char label[USER_LABEL_MAX];
	enum status st;

	for (size_t i = 0; i < a->shares.n; i++) {
		struct share *s = &a->shares.v[i];

		qsort(s->ords.v, s->ords.n, sizeof *s->ords.v, user_by_number);
		changes[i] = (struct user_change){s->what, s->ords.v, s->ords.n, str_z(s->text), 0};
	}
	snprintf(label, sizeof label, "take over %zu from when the project was read-only", a->n);
	st = user_edit(a->u, label, changes, a->shares.n, done, err);
	free(changes);
	return st;
}

enum status user_adopt(struct user *u, struct user_done *done, struct err *err)
{
	struct adoption a = {.u = u};
	char *last = NULL, *setting = setting_name(u);
	enum status st = look(&a, &last, err);

	*done = (struct user_done){0};
	if (st == OK && !a.n)
		st = err_set(err, E_NOT_FOUND, "there is nothing to take over");
	if (st == OK)
		st = carry_out(&a, done, err);
	if (st == OK)
		st = user_setting_set(u->c, setting, str_z(last), err);
	free(last);
	free(setting);
	adoption_release(&a);
	return st;
}
