#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/eval/eval.h"

/* --- hand-made snapshots --- */

static struct column u8s(const uint8_t *v, size_t n)
{
	struct column c = {DT_U8, n, xmalloc(n + 1)};

	memcpy(c.data, v, n);
	return c;
}

static struct column uints(enum dtype d, const uint32_t *v, size_t n)
{
	struct column c = {d, n, xcalloc(n + 1, 8)};

	for (size_t i = 0; i < n; i++) {
		if (d == DT_U8)
			((uint8_t *)c.data)[i] = (uint8_t)v[i];
		else if (d == DT_U16)
			((uint16_t *)c.data)[i] = (uint16_t)v[i];
		else if (d == DT_U32)
			((uint32_t *)c.data)[i] = v[i];
		else
			((uint64_t *)c.data)[i] = v[i] == UINT32_MAX ? UINT64_MAX : v[i];
	}
	return c;
}

/* rows: "0 1;2;;-;3": classes by sample; "-" = not covered. */
static struct csr sets(const char *rows, enum dtype d, uint8_t *covered, size_t *n_rows)
{
	uint32_t off[64] = {0}, val[256];
	size_t n = 0, n_val = 0;

	for (const char *c = rows;; c++) {
		if (*c == '-' && covered)
			covered[n] = 0;
		else if (*c >= '0' && *c <= '9')
			val[n_val++] = (uint32_t)(*c - '0');
		if (*c != ';' && *c != '\0')
			continue;
		off[++n] = (uint32_t)n_val;
		if (*c == '\0')
			break;
	}
	*n_rows = n;
	return (struct csr){uints(DT_U32, off, n + 1), uints(d, val, n_val)};
}

static struct layer layer_of(const char *name, const char *rows, enum dtype d)
{
	struct layer l = {.name = name};
	uint8_t covered[64];
	size_t n;

	memset(covered, 1, sizeof covered);
	l.sets = sets(rows, d, covered, &n);
	l.covered = u8s(covered, n);
	return l;
}

static void layer_drop(struct layer *l)
{
	free(l->covered.data);
	free(l->sets.off.data);
	free(l->sets.val.data);
	free(l->votes.data);
}

static void run_drop(struct run *r)
{
	free(r->outcome.data);
	free(r->label.data);
	free(r->labels.off.data);
	free(r->labels.val.data);
}

/* --- every rule by every policy --- */

/* One sample whose truth is as named against an answer of class 0. */
enum truth_case { T_HIT, T_OTHER, T_EQUIVALENT, T_EMPTY, T_UNLABELLED, N_TRUTH_CASES };
static const char *const truth_rows[N_TRUTH_CASES] = {"0", "1", "2", "", "-"};

static enum verdict verdict_of(enum truth_case t, enum outcome o, bool mapped, bool open_world,
			       struct lens lens)
{
	static const uint32_t pairs[1][2] = {{0, 2}};
	struct layer layer = layer_of("original", truth_rows[t], DT_U16);
	uint8_t code = (uint8_t)o, verdict = 99;
	uint32_t label = mapped ? 0 : UINT32_MAX;
	struct run run = {
	    .outcome = u8s(&code, 1), .label = uints(DT_U16, &label, 1), .open_world = open_world};
	struct snapshot s = {.n = 1,
			     .n_classes = 3,
			     .n_layers = 1,
			     .n_runs = 1,
			     .layers = &layer,
			     .runs = &run,
			     .n_pairs = 1,
			     .pairs = pairs};

	eval_verdicts(&s, &lens, 0, &verdict);
	layer_drop(&layer);
	run_drop(&run);
	return verdict;
}

struct rule_row {
	enum truth_case truth;
	enum outcome outcome;
	bool mapped, open_world;
	/* by N policy (right, exclude, wrong), then the same with abstain = exclude */
	const char *want;
};

