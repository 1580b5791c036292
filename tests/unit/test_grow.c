/* The snapshot's first part, its rest, and what another process brings in: on the null backend,
 * with the other process played by a conn of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <poll.h>
#include <stdlib.h>

#include "core/base/watch.h"
#include "core/base/xmalloc.h"
#include "tests/unit/lib_store.h"
#include "tui/app.h"
#include "tui/choice.h"
#include "tui/script.h"

enum { SAMPLES = 100 };

struct fixture {
	struct place place;
	struct cli cli;
	struct app app;
};

/* --- the project and the other process --- */

static void must(enum status st, const struct err *err)
{
	if (st != OK)
		fail_msg("%s", err->msg);
}

static const char *key_of(uint32_t i, char out[8])
{
	snprintf(out, 8, "k%02u", i);
	return out;
}

static void end_feed(struct feed *f)
{
	must(feed_end(f), &f->err);
	feed_done(f);
}

static void add_samples(struct conn *c, uint32_t from, uint32_t to)
{
	static const char *const names[] = {"cat", "dog", "fox"};
	struct feed f = {0};
	char key[8];

	feed_begin(&f, c, "d");
	for (int i = 0; i < 3; i++)
		feed_class(&f, i, "", names[i], NULL);
	for (uint32_t i = from; i < to; i++)
		feed_sample(&f, key_of(i, key), "what is it?", NULL, names[i % 3]);
	end_feed(&f);
}

/* The model is right about every `step`-th sample. */
static void add_run(struct conn *c, const char *model, uint32_t n, uint32_t step)
{
	static const char *const names[] = {"cat", "dog", "fox"};
	struct feed f = {0};
	uint32_t run;
	char key[8];

	feed_begin(&f, c, "d");
	run = feed_run(&f, model, "CW");
	for (uint32_t i = 0; i < n; i++)
		feed_answer(&f, run, key_of(i, key), names[i % step ? (i + 1) % 3 : i % 3], NULL);
	end_feed(&f);
}

static void open_app(struct fixture *f)
{
	struct err err = ERR_INIT;

	must(app_open(&f->app, &f->cli, f->place.path, &err), &err);
	must(app_open_term(&f->app, &err), &err);
}

static int set_up_empty(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	f->place = place_new(false);
	setenv("XDG_DATA_HOME", f->place.folder, 1);
	setenv("XDG_STATE_HOME", f->place.folder, 1);
	f->cli = (struct cli){.headless = "120x36", .script = "-", .view = "browse"};
	*state = f;
	return 0;
}

static int set_up(void **state)
{
	struct fixture *f;
	struct conn *c;

	set_up_empty(state);
	f = *state;
	c = f->place.c;
	add_samples(c, 0, SAMPLES);
	add_run(c, "m1", SAMPLES, 2);
	add_run(c, "m2", SAMPLES, 3);
	add_run(c, "m3", SAMPLES, 4);
	add_run(c, "m4", SAMPLES, 5);
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	app_close(&f->app);
	place_end(&f->place);
	unsetenv("XDG_DATA_HOME");
	unsetenv("XDG_STATE_HOME");
	free(f);
	return 0;
}

/* --- the screen --- */

static void step(struct fixture *f, const char *line)
{
	struct err err = ERR_INIT;

	if (script_step(&f->app, str_z(line), &err) != OK)
		fail_msg("%s: %s", line, err.msg);
}

/* As the loop does it: the look, what a worker loads, and the frame. */
static void turn(struct fixture *f)
{
	grow_look(&f->app);
	grow_tick(&f->app, app_clock());
	pool_settle(f->app.pool);
	grow_tick(&f->app, app_clock());
	app_draw(&f->app, app_clock());
}

static char *dump(const struct fixture *f)
{
	struct buf b = BUF_INIT;

	cells_dump(&f->app.grid, &b);
	return buf_take(&b);
}

static void expect(const struct fixture *f, const char *text, bool there)
{
	char *screen = dump(f);

	if ((strstr(screen, text) != NULL) != there)
		fail_msg("\"%s\" is%s on the screen:\n%s", text, there ? " not" : "", screen);
	free(screen);
}

