/* Names in a text: against a search for one after the other, on random names and texts. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/protocol/extract.h"

#define NAMES    60
#define TEXT_MAX 3000

static uint32_t rnd(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)*seed * below) >> 32);
}

/* Few letters, so that names begin with names, and stand in one another. */
static size_t random_text(uint32_t *seed, size_t most, char *out)
{
	static const char letters[] = "aAbB  c1-\xc3\xa4";
	size_t n = rnd(seed, (uint32_t)most + 1);

	for (size_t i = 0; i < n; i++)
		out[i] = letters[rnd(seed, sizeof letters - 1)];
	return n;
}

static bool same(char a, char b)
{
	return (a >= 'A' && a <= 'Z' ? a + 32 : a) == (b >= 'A' && b <= 'Z' ? b + 32 : b);
}

static bool is_letter(struct str text, size_t i)
{
	return i < text.n && isalnum((unsigned char)text.p[i]);
}

static size_t naive(struct str text, struct str name)
{
	for (size_t i = 0; name.n && i + name.n <= text.n; i++) {
		size_t k = 0;

		while (k < name.n && same(text.p[i + k], name.p[k]))
			k++;
		if (k == name.n && !(i && is_letter(text, i - 1)) && !is_letter(text, i + k))
			return i;
	}
	return SIZE_MAX;
}

static void names_are_where_each_one_is(void **state)
{
	static char letters[NAMES][8], text[TEXT_MAX];
	size_t at[NAMES], found = 0;
	struct str name[NAMES];
	uint32_t seed = 3;

	(void)state;
	for (int turn = 0; turn < 600; turn++) {
		size_t n = rnd(&seed, NAMES + 1);
		struct str s = {text, random_text(&seed, turn % 4 ? 300 : TEXT_MAX, text)};

		for (size_t i = 0; i < n; i++)
			name[i] = (struct str){letters[i], random_text(&seed, sizeof letters[i], letters[i])};
		words_find(name, n, s, at);
		for (size_t i = 0; i < n; i++) {
			assert_int_equal(at[i], naive(s, name[i]));
			found += at[i] != SIZE_MAX;
		}
	}
	assert_true(found > 1000);
}

#define MANY 1000
#define LONG ((size_t)1000000)

/* A thousand labels that begin alike, in an answer of a megabyte that is full of their beginning. */
static void long_answers_have_their_label(void **state)
{
	static struct class_info classes[MANY];
	static char names[MANY][16];
	struct ask_sample sample = {.text = STR("q")};
	struct ask ask = {.classes = classes, .n_classes = MANY, .samples = &sample, .n_samples = 1};
	struct arena arena = ARENA_INIT;
	char *text = xmalloc(LONG);
	struct extraction got;

	(void)state;
	for (int i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof names[i], "class %d", i);
		classes[i] = (struct class_info){i, "", names[i], UINT32_MAX};
	}
	for (size_t i = 0; i < LONG; i++)
		text[i] = "class "[i % 6];
	memcpy(text + LONG / 6 * 6 - 12, "Class 357. ", 11);
	protocol_extract(protocol_find(STR("memo")), &arena, &ask, (struct str){text, LONG}, &got);
	assert_int_equal(got.n_refs, 1);
	assert_true(str_eqz(got.refs[0].text, "class 357"));
	assert_ptr_equal(got.span.p, text + LONG / 6 * 6 - 12);
	memcpy(text + 600, "class 12, ", 10);
	protocol_extract(protocol_find(STR("memo")), &arena, &ask, (struct str){text, LONG}, &got);
	assert_int_equal(got.n_refs, 0);
	assert_string_equal(got.rule, "several labels");
	free(text);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_where_each_one_is),
					   cmocka_unit_test(long_answers_have_their_label)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
