/* A slow line: this program is the terminal and reads a few hundred bytes at a time. Keys must be
 * answered though a picture is on its way, and no picture and no text may arrive that nobody waits
 * for. What is asserted is counted in bytes on the line, not in time. */
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/lib_vt.h"
#include "tui/term/term.h"
#include "tui/term/theme.h"

#define PICTURE_BYTES 120000
#define PIECE         400 /* read at once, every PIECE_MS */
#define PIECE_MS      4
#define KERNEL_BYTES  72000 /* what a pty holds, 64 KiB on Linux, its line discipline, a frame */
#define PATIENCE      4000  /* pieces */
#define HELD_KEYS     300
#define FRAME_BYTES   2000  /* a screen of text */
#define LINE_RATE     22e3  /* bytes a second behind tmux */
#define UNDER_WAY     12000 /* text, when a key is let go; the kernel alone would hold twice that */

static const struct rect place = {2, 30, 12, 40};

/* --- the program --- */

struct program {
	struct term *t;
	struct cells grid;
	uint64_t id;
	int keys;
	int said; /* a byte for each key */
	bool text; /* instead of pictures: all of the screen is another with every key */
};

/* The first colour tells which picture it is. */
static void make_sixel(uint64_t id, struct buf *out)
{
	buf_printf(out, "\033Pq\"1;1;400;240#0;2;%d;0;0", (int)id);
	while (out->n < PICTURE_BYTES)
		buf_z(out, "#0!17~??@!300~$-");
	buf_z(out, "\033\\");
}

static void draw_text(struct program *p, int h, int w)
{
	for (int y = 1; y < h; y++)
		for (int x = 0; x < w; x++) {
			char c[2] = {(char)('a' + (x * 7 + y * 3 + p->keys) % 26), '\0'};

			cells_putz(&p->grid, y, x, 1, STYLE_NORMAL, c);
		}
}

static void draw(struct program *p)
{
	struct placed_picture pic = {.id = p->id, .rect = place};
	struct buf sixel = BUF_INIT;
	int h, w;

	term_size(p->t, &h, &w);
	cells_resize(&p->grid, h, w);
	cells_fill(&p->grid, (struct rect){0, 0, h, w}, STYLE_NORMAL);
	cells_printf(&p->grid, 0, 0, w, STYLE_STATUS, "keys %d", p->keys);
	if (p->text) {
		draw_text(p, h, w);
	} else if (term_caps(p->t)->graphics == GRAPHICS_SIXEL) {
		cells_fill(&p->grid, place, STYLE_PICTURE);
		make_sixel(p->id, &sixel);
		pic.sixel = buf_view(&sixel);
	}
	term_show(p->t, &p->grid, pic.sixel.n ? &pic : NULL);
	buf_release(&sixel);
}

static int program_main(bool text, int said)
{
	struct program p = {.id = 1, .said = said, .text = text};
	struct theme theme;
	struct err err = ERR_INIT;
	bool changed, dirty = true, on = true;
	uint32_t key;

	if (theme_load("dark", &theme, &err) != OK || !(p.t = term_open(&theme, &err)))
		return 3;
	while (on) {
		struct pollfd q = {term_fd(p.t), 0, 0};

		if (dirty)
			draw(&p);
		q.events = term_events(p.t);
		poll(&q, 1, term_timeout(p.t));
		if (term_input(p.t, &changed, &err) != OK)
			break;
		dirty = changed;
		while ((key = term_key(p.t))) {
			dirty = true;
			p.keys++;
			p.id += key == 'n';
			if (write(p.said, "k", 1) != 1)
				on = false;
			on = on && key != 'q';
		}
	}
	term_close(p.t);
	cells_release(&p.grid);
	return 0;
}

/* --- the terminal --- */

struct session {
	struct vt vt;
	int master, said;
	pid_t pid;
	struct buf bytes;
};

/* In an environment of a tmux at the far end of a line, or of none. */
static void set_environment(bool tmux)
{
	setenv("TERM", "xterm-256color", 1);
	unsetenv("TMUX");
	unsetenv("STY");
	unsetenv("QUALM_GRAPHICS");
	unsetenv("SSH_CONNECTION");
	unsetenv("SSH_TTY");
	if (tmux) {
		setenv("TMUX", "/nowhere/tmux,1,0", 1);
		setenv("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.2 22", 1);
	}
}

