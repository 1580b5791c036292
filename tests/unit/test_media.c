/* From files to pixels: decoding, orienting, scaling, ceilings. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <turbojpeg.h>
#include <unistd.h>
#ifdef HAVE_WEBP
#include <webp/decode.h>
#include <webp/encode.h>
#endif

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/media/decode.h"
#include "tests/fixtures/pictures.h"
#include "tests/unit/lib_media.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* --- orientation --- */

/* Which quarter (0 red, 1 green, 2 blue, 3 white) is at upper left, upper right, lower left, lower
 * right when the stored picture is red green / blue white. */
static const int quarters_after[9][4] = {{0},          {0, 1, 2, 3}, {1, 0, 3, 2},
					 {3, 2, 1, 0}, {2, 3, 0, 1}, {0, 2, 1, 3},
					 {2, 0, 3, 1}, {3, 1, 2, 0}, {1, 3, 0, 2}};
static const int quarter_colours[4][3] = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 255}};

static void expect_quarters(const struct pixels *p, const int quarters[4], int off)
{
	for (uint32_t i = 0; i < 4; i++) {
		const int *c = quarter_colours[quarters[i]];

		expect_near(at(p, i % 2 ? p->w * 3 / 4 : p->w / 4, i / 2 ? p->h * 3 / 4 : p->h / 4),
			    c[0], c[1], c[2], off);
	}
}

static void load_turns_all_eight(void **state)
{
	(void)state;
	for (int o = 0; o <= 8; o++)
		for (int big = 0; big < 2; big++) {
			struct pixels px = picture_quarters(96, 48);
			struct buf jpeg = picture_jpeg(&px, 95, TJSAMP_444, false);
			struct loaded r;
			bool turned = o >= 5;

			if (o > 0)
				picture_add_exif(&jpeg, o, big);
			r = load_ok(jpeg, 48, 48, NULL);
			assert_int_equal(r.facts.orientation, o ? o : 1);
			assert_int_equal(r.facts.width, 96);
			assert_int_equal(r.facts.height, 48);
			assert_int_equal(r.px.w, turned ? 24 : 48);
			assert_int_equal(r.px.h, turned ? 48 : 24);
			expect_quarters(&r.px, quarters_after[o ? o : 1], 12);
			pixels_release(&px);
			pixels_release(&r.px);
		}
}

static void orient_is_exact_for_every_pixel(void **state)
{
	/* 3 × 2: a b c / d e f */
	static const char *const want[9] = {"",       "abcdef", "cbafed", "fedcba", "defabc",
					    "adbecf", "daebfc", "fcebda", "cfbead"};
	(void)state;

	for (int o = 1; o <= 8; o++) {
		struct pixels p = {3, 2, xmalloc(18)};
		struct err err = ERR_INIT;

		for (int i = 0; i < 6; i++)
			memset(p.rgb + 3 * i, 'a' + i, 3);
		assert_int_equal(pixels_orient(&p, o, &err), OK);
		assert_int_equal(p.w, o >= 5 ? 2 : 3);
		for (int i = 0; i < 6; i++)
			assert_int_equal(p.rgb[3 * i + 1], want[o][i]);
		pixels_release(&p);
	}
}

/* --- PNG and BMP --- */

static unsigned gradient16(uint32_t x, uint32_t y, int c)
{
	return gradient8(x, y, c) << 8 | 0x12;
}

static unsigned two_levels(uint32_t x, uint32_t y, int c)
{
	(void)c;
	return (x / 3 + y / 3) & 1;
}

static unsigned three_entries(uint32_t x, uint32_t y, int c)
{
	(void)y, (void)c;
	return x % 3;
}

static const uint8_t three_colours[3][3] = {{200, 30, 20}, {10, 220, 40}, {5, 6, 250}};

