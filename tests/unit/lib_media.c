#include "tests/unit/lib_media.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

struct file write_file(struct str bytes)
{
	struct file f = {"/tmp/qualm-media-XXXXXX"};
	int fd = mkstemp(f.path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes.p, bytes.n), (ssize_t)bytes.n);
	close(fd);
	return f;
}

struct loaded load(struct buf bytes, uint32_t w, uint32_t h, struct decoder *d)
{
	struct loaded r = {.err = ERR_INIT};
	struct file f = write_file(buf_view(&bytes));

	buf_release(&bytes);
	r.rc = media_load(f.path, w, h, 1, black, d, NULL, &r.facts, &r.px, &r.err);
	unlink(f.path);
	return r;
}

struct loaded load_ok(struct buf bytes, uint32_t w, uint32_t h, struct decoder *d)
{
	struct loaded r = load(bytes, w, h, d);

	if (r.rc)
		fail_msg("%s", r.err.msg);
	assert_int_equal(r.err.code, OK);
	return r;
}

const uint8_t *at(const struct pixels *p, uint32_t x, uint32_t y)
{
	assert_true(x < p->w && y < p->h);
	return p->rgb + ((size_t)y * p->w + x) * 3;
}

void expect_near(const uint8_t *rgb, int r, int g, int b, int off)
{
	if (abs(rgb[0] - r) > off || abs(rgb[1] - g) > off || abs(rgb[2] - b) > off)
		fail_msg("%d,%d,%d is not %d,%d,%d", rgb[0], rgb[1], rgb[2], r, g, b);
}

double psnr(const struct pixels *a, const struct pixels *b)
{
	size_t n = (size_t)a->w * a->h * 3;
	double sum = 0;

	assert_true(a->w == b->w && a->h == b->h);
	for (size_t i = 0; i < n; i++)
		sum += (a->rgb[i] - b->rgb[i]) * (double)(a->rgb[i] - b->rgb[i]);
	return sum > 0 ? 10 * log10(255.0 * 255.0 * (double)n / sum) : 99;
}

unsigned gradient8(uint32_t x, uint32_t y, int c)
{
	return c == 0 ? x * 10 : c == 1 ? y * 10 : c == 2 ? 77 : 255;
}
