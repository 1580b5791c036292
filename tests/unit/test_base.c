/* core/base: slices, buffers, UTF-8, arena, interning, paths, errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/err.h"
#include "core/base/map.h"
#include "core/base/path.h"
#include "core/base/utf8.h"
#include "core/base/xmalloc.h"

#define BYTES(lit)                                                                                 \
	{                                                                                          \
		(lit), sizeof(lit) - 1                                                             \
	}

/* --- str --- */

static void comparing(void **state)
{
	(void)state;
	assert_true(str_eq(STR_NONE, STR("")));
	assert_false(str_eq(STR("a"), STR("b")));
	assert_true(str_eq_nocase(STR("MG_1317.JPG"), STR("mg_1317.jpg")));
	assert_false(str_eq_nocase(STR("a\0b"), STR("a\0c")));
	assert_false(str_eq_nocase(STR("\xc3\x84"), STR("\xc3\xa4"))); /* ASCII only */
	assert_false(str_eq_nocase(STR("@["), STR("`{")));
	assert_true(str_starts(STR("abc"), STR("ab")) && !str_starts(STR("a"), STR("ab")));
	assert_true(str_ends(STR("abc"), STR("bc")) && !str_ends(STR("c"), STR("bc")));
	assert_true(str_ends_nocase(STR("x.JPG"), STR(".jpg")));
	assert_true(str_cmp(STR("a"), STR("ab")) < 0 && str_cmp(STR("b"), STR("ab")) > 0);
	assert_int_equal(str_cmp(STR_NONE, STR("")), 0);
	assert_int_equal(str_find(STR("abcabc"), STR("ca")), 2);
	assert_true(str_find(STR("abc"), STR("abcd")) == SIZE_MAX);
	assert_int_equal(str_find(STR_NONE, STR("")), 0);
	assert_int_equal(str_find_nocase(STR("not CORRECT"), STR("correct")), 4);
}

static void cutting(void **state)
{
	struct str rest = STR("a,,b"), head;

	(void)state;
	assert_true(str_eq(str_trim(STR(" \t\r\n a b \v\f")), STR("a b")));
	assert_int_equal(str_trim(STR("  ")).n, 0);
	rest = str_cut(rest, ',', &head);
	assert_true(str_eq(head, STR("a")));
	rest = str_cut(rest, ',', &head);
	assert_true(head.n == 0 && rest.p);
	rest = str_cut(rest, ',', &head);
	assert_true(str_eq(head, STR("b")));
	assert_null(rest.p);
	rest = str_cut(STR("a,"), ',', &head);
	assert_non_null(rest.p);
	assert_int_equal(rest.n, 0);
}

static void integers(void **state)
{
	static const struct {
		struct str s;
		bool ok;
		int64_t v;
	} t[] = {{BYTES("0"), true, 0},
		 {BYTES("+7"), true, 7},
		 {BYTES("-12"), true, -12},
		 {BYTES("9223372036854775807"), true, INT64_MAX},
		 {BYTES("-9223372036854775808"), true, INT64_MIN},
		 {BYTES("9223372036854775808"), false, 0},
		 {BYTES("-9223372036854775809"), false, 0},
		 {BYTES("99999999999999999999"), false, 0},
		 {BYTES(""), false, 0},
		 {BYTES("-"), false, 0},
		 {BYTES("1 "), false, 0},
		 {BYTES("0x1"), false, 0},
		 {BYTES("1.0"), false, 0}};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		int64_t v = 0;

		if (str_int(t[i].s, &v) != t[i].ok || v != t[i].v)
			fail_msg("%s", t[i].s.p);
	}
}

static void numbers(void **state)
{
	static const struct {
		struct str s;
		bool ok;
		double v;
	} t[] = {
	    {BYTES("0.5"), true, 0.5}, {BYTES("-1e-3"), true, -0.001}, {BYTES(".5"), true, 0.5},
	    {BYTES("5."), true, 5},    {BYTES("1e999"), false, 0},     {BYTES("nan"), false, 0},
	    {BYTES("inf"), false, 0},  {BYTES("0x1p3"), false, 0},     {BYTES("1e"), false, 0},
	    {BYTES("."), false, 0},    {BYTES(""), false, 0},          {BYTES("1,5"), false, 0},
	    {BYTES(" 1"), false, 0}};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		double v = 0;

		if (str_num(t[i].s, &v) != t[i].ok || v != t[i].v)
			fail_msg("%s", t[i].s.p);
	}
}

/* --- buf --- */

