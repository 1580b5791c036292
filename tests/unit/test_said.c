/* Extracted answers: each text stands once in its run, whoever says it, and everything that reads
 * texts finds it there; as version 1 stored them they are read as well. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "core/base/dice.h"
#include "core/base/xmalloc.h"
#include "core/text/needle.h"
#include "db/search_everywhere.h"
#include "db/sharers.h"
#include "tests/unit/lib_store.h"
#include "tests/unit/lib_verify.h"

#define N 60 /* samples */

static void must(enum status st, const struct err *err)
{
	if (st != OK)
		fail_msg("%s", err->msg);
}

static void commit_ok(struct feed *f)
{
	feed_end(f);
	if (f->st != OK)
		fail_msg("%s", f->err.msg);
	feed_done(f);
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
}

/* The answers that a file gives to samples 0 … n - 1; NULL: none. */
struct file {
	const char *said[N]; /* what was extracted; "" = the raw text is all */
	bool plain;	     /* as most rows come */
};

static void put_plain(struct feed *f, uint32_t run, const char *key, const char *said, uint32_t *memo)
{
	struct class_ref ref = {.kind = CLASS_BY_NAME, .text = str_z(*said == 'o' ? "odd" : "even")};
	struct rec_plain p = {.key = str_z(key), .raw = STR("so I say"), .name = &ref, .run = run,
			      .extracted = *said ? str_z(said) : STR_NONE, .memo = &memo[*said == 'o'],
			      .score = NAN, .latency_ms = NAN, .tokens = -1};

	must(sink_plain(store_sink(f->s), &p, &f->err), &f->err);
}

static void put_whole(struct feed *f, uint32_t run, const char *key, const char *said)
{
	struct class_ref ref = {.kind = CLASS_BY_NAME, .text = str_z(*said == 'o' ? "odd" : "even")};
	struct rec_prediction p;

	rec_prediction_init(&p);
	p.run = run;
	p.key = str_z(key);
	p.raw = STR("so I say");
	p.extracted = *said ? str_z(said) : STR_NONE;
	p.outcome = OUTCOME_ANSWERED;
	p.refs = &ref;
	p.n_refs = 1;
	feed_prediction(f, &p);
}

/* Returns how many answers were new. */
static uint64_t put_file(struct conn *c, const struct file *file)
{
	uint32_t memo[2] = {0, 0}, run;
	struct feed f = {0};
	uint64_t fresh;
	char key[16];

	feed_begin(&f, c, "d");
	run = feed_run(&f, "m", NULL);
	for (int i = 0; i < N; i++) {
		snprintf(key, sizeof key, "s%d", i);
		if (file->said[i] && file->plain)
			put_plain(&f, run, key, file->said[i], memo);
		else if (file->said[i])
			put_whole(&f, run, key, file->said[i]);
	}
	feed_end(&f);
	must(f.st, &f.err);
	assert_int_equal(f.r.problems[PROBLEM_SKIPPED], 0);
	fresh = f.r.predictions;
	feed_done(&f);
	return fresh;
}

/* --- what is read --- */

static bool has(const char *said, const char *word)
{
	return said && strstr(said, word);
}

static void texts_are(struct conn *c, const char *const *said)
{
	int64_t run = project_int(c, "SELECT id FROM run");
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;

	for (uint32_t i = 0; i < N; i++) {
		struct str got = STR_NONE;

		must(fetch_text(c, run, FIELD_EXTRACTED, i, &got, &arena, &err), &err);
		if (!str_eqz(got, said[i] ? said[i] : ""))
			fail_msg("sample %u: \"%.*s\", not \"%s\"", i, STR_ARG(got), said[i] ? said[i] : "");
	}
	arena_release(&arena);
}

static void hits_are(const uint64_t *bits, const char *const *said, const char *word, const char *how)
{
	for (uint32_t i = 0; i < N; i++)
		if (bits_get(bits, i) != has(said[i], word))
			fail_msg("%s for \"%s\": sample %u", how, word, i);
}

static void ignore_tell(void *ctx, uint32_t covered, const uint64_t *bits)
{
	(void)ctx, (void)covered, (void)bits;
}

