/* What an edit of the label map does to answers and truths that are there: against a naive
 * evaluator, against an import that comes after the edit, and back again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/labels.h"
#include "tests/unit/lib_store.h"
#include "tests/unit/lib_verify.h"

static struct user *open_user(struct conn *c)
{
	struct user *u;
	struct err err = ERR_INIT;

	assert_int_equal(user_open(&u, c, 1, "d", 4, &err), OK);
	return u;
}

/* which NULL: the text goes. */
static struct user_done edit(struct user *u, const char *text, const char *which)
{
	struct labelling l = {.drop = !which, .text = str_z(text), .which = str_z(which ? which : "")};
	struct user_done done = {0};
	struct err err = ERR_INIT;

	if (labels_edit(u, text, &l, 1, &done, &err) != OK)
		fail_msg("%s", err.msg);
	return done;
}

static struct user_done turn(struct user *u,
			     enum status (*fn)(struct user *, struct user_done *, struct err *))
{
	struct user_done done = {0};
	struct err err = ERR_INIT;

	if (fn(u, &done, &err) != OK)
		fail_msg("%s", err.msg);
	assert_true(done.labels);
	return done;
}

/* All but what an edit leaves in any case: the map, the journal, the generation. */
static char *dump_rest(struct conn *c)
{
	char *all = dump_project(c);
	struct str rest = str_z(all), line;
	struct buf out = BUF_INIT;

	while (rest.p) {
		rest = str_cut(rest, '\n', &line);
		if (!str_starts(line, STR("journal|")) && !str_starts(line, STR("label_map|")) &&
		    !str_starts(line, STR("meta|")) && !str_starts(line, STR("sqlite_")))
			buf_printf(&out, "%.*s\n", STR_ARG(line));
	}
	free(all);
	return buf_take(&out);
}

static void assert_same(char *before, struct conn *c)
{
	char *now = dump_rest(c);

	assert_string_equal(now, before);
	free(now);
	free(before);
}

static void put_dataset(struct place *p)
{
	struct feed f = {0};

	feed_begin(&f, p->c, "d");
	feed_class(&f, 0, "n00000001", "tabby", NULL);
	feed_class(&f, 1, "n00000002", "crane", NULL);
	feed_class(&f, 2, "n00000003", "crane", NULL);
	feed_class(&f, 3, "n00000004", "goldfish", NULL);
	for (const char *k = "a\0b\0c\0d\0"; *k; k += 2)
		feed_sample(&f, k, "", NULL, "#0");
	assert_int_equal(feed_end(&f), OK);
	feed_done(&f);
}

static void expect(struct conn *c, const char *handle, const char *key, const char *want)
{
	struct snapshot *s = must_load(c, "d");

	assert_string_equal(answered(c, s, handle, key), want);
	snapshot_free(s);
}

static enum outcome outcome_of(struct conn *c, uint32_t run, uint32_t ord)
{
	struct snapshot *s = must_load(c, "d");
	enum outcome o = (enum outcome)column_u(&s->runs[run].outcome, ord);

	snapshot_free(s);
	return o;
}

/* --- answers, case by case --- */

