/*
 * survey: the figures of one dataset as Home shows them, counted in a worker that opens the
 * project for itself and loads what it needs: the screen does not wait for it.
 */
#ifndef QUALM_TUI_SURVEY_H
#define QUALM_TUI_SURVEY_H

#include "core/base/job.h"
#include "core/eval/eval.h"

struct survey_run {
	struct tally tally;
	uint32_t left[N_LEFT_OUT]; /* why, as eval_left_out() has it; sums to tally.excluded */
};

struct survey {
	int64_t dataset;
	uint32_t categories[N_CATEGORIES];
	uint32_t n_runs;
	struct survey_run *runs; /* [n_runs] in the snapshot's order; NULL when not asked for */
	char *error;             /* NULL: it went well */
};

void survey_free(struct survey *s); /* NULL is fine */

struct survey_wish {
	const char *project;  /* path; copied, as the others are */
	const char *dataset;
	const char *lens;     /* as lens_parse() reads it; NULL: the preset */
	int64_t dataset_id;
	bool runs;            /* the runs as well */
	struct snapshot *snap; /* the dataset's, whole, to share; NULL: it is loaded */
};
/* done: on the owner's thread, takes the survey; not called after survey_cancel(). */
void survey_start(struct pool *pool, const struct survey_wish *wish,
		  void (*done)(void *owner, struct survey *survey), void *owner);
void survey_cancel(struct pool *pool, int64_t dataset_id);

/* Counts at once (tests). E_MEMORY. */
enum status survey_count(const struct snapshot *snap, const struct lens *lens, bool runs,
			 const struct cancel *cancel, struct survey *out, struct err *err);

#endif
