/* The backend on a real terminal. curses draws the cells and knows nothing of pictures, which are
 * written behind its back right after doupdate(), when its cursor is where it thinks it is. */
#include "tui/term/backend.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "core/base/utf8.h"
#include "core/base/xmalloc.h"
#include "tui/term/colors.h"
#include "tui/term/spool.h"

#define NCURSES_NOMACROS
#include <curses.h>

#define ASK_AGAIN_MS 1500
#define FRAME_MS     50 /* a picture that takes longer is not kept in one frame with the text */
#define BEGIN_FRAME  "\033[?2026h"
#define END_FRAME    "\033[?2026l"

struct screen {
	SCREEN *curses;
	FILE *in, *out, *spool; /* behind out is the spool, once curses has looked at the terminal */
	struct termios before, raw;
	attr_t attr[N_STYLES];
	int pair[N_STYLES];
	int colors;
	cchar_t *row; /* scratch, one row */
	int row_cap;
};

static const char modes_on[] = "\033[?2004h";
static const char focus_on[] = "\033[?1004h";
static const char modes_off[] =
    "\033\\\033[?2026l\033[?1004l\033[?2004l\033[?1006l\033[?1000l";

static const int curses_signals[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
#define N_CURSES_SIGNALS (int)(sizeof curses_signals / sizeof *curses_signals)

/* --- colours --- */

static int count_colors(void)
{
	if (!has_colors() || start_color() == ERR)
		return 2;
	use_default_colors();
	if (COLORS > 256)
		return 1 << 24;
	return COLORS == 256 ? 256 : COLORS >= 16 ? 16 : COLORS >= 8 ? 8 : 2;
}

static int pair_of(int fg, int bg)
{
	int pair = fg < 0 && bg < 0 ? 0 : alloc_pair(fg, bg);

	return pair < 0 ? 0 : pair;
}

static attr_t attr_of(unsigned attr)
{
	return (attr & ATTR_BOLD ? A_BOLD : 0) | (attr & ATTR_DIM ? A_DIM : 0) |
	       (attr & ATTR_UNDERLINE ? A_UNDERLINE : 0) | (attr & ATTR_REVERSE ? A_REVERSE : 0) |
	       (attr & ATTR_ITALIC ? A_ITALIC : 0);
}

/* The theme made for what the terminal has, when the chosen one asks for more. */
static const char *instead_of(const struct theme *theme, int colors)
{
	if (colors < 8)
		return theme->mono ? NULL : "mono";
	if (colors < 256)
		for (int i = 0; i < N_STYLES; i++)
			if (theme->style[i].fg > 15 || theme->style[i].bg > 15)
				return "ansi";
	return NULL;
}

static void choose_styles(struct term *t)
{
	struct screen *s = t->screen;
	struct theme other;
	const struct theme *theme = &t->theme;
	const char *name = instead_of(theme, t->screen->colors);
	struct err ignored = ERR_INIT;

	if (name && theme_load(name, &other, &ignored) == OK)
		theme = &other;
	for (int i = 0; i < N_STYLES; i++) {
		const struct theme_style *st = &theme->style[i];

		s->attr[i] = attr_of(st->attr);
		s->pair[i] = s->colors < 8 ? 0 : pair_of(color_for(st->fg, s->colors),
							  color_for(st->bg, s->colors));
	}
}

/* --- cells into curses --- */

static void set_cell(struct screen *s, cchar_t *out, const struct cell *c)
{
	wchar_t wide[CCHARW_MAX + 1];
	size_t n = strlen(c->text), at = 0, len;
	attr_t attr = s->attr[c->style];
	int k = 0, pair = s->pair[c->style];

	while (at < n && k < CCHARW_MAX) {
		wide[k++] = (wchar_t)utf8_decode(c->text + at, n - at, &len);
		at += len;
	}
	if (k == 0)
		wide[k++] = L' ';
	wide[k] = L'\0';
	if (c->colored && s->colors >= 8) {
		attr = A_NORMAL;
		pair = pair_of(color_for_rgb((struct media_rgb){c->fg[0], c->fg[1], c->fg[2]},
					     s->colors),
			       color_for_rgb((struct media_rgb){c->bg[0], c->bg[1], c->bg[2]},
					     s->colors));
	}
	if (setcchar(out, wide, attr, (short)0, &pair) == ERR)
		setcchar(out, L"?", attr, (short)0, &pair);
}

static void put_row(struct term *t, const struct cells *grid, int y, int w)
{
	struct screen *s = t->screen;
	int n = 0;

	if (w > s->row_cap) {
		s->row = xrealloc(s->row, (size_t)w * sizeof *s->row);
		s->row_cap = w;
	}
	for (int x = 0; x < w; x++) {
		const struct cell *c = cells_at(grid, y, x);
		struct cell blank = {.width = 1, .style = c->style};

		if (c->width)
			set_cell(s, &s->row[n++], x + c->width <= w ? c : &blank);
	}
	mvwadd_wchnstr(stdscr, y, 0, s->row, n);
}

static bool same_row(const struct cells *a, const struct cells *b, int y)
{
	return memcmp(cells_at(a, y, 0), cells_at(b, y, 0), (size_t)a->w * sizeof *a->cell) == 0;
}

static void blit(struct term *t, const struct cells *grid)
{
	bool all = t->redraw || grid->h != t->last.h || grid->w != t->last.w;
	int h = grid->h < LINES ? grid->h : LINES, w = grid->w < COLS ? grid->w : COLS;

	if (grid == &t->last || grid->w == 0)
		return;
	for (int y = 0; y < h; y++)
		if (all || !same_row(grid, &t->last, y))
			put_row(t, grid, y, w);
	if (grid->h != t->last.h || grid->w != t->last.w)
		cells_resize(&t->last, grid->h, grid->w);
	memcpy(t->last.cell, grid->cell,
	       (size_t)t->last.h * (size_t)t->last.w * sizeof *grid->cell);
}

/* --- pictures --- */

static bool same_rect(struct rect a, struct rect b)
{
	return a.y == b.y && a.x == b.x && a.h == b.h && a.w == b.w;
}

static bool same_place(const struct shown_picture *s, const struct placed_picture *pic)
{
	if (s->n != picture_parts(pic) || !same_rect(s->rect, pic->rect))
		return false;
	for (int k = 0; k < s->n; k++)
		if (!same_rect(s->part[k], picture_part(pic, k).rect))
			return false;
	return true;
}

static bool part_touched(const struct term *t, const struct cells *grid, struct rect r)
{
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			if (memcmp(cells_at(grid, y, x), cells_at(&t->last, y, x),
				   sizeof *grid->cell) != 0)
				return true;
	return false;
}

/* Will drawing the grid write into the cells under the picture? */
static bool touched(const struct term *t, const struct cells *grid)
{
	if (grid->h != t->last.h || grid->w != t->last.w)
		return true;
	for (int k = 0; k < t->shown.n; k++)
		if (part_touched(t, grid, t->shown.part[k]))
			return true;
	return false;
}

static bool wanted(struct term *t, const struct cells *grid, const struct placed_picture *pic)
{
	return pic && pic->id && t->caps.graphics == GRAPHICS_SIXEL && !t->away &&
	       picture_fits(&t->caps, t->h < grid->h ? t->h : grid->h, t->w, pic) &&
	       !picture_covered(grid, pic);
}

/* tmux moves the real cursor when it has dealt with what it read, and hands on what passes through
 * at once: it must have answered that it knows the place before the picture follows. */
static void wait_for_tmux(int fd)
{
	struct pollfd q = {fd, POLLIN, 0};
	struct timespec moment = {0, 3000000};

	poll(&q, 1, 50);
	nanosleep(&moment, NULL);
}

/* On a slow line the text must not wait for the picture in one frame with it. */
static bool in_frame(const struct term *t, const struct placed_picture *pic)
{
	size_t bytes = 0;

	for (int k = 0; k < picture_parts(pic); k++)
		bytes += picture_part(pic, k).sixel.n;
	return link_ms(&t->send.link, bytes) <= FRAME_MS &&
	       !(t->send.link.afar && t->send.link.rate == 0);
}

static void send_picture(struct term *t, const struct placed_picture *pic, bool frame)
{
	bool through = caps_passthrough(&t->env, &t->replies), in = frame && in_frame(t, pic);
	struct buf b = BUF_INIT;
	int cy = 0, cx = 0;
	size_t before, sixel;

	getsyx(cy, cx);
	if (frame && !in)
		send_text(t, END_FRAME, sizeof END_FRAME - 1);
	picture_place(pic, through, &b);
	if (through) {
		send_text(t, b.p, b.n);
		send_more(t);
		buf_clear(&b);
		wait_for_tmux(t->fd);
	}
	before = b.n;
	sixel = picture_bytes(pic, through, cy < 0 ? 0 : cy, cx < 0 ? 0 : cx, &b);
	if (in)
		buf_z(&b, END_FRAME);
	if (!b.failed) {
		t->shown = picture_shown(pic);
		send_picture_bytes(t, &b, before, sixel, through);
	}
	buf_release(&b);
}

/* tmux lets a picture be where an empty line is cleared once more: only characters take it away.
 * They come before what curses draws there. */
static void wipe_in_tmux(struct term *t)
{
	struct buf b = BUF_INIT;
	int cy = 0, cx = 0;

	if (!t->caps.tmux || caps_passthrough(&t->env, &t->replies))
		return;
	getsyx(cy, cx);
	for (int k = 0; k < t->shown.n; k++) {
		struct rect r = t->shown.part[k];

		for (int y = r.y; y < r.y + r.h && y < t->h; y++) {
			buf_printf(&b, "\033[%d;%dH", y + 1, r.x + 1);
			for (int x = r.x; x < r.x + r.w && x < t->w; x++)
				buf_ch(&b, ' ');
		}
	}
	buf_printf(&b, "\033[%d;%dH", cy < 0 ? 1 : cy + 1, cx < 0 ? 1 : cx + 1);
	send_text(t, b.p, b.n);
	buf_release(&b);
}

/* curses takes the blanks under a picture for blanks on the glass: it must be told otherwise. */
static void erase_picture(struct term *t)
{
	if (t->caps.konsole) /* there, blanks do not wipe a picture */
		clearok(curscr, TRUE);
	else
		wredrawln(stdscr, t->shown.rect.y, t->shown.rect.h);
	t->shown = (struct shown_picture){0};
}

/* Must the picture that is shown go, or be painted anew? */
static bool must_erase(const struct term *t, const struct cells *grid,
		       const struct placed_picture *pic, bool want)
{
	return t->shown.id && (t->send.torn || touched(t, grid) ||
			       !(want && same_place(&t->shown, pic)));
}

/* What curses has written is the next text. */
static void take_drawn(struct term *t)
{
	struct buf b = BUF_INIT;

	if (!spool_take(t->screen->spool, &b))
		t->redraw = true; /* something of it is lost */
	if (b.n)
		send_text(t, b.p, b.n);
	buf_release(&b);
}

/* Of lines that have moved as a block curses makes one order to scroll, which takes a picture along.
 * It finds none when it is told of one line at a time. */
static void update_by_lines(void)
{
	bool *changed = xcalloc((size_t)LINES + 1, sizeof *changed);

	for (int y = 0; y < LINES; y++)
		changed[y] = is_linetouched(stdscr, y);
	untouchwin(stdscr);
	for (int y = 0; y < LINES; y++) {
		if (!changed[y])
			continue;
		touchline(stdscr, y, 1);
		wnoutrefresh(stdscr);
		doupdate();
	}
	free(changed);
}

static void paint(struct term *t, const struct cells *grid, bool erase, bool frame)
{
	bool still = t->shown.id && !t->redraw;

	blit(t, grid);
	if (frame)
		send_text(t, BEGIN_FRAME, sizeof BEGIN_FRAME - 1);
	if (erase) {
		wipe_in_tmux(t);
		erase_picture(t);
	}
	wmove(stdscr, 0, 0);
	if (still)
		update_by_lines();
	wnoutrefresh(stdscr);
	t->redraw = false;
	doupdate();
	take_drawn(t);
}

static void curses_show(struct term *t, const struct cells *grid, const struct placed_picture *pic)
{
	bool want = wanted(t, grid, pic), send, erase, frame;

	if (send_writing(t)) {
		bool same = want && pic->id == t->shown.id && same_place(&t->shown, pic);

		t->send.waiting = same && !t->redraw && send_soon(t);
		if (t->send.waiting)
			return; /* it is drawn when the picture is through */
		send_clear(t);
		send_more(t);
	}
	if (!send_room(t))
		return;
	if (t->redraw) {
		clearok(curscr, TRUE);
		t->shown = (struct shown_picture){0};
	}
	erase = must_erase(t, grid, pic, want);
	send = want && (erase || pic->id != t->shown.id);
	if (send && send_busy(t)) {
		send = false;
		erase = t->shown.id != 0; /* not the wrong picture */
	}
	frame = erase || send || t->redraw;
	paint(t, grid, erase, frame);
	if (frame && !send)
		send_text(t, END_FRAME, sizeof END_FRAME - 1);
	if (send)
		send_picture(t, pic, frame);
	else
		send_ask(t);
	send_more(t);
	send_probe(t);
}

/* --- opening and closing --- */

static void read_size(struct term *t)
{
	int h = LINES, w = COLS;

	tty_size(t->fd, &h, &w, &t->env.px_h, &t->env.px_w);
	t->h = t->env.rows = h;
	t->w = t->env.cols = w;
	if (h != LINES || w != COLS)
		resizeterm(h, w);
}

static void curses_resized(struct term *t)
{
	read_size(t);
}

/* Questions, the device attributes last: every terminal answers those, and answers keep the
 * order. Nobody waits for them. */
static void ask(struct term *t)
{
	static const char questions[] =
	    "\033[>0q\033[16t\033[?1;1;0S\033[?2;4;0S\033[?2026$p\033]11;?\033\\\033[c" OUTER_DA1;
	size_t n = sizeof questions - sizeof OUTER_DA1;
	bool tmux = t->env.tmux && *t->env.tmux;

	if (!caps_may_ask(&t->env))
		return;
	send_text(t, questions, tmux ? sizeof questions - 1 : n);
	t->replies.outer_asked = tmux;
	t->asked_ms = term_now_ms();
	t->send.probe = tmux ? PROBE_NONE : PROBE_DUE;
	t->ask_again_ms = tmux ? t->asked_ms + ASK_AGAIN_MS : 0;
}

static void modes(struct term *t, bool on)
{
	if (!caps_may_ask(&t->env))
		return;
	if (!on)
		send_text(t, modes_off, sizeof modes_off - 1);
	if (on)
		send_text(t, modes_on, sizeof modes_on - 1);
	if (on && t->env.tmux && *t->env.tmux)
		send_text(t, focus_on, sizeof focus_on - 1);
}

/* A capability's bytes without the padding that terminfo writes as $<5>. */
static void put_capability(struct buf *b, const char *name)
{
	const char *s = tigetstr(name);

	if (!s || s == (char *)-1)
		return;
	for (; *s; s++) {
		if (s[0] == '$' && s[1] == '<' && strchr(s, '>'))
			s = strchr(s, '>');
		else
			buf_ch(b, *s);
	}
}

static void prepare_restore(struct term *t)
{
	struct buf b = BUF_INIT;

	if (caps_may_ask(&t->env))
		buf_z(&b, modes_off);
	put_capability(&b, "sgr0");
	put_capability(&b, "rmcup");
	put_capability(&b, "cnorm");
	tty_set_restore(t->fd, &t->screen->before, buf_cstr(&b), b.n);
	buf_release(&b);
	xmalloc_set_hook(term_restore);
}

static const struct {
	const char *capability;
	uint32_t key;
} terminfo_keys[] = {
    {"kcuu1", KEYC_UP},   {"kcud1", KEYC_DOWN}, {"kcub1", KEYC_LEFT},  {"kcuf1", KEYC_RIGHT},
    {"khome", KEYC_HOME}, {"kend", KEYC_END},   {"kpp", KEYC_PGUP},    {"knp", KEYC_PGDN},
    {"kich1", KEYC_INSERT}, {"kdch1", KEYC_DELETE}, {"kcbt", KEYC_BACKTAB}, {"kent", KEYC_ENTER},
    {"kHOM", KEYC_HOME},  {"kEND", KEYC_END},   {"kPRV", KEYC_PGUP},   {"kNXT", KEYC_PGDN},
    {"kDC", KEYC_DELETE}, {"kIC", KEYC_INSERT}, {"kf1", KEYC_F1},      {"kf2", KEYC_F1 + 1},
    {"kf3", KEYC_F1 + 2}, {"kf4", KEYC_F1 + 3}, {"kf5", KEYC_F1 + 4},  {"kf6", KEYC_F1 + 5},
    {"kf7", KEYC_F1 + 6}, {"kf8", KEYC_F1 + 7}, {"kf9", KEYC_F1 + 8},  {"kf10", KEYC_F1 + 9},
    {"kf11", KEYC_F1 + 10}, {"kf12", KEYC_F12},
};
#define N_TERMINFO_KEYS (sizeof terminfo_keys / sizeof *terminfo_keys)

static void learn_keys(struct term *t)
{
	struct key_bytes *keys = xcalloc(N_TERMINFO_KEYS, sizeof *keys);
	size_t n = 0;

	for (size_t i = 0; i < N_TERMINFO_KEYS; i++) {
		const char *s = tigetstr(terminfo_keys[i].capability);
		size_t len = s && s != (char *)-1 ? strlen(s) : 0;

		/* what opens an answer or a string is none of ours */
		if (len < 2 || len > sizeof keys->bytes || s[0] != 0x1b || strchr("P_]", s[1]) ||
		    (s[1] == '[' && s[2] == '?'))
			continue;
		memcpy(keys[n].bytes, s, len);
		keys[n].n = (unsigned char)len;
		keys[n++].key = terminfo_keys[i].key;
	}
	t->parser.extra = keys;
	t->parser.n_extra = n;
	t->parser.erase = t->screen->before.c_cc[VERASE];
}

/* The terminal as it was found. Answers to what was asked are not the shell's: they get a moment
 * to come. */
static void leave(struct term *t)
{
	send_clear(t);
	modes(t, false);
	endwin();
	take_drawn(t);
	send_flush(t);
	term_hear_out(t);
	tcsetattr(t->fd, TCSADRAIN, &t->screen->before);
}

static void curses_close(struct term *t)
{
	struct screen *s = t->screen;

	if (s && s->curses) {
		leave(t);
		tcflush(t->fd, TCIFLUSH);
		tty_clear_restore();
		xmalloc_set_hook(NULL);
		delscreen(s->curses);
	}
	if (s) {
		if (s->in)
			fclose(s->in);
		if (s->out)
			fclose(s->out);
		if (s->spool)
			fclose(s->spool);
		free(s->row);
		free(s);
	}
	free((void *)t->parser.extra);
	if (t->fd >= 0)
		close(t->fd);
}

static void come_back(struct term *t)
{
	tcsetattr(t->fd, TCSADRAIN, &t->screen->raw);
	doupdate();
	take_drawn(t);
	modes(t, true);
	if (t->wheel) {
		t->wheel = false;
		term_wheel(t, true);
	}
	send_more(t);
	term_resized(t);
}

/* Stopped with the terminal as it was; SIGTSTP goes to the whole job, as the shell expects. */
static void curses_suspend(struct term *t)
{
	struct sigaction plain = {.sa_handler = SIG_DFL}, old;

	leave(t);
	sigaction(SIGTSTP, &plain, &old);
	kill(0, SIGTSTP);
	sigaction(SIGTSTP, &old, NULL);
	come_back(t);
}

static void curses_outside(struct term *t, void (*fn)(void *ctx), void *ctx)
{
	leave(t);
	fn(ctx);
	come_back(t);
}

static void curses_restyle(struct term *t)
{
	choose_styles(t);
	t->redraw = true;
}

static const struct backend curses_backend = {curses_show, curses_resized, curses_suspend,
					      curses_outside, curses_close, curses_restyle};

/* newterm() takes signals over which are the caller's. */
static SCREEN *start_curses(struct screen *s)
{
	struct sigaction old[N_CURSES_SIGNALS];
	SCREEN *screen;

	for (int i = 0; i < N_CURSES_SIGNALS; i++)
		sigaction(curses_signals[i], NULL, &old[i]);
	screen = newterm(NULL, s->out, s->in);
	for (int i = 0; i < N_CURSES_SIGNALS; i++)
		sigaction(curses_signals[i], &old[i], NULL);
	return screen;
}

static FILE *stream_of(int fd, const char *mode)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	FILE *f = copy >= 0 ? fdopen(copy, mode) : NULL;

	if (!f && copy >= 0)
		close(copy);
	return f;
}

