/* The user's things in memory: loaded once, then kept up to date step by step. */
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "db/fetch.h"
#include "db/overlay.h"
#include "db/user_impl.h"

#define TAGS_MAX 10000 /* names in one dataset */

/* --- one tag --- */

static size_t place_in(const struct user_tag *t, uint32_t ord)
{
	size_t lo = 0, hi = t->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->ords[mid] < ord)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool user_has_tag(const struct user_tag *tag, uint32_t ord)
{
	size_t at = place_in(tag, ord);

	return at < tag->n && tag->ords[at] == ord;
}

static uint32_t tag_place(const struct user_things *t, struct str name)
{
	uint32_t lo = 0, hi = t->n_tags;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (str_cmp(str_z(t->tags[mid].name), name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct user_tag *tag_named(struct user_things *t, struct str name)
{
	uint32_t at = tag_place(t, name);

	if (at < t->n_tags && str_eqz(name, t->tags[at].name))
		return &t->tags[at];
	t->tags = xrealloc(t->tags, ((size_t)t->n_tags + 1) * sizeof *t->tags);
	memmove(t->tags + at + 1, t->tags + at, (t->n_tags - at) * sizeof *t->tags);
	t->tags[at] = (struct user_tag){.name = xstrndup(name.p, name.n)};
	t->n_tags++;
	return &t->tags[at];
}

static void tag_push(struct user_tag *tag, uint32_t ord)
{
	if (tag->n == tag->cap) {
		tag->cap = tag->cap ? tag->cap * 2 : 8;
		tag->ords = xrealloc(tag->ords, (size_t)tag->cap * sizeof *tag->ords);
	}
	tag->ords[tag->n++] = ord;
}

static void tag_sort(struct user_tag *tag)
{
	uint32_t kept = 0;

	qsort(tag->ords, tag->n, sizeof *tag->ords, user_by_number);
	for (uint32_t i = 0; i < tag->n; i++)
		if (!kept || tag->ords[kept - 1] != tag->ords[i])
			tag->ords[kept++] = tag->ords[i];
	tag->n = kept;
}

static void tag_remove(struct user_tag *tag, const uint32_t *ords, size_t n)
{
	uint32_t kept = 0;
	size_t k = 0;

	for (uint32_t i = 0; i < tag->n; i++) {
		while (k < n && ords[k] < tag->ords[i])
			k++;
		if (k == n || ords[k] != tag->ords[i])
			tag->ords[kept++] = tag->ords[i];
	}
	tag->n = kept;
}

static void drop_empty(struct user_things *t)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < t->n_tags; i++) {
		if (t->tags[i].n) {
			t->tags[kept++] = t->tags[i];
			continue;
		}
		free(t->tags[i].name);
		free(t->tags[i].ords);
	}
	t->n_tags = kept;
}

/* --- loading --- */

struct load {
	struct user *u;
	struct user_things *t;
	uint32_t ord; /* of the last key, which may come again */
	struct str key;
	struct buf key_bytes;
	bool known;
};

/* Samples that are no longer there are passed over: what was said about them stays in the file. */
static enum status find(struct load *l, struct str key, struct err *err)
{
	struct err none = ERR_INIT;
	enum status st;

	if (l->key.p && str_eq(l->key, key))
		return OK;
	buf_clear(&l->key_bytes);
	buf_str(&l->key_bytes, key);
	l->key = buf_view(&l->key_bytes);
	st = fetch_ordinal(l->u->c, l->u->dataset, key, &l->ord, &none);
	l->known = st == OK && l->ord < l->t->n;
	if (st != OK && st != E_NOT_FOUND)
		*err = none;
	return err->code;
}

static void take_mark(struct load *l, sqlite3_stmt *s)
{
	(void)s;
	l->t->n_marked += !l->t->marked[l->ord];
	l->t->marked[l->ord] = 1;
}

static void take_seen(struct load *l, sqlite3_stmt *s)
{
	(void)s;
	l->t->n_seen += !l->t->seen[l->ord];
	l->t->seen[l->ord] = 1;
}

static void take_tag(struct load *l, sqlite3_stmt *s)
{
	struct str name = stmt_str(s, 1);
	uint32_t at = tag_place(l->t, name);
	bool known = at < l->t->n_tags && str_eqz(name, l->t->tags[at].name);

	if (name.n && (known || l->t->n_tags < TAGS_MAX))
		tag_push(tag_named(l->t, name), l->ord);
}

static void add_notes(struct user_things *t, uint32_t ord, int64_t by)
{
	int64_t n = t->notes[ord] + by;

	n = n < 0 ? 0 : n > UINT16_MAX ? UINT16_MAX : n;
	t->n_noted += (n > 0) - (t->notes[ord] > 0);
	t->notes[ord] = (uint16_t)n;
}

static void take_notes(struct load *l, sqlite3_stmt *s)
{
	int64_t n = sqlite3_column_int64(s, 1);

	add_notes(l->t, l->ord, n > UINT16_MAX ? UINT16_MAX : n);
}

static enum status load_table(struct load *l, struct conn *from, enum stmt_id id,
			      void (*take)(struct load *, sqlite3_stmt *), struct err *err)
{
	sqlite3_stmt *s = stmt_get(from, id, err);
	enum status st;
	bool row;

	if (!s)
		return err->code;
	l->key = STR_NONE;
	stmt_bind_str(s, 1, str_z(l->u->name));
	while ((st = stmt_step(from, s, &row, err)) == OK && row) {
		struct str key = stmt_str(s, 0);

		st = key.p ? find(l, key, err) : OK;
		if (st != OK)
			break;
		if (key.p && l->known)
			take(l, s);
	}
	sqlite3_reset(s);
	return st;
}

static enum status load_from(struct load *l, struct conn *from, bool own, struct err *err)
{
	enum status st = load_table(l, from, STMT_USER_TAGS, take_tag, err);

	if (st == OK)
		st = load_table(l, from, STMT_USER_NOTE_COUNTS, take_notes, err);
	if (st == OK && own)
		st = load_table(l, from, STMT_USER_MARKS, take_mark, err);
	if (st == OK && own)
		st = load_table(l, from, STMT_USER_SEEN, take_seen, err);
	return st;
}

static void things_init(struct user_things *t, uint32_t n)
{
	*t = (struct user_things){.n = n};
	t->marked = xcalloc((size_t)n + 1, sizeof *t->marked);
	t->seen = xcalloc((size_t)n + 1, sizeof *t->seen);
	t->notes = xcalloc((size_t)n + 1, sizeof *t->notes);
}

void things_release(struct user_things *t)
{
	for (uint32_t i = 0; i < t->n_tags; i++)
		t->tags[i].n = 0;
	drop_empty(t);
	free(t->tags);
	free(t->marked);
	free(t->seen);
	free(t->notes);
	*t = (struct user_things){0};
}

static enum status data_version(struct conn *c, int64_t *out, struct err *err)
{
	sqlite3_stmt *s = stmt_get(c, STMT_DATA_VERSION, err);
	enum status st;
	bool row;

	if (!s)
		return err->code;
	st = stmt_step(c, s, &row, err);
	if (st == OK && row)
		*out = sqlite3_column_int64(s, 0);
	sqlite3_reset(s);
	return st;
}

static enum status versions(struct user *u, int64_t *version, int64_t *own, struct err *err)
{
	enum status st = data_version(u->c, version, err);

	*own = 0;
	if (st == OK && u->c->read_only && u->c->overlay)
		st = data_version(u->c->overlay, own, err);
	return st;
}

static enum status load_all(struct load *l, struct err *err)
{
	struct user *u = l->u;
	struct conn *overlay = NULL;
	enum status st = versions(u, &u->version, &u->own_version, err);

	if (st == OK)
		st = load_from(l, u->c, !u->c->read_only, err);
	if (st == OK && u->c->read_only)
		st = overlay_open(u->c, false, &overlay, err);
	if (st == OK && overlay)
		st = load_from(l, overlay, true, err);
	return st;
}

enum status things_load(struct user *u, struct err *err)
{
	struct user_things t;
	struct load l = {.u = u, .t = &t};
	enum status st;

	things_init(&t, u->things.n);
	st = load_all(&l, err);
	buf_release(&l.key_bytes);
	if (st != OK) {
		things_release(&t);
		u->version = -1;
		return st;
	}
	for (uint32_t i = 0; i < t.n_tags; i++)
		tag_sort(&t.tags[i]);
	for (size_t i = 0; i < u->unkept.n; i++) {
		t.n_seen += !t.seen[u->unkept.v[i]];
		t.seen[u->unkept.v[i]] = 1;
	}
	t.version = u->things.version + 1;
	things_release(&u->things);
	u->things = t;
	return OK;
}

/* --- keeping up --- */

static void show_tag(struct user_things *t, const struct step *s)
{
	struct user_tag *tag = tag_named(t, s->name);

	if (s->what == USER_UNTAG) {
		tag_remove(tag, s->ords.v, s->ords.n);
		return;
	}
	for (size_t i = 0; i < s->ords.n; i++)
		tag_push(tag, s->ords.v[i]);
	tag_sort(tag);
}

static void show_marks(struct user_things *t, const struct step *s)
{
	uint8_t on = s->what == USER_MARK;

	for (size_t i = 0; i < s->ords.n; i++) {
		uint8_t *m = &t->marked[s->ords.v[i]];

		t->n_marked += (uint32_t)on - *m;
		*m = on;
	}
}

/* Whether a note is a new one is not told by the step: they are counted in the file. */
static void show_notes(struct user *u, const struct step *s)
{
	struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < s->ords.n; i++) {
		struct err err = ERR_INIT;
		struct user_note *notes;
		size_t n;

		if (user_notes(u, s->ords.v[i], &notes, &n, &arena, &err) == OK)
			add_notes(&u->things, s->ords.v[i],
				  (int64_t)(n < UINT16_MAX ? n : UINT16_MAX) -
				      u->things.notes[s->ords.v[i]]);
		else
			u->version = -1;
		arena_clear(&arena);
	}
	arena_release(&arena);
}

