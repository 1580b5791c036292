#include "tui/view/picture_make.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "core/base/xmalloc.h"

/* bytes_per_pixel: of photographs with little detail, so that none is made plainer than it must
 * be; one that comes out too large goes a rung down. */
static const struct {
	int colors;
	bool dither;
	uint32_t halves; /* a side is divided by halves / 2 */
	double bytes_per_pixel;
} ladder[PICTURE_RUNGS] = {{256, true, 2, 1.1},
			   {128, true, 2, 0.9},
			   {64, false, 2, 0.5},
			   {64, false, 3, 0.5},
			   {64, false, 4, 0.6}};

struct maker {
	struct made *made;
	const struct picture_setup *setup;
	const struct cancel *cancel;
	uint32_t box_w, box_h; /* pixels */
	struct stat file;      /* st_ino 0: not known, nothing is kept */
	struct pixels px;      /* of the box; rgb NULL until they are needed */
	struct err err;
};

void whole_release(struct whole *w)
{
	if (!w || --w->refs)
		return;
	pixels_release(&w->px);
	free(w->path);
	free(w);
}

void made_free(struct made *m)
{
	if (!m)
		return;
	whole_release(m->whole);
	free(m->path);
	free(m->sixel);
	free(m->error);
	free(m->blocks);
	free(m);
}

bool picture_within(size_t bytes, size_t budget)
{
	return !budget || bytes <= budget + budget / 4;
}

int picture_first_rung(uint32_t w, uint32_t h, size_t budget)
{
	int i = 0;

	for (; i < PICTURE_RUNGS && budget; i++) {
		double s = ladder[i].halves / 2.0;

		if (picture_within((size_t)(w / s * (h / s) * ladder[i].bytes_per_pixel), budget))
			break;
	}
	return i;
}

static int at_most(int a, int b)
{
	return b > 0 && a > b ? b : a;
}

static int in_cells(uint32_t pixels, int cell, uint32_t max)
{
	int n = ((int)pixels + cell - 1) / cell;

	return n < 1 ? 1 : n > (int)max ? (int)max : n;
}

static uint32_t at_share(double share, uint32_t side)
{
	double v = share * side + 0.5;

	return v < 0 ? 0 : v > side ? side : (uint32_t)v;
}

static void shade(uint8_t *rgb, bool outside, bool frame, bool light)
{
	for (int i = 0; i < 3; i++) {
		if (frame)
			rgb[i] = light ? 255 : 0;
		else if (outside)
			rgb[i] = (uint8_t)(rgb[i] / 3);
	}
}

/* The frame is dashed, so that it is seen on light and on dark. */
void picture_dim(struct pixels *px, const struct send_crop *crop)
{
	uint32_t x0 = at_share(crop->x, px->w), y0 = at_share(crop->y, px->h);
	uint32_t x1 = at_share(crop->x + crop->w, px->w), y1 = at_share(crop->y + crop->h, px->h);

	for (uint32_t y = 0; y < px->h; y++)
		for (uint32_t x = 0; x < px->w; x++) {
			bool outside = x < x0 || x >= x1 || y < y0 || y >= y1;
			bool frame = !outside && (x == x0 || x + 1 == x1 || y == y0 || y + 1 == y1);

			shade(px->rgb + 3 * ((size_t)y * px->w + x), outside, frame, (x + y) / 4 % 2);
		}
}

static enum status load_whole(struct maker *k)
{
	struct made *m = k->made;
	struct whole *w;
	enum status st;

	if (m->whole)
		return OK;
	w = xcalloc(1, sizeof *w);
	w->refs = 1;
	w->path = xstrdup(m->path);
	st = media_load_together(m->path, MEDIA_MAX_SIDE, MEDIA_MAX_SIDE, 1, k->setup->background,
				 k->setup->decoder, k->cancel, &w->facts, &w->px, &k->err);
	m->pic.facts = w->facts;
	if (st == OK)
		m->whole = w;
	else
		whole_release(w);
	return st;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* The file may have become another one since the zoom was chosen: what is outside is left out. */
static enum status load_zoomed(struct maker *k)
{
	const struct picture_zoom *z = &k->made->zoom;
	uint32_t x, y, w = least(z->out_w, k->box_w), h = least(z->out_h, k->box_h);
	enum status st = load_whole(k);
	const struct pixels *all;
	struct pixels cut = {0};

