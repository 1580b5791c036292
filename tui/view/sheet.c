#include "tui/view/sheet_impl.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"

/* --- layout --- */

enum { SLOT_W = 20, GAP_W = 2, CAPTION_H = 2 };

void sheet_layout(struct rect area, int cell_w, int cell_h, struct sheet_grid *out)
{
	int square;

	*out = (struct sheet_grid){.area = area};
	out->cols = area.w / SLOT_W > 0 ? area.w / SLOT_W : 1;
	out->slot_w = area.w / out->cols;
	out->thumb_w = out->slot_w > GAP_W ? out->slot_w - GAP_W : 1;
	/* Pictures are often wider than high, so a row a little lower than square will do. */
	square = out->thumb_w * cell_w * 7 / (cell_h * 8) + CAPTION_H;
	out->rows = (area.h + square / 3) / square;
	out->rows = out->rows > 0 ? out->rows : 1;
	while (out->cols * out->rows > SHEET_SLOTS_MAX && out->rows > 1)
		out->rows--;
	if (out->cols > SHEET_SLOTS_MAX)
		out->cols = SHEET_SLOTS_MAX;
	out->slot_h = area.h / out->rows;
	out->thumb_h = out->slot_h - CAPTION_H;
	if (out->rows == 1 && area.h > 3) /* nothing below to be kept apart from */
		out->thumb_h = area.h - 1;
	if (out->thumb_h < 0)
		out->thumb_h = 0;
}

struct rect sheet_thumb(const struct sheet_grid *g, int slot)
{
	return (struct rect){g->area.y + slot / g->cols * g->slot_h,
			     g->area.x + 1 + slot % g->cols * g->slot_w, g->thumb_h, g->thumb_w};
}

struct rect sheet_caption(const struct sheet_grid *g, int slot)
{
	struct rect r = sheet_thumb(g, slot);

	return (struct rect){r.y + r.h, r.x, g->slot_h - g->thumb_h > 1 ? 2 : 1, r.w};
}

/* --- the page --- */

struct sheet *sheet_new(struct pool *pool)
{
	struct sheet *s = xcalloc(1, sizeof *s);

	s->pool = pool;
	return s;
}

static void drop_page(struct sheet *s)
{
	for (int i = 0; i < s->n; i++)
		free((char *)s->slot[i].path);
	for (int i = 0; i < s->n_soon; i++)
		free(s->soon[i]);
	s->n = s->n_soon = 0;
}

void sheet_forget(struct sheet *s)
{
	sheet_stop_loads(s, true);
	sheet_stop_composing(s);
	composed_release(&s->now);
	sheet_drop_thumbs(s);
	s->generation++;
	s->page++;
	s->placed.id = 0;
}

void sheet_free(struct sheet *s)
{
	if (!s)
		return;
	sheet_forget(s);
	drop_page(s);
	free(s);
}

static bool same_setup(const struct picture_setup *a, const struct picture_setup *b)
{
	return a->kind == b->kind && a->cell_w == b->cell_w && a->cell_h == b->cell_h &&
	       a->max_w == b->max_w && a->max_h == b->max_h && a->colors == b->colors &&
	       a->first_is_background == b->first_is_background && a->decoder == b->decoder && a->cache == b->cache &&
	       memcmp(&a->background, &b->background, sizeof a->background) == 0;
}

static void choose_setup(struct sheet *s)
{
	struct picture_setup setup = s->given;

	if (setup.kind == PICTURE_SIXEL && s->single && !s->whole)
		setup.kind = setup.unicode ? PICTURE_BLOCKS : PICTURE_ASCII;
	if (same_setup(&s->setup, &setup))
		return;
	s->setup = setup;
	sheet_forget(s);
}

void sheet_setup(struct sheet *s, const struct picture_setup *setup, bool single)
{
	s->given = *setup;
	s->single = single;
	choose_setup(s);
}

void sheet_whole(struct sheet *s, bool whole)
{
	if (s->whole != whole)
		sheet_forget(s);
	s->whole = whole;
	choose_setup(s);
}

struct rect sheet_stand(const struct rect *slot, int cols, int rows, bool whole)
{
	if (whole)
		return (struct rect){slot->y + (slot->h - rows) / 2, slot->x + (slot->w - cols) / 2, rows, cols};
	return (struct rect){slot->y + slot->h - rows, slot->x, rows, cols};
}

