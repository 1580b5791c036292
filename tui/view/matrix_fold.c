/* Classes of a tree that are taken together. */
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/view/matrix_impl.h"

#define NO_CLASS UINT32_MAX

static uint32_t parent_of(const struct snapshot *snap, uint32_t class)
{
	uint32_t p = class < snap->n_classes ? snap->classes[class].parent : NO_CLASS;

	return p < snap->n_classes ? p : NO_CLASS;
}

bool matrix_has_tree(const struct snapshot *snap)
{
	for (uint32_t c = 0; c < snap->n_classes; c++)
		if (parent_of(snap, c) != NO_CLASS)
			return true;
	return false;
}

static bool has_below(const struct snapshot *snap, uint32_t class)
{
	for (uint32_t c = 0; c < snap->n_classes; c++)
		if (parent_of(snap, c) == class)
			return true;
	return false;
}

/* The highest one folded, itself or above; a tree that goes round (no import makes one) ends too. */
static uint32_t stands_for(const struct snapshot *snap, const uint8_t *folded, uint32_t class)
{
	uint32_t found = class, steps = 0;

	for (uint32_t at = class; at != NO_CLASS && steps++ <= snap->n_classes; at = parent_of(snap, at))
		if (folded[at])
			found = at;
	return found;
}

uint32_t *matrix_groups(const struct snapshot *snap, const uint8_t *folded)
{
	uint32_t *group;

	if (!folded || !memchr(folded, 1, snap->n_classes))
		return NULL;
	group = xcalloc((size_t)snap->n_classes + 1, sizeof *group);
	for (uint32_t c = 0; c < snap->n_classes; c++)
		group[c] = stands_for(snap, folded, c);
	return group;
}

void matrix_look_release(struct matrix_look *look)
{
	free(look->folded);
	look->folded = NULL;
}

/* --- by hand --- */

static uint32_t depth_of(const struct snapshot *snap, uint32_t class)
{
	uint32_t depth = 1;

	while ((class = parent_of(snap, class)) != NO_CLASS && depth <= snap->n_classes)
		depth++;
	return depth;
}

/* All that have something below them at this depth; 1: the roots. */
static void fold_level(const struct snapshot *snap, uint8_t *folded, int64_t level)
{
	memset(folded, 0, snap->n_classes);
	for (uint32_t c = 0; c < snap->n_classes; c++)
		folded[c] = depth_of(snap, c) == level && has_below(snap, c);
}

static void follow(const struct snapshot *snap, const uint8_t *folded, uint32_t *id)
{
	if (*id < snap->n_classes)
		*id = stands_for(snap, folded, *id);
}

/* The class whose fold the key means. NO_CLASS: none. */
static uint32_t to_fold(const struct snapshot *snap, const uint8_t *folded, uint32_t class)
{
	if (!folded[class] && has_below(snap, class))
		return class;
	return parent_of(snap, class);
}

static unsigned change_here(struct app *app, bool unfold, uint32_t class)
{
	struct matrix_look *look = &app->matrix;
	const struct snapshot *snap = app->scene.snap;
	uint32_t at = unfold ? class : to_fold(snap, look->folded, class);

	if (unfold && !look->folded[class])
		app_message(app, STYLE_MESSAGE, "nothing is folded here: - folds");
	else if (at == NO_CLASS)
		app_message(app, STYLE_MESSAGE, "%s hangs below nothing", snap->classes[class].name);
	else
		look->folded[at] = !unfold;
	return REACT_REDRAW;
}

unsigned matrix_fold(struct app *app, bool unfold, struct str args)
{
	struct matrix_look *look = &app->matrix;
	const struct snapshot *snap = app->scene.snap;
	uint32_t here = look->row < snap->n_classes ? look->row : look->column;
	int64_t level = 1;

	if (!look->begun || look->dataset != snap->dataset_id || look->n_classes != snap->n_classes)
		return REACT_NONE; /* keys may come before the first draw */
	if (!matrix_has_tree(snap)) {
		app_message(app, STYLE_MESSAGE, "the classes have no tree: there is nothing to fold");
		return REACT_REDRAW;
	}
	if (!look->folded)
		look->folded = xcalloc((size_t)snap->n_classes + 1, 1);
	if (unfold && str_eqz(args, "all"))
		memset(look->folded, 0, snap->n_classes);
	else if (!unfold && (str_eqz(args, "all") || (str_int(args, &level) && level > 0)))
		fold_level(snap, look->folded, level);
	else if (args.n)
		app_message(app, STYLE_WARNING, "fold what the cursor is on, a level (1 = the roots), or all");
	else if (here < snap->n_classes && !look->in_list)
		change_here(app, unfold, here);
	else
		app_message(app, STYLE_MESSAGE, "the cursor is on no class");
	follow(snap, look->folded, &look->row);
	follow(snap, look->folded, &look->column);
	look->folds++;
	return REACT_REDRAW;
}
