/* qualm check: what is sound is called sound, what is damaged is found, what can be rebuilt is
 * rebuilt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "db/user.h"
#include "tests/unit/lib_faults.h"
#include "tests/unit/lib_random.h"
#include "tests/unit/lib_store.h"
#include "tests/unit/lib_verify.h"

/* --- sound ones --- */

static void sound_projects(void **state)
{
	struct place *p = *state;
	struct conn *c;
	char name[32];

	for (uint32_t seed = 1; seed <= 40; seed++) {
		remove(p->path);
		random_project_make(p->path, seed);
		c = project_open(p->path, CONN_READ);
		snprintf(name, sizeof name, "seed %u", seed);
		must_be_sound(c, name);
		conn_close(c);
	}
	remove(p->path);
	project_make_tiny(p->path, 0);
	c = project_open(p->path, CONN_READ);
	must_be_sound(c, "tiny");
	conn_close(c);
}

/* As imports write it: two files, the second extends samples, layers and runs. */
static void import(const char *path)
{
	struct conn *c = project_open(path, CONN_CREATE);

	for (int file = 0; file < 2; file++) {
		struct feed f = {0};
		char key[16], raw[64];
		uint32_t run;

		feed_begin(&f, c, "d");
		if (!file) {
			feed_class(&f, 1, "n1", "cat", "kitty");
			feed_class(&f, 2, "n2", "dog", NULL);
		}
		for (int i = file * 30; i < file * 30 + 40; i++) {
			snprintf(key, sizeof key, "k%d", i);
			feed_sample(&f, key, "which?", "a.png", i % 3 ? "cat" : "dog|cat");
			feed_layer(&f, key, "second", i % 4 ? "dog" : "");
		}
		run = feed_run(&f, "m", "cw");
		for (int i = file * 20; i < file * 20 + 45; i++) {
			snprintf(key, sizeof key, "k%d", i);
			snprintf(raw, sizeof raw, "%s", i % 2 ? "cat" : "dog");
			if (i % 5 == 0)
				snprintf(raw, sizeof raw, "I see no animal, number %d", i);
			feed_answer(&f, run, key, i % 5 ? raw : "nothing", raw);
		}
		if (feed_end(&f) != OK)
			fail_msg("%s", f.err.msg);
		feed_done(&f);
		conn_close(c);
		c = project_open(path, CONN_WRITE);
	}
	conn_close(c);
}

static void sound_import(void **state)
{
	struct place *p = *state;
	struct conn *c;

	import(p->path);
	c = project_open(p->path, CONN_READ);
	must_be_sound(c, "imported");
	assert_true(project_int(c, "SELECT n FROM run") > 60);
	conn_close(c);
}

/* --- one damage at a time --- */