static void search_finds(struct conn *c, const char *const *said)
{
	static const char *const words[] = {"odd", "even", "eve", "other", "7", "dod", "nobody"};
	struct snapshot *snap = must_load(c, "d");
	struct search *s = NULL;
	struct err err = ERR_INIT;

	must(search_new(&s, c, snap, &err), &err);
	for (size_t k = 0; k < 2 * sizeof words / sizeof *words; k++) {
		const char *word = words[k / 2];
		char *regex = xasprintf("[%.1s]%s", word, word + 1);
		uint64_t *bits = bits_new(N), *within = bits_new(N);
		struct search_everywhere what = {.run = 0, .tell = ignore_tell};
		struct needle *nd = NULL;

		must(needle_new(&nd, str_z(k % 2 ? regex : word), k % 2, &err), &err);
		must(search_source(s)->text(s, SCOPE_ANSWER, 0, nd, NULL, bits, NULL, &err), &err);
		hits_are(bits, said, word, "answers");
		bits_fill(bits, N, false);
		bits_set(within, 3);
		must(search_source(s)->text(s, SCOPE_ANSWER, 0, nd, within, bits, NULL, &err), &err);
		assert_int_equal(bits_get(bits, 3), has(said[3], word));
		bits_fill(bits, N, false);
		what.needle = nd;
		must(search_everywhere(s, &what, bits, &err), &err);
		for (uint32_t i = 0; i < N; i++) /* keys are searched, too */
			if (has(said[i], word))
				assert_true(bits_get(bits, i));
		needle_free(nd);
		free(within);
		free(bits);
		free(regex);
	}
	search_free(s);
	snapshot_free(snap);
}

static void is_all_there(struct conn *c, const char *const *said)
{
	texts_are(c, said);
	search_finds(c, said);
	must_be_sound(c, "said");
}

/* --- what is stored --- */

static void each_text_once(void **state)
{
	char *dumps[2][2];

	(void)state;
	for (int k = 0; k < 4; k++) {
		struct place p = place_new(k / 2);
		struct file file = {.plain = k % 2};

		for (int i = 0; i < N; i++)
			file.said[i] = i % 7 == 6 ? NULL : i % 7 == 5 ? "" : i % 2 ? "odd" : i % 3 ? "even" : "other";
		put_samples(p.c, N);
		assert_int_equal(put_file(p.c, &file), 52);
		assert_int_equal(project_int(p.c, "SELECT count(*) FROM chunk WHERE field = 1 AND codec = 1"), 1);
		assert_int_equal(project_int(p.c, "SELECT n FROM chunk WHERE field = 1"), 3);
		assert_int_equal(project_int(p.c, "SELECT length(data) FROM chunk WHERE field = 1"), 12);
		assert_int_equal(project_int(p.c, "SELECT length(ords) FROM chunk WHERE field = 1"), 0);
		assert_int_equal(project_int(p.c, "SELECT dtype FROM col WHERE name = 'text_extracted'"), DT_U8);
		is_all_there(p.c, file.said);
		dumps[k / 2][k % 2] = dump_project(p.c);
		assert_int_equal(put_file(p.c, &file), 0);
		place_end(&p);
	}
	assert_string_equal(dumps[0][0], dumps[0][1]);
	assert_string_equal(dumps[1][0], dumps[1][1]);
	assert_string_equal(dumps[0][0], dumps[1][0]);
	for (int k = 0; k < 4; k++)
		free(dumps[k / 2][k % 2]);
}

static void no_column_without_a_text(void **state)
{
	struct place p = place_new(false);
	struct file file = {.plain = true};

	(void)state;
	for (int i = 0; i < N; i++)
		file.said[i] = "";
	put_samples(p.c, N);
	put_file(p.c, &file);
	assert_int_equal(project_int(p.c, "SELECT count(*) FROM col WHERE name = 'text_extracted'"), 0);
	assert_int_equal(project_int(p.c, "SELECT count(*) FROM chunk WHERE field = 1"), 0);
	place_end(&p);
}

static void draw_file(struct dice *d, const char **said, struct file *file)
{
	static const char *const names[] = {"odd", "even", "other", "odd one", "even 7", ""};

	memset(file, 0, sizeof *file);
	file->plain = dice_percent(d, 50);
	for (int i = 0; i < N; i++) {
		if (dice_percent(d, 60))
			continue;
		if (!said[i])
			said[i] = names[dice_below(d, 6)];
		file->said[i] = said[i];
	}
}

