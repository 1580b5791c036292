/*
 * The self-check: what an import looks like, before it is written. Facts are told (report_check),
 * what looks off is doubted (report_doubt): truths against the wnids in file names, answers that
 * are all the same, of no class, of the class next to the right one, or of samples that do not
 * exist. Nothing is changed by it. (Class names that several bear are the readers' warning.)
 */
#include <inttypes.h>

#include "db/store_internal.h"

#define NONE	UINT32_MAX
#define FEW	10 /* answers or truths that say nothing yet */
#define SHIFT_N 20 /* pairs of truth and answer from which a shift is believed */
#define LOOKED_AT 100000 /* pairs that are looked at, evenly spread */

/* --- wnids in names of files --- */

/* "n01440764" → 1440764 + 1, 0 = it is none. */
static uint32_t wnid_number(struct str s)
{
	uint32_t n = 0;

	if (s.n < 9 || s.p[0] != 'n')
		return 0;
	for (int i = 1; i < 9; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return 0;
		n = n * 10 + (uint32_t)(s.p[i] - '0');
	}
	return s.n > 9 && s.p[9] >= '0' && s.p[9] <= '9' ? 0 : n + 1;
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The first one in a key or path that stands apart from letters and digits before it. */
static uint32_t wnid_in(struct str s)
{
	const char *end = s.p + s.n, *at = s.n ? s.p : NULL;

	for (; at && end - at >= 9 && (at = memchr(at, 'n', (size_t)(end - at) - 8)) != NULL; at++) {
		uint32_t n = wnid_number((struct str){at, (size_t)(end - at)});

		if (n && (at == s.p || !is_word(at[-1])))
			return n;
	}
	return 0;
}

enum status store_check_sample(struct store *s, uint32_t ord, const struct rec_sample *rec,
			       struct err *err)
{
	uint32_t n = wnid_in(rec->key);

	if (!n && rec->n_paths)
		n = wnid_in(rec->paths[0]);
	if (!n)
		return OK;
	if (store_dense_reach(&s->named, ord, store_n_samples(s), err) != OK)
		return err->code;
	dense_at(&s->named, uint32_t, ord) = n;
	return OK;
}

/* The class beside this one in the numbering; NONE: there is none. */
static uint32_t neighbour(const struct store *s, uint32_t cls, int64_t by)
{
	int64_t index = s->classes.v.v[cls].index;

	return index < 0 ? NONE : store_class_by_index(&s->classes, index + by);
}

static bool has_wnid(const struct store *s, uint32_t cls, uint32_t wnid)
{
	return cls != NONE && wnid_number(s->classes.v.v[cls].wnid) == wnid;
}

static void check_names(struct store *s, const struct check_truths *t)
{
	uint32_t n = 0, right = 0, before = 0, after = 0;
	char a[32], b[32];

	for (uint32_t i = 0; i < s->named.n && i < t->n; i++) {
		uint32_t wnid = dense_u32(&s->named, i), cls = t->single[i];

		if (!wnid || cls == NONE || !s->classes.v.v[cls].wnid.n)
			continue;
		n++;
		right += has_wnid(s, cls, wnid);
		before += has_wnid(s, neighbour(s, cls, -1), wnid);
		after += has_wnid(s, neighbour(s, cls, 1), wnid);
	}
	if (!n)
		return;
	report_check(s->report, "%s of %s truths of %s agree with the wnid in the sample's name",
		    store_count(a, right), store_count(b, n), t->layer);
	if (n >= FEW && (before > n / 2 || after > n / 2))
		report_doubt(s->report,
			     "truths of %s look shifted by one: for %s of %s the wnid in the sample's name "
			     "is of the class %s",
			     t->layer, store_count(a, before > after ? before : after),
			     store_count(b, n), before > after ? "before" : "after");
	else if (n >= FEW && right < n - n / 10)
		report_doubt(s->report,
			     "truths of %s: only %s of %s agree with the wnid in the sample's name; is "
			     "the class list in the order that the labels were written for?",
			     t->layer, store_count(a, right), store_count(b, n));
}

/* --- classes --- */

static bool brings_classes(const struct store *s)
{
	for (size_t i = 0; i < s->classes.v.n; i++)
		if (s->classes.v.v[i].fresh && s->classes.v.v[i].declared)
			return true;
	return false;
}

static void check_numbering(struct store *s)
{
	const struct classes *cl = &s->classes;
	int64_t low = INT64_MAX, high = -1;
	size_t numbered = 0;
	bool by_wnid = true, by_name = true;
	const struct cls *last = NULL;
	char n[32];

	for (size_t i = 0; i < cl->v.n; i++) {
		const struct cls *c = &cl->v.v[i];

		if (c->index < 0)
			continue;
		numbered++;
		low = c->index < low ? c->index : low;
		high = c->index > high ? c->index : high;
	}
	for (int64_t at = low; numbered && at <= high && (by_wnid || by_name); at++) {
		uint32_t cls = store_class_by_index(cl, at);
		const struct cls *c = cls == NONE ? NULL : &cl->v.v[cls];

		by_wnid &= c && c->wnid.n && (!last || str_cmp(last->wnid, c->wnid) < 0);
		by_name &= c && (!last || str_cmp(last->name, c->name) <= 0);
		last = c ? c : last;
	}
	if (!numbered)
		report_check(s->report, "%s classes without numbers", store_count(n, cl->v.n));
	else
		report_check(s->report, "%s classes, numbered %" PRId64 " to %" PRId64 "%s%s",
			    store_count(n, cl->v.n), low, high,
			    (uint64_t)(high - low) + 1 > numbered ? " with gaps" : "",
			    by_wnid ? ", in the order of their wnids"
			    : by_name ? ", in the order of their names" : "");
}

/* --- truths --- */

static void check_labels(struct store *s, const struct check_truths *t)
{
	uint32_t *count = xcalloc(store_n_classes(s) + 1, sizeof *count);
	uint32_t n = 0, used = 0, most = 0;
	char a[32], b[32], c[32];

	for (uint32_t i = 0; i < t->n; i++)
		if (t->single[i] != NONE) {
			n++;
			used += !count[t->single[i]]++;
			most = count[t->single[i]] > count[most] ? t->single[i] : most;
		}
	if (n) {
		struct str name = s->classes.v.v[most].name;
		int len = (int)(name.n > 80 ? 80 : name.n);

		report_check(s->report,
			    "%s labels %s %s with one class each: %s of %s classes, %.*s most "
			    "often (%.1f %%)",
			    t->layer, store_count(a, n), n == 1 ? "sample" : "samples", store_count(b, used),
			    store_count(c, store_n_classes(s)), len, name.p, 100.0 * count[most] / n);
		if (n >= FEW && used == 1)
			report_doubt(s->report, "all %s truths of %s are %.*s", store_count(a, n), t->layer,
				     len, name.p);
	}
	free(count);
}

/* --- answers --- */

struct answers { /* of one run */
	uint64_t outcome[N_OUTCOMES], n;
	uint64_t pairs, right, before, after; /* of those that are looked at */
	uint32_t only, unknown; /* the set that all have, NONE = several; one of no class */
};

static uint32_t answer_at(const struct run_in *r, uint32_t ord)
{
	const struct packed *p = &dense_at(&r->packed, const struct packed, ord);

	return p->set ? p->set - 1 : NONE;
}

static void look_at_pair(const struct store *s, uint32_t answer, uint32_t truth, struct answers *a)
{
	a->pairs++;
	a->right += answer == truth;
	a->before += answer == neighbour(s, truth, -1);
	a->after += answer == neighbour(s, truth, 1);
}

static void count_answers(const struct store *s, const struct run_in *r,
			  const struct check_truths *t, struct answers *a)
{
	uint32_t n = (uint32_t)r->packed.n, step = n / LOOKED_AT + 1;
	bool some = false;

	a->only = a->unknown = NONE;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t set = answer_at(r, i);
		struct view v;

		if (set == NONE)
			continue;
		v = store_set_view(s, set);
		a->n++;
		a->outcome[v.outcome]++;
		if (v.outcome == OUTCOME_OOP && a->unknown == NONE)
			a->unknown = s->refs.set.v[set].unknown;
		if (v.outcome != OUTCOME_ANSWERED)
			continue;
		a->only = !some ? set : a->only == set ? set : NONE;
		some = true;
		if (i % step == 0 && v.n == 1 && i < t->n && t->single[i] != NONE)
			look_at_pair(s, v.classes[0], t->single[i], a);
	}
}

