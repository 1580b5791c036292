/* The real backend in a real pty: a child draws, this program is the terminal. */
#include <errno.h>
#include <locale.h>
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
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

#include <cmocka.h>

#include "tests/unit/lib_vt.h"
#include "tui/term/term.h"
#include "tui/term/theme.h"

#define PATIENCE_MS 5000

static const struct rect place = {2, 30, 12, 40};

/* --- the child --- */

struct child {
	struct term *t;
	struct cells grid;
	uint64_t id; /* of the picture, 0 = none */
	bool popup, moved; /* moved: the lower lines stand three further down */
	int out;     /* where it says what it saw */
	int keys;
};

static void make_sixel(const struct term_caps *caps, uint64_t id, struct buf *out)
{
	int w = place.w * caps->cell_w, h = place.h * caps->cell_h / 6 * 6;

	buf_printf(out, "\033Pq\"1;1;%d;%d#0;2;%d;0;0", w, h, (int)(id * 10 % 100));
	for (int y = 0; y < h; y += 6)
		buf_printf(out, "#0!%d~-", w);
	buf_z(out, "\033\\");
}

static void child_draw(struct child *c)
{
	struct buf sixel = BUF_INIT;
	struct placed_picture pic = {.rect = place};
	int h, w;

	term_size(c->t, &h, &w);
	cells_resize(&c->grid, h, w);
	cells_putz(&c->grid, 0, 0, w, STYLE_STATUS, "first line");
	for (int y = 1; y < h - 1; y++)
		cells_printf(&c->grid, y, 0, 25, STYLE_NORMAL, "row %d \u65e5\u672c \u2713", c->moved && y > 12 ? y - 3 : y);
	cells_printf(&c->grid, h - 1, 0, w, STYLE_KEYS, "last line %d", c->keys);
	if (c->id) {
		cells_fill(&c->grid, place, STYLE_PICTURE);
		if (term_caps(c->t)->graphics == GRAPHICS_SIXEL) {
			make_sixel(term_caps(c->t), c->id, &sixel);
			pic.id = c->id;
			pic.sixel = buf_view(&sixel);
		}
	}
	if (c->popup) {
		cells_fill(&c->grid, (struct rect){5, 20, 5, 30}, STYLE_POPUP);
		cells_putz(&c->grid, 6, 22, 20, STYLE_POPUP, "a popup");
	}
	term_show(c->t, &c->grid, &pic);
	buf_release(&sixel);
}

static bool child_key(struct child *c, uint32_t key)
{
	char name[32];

	if (key != KEYC_FOCUS_IN && key != KEYC_FOCUS_OUT)
		dprintf(c->out, "%.*s ", (int)key_text(key, name), name);
	if (key == KEYC_PASTE)
		dprintf(c->out, "<%.*s> ", STR_ARG(term_pasted(c->t)));
	c->keys++;
	switch (key) {
	case 'n': c->id++; break;
	case '0': c->id = 0; break;
	case 'm': c->moved = !c->moved; break;
	case 'o': c->popup = !c->popup; break;
	case 'r': term_resized(c->t); break;
	case 'l': term_redraw(c->t); break;
	case 'y': term_copy(c->t, STR("hello")); break;
	case 'z': term_suspend(c->t); break;
	case 'b': dprintf(c->out, "%s ", term_busy(c->t) ? "busy" : "idle"); break;
	case 'g': dprintf(c->out, "graphics:%d ", (int)term_caps(c->t)->graphics); break;
	case 'x': term_restore(); _exit(9);
	case 'q': return false;
	default: break;
	}
	return true;
}

static int child_main(int out)
{
	struct child c = {.id = 1, .out = out};
	struct theme theme;
	struct err err = ERR_INIT;
	uint32_t key;
	bool changed, on = true;

	if (theme_load(NULL, &theme, &err) != OK || !(c.t = term_open(&theme, &err))) {
		dprintf(out, "error: %s ", err.msg);
		return 3;
	}
	while (on) {
		struct pollfd q = {term_fd(c.t), 0, 0};

		child_draw(&c);
		q.events = term_events(c.t);
		poll(&q, 1, term_timeout(c.t));
		if (term_input(c.t, &changed, &err) != OK)
			break;
		while (on && (key = term_key(c.t)))
			on = child_key(&c, key);
	}
	term_close(c.t);
	cells_release(&c.grid);
	return 0;
}