	if (st != OK)
		return st;
	all = &k->made->whole->px;
	x = least(z->x, all->w - 1);
	y = least(z->y, all->h - 1);
	k->made->pic.facts = k->made->whole->facts;
	st = media_cut(all, x, y, least(z->w, all->w - x), least(z->h, all->h - y), &cut, &k->err);
	if (st == OK)
		st = cancel_check(k->cancel, &k->err);
	if (st == OK)
		st = media_scale(&cut, w, h, &k->px, &k->err);
	pixels_release(&cut);
	return st;
}

static enum status load(struct maker *k)
{
	const struct picture_setup *s = k->setup;
	enum status st;

	if (k->px.rgb)
		return OK;
	if (k->made->zoom.w)
		return load_zoomed(k);
	st = media_load_together(k->made->path, k->box_w, k->box_h, PICTURE_ENLARGE, s->background, s->decoder,
			k->cancel, &k->made->pic.facts, &k->px, &k->err);
	if (st == OK && k->made->crop.w > 0)
		picture_dim(&k->px, &k->made->crop);
	return st;
}

/* --- sixel --- */

static uint32_t smaller(uint32_t side, int rung)
{
	return (side * 2 + ladder[rung].halves - 1) / ladder[rung].halves;
}

static struct cache_key key_of(const struct maker *k, int rung)
{
	const struct picture_setup *s = k->setup;
	struct cache_key key = {
	    .box_w = smaller(k->box_w, rung),
	    .box_h = smaller(k->box_h, rung),
	    .cell_w = (uint32_t)s->cell_w,
	    .cell_h = (uint32_t)s->cell_h,
	    .colors = (uint32_t)at_most(ladder[rung].colors, s->colors),
	    .dither = ladder[rung].dither,
	    .first_is_background = s->first_is_background,
	    .background = s->background,
	};

	media_cache_key_file(&key, &k->file);
	return key;
}

/* Padded to whole cells, so that the next picture of the same size covers all of it. */
static enum status encode(struct maker *k, int rung, struct cache_entry *e, struct buf *out)
{
	const struct picture_setup *s = k->setup;
	struct cache_key key = key_of(k, rung);
	struct pixels small = {0}, *px = &k->px;
	struct sixel_options opt = {
	    .colors = (int)key.colors,
	    .dither = key.dither,
	    .first_is_background = s->first_is_background,
	    .background = s->background,
	};
	enum status st = load(k);

	if (st == OK && ladder[rung].halves > 2) {
		st = media_scale(&k->px, smaller(k->px.w, rung), smaller(k->px.h, rung), &small,
				 &k->err);
		px = &small;
	}
	if (st != OK)
		return st;
	e->facts = k->made->pic.facts;
	e->cols = (uint32_t)in_cells(px->w, s->cell_w, k->box_w / (uint32_t)s->cell_w);
	e->rows = (uint32_t)in_cells(px->h, s->cell_h, k->box_h / (uint32_t)s->cell_h);
	opt.pad_w = e->cols * (uint32_t)s->cell_w;
	opt.pad_h = e->rows * (uint32_t)s->cell_h;
	st = sixel_encode_pixels(px, &opt, out, &k->err);
	pixels_release(&small);
	return st;
}

/* Not kept when the file changed while it was read. */
static void keep(const struct maker *k, int rung, const struct cache_entry *e, struct str sixel)
{
	struct cache_key before = key_of(k, rung), after = before;
	struct stat st;

	if (!k->file.st_ino || stat(k->made->path, &st) != 0)
		return;
	media_cache_key_file(&after, &st);
	if (before.mtime_ns == after.mtime_ns && before.size == after.size &&
	    before.ino == after.ino && before.dev == after.dev)
		media_cache_put(k->setup->cache, &before, e, sixel);
}

static enum status sixel_of_rung(struct maker *k, int rung, struct cache_entry *e, struct buf *out)
{
	struct cache_key key = key_of(k, rung);
	enum status st;

