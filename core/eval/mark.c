#include "core/eval/eval.h"
#include "core/eval/truth.h"

static enum mark worth(enum verdict v)
{
	return v == VERDICT_RIGHT ? MARK_RIGHT : v == VERDICT_WRONG ? MARK_WRONG : MARK_UNCOUNTED;
}

enum mark eval_mark(const struct snapshot *snap, const struct lens *lens, int r, uint32_t i,
		    enum verdict verdict)
{
	const struct run *run;
	uint64_t o;
	bool mapped;

	if (r < 0 || (uint32_t)r >= snapshot_answerers(snap))
		return MARK_MISSING;
	run = &snap->runs[r];
	if (run->later)
		return MARK_LATER;
	o = column_u(&run->outcome, i);
	mapped = column_u(&run->label, i) != COLUMN_NONE;
	if (o == OUTCOME_MISSING || o >= N_OUTCOMES)
		return MARK_MISSING;
	if (o == OUTCOME_ERROR)
		return MARK_ERROR;
	if (!truth_covers(snap, lens->layer, i) || (o == OUTCOME_OOP && run->open_world && !mapped))
		return MARK_UNCOUNTED;
	if (truth_is_empty(snap, lens->layer, i))
		return MARK_N;
	switch ((enum outcome)o) {
	case OUTCOME_REFUSED:
		return MARK_REFUSED;
	case OUTCOME_EMPTY:
		return MARK_EMPTY;
	case OUTCOME_UNPARSED:
		return MARK_UNPARSED;
	case OUTCOME_OOP:
		return mapped ? worth(verdict) : MARK_OOP;
	default:
		return worth(verdict);
	}
}
