/*
 * contact: the contact sheet, up to 24 of the samples shown as thumbnails in one picture, beside
 * their captions: what was opened from a number, seen at once. Beyond them are the next pages.
 */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/term/text.h"
#include "tui/view/list.h"
#include "tui/view/pen.h"
#include "tui/view/sign.h"
#include "tui/view/walk.h"

enum {
	CONTACT_MAX = 24,
	BESIDE_FROM = 64, /* columns of the screen: captions beside the picture, else below it */
	CAPTION_MIN = 24,
	CAPTION_MAX = 64,
};

struct contact_item {
	uint32_t ord;
	struct str key, text; /* in the arena */
	char *path;           /* owned */
};

struct contact {
	struct view view;
	struct arena arena;
	const struct sheet *sheet; /* borrowed; NULL before the first update */
	struct rect picture, captions;
	int cols, rows, w, h;      /* of the slots */
	uint32_t n, first, cursor; /* samples in the list; places in it */
	struct list lines;         /* of captions */
	struct contact_item item[CONTACT_MAX];
	int n_items;
	bool loaded, pictures; /* pictures: any sample here has one, and they are drawn */
};

static struct view *contact_open(struct app *app)
{
	struct contact *c = xcalloc(1, sizeof *c);

	(void)app;
	c->view.class = &contact_view;
	return &c->view;
}

static void drop_items(struct contact *c)
{
	for (int i = 0; i < c->n_items; i++)
		free(c->item[i].path);
	c->n_items = 0;
	arena_clear(&c->arena);
}

static void contact_close(struct view *self)
{
	struct contact *c = (struct contact *)self;

	drop_items(c);
	arena_release(&c->arena);
	free(c);
}

/* --- layout --- */

static int at_most(int a, int b)
{
	return a < b ? a : b;
}

/* The terminal takes pictures of this size at most. */
static int in_cells(int pixels, int cell, int wish)
{
	return pixels > 0 && cell > 0 ? at_most(wish, pixels / cell) : wish;
}

static void split(struct contact *c, const struct term_caps *caps, struct rect area)
{
	int text = at_most(area.w * 2 / 5, CAPTION_MAX);

	c->picture = c->captions = area;
	if (!c->pictures) {
		c->picture.w = 0;
	} else if (area.w >= BESIDE_FROM) {
		c->captions.w = text > CAPTION_MIN ? text : CAPTION_MIN;
		c->picture.w -= c->captions.w + 1;
		c->captions.x += c->picture.w + 1;
	} else {
		c->captions.h = area.h > 6 ? area.h / 3 : area.h > 2;
		c->picture.h -= c->captions.h;
		c->captions.y += c->picture.h;
	}
	if (caps->graphics != GRAPHICS_SIXEL)
		return;
	c->picture.w = in_cells(caps->max_w, caps->cell_w, c->picture.w);
	c->picture.h = in_cells(caps->max_h, caps->cell_h, c->picture.h);
}

/* As many columns as make the pictures largest. */
static void lay(struct contact *c, int cell_w, int cell_h)
{
	int best = 0;

	c->cols = c->rows = 1;
	for (int cols = 1; cols <= c->n_items; cols++) {
		int rows = (c->n_items + cols - 1) / cols, w = c->picture.w / cols, h = c->picture.h / rows;
		int side = at_most((w - 1) * cell_w, h * cell_h * 8 / 7);

		if (w < 2 || h < 1 || side <= best)
			continue;
		best = side;
		c->cols = cols;
		c->rows = rows;
	}
	c->w = c->picture.w / c->cols;
	c->h = c->picture.h / c->rows;
}

static struct rect slot_of(const struct contact *c, int i)
{
	return (struct rect){c->picture.y + i / c->cols * c->h, c->picture.x + i % c->cols * c->w,
			     c->h > 6 && c->rows > 1 ? c->h - 1 : c->h, c->w > 2 ? c->w - 1 : c->w};
}

/* --- update --- */

static void take_items(struct contact *c, struct app *app)
{
	drop_items(c);
	c->pictures = false;
	for (uint32_t k = c->first; k < c->n && c->n_items < CONTACT_MAX; k++) {
		uint32_t ord = scene_at(&app->scene, k);
		const struct sample_row *row = rows_get(app->rows, ord);
		struct contact_item *it = &c->item[c->n_items++];

		*it = (struct contact_item){.ord = ord, .key = STR("?"), .text = STR("")};
		if (!row)
			continue;
		it->key = arena_str(&c->arena, row->key);
		if (row->text_kind == TEXT_STATEMENT && row->text.n)
			it->text = arena_str(&c->arena, row->text);
		if (row->media != MEDIA_NONE)
			it->path = fetch_picture_paths(app->conn, app->scene.snap, row);
		c->pictures |= it->path != NULL;
	}
	c->loaded = true;
	if (rows_error(app->rows) && !rows_busy(app->rows))
		app_message(app, STYLE_WARNING, "%s", rows_error(app->rows));
}

