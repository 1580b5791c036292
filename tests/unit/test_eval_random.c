#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/bits.h"
#include "core/eval/crosstab.h"
#include "core/eval/eval.h"
#include "tests/unit/lib_snap.h"

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
	return (struct csr){snap_uints(DT_U32, off, RN + 1), snap_uints(d, val, n)};
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
	run.outcome = snap_u8(w->outcome, RN);
	run.label = snap_uints(d, label, RN);
	if (many)
		run.labels = csr_of(w->label, d, true);
	return run;
}

/* A sample judged by itself is worth what it is worth among all. */
static void check_each_alone(const struct snapshot *s, const struct lens *lens,
			     const uint8_t *verdict)
{
	struct judging *j = judging_new(s, lens);

	for (uint32_t i = 0; i < s->n; i++)
		assert_int_equal(judging_one(j, 0, i), verdict[i]);
	assert_int_equal(judging_one(j, 0, s->n), VERDICT_UNCOUNTED);
	assert_int_equal(judging_one(j, 1, 0), VERDICT_UNCOUNTED);
	judging_free(j);
}

static void compare(const struct naive *w, const struct snapshot *s, const struct lens *lens)
{
	static uint8_t verdict[RN], category[RN];

	eval_verdicts(s, lens, 0, verdict);
	check_each_alone(s, lens, verdict);
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

/* --- the matrix --- */

static int lowest(uint16_t set)
{
	int c = 0;

	while (!(set >> c & 1))
		c++;
	return c;
}

static int naive_column(const struct naive *w, const struct lens *lens, const struct run *run, int i)
{
	static const int extra[N_OUTCOMES] = {
	    [OUTCOME_ANSWERED] = EXTRA_OOP,     [OUTCOME_OOP] = EXTRA_OOP,
	    [OUTCOME_REFUSED] = EXTRA_REFUSED,  [OUTCOME_EMPTY] = EXTRA_EMPTY,
	    [OUTCOME_UNPARSED] = EXTRA_UNPARSED, [OUTCOME_ERROR] = EXTRA_ERROR,
	    [OUTCOME_MISSING] = EXTRA_MISSING};
	uint16_t truth = w->truth[lens->layer][i], label = w->label[i];
	uint16_t wide = lens->equiv ? widened(w, truth) : truth;
	uint8_t o = w->outcome[i];

	if (!label || (o != OUTCOME_ANSWERED && o != OUTCOME_OOP))
		return RC + extra[o];
	if (truth && run->list_rule == LIST_ALL_HIT && (label & ~wide))
		return lowest((uint16_t)(label & ~wide));
	return lowest(label);
}

/* The rows as a set; RC stands for (none). */
static uint32_t naive_rows(const struct naive *w, const struct lens *lens, const struct run *run, int i,
			   int *column)
{
	uint16_t truth = w->truth[lens->layer][i], label = *column < RC ? w->label[i] : 0;
	uint16_t wide = lens->equiv ? widened(w, label) : label;

	if (!w->covered[lens->layer][i])
		return 0;
	if (!truth)
		return 1u << RC;
	if (naive_verdict(w, run, lens, i) == VERDICT_RIGHT) {
		uint16_t met = run->list_rule == LIST_ALL_HIT ? truth
			       : truth & label                ? (uint16_t)(truth & label)
							      : (uint16_t)(truth & wide);

		*column = lowest(met);
		return 1u << *column;
	}
	return run->list_rule == LIST_ALL_HIT && label ? truth & ~(uint32_t)wide : truth;
}

/* The pairs by their definition: one after the other the first of those that are left. */
static void compare_pairs(const struct confusion *m, bool extras, size_t max)
{
	static bool taken[RC + 1][RC + N_EXTRAS];
	struct confused_pair got[RC * (RC + N_EXTRAS)];
	size_t n = 0, all = confusion_pairs(m, extras, max, got);
	uint32_t columns = extras ? RC + N_EXTRAS : RC;

	memset(taken, 0, sizeof taken);
	for (uint32_t most = 1; most; n += most > 0) {
		uint32_t row = 0, column = 0;

		most = 0;
		for (uint32_t r = 0; r < RC; r++)
			for (uint32_t c = 0; c < columns; c++)
				if (r != c && !taken[r][c] && confusion_at(m, r, c) > most) {
					most = confusion_at(m, r, c);
					row = r;
					column = c;
				}
		taken[row][column] = true;
		if (!most || n >= max)
			continue;
		assert_int_equal(got[n].truth, row);
		assert_int_equal(got[n].answer, column);
		assert_int_equal(got[n].count, most);
		assert_int_equal(got[n].back, column < RC ? confusion_at(m, column, row) : 0);
	}
	assert_int_equal(all, n);
}

static uint32_t naive_support(const struct naive *w, const struct lens *lens, const uint64_t *mask, uint32_t row)
{
	uint32_t n = 0;

	for (size_t i = 0; i < RN; i++) {
		uint16_t truth = w->truth[lens->layer][i];

		if (bits_get(mask, i) && w->covered[lens->layer][i])
			n += row < RC ? truth >> row & 1 : truth == 0;
	}
	return n;
}

static void compare_matrix(const struct naive *w, const struct snapshot *s, const struct lens *lens,
			   uint32_t *seed)
{
	static uint8_t verdict[RN];
	uint32_t cell[RC + 1][RC + N_EXTRAS] = {{0}}, sum = 0, diagonal = 0;
	uint64_t mask[(RN + 63) / 64] = {0};
	struct confusion m;

	for (size_t i = 0, few = rnd(seed, 4) == 0; i < RN; i++)
		if (few ? rnd(seed, RN) < 2 : rnd(seed, 3) > 0)
			bits_set(mask, i);
	for (int i = 0; i < RN; i++) {
		int column = naive_column(w, lens, s->runs, i);
		uint32_t rows = naive_rows(w, lens, s->runs, i, &column);

		for (int r = 0; r <= RC && bits_get(mask, (size_t)i); r++)
			cell[r][column] += rows >> r & 1;
	}
	eval_verdicts(s, lens, 0, verdict);
	confusion_make(s, lens, 0, verdict, mask, &m);
	for (uint32_t r = 0; r <= RC; r++) {
		for (uint32_t c = 0, total = 0; c < RC + N_EXTRAS; c++) {
			if (confusion_at(&m, r, c) != cell[r][c])
				fail_msg("row %u column %u: %u, not %u", r, c, confusion_at(&m, r, c), cell[r][c]);
			total += cell[r][c];
			sum += cell[r][c];
			if (c + 1 == RC + N_EXTRAS)
				assert_int_equal(m.row[r], total);
		}
		diagonal += r < RC ? cell[r][r] : 0;
		assert_int_equal(m.support[r], naive_support(w, lens, mask, r));
	}
	assert_int_equal(m.diagonal, diagonal);
	for (uint32_t c = 0; c < RC + N_EXTRAS; c++)
		sum -= m.column[c];
	assert_int_equal(sum, 0);
	compare_pairs(&m, false, 5);
	compare_pairs(&m, true, rnd(seed, 2 * RC));
	compare_pairs(&m, true, RC * (RC + N_EXTRAS));
	confusion_release(&m);
}

/* Precision and recall, from the samples. Only runs of single answers have such plain words. */
static void compare_classes(const struct naive *w, const struct snapshot *s, const struct lens *lens)
{
	static uint8_t verdict[RN];
	struct class_scores scores;

	eval_verdicts(s, lens, 0, verdict);
	class_scores_make(s, lens, 0, verdict, NULL, &scores);
	for (int c = 0; c < RC; c++) {
		uint32_t support = 0, hit = 0, missed = 0, answered = 0;

		for (int i = 0; i < RN; i++) {
			int column = naive_column(w, lens, s->runs, i);
			uint32_t rows = naive_rows(w, lens, s->runs, i, &column);

			if (verdict[i] == VERDICT_UNCOUNTED)
				continue;
			support += w->truth[lens->layer][i] >> c & 1;
			hit += (rows >> c & 1) && column == c;
			missed += (rows >> c & 1) && column != c;
			answered += column == c && (rows & ((1u << RC) - 1) || lens->n == N_WRONG);
		}
		assert_int_equal(scores.class[c].support, support);
		assert_int_equal(scores.class[c].hit, hit);
		assert_int_equal(scores.class[c].missed, missed);
		assert_int_equal(scores.class[c].false_hit, answered - hit);
		assert_true(hit + missed == 0 || scores.class[c].recall == (double)hit / (hit + missed));
	}
	class_scores_release(&scores);
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
		layers[l].covered = snap_u8(w.covered[l], RN);
		layers[l].sets = csr_of(w.truth[l], truth_type, false);
	}
	run = run_of(&w, label_type, max_labels > 1, &seed);
	compare(&w, &s, &lens);
	compare_matrix(&w, &s, &lens, &seed);
	compare_classes(&w, &s, &lens);
	snap_drop_layer(&layers[0]);
	snap_drop_layer(&layers[1]);
	snap_drop_run(&run);
}

