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
	struct crowd *crowd; /* NULL: ended */
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

static void end_if_all_is_kept(struct query *q)
{
	if (!q->ended || (query_keep_open(q->keep) && !q->has_why))
		return;
	if (q->watch.ended)
		q->watch.ended(q->watch.ctx, &q->counts, q->has_why ? &q->why : NULL);
	for (size_t k = 0; k < query_plan_requests(&q->plan); k++)
		query_request_free(q->request[k]);
	free(q->request);
	query_keep_free(q->keep);
	query_plan_release(&q->plan);
	free(q);
}

static void kept(void *ctx, size_t n)
{
	struct query *q = ctx;

	q->failures = 0;
	q->kept_at = now_ms();
	if (q->watch.kept)
		q->watch.kept(q->watch.ctx, n);
	if (q->ended && query_keep_open(q->keep))
		query_keep_flush(q->keep);
	end_if_all_is_kept(q);
}
