/* Keys that are not written as the samples' are: by name, and never guessed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_store.h"

/* --- names --- */

struct name_case {
	const char *things[4], *name;
	enum matched how;
	uint32_t thing;
};

static const struct name_case name_cases[] = {
    {{"a/x.jpg", "b/y.jpg"}, "y.jpg", MATCHED_BASE, 1},
    {{"x.jpg"}, "images\\x.jpg", MATCHED_BASE, 0},
    {{"MG_1317.JPG"}, "mg_1317.jpg", MATCHED_FOLDED, 0},
    {{"MatrixFaces1", "MatrixFaces10"}, "MatrixFaces1.jpg", MATCHED_STEM, 0},
    {{"x.jpg"}, "X.png", MATCHED_STEM, 0},
    {{"7", "8"}, "007", MATCHED_NUMBER, 0},
    {{"0007"}, "7", MATCHED_NUMBER, 0},
    {{"0", "1"}, "000", MATCHED_NUMBER, 0},
    {{"1", "2"}, "2.0", MATCHED_NUMBER, 1},
    {{"2.000"}, "02", MATCHED_NUMBER, 0},
    {{"2", "2.0"}, "2.00", MATCHED_AMBIGUOUS, 0},
    {{"2", "20"}, "2.5", MATCHED_NOT, 0},
    {{"2", "20"}, "2.0.0", MATCHED_NOT, 0},
    {{"2"}, "2.", MATCHED_NOT, 0},
    {{"0"}, ".0", MATCHED_NOT, 0},
    {{"007", "07"}, "7", MATCHED_AMBIGUOUS, 0},
    {{"a/x.jpg", "b/x.jpg"}, "x.jpg", MATCHED_AMBIGUOUS, 0},
    {{"x.jpg", "x.png"}, "x", MATCHED_AMBIGUOUS, 0},
    {{"x.jpg", "x.png"}, "X.PNG", MATCHED_FOLDED, 1},
    {{"x.jpg#0"}, "x.jpg#7", MATCHED_NOT, 0}, /* another statement is no extension */
    {{"v1.5"}, "v1.6", MATCHED_NOT, 0},
    {{"7a"}, "07a", MATCHED_NOT, 0},
    {{"x"}, "", MATCHED_NOT, 0},
    {{"x"}, "folder/", MATCHED_NOT, 0},
};

static void names(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof name_cases / sizeof *name_cases; i++) {
		const struct name_case *c = &name_cases[i];
		struct match m = {0};
		uint32_t thing = 99;
		enum matched how;

		for (uint32_t k = 0; k < 4 && c->things[k]; k++)
			match_add(&m, str_z(c->things[k]), k);
		how = match_find(&m, str_z(c->name), &thing);
		if (how != c->how || (how < MATCHED_AMBIGUOUS && thing != c->thing))
			fail_msg("%s: %s", c->name, matched_word(how));
		match_release(&m);
	}
}

/* --- rows --- */

static void put_samples(struct feed *f)
{
	static const char *const keys[] = {"joy/a.jpg", "joy/b.jpg", "fear/b.jpg", "C.JPG", "d", "0042",
					   NULL};

	for (int i = 0; keys[i]; i++)
		feed_sample(f, keys[i], "", NULL, "joy");
}

static void rows(void **state)
{
	for (int staged = 0; staged < 2; staged++) {
		struct place p = place_new(staged);
		struct feed f = {0};
		struct snapshot *s;
		uint32_t run;

		(void)state;
		feed_begin(&f, p.c, "d");
		put_samples(&f);
		feed_end(&f);
		feed_done(&f);
		feed_begin(&f, p.c, "d");
		run = feed_run(&f, "m", NULL);
		feed_answer(&f, run, "images/a.jpg", "joy", "1");
		feed_answer(&f, run, "b.jpg", "joy", "2"); /* two samples */
		feed_answer(&f, run, "joy/b.jpg", "joy", "3");
		feed_answer(&f, run, "c.jpg", "joy", "4");
		feed_answer(&f, run, "d.png", "joy", "5");
		feed_answer(&f, run, "42", "joy", "6");
		feed_answer(&f, run, "other/a.jpg", "joy", "7"); /* two rows mean one sample */
		feed_answer(&f, run, "images/a.jpg", "joy", "1"); /* the same again */
		feed_answer(&f, run, "e", "joy", "8");
		assert_int_equal(feed_end(&f), OK);
		assert_int_equal(f.r.joined[MATCHED_BASE], 2);
		assert_int_equal(f.r.joined[MATCHED_FOLDED], 1);
		assert_int_equal(f.r.joined[MATCHED_STEM], 1);
		assert_int_equal(f.r.joined[MATCHED_NUMBER], 1);
		assert_int_equal(f.r.joined[MATCHED_AMBIGUOUS], 2);
		assert_int_equal(f.r.joined[MATCHED_NOT], 1);
		assert_int_equal(f.r.problems[PROBLEM_UNMATCHED], 3);
		assert_int_equal(f.r.duplicates, 1);
		assert_int_equal(f.r.predictions, 5);
		feed_done(&f);
		s = must_load(p.c, "d");
		for (int i = 0; i < 2; i++) {
			static const char *const keys[] = {"joy/a.jpg", "joy/b.jpg"};
			static const char *const raw[] = {"1", "3"};
			char *text = raw_text(p.c, s, "m", keys[i]);

			assert_string_equal(text, raw[i]);
			free(text);
		}
		assert_string_equal(answered(p.c, s, "m", "fear/b.jpg"), "");
		assert_string_equal(answered(p.c, s, "m", "C.JPG"), "joy");
		assert_string_equal(answered(p.c, s, "m", "d"), "joy");
		assert_string_equal(answered(p.c, s, "m", "0042"), "joy");
		snapshot_free(s);
		assert_int_equal(project_int(p.c, "SELECT json_extract(report, '$.joined.\"by base name\"') "
						  "FROM import ORDER BY id DESC LIMIT 1"), 2);
		place_end(&p);
	}
}

