/* core/model: columns, sets, finding things in a snapshot, words. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#include "core/model/snapshot.h"

static void narrowest_types(void **state)
{
	static const struct {
		uint64_t max;
		enum dtype want;
	} rows[] = {
	    {0, DT_U8},          {254, DT_U8},         {255, DT_U16},        {65534, DT_U16},
	    {65535, DT_U32},     {UINT32_MAX - 1, DT_U32}, {UINT32_MAX, DT_U64}, {UINT64_MAX - 1, DT_U64},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct column c = column_new(dtype_for(rows[i].max), 1);

		assert_int_equal(c.dtype, rows[i].want);
		column_set_u(&c, 0, rows[i].max);
		assert_true(column_u(&c, 0) == rows[i].max);
		column_release(&c);
	}
}

static void new_columns_hold_none(void **state)
{
	static const size_t size[N_DTYPES] = {1, 2, 4, 8, 4, 8};

	(void)state;
	for (int d = 0; d < N_DTYPES; d++) {
		struct column c = column_new((enum dtype)d, 3);

		assert_int_equal(dtype_size((enum dtype)d), size[d]);
		assert_int_equal(c.n, 3);
		for (size_t i = 0; i < 5; i++) {
			assert_true(isnan(column_f(&c, i)));
			assert_true(column_u(&c, i) == COLUMN_NONE);
		}
		column_set_f(&c, 1, 7);
		assert_true(column_f(&c, 1) == 7);
		column_set_u(&c, 2, 9);
		assert_true(column_f(&c, 2) == 9);
		column_set_u(&c, 2, COLUMN_NONE);
		assert_true(isnan(column_f(&c, 2)));
		assert_true(isnan(column_f(&c, 0)));
		column_release(&c);
		assert_int_equal(c.n, 0);
	}
	assert_int_equal(dtype_size(N_DTYPES), 0);
	assert_string_equal(dtype_word(DT_F32), "f32");
}

static void what_does_not_fit_is_none(void **state)
{
	struct column c = column_new(DT_U8, 4);

	(void)state;
	column_set_u(&c, 0, 255);
	column_set_u(&c, 1, 300);
	column_set_f(&c, 2, -1);
	column_set_f(&c, 3, NAN);
	for (size_t i = 0; i < 4; i++)
		assert_true(column_u(&c, i) == COLUMN_NONE);
	column_release(&c);
	c = column_new(DT_U64, SIZE_MAX / 4);
	assert_null(c.data);
	assert_int_equal(c.n, 0);
}

static void set_validity(void **state)
{
	static const struct {
		const char *name;
		uint32_t off[4];
		size_t n_off;
		uint8_t val[4];
		size_t n_val;
		uint64_t limit;
		bool want;
	} rows[] = {
	    {"nothing", {0}, 0, {0}, 0, 0, true},
	    {"values without rows", {0}, 0, {0}, 1, 9, false},
	    {"no rows", {0}, 1, {0}, 0, 0, true},
	    {"two rows", {0, 1, 3}, 3, {0, 1, 2}, 3, 3, true},
	    {"value too large", {0, 1, 3}, 3, {0, 1, 3}, 3, 3, false},
	    {"none as a value", {0, 1, 3}, 3, {0, 1, 255}, 3, 300, false},
	    {"does not begin at 0", {1, 1, 3}, 3, {0, 1, 2}, 3, 3, false},
	    {"descends", {0, 3, 2, 3}, 4, {0, 1, 2}, 3, 3, false},
	    {"ends early", {0, 1, 2}, 3, {0, 1, 2}, 3, 3, false},
	    {"ends late", {0, 1, 4}, 3, {0, 1, 2}, 3, 3, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct csr c = {column_new(DT_U32, rows[i].n_off), column_new(DT_U8, rows[i].n_val)};

		memcpy(c.off.data, rows[i].off, rows[i].n_off * 4);
		memcpy(c.val.data, rows[i].val, rows[i].n_val);
		if (csr_valid(&c, rows[i].limit) != rows[i].want)
			fail_msg("%s", rows[i].name);
		csr_release(&c);
	}
}

static void set_types(void **state)
{
	struct csr c = {column_new(DT_U16, 1), column_new(DT_U8, 0)};

	(void)state;
	column_set_u(&c.off, 0, 0);
	assert_false(csr_valid(&c, 1));
	csr_release(&c);
	c = (struct csr){column_new(DT_U32, 2), column_new(DT_F32, 1)};
	column_set_u(&c.off, 0, 0);
	column_set_u(&c.off, 1, 1);
	column_set_f(&c.val, 0, 0);
	assert_false(csr_valid(&c, 1));
	csr_release(&c);
}

static void finds_runs(void **state)
{
	struct run runs[] = {
	    {.handle = "gpt-4o/cw", .title = "GPT-4o (2024)"},
	    {.handle = "gpt-4o/cw+", .title = "Same title"},
	    {.handle = "llava/cw", .title = "Same title"},
	    {.handle = "mini", .title = "gpt"},
	    {.handle = "qwen_vl/cw", .title = "qwen_vl/cw", .model = "Qwen VL"},
	    {.handle = "two/cw", .title = "two/cw", .model = "Two Runs"},
	    {.handle = "two/ow", .title = "two/ow", .model = "Two Runs"},
	};
	struct snapshot s = {.n_runs = 7, .runs = runs};
	static const struct {
		const char *who;
		int want;
	} rows[] = {
	    {"gpt-4o/cw", 0},   {"gpt-4o/cw+", 1}, {"gpt-4o", -2},     {"l", 2},
	    {"llava/cw+", -1},  {"", -1},          {"Same title", -2}, {"GPT-4o (2024)", 0},
	    {"GPT-4o (20", -1}, {"gpt", 3}, /* ambiguous as a prefix, but exactly one title */
	    {"Qwen VL", 4},     {"qwen VL", -1},   {"Two Runs", -2},   {"two", -2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (snapshot_run(&s, str_z(rows[i].who)) != rows[i].want)
			fail_msg("\"%s\"", rows[i].who);
}

