#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/bits.h"
#include "core/base/xmalloc.h"
#include "core/filter/filter.h"
#include "core/group/grouping.h"
#include "tests/unit/lib_snap.h"

#define N 400

/* A dataset with one of each kind: classes of which two share a name and which form a tree, two
 * layers, facets of values, of several values, of a tree, of few and of many numbers. */
struct world {
	struct class_info classes[6];
	struct layer layers[2];
	struct facet facets[5];
	struct run run;
	struct snapshot snap;
	struct lens lens;
};

static uint32_t seed;

static uint32_t rnd(uint32_t below)
{
	seed = seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)seed * below) >> 32);
}

static struct csr random_sets(uint32_t below, uint32_t most)
{
	uint32_t off[N + 1] = {0}, val[N * 4], n = 0;

	for (int i = 0; i < N; i++) {
		for (uint32_t c = 0, left = rnd(most + 1); c < below && left; c++)
			if (rnd(2)) {
				val[n++] = c;
				left--;
			}
		off[i + 1] = n;
	}
	return (struct csr){snap_uints(DT_U32, off, N + 1), snap_uints(DT_U8, val, n)};
}

static struct column random_values(uint32_t below)
{
	uint32_t v[N];

	for (int i = 0; i < N; i++)
		v[i] = rnd(5) ? rnd(below) : UINT32_MAX;
	return snap_uints(DT_U8, v, N);
}

static struct column random_numbers(uint32_t below)
{
	struct column c = column_new(DT_F64, N);

	for (int i = 0; i < N; i++)
		if (rnd(6))
			column_set_f(&c, (size_t)i, rnd(below) / 4.0);
	return c;
}

static struct layer random_layer(const char *name)
{
	struct layer l = {.name = name, .sets = random_sets(6, 3)};
	uint8_t covered[N];
	uint32_t *off = l.sets.off.data;

	for (int i = 0; i < N; i++)
		covered[i] = off[i + 1] > off[i] || rnd(2);
	l.covered = snap_u8(covered, N);
	return l;
}