/* --- the terminal --- */

struct session {
	struct vt vt;
	int master, said_fd;
	pid_t pid;
	struct buf said; /* what the child said */
	struct termios before;
};

struct setup {
	const char *term, *locale, *tmux, *graphics;
	bool no_color;
	int h, w;
};

static void child_env(const struct setup *s)
{
	static const char *const clear[] = {"NO_COLOR", "TMUX", "STY", "QUALM_GRAPHICS",
					    "QUALM_CELL", "LINES", "COLUMNS"};

	for (size_t i = 0; i < sizeof clear / sizeof *clear; i++)
		unsetenv(clear[i]);
	setenv("TERM", s->term, 1);
	if (s->tmux)
		setenv("TMUX", s->tmux, 1);
	if (s->graphics)
		setenv("QUALM_GRAPHICS", s->graphics, 1);
	if (s->no_color)
		setenv("NO_COLOR", "1", 1);
	setlocale(LC_CTYPE, s->locale ? s->locale : "C.UTF-8");
}

static void open_session(struct session *s, const struct setup *setup)
{
	int h = setup->h ? setup->h : 24, w = setup->w ? setup->w : 80, said[2], slave;
	struct winsize ws = {(unsigned short)h, (unsigned short)w, (unsigned short)(w * 10),
			     (unsigned short)(h * 20)};

	memset(s, 0, sizeof *s);
	vt_init(&s->vt, h, w);
	assert_int_equal(pipe(said), 0);
	assert_int_equal(openpty(&s->master, &slave, NULL, NULL, &ws), 0);
	assert_int_equal(tcgetattr(s->master, &s->before), 0); /* before the program can change it */
	s->pid = fork();
	assert_true(s->pid >= 0);
	if (s->pid == 0) {
		close(s->master);
		login_tty(slave);
		close(said[0]);
		child_env(setup);
		_exit(child_main(said[1]));
	}
	close(slave);
	close(said[1]);
	s->said_fd = said[0];
}

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000L + ts.tv_nsec / 1000000L;
}

static void type(struct session *s, const char *keys)
{
	size_t n = strlen(keys);

	assert_int_equal(write(s->master, keys, n), (ssize_t)n);
}

/* One round of the terminal's life; false when nothing came within ms. */
static bool turn(struct session *s, int ms)
{
	struct pollfd q[2] = {{s->master, POLLIN, 0}, {s->said_fd, POLLIN, 0}};
	char bytes[4096];
	ssize_t n;

	if (poll(q, 2, ms) <= 0)
		return false;
	if (q[0].revents && (n = read(s->master, bytes, sizeof bytes)) > 0)
		vt_write(&s->vt, (struct str){bytes, (size_t)n});
	else if (q[0].revents && !(q[1].revents & POLLIN))
		return false;
	if (q[1].revents && (n = read(s->said_fd, bytes, sizeof bytes)) > 0)
		buf_put(&s->said, bytes, (size_t)n);
	if (s->vt.replies.n) {
		n = write(s->master, s->vt.replies.p, s->vt.replies.n);
		assert_int_equal(n, (ssize_t)s->vt.replies.n);
		buf_clear(&s->vt.replies);
	}
	return true;
}

static bool row_is(struct session *s, int y, const char *want)
{
	struct buf b = BUF_INIT;
	bool same;

	vt_row(&s->vt, y, &b);
	same = strcmp(buf_cstr(&b), want) == 0;
	buf_release(&b);
	return same;
}

static bool said(struct session *s, const char *what)
{
	return strstr(buf_cstr(&s->said), what) != NULL;
}

/* The condition is looked at after each piece of news; time out fails. */
#define UNTIL(s, condition)                                                                        \
	do {                                                                                       \
		long end_ = now_ms() + PATIENCE_MS;                                                \
		while (!(condition)) {                                                             \
			turn(s, 50);                                                               \
			if (now_ms() > end_)                                                       \
				fail_msg("line %d: %s; it said \"%s\"", __LINE__, #condition,      \
					 buf_cstr(&(s)->said));                                    \
		}                                                                                  \
	} while (0)

