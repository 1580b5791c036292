/*
 * chat: one request to an OpenAI-compatible /chat/completions and its answer, streamed or in one
 * piece. What a server sends decides how it is read, not what was asked for: some answer a request
 * for a stream with plain JSON.
 */
#ifndef QUALM_CORE_NET_CHAT_H
#define QUALM_CORE_NET_CHAT_H

#include <cjson/cJSON.h>

#include "core/base/cancel.h"
#include "core/net/endpoint.h"
#include "core/net/net.h"

enum chat_part_kind { CHAT_TEXT, CHAT_IMAGE };

struct chat_part {
	enum chat_part_kind kind;
	struct str text;    /* CHAT_TEXT, UTF-8; what is not becomes U+FFFD */
	struct str bytes;   /* CHAT_IMAGE: the file's own bytes, sent as they are */
	const char *mime;   /* "image/jpeg" */
	const char *detail; /* "low", "high", "auto"; NULL: not sent */
};

struct chat_message {
	const char *role; /* "system", "user", "assistant" */
	const struct chat_part *parts; /* a single text is sent as a string, else as an array */
	size_t n_parts;
};

/* Borrows all that it points to. All zero but messages is a good request. */
struct chat_request {
	const struct chat_message *messages;
	size_t n_messages;
	const char *model; /* NULL: the endpoint's */
	int max_tokens;    /* 0: not sent */
	bool has_temperature, has_seed;
	double temperature; /* in place of the endpoint's, unless that says omit */
	int64_t seed;
	bool stream;
	const char *extra; /* the text of a JSON object merged after the endpoint's extra_body, as a
			      response_format; NULL: none */
};

#define CHAT_MAX_BODY   ((size_t)256 << 20) /* bytes of a request */
#define CHAT_MAX_REPLY  ((size_t)16 << 20)  /* bytes of an answer, its wrapping included */
#define CHAT_MAX_TEXT   ((size_t)1 << 20)   /* bytes of what is said in it, thoughts included */
#define CHAT_MAX_FIELD  256                 /* bytes of a finish reason, of a model's name */

struct chat_reply {
	struct buf text;      /* the answer, as it came; keys are taken out (net.h) */
	struct buf reasoning; /* reasoning_content, reasoning: what was thought before it */
	struct buf refusal;   /* the API's own refusal */
	char finish[CHAT_MAX_FIELD]; /* "stop", "length", "content_filter"; "" when none came */
	char model[CHAT_MAX_FIELD];  /* as the server names it; "" */
	char id[CHAT_MAX_FIELD];     /* the server's id of the request or of the answer; "" */
	int64_t tokens_in, tokens_out, tokens_reasoning; /* -1: not told */
	double latency_ms; /* of the last try, from its start to the last byte; -1: was not sent */
	double first_ms;   /* to the first piece of text or thought; -1: none came */
	uint64_t bytes_out, bytes_in; /* bodies of the last try */
	int http;          /* status of HTTP; 0: none came */
	int tries;         /* 1 + retries that were made; 0: was not sent */
	double wait;       /* seconds that the server asks to wait (429, 503); -1: not told */
	enum net_fail fail;
	bool streamed, complete; /* complete: the answer ended as it should */
};

void chat_reply_init(struct chat_reply *r);
void chat_reply_release(struct chat_reply *r);

/* What happens meanwhile; each may be NULL. Called on the thread of chat_ask(). */
struct chat_watch {
	void (*text)(void *ctx, struct str piece);     /* whole characters, in order */
	void (*thought)(void *ctx, struct str piece);  /* of the reasoning */
	/* A try failed for `why`; the next one is made in `seconds`. */
	void (*wait)(void *ctx, double seconds, const struct err *why);
	void *ctx;
};

/* Send, wait, read. Returns when the answer is there or the call has failed or `cancel` was asked
 * for (E_CANCELLED, within 100 ms). cancel_fd(cancel) is called before, from the thread that owns
 * it (a job: waits_in_poll), or stopping takes up to 50 ms more. cancel and watch may be NULL.
 * reply: initialised; it has what came also on failure, with reply->fail set. */
enum status chat_ask(struct net *net, const struct endpoint *e, const struct chat_request *q,
		     const struct chat_watch *watch, struct cancel *cancel,
		     struct chat_reply *reply, struct err *err);

/* The body of the request. The caller deletes *out. E_LIMIT for a picture over the endpoint's
 * image_max_bytes or a request over CHAT_MAX_BODY, E_USAGE without a model or for an extra that is
 * no object. */
enum status chat_body(const struct endpoint *e, const struct chat_request *q, cJSON **out,
		      struct err *err);
/* Append the request as it would be sent, for a person: method, address, headers, body; in place of
 * keys stands where they come from, in place of a picture its type and bytes. Reads no key. */
enum status chat_show(const struct endpoint *e, const struct chat_request *q, struct buf *out,
		      struct err *err);
/* The same body alone, on one line, pictures elided: what is kept beside a stored answer. */
enum status chat_show_body(const struct endpoint *e, const struct chat_request *q, struct buf *out,
			   struct err *err);

#endif
