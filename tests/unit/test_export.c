/* What the screen writes: exactly the list, whole or not at all; names of files as they are typed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "tests/unit/lib_project.h"
#include "tui/app.h"
#include "tui/complete_file.h"
#include "tui/export_screen.h"
#include "tui/script.h"

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
	project_make_tiny(f->file, 0);
	f->cli = (struct cli){.headless = "100x30", .script = "-", .view = "browse"};
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

static void says(struct fixture *f, const char *text)
{
	if (!strstr(buf_cstr(&f->app.message), text))
		fail_msg("\"%s\", not \"%s\"", buf_cstr(&f->app.message), text);
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	struct buf out = BUF_INIT;
	int c;

	if (!file)
		fail_msg("there is no %s", path);
	while ((c = getc(file)) != EOF)
		buf_ch(&out, (char)c);
	fclose(file);
	return buf_take(&out);
}

/* Writes by the command and gives back what is in the file. */
static char *written(struct fixture *f, const char *format)
{
	char *path = project_file(f->folder, "out"), *command = xasprintf(":write %s %s", format, path);
	char *text;

	unlink(path);
	step(f, command);
	says(f, "samples are in");
	text = read_file(path);
	free(command);
	free(path);
	return text;
}

static char *meta(struct fixture *f)
{
	char *path = project_file(f->folder, "out.meta.json"), *text = read_file(path);

	free(path);
	return text;
}

static void narrow(struct fixture *f, const char *filter)
{
	struct err err = ERR_INIT;

	if (narrow_set(&f->app, str_z(filter), NULL, &err) != OK)
		fail_msg("%s", err.msg);
}

/* --- exactly the list --- */

static void as_long_as_the_list(void **state)
{
	static const char *const filters[] = {"",      "right",     "wrong", "-right", "gt:cat",
					      "size>2", "score>=1", "tag:none or gt:fox", "missing"};
	static const char *const sorts[] = {"import", "key down", "size down", "verdict", "emotion"};
	struct fixture *f = *state;

	step(f, ":tag none");
	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
		for (size_t k = 0; k < sizeof sorts / sizeof *sorts; k++) {
			const struct scene *s = &f->app.scene;
			char *command = xasprintf(":sort %s", sorts[k]), *ids;
			struct buf want = BUF_INIT;

			narrow(f, filters[i]);
			step(f, command);
			ids = written(f, "ids");
			for (uint32_t at = 0; at < scene_shown(s); at++)
				buf_printf(&want, "s%u\n", scene_at(s, at));
			assert_string_equal(ids, buf_cstr(&want));
			free(ids);
			free(command);
			buf_release(&want);
		}
}

static void columns_of_the_list(void **state)
{
	struct fixture *f = *state;
	char *text;

	narrow(f, "right");
	step(f, ":sort size down");
	text = written(f, "csv"); /* the usual list: no panel of one run */
	assert_string_equal(text, "key,truth@reannotated,answer@m1/cw,text,category,verdict@m1/cw\r\n"
				  "s1,(none),dog,Is this Number 1?,N,right\r\n"
				  "s0,cat,cat,Is this Number 0?,S+,right\r\n"
				  "s2,cat | fox,cat | fox,Is this Number 2?,M+,right\r\n");
	free(text);
	step(f, ":columns key,.tags");
	text = written(f, "csv");
	assert_string_equal(text, "key,.tags\r\ns1,\r\ns0,x\r\ns2,x | y\r\n");
	free(text);
	step(f, ":columns key,score,emotion,panel=9,signs");
	text = written(f, "md");
	assert_string_equal(text, "| key | score@m1/cw | emotion | panel | notes | tags |\n"
				  "|---|---:|---|---:|---:|---|\n"
				  "| s1 | 0.5 | delight | 1/1 |  |  |\n"
				  "| s0 | 0 | joy | 1/1 |  |  |\n"
				  "| s2 | 1 | fear | 1/1 |  |  |\n");
	free(text);
	text = written(f, "jsonl");
	assert_non_null(strstr(text, "{\"id\":\"s1\""));
	assert_non_null(strstr(text, "\"text\":\"answer 1\""));
	assert_ptr_equal(strstr(text, "{\"id\":\"s1\""), text); /* in the list's order */
	free(text);
}

static void what_is_told_beside(void **state)
{
	static const char *const lines[] = {
	    "\"rows\":\t2",          "\"samples\":\t6",        "\"filter\":\t\"right@m1/cw\"",
	    "\"base\":\t\"size>0\"", "\"run\":\t\"m1/cw\"",    "\"panel\":\t[\"m1/cw\"]",
	    "\"sort\":\t\"key down\"", "\"columns\":\t[\"key\", \"score@m1/cw\"]",
	    "\"lens\":\t\"layer=reannotated,",
	};
	struct fixture *f = *state;
	char *text;

	narrow(f, "size>0");
	narrow_base(&f->app);
	narrow(f, "right");
	step(f, ":columns key,score");
	step(f, ":sort key down");
	text = written(f, "csv");
	assert_string_equal(text, "key,score@m1/cw\r\ns1,0.5\r\ns0,0\r\n");
	free(text);
	text = meta(f);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (!strstr(text, lines[i]))
			fail_msg("%s is not in %s", lines[i], text);
	free(text);
}

/* --- whole or not at all --- */

