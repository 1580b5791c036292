#include <stdlib.h>
#include <turbojpeg.h>

#include "core/base/xmalloc.h"
#include "core/media/decode.h"

struct jpeg {
	tjhandle tj;
	struct str bytes;
	int w, h, colours; /* colours: enum TJCS */
};

/* libjpeg's words without its "function(): " in front. */
static const char *why(tjhandle tj)
{
	const char *s = tjGetErrorStr2(tj), *colon = strstr(s, "(): ");

	return colon ? colon + 4 : s;
}

static enum status open_jpeg(struct jpeg *j, struct err *err)
{
	struct media_facts size = {.format = MEDIA_FORMAT_JPEG};
	int subsampling;

	j->tj = tjInitDecompress();
	if (!j->tj)
		return err_set(err, E_MEMORY, "libjpeg-turbo cannot be set up");
	if (tjDecompressHeader3(j->tj, (const uint8_t *)j->bytes.p, j->bytes.n, &j->w, &j->h,
				&subsampling, &j->colours) != 0)
		return err_set(err, E_FORMAT, "the JPEG's header is damaged (%s)", why(j->tj));
	size.width = j->w > 0 ? (uint32_t)j->w : 0;
	size.height = j->h > 0 ? (uint32_t)j->h : 0;
	return decode_check_size(&size, err);
}

/* 1/2, 1/4 and 1/8 cost less than the whole picture, as most of the transform is left out. */
static tjscalingfactor scaling(const struct jpeg *j, const struct decode_want *want)
{
	tjscalingfactor f = {1, 1};

	while (f.denom < 8) {
		tjscalingfactor half = {1, f.denom * 2};

		if (TJSCALED(j->w, half) < (int)want->w || TJSCALED(j->h, half) < (int)want->h)
			break;
		f = half;
	}
	return f;
}

/* Warnings (cut off, damaged in the middle) leave a picture that is worth showing. */
static enum status decompress(const struct jpeg *j, int format, uint8_t *to, struct decoded *out,
			      struct err *err)
{
	if (tjDecompress2(j->tj, (const uint8_t *)j->bytes.p, j->bytes.n, to, (int)out->px.w, 0,
			  (int)out->px.h, format, TJFLAG_LIMITSCANS) == 0)
		return OK;
	if (tjGetErrorCode(j->tj) != TJERR_WARNING)
		return err_set(err, E_FORMAT, "the JPEG is damaged (%s)", why(j->tj));
	out->partial = true;
	return OK;
}

/* Four inks to RGB without a profile: what every viewer does. Adobe stores them inverted. */
static void rgb_from_cmyk(const uint8_t *cmyk, size_t n, bool inverted, uint8_t *rgb)
{
	unsigned flip = inverted ? 0 : 255;

	for (size_t i = 0; i < n; i++, cmyk += 4, rgb += 3)
		for (int c = 0; c < 3; c++)
			rgb[c] = (uint8_t)(((cmyk[c] ^ flip) * (cmyk[3] ^ flip) + 127) / 255);
}

static enum status decompress_cmyk(const struct jpeg *j, struct decoded *out, struct err *err)
{
	size_t n = (size_t)out->px.w * out->px.h;
	uint8_t *cmyk = mem_try(n * 4);
	enum status rc;

	if (!cmyk)
		return err_set(err, E_MEMORY, "no memory for %u × %u pixels", out->px.w, out->px.h);
	memset(cmyk, 255, n * 4);
	rc = decompress(j, TJPF_CMYK, cmyk, out, err);
	if (rc == OK)
		rgb_from_cmyk(cmyk, n, jpeg_has_adobe_marker(j->bytes), out->px.rgb);
	free(cmyk);
	return rc;
}

static enum status decode_opened(const struct jpeg *j, const struct decode_want *want,
				 struct decoded *out, struct err *err)
{
	tjscalingfactor f = scaling(j, want);
	uint32_t w = (uint32_t)TJSCALED(j->w, f), h = (uint32_t)TJSCALED(j->h, f);
	enum status rc = pixels_alloc(&out->px, w, h, err);

	if (rc)
		return rc;
	out->step = (uint32_t)f.denom;
	memset(out->px.rgb, 128, (size_t)w * h * 3);
	if (j->colours == TJCS_CMYK || j->colours == TJCS_YCCK)
		rc = decompress_cmyk(j, out, err);
	else
		rc = decompress(j, TJPF_RGB, out->px.rgb, out, err);
	if (rc)
		pixels_release(&out->px);
	return rc;
}

enum status jpeg_decode(struct str bytes, const struct decode_want *want, struct decoded *out,
			struct err *err)
{
	struct jpeg j = {.bytes = bytes};
	enum status rc = open_jpeg(&j, err);

	if (rc == OK)
		rc = decode_opened(&j, want, out, err);
	if (j.tj)
		tjDestroy(j.tj);
	return rc;
}
