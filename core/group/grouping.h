/*
 * core/group: the samples by what one asks for: label category, class of the truth, any facet, a
 * level of a tree. A sample may be in several groups (several truths, a facet of several values).
 */
#ifndef QUALM_CORE_GROUP_GROUPING_H
#define QUALM_CORE_GROUP_GROUPING_H

#include "core/eval/eval.h"

struct grouping {
	struct arena arena;     /* names and conditions */
	const char *by;         /* as asked for, in its full form: "category", "class/1", "emotion" */
	uint32_t n;             /* groups; those without samples are there too */
	const char **name;      /* [n] unique */
	const char **condition; /* [n] the filter that opens the group: "cat:S-", "gt:#657" */
	uint32_t *off, *val;    /* groups of sample i: val[off[i] .. off[i + 1]); owned */
};

#define GROUPING_VALUES_MAX 64 /* distinct numbers of a numeric facet that are groups by themselves */
#define GROUPING_BINS       10 /* else so many ranges of equal width */

/* by: "category"; "class", "class/LEVEL" (1 = the roots of the classes' tree); a facet's name,
 * "FACET/LEVEL" where its values form a tree; "none": one group "all". Categories and classes are
 * under the lens. Samples without a value are in the group "(none)", there only if it has any.
 * E_USAGE names what there is. */
enum status grouping_make(const struct snapshot *snap, const struct lens *lens, struct str by,
			  struct grouping *out, struct err *err);
void grouping_release(struct grouping *g);
/* Appends what `by` can be for this dataset, a name each, as "by" takes it. */
void grouping_choices(const struct snapshot *snap, struct arena *arena, const char ***names,
		      size_t *n);

/* out[g->n]: the run's tally in each group among the samples of the mask (NULL = all). */
void grouping_tally(const struct grouping *g, const struct snapshot *snap, int run,
		    const uint8_t *verdict, const uint64_t *mask, struct tally *out);

#endif
