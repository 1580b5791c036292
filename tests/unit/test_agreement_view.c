/* The view Agreement: every number on the screen opens as many samples, and the way back; the worker;
 * what is said where there is nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/report/agreement.h"
#include "tests/unit/lib_project.h"
#include "tests/unit/lib_random.h"
#include "tests/unit/lib_screen.h"

static struct agreement count(struct screen *f)
{
	const struct scene *s = &f->app.scene;
	struct steps steps = {0};
	struct report_ctx ctx = {.snap = s->snap, .lens = &s->lens, .mask = s->shown, .runs = s->panel,
				 .n_runs = s->n_panel, .by = STR(""), .steps = &steps};
	struct agreement a;
	struct err err = ERR_INIT;

	if (agreement_make(&ctx, &a, &err) != OK)
		fail_msg("%s", err.msg);
	assert_true(steps.all >= (size_t)s->n_panel && steps.done == steps.all);
	return a;
}

static void enter_and_back(struct screen *f, double want, const char *what)
{
	struct buf before = BUF_INIT;

	buf_z(&before, screen_filter(f));
	screen_step(f, "Enter");
	assert_string_equal(f->app.top->class->name, "browse");
	if (scene_shown(&f->app.scene) != (uint32_t)want)
		fail_msg("%s: %u, not %.0f: %s", what, scene_shown(&f->app.scene), want, screen_filter(f));
	screen_step(f, "q");
	assert_string_equal(f->app.top->class->name, "agreement");
	assert_string_equal(screen_filter(f), buf_cstr(&before));
	buf_release(&before);
}

/* Enter's filter, and the view stays; its opposite. */
static void numbers_narrow_in_place(void **state)
{
	struct screen *f = *state;
	struct buf opened = BUF_INIT, out = BUF_INIT;

	screen_step(f, "6");
	screen_step(f, "Enter");
	buf_z(&opened, screen_filter(f));
	assert_true(opened.n > 0);
	screen_step(f, "q ,");
	assert_string_equal(f->app.top->class->name, "agreement");
	assert_string_equal(screen_filter(f), buf_cstr(&opened));
	screen_step(f, "g o");
	screen_step(f, "-");
	assert_string_equal(f->app.top->class->name, "agreement");
	buf_printf(&out, strchr(buf_cstr(&opened), ' ') ? "-(%s)" : "-%s", buf_cstr(&opened));
	assert_string_equal(screen_filter(f), buf_cstr(&out));
	buf_release(&opened);
	buf_release(&out);
}

static double at(const struct agreement *a, size_t row, const char *column)
{
	return table_look(&a->table, row, (size_t)table_find(&a->table, str_z(column)))->number;
}

static int try_lines(struct screen *f, const struct agreement *a)
{
	static const char *const column[] = {"right", "only", "all_but"};
	int tried = 0;

	screen_step(f, "g g");
	for (size_t i = 0; i < a->n_bars; i++, tried++) {
		enter_and_back(f, at(a, i, "n"), "bar");
		screen_step(f, "j");
	}
	for (int k = 0; k < a->together.n_runs; k++, tried++) {
		size_t row = a->first_run + (size_t)a->order[AGREE_PHI][k];

		for (int c = 0; c < 3; c++) {
			enter_and_back(f, at(a, row, column[c]), column[c]);
			screen_step(f, "l");
		}
		screen_step(f, "h h h j");
	}
	return tried;
}

/* Both halves, and the diagonal, which opens nothing. */
static int try_pairs(struct screen *f, const struct agreement *a, const char *measure)
{
	int n = a->similar.n_runs, tried = 0;
	bool kappa = *measure == 'k';
	char line[64];

	snprintf(line, sizeof line, ":agreement-measure %s", measure);
	screen_step(f, line);
	for (int r = 0; r < n; r++)
		for (int c = 0; c < n; c++) {
			const int *order = a->order[kappa ? AGREE_KAPPA : AGREE_PHI];
			size_t row;

			screen_step(f, "g g h h h h h h");
			for (int k = 0; k < r; k++)
				screen_step(f, "j");
			for (int k = 0; k < c; k++)
				screen_step(f, "l");
			if (r == c) {
				screen_step(f, "Enter");
				assert_true(screen_has(f, "nothing to open"));
				continue;
			}
			row = agreement_pair(a, order[r], order[c]);
			enter_and_back(f, kappa ? at(a, row, "answered") - at(a, row, "same")
						: at(a, row, "only_run") + at(a, row, "only_against"), measure);
			tried++;
		}
	screen_step(f, "Tab");
	return tried;
}

static void every_number_opens_what_it_says(void **state)
{
	static const char *const filters[] = {":filter ", ":filter right", ":filter -missing"};
	int tried = 0;

	(void)state;
	for (uint32_t seed = 1; seed <= 5; seed++) {
		struct screen f = {.folder = project_folder()};
		struct err err = ERR_INIT;

		f.file = project_file(f.folder, "r.qualm");
		f.cli = (struct cli){.headless = "98x40", .script = "-", .view = "agreement"};
		setenv("XDG_DATA_HOME", f.folder, 1);
		setenv("XDG_STATE_HOME", f.folder, 1);
		random_project_make(f.file, seed);
		if (app_open(&f.app, &f.cli, f.file, &err) != OK || app_open_term(&f.app, &err) != OK)
			fail_msg("%s", err.msg);
		app_draw(&f.app, app_clock());
		for (size_t k = 0; k < 3 && f.app.scene.n_panel; k++) {
			struct agreement a;

			screen_step(&f, filters[k]);
			if (!scene_shown(&f.app.scene))
				continue;
			a = count(&f);
			tried += try_lines(&f, &a);
			tried += try_pairs(&f, &a, "phi");
			tried += try_pairs(&f, &a, "kappa");
			agreement_release(&a);
		}
		app_close(&f.app);
		free(f.file);
		project_remove(f.folder);
	}
	assert_true(tried > 60);
}

