/* Sets of samples, and the nearest of many names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/nearest.h"

static uint32_t rnd(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 16;
}

/* Against arrays of bool, for every size up to some words. */
static void test_sets(void **state)
{
	uint32_t seed = 1;

	(void)state;
	for (size_t n = 0; n < 200; n++) {
		uint64_t *a = bits_new(n), *b = bits_new(n);
		uint8_t x[200], y[200], out[200];
		size_t count = 0, both = 0, next;

		assert_false(bits_any(a, n));
		for (size_t i = 0; i < n; i++) {
			x[i] = rnd(&seed) % 3;
			y[i] = rnd(&seed) % 2;
			if (y[i])
				bits_set(b, i);
			count += x[i] == 2;
			both += x[i] == 2 && y[i];
		}
		bits_of_bytes(a, x, n, 2);
		assert_int_equal(bits_count(a, n), count);
		assert_int_equal(bits_any(a, n), count > 0);
		assert_int_equal(bits_count_and(a, b, n), both);
		bits_to_bytes(a, n, out);
		next = bits_next(a, n, 0);
		for (size_t i = 0; i < n; i++) {
			assert_int_equal(out[i], x[i] == 2);
			assert_int_equal(bits_get(a, i), x[i] == 2);
			if (x[i] == 2) {
				assert_int_equal(next, i);
				next = bits_next(a, n, i + 1);
			}
		}
		assert_int_equal(next, n);
		bits_not(a, n);
		assert_int_equal(bits_count(a, n), n - count);
		bits_not(a, n);
		bits_and_not(a, b, n);
		assert_int_equal(bits_count(a, n), count - both);
		bits_or(a, b, n);
		bits_and(a, b, n);
		assert_int_equal(bits_count(a, n), bits_count(b, n));
		bits_fill(a, n, true);
		assert_int_equal(bits_count(a, n), n);
		free(a);
		free(b);
	}
}

static void test_nearest(void **state)
{
	static const char *const names[] = {"emotion", "Dimension", "gt", "wrong", "weasel"};
	static const struct {
		const char *word, *best;
	} cases[] = {{"emotoin", "emotion"}, {"dimensoin", "Dimension"}, {"WRNG", "wrong"},
		     {"we", "weasel"},	     {"elephant", NULL},	  {"", NULL},
		     {"a-word-that-is-longer-than-any-name-that-is-compared", NULL}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct nearest near = {.word = str_z(cases[i].word)};

		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			nearest_offer(&near, names[k]);
		if (!cases[i].best)
			assert_null(near.best);
		else
			assert_string_equal(near.best, cases[i].best);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_sets), cmocka_unit_test(test_nearest)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