#define U "UUU UUU"
#define W "WWW WWW"
#define R "RRR RRR"
#define P "RUW RUW" /* the N policy */
#define A "WWW UUU" /* the abstain policy */

static const struct rule_row rule_rows[] = {
    {T_HIT, OUTCOME_MISSING, false, false, U},
    {T_EMPTY, OUTCOME_MISSING, false, false, U},
    {T_HIT, OUTCOME_ERROR, false, false, U},
    {T_EMPTY, OUTCOME_ERROR, false, false, U},
    {T_HIT, OUTCOME_ERROR, true, false, U},
    {T_UNLABELLED, OUTCOME_ANSWERED, true, false, U},
    {T_UNLABELLED, OUTCOME_REFUSED, false, false, U},
    {T_UNLABELLED, OUTCOME_OOP, false, false, U},
    {T_UNLABELLED, OUTCOME_UNPARSED, false, false, U},
    {T_UNLABELLED, OUTCOME_EMPTY, false, false, U},
    {T_HIT, OUTCOME_OOP, false, true, U},
    {T_EMPTY, OUTCOME_OOP, false, true, U},
    {T_EMPTY, OUTCOME_OOP, true, true, P},
    {T_HIT, OUTCOME_OOP, true, true, R},
    {T_OTHER, OUTCOME_OOP, true, true, W},
    {T_HIT, OUTCOME_ANSWERED, true, true, R},
    {T_EMPTY, OUTCOME_ANSWERED, true, false, P},
    {T_EMPTY, OUTCOME_OOP, false, false, P},
    {T_EMPTY, OUTCOME_REFUSED, false, false, P},
    {T_EMPTY, OUTCOME_EMPTY, false, false, P},
    {T_EMPTY, OUTCOME_UNPARSED, false, false, P},
    {T_HIT, OUTCOME_ANSWERED, true, false, R},
    {T_OTHER, OUTCOME_ANSWERED, true, false, W},
    {T_HIT, OUTCOME_OOP, true, false, R},
    {T_OTHER, OUTCOME_OOP, true, false, W},
    {T_HIT, OUTCOME_OOP, false, false, W},
    {T_HIT, OUTCOME_UNPARSED, false, false, W},
    {T_HIT, OUTCOME_UNPARSED, true, false, W},
    {T_HIT, OUTCOME_REFUSED, false, false, A},
    {T_HIT, OUTCOME_EMPTY, false, false, A},
    {T_HIT, OUTCOME_REFUSED, true, true, A},
    {T_HIT, OUTCOME_ANSWERED, false, false, W},
    {T_EQUIVALENT, OUTCOME_ANSWERED, true, false, W},
};

static void verdict_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rule_rows / sizeof *rule_rows; i++) {
		const struct rule_row *r = &rule_rows[i];

		for (int k = 0; k < 6; k++) {
			struct lens lens = {.n = (enum n_policy)(k % 3),
					    .abstain = (enum abstain_policy)(k / 3)};
			enum verdict v =
			    verdict_of(r->truth, r->outcome, r->mapped, r->open_world, lens);

			if ("UWR"[v] != r->want[k + k / 3])
				fail_msg("row %zu, policy %d: %c, not %c", i, k, "UWR"[v],
					 r -> want[k + k / 3]);
		}
	}
}

static void verdict_equivalence(void **state)
{
	struct lens on = {.equiv = true}, off = {0};

	(void)state;
	assert_int_equal(verdict_of(T_EQUIVALENT, OUTCOME_ANSWERED, 1, 0, on), VERDICT_RIGHT);
	assert_int_equal(verdict_of(T_EQUIVALENT, OUTCOME_ANSWERED, 1, 0, off), VERDICT_WRONG);
	assert_int_equal(verdict_of(T_EQUIVALENT, OUTCOME_OOP, 1, 1, on), VERDICT_RIGHT);
	assert_int_equal(verdict_of(T_OTHER, OUTCOME_ANSWERED, 1, 0, on), VERDICT_WRONG);
}

