/* The screen without a terminal: keymap, layout, prompt, place, and the app on the null backend. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_project.h"
#include "tui/app.h"
#include "tui/place.h"
#include "tui/script.h"
#include "tui/view/bar.h"
#include "tui/view/browse.h"
#include "tui/view/list.h"
#include "tui/view/preview_text.h"
#include "tui/view/sign.h"

/* --- keymap --- */

static void keymap_of(struct keymap *km, const char *text, bool user, struct buf *problems)
{
	keymap_load(km, text, "keys", user, problems);
	keymap_check(km, problems);
}

static void test_default_keys(void **state)
{
	struct keymap km = {0};
	struct buf problems = BUF_INIT;

	(void)state;
	keymap_of(&km, default_keys, false, &problems);
	assert_string_equal(buf_cstr(&problems), "");
	assert_true(km.bindings.n > 40);
	for (size_t i = 0; i < km.bindings.n; i++) {
		struct str name;
		const struct command *c;

		str_cut(str_z(km.bindings.v[i].command), ' ', &name);
		c = command_find(name);
		if (!c || !c->screen)
			fail_msg("%s is bound and is no screen command", km.bindings.v[i].command);
	}
	keymap_release(&km);
	buf_release(&problems);
}

static void test_keymap_problems(void **state)
{
	static const struct {
		const char *text, *problem;
	} cases[] = {
	    {"j down\nj up\n", "keys:2: the key has two commands\n"},
	    {"g first\ng g last\n", "the key g is the beginning of gg\n"},
	    {"[common]\ng g last\n[browse]\ng up\n", "the key g is the beginning of gg\n"},
	    {"[browse]\ng g last\n[prompt]\ng up\n", ""},
	    {"[common]\nj down\n[browse]\nj up\n", ""},
	    {"down\n", "keys:1: expected key names and a command\n"},
	    {"j\n", "keys:1: expected key names and a command\n"},
	    {"a b c d e down\n", "keys:1: expected key names and a command\n"},
	    {"[nowhere]\nj down\nj up\n", "keys:1: there is no mode [nowhere]\n"},
	    {"# j down\n\n  j   down  \n", ""},
	    {"[ up\n] down\n", ""},
	    {"1 view browse\n", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct keymap km = {0};
		struct buf problems = BUF_INIT;

		keymap_of(&km, cases[i].text, false, &problems);
		assert_string_equal(buf_cstr(&problems), cases[i].problem);
		keymap_release(&km);
		buf_release(&problems);
	}
}

static const char *lookup(const struct keymap *km, enum mode mode, const char *keys)
{
	uint32_t key[KEYMAP_MAX_KEYS];
	struct str bad;
	const char *command = "?";
	int n;

	assert_true(keymap_parse_keys(str_z(keys), key, KEYMAP_MAX_KEYS, &n, &bad));
	switch (keymap_find(km, mode, key, n, &command)) {
	case KEYMAP_FOUND:
		return command;
	case KEYMAP_PREFIX:
		return "(more)";
	default:
		return "(none)";
	}
}

static void test_keymap_lookup(void **state)
{
	struct keymap km = {0};
	struct buf problems = BUF_INIT, keys = BUF_INIT;

	(void)state;
	keymap_of(&km,
		  "[common]\nj down\ng g first\nq back\nDown down\n1 view browse\n[browse]\nq quit\n",
		  false, &problems);
	keymap_of(&km, "[common]\nj up\n[sample]\nq none\n", true, &problems);
	assert_string_equal(buf_cstr(&problems), "");
	assert_string_equal(lookup(&km, MODE_COMMON, "q"), "back");
	assert_string_equal(lookup(&km, MODE_BROWSE, "q"), "quit");
	assert_string_equal(lookup(&km, MODE_SAMPLE, "q"), "(none)");
	assert_string_equal(lookup(&km, MODE_BROWSE, "j"), "up");
	assert_string_equal(lookup(&km, MODE_BROWSE, "g"), "(more)");
	assert_string_equal(lookup(&km, MODE_BROWSE, "g g"), "first");
	assert_string_equal(lookup(&km, MODE_BROWSE, "g x"), "(none)");
	assert_string_equal(lookup(&km, MODE_PROMPT, "j"), "(none)");
	assert_string_equal(lookup(&km, MODE_HELP, "1"), "view browse");
	assert_true(keymap_keys(&km, MODE_BROWSE, "first", 3, &keys));
	assert_string_equal(buf_cstr(&keys), "gg");
	buf_clear(&keys);
	assert_false(keymap_keys(&km, MODE_BROWSE, "back", 3, &keys)); /* hidden by the nearer q */
	keymap_release(&km);
	buf_release(&problems);
	buf_release(&keys);
}

static void test_screen_commands(void **state)
{
	(void)state;
	for (size_t i = 0; commands[i]; i++) {
		if (!commands[i]->screen)
			continue;
		assert_non_null(commands[i]->help);
		assert_true(commands[i]->help[0] != '\0');
		assert_non_null(commands[i]->args);
		assert_true(commands[i]->group && commands[i]->group[0]);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(commands[i]->name, commands[k]->name);
	}
}

/* --- pure parts --- */

static void test_list(void **state)
{
	static const struct {
		const char *command, *args;
		uint32_t n, height, cursor, top, want_cursor, want_top;
	} cases[] = {
	    {"down", "", 100, 10, 0, 0, 1, 0},	     {"down", "", 100, 10, 7, 0, 8, 1},
	    {"down", "", 100, 10, 99, 90, 99, 90},   {"up", "", 100, 10, 0, 0, 0, 0},
	    {"up", "", 100, 10, 52, 50, 51, 49},     {"last", "", 100, 10, 0, 0, 99, 90},
	    {"first", "", 100, 10, 99, 90, 0, 0},    {"page-down", "", 100, 10, 3, 0, 12, 9},
	    {"page-up", "", 100, 10, 12, 9, 3, 0},   {"half-down", "", 100, 10, 98, 90, 99, 90},
	    {"half-up", "", 100, 10, 2, 0, 0, 0},    {"goto", "50", 100, 10, 0, 0, 49, 42},
	    {"goto", "0", 100, 10, 9, 9, 0, 0},	     {"goto", "99999999999", 100, 10, 0, 0, 99, 90},
	    {"down", "", 3, 10, 2, 0, 2, 0},	     {"last", "", 0, 10, 0, 0, 0, 0},
	    {"page-down", "", 5, 0, 0, 0, 1, 1},     {"down", "", 4, 1, 0, 0, 1, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct list l = {cases[i].n, cases[i].cursor, cases[i].top, cases[i].height};

		assert_true(list_command(&l, cases[i].command, str_z(cases[i].args)));
		assert_int_equal(l.cursor, cases[i].want_cursor);
		assert_int_equal(l.top, cases[i].want_top);
	}
	assert_false(list_command(&(struct list){5, 0, 0, 5}, "goto", STR("x")));
	assert_false(list_command(&(struct list){5, 0, 0, 5}, "enter", STR_NONE));
}

static void test_layout(void **state)
{
	struct browse_panes p;
	struct rect box, text;

	(void)state;
	browse_layout((struct rect){1, 0, 22, 80}, 30, false, &p);
	assert_int_equal(p.list.w, 38);
	assert_int_equal(p.rule.x, 38);
	assert_int_equal(p.preview.x, 40);
	browse_layout((struct rect){1, 0, 8, 40}, 30, false, &p);
	assert_int_equal(p.list.w, 40);
	assert_int_equal(p.preview.w, 0);
	browse_layout((struct rect){1, 0, 28, 40}, 30, false, &p);
	assert_int_equal(p.rule.h, 1);
	assert_true(p.preview.h >= 10);
	for (int w = 1; w < 260; w++)
		for (int h = 1; h < 70; h++) {
			browse_layout((struct rect){1, 0, h, w}, 30, false, &p);
			assert_true(p.list.w > 0 && p.list.w <= w && p.list.h > 0 && p.list.h <= h);
			if (!p.preview.w)
				continue;
			assert_true(p.preview.x + p.preview.w <= w && p.preview.y + p.preview.h <= h + 1);
			preview_layout(p.preview, true, false, 10, &box, &text);
			assert_true(box.h >= 0 && text.h >= 0);
			assert_true(box.h + text.h + 1 <= p.preview.h || text.h == 0);
		}
}

static void test_numbers(void **state)
{
	static const struct {
		uint64_t n;
		const char *count, *bytes;
	} cases[] = {
	    {0, "0", "0 bytes"},	     {999, "999", "999 bytes"},
	    {1000, "1,000", "1000 bytes"},   {13926, "13,926", "13.6 KB"},
	    {1234567, "1,234,567", "1.2 MB"}, {UINT64_MAX, "18,446,744,073,709,551,615", "16777216.0 TB"},
	};
	char out[28];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_string_equal(count_text(cases[i].n, out), cases[i].count);
		assert_string_equal(bytes_text(cases[i].n, out), cases[i].bytes);
	}
}

static void test_place(void **state)
{
	char *folder = project_folder(), *dataset, *key, *view;

	(void)state;
	setenv("XDG_STATE_HOME", folder, 1);
	assert_false(place_load("u1", NULL, &dataset, &key));
	assert_null(place_view("u1"));
	place_save("u1", "a", STR("k1"));
	place_save("u1", "b", STR("key two"));
	place_save("u1", "c", STR("line\nbreak")); /* does not fit the file's form */
	assert_true(place_load("u1", NULL, &dataset, &key));
	assert_string_equal(dataset, "b");
	assert_string_equal(key, "key two");
	free(dataset);
	free(key);
	place_save_view("u1", "gallery");
	view = place_view("u1");
	assert_string_equal(view, "gallery");
	free(view);
	assert_true(place_load("u1", "a", &dataset, &key));
	assert_string_equal(key, "k1");
	free(dataset);
	free(key);
	assert_false(place_load("u1", "c", &dataset, &key));
	assert_false(place_load("u2", NULL, &dataset, &key));
	unsetenv("XDG_STATE_HOME");
	project_remove(folder);
}

/* --- the app --- */

struct fixture {
	char *folder, *file;
	struct cli cli;
	struct app app;
};

static void make_fixture(struct fixture *f, const char *size)
{
	f->folder = project_folder();
	f->file = project_file(f->folder, "t.qualm");
	project_make_tiny(f->file, 0);
	f->cli = (struct cli){.headless = size, .script = "-", .view = "browse"};
}

static void open_app(struct fixture *f)
{
	struct err err = ERR_INIT;

	if (app_open(&f->app, &f->cli, f->file, &err) != OK || app_open_term(&f->app, &err) != OK)
		fail_msg("%s", err.msg);
	app_draw(&f->app, app_clock());
}

static void step(struct fixture *f, const char *line)
{
	struct err err = ERR_INIT;

	if (script_step(&f->app, str_z(line), &err) != OK)
		fail_msg("%s: %s", line, err.msg);
}

static void drop_fixture(struct fixture *f)
{
	project_remove(f->folder);
	free(f->file);
}

/* The line of the screen, blanks at the end cut; owned by the caller. */
static char *line_of(const struct app *app, int y)
{
	struct buf b = BUF_INIT;

	for (int x = 0; x < app->grid.w; x++) {
		const struct cell *c = cells_at(&app->grid, y, x);

		if (c->width || !c->text[0])
			buf_z(&b, c->text[0] ? c->text : " ");
	}
	while (b.n && b.p[b.n - 1] == ' ')
		b.p[--b.n] = '\0';
	return buf_take(&b);
}

static bool on_screen(const struct app *app, const char *text)
{
	bool found = false;

	for (int y = 0; y < app->grid.h && !found; y++) {
		char *line = line_of(app, y);

		found = line && strstr(line, text);
		free(line);
	}
	return found;
}

static void assert_line(const struct app *app, int y, const char *want)
{
	char *line = line_of(app, y);

	assert_string_equal(line ? line : "", want);
	free(line);
}

static void test_moving(void **state)
{
	struct fixture f;
	static const struct {
		const char *keys;
		uint32_t at;
	} steps[] = {
	    {"j", 1},		{"Down", 2},   {"k", 1},     {"G", 5},		{"j", 5},
	    {"g g", 0},		{":4", 3},     {":1", 0},    {"Ctrl-d", 5},	{"Ctrl-b", 0},
	    {": 3 Enter", 2},	{"/ s 4 Enter", 4}, {"n", 4}, {"/ n u m b e r Enter", 4},
	    {"n n", 0},		{"N", 5},	    {"g Esc g g", 0},
	};

	(void)state;
	make_fixture(&f, "80x24");
	open_app(&f);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		step(&f, steps[i].keys);
		if (f.app.scene.current != steps[i].at)
			fail_msg("after %s the cursor is on %u, not %u", steps[i].keys,
				 f.app.scene.current, steps[i].at);
	}
	step(&f, "/ n o t h e r e Enter");
	assert_true(on_screen(&f.app, "no sample has \"nothere\" in it"));
	step(&f, "q");
	assert_true(f.app.quit);
	app_close(&f.app);
	drop_fixture(&f);
}

