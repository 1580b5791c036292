/*
 * truth: one layer as flat 32-bit arrays that cover every sample of the snapshot, so that the
 * loops of this room need neither bounds nor widths. Made once per pass over all samples; what
 * already has the right shape is borrowed from the snapshot. For those who walk over all samples:
 * this room, core/filter, exports.
 */
#ifndef QUALM_CORE_EVAL_TRUTH_H
#define QUALM_CORE_EVAL_TRUTH_H

#include "core/model/snapshot.h"

struct truth {
	const uint8_t *covered; /* [n] 0 or 1 */
	const uint32_t *off;    /* [n + 1] */
	const uint32_t *val;    /* class ordinals of sample i: val[off[i] .. off[i + 1]) */
	const struct column *narrow; /* NULL, or the classes as they are stored: val is not there yet */
	uint8_t *own_covered;
	uint32_t *own_off, *own_val;
};

/* layer: index into snap->layers; any other number gives a truth that covers nothing. For a
 * layer of votes the set is the dominant class, or several when they tie. */
void truth_init(struct truth *t, const struct snapshot *snap, int layer);
void truth_release(struct truth *t);
/* For those who look at a block at a time, and perhaps at a few samples alone: without val, unless it
 * is there as it is; truth_widen() makes it. */
void truth_begin(struct truth *t, const struct snapshot *snap, int layer);
void truth_widen(struct truth *t);
/* Classes [from, to), of off[]: val's own, or made in room [to - from]. */
const uint32_t *truth_some(const struct truth *t, uint32_t from, uint32_t to, uint32_t *room);

/* Does layer l say something about sample i? */
bool truth_covers(const struct snapshot *snap, int layer, uint32_t i);
/* Is the class set of a covered sample empty? */
bool truth_is_empty(const struct snapshot *snap, int layer, uint32_t i);
/* The largest vote of row i, 0 when there is none. */
float truth_top_vote(const struct layer *l, uint32_t i);

/* partners: the equivalent classes of each class, from snap->pairs; symmetric, not closed. */
struct partners {
	uint32_t *off; /* [n_classes + 1]; NULL when equivalence is off */
	uint32_t *val;
	uint32_t n_classes;
};

void partners_init(struct partners *p, const struct snapshot *snap, bool equiv);
void partners_release(struct partners *p);

/* Elements [from, from + n) of an unsigned column as 32 bits; UINT32_MAX for "none", for what
 * does not fit and beyond the end. */
void column_widen(const struct column *c, size_t from, size_t n, uint32_t *out);
/* Outcomes [from, from + n), each one of enum outcome; missing beyond the end. */
void column_outcomes(const struct column *c, size_t from, size_t n, uint8_t *out);

/* Has each of n sets one element? off[n + 1] */
bool sets_are_single(const uint32_t *off, size_t n);

static inline bool set_has(const uint32_t *set, size_t n, uint32_t c)
{
	for (size_t k = 0; k < n; k++)
		if (set[k] == c)
			return true;
	return false;
}

/* Is c, or a class equivalent to it, in the set? */
static inline bool set_admits(const uint32_t *set, size_t n, uint32_t c, const struct partners *p)
{
	if (set_has(set, n, c))
		return true;
	if (!p->off || c >= p->n_classes)
		return false;
	for (uint32_t k = p->off[c]; k < p->off[c + 1]; k++)
		if (set_has(set, n, p->val[k]))
			return true;
	return false;
}

#endif
