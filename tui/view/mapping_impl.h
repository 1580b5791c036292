/* What the files of mapping share. */
#ifndef QUALM_TUI_VIEW_MAPPING_IMPL_H
#define QUALM_TUI_VIEW_MAPPING_IMPL_H

#include "core/reader/recipe_file.h"
#include "tui/app.h"
#include "tui/view/list.h"
#include "tui/view/mapping.h"

/* Below the columns: what the table itself does not say. */
enum mapping_line { LINE_COLUMN, LINE_MODEL, LINE_PROTOCOL, LINE_CONSTANT, LINE_HOLDS, LINE_HEADER,
		    LINE_ROWS, LINE_JOIN };

/* What the project knows, for draft_read(). */
struct mapping_world {
	struct app *app;
	const struct recipe *recipe; /* borrowed: how keys meet those of the project */
	struct intern names;  /* of classes, lower case */
	VEC(uint32_t) ords;   /* by names: the class; UINT32_MAX: several */
	struct draft_world world;
};

struct mapper {
	struct view view;
	struct draft *draft;
	struct recipe recipe;
	VEC(struct recipe) past, future; /* owned */
	char *path, *project, *dataset, *model; /* model: as the path would have it */
	char *saved; /* under this name, as it is now; NULL: it is not */
	unsigned (*accept)(struct app *app, struct recipe *recipe);
	void (*refuse)(struct app *app);
	struct mapping_world world;
	struct list list;
};

extern const struct view_class mapping_view;

/* The one that is on the screen, under a list of its own maybe; NULL: there is none. */
struct mapper *mapping_of(struct app *app);
/* Lines behind those of the columns; *at: of LINE_CONSTANT its place among recipe.constants. */
uint32_t mapping_lines(const struct mapper *m);
enum mapping_line mapping_line(const struct mapper *m, uint32_t i, size_t *at);
/* NULL: the cursor is on none. */
const struct draft_column *mapping_column(const struct mapper *m);

/* Before a change: what is now can be come back to. */
void mapping_remember(struct mapper *m);
/* After it: everything is read anew. */
void mapping_changed(struct mapper *m);
/* word empty: whatever is usual. */
void mapping_set_field(struct mapper *m, const struct draft_column *c, struct str word);
unsigned mapping_choose(struct app *app); /* a list of fields for the column under the cursor */

void mapping_world_open(struct mapping_world *w, struct app *app, const struct recipe *recipe);
void mapping_world_close(struct mapping_world *w);

void mapping_draw(const struct view *self, const struct scene *scene, struct cells *grid,
		  struct rect area);
/* Of so high an area: lines of the list. */
int mapping_list_height(struct rect area);

#endif