static void placed(void **state)
{
	struct place p = place_new(true);
	struct feed f = {0};
	struct user_done done;
	struct user *u;
	char *before;

	(void)state;
	put_dataset(&p);
	feed_begin(&f, p.c, "d");
	feed_answer(&f, feed_run(&f, "m", NULL), "a", "Tabby cat", NULL);
	feed_answer(&f, 0, "b", " TABBY CAT ", NULL);
	feed_answer(&f, 0, "c", "koi", NULL);
	feed_answer(&f, feed_run(&f, "n", NULL), "a", "tabby cat", "it is a tabby cat");
	assert_int_equal(feed_end(&f), OK);
	feed_done(&f);
	before = dump_rest(p.c);
	u = open_user(p.c);
	done = edit(u, "tabby CAT", "tabby");
	assert_int_equal(done.moves.placed, 2); /* the other says more than that */
	assert_int_equal(done.moves.runs, 1);
	assert_int_equal(done.n, 0);
	expect(p.c, "m", "a", "tabby");
	expect(p.c, "m", "b", "tabby");
	expect(p.c, "m", "c", "");
	expect(p.c, "n", "a", "");
	assert_int_equal(outcome_of(p.c, 0, 0), OUTCOME_ANSWERED);
	must_be_sound(p.c, "relabelled");
	done = edit(u, "Tabby Cat", "goldfish"); /* another class */
	assert_int_equal(done.moves.placed, 2);
	expect(p.c, "m", "b", "goldfish");
	assert_int_equal(turn(u, user_undo).moves.placed, 2);
	expect(p.c, "m", "b", "tabby");
	assert_int_equal(turn(u, user_undo).moves.freed, 2);
	assert_same(before, p.c);
	assert_int_equal(turn(u, user_redo).moves.placed, 2);
	expect(p.c, "m", "a", "tabby");
	before = dump_rest(p.c);
	assert_int_equal(edit(u, "TABBY CAT", NULL).moves.freed, 2);
	expect(p.c, "m", "a", "");
	assert_int_equal(outcome_of(p.c, 0, 0), OUTCOME_OOP);
	turn(u, user_undo);
	assert_same(before, p.c);
	user_close(u);
	place_end(&p);
}

/* What was extracted counts, though several answers share it, and not what stands around it. */
static void extracted(void **state)
{
	static const char *const raw[] = {"a tabby cat!", "Tabby cat, I think", "koi", "tabby cat"};
	static const char *const said[] = {"tabby cat", "tabby cat", "Tabby cat", "koi"};
	struct place p = place_new(true);
	struct feed f = {0};
	struct user *u;
	char *before;

	(void)state;
	put_dataset(&p);
	feed_begin(&f, p.c, "d");
	for (size_t i = 0; i < 4; i++) {
		struct class_ref ref = {.kind = CLASS_BY_NAME, .text = str_z(said[i])};
		struct rec_prediction r;

		rec_prediction_init(&r);
		r.run = feed_run(&f, "m", NULL);
		r.key = (struct str){&"abcd"[i], 1};
		r.raw = str_z(raw[i]);
		r.extracted = str_z(said[i]);
		r.outcome = OUTCOME_ANSWERED;
		r.refs = &ref;
		r.n_refs = 1;
		feed_prediction(&f, &r);
	}
	assert_int_equal(feed_end(&f), OK);
	feed_done(&f);
	before = dump_rest(p.c);
	u = open_user(p.c);
	assert_int_equal(edit(u, "Tabby cat", "tabby").moves.placed, 3);
	expect(p.c, "m", "c", "tabby");
	expect(p.c, "m", "d", "");
	must_be_sound(p.c, "relabelled");
	turn(u, user_undo);
	assert_same(before, p.c);
	user_close(u);
	place_end(&p);
}

/* A name of two classes gets one, and both again; one that is given by number stays. */
static void by_name(void **state)
{
	struct place p = place_new(true);
	struct feed f = {0};
	struct user *u;
	char *before;

	(void)state;
	put_dataset(&p);
	feed_begin(&f, p.c, "d");
	feed_answer(&f, feed_run(&f, "m", NULL), "a", "Crane", NULL);
	feed_answer(&f, 0, "b", "#1", "crane");
	feed_answer(&f, 0, "c", "#3", "gold fish");
	feed_answer(&f, 0, "d", "tabby|goldfish", "gold fish");
	assert_int_equal(feed_end(&f), OK);
	feed_done(&f);
	before = dump_rest(p.c);
	u = open_user(p.c);
	assert_int_equal(edit(u, "crane", "#2").moves.placed, 1);
	assert_int_equal(edit(u, "gold fish", "tabby").moves.placed, 0);
	must_be_sound(p.c, "relabelled");
	assert_int_equal(turn(u, user_undo).moves.freed, 0);
	assert_int_equal(turn(u, user_undo).moves.freed, 1);
	assert_same(before, p.c);
	user_close(u);
	place_end(&p);
}

