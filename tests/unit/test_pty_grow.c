/* The screen in a pty, and other processes that import into its project meanwhile. */
#include <setjmp.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "db/user.h"
#include "tests/unit/lib_project.h"
#include "tests/unit/lib_pty.h"

enum { SAMPLES = 2000 };

struct session {
	struct pty pty;
	char *folder, *file;
};

/* --- the files and the imports --- */

static char *write_samples(const char *folder)
{
	char *path = project_file(folder, "samples.jsonl");
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	for (int i = 0; i < SAMPLES; i++)
		fprintf(f, "{\"id\": \"k%04d\", \"label\": \"class %d\"}\n", i, i % 7);
	assert_int_equal(fclose(f), 0);
	return path;
}

static char *write_answers(const char *folder, const char *model, int runs)
{
	char *path = project_file(folder, model);
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	for (int r = 0; r < runs; r++)
		for (int i = 0; i < SAMPLES; i++)
			fprintf(f, "{\"sample_id\": \"k%04d\", \"model\": \"%s%d\", \"protocol\": \"CW\", "
				   "\"prediction\": \"class %d\", \"response\": \"I say %d, %d times\"}\n",
				i, model, r, (i + r) % 7, i, r);
	assert_int_equal(fclose(f), 0);
	return path;
}

/* Takes path. */
static pid_t import(struct session *s, char *path)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(126);
		execl(pty_program(), pty_program(), "import", s->file, path, "--dataset", "d", (char *)NULL);
		_exit(127);
	}
	free(path);
	return pid;
}

static void await_good(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* --- the terminal --- */

static void start(struct session *s)
{
	memset(s, 0, sizeof *s);
	s->folder = project_folder();
	s->file = project_file(s->folder, "t.qualm");
	setenv("XDG_STATE_HOME", s->folder, 1);
	setenv("XDG_DATA_HOME", s->folder, 1);
	setenv("XDG_CONFIG_HOME", s->folder, 1);
	setenv("XDG_CACHE_HOME", s->folder, 1);
	await_good(import(s, write_samples(s->folder)));
	await_good(import(s, write_answers(s->folder, "first", 2)));
	pty_start(&s->pty, s->folder, s->file, 30, 100);
}

static void finish(struct session *s)
{
	pty_quit(&s->pty);
	free(s->file);
	project_remove(s->folder);
}

/* --- tests --- */

/* Without a key where the system tells of writes; elsewhere with one, after a while. */
static void what_others_import_appears(void **state)
{
	struct session s;

	(void)state;
	start(&s);
	UNTIL(&s.pty, pty_shows(&s.pty, "1 of 2,000") && pty_shows(&s.pty, "a first1/cw"));
	pty_type(&s.pty, "jj");
	UNTIL(&s.pty, pty_shows(&s.pty, "3 of 2,000"));
	await_good(import(&s, write_answers(s.folder, "second", 3)));
#ifndef __linux__
	sleep(3);
	pty_type(&s.pty, "\f");
#endif
	UNTIL(&s.pty, pty_shows(&s.pty, "new in the project: 3 runs, 6,000 predictions more"));
	pty_type(&s.pty, "j");
	UNTIL(&s.pty, pty_shows(&s.pty, "4 of 2,000") && pty_shows(&s.pty, "/5"));
	assert_true(pty_shows(&s.pty, "a first1/cw"));
	finish(&s);
}

static bool has_journal(const struct session *s)
{
	char *path = project_file(s->folder, "t.qualm-journal");
	struct stat sb;
	bool has = stat(path, &sb) == 0 && sb.st_size > 0;

	free(path);
	return has;
}

/* What dies in the middle of its commit has never been: the screen goes on, edits are kept, and
 * the next import is seen. */
static void an_import_dies(void **state)
{
	struct session s;
	int status;
	pid_t pid;

	(void)state;
	start(&s);
	UNTIL(&s.pty, pty_shows(&s.pty, "1 of 2,000"));
	pid = import(&s, write_answers(s.folder, "doomed", 40));
	while (!has_journal(&s) && waitpid(pid, &status, WNOHANG) == 0)
		pty_type(&s.pty, "j");
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	pty_type(&s.pty, "g");
	pty_type(&s.pty, "g");
	UNTIL(&s.pty, pty_shows(&s.pty, "1 of 2,000"));
	pty_type(&s.pty, "todd\r");
	UNTIL(&s.pty, pty_shows(&s.pty, "tag k0000: odd"));
	await_good(import(&s, write_answers(s.folder, "third", 1)));
	pty_type(&s.pty, "j");
	UNTIL(&s.pty, pty_shows(&s.pty, "third0") || pty_shows(&s.pty, "/3") || pty_shows(&s.pty, "/43"));
	assert_true(pty_shows(&s.pty, "2 of 2,000"));
	finish(&s);
}

static void edits_of_others_appear(void **state)
{
	const uint32_t ord = 1;
	const struct user_change change = {USER_TAG, &ord, 1, STR("odd"), 0};
	struct user_done done;
	struct err err = ERR_INIT;
	struct session s;
	struct user *user;
	struct conn *c;

	(void)state;
	start(&s);
	UNTIL(&s.pty, pty_shows(&s.pty, "1 of 2,000"));
	pty_type(&s.pty, "j");
	UNTIL(&s.pty, pty_shows(&s.pty, "2 of 2,000"));
	assert_false(pty_shows(&s.pty, "odd"));
	c = project_open(s.file, CONN_WRITE);
	assert_int_equal(user_open(&user, c, 1, "d", SAMPLES, &err), OK);
	assert_int_equal(user_edit(user, "tag", &change, 1, &done, &err), OK);
	user_close(user);
	conn_close(c);
#ifndef __linux__
	sleep(3);
	pty_type(&s.pty, "\f");
#endif
	UNTIL(&s.pty, pty_shows(&s.pty, "odd"));
	finish(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_others_import_appears),
	    cmocka_unit_test(an_import_dies),
	    cmocka_unit_test(edits_of_others_appear),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
