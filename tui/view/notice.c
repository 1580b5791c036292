#include "tui/view/notice.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/view/list.h"
#include "tui/view/pen.h"
#include "tui/view/popup.h"

#define NOTICE_W  96
#define LINES_MAX 4 /* of one line, as wrapped */

struct notice {
	struct view view;
	char *title;
	struct paper paper;
	unsigned (*accept)(struct app *app);
	struct list list; /* its top is what counts: the cursor is the first line in sight */
};

static const struct view_class notice_class, notice_ask_class;

unsigned notice_open(struct app *app, const char *title, struct paper *paper,
		     unsigned (*accept)(struct app *app))
{
	struct notice *n = xcalloc(1, sizeof *n);

	n->view.class = accept ? &notice_ask_class : &notice_class;
	n->title = xstrdup(title);
	n->paper = *paper;
	*paper = (struct paper){0};
	n->accept = accept;
	app_push_view(app, &n->view);
	return REACT_REDRAW;
}

static void notice_close(struct view *self)
{
	struct notice *n = (struct notice *)self;

	paper_release(&n->paper);
	free(n->title);
	free(n);
}

/* Returns how many rows there are; without a grid they are only counted. */
static int write_lines(const struct notice *n, struct cells *grid, struct rect inside, int from)
{
	struct pen p = {grid, {inside.y, inside.x + 1, inside.h, inside.w - 2}, -from, 0};

	for (size_t i = 0; i < n->paper.lines.n; i++) {
		const struct paper_line *l = &n->paper.lines.v[i];

		p.x = l->indent;
		pen_wrap(&p, l->indent, LINES_MAX, l->style, (struct span){0}, str_z(l->text));
	}
	return p.y + from;
}

static struct rect box_of(const struct notice *n, struct rect area)
{
	struct rect wide = popup_box(area, NOTICE_W, area.h);

	return popup_box(area, NOTICE_W, write_lines(n, NULL, popup_inside(wide), 0) + 2);
}

static void notice_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct notice *n = (struct notice *)self;
	struct rect inside = popup_inside(box_of(n, area));
	int rows = write_lines(n, NULL, inside, 0);
	uint32_t last = rows > inside.h ? (uint32_t)(rows - inside.h) : 0;

	(void)app;
	(void)reactions;
	n->list.height = (uint32_t)inside.h;
	n->list.n = last + 1;
	list_go(&n->list, n->list.cursor);
}

static void notice_draw(const struct view *self, const struct scene *scene, struct cells *grid,
			struct rect area)
{
	const struct notice *n = (const struct notice *)self;
	struct rect box = box_of(n, area), inside = popup_inside(box);

	(void)scene;
	popup_draw(grid, box, n->title, n->list.cursor + 1 < n->list.n);
	write_lines(n, grid, inside, (int)n->list.cursor);
}

static unsigned notice_do(struct view *self, struct app *app, const char *name, struct str args)
{
	struct notice *n = (struct notice *)self;

	unsigned (*accept)(struct app *) = n->accept;

	if (strcmp(name, "enter") == 0 || strcmp(name, "answer-yes") == 0) {
		app_pop(app);
		return accept ? accept(app) : REACT_REDRAW;
	}
	if (strcmp(name, "answer-no") == 0) {
		app_pop(app);
		return REACT_REDRAW;
	}
	return list_command(&n->list, name, args) ? REACT_REDRAW : REACT_UNHANDLED;
}

static const struct hint ask_hints[] = {
    {"enter", "go ahead"}, {"escape", "do not"}, {"down", "scroll"}, {NULL, NULL},
};
static const struct hint notice_hints[] = {{"escape", "close"}, {"down", "scroll"}, {NULL, NULL}};

#define NOTICE_CLASS(id, class_hints)                                                              \
	static const struct view_class id = {                                                      \
	    .name = "notice",                                                                      \
	    .help = "what was said",                                                               \
	    .mode = MODE_NOTICE,                                                                    \
	    .popup = true,                                                                         \
	    .placeless = true,                                                                     \
	    .early = true,                                                                         \
	    .hints = class_hints,                                                                  \
	    .close = notice_close,                                                                 \
	    .update = notice_update,                                                               \
	    .draw = notice_draw,                                                                   \
	    .command = notice_do,                                                                  \
	}

NOTICE_CLASS(notice_class, notice_hints);
NOTICE_CLASS(notice_ask_class, ask_hints);
