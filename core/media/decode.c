#include "core/media/decode.h"

enum status decode_check_size(const struct media_facts *facts, struct err *err)
{
	if (facts->width == 0 || facts->height == 0)
		return err_set(err, E_FORMAT, "the %s's header is damaged: it tells no size",
			       media_format_word(facts->format));
	if (facts->width > MEDIA_MAX_SIDE || facts->height > MEDIA_MAX_SIDE)
		return err_set(err, E_LIMIT, "the picture has %u × %u pixels; a side may have %d",
			       facts->width, facts->height, MEDIA_MAX_SIDE);
	if ((uint64_t)facts->width * facts->height > MEDIA_MAX_PIXELS)
		return err_set(err, E_LIMIT,
			       "the picture has %u × %u pixels; up to %d million are shown",
			       facts->width, facts->height, (int)(MEDIA_MAX_PIXELS / 1000000));
	return OK;
}

static enum status unknown_content(struct str head, struct err *err)
{
	if (head.n == 0)
		return err_set(err, E_FORMAT, "the file is empty");
	if (str_starts(head, STR("version https://git-lfs")))
		return err_set(err, E_FORMAT,
			       "a Git LFS pointer: the picture itself was not downloaded");
	return err_set(err, E_FORMAT, "the file's content is no picture that is known");
}

enum status decode_check_format(const struct media_facts *facts, struct str head, struct err *err)
{
	switch (facts->format) {
	case MEDIA_FORMAT_JPEG:
	case MEDIA_FORMAT_PNG:
	case MEDIA_FORMAT_BMP:
		return OK;
	case MEDIA_FORMAT_WEBP:
#ifdef HAVE_WEBP
		return OK;
#else
		return err_set(err, E_UNSUPPORTED, "WebP: this build has no libwebp");
#endif
	case MEDIA_FORMAT_GIF:
#ifdef HAVE_GIF
		return OK;
#else
		return err_set(err, E_UNSUPPORTED,
			       "GIF pictures are not shown: this build has no giflib");
#endif
	case MEDIA_FORMAT_TIFF:
		return err_set(err, E_UNSUPPORTED, "TIFF pictures are not shown");
	case MEDIA_FORMAT_HEIF:
		return err_set(err, E_UNSUPPORTED, "HEIC and AVIF pictures are not shown");
	case MEDIA_FORMAT_VIDEO:
		return err_set(err, E_UNSUPPORTED, "a video: frames are not shown");
	case MEDIA_FORMAT_UNKNOWN:
		break;
	}
	return unknown_content(head, err);
}

/* The scaled JPEG may still be many times what is wanted. */
static enum status reduce(struct decoded *d, const struct decode_want *want, struct err *err)
{
	struct samples samples = {d->px.rgb, d->px.w, d->px.h, 3};
	struct decoded small;
	enum status rc;

	if (reduce_factor(samples.w, samples.h, want) < 2)
		return OK;
	rc = reduce_to_want(&samples, want, &small, err);
	pixels_release(&d->px);
	d->px = small.px;
	d->step *= small.step;
	return rc;
}

enum status decode_bytes(struct str bytes, const struct decode_want *want, struct decoded *out,
			 struct err *err)
{
	struct media_facts facts;
	enum status rc;

	*out = (struct decoded){.step = 1};
	media_probe(bytes, bytes.n, &facts);
	rc = decode_check_format(&facts, bytes, err);
	if (rc == OK)
		rc = decode_check_size(&facts, err);
	if (rc)
		return rc;
	if (facts.format == MEDIA_FORMAT_WEBP)
		return webp_decode(bytes, want, out, err);
	if (facts.format == MEDIA_FORMAT_GIF)
		return gif_decode(bytes, want, out, err);
	if (facts.format != MEDIA_FORMAT_JPEG)
		return stb_decode(bytes, want, out, err);
	rc = jpeg_decode(bytes, want, out, err);
	return rc ? rc : reduce(out, want, err);
}
