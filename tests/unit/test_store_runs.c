/* Samples and answers: known, filled in, in conflict; runs again, extended, and beside each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_store.h"

static void commit_ok(struct feed *f)
{
	feed_end(f);
	if (f->st != OK)
		fail_msg("%s", f->err.msg);
}

static void samples_fill_and_keep(void **state)
{
	static const struct {
		const char *key, *text, *path, *truth;
		uint64_t fresh, known, filled, warnings, duplicates;
	} steps[] = {
	    {"a", "what?", NULL, "x", 1, 0, 0, 0, 0},
	    {"a", "what?", NULL, "x", 0, 1, 0, 0, 0},
	    {"a", NULL, "p.png", NULL, 0, 1, 1, 0, 0},	 /* a blank filled in */
	    {"a", "why?", "q.png", NULL, 0, 1, 0, 2, 0}, /* the stored ones stay */
	    {"", "why?", NULL, NULL, 0, 0, 0, 0, 0},	 /* no key */
	};

	(void)state;
	for (int staged = 0; staged < 2; staged++) {
		struct place p = place_new(staged);
		struct arena arena = ARENA_INIT;
		struct sample_row row;
		struct err err = ERR_INIT;

		for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
			struct feed f = {0};

			feed_begin(&f, p.c, "d");
			feed_sample(&f, steps[i].key, steps[i].text, steps[i].path, steps[i].truth);
			commit_ok(&f);
			assert_int_equal(f.r.samples_new, steps[i].fresh);
			assert_int_equal(f.r.samples_known, steps[i].known);
			assert_int_equal(f.r.samples_filled, steps[i].filled);
			assert_int_equal(f.r.problems[PROBLEM_WARNING], steps[i].warnings);
			assert_int_equal(f.r.problems[PROBLEM_SKIPPED], !steps[i].key[0]);
			assert_int_equal(report_changed(&f.r), steps[i].fresh + steps[i].filled > 0);
			feed_done(&f);
		}
		assert_int_equal(fetch_sample(p.c, 1, 0, &row, &arena, &err), OK);
		assert_true(str_eqz(row.text, "what?") && row.text_kind == TEXT_QUESTION);
		assert_true(str_eqz(row.path, "p.png") && row.media == MEDIA_IMAGE);
		arena_release(&arena);
		place_end(&p);
	}
}

/* A picture's name with its folder and without is no contradiction; another folder is one. */
static void paths_with_and_without_folder(void **state)
{
	struct place p = place_new(true);
	struct feed f = {0};

	(void)state;
	feed_begin(&f, p.c, "d");
	feed_sample(&f, "a", NULL, "n01/a.JPEG", "x");
	feed_sample(&f, "b", NULL, "b.JPEG", "x");
	commit_ok(&f);
	feed_done(&f);
	feed_begin(&f, p.c, "d");
	feed_sample(&f, "a", NULL, "a.JPEG", "x");
	feed_sample(&f, "b", NULL, "n02/b.JPEG", "x");
	assert_int_equal(f.r.problems[PROBLEM_WARNING], 0);
	feed_sample(&f, "a", NULL, "n02/a.JPEG", "x");
	feed_sample(&f, "a", NULL, "other.JPEG", "x");
	assert_int_equal(f.r.problems[PROBLEM_WARNING], 2);
	commit_ok(&f);
	feed_done(&f);
	assert_int_equal(project_int(p.c, "SELECT count(*) FROM sample WHERE path IN ('n01/a.JPEG', 'b.JPEG')"), 2);
	place_end(&p);
}

