/* Keys that are not written as the samples' are: by name, and never guessed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names), cmocka_unit_test(rows), cmocka_unit_test(labels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
