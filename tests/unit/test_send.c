/* What is sent of a picture: its own bytes, or others, and the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/media/send.h"
#include "tests/fixtures/pictures.h"
#include "tests/unit/lib_media.h"

/* bytes are kept for the caller to compare with. */
static struct send_picture sent(const struct buf *bytes, const struct send_want *want, const char *said)
{
	struct file f = write_file(buf_view(bytes));
	struct send_picture p = {0};
	struct err err = ERR_INIT;
	struct buf words = BUF_INIT;

	if (send_picture_load(f.path, want, NULL, NULL, &p, &err) != OK)
		fail_msg("%s", err.msg);
	unlink(f.path);
	send_picture_say(&p, &words);
	assert_string_equal(buf_cstr(&words), said);
	assert_int_equal(p.file_bytes, bytes->n);
	buf_release(&words);
	return p;
}

static struct pixels decoded(const struct send_picture *p)
{
	struct buf copy = BUF_INIT;
	struct loaded l;

	buf_str(&copy, buf_view(&p->bytes));
	l = load_ok(copy, 4000, 4000, NULL);
	return l.px;
}

static void own_bytes(void **state)
{
	struct pixels px = picture_quarters(64, 32);
	struct buf jpeg = picture_jpeg(&px, 90, 0, false);
	struct send_want want = {.max_side = 64, .max_bytes = jpeg.n};
	struct send_picture p = sent(&jpeg, &want, "as it is");

	(void)state;
	assert_true(str_eq(buf_view(&p.bytes), buf_view(&jpeg)));
	assert_string_equal(p.mime, "image/jpeg");
	assert_true(p.w == 64 && p.h == 32 && !p.changed);
	send_picture_release(&p);
	buf_release(&jpeg);
	pixels_release(&px);
}

static void made_anew(void **state)
{
	struct pixels px = picture_quarters(64, 32), got;
	struct buf turned = picture_jpeg(&px, 90, 0, false), bmp = picture_bmp(&px, true),
		   jpeg = picture_jpeg(&px, 95, 0, false);
	struct send_want as_is = {0}, crop = {.crop = {0.5, 0, 0.5, 0.5}}, small = {.max_side = 16};
	struct send_picture p;

	(void)state;
	picture_add_exif(&turned, 6, false);
	p = sent(&turned, &as_is, "turned upright");
	assert_true(p.w == 32 && p.h == 64 && p.file_w == 32 && p.file_h == 64);
	got = decoded(&p);
	expect_near(at(&got, 24, 16), 255, 0, 0, 12); /* the first quarter is now above on the right */
	pixels_release(&got);
	send_picture_release(&p);

	p = sent(&bmp, &as_is, "as a JPEG");
	assert_string_equal(p.mime, "image/jpeg");
	send_picture_release(&p);

	p = sent(&jpeg, &crop, "cropped");
	assert_true(p.w == 32 && p.h == 16);
	got = decoded(&p);
	expect_near(at(&got, 16, 8), 0, 255, 0, 12);
	pixels_release(&got);
	send_picture_release(&p);

	p = sent(&jpeg, &small, "scaled");
	assert_true(p.w == 16 && p.h == 8 && p.file_w == 64);
	send_picture_release(&p);
	buf_release(&turned);
	buf_release(&bmp);
	buf_release(&jpeg);
	pixels_release(&px);
}

static void squeezed(void **state)
{
	struct pixels px = picture_photo(400, 300);
	struct buf jpeg = picture_jpeg(&px, 95, 0, false);
	struct send_want want = {.max_bytes = jpeg.n / 2};
	struct send_picture p = sent(&jpeg, &want, "compressed to fit");

	(void)state;
	assert_true(p.bytes.n <= want.max_bytes && p.bytes.n > 0);
	send_picture_release(&p);
	want.max_bytes = 4000;
	p = sent(&jpeg, &want, "compressed to fit");
	assert_true(p.bytes.n <= 4000 && p.w < 400);
	send_picture_release(&p);
	buf_release(&jpeg);
	pixels_release(&px);
}

static void what_cannot_be_sent(void **state)
{
	struct pixels px = picture_photo(80, 60);
	struct buf jpeg = picture_jpeg(&px, 90, 0, false);
	struct send_want tiny = {.max_bytes = 100}, nothing = {.crop = {1, 1, 0.5, 0.5}};
	struct file f = write_file(buf_view(&jpeg)), text = write_file(STR("no picture at all"));
	struct send_picture p = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(send_picture_load(f.path, &tiny, NULL, NULL, &p, &err), E_LIMIT);
	send_picture_release(&p);
	err = (struct err)ERR_INIT;
	assert_int_equal(send_picture_load(f.path, &nothing, NULL, NULL, &p, &err), E_USAGE);
	send_picture_release(&p);
	err = (struct err)ERR_INIT;
	assert_int_not_equal(send_picture_load(text.path, &(struct send_want){0}, NULL, NULL, &p, &err), OK);
	send_picture_release(&p);
	err = (struct err)ERR_INIT;
	assert_int_equal(send_picture_load("/nowhere/a.jpg", &tiny, NULL, NULL, &p, &err), E_IO);
	send_picture_release(&p);
	unlink(f.path);
	unlink(text.path);
	buf_release(&jpeg);
	pixels_release(&px);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(own_bytes),
	    cmocka_unit_test(made_anew),
	    cmocka_unit_test(squeezed),
	    cmocka_unit_test(what_cannot_be_sent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
