/* When a picture is read, kept, dropped and made ahead; the clock is the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "tests/fixtures/pictures.h"
#include "tests/unit/lib_project.h"
#include "tui/view/pictures.h"
#include "tui/view/zoom.h"

struct fixture {
	char *folder, *path[3]; /* two pictures, one that is missing */
	struct pool *pool;
	struct pictures *pictures;
	struct picture_setup setup;
};

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);
	static const char *const names[] = {"a.jpg", "b.jpg", "missing.jpg"};
	struct err err = ERR_INIT;

	f->folder = project_folder();
	for (int i = 0; i < 3; i++)
		f->path[i] = project_file(f->folder, names[i]);
	for (int i = 0; i < 2; i++) {
		struct pixels px = picture_photo(200, 100);
		struct buf jpeg = picture_jpeg(&px, 80, 0, false);
		FILE *out = fopen(f->path[i], "we");

		assert_non_null(out);
		assert_int_equal(fwrite(jpeg.p, 1, jpeg.n, out), jpeg.n);
		fclose(out);
		buf_release(&jpeg);
		pixels_release(&px);
	}
	f->pool = pool_new(2, &err);
	f->pictures = pictures_new(f->pool);
	f->setup = (struct picture_setup){.kind = PICTURE_SIXEL, .cell_w = 10, .cell_h = 20,
					  .max_w = 1000, .max_h = 1000, .colors = 64};
	pictures_setup(f->pictures, &f->setup);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	pool_free(f->pool);
	pictures_free(f->pictures);
	for (int i = 0; i < 3; i++)
		free(f->path[i]);
	project_remove(f->folder);
	free(f);
	return 0;
}

static void want(struct fixture *f, int which, int64_t now)
{
	struct picture_wish w = {.path = f->path[which], .box = {1, 1, 10, 30}};

	pictures_want(f->pictures, &w, now);
}

static struct picture after(struct fixture *f, int64_t now)
{
	pictures_tick(f->pictures, now);
	pool_settle(f->pool);
	return pictures_get(f->pictures);
}

static void test_rests_first(void **state)
{
	struct fixture *f = *state;
	struct picture p;

	assert_int_equal(pictures_get(f->pictures).state, PICTURE_NONE);
	assert_int_equal(pictures_tick(f->pictures, 1000), -1);
	want(f, 0, 1000);
	assert_int_equal(pictures_tick(f->pictures, 1030), PICTURE_REST_MS - 30);
	assert_false(pool_busy(f->pool));
	want(f, 1, 1050); /* the cursor moved: the wait begins again */
	want(f, 1, 1080); /* the same wish does not */
	assert_int_equal(pictures_tick(f->pictures, 1100), PICTURE_REST_MS - 50);
	assert_int_equal(pictures_get(f->pictures).state, PICTURE_WAITING);
	assert_false(pictures_overdue(f->pictures, 1100));
	assert_true(pictures_overdue(f->pictures, 1050 + PICTURE_HOLD_MS));
	p = after(f, 1050 + PICTURE_REST_MS);
	assert_int_equal(p.state, PICTURE_READY);
	assert_int_equal(p.cols, 30); /* 300 x 150 pixels of a 300 x 200 box */
	assert_int_equal(p.rows, 8);
	assert_int_equal(p.facts.width, 200);
	assert_true(p.id != 0 && p.sixel.n > 100);
}

static void test_kept_and_forgotten(void **state)
{
	struct fixture *f = *state;
	uint64_t first, second;

	want(f, 0, 0);
	first = after(f, 100).id;
	want(f, 1, 200);
	second = after(f, 300).id;
	assert_true(first && second && first != second);
	want(f, 0, 400); /* at once, from what was kept */
	assert_int_equal(pictures_get(f->pictures).id, first);
	unlink(f->path[0]);
	pictures_forget(f->pictures);
	assert_int_equal(pictures_get(f->pictures).state, PICTURE_WAITING);
	assert_int_equal(after(f, 500).state, PICTURE_FAILED);
	f->setup.cell_h = 18; /* another font: nothing that was made fits */
	want(f, 1, 600);
	pictures_setup(f->pictures, &f->setup);
	assert_int_equal(pictures_get(f->pictures).state, PICTURE_WAITING);
	assert_int_equal(after(f, 700).state, PICTURE_READY);
}