static void lens_without_layer(void **state)
{
	uint8_t code[2] = {OUTCOME_ANSWERED, OUTCOME_REFUSED}, verdict[2] = {9, 9}, cat[2] = {9, 9};
	struct run run = {.outcome = u8s(code, 2)};
	struct snapshot s = {.n = 2, .n_runs = 1, .runs = &run};
	struct lens lens = {.layer = -1, .original = -1};

	(void)state;
	eval_verdicts(&s, &lens, 0, verdict);
	eval_categories(&s, &lens, cat);
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(verdict[i], VERDICT_UNCOUNTED);
		assert_int_equal(cat[i], CAT_NONE);
		assert_int_equal(eval_mark(&s, &lens, 0, i, VERDICT_UNCOUNTED), MARK_UNCOUNTED);
	}
	verdict[0] = 9;
	eval_verdicts(&s, &lens, 7, verdict);
	assert_int_equal(verdict[0], VERDICT_UNCOUNTED);
	run_drop(&run);
}

/* Samples that came after the run and after the layer: all columns are shorter than n. */
static void short_columns(void **state)
{
	struct layer layer = layer_of("original", "0;1", DT_U8);
	uint8_t code[1] = {OUTCOME_ANSWERED}, verdict[4], cat[4];
	uint32_t label[1] = {0};
	struct run run = {.outcome = u8s(code, 1), .label = uints(DT_U8, label, 1)};
	struct snapshot s = {
	    .n = 4, .n_classes = 2, .n_layers = 1, .n_runs = 1, .layers = &layer, .runs = &run};
	struct lens lens = {.n = N_WRONG};
	struct tally t;

	(void)state;
	eval_verdicts(&s, &lens, 0, verdict);
	assert_int_equal(verdict[0], VERDICT_RIGHT);
	for (int i = 1; i < 4; i++)
		assert_int_equal(verdict[i], VERDICT_UNCOUNTED);
	t = eval_tally(&s, 0, verdict, NULL);
	assert_int_equal(t.n, 1);
	assert_int_equal(t.excluded, 3);
	assert_int_equal(t.outcomes[OUTCOME_MISSING], 3);
	eval_categories(&s, &lens, cat);
	assert_int_equal(cat[0], CAT_NONE); /* the two layers are the same one */
	layer_drop(&layer);
	run_drop(&run);
}

struct list_row {
	const char *truth, *labels;
	enum list_rule rule;
	bool equiv;
	enum verdict want;
};

static const struct list_row list_rows[] = {
    /* 3 and 4 are equivalent */
    {"0 1", "1 2", LIST_ANY_HIT, false, VERDICT_RIGHT},
    {"0 1", "2 5", LIST_ANY_HIT, false, VERDICT_WRONG},
    {"0 1", "1 2", LIST_ALL_HIT, false, VERDICT_WRONG},
    {"0 1", "0 1 2", LIST_ALL_HIT, false, VERDICT_RIGHT},
    {"0", "1 0", LIST_ALL_HIT, false, VERDICT_RIGHT},
    {"0 3", "0 4", LIST_ALL_HIT, false, VERDICT_WRONG},
    {"0 3", "0 4", LIST_ALL_HIT, true, VERDICT_RIGHT},
    {"3 4", "4", LIST_ALL_HIT, true, VERDICT_RIGHT},
    {"3 4", "4", LIST_ALL_HIT, false, VERDICT_WRONG},
    {"0", "0", LIST_ALL_HIT, false, VERDICT_RIGHT},
    {"3", "1 4", LIST_ANY_HIT, true, VERDICT_RIGHT},
    {"3", "1 4", LIST_ANY_HIT, false, VERDICT_WRONG},
};

