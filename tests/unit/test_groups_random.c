/* Groups under random filters: every count is the number of samples that the filter with that
 * value alone is true for, both as it is written and by a naive evaluator; what is written is read
 * back as it was meant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "core/filter/groups_impl.h"
#include "tests/unit/lib_filters.h"

#define PARTS 5
#define WORDS (WORLD_MAX / 64 + 1)

struct trial {
	struct world w;
	struct filter_ctx ctx;
	struct groups *g;
	struct arena arena;
	struct expr *part[256]; /* the conditions, in order */
	size_t n_parts;
	struct buf text;
	struct filter *f;
	uint64_t bits[16][WORDS], base[WORDS], shown[WORDS];
	bool has_base;
	unsigned long lines, chosen, own, toggled;
};

static struct filter *must_parse(const char *text, const struct filter_ctx *ctx)
{
	struct filter *f = NULL;
	struct err err = ERR_INIT;

	if (filter_parse(str_z(text), ctx, &f, NULL, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	return f;
}

static void eval_text_of(const struct trial *t, const char *text, uint64_t *bits)
{
	struct filter *f = must_parse(text, &t->ctx);
	struct err err = ERR_INIT;

	if (filter_eval(f, &t->ctx, bits, NULL, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	filter_free(f);
}

/* --- a filter --- */

/* Conditions that "and" joins at the top. */
static void flatten(struct trial *t, struct expr *e)
{
	if (e->kind == K_AND) {
		flatten(t, e->left);
		flatten(t, e->right);
	} else {
		t->part[t->n_parts++] = e;
	}
}

/* Leaves of a that a group may understand, more often than chance would have them. */
static struct expr *likely(struct trial *t)
{
	struct expr *e = filters_random(&t->w, &t->arena, 0), *no;

	if (e->kind != K_VOTE_RUN && e->kind != K_NUMBER)
		e->who = W_NONE;
	if (e->kind == K_SIZE && world_rnd(&t->w, 2))
		e->x = (int)e->x;
	if (world_rnd(&t->w, 3))
		return e;
	no = arena_zalloc(&t->arena, 1, sizeof *no);
	no->kind = K_NOT;
	no->left = e;
	return no;
}

static void make_filter(struct trial *t)
{
	uint32_t n = world_rnd(&t->w, PARTS);

	t->n_parts = 0;
	buf_clear(&t->text);
	for (uint32_t i = 0; i < n; i++) {
		struct expr *e = world_rnd(&t->w, 3) ? likely(t)
						     : filters_random(&t->w, &t->arena, (int)world_rnd(&t->w, 3));

		buf_z(&t->text, i ? " " : "");
		filters_put(&t->w, &t->text, e, 2);
		flatten(t, e);
	}
	t->f = must_parse(buf_cstr(&t->text), &t->ctx);
	assert_int_equal(filter_n_conditions(t->f), t->n_parts);
}

static const uint64_t *condition(void *of, size_t k)
{
	struct trial *t = of;

	assert_true(k < t->n_parts && k < 16);
	return t->bits[k];
}

static void make_bits(struct trial *t)
{
	size_t n = (size_t)t->w.n;

	t->has_base = world_rnd(&t->w, 2);
	bits_fill(t->shown, n, true);
	for (size_t i = 0; i < n; i++) {
		if (world_rnd(&t->w, 3) || !t->has_base)
			bits_set(t->base, i);
		else
			t->base[i / 64] &= ~((uint64_t)1 << (i % 64));
	}
	bits_and(t->shown, t->base, n);
	for (size_t k = 0; k < t->n_parts; k++) {
		struct buf text = BUF_INIT;

		filter_format_condition(t->f, k, NULL, &text);
		eval_text_of(t, buf_cstr(&text), t->bits[k]);
		bits_and(t->shown, t->bits[k], n);
		buf_release(&text);
	}
}

/* --- what a condition is about, by the naive tree --- */

static bool is_about(const struct trial *t, const struct expr *e, const struct group *g)
{
	bool a = e->who == W_NONE || e->who == W_A || (e->who == W_RUN && e->run == t->w.a) ||
		 (e->who == W_B && t->w.a == t->w.b);

	switch (e->kind) {
	case K_AND:
	case K_OR:
		return is_about(t, e->left, g) && is_about(t, e->right, g);
	case K_NOT:
		return is_about(t, e->left, g);
	case K_CATEGORY:
		return g->kind == GROUP_CATEGORY;
	case K_VERDICT:
		return g->kind == GROUP_VERDICT && a;
	case K_OUTCOME:
		return g->kind == GROUP_OUTCOME && a;
	case K_PRED:
	case K_PRED_NONE:
		return g->kind == GROUP_ANSWER && a;
	case K_TRUTH:
	case K_TRUTH_NONE:
		return g->kind == GROUP_TRUTH && (e->what < 0 || e->what == t->w.lens.layer);
	case K_FACET:
	case K_FACET_NONE:
		return g->kind == GROUP_FACET && g->facet == e->what;
	case K_UNPLACED:
		return g->kind == GROUP_FACET && g->facet == 0;
	case K_SIZE:
	case K_SIZE_NONE:
		return g->kind == GROUP_RANGES;
	case K_DIFFICULTY:
		return g->kind == GROUP_DIFFICULTY;
	case K_NUMBER:
		return g->kind == GROUP_SCORES && a && strcmp(g->number, world_number[e->what]) == 0;
	case K_TAG:
		return g->kind == GROUP_TAGS;
	case K_MARK:
	case K_SEEN:
	case K_NOTE:
		return g->kind == GROUP_MINE;
	default:
		return false;
	}
}

static bool rest_says(const struct trial *t, size_t k, int i)
{
	for (size_t c = 0; c < t->n_parts; c++)
		if (t->g->data->cond.v[c] != (int)k && !naive_says(&t->w, t->part[c], i))
			return false;
	return true;
}

/* --- checks --- */

static void check_line(struct trial *t, size_t k, uint32_t v)
{
	const struct group *g = &t->g->v[k];
	uint64_t alone[WORDS], only[WORDS];
	struct buf line = BUF_INIT, text = BUF_INIT;
	size_t n = (size_t)t->w.n, naive = 0;

	group_put(g, &t->ctx, v, &line);
	eval_text_of(t, buf_cstr(&line), alone);
	for (size_t i = 0; i < n; i++) {
		naive += bits_get(t->base, i) && bits_get(alone, i) && rest_says(t, k, (int)i);
		if (i % 7 == 0 && group_has(g, &t->ctx, v, (uint32_t)i) != bits_get(alone, i))
			fail_msg("sample %zu: %s", i, buf_cstr(&line));
	}
	groups_write(t->g, &t->ctx, k, v, GROUP_ONLY, t->f, &text);
	eval_text_of(t, buf_cstr(&text), only);
	bits_and(only, t->base, n);
	if (bits_count(only, n) != g->count[v] || naive != g->count[v] ||
	    bits_count_and(alone, t->base, n) != g->base[v])
		fail_msg("seed %u: %s under %s: %u of %u, by filter %s %zu, naive %zu of %zu", t->w.seed,
			 buf_cstr(&line), buf_cstr(&t->text), g->count[v], g->base[v], buf_cstr(&text),
			 bits_count(only, n), naive, bits_count_and(alone, t->base, n));
	t->lines++;
	buf_release(&line);
	buf_release(&text);
}

/* There and back again. Leaves the selections as they were. */
static void check_act(struct trial *t, size_t k, uint32_t v, enum group_act act)
{
	struct group *g = &t->g->v[k];
	enum group_state before = (enum group_state)g->state[v], want = act == GROUP_EXCLUDE ? GROUP_OUT : GROUP_IN;
	uint64_t once[WORDS], was[WORDS], again[WORDS];
	struct buf text = BUF_INIT, back = BUF_INIT;
	bool chosen = g->chosen, own = g->own; /* another condition may take the place of the one that went */
	struct filter *f;

	groups_write(t->g, &t->ctx, k, v, act, t->f, &text);
	f = must_parse(buf_cstr(&text), &t->ctx);
	groups_select(t->g, &t->ctx, f);
	if (before == GROUP_FREE && (!group_is_ranges(g) || (!chosen && g->n > 1 && v < g->n))) {
		if (g->state[v] != want)
			fail_msg("%s, %u of group %zu, became %s: %d", buf_cstr(&t->text), v, k, buf_cstr(&text),
				 g->state[v]);
		groups_write(t->g, &t->ctx, k, v, act, f, &back);
		eval_text_of(t, buf_cstr(&t->text), was);
		eval_text_of(t, buf_cstr(&text), once);
		eval_text_of(t, buf_cstr(&back), again);
		if (memcmp(was, again, bits_words((size_t)t->w.n) * sizeof *was) != 0)
			fail_msg("%s became %s and then %s", buf_cstr(&t->text), buf_cstr(&text), buf_cstr(&back));
		t->toggled++;
	} else if (!own && g->state[v] == before && before != GROUP_PART && !group_is_ranges(g)) {
		fail_msg("%s, %u of group %zu, became %s", buf_cstr(&t->text), v, k, buf_cstr(&text));
	}
	filter_free(f);
	groups_select(t->g, &t->ctx, t->f);
	buf_release(&text);
	buf_release(&back);
}

static void check_groups(struct trial *t)
{
	struct groups_within within = {t->shown, t->has_base ? t->base : NULL, condition, t};
	struct err err = ERR_INIT;

	for (size_t c = 0; c < t->n_parts; c++)
		if (t->g->data->cond.v[c] >= 0)
			assert_true(is_about(t, t->part[c], &t->g->v[t->g->data->cond.v[c]]));
	assert_int_equal(groups_count(t->g, &t->ctx, &within, &err), OK);
	for (size_t k = 0; k < t->g->n; k++) {
		struct group *g = &t->g->v[k];

		t->chosen += g->chosen;
		t->own += g->own;
		if (!g->there || (group_is_costly(g) && !g->wanted))
			continue;
		assert_true(g->counted);
		for (uint32_t v = 0; v <= g->n; v++)
			if (group_is_line(g, v))
				check_line(t, k, v);
		for (int act = GROUP_TOGGLE; act <= GROUP_EXCLUDE; act++) {
			uint32_t v = world_rnd(&t->w, g->n + (g->none ? 1 : 0));

			if (group_is_line(g, v))
				check_act(t, k, v, (enum group_act)act);
		}
	}
}

/* Of the runs, within what is shown: the quick tally is the one that counts row by row. */
static void check_tallies(struct trial *t)
{
	size_t n = (size_t)t->w.n;
	uint8_t verdict[WORLD_MAX + 1], mask[WORLD_MAX + 1];

	bits_to_bytes(t->shown, n, mask);
	for (int r = 0; r < WORLD_RUNS; r++) {
		struct tally slow, quick, all;

		eval_verdicts(t->w.snap, &t->w.lens, r, verdict);
		slow = eval_tally(t->w.snap, r, verdict, mask);
		quick = eval_tally_within(verdict, (uint32_t)n, t->shown);
		all = eval_tally_within(verdict, (uint32_t)n, NULL);
		assert_int_equal(quick.right, slow.right);
		assert_int_equal(quick.n, slow.n);
		assert_int_equal(quick.excluded, slow.excluded);
		assert_int_equal(all.n + all.excluded, n);
	}
}

static void random_groups(void **state)
{
	static struct trial t;
	struct err err = ERR_INIT;

	(void)state;
	for (uint32_t seed = 1; seed <= 48; seed++) {
		world_make(&t.w, seed * 104729, (int[]){333, 64, 1, 65, 400, 128}[seed % 6]);
		t.ctx = t.w.ctx;
		t.ctx.cache = filter_cache_new(t.w.snap, &t.w.lens);
		t.g = groups_new_with(&t.ctx, seed % 2 ? 2 : BITS_MAX);
		for (int k = 0; k < 20; k++) {
			make_filter(&t);
			make_bits(&t);
			for (size_t i = 0; i < t.g->n; i++)
				t.g->v[i].wanted = k > 5;
			assert_int_equal(groups_prepare(t.g, &t.ctx, t.f, &err), OK);
			groups_select(t.g, &t.ctx, t.f);
			check_groups(&t);
			check_tallies(&t);
			filter_free(t.f);
			arena_clear(&t.arena);
		}
		groups_free(t.g);
		filter_cache_free(t.ctx.cache);
		world_free(&t.w);
	}
	arena_release(&t.arena);
	buf_release(&t.text);
	print_message("%lu lines, %lu selections, %lu others, %lu toggled\n", t.lines, t.chosen, t.own, t.toggled);
	assert_true(t.lines > 10000 && t.chosen > 500 && t.own > 20 && t.toggled > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(random_groups)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
