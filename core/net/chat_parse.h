/*
 * chat_parse: the answer of /chat/completions from bytes, cut anywhere, into a struct chat_reply: a
 * stream of events or one JSON, as the first byte tells. Pure; keys are taken out of all text.
 */
#ifndef QUALM_CORE_NET_CHAT_PARSE_H
#define QUALM_CORE_NET_CHAT_PARSE_H

#include "core/net/chat.h"
#include "core/net/secrets.h"
#include "core/net/sse.h"

struct chat_parse {
	struct chat_reply *reply;
	const struct secrets *secrets; /* may be NULL */
	const struct chat_watch *watch; /* may be NULL */
	enum { CHAT_UNKNOWN, CHAT_JSON, CHAT_EVENTS } shape;
	struct sse sse;
	struct buf whole, scratch; /* whole: of the JSON, or of what is not known yet */
	struct hider text, thought, refusal;
	bool done;   /* [DONE] was read: nothing more matters */
	bool ending; /* what comes now may be torn */
	bool told;   /* something was given to watch */
	void (*first)(void *ctx); /* the first piece of text or thought came; may be NULL */
	void *ctx;
	enum net_fail fail; /* of what failed here */
};

/* p: where it stays, for it points to itself. reply: initialised, and empty. */
void chat_parse_init(struct chat_parse *p, struct chat_reply *reply, const struct secrets *secrets,
		     const struct chat_watch *watch);
/* A failure (p->fail) is final. reply->text has what came. */
enum status chat_parse_feed(struct chat_parse *p, struct str bytes, struct err *err);
/* All bytes were fed; type: what the server calls them, for the message when they are no answer.
 * NET_CUT when a stream has ended too early. */
enum status chat_parse_end(struct chat_parse *p, const char *type, struct err *err);
void chat_parse_release(struct chat_parse *p);

#endif
