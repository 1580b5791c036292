#include "tui/term/send.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tui/term/backend.h"

#define AT_ONCE    ((size_t)64 << 10) /* then keys have their turn */
#define SOON_MS    100
#define STUCK_MS   600  /* a frame waits no longer for the rest of a picture */
#define RECEIPT_MS 5000 /* a terminal that never says it has drawn the picture */
#define PROBE_MS   1000
#define PROBE_PAD  2048 /* bytes that show nothing, between two cursor reports */

static int64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

void send_open(struct term *t)
{
	struct sender *s = &t->send;

	s->fd = open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	s->link.afar = getenv("SSH_CONNECTION") || getenv("SSH_TTY") ||
		       (t->env.tmux && *t->env.tmux);
}

void send_close(struct term *t)
{
	outbox_release(&t->send.out);
	if (t->send.fd >= 0)
		close(t->send.fd);
	t->send.fd = -1;
}

bool send_writing(const struct term *t)
{
	return outbox_busy(&t->send.out);
}

static int64_t patience_ms(const struct sender *s)
{
	if (s->probe)
		return PROBE_MS;
	return RECEIPT_MS + (int64_t)(2 * link_ms(&s->link, s->bytes));
}

static bool awaited(const struct sender *s)
{
	return s->begun_us || s->probe == PROBE_FIRST || s->probe == PROBE_SECOND;
}

bool send_busy(const struct term *t)
{
	return send_writing(t) || awaited(&t->send);
}

static void wrote(struct sender *s, size_t n)
{
	s->bytes += n;
	s->moved_ms = term_now_ms();
}

/* Without a second descriptor it must be the one that blocks. */
static void write_now(struct term *t)
{
	struct sender *s = &t->send;
	struct str rest = outbox_rest(&s->out);

	tty_write(t->fd, rest.p, rest.n);
	wrote(s, rest.n);
	outbox_wrote(&s->out, rest.n);
}

void send_more(struct term *t)
{
	struct sender *s = &t->send;
	size_t left = AT_ONCE;

	if (s->fd < 0 && send_writing(t))
		write_now(t);
	while (send_writing(t) && left) {
		struct str rest = outbox_rest(&s->out);
		ssize_t k = write(s->fd, rest.p, rest.n < left ? rest.n : left);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			break; /* full; or gone, which reading will tell */
		wrote(s, (size_t)k);
		outbox_wrote(&s->out, (size_t)k);
		left -= (size_t)k;
	}
	if (s->waiting && !send_writing(t)) {
		s->waiting = false;
		t->caps_changed = true;
	}
}

void send_picture_bytes(struct term *t, struct buf *bytes, size_t before, size_t sixel,
			bool wrapped)
{
	struct sender *s = &t->send;

	outbox_fill(&s->out, bytes, before, sixel, wrapped);
	s->bytes = 0;
	s->begun_us = now_us();
	s->moved_ms = term_now_ms();
	s->torn = false;
	send_more(t);
}

bool send_soon(const struct term *t)
{
	const struct sender *s = &t->send;
	int64_t us = now_us() - s->begun_us;
	double rate = s->link.rate;

	if (us > STUCK_MS * 1000)
		return false;
	if (rate == 0)
		rate = (double)s->bytes * 1e6 / (us > 0 ? (double)us : 1);
	return (double)outbox_rest(&s->out).n * 1000 <= rate * SOON_MS;
}

void send_clear(struct term *t)
{
	struct sender *s = &t->send;
	struct buf rest = BUF_INIT;

	if (!send_writing(t))
		return;
	s->torn = outbox_cut(&s->out, &rest);
	if (rest.n)
		tty_write(t->fd, rest.p, rest.n);
	else
		s->begun_us = 0; /* nothing of it went out, so nothing comes back */
	wrote(s, rest.n);
	s->waiting = false;
	buf_release(&rest);
}

/* --- receipts --- */

void send_probe(struct term *t)
{
	struct buf b = BUF_INIT;

	if (t->send.probe != PROBE_DUE || send_busy(t))
		return;
	buf_z(&b, "\033[6n");
	while (b.n < PROBE_PAD)
		buf_z(&b, "\033[m");
	buf_z(&b, "\033[6n");
	tty_write(t->fd, b.p, b.n);
	buf_release(&b);
	t->send.probe = PROBE_FIRST;
	t->send.moved_ms = term_now_ms();
}

static void probed(struct sender *s)
{
	int64_t now = now_us();

	if (s->probe == PROBE_FIRST) {
		s->probe_us = now;
		s->probe = PROBE_SECOND;
		return;
	}
	link_gap(&s->link, PROBE_PAD, now - s->probe_us);
	s->probe = PROBE_NONE;
}

/* What tmux answers itself says nothing of the line behind it. */
static bool measures(const struct term *t)
{
	return !t->caps.tmux || caps_passthrough(&t->env, &t->replies);
}

/* Whoever waited for the line to be free may draw again. */
static void through(struct term *t)
{
	t->send.begun_us = 0;
	t->caps_changed = true;
	term_decide(t);
}

void send_receipt(struct term *t)
{
	struct sender *s = &t->send;

	if (!awaited(s) || send_writing(t))
		return;
	s->receipts = true;
	if (s->probe)
		probed(s);
	else if (measures(t))
		link_sample(&s->link, s->bytes, now_us() - s->begun_us);
	if (!s->probe)
		through(t);
}

int64_t send_due_ms(const struct term *t)
{
	const struct sender *s = &t->send;

	return awaited(s) && !send_writing(t) ? s->moved_ms + patience_ms(s) : 0;
}

void send_tick(struct term *t)
{
	struct sender *s = &t->send;

	if (!awaited(s) || send_writing(t) || term_now_ms() < send_due_ms(t))
		return;
	if (s->begun_us && s->receipts && measures(t))
		link_sample(&s->link, s->bytes, now_us() - s->begun_us);
	s->probe = PROBE_NONE;
	through(t);
}
