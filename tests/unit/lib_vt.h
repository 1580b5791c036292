/*
 * vt: a small terminal for tests. Takes what a program writes, keeps the cells and which of them
 * show pixels of a sixel, and answers questions as a chosen terminal would.
 */
#ifndef QUALM_TESTS_UNIT_LIB_VT_H
#define QUALM_TESTS_UNIT_LIB_VT_H

#include "core/base/str.h"

#define VT_MAX_H 60
#define VT_MAX_W 200

struct vt_picture {
	int y, x;   /* cell of its upper left corner */
	int w, h;   /* pixels, as its raster attributes say */
	size_t bytes;
};

struct vt {
	int h, w, cell_h, cell_w;
	int y, x;
	uint32_t cell[VT_MAX_H][VT_MAX_W];
	bool pixels[VT_MAX_H][VT_MAX_W];
	int bottom;   /* last row of the scroll region, from 1; 0 = the screen's */
	bool wrap;    /* the cursor stands behind the last column */
	int tmux;     /* 0, or a version such as 303: how it treats sixel */
	bool konsole;     /* text does not wipe pixels, only clearing all does */
	bool outer_sixel; /* what stands around tmux, reached by passthrough */
	bool answers; /* questions are answered at once */
	bool receipts; /* and cursor reports */
	struct buf replies; /* what it wants to send to the program */
	/* counted */
	int n_pictures, n_receipts_due, sync_begun, sync_ended, sync_depth, last_row_hits;
	int n_scrolled; /* orders that move lines; they are not obeyed */
	int alternate, n_copied, n_clears, n_colors; /* n_colors: a colour was chosen */
	bool cursor_hidden, paste_mode;
	struct vt_picture picture; /* the latest */
	struct buf copied;
	/* parser */
	int state;
	struct buf seq;
};

void vt_init(struct vt *v, int h, int w);
void vt_release(struct vt *v);
void vt_write(struct vt *v, struct str bytes);
/* Row y as text, right-trimmed. */
void vt_row(const struct vt *v, int y, struct buf *out);
int vt_pixel_cells(const struct vt *v);
/* The answers to the questions of the start, as an xterm that emulates a VT340 gives them. */
void vt_answer_probe(struct vt *v);

#endif
