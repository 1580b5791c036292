/* MEMO-Bench's table: every number opens as many samples as it says, under every lens and filter;
 * what the screen makes of copied numbers is the same. (tests/real/memo.sh counts the cells.) */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/base/bits.h"
#include "db/column.h"
#include "db/search.h"
#include "tests/unit/lib_memo.h"
#include "tests/unit/lib_project.h"
#include "tui/sieve.h"
#include "tui/view/tables.h"

struct fixture {
	char *folder, *project;
	struct conn *c;
	struct snapshot *snap;
	struct search *search;
	uint32_t seed;
};

static uint32_t below(struct fixture *f, uint32_t n)
{
	f->seed = f->seed * 1664525u + 1013904223u;
	return (f->seed >> 10) % n;
}

static void set_up(struct fixture *f, uint32_t seed)
{
	struct err err = ERR_INIT;

	*f = (struct fixture){.folder = project_folder(), .seed = seed};
	f->project = memo_project(f->folder, seed);
	f->c = project_open(f->project, CONN_READ);
	assert_int_equal(snapshot_load(f->c, NULL, &f->snap, &err), OK);
	assert_int_equal(search_new(&f->search, f->c, f->snap, &err), OK);
	assert_string_equal(f->snap->preset, "memo");
}

static void tear_down(struct fixture *f)
{
	search_free(f->search);
	snapshot_free(f->snap);
	conn_close(f->c);
	free(f->project);
	project_remove(f->folder);
}

/* How many samples of the mask a condition opens. */
static double opens(const struct fixture *f, const struct lens *lens, const uint64_t *mask, const char *condition)
{
	struct filter_ctx ctx = {.snap = f->snap, .lens = lens, .a = 0, .b = 1,
				 .source = search_source(f->search)};
	uint64_t *bits = bits_new(f->snap->n);
	struct filter *filter;
	struct err err = ERR_INIT;
	double n;

	if (filter_parse(str_z(condition), &ctx, &filter, NULL, &err) != OK ||
	    filter_eval(filter, &ctx, bits, NULL, &err) != OK)
		fail_msg("%s: %s", condition, err.msg);
	if (mask)
		bits_and(bits, mask, f->snap->n);
	n = (double)bits_count(bits, f->snap->n);
	filter_free(filter);
	free(bits);
	return n;
}

static void check_share(const struct fixture *f, const struct report_ctx *ctx, const struct table_share *s)
{
	assert_true(opens(f, ctx->lens, ctx->mask, s->part_door) == s->part);
	assert_true(opens(f, ctx->lens, ctx->mask, s->whole_door) == s->whole);
	assert_true(opens(f, ctx->lens, ctx->mask, s->rest_door) == s->rest);
}

static int check_cells(const struct fixture *f, const struct report_ctx *ctx, const struct table *t)
{
	size_t fine = (size_t)table_find(t, STR("n_fine")), srcc = (size_t)table_find(t, STR("srcc"));
	int shares = 0;

	for (size_t r = 0; r < table_rows(t); r++)
		for (size_t c = 0; c < t->columns.n; c++) {
			const struct table_cell *cell = table_look(t, r, c);

			if (cell->share) {
				check_share(f, ctx, cell->share);
				shares++;
			} else if (t->columns.v[c].kind == TABLE_COUNT && cell->door) {
				assert_true(opens(f, ctx->lens, ctx->mask, cell->door) == cell->number);
			}
			if (c == srcc && cell->door)
				assert_true(cell->share->part == table_look(t, r, fine)->number);
		}
	return shares;
}

static struct table make(const struct report_ctx *ctx)
{
	struct err err = ERR_INIT;
	struct table t;

	if (report_find(STR("accuracy"))->make(ctx, &t, &err) != OK)
		fail_msg("%s", err.msg);
	return t;
}

static void same_cells(const struct table *a, const struct table *b)
{
	assert_int_equal(a->cells.n, b->cells.n);
	for (size_t i = 0; i < a->cells.n; i++) {
		double x = a->cells.v[i].number, y = b->cells.v[i].number;

		assert_true(x == y || (isnan(x) && isnan(y)));
	}
}

/* The screen's way: the worker reads the numbers at a desk of its own. */
static void check_screen(const struct fixture *f, const struct report_ctx *ctx, const struct table *t)
{
	struct table_wish w = {.kind = TABLES_RUNS, .snap = snapshot_share(f->snap), .lens = *ctx->lens,
			       .n_runs = ctx->n_runs};
	struct err err = ERR_INIT;
	struct table want, got;
	size_t n_first;

	w.runs = xcalloc((size_t)ctx->n_runs + 1, sizeof *w.runs);
	memcpy(w.runs, ctx->runs, (size_t)ctx->n_runs * sizeof *w.runs);
	if (ctx->mask) {
		w.mask = bits_new(f->snap->n);
		bits_or(w.mask, ctx->mask, f->snap->n);
	}
	w.sieve = sieve_new(conn_path(f->c));
	assert_int_equal(table_wish_fulfil(&w, NULL, &got, &n_first, &err), OK);
	table_pivot(t, &want);
	same_cells(&got, &want);
	table_release(&got);
	table_release(&want);
	sieve_free(w.sieve);
	table_wish_release(&w);
}

