#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/protocol/choices.h"
#include "core/protocol/mapping.h"

#define CLASSES 20

static size_t draw(const struct choices *c, const char *key, uint32_t original, const uint32_t *re, size_t n_re,
		   uint32_t *out)
{
	uint32_t scratch[CLASSES];

	return choices_draw(c, str_z(key), &original, original < CLASSES, re, n_re, scratch, out);
}

static bool has(const uint32_t *v, size_t n, uint32_t x)
{
	for (size_t i = 0; i < n; i++)
		if (v[i] == x)
			return true;
	return false;
}

static void options_hold_the_labels(void **state)
{
	static const uint32_t re[] = {5, 6};
	uint32_t out[CHOICES_MAX];

	(void)state;
	for (uint32_t repeat = 0; repeat < 200; repeat++) {
		struct choices c = {.truth = CHOICES_ORIGINAL, .n = 4, .seed = 1, .repeat = repeat, .n_classes = CLASSES};

		assert_int_equal(draw(&c, "k", 3, re, 2, out), 4);
		assert_true(has(out, 4, 3) && !has(out, 4, 5) && !has(out, 4, 6));
		c.truth = CHOICES_REANNOTATED;
		assert_int_equal(draw(&c, "k", 3, re, 2, out), 4);
		assert_true(has(out, 4, 5) != has(out, 4, 6) && !has(out, 4, 3));
		c.truth = CHOICES_BOTH;
		assert_int_equal(draw(&c, "k", 3, re, 2, out), 4);
		assert_true(has(out, 4, 3) && has(out, 4, 5) != has(out, 4, 6));
		for (size_t i = 0; i < 4; i++)
			assert_false(has(out, i, out[i]));
	}
}

static void the_same_seed_draws_the_same(void **state)
{
	static const uint32_t re[] = {3};
	struct choices c = {.truth = CHOICES_BOTH, .n = 4, .seed = 7, .n_classes = CLASSES}, other = c;
	uint32_t a[CHOICES_MAX], b[CHOICES_MAX];
	size_t place[4] = {0}, differ = 0;

	(void)state;
	for (uint32_t repeat = 0; repeat < 400; repeat++) {
		c.repeat = other.repeat = repeat;
		assert_int_equal(draw(&c, "k", 3, re, 1, a), 4); /* one label that both layers agree on */
		assert_int_equal(draw(&other, "k", 3, re, 1, b), 4);
		assert_memory_equal(a, b, 4 * sizeof *a);
		other.seed = 8;
		draw(&other, "k", 3, re, 1, b);
		differ += memcmp(a, b, 4 * sizeof *a) != 0;
		other.seed = 7;
		for (size_t i = 0; i < 4; i++)
			place[i] += a[i] == 3;
	}
	assert_true(differ > 350);
	for (size_t i = 0; i < 4; i++)
		assert_in_range(place[i], 60, 140); /* 100 ± 4.6 standard deviations */
}

static void weights_choose_distractors(void **state)
{
	double weight[CLASSES] = {[2] = 9, [3] = 99, [4] = 8, [11] = 7, [12] = NAN, [13] = -1};
	struct choices c = {.truth = CHOICES_ORIGINAL, .n = 4, .seed = 1, .n_classes = CLASSES, .weight = weight};
	uint32_t out[CHOICES_MAX];

	(void)state;
	assert_int_equal(draw(&c, "k", 3, NULL, 0, out), 4);
	assert_true(has(out, 4, 2) && has(out, 4, 3) && has(out, 4, 4) && has(out, 4, 11));
}

static void what_is_as_good_as_a_label_is_no_distractor(void **state)
{
	static const uint32_t re[] = {2}, barred[] = {4};
	uint32_t name[CLASSES], out[CHOICES_MAX], truths[2];
	double weight[CLASSES] = {[3] = 9, [4] = 8, [5] = 7, [6] = 6, [7] = 5, [8] = 4, [9] = 3};
	struct choices c = {.truth = CHOICES_ORIGINAL, .n = 4, .n_classes = CLASSES, .weight = weight, .name = name,
			    .barred = barred, .n_barred = 1};

	(void)state;
	for (uint32_t i = 0; i < CLASSES; i++)
		name[i] = i;
	name[5] = name[2]; /* called like the reannotated label */
	name[7] = name[6]; /* called like each other */
	for (c.repeat = 0; c.repeat < 50; c.repeat++) {
		assert_int_equal(draw(&c, "k", 3, re, 1, out), 4);
		assert_true(has(out, 4, 3) && has(out, 4, 6) && has(out, 4, 8) && has(out, 4, 9));
		c.truth = CHOICES_BOTH;
		assert_int_equal(choices_truths(&c, STR("k"), (const uint32_t[]){3}, 1, re, 1, truths), 2);
		assert_true(truths[0] == 3 && truths[1] == 2);
		c.truth = CHOICES_ORIGINAL;
	}
	c.weight = NULL;
	for (c.repeat = 0; c.repeat < 400; c.repeat++) {
		assert_int_equal(draw(&c, "k", 3, re, 1, out), 4);
		assert_false(has(out, 4, 2) || has(out, 4, 4) || has(out, 4, 5));
		assert_false(has(out, 4, 6) && has(out, 4, 7));
	}
}

