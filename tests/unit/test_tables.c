/* The views Runs and Classes: every number opens its samples, and the way back; what = says. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_random.h"
#include "tests/unit/lib_screen.h"
#include "tests/unit/lib_shell.h"
#include "tui/script.h"
#include "tui/view/sign.h"
#include "tui/view/tables.h"

/* --- on the tiny project --- */

static struct screen *at(void **state, const char *view)
{
	struct screen *f = *state;

	screen_step(f, view);
	return f;
}

static void q_comes_back_with_the_filter_of_before(void **state)
{
	struct screen *f = at(state, ":filter -emotion:fear");

	screen_step(f, "5");
	screen_step(f, "Enter");
	assert_string_equal(f->app.top->class->name, "browse");
	assert_non_null(strstr(screen_filter(f), "right@m1/cw"));
	screen_step(f, "q");
	assert_string_equal(f->app.top->class->name, "runs");
	assert_string_equal(screen_filter(f), "-emotion:fear");
	screen_step(f, "Enter");
	screen_step(f, ":filter fox");
	screen_step(f, "i Ctrl-u");
	screen_type(f, "emotion:joy");
	screen_step(f, "Enter q"); /* what was changed there stays */
	assert_string_equal(f->app.top->class->name, "runs");
	assert_string_equal(screen_filter(f), "emotion:joy");
}

static void numbers_narrow_in_place(void **state)
{
	struct screen *f = at(state, "5");

	screen_step(f, "Enter q ,");
	assert_string_equal(f->app.top->class->name, "runs");
	assert_string_equal(screen_filter(f), "right@m1/cw");
	screen_step(f, "g o -");
	assert_string_equal(screen_filter(f), "-right@m1/cw");
	screen_step(f, "q"); /* there is no door to come back through */
	assert_string_equal(screen_filter(f), "-right@m1/cw");
}

static void go_comes_back_too(void **state)
{
	struct screen *f = at(state, "5");

	screen_step(f, "Enter g o");
	assert_string_equal(f->app.top->class->name, "runs");
	assert_string_equal(screen_filter(f), "");
}

static void groupings_are_chosen(void **state)
{
	struct screen *f = at(state, "4");

	assert_true(screen_has(f, "class "));
	screen_step(f, "B");
	assert_true(screen_has(f, "group the samples by"));
	screen_step(f, "Esc");
	screen_step(f, ":group-by emotion");
	assert_true(screen_has(f, "delight"));
	assert_true(screen_has(f, "by emotion"));
	screen_step(f, ":group-by emotoin");
	assert_true(screen_has(f, "did you mean emotion"));
	assert_true(screen_has(f, "cat")); /* its own grouping again */
	screen_step(f, "1");
	screen_step(f, ":group-by emotion");
	assert_true(screen_has(f, "nothing to group in this view"));
}

static void rows_are_sorted_and_searched(void **state)
{
	struct screen *f = at(state, "4");

	screen_step(f, ":sort group down");
	assert_true(screen_has(f, sign(SIGN_MORE)));
	screen_step(f, "l s s"); /* the column under the cursor: largest first, smallest first */
	assert_true(screen_has(f, sign(SIGN_UP)));
	screen_step(f, ":sort nonesuch");
	assert_true(screen_has(f, "no column \"nonesuch\""));
	screen_step(f, "/");
	screen_type(f, "fo");
	screen_step(f, "Enter");
	screen_step(f, "h h h h h h Enter"); /* the name's own column: the whole group */
	assert_string_equal(screen_filter(f), "gt:#2");
	screen_step(f, "q /");
	screen_type(f, "zebra");
	screen_step(f, "Enter");
	assert_true(screen_has(f, "no row's name has \"zebra\" in it"));
}

static void a_row_becomes_a(void **state)
{
	struct screen *f = at(state, "5");
	int a = f->app.scene.a;

	screen_step(f, "b");
	assert_int_equal(f->app.scene.b >= 0 ? f->app.scene.b : a, a);
}

static void a_number_is_explained(void **state)
{
	struct screen *f = at(state, "5");

	screen_step(f, "=");
	assert_true(screen_has(f, "right / n"));
	assert_true(screen_has(f, "counted"));
	assert_true(screen_has(f, "left out"));
	assert_true(screen_has(f, "qualm report"));
	screen_step(f, "j Enter"); /* the counted ones */
	assert_string_equal(f->app.top->class->name, "browse");
	assert_string_equal(screen_filter(f), "-uncounted@m1/cw");
	screen_step(f, "q");
	assert_string_equal(screen_filter(f), "");
	screen_step(f, "2 =");
	assert_string_equal(f->app.top->class->name, "gallery");
}

