#include <math.h>

#include "core/media/decode.h"

/* The picture scaled for a grid of points, `across` × `down` of them a cell. */
struct grid {
	uint32_t cols, rows, across, down;
	uint32_t x, y; /* where the picture starts, in points */
	struct pixels px;
	struct media_rgb background;
};

static uint32_t points(double v, uint32_t max)
{
	long n = lround(v);

	return n < 1 ? 1 : n > (long)max ? max : (uint32_t)n;
}

/* Cells are taken as twice as high as wide. */
static enum status grid_init(struct grid *g, const struct pixels *in, struct err *err)
{
	double scale = fmin((double)g->cols / in->w, 2.0 * g->rows / in->h);
	uint32_t all_w = g->cols * g->across, all_h = g->rows * g->down;
	uint32_t w = points(in->w * scale * g->across, all_w);
	uint32_t h = points(in->h * scale / 2 * g->down, all_h);

	g->x = (all_w - w) / 2;
	g->y = (all_h - h) / 2;
	return media_scale(in, w, h, &g->px, err);
}

static struct media_rgb point(const struct grid *g, uint32_t x, uint32_t y)
{
	const uint8_t *p;

	if (x < g->x || y < g->y || x - g->x >= g->px.w || y - g->y >= g->px.h)
		return g->background;
	p = g->px.rgb + ((size_t)(y - g->y) * g->px.w + (x - g->x)) * 3;
	return (struct media_rgb){p[0], p[1], p[2]};
}

static int brightness(struct media_rgb c)
{
	return (299 * c.r + 587 * c.g + 114 * c.b + 500) / 1000;
}

static bool same(struct media_rgb a, struct media_rgb b)
{
	return a.r == b.r && a.g == b.g && a.b == b.b;
}

/* --- the three kinds; x and y in cells --- */

static struct block_cell ascii_cell(const struct grid *g, uint32_t x, uint32_t y)
{
	static const char ramp[] = " .:-=+*#%@";
	int v = brightness(point(g, x, y));

	if (brightness(g->background) > 127)
		v = 255 - v;
	return (struct block_cell){(uint8_t)ramp[v * 10 / 256], {0, 0, 0}, {0, 0, 0}};
}

static struct block_cell half_cell(const struct grid *g, uint32_t x, uint32_t y)
{
	struct media_rgb upper = point(g, x, 2 * y), lower = point(g, x, 2 * y + 1);

	return (struct block_cell){same(upper, lower) ? ' ' : 0x2580, upper, lower};
}

/* The mean of those of the four points whose bit in `mask` is `on`, and how far off they are. */
static struct media_rgb mean_of(const struct media_rgb p[4], unsigned mask, unsigned on, int *off)
{
	int r = 0, g = 0, b = 0, n = 0;
	struct media_rgb m = {0, 0, 0};

	for (unsigned i = 0; i < 4; i++)
		if ((mask >> i & 1) == on)
			r += p[i].r, g += p[i].g, b += p[i].b, n++;
	if (n == 0)
		return m;
	m = (struct media_rgb){(uint8_t)((r + n / 2) / n), (uint8_t)((g + n / 2) / n),
			       (uint8_t)((b + n / 2) / n)};
	for (unsigned i = 0; i < 4; i++)
		if ((mask >> i & 1) == on)
			*off += (p[i].r - m.r) * (p[i].r - m.r) + (p[i].g - m.g) * (p[i].g - m.g) +
				(p[i].b - m.b) * (p[i].b - m.b);
	return m;
}

/* Of the eight ways to share four points among two colours, the one that is least off. Bits of a
 * mask: upper left, upper right, lower left; the lower right is always background. */
static struct block_cell quadrant_cell(const struct grid *g, uint32_t x, uint32_t y)
{
	static const uint32_t glyph[8] = {' ',    0x2598, 0x259d, 0x2580,
					  0x2596, 0x258c, 0x259e, 0x259b};
	const struct media_rgb p[4] = {point(g, 2 * x, 2 * y), point(g, 2 * x + 1, 2 * y),
				       point(g, 2 * x, 2 * y + 1), point(g, 2 * x + 1, 2 * y + 1)};
	struct block_cell best = {0};
	int least = -1;

	for (unsigned mask = 0; mask < 8; mask++) {
		int off = 0;
		struct block_cell c = {.cp = glyph[mask]};

		c.bg = mean_of(p, mask, 0, &off);
		c.fg = mask ? mean_of(p, mask, 1, &off) : c.bg;
		if (least < 0 || off < least) {
			least = off;
			best = c;
		}
	}
	return best;
}

enum status blocks_render(const struct pixels *in, enum blocks_kind kind, uint32_t cols,
			  uint32_t rows, struct media_rgb background, struct block_cell *cells,
			  struct err *err)
{
	struct grid g = {.cols = cols, .rows = rows, .background = background};
	enum status rc;

	if (in->w == 0 || in->h == 0 || cols == 0 || rows == 0 || cols > MEDIA_MAX_SIDE / 2 ||
	    rows > MEDIA_MAX_SIDE / 2)
		return err_set(err, E_USAGE, "no picture of %u × %u cells", cols, rows);
	g.across = kind == BLOCKS_QUADRANT ? 2 : 1;
	g.down = kind == BLOCKS_ASCII ? 1 : 2;
	rc = grid_init(&g, in, err);
	if (rc)
		return rc;
	for (uint32_t y = 0; y < rows; y++)
		for (uint32_t x = 0; x < cols; x++)
			*cells++ = kind == BLOCKS_ASCII  ? ascii_cell(&g, x, y)
				   : kind == BLOCKS_HALF ? half_cell(&g, x, y)
							 : quadrant_cell(&g, x, y);
	pixels_release(&g.px);
	return OK;
}
