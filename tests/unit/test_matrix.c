/* The Matrix view on the screen: its cursor, what opens from it, and the way back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib_screen.h"
#include "tests/unit/lib_shell.h"
#include "tui/view/matrix_impl.h"

static const char *view(struct screen *f)
{
	return f->app.top->class->name;
}

/* cat: one right answer; dog: one refused answer, one right; fox: one that is right by a list, one
 * out of the classes, one missing. */
static void cells_open_and_come_back(void **state)
{
	struct screen *f = *state;

	screen_step(f, ":run-a m1/cw");
	screen_step(f, ":lens layer=original");
	screen_step(f, "3");
	assert_string_equal(view(f), "matrix");
	screen_step(f, "j l"); /* dog as dog */
	screen_step(f, "Enter");
	assert_string_equal(view(f), "browse");
	assert_string_equal(screen_filter(f), "row@m1/cw:dog column@m1/cw:dog");
	screen_expect(f, "1");
	screen_step(f, "q");
	assert_string_equal(view(f), "matrix");
	assert_string_equal(screen_filter(f), "");
	assert_int_equal(f->app.matrix.row, 1);
	assert_int_equal(f->app.matrix.column, 1);
	screen_step(f, "l l"); /* (oop), (refused) */
	screen_step(f, "l Enter");
	assert_string_equal(screen_filter(f), "row@m1/cw:dog column@m1/cw:(refused)");
	screen_expect(f, "4");
	screen_step(f, "g o");
	assert_string_equal(view(f), "matrix");
	assert_string_equal(screen_filter(f), "");
	assert_int_equal(f->app.matrix.row, 1);
	assert_int_equal(f->app.matrix.column, 4);
}

/* The matrix stays and is that of the cell's samples alone. */
static void cells_narrow_in_place(void **state)
{
	struct screen *f = *state;

	screen_step(f, ":run-a m1/cw");
	screen_step(f, ":lens layer=original");
	screen_step(f, "3");
	screen_step(f, "j l ,");
	assert_string_equal(view(f), "matrix");
	assert_string_equal(screen_filter(f), "row@m1/cw:dog column@m1/cw:dog");
	screen_expect(f, "1");
	screen_step(f, "k ,"); /* of cats none is left */
	assert_string_equal(screen_filter(f), "row@m1/cw:dog column@m1/cw:dog");
	assert_true(screen_has(f, "no sample here to filter by"));
	screen_step(f, "g o");
	screen_step(f, "j");
	screen_step(f, ":filter-out");
	assert_string_equal(screen_filter(f), "-(row@m1/cw:dog column@m1/cw:dog)");
}

/* What was filtered before stays, and is there again. */
static void doors_narrow_what_is_shown(void **state)
{
	struct screen *f = *state;

	screen_step(f, ":run-a m1/cw");
	screen_step(f, ":lens layer=original");
	screen_step(f, ":filter emotion:joy/*");
	screen_step(f, "3");
	screen_step(f, "G"); /* fox as fox */
	screen_step(f, "h h h h h h h k k"); /* cat as cat */
	screen_step(f, "g c");
	assert_string_equal(view(f), "sheet");
	screen_expect(f, "0");
	screen_step(f, "q");
	assert_string_equal(view(f), "matrix");
	assert_string_equal(screen_filter(f), "emotion:joy/*");
}

static void the_list_opens_its_pairs(void **state)
{
	struct screen *f = *state;

	screen_step(f, ":run-a m1/cw");
	screen_step(f, ":lens layer=original");
	screen_step(f, "3");
	screen_step(f, "Tab");
	assert_true(f->app.matrix.in_list);
	screen_step(f, "Enter");
	assert_string_equal(screen_filter(f), "row@m1/cw:cat column@m1/cw:(oop)");
	screen_expect(f, "3");
	screen_step(f, "q");
	screen_step(f, "j Enter");
	assert_string_equal(screen_filter(f), "row@m1/cw:dog column@m1/cw:(refused)");
	screen_expect(f, "4");
}

static void nothing_opens_nothing(void **state)
{
	struct screen *f = *state;

	screen_step(f, ":run-a m1/cw");
	screen_step(f, ":lens layer=original");
	screen_step(f, "3");
	screen_step(f, "l Enter"); /* no cat was called a dog */
	assert_string_equal(view(f), "matrix");
	assert_string_equal(buf_cstr(&f->app.message), "0: there is no sample to open");
}