static void a_panel_of_one_says_so_much(void **state)
{
	struct screen *f = *state;

	screen_step(f, "6");
	assert_string_equal(f->app.top->class->name, "agreement");
	assert_true(screen_has(f, "everybody"));
	assert_true(screen_has(f, "m1/cw"));
	screen_step(f, "=");
	assert_true(screen_has(f, "right@all"));
	assert_true(screen_has(f, "qualm report"));
	screen_step(f, "Esc m");
	assert_true(screen_has(f, "phi of right and wrong"));
	screen_step(f, "m");
	assert_true(screen_has(f, "kappa of the answers"));
	screen_step(f, "o");
	assert_true(screen_has(f, "in the panel's order"));
	screen_step(f, "Enter");
	assert_true(screen_has(f, "a run with itself"));
	screen_step(f, ":agreement-measure tau");
	assert_true(screen_has(f, "phi, kappa or spearman"));
}

static void what_was_changed_behind_a_door_stays(void **state)
{
	struct screen *f = *state;

	screen_step(f, ":filter -emotion:fear");
	screen_step(f, "6");
	screen_step(f, "Enter");
	assert_non_null(strstr(screen_filter(f), "right@all"));
	screen_step(f, "q");
	assert_string_equal(screen_filter(f), "-emotion:fear");
	screen_step(f, "Enter");
	screen_step(f, ":filter emotion:joy");
	screen_step(f, "q");
	assert_string_equal(f->app.top->class->name, "agreement");
	assert_string_equal(screen_filter(f), "emotion:joy");
	screen_step(f, ":filter wrong right");
	assert_true(screen_has(f, "no sample matches"));
}

/* Enough samples for a worker: until it answers there is nothing to open; Ctrl-c gives it up. */
static void a_worker_counts(void **state)
{
	struct screen *f = *state;
	struct cli much = *f->app.cli;

	much.at_once = 1;
	f->app.cli = &much;
	app_exec(&f->app, STR("view agreement"));
	app_draw(&f->app, app_clock());
	app_key(&f->app, '\n');
	assert_string_equal(f->app.top->class->name, "agreement");
	app_exec(&f->app, STR("cancel"));
	pool_settle(f->app.pool);
	app_draw(&f->app, app_clock());
	assert_true(screen_has(f, "not counted"));
	screen_step(f, "Ctrl-l");
	pool_settle(f->app.pool);
	assert_true(screen_has(f, "everybody"));
	app_exec(&f->app, STR("filter right"));
	app_draw(&f->app, app_clock());
	app_exec(&f->app, STR("cancel")); /* what stood there was of all samples */
	pool_settle(f->app.pool);
	assert_true(screen_has(f, "not counted"));
	assert_false(screen_has(f, "everybody"));
	app_exec(&f->app, STR("redraw"));
	app_draw(&f->app, app_clock());
	app_exec(&f->app, STR("view browse")); /* what is under way is dropped */
	app_draw(&f->app, app_clock());
	pool_settle(f->app.pool);
	f->app.cli = &f->cli;
}

/* --- the meter --- */

struct stepping {
	struct job job;
	struct meter_steps steps;
	struct app *app;
	atomic_bool seen;
};

/* Two of four, and then only the cancel or the look of the owner lets it end. */
static void run_steps(struct job *job)
{
	struct stepping *s = (struct stepping *)job;

	steps_expect(&s->steps.steps, 4);
	steps_take(&s->steps.steps);
	s->steps.told = 0;
	steps_take(&s->steps.steps);
	while (!atomic_load(&s->seen) && !cancel_is(&job->cancel))
		;
}

static void see_steps(struct job *job)
{
	struct stepping *s = (struct stepping *)job;

	meter_steps_move(s->app, 77, &s->steps);
	atomic_store(&s->seen, true);
}

static void keep(struct job *job)
{
	(void)job;
}

static void steps_move_the_meter(void **state)
{
	struct screen *f = *state;
	struct stepping *s = xcalloc(1, sizeof *s);
	struct buf text = BUF_INIT;

	s->app = &f->app;
	s->job = (struct job){.key = 77, .run = run_steps, .news = see_steps, .free_job = keep, .owner = s};
	meter_steps_begin(&s->steps, &s->job);
	meter_open(&f->app, (struct meter){.key = 77, .what = "stepping", .unit = "steps"});
	f->app.meters.v[0].began -= 2000;
	pool_submit(f->app.pool, &s->job);
	pool_settle(f->app.pool);
	assert_true(atomic_load(&s->seen));
	meter_text(&f->app.meters.v[0], f->app.meters.v[0].began + 2000, 80, &text);
	assert_string_equal(buf_cstr(&text), "stepping 50 % - 1 steps/s - 2 s left");
	meter_close(&f->app, 77);
	buf_release(&text);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(numbers_narrow_in_place, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(a_panel_of_one_says_so_much, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(what_was_changed_behind_a_door_stays, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(a_worker_counts, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(steps_move_the_meter, screen_set_up, screen_tear_down),
	    cmocka_unit_test(every_number_opens_what_it_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
