#include <stdlib.h>

#include "tui/term/backend.h"
#include "tui/term/text.h"

static void null_show(struct term *t, const struct cells *grid, const struct placed_picture *pic)
{
	cells_resize(&t->last, grid->h, grid->w);
	if (grid->h && grid->w)
		memcpy(t->last.cell, grid->cell,
		       (size_t)grid->h * (size_t)grid->w * sizeof *grid->cell);
	t->shown = (struct shown_picture){0};
	if (pic && pic->id && picture_fits(&t->caps, t->h, t->w, pic) &&
	    !picture_covered(grid, pic))
		t->shown = picture_shown(pic);
}

static void null_nothing(struct term *t)
{
	(void)t;
}

static void null_outside(struct term *t, void (*fn)(void *ctx), void *ctx)
{
	(void)t;
	fn(ctx);
}

static const struct backend null_backend = {null_show, null_nothing, null_nothing, null_outside,
					    null_nothing, NULL};

struct term *term_open_null(int h, int w, const struct theme *theme)
{
	struct term *t = term_new(&null_backend, theme);

	t->h = h;
	t->w = w;
	t->env.term = "null";
	t->env.tmux = t->env.screen = NULL;
	t->env.colors = 256;
	term_decide(t);
	if (!t->env.graphics || strcmp(t->env.graphics, "auto") == 0)
		t->caps.why = "there is no terminal";
	return t;
}