/* A rank is of runs, and of nothing that can be opened; a mean neither. */
static void what_has_no_door_says_why(void **state)
{
	struct screen *f = at(state, "4");

	for (int k = 0; k < 20; k++)
		screen_step(f, "l"); /* recall of all: a mean over classes */
	screen_step(f, "Enter");
	assert_string_equal(f->app.top->class->name, "classes");
	assert_non_null(strstr(buf_cstr(&f->app.message), "a mean over"));
	screen_step(f, "=");
	assert_true(screen_has(f, "no door"));
	assert_true(screen_has(f, "hits / (hits + missed)"));
	assert_true(screen_has(f, "van Rijsbergen"));
}

/* Recall opens what was missed, as a list or as a sheet. */
static void made_numbers_open_their_errors(void **state)
{
	struct screen *f = at(state, "4");

	for (int k = 0; k < 20; k++)
		screen_step(f, "l");
	screen_step(f, "/");
	screen_type(f, "dog");
	screen_step(f, "Enter");
	screen_step(f, "Enter");
	assert_string_equal(screen_filter(f), "row@m1/cw:#1 -column@m1/cw:#1 -uncounted@m1/cw");
	screen_step(f, "q");
	screen_step(f, "g c");
	assert_string_equal(f->app.top->class->name, "sheet");
	screen_step(f, "q");
	assert_string_equal(f->app.top->class->name, "classes");
	assert_string_equal(screen_filter(f), "");
}

/* Enough samples for a worker: until it answers no number is shown, and none can be opened. */
static void a_worker_makes_the_table(void **state)
{
	struct screen *f = at(state, "1");
	struct cli much = *f->app.cli;

	much.at_once = 1;
	f->app.cli = &much;
	app_exec(&f->app, STR("view runs"));
	app_draw(&f->app, app_clock());
	app_key(&f->app, '\n');
	assert_string_equal(f->app.top->class->name, "runs");
	pool_settle(f->app.pool);
	assert_true(screen_has(f, "m1/cw"));
	assert_int_equal(f->app.meters.n, 0);
	app_exec(&f->app, STR("group-by class"));
	app_draw(&f->app, app_clock());
	assert_int_equal(f->app.meters.n, 1);
	app_exec(&f->app, STR("cancel"));
	pool_settle(f->app.pool);
	assert_true(screen_has(f, "stopped; Ctrl-l counts again"));
	assert_true(screen_has(f, "..."));
	app_exec(&f->app, STR("redraw"));
	app_draw(&f->app, app_clock());
	pool_settle(f->app.pool);
	assert_false(screen_has(f, "..."));
	screen_step(f, ":filter right");
	screen_step(f, "Enter");
	assert_non_null(strstr(screen_filter(f), "right@m1/cw"));
	screen_step(f, "q");
	app_exec(&f->app, STR("group-by emotion"));
	app_draw(&f->app, app_clock());
	app_exec(&f->app, STR("view classes")); /* what is under way is dropped */
	app_draw(&f->app, app_clock());
	pool_settle(f->app.pool);
	assert_true(screen_has(f, "cat"));
	f->app.cli = &f->cli;
}

/* --- every cell, on random projects --- */

struct shown { /* the table as the view has it */
	struct table table;
	size_t columns[512], n, n_first;
};

static void look(struct screen *f, enum tables_kind kind, struct shown *out)
{
	struct table_wish w;
	struct err err = ERR_INIT;

	table_wish_make(&w, &f->app.scene, kind, f->app.table_by[kind]);
	w.as = tables_as(&f->app);
	w.as.cluster = w.as.cluster ? xstrdup(w.as.cluster) : NULL;
	if (table_wish_fulfil(&w, NULL, &out->table, &out->n_first, &err) != OK)
		fail_msg("%s", err.msg);
	assert_true(out->table.columns.n <= 512);
	out->n = tables_columns(kind, &out->table, out->n_first, out->columns);
	table_wish_release(&w);
}

static double opens(const struct table *t, size_t row, size_t column)
{
	const struct table_cell *c = table_look(t, row, column);

	if (!c->door || c->text)
		return NAN;
	for (size_t k = 0; k < c->n_parts; k++) /* of the errors, or the flips */
		if (strcmp(c->parts[k].label, "errors") == 0 || strcmp(c->parts[k].door, c->door) == 0)
			return c->parts[k].n > 0 ? c->parts[k].n : NAN;
	if (c->n_parts && strcmp(c->parts[0].label, "improved") == 0)
		return c->parts[0].n + c->parts[1].n > 0 ? c->parts[0].n + c->parts[1].n : NAN;
	return t->columns.v[column].kind == TABLE_COUNT ? c->number : c->share ? c->share->part : NAN;
}

