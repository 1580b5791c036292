/*
 * mapping: the screen for a table that nobody knows (core/reader/draft.h): its columns with what
 * is in them, the field that each becomes, and the first rows as they will be read, all of which
 * follows every change. What is chosen is a recipe, which can be saved under a name.
 */
#ifndef QUALM_TUI_VIEW_MAPPING_H
#define QUALM_TUI_VIEW_MAPPING_H

#include "core/reader/draft.h"
#include "tui/view/view.h"

struct mapping_spec {
	struct draft *draft;   /* taken */
	struct recipe recipe;  /* taken: what is chosen at first */
	const char *path;      /* of the file; copied */
	const char *project, *dataset; /* where it goes; copied */
	/* Enough is chosen; takes the recipe. The view is closed. Reaction bits. */
	unsigned (*accept)(struct app *app, struct recipe *recipe);
	void (*refuse)(struct app *app); /* left without */
};

/* Takes what spec says. Reaction bits. */
unsigned mapping_open(struct app *app, struct mapping_spec *spec);
bool mapping_is_open(struct app *app);
/* Tab behind ":field " and the like: the last word becomes what all names agree on. */
bool mapping_complete(struct app *app);

#endif
