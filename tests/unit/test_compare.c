/* Two runs compared: against SciPy and NumPy, against a naive recount, and who makes the intervals. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/bits.h"
#include "core/base/xmalloc.h"
#include "core/group/cluster.h"
#include "core/report/intervals.h"
#include "core/report/report.h"
#include "tests/unit/lib_naive.h"
#include "tests/unit/lib_snap.h"

struct compare_case {
	uint64_t seed;
	size_t row; /* 0: all, then the classes */
	double n, both, only_a, only_b, neither, p, q, kappa, phi, mde;
	double lo, hi, spread, cluster_lo, cluster_hi, cluster_spread;
};

#include "tests/unit/compare_values.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* --- the same data as compare_values.py makes --- */

#define N        1500
#define CLASSES  6
#define CLUSTERS 120

struct generated {
	struct class_info classes[CLASSES];
	const char *names[CLUSTERS];
	struct layer layer;
	struct facet facet;
	struct run runs[2];
	struct snapshot snap;
	struct lens lens;
};

static void numbers(uint64_t seed, size_t n, uint32_t levels, uint32_t *out)
{
	for (size_t i = 0; i < n; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		out[i] = (uint32_t)((seed >> 33) % levels);
	}
}

static struct run run_of(const char *handle, const uint32_t *truth, const uint8_t *right, const uint32_t *there)
{
	struct run r = {.handle = handle, .title = "", .model = handle, .protocol = ""};
	uint8_t outcome[N];
	uint32_t label[N];

	for (int i = 0; i < N; i++) {
		outcome[i] = there[i] ? OUTCOME_ANSWERED : OUTCOME_MISSING;
		label[i] = right[i] ? truth[i] : (truth[i] + 1) % CLASSES;
	}
	r.outcome = snap_u8(outcome, N);
	r.label = snap_uints(DT_U8, label, N);
	return r;
}

static void make_right(uint64_t seed, const uint32_t *cluster, uint8_t *a, uint8_t *b)
{
	static uint32_t x[N], follows[N], y[N];

	numbers(seed + 1, N, 10, x);
	numbers(seed + 2, N, 3, follows);
	numbers(seed + 3, N, 10, y);
	for (int i = 0; i < N; i++) {
		a[i] = x[i] < 4 + cluster[i] % 5;
		b[i] = follows[i] ? a[i] : y[i] < 6;
	}
}

static void generate(struct generated *g, uint64_t seed)
{
	static const char *const class_names[CLASSES] = {"c0", "c1", "c2", "c3", "c4", "c5"};
	static uint32_t truth[N], cluster[N], a_there[N], b_there[N], off[N + 1];
	static uint8_t covered[N], a[N], b[N];

	numbers(seed, N, CLASSES, truth);
	numbers(seed + 4, N, 25, a_there);
	numbers(seed + 5, N, 25, b_there);
	numbers(seed + 6, N, CLUSTERS, cluster);
	make_right(seed, cluster, a, b);
	memset(covered, 1, sizeof covered);
	for (uint32_t i = 0; i <= N; i++)
		off[i] = i;
	*g = (struct generated){.facet = {.name = "image", .n_values = CLUSTERS}};
	for (uint32_t c = 0; c < CLASSES; c++)
		g->classes[c] = (struct class_info){c, "", class_names[c], UINT32_MAX};
	for (int k = 0; k < CLUSTERS; k++)
		g->names[k] = "image";
	g->facet.values = g->names;
	g->facet.value = snap_uints(DT_U8, cluster, N);
	g->layer = (struct layer){.name = "original", .covered = snap_u8(covered, N),
				  .sets = {snap_uints(DT_U32, off, N + 1), snap_uints(DT_U8, truth, N)}};
	g->runs[0] = run_of("a", truth, a, a_there);
	g->runs[1] = run_of("b", truth, b, b_there);
	g->snap = (struct snapshot){.n = N, .n_classes = CLASSES, .n_layers = 1, .n_facets = 1, .n_runs = 2,
				    .classes = g->classes, .layers = &g->layer, .facets = &g->facet,
				    .runs = g->runs};
	g->lens = lens_default(&g->snap);
}

