/*
 * place: where one was in a project, kept in $XDG_STATE_HOME/qualm/places/<project uuid>: one
 * line a dataset, the last one used first: its name, the sample's key and, when there was a
 * filter or a base, 1 or 0 for a filter that is set aside or not, the filter, the base, tabs
 * between. Losing it loses nothing of worth, so no failure is reported.
 * The view is one of the whole project, in views/<project uuid>.
 */
#ifndef QUALM_TUI_PLACE_H
#define QUALM_TUI_PLACE_H

#include "core/base/str.h"
#include "tui/narrow.h"

/* The dataset used last (name NULL), or the named one: its sample's key. Owned by the caller;
 * false, and both NULL, when nothing is known. */
bool place_load(const char *uuid, const char *name, char **dataset, char **key);
/* Filter and base of the named dataset, owned by the caller; false, and empty, when there was
 * none. */
bool place_load_filter(const char *uuid, const char *name, struct narrow_place *out);
void place_save(const char *uuid, const char *dataset, struct str key);
void place_save_filter(const char *uuid, const char *dataset, struct str key,
		       const struct narrow_place *filter); /* NULL: none */
/* The view used last; NULL when nothing is known. Owned by the caller. */
char *place_view(const char *uuid);
void place_save_view(const char *uuid, const char *view);

#endif
