#include "core/media/palette.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"

#define SLOTS      1024 /* of the set of colours seen; at least twice the palette */
#define CACHE_BITS 5    /* a channel's part in the cache of nearest entries */
#define CACHE_SIZE (1u << 3 * CACHE_BITS)

uint8_t palette_shown(unsigned v)
{
	unsigned percent = (v * 100 + 127) / 255;

	return (uint8_t)((percent * 255 + 50) / 100);
}

static uint32_t packed(const uint8_t *rgb)
{
	return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

/* True if the colour is in the set after the call without being new. */
static bool seen(uint32_t set[SLOTS], uint32_t colour)
{
	uint32_t at = (colour * 2654435761u) >> 22;

	for (; set[at]; at = (at + 1) % SLOTS)
		if (set[at] == colour + 1)
			return true;
	set[at] = colour + 1; /* so that 0 is an empty slot */
	return false;
}

bool palette_exact(const struct pixels *in, int max, struct palette *out)
{
	uint32_t set[SLOTS] = {0}, last = UINT32_MAX;
	size_t n = (size_t)in->w * in->h;

	out->n = 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t colour = packed(in->rgb + i * 3);

		if (colour == last || seen(set, colour))
			continue;
		last = colour;
		if (out->n == max)
			return false;
		memcpy(out->rgb[out->n++], in->rgb + i * 3, 3);
	}
	return true;
}

/* --- the nearest entry --- */

struct nearest {
	const struct palette *pal;
	uint16_t *cache; /* entry + 1 for each bucket of colours; 0: not looked up yet */
};

static int search(const struct palette *pal, const int v[3])
{
	int best = 0, best_d = 1 << 30;

	for (int i = 0; i < pal->n; i++) {
		int r = v[0] - pal->rgb[i][0], g = v[1] - pal->rgb[i][1], b = v[2] - pal->rgb[i][2];
		int d = r * r + g * g + b * b;

		if (d < best_d) {
			best_d = d;
			best = i;
		}
	}
	return best;
}

static int nearest(struct nearest *q, const int v[3])
{
	unsigned key = 0;
	int middle[3];

	for (int c = 0; c < 3; c++) {
		unsigned bits = (unsigned)v[c] >> (8 - CACHE_BITS);

		key = key << CACHE_BITS | bits;
		middle[c] = (int)(bits << (8 - CACHE_BITS) | 1u << (7 - CACHE_BITS));
	}
	if (!q->cache[key])
		q->cache[key] = (uint16_t)(search(q->pal, middle) + 1);
	return q->cache[key] - 1;
}

/* --- Floyd and Steinberg --- */

static int clamp(int v)
{
	return v < 0 ? 0 : v > 255 ? 255 : v;
}

/* Errors are kept in sixteenths, one pixel of margin at both ends. */
static void dither_row(struct nearest *q, const uint8_t *px, uint32_t w, const int *err, int *below,
		       uint8_t base, uint8_t *index)
{
	int carry[3] = {0, 0, 0};

	for (uint32_t x = 0; x < w; x++, px += 3, err += 3, below += 3) {
		int v[3], entry;

		for (int c = 0; c < 3; c++)
			v[c] = clamp(px[c] + (err[3 + c] + carry[c]) / 16);
		entry = nearest(q, v);
		index[x] = (uint8_t)(base + entry);
		for (int c = 0; c < 3; c++) {
			int e = v[c] - q->pal->rgb[entry][c];

			carry[c] = 7 * e;
			below[c] += 3 * e;
			below[3 + c] += 5 * e;
			below[6 + c] += e;
		}
	}
}

static void dither_all(struct nearest *q, const struct pixels *in, uint8_t base, uint8_t *index,
		       size_t stride)
{
	size_t n = ((size_t)in->w + 2) * 3;
	int *rows = xcalloc(2 * n, sizeof *rows), *err = rows, *below = rows + n;

	for (uint32_t y = 0; y < in->h; y++) {
		int *t = err;

		dither_row(q, in->rgb + (size_t)y * in->w * 3, in->w, err, below, base,
			   index + y * stride);
		memset(err, 0, n * sizeof *err);
		err = below;
		below = t;
	}
	free(rows);
}

static void map_all(const struct palette *pal, const struct pixels *in, uint8_t base,
		    uint8_t *index, size_t stride)
{
	uint32_t last = UINT32_MAX;
	int entry = 0;

	for (uint32_t y = 0; y < in->h; y++)
		for (uint32_t x = 0; x < in->w; x++) {
			const uint8_t *px = in->rgb + ((size_t)y * in->w + x) * 3;

			if (packed(px) != last)
				entry = search(pal, (const int[3]){px[0], px[1], px[2]});
			last = packed(px);
			index[y * stride + x] = (uint8_t)(base + entry);
		}
}

void palette_apply(const struct palette *pal, const struct pixels *in, bool dither, uint8_t base,
		   uint8_t *index, size_t stride)
{
	struct nearest q = {pal, NULL};

	if (!dither) {
		map_all(pal, in, base, index, stride);
		return;
	}
	q.cache = xcalloc(CACHE_SIZE, sizeof *q.cache);
	dither_all(&q, in, base, index, stride);
	free(q.cache);
}
