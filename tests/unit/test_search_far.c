/* Searches through many texts: two threads, batches, few samples in few chunks, and what `/` looks
 * through, against a naive look at every text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "db/search_everywhere.h"
#include "db/search_impl.h"
#include "tests/unit/lib_user.h"

enum { MANY = 9000 };

struct place {
	char *folder, *path;
	struct arena arena;
	struct conn *c;
	struct snapshot *snap;
	struct search *search;
	const char **question, **raw, **extracted; /* [MANY] */
};

static void must(enum status st, const struct err *err)
{
	if (st != OK)
		fail_msg("%s", err->msg);
}

/* A word for a few, told apart by primes. */
static const char *word_of(struct place *p, int i, const char *what, int every)
{
	return i % every == 3 ? arena_printf(&p->arena, "some %s %d, 悲し", what, i)
			      : arena_printf(&p->arena, "nothing %d", i);
}

static void fill(struct place *p)
{
	sqlite3_stmt *s = NULL;

	project_exec(p->c, "INSERT INTO model VALUES (1, 'm'); INSERT INTO run (id, dataset, model, handle, "
			   "title, n, imported) VALUES (1, 1, 1, 'm', 'm', 9000, ''); "
			   "INSERT INTO class (dataset, ord, name) VALUES (1, 0, 'red fox'), (1, 1, 'owl'); BEGIN");
	assert_int_equal(sqlite3_prepare_v2(stmt_db(p->c),
					    "UPDATE sample SET text = ?1 WHERE id = (1 << 32) + ?2", -1, &s,
					    NULL),
			 SQLITE_OK);
	for (int i = 0; i < MANY; i++) {
		p->question[i] = word_of(p, i, "Question", 701);
		p->raw[i] = i % 11 == 5 ? NULL : word_of(p, i, "ANSWER", 503);
		p->extracted[i] = i % 2 ? NULL : word_of(p, i % 4000, "extract", 307);
		sqlite3_bind_text(s, 1, p->question[i], -1, SQLITE_STATIC);
		sqlite3_bind_int(s, 2, i);
		assert_int_equal(sqlite3_step(s), SQLITE_DONE);
		sqlite3_reset(s);
	}
	sqlite3_finalize(s);
	project_exec(p->c, "COMMIT");
}

static int setup(void **state)
{
	struct place *p = xcalloc(1, sizeof *p);
	double *label = xcalloc(MANY, sizeof *label);
	struct err err = ERR_INIT;

	p->folder = project_folder();
	p->path = project_file(p->folder, "t.qualm");
	setenv("XDG_DATA_HOME", p->folder, 1);
	project_make_long(p->path, MANY);
	p->c = project_open(p->path, CONN_WRITE);
	p->question = xcalloc(MANY, sizeof *p->question);
	p->raw = xcalloc(MANY, sizeof *p->raw);
	p->extracted = xcalloc(MANY, sizeof *p->extracted);
	fill(p);
	project_texts(p->c, 1, FIELD_RAW, p->raw, MANY, 777);
	project_shared_texts(p->c, 1, FIELD_EXTRACTED, p->extracted, MANY, 100);
	for (int i = 0; i < MANY; i++)
		label[i] = i % 997 == 8 ? 0 : 1;
	project_column(p->c, OWNER_RUN, 1, "label", DT_U8, label, MANY);
	for (int i = 0; i < MANY; i++)
		label[i] = OUTCOME_ANSWERED;
	project_column(p->c, OWNER_RUN, 1, "outcome", DT_U8, label, MANY);
	free(label);
	must(snapshot_load(p->c, NULL, &p->snap, &err), &err);
	must(search_new(&p->search, p->c, p->snap, &err), &err);
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	struct place *p = *state;

	search_free(p->search);
	snapshot_free(p->snap);
	conn_close(p->c);
	project_remove(p->folder);
	arena_release(&p->arena);
	free(p->question);
	free(p->raw);
	free(p->extracted);
	free(p->path);
	free(p);
	return 0;
}

/* --- answers --- */

struct told {
	uint64_t done;
	int looks, cancel_after;
	struct cancel cancel;
};

static void tell(void *ctx, uint64_t done, const uint64_t *bits)
{
	struct told *t = ctx;

	assert_non_null(bits);
	assert_true(done >= t->done);
	t->done = done;
	if (t->looks++ == t->cancel_after)
		cancel_now(&t->cancel);
}

static bool has(const char *text, const char *word)
{
	return text && str_find_nocase(str_z(text), str_z(word)) != SIZE_MAX;
}

