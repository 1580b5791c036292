/*
 * walk: steps through the list that the views of samples share: wrong answers, flips, classes,
 * search hits; and through the runs whose text is shown. All in the order of the list.
 */
#ifndef QUALM_TUI_VIEW_WALK_H
#define QUALM_TUI_VIEW_WALK_H

#include "core/base/str.h"

struct app;

/* Reaction bits; REACT_UNHANDLED when it is no such command. */
unsigned walk_command(struct app *app, const char *name, struct str args);
/* The sample at this place of the list becomes the current one. */
void walk_to(struct app *app, uint32_t place);

#endif
