/*
 * flow: how much text may be on its way to the glass. Pure: fed with what was written and when an
 * answer to a question behind it came back, it says whether another frame may follow.
 *
 * What a line has taken cannot be recalled, and a picture of the past helps nobody: a frame waits
 * while more bytes than the window are under way. The window follows the line: an answer that
 * took long for its bytes makes it small at once, a full one that came soon doubles it. One
 * question is out at a time, and only while one is out is the line ever full: an answer that never
 * comes holds up nothing for longer than flow_due_us().
 *
 * Where nobody answers for the far end there is a pace instead: a frame waits until what went
 * before, but for a burst, would be through a line of that rate.
 */
#ifndef QUALM_TUI_TERM_FLOW_H
#define QUALM_TUI_TERM_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLOW_WINDOW_LEAST ((size_t)1 << 10)
#define FLOW_WINDOW_MOST  ((size_t)64 << 10)
#define FLOW_WINDOW_FIRST ((size_t)8 << 10)
#define FLOW_BURST        ((size_t)8 << 10)

struct flow {
	uint64_t sent, taken; /* bytes written, and those known to have arrived */
	uint64_t asked;       /* the question stands behind so many */
	bool open;            /* a question is out */
	bool clean;           /* nothing but text stands before it */
	int missed;           /* answers in a row that did not come */
	int64_t from_us;      /* when the first byte after `taken` was written */
	int64_t next_us;      /* the same of the first one after `asked` */
	int64_t asked_us;
	int64_t least_us;     /* the soonest answer ever; 0 = not known */
	size_t window;
	double pace; /* bytes a second; 0 = there is none */
	double owed; /* bytes ahead of the pace, at owed_us */
	int64_t owed_us;
};

void flow_init(struct flow *f);
void flow_sent(struct flow *f, size_t n, int64_t now_us);
/* A frame must wait until flow_answered() or flow_tick(). */
bool flow_full(const struct flow *f);
/* Is it time to put a question behind what was written? Then it counts as out. */
bool flow_ask(struct flow *f, bool clean, int64_t now_us);
void flow_answered(struct flow *f, int64_t now_us);
void flow_forget(struct flow *f); /* the answer will not come, for no fault of the line */
/* An answer to a question of a few bytes took so long. */
void flow_latency(struct flow *f, int64_t us);
int64_t flow_due_us(const struct flow *f); /* when flow_tick() gives the answer up; 0 = none is out */
/* True when it did. After two in a row no more questions are asked. */
bool flow_tick(struct flow *f, int64_t now_us);
/* Bytes a second from now on, more than 0. */
void flow_pace(struct flow *f, double rate);
int64_t flow_open_us(const struct flow *f); /* the pace lets a frame follow then; 0 = at once */

#endif
