/* What a filter needs of the project: texts, keys, numbers, aliases, the user's things. */
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
#include "db/search.h"
#include "tests/unit/lib_user.h"

struct place {
	char *folder, *path;
	struct conn *c;
	struct snapshot *snap;
	struct search *search;
	struct user *user;
	struct filter_things things;
	struct lens lens;
	struct filter_ctx ctx;
	int panel[2];
};

static void must(enum status st, const struct err *err)
{
	if (st != OK)
		fail_msg("%s", err->msg);
}

static void open_place(struct place *p, enum conn_mode mode)
{
	struct err err = ERR_INIT;

	p->c = project_open(p->path, mode);
	must(snapshot_load(p->c, NULL, &p->snap, &err), &err);
	must(search_new(&p->search, p->c, p->snap, &err), &err);
	p->user = user_of(p->c, p->snap->n);
	search_things(user_things(p->user), &p->things);
	p->lens = lens_default(p->snap);
	p->panel[0] = 0;
	p->panel[1] = 1;
	p->ctx = (struct filter_ctx){.snap = p->snap, .lens = &p->lens, .a = 0, .b = 1, .panel = p->panel,
				     .n_panel = 2, .source = search_source(p->search), .things = &p->things};
}

static void close_place(struct place *p)
{
	search_things_release(&p->things);
	user_close(p->user);
	search_free(p->search);
	snapshot_free(p->snap);
	conn_close(p->c);
}

static int setup(void **state)
{
	struct place *p = xcalloc(1, sizeof *p);

	p->folder = project_folder();
	p->path = project_file(p->folder, "t.qualm");
	setenv("XDG_DATA_HOME", p->folder, 1);
	project_make_tiny(p->path, 0);
	open_place(p, CONN_WRITE);
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	struct place *p = *state;

	close_place(p);
	project_remove(p->folder);
	free(p->path);
	free(p);
	return 0;
}