static enum verdict list_verdict(const struct list_row *r)
{
	static const uint32_t pairs[1][2] = {{3, 4}};
	struct layer layer = layer_of("original", r->truth, DT_U8);
	uint8_t code = OUTCOME_ANSWERED, verdict;
	size_t n;
	struct csr many = sets(r->labels, DT_U16, NULL, &n);
	uint32_t first = ((uint16_t *)many.val.data)[0];
	struct run run = {.outcome = u8s(&code, 1),
			  .label = uints(DT_U16, &first, 1),
			  .list_rule = r->rule,
			  .labels = many};
	struct snapshot s = {.n = 1,
			     .n_classes = 6,
			     .n_layers = 1,
			     .n_runs = 1,
			     .layers = &layer,
			     .runs = &run,
			     .n_pairs = 1,
			     .pairs = pairs};
	struct lens lens = {.equiv = r->equiv};

	eval_verdicts(&s, &lens, 0, &verdict);
	layer_drop(&layer);
	run_drop(&run);
	return verdict;
}

static void verdict_lists(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof list_rows / sizeof *list_rows; i++)
		if (list_verdict(&list_rows[i]) != list_rows[i].want)
			fail_msg("list row %zu", i);
}

/* --- categories --- */

static void check_categories(enum category_rule rule, const char *original, const char *layer_rows,
			     const uint8_t *want)
{
	/* 4-5 is a pair; 6-7 and 7-8 make a group of three */
	static const uint32_t pairs[3][2] = {{4, 5}, {6, 7}, {7, 8}};
	struct layer layers[2] = {layer_of("original", original, DT_U16),
				  layer_of("reannotated", layer_rows, DT_U8)};
	uint32_t n = (uint32_t)layers[0].covered.n;
	struct snapshot s = {
	    .n = n, .n_classes = 9, .n_layers = 2, .layers = layers, .n_pairs = 3, .pairs = pairs};
	struct lens lens = {.layer = 1, .original = 0, .rule = rule};
	uint8_t got[64];

	assert_int_equal(n, layers[1].covered.n);
	eval_categories(&s, &lens, got);
	for (uint32_t i = 0; i < n; i++)
		if (got[i] != want[i])
			fail_msg("rule %d, sample %u: %s, not %s", (int)rule, i,
				 category_word(got[i]), category_word(want[i]));
	layer_drop(&layers[0]);
	layer_drop(&layers[1]);
}

static void categories(void **state)
{
	const char *original = "0;0;0;0;0;-;0;4;4;4;6;6;0 1";
	const char *layer = "0;1;0 1;1 2;;0;-;5;4 5;5 1;7 8;6 7 8;1";
	static const uint8_t regt[] = {
	    CAT_S_PLUS,  CAT_S_MINUS, CAT_M_PLUS,  CAT_M_MINUS, CAT_N,      CAT_NONE,  CAT_NONE,
	    CAT_S_MINUS, CAT_M_PLUS,  CAT_M_MINUS, CAT_M_MINUS, CAT_M_PLUS, CAT_S_PLUS};
	static const uint8_t reimagenet[] = {
	    CAT_S_PLUS, CAT_S_MINUS, CAT_M_PLUS, CAT_M_MINUS, CAT_N,      CAT_NONE,  CAT_NONE,
	    CAT_S_PLUS, CAT_S_PLUS,  CAT_M_PLUS, CAT_S_PLUS,  CAT_S_PLUS, CAT_S_PLUS};
	uint32_t count[N_CATEGORIES];

	(void)state;
	check_categories(RULE_REGT, original, layer, regt);
	check_categories(RULE_REIMAGENET, original, layer, reimagenet);
	eval_category_counts(regt, sizeof regt, count);
	assert_int_equal(count[CAT_S_PLUS], 2);
	assert_int_equal(count[CAT_S_MINUS], 2);
	assert_int_equal(count[CAT_M_PLUS], 3);
	assert_int_equal(count[CAT_M_MINUS], 3);
	assert_int_equal(count[CAT_N], 1);
	assert_string_equal(category_word(CAT_M_MINUS), "M-");
	assert_string_equal(category_word(CAT_NONE), "");
}