static void buffers_grow_up_to_a_ceiling(void **state)
{
	struct buf b = {.max = 10};

	(void)state;
	assert_string_equal(buf_cstr(&b), "");
	buf_z(&b, "12345");
	buf_printf(&b, "%d", 67890);
	assert_false(b.failed);
	assert_string_equal(buf_cstr(&b), "1234567890");
	buf_ch(&b, 'x');
	assert_true(b.failed);
	assert_int_equal(b.n, 10);
	assert_null(buf_reserve(&b, 0)); /* stays failed */
	buf_clear(&b);
	assert_false(b.failed);
	buf_z(&b, "ok");
	b.max = 1; /* lowered below what is there */
	buf_ch(&b, 'x');
	assert_true(b.failed);
	assert_int_equal(b.n, 2);
	buf_release(&b);
	buf_release(&b);
}

static void buffers_give_their_bytes_away(void **state)
{
	struct buf b = BUF_INIT;
	char *p;

	(void)state;
	p = buf_take(&b);
	assert_string_equal(p, "");
	free(p);
	buf_put(&b, "a\0b", 3);
	buf_put(&b, NULL, 0);
	p = buf_take(&b);
	assert_memory_equal(p, "a\0b", 4);
	assert_null(b.p);
	free(p);
}

static void a_failed_allocation_marks_the_buffer(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	xmalloc_fail_at(1);
	buf_z(&b, "x");
	xmalloc_fail_at(0);
	assert_true(b.failed);
	assert_int_equal(b.n, 0);
	buf_release(&b);
}

/* --- utf8 --- */

static void utf8_round_trip(void **state)
{
	(void)state;
	for (uint32_t cp = 0; cp < 0x110000; cp += cp < 0x3000 ? 1 : 37) {
		char c[4];
		size_t len, n = utf8_encode(cp, c);
		bool surrogate = cp >= 0xd800 && cp < 0xe000;

		assert_int_equal(utf8_decode(c, n, &len), surrogate ? UTF8_BAD : cp);
		assert_int_equal(len, n);
		assert_int_equal(utf8_valid_prefix((struct str){c, n}), n);
		if (n > 1)
			assert_int_equal(utf8_valid_prefix((struct str){c, n - 1}), 0);
	}
}

static void utf8_refuses(void **state)
{
	static const struct str bad[] = {BYTES("\x80"),
					 BYTES("\xc3"),
					 BYTES("\xc0\x80"),
					 BYTES("\xc1\xbf"),
					 BYTES("\xe0\x80\x80"),
					 BYTES("\xed\xa0\x80"),
					 BYTES("\xf0\x80\x80\x80"),
					 BYTES("\xf4\x90\x80\x80"),
					 BYTES("\xf8\x88\x80\x80\x80"),
					 BYTES("\xff"),
					 BYTES("\xe2\x82"
					       "a"),
					 BYTES("\xfe\xfe")};
	size_t len;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct buf b = BUF_INIT;

		assert_int_equal(utf8_decode(bad[i].p, bad[i].n, &len), UTF8_BAD);
		assert_int_equal(len, 1);
		buf_z(&b, "eight or more ASCII ");
		buf_str(&b, bad[i]);
		assert_int_equal(utf8_valid_prefix(buf_view(&b)), b.n - bad[i].n);
		buf_release(&b);
	}
}

static void utf8_repairs(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	utf8_repair(STR("a\xff\xc3\xa4\xe2\x82"), &b);
	assert_string_equal(buf_cstr(&b), "a\xef\xbf\xbd\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd");
	assert_int_equal(utf8_valid_prefix(buf_view(&b)), b.n);
	buf_release(&b);
}

static void unsafe_characters(void **state)
{
	static const uint32_t bad[] = {0, 0x1b, 0x7f, 0x9b, 0x202e, 0x2066, 0xfeff, 0xe0041},
			      good[] = {' ', 'a', 0xa0, 0xe4, 0x4e2d, 0x1f600, 0x200d};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_true(utf8_is_unsafe(bad[i]));
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		assert_false(utf8_is_unsafe(good[i]));
}

/* --- arena, intern --- */

static void arenas(void **state)
{
	struct arena a = ARENA_INIT;
	char *first, *big;

	(void)state;
	arena_clear(&a);
	for (int round = 0; round < 3; round++) {
		first = arena_strdup(&a, "hello");
		for (int i = 0; i < 5000; i++) {
			char *p = arena_printf(&a, "%d", i);

			assert_int_equal((uintptr_t)p % 16, 0);
			assert_int_equal(strtol(p, NULL, 10), i);
		}
		big = arena_zalloc(&a, 100000, 3);
		assert_int_equal(big[299999], 0);
		memset(big, 1, 300000);
		assert_string_equal(first, "hello");
		assert_string_equal(arena_str(&a, STR("xyz")).p, "xyz");
		arena_clear(&a);
	}
	assert_true(a.total <= 1024 * 1024); /* one block is kept, as much again as was held */
	arena_release(&a);
	arena_release(&a);
	assert_int_equal(a.total, 0);
}