/* Everything that is under way has arrived: the child has drawn after its last key. */
static void settle(struct session *s)
{
	while (turn(s, 150))
		;
}

static void check_frame(struct session *s, bool popup)
{
	struct buf want = BUF_INIT;

	assert_true(row_is(s, 0, "first line"));
	for (int y = 1; y < s->vt.h - 1; y++) {
		buf_clear(&want);
		buf_printf(&want, "row %d \u65e5\u672c \u2713", y);
		if (!popup)
			assert_true(row_is(s, y, buf_cstr(&want)));
	}
	buf_release(&want);
	assert_int_equal(s->vt.last_row_hits, 0);
	assert_int_equal(s->vt.sync_begun, s->vt.sync_ended);
	assert_int_equal(s->vt.sync_depth, 0);
	assert_true(s->vt.cursor_hidden);
}

static void close_session(struct session *s, int want_status)
{
	struct termios after;
	int status;

	UNTIL(s, waitpid(s->pid, &status, WNOHANG) == s->pid);
	while (turn(s, 20))
		;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), want_status);
	assert_int_equal(s->vt.alternate, 0);
	assert_false(s->vt.cursor_hidden);
	assert_false(s->vt.paste_mode);
	assert_int_equal(s->vt.sync_begun, s->vt.sync_ended);
	assert_int_equal(tcgetattr(s->master, &after), 0);
	assert_int_equal(after.c_lflag & (ICANON | ECHO | ISIG),
			 s->before.c_lflag & (ICANON | ECHO | ISIG));
	close(s->master);
	close(s->said_fd);
	buf_release(&s->said);
	vt_release(&s->vt);
}

/* A picture arrives where it should, and nothing is left of it when it goes. */
static void check_shown(struct session *s, int n)
{
	UNTIL(s, s->vt.n_pictures == n);
	settle(s);
	assert_int_equal(s->vt.n_pictures, n);
	assert_int_equal(s->vt.picture.y, place.y);
	assert_int_equal(s->vt.picture.x, place.x);
	assert_int_equal(s->vt.picture.w, place.w * 10);
	assert_int_equal(s->vt.picture.h, place.h * 20);
	assert_int_equal(vt_pixel_cells(&s->vt), place.h * place.w);
	check_frame(s, false);
}

static void test_picture(void **state)
{
	struct session s;
	struct setup setup = {.term = "xterm-256color"};

	(void)state;
	open_session(&s, &setup);
	/* the first frame is there though nothing was answered */
	UNTIL(&s, row_is(&s, 23, "last line 0"));
	settle(&s);
	check_frame(&s, false);
	assert_int_equal(s.vt.n_pictures, 0);
	/* answers, cut in two, with keys around them */
	type(&s, "j\033P>|XTe");
	type(&s, "rm(379)\033\\\033[6;20;10tk\033[?2;0;1000;1000S\033[?63;1;2;4;");
	type(&s, "6;9c\033[A");
	check_shown(&s, 1);
	UNTIL(&s, said(&s, "Up"));
	assert_string_equal(buf_cstr(&s.said), "j k Up ");
	/* text elsewhere leaves it alone */
	type(&s, "j");
	UNTIL(&s, row_is(&s, 23, "last line 4"));
	check_shown(&s, 1);
	/* lines that move past it leave it where it is */
	type(&s, "m");
	UNTIL(&s, row_is(&s, 20, "row 17 \u65e5\u672c \u2713"));
	type(&s, "m");
	UNTIL(&s, row_is(&s, 23, "last line 6"));
	check_shown(&s, 1);
	assert_int_equal(s.vt.n_scrolled, 0);
	/* another one on top, without wiping */
	type(&s, "n");
	check_shown(&s, 2);
	/* a popup hides it, and it comes back */
	type(&s, "o");
	UNTIL(&s, vt_pixel_cells(&s.vt) == 0);
	settle(&s);
	check_frame(&s, true);
	assert_int_equal(s.vt.n_pictures, 2);
	type(&s, "o");
	check_shown(&s, 3);
	type(&s, "0");
	UNTIL(&s, vt_pixel_cells(&s.vt) == 0);
	settle(&s);
	check_frame(&s, false);
	type(&s, "q");
	close_session(&s, 0);
}

/* Whatever the terminal's description says of its size: a picture below a scroll region would move
 * what is in it. */