static void finds_facets_and_layers(void **state)
{
	struct facet facets[] = {
	    {.name = "scene context"}, {.name = "Emotion"}, {.name = "emotion"}, {.name = "mme_task"}};
	struct layer layers[] = {{.name = "original"}, {.name = "mine"}};
	struct snapshot s = {.n_facets = 4, .facets = facets, .n_layers = 2, .layers = layers};

	(void)state;
	assert_int_equal(snapshot_facet(&s, STR("scene_context")), 0);
	assert_int_equal(snapshot_facet(&s, STR("SCENE CONTEXT")), 0);
	assert_int_equal(snapshot_facet(&s, STR("emotion")), 2);
	assert_int_equal(snapshot_facet(&s, STR("EMOTION")), 1);
	assert_int_equal(snapshot_facet(&s, STR("mme task")), 3);
	assert_int_equal(snapshot_facet(&s, STR("mme")), -1);
	assert_int_equal(snapshot_layer(&s, STR("mine")), 1);
	assert_int_equal(snapshot_layer(&s, STR("Mine")), -1);
	snapshot_free(NULL);
}

static void words(void **state)
{
	(void)state;
	assert_string_equal(outcome_word(OUTCOME_OOP), "oop");
	assert_string_equal(outcome_word(OUTCOME_ERROR), "error");
	assert_string_equal(outcome_word((enum outcome)99), "?");
	assert_string_equal(verdict_word(VERDICT_UNCOUNTED), "uncounted");
	assert_string_equal(verdict_word((enum verdict)7), "?");
	assert_string_equal(list_rule_word(LIST_ALL_HIT), "all-hit");
	assert_string_equal(list_rule_word(N_LIST_RULES), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(narrowest_types),     cmocka_unit_test(new_columns_hold_none),
	    cmocka_unit_test(what_does_not_fit_is_none), cmocka_unit_test(set_validity),
	    cmocka_unit_test(set_types),           cmocka_unit_test(finds_runs),
	    cmocka_unit_test(finds_facets_and_layers),   cmocka_unit_test(words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
