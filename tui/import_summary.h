/* What an import says: its plan, each file, its end; as lines for standard error or a popup. */
#ifndef QUALM_TUI_IMPORT_SUMMARY_H
#define QUALM_TUI_IMPORT_SUMMARY_H

#include "core/reader/report.h"
#include "db/plan.h"
#include "tui/paper.h"

struct import_totals {
	bool brief; /* of several files: a line each, and the rest at the end (import_brief.c) */
	bool stopped; /* the last one that failed was broken off */
	unsigned files, changed, failed;
	uint64_t problems[N_PROBLEMS], joined[N_MATCHED], located[N_LOCATED];
	unsigned troubled[N_PROBLEMS]; /* files that have such rows */
	struct paper examples[N_PROBLEMS], notes, doubts; /* for the end */
	uint64_t n_doubts;
	size_t doubts_before; /* lines of doubts of other datasets */
	struct buf dataset;   /* of the file before */
	struct buf folder; /* that all files of the plan are in, with a slash at its end; it is left out */
};
/* What the plan says of how files are to be told. */
void import_totals_begin(struct import_totals *t, const struct import_plan *plan);
void import_totals_release(struct import_totals *t); /* safe on {0} */

/* The file's report: counted, and said in full or in brief. */
void import_file_say(struct import_totals *t, const struct report *r, struct paper *out);
/* Which files, read as what, into which runs; what is left out and why. */
void import_plan_say(const struct import_plan *plan, const char *project, struct paper *out);
/* "912 exactly, 4 ignoring case"; nothing where no row found a sample that was there before. */
void joins_text(const uint64_t joined[N_MATCHED], struct buf *out);
/* "12 samples, 3 classes": what a file brought; nothing where it brought nothing. */
void counts_text(const struct report *r, struct buf *out);
/* "12 samples, 1 repeated row": what of it was there before. */
void known_text(const struct report *r, struct buf *out);
void located_text(const uint64_t located[N_LOCATED], struct buf *out);
/* Problems of one kind without the doubts, which count as warnings. */
uint64_t problems_of(const struct report *r, enum problem kind);
/* The path without the folder, where it is in it. */
const char *within_folder(const char *path, struct str folder);
/* One file in brief: the rest of it goes to t. */
void import_brief_say(struct import_totals *t, const struct report *r, struct paper *out);
/* What was kept for the end, what looks off last. */
void import_brief_end(const struct import_totals *t, struct paper *out);
void import_totals_say(const struct import_totals *t, const char *project, bool dry_run,
		       struct paper *out);

#endif