static void repeats_in_a_file(void **state)
{
	struct place p = place_new(true);
	struct feed f = {0};
	uint32_t run;

	(void)state;
	feed_begin(&f, p.c, "d");
	feed_sample(&f, "a", "one", NULL, "x");
	feed_sample(&f, "a", "one", NULL, "X"); /* the same class */
	feed_sample(&f, "a", "one", NULL, "x");
	feed_sample(&f, "a", "two", NULL, "y");
	run = feed_run(&f, "m", NULL);
	feed_answer(&f, run, "a", "x", NULL);
	feed_answer(&f, run, "a", "x", NULL);
	feed_answer(&f, run, "a", "y", NULL);
	feed_answer(&f, run, "b", "y", NULL);
	commit_ok(&f);
	assert_int_equal(f.r.samples_new, 1);
	assert_int_equal(f.r.duplicates, 2);
	assert_int_equal(f.r.problems[PROBLEM_WARNING], 2); /* text and truth */
	assert_int_equal(f.r.problems[PROBLEM_SKIPPED], 1);
	assert_int_equal(f.r.problems[PROBLEM_UNMATCHED], 1);
	assert_int_equal(f.r.predictions, 1);
	feed_done(&f);
	assert_int_equal(project_int(p.c, "SELECT count(*) FROM sample"), 1);
	place_end(&p);
}

/* An answer's row makes its sample as long as no file has listed them. */
static void rows_that_carry_samples(void **state)
{
	(void)state;
	for (int declared = 0; declared < 2; declared++) {
		struct place p = place_new(true);
		struct rec_sample sample = {.key = STR("new"), .creates = true};
		struct rec_prediction pred;
		struct feed f = {0};

		feed_begin(&f, p.c, "d");
		if (declared)
			feed_sample(&f, "old", NULL, NULL, NULL);
		rec_prediction_init(&pred);
		pred.run = feed_run(&f, "m", NULL);
		pred.key = sample.key;
		pred.sample = &sample;
		pred.outcome = OUTCOME_EMPTY;
		feed_prediction(&f, &pred);
		commit_ok(&f);
		assert_int_equal(f.r.samples_new, 1);
		assert_int_equal(f.r.problems[PROBLEM_UNMATCHED], declared);
		assert_int_equal(f.r.predictions, !declared);
		feed_done(&f);
		place_end(&p);
	}
}

static void put_samples(struct conn *c, int n)
{
	struct feed f = {0};
	char key[16];

	feed_begin(&f, c, "d");
	for (int i = 0; i < n; i++) {
		snprintf(key, sizeof key, "s%d", i);
		feed_sample(&f, key, NULL, NULL, i % 2 ? "odd" : "even");
	}
	commit_ok(&f);
	feed_done(&f);
}

