/* From the tree to a set of samples: terms are put together word by word; what searches texts
 * comes last and looks only at samples that still matter. */
#include <stdlib.h>

#include "core/filter/filter_impl.h"

/* --- "@" --- */

#define PLANES 8 /* counts up to VOTES_MAX */

/* How many of the panel's runs: one bit of each sample's count in a plane. */
struct counts {
	uint64_t *plane[PLANES];
};

static void counts_add(struct counts *c, uint64_t *carry, size_t n)
{
	for (int p = 0; p < PLANES; p++)
		for (size_t w = 0; w < bits_words(n); w++) {
			uint64_t both = c->plane[p][w] & carry[w];

			c->plane[p][w] ^= carry[w];
			carry[w] = both;
		}
}

/* count >= least, from the highest plane down: above as soon as a 1 meets a 0. */
static void counts_reach(const struct counts *c, unsigned least, size_t n, uint64_t *out)
{
	bits_fill(out, n, false);
	if (least >> PLANES)
		return;
	for (size_t w = 0; w < bits_words(n); w++) {
		uint64_t above = 0, equal = UINT64_MAX;

		for (int p = PLANES - 1; p >= 0; p--) {
			if (least >> p & 1) {
				equal &= c->plane[p][w];
			} else {
				above |= equal & c->plane[p][w];
				equal &= ~c->plane[p][w];
			}
		}
		out[w] = above | equal;
	}
	/* least is at least 1, and the bits beyond n counted 0 */
}

static enum status run_bits(struct eval *e, const struct term *t, int run, uint64_t *out)
{
	if (run < 0 || (uint32_t)run >= snapshot_answerers(e->snap))
		return err_set(e->err, E_USAGE, "the filter needs a run that is not chosen");
	bits_fill(out, e->n, false);
	return t->word->eval_run(e, t, run, out);
}

/* Of one run of several. found: what those before it gave, where a run's bits stay. */
static enum status one_of_runs(struct eval *e, const struct term *t, int run, const uint64_t *found,
			       uint64_t *out)
{
	const struct level level = watch_enter(e, found, NULL, found != NULL);
	enum status st;

	e->level = &level;
	st = run_bits(e, t, run, out);
	watch_leave(e, &level);
	return st == OK ? cancel_check(e->cancel, e->err) : st;
}

static enum status at_least(struct eval *e, const struct term *t, unsigned least, uint64_t *out)
{
	struct counts c = {{NULL}};
	uint64_t *one = bits_new(e->n);
	enum status st = one ? OK : eval_no_memory(e->err, e->n);

	if (e->ctx->n_panel > VOTES_MAX)
		st = err_set(e->err, E_LIMIT, "a panel has at most %d runs", VOTES_MAX);
	for (int p = 0; p < PLANES; p++)
		if (!(c.plane[p] = bits_new(e->n)))
			st = eval_no_memory(e->err, e->n);
	for (int i = 0; st == OK && i < e->ctx->n_panel; i++) {
		st = one_of_runs(e, t, e->ctx->panel[i], NULL, one);
		if (st == OK)
			counts_add(&c, one, e->n);
	}
	if (st == OK)
		counts_reach(&c, least, e->n, out);
	for (int p = 0; p < PLANES; p++)
		free(c.plane[p]);
	free(one);
	return st;
}

static enum status any_or_all(struct eval *e, const struct term *t, bool all, uint64_t *out)
{
	uint64_t *one = bits_new(e->n);
	enum status st = one ? OK : eval_no_memory(e->err, e->n);

	bits_fill(out, e->n, all);
	for (int i = 0; st == OK && i < e->ctx->n_panel; i++) {
		st = one_of_runs(e, t, e->ctx->panel[i], all ? NULL : out, one);
		if (all)
			bits_and(out, one, e->n);
		else
			bits_or(out, one, e->n);
	}
	free(one);
	return st;
}

static enum status whose(struct eval *e, const struct term *t, uint64_t *out)
{
	bool panel = t->whose.kind == WHO_ALL || t->whose.kind == WHO_ANY || t->whose.kind == WHO_LEAST;

	if (panel && e->ctx->n_panel < 1)
		return err_set(e->err, E_USAGE, "the panel has no runs");
	switch (t->whose.kind) {
	case WHO_A:
		return run_bits(e, t, e->ctx->a, out);
	case WHO_B:
		return run_bits(e, t, e->ctx->b, out);
	case WHO_ALL:
	case WHO_ANY:
		return any_or_all(e, t, t->whose.kind == WHO_ALL, out);
	case WHO_LEAST:
		return at_least(e, t, t->whose.least, out);
	default:
		return run_bits(e, t, t->whose.index, out);
	}
}

/* --- the tree --- */

static enum status term_bits(struct eval *e, const struct term *t, uint64_t *out)
{
	struct level level;
	uint64_t *rest;
	enum status st = cancel_check(e->cancel, e->err);