static void release(struct generated *g)
{
	column_release(&g->facet.value);
	snap_drop_layer(&g->layer);
	snap_drop_run(&g->runs[0]);
	snap_drop_run(&g->runs[1]);
}

static struct table compare(const struct snapshot *snap, const struct lens *lens, int a, int b, const char *by,
			    const struct report_pairing *pairing, const uint64_t *mask)
{
	const int runs[2] = {a, b};
	struct report_ctx ctx = {.snap = snap, .lens = lens, .mask = mask, .runs = runs, .n_runs = 2,
				 .by = str_z(by), .pairing = pairing};
	struct err err = ERR_INIT;
	struct table t;

	if (report_find(STR("compare"))->make(&ctx, &t, &err) != OK)
		fail_msg("%s", err.msg);
	return t;
}

static double at(const struct table *t, size_t row, const char *column)
{
	int c = table_find(t, str_z(column));

	assert_true(c >= 0);
	return table_look(t, row, (size_t)c)->number;
}

/* --- against SciPy and NumPy --- */

static void near_to(double got, double want, double error, const struct compare_case *c, const char *what)
{
	if (isnan(want) ? !isnan(got) : isinf(want) ? got != want : !(fabs(got - want) <= error))
		fail_msg("seed %d, row %zu, %s: %.17g, not %.17g within %g", (int)c->seed, c->row, what, got, want,
			 error);
}

/* Five standard errors of the difference of two quantiles (2.5 %) of PAIRED_DRAWS and DRAWN tables,
 * each normal of this spread, and a step of the differences that can be drawn. */
static double drawing_error(double spread, double n)
{
	double density = 0.0584451 / spread;

	return 5 * sqrt(0.025 * 0.975 * (1.0 / PAIRED_DRAWS + 1.0 / DRAWN)) / density + 1 / n;
}

/* What no number of flips would do is told in a word, and is no number. */
static void check_mde(const struct compare_case *c, const struct table *t)
{
	const struct table_cell *cell = table_look(t, c->row, (size_t)table_find(t, STR("mde")));

	near_to(cell->number, isinf(c->mde) ? NAN : c->mde, 1e-9, c, "mde");
	assert_int_equal(cell->text != NULL, isinf(c->mde));
	if (cell->text)
		assert_string_equal(cell->text, "none");
}

static void check_case(const struct compare_case *c, const struct table *t, const struct table *clustered)
{
	double error = drawing_error(c->spread, c->n), clusters = drawing_error(c->cluster_spread, c->n);

	near_to(at(t, c->row, "n"), c->n, 0, c, "n");
	near_to(at(t, c->row, "both"), c->both, 0, c, "both");
	near_to(at(t, c->row, "only_run"), c->only_a, 0, c, "only_run");
	near_to(at(t, c->row, "only_against"), c->only_b, 0, c, "only_against");
	near_to(at(t, c->row, "neither"), c->neither, 0, c, "neither");
	near_to(at(t, c->row, "accuracy_run"), (c->both + c->only_a) / c->n, 1e-15, c, "accuracy_run");
	near_to(at(t, c->row, "accuracy_against"), (c->both + c->only_b) / c->n, 1e-15, c, "accuracy_against");
	near_to(at(t, c->row, "delta"), (c->only_a - c->only_b) / c->n, 1e-15, c, "delta");
	near_to(at(t, c->row, "p_mcnemar"), c->p, 1e-12, c, "p");
	near_to(at(t, c->row, "q"), c->q, 1e-12, c, "q");
	near_to(at(t, c->row, "kappa"), c->kappa, 1e-12, c, "kappa");
	near_to(at(t, c->row, "phi"), c->phi, 1e-12, c, "phi");
	check_mde(c, t);
	near_to(at(t, c->row, "lo"), c->lo, error, c, "lo");
	near_to(at(t, c->row, "hi"), c->hi, error, c, "hi");
	near_to(at(clustered, c->row, "lo"), c->cluster_lo, clusters, c, "lo of clusters");
	near_to(at(clustered, c->row, "hi"), c->cluster_hi, clusters, c, "hi of clusters");
}