/* File after file, with answers that are there already and others; now and then what is there
 * becomes what version 1 would have made of it. */
static void grown_runs(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 24; seed++) {
		struct dice d = dice_for(1, seed, 0);
		struct place p = place_new(seed % 2);
		const char *said[N] = {NULL};
		struct file file;
		char *before, *after;

		put_samples(p.c, N);
		for (int step = 0; step < 5; step++) {
			draw_file(&d, said, &file);
			put_file(p.c, &file);
			is_all_there(p.c, said);
			if (dice_percent(&d, 20))
				project_as_version_1(p.path);
			is_all_there(p.c, said);
			before = dump_project(p.c);
			assert_int_equal(put_file(p.c, &file), 0);
			after = dump_project(p.c);
			assert_string_equal(before, after);
			free(before);
			free(after);
		}
		assert_int_equal(project_int(p.c, "SELECT count(*) FROM run"), 1);
		place_end(&p);
	}
}

static void version_1_is_read_as_it_is(void **state)
{
	struct place p = place_new(false);
	struct file file = {.plain = true}, more = {.plain = true};
	struct conn *c;

	(void)state;
	put_samples(p.c, N);
	for (int i = 0; i < N; i++)
		*(i < 40 ? &file.said[i] : &more.said[i]) = i % 3 ? "odd" : "even";
	put_file(p.c, &file);
	conn_close(p.c);
	project_as_version_1(p.path);
	c = project_open(p.path, CONN_READ);
	assert_int_equal(project_int(c, "PRAGMA user_version"), 1);
	assert_int_equal(project_int(c, "SELECT sum(n) FROM chunk WHERE field = 1 AND codec = 0"), 40);
	is_all_there(c, file.said);
	conn_close(c);
	p.c = project_open(p.path, CONN_WRITE);
	assert_int_equal(project_int(p.c, "PRAGMA user_version"), 2);
	is_all_there(p.c, file.said);
	/* What comes now stands behind it, once; the old ones are not shared with. */
	put_file(p.c, &more);
	assert_int_equal(project_int(p.c, "SELECT sum(n) FROM chunk WHERE field = 1 AND codec = 1"), 2);
	for (int i = 40; i < N; i++)
		file.said[i] = more.said[i];
	is_all_there(p.c, file.said);
	place_end(&p);
}

/* More distinct texts than are kept in mind, and such as are no names: all is there, and what is said
 * over and over is there few times. */
static void more_than_is_remembered(void **state)
{
	enum { MANY = 150000 };
	struct place p = place_new(false);
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct feed f = {0};
	char key[16], said[1400];
	uint32_t run, memo[2] = {0, 0};

	(void)state;
	feed_begin(&f, p.c, "d");
	for (int i = 0; i < MANY; i++) {
		snprintf(key, sizeof key, "s%d", i);
		feed_sample(&f, key, NULL, NULL, i % 2 ? "odd" : "even");
	}
	run = feed_run(&f, "m", NULL);
	for (int i = 0; i < MANY; i++) {
		snprintf(key, sizeof key, "s%d", i);
		snprintf(said, sizeof said, i % 3 ? "odd" : i % 3000 ? "e%d" : "e%01200d", i);
		put_plain(&f, run, key, said, memo);
	}
	commit_ok(&f);
	assert_in_range(project_int(p.c, "SELECT sum(n) FROM chunk WHERE field = 1"), MANY / 3 + 1,
			MANY / 3 + 4);
	for (int i = 0; i < MANY; i += 333) {
		struct str got = STR_NONE;

		snprintf(said, sizeof said, i % 3 ? "odd" : i % 3000 ? "e%d" : "e%01200d", i);
		must(fetch_text(p.c, 1, FIELD_EXTRACTED, (uint32_t)i, &got, &arena, &err), &err);
		assert_true(str_eqz(got, said));
	}
	must_be_sound(p.c, "said");
	arena_release(&arena);
	place_end(&p);
}

/* --- stages --- */

