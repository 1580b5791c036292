/*
 * crowd: many chat requests to one endpoint, `concurrency` at a time over one set of connections,
 * as one job. When the server asks to wait, all wait. When a failure would be everybody's (a wrong
 * key, an unknown model: net_fail_is_lasting), no further request is begun; but a 403 after others
 * were answered is that request's own: some servers refuse a picture so.
 *
 * It takes one worker for as long as it lasts: where pictures wait for workers too, submit it to a
 * pool of its own.
 */
#ifndef QUALM_CORE_NET_CROWD_H
#define QUALM_CORE_NET_CROWD_H

#include "core/base/job.h"
#include "core/net/chat.h"

struct crowd_counts {
	size_t n;              /* requests in all */
	size_t begun;          /* of them begun, finished ones included */
	size_t answered, failed; /* of them finished; neither: cancelled or under way */
	double wait_s;         /* everybody waits so long for the server; 0: nobody does */
	double rate;           /* finished a second, since the start */
};

/* Numbers k are 0..n-1, begun in order. */
struct crowd_plan {
	size_t n;
	int concurrency; /* 0: the endpoint's */
	/* On the worker, one at a time: fill request k. What it points to must last until
	 * release(k). A failure is the failure of request k, with NET_SETUP. */
	enum status (*make)(void *ctx, size_t k, struct chat_request *q, struct err *err);
	void (*release)(void *ctx, size_t k); /* on the worker, after each make(k); may be NULL */
	/* On the owner's thread, once for each request that ended, in the order of ending; why is
	 * NULL on success. A request that was cancelled under way comes too (NET_CANCELLED); those
	 * that were not begun do not. */
	void (*done)(void *ctx, size_t k, const struct chat_reply *reply, const struct err *why);
	/* On the owner's thread, last; why: NULL, or what ended it early (E_CANCELLED, or the
	 * failure that would be everybody's). May be NULL. */
	void (*ended)(void *ctx, const struct crowd_counts *counts, const struct err *why);
	void (*free_ctx)(void *ctx); /* on the owner's thread, also when it never ran; may be NULL */
	void *ctx;
};

struct crowd;

/* Copies endpoint and plan; takes plan->ctx. Submit it with crowd_submit() or free it. options may
 * be NULL (net.h). */
struct crowd *crowd_new(const struct endpoint *e, const struct net_options *options,
			const struct crowd_plan *plan);
void crowd_free(struct crowd *c); /* one that was not submitted */
/* The pool takes it: it is freed after ended(). key and urgency as in core/base/job.h. A crowd that
 * is replaced by another of its key is dropped with what it has not handed over: cancel it instead,
 * to keep that. */
void crowd_submit(struct crowd *c, struct pool *pool, uint64_t key, int urgency);
/* Stop within 100 ms; done() comes for what was under way, then ended(). On the owner's thread,
 * before ended(). */
void crowd_cancel(struct crowd *c);
/* From any thread, before ended(). */
struct crowd_counts crowd_counts(struct crowd *c);

#endif
