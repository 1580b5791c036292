/*
 * matrix: the confusion of a run, truth by answer, beside its ranked confusions. What was chosen
 * in it belongs to the app (struct matrix_look), so that one comes back to the same cell.
 */
#ifndef QUALM_TUI_VIEW_MATRIX_H
#define QUALM_TUI_VIEW_MATRIX_H

#include "core/eval/crosstab.h"

enum matrix_share { MATRIX_COUNT, MATRIX_OF_ROW, MATRIX_OF_COLUMN, N_MATRIX_SHARES };

/* Rows are numbered as in struct confusion, columns too; beside them: */
#define MATRIX_OTHER (UINT32_MAX - 1) /* what is not shown one by one */
#define MATRIX_ALL   UINT32_MAX       /* the margin */

struct matrix_look {
	enum class_order order;
	enum matrix_share share;
	bool diagonal_off, logarithmic, difference; /* difference: a - b */
	bool order_chosen;          /* by hand; else index, or most confused where classes are many */
	bool in_list, pane_chosen;  /* where the cursor is; by hand? */
	bool begun;                 /* what follows is of this dataset */
	int64_t dataset;
	uint32_t n_classes;
	uint32_t row, column;       /* of the cursor */
	uint32_t top_row, top_column; /* the first class shown, as a place in the order */
	uint32_t pair, pair_top;    /* the list's cursor */
	uint8_t *folded;            /* owned: [n_classes] 1: the class stands for all below it; NULL: none */
	uint32_t folds;             /* goes up with every change of it */
	bool stopped;               /* counting was broken off; it begins again when something changes */
};

void matrix_look_release(struct matrix_look *look);

#endif
