/* What one text says in other words than another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/text/wording.h"

static const char *spelled(const struct wording *w, struct buf *out)
{
	static const char *const open[] = {"", "-", "+"};

	for (size_t k = 0; k < w->parts.n; k++) {
		buf_printf(out, "%s%s", k ? "|" : "", open[w->parts.v[k].in]);
		buf_str(out, w->parts.v[k].text);
	}
	return buf_cstr(out);
}

static void texts_are_compared(void **state)
{
	static const struct {
		const char *old, *now, *want;
	} cases[] = {
	    {"", "", ""},
	    {"a face", "a face", "a face"},
	    {"a  face\n", " a face", "a face"},
	    {"", "a face", "+a face"},
	    {"a face", "", "-a face"},
	    {"mink", "weasel", "-mink|+weasel"},
	    {"a sad face", "a happy face", "a|-sad|+happy|face"},
	    {"a sad, tired face", "a face", "a|-sad, tired|face"},
	    {"The eyes are wide open.", "The eyes are closed.", "The eyes are|-wide open|+closed|."},
	    {"fear or joy", "joy or fear", "-fear or|joy|+or fear"},
	    {"caf\xc3\xa9 noir", "caf\xc3\xa9 blanc", "caf\xc3\xa9|-noir|+blanc"},
	    {"Joy", "joy", "-Joy|+joy"},
	    {"(a)", "(b)", "(|-a|+b|)"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = BUF_INIT;
		struct wording w;

		wording_compare(str_z(cases[i].old), str_z(cases[i].now), &w);
		assert_string_equal(spelled(&w, &out), cases[i].want);
		wording_release(&w);
		buf_release(&out);
	}
}

/* --- random texts --- */

static uint32_t rnd(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % below;
}

static struct buf random_text(uint32_t *seed, size_t *n)
{
	struct buf b = BUF_INIT;

	*n = rnd(seed, 14);
	for (size_t k = 0; k < *n; k++)
		buf_printf(&b, "%s%c", k ? " " : "", 'a' + (int)rnd(seed, 4));
	return b;
}

/* Of words of one letter, a blank between. */
static size_t longest_common(const char *a, size_t n, const char *b, size_t m)
{
	size_t skip_a, skip_b;

	if (!n || !m)
		return 0;
	if (a[0] == b[0])
		return 1 + longest_common(a + 2, n - 1, b + 2, m - 1);
	skip_a = longest_common(a + 2, n - 1, b, m);
	skip_b = longest_common(a, n, b + 2, m - 1);
	return skip_a > skip_b ? skip_a : skip_b;
}

/* Both texts can be read off the parts, and the most words are in common. */
static void both_texts_are_there(void **state)
{
	uint32_t seed = 1;

	(void)state;
	for (int round = 0; round < 500; round++) {
		size_t n, m, common = 0;
		struct buf old = random_text(&seed, &n), now = random_text(&seed, &m);
		struct buf was = BUF_INIT, is = BUF_INIT;
		struct wording w;

		wording_compare(buf_view(&old), buf_view(&now), &w);
		for (size_t k = 0; k < w.parts.n; k++) {
			const struct wording_part *p = &w.parts.v[k];

			assert_true(k == 0 || p->in != p[-1].in);
			if (p->in != WORDING_NEW)
				buf_printf(&was, "%s%.*s", was.n ? " " : "", STR_ARG(p->text));
			if (p->in != WORDING_OLD)
				buf_printf(&is, "%s%.*s", is.n ? " " : "", STR_ARG(p->text));
			common += p->in == WORDING_BOTH ? (p->text.n + 1) / 2 : 0;
		}
		assert_string_equal(buf_cstr(&was), buf_cstr(&old));
		assert_string_equal(buf_cstr(&is), buf_cstr(&now));
		assert_true(common == longest_common(buf_cstr(&old), n, buf_cstr(&now), m));
		wording_release(&w);
		buf_release(&old);
		buf_release(&now);
		buf_release(&was);
		buf_release(&is);
	}
}

/* Beyond the ceiling what lies between the first difference and the last is one piece. */
static void long_texts_have_a_ceiling(void **state)
{
	struct buf old = BUF_INIT, now = BUF_INIT;
	struct wording w;

	(void)state;
	for (int k = 0; k < 1500; k++) {
		buf_printf(&old, "%d ", k);
		buf_printf(&now, "%d ", k % 700 == 1 ? -k - 5000 : k);
	}
	wording_compare(buf_view(&old), buf_view(&now), &w);
	assert_int_equal(w.parts.v[0].in, WORDING_BOTH);
	assert_true(str_eqz(w.parts.v[0].text, "0"));
	assert_int_equal(w.parts.n, 4);
	assert_int_equal(w.parts.v[1].in, WORDING_OLD);
	assert_int_equal(w.parts.v[2].in, WORDING_NEW);
	assert_int_equal(w.parts.v[3].in, WORDING_BOTH);
	wording_release(&w);
	buf_release(&old);
	buf_release(&now);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(texts_are_compared),
	    cmocka_unit_test(both_texts_are_there),
	    cmocka_unit_test(long_texts_have_a_ceiling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
