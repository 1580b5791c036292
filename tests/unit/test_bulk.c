/* A new file written past the system's cache holds what was written, and a failure undoes it. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "db/bulk.h"
#include "tests/unit/lib_project.h"

#define MB       ((size_t)1 << 20)
#define BEFORE   "CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB); INSERT INTO t VALUES (0, x'01');"
#define BIG_ROWS 400 /* of some 256 KB */

static sqlite3 *open_by(const char *path, const char *vfs)
{
	sqlite3 *db;

	assert_int_equal(
	    sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs), SQLITE_OK);
	return db;
}

static int64_t number(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st;
	int64_t n;

	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	n = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return n;
}

static sqlite3 *begin_new(const char *path, const char *vfs)
{
	sqlite3 *db = open_by(path, vfs);

	assert_int_equal(
	    sqlite3_exec(db, "PRAGMA page_size = 65536; PRAGMA journal_mode = DELETE;" BEFORE, NULL,
			 NULL, NULL),
	    SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	return db;
}

/* Every byte of a row is told by its number and version. */
static int put(sqlite3 *db, int64_t id, int version)
{
	size_t n = 4096 + (size_t)(id * 7919 + version * 104729) % (512 * 1024);
	char *blob = malloc(n);
	sqlite3_stmt *st;
	int rc;

	assert_non_null(blob);
	for (size_t i = 0; i < n; i++)
		blob[i] = (char)(id * 31 + version * 17 + (int64_t)(i >> 10));
	assert_int_equal(
	    sqlite3_prepare_v2(db, "INSERT OR REPLACE INTO t VALUES (?, ?)", -1, &st, NULL),
	    SQLITE_OK);
	sqlite3_bind_int64(st, 1, id);
	sqlite3_bind_blob(st, 2, blob, (int)n, SQLITE_STATIC);
	rc = sqlite3_step(st);
	sqlite3_finalize(st);
	free(blob);
	return rc;
}

static bool is(sqlite3 *db, int64_t id, int version)
{
	size_t n = 4096 + (size_t)(id * 7919 + version * 104729) % (512 * 1024);
	const unsigned char *p;
	sqlite3_stmt *st;
	bool same;

	assert_int_equal(sqlite3_prepare_v2(db, "SELECT b FROM t WHERE id = ?", -1, &st, NULL),
			 SQLITE_OK);
	sqlite3_bind_int64(st, 1, id);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	p = sqlite3_column_blob(st, 0);
	same = (size_t)sqlite3_column_bytes(st, 0) == n;
	for (size_t i = 0; i < n && same; i++)
		same = p[i] == (unsigned char)(id * 31 + version * 17 + (int64_t)(i >> 10));
	sqlite3_finalize(st);
	return same;
}

/* Rows are written, written again and read while they are on their way. */
static void holds_what_was_written(void **state)
{
	char *folder = project_folder(), *path = project_file(folder, "p");
	sqlite3 *db = begin_new(path, bulk_vfs());

	(void)state;
	for (int64_t i = 1; i <= BIG_ROWS; i++) {
		assert_int_equal(put(db, i, 0), SQLITE_DONE);
		if (i % 3 == 0)
			assert_int_equal(put(db, i / 3, 1), SQLITE_DONE);
		if (i % 50 == 0)
			assert_true(is(db, i / 2, i / 2 <= i / 3));
	}
	assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
	for (int round = 0; round < 2; round++) {
		assert_int_equal(number(db, "SELECT count(*) FROM t"), BIG_ROWS + 1);
		for (int64_t i = 1; i <= BIG_ROWS; i++)
			assert_true(is(db, i, i <= BIG_ROWS / 3));
		assert_int_equal(number(db, "SELECT count(*) FROM pragma_integrity_check "
					    "WHERE integrity_check = 'ok'"),
				 1);
		sqlite3_close(db);
		db = open_by(path, NULL);
	}
	sqlite3_close(db);
	free(path);
	project_remove(folder);
}

static void is_as_before(const char *path)
{
	sqlite3 *db = open_by(path, NULL);

	assert_int_equal(number(db, "SELECT count(*) FROM t"), 1);
	assert_int_equal(number(db, "SELECT page_count FROM pragma_page_count"), 2);
	assert_int_equal(number(db, "SELECT count(*) FROM pragma_integrity_check "
				    "WHERE integrity_check = 'ok'"),
			 1);
	sqlite3_close(db);
}

static void is_undone(void **state)
{
	char *folder = project_folder(), *path = project_file(folder, "p");
	sqlite3 *db = begin_new(path, bulk_vfs());

	(void)state;
	for (int64_t i = 1; i <= BIG_ROWS; i++)
		assert_int_equal(put(db, i, 0), SQLITE_DONE);
	assert_int_equal(sqlite3_exec(db, "ROLLBACK; BEGIN", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(number(db, "SELECT count(*) FROM t"), 1);
	assert_int_equal(put(db, 7, 1), SQLITE_DONE); /* and can be gone on with */
	assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
	assert_true(is(db, 7, 1));
	assert_int_equal(sqlite3_exec(db, "DELETE FROM t WHERE id = 7; VACUUM", NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(db);
	is_as_before(path);
	free(path);
	project_remove(folder);
}

/* In a child, which ends by itself after `rows` rows, or writes until the file may not grow. */
static int child(const char *path, int64_t rows, size_t limit)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		struct rlimit most = {limit, limit};
		sqlite3 *db = begin_new(path, bulk_vfs());
		int rc = SQLITE_DONE;

		signal(SIGXFSZ, SIG_IGN);
		if (limit && setrlimit(RLIMIT_FSIZE, &most) != 0)
			_exit(1);
		for (int64_t i = 1; i <= rows && rc == SQLITE_DONE; i++)
			rc = put(db, i, 0);
		if (!limit)
			raise(SIGKILL);
		if (rc == SQLITE_DONE)
			rc = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
		sqlite3_close(db);
		_exit((rc & 0xff) == SQLITE_IOERR || rc == SQLITE_FULL ? 0 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return limit ? (WIFEXITED(status) ? WEXITSTATUS(status) : -1)
		     : (WIFSIGNALED(status) ? WTERMSIG(status) : -1);
}

static void survives_a_kill(void **state)
{
	char *folder = project_folder(), *path = project_file(folder, "p");

	(void)state;
	for (int64_t rows = 150; rows <= 350; rows += 100) {
		unlink(path);
		assert_int_equal(child(path, rows, 0), SIGKILL);
		is_as_before(path);
	}
	free(path);
	project_remove(folder);
}

static void says_that_it_cannot_write(void **state)
{
	char *folder = project_folder(), *path = project_file(folder, "p");

	(void)state;
	for (size_t limit = 40 * MB; limit <= 80 * MB; limit += 20 * MB) {
		unlink(path);
		assert_int_equal(child(path, BIG_ROWS, limit + 12345), 0);
		is_as_before(path);
	}
	free(path);
	project_remove(folder);
}

/* What stands under the name later is not what SQLite has open. */
static void follows_the_file_not_its_name(void **state)
{
	char *folder = project_folder(), *path = project_file(folder, "p");
	char *moved = project_file(folder, "moved");
	sqlite3 *db = begin_new(path, bulk_vfs());
	FILE *other;

	(void)state;
	assert_int_equal(put(db, 1, 0), SQLITE_DONE);
	assert_int_equal(rename(path, moved), 0);
	other = fopen(path, "w");
	assert_non_null(other);
	assert_int_equal(fputs("another", other) >= 0 && fclose(other) == 0, 1);
	for (int64_t i = 2; i <= BIG_ROWS; i++)
		if (put(db, i, 0) != SQLITE_DONE)
			break; /* SQLite may notice, and refuse */
	sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	sqlite3_close(db);
	other = fopen(path, "r");
	assert_non_null(other);
	assert_int_equal(fseek(other, 0, SEEK_END), 0);
	assert_int_equal(ftell(other), strlen("another"));
	fclose(other);
	free(moved);
	free(path);
	project_remove(folder);
}

/* --- the file itself, without SQLite over it --- */

#define PAGE ((size_t)4096)

static sqlite3_file *open_file(const char *path)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(bulk_vfs());
	sqlite3_file *f;
	int flags = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;

	assert_non_null(vfs);
	f = calloc(1, (size_t)vfs->szOsFile);
	assert_non_null(f);
	assert_int_equal(vfs->xOpen(vfs, path, f, flags, &flags), SQLITE_OK);
	return f;
}

/* Pages in any order, again and again, some many times before they are out. */
static void any_order(void **state)
{
	char *folder = project_folder(), *path = project_file(folder, "p");
	sqlite3_file *f = open_file(path);
	size_t n = 48 * MB;
	char *model = calloc(1, n), *page = malloc(16 * PAGE);
	sqlite3_int64 size;
	uint32_t seed = 1;

	(void)state;
	assert_true(model && page);
	for (size_t at = 0; at < n; at += 16 * PAGE) {
		memset(model + at, (int)(at >> 16), 16 * PAGE);
		assert_int_equal(f->pMethods->xWrite(f, model + at, 16 * PAGE, (int64_t)at), SQLITE_OK);
	}
	for (int i = 0; i < 4000; i++) {
		size_t at, m;

		seed = seed * 1664525 + 1013904223;
		at = (seed >> 8) % (i % 7 ? 50 : n / PAGE / 16) * 16 * PAGE;
		m = 16 * PAGE;
		if (i % 97 == 0) { /* not as SQLite does it */
			at += (seed >> 4) % 16 * PAGE;
			m = at + m > n ? PAGE : (1 + (seed >> 28)) * PAGE - seed % 2;
		}
		memset(model + at, i, m);
		memcpy(page, model + at, m);
		assert_int_equal(f->pMethods->xWrite(f, page, (int)m, (int64_t)at), SQLITE_OK);
		memset(page, 0, m);
		if (i % 100 == 0) {
			assert_int_equal(f->pMethods->xRead(f, page, (int)m, (int64_t)at), SQLITE_OK);
			assert_memory_equal(page, model + at, m);
		}
	}
	assert_int_equal(f->pMethods->xFileSize(f, &size), SQLITE_OK);
	assert_int_equal(size, n);
	assert_int_equal(f->pMethods->xSync(f, SQLITE_SYNC_NORMAL), SQLITE_OK);
	for (size_t at = 0; at < n; at += 16 * PAGE) {
		assert_int_equal(f->pMethods->xRead(f, page, 16 * PAGE, (int64_t)at), SQLITE_OK);
		assert_memory_equal(page, model + at, 16 * PAGE);
	}
	assert_int_equal(f->pMethods->xTruncate(f, 8192), SQLITE_OK);
	assert_int_equal(f->pMethods->xFileSize(f, &size), SQLITE_OK);
	assert_int_equal(size, 8192);
	assert_int_equal(f->pMethods->xClose(f), SQLITE_OK);
	free(f);
	free(page);
	free(model);
	free(path);
	project_remove(folder);
}

/* What was lost on its way is told at the sync, if not before; later writes are real again. */
static int lose_a_page(const char *path)
{
	struct rlimit most = {64 * MB, 64 * MB};
	char page[4096] = "page";
	sqlite3_file *f = open_file(path);
	int rc = SQLITE_OK, again;

	signal(SIGXFSZ, SIG_IGN);
	for (size_t at = 0; at < 40 * MB && rc == SQLITE_OK; at += PAGE)
		rc = f->pMethods->xWrite(f, page, PAGE, (int64_t)at);
	if (rc != SQLITE_OK || setrlimit(RLIMIT_FSIZE, &most) != 0)
		return 1;
	rc = f->pMethods->xWrite(f, page, PAGE, (int64_t)(70 * MB));
	for (size_t at = 0; at < 8 * MB && rc == SQLITE_OK; at += PAGE)
		rc = f->pMethods->xWrite(f, page, PAGE, (int64_t)at);
	if (rc == SQLITE_OK)
		rc = f->pMethods->xSync(f, SQLITE_SYNC_NORMAL);
	again = f->pMethods->xWrite(f, page, PAGE, 0);
	if (again == SQLITE_OK)
		again = f->pMethods->xSync(f, SQLITE_SYNC_NORMAL);
	f->pMethods->xClose(f);
	free(f);
	return rc != SQLITE_OK && again == SQLITE_OK ? 0 : 2;
}

static void a_lost_page_is_told(void **state)
{
	char *folder = project_folder(), *path = project_file(folder, "p");
	int status = 0;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(lose_a_page(path));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	free(path);
	project_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(holds_what_was_written),
	    cmocka_unit_test(is_undone),
	    cmocka_unit_test(survives_a_kill),
	    cmocka_unit_test(says_that_it_cannot_write),
	    cmocka_unit_test(follows_the_file_not_its_name),
	    cmocka_unit_test(any_order),
	    cmocka_unit_test(a_lost_page_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
