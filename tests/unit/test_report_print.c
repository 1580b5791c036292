/* Tables written out, and pivoted for people. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "tui/report_print.h"

static void put(struct table *t, const char *run, const char *group, double n, double share)
{
	table_row(t);
	table_text(t, 0, run);
	table_text(t, 1, group);
	table_number(t, 2, n);
	table_number(t, 3, share);
	table_door(t, 3, group);
}

/* Two runs, of which the second lacks a group; names that every format must escape. */
static struct table sample(void)
{
	struct table t;

	table_init(&t, "t");
	table_column(&t, "run", "run", TABLE_TEXT, BEST_NONE, "");
	table_column(&t, "group", "gro,up", TABLE_TEXT, BEST_NONE, "");
	table_detail(&t, table_column(&t, "n", "n", TABLE_COUNT, BEST_NONE, ""));
	table_column(&t, "accuracy", "accuracy", TABLE_SHARE, BEST_HIGH, "");
	put(&t, "a|b_c", "all", 1234, 0.5);
	put(&t, "a|b_c", "x & \"y\"", 1000, 0.25);
	put(&t, "r2", "all", 7, NAN);
	t.pivot_group = 1;
	t.pivot_value = 3;
	table_note(&t, "left out of r2: 3 error");
	return t;
}

static char *print(const struct table *t, const char *format, struct report_style style)
{
	FILE *f = tmpfile();
	struct err err = ERR_INIT;
	char *text = xcalloc(1, 4096);

	assert_non_null(f);
	assert_int_equal(report_print(t, report_format_find(str_z(format)), &style, f, &err), OK);
	rewind(f);
	text[fread(text, 1, 4095, f)] = '\0';
	fclose(f);
	return text;
}

static void expect(const char *format, struct report_style style, const char *want)
{
	struct table t = sample();
	char *got = print(&t, format, style);

	assert_string_equal(got, want);
	free(got);
	table_release(&t);
}

static void programs_get_flat_rows(void **state)
{
	(void)state;
	expect("csv", (struct report_style){.digits = -1},
	       "run,group,n,accuracy\r\n"
	       "a|b_c,all,1234,0.5\r\n"
	       "a|b_c,\"x & \"\"y\"\"\",1000,0.25\r\n"
	       "r2,all,7,\r\n");
	expect("json", (struct report_style){.digits = -1},
	       "[\n {\"run\": \"a|b_c\", \"group\": \"all\", \"n\": 1234, \"accuracy\": 0.5},"
	       "\n {\"run\": \"a|b_c\", \"group\": \"x & \\\"y\\\"\", \"n\": 1000, \"accuracy\": 0.25},"
	       "\n {\"run\": \"r2\", \"group\": \"all\", \"n\": 7, \"accuracy\": null}\n]\n");
}

static void people_get_a_row_a_run(void **state)
{
	(void)state;
	expect("text", (struct report_style){.digits = 0, .mark_best = true},
	       "run    all  x & \"y\"\n"
	       "a|b_c  50*      25*\n"
	       "r2      -        - \n"
	       "\n"
	       "left out of r2: 3 error\n");
	expect("latex", (struct report_style){.digits = -1, .mark_best = true},
	       "\\begin{tabular}{lrr}\n\\hline\n"
	       "run & all & x \\& \"y\" \\\\\n\\hline\n"
	       "a\\textbar{}b\\_c & \\textbf{50.0} & \\textbf{25.0} \\\\\n"
	       "r2 & - & - \\\\\n"
	       "\\hline\n\\end{tabular}\n"
	       "% left out of r2: 3 error\n");
}

/* What must be known before a number is read stands above people's tables, and in no row of a program's. */
static void warnings_come_first(void **state)
{
	static const struct {
		const char *format, *want;
	} cases[] = {{"text", "protocols differ: 100%\n\nname"},
		     {"md", "- protocols differ: 100%\n\n| name"},
		     {"latex", "% protocols differ: 100%\n\\begin{tabular}"},
		     {"csv", "name\r\n"},
		     {"json", "[\n"}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct table t;
		char *got;

		table_init(&t, "t");
		table_column(&t, "name", "name", TABLE_TEXT, BEST_NONE, "");
		table_row(&t);
		table_text(&t, 0, "x");
		table_warn(&t, "protocols differ: %d%%", 100);
		got = print(&t, cases[i].format, (struct report_style){.digits = -1});
		if (strncmp(got, cases[i].want, strlen(cases[i].want)) != 0)
			fail_msg("%s: %s", cases[i].format, got);
		free(got);
		table_release(&t);
	}
}

/* Characters that LaTeX would take for its own, also those that are so at the start of a row alone. */
static void latex_is_text(void **state)
{
	struct table t;
	char *got;

	(void)state;
	table_init(&t, "t");
	table_column(&t, "name", "50% <b>", TABLE_TEXT, BEST_NONE, "");
	table_row(&t);
	table_text(&t, 0, "[x] *a|b_c^~{}\\#$&\n");
	table_row(&t);
	table_text(&t, 0, "café ×3 Δ…"); /* letters are, signs are not known to it */
	got = print(&t, "latex", (struct report_style){.digits = -1});
	assert_string_equal(got, "\\begin{tabular}{l}\n\\hline\n50\\% \\textless{}b\\textgreater{} \\\\\n\\hline\n"
				 "{[}x] {*}a\\textbar{}b\\_c\\^{}\\~{}\\{\\}\\textbackslash{}\\#\\$\\&  \\\\\n"
				 "café $\\times$3 $\\Delta$\\ldots{} \\\\\n"
				 "\\hline\n\\end{tabular}\n");
	free(got);
	table_release(&t);
}

