/* The tables of MME-Emotion, of votes, and of a judge against people: every number opens as many
 * samples as it says. The numbers themselves are counted apart in tests/real/recount_mme.py. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/base/bits.h"
#include "core/report/report.h"
#include "db/search.h"
#include "tests/unit/lib_mme.h"

struct open {
	struct mme_project p;
	struct snapshot *snap;
	struct search *search;
	struct lens lens;
	int runs[8];
	struct report_ctx ctx;
	struct err err;
};

static void open_project(struct open *o, const char *dataset, uint32_t seed)
{
	memset(o, 0, sizeof *o);
	mme_project_make(&o->p, seed);
	o->snap = mme_project_load(&o->p, dataset);
	o->lens = lens_default(o->snap);
	assert_int_equal(search_new(&o->search, o->p.c, o->snap, &o->err), OK);
	assert_true(o->snap->n_runs <= 8);
	for (uint32_t r = 0; r < o->snap->n_runs; r++)
		o->runs[r] = (int)r;
	o->ctx = (struct report_ctx){.snap = o->snap, .lens = &o->lens, .runs = o->runs,
				     .n_runs = (int)o->snap->n_runs, .source = search_source(o->search)};
}

static void close_project(struct open *o)
{
	search_free(o->search);
	snapshot_free(o->snap);
	mme_project_end(&o->p);
}

/* How many samples the condition opens. */
static uint32_t opened(struct open *o, const char *condition)
{
	struct filter_ctx ctx = {.snap = o->snap, .lens = &o->lens, .a = -1, .b = -1,
				 .source = search_source(o->search)};
	uint64_t *bits = bits_new(o->snap->n);
	struct filter *f = NULL;
	uint32_t n;

	if (filter_parse(str_z(condition), &ctx, &f, NULL, &o->err) != OK ||
	    filter_eval(f, &ctx, bits, NULL, &o->err) != OK)
		fail_msg("%s: %s", condition, o->err.msg);
	n = (uint32_t)bits_count(bits, o->snap->n);
	filter_free(f);
	free(bits);
	return n;
}

static void expect(struct open *o, const char *what, const char *door, double n)
{
	if (opened(o, door) != (uint32_t)n)
		fail_msg("%s: '%s' opens %u, not %g", what, door, opened(o, door), n);
}

static int check_doors(struct open *o, const struct table *t)
{
	int tried = 0;

	for (size_t r = 0; r < table_rows(t); r++)
		for (size_t c = 0; c < t->columns.n; c++) {
			const struct table_cell *cell = table_look(t, r, c);
			const char *name = t->columns.v[c].name;

			if (cell->text || !cell->door)
				continue;
			if (cell->share) {
				expect(o, name, cell->share->part_door, cell->share->part);
				expect(o, name, cell->share->whole_door, cell->share->whole);
				expect(o, name, cell->share->rest_door, cell->share->rest);
				expect(o, name, cell->door, t->columns.v[c].kind == TABLE_COUNT ? cell->number : cell->share->part);
			} else if (t->columns.v[c].kind == TABLE_COUNT) {
				expect(o, name, cell->door, cell->number);
			}
			tried++;
		}
	return tried;
}

static double at(const struct table *t, size_t row, const char *column)
{
	int c = table_find(t, str_z(column));

	assert_true(c >= 0);
	return table_look(t, row, (size_t)c)->number;
}

static void scores_open_what_they_are_over(void **state)
{
	static const char *const by[] = {"", "class", "mme_task,class"};

	(void)state;
	for (uint32_t seed = 1; seed <= 3; seed++) {
		struct open o;

		open_project(&o, "mme", seed);
		for (int zero = 0; zero < 2; zero++) {
			struct report_judging judging = {.alpha = 0.25, .unparsed_zero = zero};

			for (size_t k = 0; k < 3; k++) {
				struct table t;

				o.ctx.by = str_z(by[k]);
				o.ctx.judging = &judging;
				assert_int_equal(report_find(STR("accuracy"))->make(&o.ctx, &t, &o.err), OK);
				assert_string_equal(t.title, "MME-Emotion");
				assert_true(check_doors(&o, &t) > 20);
				assert_true(fabs(at(&t, 0, "cot") - (0.25 * at(&t, 0, "rec") + 0.75 * at(&t, 0, "rea"))) < 1e-12);
				table_release(&t);
			}
		}
		close_project(&o);
	}
}

/* Without numbers it is the plain table. */
static void without_marks_the_table_is_plain(void **state)
{
	struct open o;
	struct table t;

	(void)state;
	open_project(&o, "mme", 4);
	o.ctx.source = NULL;
	assert_int_equal(report_find(STR("accuracy"))->make(&o.ctx, &t, &o.err), OK);
	assert_int_equal(table_find(&t, STR("rec")), -1);
	table_release(&t);
	assert_int_equal(report_find(STR("judge"))->make(&o.ctx, &t, &o.err), E_UNSUPPORTED);
	close_project(&o);
}

static void distances_open_what_they_are_over(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 3; seed++) {
		struct open o;
		struct table t;

		open_project(&o, "votes", seed);
		assert_int_equal(report_find(STR("accuracy"))->make(&o.ctx, &t, &o.err), OK);
		assert_string_equal(t.title, "votes");
		assert_true(check_doors(&o, &t) > 20);
		/* the run that answers the votes themselves */
		for (size_t r = 0; r < table_rows(&t); r++)
			if (strcmp(table_look(&t, r, 0)->text, "crowd") == 0 && at(&t, r, "compared") > 0)
				assert_true(at(&t, r, "kl") < 1e-6 && at(&t, r, "js") < 1e-6 &&
					    at(&t, r, "l1") < 1e-6 && at(&t, r, "cosine") > 1 - 1e-6);
		table_release(&t);
		close_project(&o);
	}
}

static void a_judge_against_people(void **state)
{
	struct open o;
	struct table t;

	(void)state;
	open_project(&o, "mme", 5);
	assert_int_equal(report_find(STR("judge"))->make(&o.ctx, &t, &o.err), OK);
	assert_int_equal(table_rows(&t), 3); /* of the one run that people marked */
	expect(&o, "group", table_look(&t, 0, 1)->door, MME_PEOPLE);
	assert_true(at(&t, 0, "n") == at(&t, 1, "n") + at(&t, 2, "n"));
	assert_true(at(&t, 0, "questions") == at(&t, 2, "n"));
	assert_true(at(&t, 0, "excluded") > 0);
	table_release(&t);
	o.ctx.n_runs = 1; /* the other one */
	assert_int_equal(report_find(STR("judge"))->make(&o.ctx, &t, &o.err), E_NOT_FOUND);
	close_project(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(scores_open_what_they_are_over),
	    cmocka_unit_test(without_marks_the_table_is_plain),
	    cmocka_unit_test(distances_open_what_they_are_over),
	    cmocka_unit_test(a_judge_against_people),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
