#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/media/decode.h"

_Static_assert(255ull * REDUCE_MAX * REDUCE_MAX <= UINT32_MAX, "the sums of a block are 32 bits");

void pixels_release(struct pixels *p)
{
	free(p->rgb);
	*p = (struct pixels){0, 0, NULL};
}

enum status pixels_alloc(struct pixels *p, uint32_t w, uint32_t h, struct err *err)
{
	size_t n = (size_t)w * h;

	*p = (struct pixels){0, 0, NULL};
	if (w == 0 || h == 0 || w > MEDIA_MAX_SIDE || h > MEDIA_MAX_SIDE || n > MEDIA_MAX_PIXELS)
		return err_set(err, E_LIMIT, "%u × %u pixels are more than can be held", w, h);
	p->rgb = mem_try(n * 3);
	if (!p->rgb)
		return err_set(err, E_MEMORY, "no memory for %u × %u pixels", w, h);
	p->w = w;
	p->h = h;
	return OK;
}

enum status media_cut(const struct pixels *in, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
		      struct pixels *out, struct err *err)
{
	enum status st = pixels_alloc(out, w, h, err);

	for (uint32_t row = 0; st == OK && row < h; row++)
		memcpy(out->rgb + (size_t)row * w * 3, in->rgb + ((size_t)(y + row) * in->w + x) * 3,
		       (size_t)w * 3);
	return st;
}

static uint32_t limited(uint32_t k)
{
	return k < 1 ? 1 : k > REDUCE_MAX ? REDUCE_MAX : k;
}

uint32_t reduce_factor(uint32_t w, uint32_t h, const struct decode_want *want)
{
	uint32_t kx = w / want->w, ky = h / want->h;

	return limited(kx < ky ? kx : ky);
}

static uint8_t over(unsigned c, unsigned alpha, unsigned background)
{
	return (uint8_t)((c * alpha + background * (255 - alpha) + 127) / 255);
}

/* One sample as RGB on the background. */
static inline void rgb_of(const uint8_t *s, int n, struct media_rgb bg, uint8_t rgb[3])
{
	unsigned alpha = n == 2 ? s[1] : n == 4 ? s[3] : 255;
	int step = n >= 3;

	for (int c = 0; c < 3; c++)
		rgb[c] = s[c * step];
	if (alpha == 255)
		return;
	rgb[0] = over(rgb[0], alpha, bg.r);
	rgb[1] = over(rgb[1], alpha, bg.g);
	rgb[2] = over(rgb[2], alpha, bg.b);
}

static void add_row(const struct samples *in, uint32_t y, uint32_t kx, struct media_rgb bg,
		    uint32_t *sum)
{
	const uint8_t *s = in->p + (size_t)y * in->w * (size_t)in->n;
	uint32_t left = kx;

	for (uint32_t x = 0; x < in->w; x++, s += in->n) {
		uint8_t rgb[3];

		rgb_of(s, in->n, bg, rgb);
		sum[0] += rgb[0];
		sum[1] += rgb[1];
		sum[2] += rgb[2];
		if (--left == 0) {
			left = kx;
			sum += 3;
		}
	}
}

static void put_means(const uint32_t *sum, uint32_t in_w, uint32_t kx, uint32_t rows, uint8_t *out)
{
	for (uint32_t x = 0; x < in_w; x += kx) {
		uint32_t n = (in_w - x < kx ? in_w - x : kx) * rows;

		for (int c = 0; c < 3; c++)
			*out++ = (uint8_t)((*sum++ + n / 2) / n);
	}
}

static void convert(const struct samples *in, struct media_rgb bg, uint8_t *out)
{
	size_t n = (size_t)in->w * in->h;

	if (in->n == 3)
		memcpy(out, in->p, n * 3);
	else
		for (size_t i = 0; i < n; i++)
			rgb_of(in->p + i * (size_t)in->n, in->n, bg, out + i * 3);
}

static void reduce_rows(const struct samples *in, uint32_t kx, uint32_t ky, struct media_rgb bg,
			uint32_t *sum, struct pixels *out)
{
	size_t row = (size_t)out->w * 3;

	for (uint32_t y = 0, oy = 0; y < in->h; y += ky, oy++) {
		uint32_t rows = in->h - y < ky ? in->h - y : ky;

		memset(sum, 0, row * sizeof *sum);
		for (uint32_t i = 0; i < rows; i++)
			add_row(in, y + i, kx, bg, sum);
		put_means(sum, in->w, kx, rows, out->rgb + oy * row);
	}
}

enum status reduce_samples(const struct samples *in, uint32_t kx, uint32_t ky,
			   struct media_rgb background, struct pixels *out, struct err *err)
{
	enum status rc;
	uint32_t *sum;

	kx = limited(kx);
	ky = limited(ky);
	rc = pixels_alloc(out, (in->w + kx - 1) / kx, (in->h + ky - 1) / ky, err);
	if (rc)
		return rc;
	if (kx == 1 && ky == 1) {
		convert(in, background, out->rgb);
		return OK;
	}
	sum = mem_try((size_t)out->w * 3 * sizeof *sum);
	if (!sum) {
		pixels_release(out);
		return err_set(err, E_MEMORY, "no memory for a row of the picture");
	}
	reduce_rows(in, kx, ky, background, sum, out);
	free(sum);
	return OK;
}

enum status reduce_to_want(const struct samples *in, const struct decode_want *want,
			   struct decoded *out, struct err *err)
{
	out->step = reduce_factor(in->w, in->h, want);
	return reduce_samples(in, out->step, out->step, want->background, &out->px, err);
}
