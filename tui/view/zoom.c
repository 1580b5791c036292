#include "tui/view/zoom.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/view/pen.h"
#include "tui/view/preview.h"
#include "tui/view/sign.h"

struct zoom {
	struct view view;
	struct preview preview; /* its picture */
	struct zoom_place place;
	struct zoom_sight sight; /* w 0: the picture's size is not known yet */
	int due;       /* steps that were typed before it was */
	bool original; /* likewise */
	uint32_t ord;
	struct rect line, box, right, below; /* right, below: of the bars */
};

static struct view *zoom_open(struct app *app)
{
	struct zoom *z = xcalloc(1, sizeof *z);

	z->view.class = &zoom_view;
	z->ord = app->scene.current;
	z->place = (struct zoom_place){0, 0.5, 0.5};
	return &z->view;
}

static void zoom_close(struct view *self)
{
	struct zoom *z = (struct zoom *)self;

	preview_release(&z->preview);
	free(z);
}

/* --- update --- */

static void lay_out(struct zoom *z, struct rect area)
{
	int h = area.h > 2 ? area.h - 2 : 0, w = area.w > 4 ? area.w - 4 : 0;

	z->line = (struct rect){area.y, area.x + 1, 1, area.w - 2};
	z->box = (struct rect){area.y + 1, area.x + 1, h, w};
	z->right = (struct rect){z->box.y, z->box.x + w + 1, h, 1};
	z->below = (struct rect){z->box.y + h, z->box.x, 1, w};
}

/* What the picture's size must be known for. */
static void do_what_is_due(struct zoom *z)
{
	if (z->original)
		zoom_original(&z->place, &z->sight);
	for (; z->due > 0; z->due--)
		zoom_step(&z->place, &z->sight, 1);
	for (; z->due < 0; z->due++)
		zoom_step(&z->place, &z->sight, -1);
	z->original = false;
	zoom_pan(&z->place, &z->sight, 0, 0); /* the screen may have become another one */
}

static void look(struct zoom *z, struct app *app)
{
	const struct media_facts *f = &z->preview.picture.facts;
	bool turned = f->orientation >= 5;

	pictures_room(app->pictures, z->box, &z->sight.room_w, &z->sight.room_h);
	z->sight.dot = pictures_dot(app->pictures);
	if (f->width && f->height) {
		z->sight.w = turned ? f->height : f->width;
		z->sight.h = turned ? f->width : f->height;
	}
	if (z->sight.w && z->sight.room_w && z->sight.room_h)
		do_what_is_due(z);
	z->preview.zoom = zoom_part(&z->place, &z->sight);
}

/* Scale and place stay from one sample to the next; its size is told by its picture as a whole. */
static void other_sample(struct zoom *z, struct app *app)
{
	z->ord = app->scene.current;
	z->sight.w = z->sight.h = 0;
	z->preview.zoom = (struct picture_zoom){0};
	z->preview.picture = (struct picture){0};
}

static void zoom_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct zoom *z = (struct zoom *)self;

	if (reactions & (REACT_RELOAD | REACT_GREW))
		z->preview.valid = false;
	if (app->scene.current != z->ord)
		other_sample(z, app);
	lay_out(z, area);
	look(z, app);
	preview_picture(&z->preview, app, z->box);
	if (z->sight.w || !z->preview.picture.facts.width)
		return;
	look(z, app);
	if (z->preview.zoom.w)
		preview_picture(&z->preview, app, z->box);
}

/* --- drawing --- */

static void put_sides(struct buf *out, bool brief, uint32_t w, uint32_t h)
{
	const char *gap = brief ? "" : " ";
	char n[28];

	buf_z(out, count_text(w, n));
	buf_printf(out, "%s%s%s%s", gap, sign(SIGN_TIMES), gap, count_text(h, n));
}

static void put_scale(const struct zoom *z, struct buf *out)
{
	double scale = z->place.scale > 0 ? z->place.scale : zoom_fit(&z->sight);
	char n[28];

	buf_printf(out, "%s %%", count_text((uint64_t)round(100 * scale / z->sight.dot), n));
}

/* As much of it as fits. */
static void put_place(const struct zoom *z, bool brief, struct buf *out)
{
	const struct picture_zoom *p = &z->preview.zoom;
	char n[28];

	if (!z->sight.w) {
		buf_z(out, z->preview.picture.state == PICTURE_FAILED ? "" : sign(SIGN_WAIT));
		return;
	}
	put_scale(z, out);
	buf_z(out, "  ");
	if (!p->w || (p->w == z->sight.w && p->h == z->sight.h)) {
		buf_z(out, brief ? "all " : "all of ");
		put_sides(out, brief, z->sight.w, z->sight.h);
		return;
	}
	put_sides(out, brief, p->w, p->h);
	if (!brief) {
		buf_z(out, " of ");
		put_sides(out, false, z->sight.w, z->sight.h);
		buf_z(out, ",");
	}
	buf_printf(out, " %s %s", brief ? "at" : "from", count_text(p->x, n));
	buf_printf(out, ", %s", count_text(p->y, n));
}

static void draw_line(const struct zoom *z, struct cells *grid)
{
	struct pen pen = {grid, z->line, 0, 0};
	struct buf text = BUF_INIT;
	int room = z->line.w - 6;

	put_place(z, false, &text);
	if (text_width(buf_view(&text)) > room) {
		buf_clear(&text);
		put_place(z, true, &text);
	}
	pen_putz(&pen, STYLE_DIM, "zoom  ");
	pen_cut(&pen, room, STYLE_BOLD, CUT_END, buf_view(&text));
	room -= text_width(buf_view(&text)) + 2;
	if (room > 8) {
		pen_putz(&pen, STYLE_DIM, "  ");
		pen_cut(&pen, room, STYLE_DIM, CUT_START, z->preview.row.key);
	}
	buf_release(&text);
}

