/*
 * Votes: the panel's runs in groups of one mapped answer. Of groups of equal size the one whose
 * answer is right under the lens comes first, then the one of the lowest class: so that
 * `vote:wrong` is never said of a draw with the truth.
 */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/filter/filter_impl.h"

#define BLOCK 1024

void votes_release(struct votes *v)
{
	free(v->panel);
	free(v->size);
	free(v->who);
	*v = (struct votes){0};
}

void answered_bits(const struct snapshot *snap, int run, uint64_t *out)
{
	static const uint32_t mapped[] = {OUTCOME_ANSWERED, OUTCOME_OOP};

	scan_in(&snap->runs[run].outcome, snap->n, mapped, 2, out);
}

/* The mapped classes of a row whose outcome has some. */
static size_t classes_of(const struct run *r, uint32_t i, size_t *from)
{
	size_t n = csr_row(&r->labels, i, from);

	if (n)
		return n;
	return column_u(&r->label, i) != COLUMN_NONE;
}

static uint64_t class_at(const struct run *r, uint32_t i, size_t from, size_t k)
{
	return csr_row(&r->labels, i, &(size_t){0}) ? column_u(&r->labels.val, from + k)
						    : column_u(&r->label, i);
}

bool same_answer(const struct run *a, const struct run *b, uint32_t i)
{
	size_t from_a, from_b = 0, n = classes_of(a, i, &from_a);

	if (n != classes_of(b, i, &from_b))
		return false;
	for (size_t k = 0; k < n; k++) {
		size_t m = 0;

		while (m < n && class_at(b, i, from_b, m) != class_at(a, i, from_a, k))
			m++;
		if (m == n)
			return false;
	}
	return true;
}

struct count { /* of one block of samples */
	const struct votes *v;
	const struct snapshot *snap;
	const uint64_t **right; /* [n_panel] */
	uint32_t *label;        /* [BLOCK][n_panel]; UINT32_MAX: no mapped answer */
	bool many;              /* rows with several classes exist */
};

static bool same_group(const struct count *c, int p, int q, const uint32_t *label, uint32_t ord)
{
	if (label[p] != label[q])
		return false;
	return !c->many || same_answer(&c->snap->runs[c->v->panel[p]],
				       &c->snap->runs[c->v->panel[q]], ord);
}

struct groups {
	int n;
	uint8_t first[VOTES_MAX], size[VOTES_MAX];
};

static void gather(const struct count *c, const uint32_t *label, uint32_t ord, struct groups *g)
{
	g->n = 0;
	for (int p = 0; p < c->v->n_panel; p++) {
		int i = 0;

		if (label[p] == UINT32_MAX)
			continue;
		while (i < g->n && !same_group(c, g->first[i], p, label, ord))
			i++;
		if (i == g->n) {
			g->first[g->n] = (uint8_t)p;
			g->size[g->n++] = 0;
		}
		g->size[i]++;
	}
}

static int better(const struct count *c, const struct groups *g, int i, int best,
		  const uint32_t *label, uint32_t ord)
{
	bool right_i, right_best;

	if (best < 0 || g->size[i] != g->size[best])
		return best < 0 || g->size[i] > g->size[best] ? i : best;
	right_i = bits_get(c->right[g->first[i]], ord);
	right_best = bits_get(c->right[g->first[best]], ord);
	if (right_i != right_best)
		return right_i ? i : best;
	return label[g->first[i]] < label[g->first[best]] ? i : best;
}

static void read_block(struct count *c, uint32_t from, size_t n)
{
	uint32_t label[BLOCK], outcome[BLOCK];

	for (int p = 0; p < c->v->n_panel; p++) {
		const struct run *r = &c->snap->runs[c->v->panel[p]];

		column_widen(&r->label, from, n, label);
		column_widen(&r->outcome, from, n, outcome);
		for (size_t k = 0; k < n; k++)
			c->label[k * (size_t)c->v->n_panel + (size_t)p] =
			    outcome[k] == OUTCOME_ANSWERED || outcome[k] == OUTCOME_OOP ? label[k]
											 : UINT32_MAX;
	}
}

