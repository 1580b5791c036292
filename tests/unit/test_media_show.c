/* From pixels to what a terminal shows: sixels, decoded again, and cells of blocks. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/media/palette.h"
#include "tests/fixtures/pictures.h"
#include "tests/unit/lib_media.h"
#include "tests/unit/lib_sixel.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static struct pixels shown(const struct pixels *in, const struct sixel_options *opt,
			   struct buf *out)
{
	struct err err = ERR_INIT;
	struct pixels p;

	if (sixel_encode_pixels(in, opt, out, &err))
		fail_msg("%s", err.msg);
	assert_true(sixel_decode(out->p, out->n, &p.w, &p.h, &p.rgb));
	return p;
}

/* What the eye makes of dithering: the mean of 3 × 3. */
static struct pixels blurred(const struct pixels *p)
{
	struct pixels b = {p->w - 2, p->h - 2, xmalloc((size_t)(p->w - 2) * (p->h - 2) * 3)};

	for (uint32_t y = 0; y < b.h; y++)
		for (uint32_t x = 0; x < b.w; x++)
			for (uint32_t c = 0; c < 3; c++) {
				int sum = 4;

				for (uint32_t i = 0; i < 9; i++)
					sum += at(p, x + i % 3, y + i / 3)[c];
				b.rgb[((size_t)y * b.w + x) * 3 + c] = (uint8_t)(sum / 9);
			}
	return b;
}

static double blurred_psnr(const struct pixels *a, const struct pixels *b)
{
	struct pixels x = blurred(a), y = blurred(b);
	double db = psnr(&x, &y);

	pixels_release(&x);
	pixels_release(&y);
	return db;
}

static void sixel_looks_like_the_picture(void **state)
{
	static const struct {
		int colors;
		bool dither;
		double floor;
	} cases[] = {
	    {256, true, 37}, {128, true, 35}, {64, true, 32}, {16, true, 24}, {128, false, 28}};
	struct pixels px = picture_photo(320, 240);
	(void)state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct sixel_options opt = {.colors = cases[i].colors, .dither = cases[i].dither};
		struct buf out = BUF_INIT;
		struct pixels p = shown(&px, &opt, &out);
		double db;

		assert_int_equal(p.w, 320);
		assert_int_equal(p.h, 240);
		db = blurred_psnr(&p, &px);
		if (db < cases[i].floor)
			fail_msg("case %zu: %.1f dB", i, db);
		pixels_release(&p);
		buf_release(&out);
	}
	pixels_release(&px);
}

static void expect_background(const struct pixels *p, struct media_rgb bg)
{
	for (uint32_t y = 0; y < p->h; y++)
		for (uint32_t x = 0; x < p->w; x++)
			if (y < 33 || y >= 33 + 90 || x < 20 || x >= 20 + 160)
				expect_near(at(p, x, y), palette_shown(bg.r), palette_shown(bg.g),
					    palette_shown(bg.b), 0);
}

static void sixel_letterbox_is_the_background(void **state)
{
	static const struct media_rgb backgrounds[] = {{0, 0, 0}, {255, 255, 255}, {29, 31, 33}};
	struct pixels px = picture_photo(160, 90);
	(void)state;

	for (size_t i = 0; i < COUNT(backgrounds); i++) {
		struct sixel_options opt = {200, 161, 64, true, false, backgrounds[i]};
		struct buf out = BUF_INIT;
		struct pixels p = shown(&px, &opt, &out), inner;

		assert_int_equal(p.w, 200);
		assert_int_equal(p.h, 156);
		expect_background(&p, backgrounds[i]);
		inner = (struct pixels){160, 90, xmalloc(160 * 90 * 3)};
		for (uint32_t y = 0; y < 90; y++)
			memcpy(inner.rgb + (size_t)y * 160 * 3, at(&p, 20, 33 + y), 160 * 3);
		assert_true(blurred_psnr(&inner, &px) > 30);
		pixels_release(&inner);
		pixels_release(&p);
		buf_release(&out);
	}
	pixels_release(&px);
}

static void sixel_first_entry_is_the_background(void **state)
{
	struct pixels px = picture_photo(120, 60);
	struct sixel_options opt = {
	    .colors = 32, .dither = true, .first_is_background = true, .background = {255, 0, 51}};
	struct buf out = BUF_INIT;
	struct pixels p = shown(&px, &opt, &out);
	int number[256];
	uint8_t rgb[256][3];
	size_t n = sixel_palette(out.p, out.n, 256, number, rgb);
	(void)state;

	assert_true(n >= 2 && n <= 32);
	for (size_t i = 0; i < n; i++)
		if (number[i] == 0)
			expect_near(rgb[i], 255, 0, 51, 0);
	assert_int_equal(number[0], 0);
	pixels_release(&p);
	pixels_release(&px);
	buf_release(&out);
}