static void test_tall(void **state)
{
	struct session s;
	struct setup setup = {.term = "xterm-256color", .h = 40, .w = 100};

	(void)state;
	open_session(&s, &setup);
	s.vt.answers = true;
	check_shown(&s, 1);
	assert_true(s.vt.bottom == 0 || s.vt.bottom == 40);
	type(&s, "q");
	close_session(&s, 0);
	assert_true(s.vt.bottom == 0 || s.vt.bottom == 40);
}

static void test_receipts(void **state)
{
	struct session s;
	struct setup setup = {.term = "xterm-256color"};

	(void)state;
	open_session(&s, &setup);
	s.vt.answers = true;
	check_shown(&s, 1);
	s.vt.receipts = false;
	type(&s, "n");
	check_shown(&s, 2);
	type(&s, "b");
	UNTIL(&s, said(&s, "busy"));
	type(&s, "n");
	UNTIL(&s, row_is(&s, 23, "last line 3"));
	settle(&s);
	/* not sent, and the wrong one is not left standing */
	assert_int_equal(s.vt.n_pictures, 2);
	assert_int_equal(vt_pixel_cells(&s.vt), 0);
	assert_int_equal(s.vt.n_receipts_due, 2); /* of the picture, of the text after it */
	s.vt.receipts = true;
	type(&s, "\033[3;31R\033[3;31R");
	check_shown(&s, 3); /* without a key */
	type(&s, "b");
	UNTIL(&s, said(&s, "idle"));
	assert_string_equal(buf_cstr(&s.said), "n b busy n b idle ");
	type(&s, "q");
	close_session(&s, 0);
}

static void test_repaints(void **state)
{
	struct session s;
	struct setup setup = {.term = "xterm-256color"};
	struct winsize ws = {30, 100, 1000, 600};

	(void)state;
	open_session(&s, &setup);
	s.vt.answers = true;
	check_shown(&s, 1);
	type(&s, "l");
	check_shown(&s, 2);
	ioctl(s.master, TIOCSWINSZ, &ws);
	s.vt.h = 30;
	s.vt.w = 100;
	type(&s, "r");
	check_shown(&s, 3);
	UNTIL(&s, said(&s, "Resize"));
	/* no shell holds this session: the stop is not carried out, all else is */
	type(&s, "z");
	check_shown(&s, 4);
	assert_string_equal(buf_cstr(&s.said), "l r Resize z Resize ");
	type(&s, "q");
	close_session(&s, 0);
}

static void test_mute_terminal(void **state)
{
	struct session s;
	struct setup setup = {.term = "xterm-256color"};
	long start;

	(void)state;
	open_session(&s, &setup);
	start = now_ms();
	UNTIL(&s, row_is(&s, 23, "last line 0"));
	assert_true(now_ms() - start < 2000);
	type(&s, "g");
	UNTIL(&s, said(&s, "graphics:2"));
	type(&s, "\033");
	UNTIL(&s, said(&s, "Esc"));
	type(&s, "\033[200~ab\033[Ac\033[201~");
	UNTIL(&s, said(&s, "Paste <ab\033[Ac>"));
	type(&s, "y");
	UNTIL(&s, s.vt.n_copied == 1);
	assert_string_equal(buf_cstr(&s.vt.copied), "aGVsbG8=");
	settle(&s);
	check_frame(&s, false);
	assert_int_equal(s.vt.n_pictures, 0);
	type(&s, "q");
	close_session(&s, 0);
}

/* There a picture goes only with the whole screen; another on top of it needs no clearing. */
static void test_konsole(void **state)
{
	struct session s;
	struct setup setup = {.term = "xterm-256color"};
	int clears;

	(void)state;
	open_session(&s, &setup);
	s.vt.answers = s.vt.konsole = true;
	check_shown(&s, 1);
	clears = s.vt.n_clears;
	type(&s, "n");
	check_shown(&s, 2);
	assert_int_equal(s.vt.n_clears, clears);
	type(&s, "0");
	UNTIL(&s, vt_pixel_cells(&s.vt) == 0);
	settle(&s);
	check_frame(&s, false);
	assert_int_equal(s.vt.n_clears, clears + 1);
	type(&s, "q");
	close_session(&s, 0);
}