static void numbers_agree_with_scipy(void **state)
{
	const struct report_pairing clusters = {.cluster = STR("image"), .seed = PAIRED_SEED};

	(void)state;
	for (size_t i = 0; i < COUNT(compare_cases); i += CLASSES + 1) {
		struct generated g;
		struct table t, clustered;

		generate(&g, compare_cases[i].seed);
		t = compare(&g.snap, &g.lens, 0, 1, "class", NULL, NULL);
		clustered = compare(&g.snap, &g.lens, 0, 1, "class", &clusters, NULL);
		assert_int_equal(table_rows(&t), CLASSES + 1);
		for (size_t k = 0; k <= CLASSES; k++)
			check_case(&compare_cases[i + k], &t, &clustered);
		table_release(&t);
		table_release(&clustered);
		release(&g);
	}
}

/* --- turned round; other draws --- */

static void swapping_turns_the_signs(void **state)
{
	struct generated g;
	struct table t, s;

	(void)state;
	generate(&g, 300);
	t = compare(&g.snap, &g.lens, 0, 1, "class", NULL, NULL);
	s = compare(&g.snap, &g.lens, 1, 0, "class", NULL, NULL);
	for (size_t r = 0; r < table_rows(&t); r++) {
		assert_true(at(&t, r, "only_run") == at(&s, r, "only_against"));
		assert_true(at(&t, r, "accuracy_run") == at(&s, r, "accuracy_against"));
		assert_true(at(&t, r, "delta") == -at(&s, r, "delta"));
		assert_true(at(&t, r, "p_mcnemar") == at(&s, r, "p_mcnemar"));
		assert_true(at(&t, r, "kappa") == at(&s, r, "kappa"));
		assert_true(at(&t, r, "mde") == at(&s, r, "mde") || isnan(at(&t, r, "mde")));
	}
	table_release(&t);
	table_release(&s);
	release(&g);
}

static void mid_p_is_half_a_term_less(void **state)
{
	const struct report_pairing mid = {.mid_p = true, .seed = PAIRED_SEED};
	struct generated g;
	struct table t, m;

	(void)state;
	generate(&g, 300);
	t = compare(&g.snap, &g.lens, 0, 1, "class", NULL, NULL);
	m = compare(&g.snap, &g.lens, 0, 1, "class", &mid, NULL);
	for (size_t r = 0; r < table_rows(&t); r++) {
		uint64_t a = (uint64_t)at(&t, r, "only_run"), b = (uint64_t)at(&t, r, "only_against");

		assert_true(at(&m, r, "p_mcnemar") == paired_mcnemar(b, a, 1));
		assert_true(at(&m, r, "p_mcnemar") < at(&t, r, "p_mcnemar") || a == b);
	}
	table_release(&t);
	table_release(&m);
	release(&g);
}

struct share { /* every second one, from the last to the first */
	struct intervals *s;
	size_t from;
};

static void *make_share(void *of)
{
	struct share *w = of;

	for (size_t k = w->s->v.n; k-- > 0;)
		if (k % 2 == w->from)
			intervals_make(w->s, k);
	return NULL;
}

static void put_all(struct intervals *s, struct table *t)
{
	struct share share[2] = {{s, 0}, {s, 1}};
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, make_share, &share[0]), 0);
	make_share(&share[1]);
	pthread_join(thread, NULL);
	for (size_t k = 0; k < s->v.n; k++)
		intervals_put(s, k, t);
}

