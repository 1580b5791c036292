/* Inside sheet: what sheet.c, sheet_load.c and sheet_compose.c share. */
#ifndef QUALM_TUI_VIEW_SHEET_IMPL_H
#define QUALM_TUI_VIEW_SHEET_IMPL_H

#include "core/base/vec.h"
#include "tui/view/sheet.h"

enum { SHEET_LOADERS = 2, SHEET_BUCKETS = 1024 };

/* One small picture. Its contents never change once it is in the cache, so that workers may read
 * them; refs is the owner's alone. */
struct thumb {
	struct thumb *next; /* in its bucket */
	int refs;           /* the cache's, and those of jobs */
	uint64_t id, used;
	char *path;
	enum picture_state state; /* READY or FAILED */
	struct media_facts facts;
	char *error;
	struct pixels px;
	struct block_cell *blocks; /* cols * rows; NULL until needed */
	int cols, rows;            /* cells it takes */
	size_t bytes;
};

void thumb_unref(struct thumb *t);
/* Where a picture of so many cells stands in its slot: on its caption, at the left; in the middle
 * where the caption is elsewhere. */
struct rect sheet_stand(const struct rect *slot, int cols, int rows, bool whole);
/* A number into the picture's upper left corner, one_cell: pixels of a line of text. */
void sheet_number(struct pixels *px, uint32_t x, uint32_t y, int number, int one_cell);
/* Are blocks, if any are drawn, characters without colours? */
bool sheet_in_ascii(const struct picture_setup *setup);
/* Blocks for the picture, when it has none yet. */
void thumb_blocks(struct thumb *t, const struct picture_setup *setup);

struct composed_part {
	struct rect rect;
	char *sixel; /* owned */
	size_t n;
};

struct composed {
	uint64_t page, version; /* what it shows */
	int n;
	struct composed_part part[PICTURE_PARTS_MAX];
	bool too_large; /* whatever the colours; or it could not be made: blocks instead */
};

void composed_release(struct composed *c);

struct sheet {
	struct pool *pool;
	struct picture_setup setup; /* as it is used: given, or blocks in place of its sixels */
	struct picture_setup given;
	bool single, whole; /* as they were said; whole: one sixel */
	uint64_t generation, next_id, clock;
	struct thumb *bucket[SHEET_BUCKETS];
	size_t bytes;
	/* the page */
	struct sheet_slot slot[SHEET_SLOTS_MAX]; /* paths owned */
	struct thumb *thumb[SHEET_SLOTS_MAX];    /* borrowed from the cache; NULL = not there */
	int n;
	char *soon[SHEET_SLOTS_MAX];
	int n_soon;
	uint64_t page;
	int64_t since;
	bool hurry;
	char *loading[SHEET_LOADERS]; /* owned paths; NULL = idle */
	/* sixel */
	bool composing;
	int64_t composed_ms;
	struct composed now;
	struct placed_part placed_part[PICTURE_PARTS_MAX];
	struct placed_picture placed;
};

/* sheet_load.c */
void sheet_load_due(struct sheet *s);   /* starts loads for what is wanted and not there */
void sheet_stop_loads(struct sheet *s, bool all); /* all, or those nobody wants any more */
struct thumb *sheet_find(struct sheet *s, const char *path);
void sheet_link(struct sheet *s); /* thumb[] from the cache */
void sheet_drop_thumbs(struct sheet *s);

/* sheet_compose.c */
uint64_t sheet_version(const struct sheet *s); /* of the page with what has come so far; 0 = none */
void sheet_compose(struct sheet *s, uint64_t version, size_t budget);
void sheet_stop_composing(struct sheet *s);

#endif
