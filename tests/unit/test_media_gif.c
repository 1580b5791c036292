/* GIF and the orientation of WebP: pictures of the optional libraries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/media/decode.h"
#include "tests/unit/lib_media.h"

#ifdef HAVE_GIF
#include <gif_lib.h>

struct gif_spec {
	int w, h;             /* canvas */
	int x, y, iw, ih;     /* the first picture */
	bool interlaced;
	int transparent;      /* -1: none */
	int n_pictures;
};

static int put(GifFileType *f, const GifByteType *p, int n)
{
	buf_put(f->UserData, p, (size_t)n);
	return n;
}

/* Colours: 0 black, 1 red, 2 green, 3 blue; row y of the k-th picture has colour (y + k) % 4. */
static void put_picture(GifFileType *f, const struct gif_spec *s, int k)
{
	static const int from[] = {0, 4, 2, 1}, step[] = {8, 8, 4, 2};
	GifPixelType line[64];

	assert_int_equal(EGifPutImageDesc(f, s->x, s->y, s->iw, s->ih, s->interlaced, NULL), GIF_OK);
	for (int pass = 0; pass < (s->interlaced ? 4 : 1); pass++)
		for (int y = s->interlaced ? from[pass] : 0; y < s->ih;
		     y += s->interlaced ? step[pass] : 1) {
			memset(line, (y + k) % 4, sizeof line);
			assert_int_equal(EGifPutLine(f, line, s->iw), GIF_OK);
		}
}

static struct buf make_gif(const struct gif_spec *s)
{
	static const GifColorType colors[4] = {{0, 0, 0}, {255, 0, 0}, {0, 255, 0}, {0, 0, 255}};
	struct buf out = BUF_INIT;
	ColorMapObject *map = GifMakeMapObject(4, colors);
	int code;
	GifFileType *f = EGifOpen(&out, put, &code);
	GraphicsControlBlock control = {.TransparentColor = s->transparent};
	GifByteType extension[4];

	EGifSetGifVersion(f, true);
	assert_int_equal(EGifPutScreenDesc(f, s->w, s->h, 8, 0, map), GIF_OK);
	for (int k = 0; k < s->n_pictures; k++) {
		EGifGCBToExtension(&control, extension);
		EGifPutExtension(f, GRAPHICS_EXT_FUNC_CODE, 4, extension);
		put_picture(f, s, k);
	}
	assert_int_equal(EGifCloseFile(f, &code), GIF_OK);
	GifFreeMapObject(map);
	return out;
}

static const struct media_rgb white = {255, 255, 255};

static enum status decode(struct str bytes, struct decoded *out, struct err *err)
{
	struct decode_want want = {64, 64, white};

	return decode_bytes(bytes, &want, out, err);
}

static void gif_first_picture(void **state)
{
	static const struct gif_spec specs[] = {
	    {16, 12, 0, 0, 16, 12, false, -1, 1},
	    {16, 12, 0, 0, 16, 12, true, -1, 3}, /* animated: the first one */
	    {16, 12, 3, 2, 10, 9, true, 2, 1},   /* smaller than the canvas, green is clear */
	    {16, 12, 10, 8, 12, 12, false, 2, 1}, /* reaches beyond it */
	};
	static const int rgb[4][3] = {{0, 0, 0}, {255, 0, 0}, {0, 255, 0}, {0, 0, 255}};
	(void)state;

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		const struct gif_spec *s = &specs[i];
		struct buf gif = make_gif(s);
		struct decoded d;
		struct err err = ERR_INIT;

		if (decode(buf_view(&gif), &d, &err))
			fail_msg("%zu: %s", i, err.msg);
		assert_int_equal(d.px.w, 16);
		assert_int_equal(d.px.h, 12);
		assert_false(d.partial);
		for (int y = 0; y < 12; y++)
			for (int x = 0; x < 16; x++) {
				bool in = x >= s->x && x < s->x + s->iw && y >= s->y && y < s->y + s->ih;
				int c = in ? (y - s->y) % 4 : -1;
				const int *want = c < 0 || c == s->transparent ? (int[]){255, 255, 255}
									       : rgb[c];

				expect_near(at(&d.px, (uint32_t)x, (uint32_t)y), want[0], want[1],
					    want[2], 0);
			}
		pixels_release(&d.px);
		buf_release(&gif);
	}
}

