/*
 * The one file that compiles stb_image: static, so that it cannot meet the copy that libsixel
 * exports; PNG and BMP only, as the version distributions carry has known faults elsewhere.
 */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/media/decode.h"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_BMP
#define STBI_NO_GIF /* its declaration asks before STBI_ONLY_ is looked at */
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_ASSERT(x)      ((void)0)
#define STBI_MAX_DIMENSIONS MEDIA_MAX_SIDE
#define STBI_MALLOC(n)      mem_try(n)
#define STBI_REALLOC(p, n)  mem_retry(p, n)
#define STBI_FREE(p)        free(p)
/* This one is given at the end of the file, so a pop would bring it back. */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#ifdef __clang__
/* For an empty chunk it adds 0 to NULL and copies 0 bytes there: harmless, but reported. */
#pragma clang attribute push(                                                                      \
    __attribute__((no_sanitize("pointer-overflow", "nonnull-attribute"))), apply_to = function)
#endif
#include <stb_image.h>
#ifdef __clang__
#pragma clang attribute pop
#endif
#pragma GCC diagnostic pop

static enum status failed(struct err *err)
{
	const char *why = stbi_failure_reason();

	if (why && strcmp(why, "outofmem") == 0)
		return err_set(err, E_LIMIT, "the picture needs more memory than is allowed");
	return err_set(err, E_FORMAT, "the picture is damaged or cut off (%s)",
		       why ? why : "no reason given");
}

enum status stb_decode(struct str bytes, const struct decode_want *want, struct decoded *out,
		       struct err *err)
{
	const stbi_uc *in = (const stbi_uc *)bytes.p;
	int w, h, n;
	struct samples samples;
	stbi_uc *data;
	enum status rc;

	if (bytes.n > MEDIA_MAX_BYTES)
		return err_set(err, E_LIMIT, "the file is too large");
	stbi_convert_iphone_png_to_rgb_thread(1);
	data = stbi_load_from_memory(in, (int)bytes.n, &w, &h, &n, 0);
	if (!data)
		return failed(err);
	samples = (struct samples){data, (uint32_t)w, (uint32_t)h, n};
	rc = reduce_to_want(&samples, want, out, err);
	stbi_image_free(data);
	return rc;
}