static void interning(void **state)
{
	struct intern t = INTERN_INIT;
	char key[32];

	(void)state;
	assert_int_equal(intern_find(&t, STR("x")), INTERN_NONE);
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 20000; i++) {
			int n = snprintf(key, sizeof key, "key %d", i);

			assert_int_equal(intern_add(&t, (struct str){key, (size_t)n}), i);
		}
	memset(key, 'x', sizeof key);
	assert_true(str_eq(intern_key(&t, 19999), STR("key 19999")));
	assert_int_equal(intern_find(&t, STR("key 5")), 5);
	assert_int_equal(intern_find(&t, STR("key 20000")), INTERN_NONE);
	assert_int_equal(intern_add(&t, STR("")), 20000);
	assert_int_equal(intern_find(&t, STR_NONE), 20000);
	assert_int_equal(intern_add(&t, STR("a\0b")), 20001);
	assert_int_equal(intern_add(&t, STR("a\0c")), 20002);
	assert_null(intern_key(&t, 99999).p);
	intern_release(&t);
}

/* What is appended is found when an index was wished for, or by the next addition that looks; of
 * equal keys the first. */
static void appending(void **state)
{
	struct intern t = INTERN_INIT;
	bool added;

	(void)state;
	for (uint32_t i = 0; i < 300; i++) {
		char key[32];
		int n = snprintf(key, sizeof key, "key %u", i % 200);

		assert_int_equal(intern_append(&t, (struct str){key, (size_t)n}), i);
	}
	intern_index(&t);
	assert_int_equal(intern_find(&t, STR("key 150")), 150);
	assert_int_equal(intern_find(&t, STR("key 50")), 50);
	assert_int_equal(intern_find(&t, STR("key 200")), INTERN_NONE);
	assert_int_equal(intern_append(&t, STR("new")), 300);
	assert_int_equal(intern_find(&t, STR("new")), INTERN_NONE);
	assert_int_equal(intern_put(&t, STR("new"), &added), 300);
	assert_false(added);
	assert_int_equal(intern_put(&t, STR("newer"), &added), 301);
	assert_true(added);
	assert_int_equal(intern_find(&t, STR("newer")), 301);
	intern_release(&t);
}

/* As one by one, whether they are there or not, twice or empty. */
static void finding_many(void **state)
{
	struct intern t = INTERN_INIT;
	char text[INTERN_MANY][32];
	struct str keys[INTERN_MANY];
	uint32_t ids[INTERN_MANY], seed = 7;

	(void)state;
	for (uint32_t round = 0; round < 200; round++) {
		size_t n = round % (INTERN_MANY + 1);

		for (size_t i = 0; i < n; i++) {
			seed = seed * 1664525 + 1013904223;
			keys[i] = (struct str){text[i], (size_t)snprintf(text[i], sizeof text[i], "%u",
									 seed >> 23)};
			keys[i].n = seed >> 8 & 15 ? keys[i].n : 0;
		}
		intern_find_many(&t, keys, n, ids);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(ids[i], intern_find(&t, keys[i]));
		for (size_t i = 0; i < n; i += 2)
			intern_add(&t, keys[i]);
	}
	assert_true(t.keys.n > 100);
	intern_release(&t);
}

/* --- path --- */

static void path_parts(void **state)
{
	static const struct {
		struct str path;
		const char *dir, *base, *stem, *ext;
	} t[] = {{BYTES("/a/b.c/d.tar.gz"), "/a/b.c", "d.tar.gz", "d.tar", "gz"},
		 {BYTES("x"), ".", "x", "x", ""},
		 {BYTES("/x"), "/", "x", "x", ""},
		 {BYTES("a/.hidden"), "a", ".hidden", ".hidden", ""},
		 {BYTES("a/"), "a", "", "", ""},
		 {BYTES("a.b/c"), "a.b", "c", "c", ""}};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		assert_true(str_eqz(path_dir(t[i].path), t[i].dir));
		assert_true(str_eqz(path_base(t[i].path), t[i].base));
		assert_true(str_eqz(path_stem(path_base(t[i].path)), t[i].stem));
		assert_true(str_eqz(path_ext(t[i].path), t[i].ext));
	}
	assert_int_equal(path_ext(STR_NONE).n, 0);
	assert_null(path_stem(STR_NONE).p);
}

