#include "core/net/http.h"

#ifdef HAVE_CURL
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/xmalloc.h"
#include "core/net/http_curl.h"
#include "core/net/retry.h"

#define CLOSE_AFTER_ENOUGH 0.25 /* seconds that a server has to end what is complete */

struct net {
	CURLM *multi;
	struct net_options options;
	uint64_t dice;
};

/* One call of http_run(). */
struct round {
	struct net *net;
	struct transfer *live;
	int n_live;
	double hold; /* no new task before this time */
};

/* --- the library --- */

enum status net_check(struct err *err)
{
	return curl_load(err);
}

const char *net_library(void)
{
	return net_available() ? curl.version() : "";
}

enum status net_new(const struct net_options *options, struct net **out, struct err *err)
{
	struct net *net;
	struct timespec now;

	*out = NULL;
	if (net_check(err))
		return err_prefix(err, "models cannot be asked");
	net = xcalloc(1, sizeof *net);
	net->multi = curl.multi_init();
	if (!net->multi) {
		free(net);
		return err_set(err, E_MEMORY, "libcurl cannot be started");
	}
	if (options)
		net->options = *options;
	if (!(net->options.backoff > 0))
		net->options.backoff = 0.5;
	if (!(net->options.wait_max > 0))
		net->options.wait_max = 120;
	clock_gettime(CLOCK_REALTIME, &now);
	net->dice = net->options.seed ? net->options.seed
				      : (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 30 ^ 1;
	*out = net;
	return OK;
}

void net_free(struct net *net)
{
	if (!net)
		return;
	curl.multi_cleanup(net->multi);
	free(net);
}

/* splitmix64; 0 <= chance < 1 */
static double chance(struct net *net)
{
	uint64_t z = net->dice += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* --- one try --- */

static void close_try(struct round *r, struct transfer *x)
{
	if (!x->easy)
		return;
	curl.multi_remove_handle(r->net->multi, x->easy);
	transfer_close(x);
}

static void forget(struct round *r, struct transfer *x)
{
	struct transfer **at = &r->live;

	while (*at != x)
		at = &(*at)->next;
	*at = x->next;
	r->n_live--;
	close_try(r, x);
	free(x->url);
	free(x);
}

static void end_task(struct round *r, struct transfer *x)
{
	struct http_task *t = x->task;

	forget(r, x);
	t->ops->ended(t);
}

static void begin_try(struct round *r, struct transfer *x)
{
	struct http_task *t = x->task;

	t->tries++;
	t->ops->begin(t);
	t->fail = NET_NONE;
	t->enough = false;
	err_clear(&t->err);
	if (transfer_open(x) == OK && curl.multi_add_handle(r->net->multi, x->easy) == CURLM_OK)
		return;
	if (!t->err.code) {
		t->fail = NET_SETUP;
		err_set(&t->err, E_MEMORY, "libcurl cannot take the request");
	}
	end_task(r, x);
}

static bool may_retry(const struct round *r, const struct http_task *t)
{
	return t->tries <= t->retries && retry_is_safe(t->fail) && !t->ops->handed_on(t) &&
	       t->reply.retry_after <= r->net->options.wait_max;
}

/* A try is over; t->fail says how. */
static void after_try(struct round *r, struct transfer *x)
{
	struct http_task *t = x->task;
	double wait, now = http_clock();

	close_try(r, x);
	log_line("net", "%s %d %s in %.0f ms, try %d", t->request.post ? "POST" : "GET",
		 t->reply.status, net_fail_word(t->fail), (t->reply.ended - t->reply.began) * 1e3,
		 t->tries);
	if (t->fail == NET_NONE || !may_retry(r, t)) {
		end_task(r, x);
		return;
	}
	wait = retry_delay(r->net->options.backoff, t->tries, t->reply.retry_after, chance(r->net));
	x->not_before = now + wait;
	if (t->reply.retry_after > 0 && now + t->reply.retry_after > r->hold)
		r->hold = now + t->reply.retry_after;
	if (t->ops->wait)
		t->ops->wait(t, wait);
}

/* --- all of them --- */

static void reap(struct round *r)
{
	CURLMsg *m;
	int left;

	while ((m = curl.multi_info_read(r->net->multi, &left))) {
		struct transfer *x = NULL;
		CURLcode code = m->data.result;

		if (m->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&x);
		transfer_finish(x, code);
		if (x->redirected) {
			close_try(r, x);
			x->task->tries--;
			begin_try(r, x);
		} else {
			after_try(r, x);
		}
	}
}

/* Servers that say [DONE] and keep the connection open. */
static void close_the_complete(struct round *r, double now)
{
	struct transfer *next;

	for (struct transfer *x = r->live; x; x = next) {
		next = x->next;
		if (!x->easy || !x->task->enough)
			continue;
		if (x->enough_since == 0)
			x->enough_since = now;
		if (now - x->enough_since < CLOSE_AFTER_ENOUGH)
			continue;
		transfer_finish(x, CURLE_OK);
		after_try(r, x);
	}
}

static void try_again(struct round *r, double now)
{
	struct transfer *next;

	for (struct transfer *x = r->live; x; x = next) {
		next = x->next;
		if (!x->easy && x->not_before <= now)
			begin_try(r, x);
	}
}

/* false: there are no more. */
static bool begin_new(struct round *r, const struct http_source *source, double now)
{
	while (r->n_live < source->at_once && r->hold <= now) {
		struct http_task *t = source->next(source->ctx);
		struct transfer *x;

		if (!t)
			return false;
		x = xcalloc(1, sizeof *x);
		x->task = t;
		x->url = xstrdup(t->request.url);
		x->next = r->live;
		r->live = x;
		r->n_live++;
		begin_try(r, x);
	}
	return true;
}

static void cancel_all(struct round *r)
{
	while (r->live) {
		struct http_task *t = r->live->task;

		transfer_facts(r->live);
		t->fail = NET_CANCELLED;
		err_set(&t->err, E_CANCELLED, "stopped");
		end_task(r, r->live);
	}
}

/* Milliseconds until something is to be done that no descriptor tells of. */
static int sleep_ms(const struct round *r, bool more, bool told, double now)
{
	double until = now + (told ? 1 : 0.05);

	for (const struct transfer *x = r->live; x; x = x->next) {
		if (!x->easy && x->not_before < until)
			until = x->not_before;
		if (x->easy && x->task->enough && now + CLOSE_AFTER_ENOUGH < until)
			until = now + CLOSE_AFTER_ENOUGH;
	}
	if (more && r->hold > now && r->hold < until)
		until = r->hold;
	return until > now ? (int)((until - now) * 1e3) + 1 : 0;
}

static enum status turn(struct round *r, struct cancel *cancel, bool more, struct err *err)
{
	struct curl_waitfd stop = {cancel ? cancel->fd[0] : -1, CURL_WAIT_POLLIN, 0};
	bool can_tell = !cancel || stop.fd >= 0;
	int running;

	if (curl.multi_perform(r->net->multi, &running) != CURLM_OK)
		return err_set(err, E_IO, "libcurl failed");
	reap(r);
	close_the_complete(r, http_clock());
	if (!r->live && !(more && r->hold > http_clock()))
		return OK;
	curl.multi_poll(r->net->multi, &stop, stop.fd >= 0 ? 1 : 0,
			sleep_ms(r, more, can_tell, http_clock()), NULL);
	return OK;
}

enum status http_run(struct net *net, const struct http_source *source, struct cancel *cancel,
		     struct err *err)
{
	struct round r = {.net = net};
	bool more = true;
	enum status st = OK;

	while (!st && (more || r.live)) {
		st = cancel_check(cancel, err);
		if (st)
			break;
		try_again(&r, http_clock());
		more = more && begin_new(&r, source, http_clock());
		st = turn(&r, cancel, more, err);
	}
	cancel_all(&r);
	return st;
}

#else

const char *net_library(void)
{
	return "";
}

enum status net_check(struct err *err)
{
	return err_set(err, E_UNSUPPORTED,
		       "this qualm was built without libcurl; build it again with libcurl's "
		       "development package installed");
}

enum status net_new(const struct net_options *options, struct net **out, struct err *err)
{
	(void)options;
	*out = NULL;
	net_check(err);
	return err_prefix(err, "models cannot be asked");
}

void net_free(struct net *net)
{
	(void)net;
}

enum status http_run(struct net *net, const struct http_source *source, struct cancel *cancel,
		     struct err *err)
{
	(void)net;
	(void)source;
	(void)cancel;
	return net_check(err);
}

#endif