static void test_answers(void **state)
{
	struct fixture f;

	(void)state;
	make_fixture(&f, "100x40");
	open_app(&f);
	assert_int_equal(f.app.scene.a, 0); /* m2 is a scratch run */
	assert_int_equal(f.app.scene.b, -1);
	assert_true(on_screen(&f.app, "answer 0"));
	assert_true(on_screen(&f.app, "A cat"));
	assert_true(on_screen(&f.app, "question"));
	assert_true(on_screen(&f.app, "reannotated"));
	step(&f, "~");
	assert_true(on_screen(&f.app, "there is no second run"));
	step(&f, "G");
	assert_true(on_screen(&f.app, "no picture"));
	assert_true(on_screen(&f.app, "statement"));
	assert_true(on_screen(&f.app, "unlabelled"));
	step(&f, "g g");
	assert_true(on_screen(&f.app, "s0.png"));
	step(&f, "Enter");
	assert_string_equal(f.app.top->class->name, "sample");
	step(&f, "j");
	assert_int_equal(f.app.scene.current, 1);
	step(&f, "Backspace");
	assert_string_equal(f.app.top->class->name, "browse");
	app_close(&f.app);
	drop_fixture(&f);
}

static void test_help(void **state)
{
	struct fixture f;

	(void)state;
	make_fixture(&f, "80x24");
	open_app(&f);
	step(&f, "?");
	assert_string_equal(f.app.top->class->name, "help");
	assert_true(on_screen(&f.app, "Ctrl-d"));
	step(&f, "e"); /* nothing moves under a popup */
	assert_int_equal(f.app.scene.current, 0);
	step(&f, "/ h a l f - d");
	assert_false(on_screen(&f.app, "Ctrl-u"));
	step(&f, "Enter Enter");
	assert_string_equal(f.app.top->class->name, "browse");
	assert_int_equal(f.app.scene.current, 5);
	step(&f, ":help");
	step(&f, "Esc");
	assert_string_equal(f.app.top->class->name, "browse");
	app_close(&f.app);
	drop_fixture(&f);
}

