/* The Matrix view on the screen: its cursor, what opens from it, and the way back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "tests/unit/lib_screen.h"

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
	assert_string_equal(view(f), "gallery");
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
	assert_string_equal(buf_cstr(&f->app.message), "there is no sample");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(cells_open_and_come_back, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(doors_narrow_what_is_shown, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(the_list_opens_its_pairs, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(nothing_opens_nothing, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(settings_are_kept, screen_set_up, screen_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
