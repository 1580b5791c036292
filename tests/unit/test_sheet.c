/* The contact sheet: its layout, and pictures on their way from files into parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "core/media/media_cache.h"
#include "tests/fixtures/pictures.h"
#include "tests/unit/lib_media.h"
#include "tests/unit/lib_project.h"
#include "tests/unit/lib_sixel.h"
#include "tui/view/sheet.h"

static bool apart(struct rect a, struct rect b)
{
	return a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
}

static void test_layout(void **state)
{
	struct sheet_grid g;

	(void)state;
	sheet_layout((struct rect){1, 0, 22, 80}, 10, 20, &g);
	assert_int_equal(g.cols, 4);
	assert_int_equal(g.rows, 2);
	sheet_layout((struct rect){1, 0, 34, 120}, 10, 20, &g);
	assert_int_equal(g.cols, 6);
	assert_true(g.rows >= 3);
	sheet_layout((struct rect){1, 0, 8, 40}, 10, 20, &g);
	assert_int_equal(g.cols * g.rows, 2);
	for (int w = 1; w < 420; w += 3)
		for (int h = 1; h < 140; h++) {
			struct rect area = {1, 0, h, w};
			int n;

			sheet_layout(area, 8, 17, &g);
			n = g.cols * g.rows;
			assert_true(n >= 1 && n <= SHEET_SLOTS_MAX);
			for (int i = 0; i < n; i += n > 8 ? 3 : 1) {
				struct rect t = sheet_thumb(&g, i), c = sheet_caption(&g, i);

				assert_true(t.h >= 0 && t.y >= area.y && t.y + t.h <= area.y + h);
				assert_true(t.x + t.w <= w || w < 4);
				assert_true(apart(t, c) || t.h == 0);
				if (i + 1 < n)
					assert_true(apart(t, sheet_thumb(&g, i + 1)) || t.h == 0);
				if (i + g.cols < n)
					assert_true(apart(c, sheet_thumb(&g, i + g.cols)));
			}
		}
}

/* --- with files --- */

struct fixture {
	struct pool *pool;
	struct sheet *sheet;
	struct file file[6];
	struct sheet_slot slot[6];
	struct picture_setup setup;
};

static void set_up(struct fixture *f, enum picture_kind kind)
{
	static const struct media_rgb color[6] = {{200, 0, 0},   {0, 200, 0},   {0, 0, 200},
						  {200, 200, 0}, {0, 200, 200}, {200, 0, 200}};
	struct err err = ERR_INIT;

	*f = (struct fixture){0};
	f->pool = pool_new(2, &err);
	f->sheet = sheet_new(f->pool);
	f->setup = (struct picture_setup){
	    .kind = kind, .cell_w = 10, .cell_h = 20, .max_w = 1000, .max_h = 1000, .colors = 256,
	    .unicode = true};
	sheet_setup(f->sheet, &f->setup, false);
	for (int i = 0; i < 6; i++) { /* two rows of three, a caption below each */
		struct pixels px = picture_flat(60, 60, color[i]);
		struct buf bmp = picture_bmp(&px, false);

		f->file[i] = write_file(buf_view(&bmp));
		f->slot[i] = (struct sheet_slot){{1 + i / 3 * 5, 1 + i % 3 * 10, 3, 8}, f->file[i].path, 0};
		buf_release(&bmp);
		pixels_release(&px);
	}
}

static void tear_down(struct fixture *f)
{
	sheet_free(f->sheet);
	pool_free(f->pool);
	for (int i = 0; i < 6; i++)
		unlink(f->file[i].path);
}

/* As the loop does, without its waiting. */
static void turn(struct fixture *f, int n, int64_t now, size_t budget)
{
	for (int k = 0; k < 4; k++) {
		sheet_want(f->sheet, f->slot, n, NULL, 0, now);
		sheet_tick(f->sheet, now, false, budget, true);
		pool_settle(f->pool);
	}
	sheet_want(f->sheet, f->slot, n, NULL, 0, now);
}

