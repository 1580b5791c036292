/* Words about several runs at once: how many of the panel are right, whether repeats of a run agree,
 * whether two runs give one answer. */
#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/filter/filter_impl.h"

/* --- difficulty --- */

void difficulty_release(struct difficulty *d)
{
	free(d->panel);
	column_release(&d->share);
	*d = (struct difficulty){0};
}

/* Adds 1 for each bit that is set. */
static void add_bits(const uint64_t *bits, size_t n, uint8_t *bytes, uint16_t *count)
{
	bits_to_bytes(bits, n, bytes);
	for (size_t i = 0; i < n; i++)
		count[i] = (uint16_t)(count[i] + bytes[i]);
}

static enum status count_panel(const struct difficulty *d, struct filter_cache *cache, size_t n,
			       uint8_t *bytes, uint16_t *right, uint16_t *counted, struct err *err)
{
	for (int p = 0; p < d->n_panel; p++) {
		const uint64_t *yes = cache_verdict(cache, d->panel[p], VERDICT_RIGHT, err);
		const uint64_t *no = yes ? cache_verdict(cache, d->panel[p], VERDICT_WRONG, err) : NULL;

		if (!no)
			return err->code;
		add_bits(yes, n, bytes, right);
		add_bits(yes, n, bytes, counted);
		add_bits(no, n, bytes, counted);
	}
	return OK;
}

enum status difficulty_make(struct difficulty *d, struct filter_cache *cache, const struct snapshot *snap,
			    struct err *err)
{
	size_t n = snap->n;
	uint8_t *bytes = mem_try(n + 1);
	uint16_t *right = mem_try((n + 1) * sizeof *right), *counted = mem_try((n + 1) * sizeof *counted);
	float *share;
	enum status st = OK;

	d->share = column_new(DT_F32, n);
	share = d->share.data;
	if (!bytes || !right || !counted || (n && !share)) {
		st = eval_no_memory(err, n);
		goto out;
	}
	memset(right, 0, n * sizeof *right);
	memset(counted, 0, n * sizeof *counted);
	st = count_panel(d, cache, n, bytes, right, counted, err);
	for (size_t i = 0; st == OK && i < n; i++)
		share[i] = counted[i] ? (float)((double)right[i] / counted[i]) : NAN;
out:
	free(bytes);
	free(right);
	free(counted);
	return st;
}

enum status eval_difficulty(struct eval *e, const struct term *t, uint64_t *out)
{
	const struct difficulty *d;

	if (e->ctx->n_panel < 1)
		return err_set(e->err, E_USAGE, "'difficulty' needs a panel of runs");
	d = cache_difficulty(e->cache, e->ctx->panel, e->ctx->n_panel, e->err);
	if (!d)
		return e->err->code;
	scan_compare(&d->share, e->n, t->op, t->value, out);
	return OK;
}

/* --- repeats --- */

static enum status gather_repeats(struct eval *e, int run, uint64_t *right, uint64_t *wrong)
{
	for (uint32_t r = 0; r < e->snap->n_runs; r++) {
		const uint64_t *yes, *no;

		if (!snapshot_is_repeat(e->snap, (int)r, run))
			continue;
		yes = cache_verdict(e->cache, (int)r, VERDICT_RIGHT, e->err);
		no = yes ? cache_verdict(e->cache, (int)r, VERDICT_WRONG, e->err) : NULL;
		if (!no)
			return e->err->code;
		bits_or(right, yes, e->n);
		bits_or(wrong, no, e->n);
	}
	return OK;
}

enum status eval_unstable(struct eval *e, const struct term *t, int run, uint64_t *out)
{
	uint64_t *wrong = bits_new(e->n);
	enum status st = wrong ? gather_repeats(e, run, out, wrong) : eval_no_memory(e->err, e->n);

	(void)t;
	if (st == OK)
		bits_and(out, wrong, e->n);
	free(wrong);
	return st;
}

/* --- two runs --- */

static bool has_class(const struct run *r, uint32_t i)
{
	uint64_t o = column_u(&r->outcome, i);

	return (o == OUTCOME_ANSWERED || o == OUTCOME_OOP) &&
	       (column_u(&r->label, i) != COLUMN_NONE || csr_row(&r->labels, i, &(size_t){0}));
}

enum status eval_agree(struct eval *e, const struct term *t, int run, uint64_t *out)
{
	int other = t->other.kind == WHO_A ? e->ctx->a : t->other.kind == WHO_B ? e->ctx->b
										 : t->other.index;
	const struct run *x, *y;

	if (other < 0)
		return err_set(e->err, E_USAGE, "'agree' needs a run that is not chosen");
	x = &e->snap->runs[run];
	y = &e->snap->runs[other];
	for (uint32_t i = 0; i < e->n; i++)
		if (has_class(x, i) && has_class(y, i) && same_answer(x, y, i) == (t->op == OP_EQ))
			bits_set(out, i);
	return OK;
}