static void put_stage(struct conn *c, bool cut, const char *said)
{
	struct rec_run rec = {.model = STR("m"), .staged = true};
	struct feed f = {0};
	uint32_t run = 0;

	feed_begin(&f, c, "d");
	must(sink_run(store_sink(f.s), &rec, &run, &f.err), &f.err);
	for (int i = 0; i < N; i++) {
		char key[16];
		struct class_ref ref = {.kind = CLASS_BY_NAME, .text = str_z(cut ? "even" : "odd")};
		struct rec_prediction p;

		snprintf(key, sizeof key, "s%d", i);
		rec_prediction_init(&p);
		p.run = run;
		p.key = str_z(key);
		p.raw = STR("so I say");
		p.steps = cut ? STR("a step") : STR_NONE;
		p.extracted = said ? str_z(said) : STR_NONE;
		p.outcome = OUTCOME_ANSWERED;
		p.refs = &ref;
		p.n_refs = 1;
		feed_prediction(&f, &p);
	}
	commit_ok(&f);
}

/* A file that knows the steps says what was extracted, and may say that nothing was. */
static void a_later_stage_knows_better(void **state)
{
	static const char *const later[] = {"even", NULL};

	(void)state;
	for (int k = 0; k < 8; k++) {
		struct place p = place_new(k % 2);
		const char *said[N];

		put_samples(p.c, N);
		put_stage(p.c, false, "odd");
		if (k / 4)
			project_as_version_1(p.path);
		put_stage(p.c, true, later[k / 2 % 2]);
		for (int i = 0; i < N; i++)
			said[i] = later[k / 2 % 2];
		assert_int_equal(project_int(p.c, "SELECT coalesce(sum(n), 0) FROM chunk WHERE field = 1"),
				 said[0] != NULL);
		is_all_there(p.c, said);
		place_end(&p);
	}
}

/* --- damage --- */

static const struct damage {
	const char *sql, *words;
	const char *told; /* of what could not be saved; NULL: all could */
} damages[] = {
    /* "odd" at 0, "even" at 3, "other" at 7; 20 samples each */
    {"UPDATE col SET data = x'01' || substr(data, 2) WHERE name = 'text_extracted'",
     "places where there is no text (1: sample 0)", "1 texts (extracted) are lost"},
    {"UPDATE col SET data = x'0c' || substr(data, 2) WHERE name = 'text_extracted'",
     "places where there is no text (1: sample 0)", "1 texts (extracted) are lost"},
    {"DELETE FROM col WHERE name = 'text_extracted'", "texts that no sample has (3: at 0, at 3, at 7)",
     "3 texts (extracted) are lost"},
    {"UPDATE col SET dtype = 4, n = 15 WHERE name = 'text_extracted'", "wrong type or length",
     "3 texts (extracted) are lost"},
    {"UPDATE col SET data = replace(hex(data), '00', 'FF') WHERE name = 'text_extracted'",
     "is not as long as it says", "3 texts (extracted) are lost"},
    {"UPDATE chunk SET lens = x'030000000400000006000000' WHERE field = 1", "not as long as they say",
     "60 texts (extracted) are lost"},
    {"UPDATE chunk SET lens = x'040000000300000005000000' WHERE field = 1",
     "places where there is no text (20: sample 1, sample 4, sample 7)", "20 texts (extracted) are lost"},
    {"UPDATE chunk SET lens = x'000000000700000005000000' WHERE field = 1", "or empty ones (1: at 0)",
     "20 texts (extracted) are lost"},
    {"UPDATE chunk SET start = 5 WHERE field = 1", "do not begin where the one before ends", NULL},
    {"UPDATE chunk SET start = 3 WHERE field = 1", "do not begin where the one before ends", NULL},
    {"UPDATE chunk SET codec = 7 WHERE field = 1", "not as long as they say", "3 texts"},
    {"UPDATE chunk SET codec = 0 WHERE field = 1", "not as long as they say", "3 texts"},
    {"UPDATE chunk SET ords = x'00' WHERE field = 1", "not as long as they say",
     "60 texts (extracted) are lost"},
    {"DELETE FROM chunk WHERE field = 1", "places where there is no text (60:", NULL},
    {"UPDATE chunk SET n = 4, lens = lens || x'01000000', data = data || x'41' WHERE field = 1",
     "texts that no sample has (1: at 12)", NULL},
};

