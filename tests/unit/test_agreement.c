/* Who is right together, how alike runs are, repeats: against SciPy, against naive recounts, and
 * every count against the samples that its door opens. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/report/agreement.h"
#include "tests/unit/lib_naive.h"
#include "tests/unit/lib_snap.h"

#define RUNS  4
#define PAIRS (RUNS * (RUNS - 1) / 2)

struct agree_case {
	uint64_t seed;
	uint32_t n, classes;
	double phi[PAIRS], kappa[PAIRS], rho[PAIRS];
	double mean[3]; /* of the accuracies: mean, and its interval by Student's t */
};

#include "tests/unit/agree_values.h"

static void near_to(double got, double want, const char *what)
{
	if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= 1e-12 * (1 + fabs(want))))
		fail_msg("%s: %.17g, not %.17g", what, got, want);
}

/* --- the answers of agree_values.py --- */

static uint32_t *numbers(uint64_t seed, size_t n, uint64_t levels)
{
	uint32_t *out = xcalloc(n + 1, sizeof *out);

	for (size_t i = 0; i < n; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		out[i] = (uint32_t)((seed >> 33) % levels);
	}
	return out;
}

struct made {
	struct snapshot snap;
	struct layer layer;
	struct run run[RUNS];
	struct class_info classes[64];
	struct lens lens;
	int which[RUNS];
};

static void make_layer(struct made *m, const uint32_t *truth, uint32_t n)
{
	uint8_t *covered = xcalloc((size_t)n + 1, 1);
	uint32_t *off = xcalloc((size_t)n + 1, sizeof *off);

	memset(covered, 1, n);
	for (uint32_t i = 0; i <= n; i++)
		off[i] = i;
	m->layer = (struct layer){.name = "original", .n_labelled = n, .covered = snap_u8(covered, n)};
	m->layer.sets = (struct csr){snap_uints(DT_U32, off, (size_t)n + 1), snap_uints(DT_U16, truth, n)};
	free(covered);
	free(off);
}

static void make_run(struct made *m, const struct agree_case *c, const uint32_t *truth, uint32_t r)
{
	static const char *const handle[RUNS] = {"m/mc", "m/mc-2", "m/mc-3", "m/mc-4"};
	uint32_t *other = numbers(c->seed + 10 + r, c->n, c->classes), *how = numbers(c->seed + 20 + r, c->n, 8);
	uint8_t *outcome = xcalloc((size_t)c->n + 1, 1);

	for (uint32_t i = 0; i < c->n; i++) {
		other[i] = how[i] < 4 ? truth[i] : how[i] == 7 ? UINT32_MAX : other[i];
		outcome[i] = how[i] == 7 ? OUTCOME_MISSING : OUTCOME_ANSWERED;
	}
	m->run[r] = (struct run){.id = r + 1, .handle = handle[r], .title = "", .model = "m", .protocol = "mc",
				 .repeats = 1, .outcome = snap_u8(outcome, c->n),
				 .label = snap_uints(DT_U16, other, c->n)};
	m->which[r] = (int)r;
	free(other);
	free(how);
	free(outcome);
}

static void make(struct made *m, const struct agree_case *c)
{
	uint32_t *truth = numbers(c->seed, c->n, c->classes);

	*m = (struct made){.lens = {.layer = 0, .original = 0}};
	for (uint32_t k = 0; k < c->classes; k++)
		m->classes[k] = (struct class_info){.index = k, .wnid = "", .name = "c", .parent = UINT32_MAX};
	make_layer(m, truth, c->n);
	for (uint32_t r = 0; r < RUNS; r++)
		make_run(m, c, truth, r);
	m->snap = (struct snapshot){.dataset = "d", .preset = "", .n = c->n, .n_classes = c->classes,
				    .classes = m->classes, .n_layers = 1, .layers = &m->layer, .n_runs = RUNS,
				    .runs = m->run};
	free(truth);
}