static const struct damage {
	const char *sql, *words;
	bool stays; /* it cannot be repaired */
} damages[] = {
    {"UPDATE dataset SET n_samples = 3", "number of samples is wrong", false},
    {"UPDATE layer SET n_labelled = 1 WHERE id = 2", "layer reannotated: 1 samples are said",
     false},
    {"UPDATE run SET n = 1 WHERE id = 2", "run m2: 1 answers are said to be there, 2 are", false},
    {"DELETE FROM sample WHERE ord = 2", "ordinals without a sample", false},
    {"UPDATE sample SET ord = 77 WHERE ord = 5", "samples whose number is not", false},
    {"UPDATE sample SET key = '' WHERE ord = 1", "keys that are no text", false},
    {"UPDATE sample SET media = 9 WHERE ord = 1", "unknown kinds of media", false},
    {"UPDATE sample SET media = 0 WHERE ord = 1", "column media differs from the samples (1: s1)",
     false},
    {"UPDATE sample SET option_set = 99", "options that do not exist (6: s0, s1, s2)", false},
    {"UPDATE option_set SET items = 'x'", "options that cannot be read", false},
    {"UPDATE sample SET extra = '{'", "further fields that cannot be read", false},
    {"UPDATE sample SET text = CAST(x'41ff' AS TEXT) WHERE ord = 0",
     "no valid UTF-8 (1: text of 0)", true},
    {"INSERT INTO sample_media VALUES (5, 1, 'x')", "pictures of samples that do not exist", false},
    {"INSERT INTO class (dataset, ord, name) VALUES (9, 0, 'x')", "classes of no dataset", false},
    {"DELETE FROM class WHERE ord = 1", "ordinals without one of the classes (1: 1)", false},
    {"UPDATE class SET parent = 7 WHERE ord = 0", "classes below ones that do not exist (1: 0)",
     false},
    {"UPDATE class SET parent = iif(ord = 1, 2, 1) WHERE ord > 0", "below themselves", false},
    {"UPDATE class SET parent = 0 WHERE ord = 0", "below themselves (1: 0)", false},
    {"UPDATE class SET wnid = 'n001'", "wnids that several classes bear", true},
    {"UPDATE class SET idx = 4", "numbers that several classes bear", true},
    {"INSERT INTO class_alias VALUES (1, 9, '', 'x')", "other names of classes", false},
    {"INSERT INTO equivalence VALUES (1, 2, 1)", "equivalent pairs", false},
    {"INSERT INTO equivalence VALUES (1, 0, 8)", "equivalent pairs", false},
    {"INSERT INTO label_map VALUES (1, 'x', 8)", "texts that mean classes", true},
    {"DELETE FROM facet_value WHERE facet = 1 AND ord = 1",
     "facet emotion: ordinals without one of", false},
    {"UPDATE facet_value SET parent = 1 WHERE facet = 1 AND ord = 0",
     "values that are below themselves", false},
    {"UPDATE facet_value SET name = 'x' WHERE facet = 2", "values that a facet has twice", true},
    {"DELETE FROM facet_value WHERE facet = 2 AND ord = 1",
     "facet tags: sets with values that do not exist", false},
    {"INSERT INTO facet (id, dataset, name) VALUES (8, 4, 'x')", "facets of no dataset", false},
    {"UPDATE facet SET numeric = 1 - numeric", "its columns are of another kind", false},
    {"UPDATE facet SET multi = 0", "its columns are of another kind", false},
    {"UPDATE run SET repeat_of = id WHERE id = 1", "the run that it comes from", false},
    {"INSERT INTO label_map VALUES (7, 'x', 0)", "texts that mean classes of no dataset", false},
    {"UPDATE layer SET kind = 8 WHERE id = 3", "layers of an unknown kind", false},
    {"UPDATE layer_field SET class = 8 WHERE pos = 0", "fields whose class does not exist", false},
    {"UPDATE layer_field SET pos = 5 WHERE pos = 0", "its fields are out of order", false},
    {"INSERT INTO layer_field VALUES (44, 0, 0, 'x')", "fields of layers that do not exist", false},
    {"PRAGMA foreign_keys = OFF; UPDATE run SET model = 77", "rows refer to rows that do not exist",
     false},
    {"UPDATE run SET handle = 'm 1' WHERE id = 1", "handles that cannot be typed", true},
    {"UPDATE run SET list_rule = 5 WHERE id = 1", "an unknown rule for lists", false},
    {"UPDATE run SET parent = 50 WHERE id = 1", "the run that it comes from", false},
    {"UPDATE run SET settings = '{' WHERE id = 1", "settings that cannot be read", false},
    {"INSERT INTO request (run, ord) VALUES (8, 1)", "requests of runs", false},
    {"INSERT INTO col (owner_kind, owner, name, dtype, n, data) VALUES (3, 77, 'x', 0, 0, x'')",
     "columns that belong to nothing", false},
    {"INSERT INTO chunk (run, field, start, n, ords, lens, data) VALUES (1, 9, 0, 0, x'', x'', "
     "x'')",
     "texts that belong to no run", false},
    {"INSERT INTO import (at, path, reader, rows, skipped, unmatched, report) VALUES ('', 'p', '', "
     "0, 0, 0, '{')",
     "reports that cannot be read (1: p)", false},
    {"INSERT INTO vector VALUES ('e', 't', 3, x'00')", "embeddings", false},
    {"UPDATE meta SET value = 'x' WHERE key = 'generation'", "count of changes", false},
    {"DROP INDEX chunk_place", "chunk_place: this index is missing", false},
    {"DROP INDEX sample_key; UPDATE sample SET key = 's1' WHERE ord = 4",
     "keys that several samples bear (1: s1)", false},
    {"DROP TABLE tag", "tag: this table is missing", false},
    {"ALTER TABLE mark RENAME COLUMN sample TO other", "mark: the table has other columns", true},

    /* columns */
    {"UPDATE col SET dtype = 44 WHERE owner_kind = 0", "is of no known type", false},
    {"UPDATE col SET n = 99 WHERE owner_kind = 0", "is not as long as it says", false},
    {"UPDATE col SET data = 7 WHERE owner_kind = 0", "is not as long as it says", false},
    {"UPDATE col SET n = -1 WHERE owner_kind = 0", "impossible length", false},
    {"UPDATE col SET n = 9, data = zeroblob(9) WHERE owner_kind = 0", "wrong type or length",
     false},
    {"UPDATE col SET data = x'010109010101' WHERE owner_kind = 1 AND owner = 1 AND name = "
     "'covered'",
     "neither yes nor no (1: sample 2)", false},
    {"UPDATE col SET data = x'010001010101' WHERE owner_kind = 1 AND owner = 1 AND name = "
     "'covered'",
     "said to have none (1: sample 1)", false},
    {"UPDATE col SET data = x'000109000102' WHERE owner_kind = 1 AND owner = 1 AND name = 'value'",
     "sets with values that do not exist, or out of order (1: sample 2)", false},
    {"DELETE FROM col WHERE owner_kind = 1 AND owner = 1 AND name = 'value'",
     "do not fit each other", false},
    {"DELETE FROM col WHERE owner_kind = 1 AND owner = 1 AND name = 'covered'",
     "6 samples are said to have labels, 0", false},
    {"UPDATE col SET dtype = 2 WHERE owner_kind = 1 AND name = 'votes'", "votes does not fit",
     false},
    {"INSERT INTO col (owner_kind, owner, name, dtype, n, data) VALUES (1, 3, 'offset', 2, 2, "
     "x'0000000001000000'), (1, 3, 'value', 0, 1, x'01')",
     "sets that are not those of the most votes (1: sample 0)", false},
    {"UPDATE col SET data = x'0001070001' WHERE owner_kind = 2 AND owner = 1",
     "facet emotion: column value holds values that do not exist (1: sample 2)", false},
    {"UPDATE col SET dtype = 4, n = 1, data = zeroblob(4) WHERE owner_kind = 2 AND owner = 3",
     "wrong type", false},
    {"UPDATE col SET data = zeroblob(20) WHERE owner_kind = 2 AND owner = 2 AND name = 'offset'",
     "do not fit each other", false},

    /* runs */
    {"DELETE FROM col WHERE owner_kind = 3 AND owner = 1 AND name = 'outcome'",
     "column outcome is missing", false},
    {"UPDATE col SET data = x'0101015503' WHERE owner_kind = 3 AND owner = 1 AND name = 'outcome'",
     "column outcome holds what does not exist (1: sample 3)", false},
    {"UPDATE col SET data = x'0001200fff' WHERE owner_kind = 3 AND owner = 1 AND name = 'label'",
     "column label holds what does not exist (2: sample 2, sample 3)", false},
    {"UPDATE col SET data = x'00ff00ffff' WHERE owner_kind = 3 AND owner = 1 AND name = 'label'",
     "answered, and no class (1: sample 1)", false},
    {"UPDATE col SET data = x'0001000001' WHERE owner_kind = 3 AND owner = 1 AND name = 'label'",
     "a class where there is no answer (1: sample 4)", false},
    {"DELETE FROM col WHERE name = 'list_value'", "list_offset does not fit the lists", false},
    {"UPDATE col SET data = x'0200' WHERE name = 'list_value'",
     "lists of classes that are none (1: sample 2)", false},
    {"UPDATE col SET data = x'44000000' WHERE name = 'list_ord'", "lists of classes that are none",
     false},
    {"UPDATE col SET n = 1 WHERE name = 'score'", "column score of run 1 is not as long", false},
    {"UPDATE col SET n = 7, data = zeroblob(28) WHERE name = 'score'", "longer than the dataset",
     false},

    /* the label map's work */
    {"INSERT INTO col (owner_kind, owner, name, dtype, n, data) VALUES (3, 1, 'text_mapped', 0, 5, "
     "x'02ff07ffff')",
     "column text_mapped holds what does not exist (1: sample 2)", false},
    {"INSERT INTO col (owner_kind, owner, name, dtype, n, data) VALUES (3, 1, 'text_mapped', 0, 5, "
     "x'0205ffff02')",
     "placed by the label map, and no class (1: sample 4)", false},
    {"INSERT INTO col (owner_kind, owner, name, dtype, n, data) VALUES (3, 1, 'text_mapped', 4, 1, "
     "x'00000000')",
     "column text_mapped is of the wrong type or length", false},
    {"INSERT INTO col (owner_kind, owner, name, dtype, n, data) VALUES (1, 1, 'was_ord', 2, 1, "
     "x'02000000'), (1, 1, 'was_offset', 2, 2, x'0000000001000000'), (1, 1, 'was_value', 0, 1, x'09')",
     "sets as the files have them do not fit", false},
    {"INSERT INTO col (owner_kind, owner, name, dtype, n, data) VALUES (1, 1, 'was_ord', 2, 1, "
     "x'02000000')",
     "sets as the files have them do not fit", false},

    /* texts */
    {"DELETE FROM col WHERE name = 'text_raw'", "whose place is another one than said (4", false},
    {"UPDATE col SET dtype = 4 WHERE name = 'text_raw'", "wrong type", false},
    {"DELETE FROM chunk WHERE start > 0", "places where there is no text (2: sample 2, sample 4)",
     false},
    {"UPDATE chunk SET codec = 3 WHERE start = 0", "not as long as they say", false},
    {"UPDATE chunk SET lens = x'0400000009000000' WHERE start = 0", "not as long as they say",
     false},
    {"UPDATE chunk SET start = 5 WHERE start > 0", "do not begin where the one before ends", false},
    {"UPDATE chunk SET start = 500 WHERE start > 0", "do not begin where the one before ends",
     false},
    {"UPDATE chunk SET ords = x'0000000063000000' WHERE start = 0",
     "texts of samples that do not exist", false},
    {"UPDATE chunk SET ords = x'0000000000000000' WHERE start = 0", "whose place is another one",
     false},
    {"UPDATE chunk SET data = CAST('answer 0answer ' AS BLOB) || x'ff' WHERE start = 0",
     "no valid UTF-8 (1: sample 1)", true},
    {"UPDATE col SET data = x'0001010203' WHERE owner_kind = 3 AND owner = 1 AND name = 'outcome'",
     "texts of answers that are missing", false},

    /* the user's */
    {"INSERT INTO note (dataset, sample, text, created, changed) VALUES ('tiny', 'nobody', 'x', "
     "'', '')",
     "notes of samples that do not exist (1: nobody)", true},
    {"INSERT INTO tag VALUES ('nowhere', 's1', 'x', '')", "tags of samples that do not exist",
     true},
    {"INSERT INTO mark VALUES ('tiny', 's9')", "marks of samples", true},
    {"INSERT INTO review (dataset, sample, decision, classes, created) VALUES ('tiny', 's1', "
     "'keep', '[', '')",
     "reviews: classes that cannot be read", true},
    {"INSERT INTO panel VALUES ('tiny', 0, 'gone')", "panel: runs that do not exist (1: gone)",
     true},
    {"INSERT INTO saved_filter VALUES ('tiny', 'mine', 'wrong', '{', '')",
     "states that cannot be read (1: mine)", true},
    {"INSERT INTO journal (at, dataset, kind, label, undo, redo) VALUES ('', 'tiny', 'tag', 'tag "
     "x', '[', '[]')",
     "edits that cannot be read (1: tag x)", false},
};

