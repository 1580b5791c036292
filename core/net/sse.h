/*
 * sse: a stream of server-sent events (WHATWG HTML, §9.2.6), cut anywhere. Lines end in LF, CR or
 * CRLF; comments, `id` and `retry` are passed over; several `data` lines are joined by LF. An event
 * without data is none. Pure.
 */
#ifndef QUALM_CORE_NET_SSE_H
#define QUALM_CORE_NET_SSE_H

#include "core/base/err.h"
#include "core/base/str.h"

#define SSE_MAX_EVENT ((size_t)4 << 20) /* bytes of one event; a line cannot be longer */

/* event: its type, "" when none was given. The texts live for the length of the call. A status
 * other than OK ends the feeding and is passed on. */
typedef enum status sse_event(void *ctx, struct str event, struct str data, struct err *err);

struct sse {
	sse_event *on_event;
	void *ctx;
	struct buf line, data, event;
	bool begun, after_cr, has_data;
};

void sse_init(struct sse *s, sse_event *on_event, void *ctx);
/* E_LIMIT for an event over the ceiling. */
enum status sse_feed(struct sse *s, struct str bytes, struct err *err);
/* The stream has ended: an event that lacks its blank line, even its line's end, is given too,
 * though it may be torn. */
enum status sse_end(struct sse *s, struct err *err);
void sse_release(struct sse *s);

#endif