static void test_top_line(void **state)
{
	struct fixture f;
	static const struct {
		const char *size, *line;
	} cases[] = {
	    {"80x10", " tiny  6                                 reannotated +equiv [regt]  a m1/cw   1"},
	    {"40x10", " 6  reannotated +equiv [regt]  a …w   1"},
	    {"34x10", " 6  reannotated +equiv [regt]   1"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		make_fixture(&f, cases[i].size);
		open_app(&f);
		step(&f, "j");
		assert_line(&f.app, 0, cases[i].line);
		app_close(&f.app);
		drop_fixture(&f);
	}
}

static void test_refused(void **state)
{
	struct fixture f;
	struct err err = ERR_INIT;
	static const struct {
		struct cli cli;
		const char *message;
	} cases[] = {
	    {{.headless = "80x24", .at = "s9"}, "there is no sample \"s9\""},
	    {{.headless = "80x24", .run = "m9"}, "there is no run \"m9\""},
	    {{.headless = "80x24", .run = "m"}, "more than one run begins like \"m\": m1/cw, m2"},
	    {{.headless = "80x24", .view = "attic"}, "there is no view \"attic\""},
	    {{.headless = "80"}, "--headless takes columns and rows, 80x24; not \"80\""},
	    {{.headless = "0x0"}, "--headless takes columns and rows, 80x24; not \"0x0\""},
	};

	(void)state;
	make_fixture(&f, "80x24");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		enum status st = app_open(&f.app, &cases[i].cli, f.file, &err);

		if (st == OK)
			st = app_open_term(&f.app, &err);
		assert_int_equal(st, E_USAGE);
		assert_string_equal(err.msg, cases[i].message);
		app_close(&f.app);
	}
	open_app(&f);
	assert_int_equal(script_step(&f.app, STR("j nokey"), &err), E_USAGE);
	assert_int_equal(script_step(&f.app, STR(":nonsense"), &err), E_USAGE);
	assert_int_equal(script_step(&f.app, STR("# nothing"), &err), OK);
	app_close(&f.app);
	f.cli.at = "s3";
	f.cli.run = "m2";
	open_app(&f);
	assert_int_equal(f.app.scene.current, 3);
	assert_int_equal(f.app.scene.a, 1);
	app_close(&f.app);
	drop_fixture(&f);
}

