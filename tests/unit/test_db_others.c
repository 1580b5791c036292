/* Other programs at the same project: one that reads on and on, one that was killed. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "db/conn_impl.h"
#include "db/store.h"
#include "db/verify.h"
#include "tests/unit/lib_project.h"

static bool give_up(void *ctx, int64_t waited)
{
	(void)waited;
	++*(int *)ctx;
	return false;
}

/* Each page that leaves the full cache asks for the lock; only the first may wait for it. */
static void a_reader_is_waited_for_once(void **state)
{
	char *folder = project_folder(), *file = project_file(folder, "p.qualm");
	struct conn *reader, *writer;
	struct err err = ERR_INIT;
	int waits = 0;

	(void)state;
	project_make_tiny(file, 0);
	reader = project_open(file, CONN_READ);
	writer = project_open(file, CONN_WRITE);
	conn_set_wait(writer, give_up, &waits);
	project_exec(reader, "BEGIN; SELECT count(*) FROM sample");
	project_exec(writer, "PRAGMA cache_size = 2");
	assert_int_equal(conn_begin(writer, &err), OK);
	assert_int_equal(stmt_exec(writer, "UPDATE sample SET text = hex(randomblob(99999))", &err), OK);
	assert_int_equal(waits, 1);
	assert_int_equal(conn_commit(writer, &err), E_BUSY);
	assert_int_equal(waits, 2);
	project_exec(reader, "COMMIT");
	assert_int_equal(conn_commit(writer, &err), OK);
	project_exec(reader, "BEGIN; SELECT count(*) FROM sample");
	assert_int_equal(conn_begin(writer, &err), OK);
	assert_int_equal(stmt_exec(writer, "UPDATE sample SET text = ''", &err), OK);
	assert_int_equal(waits, 3);
	conn_rollback(writer);
	assert_int_equal(conn_begin(writer, &err), OK);
	assert_int_equal(stmt_exec(writer, "UPDATE sample SET text = ''", &err), OK);
	assert_int_equal(waits, 4);
	conn_close(reader);
	conn_close(writer);
	free(file);
	project_remove(folder);
}

struct others {
	struct conn *writer, *looker;
	pthread_t thread;
	enum status wrote;
	bool started;
};

static void *write_something(void *arg)
{
	struct others *o = arg;
	struct err err = ERR_INIT;

	o->wrote = conn_begin(o->writer, &err);
	if (o->wrote == OK)
		o->wrote = stmt_exec(o->writer, "UPDATE sample SET text = 'another'", &err);
	if (o->wrote == OK)
		o->wrote = conn_commit(o->writer, &err);
	return NULL;
}

/* Once the writer stands before its commit, nobody new may read. */
static bool may_read(struct conn *c)
{
	struct err err = ERR_INIT;
	int64_t generation;

	conn_hurry(c, true);
	return conn_generation(c, &generation, &err) == OK;
}

static void while_checking(void *ctx, const char *what, uint64_t done, uint64_t total)
{
	struct others *o = ctx;
	struct timespec t = {.tv_nsec = 1000000};

	(void)what;
	(void)done;
	(void)total;
	if (o->started)
		return;
	o->started = true;
	assert_int_equal(pthread_create(&o->thread, NULL, write_something, o), 0);
	while (may_read(o->looker))
		nanosleep(&t, NULL);
}

/* A check lets others write between its parts, and does not put together what was before and
 * what is after. */
static void a_check_lets_others_write(void **state)
{
	char *folder = project_folder(), *file = project_file(folder, "p.qualm");
	struct others o = {.started = false};
	struct verify_job job = {.ctx = &o, .progress = while_checking};
	struct verify_counts counts, left;
	struct err err = ERR_INIT;
	struct conn *c;

	(void)state;
	project_make_tiny(file, 0);
	o.writer = project_open(file, CONN_WRITE);
	o.looker = project_open(file, CONN_READ);
	c = project_open(file, CONN_READ);
	assert_int_equal(verify_run(c, &job, &counts, &left, &err), E_BUSY);
	assert_non_null(strstr(err.msg, "changed by another program"));
	pthread_join(o.thread, NULL);
	assert_int_equal(o.wrote, OK);
	err_clear(&err);
	assert_int_equal(verify_run(c, &job, &counts, &left, &err), OK);
	assert_int_equal(counts.findings, 0);
	conn_close(c);
	conn_close(o.looker);
	conn_close(o.writer);
	free(file);
	project_remove(folder);
}

static void note_waiting(void *ctx, int64_t waited)
{
	struct others *o = ctx;

	/* Longer than others wait; then the reader has enough. */
	if (waited > 20)
		conn_rollback(o->looker);
	o->started = true;
}

/* What an import has read is not lost for somebody who reads meanwhile. */
static void an_import_waits(void **state)
{
	char *folder = project_folder(), *file = project_file(folder, "p.qualm"),
	     *rows = project_file(folder, "rows.jsonl");
	const char *const paths[] = {rows};
	struct others o = {.started = false};
	struct import_job job = {.project = file, .paths = paths, .n_paths = 1, .ctx = &o,
				 .waiting = note_waiting};
	struct err err = ERR_INIT;
	uint64_t problems;
	FILE *f;

	(void)state;
	project_make_tiny(file, 0);
	f = fopen(rows, "w");
	assert_non_null(f);
	fputs("{\"id\": \"new\", \"label\": \"cat\"}\n", f);
	fclose(f);
	o.looker = project_open(file, CONN_READ);
	project_exec(o.looker, "BEGIN; SELECT count(*) FROM sample");
	assert_int_equal(import_run(&job, &problems, &err), OK);
	assert_true(o.started);
	conn_close(o.looker);
	unlink(rows);
	free(rows);
	free(file);
	project_remove(folder);
}

