/* Answers of runs: outcomes, classes, lists, numbers. Each column against its owner, then all of
 * them against each other. */
#include <stdlib.h>

#include "db/verify_impl.h"

static const char again[] = "the answers are made again from what is left";

static void wrong(struct verify *k, struct verify_run *r, const char *name, const char *why)
{
	finding_one(k, r->where, again, "column %s %s", name, why);
	r->bad = true;
}

static enum status load_one(struct verify *k, struct verify_run *r, const char *name,
			    struct column *out, size_t most, bool *there, struct err *err)
{
	enum status st =
	    verify_column(k, OWNER_RUN, r->id, r->where, name, again, out, there, &r->bad, err);

	if (st == OK && *there && (!column_is_unsigned(out) || out->n > most)) {
		wrong(k, r, name, "is of the wrong type or length");
		column_release(out);
		*there = false;
	}
	return st;
}

static void verify_elements(struct verify *k, struct verify_run *r, const char *name,
			    const struct column *col, uint64_t limit)
{
	struct finding f;

	finding_init(&f, "column %s holds what does not exist", name);
	for (size_t i = 0; i < col->n; i++) {
		uint64_t v = column_u(col, i);

		if (v >= limit && v != COLUMN_NONE)
			finding_see(&f, "sample %zu", i);
	}
	r->bad |= finding_end(k, &f, r->where, again);
}

/* --- lists: of the answers with several classes --- */

static bool offsets_hold(const struct verify_run *r)
{
	const uint32_t *off = r->list.off.data;

	if (r->list.off.dtype != DT_U32 || r->list.off.n != r->list_ord.n + 1 || off[0] != 0 ||
	    off[r->list.off.n - 1] != r->list.val.n)
		return false;
	for (size_t i = 1; i < r->list.off.n; i++)
		if (off[i] < off[i - 1])
			return false;
	return true;
}

static void drop_lists(struct verify_run *r)
{
	column_release(&r->list_ord);
	csr_release(&r->list);
}

/* A list is two classes or more, ascending, and its first is the answer's label. */
static bool list_is_good(const struct verify_run *r, size_t row)
{
	uint64_t before = 0, ord = column_u(&r->list_ord, row);
	size_t from, n = csr_row(&r->list, row, &from);

	if (n < 2 || ord >= r->outcome.n || (row && ord <= column_u(&r->list_ord, row - 1)) ||
	    column_u(&r->label, ord) != column_u(&r->list.val, from))
		return false;
	for (size_t j = 0; j < n; j++) {
		uint64_t v = column_u(&r->list.val, from + j);

		if (v >= r->d->n_classes || (j && v <= before))
			return false;
		before = v;
	}
	return true;
}

static enum status verify_lists(struct verify *k, struct verify_run *r, struct err *err)
{
	struct finding f;
	bool ord, off, val;
	enum status st = load_one(k, r, "list_ord", &r->list_ord, r->d->n, &ord, err);

	if (st == OK)
		st = load_one(k, r, "list_offset", &r->list.off, (size_t)r->d->n + 1, &off, err);
	if (st == OK)
		st = load_one(k, r, "list_value", &r->list.val, SIZE_MAX, &val, err);
	if (st != OK || (!ord && !off && !val))
		return st;
	if (!ord || !off || !val || !offsets_hold(r)) {
		wrong(k, r, "list_offset", "does not fit the lists");
		drop_lists(r);
		return OK;
	}
	finding_init(&f, "lists of classes that are none");
	for (size_t i = 0; i < r->list_ord.n; i++)
		if (!list_is_good(r, i))
			finding_see(&f, "sample %llu",
				    (unsigned long long)column_u(&r->list_ord, i));
	r->bad |= finding_end(k, &f, r->where, again);
	return OK;
}

/* --- outcomes and classes --- */

static void compare(struct verify *k, struct verify_run *r)
{
	struct finding none, some;

	finding_init(&none, "answered, and no class");
	finding_init(&some, "a class where there is no answer");
	for (size_t i = 0; i < r->d->n; i++) {
		uint64_t o = column_u(&r->outcome, i);
		bool class = column_u(&r->label, i) != COLUMN_NONE;

		if (o == OUTCOME_ANSWERED && !class)
			finding_see(&none, "sample %zu", i);
		if (class && o != OUTCOME_ANSWERED && o != OUTCOME_OOP)
			finding_see(&some, "sample %zu", i);
	}
	r->bad |= finding_end(k, &none, r->where, again);
	r->bad |= finding_end(k, &some, r->where, again);
}

static enum status verify_classes_of(struct verify *k, struct verify_run *r, struct err *err)
{
	bool outcome, label;
	enum status st = load_one(k, r, "outcome", &r->outcome, r->d->n, &outcome, err);

