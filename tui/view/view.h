/*
 * tui/view: what is on the screen, a file each. A view is one struct of functions (struct
 * view_class) over its own plain data; the table of them is in views.c. Views stack: commands go
 * to the top and fall through to what is below. To add one: a file, a row in views.c, its mode in
 * keymap.h and its keys in default.keys.
 *
 * update() may fetch (through the app) and fills the view's own data with all that draw() needs;
 * draw() is pure: the same view, scene and size give the same cells.
 */
#ifndef QUALM_TUI_VIEW_VIEW_H
#define QUALM_TUI_VIEW_VIEW_H

#include "core/base/str.h"
#include "tui/keymap.h"
#include "tui/term/cells.h"
#include "tui/view/scene.h"

struct app;
struct picture;
struct placed_picture;
struct view;

/* A command worth telling in the bottom line, and the word for it there. */
struct hint {
	const char *command, *label;
};

struct view_class {
	const char *name;
	char digit; /* the key that switches to it; 0 = it stacks on another */
	const char *help;
	enum mode mode;
	bool placeless; /* its cursor is not on a sample: the bottom line tells no place */
	bool early; /* it can be drawn while runs are `later` (snapshot.h), and says so then */
	bool popup; /* drawn over the view below, whose picture it hides */
	const struct hint *hints; /* most useful first; ends with NULL command */
	/* Those for how the view is now; NULL: they are always the same. */
	const struct hint *(*hints_now)(const struct view *self);
	struct view *(*open)(struct app *app);
	void (*close)(struct view *self);
	/* Before a draw in `area`; reactions: what happened since the last one (tui/cmd.h). */
	void (*update)(struct view *self, struct app *app, struct rect area, unsigned reactions);
	void (*draw)(const struct view *self, const struct scene *scene, struct cells *grid,
		     struct rect area);
	/* Reaction bits; REACT_UNHANDLED falls through. */
	unsigned (*command)(struct view *self, struct app *app, const char *name, struct str args);
	/* The picture it shows, as of the last update(), and its box in cells. May be NULL: none. */
	const struct picture *(*picture)(const struct view *self, struct rect *box);
	/* Instead: pictures it places by itself, NULL = none now; good until the next update(). */
	const struct placed_picture *(*placed)(const struct view *self);
};

struct view { /* first member of every view's own struct */
	const struct view_class *class;
	struct view *below;
};

static inline const struct hint *view_hints(const struct view *v)
{
	return v->class->hints_now ? v->class->hints_now(v) : v->class->hints;
}

extern const struct view_class *const view_classes[]; /* ends with NULL; the first is opened first */
const struct view_class *view_class_find(struct str name);
extern const struct view_class home_view, browse_view, gallery_view, contact_view, matrix_view, classes_view,
    runs_view, agreement_view, query_view, crop_view, zoom_view, sample_view, help_view, explain_view /* explain_show() alone */,
    chooser_view, chooser_many_view, chooser_trail_view, chooser_saved_view,
    chooser_columns_view, chooser_labels_view; /* choosers open with chooser_open() alone */

/* What a view shows of a project without samples. */
void view_draw_nothing(struct cells *grid, struct rect area);
/* And where the filter leaves none of them. */
void view_draw_none(const struct scene *scene, struct cells *grid, struct rect area);

#endif