static void try_cell(struct screen *f, const char *view, size_t row, size_t k, double want)
{
	char line[64];
	struct buf before = BUF_INIT;
	size_t i = 0;

	snprintf(line, sizeof line, ":%zu", row + 1);
	buf_z(&before, screen_filter(f));
	screen_step(f, line);
	while (i++ < 100)
		app_key(&f->app, 'h');
	for (i = 0; i < k; i++)
		app_key(&f->app, 'l');
	screen_step(f, "Enter");
	if (scene_shown(&f->app.scene) != (uint32_t)want)
		fail_msg("%s, row %zu, column %zu: %u, not %.0f: %s", view, row, k,
			 scene_shown(&f->app.scene), want, screen_filter(f));
	screen_step(f, "q");
	assert_string_equal(f->app.top->class->name, view);
	assert_string_equal(screen_filter(f), buf_cstr(&before));
	buf_release(&before);
}

/* The number as the command line prints it: the last field of the row that begins with `head`. */
static double printed(const char *command, const char *head, bool *found)
{
	struct buf out = BUF_INIT;
	struct str rest, line;
	double number = NAN;

	*found = false;
	shell_output(command, &out);
	for (rest = buf_view(&out); rest.n;) {
		const char *last;

		rest = str_cut(rest, '\n', &line);
		if (!str_starts(line, str_z(head)))
			continue;
		for (last = line.p + line.n - 1; last > line.p && *last != ','; last--)
			;
		*found = true;
		number = last + 1 < line.p + line.n && last[1] > ' ' ? strtod(last + 1, NULL) : NAN;
	}
	buf_release(&out);
	return number;
}

/* As a row of the report begins: of Classes its group; of Runs the run, the layer and the group that
 * the screen has a column for. */
static void head_of(const struct shown *s, enum tables_kind kind, size_t row, size_t column, struct buf *out)
{
	static const char *const names[] = {"run", "layer"};

	for (size_t k = 0; k < 2 && kind == TABLES_RUNS; k++) {
		int at = table_find(&s->table, str_z(names[k]));

		buf_printf(out, "%s,", at >= 0 ? table_look(&s->table, row, (size_t)at)->text : "");
	}
	if (kind == TABLES_CLASSES)
		buf_printf(out, "%s,", table_look(&s->table, row, s->columns[0])->text);
	else
		buf_printf(out, "%s,", column >= s->n_first ? s->table.columns.v[column].title : "all");
}

static void check_command(struct screen *f, const struct shown *s, enum tables_kind kind, size_t row, size_t k)
{
	struct explain_what w = {kind, f->app.table_by[kind], &s->table, s->n_first,
				 row, s->columns[k], NULL};
	double want = table_look(&s->table, row, s->columns[k])->number, got;
	struct buf command = BUF_INIT, head = BUF_INIT;
	bool found;

	if (s->table.columns.v[s->columns[k]].kind == TABLE_TEXT)
		return;
	explain_command(&f->app, &w, &command);
	head_of(s, kind, row, s->columns[k], &head);
	got = printed(buf_cstr(&command), buf_cstr(&head), &found);
	if (!found || isnan(want) != isnan(got) || fabs(want - got) > 1e-12)
		fail_msg("%s: %s%g, not %g", buf_cstr(&command), buf_cstr(&head), got, want);
	buf_release(&command);
	buf_release(&head);
}

/* Classes is sorted when it opens; here its rows stand as they were made. */
static int try_view(struct screen *f, enum tables_kind kind, const char *view)
{
	static struct shown s;
	int tried = 0;
	char line[64];

	snprintf(line, sizeof line, ":view %s", view);
	screen_step(f, line);
	if (kind == TABLES_CLASSES)
		screen_step(f, "l l l l l l l l l l s s s h h h h h h h h h h h");
	look(f, kind, &s);
	for (size_t r = 0; r < table_rows(&s.table); r++)
		for (size_t k = 0; k < s.n; k += 1 + s.n / 12) {
			double want = opens(&s.table, r, s.columns[k]);

			if (isnan(want) || want == 0 || ++tried > 40)
				continue;
			try_cell(f, view, r, k, want);
		}
	for (size_t k = 1; k < s.n && table_rows(&s.table) > 1; k += 3)
		check_command(f, &s, kind, 1, k);
	table_release(&s.table);
	return tried;
}