/* --- votes: the dominant classes are the truth --- */

static const bool vote_want[5][3] = {{1, 0, 0}, {1, 0, 1}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}};

static void check_votes(struct snapshot *s, uint32_t c)
{
	struct lens lens = {.n = N_EXCLUDE};
	uint8_t code[5] = {1, 1, 1, 1, 1}, verdict[5];
	uint32_t label[5] = {c, c, c, c, c};
	struct run run = {.outcome = u8s(code, 5), .label = uints(DT_U32, label, 5)};

	s->runs = &run;
	eval_verdicts(s, &lens, 0, verdict);
	for (uint32_t i = 0; i < 5; i++) {
		bool none = i == 2 || i == 3, want = vote_want[i][c];

		assert_int_equal(eval_admissible(s, 0, false, i, c), want);
		assert_int_equal(verdict[i], none   ? VERDICT_UNCOUNTED
					     : want ? VERDICT_RIGHT
						    : VERDICT_WRONG);
		assert_int_equal(eval_mark(s, &lens, 0, i, verdict[i]), none   ? MARK_N
									: want ? MARK_RIGHT
									       : MARK_WRONG);
	}
	run_drop(&run);
}

static void votes(void **state)
{
	static const float v[5][3] = {{1, 5, 4}, {3, 3, 0}, {0, 0, 0}, {0, 0, 9}, {NAN, 2, NAN}};
	static const uint32_t field[3] = {2, 0, UINT32_MAX}; /* the last column is no class */
	static const uint8_t covered[5] = {1, 1, 1, 1, 1};
	struct layer layer = {.name = "votes",
			      .vote_width = 3,
			      .vote_class = field,
			      .covered = u8s(covered, 5),
			      .votes = {DT_F32, 15, xmalloc(sizeof v)}};
	struct snapshot s = {.n = 5, .n_classes = 3, .n_layers = 1, .n_runs = 1, .layers = &layer};

	(void)state;
	memcpy(layer.votes.data, v, sizeof v);
	for (uint32_t c = 0; c < 3; c++)
		check_votes(&s, c);
	layer_drop(&layer);
}

/* --- tallies --- */

static void wilson(void **state)
{
	/* Values by the closed formula, computed apart from this program. */
	static const struct {
		uint32_t right, n;
		double lo, hi;
	} rows[] = {
	    {0, 0, 0, 1},
	    {0, 10, 0, 0.2775327998628892},
	    {10, 10, 0.7224672001371107, 1},
	    {5, 10, 0.236593090512564, 0.7634069094874361},
	    {81, 263, 0.2552885198782742, 0.36620957698280004},
	    {855, 1000, 0.8318179377037748, 0.875465063771481},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tally t = {.right = rows[i].right, .n = rows[i].n};
		double lo, hi;

		tally_wilson(&t, &lo, &hi);
		assert_true(fabs(lo - rows[i].lo) < 1e-12);
		assert_true(fabs(hi - rows[i].hi) < 1e-12);
	}
	assert_true(isnan(tally_accuracy(&(struct tally){0})));
	assert_true(tally_accuracy(&(struct tally){.right = 1, .n = 4}) == 0.25);
}

static void masked_tally(void **state)
{
	uint8_t code[4] = {OUTCOME_ANSWERED, OUTCOME_OOP, OUTCOME_REFUSED, 200};
	static const uint8_t verdict[4] = {VERDICT_RIGHT, VERDICT_WRONG, VERDICT_UNCOUNTED,
					   VERDICT_UNCOUNTED};
	static const uint8_t mask[4] = {1, 0, 255, 1};
	struct run run = {.outcome = u8s(code, 4)};
	struct snapshot s = {.n = 4, .n_runs = 1, .runs = &run};
	struct tally t = eval_tally(&s, 0, verdict, mask);

	(void)state;
	assert_int_equal(t.right, 1);
	assert_int_equal(t.n, 1);
	assert_int_equal(t.excluded, 2);
	assert_int_equal(t.outcomes[OUTCOME_ANSWERED], 1);
	assert_int_equal(t.outcomes[OUTCOME_OOP], 0);
	assert_int_equal(t.outcomes[OUTCOME_REFUSED], 1);
	assert_int_equal(t.outcomes[OUTCOME_MISSING], 1);
	t = eval_tally(&s, 0, verdict, NULL);
	assert_int_equal(t.n, 2);
	assert_int_equal(t.excluded, 2);
	run_drop(&run);
}

