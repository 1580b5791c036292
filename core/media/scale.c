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

static void fill_place(struct kernel *k, uint32_t i, uint32_t n_in, double centre, double spread)
{
	float *w = k->weight + (size_t)i * k->taps;
	double from = ceil(centre - 2 * spread - 0.5), sum = 0;
	uint32_t last = n_in - k->taps;

	k->first[i] = from <= 0 ? 0 : from >= last ? last : (uint32_t)from;
	for (uint32_t t = 0; t < k->taps; t++) {
		w[t] = (float)mitchell((k->first[i] + t + 0.5 - centre) / spread);
		sum += w[t];
	}
	for (uint32_t t = 0; t < k->taps; t++)
		w[t] = (float)(w[t] / sum);
}

/* `extent`: how much of the n_in places the picture covers (the last block mean may stand for
 * fewer pixels than the others). */
static void kernel_init(struct kernel *k, uint32_t n_in, double extent, uint32_t n_out)
{
	double ratio = extent / n_out, spread = ratio > 1 ? ratio : 1;
	double taps = ceil(4 * spread) + 1;

	k->taps = taps < n_in ? (uint32_t)taps : n_in;
	k->first = xmalloc(n_out * sizeof *k->first);
	k->weight = xmalloc((size_t)n_out * k->taps * sizeof *k->weight);
	for (uint32_t i = 0; i < n_out; i++)
		fill_place(k, i, n_in, (i + 0.5) * ratio, spread);
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

enum status media_scale(const struct pixels *in, uint32_t w, uint32_t h, struct pixels *out,
			struct err *err)
{
	uint32_t k = reduce_factor(in->w, in->h, w, h);
	struct samples samples = {in->rgb, in->w, in->h, 3};
	struct pixels small;
	enum status rc;

	if (k == 1 && (in->w != w || in->h != h))
		return filter(in, in->w, in->h, w, h, out, err);
	rc = reduce_samples(&samples, k, (struct media_rgb){0, 0, 0}, &small, err);
	if (rc)
		return rc;
	if (small.w == w && small.h == h) {
		*out = small;
		return OK;
	}
	rc = filter(&small, (double)in->w / k, (double)in->h / k, w, h, out, err);
	pixels_release(&small);
	return rc;
}