static bool same_path(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_box(struct rect a, struct rect b)
{
	return a.y == b.y && a.x == b.x && a.h == b.h && a.w == b.w;
}

static bool same_page(const struct sheet *s, const struct sheet_slot *slots, int n)
{
	if (n != s->n)
		return false;
	for (int i = 0; i < n; i++)
		if (!same_path(s->slot[i].path, slots[i].path) ||
		    !same_box(s->slot[i].box, slots[i].box))
			return false;
	return true;
}

/* Another size of the boxes makes all that was loaded useless. */
static bool resized(const struct sheet *s, const struct sheet_slot *slots, int n)
{
	return n && s->n && (s->slot[0].box.h != slots[0].box.h || s->slot[0].box.w != slots[0].box.w);
}

void sheet_want(struct sheet *s, const struct sheet_slot *slots, int n, const char *const *soon,
		int n_soon, int64_t now)
{
	if (!same_page(s, slots, n)) {
		if (resized(s, slots, n))
			sheet_forget(s);
		drop_page(s);
		for (s->n = 0; s->n < n && s->n < SHEET_SLOTS_MAX; s->n++)
			s->slot[s->n] = (struct sheet_slot){
			    slots[s->n].box, slots[s->n].path ? xstrdup(slots[s->n].path) : NULL,
			    slots[s->n].number};
		for (s->n_soon = 0; s->n_soon < n_soon && s->n_soon < SHEET_SLOTS_MAX; s->n_soon++)
			s->soon[s->n_soon] = xstrdup(soon[s->n_soon]);
		s->page++;
		s->since = now;
		s->placed.id = 0;
		sheet_stop_loads(s, false);
		sheet_stop_composing(s);
	}
	sheet_link(s);
}

/* --- time --- */

static bool all_there(const struct sheet *s)
{
	for (int i = 0; i < s->n; i++)
		if (s->slot[i].path && !s->thumb[i])
			return false;
	return true;
}

/* Milliseconds until the next version of the page may be made; -1: not before a job ends. */
static int compose_due(struct sheet *s, int64_t now, bool busy, size_t budget)
{
	uint64_t version = sheet_version(s);
	int64_t wait = s->composed_ms + SHEET_AGAIN_MS - now;

	if (!version || s->composing || busy ||
	    (s->now.page == s->page && s->now.version == version))
		return -1;
	/* The first pictures of a page wait a moment for the others. */
	if (s->now.page != s->page && s->since + SHEET_AGAIN_MS - now > wait)
		wait = s->since + SHEET_AGAIN_MS - now;
	if (wait > 0 && !all_there(s) && !s->hurry)
		return (int)wait;
	s->composed_ms = now;
	sheet_compose(s, version, budget);
	return -1;
}

int sheet_tick(struct sheet *s, int64_t now, bool busy, size_t budget, bool hurry)
{
	int64_t due = s->since + (hurry ? 0 : PICTURE_REST_MS);

	s->hurry = hurry;
	if (s->setup.kind == PICTURE_OFF)
		return -1;
	if (now < due && !all_there(s))
		return (int)(due - now);
	sheet_load_due(s);
	return s->setup.kind == PICTURE_SIXEL ? compose_due(s, now, busy, budget) : -1;
}

/* --- what is seen --- */

enum picture_state sheet_state(const struct sheet *s, int slot)
{
	if (s->setup.kind == PICTURE_OFF || !s->slot[slot].path)
		return PICTURE_NONE;
	return s->thumb[slot] ? s->thumb[slot]->state : PICTURE_WAITING;
}

static bool in_blocks(const struct sheet *s)
{
	return s->setup.kind != PICTURE_SIXEL || (s->now.page == s->page && s->now.too_large);
}

static bool placed_at(const struct sheet *s, struct rect box)
{
	for (int k = 0; k < s->placed.n_parts && s->placed.id; k++) {
		struct rect r = s->placed_part[k].rect;

		if (box.y >= r.y && box.y < r.y + r.h && box.x >= r.x && box.x < r.x + r.w)
			return true;
	}
	return false;
}

void sheet_draw(const struct sheet *s, struct cells *grid)
{
	for (int k = 0; k < s->placed.n_parts && s->placed.id; k++)
		cells_fill(grid, s->placed_part[k].rect, STYLE_PICTURE);
	for (int i = 0; i < s->n; i++) {
		const struct thumb *t = s->thumb[i];
		struct picture pic = {.state = sheet_state(s, i)};
		struct rect box = s->slot[i].box;

		if (s->slot[i].box.h <= 0 || placed_at(s, s->slot[i].box))
			continue;
		if (t && t->state == PICTURE_READY && in_blocks(s)) {
			pic.facts = t->facts;
			pic.cols = t->cols;
			pic.rows = t->rows;
			pic.blocks = t->blocks;
			pic.colored = !sheet_in_ascii(&s->setup);
			pic.mark = s->setup.kind == PICTURE_MARK;
			box = sheet_stand(&s->slot[i].box, t->cols, t->rows, s->whole);
		} else if (t && t->state == PICTURE_READY) {
			pic.state = PICTURE_WAITING; /* loaded, not yet put together */
		} else if (t) {
			pic.error = t->error;
		}
		picture_draw(&pic, grid, box);
	}
}

const struct placed_picture *sheet_placed(const struct sheet *s)
{
	return s->placed.id ? &s->placed : NULL;
}
