/*
 * tui/term: everything that knows a terminal. Views write into a grid of cells; a backend shows
 * the grid (curses) or keeps it (null, for tests and --headless). No view includes curses.
 *
 * cells: the grid. A cell holds one cluster (its base and marks, at most CELL_BYTES of UTF-8), its
 * width (1 or 2; 0 = covered by the wide one to its left), a style role, and optionally its own
 * colours (picture blocks). Widths come from text_width() alone, in every backend.
 */
#ifndef QUALM_TUI_TERM_CELLS_H
#define QUALM_TUI_TERM_CELLS_H

#include "core/base/str.h"
#include "tui/term/style.h"

#define CELL_BYTES 20

struct cell {
	char text[CELL_BYTES + 1]; /* "" = blank */
	unsigned char width;
	unsigned char style;
	bool colored;
	uint8_t fg[3], bg[3]; /* when colored */
};

struct rect {
	int y, x, h, w;
};

struct cells {
	int h, w;
	struct cell *cell; /* h * w, row-major, owned */
};

void cells_resize(struct cells *c, int h, int w); /* all blank NORMAL after */
void cells_release(struct cells *c);
struct cell *cells_at(const struct cells *c, int y, int x); /* NULL outside */
void cells_fill(struct cells *c, struct rect r, enum style style); /* blanks */
/* Put text at y,x in at most max_w columns, clipped to the grid; returns columns used. Never
 * breaks a cluster; unsafe characters appear as marks in STYLE_UNSAFE; invalid UTF-8 as U+FFFD. */
int cells_put(struct cells *c, int y, int x, int max_w, enum style style, struct str s);
int cells_putz(struct cells *c, int y, int x, int max_w, enum style style, const char *z);
int cells_printf(struct cells *c, int y, int x, int max_w, enum style style, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
/* Change the style of cells that are there already. */
void cells_restyle(struct cells *c, struct rect r, enum style style);
void cells_set_color(struct cells *c, int y, int x, uint32_t cp, const uint8_t fg[3],
		     const uint8_t bg[3]);

#endif
