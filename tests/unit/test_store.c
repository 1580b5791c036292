/* What a store makes of records: classes, samples, layers, runs; again, more, and different. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "tests/unit/lib_store.h"
#include "tests/unit/lib_verify.h"

static void commit_ok(struct feed *f)
{
	feed_end(f);
	if (f->st != OK)
		fail_msg("%s", f->err.msg);
}

static void put_dog_cat(struct feed *f, struct conn *c)
{
	feed_begin(f, c, "d");
	feed_class(f, 0, "n1", "cat", "house cat");
	feed_class(f, 1, "n2", "Dog", NULL);
	feed_class(f, 2, "n3", "crane", NULL);
	feed_class(f, 3, "n4", "crane", NULL);
	commit_ok(f);
}

/* --- classes --- */

static void names_mean_classes(void **state)
{
	static const struct {
		const char *answer, *label; /* name; "" none */
		enum outcome outcome;
		size_t n;
	} cases[] = {
	    {"cat", "cat", OUTCOME_ANSWERED, 1},      {"  CAT ", "cat", OUTCOME_ANSWERED, 1},
	    {"house cat", "cat", OUTCOME_ANSWERED, 1}, {"dOG", "Dog", OUTCOME_ANSWERED, 1},
	    {"#1", "Dog", OUTCOME_ANSWERED, 1},	      {"crane", "crane", OUTCOME_ANSWERED, 2},
	    {"cat|#1", "cat", OUTCOME_ANSWERED, 2},   {"horse", "", OUTCOME_OOP, 0},
	    {"cats", "", OUTCOME_OOP, 0},	      {"horse|dog", "Dog", OUTCOME_ANSWERED, 1},
	    {"#99", "", OUTCOME_OOP, 0},	      {"kitty", "cat", OUTCOME_ANSWERED, 1},
	};
	size_t n = sizeof cases / sizeof *cases;

	(void)state;
	for (int staged = 0; staged < 2; staged++) {
		struct place p = place_new(staged);
		struct feed f = {0};
		struct snapshot *s;
		char key[16];
		uint32_t run;

		put_dog_cat(&f, p.c);
		assert_int_equal(f.r.classes, 4);
		feed_done(&f);
		project_exec(p.c, "INSERT INTO label_map VALUES (1, 'Kitty', 0)");
		feed_begin(&f, p.c, "d");
		run = feed_run(&f, "m", "CW");
		for (size_t i = 0; i < n; i++) {
			snprintf(key, sizeof key, "s%zu", i);
			feed_sample(&f, key, NULL, NULL, "#0");
			feed_answer(&f, run, key, cases[i].answer, NULL);
		}
		commit_ok(&f);
		assert_int_equal(f.r.predictions, n);
		assert_int_equal(f.r.truths, n);
		assert_int_equal(f.r.classes, 0);
		s = must_load(p.c, "d");
		assert_int_equal(s->n_classes, 4);
		for (size_t i = 0; i < n; i++) {
			size_t from, k = csr_row(&s->runs[0].labels, i, &from);

			snprintf(key, sizeof key, "s%zu", i);
			assert_string_equal(answered(p.c, s, "m/cw", key), cases[i].label);
			assert_int_equal(column_u(&s->runs[0].outcome, i), cases[i].outcome);
			assert_int_equal(cases[i].n > 1 ? cases[i].n : 0, k);
		}
		snapshot_free(s);
		feed_done(&f);
		place_end(&p);
	}
}

