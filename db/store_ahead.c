/*
 * What is to be found out about each run of the file without the database, by other threads ahead of
 * the one that owns the store. They read the store; what they write is their run's alone.
 */
#include <poll.h>

#include "core/base/job.h"
#include "db/store_internal.h"

#define AHEAD 2 /* runs: what they come to takes memory */
#define WORTH ((uint64_t)100000) /* answers, of which threads are worth having */

struct ahead_job {
	struct job job; /* first */
	struct ahead *all;
	size_t i;
	bool done;
};

struct ahead {
	store_ahead_fn *work;
	void *ctx;
	struct pool *pool; /* NULL: the owner does it all */
	struct ahead_job *jobs;
	size_t n, n_out;
};

static void run_job(struct job *job)
{
	struct ahead_job *j = (struct ahead_job *)job;

	if (!cancel_is(&job->cancel))
		j->all->work(j->all->ctx, j->i);
}

static void job_done(struct job *job)
{
	((struct ahead_job *)job)->done = true;
}

static void job_stays(struct job *job)
{
	(void)job;
}

static bool is_worth(const struct store *s, size_t n)
{
	return s->opt->threads != 1 && n > 1 &&
	       (s->opt->piece || (uint64_t)store_n_samples(s) * n >= WORTH);
}

struct ahead *store_ahead_new(const struct store *s, size_t n, store_ahead_fn *work, void *ctx)
{
	struct ahead *a = xcalloc(1, sizeof *a);
	struct err ignored = ERR_INIT;

	*a = (struct ahead){.work = work, .ctx = ctx, .n = n};
	a->jobs = xcalloc(n + 1, sizeof *a->jobs);
	if (is_worth(s, n))
		a->pool = pool_new(AHEAD, &ignored);
	return a;
}

static void hand_out(struct ahead *a)
{
	struct ahead_job *j = &a->jobs[a->n_out];

	j->job = (struct job){.run = run_job, .done = job_done, .free_job = job_stays};
	j->all = a;
	j->i = a->n_out++;
	pool_submit(a->pool, &j->job);
}

void store_ahead_wait(struct ahead *a, size_t i)
{
	if (!a->pool) {
		a->work(a->ctx, i);
		return;
	}
	while (a->n_out < a->n && a->n_out <= i + AHEAD)
		hand_out(a);
	while (!a->jobs[i].done) {
		struct pollfd fd = {pool_fd(a->pool), POLLIN, 0};

		poll(&fd, 1, -1);
		pool_reap(a->pool);
	}
}

void store_ahead_free(struct ahead *a)
{
	pool_free(a->pool);
	free(a->jobs);
	free(a);
}
