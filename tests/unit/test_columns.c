/* Columns: as text, where they stand, what they say; chosen on the screen; sorting by them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_project.h"
#include "tui/app.h"
#include "tui/column_choice.h"
#include "tui/script.h"
#include "tui/term/text.h"

struct fixture {
	char *folder, *file;
	struct cli cli;
	struct app app;
};

static void open_app(struct fixture *f)
{
	struct err err = ERR_INIT;

	f->cli = (struct cli){.headless = "100x30", .script = "-", .view = "browse"};
	if (app_open(&f->app, &f->cli, f->file, &err) != OK || app_open_term(&f->app, &err) != OK)
		fail_msg("%s", err.msg);
	app_draw(&f->app, app_clock());
}

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	f->folder = project_folder();
	f->file = project_file(f->folder, "t.qualm");
	project_make_tiny(f->file, 0);
	open_app(f);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	app_close(&f->app);
	project_remove(f->folder);
	free(f->file);
	free(f);
	return 0;
}

static void step(struct fixture *f, const char *line)
{
	struct err err = ERR_INIT;

	if (script_step(&f->app, str_z(line), &err) != OK)
		fail_msg("%s: %s", line, err.msg);
}

static void says(struct fixture *f, const char *text)
{
	if (!strstr(buf_cstr(&f->app.message), text))
		fail_msg("\"%s\", not \"%s\"", buf_cstr(&f->app.message), text);
}

/* --- as text --- */

static void words(void **state)
{
	static const struct {
		const char *text, *back; /* back NULL: refused, with `why` */
		const char *why;
	} rows[] = {
	    {"key,pair,panel", "key,pair,panel", ""},
	    {" key , answer@b=12,\n emotion ", "key,answer@b=12,emotion", ""},
	    {"answer@m1", "answer@m1/cw", ""},
	    {"answer@a", "answer", ""},
	    {"verdict,verdict@a,verdict@b,verdict@m2", "verdict,verdict@a,verdict@b,verdict@m2", ""},
	    {"truth@reannotated,score@\"m1/cw\"", "truth@reannotated,score@m1/cw", ""},
	    {"\"emotion\",.tags,tags", "emotion,.tags,tags", ""}, /* a facet, a column */
	    {"EMOTION", "emotion", ""},
	    {"", NULL, "one column at least"},
	    {"keyy", NULL, "did you mean key?"},
	    {"key answer", NULL, "a comma between them"},
	    {"key,answer@m", NULL, "more than one run begins like \"m\""},
	    {"answer@zz", NULL, "there is no run \"zz\""},
	    {"truth@zz", NULL, "there is no layer \"zz\""},
	    {"key@a", NULL, "key takes no \"@\""},
	    {"answer@", NULL, "needs a run or a layer"},
	    {"key=0", NULL, "1 to 500 wide"},
	    {"key=", NULL, "1 to 500 wide"},
	    {"key=9999999999999999999", NULL, "1 to 500 wide"},
	    {"\"key", NULL, "a column's name is expected"},
	    {"key,,@", NULL, "a column's name is expected"},
	};
	struct fixture *f = *state;

	step(f, ":run-b m2");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct columns columns, again;
		struct err err = ERR_INIT;
		struct buf text = BUF_INIT;
		enum status st = columns_parse(str_z(rows[i].text), &f->app.scene, &columns, &err);

		if ((st == OK) != (rows[i].back != NULL) || (st != OK && !strstr(err.msg, rows[i].why)))
			fail_msg("\"%s\": %s", rows[i].text, err.msg);
		if (st == OK) {
			columns_format(&f->app.scene, &columns, ",", &text);
			assert_string_equal(buf_cstr(&text), rows[i].back);
			assert_int_equal(columns_parse(buf_view(&text), &f->app.scene, &again, &err), OK);
			assert_memory_equal(&again, &columns, sizeof again);
		}
		buf_release(&text);
	}
}

/* --- where they stand --- */

/* Whatever the width: nothing overlaps, nothing leaves the list, and what is shown keeps its order. */
static void check_places(const struct scene *s, const struct columns *columns,
			 const struct column_widths *widths, int w)
{
	struct column_place place[COLUMNS_MAX];
	int x = 2, shown = 0;

	columns_place(w, s, columns, widths, place);
	for (int k = 0; k < columns->n; k++) {
		if (!place[k].w)
			continue;
		shown++;
		if (place[k].x < x || place[k].x + place[k].w > (w > 3 ? w - 1 : w))
			fail_msg("%d wide: column %d at %d, %d wide", w, k, place[k].x, place[k].w);
		x = place[k].x + place[k].w + 1;
		if (columns->v[k].id == COLUMN_PAIR && !columns->v[k].width && shown > 1)
			assert_true(place[k].w >= 5); /* some letters of a name */
	}
	assert_true(shown > 0 || w < 6);
}