static void runs_again(void **state)
{
	static const struct {
		int from, to; /* samples */
		const char *odd; /* answer to 1, 3, 5 */
		uint64_t fresh, known;
		const char *handle;
		bool is_new;
	} steps[] = {
	    {0, 6, "odd", 6, 0, "gpt-4o_x/cw+", true},
	    {0, 6, "odd", 0, 6, "gpt-4o_x/cw+", false},
	    {3, 9, "odd", 3, 3, "gpt-4o_x/cw+", false}, /* extended */
	    {0, 6, "even", 6, 0, "gpt-4o_x/cw+#2", true},
	    {0, 6, "even", 0, 6, "gpt-4o_x/cw+#2", false},
	    {0, 9, "odd", 0, 9, "gpt-4o_x/cw+", false},
	    {0, 2, "neither", 2, 0, "gpt-4o_x/cw+#3", true},
	};

	(void)state;
	for (int staged = 0; staged < 2; staged++) {
		struct place p = place_new(staged);

		put_samples(p.c, 10);
		for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
			struct feed f = {0};
			char *before = dump_project(p.c), *after;
			uint32_t run;

			feed_begin(&f, p.c, "d");
			run = feed_run(&f, "gpt-4o x", "CW+");
			for (int k = steps[i].from; k < steps[i].to; k++) {
				char key[16], raw[32];

				snprintf(key, sizeof key, "s%d", k);
				snprintf(raw, sizeof raw, "I say %s", k % 2 ? steps[i].odd : "even");
				feed_answer(&f, run, key, k % 2 ? steps[i].odd : "even", raw);
			}
			commit_ok(&f);
			assert_int_equal(f.r.predictions, steps[i].fresh);
			assert_int_equal(f.r.predictions_known, steps[i].known);
			assert_int_equal(f.r.runs_new.n, steps[i].is_new);
			assert_string_equal(steps[i].is_new ? f.r.runs_new.v[0] : f.r.runs_known.v[0],
					    steps[i].handle);
			feed_done(&f);
			after = dump_project(p.c);
			if (steps[i].fresh)
				assert_string_not_equal(before, after);
			else
				assert_string_equal(before, after);
			free(before);
			free(after);
		}
		struct snapshot *s = must_load(p.c, "d");
		char *raw = raw_text(p.c, s, "gpt-4o_x/cw+", "s7");

		assert_int_equal(s->n_runs, 3);
		assert_int_equal(s->runs[0].n_predictions, 9);
		assert_string_equal(raw, "I say odd");
		assert_string_equal(answered(p.c, s, "gpt-4o_x/cw+", "s8"), "even");
		assert_string_equal(answered(p.c, s, "gpt-4o_x/cw+#2", "s1"), "even");
		assert_int_equal(column_u(&s->runs[0].outcome, 9), OUTCOME_MISSING);
		assert_int_equal(project_int(p.c, "SELECT count(*) FROM chunk WHERE run NOT IN "
						  "(SELECT id FROM run)"), 0);
		free(raw);
		snapshot_free(s);
		place_end(&p);
	}
}

static void everything_of_an_answer(void **state)
{
	const struct rec_number numbers[] = {{STR("degree"), 3.5}, {STR("label"), 2}, {STR("degree"), 9}};
	struct place p = place_new(true);
	char *before = NULL;

	(void)state;
	put_samples(p.c, 3);
	for (int round = 0; round < 2; round++) {
		struct rec_prediction pred;
		struct feed f = {0};
		char *after;

		feed_begin(&f, p.c, "d");
		rec_prediction_init(&pred);
		pred.run = feed_run(&f, "m", NULL);
		pred.key = STR("s1");
		pred.raw = STR("<answer>odd</answer>");
		pred.extracted = STR("odd");
		pred.outcome = OUTCOME_UNPARSED;
		pred.score = 0.25;
		pred.latency_ms = 12;
		pred.tokens = 77;
		pred.batch_size = 10;
		pred.batch_pos = 0;
		pred.numbers = numbers;
		pred.n_numbers = 3;
		pred.steps = STR("[1,2]");
		pred.marks = STR("[0]");
		pred.details = STR("{}");
		feed_prediction(&f, &pred);
		commit_ok(&f);
		assert_int_equal(f.r.predictions, !round);
		feed_done(&f);
		after = dump_project(p.c);
		if (round)
			assert_string_equal(before, after);
		free(before);
		before = after;
	}
	assert_true(fetch_number(p.c, 1, "score", 1) == 0.25);
	assert_true(fetch_number(p.c, 1, "latency", 1) == 12);
	assert_true(fetch_number(p.c, 1, "tokens", 1) == 77);
	assert_true(fetch_number(p.c, 1, "batch_size", 1) == 10);
	assert_true(fetch_number(p.c, 1, "batch_pos", 1) == 0);
	assert_true(fetch_number(p.c, 1, "degree", 1) == 3.5);
	assert_true(fetch_number(p.c, 1, "_label", 1) == 2);
	assert_true(isnan(fetch_number(p.c, 1, "score", 0)));
	assert_int_equal(project_int(p.c, "SELECT count(*) FROM col WHERE owner_kind = 3 AND name IN "
					  "('text_raw', 'text_extracted', 'text_steps', 'text_marks', "
					  "'text_details')"), 5);
	/* No value at all, no column. */
	assert_int_equal(project_int(p.c, "SELECT count(*) FROM col WHERE owner_kind = 3 AND "
					  "name IN ('text_error', 'label', 'list_ord')"), 0);
	free(before);
	place_end(&p);
}

