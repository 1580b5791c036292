/*
 * job: work away from the thread that owns the screen.
 *
 * A job owns its inputs and results and touches nothing else while run() runs on a worker.
 * When it has ended the pool's descriptor becomes readable; the owner calls pool_reap(), which
 * calls done() and then free_job() on the owner's thread. A job submitted under a key replaces a queued one
 * with the same key and cancels a running one: done() of a replaced job is never called
 * (free_job() is), so stale results cannot arrive. Key 0 replaces nothing.
 */
#ifndef QUALM_CORE_BASE_JOB_H
#define QUALM_CORE_BASE_JOB_H

#include <stdint.h>

#include "core/base/cancel.h"

struct job {
	uint64_t key;
	int urgency; /* higher first among the queued; equal: first come */
	void (*run)(struct job *job);      /* on a worker; test &job->cancel in every loop */
	void (*news)(struct job *job);     /* on the owner's thread, after job_tell(); may be NULL */
	void (*done)(struct job *job);     /* on the owner's thread; may be NULL */
	void (*free_job)(struct job *job); /* releases the whole object, on the owner's thread */
	void *owner;                       /* for done(); the pool does not touch it */
	bool waits_in_poll;                /* run() polls: make cancel's descriptor too */
	struct cancel cancel;              /* set up by pool_submit() */
	int worker;                        /* for run(): which of the pool's threads it is on, from 0 */
	/* the pool's own */
	struct pool *pool;
	struct job *next;
	bool stale, told;
};

struct pool;

/* From run(): there is something to show already. news() follows soon, once for any number of
 * calls, and never after done(); what it reads of the job is the two's own to guard. */
void job_tell(struct job *job);

struct pool *pool_new(int n_threads, struct err *err); /* NULL on failure */
int pool_fd(const struct pool *pool);
void pool_submit(struct pool *pool, struct job *job); /* takes job */
void pool_cancel(struct pool *pool, uint64_t key);    /* all jobs of that key become stale */
void pool_reap(struct pool *pool);                    /* on the owner's thread */
bool pool_busy(struct pool *pool);                    /* anything queued, running or not reaped? */
/* Wait until nothing is queued or running, reaping on the way (headless scripts, tests). */
void pool_settle(struct pool *pool);
void pool_free(struct pool *pool); /* cancels and joins; NULL is fine */

#endif