static void plain_sql(const char *path, const char *sql)
{
	sqlite3 *db = NULL;
	char *why = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
	sqlite3_close(db);
}

static void looks(const char *path, const struct damage *d)
{
	struct conn *c = project_open(path, CONN_READ);
	struct verify_counts counts, left;
	struct err err = ERR_INIT;
	struct heard h;
	char *before = dump_project(c), *after;

	if (verify_heard(c, false, &h, &counts, &left, &err) != OK)
		fail_msg("%s: %s", d->sql, err.msg);
	if (!strstr(buf_cstr(&h.text), d->words))
		fail_msg("%s: nothing says \"%s\": %s", d->sql, d->words, buf_cstr(&h.text));
	if (d->stays ? counts.fixable == counts.findings : counts.fixable == 0)
		fail_msg("%s: %llu of %llu can be repaired: %s", d->sql,
			 (unsigned long long)counts.fixable, (unsigned long long)counts.findings,
			 buf_cstr(&h.text));
	after = dump_project(c);
	assert_string_equal(before, after);
	free(before);
	free(after);
	heard_release(&h);
	conn_close(c);
}

static void repairs(const char *path, const struct damage *d)
{
	struct conn *c = project_open(path, CONN_WRITE);
	struct verify_counts counts, left;
	struct err err = ERR_INIT;
	struct heard h;

	if (verify_heard(c, true, &h, &counts, &left, &err) != OK)
		fail_msg("%s: %s", d->sql, err.msg);
	heard_release(&h);
	if (d->stays != (left.findings > 0) || left.fixable)
		fail_msg("%s: %llu findings are left, %llu of them to be repaired", d->sql,
			 (unsigned long long)left.findings, (unsigned long long)left.fixable);
	if (!d->stays) {
		must_be_sound(c, d->sql);
		snapshot_free(must_load(c, "tiny"));
	}
	conn_close(c);
}