/* Few colours need no palette but their own: charts and drawings come out as they are. */
static void sixel_of_few_colours_is_exact(void **state)
{
	struct pixels px = picture_quarters(60, 60);
	struct sixel_options opt = {.colors = 4, .dither = true};
	struct buf out = BUF_INIT;
	struct pixels p = shown(&px, &opt, &out);
	(void)state;

	assert_memory_equal(p.rgb, px.rgb, 60 * 60 * 3);
	pixels_release(&p);
	pixels_release(&px);
	buf_release(&out);
}

static void sixel_crops_what_is_larger(void **state)
{
	struct pixels px = picture_quarters(100, 65);
	struct sixel_options opt = {90, 65, 16, true, false, {0, 0, 0}};
	struct buf out = BUF_INIT;
	struct pixels p = shown(&px, &opt, &out);
	(void)state;

	assert_int_equal(p.w, 90);
	assert_int_equal(p.h, 60);
	expect_near(at(&p, 44, 29), 255, 0, 0, 0);
	expect_near(at(&p, 45, 30), 255, 255, 255, 0); /* half of 65 is 32, cut by 2 */
	pixels_release(&p);
	pixels_release(&px);
	buf_release(&out);
}

static void sixel_of_every_small_size(void **state)
{
	(void)state;
	for (uint32_t w = 1; w < 20; w++)
		for (int colors = 2; colors <= 256; colors *= 4) {
			struct pixels px = picture_photo(w, 21 - w);
			struct sixel_options opt = {24, 24, colors, true, false, {9, 9, 9}};
			struct buf out = BUF_INIT;
			struct pixels p = shown(&px, &opt, &out);

			assert_int_equal(p.w, 24);
			assert_int_equal(p.h, 24);
			pixels_release(&p);
			pixels_release(&px);
			buf_release(&out);
		}
}

static void sixel_refuses_sizes(void **state)
{
	static const struct {
		uint32_t w, h;
		int colors;
		enum status rc;
	} cases[] = {{5, 60, 16, E_LIMIT},    {60, 5, 16, E_LIMIT}, {4097, 60, 16, E_LIMIT},
		     {60, 4104, 16, E_LIMIT}, {60, 60, 1, E_USAGE}, {60, 60, 257, E_USAGE},
		     {6, 6, 16, OK}};
	struct pixels px = picture_flat(10, 10, (struct media_rgb){1, 2, 3});
	(void)state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct sixel_options opt = {cases[i].w, cases[i].h, cases[i].colors,
					    true,       false,      {0, 0, 0}};
		struct buf out = BUF_INIT;
		struct err err = ERR_INIT;

		assert_int_equal(sixel_encode_pixels(&px, &opt, &out, &err), cases[i].rc);
		assert_int_equal(out.n == 0, cases[i].rc != OK);
		buf_release(&out);
	}
	pixels_release(&px);
}

/* --- threads: the library keeps a variable of the process, so the bytes could differ --- */

struct encoding {
	const struct pixels *px;
	const struct buf *want;
	bool differs;
};

static void *encode_again(void *arg)
{
	struct encoding *e = arg;
	struct sixel_options opt = {.colors = 64, .dither = true};

	for (int i = 0; i < 8; i++) {
		struct buf out = BUF_INIT;
		struct err err = ERR_INIT;

		if (sixel_encode_pixels(e->px, &opt, &out, &err) || out.n != e->want->n ||
		    memcmp(out.p, e->want->p, out.n) != 0)
			e->differs = true;
		buf_release(&out);
	}
	return NULL;
}

static void sixel_is_the_same_from_many_threads(void **state)
{
	struct pixels px = picture_photo(120, 90);
	struct sixel_options opt = {.colors = 64, .dither = true};
	struct buf want = BUF_INIT;
	struct err err = ERR_INIT;
	struct encoding e[4];
	pthread_t t[4];
	(void)state;

	assert_int_equal(sixel_encode_pixels(&px, &opt, &want, &err), OK);
	for (size_t i = 0; i < 4; i++) {
		e[i] = (struct encoding){&px, &want, false};
		assert_int_equal(pthread_create(&t[i], NULL, encode_again, &e[i]), 0);
	}
	for (size_t i = 0; i < 4; i++) {
		pthread_join(t[i], NULL);
		assert_false(e[i].differs);
	}
	pixels_release(&px);
	buf_release(&want);
}

