#include <cjson/cJSON.h>
#include <sixel.h>
#include <utf8proc.h>
#ifdef HAVE_WEBP
#include <webp/decode.h>
#endif
#ifdef HAVE_GIF
#include <stdio.h>

#include <gif_lib.h>
#endif

#include "core/media/media.h"

void media_libraries(struct buf *out)
{
#ifdef HAVE_WEBP
	int webp = WebPGetDecoderVersion();
#endif

	buf_printf(out, "libsixel %s, libjpeg-turbo, stb_image, utf8proc %s, cJSON %s",
		   LIBSIXEL_VERSION, utf8proc_version(), cJSON_Version());
#ifdef HAVE_WEBP
	buf_printf(out, ", libwebp %d.%d.%d", webp >> 16, webp >> 8 & 255, webp & 255);
#endif
#ifdef HAVE_GIF
	buf_printf(out, ", giflib %d.%d.%d", GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE);
#endif
}

const char *media_missing(void)
{
#if defined(HAVE_WEBP) && defined(HAVE_GIF)
	return "";
#elif defined(HAVE_WEBP)
	return "GIF (giflib)";
#elif defined(HAVE_GIF)
	return "WebP (libwebp)";
#else
	return "WebP (libwebp) and GIF (giflib)";
#endif
}
