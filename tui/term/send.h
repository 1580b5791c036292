/*
 * send: everything on its way to the terminal. It is written as the line takes it, between keys
 * and never blocking: text first and always whole, then at most one picture, which is broken off
 * where other text follows (send_clear() comes before send_text()). A picture's receipt is waited
 * for, from which the speed of the line is learnt; of text no more is under way than flow.h
 * allows, so frames that nobody would see in time are never drawn.
 */
#ifndef QUALM_TUI_TERM_SEND_H
#define QUALM_TUI_TERM_SEND_H

#include <stdint.h>

#include "core/base/str.h"
#include "tui/term/flow.h"
#include "tui/term/link.h"
#include "tui/term/outbox.h"

struct term;

/* A line is measured in three steps, each with an answer of its own, as what is sent together may
 * arrive together: until it is empty, its latency, its rate. */
enum probe_state { PROBE_NONE, PROBE_DUE, PROBE_EMPTY, PROBE_LATENCY, PROBE_RATE };

/* Cursor reports come in the order of their questions. */
enum question { ASKED_TEXT, ASKED_PICTURE, ASKED_PROBE };
#define QUESTIONS_MAX 4

struct sender {
	int fd; /* of the terminal, opened once more so that it does not block; -1 = none */
	struct buf text; /* goes before the picture */
	size_t text_at;  /* so much of it is written */
	struct outbox out;
	struct flow flow;
	bool held; /* a frame is to be drawn when the line has room for it */
	enum question asked[QUESTIONS_MAX]; /* those that are not answered */
	int n_asked;
	struct link link;
	size_t bytes;     /* of the latest picture, as far as written */
	int64_t begun_us; /* when its writing began; 0: no receipt is open */
	int64_t moved_ms; /* when the line took something of it */
	bool receipts;    /* this terminal does give them */
	bool torn;        /* what is on the glass is not whole */
	bool waiting;     /* a frame is to be drawn when it is through */
	enum probe_state probe;
	int64_t probe_us;
	uint64_t probe_sent; /* text before the step's question */
};

void send_open(struct term *t);
void send_close(struct term *t);
/* Takes bytes (see outbox_fill) and writes what the line takes at once. */
void send_picture_bytes(struct term *t, struct buf *bytes, size_t before, size_t sixel,
			bool wrapped);
/* Behind what waits already; what the line takes is written by send_more(). */
void send_text(struct term *t, const char *p, size_t n);
void send_ask(struct term *t);  /* has the text arrived? */
/* May a frame be drawn? When not, term_input() will say so when it may. */
bool send_room(struct term *t);
void send_more(struct term *t); /* what the line takes by now */
/* All of the text, also when the line is slow; a picture is broken off. */
void send_flush(struct term *t);
bool send_unwritten(const struct term *t); /* the line did not take all so far */
bool send_writing(const struct term *t);   /* a picture */
bool send_busy(const struct term *t);      /* a picture: writing, or not yet acknowledged */
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
bool send_asked(const struct term *t);     /* an answer is outstanding */
void send_forget(struct term *t);          /* none is any more, whether it came or not */

#endif
