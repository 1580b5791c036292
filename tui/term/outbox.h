/*
 * outbox: the one picture that is being written to the terminal, piece by piece as the line takes
 * it, and the places where it may be broken off. Pure: who writes is send.c.
 */
#ifndef QUALM_TUI_TERM_OUTBOX_H
#define QUALM_TUI_TERM_OUTBOX_H

#include "core/base/str.h"

struct outbox {
	struct buf bytes; /* place, picture, receipt, cursor back; empty: nothing to write */
	size_t at;        /* so much of it is written */
	size_t body, end; /* the picture's data and its terminator begin here */
};

/* Takes bytes: `before` of them stand in front of the picture, which is `sixel` long as written
 * and ends with its terminator. wrapped: every ESC of the picture is doubled for tmux. */
void outbox_fill(struct outbox *o, struct buf *bytes, size_t before, size_t sixel, bool wrapped);
bool outbox_busy(const struct outbox *o);
struct str outbox_rest(const struct outbox *o); /* what is still to be written */
void outbox_wrote(struct outbox *o, size_t n);
/* Break it off: `rest` gets the fewest bytes that leave the terminal in order (to the end of a
 * sixel's token, its terminator, receipt and cursor), nothing when nothing was written yet. The
 * outbox is empty after. False when the picture had been written whole. */
bool outbox_cut(struct outbox *o, struct buf *rest);
void outbox_release(struct outbox *o);

#endif
