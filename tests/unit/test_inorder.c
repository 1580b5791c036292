/* A column and nothing beside it: told from lists of classes, and joined by place or not at all. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "core/reader/inorder.h"
#include "tests/unit/lib_readers.h"
#include "tests/unit/lib_store.h"

#define BYTES(text) {text, sizeof(text) - 1}

static const struct reader_case cases[] = {
    {.name = "labels, by the file's name",
     .file = "labels.txt",
     .bytes = BYTES("joy\nfear\njoy\n\njoy\nfear\n\n"),
     .reader = "inorder",
     .want = "sample key=1 media=none truth=original(=joy)\n"
	     "sample key=2 media=none truth=original(=fear)\n"
	     "sample key=3 media=none truth=original(=joy)\n"
	     "sample key=5 media=none truth=original(=joy)\n"
	     "sample key=6 media=none truth=original(=fear)\n"},
    {.name = "answers, by the file's name, CRLF, no final line end",
     .file = "preds_gpt.txt",
     .bytes = BYTES("joy\r\nfear\r\njoy\r\njoy"),
     .reader = "inorder",
     .want = "run 0 model=gpt\n"
	     "prediction 0 key=1 raw=joy answered(=joy)\n"
	     "prediction 0 key=2 raw=fear answered(=fear)\n"
	     "prediction 0 key=3 raw=joy answered(=joy)\n"
	     "prediction 0 key=4 raw=joy answered(=joy)\n"},
    {.name = "the header goes before the name; quotes of a table",
     .file = "labels.csv",
     .bytes = BYTES("prediction\n\"joy, or so\"\n\"fear\"\n\"joy, or so\"\nfear\n\n"),
     .model = "m",
     .reader = "inorder",
     .want = "run 0 model=m\n"
	     "prediction 0 key=1 raw=joy, or so answered(=joy, or so)\n"
	     "prediction 0 key=2 raw=fear answered(=fear)\n"
	     "prediction 0 key=3 raw=joy, or so answered(=joy, or so)\n"
	     "prediction 0 key=4 raw=fear answered(=fear)\n"},
    {.name = "labels of a layer by their numbers, as pandas writes them beside a gap",
     .file = "x.csv",
     .bytes = BYTES("1.0\n0.0\n\n1.0\n0.0\n"),
     .layer = "second",
     .reader = "inorder",
     .want = "sample key=1 media=none truth=second(#1:1)\n"
	     "sample key=2 media=none truth=second(#0:0)\n"
	     "sample key=4 media=none truth=second(#1:1)\n"
	     "sample key=5 media=none truth=second(#0:0)\n"},
    {.name = "a list of JSON",
     .file = "answers_m.json",
     .bytes = BYTES("[\"joy\", \"fear\", null,\n \"joy\", \"fear\", \"joy\"]"),
     .reader = "inorder",
     .want = "run 0 model=m\n"
	     "prediction 0 key=1 raw=joy answered(=joy)\n"
	     "prediction 0 key=2 raw=fear answered(=fear)\n"
	     "prediction 0 key=3 empty()\n"
	     "prediction 0 key=4 raw=joy answered(=joy)\n"
	     "prediction 0 key=5 raw=fear answered(=fear)\n"
	     "prediction 0 key=6 raw=joy answered(=joy)\n"},
    {.name = "a list that Python printed",
     .file = "answers_m.txt",
     .bytes = BYTES("['joy', 'fear', None, 'joy', 'joy', 'fear']\n"),
     .reader = "inorder",
     .want = "run 0 model=m\n"
	     "prediction 0 key=1 raw=joy answered(=joy)\n"
	     "prediction 0 key=2 raw=fear answered(=fear)\n"
	     "prediction 0 key=3 empty()\n"
	     "prediction 0 key=4 raw=joy answered(=joy)\n"
	     "prediction 0 key=5 raw=joy answered(=joy)\n"
	     "prediction 0 key=6 raw=fear answered(=fear)\n"},
    {.name = "numbers of a few classes are no ground truth of ImageNet",
     .file = "ground_truth.txt",
     .bytes = BYTES("1\n7\n1\n1\n7\n"),
     .reader = "inorder",
     .skip_to = "key=4 ",
     .want = "media=none truth=original(#1:1)\nsample key=5 media=none truth=original(#7:7)\n"},
    {.name = "a list of classes with names that are borne twice",
     .file = "labels.txt",
     .bytes = BYTES("crane\nmaillot\ncrane\nmaillot\ntench\nray\nhen\ncock\n"),
     .reader = "classes",
     .n_problems = 2},
    {.name = "so many lines are too few to tell",
     .file = "labels.txt",
     .bytes = BYTES("joy\nfear\njoy\n"),
     .reader = "classes",
     .n_problems = 1},
};

static void reads(void **state)
{
	run_reader_case(*state);
}

static void looks(void **state)
{
	struct buf many = BUF_INIT;
	struct inorder look;

	(void)state;
	for (int i = 0; i < 1000; i++) /* as ImageNet's: two of them are borne twice */
		buf_printf(&many, "class %d\n", i == 517 ? 134 : i == 639 ? 638 : i);
	assert_false(inorder_look(buf_view(&many), &look));
	buf_clear(&many);
	for (int i = 0; i < 1000; i++)
		buf_printf(&many, "class %d\n", i % 500);
	assert_true(inorder_look(buf_view(&many), &look));
	assert_int_equal(look.n, 1000);
	assert_int_equal(look.distinct, 500);
	assert_false(look.header || look.numbers || look.list);
	buf_release(&many);
	assert_false(inorder_look(STR(""), &look));
	assert_false(inorder_look(STR("\n\n"), &look));
	assert_false(inorder_look(STR("a\tb\na\tb\na\tb\na\tb\n"), &look));
	assert_false(inorder_look(STR("[[1],[1],[1],[1]]"), &look));
	assert_false(inorder_look(STR("{\"a\":1}\n{\"a\":1}\n{\"a\":1}\n{\"a\":1}\n"), &look));
}

