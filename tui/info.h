/*
 * info: what a project holds, counted under a lens: gathered once, then written as text or JSON.
 */
#ifndef QUALM_TUI_INFO_H
#define QUALM_TUI_INFO_H

#include <stdio.h>

#include "core/eval/eval.h"
#include "core/reader/match.h"
#include "db/user_saved.h"
#include "tui/population.h"

struct info { /* of one dataset */
	struct population pop; /* what the counts are about */
	const struct snapshot *snap; /* of pop */
	struct lens lens;            /* of pop */
	uint32_t categories[N_CATEGORIES];
	struct tally *tallies; /* [snap->n_runs] */
	struct user_saved *saved; /* n_saved filters, in the arena */
	size_t n_saved;
	uint64_t joined[N_MATCHED]; /* rows of its files by how they found their samples */
	struct arena arena;
};

/* cli: lens, runs and filter. E_USAGE when they do not fit the dataset. */
enum status info_gather(struct info *info, const struct cli *cli, struct conn *c,
			const char *dataset, struct err *err);
void info_release(struct info *info);

void info_print_text(FILE *out, const struct info *info);

/* All datasets (or cli->dataset) of an open project on `out`. */
enum status info_print(FILE *out, const struct cli *cli, struct conn *c, bool json,
		       struct err *err);

struct cJSON;
/* The dataset's object of `info --format json`; owned by the caller. NULL: no memory. */
struct cJSON *info_json(const struct info *info);

#endif