static void random_snapshots(void **state)
{
	static const enum dtype types[] = {DT_U8, DT_U16, DT_U32, DT_U64};

	(void)state;
	for (uint32_t seed = 0; seed < 64; seed++)
		check_random(seed * 7919, types[seed % 4], types[seed / 4 % 4]);
}

#define MANY_CLASSES 700
#define MANY_ROWS    2000

/* Rows of a few hits among many columns: truths and answers close together, so that cells repeat. */
static void many_classes(void **state)
{
	static uint32_t off[MANY_ROWS + 1], truth[MANY_ROWS], label[MANY_ROWS];
	static uint16_t want[MANY_CLASSES + 1][MANY_CLASSES + N_EXTRAS];
	static uint8_t covered[MANY_ROWS], outcome[MANY_ROWS], verdict[MANY_ROWS];
	struct layer layer = {.name = "original"};
	struct run run = {.handle = "r"};
	struct snapshot s = {.n = MANY_ROWS, .n_classes = MANY_CLASSES, .n_layers = 1, .layers = &layer,
			     .n_runs = 1, .runs = &run};
	struct lens lens = {.layer = 0, .original = 0};
	struct confusion m;
	uint32_t seed = 7;

	(void)state;
	for (uint32_t i = 0; i < MANY_ROWS; i++) {
		off[i + 1] = i + 1;
		covered[i] = 1;
		outcome[i] = OUTCOME_ANSWERED;
		/* Most rows have few hits, some have many. */
		truth[i] = rnd(&seed, rnd(&seed, 4) ? MANY_CLASSES : 5);
		label[i] = (truth[i] + rnd(&seed, 3) * 99) % MANY_CLASSES;
		want[truth[i]][label[i]]++;
	}
	layer.covered = snap_u8(covered, MANY_ROWS);
	layer.sets = (struct csr){snap_uints(DT_U32, off, MANY_ROWS + 1), snap_uints(DT_U16, truth, MANY_ROWS)};
	run.outcome = snap_u8(outcome, MANY_ROWS);
	run.label = snap_uints(DT_U16, label, MANY_ROWS);
	eval_verdicts(&s, &lens, 0, verdict);
	confusion_make(&s, &lens, 0, verdict, NULL, &m);
	for (uint32_t r = 0; r < MANY_CLASSES; r++)
		for (uint32_t c = 0; c < MANY_CLASSES; c++)
			assert_int_equal(confusion_at(&m, r, c), want[r][c]);
	for (uint32_t k = 1; k < m.off[m.n_rows]; k++)
		assert_int_not_equal(m.cell[k].count, 0);
	confusion_release(&m);
	snap_drop_layer(&layer);
	snap_drop_run(&run);
}