/* --- into a project --- */

static void write_text(const char *folder, const char *name, const char *text)
{
	char *path = project_file(folder, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	free(path);
}

static enum status import_one(const char *folder, const char *name, struct err *err)
{
	char *path = project_file(folder, name), *project = project_file(folder, "p.qualm");
	struct import_job job = {
	    .project = project, .paths = (const char *const[]){path}, .n_paths = 1};
	uint64_t problems;
	enum status st = import_run(&job, &problems, err);

	free(path);
	free(project);
	return st;
}

/* The class that a layer says of the sample at this place. */
static const char *label_of(const struct snapshot *s, const char *handle, uint32_t ord)
{
	for (uint32_t r = 0; r < snapshot_answerers(s); r++)
		if (strcmp(s->runs[r].handle, handle) == 0)
			return s->classes[column_u(&s->runs[r].label, ord)].name;
	return "no such layer";
}

static void by_place(void **state)
{
	char *folder = project_folder(), *project = project_file(folder, "p.qualm");
	struct err err = ERR_INIT;
	struct snapshot *s;
	struct conn *c;

	(void)state;
	write_text(folder, "items.csv", "id,question\n5,a\n4,b\n3,c\n2,d\n1,e\n");
	write_text(folder, "labels.txt", "joy\nfear\njoy\nfear\njoy\n");
	write_text(folder, "preds_m.txt", "joy\n\njoy\njoy\njoy\n");
	write_text(folder, "preds_short.txt", "joy\njoy\njoy\njoy\n");
	write_text(folder, "preds_long.txt", "joy\njoy\njoy\njoy\njoy\njoy\n");
	assert_int_equal(import_one(folder, "labels.txt", &err), E_FORMAT); /* of what? */
	assert_int_equal(import_one(folder, "items.csv", &err), OK);
	assert_int_equal(import_one(folder, "labels.txt", &err), OK);
	assert_int_equal(import_one(folder, "preds_m.txt", &err), OK);
	assert_int_equal(import_one(folder, "preds_short.txt", &err), E_FORMAT);
	assert_non_null(strstr(err.msg, "4 rows without keys, but 5 samples"));
	assert_int_equal(import_one(folder, "preds_long.txt", &err), E_FORMAT);
	c = project_open(project, CONN_READ);
	s = must_load(c, NULL);
	assert_int_equal(s->n_runs, 1);
	assert_int_equal(s->n, 5);
	assert_string_equal(answered(c, s, "m", "5"), "joy"); /* the first sample, whatever it is called */
	assert_string_equal(answered(c, s, "m", "4"), "");
	assert_string_equal(label_of(s, "layer:original", 1), "fear");
	assert_string_equal(label_of(s, "layer:original", 4), "joy");
	assert_int_equal(s->n_classes, 2);
	snapshot_free(s);
	conn_close(c);
	free(project);
	project_remove(folder);
}

int main(void)
{
	struct CMUnitTest tests[32] = {{0}};
	size_t n = add_reader_cases(tests, 0, reads, cases, COUNT(cases));

	tests[n++] = (struct CMUnitTest)cmocka_unit_test(looks);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(by_place);
	return _cmocka_run_group_tests("columns in the samples' order", tests, n, NULL, NULL);
}