/* Alone and with a second thread, in batches of any size, of all and of a few samples. */
static void test_shares(void **state)
{
	static const struct {
		uint64_t split, batch;
	} ways[] = {{UINT64_MAX, UINT64_MAX}, {UINT64_MAX, 1}, {1, 30000}, {1, UINT64_MAX}, {20000, 5000}};
	struct place *p = *state;
	const struct filter_source *s = search_source(p->search);
	uint64_t *bits = bits_new(MANY), *few = bits_new(MANY);

	for (int i = 4000; i < 4100; i++)
		bits_set(few, (size_t)i);
	for (size_t k = 0; k < 2 * sizeof ways / sizeof *ways; k++) {
		bool regex = k % 2;
		struct needle *nd = NULL;
		struct err err = ERR_INIT;
		struct told t = {.cancel_after = -1};
		struct text_watch watch = {NULL, tell, &t};

		p->search->split = ways[k / 2].split;
		p->search->batch = ways[k / 2].batch;
		must(needle_new(&nd, regex ? STR("some (answer|extract)") : STR("SOME"), regex, &err), &err);
		bits_fill(bits, MANY, false);
		must(s->text(s->ctx, SCOPE_ANSWER, 0, nd, NULL, bits, &watch, &err), &err);
		for (int i = 0; i < MANY; i++)
			if (bits_get(bits, (size_t)i) != (has(p->raw[i], "some") || has(p->extracted[i], "some")))
				fail_msg("way %zu, sample %d", k, i);
		assert_true(t.looks > 0);
		bits_fill(bits, MANY, false);
		must(s->text(s->ctx, SCOPE_ANSWER, 0, nd, few, bits, NULL, &err), &err);
		for (int i = 4000; i < 4100; i++)
			assert_int_equal(bits_get(bits, (size_t)i),
					 has(p->raw[i], "some") || has(p->extracted[i], "some"));
		must(s->text(s->ctx, SCOPE_TEXT, -1, nd, NULL, bits, &watch, &err), &err);
		for (int i = 0; i < MANY; i++)
			if (!regex && has(p->question[i], "some"))
				assert_true(bits_get(bits, (size_t)i));
		needle_free(nd);
	}
	assert_true(s->work(s->ctx, SCOPE_ANSWER, 0) > 100000);
	free(bits);
	free(few);
}

/* Who asks to stop between two batches is heard; nothing else happens. */
static void test_stopped(void **state)
{
	struct place *p = *state;
	const struct filter_source *s = search_source(p->search);

	p->search->batch = 20000;
	for (int k = 0; k < 2; k++) {
		struct told t = {.cancel_after = 1};
		struct text_watch watch = {&t.cancel, tell, &t};
		struct needle *nd = NULL;
		struct err err = ERR_INIT;
		uint64_t *bits = bits_new(MANY);

		p->search->split = k ? 1 : UINT64_MAX;
		cancel_init(&t.cancel);
		must(needle_new(&nd, STR("zebra"), false, &err), &err);
		assert_int_equal(s->text(s->ctx, SCOPE_ANSWER, 0, nd, NULL, bits, &watch, &err), E_CANCELLED);
		assert_int_equal(t.looks, 2);
		cancel_release(&t.cancel);
		needle_free(nd);
		free(bits);
	}
}

/* Chunks that are gone when their turn comes are an error, not answers without a hit. */
static void test_replaced(void **state)
{
	struct place *p = *state;
	const struct filter_source *s = search_source(p->search);
	struct needle *nd = NULL;
	struct err err = ERR_INIT;
	struct hunt h;
	struct answer_chunks all = {.list = {0}};
	uint64_t *bits = bits_new(MANY), done = 0;

	must(needle_new(&nd, STR("some"), false, &err), &err);
	h = (struct hunt){p->search, nd, NULL, bits, NULL, &err};
	must(answer_chunks_add(&h, 1, FIELD_RAW, &all), &err);
	assert_true(all.list.n > 10);
	project_exec(p->c, "DELETE FROM chunk");
	p->search->split = 1;
	assert_int_equal(answer_chunks_scan(&h, all.list.v, all.list.n, &done), E_BUSY);
	assert_non_null(strstr(err.msg, "replaced"));
	err_clear(&err);
	must(s->text(s->ctx, SCOPE_ANSWER, 0, nd, NULL, bits, NULL, &err), &err);
	assert_false(bits_any(bits, MANY));
	answer_chunks_release(&all);
	needle_free(nd);
	free(bits);
}

/* --- everywhere --- */

struct looks {
	uint32_t from, covered;
	int n;
	uint64_t *seen[64]; /* bits at each look */
	uint32_t then[64];  /* covered at each look */
};

static void look(void *ctx, uint32_t covered, const uint64_t *bits)
{
	struct looks *l = ctx;

	assert_true(covered > l->covered && covered <= MANY);
	assert_true(l->n < 64);
	l->covered = covered;
	l->then[l->n] = covered;
	l->seen[l->n] = bits_new(MANY);
	memcpy(l->seen[l->n++], bits, bits_words(MANY) * sizeof *bits);
}

static bool is_everywhere(const struct place *p, int i, const char *word, bool names)
{
	char key[16];

	snprintf(key, sizeof key, "k%07d", i);
	return has(key, word) || has(p->question[i], word) || has(p->raw[i], word) ||
	       has(p->extracted[i], word) || (names && has(i % 997 == 8 ? "red fox" : "owl", word)) ||
	       (i == 77 && has("a note with some zest", word));
}

