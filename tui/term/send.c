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
#define TORN_LEAST ((size_t)32 << 10)
#define PROBE_MS   2000 /* for each step */
#define PROBE_PAD  4096 /* bytes that show nothing */
/* A line too slow for pictures is asked again after a while: without pictures nothing else would
 * tell that it has become faster. */
#define PROBE_AGAIN_MS 15000
#define TOO_SLOW       ((size_t)24 << 10) /* bytes a picture may have */
/* Text through a tmux that answers for itself, while nothing tells how fast the line behind it is:
 * some ten frames a second of a small screen. */
#define PACE_RATE      20e3
#define CURSOR_REPORT  "\033[6n"

static int64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

void send_open(struct term *t)
{
	struct sender *s = &t->send;
	bool ssh = getenv("SSH_CONNECTION") || getenv("SSH_TTY");

	s->fd = open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	s->link.afar = ssh || (t->env.tmux && *t->env.tmux);
	flow_init(&s->flow);
	if (ssh && t->env.tmux && *t->env.tmux)
		flow_pace(&s->flow, PACE_RATE);
}

void send_close(struct term *t)
{
	outbox_release(&t->send.out);
	buf_release(&t->send.text);
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

bool send_unwritten(const struct term *t)
{
	return t->send.text.n > 0 || send_writing(t);
}

/* --- questions --- */

static void asked(struct sender *s, enum question q)
{
	if (s->n_asked < QUESTIONS_MAX)
		s->asked[s->n_asked++] = q;
}

/* The k-th question is answered, or will never be. */
static void settled(struct sender *s, int k)
{
	s->n_asked--;
	memmove(s->asked + k, s->asked + k + 1, (size_t)(s->n_asked - k) * sizeof *s->asked);
}

static void forget(struct sender *s, enum question q)
{
	for (int k = s->n_asked - 1; k >= 0; k--)
		if (s->asked[k] == q)
			settled(s, k);
}

bool send_asked(const struct term *t)
{
	return t->send.n_asked > 0;
}

void send_forget(struct term *t)
{
	struct sender *s = &t->send;

	s->n_asked = 0;
	s->begun_us = 0;
	s->probe = PROBE_NONE;
	flow_forget(&s->flow);
}

/* --- text --- */

void send_text(struct term *t, const char *p, size_t n)
{
	buf_put(&t->send.text, p, n);
	flow_sent(&t->send.flow, n, now_us());
}

/* A tmux on the far end answers for itself, at once: there the pace alone says when. One on this
 * side of the line answers when the text has crossed it. */
void send_ask(struct term *t)
{
	struct sender *s = &t->send;

	if (!s->receipts || send_writing(t) || s->n_asked == QUESTIONS_MAX ||
	    !flow_ask(&s->flow, !send_busy(t), now_us()))
		return;
	buf_z(&s->text, CURSOR_REPORT);
	asked(s, ASKED_TEXT);
}

/* A terminal that was started from inside tmux inherits its environment, and does answer. */
static int64_t open_us(const struct term *t)
{
	return t->caps.tmux ? flow_open_us(&t->send.flow) : 0;
}

static bool room(const struct term *t)
{
	return t->send.text.n == 0 && !flow_full(&t->send.flow) && now_us() >= open_us(t);
}

bool send_room(struct term *t)
{
	if (t->send.text.n)
		send_more(t);
	t->send.held = !room(t);
	return !t->send.held;
}

/* Whoever waited for the line may draw. */
static void wake(struct term *t)
{
	struct sender *s = &t->send;

	if ((s->waiting && !send_writing(t)) || (s->held && room(t))) {
		s->waiting = s->held = false;
		t->caps_changed = true;
	}
}

static void text_wrote(struct sender *s, size_t n)
{
	s->text_at += n;
	if (s->text_at < s->text.n)
		return;
	buf_clear(&s->text);
	s->text_at = 0;
}

static void picture_wrote(struct sender *s, size_t n)
{
	s->bytes += n;
	s->moved_ms = term_now_ms();
	outbox_wrote(&s->out, n);
}

static struct str next_bytes(const struct sender *s)
{
	if (s->text.n)
		return (struct str){s->text.p + s->text_at, s->text.n - s->text_at};
	return outbox_rest(&s->out);
}

static void wrote(struct sender *s, size_t n)
{
	if (s->text.n)
		text_wrote(s, n);
	else
		picture_wrote(s, n);
}

static bool write_all(struct term *t)
{
	struct str rest = next_bytes(&t->send);
	bool good = tty_write(t->fd, rest.p, rest.n);

	wrote(&t->send, rest.n); /* or lost: the terminal is gone, which reading will tell */
	return good;
}

void send_more(struct term *t)
{
	struct sender *s = &t->send;
	size_t left = AT_ONCE;

	/* Without a second descriptor it must be the one that blocks. */
	while (s->fd < 0 && send_unwritten(t))
		write_all(t);
	while (send_unwritten(t) && left) {
		struct str rest = next_bytes(s);
		ssize_t k = write(s->fd, rest.p, rest.n < left ? rest.n : left);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			break; /* full; or gone, which reading will tell */
		wrote(s, (size_t)k);
		left -= (size_t)k;
	}
	wake(t);
}

void send_flush(struct term *t)
{
	send_clear(t);
	if (t->send.text.n)
		write_all(t);
}

/* --- pictures --- */

void send_picture_bytes(struct term *t, struct buf *bytes, size_t before, size_t sixel,
			bool wrapped)
{
	struct sender *s = &t->send;

	outbox_fill(&s->out, bytes, before, sixel, wrapped);
	s->bytes = 0;
	s->begun_us = now_us();
	s->moved_ms = term_now_ms();
	s->torn = false;
	if (!caps_passthrough(&t->env, &t->replies))
		asked(s, ASKED_PICTURE);
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
	if (rest.n) {
		buf_put(&s->text, rest.p, rest.n);
	} else {
		s->begun_us = 0; /* nothing of it went out, so nothing comes back */
		forget(s, ASKED_PICTURE);
	}
	s->bytes += rest.n;
	s->waiting = false;
	buf_release(&rest);
}

/* --- receipts --- */

/* What a tmux around us answers itself says nothing of the line behind it. */
static bool measures(const struct term *t)
{
	bool inside = t->caps.tmux && t->env.tmux && *t->env.tmux;

	return !inside || caps_passthrough(&t->env, &t->replies);
}

static bool probe_again(const struct term *t)
{
	const struct sender *s = &t->send;

	return s->probe == PROBE_NONE && s->receipts && measures(t) && s->link.rate > 0 &&
	       link_budget(&s->link) < TOO_SLOW && term_now_ms() - s->moved_ms > PROBE_AGAIN_MS;
}

static void probe_step(struct term *t, enum probe_state step)
{
	struct buf b = BUF_INIT;

	while (step == PROBE_RATE && b.n < PROBE_PAD)
		buf_z(&b, "\033[m");
	buf_z(&b, CURSOR_REPORT);
	t->send.probe = step;
	t->send.probe_sent = t->send.flow.sent;
	t->send.probe_us = now_us();
	t->send.moved_ms = term_now_ms();
	buf_put(&t->send.text, b.p, b.n);
	asked(&t->send, ASKED_PROBE);
	buf_release(&b);
	send_more(t);
}

void send_probe(struct term *t)
{
	if (probe_again(t))
		t->send.probe = PROBE_DUE;
	if (t->send.probe == PROBE_DUE && !send_busy(t) && t->send.n_asked < QUESTIONS_MAX)
		probe_step(t, PROBE_EMPTY);
}

static void probed(struct term *t)
{
	struct sender *s = &t->send;
	int64_t took = now_us() - s->probe_us;

	if (s->flow.sent != s->probe_sent) {
		/* A frame that was drawn meanwhile took its time as well: anew behind the next one. */
		s->probe = PROBE_DUE;
		t->caps_changed = true;
	} else if (s->probe == PROBE_EMPTY) {
		probe_step(t, PROBE_LATENCY);
	} else if (s->probe == PROBE_LATENCY) {
		link_latency(&s->link, took);
		flow_latency(&s->flow, took);
		probe_step(t, PROBE_RATE);
	} else {
		link_probe(&s->link, PROBE_PAD, took);
		s->probe = PROBE_NONE;
	}
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

/* A few bytes of a picture that was broken off tell more of what came behind them. */
static bool says_much(const struct sender *s)
{
	return !s->torn || s->bytes >= TORN_LEAST;
}

static void picture_through(struct term *t)
{
	struct sender *s = &t->send;

	if (measures(t) && says_much(s)) {
		link_sample(&s->link, s->bytes, now_us() - s->begun_us);
		if (s->flow.pace > 0)
			flow_pace(&s->flow, s->link.rate);
	}
	through(t);
}

static void answered(struct term *t, enum question q)
{
	struct sender *s = &t->send;

	if (q == ASKED_TEXT) {
		flow_answered(&s->flow, now_us());
		send_ask(t); /* what was written since */
	} else if (q == ASKED_PICTURE) {
		picture_through(t);
	} else if (s->probe > PROBE_DUE) {
		probed(t);
		if (!s->probe)
			through(t);
	}
}

void send_receipt(struct term *t)
{
	struct sender *s = &t->send;
	enum question q;

	if (caps_passthrough(&t->env, &t->replies)) {
		if (s->begun_us && !send_writing(t)) {
			s->receipts = true;
			picture_through(t);
		}
		return;
	}
	if (!s->n_asked || (s->asked[0] == ASKED_PICTURE && send_writing(t)))
		return; /* late, of a question given up */
	s->receipts = true;
	q = s->asked[0];
	settled(s, 0);
	answered(t, q);
}

static int64_t picture_due_ms(const struct term *t)
{
	const struct sender *s = &t->send;

	return awaited(s) && !send_writing(t) ? s->moved_ms + patience_ms(s) : 0;
}

static int64_t first(int64_t a, int64_t b)
{
	return a && (!b || a < b) ? a : b;
}

int64_t send_due_ms(const struct term *t)
{
	int64_t due = first(picture_due_ms(t), flow_due_us(&t->send.flow) / 1000);

	return t->send.held ? first(due, (open_us(t) + 999) / 1000) : due;
}

static void tick_picture(struct term *t)
{
	struct sender *s = &t->send;
	int64_t due = picture_due_ms(t);

	if (!due || term_now_ms() < due)
		return;
	if (s->begun_us && s->receipts && measures(t))
		link_sample(&s->link, s->bytes, now_us() - s->begun_us);
	s->probe = PROBE_NONE;
	forget(s, ASKED_PICTURE);
	forget(s, ASKED_PROBE);
	through(t);
}

void send_tick(struct term *t)
{
	tick_picture(t);
	if (flow_tick(&t->send.flow, now_us()))
		forget(&t->send, ASKED_TEXT);
	wake(t);
}
