/*
 * Whatever fails during an import, and whenever the process ends: the project is as it was before
 * one of the files, and importing again completes it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_faults.h"
#include "tests/unit/lib_store.h"

#define N_FILES	  3 /* class list, samples, answers */
#define UNTOUCHED 3 /* a child's exit status: what should have failed was not reached */

struct bench {
	char *root, *base, *project; /* base: the project as it is before, staged only */
	const char *paths[N_FILES];
	char *expect[N_FILES + 1]; /* dumps after 0, 1, 2, 3 files */
	bool staged;
};

/* --- SQLite's memory: the n-th allocation fails, and with it whatever call made it --- */

static struct {
	sqlite3_mem_methods real;
	atomic_ulong count, fail_at;
} memory;

static bool memory_fails(void)
{
	return atomic_fetch_add(&memory.count, 1) + 1 == atomic_load(&memory.fail_at);
}

static void *memory_malloc(int n)
{
	return memory_fails() ? NULL : memory.real.xMalloc(n);
}

static void *memory_realloc(void *p, int n)
{
	return memory_fails() ? NULL : memory.real.xRealloc(p, n);
}

static void memory_fail_at(unsigned long n)
{
	atomic_store(&memory.count, 0);
	atomic_store(&memory.fail_at, n);
}

static void memory_install(void)
{
	sqlite3_mem_methods shim;

	sqlite3_shutdown();
	sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory.real);
	shim = memory.real;
	shim.xMalloc = memory_malloc;
	shim.xRealloc = memory_realloc;
	sqlite3_config(SQLITE_CONFIG_MALLOC, &shim);
	sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}

/* --- the bench --- */

