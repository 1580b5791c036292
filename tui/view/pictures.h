/*
 * pictures: one picture at a time, from a path to something the screen can show. The wish is a
 * path and a box of cells; once the cursor has rested, a worker reads, decodes, scales and
 * encodes it; a newer wish cancels it. What was made is kept (least recently used goes first),
 * and the neighbours are made when there is nothing else to do. How good a sixel is depends on how
 * many bytes the line carries (pictures_budget).
 */
#ifndef QUALM_TUI_VIEW_PICTURES_H
#define QUALM_TUI_VIEW_PICTURES_H

#include "core/base/job.h"
#include "core/media/media_cache.h"
#include "core/media/send.h"
#include "tui/term/cells.h"

#define PICTURE_REST_MS   80  /* the cursor rests that long before anything is read */
#define PICTURE_HOLD_MS   300 /* the last picture stays that long while the next is made */
#define PICTURE_CACHE_MAX ((size_t)24 << 20)
#define PICTURE_KEPT_MAX  ((size_t)192 << 20) /* bytes of all points of one, while one zooms */
#define PICTURE_ENLARGE   6.0 /* small ones (48 pixels of a face) grow, but not into porridge */

/* MARK: the place alone, as cells of STYLE_PICTURE with the picture's size (headless screens). */
enum picture_kind { PICTURE_OFF, PICTURE_MARK, PICTURE_ASCII, PICTURE_BLOCKS, PICTURE_SIXEL };

enum picture_state { PICTURE_NONE, PICTURE_WAITING, PICTURE_READY, PICTURE_FAILED };

struct picture {
	enum picture_state state;
	uint64_t id; /* of what was made; never 0 when READY */
	struct media_facts facts;
	const char *error; /* FAILED: a sentence */
	int cols, rows;    /* READY: cells that it takes, within the box, centred */
	struct str sixel;
	const struct block_cell *blocks; /* cols * rows */
	bool colored;      /* blocks have colours; else they are characters of STYLE_PICTURE */
	bool mark;
};

/* A part of the upright picture, in its pixels, and how many of the screen's it becomes; w 0: all of
 * it, as large as the box and a limit of enlarging allow. */
struct picture_zoom {
	uint32_t x, y, w, h, out_w, out_h;
};

/* Which picture, and where. Paths are borrowed for the call; NULL = none. */
struct picture_wish {
	const char *path;
	const char *next, *previous; /* likely to be wanted soon */
	struct rect box;             /* cells */
	struct send_crop crop;       /* of path: what is outside of it is dimmed; w 0: none */
	struct picture_zoom zoom;    /* of path; its points are kept while one is wanted */
};

struct picture_setup {
	enum picture_kind kind;
	int cell_w, cell_h, max_w, max_h, colors; /* pixels; colours of a sixel */
	bool first_is_background;
	struct media_rgb background;
	bool unicode;            /* blocks can be drawn where a sixel would be too large */
	struct decoder *decoder;   /* borrowed; may be NULL */
	struct media_cache *cache; /* borrowed; may be NULL */
};

struct pictures;

struct pictures *pictures_new(struct pool *pool); /* borrows */
void pictures_free(struct pictures *p); /* after pool_free(); NULL is fine */
/* What the terminal can do; forgets everything when it differs. */
void pictures_setup(struct pictures *p, const struct picture_setup *setup);
void pictures_forget(struct pictures *p); /* files may have changed */
/* How many bytes a sixel may have from now on; 0 = any. What was made for another ceiling is made
 * again, when it is wanted anew or not on the glass yet (on_glass: the id of what is), if it is
 * much too large or needlessly plain. */
void pictures_budget(struct pictures *p, size_t bytes, uint64_t on_glass);
/* Stops what is being made; false when nothing is. The wish then stands as FAILED, and is made when
 * it is wanted again after another, or after pictures_forget(). */
bool pictures_cancel(struct pictures *p);
/* The wish of this moment. now: any clock in milliseconds. */
void pictures_want(struct pictures *p, const struct picture_wish *wish, int64_t now);
/* Starts what is due. Milliseconds until it must be called again, -1 = no need. */
int pictures_tick(struct pictures *p, int64_t now);
void pictures_hurry(struct pictures *p); /* no resting: scripts */
void pictures_rest(struct pictures *p, int ms); /* instead of PICTURE_REST_MS */
/* How the wish stands. Valid until the next call of want, setup, forget or pool_reap(). */
struct picture pictures_get(const struct pictures *p);
/* How many pixels a picture in this box can have; 0 by 0 where none can be shown. */
void pictures_room(const struct pictures *p, struct rect box, uint32_t *w, uint32_t *h);
/* How many of those the smallest thing that is drawn is wide: 1, or the half or all of a cell. */
double pictures_dot(const struct pictures *p);
/* Has the wish been waiting for longer than PICTURE_HOLD_MS? */
bool pictures_overdue(const struct pictures *p, int64_t now);

/* Draw it in its box: blocks, mark, card of what went wrong, or waiting sign. */
void picture_draw(const struct picture *pic, struct cells *grid, struct rect box);
/* Where in the box the picture sits. */
struct rect picture_rect(const struct picture *pic, struct rect box);
/* "JPEG 320×240 · 13.6 KB"; nothing for what is unknown. */
void picture_facts(const struct media_facts *f, struct buf *out);

#endif
