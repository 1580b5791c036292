/* Saved filters: in the file, undone and redone, beside a read-only project; applied, counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/base/xmalloc.h"
#include "db/user_saved.h"
#include "tests/unit/lib_user.h"
#include "tui/app.h"
#include "tui/choice.h"
#include "tui/script.h"

enum { TINY = 6 };

struct fixture {
	char *folder, *file;
	struct cli cli;
	struct app app;
	bool open;
};

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	f->folder = project_folder();
	f->file = project_file(f->folder, "p.qualm");
	project_make_tiny(f->file, 0);
	setenv("XDG_DATA_HOME", f->folder, 1);
	*state = f;
	return 0;
}

static void shut(struct fixture *f)
{
	if (f->open)
		app_close(&f->app);
	f->open = false;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	shut(f);
	unsetenv("XDG_DATA_HOME");
	free(f->file);
	project_remove(f->folder);
	free(f);
	return 0;
}

static void screen(struct fixture *f, const char *view)
{
	struct err err = ERR_INIT;

	shut(f);
	f->cli = (struct cli){.headless = "100x30", .script = "-", .view = view};
	f->open = true;
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

static void says(struct fixture *f, const char *text)
{
	if (!strstr(buf_cstr(&f->app.message), text))
		fail_msg("\"%s\", not \"%s\"", buf_cstr(&f->app.message), text);
}

/* --- in the file --- */

/* "name=filter (state) …", * before what is fixed. */
static char *dump(struct conn *c)
{
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;
	struct user_saved *list;
	size_t n;

	if (user_saved_list(c, "tiny", &list, &n, &arena, &err) != OK)
		fail_msg("%s", err.msg);
	for (size_t i = 0; i < n; i++)
		buf_printf(&out, "%s%s=%s(%s) ", list[i].fixed ? "*" : "", list[i].name.p,
			   list[i].filter.p, list[i].state.p);
	arena_release(&arena);
	return buf_take(&out);
}

static void expect(struct conn *c, const char *want)
{
	char *have = dump(c);

	assert_string_equal(have, want);
	free(have);
}

static void save(struct user *u, const char *name, const char *filter, const char *state,
		 const char *created, bool changes)
{
	struct user_saving v = {.name = str_z(name), .filter = str_z(filter), .state = str_z(state),
				.created = str_z(created)};
	struct user_done done;
	struct err err = ERR_INIT;

	if (user_saved_edit(u, "save it", &v, 1, &done, &err) != OK)
		fail_msg("%s", err.msg);
	assert_int_equal(done.saved, changes);
	assert_int_equal(done.n, 0);
}

static void turn(struct user *u, enum status (*fn)(struct user *, struct user_done *, struct err *),
		 const char *label)
{
	struct user_done done;
	struct err err = ERR_INIT;

	if (fn(u, &done, &err) != OK)
		fail_msg("%s", err.msg);
	assert_string_equal(done.label, label);
	assert_true(done.saved);
}

static void edits_and_back(void **state)
{
	struct fixture *f = *state;
	struct conn *c = project_open(f->file, CONN_WRITE);
	struct user *u = user_of(c, TINY);
	struct user_saving rename[] = {
	    {.drop = true, .name = STR("one")},
	    {.name = STR("uno"), .filter = STR("wrong"), .state = STR("{}"), .created = STR("1")},
	};
	struct user_done done;
	struct err err = ERR_INIT;
	uint64_t version = user_things(u)->version;

	save(u, "one", "wrong", "{}", "1", true);
	assert_true(user_things(u)->version > version);
	save(u, "two", "", "", "2", true);
	save(u, "one", "wrong", "{}", "1", false); /* it is so already */
	save(u, "one", "right", "", "1", true);
	expect(c, "one=right() two=() ");
	turn(u, user_undo, "save it");
	expect(c, "one=wrong({}) two=() ");
	assert_int_equal(user_saved_edit(u, "rename", rename, 2, &done, &err), OK);
	expect(c, "uno=wrong({}) two=() "); /* in its old place */
	turn(u, user_undo, "rename");
	expect(c, "one=wrong({}) two=() ");
	turn(u, user_redo, "rename");
	turn(u, user_undo, "rename");
	turn(u, user_undo, "save it");
	turn(u, user_undo, "save it");
	expect(c, "");
	turn(u, user_redo, "save it");
	expect(c, "one=wrong({}) ");
	user_close(u);
	conn_close(c);
}

