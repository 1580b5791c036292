/* The program itself in a pty; this test is the terminal around it, a VT340 as xterm plays it. */
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <locale.h>
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

#include "tests/fixtures/pictures.h"
#include "tests/unit/lib_project.h"
#include "tests/unit/lib_sixel.h"
#include "tests/unit/lib_vt.h"
#include "tui/place.h"

#define PATIENCE_MS 10000

struct session {
	struct vt vt;
	struct buf bytes; /* everything that was written to the terminal */
	int master;
	pid_t pid;
	char *folder;
};

/* --- the project: s0 four quarters (PNG), s1 flat (JPEG), s2 damaged, s3 missing, s4 flat --- */

static unsigned quarter(uint32_t x, uint32_t y, int c)
{
	static const unsigned char colour[4][3] = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 255}};

	return colour[(y >= 40 ? 2 : 0) + (x >= 60 ? 1 : 0)][c];
}

static void put_file(const char *folder, const char *name, struct buf bytes)
{
	char *path = project_file(folder, name);
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes.p, 1, bytes.n, f), bytes.n);
	assert_int_equal(fclose(f), 0);
	free(path);
	buf_release(&bytes);
}

static void put_flat(const char *folder, const char *name, struct media_rgb colour)
{
	struct pixels px = picture_flat(100, 100, colour);

	put_file(folder, name, picture_jpeg(&px, 90, 0, false));
	pixels_release(&px);
}

static char *make_project(void)
{
	const struct png_spec png = {.w = 120, .h = 80, .depth = 8, .colour = PNG_RGB, .sample = quarter};
	char *folder = project_folder(), *file = project_file(folder, "t.qualm");
	char *pics = project_file(folder, "pics");
	struct buf bad = BUF_INIT;

	assert_int_equal(mkdir(pics, 0700), 0);
	free(pics);
	project_make_tiny(file, 0);
	free(file);
	put_file(folder, "pics/s0.png", picture_png(&png));
	put_flat(folder, "pics/s1.png", (struct media_rgb){20, 40, 200});
	buf_put(&bad, "\x89PNG\r\n\x1a\nthis is none", 20);
	put_file(folder, "pics/s2.png", bad);
	put_flat(folder, "pics/s4.png", (struct media_rgb){200, 160, 20});
	return folder;
}

/* --- the terminal --- */

/* The program over the project in s->folder. */
static void launch(struct session *s, int h, int w)
{
	struct winsize ws = {(unsigned short)h, (unsigned short)w, (unsigned short)(w * 10),
			     (unsigned short)(h * 20)};
	const char *qualm = getenv("QUALM") ? getenv("QUALM") : "build/qualm";
	char *file = project_file(s->folder, "t.qualm");

	vt_init(&s->vt, h, w);
	s->pid = forkpty(&s->master, NULL, NULL, &ws);
	assert_true(s->pid >= 0);
	if (s->pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		setenv("XDG_STATE_HOME", s->folder, 1);
		setenv("XDG_CONFIG_HOME", s->folder, 1);
		setenv("XDG_CACHE_HOME", s->folder, 1);
		unsetenv("TMUX");
		unsetenv("STY");
		unsetenv("NO_COLOR");
		unsetenv("LINES");
		unsetenv("COLUMNS");
		execl(qualm, qualm, file, "--view", "browse", (char *)NULL);
		_exit(127);
	}
	free(file);
}

static void start(struct session *s, int h, int w)
{
	memset(s, 0, sizeof *s);
	s->folder = make_project();
	launch(s, h, w);
}

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000L + ts.tv_nsec / 1000000L;
}

static bool turn(struct session *s, int ms)
{
	struct pollfd q = {s->master, POLLIN, 0};
	char bytes[4096];
	ssize_t n;

	if (poll(&q, 1, ms) <= 0 || (n = read(s->master, bytes, sizeof bytes)) <= 0)
		return false;
	buf_put(&s->bytes, bytes, (size_t)n);
	vt_write(&s->vt, (struct str){bytes, (size_t)n});
	if (s->vt.replies.n) {
		n = write(s->master, s->vt.replies.p, s->vt.replies.n);
		assert_int_equal(n, (ssize_t)s->vt.replies.n);
		buf_clear(&s->vt.replies);
	}
	return true;
}

static void settle(struct session *s)
{
	while (turn(s, 600))
		;
}

