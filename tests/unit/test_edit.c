/* Notes, tags, marks, places and copying, as typed on the screen of the null backend. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_faults.h"
#include "tests/unit/lib_user.h"
#include "tui/app.h"
#include "tui/copy.h"
#include "tui/script.h"

enum { MANY = 1500 };

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
	f->cli = (struct cli){.headless = "98x40", .script = "-", .view = "browse"};
	project_make_tiny(f->file, 0);
	setenv("XDG_DATA_HOME", f->folder, 1);
	setenv("USER", "ada", 1);
	open_app(f);
	*state = f;
	return 0;
}

static int set_up_many(void **state)
{
	set_up(state);
	struct fixture *f = *state;

	app_close(&f->app);
	unlink(f->file);
	project_make_long(f->file, MANY);
	open_app(f);
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	app_close(&f->app);
	unsetenv("XDG_DATA_HOME");
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

static bool on_grid(const struct cells *grid, const char *text)
{
	bool found = false;

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

static void expect_screen(struct fixture *f, const char *text)
{
	if (!on_grid(&f->app.grid, text)) {
		struct buf b = BUF_INIT;

		cells_dump(&f->app.grid, &b);
		fail_msg("\"%s\" is not on the screen:\n%.*s", text, (int)b.n, b.p);
	}
}

static void expect_things(struct fixture *f, const char *want)
{
	char *have = dump_things(f->app.edit.user);

	assert_string_equal(have, want);
	free(have);
	if (strcmp(f->app.scene.snap->dataset, "tiny") == 0)
		check_memory(f->app.conn, f->app.edit.user);
}

static void again(struct fixture *f)
{
	app_close(&f->app);
	open_app(f);
}

/* --- edits --- */

static void steps_and_what_they_do(void **state)
{
	static const struct {
		const char *keys, *things, *screen;
	} rows[] = {
	    {"Space", "\nmarked 1 noted 0 seen 0 tags 0\n0: 1 0 0\n", "\xe2\x80\xa2" "1 marked"},
	    {"Space j", "\nmarked 2 noted 0 seen 0 tags 0\n0: 1 0 0\n1: 1 0 0\n", "4 of 6"},
	    {"k k Space", "\nmarked 1 noted 0 seen 0 tags 0\n0: 1 0 0\n", "3 of 6"},
	    /* a range from the third to the fifth row */
	    {"v j j", "\nmarked 1 noted 0 seen 0 tags 0\n0: 1 0 0\n", "a range of 3:"},
	    {"Space", "\nmarked 4 noted 0 seen 0 tags 0\n0: 1 0 0\n2: 1 0 0\n3: 1 0 0\n4: 1 0 0\n",
	     "mark 3 samples"},
	    {"v Esc u", "\nmarked 1 noted 0 seen 0 tags 0\n0: 1 0 0\n", "undone: mark 3 samples"},
	    {"Ctrl-r", "\nmarked 4 noted 0 seen 0 tags 0\n0: 1 0 0\n2: 1 0 0\n3: 1 0 0\n4: 1 0 0\n",
	     "done again: mark 3 samples"},
	    /* tags for all marked take the marks away */
	    {";", "\nmarked 4 noted 0 seen 0 tags 0\n0: 1 0 0\n2: 1 0 0\n3: 1 0 0\n4: 1 0 0\n",
	     "all 4 marked"},
	    {"; t d a r k Space # o d d Enter",
	     "\nmarked 0 noted 0 seen 0 tags 2\ndark: 0 2 3 4\nodd: 0 2 3 4\n",
	     "tag 4 samples: dark #odd"},
	    {"g g t - d Tab - o Enter", "\nmarked 0 noted 0 seen 0 tags 2\ndark: 2 3 4\n"
					"odd: 0 2 3 4\n", "#odd"},
	    {"u", "\nmarked 0 noted 0 seen 0 tags 2\ndark: 0 2 3 4\nodd: 0 2 3 4\n",
	     "undone: tag s0: -dark -o"},
	    {":untag odd dark", "\nmarked 0 noted 0 seen 0 tags 2\ndark: 2 3 4\nodd: 2 3 4\n", NULL},
	    {"t t w o Esc", "\nmarked 0 noted 0 seen 0 tags 2\ndark: 2 3 4\nodd: 2 3 4\n", NULL},
	    /* without marks: all that is shown, whatever range there was */
	    {"v j k ; c f o r Space a l l Enter",
	     "\nmarked 0 noted 6 seen 0 tags 2\n0: 0 0 1\n1: 0 0 1\n2: 0 0 1\n3: 0 0 1\n"
	     "4: 0 0 1\n5: 0 0 1\ndark: 2 3 4\nodd: 2 3 4\n", "note         for all"},
	    {"u", "\nmarked 0 noted 0 seen 0 tags 2\ndark: 2 3 4\nodd: 2 3 4\n",
	     "undone: note on 6 samples"},
	    /* `;` is for one command only */
	    {"; j Space", "\nmarked 1 noted 0 seen 0 tags 2\n1: 1 0 0\ndark: 2 3 4\nodd: 2 3 4\n",
	     NULL},
	    {":unmark-all", "\nmarked 0 noted 0 seen 0 tags 2\ndark: 2 3 4\nodd: 2 3 4\n",
	     "unmark s1"},
	    {":unmark-all", "\nmarked 0 noted 0 seen 0 tags 2\ndark: 2 3 4\nodd: 2 3 4\n",
	     "no sample is marked"},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		step(f, rows[i].keys);
		expect_things(f, rows[i].things);
		if (rows[i].screen)
			expect_screen(f, rows[i].screen);
	}
	again(f);
	expect_things(f, rows[17].things);
	step(f, "u u");
	expect_things(f, "\nmarked 0 noted 0 seen 0 tags 2\ndark: 2 3 4\nodd: 2 3 4\n");
}

