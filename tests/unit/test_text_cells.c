#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tui/term/cells.h"
#include "tui/term/term.h"
#include "tui/term/text.h"

static void test_clusters(void **state)
{
	static const struct {
		const char *in;
		size_t bytes;
		int width;
		bool unsafe;
		const char *show;
	} rows[] = {
	    {"abc", 1, 1, false, "a"},
	    {" ", 1, 1, false, " "},
	    {"e\u0301x", 3, 1, false, "e\u0301"},
	    {"\u65e5\u672c", 3, 2, false, "\u65e5"},
	    {"\uff21", 3, 2, false, "\uff21"},
	    {"\U0001f600", 4, 2, false, "\U0001f600"},
	    /* joined emoji: the base alone, all consumed */
	    {"\U0001f468\u200d\U0001f469\u200d\U0001f467!", 18, 2, false, "\U0001f468"},
	    {"\U0001f44d\U0001f3fd.", 8, 2, false, "\U0001f44d"},
	    {"\u2764\ufe0f", 6, 1, false, "\u2764"},
	    {"1\ufe0f\u20e3", 7, 1, false, "1\u20e3"},
	    /* two halves of a flag are two clusters of one column */
	    {"\U0001f1e9\U0001f1ea", 4, 1, false, "\U0001f1e9"},
	    /* a spacing vowel sign is not lost */
	    {"\u0915\u093e", 3, 1, false, "\u0915"},
	    {"\u093e", 3, 1, false, "\u093e"},
	    {"\u1112\u1161\u11ab", 9, 2, false, "\u1112\u1161\u11ab"},
	    /* more than five code points: the base */
	    {"a\u0301\u0302\u0303\u0304\u0305", 11, 1, false, "a"},
	    {"a\u0301\u0302\u0303\u0304", 9, 1, false, "a\u0301\u0302\u0303\u0304"},
	    {"\u0301", 2, 1, false, "\u25cc\u0301"},
	    {"\x1b[2J", 1, 1, true, "\u241b"},
	    {"\n", 1, 1, true, "\u240a"},
	    {"\t", 1, 1, true, "\u2409"},
	    {"\x7f", 1, 1, true, "\u2421"},
	    {"\xc2\x9b", 2, 1, true, "\u00b7"},
	    {"\u202e" "abc", 3, 1, true, "\u00b7"},
	    {"\u2066", 3, 1, true, "\u00b7"},
	    {"\u200b", 3, 1, true, "\u00b7"},
	    {"\ufeff", 3, 1, true, "\u00b7"},
	    {"a\u202e", 1, 1, false, "a"},
	    {"\xff" "a", 1, 1, false, "\ufffd"},
	    {"\xc3", 1, 1, false, "\ufffd"},
	    {"\xed\xa0\x80", 1, 1, false, "\ufffd"},
	    {"\xf4\x90\x80\x80", 1, 1, false, "\ufffd"},
	    {"a\xcc", 1, 1, false, "a"},
	    {"\U000fffff", 4, 1, false, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cluster c;

		text_cluster(str_z(rows[i].in), &c);
		if (c.bytes != rows[i].bytes || c.width != rows[i].width ||
		    c.unsafe != rows[i].unsafe || (rows[i].show && strcmp(c.show, rows[i].show)))
			fail_msg("row %zu: %zu bytes, width %d, unsafe %d, \"%s\"", i, c.bytes,
				 c.width, c.unsafe, c.show);
	}
}

/* Whatever the bytes, what is shown is short, valid and holds no control character. */
static void test_clusters_of_noise(void **state)
{
	uint32_t seed = 12345;
	char noise[64];

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct str s = {noise, sizeof noise};

		for (size_t i = 0; i < sizeof noise; i++) {
			seed = seed * 1664525 + 1013904223;
			noise[i] = (char)(seed >> 24);
			if (seed & 0x800 && i >= 3)
				memcpy(noise + i - 3, "\xf0\x9f\x91\xa8", 4);
		}
		while (s.n) {
			struct cluster c;

			text_cluster(s, &c);
			assert_true(c.bytes >= 1 && c.bytes <= s.n);
			assert_true(c.width == 1 || c.width == 2);
			assert_true(strlen(c.show) >= 1 && strlen(c.show) <= 20);
			for (const char *p = c.show; *p; p++)
				assert_true((unsigned char)*p >= 0x20 && *p != 0x7f);
			s.p += c.bytes;
			s.n -= c.bytes;
		}
	}
}

static void test_width_and_fit(void **state)
{
	static const struct {
		const char *in;
		int width, w, used;
		size_t fit;
	} rows[] = {
	    {"", 0, 5, 0, 0},
	    {"abc", 3, 2, 2, 2},
	    {"abc", 3, 3, 3, 3},
	    {"abc", 3, 0, 0, 0},
	    {"abc", 3, -1, 0, 0},
	    {"\u65e5\u672c", 4, 3, 2, 3},
	    {"a\u65e5", 3, 2, 1, 1},
	    {"e\u0301e\u0301", 2, 1, 1, 3},
	    {"\x1b[31mx", 6, 10, 6, 6},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int used = -1;

		assert_int_equal(text_width(str_z(rows[i].in)), rows[i].width);
		assert_int_equal(text_fit(str_z(rows[i].in), rows[i].w, &used), rows[i].fit);
		assert_int_equal(used, rows[i].used);
	}
}

