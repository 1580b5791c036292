/* Several pictures as one: row by row, with as many side by side as keep their places squarest. */
#include <stdlib.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "core/media/decode.h"

#define GAP	  8   /* pixels between two of them */
#define FRAME_MAX 256 /* of one that cannot be shown */

struct part {
	struct pixels px;
	uint32_t w, h; /* of the file, upright */
};

struct together {
	char *paths; /* owned, cut up */
	char *path[MEDIA_TOGETHER_MAX];
	struct part part[MEDIA_TOGETHER_MAX];
	size_t n, cols, rows, failed;
	struct media_facts facts; /* of all of them */
	struct media_rgb background;
};

static void cut(struct together *t, const char *paths)
{
	char *rest = t->paths = xstrdup(paths);

	while (rest && t->n < MEDIA_TOGETHER_MAX) {
		char *end = strchr(rest, '\n');

		if (end)
			*end++ = '\0';
		if (*rest)
			t->path[t->n++] = rest;
		rest = end;
	}
}

static uint32_t place(uint32_t room, size_t n)
{
	uint32_t gaps = (uint32_t)(n - 1) * GAP;

	return room > gaps + n ? (room - gaps) / (uint32_t)n : 1;
}

static void choose_columns(struct together *t, uint32_t max_w, uint32_t max_h)
{
	uint32_t best = 0;

	for (size_t cols = t->n; cols >= 1; cols--) {
		size_t rows = (t->n + cols - 1) / cols;
		uint32_t w = place(max_w, cols), h = place(max_h, rows), side = w < h ? w : h;

		if (side > best) {
			best = side;
			t->cols = cols;
			t->rows = rows;
		}
	}
}

/* An empty frame stands for one that cannot be shown. */
static enum status put_frame(struct together *t, struct part *p, uint32_t w, uint32_t h, struct err *err)
{
	uint32_t least = w < h ? w : h, side = least < FRAME_MAX ? least : FRAME_MAX;
	enum status st = pixels_alloc(&p->px, side, side, err);

	if (st)
		return st;
	for (uint32_t y = 0; y < side; y++)
		for (uint32_t x = 0; x < side; x++) {
			bool edge = x == 0 || y == 0 || x + 1 == side || y + 1 == side || x == y;
			uint8_t *rgb = p->px.rgb + ((size_t)y * side + x) * 3;

			rgb[0] = edge ? 128 : t->background.r;
			rgb[1] = edge ? 128 : t->background.g;
			rgb[2] = edge ? 128 : t->background.b;
		}
	p->w = p->h = side;
	t->failed++;
	t->facts.partial = true;
	return OK;
}

static void add_facts(struct together *t, struct part *p, const struct media_facts *f, bool first)
{
	bool turned = f->orientation >= 5;

	p->w = turned ? f->height : f->width;
	p->h = turned ? f->width : f->height;
	if (first)
		t->facts.format = f->format;
	else if (t->facts.format != f->format)
		t->facts.format = MEDIA_FORMAT_UNKNOWN;
	t->facts.bytes += f->bytes;
	t->facts.partial |= f->partial;
}

static void row_size(const struct together *t, size_t row, bool natural, uint32_t *w, uint32_t *h)
{
	size_t first = row * t->cols;

	*w = *h = 0;
	for (size_t i = first; i < t->n && i < first + t->cols; i++) {
		const struct part *p = &t->part[i];
		uint32_t own_w = natural ? p->w : p->px.w, own_h = natural ? p->h : p->px.h;

		*w += own_w + (i > first ? GAP : 0);
		*h = own_h > *h ? own_h : *h;
	}
}

static void whole_size(const struct together *t, bool natural, uint32_t *w, uint32_t *h)
{
	*w = *h = 0;
	for (size_t row = 0; row < t->rows; row++) {
		uint32_t own_w, own_h;

		row_size(t, row, natural, &own_w, &own_h);
		*w = own_w > *w ? own_w : *w;
		*h += own_h + (row ? GAP : 0);
	}
}

static void paste(struct pixels *out, const struct pixels *in, uint32_t x, uint32_t y)
{
	for (uint32_t row = 0; row < in->h; row++)
		memcpy(out->rgb + ((size_t)(y + row) * out->w + x) * 3, in->rgb + (size_t)row * in->w * 3,
		       (size_t)in->w * 3);
}

static enum status compose(const struct together *t, struct pixels *out, struct err *err)
{
	uint32_t w, h, y = 0;
	enum status st;

	whole_size(t, false, &w, &h);
	st = pixels_alloc(out, w, h, err);
	if (st)
		return st;
	for (size_t i = 0; i < (size_t)w * h; i++) {
		out->rgb[3 * i] = t->background.r;
		out->rgb[3 * i + 1] = t->background.g;
		out->rgb[3 * i + 2] = t->background.b;
	}
	for (size_t row = 0; row < t->rows; row++) {
		uint32_t own_w, own_h, x = 0;

		row_size(t, row, false, &own_w, &own_h);
		for (size_t i = row * t->cols; i < t->n && i < (row + 1) * t->cols; i++) {
			paste(out, &t->part[i].px, x, y + (own_h - t->part[i].px.h) / 2);
			x += t->part[i].px.w + GAP;
		}
		y += own_h + GAP;
	}
	return OK;
}

struct loader {
	uint32_t w, h; /* of a place */
	double enlarge;
	struct decoder *decoder;
	const struct cancel *cancel;
};

/* *first: why the first that cannot be shown cannot. */
static enum status load_parts(struct together *t, const struct loader *l, struct err *first, struct err *err)
{
	enum status st = OK;

	for (size_t i = 0; i < t->n && !st; i++) {
		struct media_facts own;
		struct err why = ERR_INIT;

		st = media_load(t->path[i], l->w, l->h, l->enlarge, t->background, l->decoder, l->cancel, &own,
				&t->part[i].px, &why);
		if (st == E_CANCELLED || st == E_MEMORY) {
			*err = why;
		} else if (st) {
			if (!first->code)
				*first = why;
			st = put_frame(t, &t->part[i], l->w, l->h, err);
		} else {
			add_facts(t, &t->part[i], &own, i == t->failed);
		}
	}
	return st;
}

enum status media_load_together(const char *paths, uint32_t max_w, uint32_t max_h, double enlarge,
				struct media_rgb background, struct decoder *decoder,
				const struct cancel *cancel, struct media_facts *facts, struct pixels *out,
				struct err *err)
{
	struct together t = {.facts = {.orientation = 1}, .background = background};
	struct loader l = {.enlarge = enlarge, .decoder = decoder, .cancel = cancel};
	struct err first = ERR_INIT;
	enum status st;

	if (!strchr(paths, '\n') || access(paths, F_OK) == 0)
		return media_load(paths, max_w, max_h, enlarge, background, decoder, cancel, facts, out, err);
	*out = (struct pixels){0};
	*facts = t.facts;
	cut(&t, paths);
	choose_columns(&t, max_w, max_h);
	if (!t.cols) {
		free(t.paths);
		return err_set(err, E_USAGE, "there is no room for the pictures");
	}
	l.w = place(max_w, t.cols);
	l.h = place(max_h, t.rows);
	st = load_parts(&t, &l, &first, err);
	if (!st && t.failed == t.n) {
		*err = first;
		st = first.code;
	}
	if (!st)
		st = compose(&t, out, err);
	whole_size(&t, true, &t.facts.width, &t.facts.height);
	*facts = t.facts;
	for (size_t i = 0; i < t.n; i++)
		pixels_release(&t.part[i].px);
	free(t.paths);
	return st;
}