static void test_failure_says_why(void **state)
{
	struct fixture *f = *state;
	struct picture p;

	want(f, 2, 0);
	p = after(f, 100);
	assert_int_equal(p.state, PICTURE_FAILED);
	assert_non_null(strstr(p.error, "missing.jpg"));
	assert_non_null(strstr(p.error, "No such file"));
}

static void test_neighbours(void **state)
{
	struct fixture *f = *state;
	struct picture_wish w = {.path = f->path[0], .next = f->path[1], .previous = f->path[2],
				 .box = {1, 1, 10, 30}};

	pictures_want(f->pictures, &w, 0);
	after(f, 100); /* itself */
	after(f, 101); /* the next */
	after(f, 102); /* the one before */
	want(f, 1, 200);
	assert_int_equal(pictures_get(f->pictures).state, PICTURE_READY);
	want(f, 2, 210);
	assert_int_equal(pictures_get(f->pictures).state, PICTURE_FAILED);
}

static void test_cancel(void **state)
{
	struct fixture *f = *state;

	assert_false(pictures_cancel(f->pictures));
	want(f, 0, 0);
	pictures_tick(f->pictures, 100);
	want(f, 1, 110); /* replaces the one under way */
	pictures_tick(f->pictures, 200);
	pool_settle(f->pool);
	assert_int_equal(pictures_get(f->pictures).state, PICTURE_READY);
	want(f, 0, 300);
	assert_int_equal(pictures_get(f->pictures).state, PICTURE_WAITING);
}

/* What was stopped says so, and is loaded again when one comes back to it or asks for all anew. */
static void test_stopped(void **state)
{
	struct fixture *f = *state;
	struct picture p;

	for (int again = 0; again < 2; again++) {
		want(f, 0, 0);
		pictures_tick(f->pictures, 100);
		assert_true(pictures_cancel(f->pictures));
		pool_settle(f->pool);
		p = pictures_get(f->pictures);
		assert_int_equal(p.state, PICTURE_FAILED);
		assert_non_null(strstr(p.error, "stopped"));
		assert_int_equal(pictures_tick(f->pictures, 5000), -1);
		want(f, 0, 5000);
		assert_int_equal(after(f, 6000).state, PICTURE_FAILED);
		if (again) {
			want(f, 1, 6000);
			want(f, 0, 6010);
		} else {
			pictures_forget(f->pictures);
		}
		assert_int_equal(pictures_get(f->pictures).state, PICTURE_WAITING);
		assert_int_equal(after(f, 7000).state, PICTURE_READY);
		want(f, 1, 7000);
		pictures_forget(f->pictures);
	}
}

/* --- a part of it, larger --- */

/* Four quarters, and the same turned: what is right above is then left above in the file. */
static char *write_quarters(struct fixture *f, const char *name, int orientation)
{
	struct pixels px = picture_quarters(200, 100);
	struct buf jpeg = picture_jpeg(&px, 95, 0, false);
	char *path = project_file(f->folder, name);
	FILE *out = fopen(path, "we");

	if (orientation)
		picture_add_exif(&jpeg, orientation, false);
	assert_non_null(out);
	assert_int_equal(fwrite(jpeg.p, 1, jpeg.n, out), jpeg.n);
	fclose(out);
	buf_release(&jpeg);
	pixels_release(&px);
	return path;
}

static bool is_near(struct media_rgb c, int r, int g, int b)
{
	return abs(c.r - r) < 24 && abs(c.g - g) < 24 && abs(c.b - b) < 24;
}

/* All cells of the picture have this colour. */
static void expect_flat(const struct picture *p, int r, int g, int b)
{
	assert_int_equal(p->state, PICTURE_READY);
	assert_true(p->cols > 0 && p->rows > 0 && p->blocks);
	for (int i = 0; i < p->cols * p->rows; i++) {
		assert_true(is_near(p->blocks[i].fg, r, g, b) || p->blocks[i].cp == ' ');
		assert_true(is_near(p->blocks[i].bg, r, g, b) || p->blocks[i].cp == 0x2588);
	}
}

static struct picture zoomed(struct fixture *f, const char *path, struct picture_zoom zoom, int64_t now)
{
	struct picture_wish w = {.path = path, .box = {1, 1, 10, 40}, .zoom = zoom};

	pictures_want(f->pictures, &w, now);
	return after(f, now + 100);
}

