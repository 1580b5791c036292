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
				     .runs = f->runs, .n_runs = WORLD_RUNS, .source = &f->w.source};
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

/* --- answers by their numbers --- */

static const struct expr *of_number(struct expr *e, int run, int number, double x)
{
	*e = (struct expr){.kind = K_NUMBER, .who = W_RUN, .run = run, .what = number, .op = 4, .x = x};
	return e;
}

static int check_numbers(const struct fixture *f, int k, const char *by)
{
	struct report_ctx ctx = f->ctx;
	struct err err = ERR_INIT;
	struct table t;
	int seen = 0, any = 0;

	for (int r = 0; r < WORLD_RUNS; r++)
		for (int i = 0; i < N; i++)
			any += f->w.has_number[r][k] && !isnan(f->w.number[r][k][i]);
	ctx.by = str_z(by);
	if (report_find(STR("accuracy"))->make(&ctx, &t, &err) != OK) {
		assert_int_equal(any, 0);
		assert_int_equal(err.code, E_USAGE);
		return 0;
	}
	for (size_t r = 0; r < table_rows(&t); r++) {
		const char *group = text(&t, r, "group");
		struct expr e;
		int run = 0;

		while (strcmp(text(&t, r, "run"), world_handle[run]) != 0)
			run++;
		if (strcmp(group, "all") == 0)
			expect_row(&t, r, recount(f, run, NULL));
		if (strchr("0123456789", group[0]) && !strstr(group, "\xe2\x80\x93") && ++seen)
			expect_row(&t, r, recount(f, run, of_number(&e, run, k, strtod(group, NULL))));
	}
	table_release(&t);
	return seen;
}

