/*
 * send: pictures on their way to the terminal. One at a time: it is written as the line takes
 * it, between keys and never blocking; then its receipt is waited for, from which the speed of
 * the line is learnt. While it is being written no other byte may go out: whoever has something
 * to write calls send_clear() first, which breaks the picture off.
 */
#ifndef QUALM_TUI_TERM_SEND_H
#define QUALM_TUI_TERM_SEND_H

#include <stdint.h>

#include "core/base/str.h"
#include "tui/term/link.h"
#include "tui/term/outbox.h"

struct term;

/* A line is measured in three steps, each with an answer of its own, as what is sent together may
 * arrive together: until it is empty, its latency, its rate. */
enum probe_state { PROBE_NONE, PROBE_DUE, PROBE_EMPTY, PROBE_LATENCY, PROBE_RATE };

struct sender {
	int fd; /* of the terminal, opened once more so that it does not block; -1 = none */
	struct outbox out;
	struct link link;
	size_t bytes;     /* of the latest picture, as far as written */
	int64_t begun_us; /* when its writing began; 0: no receipt is open */
	int64_t moved_ms; /* when the line took something of it */
	bool receipts;    /* this terminal does give them */
	bool torn;        /* what is on the glass is not whole */
	bool waiting;     /* a frame is to be drawn when it is through */
	enum probe_state probe;
	int64_t probe_us;
};

void send_open(struct term *t);
void send_close(struct term *t);
/* Takes bytes (see outbox_fill) and writes what the line takes at once. */
void send_picture_bytes(struct term *t, struct buf *bytes, size_t before, size_t sixel,
			bool wrapped);
void send_more(struct term *t); /* what the line takes by now */
bool send_writing(const struct term *t);
bool send_busy(const struct term *t); /* writing, or not yet acknowledged */
/* Will the rest be through in a moment, so that a frame may wait for it? */
bool send_soon(const struct term *t);
void send_clear(struct term *t);
/* Measures the line, behind the first frame and, where pictures are too
 * much for it, behind one now and then. */
void send_probe(struct term *t);
/* A cursor report, or what stands for one, has come. */
void send_receipt(struct term *t);
/* Gives up a receipt that does not come. */
void send_tick(struct term *t);
int64_t send_due_ms(const struct term *t); /* when send_tick() is needed next; 0 = not */

#endif
