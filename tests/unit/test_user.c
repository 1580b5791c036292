/* The user's notes, tags and marks: edits, undo, redo, the overlay, other programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_faults.h"
#include "tests/unit/lib_user.h"

enum { TINY = 6 };

/* --- edits one by one --- */

static const struct edit_row {
	enum user_what what;
	uint32_t ords[TINY];
	size_t n;
	const char *text;
	uint32_t changed; /* of it */
	const char *things; /* afterwards */
} edit_rows[] = {
    {USER_TAG, {0, 1, 4}, 3, "dark", 3, "\nmarked 0 noted 0 seen 0 tags 1\ndark: 0 1 4\n"},
    {USER_TAG, {1, 2}, 2, "dark", 1, "\nmarked 0 noted 0 seen 0 tags 1\ndark: 0 1 2 4\n"},
    {USER_TAG, {1, 2}, 2, "dark", 0, "\nmarked 0 noted 0 seen 0 tags 1\ndark: 0 1 2 4\n"},
    {USER_TAG, {3}, 1, "b\xc3\xa4r", 1,
     "\nmarked 0 noted 0 seen 0 tags 2\nb\xc3\xa4r: 3\ndark: 0 1 2 4\n"},
    {USER_UNTAG, {0, 3, 4}, 3, "dark", 2,
     "\nmarked 0 noted 0 seen 0 tags 2\nb\xc3\xa4r: 3\ndark: 1 2\n"},
    {USER_UNTAG, {3}, 1, "b\xc3\xa4r", 1, "\nmarked 0 noted 0 seen 0 tags 1\ndark: 1 2\n"},
    {USER_UNTAG, {3}, 1, "never", 0, "\nmarked 0 noted 0 seen 0 tags 1\ndark: 1 2\n"},
    {USER_MARK, {2, 5}, 2, "", 2,
     "\nmarked 2 noted 0 seen 0 tags 1\n2: 1 0 0\n5: 1 0 0\ndark: 1 2\n"},
    {USER_UNMARK, {0, 1, 2, 3, 4, 5}, 6, "", 2, "\nmarked 0 noted 0 seen 0 tags 1\ndark: 1 2\n"},
    {USER_NOTE, {1}, 1, "odd light", 1,
     "\nmarked 0 noted 1 seen 0 tags 1\n1: 0 0 1\ndark: 1 2\n"},
    {USER_NOTE, {1, 2}, 2, "two of them", 2,
     "\nmarked 0 noted 2 seen 0 tags 1\n1: 0 0 2\n2: 0 0 1\ndark: 1 2\n"},
};

static void edits(void **state)
{
	struct user_place *p = *state;
	struct conn *c = project_open(p->path, CONN_WRITE);
	struct user *u = user_of(c, TINY);

	for (size_t i = 0; i < sizeof edit_rows / sizeof *edit_rows; i++) {
		const struct edit_row *r = &edit_rows[i];
		char *have;

		assert_int_equal(must_edit(u, r->what, r->ords, r->n, r->text, 0), r->changed);
		have = dump_things(u);
		assert_string_equal(have, r->things);
		free(have);
		check_memory(c, u);
	}
	/* An edit that changes nothing leaves no row behind. */
	assert_int_equal(project_int(c, "SELECT count(*) FROM journal"), 9);
	user_close(u);
	conn_close(c);
}

static void notes(void **state)
{
	struct user_place *p = *state;
	struct conn *c = project_open(p->path, CONN_WRITE);
	struct user *u = user_of(c, TINY);
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct user_note *list;
	size_t n;

	project_exec(c, "INSERT INTO note (dataset, sample, text, author, created, changed) VALUES "
			"('tiny', 's3', 'old', 'bob', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z')");
	must_edit(u, USER_NOTE, ORDS(3), "mine", 0);
	assert_int_equal(user_notes(u, 3, &list, &n, &arena, &err), OK);
	assert_int_equal(n, 2);
	assert_string_equal(list[0].text.p, "old");
	assert_string_equal(list[0].author.p, "bob");
	assert_string_equal(list[1].text.p, "mine");
	assert_string_equal(list[1].author.p, "ada");
	must_edit(u, USER_NOTE, ORDS(3), "changed", list[0].id);
	assert_int_equal(user_notes(u, 3, &list, &n, &arena, &err), OK);
	assert_int_equal(n, 2);
	assert_string_equal(list[0].text.p, "changed");
	assert_string_equal(list[0].created.p, "2024-01-01T00:00:00Z");
	assert_string_not_equal(list[0].changed.p, "2024-01-01T00:00:00Z");
	must_edit(u, USER_UNNOTE, ORDS(3), "", list[0].id);
	assert_int_equal(user_notes(u, 3, &list, &n, &arena, &err), OK);
	assert_int_equal(n, 1);
	assert_string_equal(list[0].text.p, "mine");
	/* A note's number is of one sample only. */
	assert_int_equal(must_edit(u, USER_UNNOTE, ORDS(2), "", list[0].id), 0);
	assert_int_equal(user_notes(u, 2, &list, &n, &arena, &err), OK);
	assert_int_equal(n, 0);
	arena_release(&arena);
	user_close(u);
	conn_close(c);
}

