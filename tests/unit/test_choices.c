#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/net/picture_tokens.h"
#include "core/protocol/choices.h"
#include "core/protocol/mapping.h"
#include "tests/unit/lib_asked.h"
#include "tui/asking_memory.h"
#include "tui/map/map.h"
#include "tui/query/query_batch.h"
#include "tui/state_file.h"

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

/* --- with a project --- */

struct fixture {
	struct asked_world w;
};

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	asked_begin(&f->w);
	setenv("XDG_STATE_HOME", f->w.p.folder, 1);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	unsetenv("XDG_STATE_HOME");
	asked_end(&f->w);
	free(f);
	return 0;
}

static struct query_spec spec_for(const struct fixture *f)
{
	struct query_spec s;

	query_spec_init(&s, &f->w.endpoints.v[0], protocol_find(STR("mc")));
	s.options = QUERY_OPTIONS_NEAR;
	return s;
}

static struct query_plan plan_for(struct fixture *f, const struct query_spec *spec, const uint32_t *ords, size_t n)
{
	struct snapshot *snap = must_load(f->w.p.c, "d");
	struct query_plan plan;
	struct err err = ERR_INIT;

	if (query_plan_make(&plan, f->w.p.c, snap, spec, ords, n, true, &err) != OK)
		fail_msg("%s", err.msg);
	snapshot_free(snap);
	return plan;
}

/* The options of the k-th sample of a plan, between commas; owned. */
static char *options_of(struct fixture *f, const struct query_spec *s, uint32_t ord)
{
	struct query_plan plan = plan_for(f, s, &ord, 1);
	struct query_request *r;
	struct err err = ERR_INIT;
	struct str rest;
	char *out;

	if (query_request_make(&plan, f->w.p.c, 0, NULL, NULL, &r, &err) != OK)
		fail_msg("%s", err.msg);
	rest = query_request_prompt(r);
	out = xstrndup(rest.p, rest.n);
	query_request_free(r);
	query_plan_release(&plan);
	return out;
}

static bool offers(const char *prompt, const char *name)
{
	return strstr(prompt, name) != NULL;
}

static const uint32_t five[] = {0, 1, 2, 3, 4};

static void near_options_are_by_names(void **state)
{
	struct fixture *f = *state;
	struct query_spec s = spec_for(f), back;
	struct snapshot *snap = must_load(f->w.p.c, "d");
	struct query_plan plan;
	struct buf settings = BUF_INIT;
	struct err err = ERR_INIT;
	char *prompt;

	s.n_options = 3;
	assert_int_equal(query_plan_make(&plan, f->w.p.c, snap, &s, five, 5, false, &err), E_USAGE);
	assert_non_null(strstr(err.msg, "encoder"));
	query_plan_release(&plan);
	s.encoder = xstrdup("nobody");
	err = (struct err)ERR_INIT;
	assert_int_equal(query_plan_make(&plan, f->w.p.c, snap, &s, five, 5, false, &err), E_USAGE);
	assert_string_equal(err.msg, "the project keeps no vectors of 4 of the 4 class names by nobody: near options "
				     "need them all");
	query_plan_release(&plan);
	free(s.encoder);
	s.encoder = asked_vectors(&f->w, ASKED_NAMES);
	assert_true(strncmp(s.encoder, "names.jsonl ", 12) == 0);
	for (s.seed = 0; s.seed < 20; s.seed++) { /* hen: cock and owl are near, the cat is not */
		prompt = options_of(f, &s, 0);
		assert_true(offers(prompt, "hen") && offers(prompt, "cock") && offers(prompt, "owl"));
		assert_false(offers(prompt, "cat"));
		free(prompt);
	}
	query_spec_settings(&s, snap, &settings);
	assert_int_equal(query_spec_recall(&back, snap, buf_view(&settings), str_z(s.prompt), STR("mc"), STR("m"), &err),
			 OK);
	assert_string_equal(back.encoder, s.encoder);
	assert_int_equal(back.options, QUERY_OPTIONS_NEAR);
	query_spec_release(&back);
	query_spec_release(&s);
	buf_release(&settings);
	snapshot_free(snap);
}