/* The user's file rebinds; what is wrong in it is said on the first screen, and the rest counts. */
static void test_user_keys(void **state)
{
	struct fixture f;
	char *dir, *keys;
	FILE *out;

	(void)state;
	make_fixture(&f, "100x24");
	dir = project_file(f.folder, "qualm");
	assert_int_equal(mkdir(dir, 0700), 0);
	keys = project_file(dir, "keys");
	out = fopen(keys, "we");
	assert_non_null(out);
	fputs("[common]\nJ down\nj none\nX quit\nX back\n", out);
	fclose(out);
	setenv("XDG_CONFIG_HOME", f.folder, 1);
	open_app(&f);
	unsetenv("XDG_CONFIG_HOME");
	assert_true(on_screen(&f.app, "keys:5: the key has two commands"));
	step(&f, "J");
	assert_int_equal(f.app.scene.current, 1);
	step(&f, "j");
	assert_int_equal(f.app.scene.current, 1);
	assert_true(on_screen(&f.app, "j does nothing here"));
	app_close(&f.app);
	free(keys);
	free(dir);
	drop_fixture(&f);
}

/* Any keys in any order: no crash, no lost cursor, always a full frame. */
static void test_random_keys(void **state)
{
	static const char *const sizes[] = {"80x24", "40x10", "200x60", "20x3", "1x1", "64x20"};
	struct fixture f;
	uint32_t seed = 1;
	int here = open(".", O_RDONLY | O_DIRECTORY);

	(void)state;
	assert_true(here >= 0);
	setenv("VISUAL", "true", 1); /* keys may edit */
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		make_fixture(&f, sizes[s]);
		assert_int_equal(chdir(f.folder), 0); /* keys may write files */
		open_app(&f);
		for (int i = 0; i < 1700; i++) {
			const struct binding *b;

			seed = seed * 1664525u + 1013904223u;
			b = &f.app.keys.bindings.v[(seed >> 8) % f.app.keys.bindings.n];
			for (int k = 0; k < b->n; k++)
				app_key(&f.app, (seed >> 28) == 3 ? 0x20 + (seed >> 12) % 600 : b->key[k]);
			if (i % 7 == 0) {
				app_draw(&f.app, app_clock());
				pictures_tick(f.app.pictures, app_clock());
				pool_reap(f.app.pool);
			}
			assert_true(f.app.scene.current < f.app.scene.snap->n);
			f.app.quit = false;
		}
		app_close(&f.app);
		assert_int_equal(fchdir(here), 0);
		drop_fixture(&f);
	}
	close(here);
}

