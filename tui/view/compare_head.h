/*
 * compare_head: what stands above the table of Classes when there are two runs to compare: what
 * they do not have in common, the four numbers of right and wrong as doors, and whether their
 * difference is more than noise. All is of the table's first row, of all samples.
 */
#ifndef QUALM_TUI_VIEW_COMPARE_HEAD_H
#define QUALM_TUI_VIEW_COMPARE_HEAD_H

#include "core/report/table.h"
#include "tui/term/cells.h"

struct compare_head {
	const struct table *table; /* borrowed; NULL: there is nothing to compare */
	const char *cluster;       /* borrowed; NULL: samples are drawn */
	size_t at;                 /* the number under the cursor, from the left */
	bool in;                   /* the cursor is here, not in the table below */
	bool waits;                /* the numbers are being made anew */
	bool low;                  /* there is little room */
};

/* Is the table a comparison of two runs? */
bool compare_head_fits(const struct table *t);
/* Before a draw: the lines that it gets at the top of an area. */
int compare_head_fit(struct compare_head *h, struct rect area);
void compare_head_draw(const struct compare_head *h, struct cells *grid, struct rect area);
/* left, right; false: not one of them. */
bool compare_head_command(struct compare_head *h, const char *name);
/* The column of the table that the number under the cursor is of. */
size_t compare_head_column(const struct compare_head *h);

/* Is it a group that differs by more than noise: q below 0.05? */
#define COMPARE_Q 0.05
#define COMPARE_P 0.05 /* of all samples: less is called more than noise */
size_t compare_head_q(const struct table *t); /* the column */
bool compare_head_marks(const struct table *t, size_t q, size_t row);

#endif
