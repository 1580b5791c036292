/* Tables of core/report: their numbers against a naive recount, their doors against the filter. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/bits.h"
#include "core/base/xmalloc.h"
#include "core/report/report.h"
#include "tests/unit/lib_naive.h"

#define N 180

struct fixture {
	struct world w;
	uint64_t *mask; /* NULL: all */
	int runs[WORLD_RUNS];
	struct report_ctx ctx;
};

static void set_up(struct fixture *f, uint32_t seed)
{
	world_make(&f->w, seed, N);
	f->mask = NULL;
	if (world_rnd(&f->w, 3)) {
		f->mask = bits_new(N);
		for (int i = 0; i < N; i++)
			if (world_rnd(&f->w, 4))
				bits_set(f->mask, (size_t)i);
	}
	for (int r = 0; r < WORLD_RUNS; r++)
		f->runs[r] = r;
	f->ctx = (struct report_ctx){.snap = f->w.snap, .lens = &f->w.lens, .mask = f->mask,
				     .runs = f->runs, .n_runs = WORLD_RUNS};
}

static void tear_down(struct fixture *f)
{
	free(f->mask);
	world_free(&f->w);
}

static struct table make(const struct fixture *f, const char *name, const char *by)
{
	struct report_ctx ctx = f->ctx;
	struct err err = ERR_INIT;
	struct table t;

	ctx.by = str_z(by);
	if (strcmp(name, "groups") == 0 || strcmp(name, "compare") == 0)
		ctx.n_runs = 2;
	if (report_find(str_z(name))->make(&ctx, &t, &err) != OK)
		fail_msg("%s by %s: %s", name, by, err.msg);
	return t;
}

static double number(const struct table *t, size_t row, const char *column)
{
	int at = table_find(t, str_z(column));

	assert_true(at >= 0);
	return table_look(t, row, (size_t)at)->number;
}

static const char *text(const struct table *t, size_t row, const char *column)
{
	int at = table_find(t, str_z(column));

	assert_true(at >= 0);
	return table_look(t, row, (size_t)at)->text;
}

/* --- numbers --- */

struct recount {
	int right, wrong, uncounted;
};

/* Of the samples of the mask for which `member` is true (NULL: all). */
static struct recount recount(const struct fixture *f, int run, const struct expr *member)
{
	struct recount c = {0};

	for (int i = 0; i < N; i++) {
		const struct expr right = {.kind = K_VERDICT, .who = W_RUN, .run = run, .what = VERDICT_RIGHT};
		const struct expr wrong = {.kind = K_VERDICT, .who = W_RUN, .run = run, .what = VERDICT_WRONG};

		if ((f->mask && !bits_get(f->mask, (size_t)i)) || (member && !naive_says(&f->w, member, i)))
			continue;
		if (naive_says(&f->w, &right, i))
			c.right++;
		else if (naive_says(&f->w, &wrong, i))
			c.wrong++;
		else
			c.uncounted++;
	}
	return c;
}

static void expect_row(const struct table *t, size_t row, struct recount want)
{
	int n = want.right + want.wrong;

	assert_int_equal(number(t, row, "n"), n);
	assert_int_equal(number(t, row, "right"), want.right);
	assert_int_equal(number(t, row, "excluded"), want.uncounted);
	if (n)
		assert_true(fabs(number(t, row, "accuracy") - (double)want.right / n) < 1e-12);
	else
		assert_true(isnan(number(t, row, "accuracy")));
}

/* The condition of a group as the naive evaluator has it: what each of `names` is. */
static struct expr group_of(const char *by, size_t k)
{
	if (strcmp(by, "category") == 0)
		return (struct expr){.kind = K_CATEGORY, .set = (uint16_t)(1u << k)};
	return (struct expr){.kind = K_TRUTH, .what = -1, .set = (uint16_t)(1u << k)};
}