static void drop(struct made *m)
{
	snap_drop_layer(&m->layer);
	for (int r = 0; r < RUNS; r++)
		snap_drop_run(&m->run[r]);
}

static void pairs_agree_with_scipy(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof agree_cases / sizeof *agree_cases; k++) {
		const struct agree_case *c = &agree_cases[k];
		struct agreement a;
		struct err err = ERR_INIT;
		struct made m;
		size_t pair = 0;

		make(&m, c);
		assert_int_equal(agreement_make(&(struct report_ctx){.snap = &m.snap, .lens = &m.lens,
								     .runs = m.which, .n_runs = RUNS},
						&a, &err), OK);
		for (int i = 0; i < RUNS; i++)
			for (int j = i + 1; j < RUNS; j++, pair++) {
				assert_int_equal(agreement_pair(&a, j, i), a.first_pair + pair);
				near_to(a.similar.phi[i * RUNS + j], c->phi[pair], "phi");
				near_to(a.similar.phi[j * RUNS + i], c->phi[pair], "phi the other way");
				near_to(a.similar.kappa[i * RUNS + j], c->kappa[pair], "kappa");
				near_to(a.similar.spearman[j * RUNS + i], c->rho[pair], "rho");
				near_to(table_look(&a.table, a.first_pair + pair, a.measure[AGREE_SPEARMAN])->number,
					c->rho[pair], "rho in the table");
			}
		agreement_release(&a);
		drop(&m);
	}
}

static void repeats_are_told_by_their_mean(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof agree_cases / sizeof *agree_cases; k++) {
		const struct agree_case *c = &agree_cases[k];
		struct err err = ERR_INIT;
		struct made m;
		struct table t;
		struct report_ctx ctx;

		make(&m, c);
		ctx = (struct report_ctx){.snap = &m.snap, .lens = &m.lens, .runs = m.which, .n_runs = RUNS,
					  .by = STR("none")};
		assert_int_equal(report_find(STR("accuracy"))->make(&ctx, &t, &err), OK);
		assert_int_equal(table_rows(&t), 1);
		assert_string_equal(table_look(&t, 0, 0)->text, "m/mc ×4");
		near_to(table_look(&t, 0, (size_t)table_find(&t, STR("accuracy")))->number, c->mean[0], "mean");
		near_to(table_look(&t, 0, (size_t)table_find(&t, STR("lo")))->number, c->mean[1], "lo");
		near_to(table_look(&t, 0, (size_t)table_find(&t, STR("hi")))->number, c->mean[2], "hi");
		near_to(table_look(&t, 0, (size_t)table_find(&t, STR("repeats")))->number, RUNS, "repeats");
		table_release(&t);
		ctx.unfold = true;
		assert_int_equal(report_find(STR("accuracy"))->make(&ctx, &t, &err), OK);
		assert_int_equal(table_rows(&t), 1 + RUNS);
		near_to(table_look(&t, 0, (size_t)table_find(&t, STR("accuracy")))->number, c->mean[0], "mean");
		assert_string_equal(table_look(&t, 2, 0)->text, "m/mc-2");
		table_release(&t);
		drop(&m);
	}
}

/* --- many runs --- */

#define MANY 300

static struct marks random_marks(int n_runs, struct world *dice)
{
	struct marks m = {.n_runs = n_runs, .n = MANY};

	m.right = xcalloc((size_t)n_runs + 1, sizeof *m.right);
	m.counted = xcalloc((size_t)n_runs + 1, sizeof *m.counted);
	m.within = bits_new(MANY);
	for (uint32_t i = 0; i < MANY; i++)
		if (world_rnd(dice, 8))
			bits_set(m.within, i);
	for (int k = 0; k < n_runs; k++) {
		m.right[k] = bits_new(MANY);
		m.counted[k] = bits_new(MANY);
		for (uint32_t i = 0; i < MANY; i++) {
			if (!bits_get(m.within, i) || !world_rnd(dice, 400))
				continue;
			bits_set(m.counted[k], i);
			if (i % 7 < 2 ? i % 7 : world_rnd(dice, 2)) /* some agree on all */
				bits_set(m.right[k], i);
		}
	}
	return m;
}

