/*
 * The worker's half of pictures.h: one picture from a path to what the screen can show. It
 * touches nothing but the job's own memory, the decode process and the folder of the cache.
 *
 * A sixel is made as good as its ceiling of bytes allows: fewer colours, no dithering, a smaller
 * size, at last blocks. What was encoded is kept on disk even when it was too large this time.
 */
#ifndef QUALM_TUI_VIEW_PICTURE_MAKE_H
#define QUALM_TUI_VIEW_PICTURE_MAKE_H

#include "tui/view/pictures.h"

/* All points of one picture, upright; never written to once it is shared. */
struct whole {
	int refs; /* the owner's thread counts */
	char *path;
	struct pixels px;
	struct media_facts facts;
};

void whole_release(struct whole *w); /* NULL is fine */

struct made {
	struct made *next;
	char *path;
	int h, w; /* of the box, cells */
	struct send_crop crop; /* w 0: none */
	struct picture_zoom zoom; /* w 0: none */
	struct whole *whole; /* owned reference: what a zoom is cut from; NULL: to be read */
	struct picture pic;
	char *sixel, *error;
	struct block_cell *blocks;
	size_t bytes, budget; /* budget: the ceiling it was made for, 0 = none */
	bool plain;           /* because of that it is not as good as it could be */
};

void made_free(struct made *m); /* NULL is fine */
/* Fills m->pic and what it points to for m->path and its box. Never fails: what went wrong is
 * the picture's error. E_CANCELLED when it was. */
enum status picture_make(struct made *m, const struct picture_setup *setup,
			 const struct cancel *cancel);

/* Pixels that a picture of so many cells can have under the setup's ceilings. Pure. */
void picture_room(const struct picture_setup *setup, int cols, int rows, uint32_t *w, uint32_t *h);

/* Darkens what is outside of the crop, and draws a frame around it. Pure. */
void picture_dim(struct pixels *px, const struct send_crop *crop);

/* The quality to begin with: index into the ladder, PICTURE_RUNGS = blocks. Pure. */
#define PICTURE_RUNGS 5
int picture_first_rung(uint32_t w, uint32_t h, size_t budget);
/* May a sixel of so many bytes be sent under the ceiling? */
bool picture_within(size_t bytes, size_t budget);

#endif
