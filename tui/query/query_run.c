/* A query under way: requests are made and sent on a worker, taken apart on the owner's thread. */
#include <stdlib.h>
#include <time.h>

#include "core/base/xmalloc.h"
#include "tui/query/query_keep.h"

#define KEEP_EVERY_MS 1000
#define KEEP_AT	      256 /* answers */

struct query {
	struct query_plan plan;
	struct query_watch watch;
	struct pool *pool;
	struct decoder *decoder;
	struct query_keep *keep;
	struct crowd *crowd; /* one of these two; both NULL: ended */
	struct stream *stream;
	struct conn *conn;   /* the worker's, to make requests with */
	struct query_request **request; /* [n]: made and not taken apart yet */
	int64_t kept_at;
	bool ended, has_why;
	int failures; /* of commits, in a row */
	struct crowd_counts counts;
	struct err why;
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* --- on the worker --- */

static enum status make(void *ctx, size_t k, struct chat_request *out, struct err *err)
{
	struct query *q = ctx;

	if (!q->conn && conn_open(&q->conn, q->plan.project, CONN_READ, err) != OK)
		return err->code;
	if (query_request_make(&q->plan, q->conn, k, q->decoder, NULL, &q->request[k], err) != OK)
		return err->code;
	*out = *query_request_chat(q->request[k]);
	return OK;
}

static void release(void *ctx, size_t k)
{
	struct query *q = ctx;

	if (q->request[k])
		query_request_drop_pictures(q->request[k]);
}

/* --- on the owner's thread --- */

#define FAILURES_MAX 3 /* commits in a row */

static void release_query(struct query *q)
{
	for (size_t k = 0; k < query_plan_requests(&q->plan); k++)
		query_request_free(q->request[k]);
	free(q->request);
	query_keep_free(q->keep);
	query_plan_release(&q->plan);
	free(q);
}

/* All that came is in the project, or cannot get there. */
static void end_when_kept(struct query *q)
{
	bool given_up = q->failures >= FAILURES_MAX;

	if (!q->ended)
		return;
	if (query_keep_open(q->keep) && !given_up) {
		query_keep_flush(q->keep);
		return;
	}
	if (q->watch.ended)
		q->watch.ended(q->watch.ctx, &q->counts, q->has_why ? &q->why : NULL);
	release_query(q);
}

static void kept(void *ctx, size_t n)
{
	struct query *q = ctx;

	q->failures = 0;
	if (q->watch.kept)
		q->watch.kept(q->watch.ctx, n);
	end_when_kept(q);
}

static void not_kept(void *ctx, const struct err *err)
{
	struct query *q = ctx;

	q->failures++;
	if (q->failures >= FAILURES_MAX) {
		q->why = *err;
		q->has_why = true;
		query_cancel(q);
	}
	end_when_kept(q);
}

/* A request that could not be made has no samples to speak for, only their ordinals. */
static void not_made(struct query *q, size_t k, const struct chat_reply *reply, const struct err *why)
{
	size_t first = k * q->plan.spec.batch;

	for (size_t i = first; i < q->plan.n && i < first + q->plan.spec.batch; i++) {
		struct query_answer a = {q->plan.ords[i], STR_NONE, {.outcome = OUTCOME_ERROR, .rule = "",
					 .degree = NAN}, reply, why};

		if (q->watch.answered)
			q->watch.answered(q->watch.ctx, &a);
	}
}

static void take(void *ctx, const struct query_request *r, size_t i, const struct query_answer *a)
{
	struct query *q = ctx;

	query_keep_add(q->keep, r, i, a);
	if (q->watch.answered)
		q->watch.answered(q->watch.ctx, a);
}

static void done(void *ctx, size_t k, const struct chat_reply *reply, const struct err *why)
{
	struct query *q = ctx;
	struct query_request *r = q->request[k];
	int64_t now = now_ms();

	q->request[k] = NULL;
	if (reply->fail == NET_CANCELLED)
		; /* it was not answered: to be asked again */
	else if (r)
		query_take_apart(q->plan.spec.protocol, r, reply, why, take, q);
	else
		not_made(q, k, reply, why);
	query_request_free(r);
	if (query_keep_open(q->keep) >= KEEP_AT || now - q->kept_at >= KEEP_EVERY_MS) {
		q->kept_at = now;
		query_keep_flush(q->keep);
	}
}

static void ended(void *ctx, const struct crowd_counts *counts, const struct err *why)
{
	struct query *q = ctx;

	q->crowd = NULL;
	q->stream = NULL;
	q->counts = *counts;
	q->ended = true;
	conn_close(q->conn);
	if (why && !q->has_why) {
		q->why = *why;
		q->has_why = true;
	}
	end_when_kept(q);
}

static void coming(void *ctx, const struct stream_news *news)
{
	struct query *q = ctx;

	q->watch.coming(q->watch.ctx, news);
}

/* --- from outside --- */

struct query *query_start(struct query_plan *plan, struct pool *pool, struct decoder *decoder,
			  const struct net_options *net, const struct query_watch *watch)
{
	struct query *q = xcalloc(1, sizeof *q);
	struct crowd_plan crowd = {.n = query_plan_requests(plan), .make = make, .release = release,
				   .done = done, .ended = ended, .ctx = q};

	*q = (struct query){.plan = *plan, .watch = *watch, .pool = pool, .decoder = decoder,
			    .kept_at = now_ms()};
	*plan = (struct query_plan){0};
	q->request = xcalloc(crowd.n + 1, sizeof *q->request);
	q->keep = query_keep_new(&q->plan, pool, q, kept, not_kept);
	if (watch->coming && crowd.n == 1) {
		q->stream = stream_start(&q->plan.spec.endpoint, net, &crowd, coming, pool, 10);
	} else {
		q->crowd = crowd_new(&q->plan.spec.endpoint, net, &crowd);
		crowd_submit(q->crowd, pool, 0, 10);
	}
	return q;
}

void query_cancel(struct query *q)
{
	if (q->crowd)
		crowd_cancel(q->crowd);
	if (q->stream)
		stream_cancel(q->stream);
}

struct crowd_counts query_counts(struct query *q)
{
	return q->crowd ? crowd_counts(q->crowd) : q->stream ? stream_counts(q->stream) : q->counts;
}