static void test_zoom_shows_the_part(void **state)
{
	struct fixture *f = *state;
	static const struct {
		int orientation;
		struct picture_zoom zoom;
		int r, g, b;
	} cases[] = {
	    {0, {4, 4, 80, 40, 400, 200}, 255, 0, 0},	 {0, {110, 4, 80, 40, 400, 200}, 0, 255, 0},
	    {0, {4, 56, 80, 40, 400, 200}, 0, 0, 255},	 {0, {110, 56, 80, 40, 80, 40}, 255, 255, 255},
	    {0, {110, 56, 4000, 4000, 400, 200}, 255, 255, 255}, /* the file has become a smaller one */
	    {6, {4, 4, 40, 80, 100, 200}, 0, 0, 255},	 {6, {56, 4, 40, 80, 100, 200}, 255, 0, 0},
	    {6, {56, 110, 40, 80, 100, 200}, 0, 255, 0}, {6, {0, 104, 40, 80, 40, 80}, 255, 255, 255},
	};
	char *plain = write_quarters(f, "quarters.jpg", 0), *turned = write_quarters(f, "turned.jpg", 6);

	f->setup.kind = PICTURE_BLOCKS;
	pictures_setup(f->pictures, &f->setup);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct picture p = zoomed(f, cases[i].orientation ? turned : plain, cases[i].zoom,
					  (int64_t)i * 1000);

		expect_flat(&p, cases[i].r, cases[i].g, cases[i].b);
		assert_int_equal(p.cols, (int)(cases[i].zoom.out_w + 9) / 10);
		assert_int_equal(p.facts.width, 200);
	}
	free(plain);
	free(turned);
}

/* The points stay while one moves over them: the file may go; with the zoom they go, too. */
static void test_zoom_keeps_the_points(void **state)
{
	struct fixture *f = *state;
	char *path = write_quarters(f, "quarters.jpg", 0);
	struct picture_zoom left = {4, 4, 80, 40, 160, 80}, right = {110, 4, 80, 40, 160, 80}, none = {0};
	struct picture p;

	f->setup.kind = PICTURE_BLOCKS;
	pictures_setup(f->pictures, &f->setup);
	p = zoomed(f, path, left, 0);
	expect_flat(&p, 255, 0, 0);
	unlink(path);
	p = zoomed(f, path, right, 1000);
	expect_flat(&p, 0, 255, 0);
	assert_int_equal(zoomed(f, path, none, 2000).state, PICTURE_FAILED);
	right.x++;
	assert_int_equal(zoomed(f, path, right, 3000).state, PICTURE_FAILED);
	free(path);
}

static void test_zoom_in_sixel(void **state)
{
	struct fixture *f = *state;
	struct picture_zoom z = {10, 10, 100, 50, 100, 50}, other = {10, 11, 100, 50, 400, 200};
	struct picture p = zoomed(f, f->path[0], z, 0);
	uint64_t first = p.id;

	assert_int_equal(p.state, PICTURE_READY);
	assert_int_equal(p.cols, 10);
	assert_int_equal(p.rows, 3);
	assert_true(p.sixel.n > 100);
	p = zoomed(f, f->path[0], other, 1000);
	assert_int_equal(p.cols, 40);
	assert_int_equal(zoomed(f, f->path[0], z, 2000).id, first);
}

/* --- where one is, and how large --- */

static struct zoom_sight sight(uint32_t w, uint32_t h)
{
	return (struct zoom_sight){w, h, 800, 600, 1};
}

static void test_place_steps(void **state)
{
	struct zoom_sight s = sight(4000, 2000);
	struct zoom_place p = {0, 0.5, 0.5};
	static const double larger[] = {0.25, 0.3536, 0.5, 0.7071, 1, 1.4142, 2, 2.8284, 4, 5.6569, 8, 11.314, 16, 16};

	(void)state;
	assert_float_equal(zoom_fit(&s), 0.2, 1e-9);
	assert_int_equal(zoom_part(&p, &s).w, 0);
	for (size_t i = 0; i < sizeof larger / sizeof *larger; i++) {
		zoom_step(&p, &s, 1);
		assert_true(fabs(p.scale / larger[i] - 1) < 1e-3);
	}
	for (size_t i = sizeof larger / sizeof *larger - 1; i-- > 1;) {
		zoom_step(&p, &s, -1);
		assert_true(fabs(p.scale / larger[i - 1] - 1) < 1e-3);
	}
	zoom_step(&p, &s, -1);
	assert_true(p.scale == 0); /* all of it, and no smaller */
	zoom_step(&p, &s, -1);
	assert_true(p.scale == 0);
	zoom_original(&p, &s);
	assert_float_equal(p.scale, 1, 1e-9);
	zoom_original(&p, &s);
	assert_true(p.scale == 0);
}