static void refused(void **state)
{
	static const struct {
		enum user_what what;
		uint32_t ords[2];
		size_t n;
		const char *text;
		int64_t note;
	} rows[] = {
	    {USER_TAG, {0}, 1, "", 0},           {USER_TAG, {0}, 1, "two words", 0},
	    {USER_TAG, {0}, 1, "-minus", 0},     {USER_TAG, {0}, 1, "a\tb", 0},
	    {USER_TAG, {0}, 1, "bad\xff", 0},    {USER_UNTAG, {0}, 1, "", 0},
	    {USER_TAG, {0}, 1, "\xe2\x80\xae", 0}, {USER_TAG, {TINY}, 1, "x", 0},
	    {USER_TAG, {2, 1}, 2, "x", 0},       {USER_MARK, {1, 1}, 2, "", 0},
	    {USER_NOTE, {0}, 1, "", 0},          {USER_NOTE, {0}, 1, "bad\xff", 0},
	    {USER_NOTE, {0, 1}, 2, "x", 7},      {USER_UNNOTE, {0, 1}, 2, "", 7},
	};
	struct user_place *p = *state;
	struct conn *c = project_open(p->path, CONN_WRITE);
	struct user *u = user_of(c, TINY);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		/* A good change first: it must not stay behind. */
		struct user_change change[] = {
		    {USER_MARK, ORDS(0), STR_NONE, 0},
		    {rows[i].what, rows[i].ords, rows[i].n, str_z(rows[i].text), rows[i].note}};
		struct err err = ERR_INIT;
		struct user_done done;

		assert_int_equal(user_edit(u, "x", change, 2, &done, &err), E_USAGE);
		assert_true(err.msg[0]);
		assert_int_equal(project_int(c, "SELECT count(*) FROM mark"), 0);
	}
	user_close(u);
	conn_close(c);
}

static void undo_says_what(void **state)
{
	struct user_place *p = *state;
	struct conn *c = project_open(p->path, CONN_WRITE);
	struct user *u = user_of(c, TINY);
	struct user_change change[] = {{USER_TAG, ORDS(1, 2, 3), STR("blurry"), 0},
				       {USER_UNMARK, ORDS(2, 3, 4), STR_NONE, 0}};
	struct err err = ERR_INIT;
	struct user_done done;

	assert_int_equal(user_undo(u, &done, &err), E_NOT_FOUND);
	must_edit(u, USER_MARK, ORDS(2, 3, 4), "", 0);
	assert_int_equal(user_edit(u, "tag 3 samples: blurry", change, 2, &done, &err), OK);
	assert_int_equal(done.n, 4);
	assert_int_equal(done.first, 1);
	user_close(u);
	conn_close(c);
	c = project_open(p->path, CONN_WRITE);
	u = user_of(c, TINY);
	assert_int_equal(user_undo(u, &done, &err), OK);
	assert_string_equal(done.label, "tag 3 samples: blurry");
	assert_int_equal(done.n, 4);
	assert_int_equal(user_things(u)->n_marked, 3);
	assert_int_equal(user_things(u)->n_tags, 0);
	err_clear(&err);
	assert_int_equal(user_redo(u, &done, &err), OK);
	assert_string_equal(done.label, "tag 3 samples: blurry");
	assert_int_equal(user_redo(u, &done, &err), E_NOT_FOUND);
	assert_int_equal(user_undo(u, &done, &err), OK);
	must_edit(u, USER_MARK, ORDS(0), "", 0); /* drops what was undone */
	assert_int_equal(user_redo(u, &done, &err), E_NOT_FOUND);
	check_memory(c, u);
	user_close(u);
	conn_close(c);
}