/* A letter means an option of the sample, which came with another file or earlier in this one. */
static void letters_mean_options(void **state)
{
	static const struct str options[][2] = {{{"dog", 3}, {"cat", 3}},
						{{"cat", 3}, {"crane", 5}},
						{{"B", 1}, {"cat", 3}}};
	static const struct {
		const char *key, *answer, *label;
	} cases[] = {
	    {"s0", "B", "cat"}, {"s1", "b", "crane"}, {"s1", "A. cat", "cat"}, {"s0", "(a)", "Dog"},
	    {"s2", "B", ""},    {"s0", "C", ""},      {"s0", "crane", "crane"}, {"s3", "A", ""},
	};
	static const char *const keys[] = {"s0", "s1", "s2"};

	(void)state;
	for (int files = 0; files < 2; files++) {
		struct place p = place_new(true);
		struct feed f = {0};
		struct snapshot *s;

		put_dog_cat(&f, p.c);
		feed_done(&f);
		feed_begin(&f, p.c, "d");
		feed_sample(&f, "s3", NULL, NULL, "#0");
		for (size_t i = 0; i < 3; i++)
			feed_record(&f, &(struct rec_sample){.key = str_z(keys[i]),
							     .options = options[i],
							     .n_options = 2,
							     .creates = true,
							     .declares = true});
		if (files) {
			commit_ok(&f);
			feed_done(&f);
			feed_begin(&f, p.c, "d");
		}
		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
			char model[8];

			snprintf(model, sizeof model, "m%zu", i);
			feed_answer(&f, feed_run(&f, model, NULL), cases[i].key, cases[i].answer, NULL);
		}
		commit_ok(&f);
		feed_done(&f);
		s = must_load(p.c, "d");
		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
			char model[8], *raw;

			snprintf(model, sizeof model, "m%zu", i);
			assert_string_equal(answered(p.c, s, model, cases[i].key), cases[i].label);
			raw = raw_text(p.c, s, model, cases[i].key);
			assert_string_equal(raw, cases[i].answer);
			free(raw);
		}
		snapshot_free(s);
		place_end(&p);
	}
}

static void data_make_classes_up(void **state)
{
	struct place p = place_new(false);
	struct feed f = {0};
	struct snapshot *s;

	(void)state;
	feed_begin(&f, p.c, "d");
	feed_sample(&f, "a", NULL, NULL, "Joy");
	feed_sample(&f, "b", NULL, NULL, "joy");
	feed_sample(&f, "c", NULL, NULL, "#7");
	uint32_t run = feed_run(&f, "m", NULL);
	feed_answer(&f, run, "a", "anger", NULL); /* answers never make one */
	feed_answer(&f, run, "b", " JOY", NULL);
	commit_ok(&f);
	feed_done(&f);
	s = must_load(p.c, "d");
	assert_int_equal(s->n_classes, 2);
	assert_string_equal(s->classes[0].name, "Joy");
	assert_string_equal(s->classes[1].name, "#7");
	assert_int_equal(s->classes[1].index, 7);
	assert_string_equal(answered(p.c, s, "m", "a"), "");
	assert_string_equal(answered(p.c, s, "m", "b"), "Joy");
	snapshot_free(s);

	/* A class list fills in what was made up, and from then on decides what there is. */
	feed_begin(&f, p.c, "d");
	feed_class(&f, 7, "n7", "fear", NULL);
	feed_class(&f, 1, NULL, "JOY", NULL);
	feed_class(&f, 2, NULL, "anger", NULL);
	commit_ok(&f);
	feed_done(&f);
	feed_begin(&f, p.c, "d");
	feed_sample(&f, "d", NULL, NULL, "disgust");
	commit_ok(&f);
	assert_int_equal(f.r.problems[PROBLEM_SKIPPED], 1);
	assert_int_equal(f.r.truths, 0);
	assert_non_null(strstr(f.r.examples.v[0].text, "label: the class list has no \"disgust\""));
	assert_int_equal(f.r.examples.v[0].src.line, 1);
	feed_done(&f);
	s = must_load(p.c, "d");
	assert_int_equal(s->n_classes, 3);
	assert_int_equal(s->n, 4);
	assert_string_equal(s->classes[1].name, "fear");
	assert_string_equal(s->classes[1].wnid, "n7");
	assert_int_equal(s->classes[0].index, 1);
	snapshot_free(s);

	/* The same answers again: what meant no class now means one. */
	feed_begin(&f, p.c, "d");
	run = feed_run(&f, "m", NULL);
	feed_answer(&f, run, "a", "anger", NULL);
	feed_answer(&f, run, "b", " JOY", NULL);
	commit_ok(&f);
	assert_int_equal(f.r.predictions, 1);
	assert_int_equal(f.r.predictions_known, 1);
	feed_done(&f);
	s = must_load(p.c, "d");
	assert_int_equal(s->n_runs, 1);
	assert_string_equal(answered(p.c, s, "m", "a"), "anger");
	snapshot_free(s);
	place_end(&p);
}

