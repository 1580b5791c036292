#include "core/demo/png.h"

/* To the end: what stb declares and does not define is noticed there. */
#pragma GCC diagnostic ignored "-Wunused-function"
#define STBI_WRITE_NO_STDIO
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

static void take(void *out, void *data, int n)
{
	buf_put(out, data, (size_t)n);
}

void png_write(struct buf *out, const uint8_t *rgb, int width, int height)
{
	if (!stbi_write_png_to_func(take, out, width, height, 3, rgb, width * 3))
		out->failed = true;
}