static const char *handle(const struct fixture *f, int run)
{
	return run < 0 ? "" : f->app.scene.snap->runs[run].handle;
}

static void expect_key(struct fixture *f, const char *key)
{
	const struct sample_row *row = rows_get(f->app.rows, f->app.scene.current);

	assert_non_null(row);
	if (!str_eqz(row->key, key))
		fail_msg("on %.*s, not on %s", STR_ARG(row->key), key);
}

/* --- the first part --- */

static void first_part(void **state)
{
	struct fixture *f = *state;
	const struct snapshot *s;
	char *early, *late, *whole;
	struct buf answer = BUF_INIT;

	f->cli.at_once = 1;
	open_app(f);
	s = f->app.scene.snap;
	assert_true(s->partial);
	assert_int_equal(s->n, SAMPLES);
	assert_int_equal(s->n_runs, 4);
	assert_string_equal(handle(f, f->app.scene.a), "m4/cw");
	assert_string_equal(handle(f, f->app.scene.b), "m3/cw");
	assert_true(s->runs[0].later && s->runs[1].later);
	assert_false(s->runs[2].later || s->runs[3].later);
	assert_int_equal(s->runs[3].n_predictions, SAMPLES);
	assert_int_equal(s->runs[0].outcome.n, 0);
	assert_int_equal(scene_mark(&f->app.scene, 0, 0), MARK_LATER);
	buf_clear(&answer);
	scene_answer(&f->app.scene, 0, 0, &answer);
	assert_string_equal(buf_cstr(&answer), "⋯");
	buf_release(&answer);

	app_draw(&f->app, app_clock()); /* nothing was reaped yet */
	assert_ptr_equal(f->app.scene.snap, s);
	early = dump(f);
	assert_non_null(strstr(early, "⋯/4"));
	assert_non_null(strstr(early, "⋯ 2 more"));
	pool_settle(f->app.pool);
	assert_false(f->app.scene.snap->partial);
	assert_int_equal(f->app.message.n, 0); /* nothing is new */
	app_draw(&f->app, app_clock());
	late = dump(f);
	assert_null(strstr(late, "⋯"));
	app_close(&f->app);

	f->cli.at_once = 0;
	open_app(f);
	assert_false(f->app.scene.snap->partial);
	app_draw(&f->app, app_clock());
	whole = dump(f);
	assert_string_equal(late, whole);
	free(early);
	free(late);
	free(whole);
}

/* Runs that are named on the command line, or were chosen before, are there at first. */
static void first_runs(void **state)
{
	struct fixture *f = *state;
	const struct run *runs;

	open_app(f);
	choice_run(&f->app, false, 1);
	app_close(&f->app);
	f->cli.at_once = 1;
	f->cli.against = "m1/cw";
	open_app(f);
	runs = f->app.scene.snap->runs;
	assert_string_equal(handle(f, f->app.scene.a), "m2/cw");
	assert_string_equal(handle(f, f->app.scene.b), "m1/cw");
	assert_false(runs[0].later || runs[1].later || runs[2].later); /* m3 was b before */
	assert_true(runs[3].later);
}

static void type(struct fixture *f, const char *keys)
{
	for (; *keys; keys++)
		app_key(&f->app, (uint32_t)*keys);
}

/* Moving goes on at once; whatever counts waits for the rest. */
static void what_waits(void **state)
{
	struct fixture *f = *state;

	f->cli.at_once = 1;
	open_app(f);
	app_draw(&f->app, app_clock());
	type(f, "jjG");
	assert_true(f->app.scene.snap->partial);
	assert_int_equal(f->app.scene.current, SAMPLES - 1);
	assert_true(app_exec(&f->app, STR("sort panel")));
	assert_false(f->app.scene.snap->partial);
	assert_int_equal(f->app.scene.current, SAMPLES - 1);
	pool_settle(f->app.pool); /* what was on its way is not taken any more */
	app_draw(&f->app, app_clock());
	expect(f, "⋯", false);
	assert_int_equal(f->app.scene.sort.by, SORT_PANEL);
}