static void expect_gradient(const struct loaded *r, const struct png_spec *s)
{
	for (uint32_t y = 0; y < s->h; y++)
		for (uint32_t x = 0; x < s->w; x++) {
			unsigned grey = s->colour == PNG_GREY || s->colour == PNG_GREY_ALPHA;
			int a = (int)gradient8(x, y, 0), b = (int)gradient8(x, y, grey ? 0 : 1);

			expect_near(at(&r->px, x, y), a, b, grey ? a : 77, 0);
		}
}

static void load_png_kinds(void **state)
{
	static const struct png_spec kinds[] = {
	    {.w = 20, .h = 13, .depth = 8, .colour = PNG_RGB, .sample = gradient8},
	    {.w = 20, .h = 13, .depth = 8, .colour = PNG_RGBA, .sample = gradient8},
	    {.w = 20, .h = 13, .depth = 16, .colour = PNG_RGB, .sample = gradient16},
	    {.w = 20, .h = 13, .depth = 8, .colour = PNG_GREY, .sample = gradient8},
	    {.w = 20, .h = 13, .depth = 16, .colour = PNG_GREY, .sample = gradient16},
	    {.w = 20,
	     .h = 13,
	     .depth = 8,
	     .colour = PNG_RGB,
	     .sample = gradient8,
	     .interlaced = true},
	    {.w = 20,
	     .h = 13,
	     .depth = 16,
	     .colour = PNG_RGBA,
	     .interlaced = true,
	     .sample = gradient16},
	};
	struct decoder *d = decoder_new(SELF_EXE);
	(void)state;

	for (size_t i = 0; i < COUNT(kinds); i++)
		for (int in_process = 0; in_process < 2; in_process++) {
			struct loaded r =
			    load_ok(picture_png(&kinds[i]), 100, 100, in_process ? NULL : d);

			assert_int_equal(r.facts.format, MEDIA_FORMAT_PNG);
			assert_int_equal(r.px.w, 20);
			assert_int_equal(r.px.h, 13);
			expect_gradient(&r, &kinds[i]);
			pixels_release(&r.px);
		}
	decoder_free(d);
}

static void load_png_bilevel_and_palette(void **state)
{
	const struct png_spec bilevel = {
	    .w = 13, .h = 9, .depth = 1, .colour = PNG_GREY, .sample = two_levels};
	(void)state;

	for (int depth = 2; depth <= 8; depth *= 2)
		for (int lace = 0; lace < 2; lace++) {
			const struct png_spec s = {.w = 11,
						   .h = 7,
						   .depth = depth,
						   .colour = PNG_PALETTE,
						   .sample = three_entries,
						   .palette = three_colours,
						   .n_palette = 3,
						   .interlaced = lace};
			struct loaded r = load_ok(picture_png(&s), 100, 100, NULL);

			for (uint32_t x = 0; x < 11; x++) {
				const uint8_t *c = three_colours[x % 3];

				expect_near(at(&r.px, x, 6), c[0], c[1], c[2], 0);
			}
			pixels_release(&r.px);
		}
	for (int lace = 0; lace < 2; lace++) {
		struct png_spec s = bilevel;
		struct loaded r;

		s.interlaced = lace;
		r = load_ok(picture_png(&s), 100, 100, NULL);
		for (uint32_t y = 0; y < 9; y++)
			for (uint32_t x = 0; x < 13; x++)
				assert_int_equal(*at(&r.px, x, y), two_levels(x, y, 0) ? 255 : 0);
		pixels_release(&r.px);
	}
}

static unsigned half_alpha(uint32_t x, uint32_t y, int c)
{
	(void)y;
	return c == 3 ? (x == 0 ? 0 : x == 1 ? 128 : 255) : c == 0 ? 200 : 100;
}

