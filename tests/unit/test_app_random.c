/* The program in a pty under random keys, sizes and terminals, fast and slow: it never dies, and
 * leaves with the terminal in order. QUALM_RANDOM_SECONDS (3) and QUALM_SEED (1) may be set. */
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "tests/fixtures/pictures.h"
#include "tests/unit/lib_project.h"
#include "tests/unit/lib_vt.h"

#define TAIL 3000 /* of what was written, for the failure's message */

struct session {
	struct vt vt;
	struct buf bytes;
	int master;
	pid_t pid;
	char *folder, *file;
	uint32_t seed;
};

static uint32_t dice(struct session *s, uint32_t n)
{
	s->seed = s->seed * 1664525u + 1013904223u;
	return (s->seed >> 8) % n;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void put(const char *folder, const char *name, struct buf bytes)
{
	char *path = project_file(folder, name);
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes.p, 1, bytes.n, f), bytes.n);
	fclose(f);
	free(path);
	buf_release(&bytes);
}

static unsigned gradient(uint32_t x, uint32_t y, int c)
{
	return (c == 0 ? 4 * x : c == 1 ? 4 * y : x + y) & 255;
}

/* s0 JPEG, s1 PNG (by the decode process), s2 damaged, s3 missing, s4 progressive. */
static void make_project(struct session *s)
{
	const struct png_spec png = {.w = 60, .h = 50, .depth = 8, .colour = PNG_RGB, .sample = gradient};
	struct pixels px = picture_photo(300, 200);
	struct buf bad = BUF_INIT;
	char *pics;

	s->folder = project_folder();
	s->file = project_file(s->folder, "t.qualm");
	pics = project_file(s->folder, "pics");
	assert_int_equal(mkdir(pics, 0700), 0);
	free(pics);
	project_make_tiny(s->file, 0);
	put(s->folder, "pics/s0.png", picture_jpeg(&px, 80, 0, false));
	put(s->folder, "pics/s1.png", picture_png(&png));
	buf_put(&bad, "\x89PNG\r\n\x1a\nthis is none", 20);
	put(s->folder, "pics/s2.png", bad);
	put(s->folder, "pics/s4.png", picture_jpeg(&px, 80, 0, true));
	pixels_release(&px);
}

static void start(struct session *s)
{
	static const char *const views[] = {"home", "browse", "gallery"};
	const char *view = views[dice(s, 3)], *graphics = dice(s, 4) ? "auto" : "blocks";
	char *qualm = realpath(getenv("QUALM") ? getenv("QUALM") : "build/qualm", NULL);
	const char *filter = dice(s, 3) ? NULL : "answer@any~/a.*[0-9]/ or text~number";
	struct winsize ws = {24, 80, 800, 480};

	vt_init(&s->vt, 24, 80);
	s->vt.answers = dice(s, 8) != 0;
	s->vt.konsole = dice(s, 4) == 0;
	s->pid = forkpty(&s->master, NULL, NULL, &ws);
	assert_true(s->pid >= 0);
	if (s->pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		setenv("QUALM_GRAPHICS", graphics, 1);
		setenv("XDG_STATE_HOME", s->folder, 1);
		setenv("XDG_CONFIG_HOME", s->folder, 1);
		setenv("XDG_CACHE_HOME", s->folder, 1);
		unsetenv("TMUX");
		unsetenv("STY");
		setenv("HOME", s->folder, 1);
		if (chdir(s->folder) != 0) /* what is exported at random stays there */
			_exit(126);
		execl(qualm, qualm, s->file, "--view", view, filter ? "--filter" : (char *)NULL, filter,
		      (char *)NULL);
		_exit(127);
	}
	free(qualm);
}

/* Up to `most` bytes; false when the program has gone. */
static bool take(struct session *s, int ms, size_t most)
{
	struct pollfd q = {s->master, POLLIN, 0};
	char bytes[16384];
	ssize_t n;

	if (poll(&q, 1, ms) <= 0)
		return true;
	n = read(s->master, bytes, most);
	if (n <= 0)
		return false;
	buf_put(&s->bytes, bytes, (size_t)n);
	vt_write(&s->vt, (struct str){bytes, (size_t)n});
	if (s->vt.replies.n && write(s->master, s->vt.replies.p, s->vt.replies.n) > 0)
		buf_clear(&s->vt.replies);
	return true;
}

