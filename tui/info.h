/*
 * info: what a project holds, counted under a lens: gathered once, then written as text or JSON.
 */
#ifndef QUALM_TUI_INFO_H
#define QUALM_TUI_INFO_H

#include <stdio.h>

#include "core/eval/eval.h"
#include "db/conn.h"

struct info { /* of one dataset */
	struct snapshot *snap;
	struct lens lens;
	uint32_t categories[N_CATEGORIES];
	struct tally *tallies; /* [snap->n_runs] */
};

/* lens: NULL = the dataset's preset. E_USAGE when it does not fit the dataset. */
enum status info_gather(struct info *info, struct conn *c, const char *dataset, const char *lens,
			struct err *err);
void info_release(struct info *info);

void info_print_text(FILE *out, const struct info *info);

/* All datasets (or the one named) of an open project on `out`. */
enum status info_print(FILE *out, struct conn *c, const char *dataset, const char *lens, bool json,
		       struct err *err);

struct cJSON;
/* The dataset's object of `info --format json`; owned by the caller. NULL: no memory. */
struct cJSON *info_json(const struct info *info);

#endif
