/*
 * door: the samples of a condition, in the list, and the way back to the filter of before: a number
 * is a door. For views that open conditions; each has one door.
 */
#ifndef QUALM_TUI_VIEW_DOOR_H
#define QUALM_TUI_VIEW_DOOR_H

#include "tui/narrow.h"
#include "tui/view/view.h"

struct door {
	struct narrow_place before, opened; /* owned: the filter at the view, and behind the door */
	bool away;                          /* somebody went through and is not back yet */
};

void door_release(struct door *d);
/* Opens the list under the filter and this condition; a message says why not. Reaction bits. */
unsigned door_open(struct door *d, struct app *app, const struct view *from, struct str condition);
/* The same in another view than the list. */
unsigned door_open_in(struct door *d, struct app *app, const struct view *from, struct str condition,
		      const struct view_class *class);
/* The filter also asks for this condition, or for its opposite, and the view stays: "filter-by" and
 * "filter-out" where Enter would open the condition. */
unsigned door_narrow(struct app *app, struct str condition, bool out);
/* "back" behind the door of this view: the filter is again what it was, unless it was changed there.
 * REACT_UNHANDLED: it is not that door. */
unsigned door_back(struct door *d, struct app *app, const struct view *to);

#endif
