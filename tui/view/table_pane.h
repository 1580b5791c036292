/*
 * table_pane: a table of numbers in a pane: a head, a row a line, the cursor on one cell. The first
 * column of text stays in sight, the others scroll under it; shares have a bar, drawn to one scale a
 * column: all of them, or where there is no room for that the first alone, and its fellow beside it. No column moves with the cursor unless it must come into sight.
 */
#ifndef QUALM_TUI_VIEW_TABLE_PANE_H
#define QUALM_TUI_VIEW_TABLE_PANE_H

#include "core/report/table.h"
#include "tui/term/cells.h"
#include "tui/view/list.h"

struct pane_column {
	size_t column; /* of the table */
	int full, tall; /* columns of the screen that its texts want; and under a head of two lines */
	int w, bar;    /* and that it has: the text; its bar, 0 = none */
	double most;   /* what a whole bar stands for */
};

struct table_pane {
	const struct table *table;   /* borrowed; NULL: there is none yet */
	VEC(struct pane_column) columns; /* in the order of the screen; the first one stays */
	VEC(uint32_t) rows;          /* of the table, in the order of the screen */
	VEC(const char *) signs;     /* borrowed, [rows of the table]: stands before a row; empty: none */
	size_t pinned;               /* rows that stay on top whatever they are sorted by */
	struct list list;            /* over rows */
	size_t at, left;             /* the cursor's column; the first one beside the column that stays */
	int sorted;                  /* by this column of the table; -1: as it was made */
	bool down;                   /* the largest first */
	int head;                    /* lines of it: two where a title needs them and there is room */
	bool waits;                  /* its numbers are being made anew */
	bool away;                   /* the cursor is in another pane */
	bool plain;                  /* no bars where there is not room for all numbers */
	char *needle;                /* owned; NULL: nothing was searched */
};

void table_pane_release(struct table_pane *p);
/* Another table, or the same made anew: columns [n], places in the table, in the order of the screen,
 * the first a text. Row, column and sorting stay where their names are still there. */
void table_pane_take(struct table_pane *p, const struct table *t, const size_t *columns, size_t n,
		     size_t pinned);
/* Before a draw: widths, and the cursor in sight. */
void table_pane_fit(struct table_pane *p, struct rect area);
void table_pane_draw(const struct table_pane *p, struct cells *grid, struct rect area);

/* By a column of the table; rows without a number come last either way. -1: as it was made. */
void table_pane_sort(struct table_pane *p, int column, bool down);
/* By the cursor's column; once more: backwards; and once more: as it was made. */
void table_pane_sort_here(struct table_pane *p);
/* The next row (forward) whose first column has the needle; false if none has. */
bool table_pane_search(struct table_pane *p, bool forward, bool from_here);
/* Moving: lists' commands, left, right. False: not one of them. */
bool table_pane_command(struct table_pane *p, const char *name, struct str args);

/* What the cursor is on. False when the table is empty. */
bool table_pane_cursor(const struct table_pane *p, size_t *row, size_t *column);
void table_pane_name_here(const struct table_pane *p, struct buf *out); /* appends the row's name */

#endif
