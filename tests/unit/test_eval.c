#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/eval/eval.h"
#include "tests/unit/lib_snap.h"

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
	return (struct csr){snap_uints(DT_U32, off, n + 1), snap_uints(d, val, n_val)};
}

static struct layer layer_of(const char *name, const char *rows, enum dtype d)
{
	struct layer l = {.name = name};
	uint8_t covered[64];
	size_t n;

	memset(covered, 1, sizeof covered);
	l.sets = sets(rows, d, covered, &n);
	l.covered = snap_u8(covered, n);
	return l;
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
	struct run run = {.outcome = snap_u8(&code, 1),
			  .label = snap_uints(DT_U16, &label, 1),
			  .open_world = open_world};
	struct snapshot s = {.n = 1,
			     .n_classes = 3,
			     .n_layers = 1,
			     .n_runs = 1,
			     .layers = &layer,
			     .runs = &run,
			     .n_pairs = 1,
			     .pairs = pairs};

	eval_verdicts(&s, &lens, 0, &verdict);
	snap_drop_layer(&layer);
	snap_drop_run(&run);
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
	struct run run = {.outcome = snap_u8(code, 2)};
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
	snap_drop_run(&run);
}

/* Samples that came after the run and after the layer: all columns are shorter than n. */
static void short_columns(void **state)
{
	struct layer layer = layer_of("original", "0;1", DT_U8);
	uint8_t code[1] = {OUTCOME_ANSWERED}, verdict[4], cat[4];
	uint32_t label[1] = {0};
	struct run run = {.outcome = snap_u8(code, 1), .label = snap_uints(DT_U8, label, 1)};
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
	snap_drop_layer(&layer);
	snap_drop_run(&run);
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
	struct run run = {.outcome = snap_u8(&code, 1),
			  .label = snap_uints(DT_U16, &first, 1),
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
	snap_drop_layer(&layer);
	snap_drop_run(&run);
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
	lens.layer = 0; /* judging by the original labels changes no category */
	eval_categories(&s, &lens, got);
	assert_memory_equal(got, want, n);
	lens.original = 1;
	assert_int_equal(eval_category_layer(&s, &lens), 0);
	lens.original = -1;
	assert_int_equal(eval_category_layer(&s, &lens), -1);
	snap_drop_layer(&layers[0]);
	snap_drop_layer(&layers[1]);
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
	struct run run = {.outcome = snap_u8(code, 5), .label = snap_uints(DT_U32, label, 5)};

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
	snap_drop_run(&run);
}

static void votes(void **state)
{
	static const float v[5][3] = {{1, 5, 4}, {3, 3, 0}, {0, 0, 0}, {0, 0, 9}, {NAN, 2, NAN}};
	static const uint32_t field[3] = {2, 0, UINT32_MAX}; /* the last column is no class */
	static const uint8_t covered[5] = {1, 1, 1, 1, 1};
	struct layer layer = {.name = "votes",
			      .vote_width = 3,
			      .vote_class = field,
			      .covered = snap_u8(covered, 5),
			      .votes = {DT_F32, 15, xmalloc(sizeof v)}};
	struct snapshot s = {.n = 5, .n_classes = 3, .n_layers = 1, .n_runs = 1, .layers = &layer};

	(void)state;
	memcpy(layer.votes.data, v, sizeof v);
	for (uint32_t c = 0; c < 3; c++)
		check_votes(&s, c);
	snap_drop_layer(&layer);
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
	struct run run = {.outcome = snap_u8(code, 4)};
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
	snap_drop_run(&run);
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
		struct run run = {.outcome = snap_u8(&code, 1),
				  .label = snap_uints(DT_U8, &label, 1),
				  .open_world = r->open_world};
		struct snapshot s = {.n = 1,
				     .n_classes = 3,
				     .n_layers = 1,
				     .n_runs = 1,
				     .layers = &layer,
				     .runs = &run};

		if (eval_mark(&s, &lens, 0, 0, r->verdict) != r->want)
			fail_msg("mark row %zu", i);
		snap_drop_layer(&layer);
		snap_drop_run(&run);
	}
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