static void finds_and_repairs(void **state)
{
	struct place *p = *state;

	for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
		remove(p->path);
		project_make_tiny(p->path, 0);
		plain_sql(p->path, damages[i].sql);
		looks(p->path, &damages[i]);
		repairs(p->path, &damages[i]);
	}
}

/* --- what repairing brings back --- */

static void repair_all(struct conn *c, const char *words)
{
	struct verify_counts counts, left;
	struct err err = ERR_INIT;
	struct heard h;

	if (verify_heard(c, true, &h, &counts, &left, &err) != OK)
		fail_msg("%s", err.msg);
	assert_true(counts.findings > 0);
	assert_int_equal(left.findings, 0);
	if (words && !strstr(buf_cstr(&h.text), words))
		fail_msg("nothing says \"%s\": %s", words, buf_cstr(&h.text));
	heard_release(&h);
}

/* What follows from something else comes back as it was, to the byte. */
static void nothing_is_lost(void **state)
{
	static const char *const harmless[] = {
	    "UPDATE dataset SET n_samples = 1; UPDATE run SET n = 1",
	    "UPDATE layer SET n_labelled = 1",
	    "DELETE FROM col WHERE name = 'text_raw'",
	    "DELETE FROM col WHERE owner_kind = 0",
	    "UPDATE chunk SET ords = x'00000000' || substr(ords, 5)",
	    "UPDATE chunk SET ords = zeroblob(length(ords))",
	    "UPDATE chunk SET start = start + 1000",
	    "DROP INDEX sample_key; DROP INDEX chunk_place; DROP INDEX note_sample",
	};
	struct place *p = *state;

	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
		char *before, *after;
		struct conn *c;

		remove(p->path);
		import(p->path);
		c = project_open(p->path, CONN_WRITE);
		before = dump_project(c);
		conn_close(c);
		plain_sql(p->path, harmless[i]);
		c = project_open(p->path, CONN_WRITE);
		repair_all(c, NULL);
		after = dump_project(c);
		if (strcmp(before, after) != 0)
			fail_msg("%s: something else came back", harmless[i]);
		free(before);
		free(after);
		conn_close(c);
	}
}