/* From which to which place of n the part from..from + seen of side is. */
static void thumb(uint32_t from, uint32_t seen, uint32_t side, int n, int *first, int *after)
{
	*first = (int)floor((double)from / side * n);
	*after = (int)ceil((double)(from + seen) / side * n);
	*first = *first > n - 1 ? n - 1 : *first;
	*after = *after <= *first ? *first + 1 : *after;
}

static void draw_bars(const struct zoom *z, struct cells *grid)
{
	const struct picture_zoom *p = &z->preview.zoom;
	int first, after;

	if (p->w && p->w < z->sight.w) {
		thumb(p->x, p->w, z->sight.w, z->below.w, &first, &after);
		for (int x = 0; x < z->below.w; x++)
			cells_putz(grid, z->below.y, z->below.x + x, 1,
				   x >= first && x < after ? STYLE_BOLD : STYLE_RULE,
				   sign(x >= first && x < after ? SIGN_THICK : SIGN_LINE));
	}
	if (p->h && p->h < z->sight.h) {
		thumb(p->y, p->h, z->sight.h, z->right.h, &first, &after);
		for (int y = 0; y < z->right.h; y++)
			cells_putz(grid, z->right.y + y, z->right.x, 1,
				   y >= first && y < after ? STYLE_BOLD : STYLE_RULE,
				   sign(y >= first && y < after ? SIGN_RANGE : SIGN_RULE));
	}
}

static void zoom_draw(const struct view *self, const struct scene *scene, struct cells *grid, struct rect area)
{
	const struct zoom *z = (const struct zoom *)self;
	struct picture none = {.state = PICTURE_FAILED, .error = "no picture"};

	if (!scene->snap || !scene_shown(scene)) {
		view_draw_none(scene, grid, area);
		return;
	}
	draw_line(z, grid);
	if (z->box.h <= 0)
		return;
	picture_draw(z->preview.path ? &z->preview.picture : &none, grid, z->box);
	draw_bars(z, grid);
}

static const struct picture *zoom_picture(const struct view *self, struct rect *box)
{
	const struct zoom *z = (const struct zoom *)self;

	*box = z->box;
	return z->preview.valid && z->preview.path ? &z->preview.picture : NULL;
}

bool zoom_shown(const struct view *v, struct send_crop *out)
{
	const struct zoom *z = (const struct zoom *)v;
	const struct picture_zoom *p;

	if (!v || v->class != &zoom_view)
		return false;
	p = &z->preview.zoom;
	if (!p->w || (p->w == z->sight.w && p->h == z->sight.h))
		return false;
	*out = (struct send_crop){(double)p->x / z->sight.w, (double)p->y / z->sight.h,
				  (double)p->w / z->sight.w, (double)p->h / z->sight.h};
	return true;
}

/* --- commands --- */

static const struct {
	const char *how; /* of `zoom`, or a command of its own */
	double dx, dy;
} pans[] = {
    {"left", -0.25, 0}, {"right", 0.25, 0}, {"up", 0, -0.25}, {"down", 0, 0.25}, {"half-up", 0, -0.5},
    {"half-down", 0, 0.5}, {"page-up", 0, -1}, {"page-down", 0, 1},
};

static bool pan(struct zoom *z, struct str how)
{
	for (size_t i = 0; i < sizeof pans / sizeof *pans; i++) {
		if (!str_eqz(how, pans[i].how))
			continue;
		if (z->sight.w)
			zoom_pan(&z->place, &z->sight, pans[i].dx, pans[i].dy);
		return true;
	}
	return false;
}

static bool change(struct zoom *z, struct str how)
{
	if (str_eqz(how, "in"))
		z->due++;
	else if (str_eqz(how, "out"))
		z->due--;
	else if (str_eqz(how, "original"))
		z->original = !z->original;
	else if (str_eqz(how, "whole"))
		z->place.scale = z->due = 0;
	else
		return pan(z, how);
	if (z->sight.w && z->sight.room_w)
		do_what_is_due(z);
	return true;
}

static unsigned zoom_command(struct view *self, struct app *app, const char *name, struct str args)
{
	struct zoom *z = (struct zoom *)self;

	if (strcmp(name, "escape") == 0 || strcmp(name, "enter") == 0) {
		app_pop(app);
		return REACT_REDRAW;
	}
	if (strcmp(name, "zoom") == 0) {
		if (!change(z, args))
			app_message(app, STYLE_WARNING, "zoom how? in, out, original, whole, left, right, up or down");
		return REACT_REDRAW;
	}
	if ((strncmp(name, "half-", 5) == 0 || strncmp(name, "page-", 5) == 0) && pan(z, str_z(name)))
		return REACT_REDRAW;
	return REACT_UNHANDLED;
}

static const struct hint zoom_hints[] = {
    {"zoom in", "larger"}, {"zoom out", "smaller"}, {"zoom right", "move"}, {"zoom original", "1:1"},
    {"zoom whole", "all of it"}, {"next-wrong", "next wrong"}, {"crop narrower", "crop"}, {"back", "done"},
    {"keys", "keys"}, {NULL, NULL},
};

const struct view_class zoom_view = {
    .name = "zoom",
    .help = "the picture alone, larger",
    .mode = MODE_ZOOM,
    .hints = zoom_hints,
    .open = zoom_open,
    .close = zoom_close,
    .update = zoom_update,
    .draw = zoom_draw,
    .command = zoom_command,
    .picture = zoom_picture,
};
