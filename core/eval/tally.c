#include <math.h>

#include "core/eval/eval.h"
#include "core/eval/stats.h"

static void count_verdicts(struct tally *t, const uint8_t *verdict, const uint8_t *mask, uint32_t n)
{
	uint32_t right = 0, counted = 0, all = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t in = mask ? mask[i] != 0 : 1;

		all += in;
		counted += in & (verdict[i] != VERDICT_UNCOUNTED);
		right += in & (verdict[i] == VERDICT_RIGHT);
	}
	t->right = right;
	t->n = counted;
	t->excluded = all - counted;
}

static void count_outcomes(struct tally *t, const struct column *outcome, const uint8_t *mask,
			   uint32_t n)
{
	const uint8_t *o = outcome->data;
	uint32_t have = outcome->dtype != DT_U8 ? 0 : outcome->n < n ? (uint32_t)outcome->n : n;
	uint32_t all[256] = {0};

	for (uint32_t i = 0; i < have; i++)
		all[o[i]] += mask ? mask[i] != 0 : 1;
	for (uint32_t i = have; i < n; i++)
		all[OUTCOME_MISSING] += mask ? mask[i] != 0 : 1;
	for (int k = N_OUTCOMES; k < 256; k++)
		all[OUTCOME_MISSING] += all[k];
	for (int k = 0; k < N_OUTCOMES; k++)
		t->outcomes[k] = all[k];
}

struct tally eval_tally(const struct snapshot *snap, int r, const uint8_t *verdict,
			const uint8_t *mask)
{
	static const struct column nothing = {DT_U8, 0, NULL};
	bool known = r >= 0 && (uint32_t)r < snapshot_answerers(snap);
	struct tally t = {0};

	count_verdicts(&t, verdict, mask, snap->n);
	count_outcomes(&t, known ? &snap->runs[r].outcome : &nothing, mask, snap->n);
	return t;
}

double tally_accuracy(const struct tally *t)
{
	return t->n ? (double)t->right / t->n : NAN;
}

void tally_wilson(const struct tally *t, double *lo, double *hi)
{
	stats_wilson(t->right, t->n, lo, hi);
}
