/* The program itself in a pty; this test is the terminal around it, a VT340 as xterm plays it. */
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

#include <cmocka.h>

#include "tests/fixtures/pictures.h"
#include "tests/unit/lib_project.h"
#include "tests/unit/lib_pty.h"
#include "tests/unit/lib_sixel.h"
#include "tui/place.h"

struct session {
	struct pty pty;
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
	char *file = project_file(s->folder, "t.qualm");

	pty_start(&s->pty, s->folder, file, h, w);
	free(file);
}

static void start(struct session *s, int h, int w)
{
	memset(s, 0, sizeof *s);
	s->folder = make_project();
	launch(s, h, w);
}

static void finish(struct session *s)
{
	pty_quit(&s->pty);
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
	struct str all = buf_view(&s->pty.bytes);
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
	const struct vt_picture *p = &s->pty.vt.picture;

	assert_true(p->x >= 40 && p->x * 10 + p->w <= s->pty.vt.w * 10);
	assert_true(p->y >= 2 && p->y * 20 + p->h <= (s->pty.vt.h - 1) * 20);
	assert_true(vt_pixel_cells(&s->pty.vt) > 20);
}

/* --- tests --- */

static void test_pictures(void **state)
{
	struct session s;
	struct shown p;

	(void)state;
	start(&s, 24, 80);
	UNTIL(&s.pty, pty_shows(&s.pty, "s0"));
	pty_answer_probe(&s.pty);
	UNTIL(&s.pty, s.pty.vt.n_pictures == 1);
	pty_settle(&s.pty);
	check_place(&s);
	p = last_sixel(&s);
	check_colour(&p, p.w / 4, p.h / 4, 255, 0, 0);
	check_colour(&p, p.w * 3 / 4, p.h / 4, 0, 255, 0);
	check_colour(&p, p.w / 4, p.h * 3 / 4, 0, 0, 255);
	check_colour(&p, p.w * 3 / 4, p.h * 3 / 4, 255, 255, 255);
	free(p.rgb);

	pty_type(&s.pty, "j"); /* the next picture takes its place */
	UNTIL(&s.pty, s.pty.vt.n_pictures == 2);
	pty_settle(&s.pty);
	check_place(&s);
	p = last_sixel(&s);
	check_colour(&p, p.w / 2, p.h / 2, 20, 40, 200);
	free(p.rgb);

	pty_type(&s.pty, "?"); /* a popup takes it away, and gives it back */
	UNTIL(&s.pty, pty_shows(&s.pty, "the next row"));
	pty_settle(&s.pty);
	assert_int_equal(vt_pixel_cells(&s.pty.vt), 0);
	pty_type(&s.pty, "\033");
	UNTIL(&s.pty, s.pty.vt.n_pictures == 3);
	pty_settle(&s.pty);
	check_place(&s);
	assert_false(pty_shows(&s.pty, "the next row"));

	pty_type(&s.pty, "j"); /* a damaged file is a card, and no picture stays */
	UNTIL(&s.pty, pty_shows(&s.pty, "PNG"));
	pty_settle(&s.pty);
	assert_int_equal(vt_pixel_cells(&s.pty.vt), 0);
	pty_type(&s.pty, "j"); /* so is a missing one */
	UNTIL(&s.pty, pty_shows(&s.pty, "No such"));
	pty_settle(&s.pty);
	assert_int_equal(vt_pixel_cells(&s.pty.vt), 0);
	assert_int_equal(s.pty.vt.n_pictures, 3);
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
	UNTIL(&s.pty, pty_shows(&s.pty, "s0"));
	pty_type(&s.pty, "2");
	pty_answer_probe(&s.pty);
	UNTIL(&s.pty, s.pty.vt.n_pictures >= 2 && pty_shows(&s.pty, "s3.png"));
	pty_settle(&s.pty);
	cells = vt_pixel_cells(&s.pty.vt);
	assert_true(cells > 60);
	assert_true((s.pty.vt.picture.y + 1) * 20 + s.pty.vt.picture.h <= 23 * 20);
	p = last_sixel(&s);
	check_colour(&p, 5, p.h - 5, 200, 160, 20); /* s4 stands on its caption */
	free(p.rgb);

	s.pty.vt.n_pictures = 0;
	pty_type(&s.pty, "lljk"); /* the cursor alone moves */
	pty_settle(&s.pty);
	assert_int_equal(s.pty.vt.n_pictures, 0);
	assert_int_equal(vt_pixel_cells(&s.pty.vt), cells);
	pty_type(&s.pty, "s"); /* a popup takes it all away, and gives it back */
	UNTIL(&s.pty, pty_shows(&s.pty, "sort by"));
	pty_settle(&s.pty);
	assert_int_equal(vt_pixel_cells(&s.pty.vt), 0);
	pty_type(&s.pty, "\033");
	UNTIL(&s.pty, s.pty.vt.n_pictures >= 2);
	pty_settle(&s.pty);
	assert_int_equal(vt_pixel_cells(&s.pty.vt), cells);
	pty_type(&s.pty, "0"); /* nothing of it stays in another view */
	UNTIL(&s.pty, pty_shows(&s.pty, "datasets"));
	pty_settle(&s.pty);
	assert_int_equal(vt_pixel_cells(&s.pty.vt), 0);
	finish(&s);
}

