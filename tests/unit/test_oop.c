/* Kinds of answers outside of the class list: their words, and a project's runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "core/eval/oop.h"
#include "db/search.h"
#include "tests/unit/lib_store.h"

/* --- words --- */

static struct oop_names *names(void)
{
	static const char *const classes[] = {"great white shark", "tench", "Granny Smith (apple)", "can opener",
					      "St. Bernard's dog", "white wolf"};
	static const char *const aliases[] = {"warplane", "Tinca tinca", "great white shark", "don't know dog"};
	struct oop_names *o = oop_names_new();

	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		oop_names_class(o, str_z(classes[i]));
	for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
		oop_names_alias(o, str_z(aliases[i]));
	return o;
}

static void kinds_by_words(void **state)
{
	static const struct { const char *answer; enum oop_kind kind; } cases[] = {
	    {"white shark", OOP_PARTIAL},
	    {"Shark, white", OOP_PARTIAL},       /* whatever the order */
	    {"white white shark", OOP_PARTIAL},  /* a set of words */
	    {"great-white-shark!", OOP_PARTIAL}, /* all of them */
	    {"white tench", OOP_WRONG},          /* of two names */
	    {"whites", OOP_WRONG},
	    {"apple", OOP_PARTIAL},
	    {"st bernards", OOP_PARTIAL},
	    {"St. Bernard\xe2\x80\x99s", OOP_PARTIAL},
	    {"dog \xe2\x80\x94 st.", OOP_PARTIAL},
	    {"warplane", OOP_ALIAS},
	    {" WARPLANE. ", OOP_ALIAS},
	    {"tinca tinca", OOP_ALIAS},
	    {"tinca", OOP_WRONG}, /* a name of the second list is meant whole */
	    {"a warplane", OOP_WRONG},
	    {"don't know dog", OOP_ALIAS}, /* before abstain */
	    {"I don't know", OOP_ABSTAIN},
	    {"I DON\xe2\x80\x99T KNOW.", OOP_ABSTAIN},
	    {"sorry, I cannot identify the main object", OOP_ABSTAIN},
	    {"unknown", OOP_ABSTAIN},
	    {"N/A", OOP_ABSTAIN},
	    {"unknown bird", OOP_WRONG}, /* alone it says so, here it does not */
	    {"knowing", OOP_WRONG},
	    {"", OOP_WRONG},
	    {" .,! ", OOP_WRONG},
	    {"\xe8\xb2\x93", OOP_WRONG},
	};
	struct oop_names *o = names();

	(void)state;
	for (int turn = 0; turn < 2; turn++) /* nothing of an answer stays behind */
		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
			if (oop_kind_of(o, str_z(cases[i].answer)) != cases[i].kind)
				fail_msg("\"%s\" is not %s", cases[i].answer, oop_kind_word(cases[i].kind));
	oop_names_free(o);
}

static void long_answers_are_no_names(void **state)
{
	struct oop_names *o = names();
	struct buf text = BUF_INIT;

	(void)state;
	for (int i = 0; i < 20000; i++)
		buf_z(&text, i % 2 ? "shark " : "white ");
	assert_int_equal(oop_kind_of(o, buf_view(&text)), OOP_WRONG);
	buf_clear(&text);
	buf_z(&text, "I don't know. ");
	for (int i = 0; i < 20000; i++)
		buf_printf(&text, "word%d ", i);
	assert_int_equal(oop_kind_of(o, buf_view(&text)), OOP_ABSTAIN);
	buf_release(&text);
	oop_names_free(o);
}

static void words_of_kinds(void **state)
{
	(void)state;
	for (int k = 0; k < N_OOP_KINDS; k++)
		assert_int_equal(oop_kind_find(str_z(oop_kind_word((enum oop_kind)k))), k);
	assert_int_equal(oop_kind_find(STR("PARTIAL")), OOP_PARTIAL);
	assert_int_equal(oop_kind_find(STR("parts")), OOP_NONE);
	assert_string_equal(oop_kind_word(OOP_NONE), "");
}

/* --- a project --- */

static void feed_class_with_second(struct feed *f, int64_t index, const char *name, const char *second)
{
	const struct str code[1][2] = {{STR("names:openai_name"), str_z(second)}};
	const struct rec_class rec = {.index = index, .name = str_z(name), .codes = code, .n_codes = 1};

	assert_int_equal(sink_class(store_sink(f->s), &rec, &f->err), OK);
}

/* The text is longer than what was extracted. */
static void feed_extracted(struct feed *f, uint32_t run, const char *key, const char *answer)
{
	struct class_ref refs[8];
	struct rec_prediction p;

	rec_prediction_init(&p);
	p.run = run;
	p.key = str_z(key);
	p.raw = STR("The answer, as far as I can tell, is what follows.");
	p.extracted = str_z(answer);
	p.outcome = OUTCOME_ANSWERED;
	p.refs = refs;
	p.n_refs = feed_refs(answer, refs);
	feed_prediction(f, &p);
}