static void world_make(struct world *w)
{
	static const char *names[] = {"crane", "crane", "ox", "a b", "S-", "mink"};
	static const uint32_t parents[] = {UINT32_MAX, 0, 0, 1, UINT32_MAX, 4};
	static const char *values[] = {"fear", "worry", "deep worry", "joy", "scene, or not"};
	static const uint32_t tree[] = {UINT32_MAX, 0, 1, UINT32_MAX, UINT32_MAX};
	static const uint32_t flat[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
	uint8_t outcome[N];

	*w = (struct world){0};
	for (int c = 0; c < 6; c++)
		w->classes[c] = (struct class_info){c * 10, "", names[c], parents[c]};
	for (int i = 0; i < N; i++)
		outcome[i] = (uint8_t)rnd(N_OUTCOMES);
	w->layers[0] = random_layer("original");
	w->layers[1] = random_layer("reannotated");
	w->facets[0] = (struct facet){.name = "emotion", .n_values = 5, .values = values, .parents = tree,
				      .value = random_values(5)};
	w->facets[1] = (struct facet){.name = "gt", .n_values = 5, .values = values, .parents = flat,
				      .multi = true, .sets = random_sets(5, 3)};
	w->facets[2] = (struct facet){.name = "face type", .n_values = 3, .values = values,
				      .parents = flat, .value = random_values(3)};
	w->facets[3] = (struct facet){.name = "degree", .numeric = true, .number = random_numbers(6)};
	w->facets[4] = (struct facet){.name = "mos", .numeric = true, .number = random_numbers(5000)};
	w->run = (struct run){.handle = "r", .model = "r", .protocol = "", .outcome = snap_u8(outcome, N),
			      .label = random_values(6)};
	w->snap = (struct snapshot){.n = N, .n_classes = 6, .n_layers = 2, .n_facets = 5, .n_runs = 1,
				    .classes = w->classes, .layers = w->layers, .facets = w->facets,
				    .runs = &w->run};
	w->lens = lens_default(&w->snap);
}

static void world_release(struct world *w)
{
	for (int f = 0; f < 5; f++) {
		column_release(&w->facets[f].value);
		column_release(&w->facets[f].number);
		csr_release(&w->facets[f].sets);
	}
	snap_drop_layer(&w->layers[0]);
	snap_drop_layer(&w->layers[1]);
	snap_drop_run(&w->run);
}

static bool is_in(const struct grouping *g, uint32_t i, uint32_t group)
{
	for (uint32_t k = g->off[i]; k < g->off[i + 1]; k++)
		if (g->val[k] == group)
			return true;
	return false;
}

/* Each group is what its condition opens, and the tallies are of its samples. */
static void check_groups(struct world *w, const char *by)
{
	struct filter_ctx ctx = {.snap = &w->snap, .lens = &w->lens, .a = 0, .b = -1};
	struct err err = ERR_INIT;
	uint8_t verdict[N];
	struct grouping g;
	struct tally *t;

	if (grouping_make(&w->snap, &w->lens, str_z(by), &g, &err) != OK)
		fail_msg("%s: %s", by, err.msg);
	assert_true(g.n > 0);
	eval_verdicts(&w->snap, &w->lens, 0, verdict);
	t = xcalloc(g.n, sizeof *t);
	grouping_tally(&g, &w->snap, 0, verdict, NULL, t);
	for (uint32_t k = 0; k < g.n; k++) {
		uint64_t bits[N / 64 + 1] = {0};
		struct filter *f;
		uint32_t n = 0, right = 0;

		if (filter_parse(str_z(g.condition[k]), &ctx, &f, NULL, &err) != OK ||
		    filter_eval(f, &ctx, bits, NULL, &err) != OK)
			fail_msg("%s, %s: %s", by, g.condition[k], err.msg);
		filter_free(f);
		for (uint32_t i = 0; i < N; i++) {
			if (is_in(&g, i, k) != bits_get(bits, i))
				fail_msg("%s, %s: sample %u", by, g.condition[k], i);
			n += bits_get(bits, i);
			right += bits_get(bits, i) && verdict[i] == VERDICT_RIGHT;
		}
		assert_int_equal(t[k].n + t[k].excluded, n);
		assert_int_equal(t[k].right, right);
		for (uint32_t j = 0; j < k; j++)
			assert_string_not_equal(g.name[j], g.name[k]);
	}
	free(t);
	grouping_release(&g);
}

static void every_group_is_its_filter(void **state)
{
	static const char *const by[] = {"none", "category", "class", "class/1", "class/2", "emotion",
					 "emotion/1", "emotion/2", "gt", "face_type", "degree", "mos"};
	struct world w;

	(void)state;
	for (seed = 1; seed < 20; seed++) {
		world_make(&w);
		for (size_t k = 0; k < sizeof by / sizeof *by; k++)
			check_groups(&w, by[k]);
		world_release(&w);
	}
}

static void wrong_names_are_told(void **state)
{
	static const char *const bad[] = {"emotio", "face type/1", "mos/1", "class/0", "class/", ""};
	struct grouping g;
	struct world w;

	(void)state;
	seed = 3;
	world_make(&w);
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
		struct err err = ERR_INIT;

		assert_int_equal(grouping_make(&w.snap, &w.lens, str_z(bad[k]), &g, &err), E_USAGE);
		assert_non_null(strstr(err.msg, k == 0 ? "did you mean emotion?" : "nothing is called"));
	}
	world_release(&w);
}

static void choices_can_be_made(void **state)
{
	struct arena arena = ARENA_INIT;
	const char **names;
	struct world w;
	size_t n, levels = 0;

	(void)state;
	seed = 5;
	world_make(&w);
	grouping_choices(&w.snap, &arena, &names, &n);
	assert_int_equal(n, 11);
	for (size_t k = 0; k < n; k++) {
		check_groups(&w, names[k]);
		levels += str_ends(str_z(names[k]), STR("/1")) || str_ends(str_z(names[k]), STR("/2"));
		assert_false(str_ends(str_z(names[k]), STR("/3"))); /* the leaves are the tree itself */
	}
	assert_int_equal(levels, 4);
	arena_release(&arena);
	world_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_group_is_its_filter),
	    cmocka_unit_test(wrong_names_are_told),
	    cmocka_unit_test(choices_can_be_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