static void codes_need_a_list(void **state)
{
	struct place p = place_new(false);
	const struct str codes[1][2] = {{STR("ilsvrc"), STR("490")}};
	struct rec_class rec = {.index = 65, .name = STR("sea snake"), .codes = codes, .n_codes = 1};
	struct feed f = {0};

	(void)state;
	feed_begin(&f, p.c, "d");
	feed_sample(&f, "a", NULL, NULL, "ilsvrc=490");
	assert_int_equal(feed_end(&f), E_FORMAT);
	assert_non_null(strstr(f.err.msg, "\"ilsvrc\" numbers; import a class list"));
	feed_done(&f);
	assert_int_equal(project_int(p.c, "SELECT count(*) FROM dataset"), 0);
	feed_begin(&f, p.c, "d");
	f.st = sink_class(store_sink(f.s), &rec, &f.err);
	feed_sample(&f, "a", NULL, NULL, "ilsvrc=490");
	feed_sample(&f, "b", NULL, NULL, "ilsvrc=7");
	commit_ok(&f);
	assert_int_equal(f.r.truths, 1);
	assert_int_equal(f.r.problems[PROBLEM_SKIPPED], 1);
	feed_done(&f);
	place_end(&p);
}

static void many_classes(void **state)
{
	struct place p = place_new(false);
	struct feed f = {0};
	struct snapshot *s;
	char name[24], key[24];
	enum { N = 66000 };
	uint32_t run;

	(void)state;
	feed_begin(&f, p.c, "d");
	for (int i = 0; i < N; i++) {
		snprintf(name, sizeof name, "class %d", i);
		feed_class(&f, i, NULL, name, NULL);
	}
	commit_ok(&f);
	feed_done(&f);
	feed_begin(&f, p.c, "d");
	run = feed_run(&f, "m", NULL);
	for (int i = 0; i < N; i += 5999) {
		snprintf(key, sizeof key, "s%d", i);
		snprintf(name, sizeof name, "#%d", i);
		feed_sample(&f, key, NULL, NULL, name);
		feed_answer(&f, run, key, name, NULL);
	}
	commit_ok(&f);
	feed_done(&f);
	s = must_load(p.c, "d");
	assert_int_equal(s->runs[0].label.dtype, DT_U32);
	for (uint32_t i = 0; i < s->n; i++) {
		assert_int_equal(column_u(&s->runs[0].label, i), i * 5999);
		assert_int_equal(column_u(&s->layers[0].sets.val, i), i * 5999);
	}
	snapshot_free(s);
	place_end(&p);
}

#define IDS_WRONG "SELECT count(*) FROM sample WHERE id <> dataset << 32 | ord OR key <> printf('s%05d', " \
		  "CASE WHEN ord < 5000 THEN ord * 2 ELSE (9999 - ord) * 2 + 1 END)"

/* Samples whose keys ascend, then descend between them; each comes twice. */
static void put_many(struct conn *c, const char *dataset)
{
	struct feed f = {0};
	char key[24], path[32], truth[64];

	feed_begin(&f, c, dataset);
	for (int twice = 0; twice < 2; twice++)
		for (int i = 0; i < 10000; i++) {
			int at = i < 5000 ? i * 2 : (9999 - i) * 2 + 1;

			snprintf(key, sizeof key, "s%05d", at);
			snprintf(path, sizeof path, "%s.png", key);
			snprintf(truth, sizeof truth, "a%d|b%d|c", i / 80 % 100, i % 80);
			/* What all rows of a batch have alike goes another way into the project. */
			feed_sample(&f, key, i % 3000 > 2000 ? "why?" : NULL, i % 2000 > 1000 ? path : NULL,
				    i % 3 ? truth : "c");
		}
	commit_ok(&f);
	assert_int_equal(f.r.samples_new, 10000);
	assert_int_equal(f.r.duplicates, 10000);
	feed_done(&f);
}

