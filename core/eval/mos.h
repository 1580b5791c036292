/*
 * mos: mean opinion scores from raw ratings. Each rater's ratings become z scores (minus the
 * rater's mean, by the rater's sample standard deviation), raters whom the screening of
 * ITU-R BT.500-13 (Annex 2, §2.3.1) rejects are left out, and the mean z of an item becomes
 * 5 (z + 3) / 6, clipped to 0 … 5 (benchmarks.md §4).
 */
#ifndef QUALM_CORE_EVAL_MOS_H
#define QUALM_CORE_EVAL_MOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rating {
	uint32_t rater, item;
	double value; /* finite */
};

struct mos {
	uint32_t n_raters, n_items;
	bool *rejected; /* [n_raters] by the screening */
	bool *constant; /* [n_raters] left out: fewer than two ratings, or all of them equal */
	double *score;  /* [n_items] 0 … 5; NaN where no rating is left */
	uint32_t *n;    /* [n_items] ratings that are in it */
	uint32_t n_rejected, n_constant;
};

/* Every rater < n_raters, item < n_items. out is owned by the caller. */
void mos_make(const struct rating *ratings, size_t n, uint32_t n_raters, uint32_t n_items,
	      struct mos *out);
void mos_release(struct mos *m);

#endif
