/*
 * Votes (benchmarks.md §6; MultiEmo-Bench, FER+): how far answers are from what people chose. The
 * accuracy is that of the dominant label. A run answers one class, or several in equal shares, or
 * a distribution: numbers named p_CLASS.
 */
#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/eval/stats.h"
#include "core/report/report_impl.h"

#define SMOOTHING 0.01 /* added to each share of both before KL */
#define OF_SHARES "mean over answers with a class; shares of votes against shares of the answer"

struct distances {
	uint64_t n;
	double kl, js, l1, cosine;
};

struct votes_table {
	const struct report_ctx *ctx;
	const struct layer *layer;
	int run;
	struct column *shares; /* [vote_width] of the run; n 0: it has none */
	bool has_shares;
	double *p, *q; /* [vote_width + 1] shares: the last is of classes that nobody could vote for */
	struct distances *sums;
	size_t compared, kl, js, l1, cosine;
};

static const struct layer *votes_layer(const struct report_ctx *ctx)
{
	int l = ctx->lens->layer;

	return l >= 0 && (uint32_t)l < ctx->snap->n_layers && ctx->snap->layers[l].vote_width
		   ? &ctx->snap->layers[l]
		   : NULL;
}

bool report_fits_votes(const struct report_ctx *ctx)
{
	return votes_layer(ctx) != NULL;
}

static const char *share_name(const struct snapshot *snap, uint32_t class, struct arena *arena)
{
	return arena_printf(arena, "p_%s", class < snap->n_classes ? snap->classes[class].name : "");
}

static void columns(void *own, struct table *t)
{
	struct votes_table *v = own;

	v->js = table_column(t, "js", "JS", TABLE_NUMBER, BEST_LOW,
			     "Jensen-Shannon divergence in bits, 0 to 1: " OF_SHARES);
	v->kl = table_column(t, "kl", "KL", TABLE_NUMBER, BEST_LOW,
			     "Kullback-Leibler divergence of the answer from the votes in bits, 0.01 added to "
			     "each share: " OF_SHARES);
	v->l1 = table_column(t, "l1", "L1", TABLE_NUMBER, BEST_LOW,
			     "sum of absolute differences, 0 to 2: " OF_SHARES);
	v->cosine = table_column(t, "cosine", "cosine", TABLE_NUMBER, BEST_HIGH,
				 "cosine of the two distributions, 0 to 1: " OF_SHARES);
	v->compared = table_column(t, "compared", "compared", TABLE_COUNT, BEST_NONE,
				   "counted answers with a class: the distances are over these");
}

static void drop(struct votes_table *v)
{
	for (uint32_t k = 0; v->shares && k < v->layer->vote_width; k++)
		column_release(&v->shares[k]);
	free(v->shares);
	free(v->p);
	free(v->q);
	free(v->sums);
	v->shares = NULL;
	v->p = v->q = NULL;
	v->sums = NULL;
}

static enum status begin(void *own, int run, size_t places, struct err *err)
{
	struct votes_table *v = own;
	struct arena arena = ARENA_INIT;
	uint32_t width = v->layer->vote_width;
	enum status st = OK;

	drop(v);
	v->run = run;
	v->has_shares = false;
	v->sums = xcalloc(places, sizeof *v->sums);
	v->p = xcalloc((size_t)width + 1, sizeof *v->p);
	v->q = xcalloc((size_t)width + 1, sizeof *v->q);
	v->shares = xcalloc((size_t)width + 1, sizeof *v->shares);
	for (uint32_t k = 0; k < width && !st; k++) {
		st = report_number(v->ctx, run, share_name(v->ctx->snap, v->layer->vote_class[k], &arena),
				   &v->shares[k], err);
		v->has_shares |= v->shares[k].n > 0;
	}
	arena_release(&arena);
	return st;
}

static void scale(double *share, uint32_t n, double sum)
{
	for (uint32_t k = 0; k < n; k++)
		share[k] /= sum;
}

