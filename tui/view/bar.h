/* bar: the line of status above and the line of keys below. */
#ifndef QUALM_TUI_VIEW_BAR_H
#define QUALM_TUI_VIEW_BAR_H

#include "tui/view/view.h"

/* dataset · shown/population · lens · a b · the view's digit. Where space runs out the dataset's
 * name goes first, then the names of a and b are cut from the left; counts and lens stay. */
void bar_top(struct cells *grid, struct rect line, const struct scene *scene, char digit);

struct bar_bottom {
	const struct keymap *keys;
	enum mode mode;
	const struct hint *hints;
	struct str message; /* instead of the hints, when there is one */
	enum style message_style;
	struct str place;   /* at the right: "17 of 1,000" */
};
void bar_bottom(struct cells *grid, struct rect line, const struct bar_bottom *bar);
/* What may follow the keys typed so far: "g … g first  d dataset". */
void bar_pending(struct cells *grid, struct rect line, const struct keymap *keys, enum mode mode,
		 const uint32_t *key, int n);

#endif
