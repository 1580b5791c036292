/*
 * repeats: in a table that has a block of rows for each run, all blocks alike, the blocks of runs
 * that repeat one another (struct run) become one: their mean, and the 95 % interval of the mean
 * accuracy by Student's t with k - 1 degrees of freedom. Pure.
 */
#ifndef QUALM_CORE_REPORT_REPEATS_H
#define QUALM_CORE_REPORT_REPEATS_H

#include "core/report/report.h"

struct repeats {
	size_t run, name; /* columns of the run's handle, both of which get that of the mean */
	size_t accuracy, lo, hi, repeats; /* `repeats` gets k */
	/* Do two runs of the snapshot repeat each other? NULL: as snapshot_is_repeat() has it. */
	bool (*same)(const void *own, int a, int b);
	const void *own;
	size_t n_blocks;  /* of the table as it is then */
	bool *member;     /* [n_blocks] one of the runs of the mean before it; owned */
	int *of;          /* [n_blocks] the place in ctx->runs of the run, of a mean the first; owned */
	uint32_t n_means; /* how many blocks are means */
};

/* The table's blocks are those of ctx->runs, in their order. unfold: the runs follow their mean; else
 * the mean alone is there. Set the columns before. */
void repeats_fold(const struct report_ctx *ctx, struct table *t, bool unfold, struct repeats *r);
void repeats_release(struct repeats *r);
/* Appends what a mean is called: "gpt-4o/mc ×3". */
void repeats_name(const struct report_ctx *ctx, int run, uint32_t k, struct buf *out);

#endif
