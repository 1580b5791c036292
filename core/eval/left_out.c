/* Why answers are not counted (eval.h). */
#include <string.h>

#include "core/base/bits.h"
#include "core/eval/eval.h"
#include "core/eval/truth.h"

const char *left_out_word(enum left_out why)
{
	static const char *const word[N_LEFT_OUT] = {
	    [LEFT_OUT_ERROR] = "error",       [LEFT_OUT_MISSING] = "missing", [LEFT_OUT_UNLABELLED] = "unlabelled",
	    [LEFT_OUT_UNMAPPED] = "unmapped", [LEFT_OUT_N] = "category N",    [LEFT_OUT_ABSTAIN] = "abstained"};

	return why < N_LEFT_OUT ? word[why] : "";
}

static enum left_out why(const struct snapshot *snap, const struct lens *lens, int r, uint32_t i)
{
	uint64_t o = column_u(&snap->runs[r].outcome, i);

	if (o == OUTCOME_ERROR)
		return LEFT_OUT_ERROR;
	if (o >= N_OUTCOMES || o == OUTCOME_MISSING)
		return LEFT_OUT_MISSING;
	if (!truth_covers(snap, lens->layer, i))
		return LEFT_OUT_UNLABELLED;
	if (o == OUTCOME_OOP && snap->runs[r].open_world)
		return LEFT_OUT_UNMAPPED;
	return truth_is_empty(snap, lens->layer, i) ? LEFT_OUT_N : LEFT_OUT_ABSTAIN;
}

void eval_left_out(const struct snapshot *snap, const struct lens *lens, int r, const uint8_t *verdict,
		   const uint64_t *mask, uint32_t count[N_LEFT_OUT])
{
	const uint8_t *end = verdict + snap->n, *v = verdict;

	memset(count, 0, N_LEFT_OUT * sizeof *count);
	while (v < end && (v = memchr(v, VERDICT_UNCOUNTED, (size_t)(end - v)))) {
		uint32_t i = (uint32_t)(v++ - verdict);

		if (!mask || bits_get(mask, i))
			count[why(snap, lens, r, i)]++;
	}
}