static void feed_failures(struct place *p, struct feed *f)
{
	static const enum outcome outcomes[] = {OUTCOME_UNPARSED, OUTCOME_REFUSED, OUTCOME_ERROR,
						OUTCOME_OOP};
	struct rec_prediction r;

	*f = (struct feed){0};
	feed_begin(f, p->c, "d");
	for (size_t i = 0; i < 4; i++) {
		rec_prediction_init(&r);
		r.run = feed_run(f, "m", NULL);
		r.key = (struct str){&"abcd"[i], 1};
		r.raw = STR("no idea");
		r.outcome = outcomes[i];
		feed_prediction(f, &r);
	}
	assert_int_equal(feed_end(f), OK);
	feed_done(f);
}

/* What is no answer stays none, whatever it says; the same file is known then. */
static void outcomes(void **state)
{
	struct place p = place_new(true);
	struct feed f;
	struct user *u;
	char *before;

	(void)state;
	put_dataset(&p);
	feed_failures(&p, &f);
	before = dump_rest(p.c);
	u = open_user(p.c);
	assert_int_equal(edit(u, "No idea", "tabby").moves.placed, 2);
	assert_int_equal(outcome_of(p.c, 0, 0), OUTCOME_ANSWERED);
	assert_int_equal(outcome_of(p.c, 0, 1), OUTCOME_REFUSED);
	assert_int_equal(outcome_of(p.c, 0, 2), OUTCOME_ERROR);
	assert_int_equal(outcome_of(p.c, 0, 3), OUTCOME_ANSWERED);
	feed_failures(&p, &f);
	assert_int_equal(f.r.predictions_known, 4);
	assert_int_equal(f.r.runs_new.n, 0);
	turn(u, user_undo);
	assert_int_equal(outcome_of(p.c, 0, 0), OUTCOME_UNPARSED);
	assert_int_equal(outcome_of(p.c, 0, 3), OUTCOME_OOP);
	assert_same(before, p.c);
	user_close(u);
	place_end(&p);
}

/* A letter means the option that the sample has there, for the map as for an import. */
static void letters(void **state)
{
	const struct str options[] = {STR("tabby"), STR("gold fish")};
	struct place p = place_new(true);
	struct rec_sample rec = {.key = STR("q"), .creates = true, .declares = true,
				 .options = options, .n_options = 2};
	struct feed f = {0};
	struct user *u;
	char *before;

	(void)state;
	put_dataset(&p);
	feed_begin(&f, p.c, "d");
	feed_record(&f, &rec);
	assert_int_equal(feed_end(&f), OK);
	feed_done(&f);
	feed_begin(&f, p.c, "d");
	feed_answer(&f, feed_run(&f, "m", NULL), "q", "B", NULL);
	feed_answer(&f, 0, "a", "B", NULL);
	assert_int_equal(feed_end(&f), OK);
	feed_done(&f);
	expect(p.c, "m", "q", "");
	before = dump_rest(p.c);
	u = open_user(p.c);
	assert_int_equal(edit(u, "B", "tabby").moves.placed, 1); /* of the sample without options */
	expect(p.c, "m", "q", "");
	turn(u, user_undo);
	assert_int_equal(edit(u, "Gold fish", "goldfish").moves.options, 1);
	expect(p.c, "m", "q", "goldfish");
	expect(p.c, "m", "a", "");
	assert_int_equal(project_int(p.c, "SELECT json_extract(items, '$[1][1]') FROM option_set"), 3);
	turn(u, user_undo);
	assert_same(before, p.c);
	user_close(u);
	place_end(&p);
}

/* --- truths --- */

static void feed_truths(struct place *p, struct feed *f)
{
	*f = (struct feed){0};
	feed_begin(f, p->c, "d");
	feed_sample(f, "a", "", NULL, "tabby");
	feed_sample(f, "b", "", NULL, "Tabby cat");
	feed_sample(f, "c", "", NULL, "tabby|tabby cat");
	feed_sample(f, "d", "", NULL, "goldfish");
	feed_layer(f, "a", "second", "TABBY CAT|goldfish");
	feed_answer(f, feed_run(f, "m", NULL), "b", "tabby cat", NULL);
	assert_int_equal(feed_end(f), OK);
	feed_done(f);
}

