#include "tests/unit/lib_pty.h"

#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct winsize size_of(int h, int w)
{
	return (struct winsize){(unsigned short)h, (unsigned short)w, (unsigned short)(w * 10),
				(unsigned short)(h * 20)};
}

const char *pty_program(void)
{
	return getenv("QUALM") ? getenv("QUALM") : "build/qualm";
}

static void run(const char *home, const char *file)
{
	static const char *const unset[] = {"TMUX", "STY", "NO_COLOR", "LINES", "COLUMNS"};
	static const char *const homes[] = {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME",
					    "XDG_DATA_HOME"};

	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	for (size_t i = 0; i < sizeof homes / sizeof homes[0]; i++)
		setenv(homes[i], home, 1);
	for (size_t i = 0; i < sizeof unset / sizeof unset[0]; i++)
		unsetenv(unset[i]);
	execl(pty_program(), pty_program(), file, "--view", "browse", (char *)NULL);
	_exit(127);
}

void pty_start(struct pty *p, const char *home, const char *file, int h, int w)
{
	struct winsize ws = size_of(h, w);

	memset(p, 0, sizeof *p);
	vt_init(&p->vt, h, w);
	p->pid = forkpty(&p->master, NULL, NULL, &ws);
	assert_true(p->pid >= 0);
	if (p->pid == 0)
		run(home, file);
}

static void reply(struct pty *p)
{
	struct buf *r = &p->vt.replies;

	if (r->n)
		assert_int_equal(write(p->master, r->p, r->n), (ssize_t)r->n);
	buf_clear(r);
}

bool pty_turn(struct pty *p, int ms)
{
	struct pollfd q = {p->master, POLLIN, 0};
	char bytes[4096];
	ssize_t n;

	if (poll(&q, 1, ms) <= 0 || (n = read(p->master, bytes, sizeof bytes)) <= 0)
		return false;
	buf_put(&p->bytes, bytes, (size_t)n);
	vt_write(&p->vt, (struct str){bytes, (size_t)n});
	reply(p);
	return true;
}

void pty_settle(struct pty *p)
{
	while (pty_turn(p, 600))
		;
}

void pty_type(struct pty *p, const char *keys)
{
	size_t n = strlen(keys);

	assert_int_equal(write(p->master, keys, n), (ssize_t)n);
}

void pty_answer_probe(struct pty *p)
{
	vt_answer_probe(&p->vt);
	reply(p);
}

bool pty_shows(const struct pty *p, const char *text)
{
	bool found = false;

	for (int y = 0; y < p->vt.h && !found; y++) {
		struct buf b = BUF_INIT;

		vt_row(&p->vt, y, &b);
		found = strstr(buf_cstr(&b), text) != NULL;
		buf_release(&b);
	}
	return found;
}

void pty_resize(struct pty *p, int h, int w)
{
	struct winsize ws = size_of(h, w);

	p->vt.h = h;
	p->vt.w = w;
	assert_int_equal(ioctl(p->master, TIOCSWINSZ, &ws), 0);
}

bool pty_ended(struct pty *p, int *status)
{
	return waitpid(p->pid, status, WNOHANG) == p->pid;
}

long pty_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000L + ts.tv_nsec / 1000000L;
}

void pty_quit(struct pty *p)
{
	int status;

	pty_type(p, "q");
	UNTIL(p, pty_ended(p, &status));
	while (pty_turn(p, 20))
		;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(p->vt.alternate, 0);
	assert_false(p->vt.cursor_hidden);
	assert_int_equal(p->vt.sync_begun, p->vt.sync_ended);
	assert_int_equal(p->vt.last_row_hits, 0);
	pty_release(p);
}

void pty_release(struct pty *p)
{
	close(p->master);
	buf_release(&p->bytes);
	vt_release(&p->vt);
}