static void load_puts_alpha_on_the_background(void **state)
{
	static const uint8_t alpha[3] = {255, 0, 255};
	const struct png_spec rgba = {
	    .w = 3, .h = 2, .depth = 8, .colour = PNG_RGBA, .sample = half_alpha};
	const struct png_spec palette = {.w = 3,
					 .h = 2,
					 .depth = 8,
					 .colour = PNG_PALETTE,
					 .sample = three_entries,
					 .palette = three_colours,
					 .n_palette = 3,
					 .palette_alpha = alpha};
	const struct media_rgb bg = {10, 50, 250};
	struct buf b = picture_png(&rgba);
	struct file f = write_file(buf_view(&b));
	struct media_facts facts;
	struct err err = ERR_INIT;
	struct pixels px;
	(void)state;

	assert_int_equal(media_load(f.path, 9, 9, 1, bg, NULL, NULL, &facts, &px, &err), OK);
	assert_true(facts.alpha);
	expect_near(at(&px, 0, 0), 10, 50, 250, 0);
	expect_near(at(&px, 1, 1), (200 + 10) / 2, (100 + 50) / 2, (100 + 250) / 2, 1);
	expect_near(at(&px, 2, 1), 200, 100, 100, 0);
	pixels_release(&px);
	unlink(f.path);
	buf_release(&b);

	b = picture_png(&palette);
	f = write_file(buf_view(&b));
	assert_int_equal(media_load(f.path, 9, 9, 1, bg, NULL, NULL, &facts, &px, &err), OK);
	assert_true(facts.alpha);
	expect_near(at(&px, 0, 0), 200, 30, 20, 0);
	expect_near(at(&px, 1, 0), 10, 50, 250, 0);
	pixels_release(&px);
	unlink(f.path);
	buf_release(&b);
}

static void load_png_orientation(void **state)
{
	const struct png_spec s = {
	    .w = 20, .h = 10, .depth = 8, .colour = PNG_RGB, .sample = gradient8, .orientation = 6};
	struct loaded r = load_ok(picture_png(&s), 100, 100, NULL);
	(void)state;

	assert_int_equal(r.facts.orientation, 6);
	assert_int_equal(r.px.w, 10);
	expect_near(at(&r.px, 0, 0), 0, 90, 77, 0); /* the stored lower left */
	pixels_release(&r.px);
}

static void load_bmp_both_ways_up(void **state)
{
	struct decoder *d = decoder_new(SELF_EXE);
	(void)state;

	for (int top_down = 0; top_down < 2; top_down++) {
		struct pixels px = picture_quarters(14, 10);
		struct loaded r = load_ok(picture_bmp(&px, top_down), 100, 100, d);

		assert_int_equal(r.facts.format, MEDIA_FORMAT_BMP);
		assert_int_equal(r.facts.height, 10);
		assert_memory_equal(r.px.rgb, px.rgb, 14 * 10 * 3);
		pixels_release(&r.px);
		pixels_release(&px);
	}
	decoder_free(d);
}

#ifdef HAVE_WEBP
static void load_webp(void **state)
{
	struct decoder *d = decoder_new(SELF_EXE);
	uint8_t rgba[12 * 9 * 4], *bytes = NULL;
	struct buf webp = BUF_INIT;
	struct loaded r;
	size_t n;
	(void)state;

	for (uint32_t i = 0; i < 12 * 9; i++)
		for (int c = 0; c < 4; c++)
			rgba[i * 4 + (uint32_t)c] = (uint8_t)gradient8(i % 12, i / 12, c);
	rgba[3] = 0;
	n = WebPEncodeLosslessRGBA(rgba, 12, 9, 12 * 4, &bytes);
	buf_put(&webp, bytes, n);
	WebPFree(bytes);
	r = load_ok(webp, 50, 50, d);
	assert_int_equal(r.facts.format, MEDIA_FORMAT_WEBP);
	assert_int_equal(r.facts.width, 12);
	assert_true(r.facts.alpha);
	expect_near(at(&r.px, 0, 0), 0, 0, 0, 0);
	expect_near(at(&r.px, 11, 8), 110, 80, 77, 0);
	pixels_release(&r.px);
	decoder_free(d);
}
#endif

