#include "tui/survey.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/column.h"
#include "db/conn.h"

#define SURVEY_KEYS ((uint64_t)0x73757276 << 32)

void survey_free(struct survey *s)
{
	if (!s)
		return;
	free(s->runs);
	free(s->error);
	free(s);
}

/* --- counting --- */

static void count_run(const struct snapshot *snap, const struct lens *lens,
		      const struct judging *judging, int r, uint8_t *verdict, struct survey_run *out)
{
	judging_all(judging, r, verdict);
	out->tally = eval_tally(snap, r, verdict, NULL);
	eval_left_out(snap, lens, r, verdict, NULL, out->left);
}

enum status survey_count(const struct snapshot *snap, const struct lens *lens, bool runs,
			 const struct cancel *cancel, struct survey *out, struct err *err)
{
	uint8_t *code = mem_try((size_t)snap->n + 1);
	struct judging *judging;
	enum status st = OK;

	if (!code)
		return err_set(err, E_MEMORY, "there is no memory to count %u samples", snap->n);
	eval_categories(snap, lens, code);
	eval_category_counts(code, snap->n, out->categories);
	if (runs) {
		out->n_runs = snap->n_runs;
		out->runs = xcalloc((size_t)snap->n_runs + 1, sizeof *out->runs);
	}
	judging = judging_new(snap, lens);
	for (uint32_t r = 0; runs && r < snap->n_runs && st == OK; r++) {
		count_run(snap, lens, judging, (int)r, code, &out->runs[r]);
		st = cancel_check(cancel, err);
	}
	judging_free(judging);
	free(code);
	return st;
}

/* --- in a worker --- */

struct survey_job {
	struct job job;
	char *project, *dataset, *lens;
	bool runs;
	struct snapshot *snap; /* NULL: to be loaded */
	struct survey *survey; /* owned until done() hands it on */
	void (*done)(void *owner, struct survey *survey);
};

static enum status load(struct survey_job *j, struct err *err)
{
	struct conn *conn = NULL;
	enum status st = conn_open(&conn, j->project, CONN_READ, err);

	if (st == OK) {
		conn_set_cancel(conn, &j->job.cancel);
		st = snapshot_load(conn, j->dataset, &j->snap, err);
	}
	conn_close(conn);
	return st;
}

static enum status count(struct survey_job *j, struct err *err)
{
	struct lens lens;
	enum status st = j->snap ? OK : load(j, err);

	if (st != OK)
		return st;
	lens = lens_preset(j->snap, j->snap->preset);
	if (j->lens)
		st = lens_parse(&lens, j->snap, str_z(j->lens), err);
	if (st == OK)
		st = survey_count(j->snap, &lens, j->runs, &j->job.cancel, j->survey, err);
	return st;
}

static void run(struct job *job)
{
	struct survey_job *j = (struct survey_job *)job;
	struct err err = ERR_INIT;

	if (count(j, &err) != OK)
		j->survey->error = xstrdup(err.msg);
	snapshot_free(j->snap);
	j->snap = NULL;
}

static void done(struct job *job)
{
	struct survey_job *j = (struct survey_job *)job;

	j->done(job->owner, j->survey);
	j->survey = NULL;
}

static void free_job(struct job *job)
{
	struct survey_job *j = (struct survey_job *)job;

	survey_free(j->survey);
	snapshot_free(j->snap);
	free(j->project);
	free(j->dataset);
	free(j->lens);
	free(j);
}

void survey_start(struct pool *pool, const struct survey_wish *wish,
		  void (*on_done)(void *owner, struct survey *survey), void *owner)
{
	struct survey_job *j = xcalloc(1, sizeof *j);

	j->project = xstrdup(wish->project);
	j->dataset = xstrdup(wish->dataset);
	j->lens = wish->lens ? xstrdup(wish->lens) : NULL;
	j->runs = wish->runs;
	j->snap = wish->snap ? snapshot_share(wish->snap) : NULL;
	j->survey = xcalloc(1, sizeof *j->survey);
	j->survey->dataset = wish->dataset_id;
	j->done = on_done;
	j->job = (struct job){.key = SURVEY_KEYS | (uint64_t)wish->dataset_id,
			      .urgency = wish->runs,
			      .run = run,
			      .done = done,
			      .free_job = free_job,
			      .owner = owner};
	pool_submit(pool, &j->job);
}

void survey_cancel(struct pool *pool, int64_t dataset_id)
{
	pool_cancel(pool, SURVEY_KEYS | (uint64_t)dataset_id);
}
