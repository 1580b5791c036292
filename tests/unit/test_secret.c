/* The search for keys in all that a test has written, and in what runs (lib_secret.h): it can fail. */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_project.h"
#include "tests/unit/lib_secret.h"

/* The search finds what is there: in any file, below any folder,
 * across the pieces it reads in; and in the words that a program was started with. */
static void the_search_can_fail(void **state)
{
	static const char secret[] = "sk-to-be-found";
	char *top = project_folder(), *project = project_file(top, "p.qualm");
	const size_t at[] = {0, 5, 65530, 65536 - 7, 200000};
	char *folder = xasprintf("%s/a", top), *deep = xasprintf("%s/a/b", top);
	char *path = xasprintf("%s/.p-wal", deep);

	(void)state;
	project_make_tiny(project, 0);
	assert_int_equal(mkdir(folder, 0700) | mkdir(deep, 0700), 0);
	assert_null(secret_in_files(top, secret, NULL));
	for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
		FILE *out = fopen(path, "we");
		char *found;

		assert_non_null(out);
		for (size_t k = 0; k < at[i]; k++)
			fputc((int)(k % 251), out);
		fputs(secret, out);
		fputc(0, out);
		fclose(out);
		found = secret_in_files(top, secret, NULL);
		assert_non_null(found);
		assert_string_equal(found, path);
		free(found);
		assert_null(secret_in_files(top, secret, ".p-wal"));
	}
	unlink(path);
	free(path);
	free(project);
	free(deep);
	free(folder);
	project_remove(top);
}

static void the_search_sees_processes(void **state)
{
	static const char secret[] = "sk-on-a-command-line";
	int hold[2];
	pid_t pid;

	(void)state;
	assert_int_equal(secret_in_processes(secret), 0);
	assert_int_equal(pipe(hold), 0);
	pid = fork();
	if (pid == 0) {
		dup2(hold[0], 0);
		close(hold[1]);
		execl("/bin/sh", "sh", "-c", "read x", secret, (char *)NULL);
		_exit(1);
	}
	for (int i = 0; i < 2000 && !secret_in_processes(secret); i++)
		poll(NULL, 0, 5);
	assert_int_equal(secret_in_processes(secret), pid);
	close(hold[1]);
	close(hold[0]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_search_can_fail),
	    cmocka_unit_test(the_search_sees_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