/* The only class of a sample in a layer; NONE for none or several. */
static uint64_t truth_of(struct conn *c, uint32_t layer, uint32_t ord)
{
	struct snapshot *s = must_load(c, "d");
	size_t from, n = csr_row(&s->layers[layer].sets, ord, &from);
	uint64_t cls = n == 1 ? column_u(&s->layers[layer].sets.val, from) : COLUMN_NONE;

	snapshot_free(s);
	return cls;
}

/* Without a class list a text has made up a class; that gives way. */
static void truths(void **state)
{
	struct place p = place_new(true);
	struct feed f;
	struct user_done done;
	struct user *u;
	char *before, *after;

	(void)state;
	feed_truths(&p, &f);
	before = dump_rest(p.c);
	assert_int_equal(truth_of(p.c, 0, 1), 1);
	assert_int_equal(truth_of(p.c, 0, 2), COLUMN_NONE);
	u = open_user(p.c);
	done = edit(u, "tabby cat", "tabby");
	assert_int_equal(done.moves.truths, 3);
	assert_int_equal(done.moves.placed, 1);
	assert_int_equal(truth_of(p.c, 0, 1), 0);
	assert_int_equal(truth_of(p.c, 0, 2), 0);
	expect(p.c, "m", "b", "tabby");
	must_be_sound(p.c, "relabelled");
	after = dump_rest(p.c);
	feed_truths(&p, &f); /* nothing of it is new */
	assert_same(after, p.c);
	done = edit(u, "tabby cat", "goldfish");
	assert_int_equal(truth_of(p.c, 0, 1), 2);
	assert_int_equal(truth_of(p.c, 1, 0), 2);
	turn(u, user_undo);
	assert_int_equal(turn(u, user_undo).moves.truths, 3);
	assert_same(before, p.c);
	before = dump_rest(p.c);
	turn(u, user_redo);
	edit(u, "tabby cat", NULL);
	assert_same(before, p.c);
	user_close(u);
	place_end(&p);
}

/* Classes of a list are what their number says: a truth of theirs stays. */
static void listed(void **state)
{
	struct place p = place_new(true);
	struct user *u;
	char *before;

	(void)state;
	put_dataset(&p);
	before = dump_rest(p.c);
	u = open_user(p.c);
	assert_int_equal(edit(u, "tabby", "goldfish").moves.truths, 0);
	assert_same(before, p.c);
	user_close(u);
	place_end(&p);
}

/* --- giving up --- */

static bool stop(void *ctx, uint64_t done, uint64_t all)
{
	int *left = ctx;

	assert_true(done <= all);
	return (*left)-- > 0;
}

static void given_up(void **state)
{
	struct place p = place_new(true);
	struct feed f = {0};
	struct user_done done = {0};
	struct err err = ERR_INIT;
	const struct labelling l = {.text = STR("koi"), .which = STR("goldfish")};
	struct user *u;
	char *before;

	(void)state;
	put_dataset(&p);
	for (int m = 0; m < 3; m++) {
		char model[8] = {(char)('m' + m)};

		feed_begin(&f, p.c, "d");
		feed_answer(&f, feed_run(&f, model, NULL), "a", "koi", NULL);
		assert_int_equal(feed_end(&f), OK);
		feed_done(&f);
	}
	before = dump_rest(p.c);
	u = open_user(p.c);
	for (int left = 0; left < 6; left++) {
		int n = left;
		const struct label_watch watch = {.ctx = &n, .passed = stop};

		user_watch(u, &watch);
		err = (struct err)ERR_INIT;
		if (labels_edit(u, "koi", &l, 1, &done, &err) == OK)
			fail_msg("it was not asked %d times", left);
		assert_int_equal(err.code, E_CANCELLED);
	}
	user_close(u);
	expect(p.c, "m", "a", "");
	assert_int_equal(project_int(p.c, "SELECT count(*) FROM label_map"), 0);
	assert_same(before, p.c);
	place_end(&p);
}

