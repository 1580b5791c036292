/* The pictures kept on disk: what comes back, what is refused, what goes when there is too much. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/media/media_cache.h"
#include "tests/unit/lib_project.h"

static const struct cache_key some_key = {1, 2, 3, 4, 320, 240, 10, 20, 128, true, false, {1, 2, 3}, false};
static const struct cache_entry some_entry = {
    {MEDIA_FORMAT_JPEG, 500, 375, 63500, 6, false, false, false, true, true}, 32, 12};

struct fixture {
	char *folder, *dir;
	struct media_cache *c;
};

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	f->folder = project_folder();
	f->dir = xasprintf("%s/a/b", f->folder);
	f->c = media_cache_open(f->dir, 1 << 20);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	media_cache_free(f->c);
	project_remove(f->folder);
	free(f->dir);
	free(f);
	return 0;
}

static struct buf sixel_of(size_t n, int seed)
{
	struct buf b = BUF_INIT;

	buf_z(&b, "\033Pq\"1;1;320;240");
	while (b.n < n - 2)
		buf_ch(&b, (char)('?' + (seed + (int)b.n * 7) % 64));
	buf_z(&b, "\033\\");
	return b;
}

static void put(struct media_cache *c, const struct cache_key *key, size_t n, int seed)
{
	struct buf b = sixel_of(n, seed);

	media_cache_put(c, key, &some_entry, buf_view(&b));
	buf_release(&b);
}

static bool has(struct media_cache *c, const struct cache_key *key, size_t n, int seed)
{
	struct buf want = sixel_of(n, seed), got = BUF_INIT;
	struct cache_entry e;
	bool found = media_cache_get(c, key, &e, &got);

	if (found) {
		assert_true(str_eq(buf_view(&want), buf_view(&got)));
		assert_memory_equal(&e.facts, &some_entry.facts, sizeof e.facts);
		assert_int_equal(e.cols, 32);
		assert_int_equal(e.rows, 12);
	} else {
		assert_int_equal(got.n, 0);
	}
	buf_release(&want);
	buf_release(&got);
	return found;
}

static char *only_file(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	char *path = NULL;

	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.') {
			assert_null(path);
			path = xasprintf("%s/%s", dir, e->d_name);
		}
	if (d)
		closedir(d);
	return path;
}

static void keeps(void **state)
{
	struct fixture *f = *state;
	struct media_cache *again;

	assert_false(has(f->c, &some_key, 500, 1));
	put(f->c, &some_key, 500, 1);
	assert_true(has(f->c, &some_key, 500, 1));
	put(f->c, &some_key, 700, 2); /* replaces it */
	again = media_cache_open(f->dir, 1 << 20);
	assert_true(has(again, &some_key, 700, 2));
	assert_string_equal(media_cache_trouble(again), "");
	media_cache_free(again);
	assert_false(media_cache_get(NULL, &some_key, &(struct cache_entry){.cols = 0}, NULL));
}

/* Each part of the key tells pictures apart. */
static void keys_differ(void **state)
{
	struct fixture *f = *state;
	struct cache_key k[13];

	for (size_t i = 0; i < 13; i++)
		k[i] = some_key;
	k[0].dev++, k[1].ino++, k[2].mtime_ns++, k[3].size++, k[4].box_w++, k[5].box_h++;
	k[6].cell_w++, k[7].cell_h++, k[8].colors++, k[9].dither = false;
	k[10].first_is_background = true, k[11].background.r++, k[12].background.b++;
	put(f->c, &some_key, 400, 0);
	for (size_t i = 0; i < 13; i++)
		assert_false(has(f->c, &k[i], 400, 0));
	assert_true(has(f->c, &some_key, 400, 0));
}

