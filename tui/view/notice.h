/* notice: a popup with a text to scroll through, which may ask to go ahead. */
#ifndef QUALM_TUI_VIEW_NOTICE_H
#define QUALM_TUI_VIEW_NOTICE_H

#include "tui/paper.h"
#include "tui/view/view.h"

/* Takes what is in the paper, and empties it. title: copied. accept: Enter, when the popup is
 * closed already; it returns reaction bits. NULL: there is nothing to agree to. */
unsigned notice_open(struct app *app, const char *title, struct paper *paper,
		     unsigned (*accept)(struct app *app));

#endif