/* false: people chose nothing. */
static bool take_votes(struct votes_table *v, uint32_t i)
{
	const struct layer *l = v->layer;
	double sum = 0;

	for (uint32_t k = 0; k < l->vote_width; k++) {
		double n = column_f(&l->votes, (size_t)i * l->vote_width + k);

		v->p[k] = n > 0 ? n : 0;
		sum += v->p[k];
	}
	v->p[l->vote_width] = 0;
	if (sum > 0)
		scale(v->p, l->vote_width, sum);
	return sum > 0;
}

static void give(struct votes_table *v, uint64_t class)
{
	uint32_t k = 0;

	while (k < v->layer->vote_width && v->layer->vote_class[k] != class)
		k++;
	v->q[k]++;
}

/* false: the answer has no class. */
static bool take_answer(struct votes_table *v, uint32_t i)
{
	const struct run *r = &v->ctx->snap->runs[v->run];
	uint64_t outcome = column_u(&r->outcome, i), label = column_u(&r->label, i);
	uint32_t width = v->layer->vote_width;
	size_t from, n = csr_row(&r->labels, i, &from);
	double sum = 0;

	if ((outcome != OUTCOME_ANSWERED && outcome != OUTCOME_OOP) || label == COLUMN_NONE)
		return false;
	for (uint32_t k = 0; k <= width; k++) {
		double share = k < width && v->shares[k].n ? column_f(&v->shares[k], i) : 0;

		v->q[k] = share > 0 ? share : 0;
		sum += v->q[k];
	}
	if (sum > 0) {
		scale(v->q, width, sum);
		return true;
	}
	for (size_t k = 0; k < n; k++)
		give(v, column_u(&r->labels.val, from + k));
	if (!n)
		give(v, label);
	scale(v->q, width + 1, n ? (double)n : 1);
	return true;
}

static void add(void *own, size_t place, uint32_t i, uint8_t verdict)
{
	struct votes_table *v = own;
	struct distances *d = &v->sums[place];
	size_t width = v->layer->vote_width;

	if (verdict == VERDICT_UNCOUNTED || !take_votes(v, i) || !take_answer(v, i))
		return;
	width += v->q[width] > 0;
	d->n++;
	d->kl += stats_kl(v->p, v->q, width, SMOOTHING);
	d->js += stats_js(v->p, v->q, width);
	d->l1 += stats_l1(v->p, v->q, width);
	d->cosine += stats_cosine(v->p, v->q, width);
}

static void put(void *own, size_t place, const char *condition, struct table *t)
{
	struct votes_table *v = own;
	const struct distances *d = &v->sums[place];
	const size_t at[] = {v->kl, v->js, v->l1, v->cosine};
	const double sum[] = {d->kl, d->js, d->l1, d->cosine};
	struct buf door = BUF_INIT;

	report_put_door(v->ctx, &door, "-uncounted", v->run, "", "");
	report_put_door(v->ctx, &door, " -pred", v->run, ":(none) -gt:(none)", condition);
	table_number(t, v->compared, (double)d->n);
	table_door(t, v->compared, buf_cstr(&door));
	for (int k = 0; k < 4; k++) {
		if (d->n)
			table_number(t, at[k], sum[k] / (double)d->n);
		table_door(t, at[k], buf_cstr(&door));
	}
	buf_release(&door);
}

static void notes(void *own, struct table *t)
{
	struct votes_table *v = own;

	table_note(t, "accuracy is that of the label with the most votes in layer %s", v->layer->name);
	table_note(t, "KL: %g is added to each share of votes and of answers before they are scaled to 1",
		   SMOOTHING);
}

enum status report_votes(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	static const struct report_more more = {.title = "votes", .columns = columns, .begin = begin,
						.add = add, .put = put, .notes = notes};
	struct votes_table v = {.ctx = ctx, .layer = votes_layer(ctx)};
	enum status st = report_accuracy_more(ctx, &more, &v, out, err);

	drop(&v);
	return st;
}