/* --- any edits --- */

struct random {
	uint64_t s;
};

static uint32_t below(struct random *r, uint32_t n)
{
	r->s = r->s * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(r->s >> 33) % n;
}

static void first_things(struct conn *c)
{
	project_exec(c, "INSERT INTO tag VALUES ('tiny', 's0', 'old', '2023-01-01T00:00:00Z'), "
			"('tiny', 's1', 'old', '2023-01-02T00:00:00Z'), "
			"('tiny', 's1', 'two', '2023-01-02T00:00:00Z'), "
			"('other', 's1', 'old', '2023-01-03T00:00:00Z'), "
			"('tiny', 'gone', 'old', '2023-01-04T00:00:00Z')");
	project_exec(c, "INSERT INTO mark VALUES ('tiny', 's4'), ('other', 's2')");
	project_exec(c, "INSERT INTO note (dataset, sample, text, author, created, changed) VALUES "
			"('tiny', 's1', 'a \"quoted\"\nline', 'bob', '2023-01-01T00:00:00Z', '2023'), "
			"('other', 's1', 'elsewhere', 'bob', '2023-01-01T00:00:00Z', '2023')");
}

static void change_a_note(struct random *r, struct user *u, uint32_t ord, const char *text)
{
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct user_note *list;
	size_t n;

	assert_int_equal(user_notes(u, ord, &list, &n, &arena, &err), OK);
	if (n) {
		int64_t id = list[below(r, (uint32_t)n)].id;

		must_edit(u, below(r, 2) ? USER_NOTE : USER_UNNOTE, &ord, 1, text, id);
	}
	arena_release(&arena);
}

static void any_edit(struct random *r, struct user *u)
{
	static const char *const tags[] = {"old", "two", "three", "\xe2\x9c\x93"};
	static const char *const texts[] = {"x", "a\\b", "\"", "l\xc3\xa4nger\nmit Zeile"};
	uint32_t ords[TINY], what = below(r, 7);
	size_t n = 0;

	for (uint32_t i = 0; i < TINY; i++)
		if (below(r, 2))
			ords[n++] = i;
	if (what == 6)
		change_a_note(r, u, below(r, TINY), texts[below(r, 4)]);
	else if (what == USER_UNNOTE)
		what = USER_MARK;
	if (what < 6)
		must_edit(u, (enum user_what)what, ords, n,
			  what <= USER_UNTAG ? tags[below(r, 4)] : texts[below(r, 4)], 0);
}

static unsigned all_the_way(struct user *u, bool back)
{
	struct user_done done;
	struct err err = ERR_INIT;
	unsigned n = 0;

	while ((back ? user_undo : user_redo)(u, &done, &err) == OK)
		n++;
	assert_int_equal(err.code, E_NOT_FOUND);
	return n;
}

static void any_edits_and_back(void **state)
{
	struct user_place *p = *state;
	struct random r = {20240613};
	struct conn *c = project_open(p->path, CONN_WRITE);
	struct user_done done;
	struct user *u;
	char *initial, *final, *now;
	unsigned n;

	first_things(c);
	project_exec(c, "PRAGMA synchronous = OFF");
	initial = dump_user(c);
	u = user_of(c, TINY);
	for (int i = 0; i < 400; i++) {
		struct err err = ERR_INIT;
		uint32_t what = below(&r, 10);

		if (what < 6)
			any_edit(&r, u);
		else if (what < 8)
			user_undo(u, &done, &err);
		else if (what < 9)
			user_redo(u, &done, &err);
		check_memory(c, u);
		if (what == 9 && below(&r, 4) == 0) {
			user_close(u);
			conn_close(c);
			c = project_open(p->path, CONN_WRITE);
			project_exec(c, "PRAGMA synchronous = OFF");
			u = user_of(c, TINY);
		}
	}
	all_the_way(u, false);
	final = dump_user(c);
	n = all_the_way(u, true);
	assert_true(n > 60);
	now = dump_user(c);
	assert_string_equal(now, initial);
	free(now);
	user_close(u);
	conn_close(c);
	c = project_open(p->path, CONN_WRITE);
	u = user_of(c, TINY);
	assert_int_equal(all_the_way(u, false), n);
	now = dump_user(c);
	assert_string_equal(now, final);
	check_memory(c, u);
	free(now);
	free(initial);
	free(final);
	user_close(u);
	conn_close(c);
}

