/* popup: the frame that popups have in common. */
#ifndef QUALM_TUI_VIEW_POPUP_H
#define QUALM_TUI_VIEW_POPUP_H

#include "tui/term/cells.h"

/* In the middle of area, w × h as far as there is room (the frame is part of both). */
struct rect popup_box(struct rect area, int w, int h);
struct rect popup_inside(struct rect box);
/* Blank inside, a border with the title in it, and a sign where more is below. */
void popup_draw(struct cells *grid, struct rect box, const char *title, bool more);

#endif