static void check_accuracy(const struct fixture *f, const char *by, size_t n_groups,
			   const char *const *names)
{
	struct table t = make(f, "accuracy", by);
	size_t rows = table_rows(&t), seen = 0;
	const char *layer = table_rows(&t) ? text(&t, 0, "layer") : "";

	for (size_t r = 0; r < rows; r++) {
		const char *group = text(&t, r, "group");
		int run = -1;

		for (int k = 0; k < WORLD_RUNS; k++)
			if (strcmp(text(&t, r, "run"), world_handle[k]) == 0)
				run = k;
		assert_true(run >= 0);
		if (strcmp(text(&t, r, "layer"), layer) != 0)
			continue; /* under another lens */
		if (strcmp(group, "all") == 0)
			expect_row(&t, r, recount(f, run, NULL));
		for (size_t k = 0; k < n_groups; k++)
			if (strcmp(group, names[k]) == 0) {
				struct expr e = group_of(by, k);

				expect_row(&t, r, recount(f, run, &e));
				seen++;
			}
	}
	assert_true(n_groups == 0 || seen > 0);
	table_release(&t);
}

static void accuracy_is_what_a_recount_gives(void **state)
{
	static const char *const categories[] = {"S+", "S-", "M+", "M-", "N"};

	(void)state;
	for (uint32_t seed = 1; seed <= 40; seed++) {
		struct fixture f;
		const char *classes[WORLD_CLASSES];

		set_up(&f, seed);
		check_accuracy(&f, "none", 0, NULL);
		if (eval_category_layer(f.w.snap, &f.w.lens) >= 0)
			check_accuracy(&f, "category", 5, categories);
		for (int c = 0; c < WORLD_CLASSES; c++)
			classes[c] = world_class[c];
		/* Two classes bear one name; their groups have others. */
		for (int c = 0; c < WORLD_CLASSES; c++)
			for (int d = 0; d < c; d++)
				if (strcmp(world_class[c], world_class[d]) == 0)
					classes[c] = classes[d] = "no such name";
		check_accuracy(&f, "class", WORLD_CLASSES, classes);
		tear_down(&f);
	}
}

static void ranks_are_among_equal_n(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 20; seed++) {
		struct fixture f;
		struct table t;

		set_up(&f, seed);
		t = make(&f, "accuracy", "class");
		for (size_t r = 0; r < table_rows(&t); r++) {
			double rank = number(&t, r, "rank"), want = 1, others = 0;

			for (size_t k = 0; k < table_rows(&t); k++)
				if (k != r && strcmp(text(&t, k, "group"), text(&t, r, "group")) == 0 &&
				    strcmp(text(&t, k, "layer"), text(&t, r, "layer")) == 0 &&
				    number(&t, k, "n") == number(&t, r, "n")) {
					others++;
					want += number(&t, k, "accuracy") > number(&t, r, "accuracy");
				}
			if (others > 0 && !isnan(number(&t, r, "accuracy")))
				assert_true(rank == want);
			else
				assert_true(isnan(rank));
		}
		table_release(&t);
		tear_down(&f);
	}
}

/* --- doors --- */

static uint32_t opened(struct fixture *f, const char *condition)
{
	struct err err = ERR_INIT;
	struct filter *filter;
	uint64_t *bits = bits_new(N);
	uint32_t n;

	if (filter_parse(str_z(condition), &f->w.ctx, &filter, NULL, &err) != OK ||
	    filter_eval(filter, &f->w.ctx, bits, NULL, &err) != OK)
		fail_msg("%s: %s", condition, err.msg);
	if (f->mask)
		bits_and(bits, f->mask, N);
	n = (uint32_t)bits_count(bits, N);
	filter_free(filter);
	free(bits);
	return n;
}

static void expect_opened(struct fixture *f, const char *condition, double want, const char *what)
{
	uint32_t n = opened(f, condition);

	if (n != (uint32_t)want)
		fail_msg("%s: %s opens %u, says %.0f (seed %u)", what, condition, n, want, f->w.seed);
}