/* Any changed byte, and any length but its own, is no entry; it is thrown away. */
static void damage_is_seen(void **state)
{
	struct fixture *f = *state;
	struct buf file = BUF_INIT;
	char *path;
	FILE *in;
	int c;

	put(f->c, &some_key, 300, 1);
	path = only_file(f->dir);
	in = fopen(path, "re");
	while ((c = getc(in)) != EOF)
		buf_ch(&file, (char)c);
	fclose(in);
	for (size_t i = 0; i < 2 * file.n; i++) {
		FILE *out = fopen(path, "we");
		size_t n = i < file.n ? file.n : i - file.n;

		file.p[i % file.n] ^= i < file.n ? 0x10 : 0;
		assert_int_equal(fwrite(file.p, 1, n, out), n);
		fclose(out);
		file.p[i % file.n] ^= i < file.n ? 0x10 : 0;
		assert_false(has(f->c, &some_key, 300, 1));
		assert_true(n == 0 || access(path, F_OK) != 0);
	}
	put(f->c, &some_key, 300, 1); /* and made anew */
	assert_true(has(f->c, &some_key, 300, 1));
	buf_release(&file);
	free(path);
}

static void only_sixels(void **state)
{
	static const struct {
		struct str s;
		bool good;
	} rows[] = {
	    {STR("\033Pq#0~~\033\\"), true},
	    {STR("\033P0;0;0q\"1;1;6;6#0~\033\\"), true},
	    {STR("\033Pq#0\033[2J~\033\\"), false}, /* another sequence inside */
	    {STR("\033Pq#0~~\033\\\033[c"), false}, /* behind */
	    {STR("x\033Pq#0~\033\\"), false},         /* in front */
	    {STR("\033Pq#0~~\033"), false},
	    {STR("\033Pq#0\x18~~\033\\"), false}, /* CAN would end it */
	    {STR("\033Pq#0\x9c~~\033\\"), false}, /* so would an 8-bit ST */
	    {STR("\033P$q#0~~\n\033\\"), false},
	    {STR("\033P$qm#0~\033\\"), false}, /* a question */
	    {STR("\033Ptmux;aaaa\033\\"), false},
	    {STR(""), false},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf got = BUF_INIT;
		struct cache_entry e;

		assert_int_equal(media_cache_is_sixel(rows[i].s), rows[i].good);
		media_cache_put(f->c, &some_key, &some_entry, rows[i].s);
		assert_true(media_cache_get(f->c, &some_key, &e, &got)); /* at least an older one */
		assert_int_equal(str_eq(buf_view(&got), rows[i].s), rows[i].good);
		buf_release(&got);
	}
}

/* Points are found under their own key alone, whole, and no larger than the box. */
static void keeps_points(void **state)
{
	struct fixture *f = *state;
	struct cache_key key = some_key, small;
	struct cache_entry e;
	struct pixels px = {.w = 7, .h = 5, .rgb = xcalloc(105, 1)}, got = {0};
	struct buf sixel = BUF_INIT;

	for (int i = 0; i < 105; i++)
		px.rgb[i] = (uint8_t)(i * 3);
	media_cache_put_pixels(f->c, &key, &some_entry, &px); /* a sixel's key */
	assert_false(media_cache_get_pixels(f->c, &key, &e, &got));
	key.pixels = true;
	media_cache_put_pixels(f->c, &key, &some_entry, &px);
	assert_true(media_cache_get_pixels(f->c, &key, &e, &got));
	assert_true(got.w == 7 && got.h == 5);
	assert_memory_equal(got.rgb, px.rgb, 105);
	assert_int_equal(e.facts.width, some_entry.facts.width);
	assert_false(media_cache_get(f->c, &key, &e, &sixel));
	assert_int_equal(sixel.n, 0);
	small = key;
	small.box_w = 6;
	media_cache_put_pixels(f->c, &small, &some_entry, &px);
	pixels_release(&got);
	assert_false(media_cache_get_pixels(f->c, &small, &e, &got));
	assert_null(got.rgb);
	pixels_release(&px);
}

