#include "tui/term/send.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "core/base/log.h"
#include "tui/term/backend.h"

#define AT_ONCE    ((size_t)64 << 10) /* then keys have their turn */
#define SOON_MS    100
#define STUCK_MS   600  /* a frame waits no longer for the rest of a picture */
#define RECEIPT_MS 5000 /* a terminal that never says it has drawn the picture */
#define PROBE_MS   2000 /* for each step */
#define PROBE_PAD  4096 /* bytes that show nothing */
/* A line too slow for pictures is asked again after a while: without pictures nothing else would
 * tell that it has become faster. */
#define PROBE_AGAIN_MS 15000
#define TOO_SLOW       ((size_t)24 << 10) /* bytes a picture may have */

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
	return s->begun_us || s->probe > PROBE_DUE;
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

static bool probe_again(const struct term *t)
{
	const struct sender *s = &t->send;

	return s->probe == PROBE_NONE && s->receipts && !t->caps.tmux && s->link.rate > 0 &&
	       link_budget(&s->link) < TOO_SLOW && term_now_ms() - s->moved_ms > PROBE_AGAIN_MS;
}

static void probe_step(struct term *t, enum probe_state step)
{
	struct buf b = BUF_INIT;

	while (step == PROBE_RATE && b.n < PROBE_PAD)
		buf_z(&b, "\033[m");
	buf_z(&b, "\033[6n");
	t->send.probe = step;
	t->send.probe_us = now_us();
	t->send.moved_ms = term_now_ms();
	tty_write(t->fd, b.p, b.n);
	buf_release(&b);
}

void send_probe(struct term *t)
{
	if (probe_again(t))
		t->send.probe = PROBE_DUE;
	if (t->send.probe == PROBE_DUE && !send_busy(t))
		probe_step(t, PROBE_EMPTY);
}

static void probed(struct term *t)
{
	struct sender *s = &t->send;
	int64_t took = now_us() - s->probe_us;

	if (s->probe == PROBE_EMPTY) {
		probe_step(t, PROBE_LATENCY);
	} else if (s->probe == PROBE_LATENCY) {
		link_latency(&s->link, took);
		probe_step(t, PROBE_RATE);
	} else {
		link_probe(&s->link, PROBE_PAD, took);
		s->probe = PROBE_NONE;
	}
}

/* What tmux answers itself says nothing of the line behind it. */
static bool measures(const struct term *t)
{
	return !t->caps.tmux || caps_passthrough(&t->env, &t->replies);
}

/* Whoever waited for the line to be free may draw again. */
static void through(struct term *t)
{
	log_line("link", "%zu bytes through after %lld us, %.0f bytes a second", t->send.bytes,
		 t->send.begun_us ? (long long)(now_us() - t->send.begun_us) : 0, t->send.link.rate);
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
		probed(t);
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
