#include "core/media/send.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <turbojpeg.h>

#include "core/base/xmalloc.h"

#define QUALITY       92
#define QUALITY_LEAST 60
#define SIDE_LEAST    32
#define HEAD	      ((size_t)64 << 10) /* bytes of a file that tell its size */

static const char *mime_of(enum media_format f)
{
	switch (f) {
	case MEDIA_FORMAT_JPEG:
		return "image/jpeg";
	case MEDIA_FORMAT_PNG:
		return "image/png";
	case MEDIA_FORMAT_GIF:
		return "image/gif";
	case MEDIA_FORMAT_WEBP:
		return "image/webp";
	default:
		return NULL;
	}
}

static bool is_crop(const struct send_crop *c)
{
	return c->w > 0 && c->h > 0 && (c->w < 1 || c->h < 1);
}

/* What must be done to the file's bytes, going by its head. */
static unsigned changes(const struct send_want *want, const struct media_facts *f)
{
	uint32_t side = f->width > f->height ? f->width : f->height;

	return (mime_of(f->format) ? 0 : SEND_FORMAT) | (f->orientation > 1 ? SEND_TURNED : 0) |
	       (is_crop(&want->crop) ? SEND_CROPPED : 0) |
	       (want->max_side && side > want->max_side ? SEND_SCALED : 0) |
	       (want->max_bytes && f->bytes > want->max_bytes ? SEND_SQUEEZED : 0);
}

static uint32_t along(double share, uint32_t side)
{
	double v = round(share * side);

	return v < 0 ? 0 : v > side ? side : (uint32_t)v;
}

static enum status crop(struct pixels *px, const struct send_crop *c, struct err *err)
{
	uint32_t x = along(c->x, px->w), y = along(c->y, px->h);
	uint32_t w = along(c->w, px->w), h = along(c->h, px->h);
	struct pixels out;
	enum status st;

	w = w > px->w - x ? px->w - x : w;
	h = h > px->h - y ? px->h - y : h;
	if (!w || !h)
		return err_set(err, E_USAGE, "the crop leaves nothing of the picture");
	st = media_cut(px, x, y, w, h, &out, err);
	if (st != OK)
		return st;
	pixels_release(px);
	*px = out;
	return OK;
}

static enum status shrink(struct pixels *px, double by, struct err *err)
{
	uint32_t w = (uint32_t)fmax(1, round(px->w * by)), h = (uint32_t)fmax(1, round(px->h * by));
	struct pixels small;
	enum status st = media_scale(px, w, h, &small, err);

	if (st != OK)
		return st;
	pixels_release(px);
	*px = small;
	return OK;
}

static enum status write_jpeg(const struct pixels *px, int quality, struct buf *out, struct err *err)
{
	tjhandle tj = tjInitCompress();
	unsigned char *bytes = NULL;
	unsigned long n = 0;
	enum status st = OK;

	if (!tj)
		return err_set(err, E_MEMORY, "libjpeg-turbo cannot be set up");
	buf_clear(out);
	if (tjCompress2(tj, px->rgb, (int)px->w, 0, (int)px->h, TJPF_RGB, &bytes, &n, TJSAMP_444, quality,
			0) != 0)
		st = err_set(err, E_FORMAT, "the picture cannot be written as a JPEG: %s",
			     tjGetErrorStr2(tj));
	else
		buf_put(out, bytes, n);
	tjFree(bytes);
	tjDestroy(tj);
	return st == OK && out->failed ? err_set(err, E_MEMORY, "there is no memory for the picture") : st;
}

/* Less quality first, then fewer pixels. */
static enum status write_within(struct pixels *px, uint64_t max, const struct cancel *cancel,
				struct send_picture *out, struct err *err)
{
	int quality = QUALITY;
	enum status st;