/* The row of a sample; false: some run has no counted answer. */
static bool row_of(const struct marks *m, int n_runs, uint32_t i, uint64_t *who)
{
	*who = 0;
	for (int k = 0; k < n_runs; k++) {
		if (!bits_get(m->counted[k], i))
			return false;
		if (bits_get(m->right[k], i))
			*who |= (uint64_t)1 << k;
	}
	return true;
}

static void recount_rows(const struct marks *m, const struct together *t)
{
	uint32_t n = 0, sum = 0, left = 0;
	uint64_t who, other;

	for (uint32_t i = 0; i < MANY; i++) {
		uint32_t same = 0;

		if (!row_of(m, t->n_runs, i, &who)) {
			left += bits_get(m->within, i);
			continue;
		}
		n++;
		for (uint32_t j = 0; j < MANY; j++)
			same += row_of(m, t->n_runs, j, &other) && other == who;
		assert_int_equal(together_count(t, who), same);
	}
	for (uint32_t r = 0; r < t->n_rows; r++) {
		sum += t->row[r].n;
		assert_true(t->row[r].n > 0 && (!r || t->row[r - 1].n >= t->row[r].n));
	}
	assert_int_equal(t->n, n);
	assert_int_equal(sum, n);
	assert_int_equal(t->left_out, left);
}

static void recount_runs(const struct marks *m, const struct together *t)
{
	for (int k = 0; k < t->n_runs; k++) {
		uint32_t right = 0, only = 0, all_but = 0;
		uint64_t who;

		for (uint32_t i = 0; i < MANY; i++) {
			int others = 0;

			if (!row_of(m, t->n_runs, i, &who))
				continue;
			for (int j = 0; j < t->n_runs; j++)
				others += j != k && bits_get(m->right[j], i);
			right += bits_get(m->right[k], i);
			only += bits_get(m->right[k], i) && others == 0;
			all_but += !bits_get(m->right[k], i) && others == t->n_runs - 1;
		}
		assert_int_equal(t->right[k], right);
		assert_int_equal(t->only[k], only);
		assert_int_equal(t->all_but[k], all_but);
	}
}

static void rows_are_counted_as_one_counts_them(void **state)
{
	static const int sizes[] = {0, 1, 2, 3, 20, 63, 64, 70};
	struct world dice = {.seed = 17};

	(void)state;
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		struct marks m = random_marks(sizes[s], &dice);
		struct together t;
		struct err err = ERR_INIT;

		assert_int_equal(together_make(&m, NULL, &t, &err), OK);
		assert_int_equal(t.n_runs, sizes[s] < 64 ? sizes[s] : 64);
		if (sizes[s]) {
			recount_rows(&m, &t);
			recount_runs(&m, &t);
		} else {
			assert_int_equal(t.n_rows, 0);
		}
		together_release(&t);
		marks_release(&m);
	}
}

/* --- order --- */

static void similar_runs_stand_beside_each_other(void **state)
{
	enum { N = 9 };
	static const int family[N] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
	double like[N * N];
	int order[N], changes = 0, seen = 0;

	(void)state;
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++)
			like[i * N + k] = i == k ? 1 : family[i] == family[k] ? 0.8 - 0.01 * abs(i - k) : 0.1;
	like[0 * N + 1] = like[1 * N + 0] = NAN;
	similar_order(like, N, order);
	for (int k = 0; k < N; k++) {
		seen |= 1 << order[k];
		changes += k && family[order[k]] != family[order[k - 1]];
	}
	assert_int_equal(seen, (1 << N) - 1);
	assert_int_equal(changes, 2);
	similar_order(like, 1, order);
	assert_int_equal(order[0], 0);
	similar_order(like, 0, order);
}