static void places(void **state)
{
	static const char *const lists[] = {
	    "key,pair,text,category,verdict,panel",
	    "key",
	    "panel",
	    "text",
	    "key=30,pair=30,text=30",
	    ("no,key,truth,answer,answer@b,verdict@m2,runs,panel,category,score,tokens@b,text,path,"
	     "tags,notes,signs,emotion,size,.tags"),
	    "size,score,panel",
	};
	struct fixture *f = *state;
	struct column_widths widths = {.key = 20, .texts = true};

	step(f, ":run-b m2");
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		struct columns columns;
		struct err err = ERR_INIT;

		assert_int_equal(columns_parse(str_z(lists[i]), &f->app.scene, &columns, &err), OK);
		column_choice_forms(&f->app, &columns, widths.form);
		for (int w = 1; w < 220; w++)
			check_places(&f->app.scene, &columns, &widths, w);
	}
}

static void the_least_important_goes_first(void **state)
{
	static const struct {
		int w;
		const char *shown; /* of key, no, answer, score, panel */
	} rows[] = {{80, "11111"}, {30, "11111"}, {29, "10111"}, {27, "10111"}, {26, "10101"},
		    {21, "10101"}, {20, "10100"}, {15, "10100"}, {14, "10000"}, {4, "10000"}};
	struct fixture *f = *state;
	struct column_widths widths = {.key = 8};
	struct column_place place[COLUMNS_MAX];
	struct columns columns;
	struct err err = ERR_INIT;

	assert_int_equal(columns_parse(STR("key,no,answer,score,panel"), &f->app.scene, &columns, &err),
			 OK);
	column_choice_forms(&f->app, &columns, widths.form);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char got[8] = "";

		columns_place(rows[i].w, &f->app.scene, &columns, &widths, place);
		for (int k = 0; k < columns.n; k++)
			got[k] = place[k].w ? '1' : '0';
		if (strcmp(got, rows[i].shown) != 0)
			fail_msg("%d wide: %s, not %s", rows[i].w, got, rows[i].shown);
	}
}

/* --- what they say --- */

static void values(void **state)
{
	static const struct {
		const char *column, *value[6]; /* of s0 … s5 */
	} rows[] = {
	    {"key", {"s0", "s1", "s2", "s3", "s4", "s5"}},
	    {"no", {"1", "2", "3", "4", "5", "6"}},
	    {"truth", {"cat", "(none)", "cat, fox", "fox", "dog", ""}},
	    {"truth@original", {"cat", "dog", "fox", "cat", "dog", "fox"}},
	    {"answer", {"cat", "dog", "cat, fox", "(oop)", "(refused)", "(missing)"}},
	    {"verdict@a", {"right", "right", "right", "wrong", "wrong", "uncounted"}},
	    {"panel", {"1/1", "1/1", "1/1", "0/1", "0/1", "0/1"}},
	    {"score", {"0", "0.5", "1", "1.5", "2", ""}},
	    {"emotion", {"joy", "delight", "fear", "joy", "delight", ""}},
	    {"size", {"1", "2.5", "", "4", "5", "6"}},
	    {".tags", {"x", "", "x, y", "y", "", ""}},
	    {"path", {"s0.png", "s1.png", "s2.png", "s3.png", "s4.png", ""}},
	    {"notes", {"", "1", "", "", "", ""}},
	    {"tags", {"", "#dark #odd", "", "", "", ""}},
	};
	struct fixture *f = *state;

	step(f, "j");
	step(f, ":note something");
	step(f, ":tag dark odd");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct columns columns;
		struct err err = ERR_INIT;

		if (columns_parse(str_z(rows[i].column), &f->app.scene, &columns, &err) != OK)
			fail_msg("%s", err.msg);
		for (uint32_t ord = 0; ord < 6; ord++) {
			const struct list_column *c = &columns.v[0];
			double number = column_is_number(c->id)
					    ? fetch_number(f->app.conn,
							   f->app.scene.snap->runs[column_run(&f->app.scene, c)].id,
							   column_name(c->id), ord)
					    : NAN;
			struct buf text = BUF_INIT;

			column_value(&f->app.scene, c, ord, rows_get(f->app.rows, ord), number, &text);
			if (strcmp(buf_cstr(&text), rows[i].value[ord]) != 0)
				fail_msg("%s of s%u: \"%s\", not \"%s\"", rows[i].column, ord,
					 buf_cstr(&text), rows[i].value[ord]);
			buf_release(&text);
		}
	}
}