static int check_doors(struct fixture *f, const struct table *t)
{
	int doors = 0;

	for (size_t r = 0; r < table_rows(t); r++)
		for (size_t c = 0; c < t->columns.n; c++) {
			const struct table_cell *cell = table_look(t, r, c);
			const struct table_share *s = cell->share;

			if (cell->door && t->columns.v[c].kind == TABLE_COUNT && ++doors)
				expect_opened(f, cell->door, cell->number, t->columns.v[c].name);
			if (!s)
				continue;
			expect_opened(f, s->part_door, s->part, "part");
			expect_opened(f, s->whole_door, s->whole, "whole");
			expect_opened(f, s->rest_door, s->rest, "rest");
			if (t->columns.v[c].kind == TABLE_SHARE && s->whole > 0)
				assert_true(fabs(cell->number - s->part / s->whole) < 1e-12);
		}
	return doors;
}

static void every_door_opens_what_its_number_says(void **state)
{
	static const char *const tables[] = {"accuracy", "groups", "compare", "oop", "classes", "facets", "confusion",
					     "pairs"};
	int doors[sizeof tables / sizeof *tables] = {0};

	(void)state;
	for (uint32_t seed = 1; seed <= 12; seed++) {
		struct arena arena = ARENA_INIT;
		struct fixture f;
		const char **by;
		size_t n;

		set_up(&f, seed);
		f.w.ctx.cache = filter_cache_new(f.w.snap, &f.w.lens);
		grouping_choices(f.w.snap, &arena, &by, &n);
		for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
			for (size_t g = 0; g < n; g++) {
				struct table t, wide;

				if (k >= 3 && g > 0) /* these take no grouping */
					break;
				t = make(&f, tables[k], k >= 3 ? "" : by[g]);
				doors[k] += check_doors(&f, &t);
				if (t.pivot_group != t.pivot_value) {
					table_pivot(&t, &wide);
					check_doors(&f, &wide);
					table_release(&wide);
				}
				table_release(&t);
			}
		filter_cache_free(f.w.ctx.cache);
		f.w.ctx.cache = NULL;
		arena_release(&arena);
		tear_down(&f);
	}
	for (int k = 0; k < 5; k++)
		assert_true(doors[k] > 0);
}

/* --- two runs side by side --- */

static void groups_agree_with_accuracy(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 20; seed++) {
		struct fixture f;
		struct table t, all;

		set_up(&f, seed);
		t = make(&f, "groups", "class");
		all = make(&f, "accuracy", "class");
		for (size_t r = 0; r < table_rows(&t); r++)
			for (size_t k = 0; k < table_rows(&all); k++) {
				bool b = strcmp(text(&all, k, "run"), world_handle[1]) == 0;

				if ((!b && strcmp(text(&all, k, "run"), world_handle[0]) != 0) ||
				    strcmp(text(&all, k, "group"), text(&t, r, "group")) != 0)
					continue;
				assert_true(number(&t, r, b ? "n_b" : "n") == number(&all, k, "n"));
				assert_true(number(&t, r, b ? "right_b" : "right") == number(&all, k, "right"));
			}
		table_release(&t);
		table_release(&all);
		tear_down(&f);
	}
}

static void groups_are_of_two_runs_at_most(void **state)
{
	struct err err = ERR_INIT;
	struct fixture f;
	struct table t;

	(void)state;
	set_up(&f, 3);
	assert_int_equal(report_find(STR("groups"))->make(&f.ctx, &t, &err), E_USAGE);
	assert_non_null(strstr(err.msg, "--run A --against B"));
	f.ctx.n_runs = 1;
	assert_int_equal(report_find(STR("groups"))->make(&f.ctx, &t, &err), OK);
	assert_int_equal(table_find(&t, STR("delta")), -1);
	assert_true(table_find(&t, STR("accuracy")) > 0);
	table_release(&t);
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(accuracy_is_what_a_recount_gives),
	    cmocka_unit_test(ranks_are_among_equal_n),
	    cmocka_unit_test(every_door_opens_what_its_number_says),
	    cmocka_unit_test(groups_agree_with_accuracy),
	    cmocka_unit_test(groups_are_of_two_runs_at_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
