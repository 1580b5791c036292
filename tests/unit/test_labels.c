/* The label map: kept, one text once, and what imports make of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "db/labels.h"
#include "tests/unit/lib_store.h"

static void expect(struct conn *c, const char *want)
{
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;
	struct label_row *rows;
	size_t n;

	assert_int_equal(labels_list(c, 1, &rows, &n, &arena, &err), OK);
	for (size_t i = 0; i < n; i++)
		buf_printf(&out, "%s=%s|", rows[i].text.p, rows[i].name.p);
	assert_string_equal(buf_cstr(&out), want);
	buf_release(&out);
	arena_release(&arena);
}

static void put_dataset(struct place *p)
{
	struct feed f = {0};

	feed_begin(&f, p->c, "d");
	feed_class(&f, 0, "n00000001", "happiness", NULL);
	feed_class(&f, 1, "n00000002", "crane", NULL);
	feed_class(&f, 2, "n00000003", "crane", NULL);
	feed_sample(&f, "a", "", NULL, "#0");
	feed_sample(&f, "b", "", NULL, "#1");
	assert_int_equal(feed_end(&f), OK);
	feed_done(&f);
}

static struct user *open_user(struct conn *c)
{
	struct user *u;
	struct err err = ERR_INIT;

	assert_int_equal(user_open(&u, c, 1, "d", 2, &err), OK);
	return u;
}

/* which NULL: the text goes. */
static enum status edit(struct user *u, const char *text, const char *which, struct err *err)
{
	struct labelling l = {.drop = !which, .text = str_z(text), .which = str_z(which ? which : "")};
	struct user_done done = {0};
	enum status rc;

	*err = (struct err)ERR_INIT;
	rc = labels_edit(u, text, &l, 1, &done, err);
	assert_int_equal(done.n, 0);
	return rc;
}

static void kept(void **state)
{
	struct place p = place_new(true);
	struct err err;
	struct user *u;

	(void)state;
	put_dataset(&p);
	u = open_user(p.c);
	expect(p.c, "");
	assert_int_equal(edit(u, " HAPPY ", "Happiness", &err), OK);
	assert_int_equal(edit(u, "bird", "#1", &err), OK);
	assert_int_equal(edit(u, "lift", "n00000003", &err), OK);
	expect(p.c, "HAPPY=happiness|bird=crane|lift=crane|");
	assert_int_equal(edit(u, "happy", "#2", &err), OK); /* the same text */
	expect(p.c, "bird=crane|happy=crane|lift=crane|");
	assert_int_equal(edit(u, "x", "crane", &err), E_USAGE);
	assert_non_null(strstr(err.msg, "several classes"));
	assert_int_equal(edit(u, "x", "#9", &err), E_USAGE);
	assert_non_null(strstr(err.msg, "there is no class"));
	assert_int_equal(edit(u, "  ", "#0", &err), E_USAGE);
	assert_int_equal(edit(u, "\xff", "#0", &err), E_USAGE);
	assert_int_equal(edit(u, "BIRD", NULL, &err), OK);
	assert_int_equal(edit(u, "bird", NULL, &err), E_NOT_FOUND);
	expect(p.c, "happy=crane|lift=crane|");
	user_close(u);
	place_end(&p);
}

static void turn(struct user *u, enum status (*fn)(struct user *, struct user_done *, struct err *),
		 const char *label)
{
	struct user_done done = {0};
	struct err err = ERR_INIT;

	if (fn(u, &done, &err) != OK)
		fail_msg("%s", err.msg);
	assert_string_equal(done.label, label);
	assert_true(done.labels);
	assert_int_equal(done.n, 0);
}

/* Every edit is taken back and done again, also by another process. */
static void undone(void **state)
{
	struct place p = place_new(true);
	struct err err;
	struct user *u;
	uint64_t version;

	(void)state;
	put_dataset(&p);
	u = open_user(p.c);
	version = user_things(u)->version;
	assert_int_equal(edit(u, "Bird", "#0", &err), OK); /* class 0 */
	assert_true(user_things(u)->version > version);
	assert_int_equal(edit(u, "bird", "#2", &err), OK);
	assert_int_equal(edit(u, "bird", "#2", &err), OK); /* it is so already: no edit */
	assert_int_equal(edit(u, "BIRD", NULL, &err), OK);
	expect(p.c, "");
	turn(u, user_undo, "BIRD");
	expect(p.c, "bird=crane|");
	user_close(u);
	u = open_user(p.c);
	turn(u, user_undo, "bird");
	expect(p.c, "Bird=happiness|");
	turn(u, user_undo, "Bird");
	expect(p.c, "");
	turn(u, user_redo, "Bird");
	expect(p.c, "Bird=happiness|");
	turn(u, user_redo, "bird");
	turn(u, user_redo, "BIRD");
	expect(p.c, "");
	user_close(u);
	place_end(&p);
}

