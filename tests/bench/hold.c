/* Budget 12: `j` held in a pty, with previews. This program is the terminal (a VT340 as xterm
 * plays it) and the finger: a key goes down as soon as the last one's frame is there, and, in a
 * second run, every 30 ms as keyboards repeat. */
#include <math.h>
#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "tests/bench/bench.h"
#include "tests/unit/lib_vt.h"

#define QUIET_MS  3.0   /* a frame is over when nothing came for so long */
#define GIVE_UP   5000.0
#define REPEAT_MS 30.0

struct hold {
	struct vt vt;
	int master;
	pid_t pid;
};

static bool start(struct hold *h, const char *qualm, const char *project)
{
	struct winsize ws = {36, 120, 1200, 720};
	char home[] = "/tmp/qualm-hold-XXXXXX";

	vt_init(&h->vt, 36, 120);
	h->vt.answers = true;
	if (!mkdtemp(home))
		return false;
	h->pid = forkpty(&h->master, NULL, NULL, &ws);
	if (h->pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		setenv("HOME", home, 1);
		unsetenv("TMUX");
		unsetenv("SSH_CONNECTION");
		execlp(qualm, qualm, project, "--view", "browse", (char *)NULL);
		_exit(127);
	}
	return h->pid > 0;
}

/* One read; false when nothing came in time. */
static bool take(struct hold *h, double ms)
{
	struct pollfd q = {h->master, POLLIN, 0};
	char bytes[65536];
	ssize_t n;

	if (poll(&q, 1, ms > 0 ? (int)ceil(ms) : 0) <= 0)
		return false;
	n = read(h->master, bytes, sizeof bytes);
	if (n <= 0)
		return false;
	vt_write(&h->vt, (struct str){bytes, (size_t)n});
	if (h->vt.replies.n && write(h->master, h->vt.replies.p, h->vt.replies.n) > 0)
		buf_clear(&h->vt.replies);
	return true;
}

/* From the key to the last byte of what it caused; < 0 when nothing came. */
static double frame(struct hold *h)
{
	double begin = bench_ms(), last = -1;

	if (write(h->master, "j", 1) != 1)
		return -1;
	while (take(h, last < 0 ? GIVE_UP : QUIET_MS))
		last = bench_ms() - begin;
	return last;
}

static void settle(struct hold *h, double ms)
{
	while (take(h, ms))
		;
}

static void report(const char *what, const char *key, double *t, int n, FILE *json)
{
	double median = bench_median(t, n);

	printf("12  %-32s %7.2f ms median, %.2f worst of 99 %%, %.2f worst   (budget 16)\n", what,
	       median, t[n - 1 - n / 100], t[n - 1]);
	fprintf(json, "  \"%s_median_ms\": %.3f,\n  \"%s_worst_ms\": %.3f,\n", key, median, key,
		t[n - 1]);
}

static int measure(struct hold *h, int keys, double every, double *t)
{
	int n = 0;

	for (int i = 0; i < keys; i++) {
		double begin = bench_ms();
		double ms = frame(h), left;

		if (ms < 0)
			break;
		t[n++] = ms;
		while ((left = every - (bench_ms() - begin)) > 0)
			take(h, left);
	}
	return n;
}

int bench_hold(const char *qualm, const char *project, int keys, FILE *json)
{
	struct hold h = {.master = -1};
	double *t = xcalloc((size_t)keys, sizeof *t);
	int n, before, status;

	if (!start(&h, qualm, project))
		return 1;
	settle(&h, 1500);
	before = h.vt.n_pictures;
	n = measure(&h, keys, 0, t);
	if (n)
		report("j as fast as frames come", "hold_fast", t, n, json);
	n = measure(&h, keys / 5, REPEAT_MS, t);
	if (n)
		report("j every 30 ms", "hold_repeat", t, n, json);
	settle(&h, 1500);
	printf("12  pictures: %d at the start, %d after the holding\n", before, h.vt.n_pictures);
	fprintf(json, "  \"hold_keys\": %d,\n", n);
	if (write(h.master, "Q", 1) == 1)
		settle(&h, 300);
	close(h.master);
	waitpid(h.pid, &status, 0);
	vt_release(&h.vt);
	free(t);
	return n ? 0 : 1;
}
