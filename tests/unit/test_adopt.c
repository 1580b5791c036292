/* The user's things over a long time: how far undo goes, and what becomes of the overlay when the
 * project can be written again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_user.h"

enum { TINY = 6 };

static void first_things(struct conn *c)
{
	project_exec(c, "INSERT INTO tag VALUES ('tiny', 's0', 'old', '2023-01-01T00:00:00Z'), "
			"('tiny', 's1', 'old', '2023-01-02T00:00:00Z'), "
			"('tiny', 's1', 'two', '2023-01-02T00:00:00Z'), "
			"('tiny', 'gone', 'old', '2023-01-04T00:00:00Z')");
	project_exec(c, "INSERT INTO mark VALUES ('tiny', 's4')");
	project_exec(c, "INSERT INTO note (dataset, sample, text, author, created, changed) VALUES "
			"('tiny', 's1', 'a \"quoted\"\nline', 'bob', '2023-01-01T00:00:00Z', '2023'), "
			"('other', 's1', 'elsewhere', 'bob', '2023-01-01T00:00:00Z', '2023')");
}

/* An edit too many takes the oldest out of the journal, and only of its dataset. */
static void undo_goes_so_far(void **state)
{
	struct user_place *p = *state;
	struct conn *c = project_open(p->path, CONN_WRITE);
	struct user *u = user_of(c, TINY);
	struct err err = ERR_INIT;
	struct user_done done;
	int n = 0;

	project_exec(c, "PRAGMA synchronous = OFF; INSERT INTO journal (id, at, dataset, kind, label, "
			"undo, redo) VALUES (1, '', 'other', 'mark', '', '[]', '[]')");
	for (int i = 0; i < USER_UNDO_MAX + 3; i++)
		must_edit(u, i % 2 ? USER_UNMARK : USER_MARK, ORDS(1), "", 0);
	while (user_undo(u, &done, &err) == OK)
		n++;
	assert_int_equal(err.code, E_NOT_FOUND);
	assert_int_equal(n, USER_UNDO_MAX);
	assert_int_equal(project_int(c, "SELECT count(*) FROM journal WHERE dataset = 'other'"), 1);
	user_close(u);
	conn_close(c);
}

/* A project that can be written again takes over what lies beside it: once, all in one edit. */
static void taken_over(void **state)
{
	struct user_place *p = *state;
	struct conn *c = project_open(p->path, CONN_WRITE);
	struct user *u;
	struct user_note *list;
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct user_done done;
	char *before, *now;
	size_t n;

	first_things(c);
	before = dump_user(c);
	conn_close(c);
	c = project_open(p->path, CONN_READ);
	u = user_of(c, TINY);
	must_edit(u, USER_TAG, ORDS(0, 2), "old", 0); /* the project has it of 0 */
	must_edit(u, USER_TAG, ORDS(5), "fresh", 0);
	must_edit(u, USER_MARK, ORDS(2, 3), "", 0);
	must_edit(u, USER_NOTE, ORDS(1), "my own", 0);
	must_edit(u, USER_NOTE, ORDS(4), "another", 0);
	assert_int_equal(user_adoptable(u, &n, &err), OK);
	assert_int_equal(n, 0);
	user_close(u);
	conn_close(c);

	c = project_open(p->path, CONN_WRITE);
	u = user_of(c, TINY);
	assert_int_equal(user_adoptable(u, &n, &err), OK);
	assert_in_range(n, 5, 6); /* 2 may be marked already */
	assert_int_equal(user_adopt(u, &done, &err), OK);
	assert_non_null(strstr(done.label, "take over"));
	assert_true(user_things(u)->marked[2] && user_things(u)->marked[3]);
	assert_true(user_has_tag(&user_things(u)->tags[0], 5)); /* fresh */
	assert_int_equal(user_notes(u, 4, &list, &n, &arena, &err), OK);
	assert_int_equal(n, 1);
	assert_string_equal(list[0].text.p, "another");
	check_memory(c, u);
	assert_int_equal(user_adoptable(u, &n, &err), OK);
	assert_int_equal(n, 0);
	assert_int_equal(user_adopt(u, &done, &err), E_NOT_FOUND);
	err_clear(&err);
	assert_int_equal(user_undo(u, &done, &err), OK);
	now = dump_user(c);
	assert_string_equal(now, before);
	free(now);
	free(before);
	assert_int_equal(user_adoptable(u, &n, &err), OK);
	assert_int_equal(n, 0); /* it was taken back on purpose */
	user_close(u);
	conn_close(c);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(undo_goes_so_far, user_place_set_up, user_place_tear_down),
	    cmocka_unit_test_setup_teardown(taken_over, user_place_set_up, user_place_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
