/* A terminal of 120 × 36 cells (a VT340 as xterm plays it) and the fingers in front of it. */
#include <math.h>
#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench.h"

#define QUIET_MS 3.0 /* a frame is over when nothing came for so long */
#define GIVE_UP	 5000.0

bool screen_start(struct screen *s, const char *const *argv, bool answers)
{
	struct winsize ws = {36, 120, 1200, 720};

	vt_init(&s->vt, ws.ws_row, ws.ws_col);
	s->vt.answers = answers;
	snprintf(s->home, sizeof s->home, "/tmp/qualm-screen-XXXXXX");
	if (!mkdtemp(s->home))
		return false;
	s->began = bench_ms();
	s->pid = forkpty(&s->master, NULL, NULL, &ws);
	if (s->pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		setenv("HOME", s->home, 1);
		unsetenv("TMUX");
		unsetenv("SSH_CONNECTION");
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	return s->pid > 0;
}

bool screen_take(struct screen *s, double ms)
{
	struct pollfd q = {s->master, POLLIN, 0};
	char bytes[65536];
	ssize_t n;

	if (poll(&q, 1, ms > 0 ? (int)ceil(ms) : 0) <= 0)
		return false;
	n = read(s->master, bytes, sizeof bytes);
	if (n <= 0)
		return false;
	vt_write(&s->vt, (struct str){bytes, (size_t)n});
	if (s->vt.replies.n && write(s->master, s->vt.replies.p, s->vt.replies.n) > 0)
		buf_clear(&s->vt.replies);
	return true;
}

double screen_key(struct screen *s, struct str keys)
{
	double begin = bench_ms(), last = -1;

	if (write(s->master, keys.p, keys.n) != (ssize_t)keys.n)
		return -1;
	while (screen_take(s, last < 0 ? GIVE_UP : QUIET_MS))
		last = bench_ms() - begin;
	return last;
}

void screen_settle(struct screen *s, double ms)
{
	while (screen_take(s, ms))
		;
}

bool screen_shows(const struct screen *s, struct str text)
{
	struct buf row = BUF_INIT;
	bool found = false;

	for (int y = 0; y < s->vt.h && !found; y++) {
		buf_clear(&row);
		vt_row(&s->vt, y, &row);
		found = str_find(buf_view(&row), text) != SIZE_MAX;
	}
	buf_release(&row);
	return found;
}

double screen_until(struct screen *s, struct str text)
{
	while (!screen_shows(s, text))
		if (!screen_take(s, GIVE_UP))
			return -1;
	return bench_ms() - s->began;
}

long screen_memory(const struct screen *s)
{
	char line[256];
	long kb = -1;
	FILE *f;

	snprintf(line, sizeof line, "/proc/%ld/status", (long)s->pid);
	f = fopen(line, "re");
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, "VmRSS:", 6) == 0)
			kb = strtol(line + 6, NULL, 10);
	if (f)
		fclose(f);
	return kb;
}

double screen_cpu(const struct screen *s)
{
	unsigned long long ns;
	char path[64];
	double ms = -1;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", (long)s->pid, (long)s->pid);
	f = fopen(path, "re");
	if (f && fscanf(f, "%llu", &ns) == 1)
		ms = (double)ns / 1e6;
	if (f)
		fclose(f);
	return ms;
}

void screen_end(struct screen *s)
{
	int status;

	if (write(s->master, "Q", 1) == 1)
		screen_settle(s, 300);
	close(s->master);
	waitpid(s->pid, &status, 0);
	vt_release(&s->vt);
	bench_remove(s->home);
}