static void a_filter_waits(void **state)
{
	struct fixture *f = *state;
	uint32_t shown;

	f->cli.filter = "right@m1";
	open_app(f);
	shown = f->app.scene.n_shown;
	assert_int_equal(shown, SAMPLES / 2);
	app_close(&f->app);
	f->cli.at_once = 1;
	open_app(f);
	assert_int_equal(f->app.scene.n_shown, shown);
	assert_false(f->app.scene.snap->partial);
}

/* A view that knows nothing of it never sees a part. */
static void views_wait(void **state)
{
	static const char *const early[] = {"home", "browse", "gallery"};
	struct fixture *f = *state;

	f->cli.at_once = 1;
	for (int i = 0; view_classes[i]; i++) {
		bool is_early = false;

		if (!view_classes[i]->digit)
			continue;
		for (int k = 0; k < 3; k++)
			is_early |= strcmp(early[k], view_classes[i]->name) == 0;
		f->cli.view = view_classes[i]->name;
		open_app(f);
		app_draw(&f->app, app_clock());
		assert_int_equal(f->app.scene.snap->partial, is_early);
		step(f, "# settled");
		app_close(&f->app);
	}
	open_app(f);
}

static void home_counts_the_rest(void **state)
{
	struct fixture *f = *state;

	f->cli.at_once = 1;
	f->cli.view = "home";
	open_app(f);
	app_draw(&f->app, app_clock());
	step(f, "j");
	expect(f, "50.0 %", true); /* m1 */
}

/* --- sorting in a worker --- */

static void sorts_in_a_worker(void **state)
{
	static const char *const sorts[] = {"key down", "truth", "answer", "verdict", "panel down",
					    "score", "category", "text", "notes", "answer@m1/cw", "import down", NULL};
	struct fixture *f = *state;
	struct scene *s = &f->app.scene;
	uint32_t want[SAMPLES], before;
	bool at_once;

	for (int i = 0; sorts[i]; i++) {
		struct sort sort;

		f->cli.at_once = 0;
		open_app(f);
		assert_true(sort_parse(str_z(sorts[i]), s->snap, &sort));
		choice_sort(&f->app, sort);
		choice_resort(&f->app);
		assert_false(s->sorting);
		for (uint32_t k = 0; k < SAMPLES; k++)
			want[k] = scene_at(s, k);
		choice_sort(&f->app, (struct sort){.by = SORT_IMPORT, .facet = -1});
		choice_resort(&f->app);
		app_close(&f->app);

		f->cli.at_once = 1;
		open_app(f);
		pool_settle(f->app.pool);
		app_go(&f->app, 7);
		before = scene_at(s, 3);
		choice_sort(&f->app, sort);
		choice_resort(&f->app);
		at_once = sort.by == SORT_IMPORT || sort.by == SORT_NOTES;
		assert_int_equal(s->sorting, !at_once);
		assert_int_equal(scene_at(s, 3), at_once ? want[3] : before);
		app_draw(&f->app, app_clock());
		pool_settle(f->app.pool);
		assert_false(s->sorting);
		assert_int_equal(s->current, 7);
		for (uint32_t k = 0; k < SAMPLES; k++)
			assert_int_equal(scene_at(s, k), want[k]);
		app_close(&f->app);

		open_app(f); /* it was kept, and is sorted so again, after the first frame */
		app_draw(&f->app, app_clock());
		pool_settle(f->app.pool);
		turn(f);
		for (uint32_t k = 0; k < SAMPLES; k++)
			assert_int_equal(scene_at(s, k), want[k]);
		choice_sort(&f->app, (struct sort){.by = SORT_IMPORT, .facet = -1});
		choice_resort(&f->app);
		app_close(&f->app);
	}
	open_app(f);
}

/* --- growing --- */

