/* The list under a filter: the trail, the base, rows that match no more, lists without a sample, what
 * a sample has, coming back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_screen.h"
#include "tui/place.h"

static void test_toggle(void **state)
{
	struct screen *f = *state;

	screen_step(f, "Ctrl-t");
	assert_true(screen_has(f, "there is no filter"));
	screen_step(f, ":filter right -emotion:delight");
	screen_expect(f, "0 2");
	screen_step(f, "G");
	assert_int_equal(f->app.scene.current, 2);
	screen_step(f, "Ctrl-t");
	screen_expect(f, "0 1 2 3 4 5");
	assert_int_equal(f->app.scene.current, 2);
	assert_true(screen_has(f, "right@m1/cw ▸ -emotion:delight (off)"));
	screen_step(f, "j");
	screen_step(f, "Ctrl-t");
	screen_expect(f, "0 2");
	assert_int_equal(f->app.scene.current, 2); /* the last, as none comes after */
	screen_step(f, "Ctrl-t");
	screen_step(f, ":filter-by emotion:joy"); /* narrows what is shown */
	assert_string_equal(screen_filter(f), "emotion:joy");
	screen_step(f, ":filter-out right");
	assert_string_equal(screen_filter(f), "emotion:joy -right@m1/cw");
	screen_step(f, ":filter");
	screen_expect(f, "0 1 2 3 4 5");
}

static void test_trail(void **state)
{
	struct screen *f = *state;

	screen_step(f, "g f");
	assert_true(screen_has(f, "there is no filter"));
	screen_step(f, ":filter emotion:joy,delight right");
	screen_step(f, "g f");
	assert_true(screen_has(f, "conditions"));
	assert_true(screen_has(f, "without it"));
	screen_step(f, "d");
	assert_string_equal(screen_filter(f), "right@m1/cw");
	screen_step(f, "Backspace"); /* the last one: nothing is left to choose */
	assert_string_equal(screen_filter(f), "");
	assert_ptr_equal(f->app.top->class, &browse_view);
	screen_step(f, "g o");
	assert_string_equal(screen_filter(f), "right@m1/cw");
	screen_step(f, "g o");
	assert_string_equal(screen_filter(f), "emotion:joy,delight right@m1/cw");
	screen_step(f, "g i");
	screen_step(f, "g i");
	assert_string_equal(screen_filter(f), "");
}

static void test_base(void **state)
{
	struct screen *f = *state;

	screen_step(f, ":base");
	assert_int_equal(f->app.scene.n_base, 6);
	screen_step(f, ":filter -emotion:fear");
	screen_step(f, ":base");
	assert_string_equal(screen_filter(f), "");
	assert_int_equal(f->app.scene.n_base, 5);
	assert_true(screen_has(f, "base -emotion:fear"));
	screen_ask(f, "right");
	assert_int_equal(f->app.ask.n, 2);
	screen_step(f, "Enter");
	screen_expect(f, "0 1");
	assert_true(screen_has(f, " 2/5 "));
	screen_step(f, "Ctrl-t");
	screen_expect(f, "0 1 3 4 5");
	screen_step(f, "Ctrl-t");
	screen_step(f, ":base"); /* a base inside the base */
	assert_int_equal(f->app.scene.n_base, 2);
	screen_step(f, ":base all");
	assert_int_equal(f->app.scene.n_base, 6);
	screen_expect(f, "0 1 2 3 4 5");
	screen_step(f, "g o"); /* the base comes back, too */
	assert_int_equal(f->app.scene.n_base, 2);
	screen_step(f, "g o");
	assert_int_equal(f->app.scene.n_base, 5);
	screen_expect(f, "0 1");
	screen_step(f, "g f");
	screen_step(f, "d"); /* the base is the first line */
	assert_int_equal(f->app.scene.n_base, 6);
	screen_expect(f, "0 1 2");
	screen_step(f, "Esc");
	screen_step(f, ":filter right emotion:rage,joy");
	assert_true(screen_has(f, "rage"));
	screen_expect(f, "0 1 2");
	screen_step(f, ":filter -right -wrong -uncounted");
	screen_step(f, ":base"); /* of nothing there are no shares */
	assert_int_equal(f->app.scene.n_base, 6);
}