static enum status start(struct term *t, struct err *err)
{
	struct screen *s = t->screen;
	const char *type = t->env.term ? t->env.term : "";
	char *cup;

	s->in = stream_of(t->fd, "r");
	s->out = stream_of(t->fd, "w");
	s->spool = spool_open();
	if (!s->in || !s->out || !s->spool)
		return err_errno(err, errno, "cannot use the terminal");
	s->curses = start_curses(s);
	if (!s->curses)
		return err_set(err, E_UNSUPPORTED,
			       "the terminal type \"%.60s\" (TERM) is not known here", type);
	cup = tigetstr("cup");
	if (!cup || cup == (char *)-1)
		return err_set(err, E_UNSUPPORTED,
			       "the terminal type \"%.60s\" (TERM) cannot place its cursor", type);
	if (dup2(fileno(s->spool), fileno(s->out)) < 0)
		return err_errno(err, errno, "cannot use the terminal");
	return OK;
}

static void prepare(struct term *t)
{
	tty_raw(&t->screen->before, &t->screen->raw);
	tcsetattr(t->fd, TCSADRAIN, &t->screen->raw);
	typeahead(-1);
	leaveok(stdscr, FALSE);
	curs_set(0);
	t->screen->colors = t->env.colors = count_colors();
	choose_styles(t);
	learn_keys(t);
	prepare_restore(t);
	read_size(t);
	wnoutrefresh(stdscr);
	doupdate();
	take_drawn(t);
	modes(t, true);
	ask(t);
	send_more(t);
	term_decide(t);
}

struct term *term_open(const struct theme *theme, struct err *err)
{
	struct term *t = term_new(&curses_backend, theme);

	t->screen = xcalloc(1, sizeof *t->screen);
	t->fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (t->fd < 0 || tcgetattr(t->fd, &t->screen->before) != 0)
		err_errno(err, errno, "there is no terminal to draw on");
	else if (start(t, err) == OK) {
		send_open(t);
		prepare(t);
		return t;
	}
	term_close(t);
	return NULL;
}
