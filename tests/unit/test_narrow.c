/* The list's filter on the screen: typing it, what the prompt says, the trail, the base, rows that
 * match no more, lists without a sample, coming back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_user.h"
#include "tui/app.h"
#include "tui/place.h"
#include "tui/script.h"

struct fixture {
	char *folder, *file;
	struct cli cli;
	struct app app;
};

static void open_app(struct fixture *f)
{
	struct err err = ERR_INIT;

	if (app_open(&f->app, &f->cli, f->file, &err) != OK || app_open_term(&f->app, &err) != OK)
		fail_msg("%s", err.msg);
	app_draw(&f->app, app_clock());
}

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	f->folder = project_folder();
	f->file = project_file(f->folder, "t.qualm");
	f->cli = (struct cli){.headless = "98x30", .script = "-", .view = "browse"};
	project_make_tiny(f->file, 0);
	setenv("XDG_DATA_HOME", f->folder, 1);
	setenv("XDG_STATE_HOME", f->folder, 1);
	open_app(f);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	app_close(&f->app);
	unsetenv("XDG_DATA_HOME");
	unsetenv("XDG_STATE_HOME");
	free(f->file);
	project_remove(f->folder);
	free(f);
	return 0;
}

static void step(struct fixture *f, const char *line)
{
	struct err err = ERR_INIT;

	if (script_step(&f->app, str_z(line), &err) != OK)
		fail_msg("%s: %s", line, err.msg);
}

/* The text into the prompt that is open, a key a character. */
static void type(struct fixture *f, const char *text)
{
	for (; *text; text++)
		app_key(&f->app, (unsigned char)*text);
	ask_filter_tick(&f->app, INT64_MAX);
	pool_settle(f->app.pool);
}

/* The prompt, empty, then the text. */
static void ask(struct fixture *f, const char *text)
{
	step(f, "i Ctrl-u");
	type(f, text);
}

static const char *typed(struct fixture *f)
{
	return buf_cstr(&f->app.prompt.text);
}

static const char *filter(struct fixture *f)
{
	return f->app.scene.filter ? f->app.scene.filter : "";
}

/* The ordinals in the list, "0 2 4". */
static char *listed(struct fixture *f)
{
	struct buf b = BUF_INIT;

	for (uint32_t i = 0; i < scene_shown(&f->app.scene); i++)
		buf_printf(&b, "%s%u", b.n ? " " : "", scene_at(&f->app.scene, i));
	return b.n ? buf_take(&b) : xstrdup("");
}

static void expect_list(struct fixture *f, const char *want)
{
	char *got = listed(f);

	assert_string_equal(got, want);
	free(got);
}

static bool on_screen(struct fixture *f, const char *text)
{
	const struct cells *grid = &f->app.grid;
	bool found = false;

	app_draw(&f->app, app_clock());
	for (int y = 0; y < grid->h && !found; y++) {
		struct buf b = BUF_INIT;

		for (int x = 0; x < grid->w; x++) {
			const struct cell *c = cells_at(grid, y, x);

			if (c->width || !c->text[0])
				buf_z(&b, c->text[0] ? c->text : " ");
		}
		found = strstr(buf_cstr(&b), text) != NULL;
		buf_release(&b);
	}
	return found;
}

/* --- typing --- */

static void test_states(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *text;
		enum ask_state state;
		uint32_t n;         /* counted */
		size_t at, n_fault; /* wrong */
	} cases[] = {
	    {"", ASK_COUNTED, 6, 0, 0},
	    {"right", ASK_COUNTED, 3, 0, 0},
	    {"emotion:joy ", ASK_COUNTED, 2, 0, 0},
	    {"answer~4", ASK_COUNTED, 1, 0, 0},
	    {"wro", ASK_UNFINISHED, 0, 0, 0},
	    {"right emot", ASK_UNFINISHED, 0, 0, 0},
	    {"emotion:", ASK_UNFINISHED, 0, 0, 0},
	    {"(right", ASK_UNFINISHED, 0, 0, 0},
	    {"text~\"two w", ASK_UNFINISHED, 0, 0, 0},
	    {"right or ", ASK_UNFINISHED, 0, 0, 0},
	    {"wrnog", ASK_WRONG, 0, 0, 5},
	    {"wro right", ASK_WRONG, 0, 0, 3},
	    {"right emotion:rage", ASK_WRONG, 0, 14, 4},
	    {"right@nobody right", ASK_WRONG, 0, 6, 6},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ask(f, cases[i].text);
		if (f->app.ask.state != cases[i].state)
			fail_msg("%s: state %d, %s", cases[i].text, f->app.ask.state,
				 buf_cstr(&f->app.ask.problem));
		if (cases[i].state == ASK_COUNTED)
			assert_int_equal(f->app.ask.n, cases[i].n);
		assert_int_equal(f->app.prompt.fault_n, cases[i].n_fault);
		if (cases[i].n_fault)
			assert_int_equal(f->app.prompt.fault_at, cases[i].at);
		step(f, "Esc");
		assert_string_equal(filter(f), "");
	}
}

