#include "core/media/decode.h"

/* Where the first pixel of the upright picture lies in the stored one, and how far apart there
 * its neighbours to the right and below are. */
struct walk {
	ptrdiff_t from, right, below;
};

static struct walk walk_of(int orientation, uint32_t w, uint32_t h)
{
	ptrdiff_t x = 3, y = 3 * (ptrdiff_t)w;
	ptrdiff_t last_x = x * ((ptrdiff_t)w - 1), last_y = y * ((ptrdiff_t)h - 1);

	switch (orientation) {
	case 2:
		return (struct walk){last_x, -x, y};
	case 3:
		return (struct walk){last_x + last_y, -x, -y};
	case 4:
		return (struct walk){last_y, x, -y};
	case 5:
		return (struct walk){0, y, x};
	case 6:
		return (struct walk){last_y, -y, x};
	case 7:
		return (struct walk){last_x + last_y, -y, -x};
	case 8:
		return (struct walk){last_x, y, -x};
	default:
		return (struct walk){0, x, y};
	}
}

enum status pixels_orient(struct pixels *p, int orientation, struct err *err)
{
	bool turned = orientation >= 5 && orientation <= 8;
	struct walk walk = walk_of(orientation, p->w, p->h);
	struct pixels out;
	enum status rc;
	uint8_t *to;

	if (orientation <= 1 || orientation > 8)
		return OK;
	rc = pixels_alloc(&out, turned ? p->h : p->w, turned ? p->w : p->h, err);
	if (rc)
		return rc;
	to = out.rgb;
	for (uint32_t y = 0; y < out.h; y++) {
		ptrdiff_t at = walk.from + walk.below * (ptrdiff_t)y;

		for (uint32_t x = 0; x < out.w; x++, to += 3, at += walk.right)
			memcpy(to, p->rgb + at, 3);
	}
	pixels_release(p);
	*p = out;
	return OK;
}