/* Reads in another process until it is told to end. */
static pid_t read_elsewhere(const char *file, int *hold)
{
	int ready[2], go[2];
	char c;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(go), 0);
	pid = fork();
	if (pid == 0) {
		struct conn *r = project_open(file, CONN_READ);

		close(go[1]);
		project_exec(r, "BEGIN; SELECT count(*) FROM sample");
		(void)!write(ready[1], "r", 1);
		(void)!read(go[0], &c, 1);
		_exit(0);
	}
	close(ready[1]);
	close(go[0]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	*hold = go[1];
	return pid;
}

struct held {
	const char *file;
	pid_t pid;
	int hold, named, asked;
	bool stop; /* by Ctrl-C, else the other program ends */
	struct cancel cancel;
};

static void while_held(void *ctx, int64_t waited)
{
	struct held *h = ctx;
	struct buf who = BUF_INIT;
	char want[40];

	(void)waited;
	snprintf(want, sizeof want, "(process %ld)", (long)h->pid);
	h->asked++;
	h->named += project_holder(h->file, &who) && strstr(buf_cstr(&who), want);
	buf_release(&who);
	if (h->stop)
		cancel_now(&h->cancel);
	else if (h->hold >= 0)
		close(h->hold);
	h->hold = h->stop ? h->hold : -1;
}

/* Two programs: a long reading holds up the import, which names it, and can be stopped. */
static void who_holds_it_is_told(void **state)
{
	char *folder = project_folder(), *file = project_file(folder, "p.qualm"),
	     *rows = project_file(folder, "rows.jsonl");
	const char *const paths[] = {rows};
	FILE *f = fopen(rows, "w");
	uint64_t problems;
	struct conn *c;

	(void)state;
	project_make_tiny(file, 0);
	assert_non_null(f);
	fputs("{\"id\": \"new\", \"label\": \"cat\"}\n", f);
	fclose(f);
	for (int stop = 1; stop >= 0; stop--) {
		struct held h = {.file = file, .stop = stop};
		struct import_job job = {.project = file, .paths = paths, .n_paths = 1, .ctx = &h,
					 .waiting = while_held, .cancel = &h.cancel};
		struct err err = ERR_INIT;

		cancel_init(&h.cancel);
		h.pid = read_elsewhere(file, &h.hold);
		assert_int_equal(import_run(&job, &problems, &err), stop ? E_CANCELLED : OK);
		assert_true(h.asked > 0);
		if (access("/proc/locks", R_OK) == 0)
			assert_int_equal(h.named, h.asked);
		if (stop)
			close(h.hold);
		assert_int_equal(waitpid(h.pid, NULL, 0), h.pid);
		cancel_release(&h.cancel);
		c = project_open(file, CONN_READ);
		assert_int_equal(project_int(c, "SELECT count(*) FROM sample WHERE key = 'new'"), !stop);
		conn_close(c);
	}
	unlink(rows);
	free(rows);
	free(file);
	project_remove(folder);
}

/* Leaves the file as a program does that is killed in the middle of a commit. */
static void die_while_writing(const char *file)
{
	struct conn *c = project_open(file, CONN_WRITE);

	project_exec(c, "PRAGMA cache_size = 2; BEGIN; UPDATE sample SET text = hex(randomblob(99999))");
	_exit(0);
}

static void an_interrupted_write_is_taken_back_to_read(void **state)
{
	char *folder = project_folder(), *file = project_file(folder, "p.qualm");
	char *journal = project_file(folder, "p.qualm-journal");
	struct conn *c;
	int status;
	pid_t pid;

	(void)state;
	project_make_tiny(file, 0);
	pid = fork();
	if (pid == 0)
		die_while_writing(file);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(access(journal, F_OK), 0);
	c = project_open(file, CONN_READ);
	assert_true(conn_read_only(c));
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample WHERE text LIKE 'Is this%'"), 6);
	assert_int_not_equal(access(journal, F_OK), 0);
	conn_close(c);
	free(journal);
	free(file);
	project_remove(folder);
}

/* It is not the project that is read-only. */
static void a_file_that_was_moved(void **state)
{
	char *folder = project_folder(), *file = project_file(folder, "p.qualm");
	char *moved = project_file(folder, "moved.qualm");
	struct err err = ERR_INIT;
	struct conn *c;

	(void)state;
	project_make_tiny(file, 0);
	c = project_open(file, CONN_WRITE);
	assert_int_equal(rename(file, moved), 0);
	if (conn_begin(c, &err) == OK)
		assert_int_equal(stmt_exec(c, "UPDATE sample SET text = 'x'", &err), E_IO);
	assert_non_null(strstr(err.msg, "moved or deleted"));
	conn_rollback(c);
	conn_close(c);
	free(moved);
	free(file);
	project_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_reader_is_waited_for_once),
	    cmocka_unit_test(a_file_that_was_moved),
	    cmocka_unit_test(a_check_lets_others_write),
	    cmocka_unit_test(an_import_waits),
	    cmocka_unit_test(who_holds_it_is_told),
	    cmocka_unit_test(an_interrupted_write_is_taken_back_to_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
