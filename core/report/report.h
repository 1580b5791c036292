/*
 * report: the tables, by name. Each is one row of reports[] and one file. To add one: a function,
 * a row, a line in the manual.
 */
#ifndef QUALM_CORE_REPORT_REPORT_H
#define QUALM_CORE_REPORT_REPORT_H

#include "core/filter/filter.h"
#include "core/group/grouping.h"
#include "core/report/table.h"

/* What a table is about. All borrowed. */
struct report_ctx {
	const struct snapshot *snap;
	const struct lens *lens;
	const uint64_t *mask;  /* [bits_words(n)]; NULL: all samples */
	const int *runs;       /* n_runs of them, in the order of the rows */
	int n_runs;
	struct str by;         /* a grouping, or two with "," between; empty: the benchmark's own */
	const struct filter_source *source; /* numbers of runs; NULL: there are none */
	const struct cancel *cancel;
};

struct report {
	const char *name, *help;
	/* Fills *out, which the function initializes; on failure there is nothing to release. */
	enum status (*make)(const struct report_ctx *ctx, struct table *out, struct err *err);
};
extern const struct report reports[]; /* ends with a NULL name */
/* The numbers of runs that the benchmark's own table reads from ctx->source, NULL at the end. */
const char *const *report_numbers(const struct snapshot *snap);
const struct report *report_find(struct str name); /* NULL if none */

/* The grouping that the dataset's publication reports by: "category", a facet, "class" or "none". */
const char *report_first_grouping(const struct snapshot *snap, const struct lens *lens);

#endif
