/* Opening, making and refusing project files; versions; statements; settings. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "db/conn_impl.h"
#include "db/store.h"
#include "db/user.h"
#include "tests/unit/lib_faults.h"
#include "tests/unit/lib_project.h"

struct place {
	char *folder, *file;
};

static int set_up(void **state)
{
	struct place *p = xcalloc(1, sizeof *p);

	p->folder = project_folder();
	p->file = project_file(p->folder, "p.qualm");
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	struct place *p = *state;

	free(p->file);
	project_remove(p->folder);
	free(p);
	return 0;
}

static void write_file(const char *path, const void *data, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static void plain_sql(const char *path, const char *sql)
{
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void refused(const char *path, enum conn_mode mode, enum status want, const char *words)
{
	struct err err = ERR_INIT;
	struct conn *c = NULL;
	enum status st = conn_open(&c, path, mode, &err);

	assert_null(c);
	if (st != want || err.code != want || !strstr(err.msg, words))
		fail_msg("status %d instead of %d, \"%s\" without \"%s\"", st, want, err.msg, words);
}

static void makes_and_opens_again(void **state)
{
	struct place *p = *state;
	struct conn *c = project_open(p->file, CONN_CREATE);
	char uuid[64];

	assert_true(conn_is_new(c));
	assert_false(conn_read_only(c));
	assert_string_equal(conn_path(c), p->file);
	snprintf(uuid, sizeof uuid, "%s", conn_uuid(c));
	assert_int_equal(strlen(uuid), 36);
	assert_int_equal(uuid[14], '4');
	assert_int_equal(project_int(c, "PRAGMA page_size"), 65536);
	assert_int_equal(project_int(c, "PRAGMA application_id"), PROJECT_APPLICATION_ID);
	assert_int_equal(project_int(c, "PRAGMA user_version"), PROJECT_VERSION);
	/* Neither shared memory nor maps, which network file systems do not keep together. */
	assert_int_equal(project_int(c, "SELECT journal_mode = 'delete' FROM pragma_journal_mode"), 1);
	assert_int_equal(project_int(c, "PRAGMA mmap_size"), 0);
	assert_int_equal(project_int(c, "PRAGMA trusted_schema"), 0);
	assert_int_equal(project_int(c, "PRAGMA foreign_keys"), 1);
	conn_close(c);
	c = project_open(p->file, CONN_WRITE);
	assert_false(conn_is_new(c));
	assert_string_equal(conn_uuid(c), uuid);
	conn_close(c);
	c = project_open(p->file, CONN_READ);
	assert_true(conn_read_only(c));
	conn_close(c);
	conn_close(NULL);
}

static void two_projects_differ(void **state)
{
	struct place *p = *state;
	char *other = project_file(p->folder, "q.qualm");
	struct conn *a = project_open(p->file, CONN_CREATE), *b = project_open(other, CONN_CREATE);

	assert_string_not_equal(conn_uuid(a), conn_uuid(b));
	conn_close(a);
	conn_close(b);
	free(other);
}

static void missing(void **state)
{
	struct place *p = *state;
	char *deep = project_file(p->folder, "no/such/p.qualm");

	refused(p->file, CONN_READ, E_NOT_FOUND, "there is no project");
	refused(p->file, CONN_WRITE, E_NOT_FOUND, "there is no project");
	refused(deep, CONN_CREATE, E_IO, "No such file");
	assert_int_not_equal(access(p->file, F_OK), 0);
	free(deep);
}

static void empty_file(void **state)
{
	struct place *p = *state;
	struct conn *c;

	write_file(p->file, "", 0);
	refused(p->file, CONN_READ, E_FORMAT, "is empty");
	refused(p->file, CONN_WRITE, E_FORMAT, "is empty");
	c = project_open(p->file, CONN_CREATE);
	assert_true(conn_is_new(c));
	conn_close(c);
}

