/* `:import` on the null backend: the plan, the answer to it, what came in, and the words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <sys/stat.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_project.h"
#include "tests/unit/lib_screen.h"
#include "tui/import_screen.h"
#include "tui/words_cut.h"

static void put(struct screen *f, const char *name, const char *text)
{
	char *path = project_file(f->folder, name);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	free(path);
}

/* Two runs over the tiny project's samples, in a folder whose name has a blank. */
static void put_results(struct screen *f)
{
	char *folder = project_file(f->folder, "new results");

	assert_int_equal(mkdir(folder, 0700), 0);
	free(folder);
	put(f, "new results/qwen_cw.jsonl",
	    "{\"id\":\"s0\",\"prediction\":\"cat\"}\n{\"id\":\"s1\",\"prediction\":\"fox\"}\n");
	put(f, "new results/llava_cw.jsonl",
	    "{\"id\":\"s0\",\"prediction\":\"dog\"}\n{\"id\":\"nobody\",\"prediction\":\"fox\"}\n");
	put(f, "new results/notes.txt", "one\ntwo\n");
}

static void type_import(struct screen *f, const char *fmt)
{
	char *line = xasprintf(":import %s/%s", f->folder, fmt);

	screen_step(f, line);
	free(line);
}

static void plan_then_import(struct screen *f, const char *yes)
{
	uint32_t runs = f->app.scene.snap->n_runs;

	put_results(f);
	type_import(f, "new\\ results");
	assert_true(screen_has(f, "import this?"));
	assert_true(screen_has(f, "answers of qwen/cw"));
	assert_true(screen_has(f, "into dataset tiny"));
	assert_true(screen_has(f, "notes.txt: lines of text"));
	assert_int_equal(f->app.scene.snap->n_runs, runs); /* not yet */
	screen_step(f, yes);
	screen_step(f, "j"); /* it grows before the next key */
	assert_int_equal(f->app.scene.snap->n_runs, runs + 2);
	assert_false(screen_has(f, "import this?"));
	screen_step(f, ":import");
	assert_true(screen_has(f, "new run qwen/cw"));
	assert_true(screen_has(f, "unmatched: 1 row of 1 file"));
	screen_step(f, "Esc");
	assert_false(screen_has(f, "new run qwen/cw"));
}

static void enter_is_yes(void **state)
{
	plan_then_import(*state, "Enter");
}

static void y_is_yes(void **state)
{
	plan_then_import(*state, "y");
}

static void no_is_no(void **state)
{
	struct screen *f = *state;
	uint32_t runs = f->app.scene.snap->n_runs;

	put_results(f);
	type_import(f, "new\\ results");
	screen_step(f, "n");
	assert_false(screen_has(f, "import this?"));
	type_import(f, "new\\ results");
	screen_step(f, "Esc");
	screen_step(f, "Enter"); /* of the view below */
	assert_int_equal(f->app.scene.snap->n_runs, runs);
	screen_step(f, ":import");
	assert_true(screen_has(f, "nothing was imported from here yet"));
}

static void refusals(void **state)
{
	struct screen *f = *state;

	screen_step(f, ":import --model m");
	assert_true(screen_has(f, "import what?"));
	screen_step(f, ":import -");
	assert_true(screen_has(f, "standard input is the keyboard"));
	screen_step(f, ":import --modl x y");
	assert_true(screen_has(f, "did you mean --model"));
	screen_step(f, ":import --map=nonsense x");
	assert_true(screen_has(f, "--map wants"));
	type_import(f, "nowhere.jsonl");
	assert_true(screen_has(f, "nowhere.jsonl: No such file"));
}