static void settings_are_kept(void **state)
{
	struct screen *f = *state;

	screen_step(f, ":run-a m1/cw");
	screen_step(f, "3");
	screen_step(f, "% S d");
	screen_step(f, ":matrix-order name");
	assert_true(screen_has(f, "row % - log - order: name"));
	assert_true(screen_has(f, "diagonal off"));
	screen_step(f, "1 3");
	assert_true(screen_has(f, "row % - log - order: name"));
	screen_step(f, ":matrix-order size");
	assert_true(screen_has(f, "classes stand by"));
	screen_step(f, ":run-b m2");
	screen_step(f, "m");
	assert_true(f->app.matrix.difference);
	screen_step(f, "/ f o x Enter");
	assert_int_equal(f->app.matrix.row, 2);
}

/* --- explaining --- */

static uint32_t lines_in(const struct buf *out)
{
	return (uint32_t)strtoul(buf_cstr(out), NULL, 10);
}

static void check_command(struct app *app, const struct matrix_page *p, uint32_t row, uint32_t column,
			  const char *handle, uint32_t want)
{
	struct buf command = BUF_INIT, out = BUF_INIT;

	matrix_explain_command(app, p, row, column, handle, &command);
	shell_output(buf_cstr(&command), &out);
	if (lines_in(&out) != want)
		fail_msg("%s: %u, the number is %u", buf_cstr(&command), lines_in(&out), want);
	buf_release(&command);
	buf_release(&out);
}

/* Every number of the grid, and what the told command line prints. */
static void check_commands(struct screen *f)
{
	struct app *app = &f->app;
	const struct scene *s = &app->scene;
	struct matrix_look look = app->matrix;
	struct matrix_answer now;
	struct matrix_grid g;
	struct matrix_page p = {&now.names, &now.counts, &g, &look, s->snap->runs[s->a].handle,
				s->snap->runs[s->b].handle, false};
	struct matrix_wish w;

	matrix_wish_make(&w, s, &look);
	matrix_count(&w, (const uint8_t *const[]){NULL, NULL}, &(struct confusion_way){.group = NULL}, &now);
	matrix_lay(&now.counts, &look, (struct rect){1, 0, 28, 98}, &g);
	for (uint32_t r = 0; r < g.row.n; r++)
		for (uint32_t k = r % 2; k < g.column.n; k += 2) {
			struct matrix_number n = matrix_number(&g, r, k);

			check_command(app, &p, g.row.id[r], g.column.id[k], p.a, n.a);
			if (look.difference)
				check_command(app, &p, g.row.id[r], g.column.id[k], p.b, n.b);
		}
	matrix_grid_release(&g);
	matrix_answer_release(&now);
	matrix_wish_release(&w);
}

static void command_lines_give_the_number(void **state)
{
	struct screen *f = *state;

	screen_step(f, ":run-a m1/cw");
	screen_step(f, ":run-b m2");
	screen_step(f, ":lens layer=original");
	screen_step(f, "3");
	check_commands(f);
	screen_step(f, ":filter -id:s4");
	check_commands(f);
	screen_step(f, "m");
	check_commands(f);
}

static void a_number_is_explained(void **state)
{
	struct screen *f = *state;

	screen_step(f, ":run-a m1/cw");
	screen_step(f, ":lens layer=original");
	screen_step(f, "3");
	screen_step(f, "j l l l l"); /* dog, refused */
	screen_step(f, "=");
	assert_true(screen_has(f, "refused: the model"));
	assert_true(screen_has(f, "row@m1/cw:dog column@m1/cw:(refused)"));
	assert_true(screen_has(f, "population"));
	assert_true(screen_has(f, "left out"));
	assert_true(screen_has(f, "formula"));
	assert_true(screen_has(f, "source"));
	screen_step(f, "Enter"); /* its samples */
	assert_string_equal(screen_filter(f), "row@m1/cw:dog column@m1/cw:(refused)");
	screen_step(f, "q");
	assert_string_equal(view(f), "matrix");
	assert_string_equal(screen_filter(f), "");
}

/* Of a less b: what is there for one of them. */
static void a_difference_opens_what_moved(void **state)
{
	struct screen *f = *state;

	screen_step(f, ":run-a m1/cw");
	screen_step(f, ":run-b m2");
	screen_step(f, ":lens layer=original");
	screen_step(f, "3 m");
	screen_step(f, "j l l l l"); /* dog, refused: of m1 alone */
	assert_true(screen_has(f, "opens what moved"));
	screen_step(f, "=");
	assert_true(screen_has(f, "only in a"));
	assert_true(screen_has(f, "only in b"));
	screen_step(f, "Esc Enter");
	assert_non_null(strstr(screen_filter(f), "-(row@m2"));
	screen_expect(f, "4");
	screen_step(f, "q");
	assert_string_equal(view(f), "matrix");
	assert_string_equal(screen_filter(f), "");
}