/* The table that the view shows, cell by cell against what the command line prints for programs. */
static int check_report(struct screen *f)
{
	static struct shown s;
	struct explain_what w = {.kind = TABLES_CLASSES, .table = &s.table};
	struct buf command = BUF_INIT;
	int compared = 0;

	look(f, TABLES_CLASSES, &s);
	assert_string_equal(s.table.title, "compare");
	for (size_t c = 1; c < s.table.columns.n; c++)
		for (size_t r = 0; r < table_rows(&s.table); r += 3) {
			double want = table_look(&s.table, r, c)->number, got;
			struct buf head = BUF_INIT;
			bool found;

			w.row = r;
			w.column = c;
			buf_clear(&command);
			explain_command(&f->app, &w, &command);
			buf_printf(&head, "%s,", table_look(&s.table, r, 0)->text);
			got = printed(buf_cstr(&command), buf_cstr(&head), &found);
			if (!found || !(got == want || (isnan(got) && !isfinite(want))))
				fail_msg("%s: %.17g, not %.17g", buf_cstr(&command), got, want);
			compared++;
			buf_release(&head);
		}
	buf_release(&command);
	table_release(&s.table);
	return compared;
}

/* A class that has nothing but a name that another one has, too, cannot be meant alone. */
static void name_all_classes(const char *file)
{
	struct conn *c = project_open(file, CONN_WRITE);

	project_exec(c, "UPDATE class SET wnid = 'w' || ord WHERE idx IS NULL AND wnid = ''");
	conn_close(c);
}

static void every_number_opens_what_it_says(void **state)
{
	static const char *const filters[] = {":filter ", ":filter right", ":filter wrong or missing"};
	static const char *const lenses[] = {":lens n=exclude", ":lens n=wrong,abstain=exclude", ":lens preset"};
	int tried = 0;

	(void)state;
	for (uint32_t seed = 1; seed <= 6; seed++) {
		struct screen f = {.folder = project_folder()};
		struct err err = ERR_INIT;

		f.file = project_file(f.folder, "r.qualm");
		f.cli = (struct cli){.headless = "98x30", .script = "-", .view = "browse"};
		setenv("XDG_DATA_HOME", f.folder, 1);
		setenv("XDG_STATE_HOME", f.folder, 1);
		random_project_make(f.file, seed);
		name_all_classes(f.file);
		if (app_open(&f.app, &f.cli, f.file, &err) != OK || app_open_term(&f.app, &err) != OK)
			fail_msg("%s", err.msg);
		app_draw(&f.app, app_clock());
		for (size_t k = 0; k < 3; k++) {
			screen_step(&f, filters[k]);
			screen_step(&f, lenses[(seed + k) % 3]);
			if (!scene_shown(&f.app.scene) || f.app.scene.a < 0)
				continue;
			tried += try_view(&f, TABLES_RUNS, "runs");
			tried += try_view(&f, TABLES_CLASSES, "classes");
		}
		app_close(&f.app);
		free(f.file);
		project_remove(f.folder);
	}
	assert_true(tried > 50);
}

/* --- two runs --- */

static struct screen *open_random(uint32_t seed)
{
	static struct screen f;
	struct err err = ERR_INIT;

	f = (struct screen){.folder = project_folder()};
	f.file = project_file(f.folder, "r.qualm");
	f.cli = (struct cli){.headless = "120x36", .script = "-", .view = "classes"};
	setenv("XDG_DATA_HOME", f.folder, 1);
	setenv("XDG_STATE_HOME", f.folder, 1);
	random_project_make(f.file, seed);
	name_all_classes(f.file);
	if (app_open(&f.app, &f.cli, f.file, &err) != OK || app_open_term(&f.app, &err) != OK)
		fail_msg("%s", err.msg);
	app_draw(&f.app, app_clock());
	return &f;
}

static void close_random(struct screen *f)
{
	app_close(&f->app);
	free(f->file);
	project_remove(f->folder);
}

static bool has_flips(struct scene *s)
{
	bool any = false;

	if (s->a < 0 || s->b < 0)
		return false;
	scene_ready(s);
	for (uint32_t i = 0; i < s->snap->n; i++)
		any |= s->verdict[s->a][i] + s->verdict[s->b][i] == VERDICT_RIGHT + VERDICT_WRONG;
	return any;
}

/* The first random project in which a and b part somewhere. */
static struct screen *open_pair(void)
{
	for (uint32_t seed = 1; seed < 100; seed++) {
		struct screen *f = open_random(seed);

		if (has_flips(&f->app.scene))
			return f;
		close_random(f);
	}
	fail_msg("no random project has two runs that part");
	return NULL;
}

