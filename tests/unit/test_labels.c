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

static void kept(void **state)
{
	struct place p = place_new(true);
	struct err err = ERR_INIT;

	(void)state;
	put_dataset(&p);
	expect(p.c, "");
	assert_int_equal(labels_put(p.c, 1, STR(" HAPPY "), STR("Happiness"), &err), OK);
	assert_int_equal(labels_put(p.c, 1, STR("bird"), STR("#1"), &err), OK);
	assert_int_equal(labels_put(p.c, 1, STR("lift"), STR("n00000003"), &err), OK);
	expect(p.c, "HAPPY=happiness|bird=crane|lift=crane|");
	assert_int_equal(labels_put(p.c, 1, STR("happy"), STR("#2"), &err), OK); /* the same text */
	expect(p.c, "bird=crane|happy=crane|lift=crane|");
	assert_int_equal(labels_put(p.c, 1, STR("x"), STR("crane"), &err), E_USAGE);
	assert_non_null(strstr(err.msg, "several classes"));
	assert_int_equal(labels_put(p.c, 1, STR("x"), STR("#9"), &err), E_USAGE);
	assert_non_null(strstr(err.msg, "there is no class"));
	assert_int_equal(labels_put(p.c, 1, STR("  "), STR("#0"), &err), E_USAGE);
	assert_int_equal(labels_drop(p.c, 1, STR("BIRD"), &err), OK);
	assert_int_equal(labels_drop(p.c, 1, STR("bird"), &err), E_NOT_FOUND);
	expect(p.c, "happy=crane|lift=crane|");
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
	struct err err = ERR_INIT;
	struct snapshot *s;
	struct feed f;

	(void)state;
	put_dataset(&p);
	feed_happy(&p, &f);
	s = must_load(p.c, "d");
	assert_string_equal(answered(p.c, s, "m", "a"), "");
	snapshot_free(s);
	assert_int_equal(labels_put(p.c, 1, STR("HAPPY"), STR("happiness"), &err), OK);
	feed_happy(&p, &f);
	s = must_load(p.c, "d");
	assert_int_equal(s->n_runs, 1);
	assert_string_equal(answered(p.c, s, "m", "a"), "happiness");
	snapshot_free(s);
	place_end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(kept), cmocka_unit_test(imported_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
