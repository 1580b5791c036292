#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/net/chat_impl.h"
#include "core/net/chat_parse.h"
#include "core/net/headers.h"
#include "core/net/saying.h"

struct chat_task {
	struct http_task http;
	const struct endpoint *endpoint;
	const struct secrets *secrets;
	const struct chat_watch *watch;
	struct chat_reply *reply;
	struct chat_parse parse;
	struct headers headers;
	char *model; /* asked for */
	char *body;
	double first; /* when the first piece came; 0: not yet */
	void (*ended)(void *ctx, const struct err *why);
	void *ctx;
};

void chat_reply_init(struct chat_reply *r)
{
	*r = (struct chat_reply){.tokens_in = -1,
				 .tokens_out = -1,
				 .tokens_reasoning = -1,
				 .latency_ms = -1,
				 .first_ms = -1,
				 .wait = -1};
}

void chat_reply_release(struct chat_reply *r)
{
	buf_release(&r->text);
	buf_release(&r->reasoning);
	buf_release(&r->refusal);
}

/* --- what the engine asks for --- */

static void on_first(void *ctx)
{
	struct chat_task *c = ctx;

	if (c->first == 0)
		c->first = http_clock();
}

static void on_begin(struct http_task *t)
{
	struct chat_task *c = t->ctx;

	chat_parse_release(&c->parse);
	chat_reply_release(c->reply);
	chat_reply_init(c->reply);
	chat_parse_init(&c->parse, c->reply, c->secrets, c->watch);
	c->parse.first = on_first;
	c->parse.ctx = c;
	c->first = 0;
}

static enum status on_bytes(struct http_task *t, struct str bytes, struct err *err)
{
	struct chat_task *c = t->ctx;
	enum status st = chat_parse_feed(&c->parse, bytes, err);

	t->fail = c->parse.fail;
	t->enough = c->parse.done;
	return st;
}

static enum status on_complete(struct http_task *t, struct err *err)
{
	struct chat_task *c = t->ctx;
	enum status st = chat_parse_end(&c->parse, t->reply.type, err);

	t->fail = c->parse.fail;
	return st;
}

static enum net_fail on_refused(struct http_task *t, struct err *err)
{
	struct chat_task *c = t->ctx;
	struct buf message = BUF_INIT;
	enum net_fail fail;

	saying_of(c->secrets, buf_view(&t->reply.body), &message);
	fail = saying_status(c->endpoint, c->model, t->reply.status, buf_view(&message),
			     t->reply.retry_after, err);
	buf_release(&message);
	return fail;
}

static bool was_handed_on(const struct http_task *t)
{
	const struct chat_task *c = t->ctx;

	return c->parse.told;
}

static void on_wait(struct http_task *t, double seconds)
{
	struct chat_task *c = t->ctx;

	if (c->watch && c->watch->wait)
		c->watch->wait(c->watch->ctx, seconds, &t->err);
}

static void free_task(struct chat_task *c)
{
	chat_parse_release(&c->parse);
	headers_release(&c->headers);
	http_task_release(&c->http);
	cJSON_free(c->body);
	free(c->model);
	free(c);
}

/* What came before it was cut or stopped belongs to the reply. */
static void keep_the_rest(struct chat_task *c)
{
	struct chat_reply *r = c->reply;

	hider_end(&c->parse.text, &r->text);
	hider_end(&c->parse.thought, &r->reasoning);
	hider_end(&c->parse.refusal, &r->refusal);
}

static void take_facts(struct chat_task *c)
{
	const struct http_reply *h = &c->http.reply;
	struct chat_reply *r = c->reply;
	struct buf id = BUF_INIT;

	r->fail = c->http.fail;
	r->http = h->status;
	r->tries = c->http.tries;
	r->wait = h->retry_after;
	r->bytes_in = h->bytes_in;
	r->bytes_out = h->bytes_out;
	r->latency_ms = (h->ended - h->began) * 1e3;
	if (c->first > 0)
		r->first_ms = (c->first - h->began) * 1e3;
	saying_clean(c->secrets, str_z(h->id), CHAT_MAX_FIELD - 4, &id);
	if (id.n)
		memcpy(r->id, buf_cstr(&id), id.n + 1);
	buf_release(&id);
}

static void on_ended(struct http_task *t)
{
	struct chat_task *c = t->ctx;

	if (t->fail)
		keep_the_rest(c);
	take_facts(c);
	if (t->err.code && t->fail != NET_CANCELLED)
		err_prefix(&t->err, "endpoint %s", c->endpoint->name);
	c->ended(c->ctx, &t->err);
	free_task(c);
}

static const struct http_ops ops = {
    .begin = on_begin,
    .bytes = on_bytes,
    .complete = on_complete,
    .refused = on_refused,
    .handed_on = was_handed_on,
    .wait = on_wait,
    .ended = on_ended,
};

static enum status print_body(const struct endpoint *e, const struct chat_request *q, char **out,
			      struct err *err)
{
	cJSON *body = NULL;
	enum status st = chat_build(e, q, false, &body, err);

	if (!st) {
		*out = cJSON_PrintUnformatted(body);
		if (!*out)
			st = err_set(err, E_MEMORY, "there is no memory for the request");
	}
	cJSON_Delete(body);
	return st;
}

enum status chat_task_new(const struct endpoint *e, const struct secrets *secrets,
			  const struct chat_request *q, const struct chat_watch *watch,
			  struct chat_reply *reply, void (*ended)(void *ctx, const struct err *why),
			  void *ctx, struct http_task **out, struct err *err)
{
	struct chat_task *c;
	char *body = NULL;

	*out = NULL;
	if (print_body(e, q, &body, err)) {
		reply->fail = NET_SETUP;
		return err_prefix(err, "endpoint %s", e->name);
	}
	c = xcalloc(1, sizeof *c);
	*c = (struct chat_task){.endpoint = e,
				.secrets = secrets,
				.watch = watch,
				.reply = reply,
				.ended = ended,
				.ctx = ctx,
				.body = body,
				.model = xstrdup(q->model ? q->model : e->model)};
	headers_init(&c->headers, e, secrets, "/chat/completions",
		     q->stream ? "text/event-stream, application/json" : "application/json");
	c->http.request = headers_request(&c->headers, e);
	c->http.request.post = true;
	c->http.request.body = str_z(body);
	c->http.request.max_reply = CHAT_MAX_REPLY;
	c->http.ops = &ops;
	c->http.ctx = c;
	c->http.retries = e->retries;
	*out = &c->http;
	return OK;
}

/* --- one --- */

static void keep_why(void *ctx, const struct err *why)
{
	struct err *err = ctx;

	*err = *why;
}

enum status chat_ask(struct net *net, const struct endpoint *e, const struct chat_request *q,
		     const struct chat_watch *watch, struct cancel *cancel,
		     struct chat_reply *reply, struct err *err)
{
	struct secrets secrets;
	struct http_task *task;
	struct err why = ERR_INIT;
	enum status st = secrets_fetch(e, &secrets, err);

	if (st) {
		reply->fail = NET_SETUP;
		err_prefix(err, "endpoint %s", e->name);
	} else {
		st = chat_task_new(e, &secrets, q, watch, reply, keep_why, &why, &task, err);
	}
	if (!st) {
		http_run_one(net, task, cancel, err);
		if (why.code)
			*err = why;
		st = err->code;
	}
	secrets_release(&secrets);
	return st;
}
