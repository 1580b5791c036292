/*
 * tables: the views Runs and Classes, which are tables of core/report under the scene's filter and
 * lens. Where there is much to count they are made by a worker; until then SIGN_WAIT stands for
 * each number.
 */
#ifndef QUALM_TUI_VIEW_TABLES_H
#define QUALM_TUI_VIEW_TABLES_H

#include "core/base/job.h"
#include "core/report/report.h"
#include "tui/view/scene.h"
#include "tui/view/view.h"

enum tables_kind { TABLES_RUNS, TABLES_CLASSES, N_TABLES_KINDS };

/* What a table is made of. Its own, also the share of the snapshot. */
struct table_wish {
	enum tables_kind kind;
	struct snapshot *snap;
	struct lens lens;
	uint64_t *mask; /* NULL: all samples */
	int *runs, n_runs;
	char *by;       /* NULL: as the dataset is reported */
	struct table_numbers *numbers; /* NULL: the table reads none */
};

/* Copies of the runs' numbers that a table reads, for the thread that makes it. */
struct table_numbers;
/* Takes from source what the wished table needs, of its runs. A number that cannot be read is not
 * there: *out may be NULL. */
enum status table_numbers_copy(struct table_numbers **out, const struct table_wish *w,
			       const struct filter_source *source, struct err *err);
const struct filter_source *table_numbers_source(const struct table_numbers *t); /* NULL of NULL */
void table_numbers_free(struct table_numbers *t); /* NULL is fine */

/* Of the scene as it is: its filter, lens and runs; rows that stay though the filter is not true for
 * them any more do not count. by: borrowed. */
void table_wish_make(struct table_wish *w, const struct scene *s, enum tables_kind kind, const char *by);
void table_wish_release(struct table_wish *w);
/* Samples times runs: what it costs. */
uint64_t table_wish_cost(const struct table_wish *w);
/* out: as the screen shows it, a row a run or a group; *n_first: the columns before the groups. */
enum status table_wish_fulfil(const struct table_wish *w, const struct cancel *cancel, struct table *out,
			      size_t *n_first, struct err *err);

/* In a worker: takes the wish; done gets the table (it takes it when it wants it) on the owner's
 * thread. A newer one of the same kind takes its place. */
struct table_answer {
	struct table table;
	bool made; /* false: err says why */
	size_t n_first;
	struct err err;
};
void tables_start(struct pool *pool, struct table_wish *w,
		  void (*done)(void *owner, struct table_answer *answer), void *owner);
void tables_cancel(struct pool *pool, enum tables_kind kind);

/* The columns as the screen has them, most important first: out[t->columns.n]; how many. */
size_t tables_columns(enum tables_kind kind, const struct table *t, size_t n_first, size_t *out);

/* --- what a number is --- */

/* A cell of a table that is shown. All borrowed, for the call. */
struct explain_what {
	enum tables_kind kind;
	const char *by; /* as it was asked for; NULL: as is usual */
	const struct table *table;
	size_t n_first, row, column;
};
/* Opens the popup that explains it. What it opens goes as "open-door CONDITION" to the view below. */
unsigned explain_open(struct app *app, const struct explain_what *w);
/* Appends the command line that prints the table with this number. */
void explain_command(struct app *app, const struct explain_what *w, struct buf *out);

#endif
