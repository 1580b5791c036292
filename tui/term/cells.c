#include "tui/term/cells.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/utf8.h"
#include "core/base/xmalloc.h"
#include "tui/term/text.h"

#define SIDE_MAX 4096

static int clamp(int v, int lo, int hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

static struct cell *raw_at(const struct cells *c, int y, int x)
{
	return &c->cell[(size_t)y * (size_t)c->w + (size_t)x];
}

static void blank(struct cell *cell, unsigned char style)
{
	memset(cell, 0, sizeof *cell);
	cell->width = 1;
	cell->style = style;
}

void cells_resize(struct cells *c, int h, int w)
{
	size_t n;

	h = clamp(h, 0, SIDE_MAX);
	w = clamp(w, 0, SIDE_MAX);
	n = (size_t)h * (size_t)w;
	if (h != c->h || w != c->w || !c->cell) {
		free(c->cell);
		c->cell = n ? xcalloc(n, sizeof *c->cell) : NULL;
		c->h = h;
		c->w = w;
	}
	for (size_t i = 0; i < n; i++)
		blank(&c->cell[i], STYLE_NORMAL);
}

void cells_release(struct cells *c)
{
	free(c->cell);
	*c = (struct cells){0};
}

struct cell *cells_at(const struct cells *c, int y, int x)
{
	return y >= 0 && y < c->h && x >= 0 && x < c->w ? raw_at(c, y, x) : NULL;
}

/* Before cells [x, x+w) of row y are written: the halves of wide cells that stick out go blank. */
static void cut_edges(struct cells *c, int y, int x, int w)
{
	struct cell *cell;

	if (w <= 0)
		return;
	cell = raw_at(c, y, x);
	if (cell->width == 0 && x > 0) {
		blank(cell - 1, cell[-1].style);
		blank(cell, cell->style);
	}
	cell = raw_at(c, y, x + w - 1);
	if (cell->width == 2 && x + w < c->w) {
		blank(cell + 1, cell[1].style);
		blank(cell, cell->style);
	}
}

static struct rect clipped(const struct cells *c, struct rect r)
{
	int y1, x1;

	if (r.h <= 0 || r.w <= 0)
		return (struct rect){0, 0, 0, 0};
	y1 = r.h > SIDE_MAX * 4 ? c->h : clamp(r.y + r.h, 0, c->h);
	x1 = r.w > SIDE_MAX * 4 ? c->w : clamp(r.x + r.w, 0, c->w);
	r.y = clamp(r.y, 0, c->h);
	r.x = clamp(r.x, 0, c->w);
	r.h = y1 > r.y ? y1 - r.y : 0;
	r.w = x1 > r.x ? x1 - r.x : 0;
	return r;
}

void cells_fill(struct cells *c, struct rect r, enum style style)
{
	r = clipped(c, r);
	for (int y = r.y; y < r.y + r.h; y++) {
		cut_edges(c, y, r.x, r.w);
		for (int x = r.x; x < r.x + r.w; x++)
			blank(raw_at(c, y, x), (unsigned char)style);
	}
}

void cells_restyle(struct cells *c, struct rect r, enum style style)
{
	r = clipped(c, r);
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++) {
			raw_at(c, y, x)->style = (unsigned char)style;
			raw_at(c, y, x)->colored = false;
		}
}

/* A cluster of one or two columns that lies wholly inside the grid. */
static void put_cluster(struct cells *c, int y, int x, enum style style, const struct cluster *cl)
{
	struct cell *cell = raw_at(c, y, x);
	unsigned char st = (unsigned char)(cl->unsafe ? STYLE_UNSAFE : style);

	cut_edges(c, y, x, cl->width);
	blank(cell, st);
	if (cl->width == 2 && cl->show[0] == '^' && cl->show[1]) { /* two columns of ASCII */
		cell->text[0] = '^';
		blank(cell + 1, st);
		cell[1].text[0] = cl->show[1];
		return;
	}
	if (strcmp(cl->show, " ") != 0)
		memcpy(cell->text, cl->show, strlen(cl->show));
	if (cl->width == 2) {
		cell->width = 2;
		blank(cell + 1, st);
		cell[1].width = 0;
	}
}

int cells_put(struct cells *c, int y, int x, int max_w, enum style style, struct str s)
{
	bool on = y >= 0 && y < c->h;
	struct cluster cl;
	int used = 0;

	while (s.n) {
		int at = x + used;

		text_cluster(s, &cl);
		if (used + cl.width > max_w || at >= c->w)
			break;
		if (on && at >= 0 && at + cl.width <= c->w)
			put_cluster(c, y, at, style, &cl);
		else if (on && at + cl.width > 0) /* half of a wide one is inside */
			cells_fill(c, (struct rect){y, at, 1, cl.width}, style);
		used += cl.width;
		s.p += cl.bytes;
		s.n -= cl.bytes;
	}
	return used;
}

int cells_putz(struct cells *c, int y, int x, int max_w, enum style style, const char *z)
{
	return cells_put(c, y, x, max_w, style, str_z(z));
}

int cells_printf(struct cells *c, int y, int x, int max_w, enum style style, const char *fmt, ...)
{
	struct buf b = BUF_INIT;
	char small[256];
	va_list ap;
	int n, used;

	va_start(ap, fmt);
	n = vsnprintf(small, sizeof small, fmt, ap);
	va_end(ap);
	if (n < 0)
		return 0;
	if ((size_t)n < sizeof small)
		return cells_put(c, y, x, max_w, style, (struct str){small, (size_t)n});
	if (buf_reserve(&b, (size_t)n)) {
		va_start(ap, fmt);
		vsnprintf(b.p, (size_t)n + 1, fmt, ap);
		va_end(ap);
		b.n = (size_t)n;
	}
	used = cells_put(c, y, x, max_w, style, buf_view(&b));
	buf_release(&b);
	return used;
}

void cells_set_color(struct cells *c, int y, int x, uint32_t cp, const uint8_t fg[3],
		     const uint8_t bg[3])
{
	struct cell *cell = cells_at(c, y, x);
	struct cluster cl;
	char utf8[4];

	if (!cell)
		return;
	text_cluster((struct str){utf8, utf8_encode(cp, utf8)}, &cl);
	if (cl.width != 1 || cl.unsafe)
		memcpy(cl.show, "?", 2);
	cut_edges(c, y, x, 1);
	blank(cell, STYLE_PICTURE);
	if (strcmp(cl.show, " ") != 0)
		memcpy(cell->text, cl.show, strlen(cl.show));
	cell->colored = true;
	memcpy(cell->fg, fg, 3);
	memcpy(cell->bg, bg, 3);
}