/* Cut off anywhere it is a message or a part of the picture; changed anywhere it is no crash. */
static void gif_damaged(void **state)
{
	struct buf gif = make_gif(&(struct gif_spec){40, 40, 0, 0, 40, 40, true, -1, 2});
	unsigned seed = 7;
	(void)state;

	for (size_t n = 0; n < 2 * gif.n; n++) {
		struct str s = {gif.p, n < gif.n ? n : gif.n};
		char *copy = xmalloc(s.n + 1);
		struct decoded d;
		struct err err = ERR_INIT;
		enum status rc;

		memcpy(copy, s.p, s.n);
		for (int k = 0; n >= gif.n && k < 3; k++) {
			seed = seed * 1103515245u + 12345u;
			copy[6 + (seed >> 8) % (s.n - 6)] = (char)(seed >> 16);
		}
		rc = decode((struct str){copy, s.n}, &d, &err);
		assert_true(rc == OK || rc == E_FORMAT || rc == E_LIMIT || rc == E_MEMORY);
		assert_true((rc == OK) == (d.px.rgb != NULL));
		pixels_release(&d.px);
		free(copy);
	}
	buf_release(&gif);
}

static void gif_through_the_process(void **state)
{
	struct decoder *d = decoder_new(SELF_EXE);
	struct loaded r = load_ok(make_gif(&(struct gif_spec){16, 12, 0, 0, 16, 12, false, -1, 1}), 16,
				  12, d);
	(void)state;

	assert_int_equal(r.facts.format, MEDIA_FORMAT_GIF);
	expect_near(at(&r.px, 5, 3), 0, 0, 255, 0);
	pixels_release(&r.px);
	decoder_free(d);
}
#else
static void gif_says_why_not(void **state)
{
	struct buf b = BUF_INIT;
	struct loaded r;
	(void)state;

	buf_put(&b, "GIF89a\x10\0\x0c\0\0\0\0", 13);
	r = load(b, 16, 12, NULL);
	assert_int_equal(r.rc, E_UNSUPPORTED);
	assert_non_null(strstr(r.err.msg, "giflib"));
}
#endif

#ifdef HAVE_WEBP
#include <webp/encode.h>

static void chunk(struct buf *b, const char *name, const void *p, size_t n)
{
	uint32_t len = (uint32_t)n;

	buf_put(b, name, 4);
	for (int i = 0; i < 4; i++)
		buf_ch(b, (char)(len >> 8 * i));
	buf_put(b, p, n);
	if (n & 1)
		buf_ch(b, '\0');
}

/* Left half red, right half blue; `exif` says that it lies on its side (6: turn right). */
static struct buf turned_webp(bool jpeg_style)
{
	static const uint8_t tiff[] = "MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
	uint8_t rgb[20 * 10 * 3] = {0}, *bytes, head[10] = {0x08, 0, 0, 0, 19, 0, 0, 9, 0, 0};
	struct buf out = BUF_INIT, exif = BUF_INIT;
	size_t n;

	for (int i = 0; i < 200; i++)
		rgb[i * 3 + (i % 20 < 10 ? 0 : 2)] = 255;
	n = WebPEncodeLosslessRGB(rgb, 20, 10, 60, &bytes);
	assert_true(n > 20);
	if (jpeg_style)
		buf_put(&exif, "Exif\0", 6);
	buf_put(&exif, tiff, sizeof tiff - 1);
	buf_put(&out, "RIFF\0\0\0\0WEBP", 12);
	chunk(&out, "VP8X", head, sizeof head);
	buf_put(&out, bytes + 12, n - 12); /* its one chunk */
	chunk(&out, "EXIF", exif.p, exif.n);
	for (int i = 0; i < 4; i++)
		out.p[4 + i] = (char)((out.n - 8) >> 8 * i);
	WebPFree(bytes);
	buf_release(&exif);
	return out;
}

static void webp_is_turned(void **state)
{
	(void)state;
	for (int style = 0; style < 2; style++) {
		struct loaded r = load_ok(turned_webp(style), 64, 64, NULL);

		assert_int_equal(r.facts.orientation, 6);
		assert_int_equal(r.px.w, 10);
		assert_int_equal(r.px.h, 20);
		expect_near(at(&r.px, 5, 2), 255, 0, 0, 0);
		expect_near(at(&r.px, 5, 17), 0, 0, 255, 0);
		pixels_release(&r.px);
	}
}
#endif

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
#ifdef HAVE_GIF
	    cmocka_unit_test(gif_first_picture),
	    cmocka_unit_test(gif_damaged),
	    cmocka_unit_test(gif_through_the_process),
#else
	    cmocka_unit_test(gif_says_why_not),
#endif
#ifdef HAVE_WEBP
	    cmocka_unit_test(webp_is_turned),
#endif
	};

	if (argc == 3 && strcmp(argv[1], "--decode-process") == 0)
		return decoder_main(DECODER_TEST_FD);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
