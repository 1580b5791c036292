#include "core/net/net.h"

#include <stdlib.h>
#include <time.h>

#include "core/net/http.h"

const char *net_fail_word(enum net_fail fail)
{
	static const char *const words[N_NET_FAILS] = {
#define X(id, word, status) [NET_##id] = word,
	    NET_FAILS(X)
#undef X
	};

	return (unsigned)fail < N_NET_FAILS ? words[fail] : "";
}

enum status net_fail_status(enum net_fail fail)
{
	static const enum status codes[N_NET_FAILS] = {
#define X(id, word, status) [NET_##id] = status,
	    NET_FAILS(X)
#undef X
	};

	return (unsigned)fail < N_NET_FAILS ? codes[fail] : E_IO;
}

bool net_fail_is_lasting(enum net_fail fail)
{
	return fail == NET_AUTH || fail == NET_MODEL || fail == NET_PATH || fail == NET_TLS ||
	       fail == NET_DNS || fail == NET_QUOTA || fail == NET_REDIRECT;
}

bool net_available(void)
{
	struct err err = ERR_INIT;

	return net_check(&err) == OK;
}

double http_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void http_task_release(struct http_task *t)
{
	buf_release(&t->reply.body);
}

static struct http_task *take_one(void *ctx)
{
	struct http_task **task = ctx, *t = *task;

	*task = NULL;
	return t;
}

enum status http_run_one(struct net *net, struct http_task *t, struct cancel *cancel,
			 struct err *err)
{
	struct http_source source = {take_one, &t, 1};
	enum status st = http_run(net, &source, cancel, err);

	if (t) { /* stopped before it was begun */
		t->fail = NET_CANCELLED;
		t->err = *err;
		t->ops->ended(t);
	}
	return st;
}