static void check_many(struct conn *c, int datasets)
{
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample"), datasets * 10000);
	assert_int_equal(project_int(c, IDS_WRONG), 0);
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample WHERE text <> CASE WHEN ord % 3000 > "
					"2000 THEN 'why?' ELSE '' END OR path <> CASE WHEN ord % 2000 > "
					"1000 THEN key || '.png' ELSE '' END OR extra <> ''"), 0);
	assert_int_equal(project_int(c, "SELECT count(*) FROM sqlite_schema WHERE name = 'sample_key'"), 1);
}

static void many_samples(void **state)
{
	(void)state;
	for (int staged = 0; staged < 2; staged++) {
		struct place p = place_new(staged);
		struct snapshot *s;

		put_many(p.c, "d");
		check_many(p.c, 1);
		put_many(p.c, "e");
		check_many(p.c, 2);
		s = must_load(p.c, "e");
		for (uint32_t i = 0; i < s->n; i++) {
			size_t from;

			assert_int_equal(csr_row(&s->layers[0].sets, i, &from), i % 3 ? 3 : 1);
		}
		snapshot_free(s);
		place_end(&p);
	}
}

/* A class that was there and gets a further name is completed, not one more class. */
static void further_names_complete(void **state)
{
	static const char *const names[] = {NULL, "Felis catus", "Felis catus"};
	struct place p = place_new(false);

	(void)state;
	for (int round = 0; round < 3; round++) {
		struct feed f = {0};

		feed_begin(&f, p.c, "d");
		feed_class(&f, 0, "n1", "cat", names[round]);
		feed_class(&f, 1, "n2", "dog", NULL);
		commit_ok(&f);
		assert_int_equal(f.r.classes, round ? 0 : 2);
		assert_int_equal(f.r.classes_filled, round == 1);
		assert_int_equal(report_changed(&f.r), round < 2);
		feed_done(&f);
	}
	place_end(&p);
}

static void lists_repeat_names(void **state)
{
	struct place p = place_new(false);
	char *first = NULL;

	(void)state;
	for (int round = 0; round < 2; round++) {
		struct feed f = {0};
		char *dump;

		feed_begin(&f, p.c, "d");
		feed_class(&f, -1, NULL, "missile", NULL);
		feed_class(&f, -1, NULL, "laptop", NULL);
		feed_class(&f, -1, NULL, "missile", NULL);
		commit_ok(&f);
		assert_int_equal(f.r.classes, round ? 0 : 3);
		assert_int_equal(report_changed(&f.r), !round);
		feed_done(&f);
		dump = dump_project(p.c);
		if (first)
			assert_string_equal(first, dump);
		free(first);
		first = dump;
	}
	assert_int_equal(project_int(p.c, "SELECT count(*) FROM class WHERE name = 'missile'"), 2);
	assert_int_equal(project_int(p.c, "SELECT max(idx) FROM class"), 2);
	free(first);
	place_end(&p);
}

static void pairs_and_parents(void **state)
{
	struct place p = place_new(true);
	struct feed f = {0};
	struct rec_pair pair = {.a = {.kind = CLASS_BY_INDEX, .index = 1},
				.b = {.kind = CLASS_BY_NAME, .text = STR("CAT")}};
	struct rec_class child = {.index = 9, .name = STR("kitten"), .parent = STR("cat")};
	struct snapshot *s;

	(void)state;
	put_dog_cat(&f, p.c);
	feed_done(&f);
	feed_begin(&f, p.c, "d");
	f.st = sink_class(store_sink(f.s), &child, &f.err);
	assert_int_equal(sink_pair(store_sink(f.s), &pair, &f.err), OK);
	assert_int_equal(sink_pair(store_sink(f.s), &pair, &f.err), OK);
	pair.b.text = STR("crane"); /* two classes */
	assert_int_equal(sink_pair(store_sink(f.s), &pair, &f.err), OK);
	commit_ok(&f);
	assert_int_equal(f.r.pairs, 1);
	assert_int_equal(f.r.problems[PROBLEM_SKIPPED], 1);
	feed_done(&f);
	s = must_load(p.c, "d");
	assert_int_equal(s->n_pairs, 1);
	assert_int_equal(s->pairs[0][0], 0);
	assert_int_equal(s->pairs[0][1], 1);
	assert_int_equal(s->classes[4].parent, 0);
	snapshot_free(s);
	place_end(&p);
}