static int n_files(const char *folder)
{
	DIR *d = opendir(folder);
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void never_half_a_file(void **state)
{
	struct fixture *f = *state;
	char *path = project_file(f->folder, "out"), *text;
	char *command = xasprintf(":write ids %s", path);
	struct cancel cancel;
	FILE *file = fopen(path, "w");
	int before;

	fputs("mine\n", file);
	fclose(file);
	before = n_files(f->folder);
	step(f, command);
	assert_non_null(strstr(buf_cstr(&f->app.edit.question), "is there already: replace it? y/n"));
	step(f, "n");
	says(f, "nothing is written");
	/* Broken off before a row was written. */
	cancel_init(&cancel);
	cancel_now(&cancel);
	{
		uint32_t order[] = {0, 1}, n;
		struct err err = ERR_INIT;
		struct export_what w = {.conn = f->app.conn, .snap = f->app.scene.snap,
					.lens = f->app.scene.lens, .a = -1, .b = -1, .order = order,
					.n = 2, .sort = {.facet = -1}};

		assert_int_equal(export_file(&w, export_format_find(STR("ids")), path, &cancel, false, &n,
					     &err), E_CANCELLED);
	}
	cancel_release(&cancel);
	assert_int_equal(n_files(f->folder), before);
	text = read_file(path);
	assert_string_equal(text, "mine\n");
	free(text);
	step(f, command);
	step(f, "y");
	says(f, "6 samples are in");
	assert_int_equal(n_files(f->folder), before + 1); /* the meta file */
	free(command);
	free(path);
}

static void where_it_cannot_be(void **state)
{
	struct fixture *f = *state;
	char *folder = xasprintf(":write csv %s", f->folder), *none = xasprintf(":write csv %s/no/x", f->folder);

	step(f, folder);
	says(f, "is a folder");
	step(f, none);
	says(f, "nothing is written:");
	step(f, ":write nonsense");
	says(f, "write what? jsonl, csv, md or ids");
	narrow(f, "right wrong");
	step(f, ":write");
	says(f, "there are no samples to write");
	free(folder);
	free(none);
}

/* A link stays a link; what it points to is replaced. */
static void through_a_link(void **state)
{
	struct fixture *f = *state;
	char *path = project_file(f->folder, "target"), *name = project_file(f->folder, "out"), *text;
	struct stat st;
	FILE *file = fopen(path, "w");
	char *command = xasprintf(":write ids %s", name);

	fclose(file);
	assert_int_equal(symlink(path, name), 0);
	step(f, command);
	step(f, "y");
	assert_int_equal(lstat(name, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	text = read_file(path);
	assert_string_equal(text, "s0\ns1\ns2\ns3\ns4\ns5\n");
	free(text);
	free(command);
	free(path);
	free(name);
}

/* --- names --- */

static void by_keys(void **state)
{
	struct fixture *f = *state;
	char *here = getcwd(NULL, 0), *text;

	assert_non_null(here);
	assert_int_equal(chdir(f->folder), 0);
	narrow(f, "wrong gt:dog,fox");
	step(f, "x j Enter");
	assert_string_equal(buf_cstr(&f->app.prompt.text), "tiny-wrong-m1-cw-gt-dog-fox.csv");
	step(f, "Enter");
	says(f, "2 samples are in tiny-wrong-m1-cw-gt-dog-fox.csv");
	step(f, "x G Enter Ctrl-u");
	step(f, "t i n Tab");
	assert_string_equal(buf_cstr(&f->app.prompt.text), "tiny-wrong-m1-cw-gt-dog-fox.csv");
	step(f, "Ctrl-u k . t x t Enter");
	says(f, "2 samples are in k.txt");
	text = read_file("k.txt");
	assert_string_equal(text, "s3\ns4\n");
	free(text);
	assert_int_equal(chdir(here), 0);
	free(here);
}

static void completed(void **state)
{
	static const struct {
		const char *typed, *back; /* NULL: nothing begins so */
	} rows[] = {
	    {"al", "alpha"},  {"alpha1", "alpha1"}, {"b", "b\xc3\xa4"}, {"d", "dir/"},
	    {"dir/", "dir/x"}, {"z", NULL},         {".h", ".hidden"},  {"~/d", "~/dir/"},
	};
	struct fixture *f = *state;
	char *here = getcwd(NULL, 0), *home = getenv("HOME") ? xstrdup(getenv("HOME")) : NULL, *path;
	static const char *const names[] = {"alpha1", "alpha2", "b\xc3\xa4r", "b\xc3\xa4\xc3\xa4",
					    ".hidden", "dir/x"};

	assert_int_equal(chdir(f->folder), 0);
	setenv("HOME", f->folder, 1);
	assert_int_equal(mkdir("dir", 0700), 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		fclose(fopen(names[i], "w"));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf out = BUF_INIT;
		bool found = file_complete(str_z(rows[i].typed), &out);

		if (found != (rows[i].back != NULL) || (found && strcmp(buf_cstr(&out), rows[i].back) != 0))
			fail_msg("%s: %s", rows[i].typed, buf_cstr(&out));
		buf_release(&out);
	}
	path = file_expand(STR("~/x"));
	assert_true(str_starts(str_z(path), str_z(f->folder)));
	assert_true(str_ends(str_z(path), STR("/x")));
	free(path);
	path = file_expand(STR("~other/x"));
	assert_string_equal(path, "~other/x");
	free(path);
	if (home)
		setenv("HOME", home, 1);
	else
		unsetenv("HOME");
	assert_int_equal(chdir(here), 0);
	free(home);
	free(here);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(as_long_as_the_list), TEST(columns_of_the_list), TEST(what_is_told_beside),
	    TEST(never_half_a_file),   TEST(where_it_cannot_be),  TEST(through_a_link),
	    TEST(by_keys),	       TEST(completed),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
