/* The self-check of an import: what it tells, what it doubts, and that it is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_store.h"

enum { CLASSES = 40, SAMPLES = 40 };

static void put_classes(struct feed *f)
{
	for (int i = 0; i < CLASSES; i++) {
		char wnid[16], name[16];

		snprintf(wnid, sizeof wnid, "n%08d", 1000 + i);
		snprintf(name, sizeof name, "class%d", i);
		feed_class(f, i, wnid, name, NULL);
	}
}

/* Sample i's name says class i; its truth is class i + by. */
static void put_samples(struct feed *f, int by)
{
	for (int i = 0; i < SAMPLES; i++) {
		char key[64], truth[16];

		snprintf(key, sizeof key, "val_%d_n%08d.jpg", i, 1000 + i);
		snprintf(truth, sizeof truth, "#%d", (i + by + CLASSES) % CLASSES);
		feed_sample(f, key, "", NULL, truth);
	}
}

static void put_answers(struct feed *f, const char *model, int by, const char *answer)
{
	uint32_t run = feed_run(f, model, "CW");

	for (int i = 0; i < SAMPLES; i++) {
		char key[64], text[16];

		snprintf(key, sizeof key, "val_%d_n%08d.jpg", i, 1000 + i);
		snprintf(text, sizeof text, "class%d", (i + by + CLASSES) % CLASSES);
		feed_answer(f, run, key, answer ? answer : text, NULL);
	}
}

/* What the report says, facts as ". ", doubts as "? ", a line each. */
static char *said(struct feed *f)
{
	struct buf out = BUF_INIT;

	if (feed_end(f) != OK)
		fail_msg("%s", f->err.msg);
	for (size_t i = 0; i < f->r.checks.n; i++)
		buf_printf(&out, ". %s\n", f->r.checks.v[i]);
	for (size_t i = 0; i < f->r.doubts.n; i++)
		buf_printf(&out, "? %s\n", f->r.doubts.v[i]);
	assert_int_equal(f->r.problems[PROBLEM_WARNING], f->r.doubts.n);
	feed_done(f);
	return out.p ? out.p : xstrdup("");
}

static void expect(struct feed *f, const char *want)
{
	char *got = said(f);

	assert_string_equal(got, want);
	free(got);
}

static void all_is_well(void **state)
{
	for (int staged = 0; staged < 2; staged++) {
		struct place p = place_new(staged);
		struct feed f = {0};

		(void)state;
		feed_begin(&f, p.c, "d");
		put_classes(&f);
		put_samples(&f, 0);
		expect(&f, ". 40 classes, numbered 0 to 39, in the order of their wnids\n"
			   ". original labels 40 samples with one class each: 40 of 40 classes, "
			   "class0 most often (2.5 %)\n"
			   ". 40 of 40 truths of original agree with the wnid in the sample's name\n");
		feed_begin(&f, p.c, "d");
		put_answers(&f, "m", 0, NULL);
		expect(&f, ". m/cw: answered 100.0 %; 40 of 40 samples\n");
		place_end(&p);
	}
}

/* Truths, then answers, one beside where they should be. */
static void shifted(void **state)
{
	struct place p = place_new(false);
	struct feed f = {0};
	char *text;

	(void)state;
	feed_begin(&f, p.c, "d");
	put_classes(&f);
	put_samples(&f, 1);
	text = said(&f);
	assert_non_null(strstr(text, "? truths of original look shifted by one: for 39 of 40 the wnid in "
				     "the sample's name is of the class before\n"));
	free(text);
	feed_begin(&f, p.c, "d");
	put_answers(&f, "m", 0, NULL);
	put_answers(&f, "n", 2, NULL);
	put_answers(&f, "right", 1, NULL);
	text = said(&f);
	assert_non_null(strstr(text, "? m/cw: answers look shifted by one: 98 % are the class before the "
				     "truth, 0 % the truth"));
	assert_non_null(strstr(text, "? n/cw: answers look shifted by one: 98 % are the class after"));
	assert_null(strstr(text, "? right"));
	free(text);
	place_end(&p);
}

static void truths_of_another_order(void **state)
{
	struct place p = place_new(false);
	struct feed f = {0};
	char *text;

	(void)state;
	feed_begin(&f, p.c, "d");
	put_classes(&f);
	put_samples(&f, 7);
	text = said(&f);
	assert_non_null(strstr(text, "? truths of original: only 0 of 40 agree"));
	free(text);
	place_end(&p);
}