#define CROWD_CLASSES 40
#define CROWD_ROWS    20011 /* a last block that is not whole */
#define CROWD_TRUTHS  12

/* Cells that are counted more often than a byte can say, and samples of no and of many truths. */
struct crowd {
	uint32_t off[CROWD_ROWS + 1], truth[CROWD_ROWS * CROWD_TRUTHS], label[CROWD_ROWS];
	uint8_t covered[CROWD_ROWS], outcome[CROWD_ROWS];
	uint32_t want[CROWD_CLASSES + 1][CROWD_CLASSES + N_EXTRAS], support[CROWD_CLASSES + 1], samples;
};

static bool is_truth(const struct crowd *w, uint32_t i, uint32_t class)
{
	for (uint32_t k = w->off[i]; k < w->off[i + 1]; k++)
		if (w->truth[k] == class)
			return true;
	return false;
}

/* most: truths of a sample. */
static void crowd_fill(struct crowd *w, uint32_t *seed, uint32_t most)
{
	*w = (struct crowd){.samples = 0};
	for (uint32_t i = 0; i < CROWD_ROWS; i++) {
		uint32_t n = rnd(seed, most + 1), first = rnd(seed, CROWD_CLASSES);

		for (uint32_t k = 0; k < n; k++)
			w->truth[w->off[i] + k] = (first + 3 * k) % CROWD_CLASSES;
		w->off[i + 1] = w->off[i] + n;
		w->covered[i] = most < CROWD_TRUTHS || rnd(seed, 20) > 0;
		w->outcome[i] = rnd(seed, 50) ? OUTCOME_ANSWERED : OUTCOME_REFUSED;
		w->label[i] = rnd(seed, 3) ? first : rnd(seed, CROWD_CLASSES);
		if (w->outcome[i] != OUTCOME_ANSWERED)
			w->label[i] = UINT32_MAX;
	}
}