static void want_pictures(struct contact *c, struct app *app)
{
	struct sheet_slot slot[CONTACT_MAX];
	int wait;

	sheet_whole(app->sheet, true);
	for (int i = 0; i < c->n_items; i++)
		slot[i] = (struct sheet_slot){slot_of(c, i), c->item[i].path, i + 1};
	sheet_want(app->sheet, slot, c->pictures ? c->n_items : 0, NULL, 0, app->now);
	wait = sheet_tick(app->sheet, app->now, term_busy(app->term), term_picture_bytes(app->term),
			  app->headless);
	if (wait >= 0 && (app->wake_ms < 0 || wait < app->wake_ms))
		app->wake_ms = wait;
}

static void contact_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct contact *c = (struct contact *)self;
	const struct term_caps *caps = term_caps(app->term);
	uint32_t first;

	if (!app->scene.snap || !app->scene.snap->n || area.h < 1 || area.w < 1)
		return;
	c->sheet = app->sheet;
	c->n = scene_shown(&app->scene);
	c->cursor = scene_place(&app->scene, app->scene.current);
	first = c->cursor == SCENE_NOWHERE ? 0 : c->cursor / CONTACT_MAX * CONTACT_MAX;
	if (!c->loaded || first != c->first || rows_busy(app->rows) ||
	    (reactions & (REACT_RELOAD | REACT_GREW | REACT_RERUN | REACT_REFILTER))) {
		c->first = first;
		take_items(c, app);
	}
	split(c, caps, area);
	lay(c, caps->cell_w > 0 ? caps->cell_w : 10, caps->cell_h > 0 ? caps->cell_h : 20);
	c->lines.cursor = c->cursor - c->first;
	list_fit(&c->lines, (uint32_t)c->n_items, c->captions.h > 0 ? (uint32_t)c->captions.h : 1);
	want_pictures(c, app);
}

/* --- draw --- */

static enum style tone(bool here, bool stale, enum style style)
{
	if (!here)
		return stale ? STYLE_DIM : style;
	return style == STYLE_DIM ? STYLE_CURSOR_DIM : STYLE_CURSOR;
}

/* "truth -> answer", the statement, or the key. */
static void put_words(struct pen *p, const struct scene *s, const struct contact_item *it, bool here)
{
	bool stale = scene_is_stale(s, it->ord);
	struct buf truth = BUF_INIT, answer = BUF_INIT;
	int room = p->area.w - p->x - 1;

	scene_truth(s, s->lens.layer, it->ord, &truth);
	if (s->a >= 0)
		scene_answer(s, s->a, it->ord, &answer);
	if (it->text.n) {
		pen_cut(p, room, tone(here, stale, STYLE_NORMAL), CUT_END, it->text);
	} else if (!truth.n && !answer.n) {
		pen_cut(p, room, tone(here, stale, STYLE_NORMAL), CUT_START, it->key);
	} else {
		int w = text_width(buf_view(&truth)), half = (room - 3) / 2;
		int rest = room - 3 - text_width(buf_view(&answer));

		pen_cut(p, w > half && w > rest ? (rest > half ? rest : half) : w,
			tone(here, stale, STYLE_TRUTH), CUT_END, buf_view(&truth));
		pen_printf(p, tone(here, stale, STYLE_DIM), " %s ", sign(SIGN_ARROW));
		pen_cut(p, p->area.w - p->x - 1, tone(here, stale, STYLE_NORMAL), CUT_END, buf_view(&answer));
	}
	buf_release(&truth);
	buf_release(&answer);
}

static void draw_line(const struct contact *c, const struct scene *s, struct pen *p, uint32_t i)
{
	const struct contact_item *it = &c->item[i];
	bool here = i == c->lines.cursor;
	struct rect line = {p->area.y + p->y, p->area.x, 1, p->area.w};

	if (here)
		cells_fill(p->grid, line, STYLE_CURSOR);
	pen_putz(p, tone(here, false, STYLE_NORMAL), here ? sign(SIGN_CURSOR) : " ");
	pen_printf(p, tone(here, false, STYLE_DIM), "%2u ", i + 1);
	if (s->a >= 0) {
		enum mark m = scene_mark(s, s->a, it->ord);

		pen_putz(p, here ? STYLE_CURSOR : mark_style(m), mark_glyph(m));
		pen_putz(p, tone(here, false, STYLE_NORMAL), " ");
	}
	if (c->pictures && sheet_placed(c->sheet) && sheet_state(c->sheet, (int)i) == PICTURE_FAILED)
		pen_putz(p, tone(here, false, STYLE_DIM), "(no picture) ");
	put_words(p, s, it, here);
	pen_line(p);
}