/* --- blocks --- */

static void expect_colour(struct media_rgb c, int r, int g, int b)
{
	expect_near((const uint8_t[3]){c.r, c.g, c.b}, r, g, b, 0);
}

static void render(const struct pixels *px, enum blocks_kind kind, uint32_t cols, uint32_t rows,
		   struct block_cell *cells)
{
	struct err err = ERR_INIT;

	if (blocks_render(px, kind, cols, rows, black, cells, &err))
		fail_msg("%s", err.msg);
}

static void blocks_halves(void **state)
{
	struct pixels px = picture_quarters(4, 4);
	struct block_cell c[4 * 2];
	(void)state;

	render(&px, BLOCKS_HALF, 4, 2, c);
	assert_int_equal(c[0].cp, ' ');
	expect_colour(c[0].bg, 255, 0, 0);
	expect_colour(c[3].bg, 0, 255, 0);
	expect_colour(c[4].bg, 0, 0, 255);
	render(&px, BLOCKS_HALF, 2, 1, c);
	assert_int_equal(c[0].cp, 0x2580);
	expect_colour(c[0].fg, 255, 0, 0);
	expect_colour(c[0].bg, 0, 0, 255);
	expect_colour(c[1].fg, 0, 255, 0);
	pixels_release(&px);
}

/* Each of the sixteen ways to paint 2 × 2 points black or white gives its glyph or, with the
 * colours exchanged, that of the opposite. */
static void blocks_quadrants(void **state)
{
	static const uint32_t glyph[16] = {' ',    0x2598, 0x259d, 0x2580, 0x2596, 0x258c,
					   0x259e, 0x259b, 0x259b, 0x259e, 0x258c, 0x2596,
					   0x2580, 0x259d, 0x2598, ' '};
	(void)state;

	for (unsigned m = 0; m < 16; m++) {
		/* A cell is twice as high as wide, and so are its quarters. */
		struct pixels px = picture_flat(2, 4, black);
		struct block_cell c;
		int fg = m & 8 ? 0 : 255;

		for (unsigned i = 0; i < 8; i++)
			memset(px.rgb + 3 * i, m >> (i / 4 * 2 + i % 2) & 1 ? 255 : 0, 3);
		render(&px, BLOCKS_QUADRANT, 1, 1, &c);
		assert_int_equal(c.cp, glyph[m]);
		expect_colour(c.bg, 255 - fg, 255 - fg, 255 - fg);
		if (c.cp != ' ')
			expect_colour(c.fg, fg, fg, fg);
		pixels_release(&px);
	}
}

static void blocks_ascii(void **state)
{
	static const struct {
		uint8_t grey, background;
		char cp;
	} cases[] = {{0, 0, ' '}, {255, 0, '@'}, {128, 0, '+'}, {0, 255, '@'}, {255, 255, ' '}};
	(void)state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct media_rgb v = {cases[i].grey, cases[i].grey, cases[i].grey};
		struct media_rgb bg = {cases[i].background, cases[i].background,
				       cases[i].background};
		struct pixels px = picture_flat(10, 20, v);
		struct block_cell c;
		struct err err = ERR_INIT;

		assert_int_equal(blocks_render(&px, BLOCKS_ASCII, 1, 1, bg, &c, &err), OK);
		assert_int_equal(c.cp, (uint32_t)cases[i].cp);
		pixels_release(&px);
	}
}

static void blocks_keep_the_shape(void **state)
{
	struct pixels px = picture_flat(40, 10, (struct media_rgb){200, 100, 50});
	struct block_cell c[20 * 10];
	int filled = 0;
	(void)state;

	render(&px, BLOCKS_QUADRANT, 20, 10, c); /* 20 wide, so 20 / 4 / 2 = 2.5 cells high */
	for (int i = 0; i < 20 * 10; i++)
		filled += c[i].bg.r == 200 || (c[i].cp != ' ' && c[i].fg.r == 200);
	assert_true(filled >= 40 && filled <= 60);
	expect_colour(c[0].bg, 0, 0, 0);
	expect_colour(c[4 * 20 + 10].bg, 200, 100, 50);
	pixels_release(&px);
}

/* A picture of one colour in a file; the name stays. */
static struct file flat_file(uint32_t w, uint32_t h, struct media_rgb c)
{
	struct pixels px = picture_flat(w, h, c);
	struct buf b = picture_bmp(&px, false);
	struct file f = write_file(buf_view(&b));