static void test_follows_a(void **state)
{
	struct screen *f = *state;

	f->app.scene.b = 1; /* the scratch run */
	screen_step(f, ":filter answered");
	screen_expect(f, "0 1 2");
	assert_string_equal(screen_filter(f), "answered@m1/cw");
	screen_step(f, "~");
	screen_expect(f, "1");
	assert_true(strstr(screen_filter(f), "answered@") == screen_filter(f));
	assert_string_not_equal(screen_filter(f), "answered@m1/cw");
	screen_step(f, "~");
	screen_expect(f, "0 1 2");
	screen_step(f, ":filter answered@m1/cw");
	screen_step(f, "~");
	screen_expect(f, "0 1 2");
}

static void test_stale(void **state)
{
	struct screen *f = *state;
	const struct scene *s = &f->app.scene;

	screen_step(f, ":tag x");
	screen_step(f, "j j");
	screen_step(f, ":tag x");
	screen_step(f, ":filter tag:x");
	screen_expect(f, "0 2");
	screen_step(f, ":untag x");
	screen_expect(f, "0 2"); /* stays, dimmed */
	assert_true(scene_is_stale(s, 2));
	assert_false(scene_is_stale(s, 0));
	screen_step(f, "u");
	assert_false(scene_is_stale(s, 2));
	screen_step(f, "Ctrl-r");
	assert_true(scene_is_stale(s, 2));
	screen_step(f, "i Enter"); /* applied again */
	screen_expect(f, "0");
	screen_step(f, ":untag x");
	assert_true(scene_is_stale(s, 0));
	screen_step(f, "Ctrl-t");
	assert_false(scene_is_stale(s, 0));
	screen_step(f, "Ctrl-t");
	screen_expect(f, "");
	/* what was seen goes on to be listed */
	screen_step(f, ":filter -seen");
	screen_expect(f, "0 1 2 3 4 5");
	edit_tick(&f->app, 1000);
	edit_tick(&f->app, 3000);
	app_draw(&f->app, app_clock());
	screen_expect(f, "0 1 2 3 4 5");
	assert_true(scene_is_stale(s, s->current));
}

/* Whatever is pressed where nothing is listed, nothing of the user's changes. */
static void test_nothing_listed(void **state)
{
	struct screen *f = *state;
	static const char *const views[] = {":view browse", ":view gallery"};
	struct keymap *km = &f->app.keys;
	uint64_t version;

	screen_step(f, "Space");
	screen_step(f, ":filter missing answered");
	screen_expect(f, "");
	version = f->app.scene.mine->version;
	for (size_t v = 0; v < 2; v++) {
		screen_step(f, views[v]);
		assert_true(screen_has(f, "no sample matches"));
		for (size_t i = 0; i < km->bindings.n; i++) {
			const struct binding *b = &km->bindings.v[i];
			static const char *const leave[] = {"quit", "back", "suspend", "undo", "redo",
							    "view", "filter-toggle", "older-place",
							    "newer-place"};
			struct str name;
			bool leaves = false;

			str_cut(str_z(b->command), ' ', &name);
			for (size_t k = 0; k < sizeof leave / sizeof *leave; k++)
				leaves |= str_eqz(name, leave[k]);
			if (leaves || (b->mode != MODE_COMMON && b->mode != MODE_BROWSE))
				continue;
			for (int k = 0; k < b->n; k++)
				app_key(&f->app, b->key[k]);
			app_draw(&f->app, app_clock());
			screen_step(f, "Esc Esc Esc");
		}
		screen_step(f, ":goto 3");
		screen_step(f, ":note hidden");
		screen_step(f, ":tag hidden");
		screen_step(f, ":untag x");
		screen_step(f, ":search cat");
		screen_expect(f, "");
		assert_int_equal(f->app.scene.mine->version, version);
	}
	/* stacked on the list when it becomes empty */
	screen_step(f, ":view browse");
	screen_step(f, ":filter");
	screen_step(f, "Enter");
	screen_step(f, ":filter missing answered");
	assert_ptr_equal(f->app.top->class, &sample_view);
	assert_true(screen_has(f, "no sample matches"));
	screen_step(f, "j k e f Ctrl-d PgDn Enter Tab c t Space");
	assert_int_equal(f->app.scene.mine->version, version);
}

