/*
 * population: the samples that a shell command is about: a dataset under a lens, the runs named on
 * the command line, and what of it the filter leaves.
 */
#ifndef QUALM_TUI_POPULATION_H
#define QUALM_TUI_POPULATION_H

#include "core/filter/filter.h"
#include "db/search.h"
#include "tui/cmd.h"

struct population {
	struct conn *conn; /* borrowed */
	struct snapshot *snap;
	struct lens lens;
	int a, b; /* --run, --against; -1 = not given */
	int *panel, n_panel;
	struct search *search;
	struct user *user;
	struct filter_things things;
	struct filter *filter; /* NULL: none was given */
	uint64_t *bits;        /* [bits_words(snap->n)] */
	uint32_t shown;        /* bits that are set */
};

/* How a command must open the project: the user's things of a writable project are seen only by
 * a conn that may write. */
enum conn_mode population_mode(const struct cli *cli);
/* Borrows c. dataset: as snapshot_load() takes it. On failure nothing is left to close. */
enum status population_open(struct population *p, const struct cli *cli, struct conn *c,
			    const char *dataset, struct err *err);
void population_close(struct population *p);
/* What the project has beside the snapshot; of p. */
enum status population_source(struct population *p, const struct filter_source **out, struct err *err);
/* The user's notes and tags, also when no filter asks for them: p->user, p->things. */
enum status population_things(struct population *p, struct err *err);
/* Appends the filter as it is shown, a and b written out. */
void population_filter(const struct population *p, struct buf *out);

#endif
