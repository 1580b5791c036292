#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/lib_shell.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/xmalloc.h"

static pid_t start(const char *line, int out[2])
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid > 0)
		return pid;
	dup2(out[1], STDOUT_FILENO);
	close(out[0]);
	close(out[1]);
	execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	_exit(127);
}

void shell_output(const char *command, struct buf *out)
{
	const char *qualm = getenv("QUALM") ? getenv("QUALM") : "build/qualm";
	char *line = xasprintf("exec 2>/dev/null; %s%s", qualm, command + strlen("qualm")), some[4096];
	int ends[2];
	ssize_t n;
	pid_t pid;

	assert_int_equal(strncmp(command, "qualm ", 6), 0);
	assert_int_equal(pipe(ends), 0);
	pid = start(line, ends);
	close(ends[1]);
	while ((n = read(ends[0], some, sizeof some)) > 0)
		buf_put(out, some, (size_t)n);
	close(ends[0]);
	waitpid(pid, NULL, 0);
	free(line);
}