/* The cock is as good as the hen: it is never offered beside her. */
static void equivalents_are_no_near_options(void **state)
{
	struct fixture *f = *state;
	struct query_spec s = spec_for(f);
	const struct rec_pair pair = {.a = {.kind = CLASS_BY_INDEX, .index = 7},
				      .b = {.kind = CLASS_BY_INDEX, .index = 8}};
	struct feed feed = {0};
	struct err err = ERR_INIT;
	char *prompt;

	feed_begin(&feed, f->w.p.c, "d");
	assert_int_equal(sink_pair(store_sink(feed.s), &pair, &err), OK);
	feed_end(&feed);
	assert_int_equal(feed.st, OK);
	feed_done(&feed);
	s.n_options = 3;
	s.encoder = asked_vectors(&f->w, ASKED_NAMES);
	prompt = options_of(f, &s, 0);
	assert_true(offers(prompt, "hen") && offers(prompt, "owl") && offers(prompt, "cat"));
	assert_false(offers(prompt, "cock"));
	free(prompt);
	query_spec_release(&s);
}

static void a_truth_without_a_vector_is_told(void **state)
{
	struct fixture *f = *state;
	struct query_spec s = spec_for(f);
	uint32_t ord = 0;
	struct query_plan plan;
	struct query_request *r;
	struct err err = ERR_INIT;

	s.encoder = asked_vectors(&f->w, "{\"text\":\"cock\",\"vector\":[1,0]}\n");
	plan = plan_for(f, &s, &ord, 1);
	assert_int_equal(query_request_make(&plan, f->w.p.c, 0, NULL, NULL, &r, &err), E_USAGE);
	assert_non_null(strstr(err.msg, "has no vector for the class hen"));
	query_plan_release(&plan);
	query_spec_release(&s);
}

/* The only one that is kept is meant when none is named; several are told. */
static void the_kept_encoder_is_found(void **state)
{
	struct fixture *f = *state;
	struct snapshot *snap = must_load(f->w.p.c, "d");
	struct class_vectors v = {.conn = f->w.p.c, .snap = snap, .endpoints = &f->w.endpoints};
	struct err err = ERR_INIT;
	char *first, *second, *key = NULL;

	assert_int_equal(class_vectors_keep(&v, &key, &err), E_USAGE);
	assert_non_null(strstr(err.msg, "the project keeps none"));
	first = asked_vectors(&f->w, ASKED_NAMES);
	assert_int_equal(class_vectors_keep(&v, &key, &err), OK);
	assert_string_equal(key, first);
	free(key);
	v.encoder = first;
	assert_int_equal(class_vectors_keep(&v, &key, &err), OK);
	assert_string_equal(key, first);
	free(key);
	second = asked_vectors(&f->w, "{\"text\":\"cock\",\"vector\":[1,0]}\n");
	assert_string_not_equal(first, second); /* the same name, another content */
	v.encoder = NULL;
	err = (struct err)ERR_INIT;
	assert_int_equal(class_vectors_keep(&v, &key, &err), E_USAGE);
	assert_non_null(strstr(err.msg, first));
	/* Nothing is sent where nothing may be. */
	v.encoder = "e";
	v.dry = true;
	err = (struct err)ERR_INIT;
	assert_int_equal(class_vectors_keep(&v, &key, &err), E_USAGE);
	assert_int_equal(server_requests(f->w.server), 0);
	snapshot_free(snap);
	free(first);
	free(second);
}

/* --- what it costs --- */