static void completes(void **state)
{
	struct screen *f = *state;
	char *want;

	put_results(f);
	screen_step(f, ":");
	screen_type(f, "import --mod");
	screen_step(f, "Tab");
	assert_string_equal(screen_typed(f), "import --model");
	screen_type(f, " x ");
	screen_type(f, f->folder);
	screen_type(f, "/new");
	screen_step(f, "Tab");
	want = xasprintf("import --model x %s/new\\ results/", f->folder);
	assert_string_equal(screen_typed(f), want);
	free(want);
	screen_type(f, "qw");
	screen_step(f, "Tab");
	want = xasprintf("import --model x %s/new\\ results/qwen_cw.jsonl", f->folder);
	assert_string_equal(screen_typed(f), want);
	free(want);
}

/* s0 and s1 are samples of the tiny project, cat and dog its classes. */
static const char moods[] = "photo,mood,what it said,sure\ns0,cat,cat,0.5\ns1,dog,Wolf,0.75\n";

static void fields_are_chosen(void **state)
{
	struct screen *f = *state;
	uint32_t runs = f->app.scene.snap->n_runs;

	setenv("XDG_CONFIG_HOME", f->folder, 1);
	put(f, "moods.csv", moods);
	type_import(f, "moods.csv");
	assert_true(screen_has(f, "as they will be read"));
	assert_true(screen_has(f, "no such class: 1 of 2"));
	assert_true(screen_has(f, "the project's truths count"));
	assert_true(screen_has(f, "right"));
	assert_true(screen_has(f, "oop"));
	screen_step(f, ":lens layer=original");
	assert_true(screen_has(f, "s1                      dog"));
	assert_true(screen_has(f, "s0                      cat"));
	screen_step(f, ":spelling dog=wolf");
	assert_false(screen_has(f, "no such class"));
	screen_step(f, "G k k k k k k"); /* sure */
	screen_step(f, ":field latency_ms");
	assert_true(screen_has(f, "latency_ms"));
	screen_step(f, "Space");
	assert_true(screen_has(f, "ignore"));
	screen_step(f, "u u u");
	assert_true(screen_has(f, "no such class"));
	screen_step(f, "u");
	assert_true(screen_has(f, "nothing to be undone"));
	screen_step(f, "Ctrl-r");
	assert_false(screen_has(f, "no such class"));
	screen_step(f, ":field nonsense");
	assert_true(screen_has(f, "no such field"));
	screen_step(f, ":constant model=gpt-x");
	screen_step(f, ":save-recipe moods");
	assert_true(screen_has(f, "recipe moods"));
	assert_int_equal(f->app.scene.snap->n_runs, runs);
	screen_step(f, "i");
	screen_step(f, "j");
	assert_int_equal(f->app.scene.snap->n_runs, runs + 1);
	assert_int_equal(snapshot_run(f->app.scene.snap, STR("gpt-x")), (int)runs);
	/* The same columns again. */
	put(f, "moods2.csv", moods);
	type_import(f, "moods2.csv");
	assert_true(screen_has(f, "those of the recipe moods"));
	screen_step(f, "q");
	assert_true(screen_has(f, "nothing is imported"));
}

static void fields_of_a_known_table(void **state)
{
	struct screen *f = *state;
	char *line = xasprintf(":import %s/known.csv --map", f->folder);

	setenv("XDG_CONFIG_HOME", f->folder, 1);
	put(f, "known.csv", "id,prediction,size\ns0,cat,5\nnobody,cat,6\n");
	screen_step(f, line);
	assert_true(screen_has(f, "no such sample: 1 of 2"));
	screen_step(f, "Enter / i g n o r e Enter Enter");
	assert_true(screen_has(f, "no row can be read yet"));
	screen_step(f, "i");
	assert_true(screen_has(f, "as they will be read") || screen_has(f, "no row can be read yet"));
	screen_step(f, ":field");
	screen_type(f, "");
	screen_step(f, "Esc");
	screen_step(f, ":");
	screen_type(f, "field pro");
	screen_step(f, "Tab");
	assert_string_equal(screen_typed(f), "field protocol");
	screen_step(f, "Esc");
	screen_step(f, ":recipe");
	assert_true(screen_has(f, "none yet"));
	screen_step(f, ":recipe nowhere");
	assert_true(screen_has(f, "there is no recipe nowhere"));
	screen_step(f, ":view gallery"); /* leaves it */
	screen_step(f, ":field key");
	assert_true(screen_has(f, "field is for the screen"));
	free(line);
}