/* --- doors --- */

static uint32_t behind(const struct world *w, const uint64_t *mask, const char *door)
{
	struct filter *f = NULL;
	struct err err = ERR_INIT;
	uint64_t *bits = bits_new(w->snap->n);
	uint32_t n;

	if (filter_parse(str_z(door), &w->ctx, &f, NULL, &err) != OK ||
	    filter_eval(f, &w->ctx, bits, NULL, &err) != OK)
		fail_msg("%s: %s", door, err.msg);
	if (mask)
		bits_and(bits, mask, w->snap->n);
	n = (uint32_t)bits_count(bits, w->snap->n);
	filter_free(f);
	free(bits);
	return n;
}

static double at(const struct agreement *a, size_t row, const char *column)
{
	return table_look(&a->table, row, (size_t)table_find(&a->table, str_z(column)))->number;
}

/* What lies behind a measure: the samples of its pair that differ. */
static void check_measures(const struct world *w, const uint64_t *mask, const struct agreement *a, size_t row)
{
	const char *phi = table_look(&a->table, row, a->measure[AGREE_PHI])->door;
	const char *kappa = table_look(&a->table, row, a->measure[AGREE_KAPPA])->door;

	assert_int_equal(behind(w, mask, phi), at(a, row, "only_run") + at(a, row, "only_against"));
	assert_int_equal(behind(w, mask, kappa), at(a, row, "answered") - at(a, row, "same"));
}

static unsigned long check_doors(const struct world *w, const uint64_t *mask, const struct agreement *a)
{
	const struct table *t = &a->table;
	unsigned long doors = 0;

	for (size_t r = 0; r < table_rows(t); r++) {
		for (size_t c = 0; c < t->columns.n; c++) {
			const struct table_cell *cell = table_look(t, r, c);

			if (!cell->door || t->columns.v[c].kind != TABLE_COUNT)
				continue;
			doors++;
			if (behind(w, mask, cell->door) != cell->number)
				fail_msg("seed %u row %zu, %s: %.0f, but %u samples are behind %s", w->seed, r,
					 t->columns.v[c].name, cell->number, behind(w, mask, cell->door), cell->door);
		}
		if (r >= a->first_pair)
			check_measures(w, mask, a, r);
	}
	return doors;
}

static void a_bar_opens_what_it_counts(void **state)
{
	unsigned long doors = 0;

	(void)state;
	for (uint32_t seed = 1; seed <= 60; seed++) {
		struct world w;
		struct agreement a;
		struct err err = ERR_INIT;
		uint64_t *mask;
		double sum = 0;

		world_make(&w, seed * 7919, (int[]){333, 64, 1, 400}[seed % 4]);
		mask = seed % 3 ? bits_new(w.snap->n) : NULL;
		for (uint32_t i = 0; mask && i < w.snap->n; i++)
			if (world_rnd(&w, 4))
				bits_set(mask, i);
		w.ctx.cache = filter_cache_new(w.snap, &w.lens);
		if (agreement_make(&(struct report_ctx){.snap = w.snap, .lens = &w.lens, .mask = mask,
							.runs = w.panel, .n_runs = w.n_panel},
				   &a, &err) != OK)
			fail_msg("%s", err.msg);
		for (size_t r = 0; r < a.n_bars; r++)
			sum += at(&a, r, "n");
		assert_int_equal(sum, a.together.n);
		doors += check_doors(&w, mask, &a);
		agreement_release(&a);
		filter_cache_free(w.ctx.cache);
		free(mask);
		world_free(&w);
	}
	assert_true(doors > 1500);
}

/* --- words --- */