/* The same bits whoever makes an interval, when, and among which others. */
static void intervals_are_the_same_bits(void **state)
{
	static const char *const clusters[] = {"", "image"};
	struct generated g;

	(void)state;
	generate(&g, 400);
	for (size_t c = 0; c < COUNT(clusters); c++) {
		struct intervals *later = NULL;
		const struct report_pairing one = {.cluster = str_z(clusters[c]), .seed = 7};
		const struct report_pairing two = {.cluster = str_z(clusters[c]), .seed = 7, .intervals = &later};
		const struct report_pairing other = {.cluster = str_z(clusters[c]), .seed = 8};
		struct table t = compare(&g.snap, &g.lens, 0, 1, "class", &one, NULL);
		struct table s = compare(&g.snap, &g.lens, 0, 1, "class", &two, NULL);
		struct table o = compare(&g.snap, &g.lens, 0, 1, "class", &other, NULL);
		int lo = table_find(&s, STR("lo")), moved = 0;

		assert_non_null(later);
		assert_true(at(&s, 0, "lo") == at(&t, 0, "lo")); /* of all: there at once */
		assert_true(table_look(&s, 1, (size_t)lo)->later);
		assert_true(isnan(at(&s, 1, "lo")));
		put_all(later, &s);
		for (size_t r = 0; r < table_rows(&t); r++) {
			assert_false(table_look(&s, r, (size_t)lo)->later);
			assert_true(at(&s, r, "lo") == at(&t, r, "lo") && at(&s, r, "hi") == at(&t, r, "hi"));
			moved += at(&o, r, "lo") != at(&t, r, "lo") || at(&o, r, "hi") != at(&t, r, "hi");
			assert_true(at(&o, r, "seed") == 8);
		}
		assert_true(moved > 0);
		intervals_free(later);
		table_release(&t);
		table_release(&s);
		table_release(&o);
	}
	release(&g);
}

static void intervals_go_by_the_rows_shown(void **state)
{
	static const uint32_t rows[] = {0, 6, 2, 4, 1, 3, 5};
	struct intervals *later = NULL;
	const struct report_pairing pairing = {.seed = 7, .intervals = &later};
	struct generated g;
	struct table t;

	(void)state;
	generate(&g, 400);
	t = compare(&g.snap, &g.lens, 0, 1, "class", &pairing, NULL);
	intervals_order(later, rows, COUNT(rows));
	for (size_t k = 0; k < COUNT(rows); k++) {
		const struct fourfold *f = &later->v.v[k].f;

		assert_int_equal(later->v.v[k].row, rows[k]);
		assert_true((double)fourfold_n(f) == at(&t, rows[k], "n"));
	}
	table_give_up(&t);
	assert_false(table_look(&t, 1, (size_t)table_find(&t, STR("hi")))->later);
	intervals_free(later);
	table_release(&t);
	release(&g);
}

/* Of 300 simulated experiments with clusters of three that hang together some 95 % of the intervals
 * by clusters hold the true difference, 0; of those by samples fewer do. */
static void cluster_intervals_cover(void **state)
{
	uint64_t seed = 9;
	int held = 0, samples = 0;

	(void)state;
	for (int k = 0; k < 300; k++) {
		struct fourfold cluster[150] = {{0}}, whole = {0};
		double lo, hi;

		for (int c = 0; c < 150; c++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			cluster[c] = (struct fourfold[]){{3, 0, 0, 0}, {0, 3, 0, 0}, {0, 0, 3, 0}, {1, 0, 0, 2}}[seed >> 62];
			whole.both += cluster[c].both;
			whole.only_a += cluster[c].only_a;
			whole.only_b += cluster[c].only_b;
			whole.neither += cluster[c].neither;
		}
		paired_bootstrap_clusters(cluster, 150, 1000, (uint64_t)k, &lo, &hi);
		held += lo <= 0 && 0 <= hi;
		paired_bootstrap(&whole, 1000, (uint64_t)k, &lo, &hi);
		samples += lo <= 0 && 0 <= hi;
	}
	/* 285, give or take four standard errors and the interval's own bias; by samples about 74 % */
	assert_in_range(held, 266, 299);
	assert_in_range(samples, 190, 255);
}

/* --- random worlds --- */

#define WORLD_N 180

static uint64_t *random_mask(struct world *w)
{
	uint64_t *mask = NULL;

	if (world_rnd(w, 3)) {
		mask = bits_new(WORLD_N);
		for (int i = 0; i < WORLD_N; i++)
			if (world_rnd(w, 4))
				bits_set(mask, (size_t)i);
	}
	return mask;
}

static enum verdict says(const struct world *w, int run, int i)
{
	const struct expr right = {.kind = K_VERDICT, .who = W_RUN, .run = run, .what = VERDICT_RIGHT};
	const struct expr wrong = {.kind = K_VERDICT, .who = W_RUN, .run = run, .what = VERDICT_WRONG};

