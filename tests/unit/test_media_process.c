/* The decode process: kept, restarted, left; and all real pictures through it. */
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/media/decode.h"
#include "tests/fixtures/pictures.h"
#include "tests/unit/lib_media.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* --- the decode process --- */

/* The one child of this process, or 0. */
static pid_t child_of_mine(void)
{
	char path[64];
	FILE *f;
	long pid = 0;

	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	f = fopen(path, "r");
	if (f && fscanf(f, "%ld", &pid) != 1)
		pid = 0;
	if (f)
		fclose(f);
	return (pid_t)pid;
}

static struct buf some_png(void)
{
	static const struct png_spec s = {
	    .w = 25, .h = 25, .depth = 8, .colour = PNG_RGB, .sample = gradient8};

	return picture_png(&s);
}

static void decoder_restarts_after_its_death(void **state)
{
	struct decoder *d = decoder_new(SELF_EXE);
	pid_t first, second;
	struct loaded r = load_ok(some_png(), 25, 25, d);
	(void)state;

	pixels_release(&r.px);
	first = child_of_mine();
	if (first <= 0) { /* a kernel without that list */
		decoder_free(d);
		skip();
	}
	r = load_ok(some_png(), 25, 25, d);
	pixels_release(&r.px);
	assert_int_equal(child_of_mine(), first); /* it is kept */
	assert_int_equal(kill(first, SIGKILL), 0);
	r = load_ok(some_png(), 25, 25, d);
	expect_near(at(&r.px, 3, 4), 30, 40, 77, 0);
	pixels_release(&r.px);
	second = child_of_mine();
	assert_true(second > 0 && second != first);
	decoder_free(d);
	assert_int_equal(child_of_mine(), 0);
	assert_int_equal(kill(second, 0), -1); /* reaped */
}

static void decoder_that_cannot_start_says_so(void **state)
{
	struct decoder *d = decoder_new("/nowhere/qualm");
	struct loaded r = load(some_png(), 25, 25, d);
	(void)state;

	assert_int_equal(r.rc, E_IO);
	assert_non_null(strstr(r.err.msg, "decode process"));
	decoder_free(d);
	d = decoder_new("/bin/true"); /* ends at once, whatever it is asked */
	r = load(some_png(), 25, 25, d);
	assert_int_equal(r.rc, E_FORMAT);
	decoder_free(d);
}

struct cancelling {
	struct cancel cancel;
	pthread_t thread;
	int after_ms;
};

static void *cancel_later(void *arg)
{
	struct cancelling *c = arg;

	poll(NULL, 0, c->after_ms);
	cancel_now(&c->cancel);
	return NULL;
}

/* The decode process sleeps instead of answering: what is tested is that the waiting ends. */
static void decoder_is_left_on_cancel(void **state)
{
	(void)state;
	for (int with_fd = 0; with_fd < 2; with_fd++) {
		struct decoder *d = decoder_new(SELF_EXE);
		struct cancelling c = {.after_ms = 60};
		struct buf png = some_png();
		struct file f = write_file(buf_view(&png));
		struct media_facts facts;
		struct err err = ERR_INIT;
		struct pixels px;

		cancel_init(&c.cancel);
		if (with_fd)
			assert_true(cancel_fd(&c.cancel) >= 0);
		setenv("QUALM_TEST_DECODER_HANGS", "1", 1);
		assert_int_equal(pthread_create(&c.thread, NULL, cancel_later, &c), 0);
		assert_int_equal(
		    media_load(f.path, 9, 9, 1, black, d, &c.cancel, &facts, &px, &err),
		    E_CANCELLED);
		pthread_join(c.thread, NULL);
		unsetenv("QUALM_TEST_DECODER_HANGS");
		cancel_release(&c.cancel);
		cancel_init(&c.cancel);
		assert_int_equal(
		    media_load(f.path, 9, 9, 1, black, d, &c.cancel, &facts, &px, &err),
		    OK); /* by a new one */
		pixels_release(&px);
		cancel_release(&c.cancel);
		decoder_free(d);
		unlink(f.path);
		buf_release(&png);
	}
}

static void load_cancelled_before_it_starts(void **state)
{
	struct cancel c;
	struct buf png = some_png();
	struct file f = write_file(buf_view(&png));
	struct media_facts facts;
	struct err err = ERR_INIT;
	struct pixels px;
	(void)state;

	cancel_init(&c);
	cancel_now(&c);
	assert_int_equal(media_load(f.path, 9, 9, 1, black, NULL, &c, &facts, &px, &err),
			 E_CANCELLED);
	assert_null(px.rgb);
	unlink(f.path);
	buf_release(&png);
}

static void *load_many(void *arg)
{
	for (int i = 0; i < 12; i++) {
		struct loaded r = load(some_png(), 25, 25, arg);

		if (r.rc || r.px.rgb[0] != 0 || r.px.rgb[3] != 10)
			return arg;
		pixels_release(&r.px);
	}
	return NULL;
}

static void decoder_serves_many_threads(void **state)
{
	struct decoder *d = decoder_new(SELF_EXE);
	pthread_t t[4];
	(void)state;

	for (size_t i = 0; i < COUNT(t); i++)
		assert_int_equal(pthread_create(&t[i], NULL, load_many, d), 0);
	for (size_t i = 0; i < COUNT(t); i++) {
		void *wrong;

		pthread_join(t[i], &wrong);
		assert_null(wrong);
	}
	decoder_free(d);
}

/* --- real pictures --- */

static void real_pictures_load(void **state)
{
	static const char *const folders[] = {"edge", "open/images"};
	const char *root = getenv("QUALM_DATA") ? getenv("QUALM_DATA") : "../shared/data";
	struct decoder *d = decoder_new(SELF_EXE);
	int n = 0;
	(void)state;

	for (size_t i = 0; i < COUNT(folders); i++) {
		char *folder = xasprintf("%s/%s", root, folders[i]);
		DIR *dir = opendir(folder);
		struct dirent *e;

		while (dir && (e = readdir(dir))) {
			char *path = xasprintf("%s/%s", folder, e->d_name);
			struct media_facts facts;
			struct err err = ERR_INIT;
			struct pixels px;
			enum status rc =
			    e->d_name[0] == '.'
				? E_UNSUPPORTED
				: media_load(path, 320, 240, 1, black, d, NULL, &facts, &px, &err);

			if (rc == E_FORMAT && strstr(path, "truncated"))
				rc = E_UNSUPPORTED; /* cut off in its header */
			if (rc != OK && rc != E_UNSUPPORTED)
				fail_msg("%s: %s", path, err.msg);
			if (rc == OK && ++n)
				pixels_release(&px);
			free(path);
		}
		if (dir)
			closedir(dir);
		free(folder);
	}
	decoder_free(d);
	if (n == 0)
		skip();
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(decoder_restarts_after_its_death),
	    cmocka_unit_test(decoder_that_cannot_start_says_so),
	    cmocka_unit_test(decoder_is_left_on_cancel),
	    cmocka_unit_test(load_cancelled_before_it_starts),
	    cmocka_unit_test(decoder_serves_many_threads),
	    cmocka_unit_test(real_pictures_load),
	};

	if (argc == 3 && strcmp(argv[1], "--decode-process") == 0) {
		if (getenv("QUALM_TEST_DECODER_HANGS"))
			poll(NULL, 0, 10000);
		return decoder_main(DECODER_TEST_FD);
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