static void put_asked(struct conn *c, const char *key, const char *error, const char *raw)
{
	struct rec_run run = {.model = STR("m"), .protocol = STR("cw"), .handle = STR("m/cw/q1"),
			      .scratch = true};
	struct class_ref refs[8];
	struct rec_prediction p;
	struct feed f = {0};
	uint32_t at = 0;

	rec_prediction_init(&p);
	feed_begin(&f, c, "d");
	assert_int_equal(sink_run(store_sink(f.s), &run, &at, &f.err), OK);
	p.run = at;
	p.key = str_z(key);
	p.outcome = error ? OUTCOME_ERROR : OUTCOME_ANSWERED;
	p.n_refs = error ? 0 : feed_refs(raw, refs);
	p.refs = refs;
	p.error = error ? str_z(error) : STR_NONE;
	p.raw = raw ? str_z(raw) : STR_NONE;
	p.details = error ? STR("{\"tries\":3}") : STR("{\"tries\":1}");
	feed_prediction(&f, &p);
	assert_int_equal(feed_end(&f), OK);
	feed_done(&f);
}

/* What a failure left behind is no damage, and does not come back. */
static void failures_asked_again(void **state)
{
	static const char *const lost[] = {"text_raw", "text_error"};
	struct place *p = *state;

	for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
		struct arena arena = ARENA_INIT;
		struct err err = ERR_INIT;
		struct conn *c;
		struct snapshot *s;
		struct str text;
		char *raw, *sql = xasprintf("UPDATE col SET data = zeroblob(n - 1) "
					    "WHERE owner_kind = 3 AND name = '%s'",
					    lost[i]);

		remove(p->path);
		import(p->path);
		c = project_open(p->path, CONN_WRITE);
		put_asked(c, "k1", "cut", NULL);
		put_asked(c, "k2", "no way there", NULL);
		put_asked(c, "k3", "overloaded", NULL);
		put_asked(c, "k1", NULL, "cat");
		put_asked(c, "k2", "cut as well", NULL);
		must_be_sound(c, "asked again");
		project_exec(c, sql);
		repair_all(c, NULL);
		s = must_load(c, "d");
		raw = raw_text(c, s, "m/cw/q1", "k1");
		assert_string_equal(raw, "cat");
		assert_int_equal(fetch_text(c, s->runs[s->n_runs - 1].id, FIELD_ERROR, 3, &text,
					    &arena, &err),
				 OK);
		assert_true(str_eqz(text, "overloaded"));
		free(raw);
		free(sql);
		snapshot_free(s);
		arena_release(&arena);
		conn_close(c);
	}
}