/* Labels alone, for a further layer, join alike. */
static void labels(void **state)
{
	struct place p = place_new(false);
	struct feed f = {0};

	(void)state;
	feed_begin(&f, p.c, "d");
	put_samples(&f);
	feed_end(&f);
	feed_done(&f);
	feed_begin(&f, p.c, "d");
	feed_layer(&f, "a.jpg", "second", "joy");
	feed_layer(&f, "b.jpg", "second", "joy");
	assert_int_equal(feed_end(&f), OK);
	assert_int_equal(f.r.joined[MATCHED_BASE], 1);
	assert_int_equal(f.r.joined[MATCHED_AMBIGUOUS], 1);
	assert_int_equal(f.r.truths, 1);
	feed_done(&f);
	place_end(&p);
}

/* --- whatever the order of the rows --- */

#define ORDER_ROWS 4

struct order_case {
	const char *name, *head, *row[ORDER_ROWS], *layer;
	const char *want; /* what comes of it, see told() */
	uint64_t unmatched, duplicates;
};

/* Samples a/x.jpg, a/y.jpg, b/y.jpg and 2, whose labels are "joy". */
static const struct order_case order_cases[] = {
    {"its own key", "id,model,prediction", {"x.jpg,m,joy", "a/x.jpg,m,fear", "02,m,joy", "2,m,fear"}, NULL,
     "m a/x.jpg=fear 2=fear; ", 2, 0},
    {"its own key between others", "id,model,prediction",
     {"x.jpg,m,joy", "a/x.jpg,m,fear", "A/X.JPG,m,joy", "x.jpg,m,joy"}, NULL, "m a/x.jpg=fear; ", 3, 0},
    {"equal answers", "id,model,prediction", {"x.jpg,m,joy", "a/x.jpg,m,joy", "a/x.jpg,m,joy"}, NULL,
     "m a/x.jpg=joy; ", 1, 1},
    {"none is its own", "id,model,prediction", {"i/x.jpg,m,joy", "X.jpg,m,fear", "2.0,m,joy"}, NULL,
     "m 2=joy; ", 2, 0},
    {"three, none is its own", "id,model,prediction",
     {"i/x.jpg,m,joy", "x.jpg,m,joy", "x,m,joy", "x,m,joy"}, NULL, "", 4, 0},
    {"one key twice", "id,model,prediction", {"x.jpg,m,joy", "x.jpg,m,joy", "2,m,joy"}, NULL,
     "m a/x.jpg=joy 2=joy; ", 0, 1},
    {"each run for itself", "id,model,prediction",
     {"x.jpg,m,joy", "a/x.jpg,n,fear", "i/x.jpg,o,anger"}, NULL,
     "m a/x.jpg=joy; n a/x.jpg=fear; o a/x.jpg=anger; ", 0, 0},
    {"several samples", "id,model,prediction", {"y.jpg,m,joy", "b/y.jpg,m,fear"}, NULL, "m b/y.jpg=fear; ", 1, 0},
    {"labels", "id,label", {"x.jpg,joy", "a/x.jpg,fear", "b/y.jpg,joy"}, "second",
     "layer:second a/x.jpg=fear b/y.jpg=joy; ", 1, 0},
    {"labels, none is its own", "id,label", {"x.jpg,joy", "X.jpg,fear", "2.0,joy"}, "second",
     "layer:second 2=joy; ", 2, 0},
    {"answers that tell of samples", "img_id,original_label,top_1_pred",
     {"x.jpg,0,1", "a/x.jpg,1,0", "2.0,1,1"}, NULL, "p a/x.jpg=joy 2=fear; ", 1, 0},
};