/* By hand: tiles of 512 within 2048 and 768; 1092 × 1092 / 750; one of 258; patches of 28 and 32. */
static void pictures_are_tokens(void **state)
{
	static const struct {
		const char *model;
		uint32_t w, h, tokens;
	} cases[] = {
	    {"gpt-4o-2024-08-06", 224, 224, 255},  {"gpt-4o", 1024, 1024, 765}, {"gpt-4o", 2048, 4096, 1105},
	    {"mobilenet-v2", 513, 512, 425},	   {"gpt-4o-mini", 512, 512, 8500},
	    {"anthropic/Claude-Sonnet-4", 1092, 1092, 1590}, {"claude-3", 3136, 1568, 1640},
	    {"gemini-2.0-flash", 384, 384, 258},   {"gemini-2.0-flash", 1536, 768, 516},
	    {"Qwen/Qwen2.5-VL-7B", 280, 280, 102}, {"qwen3-vl-8b", 320, 320, 102},
	    {"InternVL3_5-8B", 448, 448, 256},	   {"InternVL3_5-8B", 896, 448, 768},
	    {"gpt-4.1-mini", 1024, 1024, 1659},	   {"gpt-4o", 0, 10, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (picture_tokens(cases[i].model, cases[i].w, cases[i].h) != cases[i].tokens)
			fail_msg("%s, %u × %u: %d", cases[i].model, cases[i].w, cases[i].h,
				 (int)picture_tokens(cases[i].model, cases[i].w, cases[i].h));
}

/* --- remembered --- */

static void choices_are_remembered(void **state)
{
	struct fixture *f = *state;
	struct asking a = {.endpoint = &f->w.endpoints.v[1], .protocol = protocol_find(STR("mc")), .repeats = 3,
			   .options = QUERY_OPTIONS_NEAR, .truth = CHOICES_BOTH, .seed = 7,
			   .encoder = xstrdup("glove"), .prompt = xstrdup("which?\n{options}")};
	struct asking b = {.endpoint = &f->w.endpoints.v[0], .protocol = protocol_find(STR("cw")), .repeats = 1};
	struct buf file = BUF_INIT;

	asking_memorize(&a, "u", "d");
	asking_memorize(&b, "u", "other");
	asking_remember(&b, "u", "nothing", &f->w.endpoints);
	assert_true(b.endpoint == &f->w.endpoints.v[0] && !b.prompt && b.repeats == 1);
	asking_remember(&b, "u", "d", &f->w.endpoints);
	assert_ptr_equal(b.endpoint, &f->w.endpoints.v[1]);
	assert_true(b.protocol == a.protocol && b.options == a.options && b.truth == a.truth && b.seed == 7 &&
		    b.repeats == 3);
	assert_string_equal(b.encoder, "glove");
	assert_string_equal(b.prompt, a.prompt);
	/* An endpoint that is not configured any more is not meant. */
	b.endpoint = NULL;
	asking_remember(&b, "u", "d", NULL);
	assert_null(b.endpoint);
	assert_true(state_file_read("asking", "u", &file));
	assert_true(str_find(buf_view(&file), STR(ASKED_KEY)) == SIZE_MAX);
	assert_true(str_find(buf_view(&file), STR("127.0.0.1")) == SIZE_MAX);
	state_file_write("asking", "u", STR("{\"d\":{\"protocol\":\"cw\",\"repeats\":1e9,\"seed\":-1,\"form\":7}}"));
	asking_remember(&b, "u", "d", &f->w.endpoints);
	assert_true(b.protocol == protocol_find(STR("cw")) && b.repeats == 3 && b.seed == 7);
	state_file_write("asking", "u", STR("[half"));
	asking_remember(&b, "u", "d", &f->w.endpoints);
	assert_true(b.protocol == protocol_find(STR("cw")));
	buf_release(&file);
	free(a.encoder);
	free(a.prompt);
	free(b.encoder);
	free(b.prompt);
}

#define test(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(options_hold_the_labels),	 cmocka_unit_test(the_same_seed_draws_the_same),
	    cmocka_unit_test(weights_choose_distractors), cmocka_unit_test(what_cannot_be_drawn),
	    cmocka_unit_test(what_is_as_good_as_a_label_is_no_distractor),
	    cmocka_unit_test(truths_are_those_that_are_drawn),
	    cmocka_unit_test(embeddings_are_means_of_units), cmocka_unit_test(the_nearest_and_the_next),
	    cmocka_unit_test(templates_are_lines), cmocka_unit_test(pictures_are_tokens),
	    test(near_options_are_by_names), test(equivalents_are_no_near_options),
	    test(a_truth_without_a_vector_is_told), test(the_kept_encoder_is_found), test(choices_are_remembered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