/* Texts of all lengths around a chunk's, in order and shuffled: the same answers come out. */
static void long_texts(void **state)
{
	static const size_t lengths[] = {1, 131071, 131072, 131073, 3, 400000, 7, 65536, 65536, 65537, 0, 9};
	enum { N = sizeof lengths / sizeof *lengths };
	char *text = xmalloc(400001);

	(void)state;
	for (int staged = 0; staged < 2; staged++) {
		struct place p = place_new(staged);
		struct snapshot *s;

		put_samples(p.c, N);
		for (int order = 0; order < 2; order++) {
			struct feed f = {0};
			uint32_t run;

			feed_begin(&f, p.c, "d");
			run = feed_run(&f, order ? "shuffled" : "ordered", NULL);
			for (int k = 0; k < N; k++) {
				int i = order ? (k * 5 + 3) % N : k;
				char key[16];

				snprintf(key, sizeof key, "s%d", i);
				memset(text, 'a' + i, lengths[i]);
				text[lengths[i]] = '\0';
				feed_answer(&f, run, key, "odd", text);
			}
			commit_ok(&f);
			feed_done(&f);
		}
		s = must_load(p.c, "d");
		for (int i = 0; i < N; i++) {
			char key[16], *a, *b;

			snprintf(key, sizeof key, "s%d", i);
			a = raw_text(p.c, s, "ordered", key);
			b = raw_text(p.c, s, "shuffled", key);
			assert_int_equal(strlen(a), lengths[i]);
			assert_string_equal(a, b);
			assert_true(!*a || (a[0] == 'a' + i && a[lengths[i] - 1] == 'a' + i));
			assert_string_equal(answered(p.c, s, "shuffled", key), "odd");
			free(a);
			free(b);
		}
		assert_true(project_int(p.c, "SELECT count(*) FROM chunk WHERE run = 1") > 4);
		snapshot_free(s);
		place_end(&p);
	}
	free(text);
}

static void many_runs(void **state)
{
	struct place p = place_new(true);
	struct feed f = {0};
	struct snapshot *s;

	(void)state;
	put_samples(p.c, 20);
	feed_begin(&f, p.c, "d");
	for (int k = 0; k < 20; k++) {
		for (int r = 0; r < 200; r++) {
			char model[16], key[16];

			snprintf(model, sizeof model, "m%d", r);
			snprintf(key, sizeof key, "s%d", k);
			feed_answer(&f, feed_run(&f, model, NULL), key, (r + k) % 2 ? "odd" : "even", NULL);
		}
	}
	commit_ok(&f);
	assert_int_equal(f.r.predictions, 4000);
	feed_done(&f);
	s = must_load(p.c, "d");
	assert_int_equal(s->n_runs, 200);
	assert_string_equal(answered(p.c, s, "m199", "s3"), "even");
	assert_string_equal(answered(p.c, s, "m100", "s3"), "odd");
	snapshot_free(s);
	place_end(&p);
}

/* Two imports at once: the one that comes second is refused, and nothing of it is there. */
static void another_was_faster(void **state)
{
	struct place p = place_new(true);
	struct conn *other = project_open(p.path, CONN_WRITE);
	struct feed f = {0}, g = {0};

	(void)state;
	put_samples(p.c, 2);
	feed_begin(&f, p.c, "d");
	feed_sample(&f, "mine", NULL, NULL, NULL);
	feed_begin(&g, other, "d");
	feed_sample(&g, "theirs", NULL, NULL, NULL);
	commit_ok(&g);
	feed_done(&g);
	assert_int_equal(feed_end(&f), E_BUSY);
	feed_done(&f);
	assert_int_equal(project_int(p.c, "SELECT count(*) FROM sample"), 3);
	assert_int_equal(project_int(p.c, "SELECT count(*) FROM sample WHERE key = 'mine'"), 0);
	feed_begin(&f, p.c, "d");
	feed_sample(&f, "mine", NULL, NULL, NULL);
	commit_ok(&f);
	feed_done(&f);
	conn_close(other);
	place_end(&p);
}