static void expect_color(const struct placed_part *part, int x, int y, int r, int g, int b, int off)
{
	struct pixels px = {0};

	assert_true(sixel_decode(part->sixel.p, part->sixel.n, &px.w, &px.h, &px.rgb));
	assert_true((int)px.w == part->rect.w * 10);
	assert_true((int)px.h <= part->rect.h * 20 && (int)px.h > part->rect.h * 20 - 6);
	expect_near(at(&px, (uint32_t)x, (uint32_t)y), r, g, b, off);
	pixels_release(&px);
}

static void expect_flat(const struct placed_part *part, int x, int y, int r, int g, int b)
{
	expect_color(part, x, y, r, g, b, 12);
}

static void expect_exactly(const struct placed_part *part, int x, int y, int r, int g, int b)
{
	expect_color(part, x, y, r, g, b, 0);
}

static void test_parts(void **state)
{
	const struct placed_picture *p;
	struct fixture f;

	(void)state;
	set_up(&f, PICTURE_SIXEL);
	assert_null(sheet_placed(f.sheet));
	turn(&f, 6, 1000, 0);
	p = sheet_placed(f.sheet);
	assert_non_null(p);
	assert_int_equal(p->n_parts, 2);
	assert_true(p->id != 0);
	assert_memory_equal(&p->rect, (&(struct rect){1, 1, 8, 28}), sizeof p->rect);
	assert_memory_equal(&p->part[1].rect, (&(struct rect){6, 1, 3, 28}), sizeof p->rect);
	expect_flat(&p->part[0], 30, 30, 200, 0, 0);
	expect_flat(&p->part[0], 130, 30, 0, 200, 0);
	expect_exactly(&p->part[0], 95, 30, 0, 0, 0); /* between two pictures */
	expect_flat(&p->part[1], 230, 30, 200, 0, 200);
	tear_down(&f);
}

/* A contact sheet: everything in one picture, with numbers in the corners, in the middle of slots. */
static void test_whole(void **state)
{
	const struct placed_picture *p;
	struct fixture f;

	(void)state;
	set_up(&f, PICTURE_SIXEL);
	sheet_setup(f.sheet, &f.setup, true); /* also where rows of them cannot be placed */
	sheet_whole(f.sheet, true);
	for (int i = 0; i < 6; i++)
		f.slot[i].number = i + 1;
	f.slot[4].path = "/nowhere/at/all.bmp"; /* a hole, but still one picture */
	turn(&f, 6, 1000, 0);
	p = sheet_placed(f.sheet);
	assert_non_null(p);
	assert_int_equal(p->n_parts, 1);
	assert_memory_equal(&p->part[0].rect, (&(struct rect){1, 1, 8, 28}), sizeof p->rect);
	expect_flat(&p->part[0], 40, 50, 200, 0, 0);
	expect_flat(&p->part[0], 140, 50, 0, 200, 0);
	expect_flat(&p->part[0], 240, 150, 200, 0, 200); /* of the second row */
	expect_exactly(&p->part[0], 5, 30, 0, 0, 0);	 /* beside the picture in the middle */
	expect_flat(&p->part[0], 14, 9, 255, 255, 255); /* the foot of a 1, upon black */
	expect_exactly(&p->part[0], 140, 130, 0, 0, 0);	 /* the hole */
	sheet_whole(f.sheet, false);
	turn(&f, 6, 2000, 0);
	assert_null(sheet_placed(f.sheet)); /* blocks again */
	tear_down(&f);
}

/* What was loaded once is found on the disk: the file says something else now, and claims that it
 * was not touched. */