static void a_note_is_changed(void **state)
{
	struct fixture *f = *state;

	step(f, "j c o n e Enter");
	expect_screen(f, "note         one");
	step(f, "c");
	expect_screen(f, "note: one");
	step(f, "Space t w o Enter");
	expect_screen(f, "change note on s1");
	step(f, "Z");
	expect_screen(f, "note         one two");
	step(f, "c Ctrl-u x Esc"); /* Esc leaves nothing */
	expect_screen(f, "note         one two");
	step(f, ":note a second one");
	expect_things(f, "\nmarked 0 noted 1 seen 0 tags 0\n1: 0 0 2\n");
	step(f, "c");
	expect_screen(f, "note: a second one");
	step(f, "Ctrl-u Enter");
	expect_screen(f, "erase note on s1");
	expect_things(f, "\nmarked 0 noted 1 seen 0 tags 0\n1: 0 0 1\n");
	step(f, "k c Enter"); /* nothing typed, nothing made */
	expect_things(f, "\nmarked 0 noted 1 seen 0 tags 0\n1: 0 0 1\n");
	again(f);
	step(f, "u");
	expect_screen(f, "undone: erase note on s1");
	expect_things(f, "\nmarked 0 noted 1 seen 0 tags 0\n1: 0 0 2\n");
	assert_int_equal(f->app.scene.current, 1); /* where something happened */
	step(f, "u u u");
	expect_things(f, "\nmarked 0 noted 0 seen 0 tags 0\n");
	step(f, "u");
	expect_screen(f, "there is nothing to undo");
}

static void others_notes_stay(void **state)
{
	struct fixture *f = *state;

	project_exec(f->app.conn,
		     "INSERT INTO note (dataset, sample, text, author, created, changed) VALUES "
		     "('tiny', 's0', 'theirs', 'bob', '2024', '2024')");
	again(f);
	expect_screen(f, "note         theirs");
	expect_screen(f, "bob");
	step(f, "c");
	expect_screen(f, "note:  ");
	step(f, "m i n e Enter");
	expect_things(f, "\nmarked 0 noted 1 seen 0 tags 0\n0: 0 0 2\n");
}

static void a_word_that_is_no_tag(void **state)
{
	struct fixture *f = *state;
	uint32_t bad[] = {'t', 'a', 0x200b, 0x2028, KEYC_ENTER};

	step(f, "t");
	for (size_t i = 0; i < USER_TAG_MAX + 1; i++)
		app_key(&f->app, 'x');
	step(f, "Enter");
	expect_screen(f, "a tag can have 128 bytes at most");
	expect_screen(f, "tag: xxx"); /* it is still there, to be put right */
	step(f, "Ctrl-u o k Enter");
	expect_things(f, "\nmarked 0 noted 0 seen 0 tags 1\nok: 0\n");
	step(f, "t Enter");
	step(f, ":untag");
	expect_screen(f, "untag needs the names of tags");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		app_key(&f->app, bad[i]);
	assert_int_equal(user_things(f->app.edit.user)->n_marked, 0);
}