static void test_marks_that_are_hidden(void **state)
{
	struct screen *f = *state;

	screen_step(f, "Space Space"); /* 0 and 1 */
	screen_step(f, ":filter emotion:joy");
	screen_expect(f, "0 3");
	screen_step(f, ";");
	assert_true(screen_has(f, "takes the 1 marked that are shown, not the 1 hidden"));
	screen_step(f, ":tag both");
	assert_int_equal(f->app.scene.mine->n_tags, 1);
	assert_int_equal(f->app.scene.mine->tags[0].n, 1);
	assert_int_equal(f->app.scene.mine->tags[0].ords[0], 0);
}

/* --- by what a sample has --- */

static void test_picks(void **state)
{
	struct screen *f = *state;
	struct err err = ERR_INIT;

	screen_step(f, "Space");
	screen_step(f, "k");
	screen_step(f, ":note seen well");
	screen_step(f, ":tag fine");
	for (uint32_t ord = 0; ord < 6; ord++) {
		picks_clear(&f->app);
		picks_of_sample(&f->app, ord);
		picks_count(&f->app, NULL);
		assert_true(f->app.picks.list.n >= 4);
		for (size_t k = 0; k < f->app.picks.list.n; k++) {
			const struct pick *p = &f->app.picks.list.v[k];

			assert_int_equal(p->state, PICK_COUNTED);
			if (narrow_set(&f->app, str_z(p->text), NULL, &err) != OK)
				fail_msg("%s: %s", p->text, err.msg);
			if (scene_place(&f->app.scene, ord) == SCENE_NOWHERE)
				fail_msg("%s is not true for %u", p->text, ord);
			assert_int_equal(scene_shown(&f->app.scene), p->n);
		}
	}
	screen_step(f, ":filter");
	screen_step(f, "g g");
	screen_step(f, ",");
	assert_true(screen_has(f, "only samples with"));
	assert_true(screen_has(f, "tag:fine"));
	screen_step(f, "Enter");
	assert_string_equal(screen_filter(f), "gt:cat");
	screen_step(f, ":filter");
	screen_step(f, "-");
	assert_true(screen_has(f, "without samples with"));
	screen_step(f, "j Enter");
	assert_true(screen_filter(f)[0] == '-');
	assert_true(scene_place(&f->app.scene, 0) == SCENE_NOWHERE);
}

/* --- coming back --- */

static uint32_t picked(const struct screen *f, const char *text)
{
	for (size_t k = 0; k < f->app.picks.list.n; k++)
		if (strcmp(f->app.picks.list.v[k].text, text) == 0)
			return f->app.picks.list.v[k].n;
	fail_msg("%s is not offered", text);
	return 0;
}

