/* What an import of several files says: a line a file, the rest grouped at the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/reader/table.h"
#include "tui/import_summary.h"

/* "INDENT text|…"; empties the paper. Caller frees. */
static char *lines(struct paper *p)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < p->lines.n; i++)
		buf_printf(&out, "%d %s|", p->lines.v[i].indent, p->lines.v[i].text);
	paper_release(p);
	*p = (struct paper){0};
	return buf_take(&out);
}

static void expect(struct paper *p, const char *want)
{
	char *have = lines(p);

	assert_string_equal(have, want);
	free(have);
}

static void plan_file(struct import_plan *plan, const char *path, uint32_t runs)
{
	struct plan_file f = {.path = path, .reader = readers[0], .set = 0, .size = 100};

	f.taste.samples = 1;
	f.taste.n_runs = runs;
	vec_push(&plan->files, f);
}

static void leave(struct import_plan *plan, const char *path, const char *why)
{
	vec_push(&plan->left, ((struct plan_left){path, why, false}));
}

static void plan_groups_what_is_left_out(void **state)
{
	struct import_plan plan = {0};
	struct paper paper = {0};
	struct buf want = BUF_INIT;

	(void)state;
	vec_push(&plan.sets, ((struct plan_set){.name = STR("d")}));
	plan_file(&plan, "r/a/one.csv", 0);
	plan_file(&plan, "r/ab/two.csv", 0);
	leave(&plan, "r/x.log", "unknown");
	leave(&plan, "r/e.csv", "empty");
	leave(&plan, "r/y.log", "unknown");
	leave(&plan, "r/z.log", "unknown");
	leave(&plan, "r/a/v.log", "unknown");
	leave(&plan, "r/a/w.log", "unknown");
	import_plan_say(&plan, "p.qualm", &paper);
	buf_printf(&want, "0 p.qualm: 2 files of r/, 0 B, into dataset d, which is new|"
		   "2 a/one.csv: samples (%s, 100 B)|2 ab/two.csv: samples (%s, 100 B)|"
		   "0 left out: 6|2 unknown: 5 files, x.log, y.log, z.log, a/v.log, …|2 e.csv: empty|",
		   readers[0]->name, readers[0]->name);
	expect(&paper, buf_cstr(&want));
	buf_release(&want);
	vec_release(&plan.files);
	vec_release(&plan.left);
	vec_release(&plan.sets);
}

/* One run of a file, several, and a file that brings nothing; then what they have in common. */
static void files_in_brief(void **state)
{
	struct import_totals t = {.brief = true};
	struct paper paper = {0};
	struct report r[3];

	(void)state;
	buf_z(&t.folder, "r/");
	for (int i = 0; i < 3; i++) {
		report_init(&r[i], i == 0 ? "r/m.csv" : i == 1 ? "r/two.csv" : "r/old.csv", NULL);
		r[i].dataset = STR("d");
	}
	r[0].predictions = 2;
	vec_push(&r[0].runs_new, "m");
	report_check(&r[0], "m: answered 50.0 %%; 2 of 9 samples");
	report_add(&r[0], PROBLEM_SKIPPED, (struct src){3, 40}, "id", "is not UTF-8");
	report_add(&r[0], PROBLEM_SKIPPED, (struct src){4, 50}, "", "line 4, byte 50: a quote");
	assert_string_equal(r[0].examples.v[1].text, "a quote");
	report_doubt(&r[0], "m: all 2 answers are the same");
	r[1].predictions = r[1].samples_new = 4;
	vec_push(&r[1].runs_new, "x");
	vec_push(&r[1].runs_known, "y");
	report_check(&r[1], "truth labels 4 samples");
	report_check(&r[1], "x: answered");
	report_check(&r[1], "y: oop");
	r[1].joined[MATCHED_EXACT] = 7;
	r[2].predictions_known = 5;
	vec_push(&r[2].runs_known, "m");
	report_check(&r[2], "truth labels 4 samples"); /* told with the file that brought them */
	report_doubt(&r[2], "m: all 2 answers are the same"); /* once is enough */
	report_note(&r[2], "run m has 3 answers more");
	for (int i = 0; i < 3; i++)
		import_file_say(&t, &r[i], &paper);
	expect(&paper, "0 into d|2 m.csv: new run m: answered 50.0 %; 2 of 9 samples|"
	       "2 two.csv: 4 samples, 4 predictions|4 new run x: answered|4 known run y: oop|"
	       "4 truth labels 4 samples|2 old.csv: nothing new (5 predictions known before), known run m|");
	t.failed = 1;
	import_totals_say(&t, "p.qualm", false, &paper);
	expect(&paper, "0 joined: 7 exactly|0 to know:|2 old.csv: run m has 3 answers more|"
	       "0 skipped: 2 rows of 1 file|2 m.csv:3:40: id: is not UTF-8 (and 1 more)|0 doubt:|"
	       "2 m.csv: m: all 2 answers are the same|0 p.qualm: 2 of 4 files brought something new; "
	       "1 could not be read; 2 rows skipped, 0 unmatched|");
	import_totals_release(&t);
	for (int i = 0; i < 3; i++)
		report_release(&r[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(plan_groups_what_is_left_out),
	    cmocka_unit_test(files_in_brief),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
