#include "core/media/decode.h"

#ifdef HAVE_WEBP
#include <webp/decode.h>

enum status webp_decode(struct str bytes, const struct decode_want *want, struct decoded *out,
			struct err *err)
{
	int w, h;
	struct samples samples = {.n = 4};
	struct media_facts size = {.format = MEDIA_FORMAT_WEBP};
	uint8_t *data;
	enum status rc;

	if (!WebPGetInfo((const uint8_t *)bytes.p, bytes.n, &w, &h))
		return err_set(err, E_FORMAT, "the WebP's header is damaged");
	samples.w = size.width = (uint32_t)w;
	samples.h = size.height = (uint32_t)h;
	rc = decode_check_size(&size, err);
	if (rc)
		return rc;
	data = WebPDecodeRGBA((const uint8_t *)bytes.p, bytes.n, &w, &h);
	if (!data)
		return err_set(err, E_FORMAT, "the WebP is damaged, cut off or animated");
	samples.p = data;
	rc = reduce_to_want(&samples, want, out, err);
	WebPFree(data);
	return rc;
}
#else
enum status webp_decode(struct str bytes, const struct decode_want *want, struct decoded *out,
			struct err *err)
{
	(void)bytes, (void)want, (void)out;
	return err_set(err, E_UNSUPPORTED, "WebP: this build has no libwebp");
}
#endif
