/*
 * report: the tables, by name. Each is one row of reports[] and one file. To add one: a function,
 * a row, a line in the manual.
 */
#ifndef QUALM_CORE_REPORT_REPORT_H
#define QUALM_CORE_REPORT_REPORT_H

#include "core/base/steps.h"
#include "core/filter/filter.h"
#include "core/group/grouping.h"
#include "core/report/table.h"

/* MME-Emotion: the weight of Rec-S in CoT-S, 0 … 1 (published: 0.5); are answers whose marks cannot
 * be read 0, or are they left out (published)? */
struct report_judging {
	double alpha;
	bool unparsed_zero;
};

/* What a table is about. All borrowed. */
struct report_ctx {
	const struct snapshot *snap;
	const struct lens *lens;
	const uint64_t *mask;  /* [bits_words(n)]; NULL: all samples */
	const int *runs;       /* n_runs of them, in the order of the rows */
	int n_runs;
	struct str by;         /* a grouping, or two with "," between; empty: the benchmark's own */
	bool unfold;           /* runs that repeat each other beside their mean (repeats.h) */
	const struct filter_source *source; /* numbers of runs; NULL: there are none */
	const struct cancel *cancel;
	struct steps *steps; /* taken by the tables that look at one run after the other; NULL: nobody looks */
	const struct report_judging *judging; /* NULL: as published */
	const struct grouping *grouping; /* of `by` under the lens; NULL: it is made */
	const uint8_t *const *verdict;   /* [answerers] of runs under the lens, each NULL when it must be
					    computed; NULL: all must */
	const struct report_pairing *pairing; /* NULL: as is usual */
};

/* How two runs are compared. */
struct report_pairing {
	struct str cluster; /* the facet whose values are drawn whole; empty: samples are drawn */
	bool mid_p;         /* McNemar's test by mid-p */
	uint64_t seed;      /* PAIRED_SEED is the usual one */
	uint32_t batch[2][2]; /* smallest and largest batch of the two runs' requests; 0: not known */
	/* Not NULL: the table comes without the intervals of groups, and takes them later
	 * (intervals.h); owned by the caller. */
	struct intervals **intervals;
	const struct intervals_known *known; /* NULL: none is */
};

struct report {
	const char *name, *help;
	/* Fills *out, which the function initializes; on failure there is nothing to release. */
	enum status (*make)(const struct report_ctx *ctx, struct table *out, struct err *err);
};
/* The batches of a run's requests, for report_pairing.batch: a look at all its samples. */
void report_batch(const struct filter_source *source, int run, uint32_t out[2]);
extern const struct report reports[]; /* ends with a NULL name */
const struct report *report_find(struct str name); /* NULL if none */

/* The grouping that the dataset's publication reports by: "category", a facet, "class" or "none". */
const char *report_first_grouping(const struct snapshot *snap, const struct lens *lens);

#endif