/* The labels that are drawn are told before the distractors are. */
static void truths_are_those_that_are_drawn(void **state)
{
	static const uint32_t re[] = {5, 6, 7};
	uint32_t out[CHOICES_MAX], truths[2], original = 3;
	struct choices c = {.truth = CHOICES_REANNOTATED, .n = 4, .seed = 5, .n_classes = CLASSES};

	(void)state;
	for (c.repeat = 0; c.repeat < 100; c.repeat++) {
		draw(&c, "k", 3, re, 3, out);
		assert_int_equal(choices_truths(&c, STR("k"), &original, 1, re, 3, truths), 1);
		assert_true(has(out, 4, truths[0]));
	}
	assert_int_equal(choices_truths(&c, STR("k"), &original, 1, re, 0, truths), 0);
}

static void what_cannot_be_drawn(void **state)
{
	struct choices c = {.truth = CHOICES_REANNOTATED, .n = 4, .seed = 1, .n_classes = CLASSES};
	uint32_t out[CHOICES_MAX];

	(void)state;
	assert_int_equal(draw(&c, "k", 3, NULL, 0, out), 0);
	c.truth = CHOICES_ORIGINAL;
	assert_int_equal(draw(&c, "k", CLASSES, NULL, 0, out), 0);
	c.n_classes = 3;
	assert_int_equal(draw(&c, "k", 1, NULL, 0, out), 3);
	c.n = 1;
	assert_int_equal(draw(&c, "k", 1, NULL, 0, out), 0);
	c.n = CHOICES_MAX + 1;
	assert_int_equal(draw(&c, "k", 1, NULL, 0, out), 0);
}

/* --- mapping --- */

static void embeddings_are_means_of_units(void **state)
{
	static const float bare[2] = {2, 0}, zero[2] = {0}, rows[6] = {10, 0, 0, 1, 0, 0};
	float out[2];

	(void)state;
	mapping_embed(bare, NULL, 0, 2, out);
	assert_true(out[0] == 1 && out[1] == 0);
	mapping_embed(bare, rows, 3, 2, out); /* the zero row does not count */
	assert_true(fabs(out[0] - sqrt(0.5)) < 1e-6 && fabs(out[1] - sqrt(0.5)) < 1e-6);
	mapping_embed(zero, rows, 3, 2, out);
	assert_true(out[0] == 0 && out[1] == 0);
}

static void the_nearest_and_the_next(void **state)
{
	static const float classes[] = {0, 0, 1, 0, 0.6f, 0.8f, 0, 1, 1, 0}, answer[] = {1, 0}, zero[] = {0, 0};
	struct mapped m = mapping_nearest(answer, classes, 5, 2);

	(void)state;
	assert_int_equal(m.class_ord, 1);
	assert_int_equal(m.second, 4); /* as near: the lower one is first */
	assert_true(m.cosine == 1 && m.second_cosine == 1);
	m = mapping_nearest(answer, classes, 3, 2);
	assert_int_equal(m.second, 2);
	m = mapping_nearest(zero, classes, 5, 2);
	assert_int_equal(m.class_ord, UINT32_MAX);
	m = mapping_nearest(answer, classes, 1, 2);
	assert_int_equal(m.class_ord, UINT32_MAX);
}

static void templates_are_lines(void **state)
{
	struct templates t = {0};
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;

	(void)state;
	assert_int_equal(mapping_templates(STR("# CLIP\na photo of a {}.\n\n {} and {} \n"), &t, &err), OK);
	assert_int_equal(t.lines.n, 2);
	mapping_fill(t.lines.v[1], STR("hen"), &out);
	assert_string_equal(buf_cstr(&out), "hen and hen");
	vec_clear(&t.lines);
	assert_int_equal(mapping_templates(STR("{}\na photo\n"), &t, &err), E_FORMAT);
	assert_string_equal(err.msg, "line 2 of the templates has no {}");
	vec_clear(&t.lines);
	assert_int_equal(mapping_templates(STR("#\n"), &t, &err), E_FORMAT);
	vec_release(&t.lines);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(options_hold_the_labels),	 cmocka_unit_test(the_same_seed_draws_the_same),
	    cmocka_unit_test(weights_choose_distractors), cmocka_unit_test(what_cannot_be_drawn),
	    cmocka_unit_test(what_is_as_good_as_a_label_is_no_distractor),
	    cmocka_unit_test(truths_are_those_that_are_drawn),
	    cmocka_unit_test(embeddings_are_means_of_units), cmocka_unit_test(the_nearest_and_the_next),
	    cmocka_unit_test(templates_are_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
