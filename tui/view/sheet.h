/*
 * sheet: many small pictures at once, in slots. Workers load them, those in sight first and then
 * those likely to be wanted soon; a new page cancels what is still being loaded for the last one.
 * Where the terminal shows sixels, the pictures of one row of slots are put together into one (or
 * into several, where the terminal takes no wider ones), and all of them are sent as one picture:
 * anew when more have come, but not too often, and with as many colours as the line carries.
 */
#ifndef QUALM_TUI_VIEW_SHEET_H
#define QUALM_TUI_VIEW_SHEET_H

#include "tui/term/term.h"
#include "tui/view/pictures.h"

#define SHEET_SLOTS_MAX  256
#define SHEET_AGAIN_MS   150 /* between two versions of a page */
#define SHEET_CACHE_MAX  ((size_t)48 << 20) /* of pixels */

/* --- layout, pure --- */

struct sheet_grid {
	struct rect area;
	int cols, rows;       /* slots */
	int slot_w, slot_h;   /* cells, with what divides them */
	int thumb_w, thumb_h; /* cells of a picture; its caption is below: one line or two */
};

/* As many slots as there is room for; at least one. cell_w, cell_h: pixels. */
void sheet_layout(struct rect area, int cell_w, int cell_h, struct sheet_grid *out);
struct rect sheet_thumb(const struct sheet_grid *g, int slot); /* in the grid of cells */
struct rect sheet_caption(const struct sheet_grid *g, int slot);

/* --- pictures --- */

struct sheet_slot {
	struct rect box;  /* cells; slots of one row have the same y and h and follow each other */
	const char *path; /* borrowed for the call; NULL = none, which is not drawn */
	int number;       /* 1 .. 99: stands in the picture's corner; 0 = none does */
};

struct sheet;

struct sheet *sheet_new(struct pool *pool); /* borrows */
void sheet_free(struct sheet *s); /* before pool_free(); NULL is fine */
/* What the terminal can do; forgets everything when it differs. single: it takes no picture of
 * several parts, so that rows of slots are drawn as blocks. */
void sheet_setup(struct sheet *s, const struct picture_setup *setup, bool single);
/* whole: all slots are put together into one single sixel, what lies between them with them; else a
 * sixel a row, so that captions can stand between the rows. Pages are forgotten when it changes. */
void sheet_whole(struct sheet *s, bool whole);
void sheet_forget(struct sheet *s); /* files may have changed */
/* The page. soon: paths that may be wanted next, borrowed for the call. At most
 * SHEET_SLOTS_MAX of each. */
void sheet_want(struct sheet *s, const struct sheet_slot *slots, int n, const char *const *soon,
		int n_soon, int64_t now);
/* Starts what is due. busy: the terminal has not taken the last picture yet. budget: bytes one
 * picture may have, 0 = any; a page has more. hurry: no resting. Milliseconds until it must be called again; -1 =
 * when a job ends. */
int sheet_tick(struct sheet *s, int64_t now, bool busy, size_t budget, bool hurry);
enum picture_state sheet_state(const struct sheet *s, int slot);
/* Blocks, cards and waiting signs; blanks where sheet_placed() is. */
void sheet_draw(const struct sheet *s, struct cells *grid);
/* The sixels of this page; NULL = none yet. Good until the next call of another function. */
const struct placed_picture *sheet_placed(const struct sheet *s);

#endif