/* --- marks --- */

struct mark_row {
	enum truth_case truth;
	enum outcome outcome;
	bool mapped, open_world;
	enum verdict verdict;
	enum mark want;
};

static const struct mark_row mark_rows[] = {
    {T_HIT, OUTCOME_MISSING, false, false, VERDICT_UNCOUNTED, MARK_MISSING},
    {T_EMPTY, OUTCOME_ERROR, false, false, VERDICT_UNCOUNTED, MARK_ERROR},
    {T_UNLABELLED, OUTCOME_REFUSED, false, false, VERDICT_UNCOUNTED, MARK_UNCOUNTED},
    {T_HIT, OUTCOME_OOP, false, true, VERDICT_UNCOUNTED, MARK_UNCOUNTED},
    {T_HIT, OUTCOME_OOP, false, false, VERDICT_WRONG, MARK_OOP},
    {T_OTHER, OUTCOME_OOP, true, false, VERDICT_WRONG, MARK_WRONG},
    {T_HIT, OUTCOME_OOP, true, true, VERDICT_RIGHT, MARK_RIGHT},
    {T_EMPTY, OUTCOME_ANSWERED, true, false, VERDICT_UNCOUNTED, MARK_N},
    {T_EMPTY, OUTCOME_EMPTY, false, false, VERDICT_RIGHT, MARK_N},
    {T_HIT, OUTCOME_REFUSED, false, false, VERDICT_WRONG, MARK_REFUSED},
    {T_HIT, OUTCOME_EMPTY, false, false, VERDICT_UNCOUNTED, MARK_EMPTY},
    {T_HIT, OUTCOME_UNPARSED, false, false, VERDICT_WRONG, MARK_UNPARSED},
    {T_HIT, OUTCOME_ANSWERED, true, false, VERDICT_RIGHT, MARK_RIGHT},
    {T_OTHER, OUTCOME_ANSWERED, true, false, VERDICT_WRONG, MARK_WRONG},
};

static void marks(void **state)
{
	struct lens lens = {0};

	(void)state;
	for (size_t i = 0; i < sizeof mark_rows / sizeof *mark_rows; i++) {
		const struct mark_row *r = &mark_rows[i];
		struct layer layer = layer_of("original", truth_rows[r->truth], DT_U8);
		uint8_t code = (uint8_t)r->outcome;
		uint32_t label = r->mapped ? 0 : UINT8_MAX;
		struct run run = {.outcome = u8s(&code, 1),
				  .label = uints(DT_U8, &label, 1),
				  .open_world = r->open_world};
		struct snapshot s = {.n = 1,
				     .n_classes = 3,
				     .n_layers = 1,
				     .n_runs = 1,
				     .layers = &layer,
				     .runs = &run};

		if (eval_mark(&s, &lens, 0, 0, r->verdict) != r->want)
			fail_msg("mark row %zu", i);
		layer_drop(&layer);
		run_drop(&run);
	}
}

/* --- against a naive reading of benchmarks.md on random data --- */

#define RN 3000
#define RC 12

struct naive { /* everything as bit sets of classes: another shape than the columns */
	uint16_t truth[2][RN], label[RN], equiv[RC];
	uint8_t covered[2][RN], outcome[RN];
};

static uint32_t rnd(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)*seed * below) >> 32);
}