	bits_fill(out, e->n, false);
	if (st == OK && t->word->eval_run)
		st = whose(e, t, out);
	if (st != OK || !t->word->eval)
		return st;
	if (!t->word->eval_run)
		return t->word->eval(e, t, out);
	rest = bits_new(e->n);
	level = watch_enter(e, out, NULL, true);
	e->level = &level;
	st = rest ? t->word->eval(e, t, rest) : eval_no_memory(e->err, e->n);
	watch_leave(e, &level);
	if (st == OK)
		bits_or(out, rest, e->n);
	free(rest);
	return st;
}

static bool is_slow(const struct node *n)
{
	if (n->kind == NODE_TERM)
		return n->term->word->uses & FILTER_USES_TEXT || n->term->op == OP_LIKE ||
		       (n->term->word->arg == ARG_OOP && n->term->op != OP_NONE);
	for (const struct node *k = n->kids; k; k = k->next)
		if (is_slow(k))
			return true;
	return false;
}

static enum status node_bits(struct eval *e, const struct node *n, uint64_t *out);

/* found, within, sure: as of watch_enter(). */
static enum status kid_bits(struct eval *e, const struct node *kid, const uint64_t *found,
			    const uint64_t *within, bool sure, uint64_t *out)
{
	const struct level level = watch_enter(e, found, within, sure);
	const uint64_t *outer = e->within;
	enum status st;

	e->level = &level;
	e->within = within ? within : outer;
	st = node_bits(e, kid, out);
	e->within = outer;
	watch_leave(e, &level);
	return st;
}

static enum status all_kids(struct eval *e, const struct node *n, uint64_t *out, uint64_t *one)
{
	size_t left = 0;
	enum status st = OK;

	if (e->within)
		memcpy(out, e->within, bits_words(e->n) * sizeof *out);
	else
		bits_fill(out, e->n, true);
	for (const struct node *k = n->kids; k; k = k->next)
		left++;
	for (int slow = 0; slow < 2; slow++) {
		for (const struct node *k = n->kids; st == OK && k; k = k->next) {
			if (is_slow(k) != slow)
				continue;
			if (!bits_any(out, e->n))
				return OK;
			st = kid_bits(e, k, NULL, out, --left == 0, one);
			bits_and(out, one, e->n);
		}
	}
	return st;
}

static enum status any_kid(struct eval *e, const struct node *n, uint64_t *out, uint64_t *one)
{
	enum status st = OK;

	bits_fill(out, e->n, false);
	for (const struct node *k = n->kids; st == OK && k; k = k->next) {
		st = kid_bits(e, k, out, NULL, true, one);
		bits_or(out, one, e->n);
	}
	return st;
}

/* Right for the samples of e->within; the others' bits mean nothing. */
static enum status node_bits(struct eval *e, const struct node *n, uint64_t *out)
{
	uint64_t *one;
	enum status st;

	if (n->kind == NODE_TERM)
		return term_bits(e, n->term, out);
	if (n->kind == NODE_NOT) {
		st = kid_bits(e, n->kids, NULL, NULL, false, out);
		bits_not(out, e->n);
		return st;
	}
	one = bits_new(e->n);
	if (!one)
		return eval_no_memory(e->err, e->n);
	st = n->kind == NODE_AND ? all_kids(e, n, out, one) : any_kid(e, n, out, one);
	free(one);
	return st;
}

static enum status eval_node(const struct filter *f, const struct node *n, const struct filter_ctx *ctx,
			     uint64_t *bits, const struct cancel *cancel, struct err *err)
{
	struct filter_cache *own = ctx->cache ? NULL : filter_cache_new(ctx->snap, ctx->lens);
	struct eval e = {.ctx = ctx,
			 .snap = ctx->snap,
			 .n = ctx->snap->n,
			 .cache = own ? own : ctx->cache,
			 .cancel = cancel,
			 .err = err};
	enum status st = OK;

	if (!n)
		bits_fill(bits, e.n, true);
	else if (!f->checked)
		st = err_set(err, E_USAGE, "the filter was not checked");
	else if ((st = watch_begin(&e, n)) == OK)
		st = node_bits(&e, n, bits);
	watch_end(&e);
	filter_cache_free(own);
	return st;
}

enum status filter_eval(const struct filter *f, const struct filter_ctx *ctx, uint64_t *bits,
			const struct cancel *cancel, struct err *err)
{
	return eval_node(f, f->root, ctx, bits, cancel, err);
}

enum status filter_eval_condition(const struct filter *f, size_t k, const struct filter_ctx *ctx,
				  uint64_t *bits, const struct cancel *cancel, struct err *err)
{
	return eval_node(f, condition_at(f, k), ctx, bits, cancel, err);
}
