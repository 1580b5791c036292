#include "tui/term/ask.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tui/term/backend.h"
#include "tui/term/terminfo.h"
#include "tui/term/text.h"

#define QUESTIONS "\033[>0q\033[16t\033[?1;1;0S\033[?2;4;0S\033[?2026$p\033]11;?\033\\\033[c"
#define OUTER_MS  300 /* tmux hands the question on, or drops it */
#define PAD_BYTES 8192

struct asking {
	int fd;
	struct termios before;
	struct reply_parser parser;
	struct caps_env env;
	struct answers *out;
	const struct cancel *cancel;
	int64_t asked_us;
	int n_da1, n_cursors; /* reports that came */
	int column;           /* of the latest cursor report */
};

static int64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

static void on_event(void *user, const struct event *e)
{
	struct asking *a = user;
	struct answers *out = a->out;

	if (e->kind == EVENT_KEY || e->kind == EVENT_PASTE)
		return;
	if (!out->answer_us)
		out->answer_us = now_us() - a->asked_us;
	if (e->kind == EVENT_DA1 && !a->n_da1++) {
		out->n_da1 = e->n;
		memcpy(out->da1, e->arg, sizeof out->da1);
	}
	if (e->kind == EVENT_CURSOR) {
		a->n_cursors++;
		a->column = e->arg[1];
	}
	caps_reply(&out->replies, e);
}

/* Reads until *count reaches `target`, or the time is up. */
static bool wait_for(struct asking *a, const int *count, int target, int ms)
{
	int64_t end = now_us() + (int64_t)ms * 1000;

	while (*count < target) {
		struct pollfd q = {a->fd, POLLIN, 0};
		int64_t left = end - now_us();
		char bytes[1024];
		ssize_t n;

		if (left <= 0 || cancel_is(a->cancel))
			return false;
		if (poll(&q, 1, (int)(left / 1000) + 1) <= 0)
			continue;
		n = read(a->fd, bytes, sizeof bytes);
		if (n <= 0 && errno != EINTR && errno != EAGAIN)
			return false;
		if (n > 0)
			reply_feed(&a->parser, (struct str){bytes, (size_t)n});
	}
	return true;
}

static void say(struct asking *a, const char *bytes)
{
	tty_write(a->fd, bytes, strlen(bytes));
}

static bool questions(struct asking *a)
{
	a->asked_us = now_us();
	say(a, QUESTIONS);
	if (!wait_for(a, &a->n_da1, 1, ASK_MS))
		return false;
	if (a->env.tmux && *a->env.tmux) {
		a->out->replies.outer_asked = true;
		say(a, OUTER_DA1);
		wait_for(a, &a->n_da1, 2, OUTER_MS);
	}
	return true;
}

static void widths(struct asking *a)
{
	static const char *const glyphs[ASK_GLYPHS] = {"✓", "█", "日", "e\u0301", "😀", "👩\u200d🔬"};
	struct buf b = BUF_INIT;

	for (int i = 0; i < ASK_GLYPHS && text_unicode(); i++) {
		struct glyph_width *g = &a->out->glyph[a->out->n_glyphs++];
		int before = a->n_cursors;

		*g = (struct glyph_width){glyphs[i], text_width(str_z(glyphs[i])), -1};
		buf_clear(&b);
		buf_printf(&b, "\r%s\033[6n", glyphs[i]);
		say(a, buf_cstr(&b));
		if (!wait_for(a, &a->n_cursors, before + 1, ASK_MS))
			break;
		g->drawn = a->column - 1;
		say(a, "\r\033[K");
	}
	buf_release(&b);
}

/* How long until the answer to a question behind `pad` bytes that show nothing; -1: none came. */
static int64_t round_trip(struct asking *a, size_t pad)
{
	struct buf b = BUF_INIT;
	int before = a->n_cursors;
	int64_t begin = now_us();

	while (b.n < pad)
		buf_z(&b, "\033[m");
	buf_z(&b, "\033[6n");
	tty_write(a->fd, b.p, b.n);
	buf_release(&b);
	return wait_for(a, &a->n_cursors, before + 1, ASK_MS) ? now_us() - begin : -1;
}

static void speed(struct asking *a)
{
	struct link *l = &a->out->link;
	int64_t us = -1;

	for (int i = 0; i < 3; i++) {
		us = round_trip(a, 0);
		link_latency(l, us);
	}
	if (us >= 0)
		link_probe(l, PAD_BYTES, round_trip(a, PAD_BYTES));
}

/* --- before and after --- */

static void read_env(struct asking *a, const struct theme *theme)
{
	struct answers *out = a->out;
	int colors;

	a->env = (struct caps_env){getenv("TERM"), getenv("TMUX"), getenv("STY"),
				   getenv("QUALM_GRAPHICS"), getenv("QUALM_CELL"),
				   .unicode = text_unicode(), .mono = theme->mono,
				   .background = theme->background};
	out->described = terminfo_colors(a->env.term, &colors);
	a->env.colors = colors;
	if (a->fd >= 0)
		tty_size(a->fd, &out->rows, &out->cols, &out->px_h, &out->px_w);
	a->env.rows = out->rows;
	a->env.cols = out->cols;
	a->env.px_h = out->px_h;
	a->env.px_w = out->px_w;
}

static enum cell_source source_of(const struct asking *a)
{
	int w, h;

	if (caps_parse_cell(a->env.cell, &w, &h))
		return CELL_ENV;
	if (a->out->replies.cell_w && a->out->replies.cell_h)
		return CELL_REPLY;
	return a->env.px_w && a->env.cols ? CELL_SIZE : CELL_DEFAULT;
}

/* Ctrl-C keeps its meaning: it sets the cancel, and the terminal is put back. */
static void converse(struct asking *a)
{
	struct termios quiet = a->before;

	quiet.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	quiet.c_cc[VMIN] = 1;
	quiet.c_cc[VTIME] = 0;
	tcsetattr(a->fd, TCSAFLUSH, &quiet);
	reply_init(&a->parser, on_event, a);
	a->parser.expecting = true;
	if (questions(a)) {
		widths(a);
		speed(a);
	} else {
		say(a, "\r\033[K");
	}
	reply_release(&a->parser);
	tcsetattr(a->fd, TCSAFLUSH, &a->before);
}

void term_ask(const struct theme *theme, const struct cancel *cancel, struct answers *out)
{
	struct asking a = {.out = out, .cancel = cancel};

	*out = (struct answers){.state = ASK_DONE};
	a.fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	read_env(&a, theme);
	if (a.fd < 0 || tcgetattr(a.fd, &a.before) != 0)
		out->state = ASK_NO_TTY;
	else if (tcgetpgrp(a.fd) != getpgrp())
		out->state = ASK_BEHIND;
	else if (!caps_may_ask(&a.env))
		out->state = ASK_POINTLESS;
	else
		converse(&a);
	caps_decide(&a.env, &out->replies, &out->caps);
	out->cell = source_of(&a);
	if (a.fd >= 0)
		close(a.fd);
}