	return naive_says(w, &right, i) ? VERDICT_RIGHT : naive_says(w, &wrong, i) ? VERDICT_WRONG : VERDICT_UNCOUNTED;
}

/* Is the class (-1: any) one of the sample's, in the lens's layer? */
static bool member(const struct world *w, int class, int i)
{
	const struct expr in = {.kind = K_TRUTH, .what = -1, .set = (uint16_t)(1u << (class < 0 ? 0 : class))};

	return class < 0 || naive_says(w, &in, i);
}

static void recount(const struct world *w, const uint64_t *mask, const struct table *t, size_t row, int class)
{
	double both = 0, only_a = 0, only_b = 0, neither = 0, out = 0;

	for (int i = 0; i < WORLD_N; i++) {
		enum verdict a = says(w, 0, i), b = says(w, 1, i);

		if ((mask && !bits_get(mask, (size_t)i)) || !member(w, class, i))
			continue;
		out += a == VERDICT_UNCOUNTED || b == VERDICT_UNCOUNTED;
		both += a == VERDICT_RIGHT && b == VERDICT_RIGHT;
		only_a += a == VERDICT_RIGHT && b == VERDICT_WRONG;
		only_b += a == VERDICT_WRONG && b == VERDICT_RIGHT;
		neither += a == VERDICT_WRONG && b == VERDICT_WRONG;
	}
	assert_true(at(t, row, "both") == both && at(t, row, "only_run") == only_a);
	assert_true(at(t, row, "only_against") == only_b && at(t, row, "neither") == neither);
	assert_true(at(t, row, "excluded") == out && at(t, row, "flips") == only_a + only_b);
	assert_true(at(t, row, "n") == both + only_a + only_b + neither);
	assert_true(isnan(at(t, row, "p_mcnemar")) == (at(t, row, "n") == 0));
}

static bool warns(const struct table *t, const char *how)
{
	for (size_t i = 0; i < t->warnings.n; i++)
		if (str_starts(str_z(t->warnings.v[i]), str_z(how)))
			return true;
	return false;
}

/* What differs is said, with counts; what does not is not. */
static void check_warnings(const struct world *w, const uint64_t *mask, const struct table *t)
{
	unsigned a_alone = 0, b_alone = 0, counted_a = 0, counted_b = 0;
	char text[80];

	for (int i = 0; i < WORLD_N; i++) {
		bool a = w->outcome[0][i] != OUTCOME_MISSING, b = w->outcome[1][i] != OUTCOME_MISSING;
		bool x = says(w, 0, i) != VERDICT_UNCOUNTED, y = says(w, 1, i) != VERDICT_UNCOUNTED;

		if (mask && !bits_get(mask, (size_t)i))
			continue;
		a_alone += a && !b;
		b_alone += b && !a;
		counted_a += x && !y;
		counted_b += y && !x;
	}
	assert_true(warns(t, "sample sets differ") == (a_alone || b_alone));
	assert_true(warns(t, "coverage differs") == (counted_a || counted_b));
	snprintf(text, sizeof text, "%u were put to a alone and %u to b alone", a_alone, b_alone);
	for (size_t i = 0; i < t->warnings.n; i++)
		if (str_starts(str_z(t->warnings.v[i]), STR("sample sets")))
			assert_non_null(strstr(t->warnings.v[i], text));
	snprintf(text, sizeof text, "without %u of a and %u of b", counted_a, counted_b);
	for (size_t i = 0; i < t->warnings.n; i++)
		if (str_starts(str_z(t->warnings.v[i]), STR("coverage")))
			assert_non_null(strstr(t->warnings.v[i], text));
}

static void counts_agree_with_a_recount(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 25; seed++) {
		struct world w;
		uint64_t *mask;
		struct table t;

		world_make(&w, seed, WORLD_N);
		mask = random_mask(&w);
		t = compare(w.snap, &w.lens, 0, 1, "class", NULL, mask);
		recount(&w, mask, &t, 0, -1);
		for (int c = 0; c < WORLD_CLASSES; c++)
			recount(&w, mask, &t, (size_t)c + 1, c);
		check_warnings(&w, mask, &t);
		table_release(&t);
		free(mask);
		world_free(&w);
	}
}