/* --- layers --- */

static void layers_never_change(void **state)
{
	struct place p = place_new(true);
	struct feed f = {0};
	struct snapshot *s;
	static const struct {
		const char *a, *b, *c; /* truths in layer "l"; NULL = not in the file */
		uint32_t truths, layers;
		const char *note;
	} steps[] = {
	    {"cat", "", NULL, 2, 2, NULL},	       /* new */
	    {"Cat", "", NULL, 0, 2, NULL},	       /* known */
	    {NULL, "", "cat|dog", 1, 2, NULL},	       /* an extension */
	    {"dog", "", "dog|cat", 3, 3, "layer l#2"}, /* one differs: all of it elsewhere */
	    {"dog", "", "dog|cat", 0, 3, NULL},
	    {"crane", NULL, NULL, 1, 4, "layer l#3"},
	};

	(void)state;
	put_dog_cat(&f, p.c);
	feed_done(&f);
	feed_begin(&f, p.c, "d");
	feed_sample(&f, "a", NULL, NULL, "cat");
	feed_sample(&f, "b", NULL, NULL, "cat");
	feed_sample(&f, "c", NULL, NULL, NULL);
	commit_ok(&f);
	feed_done(&f);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		feed_begin(&f, p.c, "d");
		if (steps[i].a)
			feed_layer(&f, "a", "l", steps[i].a);
		if (steps[i].b)
			feed_layer(&f, "b", "l", steps[i].b);
		if (steps[i].c)
			feed_layer(&f, "c", "l", steps[i].c);
		commit_ok(&f);
		assert_int_equal(f.r.truths, steps[i].truths);
		assert_int_equal(f.r.notes.n, steps[i].note != NULL);
		if (steps[i].note)
			assert_non_null(strstr(f.r.notes.v[0], steps[i].note));
		feed_done(&f);
		s = must_load(p.c, "d");
		assert_int_equal(s->n_layers, steps[i].layers);
		snapshot_free(s);
	}
	s = must_load(p.c, "d");
	int l = snapshot_layer(s, STR("l"));
	assert_int_equal(s->layers[l].n_labelled, 3);
	assert_int_equal(column_u(&s->layers[l].covered, 1), 1); /* an empty set is a truth */
	assert_int_equal(s->layers[0].n_labelled, 2);
	assert_int_equal(column_u(&s->layers[0].covered, 2), 0);
	snapshot_free(s);
	place_end(&p);
}

static void put_votes(struct feed *f, struct conn *c, const char *key, double happy, double sad,
		      double third)
{
	struct class_ref refs[3] = {{.text = STR("happy")}, {.text = STR("sad")}, {.text = STR("fear")}};
	double votes[3] = {happy, sad, third};
	struct rec_truth t = {.layer = STR("v"), .refs = refs, .n_refs = third < 0 ? 2 : 3, .votes = votes};
	struct rec_sample rec = {.key = str_z(key), .creates = true, .truths = &t, .n_truths = 1};

	feed_begin(f, c, "d");
	feed_record(f, &rec);
	commit_ok(f);
	feed_done(f);
}

static void votes_are_a_matrix(void **state)
{
	struct place p = place_new(true);
	struct feed f = {0};
	struct snapshot *s;
	static const float want[] = {7, 3, 0, 2, 2, 6};

	(void)state;
	put_votes(&f, p.c, "a", 7, 3, -1);
	put_votes(&f, p.c, "a", 7, 3, -1);
	put_votes(&f, p.c, "b", 2, 2, 6); /* a class more: the matrix widens */
	put_votes(&f, p.c, "a", 7, 3, 0);
	s = must_load(p.c, "d");
	assert_int_equal(s->n_layers, 1);
	assert_int_equal(s->layers[0].vote_width, 3);
	for (size_t i = 0; i < 6; i++)
		assert_true(column_f(&s->layers[0].votes, i) == want[i]);
	snapshot_free(s);
	put_votes(&f, p.c, "a", 6, 4, -1);
	s = must_load(p.c, "d");
	assert_int_equal(s->n_layers, 2);
	assert_string_equal(s->layers[1].name, "v#2");
	snapshot_free(s);
	place_end(&p);
}

