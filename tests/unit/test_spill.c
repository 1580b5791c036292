/* Rows for a reader that is slow, gone, or a file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tui/spill.h"

#define ROWS 60000 /* of eight bytes: several times what a pipe holds */

struct line {
	int end; /* the reader's */
	FILE *out;
};

static void lay(struct line *l)
{
	int fd[2];

	assert_int_equal(pipe(fd), 0);
	l->end = fd[0];
	l->out = fdopen(fd[1], "w");
	assert_non_null(l->out);
}

/* A child reads all: its status says whether that is what was written. */
static pid_t read_all(const struct line *l)
{
	pid_t pid = fork();
	char want[9], got[9];
	FILE *in;

	if (pid)
		return pid;
	close(fileno(l->out));
	in = fdopen(l->end, "r");
	for (int i = 0; i < ROWS; i++) {
		snprintf(want, sizeof want, "%07d\n", i);
		if (!fgets(got, sizeof got, in) || strcmp(want, got) != 0)
			_exit(1);
	}
	_exit(fgetc(in) == EOF ? 0 : 2);
}

static int status_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void put_rows(struct spill *s)
{
	struct err err = ERR_INIT;

	for (int i = 0; i < ROWS; i++) {
		fprintf(s->in, "%07d\n", i);
		assert_int_equal(spill_move(s, &err), OK);
	}
}

/* All rows are taken off the statement's hands though nobody reads; then they come, in order. */
static void slow_reader(void **state)
{
	struct line l;
	struct spill s;
	struct err err = ERR_INIT;
	pid_t pid;

	(void)state;
	lay(&l);
	spill_open(&s, l.out, NULL);
	assert_ptr_not_equal(s.in, s.out);
	put_rows(&s);
	assert_in_range(ftello(s.in) - s.at, 1, ROWS * 8 - 1); /* the pipe took some */
	pid = read_all(&l);
	close(l.end);
	assert_int_equal(spill_end(&s, &err), OK);
	spill_release(&s);
	fclose(l.out);
	assert_int_equal(status_of(pid), 0);
}

/* Beyond the ceiling the reader sets the pace; what has been taken is no longer kept. */
static void ceiling(void **state)
{
	struct line l;
	struct spill s;
	struct err err = ERR_INIT;
	pid_t pid;

	(void)state;
	lay(&l);
	pid = read_all(&l);
	close(l.end);
	spill_open(&s, l.out, NULL);
	s.most = 0;
	put_rows(&s);
	assert_in_range(ftello(s.in), 0, 1 << 17);
	assert_int_equal(spill_end(&s, &err), OK);
	spill_release(&s);
	fclose(l.out);
	assert_int_equal(status_of(pid), 0);
}

static void nobody_waits(void **state)
{
	struct line l;
	struct spill s;
	struct cancel cancel;
	struct err err = ERR_INIT;

	(void)state;
	lay(&l);
	cancel_init(&cancel);
	spill_open(&s, l.out, &cancel);
	put_rows(&s);
	cancel_now(&cancel);
	assert_int_equal(spill_end(&s, &err), E_CANCELLED);
	close(l.end); /* the reader has seen enough */
	err_clear(&err);
	assert_int_equal(spill_end(&s, &err), E_IO);
	spill_release(&s);
	fclose(l.out);
	cancel_release(&cancel);
}

static void plain_file(void **state)
{
	struct spill s;
	struct err err = ERR_INIT;
	FILE *f = tmpfile();

	(void)state;
	assert_non_null(f);
	spill_open(&s, f, NULL);
	assert_ptr_equal(s.in, f);
	put_rows(&s);
	assert_int_equal(spill_end(&s, &err), OK);
	assert_int_equal(ftello(f), ROWS * 8);
	spill_release(&s);
	fclose(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(slow_reader),
	    cmocka_unit_test(ceiling),
	    cmocka_unit_test(nobody_waits),
	    cmocka_unit_test(plain_file),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