static void test_disk(void **state)
{
	char dir[] = "/tmp/qualm-thumbs-XXXXXX";
	struct pixels px = picture_flat(60, 60, (struct media_rgb){1, 2, 200});
	struct buf bmp = picture_bmp(&px, false);
	struct timespec times[2];
	struct fixture f;
	struct stat st;
	FILE *out;

	(void)state;
	set_up(&f, PICTURE_SIXEL);
	assert_non_null(mkdtemp(dir));
	f.setup.cache = media_cache_open(dir, 1 << 20);
	sheet_setup(f.sheet, &f.setup, false);
	sheet_forget(f.sheet);
	turn(&f, 3, 1000, 0);
	assert_int_equal(stat(f.file[0].path, &st), 0);
	out = fopen(f.file[0].path, "r+be");
	assert_int_equal(fwrite(bmp.p, 1, bmp.n, out), bmp.n);
	fclose(out);
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	assert_int_equal(utimensat(AT_FDCWD, f.file[0].path, times, 0), 0);
	sheet_forget(f.sheet);
	turn(&f, 3, 2000, 0);
	expect_flat(&sheet_placed(f.sheet)->part[0], 30, 30, 200, 0, 0);
	times[1].tv_sec += 5; /* and now it says so */
	assert_int_equal(utimensat(AT_FDCWD, f.file[0].path, times, 0), 0);
	sheet_forget(f.sheet);
	turn(&f, 3, 3000, 0);
	expect_flat(&sheet_placed(f.sheet)->part[0], 30, 30, 1, 2, 200);
	tear_down(&f);
	media_cache_free(f.setup.cache);
	project_remove(xstrdup(dir));
	buf_release(&bmp);
	pixels_release(&px);
}

/* The terminal takes no wider pictures: two parts a row. */
static void test_narrow_parts(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, PICTURE_SIXEL);
	f.setup.max_w = 200;
	sheet_setup(f.sheet, &f.setup, false);
	turn(&f, 3, 1000, 0);
	assert_int_equal(sheet_placed(f.sheet)->n_parts, 2);
	assert_int_equal(sheet_placed(f.sheet)->part[0].rect.w, 18);
	tear_down(&f);
}

/* What cannot be loaded is a hole that the parts leave, with its reason in it. */
static void test_broken(void **state)
{
	struct fixture f;
	struct cells grid = {0};
	struct buf dump = BUF_INIT;

	(void)state;
	set_up(&f, PICTURE_SIXEL);
	f.slot[1].path = "/nowhere/at/all.bmp";
	turn(&f, 3, 1000, 0);
	assert_int_equal(sheet_state(f.sheet, 1), PICTURE_FAILED);
	assert_int_equal(sheet_placed(f.sheet)->n_parts, 2);
	cells_resize(&grid, 12, 40);
	sheet_draw(f.sheet, &grid);
	cells_dump(&grid, &dump);
	assert_non_null(strstr(buf_cstr(&dump), "open"));
	f.slot[0].path = f.slot[2].path = "/nor/here.bmp";
	turn(&f, 3, 2000, 0);
	assert_null(sheet_placed(f.sheet)); /* nothing but failures */
	cells_release(&grid);
	buf_release(&dump);
	tear_down(&f);
}

/* A page is kept until another is wanted; what was loaded is not loaded again. */
static void test_pages(void **state)
{
	struct sheet_slot first;
	struct fixture f;
	uint64_t id;

	(void)state;
	set_up(&f, PICTURE_SIXEL);
	turn(&f, 3, 1000, 0);
	id = sheet_placed(f.sheet)->id;
	turn(&f, 3, 2000, 0);
	assert_int_equal(sheet_placed(f.sheet)->id, id);
	first = f.slot[0];
	f.slot[0].path = f.slot[4].path;
	sheet_want(f.sheet, f.slot, 3, NULL, 0, 3000);
	assert_null(sheet_placed(f.sheet)); /* the old page's pictures are not this one's */
	assert_int_equal(sheet_state(f.sheet, 0), PICTURE_WAITING);
	assert_int_equal(sheet_state(f.sheet, 1), PICTURE_READY);
	turn(&f, 3, 3000, 0);
	assert_true(sheet_placed(f.sheet)->id != id);
	unlink(f.file[0].path);
	f.slot[0] = first;
	turn(&f, 3, 4000, 0);
	assert_int_equal(sheet_state(f.sheet, 0), PICTURE_READY);
	sheet_forget(f.sheet);
	turn(&f, 3, 5000, 0);
	assert_int_equal(sheet_state(f.sheet, 0), PICTURE_FAILED); /* now it shows */
	tear_down(&f);
}