	while ((st = write_jpeg(px, quality, &out->bytes, err)) == OK && max && out->bytes.n > max) {
		out->changed |= SEND_SQUEEZED;
		if (px->w <= SIDE_LEAST && px->h <= SIDE_LEAST)
			return err_set(err, E_LIMIT, "the picture cannot be sent in %llu bytes",
				       (unsigned long long)max);
		if (quality > QUALITY_LEAST)
			quality -= 16;
		else
			st = shrink(px, 0.75, err);
		if (st == OK)
			st = cancel_check(cancel, err);
		if (st != OK)
			return st;
	}
	out->w = px->w;
	out->h = px->h;
	out->mime = "image/jpeg";
	return st;
}

static enum status make_anew(const char *path, const struct send_want *want, struct decoder *decoder,
			     const struct cancel *cancel, struct send_picture *out, struct err *err)
{
	static const struct media_rgb white = {255, 255, 255};
	struct media_facts facts;
	struct pixels px = {0};
	enum status st = media_load(path, MEDIA_MAX_SIDE, MEDIA_MAX_SIDE, 1, white, decoder, cancel, &facts,
				    &px, err);

	if (st == OK && facts.partial)
		st = err_set(err, E_FORMAT, "the picture is damaged: it is not sent in part");
	if (st == OK && out->changed & SEND_CROPPED)
		st = crop(&px, &want->crop, err);
	if (st == OK && want->max_side && (px.w > want->max_side || px.h > want->max_side)) {
		out->changed |= SEND_SCALED;
		st = shrink(&px, (double)want->max_side / (px.w > px.h ? px.w : px.h), err);
	} else {
		out->changed &= ~(unsigned)SEND_SCALED; /* the crop alone has made it small enough */
	}
	if (st == OK)
		st = write_within(&px, want->max_bytes, cancel, out, err);
	pixels_release(&px);
	return st;
}

enum status send_picture_load(const char *path, const struct send_want *want, struct decoder *decoder,
			      const struct cancel *cancel, struct send_picture *out, struct err *err)
{
	struct media_facts facts;
	enum status st = media_read(path, cancel, &facts, &out->bytes, err);
	bool turned = facts.orientation >= 5;

	if (st != OK)
		return st;
	out->file_w = turned ? facts.height : facts.width;
	out->file_h = turned ? facts.width : facts.height;
	out->file_bytes = facts.bytes;
	out->changed = changes(want, &facts);
	if (out->changed)
		return make_anew(path, want, decoder, cancel, out, err);
	out->w = out->file_w;
	out->h = out->file_h;
	out->mime = mime_of(facts.format);
	return OK;
}

bool send_picture_expect(const char *path, const struct send_want *want, uint32_t *w, uint32_t *h)
{
	struct media_facts facts = {0};
	char *head = mem_try(HEAD);
	FILE *in = head ? fopen(path, "rbe") : NULL;
	double by;

	if (in) {
		media_probe((struct str){head, fread(head, 1, HEAD, in)}, 0, &facts);
		fclose(in);
	}
	free(head);
	*w = facts.orientation >= 5 ? facts.height : facts.width;
	*h = facts.orientation >= 5 ? facts.width : facts.height;
	if (is_crop(&want->crop)) {
		*w = along(want->crop.w, *w);
		*h = along(want->crop.h, *h);
	}
	by = want->max_side && (*w > want->max_side || *h > want->max_side)
		 ? (double)want->max_side / (*w > *h ? *w : *h) : 1;
	*w = (uint32_t)round(*w * by);
	*h = (uint32_t)round(*h * by);
	return *w && *h;
}

void send_picture_release(struct send_picture *p)
{
	buf_release(&p->bytes);
	*p = (struct send_picture){0};
}

void send_picture_say(const struct send_picture *p, struct buf *out)
{
	static const struct {
		unsigned bit;
		const char *word;
	} words[] = {{SEND_FORMAT, "as a JPEG"}, {SEND_TURNED, "turned upright"}, {SEND_CROPPED, "cropped"},
		     {SEND_SCALED, "scaled"}, {SEND_SQUEEZED, "compressed to fit"}};
	size_t n = out->n;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (p->changed & words[i].bit)
			buf_printf(out, "%s%s", out->n > n ? ", " : "", words[i].word);
	if (out->n == n)
		buf_z(out, "as it is");
}