	if (st == OK)
		st = load_one(k, r, "label", &r->label, r->d->n, &label, err);
	if (st == OK && outcome && r->outcome.dtype != DT_U8) {
		wrong(k, r, "outcome", "is of the wrong type");
		column_release(&r->outcome);
		outcome = false;
	}
	if (st == OK && !outcome && !r->bad && r->n)
		wrong(k, r, "outcome", "is missing");
	if (st == OK && outcome && label && r->label.n > r->outcome.n)
		wrong(k, r, "label", "is longer than column outcome");
	if (st == OK) {
		verify_elements(k, r, "outcome", &r->outcome, N_OUTCOMES);
		verify_elements(k, r, "label", &r->label, r->d->n_classes);
		st = verify_lists(k, r, err);
	}
	if (st == OK && !r->bad)
		compare(k, r);
	return st;
}

/* --- numbers --- */

static bool is_number(struct str name)
{
	return !str_eqz(name, "outcome") && !str_eqz(name, "label") &&
	       !str_starts(name, STR("list_")) && !str_starts(name, STR("text_"));
}

static enum status list_numbers(struct verify *k, const struct verify_run *r, struct arena *arena,
				struct owner_vec *out, struct err *err)
{
	sqlite3_stmt *s = stmt_get(k->c, STMT_VERIFY_COLUMNS, err);
	enum status st = s ? OK : err->code;
	bool row;

	if (s) {
		sqlite3_bind_int64(s, 1, OWNER_RUN);
		sqlite3_bind_int64(s, 2, r->id);
	}
	while (st == OK && (st = stmt_step(k->c, s, &row, err)) == OK && row) {
		struct str name = stmt_str(s, 0);

		if (name.n && is_number(name))
			vec_push(out,
				 ((struct owner){0, 0, 0, arena_strndup(arena, name.p, name.n)}));
	}
	return st;
}

static enum status verify_number(struct verify *k, const struct verify_run *r, const char *name,
				 struct err *err)
{
	static const char fix[] = "it is dropped";
	struct column col = {DT_U8, 0, NULL};
	bool there, bad = false;
	enum status st =
	    verify_column(k, OWNER_RUN, r->id, r->where, name, fix, &col, &there, &bad, err);

	if (st == OK && there && col.n > r->d->n) {
		finding_one(k, r->where, fix, "column %.60s is longer than the dataset", name);
		bad = true;
	}
	column_release(&col);
	if (st == OK && bad && k->repair) {
		st = verify_drop_column(k, OWNER_RUN, r->id, name, err);
		verify_told(k, r->where, "its numbers %.60s are lost", name);
	}
	return st;
}

static enum status verify_numbers(struct verify *k, const struct verify_run *r, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct owner_vec names = {0};
	enum status st = list_numbers(k, r, &arena, &names, err);

	for (size_t i = 0; i < names.n && st == OK; i++)
		st = verify_number(k, r, names.v[i].where, err);
	vec_release(&names);
	arena_release(&arena);
	return st;
}

/* --- a run --- */

static enum status verify_answers(struct verify *k, struct verify_run *r, struct err *err)
{
	int64_t n = 0;
	enum status st = verify_classes_of(k, r, err);

	if (st == OK)
		st = verify_numbers(k, r, err);
	if (st == OK)
		st = verify_words_begin(r->words, k, r, err);
	if (st == OK)
		st = verify_texts(k, r, err);
	if (st == OK)
		verify_words_end(r->words, k, r);
	k->counts->runs++;
	if (st == OK && r->bad && k->repair)
		return verify_rebuild_answers(k, r, err);
	for (size_t i = 0; i < r->outcome.n; i++) {
		uint64_t o = column_u(&r->outcome, i);

		n += o != OUTCOME_MISSING && o != COLUMN_NONE;
	}
	k->counts->answers += (uint64_t)n;
	if (st == OK && !r->bad && n != r->n) {
		finding_one(k, r->where, "they are counted again",
			    "%lld answers are said to be there, %lld are", (long long)r->n,
			    (long long)n);
		if (k->repair)
			st = verify_exec2(k, STMT_FIX_ANSWERS, r->id, n, err);
	}
	return st;
}

enum status verify_runs(struct verify *k, const struct verify_dataset *d, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct owner_vec list = {0};
	struct verify_words *words = NULL;
	enum status st = verify_owners(k, STMT_VERIFY_RUNS, d->id, "run", &arena, &list, err);

	if (st == OK)
		st = verify_words_open(k, d, &words, err);
	for (size_t i = 0; i < list.n && st == OK; i++) {
		struct verify_run r = {
		    .d = d, .id = list.v[i].id, .n = list.v[i].a, .scratch = list.v[i].b,
		    .where = list.v[i].where, .words = words};

		st = verify_absorb(k, verify_answers(k, &r, err), list.v[i].where, err);
		if (st == OK)
			st = verify_mapped(k, &r, err);
		column_release(&r.outcome);
		column_release(&r.label);
		column_release(&r.list_ord);
		csr_release(&r.list);
		if (st == OK)
			st = verify_breathe(k, err);
	}
	verify_words_close(words);
	vec_release(&list);
	arena_release(&arena);
	return st;
}
