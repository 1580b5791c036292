/* Searching on the screen: what is found and marked, steps from hit to hit, the meter, and the
 * list while its filter is being worked out. On the null backend. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_user.h"
#include "tui/app.h"
#include "tui/script.h"
#include "tui/view/hits.h"

/* --- hits --- */

static struct needle *needle(const char *text, bool regex)
{
	struct needle *nd = NULL;
	struct err err = ERR_INIT;

	if (needle_new(&nd, str_z(text), regex, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	return nd;
}

/* "from+n from+n" */
static void expect_spans(const struct span *span, size_t n, const char *want)
{
	struct buf got = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		buf_printf(&got, "%s%zu+%zu", i ? " " : "", span[i].from, span[i].n);
	assert_string_equal(buf_cstr(&got), want);
	buf_release(&got);
}

static void test_spans(void **state)
{
	struct needle *fox = needle("fox", false), *re = needle("[xo]+ ", true);
	struct span span[8];
	struct hits h = {.n = 0};
	struct str text = STR("a Fox and a fox sat");

	(void)state;
	hits_add(&h, fox, HIT_KEY | HIT_ANSWER, 2);
	expect_spans(span, hits_find(&h, HIT_KEY, -1, text, STYLE_MATCH, span, 8), "2+3 12+3");
	expect_spans(span, hits_find(&h, HIT_KEY, -1, text, STYLE_MATCH, span, 1), "2+3");
	expect_spans(span, hits_find(&h, HIT_NOTE, -1, text, STYLE_MATCH, span, 8), "");
	expect_spans(span, hits_find(&h, HIT_ANSWER, 2, text, STYLE_MATCH, span, 8), "2+3 12+3");
	expect_spans(span, hits_find(&h, HIT_ANSWER, 1, text, STYLE_MATCH, span, 8), "");
	hits_add(&h, re, HIT_KEY, -1);
	/* they never overlap: the one that begins first is marked */
	expect_spans(span, hits_find(&h, HIT_KEY, -1, text, STYLE_MATCH, span, 8), "2+3 12+3");
	expect_spans(span, hits_find(&h, HIT_KEY, -1, STR("ox fox"), STYLE_MATCH, span, 8), "0+3 3+3");
	for (int i = 0; i < 2 * HITS_MAX; i++)
		hits_add(&h, fox, HIT_KEY, -1);
	assert_int_equal(h.n, HITS_MAX);
	needle_free(fox);
	needle_free(re);
}

static void test_names(void **state)
{
	struct needle *nd = needle("o", false), *over = needle("x, o", false);
	struct str text = STR("fox, owl, dog");
	const size_t ends[] = {3, 8, 13};
	struct span span[8];
	struct hits h = {.n = 0};

	(void)state;
	hits_add(&h, nd, HIT_NAME, -1);
	expect_spans(span, hits_find_names(&h, text, ends, 3, STYLE_MATCH, span, 8), "1+1 5+1 11+1");
	h.n = 0;
	hits_add(&h, over, HIT_NAME, -1);
	expect_spans(span, hits_find_names(&h, text, ends, 3, STYLE_MATCH, span, 8), "");
	needle_free(nd);
	needle_free(over);
}

/* The letters of the styles under a text of w columns. */
static void expect_marks(const char *text, int w, enum text_cut how, struct span span, const char *want)
{
	struct cells grid = {0};
	struct buf cut = BUF_INIT, got = BUF_INIT;

	cells_resize(&grid, 1, 12);
	text_cut(str_z(text), w, how, &cut);
	cells_put(&grid, 0, 0, w, STYLE_NORMAL, buf_view(&cut));
	span.style = STYLE_MATCH;
	pen_mark_cut(&grid, 0, 0, w, how, str_z(text), &span, 1);
	for (int x = 0; x < 12; x++)
		buf_ch(&got, cells_at(&grid, 0, x)->style == STYLE_MATCH ? '#' : '.');
	if (strcmp(buf_cstr(&got), want) != 0)
		fail_msg("%s in %d: %s", text, w, buf_cstr(&got));
	buf_release(&cut);
	buf_release(&got);
	cells_release(&grid);
}

static void test_marks_of_cut_text(void **state)
{
	(void)state;
	expect_marks("abcdefgh", 8, CUT_END, (struct span){.from = 2, .n = 3}, "..###.......");
	expect_marks("abcdefgh", 4, CUT_END, (struct span){.from = 1, .n = 1}, ".#..........");
	expect_marks("abcdefgh", 4, CUT_END, (struct span){.from = 6, .n = 1}, "...#........"); /* the dots */
	expect_marks("abcdefgh", 4, CUT_END, (struct span){.from = 2, .n = 3}, "..##........");
	expect_marks("abcdefgh", 4, CUT_START, (struct span){.from = 6, .n = 2}, "..##........");
	expect_marks("abcdefgh", 4, CUT_START, (struct span){.from = 0, .n = 1}, "#...........");
	expect_marks("abcdefgh", 5, CUT_MIDDLE, (struct span){.from = 0, .n = 8}, "#####.......");
	expect_marks("abcdefgh", 5, CUT_MIDDLE, (struct span){.from = 6, .n = 1}, "...#........");
	expect_marks("\xe6\x82\xb2\xe3\x81\x97xy", 12, CUT_END, (struct span){.from = 3, .n = 4},
		     "..###.......");
	expect_marks("abc", 0, CUT_END, (struct span){.from = 0, .n = 3}, "............");
}

/* --- the meter --- */

static void expect_meter(const struct meter *m, int w, const char *want)
{
	struct buf text = BUF_INIT;

	meter_text(m, 4000, w, &text);
	if (strcmp(buf_cstr(&text), want) != 0)
		fail_msg("%d: %s", w, buf_cstr(&text));
	buf_release(&text);
}

static void stop_nothing(struct app *app)
{
	app->quit = true;
}

static void test_meter_text(void **state)
{
	struct meter m = {.key = 1, .what = "searching", .done = 400000000, .all = 1000000000,
			  .found = 1204, .finds = true, .began = 0, .stop = stop_nothing};
	struct meter rows = {.key = 1, .what = "importing", .unit = "rows", .done = 40000, .began = 2000};

	(void)state;
	expect_meter(&m, 80, "searching 40 % \xc2\xb7 1,204 so far \xc2\xb7 100 MB/s \xc2\xb7 6 s left \xc2\xb7 "
			     "Ctrl-c stops");
	expect_meter(&m, 60, "searching 40 % \xc2\xb7 1,204 so far \xc2\xb7 6 s left \xc2\xb7 Ctrl-c stops");
	expect_meter(&m, 50, "searching 40 % \xc2\xb7 1,204 so far \xc2\xb7 6 s left");
	expect_meter(&m, 30, "searching 40 % \xc2\xb7 6 s left");
	expect_meter(&m, 3, "searching 40 %");
	expect_meter(&rows, 80, "importing 40,000 \xc2\xb7 20,000 rows/s");
	rows.all = 40000000;
	expect_meter(&rows, 80, "importing 0 % \xc2\xb7 20,000 rows/s \xc2\xb7 33 min left");
	rows = (struct meter){.key = 1, .what = "importing"};
	expect_meter(&rows, 80, "importing");
}

static void test_meters(void **state)
{
	struct app app = {.dirty = false};

	(void)state;
	assert_false(meter_stop(&app));
	for (uint64_t key = 1; key <= METERS_MAX + 2; key++)
		meter_open(&app, (struct meter){.key = key, .what = "x", .stop = stop_nothing});
	assert_int_equal(app.meters.n, METERS_MAX);
	assert_int_equal(app.meters.v[0].key, 3);
	meter_move(&app, 5, 1, 2);
	meter_found(&app, 5, 9);
	meter_move(&app, 77, 1, 2); /* nobody's */
	meter_open(&app, (struct meter){.key = 5, .what = "y", .stop = stop_nothing});
	assert_int_equal(app.meters.n, METERS_MAX);
	assert_int_equal(app.meters.v[METERS_MAX - 1].key, 5);
	assert_null(meter_shown(&app.meters, app.meters.v[METERS_MAX - 1].began + METER_AFTER_MS - 1));
	assert_int_equal(meter_shown(&app.meters, app.meters.v[METERS_MAX - 1].began + METER_AFTER_MS)->key, 5);
	assert_true(meter_stop(&app));
	assert_true(app.quit);
	assert_int_equal(app.meters.n, METERS_MAX - 1);
	meter_close(&app, 77);
	while (meter_stop(&app))
		;
	assert_null(meter_shown(&app.meters, INT64_MAX));
}

/* --- the app --- */

struct fixture {
	char *folder, *file;
	struct cli cli;
	struct app app;
};

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);
	struct err err = ERR_INIT;