static void all_choices_stay(void **state)
{
	struct fixture *f = *state;
	const struct scene *s = &f->app.scene;
	int m1, m2, m3;

	open_app(f);
	choice_panel(&f->app, 1); /* m2 leaves it */
	step(f, ":run-a m2/cw");
	step(f, ":run-b m1/cw");
	step(f, ":sort truth down");
	step(f, ":12");
	step(f, ":mark");
	assert_int_equal(narrow_set(&f->app, STR("-right@a"), NULL, &(struct err)ERR_INIT), OK);
	step(f, "G");
	step(f, "k");
	char *key = xstrndup(rows_get(f->app.rows, s->current)->key.p, 3);
	uint32_t shown = s->n_shown;

	add_samples(f->place.c, SAMPLES, SAMPLES + 5);
	add_run(f->place.c, "m0", SAMPLES + 5, 2);
	turn(f);
	expect(f, "new in the project: 5 samples, 1 run, 105 predictions more", true);
	expect_key(f, key);
	assert_int_equal(s->snap->n, SAMPLES + 5);
	assert_int_equal(s->snap->n_runs, 5);
	assert_string_equal(handle(f, s->a), "m2/cw");
	assert_string_equal(handle(f, s->b), "m1/cw");
	assert_string_equal(handle(f, s->run), "m2/cw");
	assert_int_equal(s->n_panel, 3);
	m1 = s->panel[0], m2 = s->panel[1], m3 = s->panel[2];
	assert_string_equal(handle(f, m1), "m1/cw");
	assert_string_equal(handle(f, m2), "m3/cw");
	assert_string_equal(handle(f, m3), "m4/cw");
	assert_int_equal(s->sort.by, SORT_TRUTH);
	assert_true(s->sort.down);
	assert_string_equal(s->filter, "-right@m2/cw");
	assert_int_equal(s->n_shown, shown + 5); /* m2 has no answer to the new ones */
	assert_int_equal(s->mine->n, SAMPLES + 5);
	assert_int_equal(s->mine->n_marked, 1);
	assert_int_equal(f->app.jumps.list.n > 0, true);
	step(f, "Ctrl-O");
	free(key);
}

/* What was narrowed stays narrowed: by the same conditions, over what there is now. */
static void the_base_grows(void **state)
{
	struct fixture *f = *state;
	const struct scene *s = &f->app.scene;
	struct err err = ERR_INIT;

	open_app(f);
	must(narrow_set(&f->app, STR("gt:cat"), NULL, &err), &err);
	narrow_base(&f->app);
	must(narrow_set(&f->app, STR("right@m1"), NULL, &err), &err);
	assert_true(narrow_toggle(&f->app));
	assert_int_equal(s->n_base, 34);
	assert_int_equal(s->n_shown, 34);
	add_samples(f->place.c, SAMPLES, SAMPLES + 3); /* 102 is a cat */
	turn(f);
	assert_int_equal(s->n_base, 35);
	assert_int_equal(s->n_shown, 35);
	assert_true(s->filter_off);
	assert_true(narrow_toggle(&f->app));
	assert_int_equal(s->n_shown, 17);
}

/* The default panel takes new runs in; a chosen one does not. */
static void the_first_panel_grows(void **state)
{
	struct fixture *f = *state;

	open_app(f);
	assert_int_equal(f->app.scene.n_panel, 4);
	add_run(f->place.c, "m5", 10, 2);
	turn(f);
	assert_int_equal(f->app.scene.n_panel, 5);
	expect(f, "new in the project: 1 run, 10 predictions more", true);
	add_run(f->place.c, "m6", 20, 2); /* the last news go */
	turn(f);
	expect(f, "new in the project: 1 run, 20 predictions more", true);
	turn(f); /* nothing else is new */
	step(f, "j");
	expect(f, "new in the project", false);
}

