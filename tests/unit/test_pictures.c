/* When a picture is read, kept, dropped and made ahead; the clock is the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "tests/fixtures/pictures.h"
#include "tests/unit/lib_project.h"
#include "tui/view/pictures.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_rests_first, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_kept_and_forgotten, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_failure_says_why, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_neighbours, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_cancel, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_stopped, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