static void resize(struct session *s)
{
	int h = 1 + (int)dice(s, VT_MAX_H), w = 1 + (int)dice(s, VT_MAX_W);
	struct winsize ws = {(unsigned short)h, (unsigned short)w, (unsigned short)(w * 10),
			     (unsigned short)(h * 20)};

	s->vt.h = h;
	s->vt.w = w;
	ioctl(s->master, TIOCSWINSZ, &ws);
}

/* What people type more often than not, and anything at all. Q would end it too soon. */
static void keys(struct session *s)
{
	static const char *const usual[] = {
	    "j", "j", "k", "jjjj", "G", "gg", "\004", "\025", "\r", "q", "0", "1", "2", "?", "\t", "/a\r",
	    "n", "e", "f", "}", "\033[B", "\033[A", "\033[6~", " ", "v", "chm\r", "tsad\r", "u", "\022",
	    "~", "a", "b", "p", "s", "\014", "\003", ":goto 3\r", "\033", "yi", "l", "h", "]", "\032",
	    "\033[I", "\033[O", "\033[200~pasted\033[201~", "gd", "go", "gi", "i", "iright\r", "ianswer~4\r",
	    "i\t\t\t\r", "i-mark\r", ",", ",\r", "-j\r", "\024", "gf", "gfd", ":base\r", ":base all\r", ":filter\r",
	    "i\025\r", "iwrong missing\r", "i\033[A\033[A\r", "i\033[200~gt:cat\033[201~\r", "/number\rnN",
	    "//s[0-4]/\r", "/number\rnjn", "N"};
	char any[3];
	size_t n = 1 + dice(s, 3);
	const char *p = usual[dice(s, sizeof usual / sizeof *usual)];

	if (dice(s, 5) == 0) {
		for (size_t i = 0; i < n; i++)
			any[i] = (char)(dice(s, 255) + 1);
		for (size_t i = 0; i < n; i++)
			any[i] = any[i] == 'Q' ? 'q' : any[i];
		p = any;
	} else {
		n = strlen(p);
	}
	if (write(s->master, p, n) < 0)
		return;
}

/* Wait for its end, reading what it still says; kill it after a while. */
static int end_of(struct session *s)
{
	double until = seconds() + 15;
	int status;

	while (waitpid(s->pid, &status, WNOHANG) == 0) {
		take(s, 20, 16384);
		if (seconds() > until) {
			kill(s->pid, SIGABRT);
			until += 1000;
		}
	}
	while (s->master >= 0 && poll(&(struct pollfd){s->master, POLLIN, 0}, 1, 0) > 0 &&
	       take(s, 0, 16384))
		;
	return status;
}

static void check_end(struct session *s, int status)
{
	size_t n = s->bytes.n < TAIL ? s->bytes.n : TAIL;

	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail_msg("seed %u, status %x: %.*s", s->seed, (unsigned)status, (int)n,
			 s->bytes.p + s->bytes.n - n);
	assert_int_equal(s->vt.alternate, 0);
	assert_int_equal(s->vt.state, 0);
	assert_int_equal(s->vt.sync_depth, 0);
	close(s->master);
	s->master = -1;
	vt_release(&s->vt);
	buf_release(&s->bytes);
}

/* One life of the program, until it leaves by itself or the time is up. */
static void live(struct session *s, double until)
{
	double soon = seconds() + 1.5;
	bool slow = dice(s, 3) == 0, on = true;

	start(s);
	take(s, 3000, 16384); /* it is there */
	while (on && seconds() < until && seconds() < soon) {
		if (dice(s, 25) == 0)
			resize(s);
		else
			keys(s);
		for (uint32_t i = dice(s, 12); i > 0 && on; i--)
			on = take(s, (int)dice(s, 10), slow ? 300 : 16384);
	}
	/* out of prompts and popups, and gone */
	for (int i = 0; i < 4 && on; i++) {
		on = write(s->master, "\033", 1) == 1;
		for (double t = seconds() + 0.2; on && seconds() < t;)
			on = take(s, 20, 16384);
	}
	if (on && write(s->master, "Q", 1) != 1)
		on = false;
	check_end(s, end_of(s));
}

static void random_lives(void **state)
{
	const char *t = getenv("QUALM_RANDOM_SECONDS"), *seed = getenv("QUALM_SEED");
	double until = seconds() + (t ? strtod(t, NULL) : 3);
	struct session s = {.master = -1, .seed = seed ? (uint32_t)strtoul(seed, NULL, 10) : 1};

	(void)state;
	make_project(&s);
	while (seconds() < until)
		live(&s, until);
	free(s.file);
	project_remove(s.folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(random_lives)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