static void tell_outcomes(struct store *s, const struct run_in *r, const struct answers *a)
{
	struct buf text = BUF_INIT;
	char n[32], all[32];

	store_room(&text, N_OUTCOMES * 32);
	for (int o = 0; o < N_OUTCOMES; o++)
		if (a->outcome[o])
			buf_printf(&text, "%s%s %.1f %%", text.n ? ", " : "",
				   outcome_word((enum outcome)o),
				   100.0 * (double)a->outcome[o] / (double)a->n);
	report_check(s->report, "%.*s: %s; %s of %s samples", STR_ARG(r->handle), buf_cstr(&text),
		    store_count(n, a->n), store_count(all, store_n_samples(s)));
	buf_release(&text);
}

static void doubt_shift(struct store *s, const struct run_in *r, const struct answers *a)
{
	uint64_t shifted = a->before > a->after ? a->before : a->after;

	if (a->pairs < SHIFT_N || shifted * 2 < a->pairs || a->right * 4 > shifted)
		return;
	report_doubt(s->report,
		     "%.*s: answers look shifted by one: %.0f %% are the class %s the truth, %.0f %% the "
		     "truth; do both count from the same number?",
		     STR_ARG(r->handle), 100.0 * (double)shifted / (double)a->pairs,
		     a->before > a->after ? "before" : "after",
		     100.0 * (double)a->right / (double)a->pairs);
}