static int set_up_session(void **state, bool text, bool tmux)
{
	struct session *s = calloc(1, sizeof *s);
	struct winsize ws = {24, 80, 800, 480};
	int said[2];

	assert_int_equal(pipe(said), 0);
	vt_init(&s->vt, 24, 80);
	s->vt.answers = true;
	s->pid = forkpty(&s->master, NULL, NULL, &ws);
	assert_true(s->pid >= 0);
	if (s->pid == 0) {
		set_environment(tmux);
		setlocale(LC_CTYPE, "C.UTF-8");
		close(said[0]);
		_exit(program_main(text, said[1]));
	}
	close(said[1]);
	s->said = said[0];
	*state = s;
	return 0;
}

static int set_up(void **state)
{
	return set_up_session(state, false, false);
}

static int set_up_text(void **state)
{
	return set_up_session(state, true, false);
}

static int set_up_tmux(void **state)
{
	return set_up_session(state, true, true);
}

static int tear_down(void **state)
{
	struct session *s = *state;
	int status;

	close(s->master);
	close(s->said);
	waitpid(s->pid, &status, 0);
	vt_release(&s->vt);
	buf_release(&s->bytes);
	free(s);
	return 0;
}

/* One piece off the line; false when there is nothing. */
static bool piece(struct session *s, size_t most)
{
	struct pollfd q = {s->master, POLLIN, 0};
	char bytes[4096];
	ssize_t n;

	poll(NULL, 0, most == PIECE ? PIECE_MS : 0);
	if (poll(&q, 1, 100) <= 0 || (n = read(s->master, bytes, most)) <= 0)
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

static void type(struct session *s, const char *keys)
{
	assert_int_equal(write(s->master, keys, strlen(keys)), (ssize_t)strlen(keys));
}

static bool row_is(const struct session *s, const char *want)
{
	struct buf b = BUF_INIT;
	bool same;

	vt_row(&s->vt, 0, &b);
	same = strcmp(buf_cstr(&b), want) == 0;
	buf_release(&b);
	return same;
}

/* Bytes that crossed the line until the row was there. */
static size_t until_row(struct session *s, const char *want)
{
	size_t from = s->bytes.n;

	for (int i = 0; i < PATIENCE && !row_is(s, want); i++)
		piece(s, PIECE);
	if (!row_is(s, want))
		fail_msg("\"%s\" never came", want);
	return s->bytes.n - from;
}

/* The k-th sixel in all that was received: which picture, how many bytes; false when there are
 * fewer. The last may be under way: then whole is false as well. */
static bool sixel_at(const struct session *s, int k, int *id, size_t *bytes, bool *whole)
{
	static const char start[] = "\033Pq\"1;1;400;240#0;2;";
	struct str all = buf_view(&s->bytes), rest;
	size_t at, end;

	for (;; k--) {
		at = str_find(all, STR(start));
		if (at == SIZE_MAX)
			return false;
		rest = (struct str){all.p + at, all.n - at};
		end = str_find(rest, STR("\033\\"));
		if (k == 0)
			break;
		all = end == SIZE_MAX ? STR_NONE : (struct str){rest.p + end, rest.n - end};
	}
	*id = (int)strtol(rest.p + sizeof start - 1, NULL, 10);
	*bytes = end == SIZE_MAX ? rest.n : end + 2;
	*whole = end != SIZE_MAX && *bytes >= PICTURE_BYTES;
	return true;
}

/* A picture has begun and a part of it is here. */
static void until_begun(struct session *s, int id_wanted)
{
	for (int i = 0; i < PATIENCE; i++) {
		int id;
		size_t bytes;
		bool whole;

		for (int k = 0; sixel_at(s, k, &id, &bytes, &whole); k++)
			if (id == id_wanted && bytes > 4000 && !whole)
				return;
		piece(s, PIECE);
	}
	fail_msg("picture %d never began", id_wanted);
}

static void finish(struct session *s)
{
	while (piece(s, 4096))
		;
}

static int n_whole(const struct session *s, int id_wanted)
{
	int id, n = 0;
	size_t bytes;
	bool whole;

	for (int k = 0; sixel_at(s, k, &id, &bytes, &whole); k++)
		n += whole && id == id_wanted;
	return n;
}

/* The cursor moves on: the picture is broken off, the next one comes, those between never do. */
static void moving_on(void **state)
{
	struct session *s = *state;

	until_begun(s, 1);
	type(s, "n");
	assert_in_range(until_row(s, "keys 1"), 1, KERNEL_BYTES);
	until_begun(s, 2);
	type(s, "nnn");
	assert_in_range(until_row(s, "keys 4"), 1, KERNEL_BYTES);
	finish(s);
	for (int id = 1; id < 5; id++)
		assert_int_equal(n_whole(s, id), 0);
	assert_int_equal(n_whole(s, 5), 1);
	assert_int_equal(vt_pixel_cells(&s->vt), place.h * place.w);
	assert_int_equal(s->vt.last_row_hits, 0);
	assert_int_equal(s->vt.sync_begun, s->vt.sync_ended);
	assert_true(row_is(s, "keys 4"));
	type(s, "q");
	finish(s);
	assert_int_equal(s->vt.alternate, 0);
}

/* Other text while it is under way: the text comes first, and the picture again. */
static void text_first(void **state)
{
	struct session *s = *state;

	until_begun(s, 1);
	type(s, "x");
	assert_in_range(until_row(s, "keys 1"), 1, KERNEL_BYTES);
	finish(s);
	assert_int_equal(n_whole(s, 1), 1);
	assert_int_equal(vt_pixel_cells(&s->vt), place.h * place.w);
	type(s, "y");
	until_row(s, "keys 2");
	finish(s);
	assert_int_equal(n_whole(s, 1), 1); /* it stands: it is not sent again */
	type(s, "q");
	finish(s);
	assert_int_equal(s->vt.alternate, 0);
}

/* Leaving in the middle leaves a terminal in order. */
static void leaving(void **state)
{
	struct session *s = *state;
	size_t from;

	until_begun(s, 1);
	from = s->bytes.n;
	type(s, "q");
	finish(s);
	assert_in_range(s->bytes.n - from, 1, KERNEL_BYTES);
	assert_int_equal(n_whole(s, 1), 0);
	assert_int_equal(s->vt.alternate, 0);
	assert_false(s->vt.cursor_hidden);
	assert_int_equal(s->vt.state, 0);
}

/* The program has taken its next key, whatever the line does. */
static void wait_key(struct session *s)
{
	struct pollfd q = {s->said, POLLIN, 0};
	char c;

	if (poll(&q, 1, 10000) <= 0 || read(s->said, &c, 1) != 1)
		fail_msg("a key was not taken");
}

/* The last frame is there soon, behind few others. */
static void let_go(struct session *s)
{
	assert_in_range(until_row(s, "keys 300"), 1, UNDER_WAY);
	finish(s);
	assert_true(row_is(s, "keys 300"));
	type(s, "q");
	finish(s);
	assert_int_equal(s->vt.alternate, 0);
}

/* A key held down on a line that takes a tenth of the frames. */
static void held_key(void **state)
{
	struct session *s = *state;

	until_row(s, "keys 0");
	for (int i = 0; i < 50; i++) /* the line is measured */
		piece(s, PIECE / 4);
	for (int i = 0; i < HELD_KEYS; i++) {
		type(s, "j");
		wait_key(s);
		poll(NULL, 0, PIECE_MS);
		piece(s, PIECE / 4);
	}
	let_go(s);
	assert_true(s->bytes.n < (size_t)HELD_KEYS * FRAME_BYTES / 4);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* All that a line of the rate took since, though the machine be slow. */
static void take_since(struct session *s, double since, size_t from, double rate)
{
	struct pollfd q = {s->master, POLLIN, 0};

	while ((double)(s->bytes.n - from) < (seconds() - since) * rate && poll(&q, 1, 0) > 0)
		piece(s, PIECE / 4);
}

/* tmux takes all at once and says so: what the line behind it does is not known. */
static void held_key_in_tmux(void **state)
{
	struct session *s = *state;

	double since;
	size_t from;

	s->vt.tmux = 303;
	until_row(s, "keys 0");
	since = seconds();
	from = s->bytes.n;
	for (int i = 0; i < HELD_KEYS; i++) {
		type(s, "j");
		wait_key(s);
		poll(NULL, 0, PIECE_MS);
		take_since(s, since, from, LINE_RATE);
	}
	let_go(s);
}

/* Nobody reads what is drawn, and nothing is answered: keys are taken all the same, and the last
 * frame comes in the end. */
static void not_read(void **state)
{
	struct session *s = *state;

	s->vt.answers = false;
	until_row(s, "keys 0");
	for (int i = 0; i < HELD_KEYS; i++) {
		type(s, "j");
		wait_key(s);
	}
	assert_in_range(until_row(s, "keys 300"), 1, KERNEL_BYTES + 2 * FRAME_BYTES);
	type(s, "q");
	finish(s);
	assert_int_equal(s->vt.alternate, 0);
	assert_int_equal(s->vt.state, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(moving_on, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(text_first, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(leaving, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(held_key, set_up_text, tear_down),
	    cmocka_unit_test_setup_teardown(held_key_in_tmux, set_up_tmux, tear_down),
	    cmocka_unit_test_setup_teardown(not_read, set_up_text, tear_down),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