static void test_moving_fast(void **state)
{
	struct session s;

	(void)state;
	start(&s, 24, 80);
	UNTIL(&s.pty, pty_shows(&s.pty, "s0"));
	pty_answer_probe(&s.pty);
	UNTIL(&s.pty, s.pty.vt.n_pictures == 1);
	pty_settle(&s.pty);
	pty_type(&s.pty, "jjjj"); /* only where the cursor rests is anything sent */
	UNTIL(&s.pty, s.pty.vt.n_pictures == 2);
	pty_settle(&s.pty);
	assert_int_equal(s.pty.vt.n_pictures, 2);
	assert_true(pty_shows(&s.pty, "5 of 6"));
	finish(&s);
}

static void test_blocks(void **state)
{
	struct session s;

	(void)state;
	start(&s, 24, 80);
	UNTIL(&s.pty, pty_shows(&s.pty, "s0"));
	pty_type(&s.pty, "\033[?62;22c"); /* no sixel */
	pty_settle(&s.pty);
	assert_int_equal(s.pty.vt.n_pictures, 0);
	/* the quarters' red and blue, of the 256 colours */
	assert_true(str_find(buf_view(&s.pty.bytes), STR("8;5;196m")) != SIZE_MAX);
	assert_true(str_find(buf_view(&s.pty.bytes), STR("8;5;21m")) != SIZE_MAX);
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
	int status;

	(void)state;
	start(&s, 24, 80);
	UNTIL(&s.pty, pty_shows(&s.pty, "1 of 6"));
	pty_resize(&s.pty, 30, 100);
	pty_settle(&s.pty);
	assert_true(pty_shows(&s.pty, "1 of 6"));
	pty_type(&s.pty, "j");
	pty_settle(&s.pty);
	kill(s.pty.pid, SIGHUP); /* the place is kept */
	UNTIL(&s.pty, pty_ended(&s.pty, &status));
	assert_true(WIFEXITED(status));
	check_kept(&s, "s1");
	pty_release(&s.pty);
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
	UNTIL(&s.pty, pty_shows(&s.pty, "1 of 6"));
	pty_type(&s.pty, "iemotion:joy,del\t\rj\024ianswer~\"answer \" -emotion:joy\025answer~answer -emotion:fe\t\r");
	UNTIL(&s.pty, pty_shows(&s.pty, "answer@m1/cw~answer ▸ -emotion:fear"));
	UNTIL(&s.pty, pty_shows(&s.pty, " of 3 "));
	kill(s.pty.pid, SIGKILL);
	UNTIL(&s.pty, pty_ended(&s.pty, &status));
	pty_release(&s.pty);
	launch(&s, 24, 110);
	UNTIL(&s.pty, pty_shows(&s.pty, "answer@m1/cw~answer ▸ -emotion:fear"));
	pty_type(&s.pty, "i\033[A");
	UNTIL(&s.pty, pty_shows(&s.pty, "filter: answer~answer -emotion:fear"));
	pty_type(&s.pty, "\033[A");
	UNTIL(&s.pty, pty_shows(&s.pty, "filter: emotion:joy,delight"));
	pty_type(&s.pty, "\r");
	UNTIL(&s.pty, pty_shows(&s.pty, "emotion:joy,delight"));
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
	UNTIL(&s.pty, pty_shows(&s.pty, "1 of 6"));
	pty_type(&s.pty, "jj2");
	UNTIL(&s.pty, view_kept(&s, "gallery"));
	kill(s.pty.pid, SIGKILL);
	UNTIL(&s.pty, pty_ended(&s.pty, &status));
	assert_true(WIFSIGNALED(status));
	check_kept(&s, "s2");
	pty_release(&s.pty);
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
