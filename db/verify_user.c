/* The user's own things: do they mean samples that are there? Looked at in the project and in the
 * overlay beside a read-only one. They are never changed, but a line of the journal that cannot be
 * read is in the way of those before it. */
#include <stdlib.h>

#include "core/text/json.h"
#include "db/overlay.h"
#include "db/user_impl.h"
#include "db/verify_impl.h"

struct user_pass {
	struct verify *k;
	struct conn *from;  /* where the things are */
	const char *beside; /* "" or " beside the project" */
	struct dataset_name *datasets;
	size_t n_datasets;
};

static const struct dataset_name *find_dataset(const struct user_pass *p, struct str name)
{
	for (size_t i = 0; i < p->n_datasets; i++)
		if (str_eqz(name, p->datasets[i].name))
			return &p->datasets[i];
	return NULL;
}

static enum status has_sample(struct user_pass *p, struct str dataset, struct str key, bool *has,
			      struct err *err)
{
	const struct dataset_name *d = find_dataset(p, dataset);
	uint32_t ord;
	enum status st;

	*has = false;
	if (!d)
		return OK;
	st = fetch_ordinal(p->k->c, d->id, key, &ord, err);
	*has = st == OK;
	if (st != E_NOT_FOUND)
		return st;
	err_clear(err);
	return OK;
}

static enum status verify_things(struct user_pass *p, enum stmt_id id, const char *what,
				 struct err *err)
{
	sqlite3_stmt *s = stmt_get(p->from, id, err);
	struct finding f;
	enum status st = s ? OK : err->code;
	bool row, has;

	finding_init(&f, "%s of samples that do not exist%s", what, p->beside);
	while (st == OK && (st = stmt_step(p->from, s, &row, err)) == OK && row) {
		struct str key = stmt_str(s, 1);

		st = has_sample(p, stmt_str(s, 0), key, &has, err);
		if (st == OK && !has)
			finding_see(&f, "%.*s", (int)(key.n < 60 ? key.n : 60), key.n ? key.p : "");
	}
	if (s)
		sqlite3_reset(s);
	finding_end(p->k, &f, what, NULL);
	return verify_absorb(p->k, st, what, err);
}

/* Statements that give one text a line. */
static enum status verify_words(struct user_pass *p, enum stmt_id id, int column, const char *where,
				const char *what, struct err *err)
{
	sqlite3_stmt *s = stmt_get(p->from, id, err);
	struct finding f;
	enum status st = s ? OK : err->code;
	bool row;

	finding_init(&f, "%s%s", what, p->beside);
	while (st == OK && (st = stmt_step(p->from, s, &row, err)) == OK && row) {
		struct str word = stmt_str(s, column);

		finding_see(&f, "%.*s", (int)(word.n < 60 ? word.n : 60), word.n ? word.p : "");
	}
	finding_end(p->k, &f, where, NULL);
	return verify_absorb(p->k, st, where, err);
}

static bool steps_read(struct str json, uint32_t n)
{
	struct steps steps = {0};
	struct err ignored = ERR_INIT;
	bool good = steps_parse(json, n, &steps, &ignored) == OK;

	steps_release(&steps);
	return good;
}

static enum status verify_journal(struct user_pass *p, struct err *err)
{
	static const char fix[] = "they are dropped: these edits cannot be taken back";
	bool can_fix = p->from == p->k->c, row;
	sqlite3_stmt *s = stmt_get(p->from, STMT_VERIFY_JOURNAL, err);
	struct finding f;
	VEC(int64_t) bad = {0};
	enum status st = s ? OK : err->code;

	finding_init(&f, "edits that cannot be read%s", p->beside);
	while (st == OK && (st = stmt_step(p->from, s, &row, err)) == OK && row) {
		const struct dataset_name *d = find_dataset(p, stmt_str(s, 1));
		struct str label = stmt_str(s, 2);

		if (d && steps_read(stmt_str(s, 3), d->n_samples) &&
		    steps_read(stmt_str(s, 4), d->n_samples))
			continue;
		finding_see(&f, "%.*s", (int)(label.n < 60 ? label.n : 60), label.n ? label.p : "");
		vec_push(&bad, sqlite3_column_int64(s, 0));
	}
	finding_end(p->k, &f, "journal", can_fix ? fix : NULL);
	for (size_t i = 0; i < bad.n && st == OK && can_fix && p->k->repair; i++)
		st = verify_exec2(p->k, STMT_FIX_JOURNAL, bad.v[i], 0, err);
	vec_release(&bad);
	return verify_absorb(p->k, st, "journal", err);
}

static enum status verify_all(struct user_pass *p, struct err *err)
{
	static const struct {
		enum stmt_id id;
		const char *what;
	} things[] = {{STMT_VERIFY_NOTES, "notes"},
		      {STMT_VERIFY_TAGS, "tags"},
		      {STMT_VERIFY_MARKS, "marks"},
		      {STMT_VERIFY_SEEN, "looks"},
		      {STMT_VERIFY_REVIEW, "reviews"}};
	enum status st = OK;

	for (size_t i = 0; i < sizeof things / sizeof *things && st == OK; i++)
		st = verify_things(p, things[i].id, things[i].what, err);
	if (st == OK && p->from == p->k->c) /* the overlay has no runs of its own */
		st = verify_words(p, STMT_VERIFY_PANEL, 1, "panel", "runs that do not exist", err);
	if (st == OK)
		st = verify_words(p, STMT_VERIFY_STATES, 0, "saved filters",
				  "states that cannot be read", err);
	if (st == OK)
		st = verify_words(p, STMT_VERIFY_REVIEWS, 0, "reviews",
				  "classes that cannot be read", err);
	return st == OK ? verify_journal(p, err) : st;
}

enum status verify_user(struct verify *k, struct err *err)
{
	struct user_pass p = {.k = k, .from = k->c, .beside = ""};
	struct arena arena = ARENA_INIT;
	struct conn *overlay = NULL;
	enum status st = fetch_datasets(k->c, &p.datasets, &p.n_datasets, &arena, err);

	if (st == OK)
		st = verify_all(&p, err);
	st = verify_absorb(k, st, "the user's things", err);
	if (st == OK && k->c->read_only)
		st = verify_absorb(k, overlay_open(k->c, false, &overlay, err), "the user's things",
				   err);
	if (st == OK && overlay) {
		p.from = overlay;
		p.beside = " beside the project";
		st = verify_absorb(k, verify_all(&p, err), "the user's things", err);
	}
	arena_release(&arena);
	return st;
}
