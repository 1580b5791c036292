/*
 * http: requests over libcurl's multi interface, one or many at once, with ceilings, retries and
 * cancel. It knows neither endpoints nor JSON: whoever has a task says what its bytes mean.
 *
 * A redirect is followed only within the same scheme, host and port, and only where the method
 * stays; any other ends in NET_REDIRECT, so that neither key nor body goes where nobody said.
 */
#ifndef QUALM_CORE_NET_HTTP_H
#define QUALM_CORE_NET_HTTP_H

#include "core/base/cancel.h"
#include "core/net/net.h"

#define HTTP_MAX_HEADERS   ((size_t)64 << 10) /* bytes of a reply's headers */
#define HTTP_MAX_ERROR     ((size_t)64 << 10) /* bytes that are read of a reply that is no 2xx */
#define HTTP_MAX_REDIRECTS 3
#define HTTP_CONNECT_TIME  20.0 /* seconds, where the whole may take longer */

struct http_header {
	const char *name, *value;
};

struct http_request { /* borrows all; until the task has ended */
	bool post;
	const char *url;
	const struct http_header *header;
	size_t n_headers;
	struct str body;
	const char *ca_file; /* NULL: $SSL_CERT_FILE, else the system's */
	double timeout;	     /* seconds for one try */
	size_t max_reply;    /* bytes of a body */
};

struct http_reply { /* of the last try */
	int status;	      /* 0: none came */
	char type[64];	      /* content type without parameters, as it was sent */
	char id[256];	      /* x-request-id, as it was sent */
	double retry_after;   /* seconds; -1: not told */
	struct buf body;      /* of a status other than 2xx, its first HTTP_MAX_ERROR bytes */
	uint64_t bytes_in, bytes_out;
	double began, ended;  /* seconds on http_clock() */
};

struct http_task;

struct http_ops {
	/* A try begins: forget what came of an earlier one. */
	void (*begin)(struct http_task *t);
	/* Bytes of a 2xx body. A failure sets t->fail and ends the try. t->enough = true: all that
	 * matters is there, whatever becomes of the connection. */
	enum status (*bytes)(struct http_task *t, struct str bytes, struct err *err);
	/* The 2xx body is complete. A failure sets t->fail. */
	enum status (*complete)(struct http_task *t, struct err *err);
	/* Another status: says why, returns the kind. */
	enum net_fail (*refused)(struct http_task *t, struct err *err);
	/* Was any of it handed on, so that no other try may be made? */
	bool (*handed_on)(const struct http_task *t);
	/* A try failed (t->err); the next one begins in so many seconds. */
	void (*wait)(struct http_task *t, double seconds);
	/* All over: t->fail, t->err, t->reply. The task may be freed here. */
	void (*ended)(struct http_task *t);
};

struct http_task {
	struct http_request request;
	const struct http_ops *ops;
	void *ctx;
	int retries;
	/* the engine's */
	struct http_reply reply;
	enum net_fail fail;
	struct err err;
	int tries;
	bool enough;
};

/* Where tasks come from. */
struct http_source {
	struct http_task *(*next)(void *ctx); /* NULL: there are no more */
	void *ctx;
	int at_once;
};

/* Runs all of them; returns OK when the source is empty and all have ended, however they did.
 * E_CANCELLED: those under way have ended with NET_CANCELLED, no further one was taken. When a
 * server asks one task to wait, no new one is begun meanwhile. */
enum status http_run(struct net *net, const struct http_source *source, struct cancel *cancel,
		     struct err *err);
/* The same for one task, whose ended() says how it went. */
enum status http_run_one(struct net *net, struct http_task *t, struct cancel *cancel,
			 struct err *err);

void http_task_release(struct http_task *t); /* what the engine has put into it */
double http_clock(void);		     /* monotonic seconds */

#endif
