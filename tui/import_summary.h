/* What an import says about one file and at its end; on standard error. */
#ifndef QUALM_TUI_IMPORT_SUMMARY_H
#define QUALM_TUI_IMPORT_SUMMARY_H

#include "core/reader/report.h"

struct import_totals {
	unsigned files, changed, failed;
	uint64_t problems[N_PROBLEMS];
};

void import_totals_add(struct import_totals *t, const struct report *r);
void import_summary_print(const struct report *r);
void import_totals_print(const struct import_totals *t, const char *project, bool dry_run);

#endif