static void paths_inside(void **state)
{
	static const struct str in[] = {BYTES("a"), BYTES("a/b.png"), BYTES("..a/b.."),
					BYTES("./a")},
				out[] = {BYTES(""),       BYTES("/a"),   BYTES(".."),
					 BYTES("a/../b"), BYTES("a/.."), BYTES("a\0b")};

	(void)state;
	for (size_t i = 0; i < sizeof in / sizeof *in; i++)
		assert_true(path_is_inside(in[i]));
	for (size_t i = 0; i < sizeof out / sizeof *out; i++)
		assert_false(path_is_inside(out[i]));
}

static void joining(void **state)
{
	static const char *const t[][3] = {
	    {"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"a", "/b", "/b"}, {"", "b", "b"}};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		char *p = path_join(t[i][0], str_z(t[i][1]));

		assert_string_equal(p, t[i][2]);
		free(p);
	}
}

static void making_folders(void **state)
{
	char base[] = "/tmp/qualm-test-XXXXXX";
	struct err err = ERR_INIT;
	struct stat s;
	char *deep, *file, *below;
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(base));
	deep = path_join(base, STR("a/b/c"));
	file = path_join(base, STR("a/file"));
	below = path_join(base, STR("a/file/x"));
	assert_int_equal(path_mkdirs(deep, &err), OK);
	assert_int_equal(path_mkdirs(deep, &err), OK);
	assert_int_equal(stat(deep, &s), 0);
	assert_int_equal(s.st_mode & 0777, 0700);
	f = fopen(file, "w");
	assert_non_null(f);
	fclose(f);
	assert_int_equal(path_mkdirs(file, &err), E_IO);
	assert_int_equal(path_mkdirs(below, &err), E_IO);
	assert_non_null(strstr(err.msg, "Not a directory"));
	assert_int_equal(path_mkdirs("", &err), E_USAGE);
	assert_null(path_real(below, &err));
	unlink(file);
	for (char *p = deep; strlen(p) >= strlen(base); *strrchr(p, '/') = '\0')
		rmdir(p);
	free(deep);
	free(file);
	free(below);
}

static void xdg_folders(void **state)
{
	char *p;

	(void)state;
	setenv("HOME", "/home/x", 1);
	unsetenv("XDG_CONFIG_HOME");
	p = path_xdg(PATH_CONFIG);
	assert_string_equal(p, "/home/x/.config/qualm");
	free(p);
	setenv("XDG_CACHE_HOME", "/c", 1);
	p = path_xdg(PATH_CACHE);
	assert_string_equal(p, "/c/qualm");
	free(p);
	setenv("XDG_CACHE_HOME", "relative", 1); /* to be ignored */
	p = path_xdg(PATH_CACHE);
	assert_string_equal(p, "/home/x/.cache/qualm");
	free(p);
	unsetenv("HOME");
	assert_null(path_xdg(PATH_STATE));
}

/* --- err --- */

static void errors(void **state)
{
	struct err err = ERR_INIT;
	char big[3000];

	(void)state;
	assert_int_equal(err_set(&err, E_FORMAT, "byte %d", 5), E_FORMAT);
	assert_int_equal(err_prefix(&err, "%s", "file"), E_FORMAT);
	assert_string_equal(err.msg, "file: byte 5");
	memset(big, 'x', sizeof big - 1);
	big[sizeof big - 1] = '\0';
	err_prefix(&err, "%s", big);
	assert_int_equal(strlen(err.msg), ERR_MESSAGE_MAX - 1);
	assert_int_equal(err_errno(&err, 2, "x"), E_IO);
	assert_string_equal(err.msg, "x: No such file or directory");
	err_clear(&err);
	assert_int_equal(err.code, OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(comparing),
	    cmocka_unit_test(cutting),
	    cmocka_unit_test(integers),
	    cmocka_unit_test(numbers),
	    cmocka_unit_test(buffers_grow_up_to_a_ceiling),
	    cmocka_unit_test(buffers_give_their_bytes_away),
	    cmocka_unit_test(a_failed_allocation_marks_the_buffer),
	    cmocka_unit_test(utf8_round_trip),
	    cmocka_unit_test(utf8_refuses),
	    cmocka_unit_test(utf8_repairs),
	    cmocka_unit_test(unsafe_characters),
	    cmocka_unit_test(arenas),
	    cmocka_unit_test(interning), cmocka_unit_test(appending),
	    cmocka_unit_test(finding_many),
	    cmocka_unit_test(path_parts),
	    cmocka_unit_test(paths_inside),
	    cmocka_unit_test(joining),
	    cmocka_unit_test(making_folders),
	    cmocka_unit_test(xdg_folders),
	    cmocka_unit_test(errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