static void above_a_thousand(void **state)
{
	struct fixture *f = *state;

	step(f, "; t m a n y Enter");
	expect_screen(f, "tag 1,500 samples: many? y/n");
	step(f, "j x"); /* nothing else is heard */
	expect_screen(f, "tag 1,500 samples: many? y/n");
	step(f, "n");
	expect_screen(f, "nothing is changed");
	assert_int_equal(user_things(f->app.edit.user)->n_tags, 0);
	step(f, "; t m a n y Enter y");
	expect_screen(f, "tag 1,500 samples: many");
	assert_int_equal(user_things(f->app.edit.user)->tags[0].n, MANY);
	step(f, "; Space y");
	assert_int_equal(user_things(f->app.edit.user)->n_marked, MANY);
	step(f, "; t - m a n y Enter y");
	assert_int_equal(user_things(f->app.edit.user)->n_marked, 0);
	assert_int_equal(user_things(f->app.edit.user)->n_tags, 0);
	step(f, "u");
	assert_int_equal(user_things(f->app.edit.user)->n_marked, MANY);
	assert_int_equal(user_things(f->app.edit.user)->tags[0].n, MANY);
	step(f, "u u");
	check_memory(f->app.conn, f->app.edit.user);
	assert_int_equal(user_things(f->app.edit.user)->n_tags, 0);
}

static void read_only(void **state)
{
	struct fixture *f = *state;
	struct conn *c;

	char *data = project_file(f->folder, "data");
	bool root = geteuid() == 0;

	project_exec(f->app.conn, "INSERT INTO tag VALUES ('tiny', 's0', 'theirs', '2024')");
	app_close(&f->app);
	mkdir(data, 0700);
	chmod(data, 0777);
	chmod(f->file, 0444);
	chmod(f->folder, 0555);
	setenv("XDG_DATA_HOME", data, 1);
	free(data);
	if (root) /* for whom every file can be written */
		assert_int_equal(seteuid(65534), 0);
	open_app(f);
	assert_true(conn_read_only(f->app.conn));
	expect_screen(f, "6  read-only");
	expect_screen(f, "the project is read-only: notes, tags and marks are kept");
	step(f, "t m i n e Enter");
	step(f, "t - t h e i r s Enter");
	expect_screen(f, "what the read-only project has stays");
	expect_things(f, "\nmarked 0 noted 0 seen 0 tags 2\nmine: 0\ntheirs: 0\n");
	app_close(&f->app);
	open_app(f);
	expect_things(f, "\nmarked 0 noted 0 seen 0 tags 2\nmine: 0\ntheirs: 0\n");
	if (root)
		assert_int_equal(seteuid(0), 0);
	chmod(f->folder, 0755);
	c = project_open(f->file, CONN_READ);
	assert_int_equal(project_int(c, "SELECT count(*) FROM tag"), 1);
	conn_close(c);
}

/* --- trouble --- */

static void what_cannot_be_written(void **state)
{
	struct fixture *f = *state;

	app_close(&f->app);
	faults_install();
	open_app(f);
	step(f, "c k e e p");
	faults_fail_writes_from(1);
	step(f, "Enter");
	assert_true(faults_hit());
	faults_fail_write_at(0);
	expect_screen(f, "note: keep"); /* what was typed */
	expect_screen(f, "not kept: the disk is full"); /* what went wrong */
	expect_things(f, "\nmarked 0 noted 0 seen 0 tags 0\n");
	step(f, "Enter"); /* there is room again */
	expect_things(f, "\nmarked 0 noted 1 seen 0 tags 0\n0: 0 0 1\n");
	faults_fail_writes_from(1);
	step(f, "Space");
	faults_fail_write_at(0);
	assert_int_equal(f->app.scene.current, 0); /* it did not go on as if all were well */
	app_close(&f->app);
	faults_remove();
	open_app(f);
	expect_things(f, "\nmarked 0 noted 1 seen 0 tags 0\n0: 0 0 1\n");
}

