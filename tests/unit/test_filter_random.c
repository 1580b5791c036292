/* The language against a naive evaluator, which walks samples one by one over another shape of
 * the same data (lib_naive.h), on random filters that are made as trees, not parsed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib_filters.h"

/* --- the comparison --- */

static void expect(const struct world *w, const struct filter *f, const struct filter_ctx *ctx,
		   const struct expr *e, const char *text)
{
	static uint64_t bits[WORLD_MAX / 64 + 2];
	struct err err = ERR_INIT;

	bits[bits_words((size_t)w->n)] = 42;
	if (filter_eval(f, ctx, bits, NULL, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	assert_int_equal(bits[bits_words((size_t)w->n)], 42);
	for (int i = 0; i < w->n; i++)
		if (bits_get(bits, (size_t)i) != naive_says(w, e, i))
			fail_msg("seed %u, sample %d of %d: %s is %d", w->seed, i, w->n, text,
				 bits_get(bits, (size_t)i));
	for (size_t i = (size_t)w->n; i < bits_words((size_t)w->n) * 64; i++)
		assert_false(bits_get(bits, i));
}

static struct filter *must_parse(const char *text, const struct filter_ctx *ctx)
{
	struct filter *f = NULL;
	struct err err = ERR_INIT;

	if (filter_parse(str_z(text), ctx, &f, NULL, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	return f;
}

/* As it is written; as it is formatted; with a and b written out, where there is neither. */
static void check(struct world *w, const struct expr *e, struct filter_cache *cache)
{
	struct buf text = BUF_INIT, again = BUF_INIT, shown = BUF_INIT;
	struct filter_ctx ctx = w->ctx, no_runs = w->ctx;
	struct filter *f, *g;

	filters_put(w, &text, e, 0);
	ctx.cache = world_rnd(w, 4) ? cache : NULL;
	f = must_parse(buf_cstr(&text), &ctx);
	expect(w, f, &ctx, e, buf_cstr(&text));
	filter_format(f, NULL, &again);
	g = must_parse(buf_cstr(&again), &ctx);
	if (!filter_eq(f, g))
		fail_msg("%s became %s", buf_cstr(&text), buf_cstr(&again));
	expect(w, g, &ctx, e, buf_cstr(&again));
	filter_free(g);
	filter_format(f, &ctx, &shown);
	no_runs.a = no_runs.b = -1;
	g = must_parse(buf_cstr(&shown), &no_runs);
	expect(w, g, &no_runs, e, buf_cstr(&shown));
	filter_free(g);
	filter_free(f);
	buf_release(&text);
	buf_release(&again);
	buf_release(&shown);
}

static void random_filters(void **state)
{
	static struct world w;
	unsigned long kinds[N_KINDS] = {0};

	(void)state;
	for (uint32_t seed = 1; seed <= 60; seed++) {
		struct filter_cache *cache;
		struct arena arena = ARENA_INIT;

		world_make(&w, seed * 7919, (int[]){333, 64, 1, 65, 400, 128}[seed % 6]);
		cache = filter_cache_new(w.snap, &w.lens);
		for (int k = 0; k < 80; k++) {
			struct expr *e = filters_random(&w, &arena, k % 5);

			kinds[e->kind]++;
			check(&w, e, cache);
			arena_clear(&arena);
		}
		arena_release(&arena);
		filter_cache_free(cache);
		world_free(&w);
	}
	for (int k = 0; k < N_KINDS; k++)
		if (!kinds[k])
			fail_msg("condition %d was never tried", k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(random_filters)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