/* Several words are one edit: all of them, or none. */
static void together(void **state)
{
	const struct labelling good[] = {{.text = STR("glad"), .which = STR("#0")},
					 {.text = STR("bird"), .which = STR("#1")}},
			       bad[] = {{.text = STR("lift"), .which = STR("#2")},
					{.text = STR("x"), .which = STR("#9")}};
	struct place p = place_new(true);
	struct user_done done = {0};
	struct err err = ERR_INIT;
	struct user *u;

	(void)state;
	put_dataset(&p);
	u = open_user(p.c);
	assert_int_equal(labels_edit(u, "both", good, 2, &done, &err), OK);
	assert_true(done.labels);
	assert_int_equal(labels_edit(u, "none", bad, 2, &done, &err), E_USAGE);
	expect(p.c, "bird=crane|glad=happiness|");
	turn(u, user_undo, "both");
	expect(p.c, "");
	user_close(u);
	place_end(&p);
}

static void read_only(void **state)
{
	struct place p = place_new(true);
	struct err err = ERR_INIT;
	struct conn *c;
	struct user *u;

	(void)state;
	put_dataset(&p);
	c = project_open(p.path, CONN_READ);
	u = open_user(c);
	assert_int_equal(edit(u, "glad", "#0", &err), E_IO);
	expect(c, "");
	user_close(u);
	conn_close(c);
	place_end(&p);
}

static void feed_happy(struct place *p, struct feed *f)
{
	*f = (struct feed){0};
	feed_begin(f, p->c, "d");
	feed_answer(f, feed_run(f, "m", NULL), "a", "Happy", NULL);
	assert_int_equal(feed_end(f), OK);
	feed_done(f);
}

/* An answer of no class, and the same file once the map knows its word. */
static void imported_again(void **state)
{
	struct place p = place_new(true);
	struct err err;
	struct snapshot *s;
	struct user *u;
	struct feed f;

	(void)state;
	put_dataset(&p);
	feed_happy(&p, &f);
	s = must_load(p.c, "d");
	assert_string_equal(answered(p.c, s, "m", "a"), "");
	snapshot_free(s);
	u = open_user(p.c);
	assert_int_equal(edit(u, "HAPPY", "happiness", &err), OK);
	user_close(u);
	feed_happy(&p, &f);
	s = must_load(p.c, "d");
	assert_int_equal(s->n_runs, 1);
	assert_string_equal(answered(p.c, s, "m", "a"), "happiness");
	snapshot_free(s);
	place_end(&p);
}

/* While it is closed neither an edit nor a turn of one touches it; other edits go both ways. */
static void closed(void **state)
{
	static const struct label_watch shut = {.closed = "not now"}, open = {0};
	static const uint32_t ords[] = {0};
	const struct user_change tag = {.what = USER_TAG, .ords = ords, .n = 1, .text = STR("odd")};
	struct place p = place_new(true);
	struct user_done done = {0};
	struct err err = ERR_INIT;
	struct user *u;

	(void)state;
	put_dataset(&p);
	u = open_user(p.c);
	assert_int_equal(edit(u, "joy", "happiness", &err), OK);
	user_watch(u, &shut);
	assert_int_equal(edit(u, "glee", "happiness", &err), E_BUSY);
	assert_string_equal(err.msg, "not now");
	assert_int_equal(user_undo(u, &done, &err), E_BUSY);
	expect(p.c, "joy=happiness|");
	user_watch(u, &open);
	assert_int_equal(user_undo(u, &done, &err), OK);
	user_watch(u, &shut);
	assert_int_equal(user_redo(u, &done, &err), E_BUSY);
	expect(p.c, "");
	assert_int_equal(user_edit(u, "tag", &tag, 1, &done, &err), OK);
	assert_int_equal(user_undo(u, &done, &err), OK);
	assert_int_equal(user_undo(u, &done, &err), E_NOT_FOUND);
	user_close(u);
	place_end(&p);
}

static void feed_wnid(struct place *p, const char *model)
{
	struct class_ref ref = {.kind = CLASS_BY_WNID, .text = STR("n09999999")};
	struct rec_prediction rec;
	struct feed f = {0};

	feed_begin(&f, p->c, "d");
	rec_prediction_init(&rec);
	rec.run = feed_run(&f, model, NULL);
	rec.key = STR("a");
	rec.raw = ref.text;
	rec.outcome = OUTCOME_ANSWERED;
	rec.refs = &ref;
	rec.n_refs = 1;
	feed_prediction(&f, &rec);
	assert_int_equal(feed_end(&f), OK);
	feed_done(&f);
}

static void expect_both(struct conn *c, const char *want)
{
	struct snapshot *s = must_load(c, "d");

	assert_string_equal(answered(c, s, "m", "a"), want);
	assert_string_equal(answered(c, s, "n", "a"), want);
	snapshot_free(s);
}

/* What looks like a wnid that no class has: read before the edit and after it. */
static void unknown_wnid(void **state)
{
	struct place p = place_new(true);
	struct err err;
	struct user *u;

	(void)state;
	put_dataset(&p);
	feed_wnid(&p, "m");
	u = open_user(p.c);
	assert_int_equal(edit(u, "n09999999", "happiness", &err), OK);
	feed_wnid(&p, "n");
	expect_both(p.c, "happiness");
	assert_int_equal(edit(u, "n09999999", NULL, &err), OK);
	expect_both(p.c, "");
	user_close(u);
	place_end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(kept),	 cmocka_unit_test(undone),	   cmocka_unit_test(together),
	    cmocka_unit_test(read_only), cmocka_unit_test(imported_again), cmocka_unit_test(closed),
	    cmocka_unit_test(unknown_wnid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
