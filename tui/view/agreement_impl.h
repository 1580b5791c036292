/* What the files of the Agreement view share. */
#ifndef QUALM_TUI_VIEW_AGREEMENT_IMPL_H
#define QUALM_TUI_VIEW_AGREEMENT_IMPL_H

#include "core/report/agreement.h"
#include "tui/term/cells.h"
#include "tui/view/list.h"
#include "tui/view/scene.h"

enum agreement_pane { PANE_TOGETHER, PANE_ALIKE };
enum { RUN_RIGHT, RUN_ONLY, RUN_ALL_BUT, N_RUN_COLUMNS }; /* of a run's line */

/* Lines of PANE_TOGETHER: the bars, a heading that the cursor passes over, the runs in their order. */
struct agreement_page {
	const struct agreement *a;
	const char **handle; /* [n_runs] */
	int n_runs;          /* as in the numbers */
	int *place;          /* [n_runs] the other way round: where in `order` a run stands */
	const int *order;    /* [n_runs] the run of each place */
	enum agreement_pane pane;
	enum agreement_measure measure;
	bool as_panel;       /* the runs in the panel's order, not similar ones beside each other */
	struct list lines;   /* of PANE_TOGETHER */
	int column;          /* of a run's line */
	int row, col;        /* of PANE_ALIKE: places */
	int top, left;       /* its first ones in sight */
};

/* How PANE_ALIKE is laid out in an area. */
struct agreement_grid {
	int label_w, cell_w, rows, columns, head;
};
struct agreement_grid agreement_lay(const struct agreement_page *p, struct rect area);
int agreement_foot(int height); /* lines that tell of the cursor */
int agreement_head(const struct agreement_page *p, int height); /* lines above those of PANE_TOGETHER */
uint32_t agreement_lines(const struct agreement_page *p);
/* The line's run; -1: none. Bars: is the line one? */
int agreement_run(const struct agreement_page *p, uint32_t line);
bool agreement_is_bar(const struct agreement_page *p, uint32_t line);

void agreement_draw(const struct agreement_page *p, struct cells *grid, struct rect area);

#endif