static void test_enter_and_leave(void **state)
{
	struct fixture *f = *state;

	ask(f, "right");
	expect_list(f, "0 1 2 3 4 5"); /* until Enter */
	step(f, "Enter");
	assert_int_equal(f->app.prompt.sign, 0);
	assert_string_equal(filter(f), "right@m1/cw");
	expect_list(f, "0 1 2");
	step(f, "i");
	assert_string_equal(typed(f), "right "); /* as it was typed: it goes on to follow a */
	type(f, "emotion:joy");
	step(f, "Enter");
	assert_true(on_screen(f, "right@m1/cw ▸ emotion:joy"));
	expect_list(f, "0");
	ask(f, "wrnog");
	step(f, "Enter");
	assert_int_equal(f->app.prompt.sign, PROMPT_FILTER); /* nothing typed is lost */
	assert_true(on_screen(f, "did you mean wrong?"));
	assert_true(f->app.prompt.fault_n == 5);
	step(f, "Esc");
	expect_list(f, "0");
	ask(f, "");
	step(f, "Enter");
	expect_list(f, "0 1 2 3 4 5");
	ask(f, "emotion:f");
	step(f, "Ctrl-c");
	assert_int_equal(f->app.prompt.sign, 0);
	assert_string_equal(filter(f), "");
}

static void test_history(void **state)
{
	struct fixture *f = *state;

	ask(f, "right");
	step(f, "Enter");
	ask(f, "wrong");
	step(f, "Enter");
	ask(f, "half");
	step(f, "Up");
	assert_string_equal(typed(f), "wrong");
	step(f, "Up Up Up");
	assert_string_equal(typed(f), "right");
	step(f, "Down Down Down");
	assert_string_equal(typed(f), "half");
	step(f, "Esc");
}

static void test_completing(void **state)
{
	struct fixture *f = *state;

	ask(f, "emoti");
	step(f, "Tab");
	assert_string_equal(typed(f), "emotion:");
	assert_false(f->app.ask.listed);
	step(f, "Tab"); /* several, and nothing they agree in: the first stands there */
	assert_true(f->app.ask.listed);
	assert_string_equal(typed(f), "emotion:joy");
	assert_int_equal(f->app.ask.n, 2); /* counted as one walks */
	step(f, "Tab");
	assert_string_equal(typed(f), "emotion:delight");
	step(f, "Down");
	assert_string_equal(typed(f), "emotion:fear");
	step(f, "BackTab Up");
	assert_string_equal(typed(f), "emotion:joy");
	assert_true(on_screen(f, "delight "));
	step(f, "Esc");
	assert_string_equal(typed(f), "emotion:");
	assert_false(f->app.ask.listed);
	assert_int_equal(f->app.prompt.sign, PROMPT_FILTER);
	step(f, "Tab Tab");
	type(f, " ri"); /* typing on takes what stands there */
	assert_false(f->app.ask.listed);
	step(f, "Tab Enter");
	assert_string_equal(filter(f), "emotion:delight right@m1/cw");
	ask(f, "qqq");
	step(f, "Tab");
	assert_string_equal(typed(f), "qqq");
	step(f, "Esc");
}