	buf_release(&b);
	pixels_release(&px);
	return f;
}

static enum status together(const char *paths, uint32_t w, uint32_t h, struct media_facts *facts,
			    struct pixels *out, struct err *err)
{
	return media_load_together(paths, w, h, 1, black, NULL, NULL, facts, out, err);
}

static void several_are_one_picture(void **state)
{
	struct file red = flat_file(60, 30, (struct media_rgb){200, 0, 0});
	struct file blue = flat_file(20, 40, (struct media_rgb){0, 0, 200});
	char *two = xasprintf("%s\n%s", red.path, blue.path);
	char *bad = xasprintf("%s\n/nonexistent/x.png\n%s", red.path, blue.path);
	struct media_facts facts;
	struct err err = ERR_INIT;
	struct pixels px;

	(void)state;
	/* Side by side where it is wide, the lower one in the middle of the row's height. */
	assert_int_equal(together(two, 400, 100, &facts, &px, &err), OK);
	assert_int_equal(px.w, 60 + 8 + 20);
	assert_int_equal(px.h, 40);
	expect_near(at(&px, 0, 5), 200, 0, 0, 0);
	expect_near(at(&px, 0, 4), 0, 0, 0, 0);
	expect_near(at(&px, 59, 34), 200, 0, 0, 0);
	expect_near(at(&px, 64, 20), 0, 0, 0, 0);
	expect_near(at(&px, 68, 0), 0, 0, 200, 0);
	assert_int_equal(facts.width, 88);
	assert_int_equal(facts.height, 40);
	assert_int_equal(facts.format, MEDIA_FORMAT_BMP);
	assert_false(facts.partial);
	pixels_release(&px);
	/* Below each other where it is high; each fits into its half, the facts tell of full size. */
	assert_int_equal(together(two, 40, 100, &facts, &px, &err), OK);
	assert_int_equal(px.w, 40);
	assert_int_equal(px.h, 20 + 8 + 40);
	expect_near(at(&px, 39, 19), 200, 0, 0, 0);
	expect_near(at(&px, 5, 28), 0, 0, 200, 0);
	assert_int_equal(facts.width, 60);
	assert_int_equal(facts.height, 78);
	pixels_release(&px);
	/* One that is not there is a frame between the others. */
	assert_int_equal(together(bad, 400, 40, &facts, &px, &err), OK);
	assert_int_equal(px.w, 60 + 8 + 40 + 8 + 20);
	expect_near(at(&px, 68, 0), 128, 128, 128, 0);
	assert_true(facts.partial);
	pixels_release(&px);
	unlink(red.path);
	unlink(blue.path);
	assert_int_equal(together(two, 400, 40, &facts, &px, &err), E_IO);
	assert_null(px.rgb);
	free(two);
	free(bad);
}

static void many_are_rows(void **state)
{
	struct file f = flat_file(10, 10, (struct media_rgb){9, 8, 7});
	struct buf paths = BUF_INIT;
	struct media_facts facts;
	struct err err = ERR_INIT;
	struct pixels px;

	(void)state;
	for (int i = 0; i < MEDIA_TOGETHER_MAX + 4; i++)
		buf_printf(&paths, "%s\n", f.path);
	assert_int_equal(together(buf_cstr(&paths), 100, 100, &facts, &px, &err), OK);
	assert_int_equal(px.w, 4 * 10 + 3 * 8); /* 4 × 4 */
	assert_int_equal(px.h, 4 * 10 + 3 * 8);
	pixels_release(&px);
	assert_int_equal(together(buf_cstr(&paths), 1, 1, &facts, &px, &err), OK);
	pixels_release(&px);
	unlink(f.path);
	buf_release(&paths);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(several_are_one_picture),
	    cmocka_unit_test(many_are_rows),
	    cmocka_unit_test(sixel_looks_like_the_picture),
	    cmocka_unit_test(sixel_letterbox_is_the_background),
	    cmocka_unit_test(sixel_first_entry_is_the_background),
	    cmocka_unit_test(sixel_of_few_colours_is_exact),
	    cmocka_unit_test(sixel_crops_what_is_larger),
	    cmocka_unit_test(sixel_of_every_small_size),
	    cmocka_unit_test(sixel_refuses_sizes),
	    cmocka_unit_test(sixel_is_the_same_from_many_threads),
	    cmocka_unit_test(blocks_halves),
	    cmocka_unit_test(blocks_quadrants),
	    cmocka_unit_test(blocks_ascii),
	    cmocka_unit_test(blocks_keep_the_shape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