static void a_damaged_journal(void **state)
{
	static const char *const rows[] = {
	    "",  "{}",  "[1]",	"[{}]",	"[{\"do\":\"mark\"}]",
	    "[{\"do\":\"mark\",\"samples\":\"\"}]", "[{\"do\":\"mark\",\"samples\":\"9\"}]",
	    "[{\"do\":\"mark\",\"samples\":\"3-1\"}]", "[{\"do\":\"mark\",\"samples\":\"1,1\"}]",
	    "[{\"do\":\"mark\",\"samples\":\"0-4294967296\"}]",
	    "[{\"do\":\"mark\",\"samples\":\"0-\"}]", "[{\"do\":\"fly\",\"samples\":\"0\"}]",
	    "[{\"do\":\"tag\",\"samples\":\"0\"}]",
	    "[{\"do\":\"note\",\"samples\":\"0\",\"text\":\"x\"}]",
	    "[{\"do\":\"note\",\"samples\":\"0\",\"id\":-1}]",
	    "[{\"do\":\"mark\",\"samples\":\"0\"},{\"do\":\"mark\",\"samples\":\"x\"}]",
	};
	struct user_place *p = *state;
	struct conn *c = project_open(p->path, CONN_WRITE);
	struct user *u = user_of(c, TINY);
	char *before;

	must_edit(u, USER_TAG, ORDS(0, 1), "x", 0);
	before = dump_user(c);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err err = ERR_INIT;
		struct user_done done;
		char *sql = sqlite3_mprintf("UPDATE journal SET undo = %Q", rows[i]), *now;

		project_exec(c, sql);
		sqlite3_free(sql);
		if (user_undo(u, &done, &err) != E_FORMAT || !strstr(err.msg, "journal"))
			fail_msg("%s: %s", rows[i], err.msg);
		now = dump_user(c);
		assert_string_equal(now, before);
		free(now);
		check_memory(c, u);
	}
	free(before);
	user_close(u);
	conn_close(c);
}

/* --- many samples --- */

static void many_samples(void **state)
{
	enum { MANY = 50000 };
	struct user_place *p = *state;
	char *path = project_file(p->folder, "long.qualm");
	uint32_t *ords = xcalloc(MANY, sizeof *ords);
	struct user_change change[2] = {{USER_TAG, ords, MANY, STR("all"), 0},
					{USER_NOTE, ords, 1000, STR("the same"), 0}};
	struct err err = ERR_INIT;
	struct user_done done;
	struct conn *c;
	struct user *u;
	clock_t from;

	project_make_long(path, MANY);
	c = project_open(path, CONN_WRITE);
	u = user_of(c, MANY);
	for (uint32_t i = 0; i < MANY; i++)
		ords[i] = i;
	from = clock();
	assert_int_equal(user_edit(u, "many", change, 2, &done, &err), OK);
	assert_int_equal(done.n, MANY);
	assert_true(project_int(c, "SELECT length(undo) + length(redo) FROM journal") < 500);
	assert_int_equal(user_undo(u, &done, &err), OK);
	assert_int_equal(project_int(c, "SELECT (SELECT count(*) FROM tag) + count(*) FROM note"), 0);
	assert_int_equal(user_redo(u, &done, &err), OK);
	printf("# %d samples tagged, undone, tagged again: %.2f s\n", MANY,
	       (double)(clock() - from) / CLOCKS_PER_SEC);
	check_memory(c, u);
	assert_int_equal(user_things(u)->tags[0].n, MANY);
	assert_int_equal(user_things(u)->n_noted, 1000);
	user_close(u);
	conn_close(c);
	free(ords);
	free(path);
}

/* --- others --- */

