/* What an evaluation tells while it searches texts: work that only grows, and samples that are
 * never taken back. On random filters over random worlds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_world.h"

struct told {
	size_t n;
	uint64_t done, all;
	uint64_t certain[WORLD_MAX / 64 + 1]; /* ever */
	int looks, partials;
	struct cancel *cancel; /* set after so many looks */
	int cancel_after;
};

static void tell(void *ctx, uint64_t done, uint64_t all, const uint64_t *partial)
{
	struct told *t = ctx;

	assert_true(done >= t->done && done <= all);
	assert_true(!t->looks || all == t->all);
	t->done = done;
	t->all = all;
	if (partial) {
		for (size_t w = 0; w < bits_words(t->n); w++)
			assert_int_equal(t->certain[w] & ~partial[w], 0);
		bits_or(t->certain, partial, t->n);
		t->partials++;
	}
	if (t->cancel && t->looks == t->cancel_after)
		cancel_now(t->cancel);
	t->looks++;
}

static void put_random(struct world *w, struct buf *out, int depth)
{
	static const char *const leaves[] = {
	    "answer~o", "answer@b~weasel", "answer@any~e", "answer@all~o", "answer@2+~o", "text~is",
	    "text@any~/we(a|x)sel/", "question~weasel", "statement~o", "note~o", "id~1", "mark",
	    "wrong", "right@any", "answer~o,weasel", "mark or note"};
	uint32_t how = depth ? world_rnd(w, 6) : 5;

	if (how >= 4) {
		buf_printf(out, "(%s)", leaves[world_rnd(w, sizeof leaves / sizeof *leaves)]);
		return;
	}
	buf_z(out, how == 0 ? "-(" : "(");
	put_random(w, out, depth - 1);
	if (how) {
		buf_z(out, how == 1 ? " or " : " ");
		put_random(w, out, depth - 1);
	}
	buf_ch(out, ')');
}

/* Returns how often something was certain before the end. */
static int check(const struct world *w, const char *text, struct told *t)
{
	struct filter *f = NULL;
	struct err err = ERR_INIT;
	struct filter_watch watch = {tell, t};
	struct filter_ctx ctx = w->ctx;
	uint64_t alone[WORLD_MAX / 64 + 1], watched[WORLD_MAX / 64 + 1];
	enum status st;

	t->n = (size_t)w->n;
	if (filter_parse(str_z(text), &ctx, &f, NULL, &err) != OK ||
	    filter_eval(f, &ctx, alone, NULL, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	ctx.watch = &watch;
	st = filter_eval(f, &ctx, watched, t->cancel, &err);
	filter_free(f);
	if (st == E_CANCELLED)
		return 0;
	if (st != OK)
		fail_msg("%s: %s", text, err.msg);
	for (size_t k = 0; k < bits_words(t->n); k++)
		if (watched[k] != alone[k] || (t->certain[k] & ~alone[k]))
			fail_msg("seed %u: %s takes something back", w->seed, text);
	return t->partials;
}

static void test_random(void **state)
{
	int partials = 0, looks = 0;

	(void)state;
	for (uint32_t seed = 1; seed <= 300; seed++) {
		struct world w;

		world_make(&w, seed, 1 + (int)(seed * 7 % 130));
		for (int i = 0; i < 10; i++) {
			struct buf text = BUF_INIT;
			struct told t = {0};

			put_random(&w, &text, 3);
			partials += check(&w, buf_cstr(&text), &t) > 0;
			looks += t.looks > 0;
			buf_release(&text);
		}
		world_free(&w);
	}
	assert_true(looks > 1500 && partials > 1000);
}

/* Where hits are told at once, and where nothing is certain. */
static void test_certain(void **state)
{
	static const struct {
		const char *text;
		bool certain;
	} cases[] = {
	    {"answer~o", true},		     {"right answer~o", true},	  {"answer@any~o", true},
	    {"answer@all~o", false},	     {"answer@2+~o", false},	  {"-answer~o", false},
	    {"(answer~o or wrong) text~o", true}, {"-(answer~o or wrong)", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		struct told t = {0};

		world_make(&w, 5, 100);
		if ((check(&w, cases[i].text, &t) > 0) != cases[i].certain)
			fail_msg("%s", cases[i].text);
		assert_true(t.looks > 0 && t.done == t.all);
		world_free(&w);
	}
}

/* Stopped in the middle: no more is told, and there is no result. */
static void test_cancelled(void **state)
{
	int stopped = 0;

	(void)state;
	for (int after = 0; after < 300; after += 13) {
		struct cancel cancel;
		struct told t = {.cancel = &cancel, .cancel_after = after};
		struct world w;

		world_make(&w, 9, 50);
		cancel_init(&cancel);
		check(&w, "answer@any~o or text~weasel", &t);
		stopped += cancel_is(&cancel);
		assert_true(t.looks <= after + 50);
		cancel_release(&cancel);
		world_free(&w);
	}
	assert_true(stopped > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_random),
	    cmocka_unit_test(test_certain),
	    cmocka_unit_test(test_cancelled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
