/* chat_impl: what the files of chat share. */
#ifndef QUALM_CORE_NET_CHAT_IMPL_H
#define QUALM_CORE_NET_CHAT_IMPL_H

#include "core/net/chat.h"
#include "core/net/http.h"
#include "core/net/secrets.h"

/* chat_body(); elided: in place of a picture stands its size. */
enum status chat_build(const struct endpoint *e, const struct chat_request *q, bool elided,
		       cJSON **out, struct err *err);

/* A request under way, for one or for many at once. */
struct chat_task;

/* Builds the request; q's pictures and texts are not needed after it. Borrows e, secrets, watch and
 * reply. ended() is called when it is over, with reply, reply->fail and why (code OK on success);
 * after that the task is freed. */
enum status chat_task_new(const struct endpoint *e, const struct secrets *secrets,
			  const struct chat_request *q, const struct chat_watch *watch,
			  struct chat_reply *reply,
			  void (*ended)(void *ctx, const struct err *why), void *ctx,
			  struct http_task **out, struct err *err);

#endif