/* On a slow line Esc and the next key arrive together, as if Alt were held. */
static void test_escape_in_a_hurry(void **state)
{
	struct fixture f;
	uint32_t before;

	(void)state;
	make_fixture(&f, "80x24");
	open_app(&f);
	before = f.app.scene.current;
	step(&f, "/");
	app_key(&f.app, KEYC_ALT | 'j');
	assert_int_equal(f.app.prompt.sign, 0);
	assert_int_equal(f.app.scene.current, before + 1);
	step(&f, "?");
	app_key(&f.app, KEYC_ALT | KEYC_UP);
	assert_false(f.app.top->class->popup);
	assert_int_equal(f.app.scene.current, before);
	app_key(&f.app, 'g');
	app_key(&f.app, KEYC_ALT | 'j');
	assert_int_equal(f.app.scene.current, before + 1);
	app_close(&f.app);
	drop_fixture(&f);
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
	struct fixture f;
	struct conn *c;

	(void)state;
	make_fixture(&f, "100x30");
	c = project_open(f.file, CONN_WRITE);
	for (int64_t run = 1; run <= 2; run++)
		project_texts(c, run, FIELD_MARKS, marks, 6, 6);
	conn_close(c);
	open_app(&f);
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		app_draw(&f.app, app_clock());
		if (!on_screen(&f.app, shown[i]))
			fail_msg("sample %zu: no \"%s\"", i, shown[i]);
		step(&f, "j");
	}
	app_draw(&f.app, app_clock());
	assert_false(on_screen(&f.app, "steps"));
	app_close(&f.app);
	drop_fixture(&f);
}