static void oldest_go(void **state)
{
	struct fixture *f = *state;
	struct cache_key k = some_key;
	struct media_cache *c = media_cache_open(f->dir, 10000);
	int n = 0;

	for (k.ino = 100; k.ino < 109; k.ino++)
		put(c, &k, 1000 - 160 - 8, 0); /* about 1000 with the head */
	for (k.ino = 100; k.ino < 109; k.ino++)
		assert_true(has(c, &k, 1000 - 160 - 8, 0));
	for (k.ino = 109; k.ino < 140; k.ino++)
		put(c, &k, 1000 - 160 - 8, 0);
	for (k.ino = 100; k.ino < 140; k.ino++)
		n += has(c, &k, 1000 - 160 - 8, 0);
	assert_in_range(n, 7, 11);
	/* larger than one entry may be: not kept */
	k.ino = 200;
	put(c, &k, CACHE_ENTRY_MAX + 100, 0);
	assert_false(has(c, &k, CACHE_ENTRY_MAX + 100, 0));
	media_cache_free(c);
}

/* As root any folder can be written; a file in its place cannot be a folder for anybody. */
static void unwritable_only_turns_it_off(void **state)
{
	struct fixture *f = *state;
	char *file = project_file(f->folder, "plain"), *dir = xasprintf("%s/sub", file);
	struct media_cache *c = media_cache_open(dir, 1 << 20);

	fclose(fopen(file, "we"));
	assert_false(has(c, &some_key, 400, 0));
	put(c, &some_key, 400, 0);
	assert_false(has(c, &some_key, 400, 0));
	assert_true(*media_cache_trouble(c));
	put(c, &some_key, 400, 0);
	media_cache_free(c);
	free(dir);
	free(file);
}

/* A disk that fills up in the middle of an entry: a file size limit does the same. */
static void full_disk_leaves_nothing(void **state)
{
	struct fixture *f = *state;
	struct cache_key other = some_key;
	pid_t pid;
	int status;

	put(f->c, &some_key, 3000, 1);
	pid = fork();
	if (pid == 0) {
		struct rlimit l = {1000, 1000};

		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &l);
		other.ino = 9;
		put(f->c, &other, 3000, 2);
		_exit(*media_cache_trouble(f->c) ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	free(only_file(f->dir)); /* fails when anything else is there */
	other.ino = 9;
	assert_false(has(f->c, &other, 3000, 2));
	assert_true(has(f->c, &some_key, 3000, 1));
}

/* --- several at once --- */

struct worker {
	struct media_cache *c;
	int seed, wrong, found;
};

static void *work(void *arg)
{
	struct worker *w = arg;

	for (int i = 0; i < 60; i++) {
		struct cache_key k = some_key;
		struct buf want, got = BUF_INIT;
		struct cache_entry e;

		k.ino = (uint64_t)(i % 7);
		want = sixel_of(2000 + (size_t)k.ino, (int)k.ino);
		media_cache_put(w->c, &k, &some_entry, buf_view(&want));
		if (media_cache_get(w->c, &k, &e, &got)) {
			w->found++;
			w->wrong += !str_eq(buf_view(&want), buf_view(&got));
		}
		buf_release(&want);
		buf_release(&got);
	}
	return NULL;
}

static void many_writers(void **state)
{
	struct fixture *f = *state;
	struct worker w[4];
	pthread_t t[4];
	struct media_cache *other = media_cache_open(f->dir, 1 << 20);

	for (int i = 0; i < 4; i++) {
		w[i] = (struct worker){i % 2 ? f->c : other, i, 0, 0};
		assert_int_equal(pthread_create(&t[i], NULL, work, &w[i]), 0);
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(t[i], NULL);
		assert_int_equal(w[i].wrong, 0);
		assert_int_equal(w[i].found, 60); /* replaced whole, never half */
	}
	assert_string_equal(media_cache_trouble(f->c), "");
	media_cache_free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(keeps, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(keys_differ, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(damage_is_seen, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(only_sixels, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(keeps_points, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(oldest_go, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(unwritable_only_turns_it_off, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(full_disk_leaves_nothing, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(many_writers, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