/* A list grows behind the popup, as that of a search does: its counts grow too, and say so. */
static void test_picks_follow(void **state)
{
	struct screen *f = *state;
	struct app *app = &f->app;
	struct filter *waiting;
	const struct filter_ctx *ctx;
	struct err err = ERR_INIT;
	uint64_t first = 1;

	ctx = narrow_ctx(app, &err);
	assert_int_equal(filter_parse(STR("text~a"), ctx, &waiting, NULL, &err), OK);
	partial_show(app, waiting, &first);
	app_draw(app, 0);
	screen_step(f, ",");
	assert_int_equal(picked(f, "right"), 1);
	assert_true(screen_has(f, " 1+ "));
	first = 1 | 1 << 2;
	partial_show(app, waiting, &first);
	app_draw(app, 0);
	assert_int_equal(picked(f, "right"), 2);
	assert_true(screen_has(f, " 2+ "));
	partial_end(app);
	app_draw(app, 0);
	assert_true(picked(f, "right") > 2);
	assert_false(screen_has(f, " 2+ "));
	filter_free(waiting);
}

static void test_place_filter(void **state)
{
	struct narrow_place p = {(char *)(uintptr_t)"id:\"a\tb\" text~/x\\d/\n", NULL, true}, q;
	char *dataset, *key;

	(void)state;
	place_save_filter("u9", "one", STR("k1"), &p);
	place_save_filter("u9", "two", STR("k2"),
			  &(struct narrow_place){NULL, (char *)(uintptr_t)"wrong@x", false});
	place_save("u9", "three", STR("k3"));
	assert_true(place_load("u9", "one", &dataset, &key));
	assert_string_equal(key, "k1");
	free(dataset);
	free(key);
	assert_true(place_load_filter("u9", "one", &q));
	assert_true(narrow_place_eq(&p, &q));
	narrow_place_release(&q);
	assert_true(place_load_filter("u9", "two", &q));
	assert_null(q.filter);
	assert_string_equal(q.base, "wrong@x");
	assert_false(q.off);
	narrow_place_release(&q);
	assert_false(place_load_filter("u9", "three", &q));
	assert_false(place_load_filter("u9", "four", &q));
	assert_false(place_load_filter("u8", "one", &q));
}

/* As at a start on a terminal, where what was left is found again. */
static void reopen(struct screen *f, const char *filter_text, const char *base, bool off)
{
	struct err err = ERR_INIT;
	char *uuid = xstrdup(conn_uuid(f->app.conn));
	struct narrow_place p = {(char *)(uintptr_t)filter_text, (char *)(uintptr_t)base, off};

	app_close(&f->app);
	place_save_filter(uuid, "tiny", STR("s2"), &p);
	f->cli.headless = NULL;
	if (app_open(&f->app, &f->cli, f->file, &err) != OK)
		fail_msg("%s", err.msg);
	pool_settle(f->app.pool);
	free(uuid);
}

static void expect_right(struct screen *f)
{
	assert_string_equal(screen_filter(f), "right@m1/cw");
	assert_string_equal(f->app.scene.base_filter, "-emotion:fear");
	screen_expect(f, "0 1");
}

static void test_reopened(void **state)
{
	struct screen *f = *state;

	reopen(f, "right", NULL, false);
	assert_string_equal(screen_filter(f), "right@m1/cw");
	assert_int_equal(f->app.scene.current, 2);
	screen_expect(f, "0 1 2");
	reopen(f, "answer~4", "-emotion:fear", false); /* by the sieve */
	screen_expect(f, "4");
	assert_int_equal(f->app.scene.n_base, 5);
	reopen(f, "right", "-emotion:fear", true);
	assert_true(f->app.scene.filter_off);
	screen_expect(f, "0 1 3 4 5");
	f->cli.at_once = 1; /* the first snapshot lacks a run: the filter comes with the second */
	reopen(f, "right", "-emotion:fear", false);
	assert_false(f->app.scene.snap->partial);
	assert_false(f->app.scene.narrowing);
	expect_right(f);
	f->cli.at_once = 0;
	reopen(f, "right@gone", NULL, false);
	assert_string_equal(screen_filter(f), "");
	screen_expect(f, "0 1 2 3 4 5");
	assert_non_null(strstr(buf_cstr(&f->app.message), "the last filter does not apply any more"));
	f->cli.at = "s1";
	reopen(f, "right", NULL, false); /* who asks for a sample is to see it */
	assert_int_equal(f->app.scene.current, 1);
	f->cli.at = NULL;
	f->cli.filter = "wrong";
	reopen(f, "right", NULL, false);
	assert_string_equal(screen_filter(f), "wrong@m1/cw");
	f->cli.filter = NULL;
}