static void another_program_writes(void **state)
{
	struct fixture *f = *state;
	struct placed_picture none;
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		struct conn *c = project_open(f->file, CONN_WRITE);
		struct timespec t = {.tv_nsec = 800000000};

		project_exec(c, "BEGIN IMMEDIATE");
		if (write(ready[1], "x", 1) == 1)
			nanosleep(&t, NULL);
		project_exec(c, "COMMIT");
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	app_key(&f->app, ' ');
	/* The last frame that was shown is the one of the wait; the edit came after. */
	assert_true(on_grid(term_shown(f->app.term, &none), "another program is writing"));
	step(f, "k");
	expect_things(f, "\nmarked 1 noted 0 seen 0 tags 0\n0: 1 0 0\n");
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close(ready[0]);
	close(ready[1]);
}

static void seen_after_a_second(void **state)
{
	struct fixture *f = *state;
	struct conn *c = project_open(f->file, CONN_WRITE);
	int64_t now = 100000;

	assert_int_equal(edit_tick(&f->app, now), 1000);
	assert_int_equal(edit_tick(&f->app, now += 400), 600);
	step(f, "j");
	assert_int_equal(edit_tick(&f->app, now += 700), 1000);
	assert_int_equal(user_things(f->app.edit.user)->n_seen, 0);
	assert_int_equal(edit_tick(&f->app, now += 1000), 10000);
	assert_int_equal(user_things(f->app.edit.user)->n_seen, 1);
	assert_int_equal(user_things(f->app.edit.user)->seen[1], 1);
	project_exec(c, "BEGIN IMMEDIATE");
	edit_tick(&f->app, now += 10000);
	project_exec(c, "COMMIT");
	assert_int_equal(project_int(c, "SELECT count(*) FROM seen"), 0);
	edit_tick(&f->app, now += 10000);
	assert_int_equal(project_int(c, "SELECT count(*) FROM seen"), 1);
	/* Another program's edit comes to light. */
	project_exec(c, "INSERT INTO mark VALUES ('tiny', 's5')");
	assert_int_equal(user_things(f->app.edit.user)->n_marked, 0);
	edit_tick(&f->app, now += 2000);
	assert_int_equal(user_things(f->app.edit.user)->n_marked, 1);
	conn_close(c);
}

/* --- places --- */

static void places(void **state)
{
	static const struct {
		const char *keys;
		uint32_t at;
		const char *view, *says;
	} rows[] = {
	    {"g o", 0, "browse", "there is no older place"},
	    {"j j g o", 2, "browse", "there is no older place"}, /* steps are no jumps */
	    {"G", 5, "browse", NULL},
	    {":2", 1, "browse", NULL},
	    {"Enter", 1, "sample", NULL},
	    {"g g", 0, "sample", NULL},
	    {"g o", 1, "sample", NULL},
	    {"g o", 1, "browse", NULL},
	    {"g o", 5, "browse", NULL},
	    {"g o", 2, "browse", NULL},
	    {"g o", 2, "browse", "there is no older place"},
	    {"g i g i g i", 1, "sample", NULL},
	    {"g i", 0, "sample", NULL},
	    {"g i", 0, "sample", "there is no newer place"},
	    {"g o g o g o", 5, "browse", NULL},
	    {"/ s 3 Enter", 3, "browse", NULL}, /* forgets what came after */
	    {"g i", 3, "browse", "there is no newer place"},
	    {"g o", 5, "browse", NULL},
	    {"g i", 3, "browse", NULL},
	    {": o l d e r - p l a c e Enter", 5, "browse", NULL},
	    {"? g g Esc g o", 2, "browse", NULL}, /* a popup is no place */
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		step(f, rows[i].keys);
		if (f->app.scene.current != rows[i].at ||
		    strcmp(f->app.top->class->name, rows[i].view) != 0)
			fail_msg("row %zu, %s: at %u in %s", i, rows[i].keys, f->app.scene.current,
				 f->app.top->class->name);
		if (rows[i].says)
			expect_screen(f, rows[i].says);
	}
	for (int i = 0; i < 300; i++)
		step(f, i % 2 ? "G" : "g g");
	assert_true(f->app.jumps.list.n <= 100);
	step(f, "g o g o");
	assert_int_equal(f->app.scene.current, 5);
}

