/*
 * Image file directories: EXIF is a TIFF file inside a JPEG or PNG. Only the first directory is
 * looked at, and every offset is checked against the bytes that are there.
 */
#include "core/media/decode.h"

enum {
	TAG_WIDTH = 0x100,
	TAG_HEIGHT = 0x101,
	TAG_PHOTOMETRIC = 0x106,
	TAG_ORIENTATION = 0x112,
};
enum { TYPE_SHORT = 3, TYPE_LONG = 4 };
#define DIRECTORY_MAX 512 /* entries; real ones have a few dozen */

struct ifd {
	struct str bytes;
	bool big;
};

static uint32_t number(const struct ifd *f, size_t at, int size)
{
	uint32_t v = 0;

	if (f->bytes.n < (size_t)size || at > f->bytes.n - (size_t)size)
		return 0;
	for (int i = 0; i < size; i++) {
		int k = f->big ? i : size - 1 - i;

		v = v << 8 | (uint8_t)f->bytes.p[at + (size_t)k];
	}
	return v;
}

static bool ifd_open(struct str tiff, struct ifd *f)
{
	*f = (struct ifd){tiff, false};
	if (str_starts(tiff, STR("MM\0*")))
		f->big = true;
	else if (!str_starts(tiff, STR("II*\0")))
		return false;
	return true;
}

/* A tag's one number; false when it is not in the directory. */
static bool ifd_find(const struct ifd *f, uint32_t tag, uint32_t *out)
{
	uint32_t start = number(f, 4, 4), n = number(f, start, 2);

	if (start == 0)
		return false;
	for (uint32_t i = 0; i < n && i < DIRECTORY_MAX; i++) {
		size_t at = (size_t)start + 2 + (size_t)i * 12;
		uint32_t type = number(f, at + 2, 2);

		if (at + 12 > f->bytes.n)
			return false;
		if (number(f, at, 2) != tag || number(f, at + 4, 4) < 1)
			continue;
		if (type != TYPE_SHORT && type != TYPE_LONG)
			return false;
		*out = number(f, at + 8, type == TYPE_SHORT ? 2 : 4);
		return true;
	}
	return false;
}

void exif_orientation(struct str tiff, struct media_facts *facts)
{
	struct ifd f;
	uint32_t v;

	if (ifd_open(tiff, &f) && ifd_find(&f, TAG_ORIENTATION, &v) && v >= 1 && v <= 8)
		facts->orientation = (int)v;
}

void tiff_facts(struct str tiff, struct media_facts *facts)
{
	struct ifd f;
	uint32_t v;

	if (!ifd_open(tiff, &f))
		return;
	exif_orientation(tiff, facts);
	if (ifd_find(&f, TAG_WIDTH, &v))
		facts->width = v;
	if (ifd_find(&f, TAG_HEIGHT, &v))
		facts->height = v;
	if (ifd_find(&f, TAG_PHOTOMETRIC, &v)) {
		facts->grey = v <= 1;
		facts->cmyk = v == 5;
	}
}