/* While the terminal is busy, and for a moment after the last version, nothing new is made. */
static void test_not_too_often(void **state)
{
	struct fixture f;
	int wait;

	(void)state;
	set_up(&f, PICTURE_SIXEL);
	sheet_want(f.sheet, f.slot, 6, NULL, 0, 1000);
	assert_int_equal(sheet_tick(f.sheet, 1000, false, 0, false), PICTURE_REST_MS);
	sheet_want(f.sheet, f.slot, 6, NULL, 0, 1000 + PICTURE_REST_MS);
	sheet_tick(f.sheet, 1000 + PICTURE_REST_MS, true, 0, false);
	pool_settle(f.pool);
	sheet_want(f.sheet, f.slot, 6, NULL, 0, 1100);
	assert_int_equal(sheet_tick(f.sheet, 1100, true, 0, false), -1); /* busy */
	pool_settle(f.pool);
	assert_null(sheet_placed(f.sheet));
	wait = sheet_tick(f.sheet, 1100, false, 0, false); /* all are there: at once */
	pool_settle(f.pool);
	assert_int_equal(wait, -1);
	assert_non_null(sheet_placed(f.sheet));
	tear_down(&f);
}

/* A slow line gets fewer colours, and blocks when even that is far too much. */
static void test_budget(void **state)
{
	struct fixture f;
	struct cells grid = {0};
	size_t n = 0;

	(void)state;
	set_up(&f, PICTURE_SIXEL);
	turn(&f, 6, 1000, 0);
	for (int k = 0; k < 2; k++)
		n += sheet_placed(f.sheet)->part[k].sixel.n;
	sheet_forget(f.sheet);
	turn(&f, 6, 2000, n / 30);
	assert_null(sheet_placed(f.sheet));
	cells_resize(&grid, 12, 40);
	sheet_draw(f.sheet, &grid);
	assert_true(cells_at(&grid, 2, 2)->colored);
	cells_release(&grid);
	tear_down(&f);
}

static void test_blocks(void **state)
{
	struct fixture f;
	struct cells grid = {0};

	(void)state;
	set_up(&f, PICTURE_BLOCKS);
	turn(&f, 6, 1000, 0);
	assert_null(sheet_placed(f.sheet));
	cells_resize(&grid, 12, 40);
	sheet_draw(f.sheet, &grid);
	assert_true(cells_at(&grid, 2, 2)->colored);
	assert_in_range(cells_at(&grid, 2, 2)->bg[0] + cells_at(&grid, 2, 2)->fg[0], 190, 410);
	assert_false(cells_at(&grid, 4, 2)->colored); /* the caption's */
	cells_release(&grid);
	tear_down(&f);
}

/* Everything is wanted, nothing is waited for: freeing comes in the middle of it. */
static void test_freed_while_loading(void **state)
{
	(void)state;
	for (int k = 0; k < 30; k++) {
		struct fixture f;

		set_up(&f, PICTURE_SIXEL);
		for (int i = 0; i < k % 7; i++) {
			sheet_want(f.sheet, f.slot + i % 3, 3, NULL, 0, i);
			sheet_tick(f.sheet, i, false, 0, true);
			pool_reap(f.pool);
		}
		tear_down(&f);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_layout),	  cmocka_unit_test(test_parts),
	    cmocka_unit_test(test_whole),
	    cmocka_unit_test(test_disk),
	    cmocka_unit_test(test_narrow_parts),  cmocka_unit_test(test_broken),
	    cmocka_unit_test(test_pages),	  cmocka_unit_test(test_not_too_often),
	    cmocka_unit_test(test_budget),	  cmocka_unit_test(test_blocks),
	    cmocka_unit_test(test_freed_while_loading),
	};

	(void)argc;
	(void)argv;
	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