static void names(void **state)
{
	static const struct {
		const char *name;
		enum status st;
	} rows[] = {
	    {"wrong cat:S-", OK},   {"b\xc3\xa4r", OK},      {"", E_USAGE},       {" a", E_USAGE},
	    {"a ", E_USAGE},        {"a\tb", E_USAGE},       {"a\nb", E_USAGE},   {"bad\xff", E_USAGE},
	    {"\xe2\x80\xae", E_USAGE},
	};
	char longest[USER_SAVED_NAME_MAX + 2];
	struct err err = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err here = ERR_INIT;

		if (user_saved_name(str_z(rows[i].name), &here) != rows[i].st)
			fail_msg("\"%s\": %s", rows[i].name, here.msg);
	}
	memset(longest, 'a', sizeof longest);
	assert_int_equal(user_saved_name((struct str){longest, sizeof longest - 2}, &err), OK);
	assert_int_equal(user_saved_name((struct str){longest, sizeof longest - 1}, &err), E_USAGE);
}

static void beside_a_read_only_project(void **state)
{
	struct fixture *f = *state;
	struct conn *c = project_open(f->file, CONN_WRITE);
	struct user *u = user_of(c, TINY);
	struct user_done done;
	struct err err = ERR_INIT;

	save(u, "ours", "wrong", "", "1", true);
	user_close(u);
	conn_close(c);
	c = project_open(f->file, CONN_READ);
	u = user_of(c, TINY);
	expect(c, "*ours=wrong() ");
	save(u, "mine", "right", "", "2", true);
	expect(c, "mine=right() *ours=wrong() ");
	save(u, "ours", "right", "", "1", true); /* stands before the project's */
	expect(c, "ours=right() mine=right() ");
	assert_int_equal(user_saved_edit(u, "gone", &(struct user_saving){.drop = true, .name = STR("ours")},
					 1, &done, &err), OK);
	expect(c, "mine=right() *ours=wrong() ");
	turn(u, user_undo, "gone");
	expect(c, "ours=right() mine=right() ");
	user_close(u);
	conn_close(c);
}

/* --- on the screen --- */

static const struct shelf_item *item(struct fixture *f, const char *name)
{
	const struct shelf_item *found = shelf_find(&f->app.shelf, str_z(name));

	if (!found)
		fail_msg("there is no %s", name);
	return found;
}

/* Everything comes back: filter, lens, runs, panel, view, order. */
static void all_comes_back(void **state)
{
	struct fixture *f = *state;
	struct scene *s = &f->app.scene;

	screen(f, "browse");
	step(f, ":run-b m2");
	step(f, "p j Space Esc");
	step(f, ":sort size down");
	step(f, ":lens layer=original");
	assert_int_equal(narrow_set(&f->app, STR("right"), NULL, &(struct err){0}), OK);
	step(f, "2");
	step(f, ":save rights");
	says(f, "saved rights: 3 samples");
	/* something else, and another start */
	step(f, "~ 1");
	step(f, "p j Space Esc");
	step(f, ":sort import");
	step(f, ":lens layer=reannotated");
	assert_int_equal(narrow_set(&f->app, STR(""), NULL, &(struct err){0}), OK);
	screen(f, "browse");
	assert_int_equal(s->a, 1);
	step(f, ":filters rights");
	says(f, "rights: 3 samples");
	assert_int_equal(s->a, 0);
	assert_int_equal(s->b, 1);
	assert_int_equal(s->n_panel, 2);
	assert_int_equal(s->sort.by, SORT_FACET);
	assert_true(s->sort.down);
	assert_string_equal(s->filter, "right@m1/cw");
	assert_int_equal(s->lens.layer, snapshot_layer(s->snap, STR("original")));
	assert_string_equal(f->app.top->class->name, "gallery");
	assert_int_equal(scene_shown(s), 3);
	assert_int_equal(scene_at(s, 0), 1); /* size 2.5 before 1 */
}

/* A panel that was never changed stays so: a saved filter does not keep runs to come out of it. */
static void the_first_panel_is_not_kept(void **state)
{
	static const char count[] = "SELECT count(*) FROM panel";
	struct fixture *f = *state;

	screen(f, "browse");
	step(f, ":save all");
	step(f, ":filters all");
	choice_settle(&f->app);
	assert_int_equal(project_int(f->app.conn, count), 0);
	step(f, "p j Space Esc");
	choice_settle(&f->app);
	assert_int_equal(project_int(f->app.conn, count), f->app.scene.n_panel);
	step(f, "p j Space Esc");
	choice_settle(&f->app);
	assert_int_equal(project_int(f->app.conn, count), 0);
}