static void foreign_files(void **state)
{
	static const char *const sql[] = {
	    "CREATE TABLE t (a)",
	    "PRAGMA application_id = 1234",
	    "CREATE TABLE t (a); PRAGMA application_id = 1234; PRAGMA user_version = 1",
	    "CREATE TABLE t (a); PRAGMA user_version = 1",
	};
	struct place *p = *state;
	char text[3000];

	memset(text, 'x', sizeof text);
	for (int mode = CONN_READ; mode <= CONN_CREATE; mode++) {
		for (size_t n = 1; n <= sizeof text; n += 997) {
			write_file(p->file, text, n);
			refused(p->file, (enum conn_mode)mode, E_FORMAT, "not a qualm project");
		}
		for (size_t i = 0; i < sizeof sql / sizeof *sql; i++) {
			unlink(p->file);
			plain_sql(p->file, sql[i]);
			refused(p->file, (enum conn_mode)mode, E_FORMAT, "not a qualm project");
		}
		refused(p->folder, (enum conn_mode)mode, E_FORMAT, "is not a file");
	}
	unlink(p->file);
	assert_int_equal(mkfifo(p->file, 0600), 0);
	refused(p->file, CONN_WRITE, E_FORMAT, "is not a file");
}

static void newer_version(void **state)
{
	struct place *p = *state;

	project_make_tiny(p->file, 0);
	plain_sql(p->file, "PRAGMA user_version = 99");
	for (int mode = CONN_READ; mode <= CONN_CREATE; mode++)
		refused(p->file, (enum conn_mode)mode, E_NEWER, "newer qualm");
}

static void cut_and_scratched_files(void **state)
{
	static const char *const damage[] = {
	    "UPDATE meta SET value = '../../../../etc/passwd0000000000000000' WHERE key = 'uuid'",
	    "UPDATE meta SET value = NULL WHERE key = 'uuid'",
	    "DELETE FROM meta",
	};
	struct place *p = *state;

	for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
		unlink(p->file);
		project_make_tiny(p->file, 0);
		plain_sql(p->file, damage[i]);
		refused(p->file, CONN_WRITE, E_FORMAT, "uuid");
	}
	unlink(p->file);
	project_make_tiny(p->file, 0);
	plain_sql(p->file, "DROP TABLE meta");
	refused(p->file, CONN_READ, E_FORMAT, "no such table");
	unlink(p->file);
	project_make_tiny(p->file, 0);
	assert_int_equal(truncate(p->file, 16384), 0);
	refused(p->file, CONN_READ, E_FORMAT, "damaged");
}

/* --- versions --- */