/* Counts of offers are those of the filters they stand for. */
static void test_offers_count(void **state)
{
	struct fixture *f = *state;
	static const char *const words[] = {"emotion:", "tags:", "gt:", "pred:", "cat:"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t n;

		ask(f, words[i]);
		n = f->app.ask.offers.items.n;
		assert_true(n > 1);
		for (size_t k = 0; k < n; k++) {
			const struct filter_item *it = &f->app.ask.offers.items.v[k];
			uint32_t count = it->count;

			step(f, "Tab");
			if (!f->app.ask.listed || f->app.ask.taken != (int64_t)k)
				fail_msg("%s: offer %zu was not taken", words[i], k);
			if (count != FILTER_NO_COUNT)
				assert_int_equal(f->app.ask.n, count);
			assert_int_equal(f->app.ask.state, ASK_COUNTED);
		}
		step(f, "Ctrl-c");
	}
}

/* --- narrowing --- */

static void test_toggle(void **state)
{
	struct fixture *f = *state;

	step(f, "Ctrl-t");
	assert_true(on_screen(f, "there is no filter"));
	step(f, ":filter right -emotion:delight");
	expect_list(f, "0 2");
	step(f, "G");
	assert_int_equal(f->app.scene.current, 2);
	step(f, "Ctrl-t");
	expect_list(f, "0 1 2 3 4 5");
	assert_int_equal(f->app.scene.current, 2);
	assert_true(on_screen(f, "right@m1/cw ▸ -emotion:delight (off)"));
	step(f, "j");
	step(f, "Ctrl-t");
	expect_list(f, "0 2");
	assert_int_equal(f->app.scene.current, 2); /* the last, as none comes after */
	step(f, "Ctrl-t");
	step(f, ":filter-by emotion:joy"); /* narrows what is shown */
	assert_string_equal(filter(f), "emotion:joy");
	step(f, ":filter-out right");
	assert_string_equal(filter(f), "emotion:joy -right@m1/cw");
	step(f, ":filter");
	expect_list(f, "0 1 2 3 4 5");
}

static void test_trail(void **state)
{
	struct fixture *f = *state;

	step(f, "g f");
	assert_true(on_screen(f, "there is no filter"));
	step(f, ":filter emotion:joy,delight right");
	step(f, "g f");
	assert_true(on_screen(f, "conditions"));
	assert_true(on_screen(f, "without it"));
	step(f, "d");
	assert_string_equal(filter(f), "right@m1/cw");
	step(f, "Backspace"); /* the last one: nothing is left to choose */
	assert_string_equal(filter(f), "");
	assert_ptr_equal(f->app.top->class, &browse_view);
	step(f, "g o");
	assert_string_equal(filter(f), "right@m1/cw");
	step(f, "g o");
	assert_string_equal(filter(f), "emotion:joy,delight right@m1/cw");
	step(f, "g i");
	step(f, "g i");
	assert_string_equal(filter(f), "");
}

static void test_base(void **state)
{
	struct fixture *f = *state;

	step(f, ":base");
	assert_int_equal(f->app.scene.n_base, 6);
	step(f, ":filter -emotion:fear");
	step(f, ":base");
	assert_string_equal(filter(f), "");
	assert_int_equal(f->app.scene.n_base, 5);
	assert_true(on_screen(f, "base -emotion:fear"));
	ask(f, "right");
	assert_int_equal(f->app.ask.n, 2);
	step(f, "Enter");
	expect_list(f, "0 1");
	assert_true(on_screen(f, " 2/5 "));
	step(f, "Ctrl-t");
	expect_list(f, "0 1 3 4 5");
	step(f, "Ctrl-t");
	step(f, ":base"); /* a base inside the base */
	assert_int_equal(f->app.scene.n_base, 2);
	step(f, ":base all");
	assert_int_equal(f->app.scene.n_base, 6);
	expect_list(f, "0 1 2 3 4 5");
	step(f, "g o"); /* the base comes back, too */
	assert_int_equal(f->app.scene.n_base, 2);
	step(f, "g o");
	assert_int_equal(f->app.scene.n_base, 5);
	expect_list(f, "0 1");
	step(f, "g f");
	step(f, "d"); /* the base is the first line */
	assert_int_equal(f->app.scene.n_base, 6);
	expect_list(f, "0 1 2");
	step(f, "Esc");
	step(f, ":filter right emotion:rage,joy");
	assert_true(on_screen(f, "rage"));
	expect_list(f, "0 1 2");
	step(f, ":filter -right -wrong -uncounted");
	step(f, ":base"); /* of nothing there are no shares */
	assert_int_equal(f->app.scene.n_base, 6);
}

