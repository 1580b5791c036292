/*
 * progress: how far a long command is, on standard error. On a terminal one line that is drawn
 * again, at most ten times a second; elsewhere a plain line now and then.
 */
#ifndef QUALM_TUI_PROGRESS_H
#define QUALM_TUI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/str.h"

struct progress {
	bool tty;
	bool drawn;         /* a line stands on the terminal */
	struct str what;    /* the file being read; borrowed */
	double began, last; /* seconds of the monotonic clock */
	const char *unit;   /* NULL: bytes */
	bool whole;	    /* done and total are of all: a new `what` does not start the clock again */
};

void progress_init(struct progress *p, bool tty);
/* total 0 = unknown. A new `what` starts the clock again. */
void progress_show(struct progress *p, const char *what, uint64_t done, uint64_t total);
/* Words in its place, as often. */
void progress_say(struct progress *p, const char *words);
/* Takes the line away, so that other words can be printed. */
void progress_clear(struct progress *p);

#endif