static void type(struct session *s, const char *keys)
{
	size_t n = strlen(keys);

	assert_int_equal(write(s->master, keys, n), (ssize_t)n);
}

static bool on_screen(struct session *s, const char *text)
{
	bool found = false;

	for (int y = 0; y < s->vt.h && !found; y++) {
		struct buf b = BUF_INIT;

		vt_row(&s->vt, y, &b);
		found = strstr(buf_cstr(&b), text) != NULL;
		buf_release(&b);
	}
	return found;
}

#define UNTIL(s, condition)                                                                        \
	do {                                                                                       \
		long end_ = now_ms() + PATIENCE_MS;                                                \
		while (!(condition)) {                                                             \
			turn(s, 50);                                                               \
			if (now_ms() > end_)                                                       \
				fail_msg("line %d: %s", __LINE__, #condition);                     \
		}                                                                                  \
	} while (0)

static void finish(struct session *s)
{
	int status;

	type(s, "q");
	UNTIL(s, waitpid(s->pid, &status, WNOHANG) == s->pid);
	while (turn(s, 20))
		;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(s->vt.alternate, 0);
	assert_false(s->vt.cursor_hidden);
	assert_int_equal(s->vt.sync_begun, s->vt.sync_ended);
	assert_int_equal(s->vt.last_row_hits, 0);
	close(s->master);
	buf_release(&s->bytes);
	vt_release(&s->vt);
	project_remove(s->folder);
}

/* The last sixel that was sent, decoded. */
struct shown {
	uint32_t w, h;
	uint8_t *rgb;
};

static struct shown last_sixel(struct session *s)
{
	struct shown out = {0};
	struct str all = buf_view(&s->bytes);
	size_t from = SIZE_MAX, end;

	for (size_t at = 0, hit; (hit = str_find((struct str){all.p + at, all.n - at}, STR("\033P"))) !=
				 SIZE_MAX;
	     at += hit + 2) {
		size_t k = at + hit + 2;

		while (k < all.n && (all.p[k] == ';' || (all.p[k] >= '0' && all.p[k] <= '9')))
			k++;
		if (k < all.n && all.p[k] == 'q')
			from = at + hit;
	}
	assert_true(from != SIZE_MAX);
	end = str_find((struct str){all.p + from, all.n - from}, STR("\033\\"));
	assert_true(end != SIZE_MAX);
	assert_true(sixel_decode(all.p + from, end + 2, &out.w, &out.h, &out.rgb));
	return out;
}

static void check_colour(const struct shown *p, uint32_t x, uint32_t y, int r, int g, int b)
{
	const uint8_t *px = p->rgb + ((size_t)y * p->w + x) * 3;

	if (abs(px[0] - r) > 40 || abs(px[1] - g) > 40 || abs(px[2] - b) > 40)
		fail_msg("at %u,%u: %d %d %d", x, y, px[0], px[1], px[2]);
}

/* Inside the preview: right of the rule at column 38, below the head, above the last row. */
static void check_place(struct session *s)
{
	const struct vt_picture *p = &s->vt.picture;

	assert_true(p->x >= 40 && p->x * 10 + p->w <= s->vt.w * 10);
	assert_true(p->y >= 2 && p->y * 20 + p->h <= (s->vt.h - 1) * 20);
	assert_true(vt_pixel_cells(&s->vt) > 20);
}

/* --- tests --- */

static void test_pictures(void **state)
{
	struct session s;
	struct shown p;

	(void)state;
	start(&s, 24, 80);
	UNTIL(&s, on_screen(&s, "s0"));
	vt_answer_probe(&s.vt);
	assert_int_equal(write(s.master, s.vt.replies.p, s.vt.replies.n), (ssize_t)s.vt.replies.n);
	buf_clear(&s.vt.replies);
	UNTIL(&s, s.vt.n_pictures == 1);
	settle(&s);
	check_place(&s);
	p = last_sixel(&s);
	check_colour(&p, p.w / 4, p.h / 4, 255, 0, 0);
	check_colour(&p, p.w * 3 / 4, p.h / 4, 0, 255, 0);
	check_colour(&p, p.w / 4, p.h * 3 / 4, 0, 0, 255);
	check_colour(&p, p.w * 3 / 4, p.h * 3 / 4, 255, 255, 255);
	free(p.rgb);

	type(&s, "j"); /* the next picture takes its place */
	UNTIL(&s, s.vt.n_pictures == 2);
	settle(&s);
	check_place(&s);
	p = last_sixel(&s);
	check_colour(&p, p.w / 2, p.h / 2, 20, 40, 200);
	free(p.rgb);

	type(&s, "?"); /* a popup takes it away, and gives it back */
	UNTIL(&s, on_screen(&s, "the next row"));
	settle(&s);
	assert_int_equal(vt_pixel_cells(&s.vt), 0);
	type(&s, "\033");
	UNTIL(&s, s.vt.n_pictures == 3);
	settle(&s);
	check_place(&s);
	assert_false(on_screen(&s, "the next row"));

	type(&s, "j"); /* a damaged file is a card, and no picture stays */
	UNTIL(&s, on_screen(&s, "PNG"));
	settle(&s);
	assert_int_equal(vt_pixel_cells(&s.vt), 0);
	type(&s, "j"); /* so is a missing one */
	UNTIL(&s, on_screen(&s, "No such"));
	settle(&s);
	assert_int_equal(vt_pixel_cells(&s.vt), 0);
	assert_int_equal(s.vt.n_pictures, 3);
	finish(&s);
}

/* Two parts of one picture: s0 and s1 in the first row of thumbnails, s4 in the second. */
static void test_gallery(void **state)
{
	struct session s;
	struct shown p;
	int cells;

	(void)state;
	start(&s, 24, 80);
	UNTIL(&s, on_screen(&s, "s0"));
	type(&s, "2");
	vt_answer_probe(&s.vt);
	assert_int_equal(write(s.master, s.vt.replies.p, s.vt.replies.n), (ssize_t)s.vt.replies.n);
	buf_clear(&s.vt.replies);
	UNTIL(&s, s.vt.n_pictures >= 2 && on_screen(&s, "s3.png"));
	settle(&s);
	cells = vt_pixel_cells(&s.vt);
	assert_true(cells > 60);
	assert_true((s.vt.picture.y + 1) * 20 + s.vt.picture.h <= 23 * 20);
	p = last_sixel(&s);
	check_colour(&p, 5, p.h - 5, 200, 160, 20); /* s4 stands on its caption */
	free(p.rgb);

	s.vt.n_pictures = 0;
	type(&s, "lljk"); /* the cursor alone moves */
	settle(&s);
	assert_int_equal(s.vt.n_pictures, 0);
	assert_int_equal(vt_pixel_cells(&s.vt), cells);
	type(&s, "s"); /* a popup takes it all away, and gives it back */
	UNTIL(&s, on_screen(&s, "sort by"));
	settle(&s);
	assert_int_equal(vt_pixel_cells(&s.vt), 0);
	type(&s, "\033");
	UNTIL(&s, s.vt.n_pictures >= 2);
	settle(&s);
	assert_int_equal(vt_pixel_cells(&s.vt), cells);
	type(&s, "0"); /* nothing of it stays in another view */
	UNTIL(&s, on_screen(&s, "datasets"));
	settle(&s);
	assert_int_equal(vt_pixel_cells(&s.vt), 0);
	finish(&s);
}

static void test_moving_fast(void **state)
{
	struct session s;

	(void)state;
	start(&s, 24, 80);
	UNTIL(&s, on_screen(&s, "s0"));
	vt_answer_probe(&s.vt);
	assert_int_equal(write(s.master, s.vt.replies.p, s.vt.replies.n), (ssize_t)s.vt.replies.n);
	buf_clear(&s.vt.replies);
	UNTIL(&s, s.vt.n_pictures == 1);
	settle(&s);
	type(&s, "jjjj"); /* only where the cursor rests is anything sent */
	UNTIL(&s, s.vt.n_pictures == 2);
	settle(&s);
	assert_int_equal(s.vt.n_pictures, 2);
	assert_true(on_screen(&s, "5 of 6"));
	finish(&s);
}

static void test_blocks(void **state)
{
	struct session s;

	(void)state;
	start(&s, 24, 80);
	UNTIL(&s, on_screen(&s, "s0"));
	type(&s, "\033[?62;22c"); /* no sixel */
	settle(&s);
	assert_int_equal(s.vt.n_pictures, 0);
	/* the quarters' red and blue, of the 256 colours */
	assert_true(str_find(buf_view(&s.bytes), STR("8;5;196m")) != SIZE_MAX);
	assert_true(str_find(buf_view(&s.bytes), STR("8;5;21m")) != SIZE_MAX);
	finish(&s);
}

static void check_kept(struct session *s, const char *want)
{
	char *file = project_file(s->folder, "t.qualm"), *dataset, *key;
	struct conn *c = project_open(file, CONN_READ);

	setenv("XDG_STATE_HOME", s->folder, 1);
	assert_true(place_load(conn_uuid(c), NULL, &dataset, &key));
	assert_string_equal(key, want);
	unsetenv("XDG_STATE_HOME");
	conn_close(c);
	free(dataset);
	free(key);
	free(file);
}

static void test_resize_and_hangup(void **state)
{
	struct session s;
	struct winsize ws = {30, 100, 1000, 600};
	int status;

	(void)state;
	start(&s, 24, 80);
	UNTIL(&s, on_screen(&s, "1 of 6"));
	s.vt.h = 30;
	s.vt.w = 100;
	assert_int_equal(ioctl(s.master, TIOCSWINSZ, &ws), 0);
	settle(&s);
	assert_true(on_screen(&s, "1 of 6"));
	type(&s, "j");
	settle(&s);
	kill(s.pid, SIGHUP); /* the place is kept */
	UNTIL(&s, waitpid(s.pid, &status, WNOHANG) == s.pid);
	assert_true(WIFEXITED(status));
	check_kept(&s, "s1");
	close(s.master);
	buf_release(&s.bytes);
	vt_release(&s.vt);
	project_remove(s.folder);
}

/* Every key of a burst counts, whatever takes its time between them; and nothing of it is lost
 * when the program is killed. */
static void test_filter_typed_ahead(void **state)
{
	struct session s;
	int status;

	(void)state;
	start(&s, 24, 110);
	UNTIL(&s, on_screen(&s, "1 of 6"));
	type(&s, "iemotion:joy,del\t\rj\024ianswer~\"answer \" -emotion:joy\025answer~answer -emotion:fe\t\r");
	UNTIL(&s, on_screen(&s, "answer@m1/cw~answer ▸ -emotion:fear"));
	UNTIL(&s, on_screen(&s, " of 3 "));
	kill(s.pid, SIGKILL);
	UNTIL(&s, waitpid(s.pid, &status, WNOHANG) == s.pid);
	close(s.master);
	buf_release(&s.bytes);
	vt_release(&s.vt);
	launch(&s, 24, 110);
	UNTIL(&s, on_screen(&s, "answer@m1/cw~answer ▸ -emotion:fear"));
	type(&s, "i\033[A");
	UNTIL(&s, on_screen(&s, "filter: answer~answer -emotion:fear"));
	type(&s, "\033[A");
	UNTIL(&s, on_screen(&s, "filter: emotion:joy,delight"));
	type(&s, "\r");
	UNTIL(&s, on_screen(&s, "emotion:joy,delight"));
	finish(&s);
}

static bool view_kept(struct session *s, const char *want)
{
	char *file = project_file(s->folder, "t.qualm"), *view;
	struct conn *c = project_open(file, CONN_READ);
	bool same;

	setenv("XDG_STATE_HOME", s->folder, 1);
	view = place_view(conn_uuid(c));
	same = view && strcmp(view, want) == 0;
	unsetenv("XDG_STATE_HOME");
	conn_close(c);
	free(view);
	free(file);
	return same;
}

/* Killed without a word, it had written where one was. */
static void test_killed(void **state)
{
	struct session s;
	int status;

	(void)state;
	start(&s, 24, 80);
	UNTIL(&s, on_screen(&s, "1 of 6"));
	type(&s, "jj2");
	UNTIL(&s, view_kept(&s, "gallery"));
	kill(s.pid, SIGKILL);
	UNTIL(&s, waitpid(s.pid, &status, WNOHANG) == s.pid);
	assert_true(WIFSIGNALED(status));
	check_kept(&s, "s2");
	close(s.master);
	buf_release(&s.bytes);
	vt_release(&s.vt);
	project_remove(s.folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_pictures),
	    cmocka_unit_test(test_gallery),
	    cmocka_unit_test(test_moving_fast),
	    cmocka_unit_test(test_blocks),
	    cmocka_unit_test(test_resize_and_hangup),
	    cmocka_unit_test(test_filter_typed_ahead),
	    cmocka_unit_test(test_killed),
	};

	setlocale(LC_CTYPE, "C.UTF-8"); /* the terminal knows the widths of signs */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