static void damage_is_found(struct conn *c, const struct damage *d)
{
	struct verify_counts counts, left;
	struct err err = ERR_INIT;
	struct heard h;

	must(verify_heard(c, true, &h, &counts, &left, &err), &err);
	if (!strstr(buf_cstr(&h.text), d->words))
		fail_msg("%s: nothing says \"%s\": %s", d->sql, d->words, buf_cstr(&h.text));
	if (strstr(buf_cstr(&h.text), "not to be repaired") || left.findings)
		fail_msg("%s: something is left: %s", d->sql, buf_cstr(&h.text));
	if (d->told ? !strstr(buf_cstr(&h.told), d->told) : h.told.n > 0)
		fail_msg("%s: told is \"%s\"", d->sql, buf_cstr(&h.told));
	heard_release(&h);
}

/* Whatever is left after a repair is what was said, or nothing. */
static void nothing_is_made_up(struct conn *c, const struct file *file, bool all)
{
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;

	for (uint32_t i = 0; i < N; i++) {
		struct str got = STR_NONE;

		must(fetch_text(c, 1, FIELD_EXTRACTED, i, &got, &arena, &err), &err);
		if ((got.n || all) && !str_eqz(got, file->said[i]))
			fail_msg("sample %u says \"%.*s\"", i, STR_ARG(got));
	}
	arena_release(&arena);
}

static void damage_is_repaired(void **state)
{
	static const char *const said[] = {"odd", "even", "other"};

	(void)state;
	for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
		struct place p = place_new(false);
		struct file file = {.plain = true};
		const struct damage *d = &damages[i];

		for (int k = 0; k < N; k++)
			file.said[k] = said[k % 3];
		put_samples(p.c, N);
		put_file(p.c, &file);
		project_exec(p.c, d->sql);
		damage_is_found(p.c, d);
		must_be_sound(p.c, "said");
		/* Lengths that add up and are others cut other texts: that no check can know. */
		if (!strstr(d->sql, "SET lens"))
			nothing_is_made_up(p.c, &file, strstr(d->sql, "SET start") || strstr(d->sql, "SET n = 4"));
		place_end(&p);
	}
}

/* --- sharers --- */

static void columns_turned_round(void **state)
{
	static const enum dtype dtypes[] = {DT_U8, DT_U16, DT_U32, DT_U64};

	(void)state;
	for (unsigned seed = 0; seed < 200; seed++) {
		struct dice d = dice_for(2, seed, 0);
		struct column place = column_new(dtypes[seed % 4], dice_below(&d, 50));
		uint64_t step = seed % 4 == 3 ? (uint64_t)1 << 40 : seed % 4 == 2 ? 1 << 20 : seed % 4 ? 999 : 3;
		struct sharers s;
		struct err err = ERR_INIT;
		size_t next = 0, all = 0;

		for (size_t i = 0; i < place.n; i++)
			if (dice_percent(&d, 80))
				column_set_u(&place, i, step * dice_below(&d, 20));
		must(sharers_init(&s, &place, &err), &err);
		for (uint64_t k = 0; k < 20; k++) {
			const uint32_t *ords;
			size_t jump = sharers_from(&s, step * k), n = sharers_at(&s, step * k, &next, &ords), m = 0;

			for (uint32_t i = 0; i < place.n; i++) {
				if (column_u(&place, i) != step * k)
					continue;
				assert_true(m < n);
				assert_int_equal(ords[m++], i);
			}
			assert_int_equal(m, n);
			assert_true(!n || ords == s.ords + jump);
			all += n;
			n = sharers_at(&s, step * k + 1, &next, &ords);
			assert_int_equal(n, 0);
		}
		assert_int_equal(all, s.n);
		sharers_release(&s);
		column_release(&place);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_text_once),
	    cmocka_unit_test(no_column_without_a_text),
	    cmocka_unit_test(grown_runs),
	    cmocka_unit_test(version_1_is_read_as_it_is),
	    cmocka_unit_test(more_than_is_remembered),
	    cmocka_unit_test(a_later_stage_knows_better),
	    cmocka_unit_test(damage_is_repaired),
	    cmocka_unit_test(columns_turned_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
