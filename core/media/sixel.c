/*
 * Only libsixel's low-level calls, and of them those known to be sound: its median cut for the
 * palette and its encoder for indexed pixels. Its own scaling, loading, dithering and transparency
 * are left alone.
 */
#include <pthread.h>
#include <sixel.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/media/decode.h"
#include "core/media/palette.h"

#define SIDE_MIN  6 /* below, the encoder starts with an empty band */
#define SIDE_MAX  4096
#define SIXEL_MAX ((size_t)64 << 20)

/* The comparison function of libsixel's median cut works on a variable of the whole process. */
static pthread_mutex_t sixel_lock = PTHREAD_MUTEX_INITIALIZER;

struct frame {
	uint32_t w, h;    /* of the sixel */
	struct pixels in; /* what of the picture is shown; owned */
	uint32_t x, y;    /* where */
	bool has_background;
	uint8_t *index;
	struct palette pal;
};

static enum status frame_size(struct frame *f, const struct pixels *in,
			      const struct sixel_options *opt, struct err *err)
{
	f->w = opt->pad_w ? opt->pad_w : in->w;
	f->h = (opt->pad_h ? opt->pad_h : in->h) / 6 * 6;
	if (f->w < SIDE_MIN || f->w > SIDE_MAX || f->h < SIDE_MIN || f->h > SIDE_MAX)
		return err_set(err, E_LIMIT,
			       "a sixel of %u × %u pixels is not possible: %d to %d a side", f->w,
			       f->h, SIDE_MIN, SIDE_MAX);
	if (opt->colors < 2 || opt->colors > 256)
		return err_set(err, E_USAGE, "a sixel has 2 to 256 colours, not %d", opt->colors);
	return OK;
}

/* A copy of what is shown: the middle, where the picture is larger than the frame. */
static enum status frame_place(struct frame *f, const struct pixels *in, struct err *err)
{
	uint32_t w = in->w < f->w ? in->w : f->w, h = in->h < f->h ? in->h : f->h;
	const uint8_t *from = in->rgb + ((size_t)((in->h - h) / 2) * in->w + (in->w - w) / 2) * 3;
	enum status rc = pixels_alloc(&f->in, w, h, err);

	if (rc)
		return rc;
	for (uint32_t y = 0; y < h; y++)
		memcpy(f->in.rgb + (size_t)y * w * 3, from + (size_t)y * in->w * 3, (size_t)w * 3);
	f->x = (f->w - w) / 2;
	f->y = (f->h - h) / 2;
	f->index = mem_try((size_t)f->w * f->h);
	if (!f->index)
		return err_set(err, E_MEMORY, "no memory for a sixel");
	memset(f->index, 0, (size_t)f->w * f->h);
	return OK;
}

static enum status sixel_failed(SIXELSTATUS s, struct err *err)
{
	return err_set(err, s == SIXEL_BAD_ALLOCATION ? E_MEMORY : E_IO,
		       "libsixel cannot encode the picture (status %x)", (unsigned)s);
}

/* The median cut rounds down to five bits; adding the upper bits again makes white white. */
static void take_palette(sixel_dither_t *d, struct palette *out)
{
	const uint8_t *p = sixel_dither_get_palette(d);

	out->n = sixel_dither_get_num_of_palette_colors(d);
	for (int i = 0; i < out->n * 3; i++) {
		int v = p[i] + (p[i] >> 5);

		out->rgb[i / 3][i % 3] = palette_shown(v > 255 ? 255 : (unsigned)v);
	}
}

static enum status median_cut(struct frame *f, int colors, struct err *err)
{
	sixel_dither_t *d = NULL;
	SIXELSTATUS s = sixel_dither_new(&d, colors, NULL);

	if (SIXEL_FAILED(s))
		return sixel_failed(s, err);
	pthread_mutex_lock(&sixel_lock);
	s = sixel_dither_initialize(d, f->in.rgb, (int)f->in.w, (int)f->in.h,
				    SIXEL_PIXELFORMAT_RGB888, SIXEL_LARGE_AUTO, SIXEL_REP_AUTO,
				    SIXEL_QUALITY_LOW);
	pthread_mutex_unlock(&sixel_lock);
	if (!SIXEL_FAILED(s))
		take_palette(d, &f->pal);
	sixel_dither_unref(d);
	return SIXEL_FAILED(s) ? sixel_failed(s, err) : OK;
}

static enum status frame_index(struct frame *f, const struct sixel_options *opt, struct err *err)
{
	int room = opt->colors - f->has_background;
	bool exact = palette_exact(&f->in, room, &f->pal);
	enum status rc = exact ? OK : median_cut(f, room, err);

	if (rc == OK)
		palette_apply(&f->pal, &f->in, opt->dither && !exact, f->has_background,
			      f->index + (size_t)f->y * f->w + f->x, f->w);
	return rc;
}

/* libsixel ignores what this returns; the buffer remembers that it was too much. */
static int put(char *data, int n, void *out)
{
	if (n > 0)
		buf_put(out, data, (size_t)n);
	return n;
}

static SIXELSTATUS write_indexed(struct frame *f, uint8_t *palette, int n, struct buf *out)
{
	sixel_dither_t *d = NULL;
	sixel_output_t *o = NULL;
	SIXELSTATUS s = sixel_dither_new(&d, n, NULL);

	if (!SIXEL_FAILED(s))
		s = sixel_output_new(&o, put, out, NULL);
	if (!SIXEL_FAILED(s)) {
		sixel_dither_set_palette(d, palette);
		sixel_dither_set_pixelformat(d, SIXEL_PIXELFORMAT_PAL8);
		sixel_output_set_encode_policy(o, SIXEL_ENCODEPOLICY_SIZE);
		s = sixel_encode(f->index, (int)f->w, (int)f->h, 1, d, o);
	}
	if (o)
		sixel_output_unref(o);
	if (d)
		sixel_dither_unref(d);
	return s;
}

static enum status frame_write(struct frame *f, const struct sixel_options *opt, struct buf *out,
			       struct err *err)
{
	uint8_t palette[257 * 3] = {opt->background.r, opt->background.g, opt->background.b};
	int first = f->has_background;
	struct buf sixel = {.max = SIXEL_MAX};
	SIXELSTATUS s;
	enum status rc = OK;

	memcpy(palette + first * 3, f->pal.rgb, (size_t)f->pal.n * 3);
	s = write_indexed(f, palette, f->pal.n + first, &sixel);
	if (SIXEL_FAILED(s))
		rc = sixel_failed(s, err);
	else if (sixel.failed)
		rc = err_set(err, E_LIMIT, "the sixel is larger than %d MiB",
			     (int)(SIXEL_MAX >> 20));
	else
		buf_put(out, sixel.p, sixel.n);
	buf_release(&sixel);
	return rc;
}

enum status sixel_encode_pixels(const struct pixels *in, const struct sixel_options *opt,
				struct buf *out, struct err *err)
{
	struct frame f = {.index = NULL};
	enum status rc = frame_size(&f, in, opt, err);

	if (rc)
		return rc;
	rc = frame_place(&f, in, err);
	f.has_background = opt->first_is_background || f.in.w < f.w || f.in.h < f.h;
	if (rc == OK)
		rc = frame_index(&f, opt, err);
	if (rc == OK)
		rc = frame_write(&f, opt, out, err);
	free(f.index);
	pixels_release(&f.in);
	return rc;
}
