#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <utf8proc.h>

#include "core/base/utf8.h"
#include "core/base/xmalloc.h"
#include "core/text/needle.h"

static struct needle *make(const char *text, bool regex)
{
	struct err err = ERR_INIT;
	struct needle *nd = NULL;

	if (needle_new(&nd, str_z(text), regex, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	return nd;
}

static void test_cases(void **state)
{
	static const struct {
		const char *needle, *hay;
		long at; /* -1: not there */
		size_t len;
		bool regex;
	} cases[] = {
	    {"a", "a", 0, 1, false},
	    {"a", "", -1, 0, false},
	    {"abc", "ab", -1, 0, false},
	    {"wEaSel", "the WEASEL", 4, 6, false},
	    {"blurry", "................................blurr..........BLURRY", 47, 6, false},
	    {"@[", "`{@[", 2, 2, false}, /* neighbours of letters are no letters */
	    {"k", "....................\xe2\x84\xaa", -1, 0, false},
	    {"\xc3\x84rger", "\xc3\xa4RGER", 0, 6, false},
	    {"\xc3\xa4rger", "viel \xc3\x84rger", 5, 6, false},
	    {"\xe6\x82\xb2", "x\xe6\x82\xb2\xe3\x81\x97", 1, 3, false},
	    {"\xd0\xb4\xd0\xb0", "\xd0\x94\xd0\x90", 0, 4, false},
	    /* dotless i and its capital differ in length */
	    {"\xc4\xb1x", "....................Ix", 20, 2, false},
	    {"\xc8\xba", "................\xe2\xb1\xa5", 16, 3, false},
	    {"we(a|e)sel", "a WEESEL", 2, 6, true},
	    {"^b", "a\nb", 2, 1, true},
	    {"x*", "aaa", -1, 0, true}, /* empty matches are none */
	    {"x*", "aaxx", 2, 2, true},
	    {"a{2}", "baa", 1, 2, true},
	    {"[.]", "a.b", 1, 1, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct needle *nd = make(cases[i].needle, cases[i].regex);
		struct str hay = str_z(cases[i].hay);
		/* Of this size, so that a sanitizer sees the end; of regexec() GCC's measures the text by
		 * its NUL, also where the bounds are given. */
		char *exact = xcalloc(hay.n + cases[i].regex, 1);
		size_t at = 99, len = 99;
		bool hit;

		memcpy(exact, hay.p, hay.n);
		hit = needle_find(nd, (struct str){exact, hay.n}, 0, &at, &len);
		if (hit != (cases[i].at >= 0) || (hit && (at != (size_t)cases[i].at || len != cases[i].len)))
			fail_msg("%s in %s: %d at %zu, %zu long", cases[i].needle, cases[i].hay, hit, at, len);
		assert_int_equal(needle_is_regex(nd), cases[i].regex);
		needle_free(nd);
		free(exact);
	}
}

/* Every place in texts of every length around the width of a vector. */
static void test_places(void **state)
{
	static const char *const needles[] = {"x", "xy", "XyZw", "xyzwxyzwxyzwxyzwxyz"};

	(void)state;
	for (size_t k = 0; k < 4; k++) {
		struct needle *nd = make(needles[k], false);
		size_t n = strlen(needles[k]);

		for (size_t hay = n; hay < 70; hay++)
			for (size_t at = 0; at + n <= hay; at++) {
				char *p = xmalloc(hay);
				size_t got = 0, len = 0;

				memset(p, 'a', hay);
				for (size_t i = 0; i < n; i++)
					p[at + i] = (char)(needles[k][i] ^ (i % 2 ? 0x20 : 0));
				assert_true(needle_find(nd, (struct str){p, hay}, 0, &got, &len));
				assert_int_equal(got, at);
				assert_int_equal(len, n);
				assert_true(needle_find(nd, (struct str){p, hay}, at, &got, &len));
				assert_int_equal(got, at);
				assert_false(needle_find(nd, (struct str){p, hay}, at + 1, &got, &len));
				p[at] = 'a';
				assert_false(needle_is_in(nd, (struct str){p, hay}));
				free(p);
			}
		needle_free(nd);
	}
}

/* All hits, one after the other. */
static void test_next(void **state)
{
	struct needle *nd = make("ab", false), *re = make("a+", true);
	struct str hay = STR("abAb.......................aB");
	size_t at, len, n = 0, from = 0;

	(void)state;
	for (; needle_find(nd, hay, from, &at, &len); from = at + len)
		n++;
	assert_int_equal(n, 3);
	for (n = 0, from = 0; needle_find(re, hay, from, &at, &len); from = at + len)
		n++;
	assert_int_equal(n, 3);
	needle_free(nd);
	needle_free(re);
	needle_free(NULL);
}

static void test_refused(void **state)
{
	static const struct {
		const char *text;
		bool regex;
	} bad[] = {
	    {"", false},	   {"", true},		    {"\xff", false},	   {"(", true},
	    {"a{1,2", true},	   {"(a)\\1", true},	    {"a{1001}", true},	   {"a{99999999999}", true},
	    {"((a{40}){40}){40}", true}, {"a{,1001}", true}, {"[", true},	   {"*a|*(", true},
	};
	struct needle *nd;
	struct err err = ERR_INIT;
	char long_text[NEEDLE_MAX + 2], deep[2 * 60 + 1];

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		err_clear(&err);
		if (needle_new(&nd, str_z(bad[i].text), bad[i].regex, &err) != E_USAGE || !err.msg[0])
			fail_msg("%s was taken", bad[i].text);
	}
	memset(long_text, 'a', sizeof long_text);
	assert_int_equal(needle_new(&nd, (struct str){long_text, NEEDLE_MAX + 1}, false, &err), E_USAGE);
	assert_int_equal(needle_new(&nd, (struct str){long_text, NEEDLE_REGEX_MAX + 1}, true, &err), E_USAGE);
	memset(deep, '(', 60);
	memset(deep + 60, ')', 60);
	assert_int_equal(needle_new(&nd, (struct str){deep, 120}, true, &err), E_USAGE);
	assert_int_equal(needle_new(&nd, (struct str){"a\0b", 3}, true, &err), E_USAGE);
}

/* What is in every match of a regular expression, and never what need not be. */
static void test_literal(void **state)
{
	static const char *const cases[][2] = {
	    {"furry (a|b)", "furry "}, {"furry|b", NULL},     {"(furry|b)(old)?", NULL},
	    {"ab*cd?ef", "ef"},	       {"ab{0,2}cd", "cd"},   {"ab+cde", "cde"},
	    {"[fury]ab[]xy]c.defg", "defg"}, {"[[:alpha:]xy]ab[^]cd]e", "ab"}, {"a\\.bc|", NULL},
	    {"a\\.bcd", "a.bcd"},      {"wea\\bsel", "wea"},  {"x\xc3\xa4yz", "yz"},
	    {"^begin.*end$", "beg"},   {"a", NULL},           {"(ab)cd", "cd"},
	    {"a\\(bc", "a(bc"},        {"tent\\wab", "tent"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct needle *re = make(cases[i][0], true);
		const struct needle *literal = needle_literal(re);
		size_t at, len;

		if (!literal != !cases[i][1])
			fail_msg("%s: %s", cases[i][0], literal ? "one" : "none");
		if (literal && (!needle_find(literal, str_z(cases[i][1]), 0, &at, &len) ||
				len != strlen(cases[i][1])))
			fail_msg("%s has not %s", cases[i][0], cases[i][1]);
		needle_free(re);
	}
}

/* --- against a naive search: fold every letter, then compare place by place --- */

static uint32_t fold(uint32_t cp)
{
	utf8proc_int32_t out[8];
	int last = 0;

	if (utf8proc_decompose_char((utf8proc_int32_t)cp, out, 8, UTF8PROC_CASEFOLD, &last) == 1)
		return (uint32_t)out[0];
	return (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp);
}

/* Folds to ASCII, or to a letter of fewer bytes: left out on purpose. */
static bool is_left_out(uint32_t cp)
{
	return cp == 0x130 || cp == 0x131 || cp == 0x17f || cp == 0x1fbe || cp == 0x2126 ||
	       cp == 0x212a || cp == 0x212b || (cp >= 0x1c80 && cp <= 0x1c88);
}

static void test_every_letter(void **state)
{
	int pairs = 0;

	(void)state;
	for (uint32_t cp = 0x41; cp < 0x20000; cp++) {
		char a[5] = "", b[5] = "";
		struct needle *na, *nb;

		if ((cp >= 0xd800 && cp < 0xe000) || fold(cp) == cp || is_left_out(cp))
			continue;
		a[utf8_encode(cp, a)] = '\0';
		b[utf8_encode(fold(cp), b)] = '\0';
		na = make(a, false);
		nb = make(b, false);
		if (!needle_is_in(na, str_z(b)) || !needle_is_in(nb, str_z(a)))
			fail_msg("U+%04X and U+%04X", cp, fold(cp));
		needle_free(na);
		needle_free(nb);
		pairs++;
	}
	assert_true(pairs > 1300);
}

struct letters {
	uint32_t cp[400];
	size_t at[401];
	size_t n;
	char utf8[1700];
};

static uint32_t rnd(uint64_t *state, uint32_t below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*state >> 33) % below);
}

static void random_text(uint64_t *seed, struct letters *t, size_t n, bool plain)
{
	static const uint32_t some[] = {'a', 'A', 'b', 'B', 'k', 'S', ' ', '@', '`', '[', '{', '0',
					0xdf, 0x1e9e, 0xe4, 0xc4, 0x3c3, 0x3c2, 0x3a3, 0x3b8, 0x3f4,
					0x1c5, 0x1c4, 0x1c6, 0x23a, 0x2c65, 0x434, 0x414, 0x60b2, 0x3057,
					0x10428, 0x10400, 0x1f600};

	t->n = n;
	for (size_t i = 0; i < n; i++) {
		t->cp[i] = some[rnd(seed, plain ? 6 : sizeof some / sizeof *some)];
		t->at[i + 1] = t->at[i] + utf8_encode(t->cp[i], t->utf8 + t->at[i]);
	}
}

static size_t naive(const struct letters *hay, const struct letters *nd, size_t from)
{
	for (size_t i = from; i + nd->n <= hay->n; i++) {
		size_t k = 0;

		while (k < nd->n && fold(hay->cp[i + k]) == fold(nd->cp[k]))
			k++;
		if (k == nd->n)
			return i;
	}
	return hay->n;
}

static void test_random(void **state)
{
	static struct letters hay, word;
	uint64_t seed = 7;
	size_t hits = 0;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		bool plain = round % 2;
		struct needle *nd;
		size_t at, len, from = 0, want;

		random_text(&seed, &hay, rnd(&seed, round % 10 ? 40 : 400), plain);
		random_text(&seed, &word, 1 + rnd(&seed, 4), plain);
		word.utf8[word.at[word.n]] = '\0';
		nd = make(word.utf8, false);
		do {
			bool hit = needle_find(nd, (struct str){hay.utf8, hay.at[hay.n]}, hay.at[from], &at, &len);

			want = naive(&hay, &word, from);
			if (hit != (want < hay.n) ||
			    (hit && (at != hay.at[want] || len != hay.at[want + word.n] - hay.at[want])))
				fail_msg("round %d: %s from %zu: %d at %zu", round, word.utf8, from, hit, at);
			hits += hit;
			from = want + 1;
		} while (want < hay.n);
		needle_free(nd);
	}
	assert_true(hits > 20000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_cases),
	    cmocka_unit_test(test_places),
	    cmocka_unit_test(test_next),
	    cmocka_unit_test(test_refused),
	    cmocka_unit_test(test_literal),
	    cmocka_unit_test(test_every_letter),
	    cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