static void another_program(void **state)
{
	struct user_place *p = *state;
	struct conn *c = project_open(p->path, CONN_WRITE), *d = project_open(p->path, CONN_WRITE);
	struct user *u = user_of(c, TINY), *v = user_of(d, TINY);
	struct err err = ERR_INIT;
	struct user_done done;
	bool changed;

	must_edit(u, USER_TAG, ORDS(0, 1), "x", 0);
	must_edit(u, USER_NOTE, ORDS(1), "seen by both", 0);
	assert_int_equal(user_refresh(u, &changed, &err), OK);
	assert_false(changed);
	assert_int_equal(user_refresh(v, &changed, &err), OK);
	assert_true(changed);
	check_memory(d, v);
	/* What the other did in the meantime is no part of the edit, and comes to light with it. */
	must_edit(v, USER_TAG, ORDS(2), "x", 0);
	assert_int_equal(must_edit(u, USER_TAG, ORDS(1, 2, 3), "x", 0), 1);
	assert_int_equal(user_refresh(u, &changed, &err), OK);
	check_memory(c, u);
	/* One journal for both. */
	assert_int_equal(user_undo(v, &done, &err), OK);
	assert_int_equal(user_refresh(u, &changed, &err), OK);
	assert_false(user_has_tag(&user_things(u)->tags[0], 3));
	assert_true(user_has_tag(&user_things(u)->tags[0], 2));
	user_close(u);
	user_close(v);
	conn_close(c);
	conn_close(d);
}

struct waiting {
	struct conn *holder;
	int64_t give_up_at, ends_at;
	int calls;
	int64_t last;
};

static bool while_waiting(void *ctx, int64_t waited)
{
	struct waiting *w = ctx;

	assert_true(waited >= w->last);
	w->last = waited;
	w->calls++;
	if (w->ends_at && waited >= w->ends_at && w->holder) {
		project_exec(w->holder, "COMMIT");
		w->holder = NULL;
	}
	return !w->give_up_at || waited < w->give_up_at;
}

static void waits_for_a_writer(void **state)
{
	struct user_place *p = *state;
	struct conn *c = project_open(p->path, CONN_WRITE), *d = project_open(p->path, CONN_WRITE);
	struct user *u = user_of(c, TINY);
	struct user_change change = {USER_MARK, ORDS(3), STR_NONE, 0};
	struct waiting w = {.holder = d, .give_up_at = 120};
	struct err err = ERR_INIT;
	struct user_done done;

	conn_set_wait(c, while_waiting, &w);
	project_exec(d, "BEGIN IMMEDIATE");
	assert_int_equal(user_edit(u, "x", &change, 1, &done, &err), E_BUSY);
	assert_true(w.calls > 3);
	assert_int_equal(user_things(u)->n_marked, 0);
	w = (struct waiting){.holder = d};
	user_see(u, 2); /* nobody waits for this one */
	assert_int_equal(user_keep_seen(u, &err), E_BUSY);
	assert_int_equal(w.calls, 0);
	w = (struct waiting){.holder = d, .ends_at = 120};
	err_clear(&err);
	assert_int_equal(user_edit(u, "x", &change, 1, &done, &err), OK);
	assert_true(w.calls > 3);
	assert_int_equal(user_keep_seen(u, &err), OK);
	assert_int_equal(project_int(c, "SELECT count(*) FROM seen WHERE sample = 's2'"), 1);
	check_memory(c, u);
	user_close(u);
	conn_close(c);
	conn_close(d);
}

static void read_only_project(void **state)
{
	struct user_place *p = *state;
	struct conn *c = project_open(p->path, CONN_WRITE);
	struct user *u;
	struct user_note *list;
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct user_done done;
	char *theirs, *now;
	size_t n;

	first_things(c);
	theirs = dump_user(c);
	conn_close(c);
	c = project_open(p->path, CONN_READ);
	u = user_of(c, TINY);
	assert_int_equal(user_undo(u, &done, &err), E_NOT_FOUND);
	assert_int_equal(user_things(u)->n_marked, 0);
	assert_int_equal(user_things(u)->n_tags, 2);
	assert_int_equal(must_edit(u, USER_TAG, ORDS(1, 2), "old", 0), 2);
	assert_int_equal(must_edit(u, USER_MARK, ORDS(1, 2), "", 0), 2);
	assert_int_equal(must_edit(u, USER_NOTE, ORDS(1), "my own", 0), 1);
	check_memory(c, u);
	user_close(u);
	conn_close(c);

	c = project_open(p->path, CONN_READ);
	u = user_of(c, TINY);
	now = dump_things(u);
	assert_string_equal(now, "\nmarked 2 noted 1 seen 0 tags 2\n1: 1 0 2\n2: 1 0 0\n"
				 "old: 0 1 2\ntwo: 1\n");
	free(now);
	assert_int_equal(user_notes(u, 1, &list, &n, &arena, &err), OK);
	assert_int_equal(n, 2);
	assert_true(list[0].fixed);
	assert_false(list[1].fixed);
	assert_string_equal(list[1].text.p, "my own");
	/* What is the project's cannot be taken away; one's own can, and the project's stays. */
	assert_int_equal(must_edit(u, USER_UNTAG, ORDS(0), "old", 0), 0);
	assert_int_equal(must_edit(u, USER_UNTAG, ORDS(1), "old", 0), 1);
	assert_true(user_has_tag(&user_things(u)->tags[0], 1));
	assert_int_equal(all_the_way(u, true), 4);
	check_memory(c, u);
	now = dump_user(c);
	assert_string_equal(now, theirs);
	free(now);
	free(theirs);
	arena_release(&arena);
	user_close(u);
	conn_close(c);
}

