/*
 * spill: rows between a statement and a reader that may be slower. While the statement runs, what
 * the reader does not take at once goes to a file without a name; so a pager that is left open
 * does not keep the project from everybody else. Up to SPILL_MOST bytes; then the reader sets the
 * pace.
 */
#ifndef QUALM_TUI_SPILL_H
#define QUALM_TUI_SPILL_H

#include <stdint.h>
#include <stdio.h>

#include "core/base/cancel.h"
#include "core/base/err.h"

#define SPILL_MOST ((int64_t)1 << 30)

struct spill {
	FILE *in;  /* rows are written here; `out` itself where that waits for nobody */
	FILE *out; /* borrowed */
	int64_t at; /* so much of `in` has been taken */
	int64_t most;
	const struct cancel *cancel; /* borrowed, may be NULL */
};

/* in == out when out is a file or nothing can be made beside it. out must be empty so far. */
void spill_open(struct spill *s, FILE *out, const struct cancel *cancel);
/* Moves what the reader takes now, once there is enough of it. E_IO: it is gone, or the disk is
 * full; E_CANCELLED. */
enum status spill_move(struct spill *s, struct err *err);
/* Moves all the rest, however long the reader takes. */
enum status spill_end(struct spill *s, struct err *err);
void spill_release(struct spill *s);

#endif