/* --- folding, sheets, workers --- */

/* A fox is a dog here. */
static void classes_are_folded(void **state)
{
	struct screen *f = *state;

	screen_step(f, ":run-a m1/cw");
	screen_step(f, ":lens layer=original");
	screen_step(f, "3");
	screen_step(f, "-");
	assert_true(screen_has(f, "cat hangs below nothing"));
	screen_step(f, "+");
	assert_true(screen_has(f, "nothing is folded here"));
	screen_step(f, "G -"); /* the fox, into what it hangs below */
	assert_true(screen_has(f, "dog/*"));
	assert_false(screen_has(f, "fox"));
	assert_int_equal(f->app.matrix.row, 1);
	check_commands(f);
	screen_step(f, "l l Enter");
	assert_string_equal(screen_filter(f), "row@m1/cw:dog/* column@m1/cw:(refused)");
	screen_expect(f, "4");
	screen_step(f, "q");
	screen_step(f, "h h +");
	assert_true(screen_has(f, "fox"));
	screen_step(f, ":matrix-fold all");
	assert_true(screen_has(f, "dog/*"));
	screen_step(f, ":matrix-unfold all");
	assert_false(screen_has(f, "dog/*"));
	screen_step(f, ":matrix-fold some");
	assert_true(screen_has(f, "fold what the cursor is on"));
}

static void sheets_open_from_everywhere(void **state)
{
	struct screen *f = *state;

	screen_step(f, ":filter fox");
	screen_step(f, "g c");
	assert_string_equal(view(f), "sheet");
	screen_step(f, "Enter");
	assert_string_equal(view(f), "sample");
	screen_step(f, "q q");
	assert_string_equal(view(f), "browse");
	screen_step(f, ":filter ");
	screen_step(f, ":run-a m1/cw");
	screen_step(f, ":lens layer=original");
	screen_step(f, "3");
	screen_step(f, "Tab g c"); /* a pair of the list */
	assert_string_equal(view(f), "sheet");
	screen_expect(f, "3");
	screen_step(f, "q");
	assert_string_equal(view(f), "matrix");
	assert_true(f->app.matrix.in_list);
	screen_step(f, "Tab G l l l l l l l l l g c"); /* a margin */
	assert_string_equal(view(f), "sheet");
	screen_step(f, "q 0 g c");
	assert_string_equal(view(f), "home");
}

/* Until it has counted there are no numbers, and none can be opened; it can be stopped. */
static void a_worker_counts(void **state)
{
	struct screen *f = *state;
	struct cli much = *f->app.cli;

	much.at_once = 1;
	screen_step(f, ":run-a m1/cw");
	screen_step(f, ":lens layer=original");
	f->app.cli = &much;
	app_exec(&f->app, STR("view matrix"));
	app_draw(&f->app, app_clock());
	app_exec(&f->app, STR("enter"));
	assert_string_equal(view(f), "matrix");
	assert_true(f->app.meters.n > 0);
	app_exec(&f->app, STR("cancel"));
	assert_true(screen_has(f, "Enter begins again"));
	assert_int_equal(f->app.meters.n, 0);
	app_exec(&f->app, STR("enter"));
	app_draw(&f->app, app_clock());
	pool_settle(f->app.pool);
	assert_true(screen_has(f, "3 errors"));
	app_exec(&f->app, STR("lens n=wrong"));
	app_draw(&f->app, app_clock());
	assert_true(screen_has(f, "counting"));
	app_exec(&f->app, STR("enter")); /* not by numbers that hold no more */
	assert_string_equal(view(f), "matrix");
	pool_settle(f->app.pool);
	screen_has(f, "");
	screen_step(f, "j l Enter");
	assert_string_equal(screen_filter(f), "row@m1/cw:dog column@m1/cw:dog");
	f->app.cli = &f->cli;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(cells_open_and_come_back, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(cells_narrow_in_place, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(doors_narrow_what_is_shown, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(the_list_opens_its_pairs, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(nothing_opens_nothing, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(settings_are_kept, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(a_number_is_explained, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(command_lines_give_the_number, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(a_difference_opens_what_moved, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(classes_are_folded, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(sheets_open_from_everywhere, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(a_worker_counts, screen_set_up, screen_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
