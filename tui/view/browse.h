/* browse: the list of samples beside the preview of the one under the cursor. Pure parts. */
#ifndef QUALM_TUI_VIEW_BROWSE_H
#define QUALM_TUI_VIEW_BROWSE_H

#include "db/fetch.h"
#include "tui/view/columns.h"
#include "tui/view/list.h"
#include "tui/view/preview.h"

struct browse_panes {
	/* w = 0: that pane is not shown. rule: one column or one line. */
	struct rect facets, facets_rule, list, rule, preview;
};
/* facets: columns that they want. over: where there is no room beside the list, they lie in its
 * place. */
void browse_layout(struct rect area, int facets, bool over, struct browse_panes *out);

struct browse_list {
	const struct scene *scene;
	struct list list;
	const struct sample_row **row; /* of the lines in sight; NULL = could not be read */
	int n_rows;
	bool busy; /* only because another program was writing */
	struct columns columns;
	struct column_place place[COLUMNS_MAX];
	struct column_widths widths;
	double *number; /* [n_rows][columns.n], where column_is_number() */
	const char *summary; /* "a 85.5 % [83.2, 87.5]  b …" */
};
void browse_list_draw(const struct browse_list *l, struct cells *grid, struct rect area);
/* How wide the k-th column is drawn now; self: a browse_view. */
int browse_column_width(const struct view *self, int k);
/* Lines of samples in a list pane of this height; the others are heading and summary. */
int browse_list_lines(int h);

#endif