static void answers_that_look_off(void **state)
{
	struct place p = place_new(false);
	struct feed f = {0};

	(void)state;
	feed_begin(&f, p.c, "d");
	put_classes(&f);
	put_samples(&f, 0);
	free(said(&f));
	feed_begin(&f, p.c, "d");
	put_answers(&f, "same", 0, "class3");
	put_answers(&f, "none", 0, "blue");
	expect(&f, ". same/cw: answered 100.0 %; 40 of 40 samples\n"
		   ". none/cw: oop 100.0 %; 40 of 40 samples\n"
		   "? same/cw: all 40 answers are the same\n"
		   "? none/cw: 100 % of the answers are none of the classes, first \"blue\"\n");
	place_end(&p);
}

static void all_labels_equal(void **state)
{
	struct place p = place_new(false);
	struct feed f = {0};
	char *text;

	(void)state;
	feed_begin(&f, p.c, "d");
	for (int i = 0; i < SAMPLES; i++) {
		char key[16];

		snprintf(key, sizeof key, "k%d", i);
		feed_sample(&f, key, "", NULL, "joy");
	}
	text = said(&f);
	assert_non_null(strstr(text, "? all 40 truths of original are joy\n"));
	free(text);
	place_end(&p);
}

/* Samples of one class, all of which were recognised: that their answers are the same is no news. */
static void all_right_and_the_same(void **state)
{
	(void)state;
	for (int wrong = 0; wrong < 2; wrong++) {
		struct place p = place_new(false);
		struct feed f = {0};
		uint32_t run;
		char key[16], *text;

		feed_begin(&f, p.c, "d");
		put_classes(&f);
		for (int i = 0; i < SAMPLES; i++) {
			snprintf(key, sizeof key, "k%d", i);
			feed_sample(&f, key, "", NULL, "#3");
		}
		free(said(&f));
		feed_begin(&f, p.c, "d");
		run = feed_run(&f, "m", "CW");
		for (int i = 0; i < SAMPLES; i++) {
			snprintf(key, sizeof key, "k%d", i);
			feed_answer(&f, run, key, wrong ? "class4" : "class3", NULL);
		}
		text = said(&f);
		assert_int_equal(strstr(text, "all 40 answers are the same") != NULL, wrong);
		free(text);
		place_end(&p);
	}
}

/* Kept with the import, and what Home shows of it is the doubt. */
static void lost_and_kept(void **state)
{
	struct place p = place_new(false);
	struct feed f = {0};
	struct import_row *rows;
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct rec_sample sample = {.key = STR("img-1"), .creates = true, .declares = true};
	uint32_t run;
	size_t n;
	char *text;

	(void)state;
	feed_begin(&f, p.c, "d");
	feed_record(&f, &sample);
	free(said(&f));
	feed_begin(&f, p.c, "d");
	run = feed_run(&f, "m", "CW");
	for (int i = 0; i < 3; i++) {
		char key[16];

		snprintf(key, sizeof key, "photo%d", i);
		feed_answer(&f, run, key, "cat", NULL);
	}
	text = said(&f);
	assert_non_null(strstr(text, "? all rows are of no sample: their keys are like \"photo0\", the "
				     "samples' like \"img-1\"\n"));
	free(text);
	assert_int_equal(fetch_imports(p.c, 1, &rows, &n, &arena, &err), OK);
	assert_int_equal(n, 1);
	assert_int_equal(rows[0].warnings, 1);
	assert_true(str_starts(rows[0].doubts, STR("all rows are of no sample")));
	assert_int_equal(project_int(p.c, "SELECT json_array_length(report, '$.doubts') FROM import "
					  "ORDER BY id DESC LIMIT 1"), 1);
	arena_release(&arena);
	place_end(&p);
}

/* --- each doubt, what just escapes it, and what Home has of it --- */

struct doubt_case {
	const char *name;
	int truths_by;	    /* beside where they belong */
	int odd;	    /* so many of the 40 answers are odd */
	int odd_by;	    /* beside the truth; 0: they are `odd_answer` */
	const char *odd_answer;
	const char *doubt;  /* what Home shows first; NULL: nothing */
};