static void write_text(const char *folder, const char *name, const char *text)
{
	char *path = project_file(folder, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	free(path);
}

struct order_told {
	uint64_t unmatched, duplicates;
};

static void file_done(void *ctx, const struct report *r, enum status st, const struct err *err)
{
	struct order_told *t = ctx;

	if (st != OK)
		fail_msg("%s", err->msg);
	t->unmatched += r->problems[PROBLEM_UNMATCHED];
	t->duplicates += r->duplicates;
}

static void import_one(const char *project, const char *folder, const char *name,
		       const struct read_options *opt, FILE *errors, struct order_told *told)
{
	char *path = project_file(folder, name);
	struct import_job job = {.project = project,
				 .dataset = STR("d"),
				 .paths = (const char *const[]){path},
				 .n_paths = 1,
				 .options = *opt,
				 .errors = errors,
				 .ctx = told,
				 .file_done = file_done};
	struct err err = ERR_INIT;
	uint64_t problems;

	if (import_run(&job, &problems, &err) != OK)
		fail_msg("%s: %s", name, err.msg);
	free(path);
}

static const char *const order_keys[] = {"a/x.jpg", "a/y.jpg", "b/y.jpg", "2"};

/* " KEY=ANSWER …;" */
static size_t told_run(const struct snapshot *s, const struct run *r, char *out, size_t size)
{
	size_t n = (size_t)snprintf(out, size, "%s", r->handle);

	for (uint32_t i = 0; i < s->n; i++) {
		uint64_t label = column_u(&r->label, i);

		if (label != COLUMN_NONE)
			n += (size_t)snprintf(out + n, size - n, " %s=%s", order_keys[i],
					      s->classes[label].name);
	}
	return n + (size_t)snprintf(out + n, size - n, "; ");
}

/* Of all that answer, but not of the labels that the samples came with. */
static void told(const char *project, char *out, size_t size)
{
	static const char *const handles[] = {"m", "n", "o", "p", "layer:second"};
	struct conn *c = project_open(project, CONN_READ);
	struct snapshot *s = must_load(c, "d");
	size_t n = 0;

	*out = '\0';
	for (size_t h = 0; h < sizeof handles / sizeof *handles; h++)
		for (uint32_t r = 0; r < snapshot_answerers(s); r++)
			if (strcmp(s->runs[r].handle, handles[h]) == 0)
				n += told_run(s, &s->runs[r], out + n, size - n);
	snapshot_free(s);
	conn_close(c);
}

static void import_samples(const char *project, const char *folder)
{
	struct read_options opt = {0};
	struct order_told ignored = {0};

	write_text(folder, "classes.json", "{\"0\":\"joy\",\"1\":\"fear\",\"2\":\"anger\"}");
	write_text(folder, "samples.csv",
		   "id,label\na/x.jpg,joy\na/y.jpg,joy\nb/y.jpg,joy\n2,joy\n");
	import_one(project, folder, "classes.json", &opt, NULL, &ignored);
	import_one(project, folder, "samples.csv", &opt, NULL, &ignored);
}

/* What was told of single rows: each of them once, though the file may be read twice. */
static uint64_t rows_told(FILE *errors)
{
	char line[512];
	uint64_t n = 0;

	rewind(errors);
	while (fgets(line, sizeof line, errors))
		n += !strstr(line, ":0:0: ");
	return n;
}

/* The rows in the order that `rotation` and `swap` make of them. */
static void order_once(const struct order_case *c, size_t n, size_t rotation, bool turned)
{
	char *folder = project_folder(), *project = project_file(folder, "p.qualm"), text[512], got[512];
	struct read_options opt = {.layer = str_z(c->layer ? c->layer : ""), .run = STR_NONE};
	struct order_told t = {0};
	FILE *errors = tmpfile();
	size_t at = (size_t)snprintf(text, sizeof text, "%s\n", c->head);

	assert_non_null(errors);
	for (size_t i = 0; i < n; i++) {
		size_t k = (rotation + (turned ? n - i : i)) % n;

		at += (size_t)snprintf(text + at, sizeof text - at, "%s\n", c->row[k]);
	}
	import_samples(project, folder);
	write_text(folder, "p.csv", text);
	import_one(project, folder, "p.csv", &opt, errors, &t);
	told(project, got, sizeof got);
	if (strcmp(got, c->want) != 0 || t.unmatched != c->unmatched || t.duplicates != c->duplicates ||
	    rows_told(errors) != c->unmatched)
		fail_msg("%s, %s\n%s: %s, %" PRIu64 " unmatched, %" PRIu64 " duplicates, %" PRIu64 " told",
			 c->name, text, "got", got, t.unmatched, t.duplicates, rows_told(errors));
	fclose(errors);
	free(project);
	project_remove(folder);
}

static void any_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof order_cases / sizeof *order_cases; i++) {
		size_t n = 0;

		while (n < ORDER_ROWS && order_cases[i].row[n])
			n++;
		for (size_t k = 0; k < 2 * n; k++)
			order_once(&order_cases[i], n, k / 2, k % 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names), cmocka_unit_test(rows), cmocka_unit_test(labels),
	    cmocka_unit_test(any_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
