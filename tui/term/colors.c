#include "tui/term/colors.h"

static const struct media_rgb sixteen[16] = {
    {0, 0, 0},       {205, 0, 0},   {0, 205, 0},   {205, 205, 0}, {0, 0, 238},   {205, 0, 205},
    {0, 205, 205},   {229, 229, 229}, {127, 127, 127}, {255, 0, 0},   {0, 255, 0},   {255, 255, 0},
    {92, 92, 255},   {255, 0, 255}, {0, 255, 255}, {255, 255, 255},
};

static const int levels[6] = {0, 95, 135, 175, 215, 255};

struct media_rgb color_of_palette(int i)
{
	if (i < 16)
		return sixteen[i < 0 ? 0 : i];
	if (i >= 232) {
		uint8_t grey = (uint8_t)(8 + 10 * ((i > 255 ? 255 : i) - 232));

		return (struct media_rgb){grey, grey, grey};
	}
	i -= 16;
	return (struct media_rgb){(uint8_t)levels[i / 36], (uint8_t)levels[i / 6 % 6],
				  (uint8_t)levels[i % 6]};
}

static int distance(struct media_rgb a, struct media_rgb b)
{
	int r = a.r - b.r, g = a.g - b.g, u = a.b - b.b;

	return 2 * r * r + 4 * g * g + 3 * u * u;
}

static int level_of(int v)
{
	return v < 48 ? 0 : v < 115 ? 1 : (v - 35) / 40;
}

int color_nearest_256(struct media_rgb c)
{
	int cube = 16 + 36 * level_of(c.r) + 6 * level_of(c.g) + level_of(c.b);
	int mean = (c.r + c.g + c.b) / 3;
	int grey = mean < 8 ? 232 : mean > 238 ? 255 : 232 + (mean - 3) / 10;

	return distance(c, color_of_palette(grey)) < distance(c, color_of_palette(cube)) ? grey
											  : cube;
}

int color_nearest_of(struct media_rgb c, int n)
{
	int best = 0;

	for (int i = 1; i < n && i < 16; i++)
		if (distance(c, sixteen[i]) < distance(c, sixteen[best]))
			best = i;
	return best;
}

int color_for_rgb(struct media_rgb c, int n)
{
	if (n > 256) {
		int v = c.r << 16 | c.g << 8 | c.b;

		return v < 8 ? 8 : v; /* 0..7 are the palette there, too */
	}
	return n == 256 ? color_nearest_256(c) : color_nearest_of(c, n);
}

int color_for(int index, int n)
{
	static const int eight[8] = {7, 1, 2, 3, 6, 5, 6, 7}; /* legible rather than near */

	if (n == 8 && index >= 8 && index < 16)
		return eight[index - 8];
	if (index < 0 || index < n)
		return index < 0 || n <= 256 || index < 8 ? index
							  : color_for_rgb(color_of_palette(index), n);
	return color_nearest_of(color_of_palette(index), n);
}