/* --- JPEG --- */

static void load_jpeg_scaled_while_decoding(void **state)
{
	static const struct {
		uint32_t w, h, want_w, want_h;
	} sizes[] = {{640, 480, 640, 480}, {640, 480, 500, 400}, {640, 480, 320, 240},
		     {640, 480, 101, 99},  {640, 480, 40, 30},   {641, 479, 7, 7}};
	struct decoder *d = decoder_new(SELF_EXE);
	(void)state;

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (int progressive = 0; progressive < 2; progressive++) {
			struct pixels px = picture_photo(sizes[i].w, sizes[i].h), small;
			struct loaded r = load_ok(picture_jpeg(&px, 95, TJSAMP_444, progressive),
						  sizes[i].want_w, sizes[i].want_h, d);
			struct err err = ERR_INIT;

			assert_true(r.px.w == sizes[i].want_w || r.px.h == sizes[i].want_h);
			assert_true(r.px.w <= sizes[i].want_w && r.px.h <= sizes[i].want_h);
			assert_int_equal(media_scale(&px, r.px.w, r.px.h, &small, &err), OK);
			if (psnr(&r.px, &small) < 30)
				fail_msg("case %zu: %.1f dB", i, psnr(&r.px, &small));
			pixels_release(&px);
			pixels_release(&small);
			pixels_release(&r.px);
		}
	decoder_free(d);
}

static void load_jpeg_cmyk(void **state)
{
	enum { W = 32, H = 16 };
	uint8_t inks[W * H * 4];
	struct loaded r;
	(void)state;

	/* As Adobe stores it, 255 is no ink: left cyan, right half black over magenta. */
	for (int i = 0; i < W * H; i++) {
		const uint8_t cyan[4] = {0, 255, 255, 255}, dark[4] = {255, 0, 255, 128};

		memcpy(inks + i * 4, i % W < W / 2 ? cyan : dark, 4);
	}
	r = load_ok(picture_jpeg_cmyk(inks, W, H, 98), 100, 100, NULL);
	assert_true(r.facts.cmyk);
	expect_near(at(&r.px, 4, 8), 0, 255, 255, 4);
	expect_near(at(&r.px, 28, 8), 128, 0, 128, 4);
	pixels_release(&r.px);
}

/* Without the marker 255 is full ink. The encoder wrote (200, 200, 200) as brightness 55 and no
 * colour (128, 128); without the marker those are read as inks. */
static void load_jpeg_cmyk_without_adobe(void **state)
{
	enum { W = 16, H = 16 };
	uint8_t inks[W * H * 4];
	struct buf jpeg;
	struct loaded r;
	size_t from;
	(void)state;

	for (int i = 0; i < W * H; i++)
		memcpy(inks + i * 4, (const uint8_t[4]){200, 200, 200, 0}, 4);
	jpeg = picture_jpeg_cmyk(inks, W, H, 98);
	from = str_find(buf_view(&jpeg), STR("Adobe"));
	assert_true(from != SIZE_MAX);
	memcpy(jpeg.p + from, "adobE", 5);
	r = load_ok(jpeg, 100, 100, NULL);
	expect_near(at(&r.px, 8, 8), 255 - 55, 127, 127, 3);
	pixels_release(&r.px);
}

static void load_grey_jpeg(void **state)
{
	struct pixels px = picture_photo(50, 40);
	struct loaded r = load_ok(picture_jpeg(&px, 90, TJSAMP_GRAY, false), 50, 40, NULL);
	(void)state;

	assert_true(r.facts.grey);
	for (uint32_t i = 0; i < 50 * 40; i++)
		assert_true(r.px.rgb[3 * i] == r.px.rgb[3 * i + 1] &&
			    r.px.rgb[3 * i] == r.px.rgb[3 * i + 2]);
	pixels_release(&px);
	pixels_release(&r.px);
}