static void tell_run(struct store *s, const struct run_in *r, const struct answers *a)
{
	uint64_t oop = a->outcome[OUTCOME_OOP];
	char text[256], n[32];

	if (!a->n || a->outcome[OUTCOME_MISSING] == a->n) /* a stage that adds to answers has none itself */
		return;
	tell_outcomes(s, r, a);
	if (a->n >= FEW && !r->open_world && store_n_classes(s) > 0 && oop * 2 > a->n)
		report_doubt(s->report, "%.*s: %.0f %% of the answers are none of the classes%s%s",
			     STR_ARG(r->handle), 100.0 * (double)oop / (double)a->n,
			     a->unknown == NONE ? "" : ", first ",
			     a->unknown == NONE ? "" : store_ref_text(s, a->unknown, text, sizeof text).p);
	/* Of samples that all are of one class the same answer is no surprise. */
	if (a->outcome[OUTCOME_ANSWERED] >= FEW && a->only != NONE && store_n_classes(s) > 1 &&
	    (!a->pairs || a->right < a->pairs))
		report_doubt(s->report, "%.*s: all %s answers are the same", STR_ARG(r->handle),
			     store_count(n, a->outcome[OUTCOME_ANSWERED]));
	if (a->n >= FEW && a->outcome[OUTCOME_EMPTY] * 2 > a->n)
		report_doubt(s->report, "%.*s: %.0f %% of the answers are empty", STR_ARG(r->handle),
			     100.0 * (double)a->outcome[OUTCOME_EMPTY] / (double)a->n);
	doubt_shift(s, r, a);
}

/* Runs are counted ahead, told in their order. */
struct counting {
	const struct store *s;
	const struct check_truths *truths;
	struct answers *answers; /* by run */
};

static void count_run(void *ctx, size_t i)
{
	const struct counting *c = ctx;

	count_answers(c->s, &c->s->runs.v[i], c->truths, &c->answers[i]);
}

static void check_runs(struct store *s, const struct check_truths *t)
{
	struct counting c = {s, t, xcalloc(s->runs.n + 1, sizeof *c.answers)};
	struct ahead *ahead = store_ahead_new(s, s->runs.n, count_run, &c);

	for (size_t i = 0; i < s->runs.n; i++) {
		store_ahead_wait(ahead, i);
		tell_run(s, &s->runs.v[i], &c.answers[i]);
	}
	store_ahead_free(ahead);
	free(c.answers);
}

static void check_matches(struct store *s)
{
	uint64_t lost = s->report->problems[PROBLEM_UNMATCHED], found = 0;
	struct str key = s->lost_key, own = STR_NONE;
	char n[32];

	for (size_t i = 0; i < s->runs.n; i++)
		found += s->runs.v[i].n;
	if (!lost || lost <= found || !store_n_samples(s))
		return;
	own = intern_key(&s->samples.keys, 0);
	report_doubt(s->report,
		     "%s rows are of no sample: their keys are like \"%.*s\", the samples' like \"%.*s\"",
		     found ? store_count(n, lost) : "all", (int)(key.n > 100 ? 100 : key.n), key.p,
		     (int)(own.n > 100 ? 100 : own.n), own.p);
}

/* A column without keys, with a row too many or too few, might be of any samples. */
static enum status check_places(struct store *s, struct err *err)
{
	const struct report *r = s->report;
	char rows[32], samples[32];

	if (!r->by_place || r->rows == store_n_samples(s))
		return OK;
	return err_set(err, E_FORMAT, "%s: %s rows without keys, but %s samples in %.*s: there must be one for each",
		       r->file ? r->file : "-", store_count(rows, r->rows),
		       store_count(samples, store_n_samples(s)), STR_ARG(s->name));
}

enum status store_check(struct store *s, struct err *err)
{
	struct check_truths truths = {0};
	enum status rc = check_places(s, err);

	if (rc == OK)
		rc = store_truths_single(s, &truths, err);

	if (rc == OK) {
		if (brings_classes(s))
			check_numbering(s);
		if (truths.own) {
			check_labels(s, &truths);
			check_names(s, &truths);
		}
		check_runs(s, &truths);
		check_matches(s);
	}
	free(truths.single);
	return rc;
}