static void every_number_is_a_door(void **state)
{
	static const char *const lenses[] = {"", "abstain=exclude", "layer=prompt", "layer=prompt,n=exclude"};

	(void)state;
	for (uint32_t seed = 1; seed <= 3; seed++) {
		struct fixture f;

		set_up(&f, seed);
		for (size_t k = 0; k < 8; k++) {
			struct lens lens = lens_preset(f.snap, f.snap->preset);
			int runs[] = {0, 1};
			struct err err = ERR_INIT;
			struct report_ctx ctx = {.snap = f.snap, .lens = &lens, .runs = runs, .n_runs = 2,
						 .source = search_source(f.search)};
			uint64_t *mask = bits_new(f.snap->n);
			struct table t;

			for (uint32_t i = 0; i < f.snap->n; i++)
				if (below(&f, 3))
					bits_set(mask, i);
			ctx.mask = k < 4 ? mask : NULL;
			if (*lenses[k % 4])
				assert_int_equal(lens_parse(&lens, f.snap, str_z(lenses[k % 4]), &err), OK);
			t = make(&ctx);
			assert_true(check_cells(&f, &ctx, &t) > 100);
			check_screen(&f, &ctx, &t);
			table_release(&t);
			free(mask);
		}
		tear_down(&f);
	}
}

/* Rows: two runs and all generators and each, by all emotions and seven of them. */
static void rows_are_of_runs_and_generators(void **state)
{
	struct fixture f;
	struct lens lens;
	int both[] = {0, 1}, one[] = {1}, seen[] = {0};
	struct report_ctx ctx = {.lens = &lens, .runs = both, .n_runs = 2};
	struct table t;

	(void)state;
	set_up(&f, 5);
	lens = lens_preset(f.snap, f.snap->preset);
	ctx.snap = f.snap;
	t = make(&ctx);
	assert_int_equal(table_rows(&t), (2 + 1 + 4) * (1 + 6));
	assert_true(isnan(table_look(&t, 0, (size_t)table_find(&t, STR("srcc")))->number)); /* no source */
	table_release(&t);
	ctx.runs = one;
	ctx.n_runs = 1;
	t = make(&ctx);
	assert_int_equal(table_rows(&t), 1 + 6);
	table_release(&t);
	seen[0] = (int)f.snap->n_runs + snapshot_layer(f.snap, STR("original"));
	ctx.runs = seen;
	t = make(&ctx);
	assert_int_equal(table_rows(&t), (1 + 4) * (1 + 6));
	table_release(&t);
	ctx.by = STR("generator"); /* what is asked for goes before the benchmark's own */
	t = make(&ctx);
	assert_int_equal(table_rows(&t), 1 + 4);
	table_release(&t);
	tear_down(&f);
}

static double number(const struct table *t, size_t row, const char *column)
{
	return table_look(t, row, (size_t)table_find(t, str_z(column)))->number;
}

/* Two runs that repeat each other: their mean before the generators, which stay as they are. */
static void repeats_are_one_row(void **state)
{
	const size_t each = 1 + 6;
	struct fixture f;
	struct lens lens;
	int both[] = {0, 1};
	struct report_ctx ctx = {.lens = &lens, .runs = both, .n_runs = 2};
	struct table apart, mean, all;

	(void)state;
	set_up(&f, 5);
	lens = lens_preset(f.snap, f.snap->preset);
	ctx.snap = f.snap;
	ctx.source = search_source(f.search);
	apart = make(&ctx);
	f.snap->runs[0].repeats = f.snap->runs[1].repeats = 1;
	mean = make(&ctx);
	ctx.unfold = true;
	all = make(&ctx);
	assert_int_equal(table_rows(&mean), table_rows(&apart) - each);
	assert_int_equal(table_rows(&all), table_rows(&apart) + each);
	assert_string_equal(table_look(&mean, 0, (size_t)table_find(&mean, STR("name")))->text, "a ×2");
	assert_true(number(&mean, 0, "repeats") == 2);
	for (size_t r = 0; r < each; r++) {
		double x = number(&apart, r, "accuracy"), y = number(&apart, r + each, "accuracy");

		assert_true(fabs(number(&mean, r, "accuracy") - (x + y) / 2) < 1e-15);
		assert_true(fabs(number(&mean, r, "hi") - (x + y) / 2 - 12.7062047364 * fabs(x - y) / 2) < 1e-9);
		assert_true(isnan(number(&all, r + each, "rank")) && isnan(number(&all, r + 2 * each, "rank")));
	}
	if (!(fabs(number(&mean, 0, "n_fine") * 2 - number(&apart, 0, "n_fine") - number(&apart, each, "n_fine")) <
	      1e-12))
		fail_msg("%g is not the mean of %g, %g", number(&mean, 0, "n_fine"), number(&apart, 0, "n_fine"),
			 number(&apart, each, "n_fine"));
	for (size_t r = each; r < table_rows(&mean); r++)
		for (size_t c = 0; c < mean.columns.n; c++) {
			const struct table_cell *x = table_look(&mean, r, c), *y = table_look(&apart, r + each, c);

			assert_true(x->number == y->number || (isnan(x->number) && isnan(y->number)));
		}
	table_release(&apart);
	table_release(&mean);
	table_release(&all);
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_number_is_a_door),
	    cmocka_unit_test(rows_are_of_runs_and_generators),
	    cmocka_unit_test(repeats_are_one_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