static void while_one_types(void **state)
{
	struct fixture *f = *state;

	open_app(f);
	app_draw(&f->app, app_clock());
	step(f, "j");
	step(f, "t");
	type(f, "blur");
	add_samples(f->place.c, SAMPLES, SAMPLES + 1);
	turn(f);
	assert_int_equal(f->app.scene.snap->n, SAMPLES); /* not under one's hands */
	type(f, "red");
	add_run(f->place.c, "m5", 10, 2); /* and once more */
	turn(f);
	assert_int_equal(f->app.scene.snap->n, SAMPLES);
	step(f, "Enter");
	turn(f);
	assert_int_equal(f->app.scene.snap->n, SAMPLES + 1);
	assert_int_equal(f->app.scene.snap->n_runs, 5);
	assert_int_equal(f->app.scene.mine->n_tags, 1);
	assert_string_equal(f->app.scene.mine->tags[0].name, "blurred");
	assert_int_equal(f->app.scene.mine->tags[0].ords[0], 1);
	step(f, "p"); /* nor under a list to choose from */
	add_run(f->place.c, "m6", 10, 2);
	turn(f);
	assert_int_equal(f->app.scene.snap->n_runs, 5);
	step(f, "Esc");
	turn(f);
	assert_int_equal(f->app.scene.snap->n_runs, 6);
}

static void from_nothing(void **state)
{
	struct fixture *f = *state;

	open_app(f);
	assert_null(f->app.scene.snap);
	turn(f);
	assert_null(f->app.scene.snap);
	add_samples(f->place.c, 0, 3);
	turn(f);
	assert_non_null(f->app.scene.snap);
	expect(f, "k02", true);
	expect(f, "another program has imported d", true);
	add_run(f->place.c, "m1", 3, 1);
	turn(f);
	assert_string_equal(handle(f, f->app.scene.a), "m1/cw");
	assert_int_equal(f->app.scene.b, -1);
	add_run(f->place.c, "m2", 3, 1);
	turn(f);
	assert_string_equal(handle(f, f->app.scene.a), "m1/cw"); /* as it was */
	assert_string_equal(handle(f, f->app.scene.b), "m2/cw");
}

/* What cannot be believed is refused with words, once; the screen stays as it was. */
static void damage_is_refused(void **state)
{
	struct fixture *f = *state;

	open_app(f);
	project_exec(f->place.c, "UPDATE col SET data = zeroblob(3) WHERE name = 'outcome'");
	turn(f); /* no import has been: nobody looks */
	assert_int_equal(f->app.message.n, 0);
	add_run(f->place.c, "m5", 10, 2);
	turn(f);
	assert_int_equal(f->app.scene.snap->n_runs, 4);
	expect(f, "the project has changed and cannot be loaded", true);
	step(f, "j");
	assert_int_equal(f->app.message.n, 0);
	assert_int_equal(f->app.scene.snap->n_runs, 4);
}

static void edits_of_others(void **state)
{
	struct fixture *f = *state;
	struct user *other;
	struct user_done done;
	struct err err = ERR_INIT;
	const uint32_t ord = 2;
	const struct user_change change = {USER_TAG, &ord, 1, STR("odd"), 0};

	open_app(f);
	app_draw(&f->app, app_clock());
	must(user_open(&other, f->place.c, f->app.scene.snap->dataset_id, "d", SAMPLES, &err), &err);
	must(user_edit(other, "tag", &change, 1, &done, &err), &err);
	user_close(other);
	f->app.dirty = false;
	grow_tick(&f->app, app_clock() + 300); /* the watch has told */
	edit_tick(&f->app, app_clock() + 300);
	if (f->app.grow.watch.fd >= 0)
		assert_int_equal(f->app.scene.mine->n_tags, 1);
	assert_int_equal(f->app.dirty, f->app.grow.watch.fd >= 0);
}

/* The watch tells while the other one has not finished: the look is due again, by itself. */
static void an_edit_is_awaited(void **state)
{
	struct fixture *f = *state;
	int64_t now = app_clock() + 10000;

	open_app(f);
	app_draw(&f->app, app_clock());
	edit_tick(&f->app, now);
	project_exec(f->place.c, "BEGIN EXCLUSIVE");
	project_exec(f->place.c, "INSERT INTO tag VALUES ('d', 'k02', 'odd', '2026')");
	f->app.edit.due = true;
	assert_int_equal(edit_tick(&f->app, now + 100), 150);
	assert_int_equal(edit_tick(&f->app, now + 300), 250);
	assert_int_equal(f->app.scene.mine->n_tags, 0);
	project_exec(f->place.c, "COMMIT");
	edit_tick(&f->app, now + 550);
	assert_int_equal(f->app.scene.mine->n_tags, 1);
	assert_false(f->app.edit.due);
}