/* Tables with their columns and indices with theirs: what a program can notice of a schema. */
static char *schema_of(struct conn *c)
{
	static const char sql[] =
	    "SELECT m.name || ' ' || x.cid || ' ' || x.name || ' ' || x.type || ' ' || x.\"notnull\" "
	    "|| ' ' || coalesce(x.dflt_value, '-') || ' ' || x.pk FROM sqlite_schema m, "
	    "pragma_table_xinfo(m.name) x WHERE m.type = 'table' UNION ALL "
	    "SELECT m.tbl_name || ' index ' || l.\"unique\" || ' ' || i.seqno || ' ' || i.name "
	    "FROM sqlite_schema m, pragma_index_list(m.tbl_name) l, pragma_index_info(l.name) i "
	    "WHERE m.type = 'index' AND l.name = m.name ORDER BY 1";
	struct buf b = BUF_INIT;
	sqlite3_stmt *s = NULL;

	assert_int_equal(sqlite3_prepare_v2(stmt_db(c), sql, -1, &s, NULL), SQLITE_OK);
	while (sqlite3_step(s) == SQLITE_ROW)
		buf_printf(&b, "%s\n", (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	return buf_take(&b);
}

#define META "CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;"

/* What versions 1, 2, … of a ladder made from nothing, in the days when they were the newest. */
struct history {
	struct ladder ladder;
	const char *const *schemas;
};

static void every_version_climbs(const struct history *h)
{
	char *folder = project_folder(), *path = project_file(folder, "p.qualm"), *want, *got;
	struct err err = ERR_INIT;
	struct conn *c = NULL;

	assert_int_equal(conn_open_ladder(&c, path, CONN_CREATE, &h->ladder, &err), OK);
	want = schema_of(c);
	assert_true(strlen(want) > 20);
	conn_close(c);
	for (int v = 1; v <= h->ladder.version; v++) {
		struct ladder old = {v, h->schemas[v - 1], h->ladder.steps, 0};

		unlink(path);
		assert_int_equal(conn_open_ladder(&c, path, CONN_CREATE, &old, &err), OK);
		conn_close(c);
		c = NULL;
		if (v < h->ladder.version) {
			bool readable = h->ladder.readable && v >= h->ladder.readable;

			assert_int_equal(conn_open_ladder(&c, path, CONN_READ, &h->ladder, &err),
					 readable ? OK : E_UNSUPPORTED);
			if (readable)
				assert_int_equal(project_int(c, "PRAGMA user_version"), v);
			else
				assert_non_null(strstr(err.msg, "older qualm"));
			conn_close(c);
			c = NULL;
		}
		err_clear(&err);
		if (conn_open_ladder(&c, path, CONN_WRITE, &h->ladder, &err) != OK)
			fail_msg("version %d: %s", v, err.msg);
		assert_false(conn_is_new(c));
		assert_int_equal(project_int(c, "PRAGMA user_version"), h->ladder.version);
		got = schema_of(c);
		assert_string_equal(got, want);
		free(got);
		conn_close(c);
	}
	free(want);
	free(path);
	project_remove(folder);
}

static const struct embedded fake_steps[] = {
    {"migrate-10", "THIS IS NEVER RUN"},
    {"migrate-2", "ALTER TABLE t ADD COLUMN b INTEGER NOT NULL DEFAULT 0;"},
    {"migrate-3", "CREATE TABLE u (x); CREATE INDEX t_b ON t (b);"},
    {NULL, NULL},
};
static const char *const fake_schemas[] = {
    META "CREATE TABLE t (a INTEGER PRIMARY KEY);",
    META "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER NOT NULL DEFAULT 0);",
    META "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER NOT NULL DEFAULT 0);"
	 "CREATE TABLE u (x); CREATE INDEX t_b ON t (b);",
};

static void a_ladder_of_three_climbs(void **state)
{
	const struct history fake = {{3, fake_schemas[2], fake_steps, 0}, fake_schemas},
			     half = {{3, fake_schemas[2], fake_steps, 2}, fake_schemas};

	(void)state;
	every_version_climbs(&fake);
	every_version_climbs(&half);
}

static void the_projects_own_ladder_climbs(void **state)
{
	/* Version 2 has the tables of version 1. When version 3 comes, today's schema.sql takes their
	 * places in this list. */
	const char *const schemas[PROJECT_VERSION] = {project_ladder.schema, project_ladder.schema};
	const struct history own = {project_ladder, schemas};
	size_t steps = 0;

	(void)state;
	while (project_ladder.steps[steps].name)
		steps++;
	assert_int_equal(steps, PROJECT_VERSION - 1);
	assert_ptr_equal(schemas[PROJECT_VERSION - 1], project_ladder.schema);
	every_version_climbs(&own);
}

static void a_failed_climb_changes_nothing(void **state)
{
	static const struct embedded steps[] = {
	    {"migrate-2", "ALTER TABLE t ADD COLUMN b; INSERT INTO nowhere VALUES (1);"},
	    {NULL, NULL},
	};
	static const struct embedded none[] = {{NULL, NULL}};
	const struct ladder old = {1, fake_schemas[0], none, 0}, broken = {2, fake_schemas[1], steps, 0},
			    gap = {2, fake_schemas[1], none, 0};
	struct place *p = *state;
	struct err err = ERR_INIT;
	struct conn *c = NULL;
	char *want, *got;

	assert_int_equal(conn_open_ladder(&c, p->file, CONN_CREATE, &old, &err), OK);
	want = schema_of(c);
	conn_close(c);
	c = NULL;
	assert_int_equal(conn_open_ladder(&c, p->file, CONN_WRITE, &broken, &err), E_DB);
	assert_non_null(strstr(err.msg, "cannot be brought to project version 2"));
	assert_int_equal(conn_open_ladder(&c, p->file, CONN_WRITE, &gap, &err), E_UNSUPPORTED);
	assert_null(c);
	assert_int_equal(conn_open_ladder(&c, p->file, CONN_WRITE, &old, &err), OK);
	got = schema_of(c);
	assert_string_equal(got, want);
	assert_int_equal(project_int(c, "PRAGMA user_version"), 1);
	free(got);
	free(want);
	conn_close(c);
}

static void an_id_without_a_schema_is_blank(void **state)
{
	struct place *p = *state;
	struct conn *c;
	char sql[64];

	snprintf(sql, sizeof sql, "PRAGMA application_id = %d", PROJECT_APPLICATION_ID);
	plain_sql(p->file, sql);
	refused(p->file, CONN_WRITE, E_FORMAT, "is empty");
	c = project_open(p->file, CONN_CREATE);
	assert_true(conn_is_new(c));
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample"), 0);
	conn_close(c);
}

/* --- statements, transactions --- */

/* In the middle of an import, when the stage is there that some of them speak of. */
static void every_statement_prepares(void **state)
{
	const struct read_options options = {0};
	struct place *p = *state;
	struct err error = ERR_INIT;
	struct report report;
	struct store *store;
	struct conn *c;

	project_make_tiny(p->file, 0);
	c = project_open(p->file, CONN_WRITE);
	report_init(&report, "file", NULL);
	assert_int_equal(store_begin(&store, c, STR("tiny"), &options, &report, NULL, &error), OK);
	for (int i = 0; i < N_STMTS; i++) {
		struct err err = ERR_INIT;
		sqlite3_stmt *s = stmt_get(c, (enum stmt_id)i, &err);

		if (!s)
			fail_msg("%s: %s", stmt_name[i], err.msg);
		assert_ptr_equal(stmt_get(c, (enum stmt_id)i, &err), s);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(stmt_name[i], stmt_name[j]);
	}
	store_abort(store);
	report_release(&report);
	conn_close(c);
}

/* What is read for every frame must not look at every sample. */
static void plans_of_fetches_use_an_index(void **state)
{
	static const struct {
		enum stmt_id id;
		const char *want;
	} plans[] = {
	    {STMT_SAMPLE_RANGE, "SEARCH sample USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"},
	    {STMT_SAMPLE_BY_KEY, "SEARCH sample USING COVERING INDEX sample_key (dataset=? AND key=?)"},
	    {STMT_SEARCH_ROWS, "SEARCH sample USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"},
	    {STMT_CHUNK_AT, "SEARCH chunk USING INDEX chunk_place (run=? AND field=? AND start<?)"},
	    {STMT_SEARCH_CHUNKS, "SEARCH chunk USING COVERING INDEX chunk_place (run=? AND field=?)"},
	    {STMT_SEARCH_CHUNK, "SEARCH chunk USING INTEGER PRIMARY KEY (rowid=?)"},
	    {STMT_SEARCH_LAST, "SEARCH chunk USING INDEX chunk_place (run=? AND field=?)"},
	    {STMT_SEARCH_END, "SEARCH chunk USING COVERING INDEX chunk_place (run=? AND field=?)"},
	    {STMT_SEARCH_TEXTS, "SEARCH sample USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"},
	    {STMT_SEARCH_MORE_PATHS, "SEARCH sample_media USING PRIMARY KEY (sample>? AND sample<?)"},
	    {STMT_OPTION_SET_GET, "SEARCH option_set USING INTEGER PRIMARY KEY (rowid=?)"},
	    {STMT_COL_FIND, "SEARCH col USING INDEX sqlite_autoindex_col_1 "
			    "(owner_kind=? AND owner=? AND name=?)"},
	    {STMT_META_GET, "SEARCH meta USING PRIMARY KEY (key=?)"},
	};
	struct place *p = *state;
	struct conn *c = project_open(p->file, CONN_CREATE);

	for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
		char *sql = xasprintf("EXPLAIN QUERY PLAN %s", stmt_sql[plans[i].id]);
		struct buf got = BUF_INIT;
		sqlite3_stmt *s = NULL;

		assert_int_equal(sqlite3_prepare_v2(stmt_db(c), sql, -1, &s, NULL), SQLITE_OK);
		while (sqlite3_step(s) == SQLITE_ROW)
			buf_printf(&got, "%s%s", got.n ? "; " : "",
				   (const char *)sqlite3_column_text(s, 3));
		assert_string_equal(buf_cstr(&got), plans[i].want);
		sqlite3_finalize(s);
		buf_release(&got);
		free(sql);
	}
	conn_close(c);
}

static void one_writer(void **state)
{
	static const char bump[] = "UPDATE meta SET value = value + 1 WHERE key = 'generation'";
	struct place *p = *state;
	struct conn *a = project_open(p->file, CONN_CREATE), *b = project_open(p->file, CONN_WRITE);
	struct err err = ERR_INIT;
	int64_t generation = -1;

	sqlite3_busy_timeout(stmt_db(b), 10);
	assert_int_equal(conn_begin(a, &err), OK);
	assert_int_equal(stmt_exec(a, bump, &err), OK);
	assert_int_equal(conn_begin(b, &err), E_BUSY);
	assert_non_null(strstr(err.msg, "another program is using the project"));
	conn_rollback(a);
	assert_int_equal(conn_generation(b, &generation, &err), OK);
	assert_int_equal(generation, 0);
	assert_int_equal(conn_begin(b, &err), OK);
	assert_int_equal(stmt_exec(b, bump, &err), OK);
	assert_int_equal(conn_commit(b, &err), OK);
	assert_int_equal(conn_generation(a, &generation, &err), OK);
	assert_int_equal(generation, 1);
	conn_rollback(a); /* outside a transaction: nothing */
	conn_close(a);
	conn_close(b);
}

static void cancels(void **state)
{
	static const char forever[] = "WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k) "
				      "SELECT count(*) FROM k";
	struct place *p = *state;
	struct conn *c = project_open(p->file, CONN_CREATE);
	struct err err = ERR_INIT;
	struct cancel cancel;

	cancel_init(&cancel);
	conn_set_cancel(c, &cancel);
	cancel_now(&cancel);
	assert_int_equal(stmt_exec(c, forever, &err), E_CANCELLED);
	conn_set_cancel(c, NULL);
	err_clear(&err);
	assert_int_equal(stmt_exec(c, "SELECT count(*) FROM sample", &err), OK);
	cancel_release(&cancel);
	conn_close(c);
}

static void errors_are_words(void **state)
{
	struct place *p = *state;
	struct conn *c = project_open(p->file, CONN_CREATE);
	struct err err = ERR_INIT;

	assert_int_equal(stmt_exec(c, "SELECT nonsense FROM nowhere", &err), E_DB);
	assert_non_null(strstr(err.msg, "no such table"));
	conn_close(c);
	c = project_open(p->file, CONN_READ);
	assert_int_equal(conn_begin(c, &err), E_IO);
	assert_non_null(strstr(err.msg, "read-only"));
	assert_int_equal(stmt_exec(c, "DELETE FROM meta", &err), E_IO);
	assert_non_null(strstr(err.msg, "read-only"));
	conn_close(c);
}

/* --- read-only places, settings --- */

/* Runs a body in a child without root's rights (they see no permissions). */
static void as_nobody(struct place *p, void (*body)(struct place *))
{
	int status;
	pid_t pid;

	if (geteuid() == 0)
		assert_int_equal(chown(p->folder, 65534, 65534), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
			_exit(99);
		body(p);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail_msg("the child ended with %d", status);
}

#define CHECK(x)                                                                                   \
	do {                                                                                       \
		if (!(x)) {                                                                        \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x);                     \
			_exit(1);                                                                  \
		}                                                                                  \
	} while (0)

static void setting_is(struct conn *c, const char *key, const char *want)
{
	struct err err = ERR_INIT;
	char *value = NULL;
	enum status st = user_setting_get(c, key, &value, &err);

	CHECK(st == (want ? OK : E_NOT_FOUND));
	CHECK(want ? strcmp(value, want) == 0 : value == NULL);
	free(value);
}

static void open_read_only(struct place *p)
{
	struct err err = ERR_INIT;
	char *home = project_file(p->folder, "home");
	struct conn *c = project_open(p->file, CONN_WRITE);

	CHECK(conn_read_only(c));
	CHECK(conn_begin(c, &err) == E_IO);
	setenv("XDG_DATA_HOME", home, 1);
	setting_is(c, "place", "the author's");
	setting_is(c, "other", NULL);
	CHECK(user_setting_set(c, "place", STR("mine"), &err) == OK);
	setting_is(c, "place", "mine");
	conn_close(c);
	c = project_open(p->file, CONN_READ);
	setting_is(c, "place", "mine");
	setenv("XDG_DATA_HOME", "", 1);
	conn_close(c);
	c = project_open(p->file, CONN_READ);
	unsetenv("HOME");
	setting_is(c, "place", "the author's");
	CHECK(user_setting_set(c, "place", STR("lost"), &err) == E_IO);
	conn_close(c);
	free(home);
}

static void a_file_without_write_permission(void **state)
{
	struct place *p = *state;
	struct conn *c = project_open(p->file, CONN_CREATE);
	struct err err = ERR_INIT;

	assert_int_equal(user_setting_set(c, "place", STR("the author's"), &err), OK);
	setting_is(c, "place", "the author's");
	conn_close(c);
	assert_int_equal(chmod(p->file, 0444), 0);
	as_nobody(p, open_read_only);
}

static void open_in_closed_folder(struct place *p)
{
	struct conn *c;

	CHECK(chmod(p->folder, 0555) == 0);
	c = project_open(p->file, CONN_WRITE);
	CHECK(conn_read_only(c));
	CHECK(project_int(c, "SELECT count(*) FROM sample") == 6);
	conn_close(c);
	CHECK(chmod(p->folder, 0755) == 0);
}

static void a_folder_without_write_permission(void **state)
{
	struct place *p = *state;

	project_make_tiny(p->file, 0);
	assert_int_equal(chmod(p->file, 0666), 0);
	as_nobody(p, open_in_closed_folder);
}

/* Leaves the file as a program does that is killed in the middle of a commit. */
static void die_while_writing(struct place *p)
{
	struct conn *c = project_open(p->file, CONN_WRITE);

	project_exec(c, "PRAGMA cache_size = 2; BEGIN; UPDATE sample SET text = hex(randomblob(99999))");
	_exit(0);
}

static void open_interrupted(struct place *p)
{
	struct err err = ERR_INIT;
	struct conn *c = NULL;

	CHECK(chmod(p->folder, 0555) == 0);
	CHECK(conn_open(&c, p->file, CONN_WRITE, &err) == E_IO);
	CHECK(strstr(err.msg, "interrupted"));
	CHECK(chmod(p->folder, 0755) == 0);
}

static void an_interrupted_write_in_a_closed_folder(void **state)
{
	struct place *p = *state;
	char *journal = project_file(p->folder, "p.qualm-journal");
	struct conn *c;
	int status;
	pid_t pid;

	project_make_tiny(p->file, 0);
	pid = fork();
	if (pid == 0)
		die_while_writing(p);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(access(journal, F_OK), 0);
	chmod(p->file, 0666);
	chmod(journal, 0666);
	as_nobody(p, open_interrupted);
	c = project_open(p->file, CONN_WRITE); /* repairs it */
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample WHERE text LIKE 'Is this%'"), 6);
	assert_int_not_equal(access(journal, F_OK), 0);
	conn_close(c);
	free(journal);
}

static void a_file_system_without_locks(void **state)
{
	struct place *p = *state;
	struct conn *c;

	project_make_tiny(p->file, 0);
	faults_install();
	faults_fail_locks(true);
	c = project_open(p->file, CONN_WRITE);
	assert_true(faults_hit());
	assert_true(conn_no_locks(c));
	assert_true(conn_read_only(c));
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample"), 6);
	conn_close(c);
	faults_fail_locks(false);
	c = project_open(p->file, CONN_WRITE);
	assert_false(conn_no_locks(c));
	assert_false(conn_read_only(c));
	conn_close(c);
	unlink(p->file);
	faults_fail_locks(true);
	refused(p->file, CONN_CREATE, E_IO, "has no locks");
	assert_int_not_equal(access(p->file, F_OK), 0);
	faults_remove();
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    T(makes_and_opens_again),
	    T(two_projects_differ),
	    T(missing),
	    T(empty_file),
	    T(foreign_files),
	    T(newer_version),
	    T(cut_and_scratched_files),
	    T(a_ladder_of_three_climbs),
	    T(the_projects_own_ladder_climbs),
	    T(a_failed_climb_changes_nothing),
	    T(an_id_without_a_schema_is_blank),
	    T(every_statement_prepares),
	    T(plans_of_fetches_use_an_index),
	    T(one_writer),
	    T(cancels),
	    T(errors_are_words),
	    T(a_file_without_write_permission),
	    T(a_folder_without_write_permission),
	    T(an_interrupted_write_in_a_closed_folder),
	    T(a_file_system_without_locks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