/* Classes that are lost are found again in the words of the answers. */
static void answers_are_mapped_again(void **state)
{
	struct place *p = *state;
	struct conn *c;
	struct snapshot *s;
	char *label;

	import(p->path);
	c = project_open(p->path, CONN_WRITE);
	s = must_load(c, "d");
	label = xstrdup(answered(c, s, "m/cw", "k3"));
	assert_string_equal(label, "cat");
	snapshot_free(s);
	project_exec(c, "UPDATE col SET data = zeroblob(n - 1) WHERE owner_kind = 3 AND name IN "
			"('label', 'outcome')");
	repair_all(c, "answers were mapped again from their texts");
	s = must_load(c, "d");
	assert_string_equal(answered(c, s, "m/cw", "k3"), label);
	assert_string_equal(answered(c, s, "m/cw", "k2"), "dog");
	assert_string_equal(answered(c, s, "m/cw", "k5"), "");
	assert_int_equal(column_u(&s->runs[0].outcome, 5), OUTCOME_OOP);
	snapshot_free(s);
	free(label);
	conn_close(c);
}

/* A label of the wrong class is no label, and a set that has lost all is no empty set. */
static void lost_labels(void **state)
{
	struct place *p = *state;
	struct conn *c;
	struct snapshot *s;

	project_make_tiny(p->path, 0);
	c = project_open(p->path, CONN_WRITE);
	project_exec(c, "UPDATE col SET data = x'00ff0201' || x'01' || x'02' WHERE owner_kind = 1 "
			"AND owner = 1 AND "
			"name = 'value'");
	repair_all(c, "the labels of 1 samples are lost");
	s = must_load(c, "tiny");
	assert_int_equal(s->layers[0].n_labelled, 5);
	assert_int_equal(column_u(&s->layers[0].covered, 1), 0);
	snapshot_free(s);
	conn_close(c);
}

