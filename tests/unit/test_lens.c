#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/model/snapshot.h"

static struct layer both[] = {{.name = "original"}, {.name = "reannotated"}, {.name = "a, \"b\""}};
static struct layer prompt_only[] = {{.name = "prompt"}};
static const uint32_t pairs[1][2] = {{0, 1}};

static struct snapshot full(void)
{
	return (struct snapshot){
	    .dataset = "d", .layers = both, .n_layers = 3, .n_pairs = 1, .pairs = pairs};
}

static void assert_lens(const struct snapshot *s, const struct lens *lens, const char *want)
{
	struct buf b = BUF_INIT;

	lens_format(lens, s, &b);
	assert_string_equal(buf_cstr(&b), want);
	buf_release(&b);
}

static void defaults(void **state)
{
	struct snapshot s = full(), one = {.layers = both, .n_layers = 1},
			other = {.layers = prompt_only, .n_layers = 1}, none = {0};
	struct lens lens;

	(void)state;
	lens = lens_default(&s);
	assert_lens(
	    &s, &lens,
	    "layer=reannotated,original=original,equiv=off,n=right,abstain=wrong,rule=regt");
	lens = lens_default(&one);
	assert_lens(&one, &lens,
		    "layer=original,original=original,equiv=off,n=right,abstain=wrong,rule=regt");
	lens = lens_default(&other);
	assert_lens(&other, &lens,
		    "layer=prompt,original=(none),equiv=off,n=right,abstain=wrong,rule=regt");
	lens = lens_default(&none);
	assert_lens(&none, &lens,
		    "layer=(none),original=(none),equiv=off,n=right,abstain=wrong,rule=regt");
}

static void presets(void **state)
{
	static const struct {
		const char *name, *want;
	} rows[] = {
	    {"regt",
	     "layer=reannotated,original=original,equiv=on,n=right,abstain=wrong,rule=regt"},
	    {"reimagenet", "layer=reannotated,original=original,equiv=on,n=exclude,abstain=wrong,"
			   "rule=reimagenet"},
	    {"real",
	     "layer=reannotated,original=original,equiv=off,n=exclude,abstain=wrong,rule=regt"},
	    {"mvei", "layer=original,original=original,equiv=off,n=right,abstain=wrong,rule=regt"},
	    {"", "layer=reannotated,original=original,equiv=off,n=right,abstain=wrong,rule=regt"},
	    {"what",
	     "layer=reannotated,original=original,equiv=off,n=right,abstain=wrong,rule=regt"},
	};
	struct snapshot s = full(), bare = full();
	struct lens lens;

	(void)state;
	bare.n_pairs = 0;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		lens = lens_preset(&s, rows[i].name);
		assert_lens(&s, &lens, rows[i].want);
	}
	lens = lens_preset(&bare, "regt"); /* equivalence has nothing to stand on */
	assert_false(lens.equiv);
}

static void parsing(void **state)
{
	static const struct {
		const char *text, *want; /* want NULL: refused */
		const char *says;
	} rows[] = {
	    {"n=exclude",
	     "layer=reannotated,original=original,equiv=off,n=exclude,abstain=wrong,rule=regt", 0},
	    {" layer = original , equiv = on ",
	     "layer=original,original=original,equiv=on,n=right,abstain=wrong,rule=regt", 0},
	    {"regt,n=wrong,abstain=exclude",
	     "layer=reannotated,original=original,equiv=on,n=wrong,abstain=exclude,rule=regt", 0},
	    {"layer=\"a, \"\"b\"\"\"",
	     "layer=\"a, \"\"b\"\"\",original=original,equiv=off,n=right,abstain=wrong,rule=regt",
	     0},
	    {"layer=(none),rule=reimagenet",
	     "layer=(none),original=original,equiv=off,n=right,abstain=wrong,rule=reimagenet", 0},
	    {"", NULL, "empty"},
	    {"layer=mine", NULL, "no layer \"mine\"; it has original, reannotated"},
	    {"n=never", NULL, "expected one of right, exclude, wrong"},
	    {"colour=red", NULL, "the lens has no \"colour\""},
	    {"ReGT", NULL, "preset"},
	    {"n=wrong,regt", NULL, "the lens has no \"regt\""},
	    {"layer=\"orig", NULL, "quote"},
	    {"n=wrong,abstain=maybe", NULL, "abstain=maybe"},
	};
	struct snapshot s = full();

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct lens lens = lens_default(&s), before = lens;
		struct err err = ERR_INIT;
		enum status st = lens_parse(&lens, &s, str_z(rows[i].text), &err);

		if (rows[i].want) {
			assert_int_equal(st, OK);
			assert_lens(&s, &lens, rows[i].want);
			continue;
		}
		assert_int_equal(st, E_USAGE);
		assert_true(lens_eq(&lens, &before));
		if (!strstr(err.msg, rows[i].says))
			fail_msg("row %zu says \"%s\"", i, err.msg);
	}
}

static void without_pairs(void **state)
{
	struct snapshot s = full();
	struct lens lens = lens_default(&s);
	struct err err = ERR_INIT;

	(void)state;
	s.n_pairs = 0;
	assert_int_equal(lens_parse(&lens, &s, STR("equiv=on"), &err), E_USAGE);
	assert_int_equal(lens_parse(&lens, &s, STR("regt"), &err), E_USAGE);
	assert_int_equal(lens_parse(&lens, &s, STR("equiv=off"), &err), OK);
}

/* What lens_format writes, lens_parse reads back, for every lens of a snapshot. */
static void round_trip(void **state)
{
	struct snapshot s = full();
	struct buf text = BUF_INIT;

	(void)state;
	for (int k = 0; k < 4 * 4 * 2 * 3 * 2 * 2; k++) {
		struct lens lens = {.layer = k % 4 - 1,
				    .original = k / 4 % 4 - 1,
				    .equiv = k / 16 % 2,
				    .n = (enum n_policy)(k / 32 % 3),
				    .abstain = (enum abstain_policy)(k / 96 % 2),
				    .rule = (enum category_rule)(k / 192 % 2)};
		struct lens back = lens_default(&s);
		struct err err = ERR_INIT;

		buf_clear(&text);
		lens_format(&lens, &s, &text);
		assert_int_equal(lens_parse(&back, &s, buf_view(&text), &err), OK);
		assert_true(lens_eq(&lens, &back));
	}
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(defaults),   cmocka_unit_test(presets),
	    cmocka_unit_test(parsing),    cmocka_unit_test(without_pairs),
	    cmocka_unit_test(round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