static void count_block(struct count *c, uint32_t from, size_t n)
{
	struct groups g;

	read_block(c, from, n);
	for (size_t k = 0; k < n; k++) {
		const uint32_t *label = c->label + k * (size_t)c->v->n_panel;
		int best = -1;

		gather(c, label, from + (uint32_t)k, &g);
		for (int i = 0; i < g.n; i++)
			best = better(c, &g, i, best, label, from + (uint32_t)k);
		c->v->size[from + k] = best < 0 ? 0 : g.size[best];
		c->v->who[from + k] = best < 0 ? VOTES_NOBODY : g.first[best];
	}
}

enum status votes_count(struct votes *v, struct filter_cache *cache, const struct snapshot *snap,
			struct err *err)
{
	struct count c = {.v = v, .snap = snap};
	enum status st = OK;

	v->size = mem_try((size_t)snap->n + 1);
	v->who = mem_try((size_t)snap->n + 1);
	c.label = xcalloc((size_t)v->n_panel + 1, BLOCK * sizeof *c.label);
	c.right = xcalloc((size_t)v->n_panel + 1, sizeof *c.right);
	if (!v->size || !v->who)
		st = eval_no_memory(err, snap->n);
	for (int p = 0; st == OK && p < v->n_panel; p++) {
		c.many = c.many || csr_n(&snap->runs[v->panel[p]].labels) > 0;
		c.right[p] = cache_verdict(cache, v->panel[p], VERDICT_RIGHT, err);
		st = c.right[p] ? OK : err->code;
	}
	for (uint32_t from = 0; st == OK && from < snap->n; from += BLOCK)
		count_block(&c, from, snap->n - from < BLOCK ? snap->n - from : BLOCK);
	free(c.label);
	free(c.right);
	return st;
}

/* --- the word --- */

/* Samples whose largest group gives an answer of the set (NULL set: has the verdict). */
static enum status group_answers(struct eval *e, const struct term *t, const struct votes *v,
				 uint64_t *out)
{
	enum verdict want = t->vote == VOTE_WRONG ? VERDICT_WRONG : VERDICT_RIGHT;
	uint64_t *led = bits_new(e->n), *in = bits_new(e->n);
	enum status st = led && in ? OK : eval_no_memory(e->err, e->n);

	for (int p = 0; st == OK && p < v->n_panel; p++) {
		const uint64_t *verdict;

		bits_of_bytes(led, v->who, e->n, (uint8_t)p);
		if (t->vote == VOTE_CLASS) {
			st = answer_in(e, v->panel[p], t->set, t->n_set, in);
			bits_and(led, in, e->n);
		} else {
			verdict = cache_verdict(e->cache, v->panel[p], want, e->err);
			st = verdict ? OK : e->err->code;
			if (verdict)
				bits_and(led, verdict, e->n);
		}
		bits_or(out, led, e->n);
	}
	free(led);
	free(in);
	return st;
}

/* Does the run give the largest group's answer? Where there is no group, neither = nor !=. */
static void group_has(struct eval *e, const struct votes *v, int run, bool yes, uint64_t *out)
{
	const struct run *r = &e->snap->runs[run];

	for (uint32_t i = 0; i < e->n; i++) {
		uint64_t o = column_u(&r->outcome, i);
		bool has;

		if (v->who[i] == VOTES_NOBODY)
			continue;
		has = (o == OUTCOME_ANSWERED || o == OUTCOME_OOP) &&
		      same_answer(r, &e->snap->runs[v->panel[v->who[i]]], i);
		if (has == yes)
			bits_set(out, i);
	}
}

enum status eval_vote(struct eval *e, const struct term *t, uint64_t *out)
{
	const struct votes *v;
	int run = t->whose.kind == WHO_A ? e->ctx->a : t->whose.kind == WHO_B ? e->ctx->b
									      : t->whose.index;

	if (e->ctx->n_panel < 1 || e->ctx->n_panel > VOTES_MAX)
		return err_set(e->err, E_USAGE, "'vote' needs a panel of 1 to %d runs", VOTES_MAX);
	v = cache_votes(e->cache, e->ctx->panel, e->ctx->n_panel, e->err);
	if (!v)
		return e->err->code;
	switch ((enum vote_question)t->vote) {
	case VOTE_SIZE: {
		struct column size = {DT_U8, e->n, v->size};

		scan_compare(&size, e->n, t->op, t->value, out);
		return OK;
	}
	case VOTE_RUN:
		if (run < 0)
			return err_set(e->err, E_USAGE, "the filter needs a run that is not chosen");
		group_has(e, v, run, t->op == OP_EQ, out);
		return OK;
	default:
		return group_answers(e, t, v, out);
	}
}
