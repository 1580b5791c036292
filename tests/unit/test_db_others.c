/* Other programs at the same project: one that reads on and on, one that was killed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "db/conn_impl.h"
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

/* Leaves the file as a program does that is killed in the middle of a commit. */
static void die_while_writing(const char *file)
{
	struct conn *c = project_open(file, CONN_WRITE);

	project_exec(c, "PRAGMA cache_size = 2; BEGIN; UPDATE sample SET text = hex(randomblob(9999))");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_reader_is_waited_for_once),
	    cmocka_unit_test(an_interrupted_write_is_taken_back_to_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