/* Where numbers are not in the picture they stand over its blocks. */
static void draw_numbers(const struct contact *c, struct cells *grid)
{
	for (int i = 0; i < c->n_items && !sheet_placed(c->sheet); i++) {
		struct rect box = slot_of(c, i);

		if (c->item[i].path && box.h > 0)
			cells_printf(grid, box.y, box.x, box.w,
				     (uint32_t)i == c->lines.cursor ? STYLE_CURSOR : STYLE_DIM, "%d", i + 1);
	}
}

static void contact_draw(const struct view *self, const struct scene *scene, struct cells *grid,
			 struct rect area)
{
	const struct contact *c = (const struct contact *)self;
	struct pen p = {grid, c->captions, 0, 0};

	if (!scene->snap || !scene->snap->n || !c->sheet) {
		view_draw_nothing(grid, area);
		return;
	}
	if (!scene_shown(scene)) {
		view_draw_none(scene, grid, area);
		return;
	}
	for (uint32_t i = c->lines.top; i < (uint32_t)c->n_items && p.y < p.area.h; i++)
		draw_line(c, scene, &p, i);
	if (!c->pictures)
		return;
	for (int y = 0; c->captions.x > c->picture.x && y < area.h; y++)
		cells_putz(grid, area.y + y, c->captions.x - 1, 1, STYLE_RULE, sign(SIGN_RULE));
	sheet_draw(c->sheet, grid);
	draw_numbers(c, grid);
}

static const struct placed_picture *contact_placed(const struct view *self)
{
	const struct contact *c = (const struct contact *)self;

	return c->sheet && c->pictures ? sheet_placed(c->sheet) : NULL;
}

/* --- commands --- */

static bool is(const char *name, const char *what)
{
	return strcmp(name, what) == 0;
}

/* By rows of the sheet; sideways to the next sample, a page to the next sheet. */
static int64_t step_of(const struct contact *c, const char *name)
{
	int cols = c->cols > 0 && c->pictures ? c->cols : 1;

	return is(name, "right")	  ? 1
	       : is(name, "left")	  ? -1
	       : is(name, "down")	  ? cols
	       : is(name, "up")		  ? -cols
	       : is(name, "page-down")	  ? CONTACT_MAX
	       : is(name, "page-up")	  ? -CONTACT_MAX
	       : is(name, "half-down")	  ? CONTACT_MAX / 2
	       : is(name, "half-up")	  ? -CONTACT_MAX / 2
					  : 0;
}

static unsigned move(struct contact *c, struct app *app, int64_t by)
{
	int64_t to = (int64_t)c->cursor + by, last = (int64_t)c->n - 1;

	if (c->n)
		walk_to(app, (uint32_t)(to < 0 ? 0 : to > last ? last : to));
	return REACT_REDRAW;
}

static unsigned contact_command(struct view *self, struct app *app, const char *name, struct str args)
{
	struct contact *c = (struct contact *)self;
	struct list one;
	int64_t by;

	if (!app->scene.snap || !app->scene.snap->n)
		return REACT_UNHANDLED;
	c->n = scene_shown(&app->scene);
	c->cursor = scene_place(&app->scene, app->scene.current);
	if (is(name, "enter") && app->top == self) {
		if (narrow_any(app))
			app_push(app, &sample_view);
		return REACT_REDRAW;
	}
	if (is(name, "contact-sheet")) /* this is one */
		return REACT_REDRAW;
	by = app->top == self ? step_of(c, name) : 0;
	if (by)
		return move(c, app, by);
	one = (struct list){c->n, c->cursor, 0, 1};
	if (!list_command(&one, name, args))
		return walk_command(app, name, args);
	walk_to(app, one.cursor);
	return REACT_REDRAW;
}

static const struct hint contact_hints[] = {
    {"enter", "open"},	   {"next-wrong", "next wrong"}, {"page-down", "next 24"}, {"keys", "keys"},
    {"filter-edit", "filter"}, {"back", "back"},		 {NULL, NULL},
};

const struct view_class contact_view = {
    .name = "sheet",
    .help = "up to 24 of the samples in one picture",
    .mode = MODE_GALLERY,
    .hints = contact_hints,
    .open = contact_open,
    .close = contact_close,
    .update = contact_update,
    .draw = contact_draw,
    .command = contact_command,
    .placed = contact_placed,
};