static void load_truncated_jpeg_in_part(void **state)
{
	struct pixels px = picture_photo(128, 128);
	struct buf jpeg = picture_jpeg(&px, 95, TJSAMP_444, false);
	struct loaded r;
	(void)state;

	jpeg.n = jpeg.n * 7 / 10;
	r = load_ok(jpeg, 128, 128, NULL);
	assert_true(r.facts.partial);
	for (uint32_t x = 0; x < 128; x++) { /* what is there is right, the rest is grey */
		const uint8_t *c = at(&px, x, 40);

		expect_near(at(&r.px, x, 40), c[0], c[1], c[2], 24);
	}
	pixels_release(&r.px);
	r = load_ok(picture_jpeg(&px, 95, TJSAMP_444, false), 128, 128, NULL);
	assert_false(r.facts.partial);
	pixels_release(&r.px);
	pixels_release(&px);
}

/* --- what is refused --- */

static struct buf bytes_of(struct str s)
{
	struct buf b = BUF_INIT;

	buf_str(&b, s);
	return b;
}

static void load_refuses_in_words(void **state)
{
	static const struct {
		struct str bytes;
		enum status rc;
		const char *word;
	} cases[] = {
	    {{"", 0}, E_FORMAT, "empty"},
	    {{"hello, world", 12}, E_FORMAT, "no picture"},
	    {{"version https://git-lfs.github.com/spec/v1\noid", 46}, E_FORMAT, "not downloaded"},
	    {{"II*\0\x08\0\0\0", 8}, E_UNSUPPORTED, "TIFF"},
	    {{"\0\0\0\x18"
	      "ftypisom",
	      12},
	     E_UNSUPPORTED,
	     "video"},
	    {{"\0\0\0\x18"
	      "ftypheic",
	      12},
	     E_UNSUPPORTED,
	     "HEIC"},
	    {{"\xff\xd8\xff\xe0\0\x10JFIF", 10}, E_FORMAT, "JPEG"},
	    {{"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", 16}, E_FORMAT, "PNG"},
	    {{"RIFF\0\0\0\0WEBPVP8X", 16}, E_FORMAT, "damaged"},
	};
	(void)state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct loaded r = load(bytes_of(cases[i].bytes), 10, 10, NULL);

		if (r.rc == E_UNSUPPORTED && strstr(r.err.msg, "libwebp"))
			continue;
		if (r.rc != cases[i].rc || !strstr(r.err.msg, cases[i].word))
			fail_msg("case %zu: %d, %s", i, (int)r.rc, r.err.msg);
		assert_null(r.px.rgb);
	}
}

static void load_refuses_what_is_no_file(void **state)
{
	struct media_facts facts;
	struct err err = ERR_INIT;
	struct pixels px;
	char fifo[] = "/tmp/qualm-fifo-XXXXXX";
	(void)state;

	assert_int_equal(
	    media_load("/nowhere/x.png", 9, 9, 1, black, NULL, NULL, &facts, &px, &err), E_IO);
	assert_non_null(strstr(err.msg, "x.png"));
	assert_int_equal(media_load("/tmp", 9, 9, 1, black, NULL, NULL, &facts, &px, &err), E_IO);
	assert_non_null(mkdtemp(fifo));
	rmdir(fifo);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(media_load(fifo, 9, 9, 1, black, NULL, NULL, &facts, &px, &err), E_IO);
	unlink(fifo);
}

static void load_refuses_bombs_before_decoding(void **state)
{
	static const struct {
		uint32_t w, h;
	} sizes[] = {{20000, 20000}, {16385, 1}, {16384, 16384}, {0, 5}, {0xffffffff, 2}};
	/* A program that cannot be started shows that the decode process is not asked. */
	struct decoder *d = decoder_new("/nowhere/qualm");
	(void)state;

	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct loaded r = load(picture_png_bomb(sizes[i].w, sizes[i].h), 100, 100, d);

		assert_int_equal(r.rc, sizes[i].w == 0 ? E_FORMAT : E_LIMIT);
		assert_int_equal(r.facts.width, sizes[i].w);
	}
	decoder_free(d);
}