static uint16_t widened(const struct naive *w, uint16_t set)
{
	uint16_t out = set;

	for (int c = 0; c < RC; c++)
		if (set >> c & 1)
			out |= w->equiv[c];
	return out;
}

static enum verdict naive_verdict(const struct naive *w, const struct run *run,
				  const struct lens *lens, int i)
{
	static const enum verdict by_n[] = {VERDICT_RIGHT, VERDICT_UNCOUNTED, VERDICT_WRONG};
	uint16_t truth = w->truth[lens->layer][i], label = w->label[i];
	uint8_t o = w->outcome[i];
	bool right;

	if (o == OUTCOME_ERROR || o == OUTCOME_MISSING)
		return VERDICT_UNCOUNTED;
	if (!w->covered[lens->layer][i])
		return VERDICT_UNCOUNTED;
	if (o == OUTCOME_OOP && run->open_world && !label)
		return VERDICT_UNCOUNTED;
	if (truth == 0)
		return by_n[lens->n];
	if (label && (o == OUTCOME_ANSWERED || o == OUTCOME_OOP)) {
		if (run->list_rule == LIST_ANY_HIT)
			right = (lens->equiv ? widened(w, truth) : truth) & label;
		else
			right = !(truth & ~(lens->equiv ? widened(w, label) : label));
		return right ? VERDICT_RIGHT : VERDICT_WRONG;
	}
	if (o == OUTCOME_REFUSED || o == OUTCOME_EMPTY)
		return lens->abstain == ABSTAIN_WRONG ? VERDICT_WRONG : VERDICT_UNCOUNTED;
	return VERDICT_WRONG;
}

static int bits(uint16_t v)
{
	int n = 0;

	for (; v; v &= (uint16_t)(v - 1))
		n++;
	return n;
}

static uint8_t naive_category(const struct naive *w, const struct lens *lens, int i)
{
	uint16_t g = w->truth[lens->original][i], l = w->truth[lens->layer][i];
	bool merge = lens->rule == RULE_REIMAGENET, plus, single;

	if (!w->covered[0][i] || !w->covered[1][i] || lens->layer == lens->original)
		return CAT_NONE;
	if (!l)
		return CAT_N;
	plus = g & (merge ? widened(w, l) : l);
	single = bits(l) == 1;
	for (int c = 0; merge && c < RC; c++)
		single |= (l & ~(w->equiv[c] | 1u << c)) == 0;
	return single ? (plus ? CAT_S_PLUS : CAT_S_MINUS) : plus ? CAT_M_PLUS : CAT_M_MINUS;
}

static uint16_t random_set(uint32_t *seed, uint32_t max)
{
	uint16_t set = 0;

	for (uint32_t k = rnd(seed, max + 1); k; k--)
		set |= (uint16_t)(1u << rnd(seed, RC));
	return set;
}

static struct csr csr_of(const uint16_t *set, enum dtype d, bool only_many)
{
	static uint32_t off[RN + 1], val[RN * RC];
	size_t n = 0;

	for (int i = 0; i < RN; i++) {
		for (uint32_t c = 0; c < RC; c++)
			if (set[i] >> c & 1 && !(only_many && bits(set[i]) < 2))
				val[n++] = c;
		off[i + 1] = (uint32_t)n;
	}
	return (struct csr){uints(DT_U32, off, RN + 1), uints(d, val, n)};
}

static void naive_fill(struct naive *w, const uint32_t (*pairs)[2], uint32_t *seed,
		       uint32_t max_labels)
{
	for (int k = 0; k < 3; k++) {
		w->equiv[pairs[k][0]] = (uint16_t)(1u << pairs[k][1]);
		w->equiv[pairs[k][1]] = (uint16_t)(1u << pairs[k][0]);
	}
	for (int i = 0; i < RN; i++) {
		for (int l = 0; l < 2; l++) {
			w->covered[l][i] = rnd(seed, 8) != 0;
			w->truth[l][i] = w->covered[l][i] ? random_set(seed, 3) : 0;
		}
		w->outcome[i] = (uint8_t)rnd(seed, N_OUTCOMES);
		w->label[i] = random_set(seed, max_labels);
	}
}