/* A small picture is enlarged to begin with; down to its own size it can be made smaller. */
static void test_place_of_small_pictures(void **state)
{
	struct zoom_sight s = sight(48, 48);
	struct zoom_place p = {0, 0.5, 0.5};
	struct picture_zoom z;

	(void)state;
	assert_float_equal(zoom_fit(&s), PICTURE_ENLARGE, 1e-9);
	zoom_original(&p, &s);
	z = zoom_part(&p, &s);
	assert_true(z.w == 48 && z.h == 48 && z.out_w == 48 && z.out_h == 48);
	zoom_step(&p, &s, -1);
	assert_float_equal(p.scale, 1, 1e-9);
	for (int i = 0; i < 5; i++)
		zoom_step(&p, &s, 1);
	assert_true(fabs(p.scale - 5.6569) < 1e-3);
	zoom_step(&p, &s, 1);
	assert_true(p.scale == 0); /* 6: as it was */
	zoom_step(&p, &s, 1);
	assert_float_equal(p.scale, 8, 1e-9);
	s.dot = 5; /* blocks: 100 % is a pixel for each */
	zoom_original(&p, &s);
	zoom_original(&p, &s);
	assert_float_equal(p.scale, 5, 1e-9);
}

static void test_place_pans(void **state)
{
	struct zoom_sight s = sight(4000, 3000);
	struct zoom_place p = {0, 0.5, 0.5};
	struct picture_zoom z;

	(void)state;
	zoom_pan(&p, &s, 1, 1); /* all of it is there: nowhere to go */
	assert_true(p.x == 0.5 && p.y == 0.5);
	zoom_original(&p, &s);
	z = zoom_part(&p, &s);
	assert_true(z.x == 1600 && z.y == 1200 && z.w == 800 && z.h == 600 && z.out_w == 800 && z.out_h == 600);
	zoom_pan(&p, &s, 0.25, -0.5);
	z = zoom_part(&p, &s);
	assert_true(z.x == 1800 && z.y == 900);
	zoom_pan(&p, &s, 100, 100);
	z = zoom_part(&p, &s);
	assert_true(z.x == 3200 && z.y == 2400 && z.w == 800 && z.h == 600);
	zoom_pan(&p, &s, -0.25, 0); /* at once, not after coming back from far away */
	assert_int_equal(zoom_part(&p, &s).x, 3000);
	zoom_step(&p, &s, -1);
	z = zoom_part(&p, &s);
	assert_true(z.x + z.w <= 4000 && z.y + z.h <= 3000 && z.out_w <= 800 && z.out_h <= 600);
}

/* Whatever is done, the part lies in the picture and its size in the room. */
static void test_place_stays_inside(void **state)
{
	static const uint32_t sides[] = {1, 2, 7, 48, 333, 4000, 16384};
	static const uint32_t rooms[] = {1, 10, 33, 800, 2000};

	(void)state;
	for (size_t i = 0; i < 7 * 7 * 5 * 3; i++) {
		struct zoom_sight s = {sides[i % 7], sides[i / 7 % 7], rooms[i / 49 % 5], rooms[(i / 49 + 2) % 5],
				       i / 245 == 0 ? 1 : i / 245 == 1 ? 5 : 10};
		struct zoom_place p = {0, 0.5, 0.5};

		for (int k = 0; k < 60; k++) {
			struct picture_zoom z;

			zoom_step(&p, &s, k % 7 < 4 ? 1 : -1);
			zoom_pan(&p, &s, (k % 5 - 2) * 0.7, (k % 3 - 1) * 0.9);
			z = zoom_part(&p, &s);
			assert_true(p.scale == 0 || (z.w >= 1 && z.h >= 1 && z.out_w >= 1 && z.out_h >= 1));
			assert_true(z.x + z.w <= s.w && z.y + z.h <= s.h);
			assert_true(z.out_w <= s.room_w && z.out_h <= s.room_h);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_rests_first, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_kept_and_forgotten, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_failure_says_why, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_neighbours, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_cancel, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_stopped, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_zoom_shows_the_part, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_zoom_keeps_the_points, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_zoom_in_sixel, set_up, tear_down),
	    cmocka_unit_test(test_place_steps),
	    cmocka_unit_test(test_place_of_small_pictures),
	    cmocka_unit_test(test_place_pans),
	    cmocka_unit_test(test_place_stays_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