static void places_in_two_datasets(void **state)
{
	struct fixture *f = *state;

	project_exec(f->app.conn, "INSERT INTO dataset (id, name, n_samples, created) VALUES "
				  "(2, 'two', 1, ''); INSERT INTO sample (id, dataset, ord, key) "
				  "VALUES (2 << 32, 2, 0, 'only')");
	step(f, "G g d");
	assert_string_equal(f->app.scene.snap->dataset, "two");
	step(f, "t t w o Enter");
	expect_things(f, "\nmarked 0 noted 0 seen 0 tags 1\ntwo: 0\n");
	step(f, "g o");
	assert_string_equal(f->app.scene.snap->dataset, "tiny");
	assert_int_equal(f->app.scene.current, 5);
	expect_things(f, "\nmarked 0 noted 0 seen 0 tags 0\n");
	step(f, "u"); /* each dataset has edits of its own */
	expect_screen(f, "there is nothing to undo");
	step(f, "g i u");
	expect_screen(f, "undone: tag only: two");
}

/* --- copying --- */

static void copies(void **state)
{
	static const struct {
		enum copy_what what;
		uint32_t ord;
		enum status st;
		const char *text;
	} rows[] = {
	    {COPY_ID, 3, OK, "s3"},
	    {COPY_PATH, 1, OK, "/pics/s1.png"},
	    {COPY_PATH, 5, E_NOT_FOUND, "there is no picture to copy"},
	    {COPY_ANSWER, 0, OK, "answer 0"},
	    {COPY_ANSWER, 3, OK, "(oop)"},
	    {COPY_JSON, 1, OK,
	     "{\"id\":\"s1\",\"dataset\":\"tiny\",\"path\":\"s1.png\","
	     "\"question\":\"Is this Number 1?\",\"labels\":{\"original\":[\"dog\"],"
	     "\"reannotated\":[],\"votes\":[]},\"answers\":[{\"run\":\"m1/cw\",\"answer\":\"dog\","
	     "\"mark\":\"no label\",\"text\":\"answer 1\"}],\"tags\":[\"x\",\"y\"],"
	     "\"notes\":[\"a \\\"b\\\"\"]}"},
	};
	struct fixture *f = *state;

	step(f, "j t y Space x Enter");
	step(f, ":note a \"b\"");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint32_t ord = rows[i].ord;
		struct targets t = {&ord, 1, FROM_CURSOR};
		struct err err = ERR_INIT;
		struct buf out = BUF_INIT;

		assert_int_equal(copy_compose(&f->app, rows[i].what, &t, &out, &err), rows[i].st);
		if (rows[i].what == COPY_PATH && rows[i].st == OK)
			assert_true(str_ends(buf_view(&out), str_z(rows[i].text)));
		else
			assert_string_equal(rows[i].st == OK ? buf_cstr(&out) : err.msg, rows[i].text);
		buf_release(&out);
	}
	step(f, "y i");
	expect_screen(f, "copied the id of s1");
	step(f, "G y p");
	expect_screen(f, "there is no picture to copy");
	step(f, "v k k y j");
	expect_screen(f, "copied the JSON of 3 samples");
	assert_true(f->app.scene.anchor < 0);
}

static void too_much_to_copy(void **state)
{
	struct fixture *f = *state;

	step(f, "; y i");
	expect_screen(f, "copied the id of 1,500 samples");
	step(f, "; y j");
	expect_screen(f, "that is more than the 75000 bytes that a terminal takes");
}

static void nothing_under_a_popup(void **state)
{
	struct fixture *f = *state;

	step(f, "? Space");
	assert_int_equal(f->app.scene.mine->n_marked, 0);
	expect_screen(f, "when the popup is closed: Esc");
	step(f, "Esc Space");
	assert_int_equal(f->app.scene.mine->n_marked, 1);
}

#define TEST(t)	     cmocka_unit_test_setup_teardown(t, set_up, tear_down)
#define TEST_MANY(t) cmocka_unit_test_setup_teardown(t, set_up_many, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(nothing_under_a_popup), TEST(steps_and_what_they_do), TEST(a_note_is_changed),
	    TEST(others_notes_stay),	  TEST(a_word_that_is_no_tag),
	    TEST_MANY(above_a_thousand),  TEST(read_only),
	    TEST(what_cannot_be_written), TEST(another_program_writes),
	    TEST(seen_after_a_second),	  TEST(places),
	    TEST(places_in_two_datasets), TEST(copies),
	    TEST_MANY(too_much_to_copy),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