static struct run run_of(const struct naive *w, enum dtype d, bool many, uint32_t *seed)
{
	static uint32_t label[RN];
	struct run run = {.list_rule = (enum list_rule)rnd(seed, N_LIST_RULES),
			  .open_world = rnd(seed, 2)};

	for (int i = 0; i < RN; i++) {
		label[i] = UINT32_MAX;
		for (uint32_t c = RC; c-- > 0;)
			if (w->label[i] >> c & 1)
				label[i] = c;
	}
	run.outcome = u8s(w->outcome, RN);
	run.label = uints(d, label, RN);
	if (many)
		run.labels = csr_of(w->label, d, true);
	return run;
}

static void compare(const struct naive *w, const struct snapshot *s, const struct lens *lens)
{
	static uint8_t verdict[RN], category[RN];

	eval_verdicts(s, lens, 0, verdict);
	eval_categories(s, lens, category);
	for (int i = 0; i < RN; i++) {
		uint16_t truth = w->truth[lens->layer][i];

		if (lens->equiv)
			truth = widened(w, truth);
		assert_int_equal(verdict[i], naive_verdict(w, s->runs, lens, i));
		assert_int_equal(category[i], naive_category(w, lens, i));
		for (uint32_t c = 0; c < RC; c++)
			assert_int_equal(
			    eval_admissible(s, lens->layer, lens->equiv, (uint32_t)i, c),
			    truth >> c & 1);
	}
}

static void check_random(uint32_t seed, enum dtype truth_type, enum dtype label_type)
{
	static const uint32_t pairs[3][2] = {{0, 5}, {1, 2}, {7, 11}};
	static struct naive w;
	uint32_t max_labels = 1 + rnd(&seed, 3);
	struct layer layers[2] = {0};
	struct run run;
	struct snapshot s = {.n = RN,
			     .n_classes = RC,
			     .n_layers = 2,
			     .n_runs = 1,
			     .layers = layers,
			     .runs = &run,
			     .n_pairs = 3,
			     .pairs = pairs};
	struct lens lens = {.original = 0,
			    .layer = (int)rnd(&seed, 2),
			    .equiv = rnd(&seed, 2),
			    .n = (enum n_policy)rnd(&seed, 3),
			    .abstain = (enum abstain_policy)rnd(&seed, 2),
			    .rule = (enum category_rule)rnd(&seed, 2)};

	naive_fill(&w, pairs, &seed, max_labels);
	for (int l = 0; l < 2; l++) {
		layers[l].covered = u8s(w.covered[l], RN);
		layers[l].sets = csr_of(w.truth[l], truth_type, false);
	}
	run = run_of(&w, label_type, max_labels > 1, &seed);
	compare(&w, &s, &lens);
	layer_drop(&layers[0]);
	layer_drop(&layers[1]);
	run_drop(&run);
}

static void random_snapshots(void **state)
{
	static const enum dtype types[] = {DT_U8, DT_U16, DT_U32, DT_U64};

	(void)state;
	for (uint32_t seed = 0; seed < 64; seed++)
		check_random(seed * 7919, types[seed % 4], types[seed / 4 % 4]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(verdict_table),
	    cmocka_unit_test(verdict_equivalence),
	    cmocka_unit_test(lens_without_layer),
	    cmocka_unit_test(short_columns),
	    cmocka_unit_test(verdict_lists),
	    cmocka_unit_test(categories),
	    cmocka_unit_test(votes),
	    cmocka_unit_test(wilson),
	    cmocka_unit_test(masked_tally),
	    cmocka_unit_test(marks),
	    cmocka_unit_test(random_snapshots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