static void markdown_keeps_its_columns(void **state)
{
	struct table t = sample();
	char *got = print(&t, "md", (struct report_style){.digits = 1, .mark_best = true});

	(void)state;
	assert_non_null(strstr(got, "a\\|b_c"));
	assert_non_null(strstr(got, "**50.0**"));
	assert_non_null(strstr(got, "\n- left out of r2: 3 error\n"));
	free(got);
	table_release(&t);
}

static void columns_are_chosen_by_name(void **state)
{
	struct report_style style = {.digits = -1, .columns = "accuracy, run"};
	struct table t = sample();
	struct err err = ERR_INIT;

	(void)state;
	expect("csv", style, "accuracy,run\r\n0.5,a|b_c\r\n0.25,a|b_c\r\n,r2\r\n");
	style.columns = "n,acuracy";
	assert_int_equal(report_print(&t, report_format_find(STR("csv")), &style, stdout, &err), E_USAGE);
	assert_non_null(strstr(err.msg, "\"acuracy\"; did you mean accuracy"));
	assert_null(report_format_find(STR("xml")));
	table_release(&t);
}

static void a_pivot_keeps_doors_and_order(void **state)
{
	struct table t = sample(), wide;
	struct table_share share = {.part = 1, .whole = 4, .rest = 2, .part_door = "right",
				    .whole_door = "-uncounted", .rest_door = "uncounted", .run = 5,
				    .formula = "right / n"};
	const size_t told[] = {3};

	(void)state;
	table_share(&t, told, 1, &share); /* of the last row */
	table_pivot(&t, &wide);
	table_release(&t); /* nothing is borrowed */
	assert_int_equal(table_rows(&wide), 2);
	assert_int_equal(wide.columns.n, 4);
	assert_string_equal(wide.columns.v[2].name, "all");
	assert_string_equal(wide.columns.v[3].title, "x & \"y\"");
	assert_true(wide.columns.v[1].detail);
	assert_true(table_look(&wide, 0, 1)->number == 1234); /* of the group "all" */
	assert_true(table_look(&wide, 0, 3)->number == 0.25);
	assert_string_equal(table_look(&wide, 0, 3)->door, "x & \"y\"");
	assert_true(isnan(table_look(&wide, 1, 3)->number));
	assert_null(table_look(&wide, 1, 3)->door);
	assert_string_equal(table_look(&wide, 1, 2)->share->rest_door, "uncounted");
	assert_int_equal(table_look(&wide, 1, 2)->share->run, 5);
	assert_string_equal(wide.notes.v[0], "left out of r2: 3 error");
	table_release(&wide);
}

static void numbers_are_written_by_their_kind(void **state)
{
	static const struct {
		enum table_kind kind;
		double number;
		int digits;
		const char *want;
	} all[] = {
	    {TABLE_COUNT, 1234567, -1, "1,234,567"}, {TABLE_SHARE, 0.89667, -1, "89.7"},
	    {TABLE_SHARE, 0.89667, 3, "89.667"},     {TABLE_NUMBER, 1.0 / 3, -1, "0.333"},
	    {TABLE_NUMBER, INFINITY, -1, "inf"},     {TABLE_NUMBER, NAN, -1, "-"},
	    {TABLE_P, 0.04, -1, "0.0400"},	   {TABLE_P, 0.00001234, -1, "1.2e-05"},
	};

	(void)state;
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		struct table_column c = {"c", "c", all[k].kind, BEST_NONE, "", false};
		struct buf out = BUF_INIT;

		report_cell(&c, &(struct table_cell){.number = all[k].number}, all[k].digits, &out);
		assert_string_equal(buf_cstr(&out), all[k].want);
		buf_release(&out);
	}
}

/* A number that there is none of may say why; programs get none. */
static void a_word_may_stand_for_a_number(void **state)
{
	static const char *const formats[] = {"json", "csv", "text", "md", "latex"};
	static const char *const want[] = {"{\"c\": null}", "c\r\n\r\n", "none", "| none |", "none \\\\"};
	struct table t;

	(void)state;
	table_init(&t, "t");
	table_column(&t, "c", "c", TABLE_SHARE, BEST_HIGH, "");
	table_row(&t);
	table_text(&t, 0, "none");
	for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
		char *out = print(&t, formats[k], (struct report_style){.digits = -1, .mark_best = true});

		if (!strstr(out, want[k]))
			fail_msg("%s: %s", formats[k], out);
		free(out);
	}
	table_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(programs_get_flat_rows),
	    cmocka_unit_test(people_get_a_row_a_run),
	    cmocka_unit_test(warnings_come_first),
	    cmocka_unit_test(latex_is_text),
	    cmocka_unit_test(markdown_keeps_its_columns),
	    cmocka_unit_test(columns_are_chosen_by_name),
	    cmocka_unit_test(a_pivot_keeps_doors_and_order),
	    cmocka_unit_test(numbers_are_written_by_their_kind),
	    cmocka_unit_test(a_word_may_stand_for_a_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