static void test_follows_a(void **state)
{
	struct fixture *f = *state;

	f->app.scene.b = 1; /* the scratch run */
	step(f, ":filter answered");
	expect_list(f, "0 1 2");
	assert_string_equal(filter(f), "answered@m1/cw");
	step(f, "~");
	expect_list(f, "1");
	assert_true(strstr(filter(f), "answered@") == filter(f));
	assert_string_not_equal(filter(f), "answered@m1/cw");
	step(f, "~");
	expect_list(f, "0 1 2");
	step(f, ":filter answered@m1/cw");
	step(f, "~");
	expect_list(f, "0 1 2");
}

static void test_stale(void **state)
{
	struct fixture *f = *state;
	const struct scene *s = &f->app.scene;

	step(f, ":tag x");
	step(f, "j j");
	step(f, ":tag x");
	step(f, ":filter tag:x");
	expect_list(f, "0 2");
	step(f, ":untag x");
	expect_list(f, "0 2"); /* stays, dimmed */
	assert_true(scene_is_stale(s, 2));
	assert_false(scene_is_stale(s, 0));
	step(f, "u");
	assert_false(scene_is_stale(s, 2));
	step(f, "Ctrl-r");
	assert_true(scene_is_stale(s, 2));
	step(f, "i Enter"); /* applied again */
	expect_list(f, "0");
	step(f, ":untag x");
	assert_true(scene_is_stale(s, 0));
	step(f, "Ctrl-t");
	assert_false(scene_is_stale(s, 0));
	step(f, "Ctrl-t");
	expect_list(f, "");
	/* what was seen goes on to be listed */
	step(f, ":filter -seen");
	expect_list(f, "0 1 2 3 4 5");
	edit_tick(&f->app, 1000);
	edit_tick(&f->app, 3000);
	app_draw(&f->app, app_clock());
	expect_list(f, "0 1 2 3 4 5");
	assert_true(scene_is_stale(s, s->current));
}

/* Whatever is pressed where nothing is listed, nothing of the user's changes. */
static void test_nothing_listed(void **state)
{
	struct fixture *f = *state;
	static const char *const views[] = {":view browse", ":view gallery"};
	struct keymap *km = &f->app.keys;
	uint64_t version;

	step(f, "Space");
	step(f, ":filter missing answered");
	expect_list(f, "");
	version = f->app.scene.mine->version;
	for (size_t v = 0; v < 2; v++) {
		step(f, views[v]);
		assert_true(on_screen(f, "no sample matches"));
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
			step(f, "Esc Esc Esc");
		}
		step(f, ":goto 3");
		step(f, ":note hidden");
		step(f, ":tag hidden");
		step(f, ":untag x");
		step(f, ":search cat");
		expect_list(f, "");
		assert_int_equal(f->app.scene.mine->version, version);
	}
	/* stacked on the list when it becomes empty */
	step(f, ":view browse");
	step(f, ":filter");
	step(f, "Enter");
	step(f, ":filter missing answered");
	assert_ptr_equal(f->app.top->class, &sample_view);
	assert_true(on_screen(f, "no sample matches"));
	step(f, "j k e f Ctrl-d PgDn Enter Tab c t Space");
	assert_int_equal(f->app.scene.mine->version, version);
}

static void test_marks_that_are_hidden(void **state)
{
	struct fixture *f = *state;

	step(f, "Space Space"); /* 0 and 1 */
	step(f, ":filter emotion:joy");
	expect_list(f, "0 3");
	step(f, ";");
	assert_true(on_screen(f, "takes the 1 marked that are shown, not the 1 hidden"));
	step(f, ":tag both");
	assert_int_equal(f->app.scene.mine->n_tags, 1);
	assert_int_equal(f->app.scene.mine->tags[0].n, 1);
	assert_int_equal(f->app.scene.mine->tags[0].ords[0], 0);
}