static void test_cut(void **state)
{
	static const struct {
		const char *in;
		int w;
		enum text_cut how;
		const char *out;
	} rows[] = {
	    {"abcdef", 6, CUT_END, "abcdef"},
	    {"abcdef", 5, CUT_END, "abcd\u2026"},
	    {"abcdef", 5, CUT_MIDDLE, "ab\u2026ef"},
	    {"abcdef", 4, CUT_MIDDLE, "ab\u2026f"},
	    {"abcdef", 5, CUT_START, "\u2026cdef"},
	    {"abcdef", 1, CUT_END, "\u2026"},
	    {"abcdef", 1, CUT_MIDDLE, "\u2026"},
	    {"abcdef", 0, CUT_END, ""},
	    {"", 0, CUT_END, ""},
	    {"\u65e5\u672c\u8a9e", 5, CUT_END, "\u65e5\u672c\u2026"},
	    {"\u65e5\u672c\u8a9e", 4, CUT_END, "\u65e5\u2026"},
	    {"\u65e5\u672c\u8a9e", 4, CUT_START, "\u2026\u8a9e"},
	    {"\u65e5\u672c\u8a9e", 5, CUT_MIDDLE, "\u65e5\u2026\u8a9e"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf b = BUF_INIT;

		text_cut(str_z(rows[i].in), rows[i].w, rows[i].how, &b);
		assert_string_equal(buf_cstr(&b), rows[i].out);
		assert_true(text_width(buf_view(&b)) <= rows[i].w);
		buf_release(&b);
	}
}

static void test_wrap(void **state)
{
	static const struct {
		const char *in;
		int w;
		const char *out; /* lines between | */
	} rows[] = {
	    {"", 10, ""},
	    {"one two three", 7, "one two|three"},
	    {"one two three", 8, "one two|three"},
	    {"one two three", 6, "one|two|three"},
	    {"one  two", 5, "one|two"},
	    {"one   ", 3, "one"},
	    {"one\ntwo", 20, "one|two"},
	    {"one\r\ntwo\n\nend\n", 20, "one|two||end"},
	    {"one \ntwo", 3, "one|two"},
	    {"abcdefgh", 3, "abc|def|gh"},
	    {"  indented text", 10, "  indented|text"},
	    {"x abcdefgh", 4, "x|abcd|efgh"},
	    {"\u65e5\u672c\u8a9e\u306e\u6587", 4, "\u65e5\u672c|\u8a9e\u306e|\u6587"},
	    {"ab\u65e5\u672c", 4, "ab\u65e5|\u672c"},
	    {"\u65e5", 1, "\u65e5"},
	    {"    ", 2, "  |"},
	    {"a b c d e", 1, "a|b|c|d|e"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct str s = str_z(rows[i].in);
		struct buf b = BUF_INIT;

		while (s.n) {
			size_t skip, n = text_wrap(s, rows[i].w, &skip);

			assert_true(n + skip > 0 && n + skip <= s.n);
			buf_put(&b, s.p, n);
			s.p += n + skip;
			s.n -= n + skip;
			if (s.n)
				buf_ch(&b, '|');
		}
		if (strcmp(rows[i].in, "    ") != 0) /* trailing blanks: only progress matters */
			assert_string_equal(buf_cstr(&b), rows[i].out);
		buf_release(&b);
	}
}

static void expect_dump(const struct cells *c, const char *want)
{
	struct buf b = BUF_INIT;

	cells_dump(c, &b);
	assert_string_equal(buf_cstr(&b), want);
	buf_release(&b);
}

static void test_cells_put(void **state)
{
	struct cells c = {0};

	(void)state;
	cells_resize(&c, 2, 6);
	assert_int_equal(cells_putz(&c, 0, 0, 10, STYLE_BOLD, "ab"), 2);
	assert_int_equal(cells_putz(&c, 0, 4, 10, STYLE_NORMAL, "wxyz"), 2);
	assert_int_equal(cells_putz(&c, 1, -1, 10, STYLE_DIM, "abc"), 3);
	assert_int_equal(cells_putz(&c, 5, 0, 10, STYLE_DIM, "abc"), 3);
	assert_int_equal(cells_putz(&c, -1, 0, 2, STYLE_DIM, "abc"), 2);
	assert_int_equal(cells_putz(&c, 0, 9, 10, STYLE_DIM, "abc"), 0);
	expect_dump(&c, "ab  wx\nbc\n--\nbb\ndd\n. normal\nd dim\nb bold\n");
	assert_null(cells_at(&c, 2, 0));
	assert_null(cells_at(&c, 0, 6));
	assert_null(cells_at(&c, -1, 0));
	cells_resize(&c, 1, 4);
	expect_dump(&c, "\n--\n\n. normal\n");
	assert_int_equal(cells_printf(&c, 0, 0, 4, STYLE_NORMAL, "%d%%", 12), 3);
	expect_dump(&c, "12%\n--\n\n. normal\n");
	assert_int_equal(cells_printf(&c, 0, 0, 3, STYLE_NORMAL, "%0300d", 7), 3);
	expect_dump(&c, "000\n--\n\n. normal\n");
	cells_restyle(&c, (struct rect){0, 1, 9, 2}, STYLE_WRONG);
	expect_dump(&c, "000\n--\n.WW\n. normal\nW wrong\n");
	cells_release(&c);
	cells_resize(&c, 0, 0);
	expect_dump(&c, "--\n");
	assert_int_equal(cells_putz(&c, 0, 0, 3, STYLE_NORMAL, "abc"), 0);
	cells_fill(&c, (struct rect){0, 0, 5, 5}, STYLE_DIM);
	cells_release(&c);
}

static void test_wide_cells(void **state)
{
	static const uint8_t black[3] = {0, 0, 0};
	struct cells c = {0};

	(void)state;
	cells_resize(&c, 1, 5);
	/* the last one has only half a place: not drawn */
	assert_int_equal(cells_putz(&c, 0, 0, 9, STYLE_NORMAL, "\u65e5\u672c\u8a9e"), 6);
	expect_dump(&c, "\u65e5\u672c\n--\n\n. normal\n");
	assert_int_equal(cells_at(&c, 0, 0)->width, 2);
	assert_int_equal(cells_at(&c, 0, 1)->width, 0);
	assert_int_equal(cells_at(&c, 0, 4)->width, 1);
	/* onto the right half of one and the left half of the other */
	cells_putz(&c, 0, 1, 9, STYLE_NORMAL, "xy");
	expect_dump(&c, " xy\n--\n\n. normal\n");
	cells_putz(&c, 0, 0, 9, STYLE_NORMAL, "\u65e5\u672c");
	cells_fill(&c, (struct rect){0, 1, 1, 2}, STYLE_DIM);
	expect_dump(&c, "\n--\n.dd\n. normal\nd dim\n");
	cells_putz(&c, 0, 0, 9, STYLE_NORMAL, "\u65e5\u672c");
	cells_putz(&c, 0, 1, 9, STYLE_NORMAL, "\u8a9e");
	expect_dump(&c, " \u8a9e\n--\n\n. normal\n");
	assert_int_equal(cells_at(&c, 0, 3)->width, 1);
	cells_fill(&c, (struct rect){0, 0, 1, 5}, STYLE_NORMAL);
	assert_int_equal(cells_putz(&c, 0, -1, 9, STYLE_NORMAL, "\u65e5z"), 3);
	expect_dump(&c, " z\n--\n\n. normal\n");
	assert_int_equal(cells_putz(&c, 0, 0, 3, STYLE_NORMAL, "\u65e5\u672c"), 2);
	cells_set_color(&c, 0, 1, 0x2580, black, black);
	expect_dump(&c, " \u2580\n--\n.#\n. normal\n# picture\n");
	assert_true(cells_at(&c, 0, 1)->colored);
	cells_set_color(&c, 0, 9, 0x2580, black, black);
	cells_set_color(&c, 0, 0, 0x1b, black, black);
	assert_string_equal(cells_at(&c, 0, 0)->text, "?");
	cells_release(&c);
}

static void test_unsafe_text_in_cells(void **state)
{
	struct cells c = {0};

	(void)state;
	cells_resize(&c, 1, 10);
	cells_putz(&c, 0, 0, 10, STYLE_NORMAL, "a\x1b[2J\xff");
	expect_dump(&c, "a\u241b[2J\ufffd\n--\n.x\n. normal\nx unsafe\n");
	cells_release(&c);
}

static void test_ascii_locale(void **state)
{
	struct cells c = {0};
	struct buf b = BUF_INIT;

	(void)state;
	setlocale(LC_CTYPE, "C");
	assert_false(text_unicode());
	cells_resize(&c, 1, 30);
	cells_putz(&c, 0, 0, 30, STYLE_NORMAL, "\u2502\u2500\u251c\u25b8\u2713\u2717\u2026\u2588");
	cells_putz(&c, 0, 10, 30, STYLE_NORMAL, "\u65e5\u0301e\u0301\xff\x1b\u202e!");
	expect_dump(&c, "|-+>+x~#  ?e?^[?!\n--\n.............xxx\n. normal\nx unsafe\n");
	text_cut(STR("abcdef"), 4, CUT_END, &b);
	assert_string_equal(buf_cstr(&b), "abc~");
	setlocale(LC_CTYPE, "C.UTF-8");
	buf_release(&b);
	cells_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_clusters),
	    cmocka_unit_test(test_clusters_of_noise),
	    cmocka_unit_test(test_width_and_fit),
	    cmocka_unit_test(test_cut),
	    cmocka_unit_test(test_wrap),
	    cmocka_unit_test(test_cells_put),
	    cmocka_unit_test(test_wide_cells),
	    cmocka_unit_test(test_unsafe_text_in_cells),
	    cmocka_unit_test(test_ascii_locale),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