static void write_file(const char *path, const char *p, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static char *make_file(const char *root, const char *name, struct buf *text)
{
	char *path = project_file(root, name);

	write_file(path, buf_cstr(text), text->n);
	buf_release(text);
	return path;
}

static void make_inputs(struct bench *b)
{
	struct buf classes = BUF_INIT, items = BUF_INIT, preds = BUF_INIT;
	char *pad = xmalloc(60001);

	memset(pad, 'x', 60000);
	pad[60000] = '\0';
	buf_z(&classes, "index\tname\n");
	for (int i = 0; i < 5; i++)
		buf_printf(&classes, "%d\tclass %d\n", i, i);
	for (int i = 0; i < 30; i++)
		buf_printf(&items, "{\"id\":\"s%d\",\"question\":\"Which?\",\"label\":\"class %d\",\"split\":\"v%d\"}\n",
			   i, i % 5, i % 3);
	for (int r = 0; r < 2; r++)
		for (int i = 0; i < 30; i++)
			buf_printf(&preds, "{\"id\":\"s%d\",\"model\":\"m%d\",\"prediction\":\"class %d\",\"score\":0.%d,"
					   "\"response\":\"%s class %d\"}\n",
				   i, r, (i + r) % 5, i + 1, i % 8 ? "It is" : pad, (i + r) % 5);
	b->paths[0] = make_file(b->root, "classes.tsv", &classes);
	b->paths[1] = make_file(b->root, "items.jsonl", &items);
	b->paths[2] = make_file(b->root, "preds.jsonl", &preds);
	free(pad);
}

static void fresh_project(const struct bench *b)
{
	char *journal = xasprintf("%s-journal", b->project), block[65536];
	size_t n;

	unlink(b->project);
	unlink(journal);
	free(journal);
	if (!b->staged)
		return;
	FILE *from = fopen(b->base, "r"), *to = fopen(b->project, "w");

	assert_true(from && to);
	while ((n = fread(block, 1, sizeof block, from)) > 0)
		assert_int_equal(fwrite(block, 1, n, to), n);
	fclose(from);
	assert_int_equal(fclose(to), 0);
}

static enum status import(const struct bench *b, size_t n_paths, struct err *err)
{
	struct import_job job = {.project = b->project, .dataset = STR("d"), .paths = b->paths,
				 .n_paths = n_paths};
	uint64_t problems;

	return import_run(&job, &problems, err);
}

static char *state_now(const struct bench *b)
{
	struct conn *c = project_open(b->project, CONN_CREATE);
	char *dump = dump_project(c);

	assert_int_equal(project_int(c, "SELECT count(*) FROM pragma_integrity_check "
					"WHERE integrity_check = 'ok'"), 1);
	conn_close(c);
	return dump;
}

static void bench_init(struct bench *b, bool staged)
{
	struct err err = ERR_INIT;

	memset(b, 0, sizeof *b);
	b->root = project_folder();
	b->project = project_file(b->root, "p.qualm");
	b->base = project_file(b->root, "base.qualm");
	b->staged = staged;
	make_inputs(b);
	conn_close(project_open(b->base, CONN_CREATE));
	for (size_t i = 0; i <= N_FILES; i++) {
		fresh_project(b);
		if (i && import(b, i, &err) != OK)
			fail_msg("%s", err.msg);
		b->expect[i] = state_now(b);
	}
	assert_string_not_equal(b->expect[0], b->expect[1]);
	assert_string_not_equal(b->expect[2], b->expect[3]);
}

static void bench_release(struct bench *b)
{
	for (size_t i = 0; i < N_FILES; i++)
		free((char *)b->paths[i]);
	for (size_t i = 0; i <= N_FILES; i++)
		free(b->expect[i]);
	free(b->base);
	free(b->project);
	project_remove(b->root);
}

/* Which of the states is it? Then importing again must lead to the last one. */
static size_t check(const struct bench *b)
{
	char *now = state_now(b);
	struct err err = ERR_INIT;
	size_t at = 0;

	while (at <= N_FILES && strcmp(now, b->expect[at]) != 0)
		at++;
	assert_true(at <= N_FILES);
	free(now);
	if (import(b, N_FILES, &err) != OK)
		fail_msg("%s", err.msg);
	now = state_now(b);
	assert_string_equal(now, b->expect[N_FILES]);
	free(now);
	return at;
}

/* Small steps at first, then wider ones. */
static unsigned long next(unsigned long n)
{
	return n + 1 + n / 4;
}

/* The first reads one by one: what each is about is another matter. */
static unsigned long next_read(unsigned long n)
{
	return n < 40 ? n + 1 : next(n);
}

static void sqlite_fails(void **state)
{
	static void (*const how[])(unsigned long) = {faults_fail_write_at, faults_fail_writes_from,
						     faults_fail_read_at, memory_fail_at};

	(void)state;
	for (int staged = 0; staged < 2; staged++) {
		struct bench b;

		bench_init(&b, staged);
		faults_install();
		for (size_t h = 0; h < sizeof how / sizeof *how; h++) {
			size_t seen[N_FILES + 1] = {0};
			unsigned long failures = 0;
			bool hit = true;

			for (unsigned long n = 1; hit;
			     n = how[h] == faults_fail_read_at ? next_read(n) : next(n)) {
				struct err err = ERR_INIT;
				enum status st;
				size_t at;

				fresh_project(&b);
				how[h](n);
				st = import(&b, N_FILES, &err);
				hit = how[h] == memory_fail_at ? atomic_load(&memory.count) >= n : faults_hit();
				faults_fail_write_at(0);
				memory_fail_at(0);
				assert_true(st == OK || err.msg[0]);
				at = check(&b);
				assert_true(st != OK || at == N_FILES);
				failures += st != OK;
				seen[at]++;
			}
			assert_true(failures > 3);
			assert_true(seen[N_FILES] > 0);
		}
		faults_remove();
		bench_release(&b);
	}
}

/* An import in a process of its own; how it ended. */
static int in_child(const struct bench *b, void (*prepare)(unsigned long), unsigned long n,
		    int kill_after_us)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct err err = ERR_INIT;
		enum status st;
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDERR_FILENO);
		if (prepare)
			prepare(n);
		st = import(b, N_FILES, &err);
		if (prepare == xmalloc_fail_at && st == OK && xmalloc_count() < n)
			_exit(UNTOUCHED);
		_exit(st == OK ? 0 : err.msg[0] ? 1 : 2);
	}
	if (kill_after_us >= 0) {
		usleep((useconds_t)kill_after_us);
		kill(pid, SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void memory_runs_out(void **state)
{
	(void)state;
	for (int staged = 0; staged < 2; staged++) {
		unsigned long died = 0;
		struct bench b;
		int how = 1;

		bench_init(&b, staged);
		for (unsigned long n = 1; how != UNTOUCHED; n = next(n)) {
			fresh_project(&b);
			how = in_child(&b, xmalloc_fail_at, n, -1);
			assert_true(how == 0 || how == 1 || how == UNTOUCHED ||
				    how == XMALLOC_EXIT_STATUS);
			died += how == XMALLOC_EXIT_STATUS;
			assert_true(check(&b) == N_FILES || (how != 0 && how != UNTOUCHED));
		}
		assert_true(died > 10);
		bench_release(&b);
	}
}

static enum status feed_a_little(const char *path, unsigned long fail_at)
{
	struct conn *c = project_open(path, CONN_WRITE);
	struct feed f = {0};
	uint32_t run;

	xmalloc_fail_at(fail_at);
	feed_begin(&f, c, "d");
	feed_sample(&f, "a", "why?", "a.png", "x|y");
	run = feed_run(&f, "m", NULL);
	feed_answer(&f, run, "a", "x|y", "both");
	feed_end(&f);
	xmalloc_fail_at(0);
	feed_done(&f);
	conn_close(c);
	return f.st;
}

/* Small allocations end the process; arrays over the samples are refused, and then nothing leaks:
 * seen once more in this process, which a leak checker watches. */
static void arrays_are_refused(void **state)
{
	char *folder = project_folder(), *path = project_file(folder, "p.qualm"), *before, *after;
	struct conn *c = project_open(path, CONN_CREATE);
	unsigned long refused = 0;
	int how = 1;

	(void)state;
	before = dump_project(c);
	for (unsigned long n = 1; how != 0; n++) {
		pid_t pid;

		fflush(NULL);
		pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
			_exit(feed_a_little(path, n));
		}
		assert_int_equal(waitpid(pid, &how, 0), pid);
		assert_true(WIFEXITED(how));
		how = WEXITSTATUS(how);
		if (how == E_MEMORY) {
			refused++;
			assert_int_equal(feed_a_little(path, n), E_MEMORY);
		}
		assert_true(how == 0 || how == E_MEMORY || how == XMALLOC_EXIT_STATUS);
		after = dump_project(c);
		assert_int_equal(strcmp(before, after) == 0, how != 0);
		free(after);
	}
	assert_true(refused > 10);
	conn_close(c);
	free(before);
	free(path);
	project_remove(folder);
}

static void killed_at_a_write(void **state)
{
	(void)state;
	for (int staged = 0; staged < 2; staged++) {
		size_t seen[N_FILES + 1] = {0};
		struct bench b;
		int how = FAULTS_EXIT;

		bench_init(&b, staged);
		faults_install();
		for (unsigned long n = 1; how == FAULTS_EXIT; n = next(n)) {
			fresh_project(&b);
			how = in_child(&b, faults_exit_at_write, n, -1);
			assert_true(how == FAULTS_EXIT || how == 0);
			seen[check(&b)]++;
		}
		faults_remove();
		assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
		bench_release(&b);
	}
}

static void killed_at_any_time(void **state)
{
	static const int after[] = {500, 1500, 3000, 5000, 8000, 12000, 17000, 25000};

	(void)state;
	for (int staged = 0; staged < 2; staged++) {
		struct bench b;

		bench_init(&b, staged);
		for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
			int how;

			fresh_project(&b);
			how = in_child(&b, NULL, 0, after[i]);
			assert_true(how == 0 || how == -SIGKILL);
			check(&b);
		}
		bench_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sqlite_fails),
	    cmocka_unit_test(memory_runs_out),
	    cmocka_unit_test(arrays_are_refused),
	    cmocka_unit_test(killed_at_a_write),
	    cmocka_unit_test(killed_at_any_time),
	};

	memory_install();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