/* A table can have votes for some of its samples and a label for others, or nothing. */
static void votes_and_labels_are_two_layers(void **state)
{
	struct place p = place_new(true);
	struct feed f = {0};
	struct snapshot *s;
	struct class_ref happy = {.text = STR("happy")};
	double three = 3;
	struct rec_truth truths[] = {{.layer = STR("v")},
				     {.layer = STR("v"), .refs = &happy, .n_refs = 1, .votes = &three},
				     {.layer = STR("v"), .refs = &happy, .n_refs = 1}};
	static const char *const keys[] = {"none", "votes", "label"};

	(void)state;
	for (int again = 0; again < 2; again++) {
		feed_begin(&f, p.c, "d");
		for (size_t i = 0; i < 3; i++)
			feed_record(&f, &(struct rec_sample){.key = str_z(keys[i]), .creates = true,
							     .truths = &truths[i], .n_truths = 1});
		commit_ok(&f);
		assert_int_equal(f.r.truths, again ? 0 : 3);
		assert_int_equal(f.r.notes.n, !again);
		feed_done(&f);
		must_be_sound(p.c, "votes beside labels");
	}
	s = must_load(p.c, "d");
	assert_int_equal(s->n_layers, 2);
	assert_string_equal(s->layers[0].name, "v");
	assert_true(column_f(&s->layers[0].votes, 1) == 3);
	assert_int_equal(column_u(&s->layers[0].covered, 0), 1);
	assert_string_equal(s->layers[1].name, "v#2");
	assert_int_equal(s->layers[1].vote_width, 0);
	assert_int_equal(column_u(&s->layers[1].covered, 2), 1);
	snapshot_free(s);
	place_end(&p);
}

/* --- two programs at once --- */

/* What was read was compared with a project that is no more: nothing of it is written. */
static void the_other_one_was_first(void **state)
{
	struct place p = place_new(true);
	struct conn *other = project_open(p.path, CONN_WRITE);
	struct feed late = {0}, first = {0};
	char *before, *after;

	(void)state;
	put_dog_cat(&first, p.c);
	feed_done(&first);
	feed_begin(&late, p.c, "d");
	feed_sample(&late, "s1", "late", NULL, "cat");
	feed_begin(&first, other, "d");
	feed_sample(&first, "s2", "first", NULL, "Dog");
	commit_ok(&first);
	feed_done(&first);
	before = dump_project(other);
	assert_int_equal(feed_end(&late), E_BUSY);
	assert_non_null(strstr(late.err.msg, "another process"));
	feed_done(&late);
	after = dump_project(other);
	assert_string_equal(before, after);
	free(before);
	free(after);
	feed_begin(&late, p.c, "d"); /* told to import again, it works */
	feed_sample(&late, "s1", "late", NULL, "cat");
	commit_ok(&late);
	feed_done(&late);
	assert_int_equal(project_int(p.c, "SELECT count(*) FROM sample"), 2);
	conn_close(other);
	place_end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_mean_classes),  cmocka_unit_test(letters_mean_options),
	    cmocka_unit_test(data_make_classes_up),
	    cmocka_unit_test(codes_need_a_list),   cmocka_unit_test(many_classes),
	    cmocka_unit_test(many_samples),
	    cmocka_unit_test(further_names_complete),
	    cmocka_unit_test(lists_repeat_names),  cmocka_unit_test(pairs_and_parents),
	    cmocka_unit_test(layers_never_change), cmocka_unit_test(votes_are_a_matrix),
	    cmocka_unit_test(votes_and_labels_are_two_layers),
	    cmocka_unit_test(the_other_one_was_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