/* --- failures --- */

static void all_or_nothing(void **state)
{
	struct place *p = *state;
	struct verify_counts counts, left;
	struct err err = ERR_INIT;
	struct heard h;
	struct conn *c;
	char *before, *after;
	int failures = 0;

	faults_install();
	project_make_tiny(p->path, 0);
	c = project_open(p->path, CONN_WRITE);
	project_exec(c, "UPDATE dataset SET n_samples = 1; DELETE FROM col WHERE name = "
			"'text_raw'; DROP INDEX chunk_place");
	before = dump_project(c);
	for (unsigned long n = 1; n < 60; n++) {
		enum status st;

		err_clear(&err);
		faults_fail_writes_from(n);
		st = verify_heard(c, true, &h, &counts, &left, &err);
		faults_fail_writes_from(0);
		heard_release(&h);
		if (st == OK)
			break;
		failures++;
		conn_close(c);
		c = project_open(p->path, CONN_WRITE);
		after = dump_project(c);
		assert_string_equal(before, after);
		free(after);
	}
	assert_true(failures > 3 && failures < 59);
	must_be_sound(c, "after all");
	free(before);
	conn_close(c);
	faults_remove();
}

static void cancels(void **state)
{
	struct place *p = *state;
	struct verify_counts counts, left;
	struct cancel cancel;
	struct verify_job job = {.repair = true, .cancel = &cancel};
	struct err err = ERR_INIT;
	struct conn *c;
	char *before, *after;

	import(p->path);
	c = project_open(p->path, CONN_WRITE);
	project_exec(c, "UPDATE dataset SET n_samples = 1");
	before = dump_project(c);
	cancel_init(&cancel);
	cancel_now(&cancel);
	assert_int_equal(verify_run(c, &job, &counts, &left, &err), E_CANCELLED);
	after = dump_project(c);
	assert_string_equal(before, after);
	free(before);
	free(after);
	cancel_release(&cancel);
	conn_close(c);
}

static void overlay(void **state)
{
	struct place *p = *state;
	struct verify_counts counts, left;
	struct err err = ERR_INIT;
	struct heard h;
	struct conn *c, *own;

	setenv("XDG_DATA_HOME", p->folder, 1);
	project_make_tiny(p->path, 0);
	c = project_open(p->path, CONN_READ);
	assert_int_equal(user_conn(c, &own, &err), OK);
	project_exec(own,
		     "INSERT INTO tag VALUES ('tiny', 's1', 'x', ''), ('tiny', 's77', 'x', '')");
	assert_int_equal(verify_heard(c, false, &h, &counts, &left, &err), OK);
	assert_non_null(strstr(buf_cstr(&h.text),
			       "tags of samples that do not exist beside the project (1: s77)"));
	assert_int_equal(counts.findings, 1);
	heard_release(&h);
	conn_close(c);
	unsetenv("XDG_DATA_HOME");
}

static int set_up(void **state)
{
	struct place *p = xcalloc(1, sizeof *p);

	p->folder = project_folder();
	p->path = project_file(p->folder, "p.qualm");
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	place_end(*state);
	free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(sound_projects, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(sound_import, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(finds_and_repairs, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(nothing_is_lost, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(answers_are_mapped_again, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(failures_asked_again, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(lost_labels, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(all_or_nothing, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(cancels, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(overlay, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
