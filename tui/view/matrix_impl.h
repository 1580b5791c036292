/* What the files of the Matrix view share. */
#ifndef QUALM_TUI_VIEW_MATRIX_IMPL_H
#define QUALM_TUI_VIEW_MATRIX_IMPL_H

#include "core/base/arena.h"
#include "tui/term/cells.h"
#include "tui/view/list.h"
#include "tui/view/matrix.h"
#include "tui/view/scene.h"

struct app;

#define MATRIX_PAIRS_MAX   1000 /* in the list */
#define MATRIX_ALL_CLASSES 30   /* up to so many, classes that do not occur are shown too */

struct matrix_names { /* of the classes, unique, and as values of the filter language */
	struct arena arena;
	uint32_t n;
	const char **name, **value;
};
/* folded[n_classes]: those that stand for all below them, "NAME/" and a star; NULL: none. */
void matrix_names_make(const struct snapshot *snap, const uint8_t *folded, struct matrix_names *out);
void matrix_names_release(struct matrix_names *names);
const char *matrix_row_name(const struct matrix_names *n, uint32_t row);
const char *matrix_column_name(const struct matrix_names *n, uint32_t column);

/* What is counted, of a and, where there is one, of b. */
struct matrix_counts {
	struct crosstab a, b;
	bool has_b;
	uint32_t *order, n_order; /* the classes that can be shown, in their order */
	struct confused_pair *pair;
	uint32_t n_pairs;         /* in the list */
	size_t all_pairs;
	uint64_t errors;          /* off the diagonal in rows with a class */
	uint32_t longest;         /* columns of the longest name among those of the order */
};

/* What is to be counted. Its own, also the share of the snapshot. */
struct matrix_wish {
	struct snapshot *snap;
	struct lens lens;
	int a, b;         /* b: -1 = not asked for */
	uint64_t *mask;   /* NULL: all samples */
	enum class_order order;
	uint8_t *folded;  /* NULL: none */
};
/* Of the scene as it is; without what the filter is not true for any more: no door would open it. */
void matrix_wish_make(struct matrix_wish *w, const struct scene *s, const struct matrix_look *look);
void matrix_wish_release(struct matrix_wish *w);

struct matrix_answer {
	struct matrix_names names;
	struct matrix_counts counts;
	bool made;
};
/* verdict[2]: of a and b, where they are known already, else NULL. way: cancel, tell. After a
 * cancel what came out is to be released. */
void matrix_count(const struct matrix_wish *w, const uint8_t *const verdict[2],
		  const struct confusion_way *way, struct matrix_answer *out);
void matrix_answer_release(struct matrix_answer *a);

#define MATRIX_KEY     0x6d61747269780000 /* of the job, and of its meter */
#define MATRIX_AT_ONCE 500000 /* samples that are counted within a frame or two */
/* In a worker: takes the wish. done gets the answer (it takes it when it wants it) on the owner's
 * thread. A newer one takes its place. */
void matrix_start(struct app *app, struct matrix_wish *w,
		  void (*done)(void *owner, struct matrix_answer *answer), void *owner);
void matrix_drop(struct app *app);

/* --- folding --- */

bool matrix_has_tree(const struct snapshot *snap);
/* group[n_classes]: the class that stands for each; owned by the caller. NULL: none is folded. */
uint32_t *matrix_groups(const struct snapshot *snap, const uint8_t *folded);
/* The command matrix-fold or matrix-unfold; what the cursor is on follows. */
unsigned matrix_fold(struct app *app, bool unfold, struct str args);

/* Which lines there are on the screen, top to bottom and left to right: ids, and where each is
 * in `cell` (crosstab_cells()). */
struct matrix_axis {
	uint32_t *id, *at, n;
	uint32_t classes, top; /* the first of them are classes, from this place of the order on */
};
struct matrix_grid {
	struct rect box, list;  /* h or w 0: not shown */
	struct matrix_axis row, column;
	struct crosstab_window window; /* owned */
	uint32_t *cell, *cell_b;
	int label_w, cell_w, extra_w, all_w;
	bool leads; /* cells would be narrower than three columns: the list comes first */
	bool narrow; /* one pane at a time */
};
/* Lays the panes out in area, fills in the cells. The look's cursor comes to where something is. */
void matrix_lay(const struct matrix_counts *c, struct matrix_look *look, struct rect area,
		struct matrix_grid *out);
void matrix_grid_release(struct matrix_grid *g);
int matrix_column_width(const struct matrix_grid *g, uint32_t n_classes, uint32_t column);
/* How many lines below the panes tell of the cursor and the settings. */
int matrix_foot(int height);

/* The number at a place of the axes: of a, and of b; 0 without it. */
struct matrix_number {
	uint32_t a, b;
	uint32_t row_a, row_b;       /* what the row sums to */
	uint32_t column_a, column_b; /* the samples of the column */
};
struct matrix_number matrix_number(const struct matrix_grid *g, uint32_t row, uint32_t column);
/* Its share, by look, 0 … 1, or its count. */
double matrix_value(const struct matrix_look *look, const struct matrix_number *n);
bool matrix_is_diagonal(const struct matrix_grid *g, uint32_t n_classes, uint32_t row,
			uint32_t column);

/* Appends the filter that opens exactly the samples of a row and a column, of these names, for the
 * run of this handle; axes tell what the rest is the rest of. */
void matrix_door(const struct matrix_names *names, const struct matrix_grid *g, uint32_t row,
		 uint32_t column, const char *handle, struct buf *out);

/* Those that are there for a and not for b, or the reverse. */
void matrix_door_moved(const struct matrix_names *names, const struct matrix_grid *g, uint32_t row,
		       uint32_t column, const char *a, const char *b, struct buf *out);

struct matrix_page { /* all that drawing needs */
	const struct matrix_names *names;
	const struct matrix_counts *counts;
	const struct matrix_grid *grid;
	const struct matrix_look *look;
	const char *a, *b; /* handles */
	bool waits;        /* its numbers are being counted anew */
};
/* Says what the number at row and column is (the popup of `=`). */
unsigned matrix_explain(struct app *app, const struct matrix_page *p, uint32_t row, uint32_t column);
/* Appends the command line that gives the count of the run of this handle there. */
void matrix_explain_command(struct app *app, const struct matrix_page *p, uint32_t row, uint32_t column,
			    const char *handle, struct buf *out);
/* The numbers of a row and a column wherever they are; all 0 for (other) and
 * all that are not on the screen. */
struct matrix_number matrix_number_of(const struct matrix_page *p, uint32_t row, uint32_t column);
void matrix_draw_cells(const struct matrix_page *p, struct cells *grid);
void matrix_draw_list(const struct matrix_page *p, struct cells *grid);
void matrix_draw_foot(const struct matrix_page *p, struct cells *grid, struct rect foot);

#endif
