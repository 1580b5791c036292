/* What keys and options of the screen do, whatever terminal is there. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "tests/unit/lib_project.h"
#include "tests/unit/lib_screen.h"

/* On a slow line Esc and the next key arrive together, as if Alt were held. */
static void test_escape_in_a_hurry(void **state)
{
	struct screen *f = *state;
	uint32_t before = f->app.scene.current;

	screen_step(f, "/");
	app_key(&f->app, KEYC_ALT | 'j');
	assert_int_equal(f->app.prompt.sign, 0);
	assert_int_equal(f->app.scene.current, before + 1);
	screen_step(f, "?");
	app_key(&f->app, KEYC_ALT | KEYC_UP);
	assert_false(f->app.top->class->popup);
	assert_int_equal(f->app.scene.current, before);
	app_key(&f->app, 'g');
	app_key(&f->app, KEYC_ALT | 'j');
	assert_int_equal(f->app.scene.current, before + 1);
}

/* The judge's marks: steps, a bar, the answer; and what cannot be read as marks says so. */
static void test_steps(void **state)
{
	static const char *const marks[] = {
	    "<score>Step 1: 1/1, Step 2: 0/1, Step 3: 1/1, Step 4: 1/1</score>",
	    "<score>Step 1: 1/1, Step 2: 2/3</score>", "<score>Step 1: 0/1</score>",
	    "the judge was silent", NULL, NULL};
	static const char *const shown[] = {"steps ✓✗✓|✓", "steps ✓|2/3", "steps |✗",
					    "steps the marks cannot be read"};
	struct screen *f = *state;
	struct err err = ERR_INIT;
	struct conn *c;

	app_close(&f->app);
	c = project_open(f->file, CONN_WRITE);
	for (int64_t run = 1; run <= 2; run++)
		project_texts(c, run, FIELD_MARKS, marks, 6, 6);
	conn_close(c);
	assert_int_equal(app_open(&f->app, &f->cli, f->file, &err), OK);
	assert_int_equal(app_open_term(&f->app, &err), OK);
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		app_draw(&f->app, app_clock());
		if (!screen_has(f, shown[i]))
			fail_msg("sample %zu: no \"%s\"", i, shown[i]);
		screen_step(f, "j");
	}
	app_draw(&f->app, app_clock());
	assert_false(screen_has(f, "steps"));
}

static void test_options(void **state)
{
	static const struct {
		const char *steps, *says;
	} rows[] = {
	    {":set picture-rst", "no option picture-rst; did you mean picture-rest"},
	    {":set picture-rest", "80"},
	    {":set picture-rest 5000", "is not \"5000\" but 0 to 2000"},
	    {":set picture-rest 5", "picture-rest 5, until"},
	    {":set theme sepia", "there is no theme sepia"},
	    {":set theme light", "theme light, until"},
	    {":set pictures none", "pictures none, until"},
	    {":set wheel yes", "wheel yes, until"},
	    {":set nonsense", "there are theme, pictures"},
	};
	struct screen *f = *state;

	screen_step(f, ":set"); /* a list of them all */
	screen_must_have(f, "picture-rest");
	screen_must_have(f, "theme");
	screen_step(f, "Esc");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		screen_step(f, rows[i].steps);
		app_draw(&f->app, app_clock());
		if (!screen_has(f, rows[i].says))
			fail_msg("%s: %s", rows[i].steps, buf_cstr(&f->app.message));
	}
	assert_string_equal(f->app.theme.name, "light");
	screen_step(f, ": s e t Space t h Tab");
	assert_string_equal(buf_cstr(&f->app.prompt.text), "set theme");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, screen_set_up, screen_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_escape_in_a_hurry),
	    TEST(test_options),
	    TEST(test_steps),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
