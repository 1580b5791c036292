/*
 * place: where one was in a project, kept in $XDG_STATE_HOME/qualm/places/<project uuid>: one
 * line a dataset: its name, the sample's key and the view's name, tabs between, the last one used
 * first. Losing it loses nothing of worth, so no failure is reported.
 */
#ifndef QUALM_TUI_PLACE_H
#define QUALM_TUI_PLACE_H

#include "core/base/str.h"

/* The dataset used last (name NULL), or the named one: its sample's key. Owned by the caller;
 * false, and both NULL, when nothing is known. */
bool place_load(const char *uuid, const char *name, char **dataset, char **key);
void place_save(const char *uuid, const char *dataset, struct str key, const char *view);
/* The view used last; NULL when nothing is known. Owned by the caller. */
char *place_view(const char *uuid);

#endif
