/* What is said of a file by its head alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <turbojpeg.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "tests/fixtures/pictures.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* --- probing --- */

static void probe_knows_formats(void **state)
{
	static const struct {
		struct str head;
		enum media_format format;
		uint32_t w, h;
		bool alpha;
	} cases[] = {
	    {{"GIF89a\x0a\0\x14\0", 10}, MEDIA_FORMAT_GIF, 10, 20, false},
	    {{"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x10\0\0\0\x63\0\0\xc7\0\0", 30},
	     MEDIA_FORMAT_WEBP,
	     100,
	     200,
	     true},
	    {{"RIFF\0\0\0\0WEBPVP8L\x0a\0\0\0\x2f\x63\xc0\x31\x10", 25},
	     MEDIA_FORMAT_WEBP,
	     100,
	     200,
	     true},
	    {{"RIFF\0\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x64\0\xc8\0", 30},
	     MEDIA_FORMAT_WEBP,
	     100,
	     200,
	     false},
	    {{"II*\0\x08\0\0\0\x02\0\0\x01\x03\0\x01\0\0\0\x07\0\0\0\x01\x01\x04\0\x01\0\0\0\x09"
	      "\0\0\0",
	      34},
	     MEDIA_FORMAT_TIFF,
	     7,
	     9,
	     false},
	    {{"MM\0*\0\0\0\x08\0\x01\x01\0\0\x03\0\0\0\x01\0\x07\0\0", 22},
	     MEDIA_FORMAT_TIFF,
	     7,
	     0,
	     false},
	    {{"BM\0\0\0\0\0\0\0\0\x1a\0\0\0\x0c\0\0\0\x05\0\x03\0\x01\0\x18\0", 26},
	     MEDIA_FORMAT_BMP,
	     5,
	     3,
	     false},
	    {{"\0\0\0\x18"
	      "ftypisom",
	      12},
	     MEDIA_FORMAT_VIDEO,
	     0,
	     0,
	     false},
	    {{"\0\0\0\x18"
	      "ftypheic",
	      12},
	     MEDIA_FORMAT_HEIF,
	     0,
	     0,
	     false},
	    {{"\0\0\0\x18"
	      "ftypavif",
	      12},
	     MEDIA_FORMAT_HEIF,
	     0,
	     0,
	     false},
	    {{"\x1a\x45\xdf\xa3....", 8}, MEDIA_FORMAT_VIDEO, 0, 0, false},
	    {{"RIFF\0\0\0\0AVI LIST", 16}, MEDIA_FORMAT_VIDEO, 0, 0, false},
	    {{"BM is not always a bitmap", 25}, MEDIA_FORMAT_UNKNOWN, 0, 0, false},
	    {{"RIFF\0\0\0\0WAVEfmt ", 16}, MEDIA_FORMAT_UNKNOWN, 0, 0, false},
	    {{"", 0}, MEDIA_FORMAT_UNKNOWN, 0, 0, false},
	};
	(void)state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct media_facts f;

		media_probe(cases[i].head, 1234, &f);
		if (f.format != cases[i].format || f.width != cases[i].w ||
		    f.height != cases[i].h || f.alpha != cases[i].alpha)
			fail_msg("case %zu: %s %u × %u, alpha %d", i, media_format_word(f.format),
				 f.width, f.height, f.alpha);
		assert_int_equal(f.bytes, 1234);
		assert_int_equal(f.orientation, 1);
	}
}

/* Whatever is cut off the head, nothing is read beyond it (address sanitizer) nor made up. */
static void probe_survives_cut_heads(void **state)
{
	struct pixels px = picture_quarters(24, 16);
	struct buf jpeg = picture_jpeg(&px, 90, TJSAMP_420, false);
	(void)state;

	picture_add_exif(&jpeg, 6, true);
	for (size_t n = 0; n <= jpeg.n; n++) {
		char *exact = xmalloc(n ? n : 1);
		struct media_facts f;

		memcpy(exact, jpeg.p, n);
		media_probe((struct str){exact, n}, jpeg.n, &f);
		assert_true(f.width == 0 || f.width == 24);
		assert_true(f.orientation == 1 || f.orientation == 6);
		free(exact);
	}
	pixels_release(&px);
	buf_release(&jpeg);
}

static void probe_reads_jpeg_facts(void **state)
{
	struct pixels px = picture_photo(40, 30);
	struct buf grey = picture_jpeg(&px, 90, TJSAMP_GRAY, false);
	struct buf progressive = picture_jpeg(&px, 90, TJSAMP_444, true);
	struct media_facts f;
	(void)state;

	media_probe(buf_view(&grey), grey.n, &f);
	assert_true(f.grey && !f.cmyk && !f.progressive);
	assert_int_equal(f.width, 40);
	assert_int_equal(f.height, 30);
	media_probe(buf_view(&progressive), progressive.n, &f);
	assert_true(!f.grey && f.progressive);
	pixels_release(&px);
	buf_release(&grey);
	buf_release(&progressive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(probe_knows_formats),
	    cmocka_unit_test(probe_survives_cut_heads),
	    cmocka_unit_test(probe_reads_jpeg_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
