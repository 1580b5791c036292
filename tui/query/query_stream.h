/*
 * query_stream: one request, whose answer is shown while it comes: crowd.h for a single request,
 * with the same plan. The plan's n is 1.
 */
#ifndef QUALM_TUI_QUERY_QUERY_STREAM_H
#define QUALM_TUI_QUERY_QUERY_STREAM_H

#include "core/net/crowd.h"

/* What has come so far, on the owner's thread; each is good for the call alone. */
struct stream_news {
	struct str text, thought;
	double wait_s;  /* the server is given so long before the next try; 0: it is not waited for */
	struct str why; /* why the last try failed; empty: none has */
};

struct stream;

/* Copies endpoint and plan. news may be NULL. Submitted at once; it is freed after ended(), or when
 * the pool goes away before. */
struct stream *stream_start(const struct endpoint *e, const struct net_options *options,
			    const struct crowd_plan *plan,
			    void (*news)(void *ctx, const struct stream_news *news),
			    struct pool *pool, int urgency);
/* As crowd_cancel() and crowd_counts(), before ended(). */
void stream_cancel(struct stream *s);
struct crowd_counts stream_counts(struct stream *s);

#endif