	if (k->file.st_ino && media_cache_get(k->setup->cache, &key, e, out))
		return OK;
	st = encode(k, rung, e, out);
	if (st == OK)
		keep(k, rung, e, buf_view(out));
	return st;
}

static void take_sixel(struct made *m, const struct cache_entry *e, struct buf *sixel)
{
	m->pic.facts = e->facts;
	m->pic.cols = (int)e->cols;
	m->pic.rows = (int)e->rows;
	m->bytes = sixel->n;
	m->sixel = buf_take(sixel);
	m->pic.sixel = (struct str){m->sixel, m->bytes};
}

/* False: none is small enough, or k->err says what went wrong. */
static bool make_sixel(struct maker *k)
{
	struct buf out = BUF_INIT;
	int rung = picture_first_rung(k->box_w, k->box_h, k->made->budget);
	bool made = false;

	for (; rung < PICTURE_RUNGS && !made && !k->err.code; rung++) {
		struct cache_entry e;

		buf_clear(&out);
		if (sixel_of_rung(k, rung, &e, &out) == OK &&
		    picture_within(out.n, k->made->budget)) {
			take_sixel(k->made, &e, &out);
			k->made->plain = rung > 0;
			made = true;
		}
	}
	buf_release(&out);
	return made;
}

/* --- everything else --- */

static void make_blocks(struct maker *k, enum blocks_kind kind)
{
	struct made *m = k->made;
	size_t n;

	if (load(k) != OK)
		return;
	m->pic.cols = in_cells(k->px.w, k->setup->cell_w, (uint32_t)m->w);
	m->pic.rows = in_cells(k->px.h, k->setup->cell_h, (uint32_t)m->h);
	n = (size_t)m->pic.cols * (size_t)m->pic.rows;
	m->blocks = xcalloc(n, sizeof *m->blocks);
	m->bytes = n * sizeof *m->blocks;
	m->pic.blocks = m->blocks;
	m->pic.colored = kind != BLOCKS_ASCII;
	blocks_render(&k->px, kind, (uint32_t)m->pic.cols, (uint32_t)m->pic.rows,
		      k->setup->background, m->blocks, &k->err);
}

static void make_mark(struct maker *k)
{
	struct made *m = k->made;

	if (load(k) != OK)
		return;
	m->pic.cols = in_cells(k->px.w, k->setup->cell_w, (uint32_t)m->w);
	m->pic.rows = in_cells(k->px.h, k->setup->cell_h, (uint32_t)m->h);
	m->pic.mark = true;
}

static void make(struct maker *k)
{
	switch (k->setup->kind) {
	case PICTURE_SIXEL:
		if (make_sixel(k) || k->err.code)
			break;
		k->made->plain = true;
		make_blocks(k, k->setup->unicode ? BLOCKS_QUADRANT : BLOCKS_ASCII);
		break;
	case PICTURE_BLOCKS:
		make_blocks(k, BLOCKS_QUADRANT);
		break;
	case PICTURE_ASCII:
		make_blocks(k, BLOCKS_ASCII);
		break;
	case PICTURE_MARK:
		make_mark(k);
		break;
	case PICTURE_OFF:
		break;
	}
}

void picture_room(const struct picture_setup *s, int cols, int rows, uint32_t *w, uint32_t *h)
{
	if (s->kind == PICTURE_SIXEL) {
		cols = at_most(cols, s->max_w / s->cell_w);
		rows = at_most(rows, s->max_h / s->cell_h);
	}
	*w = (uint32_t)(cols * s->cell_w);
	*h = (uint32_t)(rows * s->cell_h);
}

enum status picture_make(struct made *m, const struct picture_setup *s, const struct cancel *cancel)
{
	struct maker k = {.made = m, .setup = s, .cancel = cancel, .err = ERR_INIT};

	picture_room(s, m->w, m->h, &k.box_w, &k.box_h);
	if (s->kind != PICTURE_SIXEL || !s->cache || m->crop.w > 0 || m->zoom.w || stat(m->path, &k.file) != 0)
		k.file = (struct stat){.st_ino = 0};
	m->pic.state = PICTURE_READY;
	make(&k);
	pixels_release(&k.px);
	if (k.err.code) {
		m->pic.state = PICTURE_FAILED;
		m->error = xstrdup(k.err.msg);
		m->pic.error = m->error;
	}
	return k.err.code;
}
