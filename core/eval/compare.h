/*
 * compare: two runs sample by sample, and counted by group and by cluster (paired.h has what is
 * made of the counts). Pure.
 */
#ifndef QUALM_CORE_EVAL_COMPARE_H
#define QUALM_CORE_EVAL_COMPARE_H

#include "core/eval/paired.h"

/* Of one sample. Those of the middle four are counted for both runs. */
enum compared { COMPARED_NONE, COMPARED_BOTH, COMPARED_ONLY_A, COMPARED_ONLY_B, COMPARED_NEITHER,
		COMPARED_OUTSIDE, N_COMPARED };
/* out[n]: enum compared from the verdicts a[n], b[n]: NONE where one of them is uncounted, OUTSIDE
 * where the mask (NULL: all) has no bit. */
void compare_samples(const uint8_t *a, const uint8_t *b, uint32_t n, const uint64_t *mask, uint8_t *out);

/* How many of them are counted for the one run alone whose verdicts these are. */
uint32_t compare_alone(const uint8_t *compared, const uint8_t *verdict, uint32_t n);

struct compare_count {
	struct fourfold f;
	uint64_t left_out; /* samples that are not counted for one of the two, or for both */
};
/* Sample i is in the groups val[off[i] .. off[i + 1]), each < n_groups. out[n_groups + 1]; the
 * last one is of all samples. */
void compare_groups(const uint8_t *compared, uint32_t n, const uint32_t *off, const uint32_t *val,
		    uint32_t n_groups, struct compare_count *out);

/* The tables of each group's clusters: those of group g are table[from[g] .. from[g + 1]), g up to
 * n_groups, which is all samples. Both are owned. cluster[n]: < n_clusters. */
struct compare_clusters {
	size_t *from; /* [n_groups + 2] */
	struct fourfold *table;
};
void compare_clusters(const uint8_t *compared, uint32_t n, const uint32_t *off, const uint32_t *val,
		      uint32_t n_groups, const uint32_t *cluster, uint32_t n_clusters,
		      struct compare_clusters *out);
void compare_clusters_release(struct compare_clusters *c);

#endif
