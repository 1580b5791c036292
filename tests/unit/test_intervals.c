/* The intervals of a table that is shown already. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/report/intervals.h"
#include "tests/unit/lib_screen.h"
#include "tui/view/tables.h"

#define MANY 400

/* A table of MANY groups whose intervals are not there yet. */
static struct intervals *many_groups(struct table *t)
{
	struct intervals *s = xcalloc(1, sizeof *s);

	table_init(t, "many");
	s->seed = 5;
	s->lo = table_column(t, "lo", "lo", TABLE_SHARE, BEST_NONE, "");
	s->hi = table_column(t, "hi", "hi", TABLE_SHARE, BEST_NONE, "");
	for (uint64_t k = 0; k < MANY; k++) {
		struct interval v = {.row = table_row(t), .f = {100, 10 + k % 50, 30, 20}};

		vec_push(&s->v, v);
	}
	for (size_t k = 0; k < MANY; k++)
		if (k)
			intervals_await(s, k, t);
	return s;
}

static void count_calls(void *owner)
{
	++*(int *)owner;
}

static size_t waiting(const struct table *t)
{
	size_t n = 0;

	for (size_t k = 0; k < t->cells.n; k++)
		n += t->cells.v[k].later;
	return n;
}

static void intervals_come_in_the_background(void **state)
{
	struct screen *f = *state;
	struct table t, again;
	struct intervals *s = many_groups(&t);
	int calls = 0;

	tables_intervals_start(&f->app, s, &t, count_calls, &calls);
	assert_int_equal(calls, 0);
	assert_int_equal(f->app.meters.n, 1);
	assert_int_equal(waiting(&t), 2 * (MANY - 1)); /* the numbers are there at once, but these */
	pool_settle(f->app.pool);
	assert_int_equal(calls, 1);
	assert_int_equal(waiting(&t), 0);
	assert_int_equal(f->app.meters.n, 0);
	s = many_groups(&again);
	for (size_t k = 1; k < MANY; k++) {
		intervals_make(s, k);
		assert_true(table_look(&t, k, 0)->number == s->v.v[k].lo);
		assert_true(table_look(&t, k, 1)->number == s->v.v[k].hi);
	}
	intervals_free(s);
	table_release(&t);
	table_release(&again);
}

/* The same numbers again, in another order: what was made is there at once, and the same. */
static void intervals_are_remembered(void **state)
{
	struct screen *f = *state;
	struct intervals *s;
	struct table t, again;
	int calls = 0;

	tables_intervals_start(&f->app, many_groups(&t), &t, count_calls, &calls);
	pool_settle(f->app.pool);
	s = many_groups(&again);
	for (size_t k = 1; k < MANY / 2; k++) {
		struct interval v = s->v.v[k];

		s->v.v[k] = s->v.v[MANY - k];
		s->v.v[MANY - k] = v;
	}
	s->v.v[7].f.only_a = 1000; /* but one */
	calls = 0;
	tables_intervals_recall(&f->app, s, &again);
	assert_int_equal(waiting(&again), 2);
	tables_intervals_start(&f->app, s, &again, count_calls, &calls);
	assert_int_equal(calls, 1);
	assert_int_equal(f->app.meters.n, 0);
	assert_int_equal(waiting(&again), 0);
	for (size_t k = 1; k < MANY; k++) {
		bool same = table_look(&again, k, 0)->number == table_look(&t, k, 0)->number &&
			    table_look(&again, k, 1)->number == table_look(&t, k, 1)->number;

		assert_int_equal(same, k != MANY - 7);
	}
	table_release(&again);
	s = many_groups(&again); /* another seed draws others */
	s->seed = 6;
	assert_false(intervals_recall(f->app.intervals_known, s, 1));
	intervals_free(s);
	table_release(&t);
	table_release(&again);
}

static void intervals_are_stopped(void **state)
{
	struct screen *f = *state;
	struct table t;
	int calls = 0;

	tables_intervals_start(&f->app, many_groups(&t), &t, count_calls, &calls);
	app_exec(&f->app, STR("cancel"));
	pool_settle(f->app.pool);
	assert_int_equal(calls, 0);
	assert_int_equal(f->app.meters.n, 0);
	assert_true(waiting(&t) > 0);
	table_give_up(&t);
	assert_int_equal(waiting(&t), 0);
	table_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(intervals_come_in_the_background, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(intervals_are_remembered, screen_set_up, screen_tear_down),
	    cmocka_unit_test_setup_teardown(intervals_are_stopped, screen_set_up, screen_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