static enum verdict verdict_of(const struct world *w, uint8_t **verdict, int run, uint32_t i)
{
	if (!verdict[run]) {
		verdict[run] = xcalloc((size_t)w->snap->n + 1, 1);
		eval_verdicts(w->snap, &w->lens, run, verdict[run]);
	}
	return (enum verdict)verdict[run][i];
}

static void check_difficulty_of(const struct world *w, uint8_t **verdict)
{
	static const struct {
		const char *text;
		double lo, hi; /* lo <= share < hi */
	} cases[] = {{"difficulty<0.5", -1, 0.5}, {"difficulty>=0.6", 0.6, 2}, {"difficulty=1", 1, 2},
		     {"-difficulty<0.25 difficulty<0.75", 0.25, 0.75}};

	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		uint32_t want = 0;

		for (uint32_t i = 0; i < w->snap->n; i++) {
			int right = 0, counted = 0;

			for (int p = 0; p < w->n_panel; p++) {
				enum verdict v = verdict_of(w, verdict, w->panel[p], i);

				right += v == VERDICT_RIGHT;
				counted += v != VERDICT_UNCOUNTED;
			}
			want += counted && (double)right / counted >= cases[k].lo &&
				(double)right / counted < cases[k].hi;
		}
		assert_int_equal(behind(w, NULL, cases[k].text), want);
	}
}

static void check_unstable(const struct world *w, uint8_t **verdict, int run)
{
	struct buf text = BUF_INIT;
	uint32_t want = 0;

	buf_z(&text, "unstable");
	filter_put_who(&text, w->snap->runs[run].handle);
	for (uint32_t i = 0; i < w->snap->n; i++) {
		bool right = false, wrong = false;

		for (int r = 0; r < WORLD_RUNS; r++)
			if (r == run || r % 2 == run % 2) {
				right |= verdict_of(w, verdict, r, i) == VERDICT_RIGHT;
				wrong |= verdict_of(w, verdict, r, i) == VERDICT_WRONG;
			}
		want += right && wrong;
	}
	assert_int_equal(behind(w, NULL, buf_cstr(&text)), want);
	buf_release(&text);
}

static bool answered(const struct world *w, int run, uint32_t i)
{
	return (w->outcome[run][i] == OUTCOME_ANSWERED || w->outcome[run][i] == OUTCOME_OOP) && w->label[run][i];
}

static void check_agree_of(const struct world *w, int a, int b)
{
	uint32_t same = 0, other = 0;
	struct buf text = BUF_INIT;

	for (uint32_t i = 0; i < w->snap->n; i++)
		if (answered(w, a, i) && answered(w, b, i)) {
			same += w->label[a][i] == w->label[b][i];
			other += w->label[a][i] != w->label[b][i];
		}
	for (int k = 0; k < 2; k++) {
		buf_clear(&text);
		buf_z(&text, "agree");
		filter_put_who(&text, w->snap->runs[a].handle);
		buf_z(&text, k ? "!=" : "=");
		filter_put_run(&text, w->snap->runs[b].handle);
		assert_int_equal(behind(w, NULL, buf_cstr(&text)), k ? other : same);
	}
	buf_release(&text);
}

static void words_are_true_where_they_should_be(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 30; seed++) {
		uint8_t *verdict[WORLD_RUNS] = {NULL};
		struct world w;

		world_make(&w, seed * 31337, (int[]){300, 64, 129}[seed % 3]);
		for (int r = 0; r < WORLD_RUNS; r++) /* even ones repeat each other, and odd ones */
			w.snap->runs[r].repeats = 1 + (uint32_t)(r % 2);
		w.ctx.cache = filter_cache_new(w.snap, &w.lens);
		check_difficulty_of(&w, verdict);
		for (int r = 0; r < WORLD_RUNS; r++) {
			check_unstable(&w, verdict, r);
			check_agree_of(&w, r, (r + 2) % WORLD_RUNS);
		}
		for (int r = 0; r < WORLD_RUNS; r++)
			free(verdict[r]);
		filter_cache_free(w.ctx.cache);
		world_free(&w);
	}
}