static void seen(void **state)
{
	struct user_place *p = *state;
	struct conn *c = project_open(p->path, CONN_WRITE);
	struct user *u = user_of(c, TINY);
	struct err err = ERR_INIT;

	user_see(u, 4);
	user_see(u, 1);
	user_see(u, 4);
	user_see(u, TINY);
	assert_int_equal(user_things(u)->n_seen, 2);
	assert_int_equal(project_int(c, "SELECT count(*) FROM seen"), 0);
	assert_int_equal(user_keep_seen(u, &err), OK);
	assert_int_equal(project_int(c, "SELECT count(*) FROM seen"), 2);
	assert_int_equal(project_int(c, "SELECT count(*) FROM journal"), 0);
	check_memory(c, u);
	user_close(u);
	conn_close(c);
}

/* --- writes that fail --- */

static void (*const fail_how[])(unsigned long) = {faults_fail_write_at, faults_fail_writes_from};

static enum status act(struct user *u, int what, struct err *err)
{
	struct user_change change[] = {{USER_TAG, ORDS(0, 1, 2, 3), STR("x"), 0},
				       {USER_UNMARK, ORDS(4), STR_NONE, 0},
				       {USER_NOTE, ORDS(1, 5), STR("a note"), 0}};
	struct user_done done;

	return what == 0   ? user_edit(u, "x", change, 3, &done, err)
	       : what == 1 ? user_undo(u, &done, err)
			   : user_redo(u, &done, err);
}

/* The file is as before or as after, never between, and memory says the same. */
static bool one_fault(const char *path, int what, size_t how, unsigned long n)
{
	struct conn *c = project_open(path, CONN_WRITE);
	struct user *u = user_of(c, TINY);
	char *before = dump_user(c), *after, *things = dump_things(u), *now;
	struct err err = ERR_INIT;
	enum status st;
	bool hit;

	fail_how[how](n);
	st = act(u, what, &err);
	hit = faults_hit();
	faults_fail_write_at(0);
	now = dump_things(u);
	if (st != OK) {
		assert_true(err.msg[0]);
		assert_string_equal(now, things);
	}
	user_close(u);
	conn_close(c);
	c = project_open(path, CONN_WRITE);
	u = user_of(c, TINY);
	after = dump_user(c);
	if (st != OK)
		assert_string_equal(after, before);
	else
		assert_string_not_equal(after, before);
	if (st == OK)
		assert_int_equal(act(u, what == 1 ? 2 : 1, &err), OK);
	free(now), free(before), free(after), free(things);
	user_close(u);
	conn_close(c);
	return hit;
}

static void writes_that_fail(void **state)
{
	struct user_place *p = *state;
	struct conn *c = project_open(p->path, CONN_WRITE);
	struct err err = ERR_INIT;
	struct user *u;

	first_things(c);
	conn_close(c);
	faults_install();
	for (int what = 0; what < 3; what++) {
		c = project_open(p->path, CONN_WRITE);
		u = user_of(c, TINY);
		if (what == 1) /* something to undo; later the undone state is something to redo */
			assert_int_equal(act(u, 0, &err), OK);
		if (what == 2)
			assert_int_equal(act(u, 1, &err), OK);
		user_close(u);
		conn_close(c);
		for (size_t how = 0; how < 2; how++) {
			unsigned long n = 0;

			while (one_fault(p->path, what, how, ++n))
				;
			assert_true(n > 4);
		}
	}
	faults_remove();
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, user_place_set_up, user_place_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(edits),          TEST(notes),		 TEST(refused),
	    TEST(undo_says_what), TEST(any_edits_and_back), TEST(a_damaged_journal),
	    TEST(many_samples),   TEST(another_program), TEST(waits_for_a_writer),
	    TEST(read_only_project), TEST(seen),	 TEST(writes_that_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