/* --- by what a sample has --- */

static void test_picks(void **state)
{
	struct fixture *f = *state;
	struct err err = ERR_INIT;

	step(f, "Space");
	step(f, "k");
	step(f, ":note seen well");
	step(f, ":tag fine");
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
	step(f, ":filter");
	step(f, "g g");
	step(f, ",");
	assert_true(on_screen(f, "only samples with"));
	assert_true(on_screen(f, "tag:fine"));
	step(f, "Enter");
	assert_string_equal(filter(f), "gt:cat");
	step(f, ":filter");
	step(f, "-");
	assert_true(on_screen(f, "without samples with"));
	step(f, "j Enter");
	assert_true(filter(f)[0] == '-');
	assert_true(scene_place(&f->app.scene, 0) == SCENE_NOWHERE);
}

/* --- coming back --- */

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
static void reopen(struct fixture *f, const char *filter_text, const char *base, bool off)
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

static void test_reopened(void **state)
{
	struct fixture *f = *state;

	reopen(f, "right", NULL, false);
	assert_string_equal(filter(f), "right@m1/cw");
	assert_int_equal(f->app.scene.current, 2);
	expect_list(f, "0 1 2");
	reopen(f, "answer~4", "-emotion:fear", false); /* by the sieve */
	expect_list(f, "4");
	assert_int_equal(f->app.scene.n_base, 5);
	reopen(f, "right", "-emotion:fear", true);
	assert_true(f->app.scene.filter_off);
	expect_list(f, "0 1 3 4 5");
	reopen(f, "right@gone", NULL, false);
	assert_string_equal(filter(f), "");
	expect_list(f, "0 1 2 3 4 5");
	assert_non_null(strstr(buf_cstr(&f->app.message), "the last filter does not apply any more"));
	f->cli.at = "s1";
	reopen(f, "right", NULL, false); /* who asks for a sample is to see it */
	assert_int_equal(f->app.scene.current, 1);
	f->cli.at = NULL;
	f->cli.filter = "wrong";
	reopen(f, "right", NULL, false);
	assert_string_equal(filter(f), "wrong@m1/cw");
	f->cli.filter = NULL;
}

/* --- whatever is typed --- */

static uint32_t dice(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

/* What the screen says must hold whatever came before. */
static void check(struct fixture *f)
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
	struct fixture *f = *state;
	static const char *const steps[] = {
	    "i", "Enter", "Esc", "Tab", "BackTab", "Up", "Down", "Ctrl-u", "Ctrl-w", "r i g h t", "w r o n g",
	    "Space", "e m o t i o n :", "j o y", "( -", ")", "a n s w e r ~ 4", "t e x t ~", "\"", "@", "a",
	    "g t :", ", Enter", ", j j Enter", "- j Enter", "Ctrl-t", "g f", "d", "g o", "g i", ":base",
	    ":base all", ":filter", ":filter right", ":filter -tag:x", ":filter vote>=1 answer~answer",
	    "j", "k", "G", "Space", ":tag x", "u", "Ctrl-r", "~", "1", "2", "0", "Enter", "q j", "; t",
	    "Backspace", "Left", "Right", "Home", "Delete", "s j Enter", "/ 1 Enter", "n", "v", "Ctrl-c",
	};
	uint32_t seed = 7;

	for (int i = 0; i < 3000; i++) {
		const char *s = steps[dice(&seed, sizeof steps / sizeof *steps)];

		if (s[0] == ':' && (f->app.prompt.sign || f->app.edit.question.n))
			continue;
		step(f, s);
		if (f->app.quit) {
			f->app.quit = false;
			continue;
		}
		if (!f->app.scene.narrowing)
			check(f);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(test_states), TEST(test_enter_and_leave), TEST(test_history), TEST(test_completing),
	    TEST(test_offers_count), TEST(test_toggle), TEST(test_trail), TEST(test_base),
	    TEST(test_follows_a), TEST(test_stale), TEST(test_nothing_listed),
	    TEST(test_marks_that_are_hidden), TEST(test_picks), TEST(test_place_filter),
	    TEST(test_reopened), TEST(test_random),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
