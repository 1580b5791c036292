/*
 * core/net: asking models over HTTP. Everything here is done by one thread at a time, on a worker,
 * and can be stopped within 100 ms; nothing is sent that the caller did not ask for.
 *
 *   endpoint.h  where to ask: the sections [endpoint NAME] of the configuration
 *   secrets.h   the keys: fetched for one call, wiped after it, taken out of every text that comes
 *               back (a server may echo them)
 *   http.h      one request or many at once over libcurl's multi interface: ceilings, time,
 *               redirects, retries; what went wrong as a kind and as a sentence
 *   sse.h       a stream of events, cut anywhere: pure
 *   reply.h     what chat and embedding servers answer, as JSON or as events: pure
 *   chat.h      a chat request: built, shown (--dry-run), sent, its answer streamed
 *   crowd.h     many chat requests with progress, as one job of core/base/job.h
 *   embed.h     vectors of texts
 *   models.h    what models a server has (qualm doctor --endpoint)
 *
 * What must stay true: TLS is verified always; a key goes to the host of base_url and nowhere else,
 * and is never in a message, the log, a file, the process list; what the server says is shown
 * sanitised and short; nothing is retried of which a part was already handed on.
 *
 * How it is used
 *
 *   One answer, streamed (the Query view): a job with waits_in_poll whose run() is
 *       net_new(NULL, &net, err);
 *       chat_ask(net, endpoint, &request, &watch, &job->cancel, &reply, err);
 *       net_free(net);
 *   watch.text() is called on the worker with each piece: it appends to a buffer that the job
 *   guards with a lock and calls job_tell(); news() on the owner's thread copies it to the screen.
 *   Esc is cancel_now(&job->cancel): chat_ask() returns E_CANCELLED at once, and reply.text has
 *   what came.
 *   A struct net keeps its connections: lend one to job after job, never to two at a time.
 *
 *   Many (`qualm query --filter`, :query on marked samples): crowd_new() makes a job; its make()
 *   builds request k when its turn comes, its done() on the owner's thread stores reply k. To
 *   resume is to make a crowd of what is missing.
 *
 *   --dry-run: chat_show(). For a batch file: chat_body().
 *
 *   core/protocol builds a struct chat_request (messages of texts and pictures' bytes), and takes
 *   struct chat_reply apart. It needs no more of this room than chat.h, and no network.
 */
#ifndef QUALM_CORE_NET_NET_H
#define QUALM_CORE_NET_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/str.h"

/* Why a request did not end well; kept beside the sentence in struct err. The word of each is what
 * is stored and printed as `status` ("ok", "rate", …). X(id, word, status of the err) */
#define NET_FAILS(X)                                                                               \
	X(NONE, "ok", OK)                                                                          \
	X(CANCELLED, "cancelled", E_CANCELLED)                                                     \
	X(SETUP, "setup", E_USAGE)          /* not sent: no key, a picture too large */        \
	X(DNS, "dns", E_IO)                 /* the host's name is not known */                     \
	X(CONNECT, "connect", E_IO)         /* nobody listens, or no way there */                  \
	X(TLS, "tls", E_IO)                 /* the certificate cannot be trusted */                \
	X(TIMEOUT, "timeout", E_IO)                                                                \
	X(CUT, "cut", E_IO)                 /* the connection ended before the answer did */       \
	X(REDIRECT, "redirect", E_IO)       /* to another host, or to nowhere useful */            \
	X(AUTH, "auth", E_IO)               /* 401, 403 */                                         \
	X(MODEL, "model", E_NOT_FOUND)      /* 404, and it is about the model */                   \
	X(PATH, "path", E_NOT_FOUND)        /* 404, 405: base_url is wrong */                      \
	X(TOO_LARGE, "too-large", E_LIMIT)  /* 413 */                                              \
	X(RATE, "rate", E_BUSY)             /* 429 */                                              \
	X(QUOTA, "quota", E_BUSY)           /* 429, 402: nothing left to spend */                  \
	X(SERVER, "server", E_IO)           /* 5xx, or an error in mid-stream */                   \
	X(REQUEST, "request", E_USAGE)      /* another 4xx */                                  \
	X(GARBLED, "garbled", E_FORMAT)     /* the reply is not what the API promises */           \
	X(LIMIT, "limit", E_LIMIT)          /* the reply is over a ceiling */

enum net_fail {
#define X(id, ...) NET_##id,
	NET_FAILS(X)
#undef X
	N_NET_FAILS
};

const char *net_fail_word(enum net_fail fail);
enum status net_fail_status(enum net_fail fail); /* the code of the err that goes with it */
/* Would every further request to this endpoint fail in the same way? (key, model, path, TLS, name,
 * quota; a caller of many then stops) */
bool net_fail_is_lasting(enum net_fail fail);

/* Can models be asked? Loads libcurl, which nothing does before it is needed: with all that it needs
 * in turn it takes longer than the rest of a start. E_UNSUPPORTED with the reason: built without it,
 * or it is not to be had. What is pure (endpoints, building, showing, parsing) works even so. */
enum status net_check(struct err *err);
bool net_available(void);
/* "libcurl/7.88.1 OpenSSL/3.0 …" for qualm doctor; "" without it. Loads it too. */
const char *net_library(void);

/* Connections and what they share. Used by one thread at a time. */
struct net;

struct net_options {
	double backoff;  /* seconds before the first further try, doubled for each; 0: 0.5 */
	double wait_max; /* the longest wait a server may ask for before it counts as a failure;
			    0: 120 s */
	uint64_t seed;   /* of the jitter; 0: from the clock */
};

/* options may be NULL. E_UNSUPPORTED as net_check(). */
enum status net_new(const struct net_options *options, struct net **out, struct err *err);
void net_free(struct net *net); /* NULL is fine */

#endif
