#include <math.h>

#include "core/base/bits.h"
#include "core/base/clones.h"
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

/* 64 samples at a time; within NULL: all. */
static CLONES void tally_words(const uint8_t *v, size_t words, const uint64_t *within, struct tally *t)
{
	uint8_t right[64], counted[64];

	for (size_t w = 0; w < words; w++, v += 64) {
		uint64_t in = within ? within[w] : UINT64_MAX;

		for (int k = 0; k < 64; k++) {
			right[k] = v[k] == VERDICT_RIGHT;
			counted[k] = v[k] != VERDICT_UNCOUNTED;
		}
		t->right += (uint32_t)__builtin_popcountll(bits_pack(right) & in);
		t->n += (uint32_t)__builtin_popcountll(bits_pack(counted) & in);
		t->excluded += (uint32_t)__builtin_popcountll(in);
	}
}

struct tally eval_tally_within(const uint8_t *verdict, uint32_t n, const uint64_t *within)
{
	struct tally t = {0};
	uint32_t whole = n / 64 * 64;

	tally_words(verdict, whole / 64, within, &t);
	for (uint32_t i = whole; i < n; i++) {
		uint32_t in = within ? bits_get(within, i) : 1;

		t.right += in & (verdict[i] == VERDICT_RIGHT);
		t.n += in & (verdict[i] != VERDICT_UNCOUNTED);
		t.excluded += in;
	}
	t.excluded -= t.n;
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