static void test_options(void **state)
{
	static const struct {
		const char *steps, *says;
	} rows[] = {
	    {":set", "unparsed-marks"}, /* the last one of the list */
	    {"j Enter", ":set pictures auto"},
	    {"Esc", ""},
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
	struct fixture f;

	(void)state;
	make_fixture(&f, "120x36");
	open_app(&f);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		step(&f, rows[i].steps);
		app_draw(&f.app, app_clock());
		if (!on_screen(&f.app, rows[i].says))
			fail_msg("%s: %s", rows[i].steps, buf_cstr(&f.app.message));
	}
	assert_string_equal(f.app.theme.name, "light");
	step(&f, ": s e t Space t h Tab");
	assert_string_equal(buf_cstr(&f.app.prompt.text), "set theme");
	app_close(&f.app);
	drop_fixture(&f);
}

static void test_empty_project(void **state)
{
	struct fixture f = {.cli = {.headless = "80x24", .script = "-"}};

	(void)state;
	f.folder = project_folder();
	f.file = project_file(f.folder, "e.qualm");
	conn_close(project_open(f.file, CONN_CREATE));
	open_app(&f);
	step(&f, "j");
	step(&f, "/ x Enter");
	step(&f, "e g d ~ Tab Enter n ?");
	step(&f, "Esc");
	step(&f, ":12");
	assert_true(on_screen(&f.app, "Nothing has been imported"));
	step(&f, "q");
	assert_true(f.app.quit);
	app_close(&f.app);
	drop_fixture(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_default_keys),   cmocka_unit_test(test_keymap_problems),
	    cmocka_unit_test(test_keymap_lookup),  cmocka_unit_test(test_screen_commands),
	    cmocka_unit_test(test_list),	   cmocka_unit_test(test_layout),
	    cmocka_unit_test(test_numbers),	   
	    cmocka_unit_test(test_place),	   cmocka_unit_test(test_moving),
	    cmocka_unit_test(test_answers),	   cmocka_unit_test(test_help),
	    cmocka_unit_test(test_top_line),	   cmocka_unit_test(test_refused),
	    cmocka_unit_test(test_user_keys),	   cmocka_unit_test(test_random_keys),	   cmocka_unit_test(test_escape_in_a_hurry), cmocka_unit_test(test_options),
	    cmocka_unit_test(test_steps),
	    cmocka_unit_test(test_empty_project),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