static void load_refuses_large_files(void **state)
{
	struct buf png = picture_png_bomb(10, 10);
	struct file f = write_file(buf_view(&png));
	struct media_facts facts;
	struct err err = ERR_INIT;
	struct pixels px;
	(void)state;

	assert_int_equal(truncate(f.path, (off_t)MEDIA_MAX_BYTES + 1), 0); /* sparse */
	assert_int_equal(media_load(f.path, 9, 9, 1, black, NULL, NULL, &facts, &px, &err),
			 E_LIMIT);
	assert_non_null(strstr(err.msg, "MiB"));
	unlink(f.path);
	buf_release(&png);
}

static void load_truncated_png_is_a_sentence(void **state)
{
	const struct png_spec s = {
	    .w = 64, .h = 64, .depth = 8, .colour = PNG_RGB, .sample = gradient8};
	struct decoder *d = decoder_new(SELF_EXE);
	struct buf png = picture_png(&s);
	struct loaded r;
	(void)state;

	png.n /= 2;
	r = load(png, 64, 64, d);
	assert_int_equal(r.rc, E_FORMAT);
	assert_non_null(strstr(r.err.msg, "cut off"));
	assert_int_equal(r.facts.width, 64);
	decoder_free(d);
}

/* --- size --- */

static void load_fits_and_keeps_the_shape(void **state)
{
	static const struct {
		uint32_t w, h, max_w, max_h;
		double enlarge;
		uint32_t out_w, out_h;
	} cases[] = {
	    {100, 50, 50, 50, 1, 50, 25},  {100, 50, 500, 500, 1, 100, 50},
	    {10, 10, 100, 60, 4, 40, 40},  {10, 10, 30, 60, 4, 30, 30},
	    {300, 2, 100, 100, 1, 100, 1}, {300, 1, 10, 10, 1, 10, 1},
	    {1, 1, 1, 1, 1, 1, 1},         {375, 500, 320, 240, 1, 180, 240},
	};
	(void)state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct pixels px =
		    picture_flat(cases[i].w, cases[i].h, (struct media_rgb){9, 8, 7});
		struct buf b = picture_bmp(&px, false);
		struct file f = write_file(buf_view(&b));
		struct media_facts facts;
		struct err err = ERR_INIT;
		struct pixels out;

		assert_int_equal(media_load(f.path, cases[i].max_w, cases[i].max_h,
					    cases[i].enlarge, black, NULL, NULL, &facts, &out,
					    &err),
				 OK);
		if (out.w != cases[i].out_w || out.h != cases[i].out_h)
			fail_msg("case %zu: %u × %u", i, out.w, out.h);
		expect_near(at(&out, out.w - 1, out.h - 1), 9, 8, 7, 0);
		pixels_release(&out);
		pixels_release(&px);
		buf_release(&b);
		unlink(f.path);
	}
}

static void mean_of(const struct pixels *p, double mean[3])
{
	size_t n = (size_t)p->w * p->h;

	mean[0] = mean[1] = mean[2] = 0;
	for (size_t i = 0; i < n * 3; i++)
		mean[i % 3] += p->rgb[i] / (double)n;
}

static void scale_keeps_the_mean(void **state)
{
	static const uint32_t sizes[][2] = {{400, 300}, {320, 240}, {200, 150}, {199, 149},
					    {133, 100}, {57, 43},   {10, 300},  {1, 1},
					    {800, 600}, {7, 5}};
	struct pixels px = picture_photo(400, 300);
	double before[3], after[3];
	(void)state;

	mean_of(&px, before);
	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct err err = ERR_INIT;
		struct pixels out;

		assert_int_equal(media_scale(&px, sizes[i][0], sizes[i][1], &out, &err), OK);
		assert_int_equal(out.w, sizes[i][0]);
		assert_int_equal(out.h, sizes[i][1]);
		mean_of(&out, after);
		for (int c = 0; c < 3; c++)
			if (fabs(before[c] - after[c]) > 2)
				fail_msg("case %zu channel %d: %.2f, %.2f", i, c, before[c],
					 after[c]);
		pixels_release(&out);
	}
	pixels_release(&px);
}