/* --- while another program writes --- */

static void frames_wait_for_nobody(void **state)
{
	struct fixture *f = *state;

	open_app(f);
	app_draw(&f->app, app_clock());
	expect(f, "k00", true);
	project_exec(f->place.c, "BEGIN EXCLUSIVE");
	app_key(&f->app, 'G');
	app_draw(&f->app, app_clock());
	assert_true(f->app.locked);
	assert_true(f->app.wake_ms > 0 && f->app.wake_ms <= 100);
	expect(f, "another program is writing to the project", true);
	expect(f, "k99", false);
	expect(f, "⋯", true);
	project_exec(f->place.c, "COMMIT");
	app_draw(&f->app, app_clock());
	assert_false(f->app.locked);
	expect(f, "k99", true);
	expect(f, "another program", false);
	expect(f, "⋯", false);
}

/* A look at a locked project waits for nobody either, and is due again. */
static void a_look_is_due_again(void **state)
{
	struct fixture *f = *state;

	open_app(f);
	app_draw(&f->app, app_clock());
	add_run(f->place.c, "m5", 10, 2);
	project_exec(f->place.c, "BEGIN EXCLUSIVE");
	grow_look(&f->app);
	assert_int_equal(grow_tick(&f->app, 1000000), 250);
	assert_int_equal(grow_fd(&f->app), -1); /* what is written meanwhile is not asked for */
	assert_int_equal(f->app.scene.snap->n_runs, 4);
	project_exec(f->place.c, "COMMIT");
	assert_int_equal(grow_tick(&f->app, 1000100), 150);
	assert_int_equal(grow_tick(&f->app, 1000250), -1);
	pool_settle(f->app.pool);
	assert_int_equal(f->app.scene.snap->n_runs, 5);
}

static void nothing_ticks(void **state)
{
	struct fixture *f = *state;
	int64_t now = app_clock();

	open_app(f);
	app_draw(&f->app, now);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(grow_tick(&f->app, now += 1000), -1);
		assert_false(pool_busy(f->app.pool));
	}
}

static void a_watch_tells(void **state)
{
	struct fixture *f = *state;
	struct watch w;
	struct pollfd p;

	watch_init(&w, f->place.path);
	open_app(f);
	if (w.fd < 0) {
		assert_false(watch_drain(&w));
		skip();
	}
	p = (struct pollfd){w.fd, POLLIN, 0};
	assert_false(watch_drain(&w));
	project_exec(f->place.c, "UPDATE dataset SET preset = 'real'");
	assert_int_equal(poll(&p, 1, 0), 1);
	assert_true(watch_drain(&w));
	assert_false(watch_drain(&w));
	watch_release(&w);
	watch_init(&w, "/nowhere/at/all");
	assert_int_equal(w.fd, -1);
}

#define WITH(test, set) cmocka_unit_test_setup_teardown(test, set, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH(first_part, set_up),
	    WITH(first_runs, set_up),
	    WITH(what_waits, set_up),
	    WITH(a_filter_waits, set_up),
	    WITH(views_wait, set_up),
	    WITH(home_counts_the_rest, set_up),
	    WITH(sorts_in_a_worker, set_up),
	    WITH(all_choices_stay, set_up),
	    WITH(the_base_grows, set_up),
	    WITH(the_first_panel_grows, set_up),
	    WITH(while_one_types, set_up),
	    WITH(from_nothing, set_up_empty),
	    WITH(damage_is_refused, set_up),
	    WITH(edits_of_others, set_up),
	    WITH(an_edit_is_awaited, set_up),
	    WITH(frames_wait_for_nobody, set_up),
	    WITH(a_look_is_due_again, set_up),
	    WITH(nothing_ticks, set_up),
	    WITH(a_watch_tells, set_up),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
