/*
 * tables: the views Runs and Classes, which are tables of core/report under the scene's filter and
 * lens. Where there is much to count they are made by a worker; until then SIGN_WAIT stands for
 * each number.
 */
#ifndef QUALM_TUI_VIEW_TABLES_H
#define QUALM_TUI_VIEW_TABLES_H

#include "core/base/job.h"
#include "core/report/intervals.h"
#include "core/report/report.h"
#include "tui/view/scene.h"
#include "tui/view/view.h"

enum tables_kind { TABLES_RUNS, TABLES_CLASSES, N_TABLES_KINDS };

/* A grouping that several tables are made by, one after the other; on the owner's thread but for
 * what reads it. */
struct shared_grouping {
	int sharers;
	int64_t generation, dataset;
	struct lens lens;
	struct grouping g;
};
void shared_grouping_release(struct shared_grouping *g); /* NULL is fine */

/* How Classes compares, as it was asked for. */
struct comparing_as {
	char *cluster; /* owned; NULL: samples are drawn */
	bool mid_p;
	uint64_t seed;
};
/* By :cluster and the options; its texts are the app's. */
struct comparing_as tables_as(const struct app *app);

/* What a table is made of. Its own, also the share of the snapshot. */
struct table_wish {
	enum tables_kind kind;
	struct snapshot *snap;
	struct lens lens;
	uint64_t *mask; /* NULL: all samples */
	int *runs, n_runs;
	char *by;       /* NULL: as the dataset is reported */
	struct comparing_as as;
	uint32_t batch[2][2];             /* report_pairing */
	const struct intervals_known *known; /* borrowed; a worker goes without */
	const uint8_t *verdict[2];        /* of runs[]; NULL: not at hand. Borrowed from the scene, */
	bool own_verdicts;                /* or copies that a worker can look at */
	struct shared_grouping *grouping; /* a share; NULL: it is made */
	bool unfold;    /* Runs: those that repeat each other beside their mean */
	struct steps *steps; /* borrowed; NULL: nobody looks */
	struct report_judging judging;
	struct sieve *sieve; /* borrowed: what the snapshot does not hold; NULL: goes without */
};

/* How marks of MME-Emotion make scores, as the user has set it. */
struct report_judging tables_judging(const struct app *app);
/* Of the scene as it is, which must stay so until it is fulfilled or tables_start() has it: its filter, lens and runs; rows that stay though the filter is not true for
 * them any more do not count. by: borrowed. */
void table_wish_make(struct table_wish *w, const struct scene *s, enum tables_kind kind, const char *by);
void table_wish_release(struct table_wish *w);
/* What was made for the last table serves again, if it is the same. g: NULL is fine. */
void table_wish_share(struct table_wish *w, struct shared_grouping *g);
/* Samples times runs: what it costs. */
uint64_t table_wish_cost(const struct table_wish *w);
/* out: as the screen shows it, a row a run or a group; *n_first: the columns before the groups. */
enum status table_wish_fulfil(struct table_wish *w, const struct cancel *cancel, struct table *out,
			      size_t *n_first, struct err *err);
/* The same of Classes; *intervals: those that the table has to get yet (tables_intervals_start()),
 * owned by the caller; NULL: all are there. NULL for it: they are made at once. */
enum status table_wish_begin(struct table_wish *w, const struct cancel *cancel, struct table *out,
			     size_t *n_first, struct intervals **intervals, struct err *err);

/* In a worker: takes the wish; done gets the table (it takes it when it wants it) on the owner's
 * thread. A newer one of the same kind takes its place. */
struct table_answer {
	struct table table;
	bool made; /* false: err says why */
	size_t n_first;
	struct intervals *intervals;      /* owned; NULL: all are there */
	struct shared_grouping *grouping; /* borrowed: what it was made by; NULL: none */
	struct err err;
};
/* Ctrl-c stops it; then the view gets the command "table-stopped". */
void tables_start(struct app *app, struct table_wish *w,
		  void (*done)(void *owner, struct table_answer *answer), void *owner);
void tables_cancel(struct app *app, enum tables_kind kind);

/* Puts those that were made before into t, and leaves them out of s; its first stays. */
void tables_intervals_recall(struct app *app, struct intervals *s, struct table *t);
/* Intervals that are not made within a frame are made by a worker, which puts them into t bit by bit
 * and calls done when some are there at once, and at the end; Ctrl-c stops it, then the view gets the command "intervals-stopped".
 * Takes s; t must stay in its place until it is cancelled. */
void tables_intervals_start(struct app *app, struct intervals *s, struct table *t, void (*done)(void *owner),
			    void *owner);
void tables_intervals_cancel(struct app *app);

/* The columns as the screen has them, most important first: out[t->columns.n]; how many. */
size_t tables_columns(enum tables_kind kind, const struct table *t, size_t n_first, size_t *out);

/* --- what a number is --- */

/* A cell of a table that is shown. All borrowed, for the call. */
struct explain_what {
	enum tables_kind kind;
	const char *by; /* as it was asked for; NULL: as is usual */
	const struct table *table;
	size_t n_first, row, column;
	const char *report; /* the table of core/report that it is; NULL: that of the kind */
};
/* Opens the popup that explains it. What it opens goes as "open-door CONDITION" to the view below. */
unsigned explain_open(struct app *app, const struct explain_what *w);
/* Appends the command line that prints the table with this number. */
void explain_command(struct app *app, const struct explain_what *w, struct buf *out);

#endif
