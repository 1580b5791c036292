/*
 * core/group: the samples by what one asks for: label category, class of the truth, any facet, a
 * level of a tree; and a run's answers by a number that came with them (batch size, position). A
 * sample may be in several groups (several truths, a facet of several values).
 */
#ifndef QUALM_CORE_GROUP_GROUPING_H
#define QUALM_CORE_GROUP_GROUPING_H

#include "core/eval/eval.h"
#include "core/filter/filter.h"

struct grouping {
	struct arena arena;     /* names and conditions */
	const char *by;         /* as asked for, in its full form: "category", "class/1", "emotion" */
	uint32_t n;             /* groups; those without samples are there too */
	const char **name;      /* [n] unique */
	const char **condition; /* [n] the filter that opens the group: "cat:S-", "gt:#657" */
	uint32_t *off, *val;    /* groups of sample i: val[off[i] .. off[i + 1]); owned */
	/* of a number of the answers; else NULL */
	const char *number;     /* its column */
	double *edge;           /* the numbers, or the edges of GROUPING_BINS ranges; owned */
	bool ranges;
};

#define GROUPING_VALUES_MAX 64 /* distinct numbers of a numeric facet that are groups by themselves */
#define GROUPING_BINS       10 /* else so many ranges of equal width */

/* by: "category"; "class", "class/LEVEL" (1 = the roots of the classes' tree); a facet's name,
 * "FACET/LEVEL" where its values form a tree; "none": one group "all". Categories and classes are
 * under the lens. Samples without a value are in the group "(none)", there only if it has any.
 * E_USAGE names what there is. */
enum status grouping_make(const struct snapshot *snap, const struct lens *lens, struct str by,
			  struct grouping *out, struct err *err);
/* The same, and a number that came with the answers, where source has any: "batch", "position",
 * or one by its name. The groups are the numbers that any of the runs has; which samples are in them,
 * and the conditions that open them, depend on the run: grouping_turn(). At first they are of the
 * first run. */
enum status grouping_make_with(const struct snapshot *snap, const struct lens *lens,
			       const struct filter_source *source, const int *runs, int n_runs,
			       struct str by, struct grouping *out, struct err *err);
/* off, val and condition as they are for a run. Nothing to do where the groups are of samples. */
enum status grouping_turn(struct grouping *g, const struct snapshot *snap,
			  const struct filter_source *source, int run, struct err *err);
void grouping_release(struct grouping *g);
/* Appends what `by` can be for this dataset, a name each, as "by" takes it. */
void grouping_choices(const struct snapshot *snap, struct arena *arena, const char ***names,
		      size_t *n);

/* out[g->n]: the run's tally in each group among the samples of the mask (NULL = all). */
void grouping_tally(const struct grouping *g, const struct snapshot *snap, int run,
		    const uint8_t *verdict, const uint64_t *mask, struct tally *out);

#endif