/* Counted under its own lens and runs, whatever the screen's are. */
static void counts_are_its_own(void **state)
{
	struct fixture *f = *state;

	screen(f, "browse");
	step(f, ":lens n=wrong");
	assert_int_equal(narrow_set(&f->app, STR("wrong"), NULL, &(struct err){0}), OK);
	step(f, ":save mistakes");
	step(f, ":save with notes");
	assert_int_equal(narrow_set(&f->app, STR("note"), NULL, &(struct err){0}), OK);
	step(f, ":save noted");
	assert_int_equal(narrow_set(&f->app, STR(""), NULL, &(struct err){0}), OK);
	step(f, ":lens n=right");
	step(f, ":run-a m2");
	step(f, "0");
	assert_int_equal(item(f, "mistakes")->state_of_count, SHELF_COUNTED);
	assert_int_equal(item(f, "mistakes")->n, 3);
	assert_int_equal(item(f, "noted")->n, 0);
	step(f, "1 c a b c Enter 0"); /* what is noted is counted again */
	assert_int_equal(item(f, "noted")->n, 1);
	assert_int_equal(item(f, "mistakes")->n, 3);
	for (size_t i = 0; i < f->app.shelf.n_saved; i++) { /* the number is as long as the list */
		char *command = xasprintf(":filters %s", f->app.shelf.saved[i].name);
		uint32_t n = f->app.shelf.saved[i].n;

		step(f, command);
		assert_int_equal(scene_shown(&f->app.scene), n);
		free(command);
		step(f, "0");
	}
}

static void suggestions(void **state)
{
	struct fixture *f = *state;
	const struct shelf *s = &f->app.shelf;
	size_t n;

	screen(f, "home");
	step(f, "0");
	n = shelf_n_suggested(s);
	assert_true(n > 1);
	for (size_t k = 0; k < n; k++) {
		uint32_t count = shelf_suggestion(s, k)->n;
		char *down = xasprintf("G%.*s Enter", (int)(2 * (n - 1 - k)), " k k k k k k k k k k");

		assert_true(count > 0);
		step(f, down); /* the line of Home opens exactly those */
		assert_string_equal(f->app.top->class->name, "browse");
		assert_int_equal(scene_shown(&f->app.scene), count);
		step(f, "q");
		assert_string_equal(f->app.top->class->name, "home");
		free(down);
	}
	assert_null(shelf_suggestion(s, n));
}

/* A run that is gone is told, the rest is applied. */
static void what_is_gone_is_told(void **state)
{
	struct fixture *f = *state;
	struct conn *c = project_open(f->file, CONN_WRITE);

	project_exec(c, "INSERT INTO saved_filter VALUES ('tiny', 'old', 'gt:cat wrong@gone tag:lost', "
			"'{\"a\":\"gone\",\"b\":\"m2\",\"lens\":\"layer=nowhere\",\"panel\":[\"m2\",\"lost\"],"
			"\"view\":\"browse\",\"sort\":\"vanished\"}', '1')");
	project_exec(c, "INSERT INTO saved_filter VALUES ('tiny', 'odd', 'gt:(', 'no json', '2')");
	conn_close(c);
	screen(f, "browse");
	step(f, ":filters old");
	says(f, "old: the rest is applied, but not");
	says(f, "run gone");
	says(f, "lens layer=nowhere");
	says(f, "panel run lost");
	says(f, "order vanished");
	assert_int_equal(f->app.scene.a, 0);
	assert_int_equal(f->app.scene.b, 1);
	assert_int_equal(f->app.scene.panel[0], 1);
	assert_string_equal(f->app.scene.filter, "gt:cat");
	assert_int_equal(item(f, "old")->state_of_count, SHELF_BROKEN);
	step(f, ":filters odd");
	says(f, "odd: the rest is applied, but not");
	assert_int_equal(scene_shown(&f->app.scene), TINY);
	step(f, ":filters none");
	says(f, "there is no saved filter \"none\"");
}

static void names_on_the_screen(void **state)
{
	struct fixture *f = *state;

	screen(f, "browse");
	step(f, "@ s");
	step(f, "o n e Enter");
	says(f, "saved one");
	step(f, "s o n e Enter");
	assert_string_equal(buf_cstr(&f->app.edit.question), "there is a filter one: replace it? y/n");
	step(f, "n");
	says(f, "nothing is changed");
	step(f, "s o n e Enter y");
	step(f, "r Ctrl-u Esc"); /* Esc leaves nothing */
	step(f, "r Ctrl-u t w o Enter");
	says(f, "rename filter one to two");
	assert_null(shelf_find(&f->app.shelf, STR("one")));
	step(f, "s t w o x Enter");
	step(f, "r Ctrl-u t w o x Enter");
	says(f, "there is a filter twox already");
	step(f, "g g d");
	says(f, "erase filter two; u brings it back");
	assert_null(shelf_find(&f->app.shelf, STR("two")));
	step(f, "Esc u @");
	assert_non_null(shelf_find(&f->app.shelf, STR("two")));
	step(f, "G d"); /* a suggestion */
	says(f, "a suggestion has no name of yours");
	step(f, "Esc");
	step(f, ":erase-filter nothing");
	says(f, "there is no saved filter \"nothing\"");
	step(f, ":rename-filter");
	says(f, "which one?");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(edits_and_back), TEST(names),	       TEST(beside_a_read_only_project),
	    TEST(all_comes_back), TEST(the_first_panel_is_not_kept),
	    TEST(counts_are_its_own), TEST(suggestions),
	    TEST(what_is_gone_is_told), TEST(names_on_the_screen),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
