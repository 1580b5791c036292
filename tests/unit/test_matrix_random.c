/* Every number of the Matrix view against the samples that its filter opens, on random datasets,
 * lenses, filters, runs and screens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_filters.h"
#include "tui/view/matrix_impl.h"

struct sheet { /* one matrix */
	struct world *w;
	int run;
	uint64_t mask[WORLD_MAX / 64 + 1];
	struct filter_cache *cache;
	struct matrix_answer now;
	struct matrix_grid grid;
	int b; /* -1: none */
	uint8_t folded[WORLD_CLASSES];
};

static uint32_t opened(struct sheet *s, const char *text)
{
	uint64_t bits[WORLD_MAX / 64 + 1] = {0};
	struct filter_ctx ctx = s->w->ctx;
	struct err err = ERR_INIT;
	struct filter *f;
	uint32_t n;

	ctx.cache = s->cache;
	if (filter_parse(str_z(text), &ctx, &f, NULL, &err) != OK ||
	    filter_eval(f, &ctx, bits, NULL, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	bits_and(bits, s->mask, (size_t)s->w->n);
	n = (uint32_t)bits_count(bits, (size_t)s->w->n);
	filter_free(f);
	return n;
}

static void expect(struct sheet *s, uint32_t row, uint32_t column, uint32_t number, int run)
{
	struct buf door = BUF_INIT;

	matrix_door(&s->now.names, &s->grid, row, column, world_handle[run], &door);
	if (opened(s, buf_cstr(&door)) != number)
		fail_msg("seed %u: %s opens %u, the number is %u", s->w->seed, buf_cstr(&door),
			 opened(s, buf_cstr(&door)), number);
	buf_release(&door);
}

/* What is there for the one and not for the other is the difference, and all that moved opens. */
static void expect_moved(struct sheet *s, uint32_t row, uint32_t column, const struct matrix_number *n)
{
	struct buf a = BUF_INIT, b = BUF_INIT, only = BUF_INIT, moved = BUF_INIT;
	uint32_t came, went;

	matrix_door(&s->now.names, &s->grid, row, column, world_handle[s->run], &a);
	matrix_door(&s->now.names, &s->grid, row, column, world_handle[s->b], &b);
	matrix_door_moved(&s->now.names, &s->grid, row, column, world_handle[s->run], world_handle[s->b], &moved);
	buf_printf(&only, "%s -(%s)", buf_cstr(&a), buf_cstr(&b));
	came = opened(s, buf_cstr(&only));
	buf_clear(&only);
	buf_printf(&only, "%s -(%s)", buf_cstr(&b), buf_cstr(&a));
	went = opened(s, buf_cstr(&only));
	assert_int_equal((int)came - (int)went, (int)n->a - (int)n->b);
	assert_int_equal(opened(s, buf_cstr(&moved)), came + went);
	buf_release(&a);
	buf_release(&b);
	buf_release(&only);
	buf_release(&moved);
}

/* Cells and margins; and what stands in a row sums to what the row says. */
static void check_grid(struct sheet *s)
{
	const struct matrix_grid *g = &s->grid;

	for (uint32_t r = 0; r < g->row.n; r++) {
		uint32_t sum = 0;

		for (uint32_t k = 0; k < g->column.n; k++) {
			struct matrix_number n = matrix_number(g, r, k);

			expect(s, g->row.id[r], g->column.id[k], n.a, s->run);
			sum += g->column.id[k] == MATRIX_ALL ? 0 : n.a;
			if (s->b < 0)
				continue;
			expect(s, g->row.id[r], g->column.id[k], n.b, s->b);
			if ((r + k) % 5 == 0)
				expect_moved(s, g->row.id[r], g->column.id[k], &n);
		}
		assert_int_equal(sum, matrix_number(g, r, 0).row_a);
	}
}

static void check_pairs(struct sheet *s)
{
	const struct matrix_counts *c = &s->now.counts;

	for (uint32_t k = 0; k < c->n_pairs; k++) {
		const struct confused_pair *p = &c->pair[k];

		expect(s, p->truth, p->answer, p->count, s->run);
		if (p->answer < WORLD_CLASSES)
			expect(s, p->answer, p->truth, p->back, s->run);
	}
}

/* What the foot says of a row: so many have the class, or one of the group. */
static void check_support(struct sheet *s)
{
	const struct confusion *m = &s->now.counts.a.m;

	for (uint32_t k = 0; k < s->now.counts.n_order; k++) {
		uint32_t class = s->now.counts.order[k];
		struct buf door = BUF_INIT;

		buf_printf(&door, "gt:%s", s->now.names.value[class]);
		assert_int_equal(opened(s, buf_cstr(&door)), m->support[class]);
		buf_release(&door);
	}
}

static void count(struct sheet *s, enum class_order order)
{
	static const uint8_t *const unknown[2] = {NULL, NULL};
	struct matrix_wish w = {.snap = s->w->snap, .lens = s->w->lens, .a = s->run, .b = s->b,
				.mask = s->mask, .order = order, .folded = s->folded};

	matrix_count(&w, unknown, &(struct confusion_way){.group = NULL}, &s->now);
}

/* Some of the classes that have others below them. */
static void fold(struct sheet *s, uint32_t chance)
{
	memset(s->folded, 0, sizeof s->folded);
	for (int c = 0; c < WORLD_CLASSES && chance; c++)
		if (s->w->class_parent[c] >= 0 && world_rnd(s->w, 4) < chance)
			s->folded[s->w->class_parent[c]] = 1;
}

static void check_sheet(struct sheet *s, struct matrix_look *look)
{
	struct world *w = s->w;

	fold(s, world_rnd(w, 3));
	s->b = world_rnd(w, 2) ? (int)world_rnd(w, WORLD_RUNS) : -1;
	look->difference = s->b >= 0;
	count(s, (enum class_order)world_rnd(w, N_CLASS_ORDERS));
	check_support(s);
	for (int k = 0; k < 3; k++) {
		struct rect area = {1, 0, 6 + (int)world_rnd(w, 30), 30 + (int)world_rnd(w, 150)};

		look->row = world_rnd(w, WORLD_CLASSES);
		look->column = world_rnd(w, WORLD_CLASSES);
		look->top_row = world_rnd(w, WORLD_CLASSES);
		matrix_lay(&s->now.counts, look, area, &s->grid);
		check_grid(s);
		if (k == 0)
			check_pairs(s);
		matrix_grid_release(&s->grid);
	}
	matrix_answer_release(&s->now);
}

/* A random filter's samples. */
static void narrow(struct sheet *s)
{
	struct arena arena = ARENA_INIT;
	struct expr *e = filters_random(s->w, &arena, 2);

	memset(s->mask, 0, sizeof s->mask);
	for (int i = 0; i < s->w->n; i++)
		if (naive_says(s->w, e, i) || world_rnd(s->w, 3))
			bits_set(s->mask, (size_t)i);
	arena_release(&arena);
}

static void every_number_opens_its_samples(void **state)
{
	static struct world w;

	(void)state;
	for (uint32_t seed = 1; seed <= 40; seed++) {
		struct sheet s = {.w = &w, .b = -1};
		struct matrix_look look = {.share = (enum matrix_share)(seed % 3)};

		world_make(&w, seed * 104729, (int[]){300, 64, 1, 400}[seed % 4]);
		s.cache = filter_cache_new(w.snap, &w.lens);
		for (int k = 0; k < 2; k++) {
			s.run = (int)world_rnd(&w, WORLD_RUNS);
			narrow(&s);
			check_sheet(&s, &look);
		}
		filter_cache_free(s.cache);
		world_free(&w);
	}
}

/* --- orders --- */

static void every_order_has_every_class_once(void **state)
{
	static struct world w;

	(void)state;
	for (uint32_t seed = 1; seed <= 10; seed++)
		for (int o = 0; o < N_CLASS_ORDERS; o++) {
			struct sheet s = {.w = &w, .b = -1}, again = {.w = &w, .b = -1};
			uint32_t seen = 0;

			world_make(&w, seed * 31, 300);
			bits_fill(s.mask, (size_t)w.n, true);
			bits_fill(again.mask, (size_t)w.n, true);
			count(&s, (enum class_order)o);
			count(&again, (enum class_order)o);
			assert_int_equal(s.now.counts.n_order, WORLD_CLASSES);
			for (int c = 0; c < WORLD_CLASSES; c++)
				seen |= 1u << s.now.counts.order[c];
			assert_int_equal(seen, (1u << WORLD_CLASSES) - 1);
			assert_memory_equal(s.now.counts.order, again.now.counts.order,
					    WORLD_CLASSES * sizeof(uint32_t));
			matrix_answer_release(&s.now);
			matrix_answer_release(&again.now);
			world_free(&w);
		}
}

/* A matrix by hand: 0 and 4 are confused most, then 4 and 2, then 1 and 3. */
static void clusters_stand_together(void **state)
{
	static const uint32_t want[] = {0, 4, 2, 1, 3, 5};
	static struct confusion_cell cell[] = {{0, 9}, {4, 5}, {3, 2}, {2, 7}, {4, 3}, {1, 1},
					       {0, 4}, {5, 8}};
	static uint32_t off[] = {0, 2, 3, 5, 6, 7, 8, 8}, support[] = {14, 2, 10, 1, 4, 20, 0};
	static struct class_info class[] = {{5, "", "b", 0}, {4, "", "a", 0}, {3, "", "f", 0},
					    {2, "", "e", 0}, {1, "", "d", 0}, {0, "", "c", 0}};
	struct confusion m = {.n_classes = 6, .n_rows = 7, .n_columns = 12, .off = off, .cell = cell,
			      .support = support};
	struct snapshot snap = {.n_classes = 6, .classes = class};
	uint32_t got[6];

	(void)state;
	class_order_make(&snap, &m, ORDER_CLUSTER, got);
	assert_memory_equal(got, want, sizeof want);
	class_order_make(&snap, &m, ORDER_INDEX, got);
	assert_memory_equal(got, ((uint32_t[]){5, 4, 3, 2, 1, 0}), sizeof got);
	class_order_make(&snap, &m, ORDER_NAME, got);
	assert_memory_equal(got, ((uint32_t[]){1, 0, 5, 4, 3, 2}), sizeof got);
	class_order_make(&snap, &m, ORDER_SUPPORT, got);
	assert_memory_equal(got, ((uint32_t[]){5, 0, 2, 4, 1, 3}), sizeof got);
	class_order_make(&snap, &m, ORDER_CONFUSED, got);
	assert_memory_equal(got, ((uint32_t[]){4, 0, 1, 2, 3, 5}), sizeof got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_number_opens_its_samples),
	    cmocka_unit_test(every_order_has_every_class_once),
	    cmocka_unit_test(clusters_stand_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
