/* Small numbers in pictures, where text cannot stand. */
#include "tui/view/sheet_impl.h"

enum { GLYPH_W = 3, GLYPH_H = 5, MARGIN = 1 };

/* Rows of three bits, the left one first. */
static const uint8_t glyph[10][GLYPH_H] = {{7, 5, 5, 5, 7}, {2, 6, 2, 2, 7}, {7, 1, 7, 4, 7}, {7, 1, 7, 1, 7},
					   {5, 5, 7, 1, 1}, {7, 4, 7, 1, 7}, {7, 4, 7, 5, 7}, {7, 1, 1, 1, 1},
					   {7, 5, 7, 5, 7}, {7, 5, 7, 1, 7}};

struct ink {
	struct pixels *px;
	uint32_t x, y, scale;
};

/* A point of the glyphs' raster. */
static void point(const struct ink *k, uint32_t x, uint32_t y, uint8_t light)
{
	for (uint32_t dy = 0; dy < k->scale; dy++)
		for (uint32_t dx = 0; dx < k->scale; dx++) {
			uint32_t px = k->x + x * k->scale + dx, py = k->y + y * k->scale + dy;

			if (px < k->px->w && py < k->px->h)
				memset(k->px->rgb + ((size_t)py * k->px->w + px) * 3, light, 3);
		}
}

static void digit(const struct ink *k, uint32_t at, int d)
{
	for (uint32_t y = 0; y < GLYPH_H; y++)
		for (uint32_t x = 0; x < GLYPH_W; x++)
			if (glyph[d][y] >> (GLYPH_W - 1 - x) & 1)
				point(k, at + x, y + MARGIN, 0xff);
}

/* White on black, so that it can be read on any picture. */
void sheet_number(struct pixels *px, uint32_t x, uint32_t y, int number, int one_cell)
{
	struct ink k = {px, x, y, one_cell >= 20 ? 2 : 1};
	uint32_t n = number > 9 ? 2 : 1, w = n * (GLYPH_W + 1) + MARGIN;

	for (uint32_t r = 0; r < GLYPH_H + 2 * MARGIN; r++)
		for (uint32_t c = 0; c < w; c++)
			point(&k, c, r, 0);
	if (n > 1)
		digit(&k, MARGIN, number / 10 % 10);
	digit(&k, MARGIN + (n - 1) * (GLYPH_W + 1), number % 10);
}
