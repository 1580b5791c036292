/* sample: one sample on the whole screen. Moving goes to the list below and takes this along. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/view/preview.h"

struct sample {
	struct view view;
	struct preview preview;
};

static struct view *sample_open(struct app *app)
{
	struct sample *s = xcalloc(1, sizeof *s);

	(void)app;
	s->view.class = &sample_view;
	return &s->view;
}

static void sample_close(struct view *self)
{
	struct sample *s = (struct sample *)self;

	preview_release(&s->preview);
	free(s);
}

static void sample_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct sample *s = (struct sample *)self;
	struct rect inside = {area.y, area.x + 1, area.h, area.w - 2};

	if ((reactions & (REACT_RELOAD | REACT_GREW)) || !app->scene.snap || !scene_shown(&app->scene))
		s->preview.valid = false;
	if (app->scene.snap && scene_shown(&app->scene))
		preview_update(&s->preview, app, inside, true);
}

static void sample_draw(const struct view *self, const struct scene *scene, struct cells *grid,
			struct rect area)
{
	if (scene->snap && !scene_shown(scene))
		view_draw_none(scene, grid, area);
	else
		preview_draw(&((const struct sample *)self)->preview, grid);
}

static unsigned sample_command(struct view *self, struct app *app, const char *name, struct str args)
{
	struct preview *p = &((struct sample *)self)->preview;
	int half = p->room > 2 ? p->room / 2 : 1, page = p->room > 2 ? p->room - 1 : 1;

	(void)app;
	(void)args;
	if (strcmp(name, "half-down") == 0)
		return preview_scroll(p, half) ? REACT_REDRAW : REACT_NONE;
	if (strcmp(name, "half-up") == 0)
		return preview_scroll(p, -half) ? REACT_REDRAW : REACT_NONE;
	if (strcmp(name, "page-down") == 0)
		return preview_scroll(p, page) ? REACT_REDRAW : REACT_NONE;
	if (strcmp(name, "page-up") == 0)
		return preview_scroll(p, -page) ? REACT_REDRAW : REACT_NONE;
	return strcmp(name, "enter") == 0 ? REACT_NONE : REACT_UNHANDLED;
}

static const struct picture *sample_picture(const struct view *self, struct rect *box)
{
	const struct preview *p = &((const struct sample *)self)->preview;

	*box = p->box;
	return p->valid && p->path ? &p->picture : NULL;
}

static const struct hint sample_hints[] = {
    {"back", "back"}, {"down", "next"}, {"up", "previous"}, {"next-wrong", "next wrong"}, {"filter-edit", "filter"},
    {"note", "note"}, {"tag", "tag"},
    {"keys", "keys"}, {"half-down", "scroll"}, {"next-run", "next run"}, {NULL, NULL},
};

const struct view_class sample_view = {
    .name = "sample",
    .help = "one sample on the whole screen",
    .mode = MODE_SAMPLE,
    .hints = sample_hints,
    .open = sample_open,
    .close = sample_close,
    .update = sample_update,
    .draw = sample_draw,
    .command = sample_command,
    .picture = sample_picture,
};