	f->folder = project_folder();
	f->file = project_file(f->folder, "t.qualm");
	f->cli = (struct cli){.headless = "120x40", .script = "-", .view = "browse"};
	project_make_tiny(f->file, 0);
	setenv("XDG_DATA_HOME", f->folder, 1);
	if (app_open(&f->app, &f->cli, f->file, &err) != OK || app_open_term(&f->app, &err) != OK)
		fail_msg("%s", err.msg);
	app_draw(&f->app, app_clock());
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

static void expect_step(struct fixture *f, const char *line, uint32_t current, const char *message)
{
	step(f, line);
	if (f->app.scene.current != current || !strstr(buf_cstr(&f->app.message), message))
		fail_msg("%s: sample %u, \"%s\"", line, f->app.scene.current, buf_cstr(&f->app.message));
}

static void test_steps(void **state)
{
	struct fixture *f = *state;

	expect_step(f, "n", 0, "nothing has been searched yet");
	expect_step(f, ":search number 3", 3, "hit 1 of 1");
	expect_step(f, ":search NUMBER", 3, "hit 4 of 6"); /* where one stands is near enough */
	expect_step(f, "n", 4, "hit 5 of 6");
	expect_step(f, "n", 5, "hit 6 of 6");
	expect_step(f, "n", 0, "hit 1 of 6, from the other end");
	expect_step(f, "N", 5, "hit 6 of 6, from the other end");
	expect_step(f, "N", 4, "hit 5 of 6");
	expect_step(f, ":search s2", 2, "hit 1 of 1, from the other end");
	expect_step(f, "n", 2, "hit 1 of 1, from the other end"); /* the only one */
	expect_step(f, ":search xyzzy", 2, "no sample has \"xyzzy\" in it");
	expect_step(f, "n", 2, "no sample has");
	expect_step(f, ":search /s[13]$/", 3, "hit 2 of 2");
	expect_step(f, ":search /s[/", 3, "this cannot be searched: ");
	expect_step(f, "n", 1, "hit 1 of 2"); /* what was searched before stays */
	expect_step(f, ":search /", 1, "no sample");
	expect_step(f, ":search //", 1, "no sample has \"//\"");
}

/* Keys, texts, answers of the run that is shown, notes, names of truth and answers. */
static void test_scopes(void **state)
{
	struct fixture *f = *state;

	expect_step(f, ":search answer 1", 1, "hit 1 of 1");
	f->app.scene.run = 1; /* has no such text */
	expect_step(f, "n", 1, "no sample has \"answer 1\"");
	f->app.scene.run = 0;
	expect_step(f, "n", 1, "hit 1 of 1");
	step(f, "c a Space b l u r r y Space o n e Enter");
	expect_step(f, ":search blurry", 1, "hit 1 of 1");
	step(f, "c x Enter"); /* notes change: it is searched again */
	expect_step(f, "n", 1, "hit 1 of 1, from the other end");
	step(f, "g g");
	expect_step(f, ":search fox", 2, "hit 1 of ");
}

/* Too many for one frame: a worker goes on; keys typed ahead wait for it, who moves gives it up. */
static void test_far(void **state)
{
	struct fixture *f = *state;
	struct err err = ERR_INIT;

	app_close(&f->app);
	unlink(f->file);
	project_make_long(f->file, 400000);
	if (app_open(&f->app, &f->cli, f->file, &err) != OK || app_open_term(&f->app, &err) != OK)
		fail_msg("%s", err.msg);
	expect_step(f, "/ 9 9 9 9 9 Enter n n", 299999, "hit 3 of 4");
	expect_step(f, "n n", 99999, "hit 1 of 4, from the other end");
	step(f, "g g");
	expect_step(f, "/ k 0 3 9 9 9 9 9 Enter N n N", 399999, "hit 1 of 1");
	step(f, "g g");
	expect_step(f, "/ k 0 3 9 9 9 9 9 Enter j", 1, "");
	expect_step(f, "n", 399999, "hit 1 of 1");
	step(f, "g g");
	app_exec(&f->app, STR("search k0399998"));
	app_exec(&f->app, STR("escape"));
	assert_string_equal(buf_cstr(&f->app.message), "the search was stopped");
	expect_step(f, "k", 0, "");
	app_exec(&f->app, STR("search k0399998"));
	app_exec(&f->app, STR("cancel"));
	assert_int_equal(f->app.meters.n, 0);
	expect_step(f, "k", 0, "");
	step(f, ":sort key down");
	expect_step(f, ":search k03999", 399999, "hit 1 of 100, from the other end");
}

static void test_within_a_filter_and_an_order(void **state)
{
	struct fixture *f = *state;
	struct err err = ERR_INIT;

	assert_int_equal(narrow_set(&f->app, STR("size>2"), NULL, &err), OK); /* 1 3 4 5 */
	step(f, ":1");
	expect_step(f, ":search number", 1, "hit 1 of 4");
	expect_step(f, "n", 3, "hit 2 of 4");
	expect_step(f, ":search s0", 3, "none of the list has \"s0\" in it, but 1 of the others");
	step(f, ":sort key down");
	expect_step(f, ":search number", 3, "hit 3 of 4");
	expect_step(f, "n", 1, "hit 4 of 4");
	expect_step(f, "n", 5, "hit 1 of 4, from the other end");
	assert_int_equal(narrow_set(&f->app, STR("size>1000"), NULL, &err), OK);
	step(f, "n");
	assert_int_equal(scene_shown(&f->app.scene), 0);
}

static int count_marked(const struct app *app)
{
	int n = 0;

	for (int y = 1; y + 1 < app->grid.h; y++)
		for (int x = 0; x < app->grid.w; x++)
			n += cells_at(&app->grid, y, x)->style == STYLE_MATCH ||
			     cells_at(&app->grid, y, x)->style == STYLE_CURSOR_MATCH;
	return n;
}

/* What is searched is marked, all of it and nothing else; what the filter looks for likewise. */
static void test_marked(void **state)
{
	struct fixture *f = *state;
	struct err err = ERR_INIT;

	assert_int_equal(count_marked(&f->app), 0);
	step(f, ":search s0");
	assert_int_equal(count_marked(&f->app), 4); /* in the list, above the picture */
	step(f, ":search zzz");
	assert_int_equal(count_marked(&f->app), 0);
	assert_int_equal(narrow_set(&f->app, STR("answer~/swer [01]/"), NULL, &err), OK);
	step(f, "g g");
	assert_int_equal(scene_shown(&f->app.scene), 2);
	assert_int_equal(count_marked(&f->app), 6); /* "swer 0" in the raw text */
	assert_true(narrow_toggle(&f->app));
	step(f, "g g");
	assert_int_equal(count_marked(&f->app), 0);
	assert_int_equal(narrow_set(&f->app, STR("-answer~answer id~s3"), NULL, &err), OK);
	step(f, "g g");
	assert_int_equal(scene_shown(&f->app.scene), 1);
	assert_int_equal(count_marked(&f->app), 4);
}

/* --- the list while its filter is worked out --- */

static void expect_list(const struct app *app, const char *want)
{
	struct buf got = BUF_INIT;

	for (uint32_t i = 0; i < scene_shown(&app->scene); i++)
		buf_printf(&got, "%u", scene_at(&app->scene, i));
	assert_string_equal(buf_cstr(&got), want);
	buf_release(&got);
}

static void test_partial(void **state)
{
	struct fixture *f = *state;
	struct app *app = &f->app;
	struct err err = ERR_INIT;
	struct filter *waiting = NULL;
	uint64_t bits = 0;

	assert_int_equal(narrow_set(app, STR("size>2"), NULL, &err), OK);
	step(f, ":3"); /* sample 4 */
	assert_int_equal(filter_parse(STR("answer~answer"), narrow_ctx(app, &err), &waiting, NULL, &err), OK);
	partial_show(app, waiting, &bits); /* nothing is certain yet: the list stays */
	expect_list(app, "1345");
	assert_false(app->scene.partial);
	bits = 1u << 1;
	partial_show(app, waiting, &bits);
	expect_list(app, "1");
	assert_true(app->scene.partial);
	assert_non_null(strstr(app->scene.filter, "answer"));
	app_draw(app, app_clock());
	bits |= 1u << 4 | 1u << 0;
	partial_show(app, waiting, &bits);
	expect_list(app, "014");
	assert_int_equal(app->scene.current, 4); /* back where one stood */
	app_draw(app, app_clock());
	step(f, "g g"); /* who moves has moved */
	bits |= 1u << 2;
	partial_show(app, waiting, &bits);
	assert_int_equal(app->scene.current, 0);
	partial_end(app);
	expect_list(app, "1345");
	assert_false(app->scene.partial);
	assert_non_null(strstr(app->scene.filter, "size"));
	assert_int_equal(app->scene.current, 1); /* 0 is not in this list */
	partial_end(app);
	expect_list(app, "1345");
	filter_free(waiting);
}

/* Stopped, replaced, answered: never anything but the old list or the right one. */
static void test_narrowing(void **state)
{
	struct fixture *f = *state;
	struct app *app = &f->app;
	struct err err = ERR_INIT;

	for (int i = 0; i < 50; i++) {
		assert_int_equal(narrow_set(app, STR("size>2"), NULL, &err), OK);
		assert_int_equal(narrow_set(app, STR("answer@any~answer"), NULL, &err), OK);
		assert_true(app->scene.narrowing);
		if (i % 3 == 0)
			usleep(1000);
		app_exec(app, STR("cancel"));
		assert_false(app->scene.narrowing);
		pool_settle(app->pool);
		expect_list(app, "1345");
		assert_non_null(strstr(app->scene.filter, "size"));
		assert_int_equal(narrow_set(app, STR("answer@any~answer"), NULL, &err), OK);
		assert_int_equal(narrow_set(app, STR("question~number -answer~answer"), NULL, &err), OK);
		pool_settle(app->pool);
		expect_list(app, "3");
		assert_int_equal(narrow_set(app, STR("answer~answer"), NULL, &err), OK);
		assert_int_equal(narrow_and(app, STR("size<2"), false, &err), OK);
		pool_settle(app->pool);
		expect_list(app, "0");
		assert_int_equal(app->meters.n, 0);
	}
}

static void take_progress(struct app *app, struct sieve_progress *p)
{
	(void)app;
	assert_true(p->done <= p->all);
	assert_true(!p->bits || p->n == bits_count(p->bits, p->snap->n));
}

static void take_answer(struct app *app, struct sieve_answer *a)
{
	if (a->st != OK || a->n != (uint32_t)a->tag)
		fail_msg("%.*s: %u, %s", STR_ARG(a->text), a->n, a->err.msg);
	app->placed.id++; /* counts the answers */
}

/* Many questions at once, each at a desk of its own. */
static void test_desks(void **state)
{
	static const struct {
		const char *text;
		int n;
	} questions[] = {{"answer~answer", 4}, {"size>2", 4}, {"text@any~number", 6}, {"right or wrong", 5},
			 {"note~x", 0},	       {"id~s", 6},   {"-answer~answer", 2},  {"score>=1", 3}};
	struct fixture *f = *state;

	f->app.placed.id = 0;
	for (uint64_t k = 0; k < 200; k++) {
		size_t q = k % (sizeof questions / sizeof *questions);
		struct sieve_question ask = {.key = 1000 + k, .text = str_z(questions[q].text),
					     .tag = questions[q].n, .progress = take_progress,
					     .done = take_answer};

		if (k == 100)
			scene_relens(&f->app.scene);
		sieve_ask(&f->app, &ask);
	}
	pool_settle(f->app.pool);
	assert_int_equal(f->app.placed.id, 200);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_spans),      cmocka_unit_test(test_names),
	    cmocka_unit_test(test_marks_of_cut_text), cmocka_unit_test(test_meter_text),
	    cmocka_unit_test(test_meters),     T(test_steps),
	    T(test_scopes),		       T(test_far),		T(test_within_a_filter_and_an_order),
	    T(test_marked),		       T(test_partial),
	    T(test_narrowing),		       T(test_desks),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
