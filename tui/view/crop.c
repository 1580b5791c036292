/* crop: which part of the picture a model is sent, chosen over the picture on the whole screen. */
#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/view/pen.h"
#include "tui/view/preview.h"
#include "tui/view/sign.h"

#define STEP  0.05 /* of a side */
#define LEAST 0.05

struct crop {
	struct view view;
	struct preview preview; /* its picture */
	uint32_t ord;
	struct send_crop now, before;
	struct rect box, line;
};

static struct view *crop_open(struct app *app)
{
	struct crop *c = xcalloc(1, sizeof *c);

	c->view.class = &crop_view;
	c->ord = app->scene.current;
	c->before = asking_crop(&app->asking, c->ord);
	c->now = c->before.w > 0 ? c->before : (struct send_crop){0, 0, 1, 1};
	return &c->view;
}

static void crop_close(struct view *self)
{
	struct crop *c = (struct crop *)self;

	preview_release(&c->preview);
	free(c);
}

/* --- the box --- */

static double clamp(double v, double least, double most)
{
	return v < least ? least : v > most ? most : v;
}

/* On a grid of STEP, so that one comes back to where one was. */
static double snap(double v)
{
	return round(v / STEP) * STEP;
}

static void move(struct send_crop *c, double dx, double dy)
{
	c->x = clamp(snap(c->x + dx), 0, 1 - c->w);
	c->y = clamp(snap(c->y + dy), 0, 1 - c->h);
}

/* The left upper corner stays where it is, or moves when there is no room. */
static void grow(struct send_crop *c, double dw, double dh)
{
	c->w = clamp(snap(c->w + dw), LEAST, 1);
	c->h = clamp(snap(c->h + dh), LEAST, 1);
	c->x = clamp(c->x, 0, 1 - c->w);
	c->y = clamp(c->y, 0, 1 - c->h);
}

static const struct {
	const char *how;
	double dx, dy, dw, dh;
} hows[] = {
    {"left", -STEP, 0, 0, 0},	  {"right", STEP, 0, 0, 0},   {"up", 0, -STEP, 0, 0},
    {"down", 0, STEP, 0, 0},	  {"narrower", 0, 0, -STEP, 0}, {"wider", 0, 0, STEP, 0},
    {"shorter", 0, 0, 0, -STEP},  {"taller", 0, 0, 0, STEP},  {"larger", -STEP, -STEP, 2 * STEP, 2 * STEP},
    {"smaller", STEP, STEP, -2 * STEP, -2 * STEP},
};

static bool change(struct send_crop *c, struct str how)
{
	if (str_eqz(how, "whole")) {
		*c = (struct send_crop){0, 0, 1, 1};
		return true;
	}
	for (size_t i = 0; i < sizeof hows / sizeof *hows; i++) {
		if (!str_eqz(how, hows[i].how))
			continue;
		grow(c, hows[i].dw, hows[i].dh);
		move(c, hows[i].dx, hows[i].dy);
		return true;
	}
	return false;
}

static bool is_whole(const struct send_crop *c)
{
	return c->w >= 1 - STEP / 2 && c->h >= 1 - STEP / 2;
}

/* The whole picture is sent as the file it is. */
static struct send_crop wanted(const struct send_crop *c)
{
	return is_whole(c) ? (struct send_crop){0} : *c;
}

/* --- drawing --- */

static void crop_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct crop *c = (struct crop *)self;
	int h = area.h > 2 ? area.h - 2 : 0;

	if ((reactions & (REACT_RELOAD | REACT_GREW)) || app->scene.current != c->ord)
		c->preview.valid = false;
	c->line = (struct rect){area.y, area.x + 1, 1, area.w - 2};
	c->box = (struct rect){area.y + 2, area.x + 1, h, area.w - 2};
	c->preview.crop = wanted(&c->now);
	preview_picture(&c->preview, app, c->box);
}

static void put_share(struct buf *out, double v)
{
	buf_printf(out, "%.0f %%", 100 * v);
}

static void put_box(const struct crop *c, struct buf *out)
{
	const struct media_facts *f = &c->preview.picture.facts;

	if (is_whole(&c->now)) {
		buf_z(out, "the whole picture is sent");
		return;
	}
	put_share(out, c->now.w);
	buf_printf(out, " %s ", sign(SIGN_TIMES));
	put_share(out, c->now.h);
	buf_z(out, " of it, from ");
	put_share(out, c->now.x);
	buf_z(out, ", ");
	put_share(out, c->now.y);
	if (f->width && f->height)
		buf_printf(out, ": %.0f %s %.0f pixels", floor(c->now.w * f->width), sign(SIGN_TIMES),
			   floor(c->now.h * f->height));
}

static void crop_draw(const struct view *self, const struct scene *scene, struct cells *grid, struct rect area)
{
	const struct crop *c = (const struct crop *)self;
	struct pen pen = {grid, c->line, 0, 0};
	struct buf text = BUF_INIT;

	(void)scene;
	(void)area;
	put_box(c, &text);
	pen_putz(&pen, STYLE_DIM, "crop  ");
	pen_cut(&pen, c->line.w, STYLE_BOLD, CUT_END, buf_view(&text));
	if (c->box.h > 0 && c->preview.path)
		picture_draw(&c->preview.picture, grid, c->box);
	buf_release(&text);
}

static const struct picture *crop_picture(const struct view *self, struct rect *box)
{
	const struct crop *c = (const struct crop *)self;

	*box = c->box;
	return c->preview.path ? &c->preview.picture : NULL;
}

/* --- commands --- */

static unsigned crop_command(struct view *self, struct app *app, const char *name, struct str args)
{
	struct crop *c = (struct crop *)self;

	if (strcmp(name, "escape") == 0) {
		asking_set_crop(app, c->ord, c->before);
		app_pop(app);
		return REACT_REDRAW;
	}
	if (strcmp(name, "enter") == 0) {
		app_pop(app);
		return REACT_REDRAW;
	}
	if (strcmp(name, "crop") == 0 && args.n) {
		if (!change(&c->now, args))
			app_message(app, STYLE_WARNING, "crop how? left, right, up, down, narrower, wider, "
							"shorter, taller, larger, smaller or whole");
		asking_set_crop(app, c->ord, wanted(&c->now));
		return REACT_REDRAW;
	}
	return strcmp(name, "back") == 0 ? REACT_UNHANDLED : REACT_NONE;
}

static const struct hint crop_hints[] = {
    {"crop left", "move"},  {"crop wider", "wider"}, {"crop taller", "taller"}, {"crop narrower", "narrower"},
    {"crop shorter", "shorter"}, {"crop whole", "all of it"}, {"back", "done"}, {"escape", "as before"},
    {NULL, NULL},
};

const struct view_class crop_view = {
    .name = "crop",
    .help = "the part of the picture that is sent",
    .mode = MODE_CROP,
    .hints = crop_hints,
    .open = crop_open,
    .close = crop_close,
    .update = crop_update,
    .draw = crop_draw,
    .command = crop_command,
    .picture = crop_picture,
};