/* Rows without keys are judged by the samples at their places, whatever these are called. */
static void rows_by_place(void **state)
{
	struct screen *f = *state;

	setenv("XDG_CONFIG_HOME", f->folder, 1);
	put(f, "place.csv", "guess,why\ncat,x\ncat,x\n");
	screen_step(f, ":lens layer=original");
	type_import(f, "place.csv");
	screen_step(f, "G Enter");
	assert_true(screen_has(f, "to the letter"));
	assert_false(screen_has(f, " right"));
	screen_step(f, "Enter");
	assert_true(screen_has(f, "by place"));
	assert_true(screen_has(f, " right"));
	assert_false(screen_has(f, "no truth"));
}

static void words(void **state)
{
	static const struct { const char *line, *words; size_t last; } cases[] = {
	    {"a b", "a|b|", 2},		    {"  a\\ b  'c d'\"e\"", "a b|c de|", 8},
	    {"a ", "a|", 2},		    {"", "", 0},
	    {"'it''s' \"a\\\"b\"", "its|a\"b|", 8}, {"'open x", "open x|", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct str rest = str_z(cases[i].line);
		struct buf got = BUF_INIT, quoted = BUF_INIT;
		char *word;

		while ((word = word_cut_raw(&rest)) != NULL) {
			struct str again;
			char *same;

			buf_printf(&got, "%s|", word);
			buf_clear(&quoted);
			word_quote(str_z(word), &quoted);
			again = buf_view(&quoted);
			same = word_cut_raw(&again);
			assert_string_equal(same ? same : "", word);
			free(same);
			free(word);
		}
		assert_string_equal(buf_cstr(&got), cases[i].words);
		assert_int_equal(word_last(str_z(cases[i].line)), cases[i].last);
		buf_release(&got);
		buf_release(&quoted);
	}
}

static void label_map(void **state)
{
	struct screen *f = *state;

	screen_step(f, ":labels");
	assert_true(screen_has(f, "the label map is empty"));
	screen_step(f, ":labels Hound=dog");
	screen_step(f, ":labels reynard = #2");
	screen_step(f, ":");
	screen_type(f, "labels Hound=DO");
	screen_step(f, "Tab");
	assert_string_equal(screen_typed(f), "labels Hound=dog");
	screen_step(f, "Esc");
	screen_step(f, ":labels nonsense");
	assert_true(screen_has(f, "labels wants TEXT=CLASS"));
	screen_step(f, ":labels");
	assert_true(screen_has(f, "Hound"));
	assert_true(screen_has(f, "reynard"));
	screen_step(f, "Enter"); /* the first is taken away */
	assert_false(screen_has(f, "Hound    means"));
	assert_true(screen_has(f, "reynard  means"));
	screen_step(f, "u"); /* the open list follows */
	assert_true(screen_has(f, "undone: label map: \"Hound\" taken out"));
	assert_true(screen_has(f, "Hound    means"));
	screen_step(f, "Ctrl-r");
	assert_false(screen_has(f, "Hound    means"));
	screen_step(f, "u");
	screen_step(f, "u");
	screen_step(f, "u");
	assert_false(screen_has(f, "reynard  means"));
	screen_step(f, "u");
	assert_true(screen_has(f, "there is nothing to undo"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(enter_is_yes, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(y_is_yes, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(no_is_no, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(refusals, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(completes, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(label_map, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(fields_are_chosen, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(fields_of_a_known_table, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(rows_by_place, screen_set_up, screen_tear_down),
	    cmocka_unit_test(words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