static void expect_text(const struct world *w, const char *text, const char *want)
{
	struct filter *f = NULL;
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;

	if (filter_parse(str_z(text), &w->ctx, &f, NULL, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	filter_format(f, &w->ctx, &out);
	assert_string_equal(buf_cstr(&out), want);
	filter_free(f);
	buf_release(&out);
}

static void expect_fault(const struct world *w, const struct filter_ctx *ctx, const char *text, const char *part)
{
	struct filter *f = NULL;
	struct err err = ERR_INIT;

	(void)w;
	assert_int_equal(filter_parse(str_z(text), ctx, &f, NULL, &err), E_USAGE);
	if (!strstr(err.msg, part))
		fail_msg("%s: %s", text, err.msg);
}

static void words_are_written_out_and_faults_told(void **state)
{
	struct world w;
	struct filter_ctx none;
	struct buf want = BUF_INIT;

	(void)state;
	world_make(&w, 42, 100);
	buf_z(&want, "agree");
	filter_put_who(&want, w.snap->runs[w.a].handle);
	buf_z(&want, "!=");
	filter_put_run(&want, w.snap->runs[w.b].handle);
	expect_text(&w, "agree!=b", buf_cstr(&want));
	buf_clear(&want);
	buf_z(&want, "unstable");
	filter_put_who(&want, w.snap->runs[w.a].handle);
	expect_text(&w, "unstable", buf_cstr(&want));
	expect_text(&w, "difficulty<0.5", "difficulty<0.5");
	expect_fault(&w, &w.ctx, "agree", "needs = or != and a run");
	expect_fault(&w, &w.ctx, "agree=all", "is not expected");
	expect_fault(&w, &w.ctx, "agree=nonesuch", "there is no run");
	expect_fault(&w, &w.ctx, "difficulty<hard", "is no number");
	expect_fault(&w, &w.ctx, "difficulty", "needs a comparison");
	none = w.ctx;
	none.n_panel = 0;
	expect_fault(&w, &none, "difficulty<1", "needs a panel");
	buf_release(&want);
	world_free(&w);
}

static void parts_can_be_asked_for(void **state)
{
	struct report_ctx ctx;
	struct err err = ERR_INIT;
	struct agreement a;
	struct made m;

	(void)state;
	make(&m, &agree_cases[0]);
	ctx = (struct report_ctx){.snap = &m.snap, .lens = &m.lens, .runs = m.which, .n_runs = RUNS,
				  .by = STR("runs")};
	assert_int_equal(agreement_make(&ctx, &a, &err), OK);
	assert_int_equal(table_rows(&a.table), RUNS);
	agreement_release(&a);
	ctx.by = STR("class");
	assert_int_equal(agreement_make(&ctx, &a, &err), E_USAGE);
	assert_non_null(strstr(err.msg, "not by \"class\""));
	ctx.by = STR("");
	ctx.n_runs = 0;
	assert_int_equal(agreement_make(&ctx, &a, &err), OK);
	assert_int_equal(table_rows(&a.table), 0);
	agreement_release(&a);
	ctx.n_runs = 1;
	assert_int_equal(agreement_make(&ctx, &a, &err), OK);
	assert_int_equal(table_rows(&a.table), 3); /* right, wrong, the run */
	agreement_release(&a);
	drop(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(pairs_agree_with_scipy),
	    cmocka_unit_test(repeats_are_told_by_their_mean),
	    cmocka_unit_test(rows_are_counted_as_one_counts_them),
	    cmocka_unit_test(similar_runs_stand_beside_each_other),
	    cmocka_unit_test(a_bar_opens_what_it_counts),
	    cmocka_unit_test(words_are_true_where_they_should_be),
	    cmocka_unit_test(words_are_written_out_and_faults_told),
	    cmocka_unit_test(parts_can_be_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
