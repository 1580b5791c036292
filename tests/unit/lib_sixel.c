#include "tests/unit/lib_sixel.h"

#include <stdlib.h>
#include <string.h>

#define SIDE_MAX 8192

struct reader {
	const char *p, *end;
	uint32_t w, h;
	uint8_t *rgb, *set; /* set: this pixel has got a colour */
	uint8_t palette[256][3];
	bool defined[256];
	int color;
	uint32_t x, y; /* y: top of the band */
};

static bool number(struct reader *r, long *out)
{
	const char *from = r->p;

	for (*out = 0; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++)
		if (*out < 1000000)
			*out = *out * 10 + (*r->p - '0');
	return r->p > from;
}

/* Up to `max` numbers separated by semicolons. */
static size_t numbers(struct reader *r, long *v, size_t max)
{
	size_t n = 0;

	while (n < max && number(r, &v[n])) {
		n++;
		if (r->p >= r->end || *r->p != ';')
			break;
		r->p++;
	}
	return n;
}

static bool skip(struct reader *r, char c)
{
	if (r->p >= r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

static bool read_header(struct reader *r)
{
	long v[4];

	if (!skip(r, '\033') || !skip(r, 'P'))
		return false;
	numbers(r, v, 3);
	if (!skip(r, 'q') || !skip(r, '"') || numbers(r, v, 4) != 4)
		return false;
	if (v[0] != 1 || v[1] != 1 || v[2] < 1 || v[3] < 1 || v[2] > SIDE_MAX || v[3] > SIDE_MAX)
		return false;
	r->w = (uint32_t)v[2];
	r->h = (uint32_t)v[3];
	return true;
}

static bool read_color(struct reader *r)
{
	long v[5];
	size_t n = numbers(r, v, 5);

	if ((n != 1 && n != 5) || v[0] > 255)
		return false;
	r->color = (int)v[0];
	if (n == 1)
		return r->defined[v[0]];
	if (v[1] != 2)
		return false;
	for (int c = 0; c < 3; c++) {
		if (v[2 + c] > 100)
			return false;
		r->palette[v[0]][c] = (uint8_t)((v[2 + c] * 255 + 50) / 100);
	}
	r->defined[v[0]] = true;
	return true;
}

static bool paint(struct reader *r, int bits, long times)
{
	if (r->color < 0 || times < 1 || (uint64_t)r->x + (uint64_t)times > r->w)
		return false;
	for (; times > 0; times--, r->x++)
		for (uint32_t i = 0; i < 6; i++) {
			size_t at = (size_t)(r->y + i) * r->w + r->x;

			if (!(bits >> i & 1))
				continue;
			if (r->y + i >= r->h)
				return false;
			memcpy(r->rgb + at * 3, r->palette[r->color], 3);
			r->set[at] = 1;
		}
	return true;
}

static bool read_one(struct reader *r)
{
	char c = *r->p++;
	long times = 1;

	switch (c) {
	case '#':
		return read_color(r);
	case '$':
		r->x = 0;
		return true;
	case '-':
		r->x = 0;
		r->y += 6;
		return true;
	case '!':
		if (!number(r, &times) || r->p >= r->end)
			return false;
		c = *r->p++;
		break;
	case '\n':
	case '\r':
		return true;
	default:
		break;
	}
	return c >= '?' && c <= '~' && paint(r, c - '?', times);
}

static bool read_body(struct reader *r)
{
	while (r->p < r->end && *r->p != '\033')
		if (!read_one(r))
			return false;
	return skip(r, '\033') && skip(r, '\\') && r->p == r->end;
}

bool sixel_decode(const char *bytes, size_t n, uint32_t *w, uint32_t *h, uint8_t **rgb)
{
	struct reader r = {.p = bytes, .end = bytes + n, .color = -1};
	size_t pixels;
	bool ok;

	if (!read_header(&r))
		return false;
	pixels = (size_t)r.w * r.h;
	r.rgb = calloc(pixels, 3);
	r.set = calloc(pixels, 1);
	ok = r.rgb && r.set && read_body(&r) && !memchr(r.set, 0, pixels);
	free(r.set);
	if (!ok) {
		free(r.rgb);
		return false;
	}
	*w = r.w;
	*h = r.h;
	*rgb = r.rgb;
	return true;
}

size_t sixel_palette(const char *bytes, size_t n, size_t max, int *number_of, uint8_t (*rgb)[3])
{
	struct reader r = {.p = bytes, .end = bytes + n};
	size_t found = 0;

	while (found < max && r.p < r.end) {
		bool known[256];

		if (*r.p++ != '#')
			continue;
		memcpy(known, r.defined, sizeof known);
		if (!read_color(&r) || known[r.color])
			continue;
		number_of[found] = r.color;
		memcpy(rgb[found++], r.palette[r.color], 3);
	}
	return found;
}