/* --- against a naive evaluator --- */

#define KEYS  40
#define RUNS  3
#define TEXTS 8

static const char *const texts[TEXTS] = {"tabby",	"tabby cat", "koi",	 "crane",
					 "gold fish", "bird",	   "goldfish", "nonsense"};
static const char *const classes[] = {"tabby", "crane", "crane", "goldfish"};

struct naive {
	unsigned seed;
	int said[RUNS][KEYS];  /* text; -1: by number, with the text beside it */
	int beside[RUNS][KEYS];
	int map[TEXTS]; /* class; -1 = none */
};

static unsigned rnd(struct naive *n, unsigned below)
{
	n->seed = n->seed * 1103515245u + 12345u;
	return (n->seed >> 16) % below;
}

/* As people write: in capitals, or with blanks around. */
static const char *spell(struct naive *n, const char *text, char out[64])
{
	bool upper = rnd(n, 2);
	size_t at = 0;

	if (rnd(n, 3) == 0)
		out[at++] = ' ';
	for (; *text; text++)
		out[at++] = (char)(upper ? toupper((unsigned char)*text) : *text);
	out[at] = '\0';
	return out;
}

static void feed_naive(struct place *p, struct naive *n, bool again)
{
	unsigned seed = n->seed;
	struct feed f = {0};

	n->seed = 7; /* an import again is of the same file */
	feed_begin(&f, p->c, "d");
	for (int r = 0; r < RUNS; r++) {
		char model[8] = {(char)('m' + r)};
		uint32_t run = feed_run(&f, model, NULL);

		for (int k = 0; k < KEYS; k++) {
			char key[16], text[64];
			int said = (int)rnd(n, TEXTS + 1) - 1;

			snprintf(key, sizeof key, "k%d", k);
			n->said[r][k] = said;
			n->beside[r][k] = 1 + (int)rnd(n, 2); /* tabby cat, koi */
			if (said >= 0)
				feed_answer(&f, run, key, spell(n, texts[said], text), NULL);
			else
				feed_answer(&f, run, key, "#0", texts[n->beside[r][k]]);
		}
	}
	assert_int_equal(feed_end(&f), OK);
	if (again)
		assert_int_equal(f.r.predictions + f.r.runs_new.n, 0);
	feed_done(&f);
	n->seed = seed;
}

/* A class as "2", several as "1,2", none as "". */
static void naive_class(const struct naive *n, int r, int k, struct buf *out)
{
	int said = n->said[r][k];

	buf_clear(out);
	if (said < 0)
		buf_z(out, "0");
	else if (n->map[said] >= 0)
		buf_printf(out, "%d", n->map[said]);
	else
		for (int c = 0; c < 4; c++)
			if (strcmp(classes[c], texts[said]) == 0)
				buf_printf(out, "%s%d", out->n ? "," : "", c);
}

static void stored_class(const struct run *run, uint32_t ord, struct buf *out)
{
	size_t from, n = csr_row(&run->labels, ord, &from);

	buf_clear(out);
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%s%d", i ? "," : "", (int)column_u(&run->labels.val, from + i));
	if (!n && column_u(&run->label, ord) != COLUMN_NONE)
		buf_printf(out, "%d", (int)column_u(&run->label, ord));
}

static void compare(struct conn *c, const struct naive *n)
{
	struct snapshot *s = must_load(c, "d");
	struct buf want = BUF_INIT, is = BUF_INIT;

	assert_int_equal(s->n_runs, RUNS);
	for (int r = 0; r < RUNS; r++)
		for (int k = 0; k < KEYS; k++) {
			naive_class(n, r, k, &want);
			stored_class(&s->runs[r], (uint32_t)k, &is);
			assert_string_equal(buf_cstr(&is), buf_cstr(&want));
			assert_int_equal(column_u(&s->runs[r].outcome, (size_t)k),
					 want.n ? OUTCOME_ANSWERED : OUTCOME_OOP);
		}
	buf_release(&want);
	buf_release(&is);
	snapshot_free(s);
}

