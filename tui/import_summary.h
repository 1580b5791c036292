/* What an import says: its plan, each file, its end; as lines for standard error or a popup. */
#ifndef QUALM_TUI_IMPORT_SUMMARY_H
#define QUALM_TUI_IMPORT_SUMMARY_H

#include "core/reader/report.h"
#include "db/plan.h"
#include "tui/paper.h"

struct import_totals {
	unsigned files, changed, failed;
	uint64_t problems[N_PROBLEMS];
};

void import_totals_add(struct import_totals *t, const struct report *r);
/* Which files, read as what, into which runs; what is left out and why. */
void import_plan_say(const struct import_plan *plan, const char *project, struct paper *out);
/* "912 exactly, 4 ignoring case"; nothing where no row found a sample that was there before. */
void joins_text(const uint64_t joined[N_MATCHED], struct buf *out);
void import_summary_say(const struct report *r, struct paper *out);
void import_totals_say(const struct import_totals *t, const char *project, bool dry_run,
		       struct paper *out);

#endif
