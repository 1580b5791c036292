#include "tests/unit/lib_peak.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

static uint64_t peak_now(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (uint64_t)u.ru_maxrss * 1024;
}

static void in_child(void (*body)(void *ctx), void *ctx, int fd)
{
	uint64_t before = peak_now(), grown;

	body(ctx);
	grown = peak_now() - before;
	_exit(write(fd, &grown, sizeof grown) == (ssize_t)sizeof grown ? 0 : 1);
}

bool peak_of(void (*body)(void *ctx), void *ctx, uint64_t *bytes)
{
	int ends[2], status;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		in_child(body, ctx, ends[1]);
	close(ends[1]);
	if (read(ends[0], bytes, sizeof *bytes) != (ssize_t)sizeof *bytes)
		*bytes = UINT64_MAX;
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	return !SANITIZED;
}