/* --- whatever is typed --- */

static uint32_t dice(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

/* What the screen says must hold whatever came before. */
static void check(struct screen *f)
{
	const struct scene *s = &f->app.scene;
	struct err err = ERR_INIT;
	uint32_t n = s->snap->n, shown = 0;

	if (scene_shown(s))
		assert_true(scene_place(s, s->current) < scene_shown(s));
	for (uint32_t ord = 0; ord < n; ord++) {
		bool in = scene_place(s, ord) != SCENE_NOWHERE;

		shown += in;
		if (in)
			assert_int_equal(scene_at(s, scene_place(s, ord)), ord);
		if (in && s->base)
			assert_true(bits_get(s->base, ord));
	}
	assert_int_equal(shown, scene_shown(s));
	assert_true(scene_shown(s) <= s->n_base);
	if (s->filter && !s->filter_off && !s->stale) {
		const struct filter_ctx *ctx = narrow_ctx(&f->app, &err);
		uint64_t *bits = bits_new(n);
		struct filter *parsed;

		assert_int_equal(filter_parse(str_z(s->filter), ctx, &parsed, NULL, &err), OK);
		assert_int_equal(filter_eval(parsed, ctx, bits, NULL, &err), OK);
		if (s->base)
			bits_and(bits, s->base, n);
		assert_int_equal(bits_count(bits, n), scene_shown(s));
		filter_free(parsed);
		free(bits);
	}
}

static void test_random(void **state)
{
	struct screen *f = *state;
	static const char *const steps[] = {
	    "i", "Enter", "Esc", "Tab", "BackTab", "Up", "Down", "Ctrl-u", "Ctrl-w", "r i g h t", "w r o n g",
	    "Space", "e m o t i o n :", "j o y", "( -", ")", "a n s w e r ~ 4", "t e x t ~", "\"", "@", "a",
	    "g t :", ", Enter", ", j j Enter", "- j Enter", "Ctrl-t", "g f", "d", "g o", "g i", ":base",
	    ":base all", ":filter", ":filter right", ":filter -tag:x", ":filter vote>=1 answer~answer",
	    "j", "k", "G", "Space", ":tag x", "u", "Ctrl-r", "~", "1", "2", "0", "Enter", "q j", "; t",
	    "Backspace", "Left", "Right", "Home", "Delete", "s j Enter", "/ 1 Enter", "n", "v", "Ctrl-c",
	};
	uint32_t seed = 7;
	int here = open(".", O_RDONLY | O_DIRECTORY);

	assert_true(here >= 0);
	assert_int_equal(chdir(f->folder), 0); /* keys may write files */
	for (int i = 0; i < 3000; i++) {
		const char *s = steps[dice(&seed, sizeof steps / sizeof *steps)];

		if (s[0] == ':' && (f->app.prompt.sign || f->app.edit.question.n))
			continue;
		screen_step(f, s);
		if (f->app.quit) {
			f->app.quit = false;
			continue;
		}
		if (!f->app.scene.narrowing)
			check(f);
	}
	assert_int_equal(fchdir(here), 0);
	close(here);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, screen_set_up, screen_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(test_toggle), TEST(test_trail), TEST(test_base), TEST(test_follows_a),
	    TEST(test_stale), TEST(test_nothing_listed), TEST(test_marks_that_are_hidden),
	    TEST(test_picks), TEST(test_picks_follow), TEST(test_place_filter), TEST(test_reopened), TEST(test_random),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