/* The ordinals that a filter is true for, as digits. */
static const char *hits(const struct place *p, const char *text, char out[16])
{
	struct filter *f = NULL;
	struct err err = ERR_INIT;
	uint64_t bits[2];
	int n = 0;

	if (filter_parse(str_z(text), &p->ctx, &f, NULL, &err) != OK ||
	    filter_eval(f, &p->ctx, bits, NULL, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	for (uint32_t i = 0; i < p->snap->n; i++)
		if (bits_get(bits, i))
			out[n++] = (char)('0' + i);
	out[n] = '\0';
	filter_free(f);
	return out;
}

static void expect(const struct place *p, const char *text, const char *want)
{
	char out[16];

	if (strcmp(hits(p, text, out), want) != 0)
		fail_msg("%s: %s, not %s", text, out, want);
}

static void test_words(void **state)
{
	static const char *const cases[][2] = {
	    {"answer~ANSWER", "0124"},
	    {"answer~\"answer 2\"", "2"},
	    {"answer~\"0answer\"", ""}, /* never over the end of an answer */
	    {"answer~/[14]$/", "14"},
	    {"answer@b~answer", ""},
	    {"answer@any~r", "0124"},
	    {"answer@all~r", ""},
	    {"text~\"number 3\"", "3"},
	    {"text~/answer 1|number 5/", "15"},
	    {"question~number", "01234"},
	    {"statement~number", "5"},
	    {"statement~/^is/ -question~is", "5"},
	    {"id:s1,s3,nobody", "13"},
	    {"id~S", "012345"},
	    {"id~4", "4"},
	    {"path~s2", "2"},
	    {"path~more", "3"},
	    {"score>=1", "234"},
	    {"score<1", "01"},
	    {"score=0.5", "1"},
	    {"tokens!=20", "0134"},
	    {"score@any<0.1", "0"},
	    {"gt@original:tabby", "03"},
	    {"gt@original:TABBY", "03"},
	    {"emotion:joy/* size>2", "134"},
	    {"tags:y", "23"},
	    {"mark", ""},
	    {"note", ""},
	    {"mark or answer~\"answer 0\"", "0"},
	    {"size>3 text~number", "345"},
	};
	struct place *p = *state;
	struct err err = ERR_INIT;

	project_exec(p->c, "INSERT INTO class_alias VALUES (1, 0, '', 'tabby'), (1, 1, 'ilsvrc', '7')");
	project_exec(p->c, "INSERT INTO sample_media VALUES ((1 << 32) + 3, 1, 'more/s9.png')");
	search_free(p->search);
	must(search_new(&p->search, p->c, p->snap, &err), &err);
	p->ctx.source = search_source(p->search);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		expect(p, cases[i][0], cases[i][1]);
}

static void test_numbers(void **state)
{
	struct place *p = *state;
	const struct filter_source *s = p->ctx.source;

	assert_int_equal(s->n_numbers, 2);
	assert_string_equal(s->numbers[0], "score");
	assert_string_equal(s->numbers[1], "tokens");
}

static void edit(struct place *p, enum user_what what, uint32_t ord, const char *text)
{
	struct user_change change = {.what = what, .ords = &ord, .n = 1, .text = str_z(text)};
	struct user_done done;
	struct err err = ERR_INIT;

	must(user_edit(p->user, "test", &change, 1, &done, &err), &err);
}

static void make_things(struct place *p)
{
	edit(p, USER_MARK, 2, "");
	edit(p, USER_TAG, 1, "odd");
	edit(p, USER_TAG, 4, "odd");
	edit(p, USER_NOTE, 5, "a BLURRY thing");
	edit(p, USER_NOTE, 0, "fine");
	user_see(p->user, 3);
	search_things_release(&p->things);
	search_things(user_things(p->user), &p->things);
}

static void expect_things(struct place *p)
{
	expect(p, "mark", "2");
	expect(p, "tag:odd", "14");
	expect(p, "note", "05");
	expect(p, "note~blurry", "5");
	expect(p, "text~blurry", "5");
	expect(p, "note~/^f/", "0");
	expect(p, "tag:odd or mark or seen", "1234");
}

static void test_things(void **state)
{
	struct place *p = *state;

	make_things(p);
	expect_things(p);
	/* a note about a sample that is gone does no harm */
	project_exec(p->c, "INSERT INTO note (dataset, sample, text, created, changed) "
			   "VALUES ('tiny', 'gone', 'blurry', '', '')");
	expect(p, "note~blurry", "5");
}

/* Of a read-only project the user's things are in the overlay. */
static void test_overlay(void **state)
{
	struct place *p = *state;

	close_place(p);
	open_place(p, CONN_READ);
	assert_true(conn_read_only(p->c));
	make_things(p);
	expect_things(p);
}

static void test_damage(void **state)
{
	static const char *const sql[] = {
	    "UPDATE chunk SET lens = x'ffffffff' || substr(lens, 5)",
	    "UPDATE chunk SET ords = substr(ords, 1, 3)",
	    "UPDATE chunk SET data = data || 'x'",
	    "UPDATE chunk SET codec = 9",
	};
	struct place *p = *state;
	struct filter *f = NULL;
	struct err err = ERR_INIT;
	uint64_t bits[2];

	must(filter_parse(STR("answer~x"), &p->ctx, &f, NULL, &err), &err);
	for (size_t i = 0; i < 4; i++) {
		enum status st;

		project_exec(p->c, "SAVEPOINT s");
		project_exec(p->c, sql[i]);
		err_clear(&err);
		st = filter_eval(f, &p->ctx, bits, NULL, &err);
		assert_int_equal(st, i < 3 ? E_FORMAT : E_UNSUPPORTED);
		assert_non_null(strstr(err.msg, "t.qualm"));
		project_exec(p->c, "ROLLBACK TO s; RELEASE s");
	}
	/* an ordinal beyond the samples is passed over */
	project_exec(p->c, "UPDATE chunk SET ords = x'ffffffff' || substr(ords, 5)");
	filter_free(f);
	expect(p, "answer~answer", "14");
	expect(p, "answer~/answer/", "14");
}

static void test_cancel(void **state)
{
	struct place *p = *state;
	struct cancel cancel;

	cancel_init(&cancel);
	cancel_now(&cancel);
	for (size_t i = 0; i < 4; i++) {
		const struct filter_source *s = p->ctx.source;
		struct needle *nd = NULL;
		struct err err = ERR_INIT;
		struct str key = STR("s1");
		struct text_watch watch = {.cancel = &cancel};
		uint64_t bits[2] = {0};

		must(needle_new(&nd, STR("x"), i == 3, &err), &err);
		if (i == 2)
			assert_int_equal(s->keys(s->ctx, &key, 1, bits, &cancel, &err), E_CANCELLED);
		else
			assert_int_equal(s->text(s->ctx, i == 0 ? SCOPE_ANSWER : i == 1 ? SCOPE_TEXT : SCOPE_PATH,
						 0, nd, NULL, bits, &watch, &err),
					 E_CANCELLED);
		needle_free(nd);
	}
	cancel_release(&cancel);
}

/* Many slices and chunks: what a scan as one piece finds is what each text says. */
static void test_many(void **state)
{
	enum { MANY = 9000 };
	struct place *p = *state;
	const char **texts = xcalloc(MANY, sizeof *texts);
	struct arena arena = ARENA_INIT;
	struct filter *f = NULL, *re = NULL;
	struct err err = ERR_INIT;
	uint64_t *bits = bits_new(MANY), *again = bits_new(MANY);

	close_place(p);
	unlink(p->path);
	project_make_long(p->path, MANY);
	for (int i = 0; i < MANY; i++)
		texts[i] = i % 5 == 4 ? NULL : arena_printf(&arena, "%s%dx", i % 7 ? "WEa" : "wea.", i);
	p->c = project_open(p->path, CONN_WRITE);
	project_exec(p->c, "INSERT INTO model VALUES (1, 'm'); INSERT INTO run (id, dataset, model, handle, "
			   "title, n, imported) VALUES (1, 1, 1, 'm', 'm', 9000, '')");
	project_texts(p->c, 1, FIELD_RAW, texts, MANY, 777);
	conn_close(p->c);
	open_place(p, CONN_WRITE);
	must(filter_parse(STR("answer~wea1"), &p->ctx, &f, NULL, &err), &err);
	must(filter_parse(STR("answer~/wea1/"), &p->ctx, &re, NULL, &err), &err);
	must(filter_eval(f, &p->ctx, bits, NULL, &err), &err);
	must(filter_eval(re, &p->ctx, again, NULL, &err), &err);
	for (size_t i = 0; i < MANY; i++) {
		bool want = texts[i] && strncmp(texts[i], "WEa1", 4) == 0;

		assert_int_equal(bits_get(bits, i), want);
		assert_int_equal(bits_get(again, i), want);
	}
	filter_free(f);
	must(filter_parse(STR("id~k0004097 or id~\"K0008999\" or id:k0000000"), &p->ctx, &f, NULL, &err), &err);
	must(filter_eval(f, &p->ctx, bits, NULL, &err), &err);
	assert_int_equal(bits_count(bits, MANY), 3);
	assert_true(bits_get(bits, 4097) && bits_get(bits, 8999) && bits_get(bits, 0));
	filter_free(f);
	filter_free(re);
	free(bits);
	free(again);
	free(texts);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_words, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_numbers, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_things, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_overlay, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_damage, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_cancel, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_many, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