static void feed_all(struct conn *c)
{
	static const char *const answers[] = {"tench", "white shark", "doctor fish", "I don't know", "boat",
					      "great white shark"};
	struct feed f = {0};
	uint32_t run, other;
	char key[8];

	feed_begin(&f, c, "d");
	feed_class_with_second(&f, 0, "great white shark", "great white shark");
	feed_class_with_second(&f, 1, "tench", "doctor fish");
	run = feed_run(&f, "m", "CW");
	for (int i = 0; i < 12; i++) {
		snprintf(key, sizeof key, "s%d", i);
		feed_sample(&f, key, "", "", "#0");
		if (i < 6)
			feed_answer(&f, run, key, answers[i % 6], NULL);
		else
			feed_extracted(&f, run, key, answers[i % 6]);
	}
	other = feed_run(&f, "n", "CW");
	feed_answer(&f, other, "s3", "tench", NULL);
	assert_int_equal(feed_end(&f), OK);
	feed_done(&f);
}

static uint32_t count(const struct filter_ctx *ctx, const char *text)
{
	uint64_t *bits = bits_new(ctx->snap->n);
	struct err err = ERR_INIT;
	struct filter *f = NULL;
	uint32_t n;

	if (filter_parse(str_z(text), ctx, &f, NULL, &err) != OK || filter_eval(f, ctx, bits, NULL, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	n = (uint32_t)bits_count(bits, ctx->snap->n);
	filter_free(f);
	free(bits);
	return n;
}

/* An answer that was taken out of a longer text is what counts, else the text. */
static void kinds_of_a_run(void **state)
{
	static const enum oop_kind want[] = {OOP_NONE, OOP_PARTIAL, OOP_ALIAS, OOP_ABSTAIN, OOP_WRONG, OOP_NONE};
	struct place p = place_new(false);
	struct err err = ERR_INIT;
	struct snapshot *snap;
	struct search *s;
	const uint8_t *kind = NULL, *again = NULL;

	(void)state;
	feed_all(p.c);
	snap = must_load(p.c, "d");
	assert_int_equal(search_new(&s, p.c, snap, &err), OK);
	assert_int_equal(search_source(s)->oop_kinds((void *)s, 0, &kind, NULL, &err), OK);
	for (uint32_t i = 0; i < snap->n; i++)
		assert_int_equal(kind[i], want[i % 6]);
	assert_int_equal(search_source(s)->oop_kinds((void *)s, 0, &again, NULL, &err), OK);
	assert_ptr_equal(kind, again); /* kept */
	assert_int_equal(search_source(s)->oop_kinds((void *)s, 1, &again, NULL, &err), OK);
	for (uint32_t i = 0; i < snap->n; i++)
		assert_int_equal(again[i], OOP_NONE);
	assert_int_equal(search_oop_kind(s, STR("shark white")), OOP_PARTIAL);
	search_free(s);
	snapshot_free(snap);
	place_end(&p);
}

static void the_filter_knows_kinds(void **state)
{
	struct place p = place_new(false);
	struct err err = ERR_INIT;
	struct snapshot *snap;
	struct search *s;
	struct lens lens;
	int panel[] = {0, 1};
	struct filter_ctx ctx;
	struct filter *f = NULL;

	(void)state;
	feed_all(p.c);
	snap = must_load(p.c, "d");
	lens = lens_default(snap);
	assert_int_equal(search_new(&s, p.c, snap, &err), OK);
	ctx = (struct filter_ctx){.snap = snap, .lens = &lens, .a = 0, .b = 1, .panel = panel, .n_panel = 2,
				  .source = search_source(s)};
	assert_int_equal(count(&ctx, "oop"), 8);
	assert_int_equal(count(&ctx, "oop:partial"), 2);
	assert_int_equal(count(&ctx, "oop:alias,abstain"), 4);
	assert_int_equal(count(&ctx, "oop@any:wrong"), 2);
	assert_int_equal(count(&ctx, "oop@b:wrong"), 0);
	assert_int_equal(count(&ctx, "oop@\"m/cw\":WRONG -oop:partial"), 2);
	assert_int_equal(filter_parse(STR("oop:parts"), &ctx, &f, NULL, &err), E_USAGE);
	assert_non_null(strstr(err.msg, "unknown kind 'parts' at 5; there are partial, alias"));
	search_free(s);
	snapshot_free(snap);
	place_end(&p);
}

static void a_cancelled_search_leaves_nothing(void **state)
{
	struct place p = place_new(false);
	struct err err = ERR_INIT;
	struct snapshot *snap;
	struct search *s;
	struct cancel cancel;
	const uint8_t *kind = NULL;

	(void)state;
	feed_all(p.c);
	snap = must_load(p.c, "d");
	assert_int_equal(search_new(&s, p.c, snap, &err), OK);
	cancel_init(&cancel);
	cancel_now(&cancel);
	assert_int_equal(search_source(s)->oop_kinds((void *)s, 0, &kind, &cancel, &err), E_CANCELLED);
	assert_null(kind);
	assert_int_equal(search_source(s)->oop_kinds((void *)s, 0, &kind, NULL, &err), OK);
	assert_int_equal(kind[4], OOP_WRONG);
	cancel_release(&cancel);
	search_free(s);
	snapshot_free(snap);
	place_end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(kinds_by_words),
	    cmocka_unit_test(long_answers_are_no_names),
	    cmocka_unit_test(words_of_kinds),
	    cmocka_unit_test(kinds_of_a_run),
	    cmocka_unit_test(the_filter_knows_kinds),
	    cmocka_unit_test(a_cancelled_search_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