void things_show(struct user *u, const struct steps *steps)
{
	struct err err = ERR_INIT;

	for (size_t i = 0; i < steps->list.n; i++) {
		const struct step *s = &steps->list.v[i];

		switch (s->what) {
		case USER_TAG:
		case USER_UNTAG:
			/* What is taken from the overlay may still be in the project. */
			if (u->c->read_only)
				u->version = -1;
			else
				show_tag(&u->things, s);
			break;
		case USER_MARK:
		case USER_UNMARK:
			show_marks(&u->things, s);
			break;
		case USER_NOTE:
		case USER_UNNOTE:
			show_notes(u, s);
			break;
		case USER_SAVE:
		case USER_UNSAVE:
		case USER_LABEL:
		case USER_UNLABEL:
			break; /* they are not held in memory */
		}
	}
	drop_empty(&u->things);
	u->things.version++;
	if (u->version == -1)
		things_load(u, &err); /* if it fails, the next look tries again */
}

enum status user_refresh(struct user *u, bool *changed, struct err *err)
{
	int64_t version, own;
	enum status st;

	*changed = false;
	conn_hurry(u->c, true);
	st = versions(u, &version, &own, err);
	if (st == OK && (version != u->version || own != u->own_version)) {
		st = things_load(u, err);
		*changed = st == OK;
	}
	conn_hurry(u->c, false);
	return st;
}

/* --- opening --- */

static const char *who(void)
{
	static const char *const names[] = {"USER", "LOGNAME"};
	const struct passwd *pw;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *name = getenv(names[i]);

		if (name && *name)
			return name;
	}
	pw = getpwuid(geteuid());
	return pw ? pw->pw_name : "";
}

enum status user_open(struct user **out, struct conn *c, int64_t dataset, const char *name,
		      uint32_t n, struct err *err)
{
	struct user *u = xcalloc(1, sizeof *u);
	enum status st;

	u->c = c;
	u->dataset = dataset;
	u->name = xstrdup(name);
	u->author = xstrdup(who());
	u->things.n = n;
	st = things_load(u, err);
	if (st != OK) {
		user_close(u);
		return st;
	}
	*out = u;
	return OK;
}

void user_close(struct user *u)
{
	if (!u)
		return;
	things_release(&u->things);
	vec_release(&u->unkept);
	free(u->name);
	free(u->author);
	free(u);
}

const struct user_things *user_things(const struct user *u)
{
	return &u->things;
}

const char *user_author(const struct user *u)
{
	return u->author;
}