static void crowd_count(struct crowd *w, const uint64_t *mask)
{
	memset(w->want, 0, sizeof w->want);
	memset(w->support, 0, sizeof w->support);
	w->samples = 0;
	for (uint32_t i = 0; i < CROWD_ROWS; i++) {
		uint32_t n = w->off[i + 1] - w->off[i], label = w->label[i];
		uint32_t column = label < CROWD_CLASSES ? label : CROWD_CLASSES + EXTRA_REFUSED;

		if (!w->covered[i] || (mask && !bits_get(mask, i)))
			continue;
		w->samples++;
		for (uint32_t k = 0; k < n; k++) {
			w->support[w->truth[w->off[i] + k]]++;
			if (!is_truth(w, i, label))
				w->want[w->truth[w->off[i] + k]][column]++;
		}
		w->support[CROWD_CLASSES] += n == 0;
		w->want[CROWD_CLASSES][column] += n == 0;
		if (is_truth(w, i, label))
			w->want[label][label]++;
	}
}

static void crowd_check(struct crowd *w, const struct snapshot *s, const uint64_t *mask)
{
	static uint8_t verdict[CROWD_ROWS];
	struct lens lens = {.layer = 0, .original = 0};
	uint32_t column[CROWD_CLASSES + N_EXTRAS] = {0};
	struct confusion m;

	crowd_count(w, mask);
	eval_verdicts(s, &lens, 0, verdict);
	confusion_make(s, &lens, 0, verdict, mask, &m);
	assert_int_equal(m.samples, w->samples);
	for (uint32_t r = 0; r <= CROWD_CLASSES; r++) {
		uint32_t row = 0;

		for (uint32_t c = 0; c < CROWD_CLASSES + N_EXTRAS; c++) {
			assert_int_equal(confusion_at(&m, r, c), w->want[r][c]);
			row += w->want[r][c];
			column[c] += w->want[r][c];
		}
		assert_int_equal(m.row[r], row);
		assert_int_equal(m.support[r], w->support[r]);
	}
	assert_memory_equal(m.column, column, sizeof column);
	confusion_release(&m);
}

/* A sample that is wrong stands in the rows of all its truths; it is told of with all of them. */
static void crowd_several(const struct crowd *w, const struct snapshot *s, const uint64_t *mask)
{
	static uint8_t verdict[CROWD_ROWS];
	struct lens lens = {.layer = 0, .original = 0};
	struct crosstab t;
	uint32_t at = 0;

	eval_verdicts(s, &lens, 0, verdict);
	crosstab_make(s, &lens, 0, verdict, mask, &t);
	for (uint32_t i = 0; i < CROWD_ROWS; i++) {
		uint32_t n = w->off[i + 1] - w->off[i], label = w->label[i];

		if (!w->covered[i] || (mask && !bits_get(mask, i)) || n < 2 || is_truth(w, i, label))
			continue;
		assert_true(at < t.n_many);
		assert_int_equal(t.many_off[at + 1] - t.many_off[at], n);
		assert_memory_equal(t.many_row + t.many_off[at], w->truth + w->off[i], n * sizeof(uint32_t));
		assert_int_equal(t.many_column[at++],
				 label < CROWD_CLASSES ? label : CROWD_CLASSES + EXTRA_REFUSED);
	}
	assert_int_equal(at, t.n_many);
	crosstab_release(&t);
}

static void crowded_cells(void **state)
{
	static struct crowd w;
	uint64_t mask[CROWD_ROWS / 64 + 1] = {0};
	struct layer layer = {.name = "original"};
	struct run run = {.handle = "r"};
	struct snapshot s = {.n = CROWD_ROWS, .n_classes = CROWD_CLASSES, .n_layers = 1, .layers = &layer,
			     .n_runs = 1, .runs = &run};
	uint32_t seed = 11;

	(void)state;
	for (uint32_t turn = 0; turn < 6; turn++) {
		crowd_fill(&w, &seed, (uint32_t[]){1, 5, CROWD_TRUTHS}[turn % 3]);
		for (size_t i = 0; i < CROWD_ROWS; i++)
			if (i / 1000 % 2 || rnd(&seed, 4))
				bits_set(mask, i);
		layer.covered = snap_u8(w.covered, CROWD_ROWS);
		layer.sets = (struct csr){snap_uints(DT_U32, w.off, CROWD_ROWS + 1),
					  snap_uints(turn % 2 ? DT_U32 : DT_U8, w.truth, w.off[CROWD_ROWS])};
		run.outcome = snap_u8(w.outcome, CROWD_ROWS);
		run.label = snap_uints(DT_U8, w.label, CROWD_ROWS);
		crowd_check(&w, &s, NULL);
		crowd_check(&w, &s, mask);
		crowd_several(&w, &s, NULL);
		crowd_several(&w, &s, mask);
		snap_drop_layer(&layer);
		snap_drop_run(&run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(random_snapshots), cmocka_unit_test(many_classes),
					   cmocka_unit_test(crowded_cells)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