static void everywhere(struct place *p, const char *word, uint32_t from, bool names)
{
	static const int runs[] = {0};
	struct looks l = {.from = from};
	struct err err = ERR_INIT;
	uint64_t *bits = bits_new(MANY);
	struct search_everywhere what = {.run = 0, .runs = runs, .n_runs = names, .from = from, .tell = look,
					 .ctx = &l};
	struct needle *nd = NULL;

	must(needle_new(&nd, str_z(word), false, &err), &err);
	what.needle = nd;
	must(search_everywhere(p->search, &what, bits, &err), &err);
	for (int i = 0; i < MANY; i++)
		if (bits_get(bits, (size_t)i) != is_everywhere(p, i, word, names))
			fail_msg("%s: sample %d is %d", word, i, bits_get(bits, (size_t)i));
	assert_int_equal(l.covered, MANY);
	assert_true(l.n > 3);
	for (int k = 0; k < l.n; k++) {
		for (uint32_t i = 0; i < MANY; i++) {
			bool then = bits_get(l.seen[k], i), now = bits_get(bits, i);

			assert_true(now || !then); /* nothing is taken back */
			if ((i + MANY - from) % MANY < l.then[k])
				assert_int_equal(then, now); /* nothing is added */
		}
		free(l.seen[k]);
	}
	needle_free(nd);
	free(bits);
}

static void test_everywhere(void **state)
{
	static const char *const words[] = {"some", "QUESTION", "answer 5", "extract", "K0000", "悲", "fox",
					    "zest", "owl", "absent", "red fox owl"};
	struct place *p = *state;
	struct user *user = user_of(p->c, MANY);
	struct user_change note = {.what = USER_NOTE, .ords = (uint32_t[]){77}, .n = 1,
				   .text = STR("a note with some ZEST")};
	struct user_done done;
	struct err err = ERR_INIT;

	must(user_edit(user, "note", &note, 1, &done, &err), &err);
	user_close(user);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		everywhere(p, words[i], i % 3 == 0 ? 0 : i % 3 == 1 ? 5432 : MANY - 1, i % 4 != 1);
	p->search->split = 1;
	everywhere(p, "some", 4096, true);
}

/* Where the project does not say where the texts are, all are searched at first. */
static void test_everywhere_unknown(void **state)
{
	struct place *p = *state;

	project_exec(p->c, "DELETE FROM col WHERE name LIKE 'text_%'");
	everywhere(p, "answer", 8000, true);
}

struct first_look {
	const struct place *p;
	const uint32_t *first;
	size_t n;
	struct cancel cancel;
	bool told;
};

static void look_first(void *ctx, uint32_t covered, const uint64_t *bits)
{
	struct first_look *l = ctx;

	assert_false(l->told);
	l->told = true;
	assert_int_equal(covered, 0);
	for (size_t i = 0; i < l->n; i++)
		assert_int_equal(bits_get(bits, l->first[i]),
				 is_everywhere(l->p, (int)l->first[i], "some", true));
	cancel_now(&l->cancel);
}

/* What is to come first is known before anything else is. */
static void test_everywhere_first(void **state)
{
	static const int runs[] = {0};
	const uint32_t first[] = {8999, 3, 704, 4500, 506, 310, 8, 7013, 5033, 1};
	struct first_look l = {*state, first, sizeof first / sizeof *first, .told = false};
	struct search_everywhere what = {.run = 0, .runs = runs, .n_runs = 1, .first = first,
					 .n_first = (uint32_t)l.n, .from = 2000,
					 .cancel = &l.cancel, .tell = look_first, .ctx = &l};
	uint64_t *bits = bits_new(MANY);
	struct err err = ERR_INIT;
	struct needle *nd = NULL;

	cancel_init(&l.cancel);
	must(needle_new(&nd, STR("some"), false, &err), &err);
	what.needle = nd;
	assert_int_equal(search_everywhere(l.p->search, &what, bits, &err), E_CANCELLED);
	assert_true(l.told);
	assert_true(bits_get(bits, 704));
	cancel_release(&l.cancel);
	needle_free(nd);
	free(bits);
}

static void test_everywhere_stopped(void **state)
{
	struct place *p = *state;
	struct cancel cancel;
	struct err err = ERR_INIT;
	struct search_everywhere what = {.run = -1, .cancel = &cancel};
	struct needle *nd = NULL;
	uint64_t *bits = bits_new(MANY);

	cancel_init(&cancel);
	must(needle_new(&nd, STR("k0000003"), false, &err), &err);
	what.needle = nd;
	must(search_everywhere(p->search, &what, bits, &err), &err); /* of nobody's answers */
	assert_int_equal(bits_count(bits, MANY), 1);
	cancel_now(&cancel);
	assert_int_equal(search_everywhere(p->search, &what, bits, &err), E_CANCELLED);
	cancel_release(&cancel);
	needle_free(nd);
	free(bits);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
	    T(test_shares),	T(test_stopped),	       T(test_replaced),
	    T(test_everywhere), T(test_everywhere_unknown), T(test_everywhere_first), T(test_everywhere_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
