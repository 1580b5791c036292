/*
 * Scaling in two steps: means of k × k blocks while whole blocks fit, then a separable Mitchell
 * filter for the rest. Both work on the stored (gamma) values, as picture viewers do.
 */
#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/media/decode.h"

/* For each place of the output: `taps` weights from input place first[i] on; they sum to 1. */
struct kernel {
	uint32_t taps;
	uint32_t *first;
	float *weight; /* taps for each place */
};

static double mitchell(double x)
{
	x = fabs(x);
	if (x < 1)
		return (16 + x * x * (21 * x - 36)) / 18;
	if (x < 2)
		return (32 + x * (-60 + x * (36 - 7 * x))) / 18;
	return 0;
}

static void kernel_release(struct kernel *k)
{
	free(k->first);
	free(k->weight);
}

/* `extent`: how much of the n_in places the picture covers; the last one may be a block mean of
 * fewer pixels than the others. */
static void fill_place(struct kernel *k, uint32_t i, uint32_t n_in, double extent, double centre,
		       double spread)
{
	float *w = k->weight + (size_t)i * k->taps;
	double from = ceil(centre - 2 * spread - 0.5), sum = 0;
	uint32_t last = n_in - k->taps;

	k->first[i] = from <= 0 ? 0 : from >= last ? last : (uint32_t)from;
	for (uint32_t t = 0; t < k->taps; t++) {
		uint32_t at = k->first[i] + t;
		double width = at == n_in - 1 ? extent - at : 1;

		w[t] = (float)(width * mitchell((at + width / 2 - centre) / spread));
		sum += w[t];
	}
	for (uint32_t t = 0; t < k->taps; t++)
		w[t] = (float)(w[t] / sum);
}

static void kernel_init(struct kernel *k, uint32_t n_in, double extent, uint32_t n_out)
{
	double ratio = extent / n_out, spread = ratio > 1 ? ratio : 1;
	double taps = ceil(4 * spread) + 1;

	k->taps = taps < n_in ? (uint32_t)taps : n_in;
	k->first = xmalloc(n_out * sizeof *k->first);
	k->weight = xmalloc((size_t)n_out * k->taps * sizeof *k->weight);
	for (uint32_t i = 0; i < n_out; i++)
		fill_place(k, i, n_in, extent, (i + 0.5) * ratio, spread);
}

static void blend_rows(const struct pixels *in, const struct kernel *k, uint32_t y, float *row)
{
	size_t n = (size_t)in->w * 3;
	const float *w = k->weight + (size_t)y * k->taps;

	for (size_t i = 0; i < n; i++)
		row[i] = 0;
	for (uint32_t t = 0; t < k->taps; t++) {
		const uint8_t *s = in->rgb + (k->first[y] + t) * n;

		if (w[t] == 0)
			continue;
		for (size_t i = 0; i < n; i++)
			row[i] += w[t] * s[i];
	}
}

static uint8_t clamped(float v)
{
	return v <= 0 ? 0 : v >= 255 ? 255 : (uint8_t)(v + 0.5f);
}

static void blend_columns(const float *row, const struct kernel *k, uint32_t w_out, uint8_t *to)
{
	for (uint32_t x = 0; x < w_out; x++) {
		const float *w = k->weight + (size_t)x * k->taps;
		const float *s = row + (size_t)k->first[x] * 3;
		float r = 0, g = 0, b = 0;

		for (uint32_t t = 0; t < k->taps; t++, s += 3) {
			r += w[t] * s[0];
			g += w[t] * s[1];
			b += w[t] * s[2];
		}
		*to++ = clamped(r);
		*to++ = clamped(g);
		*to++ = clamped(b);
	}
}

static enum status filter(const struct pixels *in, double extent_w, double extent_h, uint32_t w,
			  uint32_t h, struct pixels *out, struct err *err)
{
	struct kernel kx, ky;
	enum status rc = pixels_alloc(out, w, h, err);
	float *row;

	if (rc)
		return rc;
	kernel_init(&kx, in->w, extent_w, w);
	kernel_init(&ky, in->h, extent_h, h);
	row = xmalloc((size_t)in->w * 3 * sizeof *row);
	for (uint32_t y = 0; y < h; y++) {
		blend_rows(in, &ky, y, row);
		blend_columns(row, &kx, w, out->rgb + (size_t)y * w * 3);
	}
	free(row);
	kernel_release(&kx);
	kernel_release(&ky);
	return OK;
}

/* How many whole places of the input go into one of the output. */
static uint32_t whole(double extent, uint32_t n_out)
{
	double k = extent / n_out;

	return k < 1 ? 1 : k > REDUCE_MAX ? REDUCE_MAX : (uint32_t)k;
}

enum status scale_extent(const struct pixels *in, double extent_w, double extent_h, uint32_t w,
			 uint32_t h, struct pixels *out, struct err *err)
{
	uint32_t kx = whole(extent_w, w), ky = whole(extent_h, h);
	struct samples samples = {in->rgb, in->w, in->h, 3};
	struct pixels small;
	enum status rc;

	if (kx == 1 && ky == 1 && (extent_w != w || extent_h != h))
		return filter(in, extent_w, extent_h, w, h, out, err);
	rc = reduce_samples(&samples, kx, ky, (struct media_rgb){0, 0, 0}, &small, err);
	if (rc)
		return rc;
	if (extent_w / kx == w && extent_h / ky == h) {
		*out = small;
		return OK;
	}
	rc = filter(&small, extent_w / kx, extent_h / ky, w, h, out, err);
	pixels_release(&small);
	return rc;
}

enum status media_scale(const struct pixels *in, uint32_t w, uint32_t h, struct pixels *out,
			struct err *err)
{
	return scale_extent(in, in->w, in->h, w, h, out, err);
}
