#include "tui/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "tui/print.h"
#include "tui/term/text.h"

#define TTY_EVERY   0.1
#define PLAIN_EVERY 5.0

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void progress_init(struct progress *p, bool tty)
{
	const char *term = getenv("TERM");

	*p = (struct progress){.tty = tty && term && strcmp(term, "dumb") != 0};
}

void progress_clear(struct progress *p)
{
	if (p->drawn)
		fputs("\r\033[K", stderr);
	p->drawn = false;
}

static void put_amount(struct buf *b, const struct progress *p, double v)
{
	char text[32];

	if (p->unit)
		buf_printf(b, "%s %s", print_count(text, (uint64_t)v), p->unit);
	else
		buf_z(b, print_bytes(text, v));
}

/* "  62 %  118 MB/s  3 s left" */
static void put_numbers(struct buf *b, const struct progress *p, uint64_t done, uint64_t total,
			double spent)
{
	double rate = spent > 0 ? (double)done / spent : 0;

	buf_z(b, "  ");
	if (total)
		buf_printf(b, "%3d %%", (int)(100.0 * (double)done / (double)total));
	else
		put_amount(b, p, (double)done);
	if (spent < 0.3)
		return;
	buf_z(b, "  ");
	put_amount(b, p, rate);
	buf_z(b, "/s");
	if (total > done && rate > 0) {
		double left = (double)(total - done) / rate;

		if (left < 90)
			buf_printf(b, "  %.0f s left", left);
		else
			buf_printf(b, "  %.0f min left", left / 60);
	}
}

static int tty_columns(void)
{
	struct winsize w;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 ? w.ws_col : 80;
}

static void draw(struct progress *p, struct str numbers)
{
	struct buf name = BUF_INIT;
	int room = tty_columns() - 1 - text_width(numbers);

	if (p->tty && room > 8)
		text_cut(p->what, room, CUT_START, &name);
	else if (!p->tty)
		buf_str(&name, p->what);
	if (p->tty)
		fputs("\r\033[K", stderr);
	print_clean(stderr, buf_view(&name));
	print_clean(stderr, numbers);
	if (!p->tty)
		fputc('\n', stderr);
	fflush(stderr);
	p->drawn = p->tty;
	buf_release(&name);
}

void progress_say(struct progress *p, const char *words)
{
	double now = now_s();

	if (!str_eqz(p->what, words)) {
		p->what = str_z(words);
		p->began = now;
		p->last = 0;
	}
	if (now - p->last < (p->tty ? TTY_EVERY : PLAIN_EVERY))
		return;
	p->last = now;
	draw(p, STR(""));
}

void progress_show(struct progress *p, const char *what, uint64_t done, uint64_t total)
{
	struct buf numbers = BUF_INIT;
	double now = now_s();

	if (!p->what.p || (!p->whole && !str_eqz(p->what, what)))
		p->began = p->last = now;
	p->what = str_z(what);
	if (now - p->last < (p->tty ? TTY_EVERY : PLAIN_EVERY))
		return;
	p->last = now;
	put_numbers(&numbers, p, done, total, now - p->began);
	draw(p, buf_view(&numbers));
	buf_release(&numbers);
}