static void test_crash(void **state)
{
	struct session s;
	struct setup setup = {.term = "xterm-256color"};

	(void)state;
	open_session(&s, &setup);
	s.vt.answers = true;
	check_shown(&s, 1);
	type(&s, "x");
	close_session(&s, 9);
}

static void test_tmux(void **state)
{
	static const struct {
		int version;
		bool outer;
		int pictures;
	} rows[] = {{303, false, 0}, {303, true, 1}, {306, false, 1}};
	struct setup setup = {.term = "screen-256color", .tmux = "/tmp/x,1,0"};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct session s;

		open_session(&s, &setup);
		s.vt.answers = true;
		s.vt.tmux = rows[i].version;
		s.vt.outer_sixel = rows[i].outer;
		if (rows[i].pictures)
			check_shown(&s, 1);
		settle(&s);
		check_frame(&s, false);
		assert_int_equal(s.vt.n_pictures, rows[i].pictures);
		if (rows[i].outer) { /* another window shows: tmux does not take it away */
			type(&s, "\033[O");
			UNTIL(&s, vt_pixel_cells(&s.vt) == 0);
			type(&s, "\033[I");
			check_shown(&s, 2);
		}
		assert_string_equal(buf_cstr(&s.said), "");
		if (rows[i].pictures && !rows[i].outer) {
			type(&s, "0");
			UNTIL(&s, vt_pixel_cells(&s.vt) == 0);
			settle(&s);
			check_frame(&s, false);
		}
		type(&s, "q");
		close_session(&s, 0);
	}
}

/* Plain terminals and locales show the same screens with look-alikes, and no answer is asked for
 * where it would be printed. */
static void test_plain_terminals(void **state)
{
	static const struct {
		const char *term, *locale, *row;
		bool colors, no_color;
	} rows[] = {
	    {"vt100", "C", "row 5 ?? +", false, false},
	    {"vt100", "C.UTF-8", "row 5 \u65e5\u672c \u2713", false, false},
	    {"linux", "C.UTF-8", "row 5 \u65e5\u672c \u2713", true, false},
	    {"xterm-16color", "C.UTF-8", "row 5 \u65e5\u672c \u2713", true, false},
	    {"xterm-direct", "C.UTF-8", "row 5 \u65e5\u672c \u2713", true, false},
	    {"xterm-256color", "C.UTF-8", "row 5 \u65e5\u672c \u2713", true, false},
	    {"xterm-256color", "C.UTF-8", "row 5 \u65e5\u672c \u2713", false, true},
	    {"rxvt", "C", "row 5 ?? +", true, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct setup setup = {.term = rows[i].term, .locale = rows[i].locale,
				      .no_color = rows[i].no_color};
		struct session s;

		open_session(&s, &setup);
		UNTIL(&s, row_is(&s, 23, "last line 0") || said(&s, "error"));
		if (said(&s, "is not known here")) { /* not every machine has every description */
			int status;

			waitpid(s.pid, &status, 0);
			print_message("no description of %s\n", rows[i].term);
			close(s.master);
			close(s.said_fd);
			buf_release(&s.said);
			vt_release(&s.vt);
			continue;
		}
		settle(&s);
		assert_true(row_is(&s, 5, rows[i].row));
		assert_int_equal(s.vt.n_colors > 0, rows[i].colors);
		type(&s, "\033[Bq");
		UNTIL(&s, said(&s, "Down q"));
		close_session(&s, 0);
	}
}

static void test_no_terminal(void **state)
{
	static const struct {
		const char *term, *why;
	} rows[] = {{"dumb", "cannot place its cursor"}, {"no-such-terminal", "is not known here"}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct setup setup = {.term = rows[i].term};
		struct session s;

		open_session(&s, &setup);
		UNTIL(&s, said(&s, rows[i].why));
		close_session(&s, 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_picture),       cmocka_unit_test(test_receipts),
	    cmocka_unit_test(test_tall),
	    cmocka_unit_test(test_repaints),      cmocka_unit_test(test_mute_terminal),
	    cmocka_unit_test(test_crash),         cmocka_unit_test(test_tmux),
	    cmocka_unit_test(test_konsole),
	    cmocka_unit_test(test_plain_terminals), cmocka_unit_test(test_no_terminal),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