/* --- protocols, clusters --- */

static void protocols_that_differ_are_named(void **state)
{
	struct report_pairing pairing = {.seed = PAIRED_SEED, .batch = {{1, 1}, {4, 10}}};
	struct generated g;
	struct table t;

	(void)state;
	generate(&g, 500);
	t = compare(&g.snap, &g.lens, 0, 1, "none", NULL, NULL);
	assert_false(warns(&t, "protocols differ"));
	assert_string_equal(t.columns.v[table_find(&t, STR("group"))].title, "samples");
	table_release(&t);
	g.runs[0].protocol = "cw";
	g.runs[0].prompt = "Name it.";
	g.runs[1].prompt = "Name it now.";
	g.runs[1].encoder = "clip";
	t = compare(&g.snap, &g.lens, 0, 1, "none", &pairing, NULL);
	assert_string_equal(t.warnings.v[1],
			    "protocols differ: protocol a cw, b (not told); prompt a 8 bytes, b 12, the first 7 the "
			    "same; encoder a (not told), b clip; batch a 1, b 4 to 10");
	assert_true(str_starts(str_z(t.warnings.v[0]), STR("sample sets differ")));
	table_release(&t);
	t = compare(&g.snap, &g.lens, 1, 1, "none", NULL, NULL);
	assert_string_equal(t.warnings.v[0], "a and b are one and the same run");
	assert_true(at(&t, 0, "p_mcnemar") == 1 && at(&t, 0, "delta") == 0 && at(&t, 0, "lo") == 0);
	table_release(&t);
	release(&g);
}

static void clusters_follow_the_values(void **state)
{
	static const uint32_t value[] = {1, 0, UINT32_MAX, 1, UINT32_MAX}, off[] = {0, 1, 1, 3, 4, 5},
			      sets[] = {0, 0, 1, 1, 0};
	static const char *const names[] = {"x", "y"};
	double numbers_of[] = {2.5, NAN, 1, 2.5, 1};
	struct facet facets[3] = {{.name = "one", .n_values = 2, .values = (const char **)names,
				   .value = snap_uints(DT_U8, value, 5)},
				  {.name = "many", .n_values = 2, .values = (const char **)names, .multi = true,
				   .sets = {snap_uints(DT_U32, off, 6), snap_uints(DT_U8, sets, 5)}},
				  {.name = "size", .numeric = true, .number = {DT_F64, 5, numbers_of}}};
	struct snapshot snap = {.n = 5, .n_facets = 3, .facets = facets};
	struct clustering_of c;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(cluster_make(&snap, STR("one"), &c, &err), OK);
	assert_true(c.n == 4 && c.of[0] == c.of[3] && c.of[0] != c.of[1] && c.of[2] != c.of[4]);
	cluster_release(&c);
	assert_int_equal(cluster_make(&snap, STR("size"), &c, &err), OK);
	assert_true(c.n == 3 && c.of[0] == c.of[3] && c.of[2] == c.of[4] && c.of[1] != c.of[0] && c.of[1] != c.of[2]);
	cluster_release(&c);
	assert_int_equal(cluster_make(&snap, STR("many"), &c, &err), E_USAGE);
	assert_non_null(strstr(err.msg, "1 samples have several values of many"));
	assert_int_equal(cluster_make(&snap, STR("sise"), &c, &err), E_USAGE);
	assert_non_null(strstr(err.msg, "did you mean size"));
	column_release(&facets[0].value);
	csr_release(&facets[1].sets);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_agree_with_scipy),
	    cmocka_unit_test(swapping_turns_the_signs),
	    cmocka_unit_test(mid_p_is_half_a_term_less),
	    cmocka_unit_test(intervals_are_the_same_bits),
	    cmocka_unit_test(intervals_go_by_the_rows_shown),
	    cmocka_unit_test(cluster_intervals_cover),
	    cmocka_unit_test(counts_agree_with_a_recount),
	    cmocka_unit_test(protocols_that_differ_are_named),
	    cmocka_unit_test(clusters_follow_the_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