static void answers_are_grouped_by_their_numbers(void **state)
{
	int seen[WORLD_NUMBERS] = {0};

	(void)state;
	for (uint32_t seed = 1; seed <= 20; seed++) {
		struct fixture f;

		set_up(&f, seed);
		seen[0] += check_numbers(&f, 0, "score");
		seen[1] += check_numbers(&f, 1, "tokens");
		check_numbers(&f, 2, "position"); /* up to 300 of them: ranges */
		tear_down(&f);
	}
	assert_true(seen[0] > 0 && seen[1] > 0);
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

static double part_of(const struct table_cell *cell, const char *label)
{
	for (size_t k = 0; k < cell->n_parts; k++)
		if (strcmp(cell->parts[k].label, label) == 0)
			return cell->parts[k].n;
	fail_msg("no part %s", label);
	return 0;
}

static double over(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

/* From the parts that open, by the formula. */
static double from_parts(const struct table_cell *c, const char *column)
{
	if (strcmp(column, "precision") == 0)
		return over(part_of(c, "hits"), part_of(c, "hits") + part_of(c, "false hits"));
	if (strcmp(column, "recall") == 0)
		return over(part_of(c, "hits"), part_of(c, "hits") + part_of(c, "missed"));
	if (strcmp(column, "f1") == 0)
		return over(2 * part_of(c, "hits"), 2 * part_of(c, "hits") + part_of(c, "errors"));
	if (strcmp(column, "delta") == 0)
		return over(part_of(c, "improved") - part_of(c, "regressed"),
			    part_of(c, "improved") + part_of(c, "regressed") + part_of(c, "both right") +
				part_of(c, "both wrong"));
	if (strcmp(column, "positive") == 0)
		return over(part_of(c, "says yes"), part_of(c, "counted"));
	if (strcmp(column, "signal") == 0)
		return over(part_of(c, "truth yes"), part_of(c, "counted"));
	if (strcmp(column, "tpr") == 0)
		return over(part_of(c, "yes, rightly"), part_of(c, "truth yes"));
	if (strcmp(column, "tnr") == 0)
		return over(part_of(c, "no, rightly"), part_of(c, "truth no"));
	return c->number;
}

/* Every number that is made of others is what they give, and each of them opens its samples. */
static void check_parts(struct fixture *f, const struct table *t, const struct table_cell *cell, size_t column)
{
	double want;

	for (size_t k = 0; k < cell->n_parts; k++)
		expect_opened(f, cell->parts[k].door, cell->parts[k].n, cell->parts[k].label);
	if (!cell->n_parts)
		return;
	want = from_parts(cell, t->columns.v[column].name);
	if (!(isnan(want) && isnan(cell->number)) && !(fabs(want - cell->number) < 1e-12))
		fail_msg("%s is %f, its parts give %f (seed %u)", t->columns.v[column].name, cell->number, want,
			 f->w.seed);
}

/* Bounds of an interval are of the samples of what they are around. */
static bool is_bound(const char *column)
{
	return strcmp(column, "lo") == 0 || strcmp(column, "hi") == 0;
}

/* No number of the tables that the screen shows, or of classes, is without a door and a reason. */
static void check_reason(const struct table *t, const struct table_cell *cell, size_t column)
{
	static const char *const shown[] = {"accuracy", "groups", "compare", "classes", "confusion", "pairs"};
	size_t k = 0;

	while (k < sizeof shown / sizeof *shown && strcmp(shown[k], t->title) != 0)
		k++;
	if (k == sizeof shown / sizeof *shown)
		return;
	if (t->columns.v[column].kind == TABLE_TEXT || isnan(cell->number) || cell->door || cell->why ||
	    cell->n_parts || cell->share)
		return;
	fail_msg("%s, %s: neither a door nor a reason", t->title, t->columns.v[column].name);
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
			check_parts(f, t, cell, c);
			check_reason(t, cell, c);
			if (!s)
				continue;
			expect_opened(f, s->part_door, s->part, "part");
			expect_opened(f, s->whole_door, s->whole, "whole");
			expect_opened(f, s->rest_door, s->rest, "rest");
			if (t->columns.v[c].kind == TABLE_SHARE && s->whole > 0 &&
			    !is_bound(t->columns.v[c].name))
				assert_true(fabs(cell->number - s->part / s->whole) < 1e-12);
		}
	return doors;
}

/* Does one of the runs have the number, the k-th of those that are tried? */
static bool has_numbers(const struct fixture *f, size_t k)
{
	size_t number = k == 3 ? 1 : k;

	for (int r = 0; r < WORLD_RUNS; r++)
		for (int i = 0; i < N && f->w.has_number[r][number]; i++)
			if (!isnan(f->w.number[r][number][i]))
				return k != 3 || f->w.snap->n_layers > 1;
	return false;
}

/* Runs of one model: random options, once more, near ones of another label, and a closed world. */
static void ask_by_choice(struct fixture *f)
{
	static const char *const settings[] = {
	    "{\"options\":\"random\",\"truth\":\"original\",\"n_options\":4,\"seed\":1}",
	    "{\"options\":\"random\",\"truth\":\"original\",\"n_options\":4,\"seed\":1,\"repeat\":1}",
	    "{\"options\":\"near\",\"truth\":\"both\",\"n_options\":4,\"encoder\":\"glove\"}", ""};

	for (int r = 0; r < WORLD_RUNS; r++) {
		f->w.snap->runs[r].model = "m";
		f->w.snap->runs[r].prompt = f->w.snap->runs[r].response_format = "";
		f->w.snap->runs[r].protocol = r < 3 ? "MC" : "cw";
		f->w.snap->runs[r].settings = settings[r < 3 ? r : 3];
		f->w.snap->runs[r].n_predictions = 7;
	}
}

static void choices_are_told_apart(void **state)
{
	struct fixture f;
	struct table t, all;
	struct err err = ERR_INIT;
	double a, b;

	(void)state;
	set_up(&f, 4);
	assert_int_equal(report_find(STR("mc"))->make(&f.ctx, &t, &err), E_USAGE);
	ask_by_choice(&f);
	t = make(&f, "mc", "none");
	f.ctx.unfold = true;
	all = make(&f, "mc", "none");
	assert_int_equal(table_rows(&t), WORLD_RUNS - 1);
	assert_int_equal(table_rows(&all), WORLD_RUNS + 1);
	assert_string_equal(text(&t, 0, "run"), "m/MC ×2");
	assert_string_equal(text(&t, 0, "distractors"), "random");
	assert_string_equal(text(&t, 0, "label"), "original");
	assert_true(number(&t, 0, "repeats") == 2 && number(&t, 0, "options") == 4);
	a = number(&all, 1, "accuracy");
	b = number(&all, 2, "accuracy");
	assert_true(fabs(number(&t, 0, "accuracy") - (a + b) / 2) < 1e-12);
	/* Student's t of two: 12.706 s / sqrt(2) = 12.706 |a - b| / 2. */
	assert_true(fabs(number(&t, 0, "hi") - number(&t, 0, "accuracy") - 12.7062 * fabs(a - b) / 2) < 1e-4);
	assert_true(number(&all, 1, "lo") < a && a < number(&all, 1, "hi")); /* Wilson's */
	assert_string_equal(text(&t, 1, "distractors"), "near");
	assert_string_equal(text(&t, 1, "by"), "glove");
	assert_string_equal(text(&t, 1, "label"), "both");
	assert_string_equal(text(&t, 2, "distractors"), "all classes");
	table_release(&t);
	table_release(&all);
	f.w.snap->runs[1].n_predictions = 3; /* it was stopped */
	f.ctx.unfold = false;
	f.w.snap->runs[2].protocol = "mc4-hard";
	f.w.snap->runs[2].settings = NULL;
	t = make(&f, "mc", "none");
	assert_int_equal(table_rows(&t), WORLD_RUNS);
	assert_string_equal(text(&t, 0, "run"), world_handle[0]);
	assert_string_equal(text(&t, 2, "distractors"), "hard");
	table_release(&t);
	tear_down(&f);
}

static void every_door_opens_what_its_number_says(void **state)
{
	static const char *const tables[] = {"accuracy", "oop", "groups", "compare", "protocols", "mc",
					     "classes", "facets", "confusion", "pairs"};
	static const char *const numbers[] = {"score", "tokens", "position", "tokens,category"};
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
			for (size_t g = 0; g < n + 4; g++) {
				struct table t, wide;

				if (k >= 6 ? g > 0 : k >= 2 ? g >= n : g >= n && !has_numbers(&f, g - n))
					continue; /* these take no such grouping */
				if (k == 1 && g == n + 3)
					continue; /* nor this one two of them */
				if (k == 5 && g > 1)
					continue; /* as protocols has it, only other rows */
				if (k == 5)
					ask_by_choice(&f);
				t = make(&f, tables[k], k >= 6 ? "" : g < n ? by[g] : numbers[g - n]);
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
	for (int k = 0; k < 8; k++)
		assert_true(doors[k] > 0);
}

/* --- figures of people and papers --- */

/* Below the runs, without doors, ranks, or an influence on those of the runs. */
static void references_stand_below_the_runs(void **state)
{
	static const struct reference figures[] = {
	    {"Human average", "all", "accuracy", 0.916, "people.csv"},
	    {"Human average", "CAT", "accuracy", 0.25, "people.csv"}, /* caseless */
	    {"Human average", "sea_l", "accuracy", 0.5, "people.csv"}, /* the beginning of one name */
	    {"Human average", "crane", "accuracy", 0.5, "people.csv"}, /* of two: of neither */
	    {"Human average", "all", "accuracy@nowhere", 0.5, "people.csv"},
	    {"Human average", "all", "beauty", 0.5, "people.csv"},
	    {"Pali", "all", "accuracy", 0.4, "people.csv"},
	};
	struct fixture f;
	struct table without, t;
	size_t runs, column, row;

	(void)state;
	set_up(&f, 4);
	without = make(&f, "accuracy", "class");
	f.w.snap->references = figures;
	f.w.snap->n_references = sizeof figures / sizeof *figures;
	t = make(&f, "accuracy", "class");
	runs = table_rows(&without);
	assert_int_equal(table_rows(&t), runs + 4);
	for (size_t r = 0; r < runs; r++) {
		double was = number(&without, r, "rank"), is = number(&t, r, "rank");

		assert_string_equal(text(&t, r, "run"), text(&without, r, "run"));
		assert_true(was == is || (isnan(was) && isnan(is)));
		assert_null(text(&t, r, "reference"));
	}
	row = runs;
	assert_string_equal(text(&t, row, "run"), "Human average");
	assert_string_equal(text(&t, row, "group"), "all");
	assert_true(number(&t, row, "accuracy") == 0.916);
	assert_string_equal(text(&t, row + 1, "group"), "cat");
	assert_string_equal(text(&t, row + 2, "group"), "sea lion");
	assert_string_equal(text(&t, row + 3, "run"), "Pali");
	for (size_t r = runs; r < table_rows(&t); r++) {
		column = (size_t)table_find(&t, STR("accuracy"));
		assert_true(table_look(&t, r, column)->reference);
		assert_null(table_look(&t, r, column)->door);
		assert_true(isnan(number(&t, r, "rank")) && isnan(number(&t, r, "n")));
		assert_string_equal(text(&t, r, "reference"), "people.csv");
		assert_string_equal(text(&t, r, "layer"), text(&t, 0, "layer"));
	}
	f.w.snap->n_references = 0;
	table_release(&t);
	table_release(&without);
	tear_down(&f);
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
	    cmocka_unit_test(answers_are_grouped_by_their_numbers),
	    cmocka_unit_test(ranks_are_among_equal_n),
	    cmocka_unit_test(every_door_opens_what_its_number_says),
	    cmocka_unit_test(choices_are_told_apart),
	    cmocka_unit_test(references_stand_below_the_runs),
	    cmocka_unit_test(groups_agree_with_accuracy),
	    cmocka_unit_test(groups_are_of_two_runs_at_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