static void number_forms(void **state)
{
	static const struct {
		double v[3];
		int decimals, width;
		const char *first;
	} rows[] = {
	    {{1, 20, NAN}, 0, 3, "1"},       {{0.5, 0.25, 1}, 3, 5, "0.500"},
	    {{12345, 1, 2}, 0, 6, "12,345"}, {{-1.5, 20.25, 3}, 1, 5, "-1.5"},
	    {{1234.5, 1, 2}, 0, 5, "1,235"}, {{NAN, NAN, NAN}, 0, 3, ""},
	    {{-12, 3, 4}, 0, 3, "-12"},      {{INFINITY, 1, 2}, 0, 3, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct number_form form = number_form(rows[i].v, 3);
		struct buf text = BUF_INIT;

		number_text(&form, rows[i].v[0], &text);
		assert_int_equal(form.decimals, rows[i].decimals);
		assert_int_equal(form.width, rows[i].width);
		assert_string_equal(buf_cstr(&text), rows[i].first);
		buf_release(&text);
	}
}

/* --- on the screen --- */

static void list_is(struct fixture *f, const char *want)
{
	struct buf text = BUF_INIT;

	columns_format(&f->app.scene, &f->app.columns, ",", &text);
	assert_string_equal(buf_cstr(&text), want);
	buf_release(&text);
}

static void chosen_and_kept(void **state)
{
	struct fixture *f = *state;

	list_is(f, "key,pair,text,category,verdict,panel");
	assert_false(f->app.columns.chosen);
	step(f, "C j j Space"); /* text goes */
	list_is(f, "key,pair,category,verdict,panel");
	step(f, "/ s c o r e Enter g g Space"); /* and the score comes */
	step(f, "K K K K");
	list_is(f, "key,score,pair,category,verdict,panel");
	step(f, "J > >");
	assert_int_equal(f->app.columns.v[2].id, COLUMN_SCORE);
	assert_true(f->app.columns.v[2].width > 2);
	step(f, "=");
	list_is(f, "key,pair,score,category,verdict,panel");
	step(f, "Esc");
	app_close(&f->app);
	open_app(f);
	list_is(f, "key,pair,score,category,verdict,panel");
	step(f, ":columns key,answer@b=9");
	list_is(f, "key,answer@b=9");
	step(f, ":columns key,nothing");
	says(f, "there is no column or facet \"nothing\"");
	list_is(f, "key,answer@b=9");
	step(f, ":columns key");
	step(f, "C Space");
	says(f, "the list keeps one column at least");
	step(f, "d Esc");
	list_is(f, "key,pair,text,category,verdict,panel");
	assert_false(f->app.columns.chosen);
	step(f, ":column-wider");
	says(f, "which column?");
}

static void order_is(struct fixture *f, const char *sort, const char *want)
{
	char *command = xasprintf(":sort %s", sort), got[8] = "";

	step(f, command);
	for (uint32_t i = 0; i < 6; i++)
		got[i] = (char)('0' + scene_at(&f->app.scene, i));
	if (strcmp(got, want) != 0)
		fail_msg("by %s: %s, not %s", sort, got, want);
	free(command);
}

static void sorted_by_them(void **state)
{
	struct fixture *f = *state;
	struct buf text = BUF_INIT;

	order_is(f, "tokens down", "432105");
	order_is(f, "score@m2", "012345"); /* it has none */
	order_is(f, "score@m1 down", "432105");
	order_is(f, "truth@original", "031425");
	order_is(f, "answer@m2", "120345");
	order_is(f, "text down", "543210");
	step(f, ":sort import");
	step(f, "j j j :");
	step(f, "n o t e Space h e r e Enter");
	order_is(f, "notes", "301245");
	order_is(f, ".tags", "023145");
	f->cli.at_once = 1; /* the same from a worker */
	order_is(f, "notes", "301245");
	order_is(f, "tokens down", "432105");
	order_is(f, "text down", "543210");
	order_is(f, "truth@original", "031425");
	f->cli.at_once = 0;
	step(f, ":sort truth@original down");
	sort_format(&f->app.scene.sort, f->app.scene.snap, &text);
	assert_string_equal(buf_cstr(&text), "truth@original down");
	app_close(&f->app);
	open_app(f);
	assert_int_equal(f->app.scene.sort.of, 1);
	step(f, ":sort answer@zz");
	says(f, "no column or facet \"answer@zz\"");
	step(f, ":sort key@m1");
	says(f, "no column or facet \"key@m1\"");
	buf_release(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(words),  TEST(places),	      TEST(the_least_important_goes_first),
	    TEST(values), TEST(number_forms), TEST(chosen_and_kept),
	    TEST(sorted_by_them),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