static const struct doubt_case doubt_cases[] = {
    {"all is well", 0, 0, 0, NULL, NULL},
    {"truths one behind", 1, 0, 0, NULL, "truths of original look shifted by one"},
    {"truths one ahead", -1, 0, 0, NULL, "truths of original look shifted by one"},
    {"truths of another order", 5, 0, 0, NULL, "truths of original: only 0 of 40 agree"},
    {"answers one ahead", 0, 40, 1, NULL, "m/cw: answers look shifted by one"},
    {"some answers one ahead", 0, 12, 1, NULL, NULL},
    {"answers all the same", 0, 40, 0, "class3", "m/cw: all 40 answers are the same"},
    {"answers nearly all the same", 0, 38, 0, "class3", NULL},
    {"answers of no class", 0, 21, 0, "blue", "m/cw: 52 % of the answers are none of the classes, first "},
    {"half of the answers of no class", 0, 20, 0, "blue", NULL},
    {"empty answers", 0, 21, 0, "", "m/cw: 52 % of the answers are empty"},
    {"half of the answers empty", 0, 20, 0, "", NULL},
};

static void put_odd_answers(struct feed *f, const struct doubt_case *k)
{
	uint32_t run = feed_run(f, "m", "CW");

	for (int i = 0; i < SAMPLES; i++) {
		int by = k->truths_by + (i < k->odd ? k->odd_by : 0);
		char key[64], text[16];
		bool odd = i < k->odd && k->odd_answer;
		struct rec_prediction p;

		rec_prediction_init(&p);
		snprintf(key, sizeof key, "val_%d_n%08d.jpg", i, 1000 + i);
		snprintf(text, sizeof text, "class%d", (i + by + CLASSES) % CLASSES);
		if (!odd || *k->odd_answer) {
			feed_answer(f, run, key, odd ? k->odd_answer : text, NULL);
			continue;
		}
		p.run = run;
		p.key = str_z(key);
		p.raw = STR("");
		p.outcome = OUTCOME_EMPTY;
		feed_prediction(f, &p);
	}
}

static void each_doubt(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof doubt_cases / sizeof *doubt_cases; i++) {
		const struct doubt_case *k = &doubt_cases[i];
		struct place p = place_new(false);
		struct arena arena = ARENA_INIT;
		struct err err = ERR_INIT;
		struct import_row *rows;
		struct feed f = {0};
		struct str first = STR("");
		size_t n;

		feed_begin(&f, p.c, "d");
		put_classes(&f);
		put_samples(&f, k->truths_by);
		free(said(&f));
		feed_begin(&f, p.c, "d");
		put_odd_answers(&f, k);
		free(said(&f));
		assert_int_equal(fetch_imports(p.c, 2, &rows, &n, &arena, &err), OK);
		for (size_t r = 0; r < n; r++)
			first = rows[r].warnings ? rows[r].doubts : first;
		if (k->doubt ? !str_starts(first, str_z(k->doubt)) : first.n > 0)
			fail_msg("%s: %.*s", k->name, STR_ARG(first));
		arena_release(&arena);
		place_end(&p);
	}
}

/* Rows that mostly find no sample, and rows that mostly do. */
static void lost_rows(void **state)
{
	(void)state;
	for (int lost = 19; lost <= 21; lost += 2) {
		struct place p = place_new(false);
		struct feed f = {0};
		uint32_t run;
		char *text;

		feed_begin(&f, p.c, "d");
		put_classes(&f);
		put_samples(&f, 0);
		free(said(&f));
		feed_begin(&f, p.c, "d");
		run = feed_run(&f, "m", "CW");
		for (int i = 0; i < SAMPLES; i++) {
			char key[64];

			if (i < lost)
				snprintf(key, sizeof key, "photo_%d", i);
			else
				snprintf(key, sizeof key, "val_%d_n%08d.jpg", i, 1000 + i);
			feed_answer(&f, run, key, "class1", NULL);
		}
		text = said(&f);
		assert_int_equal(strstr(text, "rows are of no sample") != NULL, lost > 20);
		free(text);
		place_end(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_is_well),	     cmocka_unit_test(shifted),
	    cmocka_unit_test(truths_of_another_order), cmocka_unit_test(answers_that_look_off),
	    cmocka_unit_test(all_right_and_the_same), cmocka_unit_test(all_labels_equal),	     cmocka_unit_test(lost_and_kept),
	    cmocka_unit_test(each_doubt),	     cmocka_unit_test(lost_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