/* The tally against the same model: its sum, its order, and each text's number. */
static void compare_tally(struct conn *c, const struct naive *n)
{
	struct arena arena = ARENA_INIT;
	struct label_tally tally;
	struct err err = ERR_INIT;
	struct buf want = BUF_INIT;
	uint64_t by[TEXTS] = {0}, all = 0;

	for (int r = 0; r < RUNS; r++)
		for (int k = 0; k < KEYS; k++) {
			naive_class(n, r, k, &want);
			if (!want.n)
				by[n->said[r][k]]++, all++;
		}
	assert_int_equal(labels_tally(c, 1, NULL, &tally, &arena, &err), OK);
	assert_int_equal(tally.answers, all);
	assert_int_equal(tally.others, 0);
	for (size_t i = 0; i < tally.n; i++) {
		int t = 0;

		while (t < TEXTS && !str_eq_nocase(tally.unplaced[i].text, str_z(texts[t])))
			t++;
		assert_true(t < TEXTS);
		assert_int_equal(tally.unplaced[i].n, by[t]);
		all -= by[t];
		assert_true(!i || tally.unplaced[i - 1].n >= tally.unplaced[i].n);
	}
	assert_int_equal(all, 0);
	buf_release(&want);
	arena_release(&arena);
}

static void put_naive(struct place *p)
{
	struct feed f = {0};

	feed_begin(&f, p->c, "d");
	for (int i = 0; i < 4; i++) {
		char wnid[16];

		snprintf(wnid, sizeof wnid, "n%08d", i);
		feed_class(&f, i, wnid, classes[i], NULL);
	}
	for (int k = 0; k < KEYS; k++) {
		char key[16];

		snprintf(key, sizeof key, "k%d", k);
		feed_sample(&f, key, "", NULL, "#0");
	}
	assert_int_equal(feed_end(&f), OK);
	feed_done(&f);
}

#define STEPS 60

static void at_random(void **state)
{
	struct place p = place_new(true);
	struct naive n = {.seed = 3}, history[STEPS + 1];
	struct user *u;
	char *before;
	int at = 0, top = 0;

	(void)state;
	memset(n.map, 0xff, sizeof n.map);
	put_naive(&p);
	feed_naive(&p, &n, false);
	before = dump_rest(p.c);
	u = open_user(p.c);
	history[0] = n;
	for (int step = 0; step < STEPS; step++) {
		unsigned what = rnd(&n, 4);
		char text[64], which[8];
		int t = (int)rnd(&n, TEXTS);

		if (what == 0 && at > 0) {
			turn(u, user_undo);
			memcpy(n.map, history[--at].map, sizeof n.map);
		} else if (what == 1 && at < top) {
			turn(u, user_redo);
			memcpy(n.map, history[++at].map, sizeof n.map);
		} else if (what == 2 && n.map[t] >= 0) {
			edit(u, spell(&n, texts[t], text), NULL);
			n.map[t] = -1;
			history[++at] = n;
			top = at;
		} else {
			n.map[t] = (int)rnd(&n, 4);
			snprintf(which, sizeof which, "#%d", n.map[t]);
			if (!edit(u, spell(&n, texts[t], text), which).labels)
				continue;
			history[++at] = n;
			top = at;
		}
		compare(p.c, &n);
		compare_tally(p.c, &n);
		if (step % 10 == 9) {
			feed_naive(&p, &n, true);
			must_be_sound(p.c, "relabelled");
		}
	}
	while (at--)
		turn(u, user_undo);
	assert_same(before, p.c);
	user_close(u);
	place_end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(placed),	cmocka_unit_test(extracted), cmocka_unit_test(by_name), cmocka_unit_test(outcomes),
	    cmocka_unit_test(letters),	cmocka_unit_test(truths),  cmocka_unit_test(listed),
	    cmocka_unit_test(given_up), cmocka_unit_test(at_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
