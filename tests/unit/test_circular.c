/* Circular evaluation: a question is right when all its turns are. Counted by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/report/report.h"
#include "db/column.h"
#include "tests/unit/lib_project.h"
#include "tests/unit/lib_results.h"

#define HEAD "index\tquestion\tA\tB\tanswer\tcategory\tprediction\n"
/* Questions 1 (three turns), 2 (two), 3 (one), 4 (two, one of which failed and is left out). */
#define ROWS(p11, p12, p13, p21, p22, p3, p41)                                                     \
	HEAD "1\tq1\tjoy\tfear\tA\tx\t" p11 "\n1000001\tq1\tfear\tjoy\tB\tx\t" p12                      \
	     "\n2000001\tq1\tanger\tjoy\tB\tx\t" p13 "\n2\tq2\tjoy\tfear\tB\ty\t" p21                  \
	     "\n1000002\tq2\tfear\tjoy\tA\ty\t" p22 "\n3\tq3\tjoy\tfear\tA\ty\t" p3                     \
	     "\n4\tq4\tjoy\tfear\tB\ty\t" p41 "\n1000004\tq4\tfear\tjoy\tA\ty\tFailed to obtain answer via API.\n"

struct bench {
	char *folder, *project;
	struct conn *c;
};

static struct snapshot *import_files(struct bench *b, const char *into, const char *dataset)
{
	struct err err = ERR_INIT;
	struct snapshot *s;

	results_import(b->folder, b->project, into);
	b->c = project_open(b->project, CONN_READ);
	if (snapshot_load(b->c, dataset, &s, &err) != OK)
		fail_msg("%s", err.msg);
	return s;
}

static void bench_init(struct bench *b)
{
	b->folder = project_folder();
	b->project = project_file(b->folder, "p.qualm");
}

static void bench_release(struct bench *b)
{
	conn_close(b->c);
	free(b->project);
	project_remove(b->folder);
}

static double value_at(const struct table *t, const char *run, const char *group, const char *column)
{
	int of_run = table_find(t, STR("run")), of_group = table_find(t, STR("group")),
	    at = table_find(t, str_z(column));

	assert_true(of_run >= 0 && of_group >= 0 && at >= 0);
	for (size_t r = 0; r < table_rows(t); r++)
		if (strcmp(table_look(t, r, (size_t)of_run)->text, run) == 0 &&
		    strcmp(table_look(t, r, (size_t)of_group)->text, group) == 0)
			return table_look(t, r, (size_t)at)->number;
	fail_msg("no row %s, %s", run, group);
	return 0;
}

static void make(const struct snapshot *s, const uint64_t *mask, const char *by, struct table *out)
{
	struct lens lens = lens_preset(s, s->preset);
	int runs[] = {0, 1};
	struct report_ctx ctx = {.snap = s, .lens = &lens, .mask = mask, .runs = runs,
				 .n_runs = (int)s->n_runs, .by = str_z(by)};
	struct err err = ERR_INIT;

	if (report_find(STR("accuracy"))->make(&ctx, out, &err) != OK)
		fail_msg("%s", err.msg);
}

/* m1 has all turns of 1, 3 and what was answered of 4 right, and half of 2; m2 all of 2 alone. */
static const struct {
	const char *run, *group;
	double circular, questions, right, accuracy;
} wants[] = {
    {"m1/mc", "all", 3 / 4., 4, 3, 6 / 7.}, {"m2/mc", "all", 1 / 4., 4, 1, 4 / 7.},
    {"m1/mc", "x", 1, 1, 1, 3 / 3.},	    {"m2/mc", "x", 0, 1, 0, 2 / 3.},
    {"m1/mc", "y", 2 / 3., 3, 2, 3 / 4.},   {"m2/mc", "y", 1 / 3., 3, 1, 2 / 4.},
};

static void put_models(const char *folder)
{
	results_put(folder, "results/m1/m1_Bench.tsv", STR(ROWS("A", "B", "B", "B", "B", "A", "B")));
	results_put(folder, "results/m2/m2_Bench.tsv", STR(ROWS("A", "A", "B", "B", "A", "B", "A")));
}

static void questions(void **state)
{
	struct bench b;
	struct snapshot *s;
	struct table t;

	(void)state;
	bench_init(&b);
	put_models(b.folder);
	s = import_files(&b, NULL, "Bench");
	assert_int_equal(s->n, 8);
	make(s, NULL, "category", &t);
	for (size_t i = 0; i < sizeof wants / sizeof *wants; i++) {
		const char *run = wants[i].run, *group = wants[i].group;

		assert_true(value_at(&t, run, group, "circular") == wants[i].circular);
		assert_true(value_at(&t, run, group, "questions") == wants[i].questions);
		assert_true(value_at(&t, run, group, "circular_right") == wants[i].right);
		assert_true(value_at(&t, run, group, "accuracy") == wants[i].accuracy);
	}
	table_release(&t);
	snapshot_free(s);
	bench_release(&b);
}

/* Of a filtered question the turns that are left count. */
static void turns_of_a_filter(void **state)
{
	struct bench b;
	struct snapshot *s;
	struct table t;
	uint64_t mask[1] = {0};

	(void)state;
	bench_init(&b);
	put_models(b.folder);
	s = import_files(&b, NULL, "Bench");
	mask[0] = 1u << 3; /* the first turn of question 2 */
	make(s, mask, "", &t);
	assert_true(value_at(&t, "m1/mc", "all", "circular") == 1);
	assert_true(value_at(&t, "m1/mc", "all", "questions") == 1);
	table_release(&t);
	snapshot_free(s);
	bench_release(&b);
}

/* In one dataset a question 1 of two tasks is two questions. */
static void tasks(void **state)
{
	struct bench b;
	struct snapshot *s;
	struct table t;

	(void)state;
	bench_init(&b);
	results_put(b.folder, "results/m1/m1_Bench.tsv", STR(ROWS("A", "B", "B", "B", "B", "A", "B")));
	results_put(b.folder, "results/m1/m1_Other.tsv", STR(HEAD "1\tr1\tjoy\tfear\tA\tx\tB\n"
							    "1000001\tr1\tfear\tjoy\tB\tx\tA\n"));
	s = import_files(&b, "both", "both");
	assert_int_equal(s->n, 10);
	make(s, NULL, "", &t);
	assert_true(value_at(&t, "m1/mc", "all", "circular") == 3 / 5.);
	table_release(&t);
	snapshot_free(s);
	bench_release(&b);
}

/* Nothing is turned round: no such column. */
static void others(void **state)
{
	struct bench b;
	struct snapshot *s;
	struct table t;

	(void)state;
	bench_init(&b);
	results_put(b.folder, "results/m1/m1_Bench.tsv", STR(HEAD "1\tr1\tjoy\tfear\tA\tx\tB\n"
							    "2\tr2\tfear\tjoy\tB\tx\tA\n"));
	s = import_files(&b, NULL, "Bench");
	make(s, NULL, "", &t);
	assert_int_equal(table_find(&t, STR("circular")), -1);
	table_release(&t);
	snapshot_free(s);
	bench_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(questions), cmocka_unit_test(turns_of_a_filter), cmocka_unit_test(tasks),
	    cmocka_unit_test(others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