/* A ramp must stay where it is: a shift by half a pixel is a common mistake. */
static void scale_does_not_shift(void **state)
{
	static const uint32_t widths[] = {255, 128, 100, 64, 37, 20, 300};
	struct pixels px = picture_flat(256, 8, black);
	(void)state;

	for (uint32_t i = 0; i < 256 * 8; i++)
		memset(px.rgb + 3 * i, (int)(i % 256), 3);
	for (size_t i = 0; i < COUNT(widths); i++) {
		struct err err = ERR_INIT;
		struct pixels out;

		assert_int_equal(media_scale(&px, widths[i], 8, &out, &err), OK);
		for (uint32_t x = out.w / 8; x < out.w * 7 / 8; x++) {
			double want = (x + 0.5) * 256 / out.w - 0.5;

			if (fabs(*at(&out, x, 4) - want) > 1.01)
				fail_msg("width %u: %d at %u, not %.2f", widths[i], *at(&out, x, 4),
					 x, want);
		}
		pixels_release(&out);
	}
	pixels_release(&px);
}

static void load_survives_failing_allocations(void **state)
{
	const struct png_spec s = {
	    .w = 40, .h = 30, .depth = 8, .colour = PNG_RGBA, .sample = gradient8};
	struct buf png = picture_png(&s);
	struct decode_want want = {10, 10, black};
	int refused = 0;
	(void)state;

	for (unsigned long n = 1; n < 10; n++) {
		struct decoded d;
		struct err err = ERR_INIT;
		enum status rc;

		xmalloc_fail_at(n);
		rc = stb_decode(buf_view(&png), &want, &d, &err);
		xmalloc_fail_at(0);
		if (rc)
			refused++;
		else
			pixels_release(&d.px);
		if (rc)
			assert_true(rc == E_LIMIT || rc == E_MEMORY || rc == E_FORMAT);
		else
			break;
	}
	assert_true(refused >= 2);
	buf_release(&png);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(load_turns_all_eight),
	    cmocka_unit_test(orient_is_exact_for_every_pixel),
	    cmocka_unit_test(load_png_kinds),
	    cmocka_unit_test(load_png_bilevel_and_palette),
	    cmocka_unit_test(load_puts_alpha_on_the_background),
	    cmocka_unit_test(load_png_orientation),
	    cmocka_unit_test(load_bmp_both_ways_up),
#ifdef HAVE_WEBP
	    cmocka_unit_test(load_webp),
#endif
	    cmocka_unit_test(load_jpeg_scaled_while_decoding),
	    cmocka_unit_test(load_jpeg_cmyk),
	    cmocka_unit_test(load_jpeg_cmyk_without_adobe),
	    cmocka_unit_test(load_grey_jpeg),
	    cmocka_unit_test(load_truncated_jpeg_in_part),
	    cmocka_unit_test(load_refuses_in_words),
	    cmocka_unit_test(load_refuses_what_is_no_file),
	    cmocka_unit_test(load_refuses_bombs_before_decoding),
	    cmocka_unit_test(load_refuses_large_files),
	    cmocka_unit_test(load_truncated_png_is_a_sentence),
	    cmocka_unit_test(load_fits_and_keeps_the_shape),
	    cmocka_unit_test(scale_keeps_the_mean),
	    cmocka_unit_test(scale_does_not_shift),
	    cmocka_unit_test(load_survives_failing_allocations),
	};

	if (argc == 3 && strcmp(argv[1], "--decode-process") == 0)
		return decoder_main(DECODER_TEST_FD);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
