/* Writes that fail: a project is made whole or not at all, an edit happens or does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "db/user.h"
#include "tests/unit/lib_faults.h"
#include "tests/unit/lib_project.h"

static void (*const fail_how[])(unsigned long) = {faults_fail_write_at, faults_fail_writes_from};

/* One write fails, or the disk stays full from then on. */
static void making_a_project(void **state)
{
	char *folder = project_folder(), *path = project_file(folder, "p.qualm");

	(void)state;
	faults_install();
	for (size_t how = 0; how < 2; how++) {
		unsigned long n = 0, failures = 0;
		bool hit;

		do {
			struct err err = ERR_INIT;
			struct conn *c = NULL;
			enum status st;

			unlink(path);
			fail_how[how](++n);
			st = conn_open(&c, path, CONN_CREATE, &err);
			hit = faults_hit();
			if (st != OK) {
				failures++;
				assert_true(hit && err.msg[0]);
				assert_true(st == E_IO || st == E_DB);
				assert_null(c);
			}
			conn_close(c);
			faults_fail_write_at(0);
			c = project_open(path, CONN_CREATE); /* what is left can be gone on with */
			assert_int_equal(project_int(c, "SELECT count(*) FROM meta"), 3);
			conn_close(c);
		} while (hit);
		assert_true(n > 10 && failures > 10);
	}
	faults_remove();
	free(path);
	project_remove(folder);
}

static void an_edit(void **state)
{
	char *folder = project_folder(), *path = project_file(folder, "p.qualm");

	(void)state;
	project_make_tiny(path, 0);
	faults_install();
	for (size_t how = 0; how < 2; how++) {
		unsigned long n = 0, failures = 0;
		bool hit;

		do {
			struct conn *c = project_open(path, CONN_WRITE);
			struct err err = ERR_INIT;
			char *value = NULL, word[32];
			enum status st;

			snprintf(word, sizeof word, "%zu/%lu", how, ++n);
			fail_how[how](n);
			st = user_setting_set(c, "place", str_z(word), &err);
			hit = faults_hit();
			failures += st != OK;
			conn_close(c);
			faults_fail_write_at(0);
			c = project_open(path, CONN_WRITE);
			if (user_setting_get(c, "place", &value, &err) == OK && st == OK)
				assert_string_equal(value, word);
			if (st != OK && value)
				assert_string_not_equal(value, word);
			free(value);
			assert_int_equal(project_int(c, "SELECT count(*) FROM sample"), 6);
			assert_int_equal(project_int(c, "SELECT count(*) FROM pragma_integrity_check "
							"WHERE integrity_check = 'ok'"), 1);
			conn_close(c);
		} while (hit);
		assert_true(failures > 3);
	}
	faults_remove();
	free(path);
	project_remove(folder);
}

/* A child writes a setting and ends at its n-th write; false once it got to its end. */
static bool killed_at_write(const char *path, unsigned long n)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		struct err err = ERR_INIT;
		struct conn *c;

		faults_install();
		c = project_open(path, CONN_WRITE);
		faults_exit_at_write(n);
		_exit(user_setting_set(c, "place", STR("here"), &err) == OK ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_true(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == FAULTS_EXIT);
	return WEXITSTATUS(status) == FAULTS_EXIT;
}

/* Who only reads must be able to open what somebody else left half written. */
static void a_reader_after_a_kill(void **state)
{
	char *folder = project_folder(), *path = project_file(folder, "p.qualm");
	char *journal = project_file(folder, "p.qualm-journal");
	unsigned long n = 0, hot = 0;

	(void)state;
	project_make_tiny(path, 0);
	while (killed_at_write(path, ++n)) {
		struct err err = ERR_INIT;
		struct conn *c = NULL;

		hot += access(journal, F_OK) == 0;
		assert_int_equal(conn_open(&c, path, CONN_READ, &err), OK);
		assert_true(conn_read_only(c));
		assert_int_equal(project_int(c, "SELECT count(*) FROM setting"), 0);
		conn_close(c);
	}
	assert_true(n > 3 && hot > 0);
	free(journal);
	free(path);
	project_remove(folder);
}

static void the_shim_counts(void **state)
{
	char *folder = project_folder(), *path = project_file(folder, "p.qualm");

	(void)state;
	faults_install();
	project_make_tiny(path, 0);
	assert_true(faults_writes() > 30);
	assert_true(faults_reads() > 0);
	assert_false(faults_hit());
	faults_fail_write_at(0);
	assert_int_equal(faults_writes(), 0);
	faults_remove();
	assert_int_equal(faults_reads(), 0);
	free(path);
	project_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(making_a_project),
	    cmocka_unit_test(an_edit),
	    cmocka_unit_test(a_reader_after_a_kill),
	    cmocka_unit_test(the_shim_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