static void classes_is_the_report_to_the_last_digit(void **state)
{
	static const char *const steps[] = {":filter wrong or missing", ":set mid-p yes", ":set seed 11"};
	struct screen *f = open_pair();
	int compared = check_report(f);

	(void)state;
	for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
		screen_step(f, steps[k]);
	compared += check_report(f);
	assert_true(compared > 20);
	close_random(f);
}

/* What the number in the head says is what it opens; and back. */
static void the_head_has_doors(void **state)
{
	static const char *const words[] = {"both right ", "regressed ", "improved ", "neither ", "of "};
	static const char *const told[] = {"all: n", "all: a - b", "all: p", "all: kappa", "all: phi"};
	struct screen *f = open_pair();

	(void)state;
	screen_step(f, "Tab");
	for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
		char shows[64];

		screen_step(f, "Enter");
		assert_string_equal(f->app.top->class->name, "browse");
		snprintf(shows, sizeof shows, "%s%u", words[k], scene_shown(&f->app.scene));
		screen_step(f, "q");
		if (!screen_has(f, shows))
			fail_msg("there is no \"%s\"", shows);
		screen_step(f, "l");
	}
	screen_step(f, "h j g g k");
	for (size_t k = 0; k < sizeof told / sizeof *told; k++) {
		screen_step(f, "=");
		if (!screen_has(f, told[k]))
			fail_msg("= does not tell of %s", told[k]);
		screen_step(f, "Esc l");
	}
	screen_step(f, "j l =");
	assert_true(screen_has(f, "all: n"));
	close_random(f);
}

/* Without b there is no head to go to. */
static void hints_are_of_what_is_there(void **state)
{
	struct screen *f = at(state, ":view classes"), *pair = open_pair();

	assert_true(f->app.scene.b < 0);
	assert_true(screen_has(f, "b compare with"));
	assert_false(screen_has(f, "Tab head"));
	screen_step(pair, "4");
	assert_true(screen_has(pair, "Tab head"));
	assert_false(screen_has(pair, "compare with"));
	close_random(pair);
}

static void clusters_are_chosen(void **state)
{
	struct screen *f = open_pair();
	const struct snapshot *snap = f->app.scene.snap;
	char line[96];

	(void)state;
	screen_step(f, ":cluster nonesuch");
	assert_true(screen_has(f, "no facet \"nonesuch\" to cluster by"));
	screen_step(f, ":cluster");
	assert_true(screen_has(f, "draws samples"));
	for (uint32_t k = 0; k < snap->n_facets; k++)
		if (!snap->facets[k].multi) {
			snprintf(line, sizeof line, ":cluster %.60s", snap->facets[k].name);
			screen_step(f, line);
			snprintf(line, sizeof line, "%.60s drawn whole", snap->facets[k].name);
			assert_true(screen_has(f, line));
			assert_true(check_report(f) > 0);
			break;
		}
	screen_step(f, ":cluster none");
	assert_false(screen_has(f, "drawn whole"));
	close_random(f);
}

static void flips_are_near_everywhere(void **state)
{
	static const char *const views[] = {"home", "browse", "gallery", "matrix", "classes", "runs"};
	struct screen *f = open_pair();
	char line[32];

	(void)state;
	for (size_t k = 0; k < sizeof views / sizeof *views; k++) {
		struct scene *s = &f->app.scene;

		snprintf(line, sizeof line, ":view %s", views[k]);
		screen_step(f, "1 g g F F F F");
		screen_step(f, line);
		screen_step(f, "f");
		if (scene_verdict(s, s->a, s->current) == scene_verdict(s, s->b, s->current))
			fail_msg("no flip from %s", views[k]);
		assert_true(strcmp(f->app.top->class->name, "browse") == 0 || strcmp(views[k], "gallery") == 0);
	}
	close_random(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(numbers_narrow_in_place, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(q_comes_back_with_the_filter_of_before, screen_set_up,
					    screen_tear_down),
	    cmocka_unit_test_setup_teardown(go_comes_back_too, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(groupings_are_chosen, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(rows_are_sorted_and_searched, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(a_row_becomes_a, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(a_number_is_explained, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(what_has_no_door_says_why, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(made_numbers_open_their_errors, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(a_worker_makes_the_table, screen_set_up, screen_tear_down),
	    cmocka_unit_test(classes_is_the_report_to_the_last_digit),
	    cmocka_unit_test(the_head_has_doors),
	    cmocka_unit_test_setup_teardown(hints_are_of_what_is_there, screen_set_up, screen_tear_down),
	    cmocka_unit_test(clusters_are_chosen),
	    cmocka_unit_test(flips_are_near_everywhere),
	    cmocka_unit_test(every_number_opens_what_it_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