static void facets_and_trees(void **state)
{
	struct place p = place_new(true);
	struct rec_facet facets[] = {
	    {.name = STR("split"), .value = STR("val")}, {.name = STR("tag"), .value = STR("x")},
	    {.name = STR("Tag"), .value = STR("y")},	 {.name = STR("size"), .number = 2.5, .numeric = true},
	    {.name = STR("mixed"), .number = 3, .numeric = true},
	};
	struct rec_sample rec = {.key = STR("a"), .creates = true, .facets = facets, .n_facets = 5};
	struct rec_tree tree = {.facet = STR("tag"), .value = STR("x"), .parent = STR("all")};
	struct snapshot *s;
	size_t from;

	(void)state;
	for (int round = 0; round < 2; round++) {
		struct feed f = {0};

		feed_begin(&f, p.c, "d");
		rec.key = STR("a");
		facets[4] = (struct rec_facet){.name = STR("mixed"), .number = 3, .numeric = true};
		feed_record(&f, &rec);
		rec.key = STR("b");
		facets[4] = (struct rec_facet){.name = STR("mixed"), .value = STR("three")};
		feed_record(&f, &rec);
		if (f.st == OK)
			f.st = sink_tree(store_sink(f.s), &tree, &f.err);
		commit_ok(&f);
		assert_int_equal(report_changed(&f.r), !round);
		feed_done(&f);
	}
	s = must_load(p.c, "d");
	assert_int_equal(s->n_facets, 4);
	const struct facet *tag = &s->facets[snapshot_facet(s, STR("tag"))];
	const struct facet *mixed = &s->facets[snapshot_facet(s, STR("mixed"))];
	assert_true(tag->multi && csr_row(&tag->sets, 0, &from) == 2);
	assert_string_equal(tag->values[tag->parents[0]], "all");
	assert_true(column_f(&s->facets[snapshot_facet(s, STR("size"))].number, 1) == 2.5);
	assert_string_equal(mixed->values[column_u(&mixed->value, 0)], "3");
	assert_string_equal(mixed->values[column_u(&mixed->value, 1)], "three");
	snapshot_free(s);
	place_end(&p);
}

/* --- runs that are asked from inside --- */

struct asked {
	const char *key, *answer; /* answer NULL: the request failed, raw is why */
	const char *raw;
	double latency;
};

static void ask(struct conn *c, bool scratch, const struct asked *asked, size_t n)
{
	struct rec_run run = {.model = STR("m"), .protocol = STR("cw"), .handle = STR("m/cw/q1"),
			      .parent = STR("m/cw"), .scratch = scratch};
	struct feed f = {0};
	uint32_t at = 0;

	feed_begin(&f, c, "d");
	assert_int_equal(sink_run(store_sink(f.s), &run, &at, &f.err), OK);
	for (size_t i = 0; i < n; i++) {
		struct class_ref refs[8];
		struct rec_prediction p;

		rec_prediction_init(&p);
		p.run = at;
		p.key = str_z(asked[i].key);
		p.latency_ms = asked[i].latency;
		p.outcome = asked[i].answer ? OUTCOME_ANSWERED : OUTCOME_ERROR;
		if (asked[i].answer)
			p.n_refs = feed_refs(asked[i].answer, refs);
		p.refs = refs;
		*(asked[i].answer ? &p.raw : &p.error) = str_z(asked[i].raw);
		feed_prediction(&f, &p);
	}
	commit_ok(&f);
	feed_done(&f);
}

static void failures_are_asked_again(void **state)
{
	static const struct asked first[] = {{"a", NULL, "no way there", 7}, {"b", "y", "why", NAN}},
				  then[] = {{"a", "x", "ex", NAN}, {"c", NULL, "cut", NAN}};

	(void)state;
	for (int staged = 0; staged < 2; staged++) {
		struct place p = place_new(staged);
		struct arena arena = ARENA_INIT;
		struct err err = ERR_INIT;
		struct feed f = {0};
		struct snapshot *s;
		struct str text;
		char *raw;

		feed_begin(&f, p.c, "d");
		feed_sample(&f, "a", NULL, NULL, "x");
		feed_sample(&f, "b", NULL, NULL, "y");
		feed_sample(&f, "c", NULL, NULL, "y");
		feed_answer(&f, feed_run(&f, "m", "cw"), "a", "x", NULL);
		commit_ok(&f);
		feed_done(&f);
		ask(p.c, true, first, 2);
		ask(p.c, true, then, 2);
		s = must_load(p.c, "d");
		assert_int_equal(s->n_runs, 2);
		assert_true(s->runs[1].scratch && s->runs[1].n_predictions == 3);
		assert_string_equal(answered(p.c, s, "m/cw/q1", "a"), "x");
		assert_string_equal(answered(p.c, s, "m/cw/q1", "b"), "y");
		assert_int_equal(column_u(&s->runs[1].outcome, 2), OUTCOME_ERROR);
		raw = raw_text(p.c, s, "m/cw/q1", "a");
		assert_string_equal(raw, "ex");
		free(raw);
		assert_int_equal(fetch_text(p.c, s->runs[1].id, FIELD_ERROR, 0, &text, &arena, &err), OK);
		assert_int_equal(text.n, 0);
		assert_int_equal(fetch_text(p.c, s->runs[1].id, FIELD_ERROR, 2, &text, &arena, &err), OK);
		assert_true(str_eqz(text, "cut"));
		assert_true(isnan(fetch_number(p.c, s->runs[1].id, "latency", 0)));
		snapshot_free(s);
		/* What was imported stays as it is: another answer is another run. */
		ask(p.c, false, then + 1, 1);
		ask(p.c, false, &(struct asked){"c", "y", "y", NAN}, 1);
		s = must_load(p.c, "d");
		assert_int_equal(s->n_runs, 3);
		snapshot_free(s);
		arena_release(&arena);
		place_end(&p);
	}
}

static void handles(void **state)
{
	static const struct { const char *model, *protocol, *handle, *want; } cases[] = {
	    {"gpt-4o", "", "", "gpt-4o"},
	    {"gpt-4(vision)", "", "", "gpt-4_vision"},
	    {"gpt-4(vision)", "MC (few)", "", "gpt-4_vision/mc__few"},
	    {"gpt-4_", "", "", "gpt-4_"}, /* so it is called */
	    {"\xe6\x97\xa5\xe6\x9c\xac", "", "", "__"},
	    {"m", "cw", "org/m (x)/k11!#2", "org/m__x/k11#2"},
	    {"", "", "", "run"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct rec_run rec = {.model = str_z(cases[i].model),
				      .protocol = str_z(cases[i].protocol),
				      .handle = str_z(cases[i].handle)};
		struct buf got = BUF_INIT;

		store_handle(&rec, &got);
		assert_string_equal(buf_cstr(&got), cases[i].want);
		buf_release(&got);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(samples_fill_and_keep),   cmocka_unit_test(paths_with_and_without_folder),
	    cmocka_unit_test(repeats_in_a_file),
	    cmocka_unit_test(rows_that_carry_samples), cmocka_unit_test(runs_again),
	    cmocka_unit_test(everything_of_an_answer), cmocka_unit_test(long_texts),
	    cmocka_unit_test(many_runs),	       cmocka_unit_test(another_was_faster),
	    cmocka_unit_test(facets_and_trees),	       cmocka_unit_test(failures_are_asked_again),
	    cmocka_unit_test(handles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
