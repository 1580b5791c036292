#include "core/net/embed.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/base/vec.h"
#include "core/net/embed_parse.h"
#include "core/net/headers.h"
#include "core/net/saying.h"
#include "core/text/json.h"

#define BATCH_USUAL 64

/* One call of embed_texts(). */
struct embedding {
	const struct endpoint *e;
	const struct embed_options *o;
	const struct str *texts;
	size_t n, next;
	uint32_t batch;
	struct secrets secrets;
	struct headers headers;
	struct embed_result *out;
	struct err why; /* the first failure */
	enum net_fail fail;
};

struct batch {
	struct http_task http;
	struct embedding *all;
	size_t first, n;    /* of the texts; empty ones included */
	VEC(uint32_t) sent; /* which of them are in the request */
	struct buf body, answer;
	float *v; /* [sent.n × dim] */
	uint32_t dim;
};

/* --- a request --- */

static const char *model_of(const struct embedding *a)
{
	return a->o->model ? a->o->model : a->e->model;
}

static void put_input(struct batch *b)
{
	struct buf clean = BUF_INIT;

	buf_z(&b->body, ",\"input\":[");
	for (size_t i = 0; i < b->n; i++) {
		struct str text = b->all->texts[b->first + i];

		if (!text.n)
			continue;
		if (b->sent.n)
			buf_ch(&b->body, ',');
		vec_push(&b->sent, (uint32_t)i);
		buf_clear(&clean);
		utf8_repair(text, &clean);
		json_quote(&b->body, buf_view(&clean));
	}
	buf_z(&b->body, "]");
	buf_release(&clean);
}

static void put_body(struct batch *b)
{
	const struct embed_options *o = b->all->o;

	buf_z(&b->body, "{\"model\":");
	json_quote(&b->body, str_z(model_of(b->all)));
	put_input(b);
	if (o->dimensions)
		buf_printf(&b->body, ",\"dimensions\":%u", o->dimensions);
	if (o->base64)
		buf_z(&b->body, ",\"encoding_format\":\"base64\"");
	buf_ch(&b->body, '}');
}

/* --- what the engine asks for --- */

static void on_begin(struct http_task *t)
{
	struct batch *b = t->ctx;

	buf_clear(&b->answer);
	free(b->v);
	b->v = NULL;
}

static enum status on_bytes(struct http_task *t, struct str bytes, struct err *err)
{
	struct batch *b = t->ctx;

	buf_str(&b->answer, bytes);
	if (!b->answer.failed)
		return OK;
	t->fail = NET_LIMIT;
	return err_set(err, E_LIMIT, "the answer is over %zu bytes", EMBED_MAX_REPLY);
}

static enum status on_complete(struct http_task *t, struct err *err)
{
	struct batch *b = t->ctx;
	struct embed_result *out = b->all->out;
	int64_t tokens = -1;

	b->dim = out->dim;
	if (embed_parse(&b->all->secrets, buf_view(&b->answer), b->sent.n, &b->v, &b->dim, &tokens,
			out->model, &t->fail, err))
		return err->code;
	if (tokens >= 0)
		out->tokens = (out->tokens < 0 ? 0 : out->tokens) + tokens;
	return OK;
}

static enum net_fail on_refused(struct http_task *t, struct err *err)
{
	struct batch *b = t->ctx;
	struct buf message = BUF_INIT;
	enum net_fail fail;

	saying_of(&b->all->secrets, buf_view(&t->reply.body), &message);
	fail = saying_status(b->all->e, model_of(b->all), t->reply.status, buf_view(&message),
			     t->reply.retry_after, err);
	buf_release(&message);
	return fail;
}

static bool was_handed_on(const struct http_task *t)
{
	(void)t;
	return false;
}

static void on_wait(struct http_task *t, double seconds)
{
	struct batch *b = t->ctx;

	if (b->all->o->wait)
		b->all->o->wait(b->all->o->ctx, seconds, &t->err);
}

static enum status make_room(struct embed_result *out, uint32_t dim, struct err *err)
{
	size_t n;

	if (out->v)
		return OK;
	if (!mem_mul(out->n, dim, &n) || !mem_mul(n, sizeof *out->v, &n) || !(out->v = mem_try(n)))
		return err_set(err, E_MEMORY, "there is no memory for %zu vectors of %u numbers",
			       out->n, dim);
	memset(out->v, 0, n);
	out->dim = dim;
	return OK;
}

static enum status keep_vectors(struct batch *b, struct err *err)
{
	struct embed_result *out = b->all->out;
	const struct embed_options *o = b->all->o;

	if (out->dim && b->dim != out->dim)
		return err_set(err, E_FORMAT, "vectors of %u and of %u numbers came back", out->dim,
			       b->dim);
	if (make_room(out, b->dim, err))
		return err->code;
	for (size_t i = 0; i < b->sent.n; i++)
		memcpy(out->v + (b->first + b->sent.v[i]) * out->dim, b->v + i * out->dim,
		       out->dim * sizeof *out->v);
	if (o->got)
		o->got(o->ctx, b->first, b->n, out->v + b->first * out->dim, out->dim);
	return OK;
}

static void free_batch(struct batch *b)
{
	vec_release(&b->sent);
	buf_release(&b->body);
	buf_release(&b->answer);
	free(b->v);
	http_task_release(&b->http);
	free(b);
}

static void on_ended(struct http_task *t)
{
	struct batch *b = t->ctx;
	struct embedding *a = b->all;

	if (t->fail == NET_NONE && keep_vectors(b, &t->err))
		t->fail = t->err.code == E_FORMAT ? NET_GARBLED : NET_LIMIT;
	if (t->fail && !a->fail) {
		a->fail = t->fail;
		a->why = t->err;
		if (t->fail != NET_CANCELLED)
			err_prefix(&a->why, "endpoint %s", a->e->name);
	}
	free_batch(b);
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

/* --- all batches --- */

static struct batch *new_batch(struct embedding *a)
{
	struct batch *b = xcalloc(1, sizeof *b);

	b->all = a;
	b->first = a->next;
	b->n = a->n - a->next < a->batch ? a->n - a->next : a->batch;
	b->answer.max = EMBED_MAX_REPLY;
	a->next += b->n;
	put_body(b);
	b->http.request = headers_request(&a->headers, a->e);
	b->http.request.post = true;
	b->http.request.body = buf_view(&b->body);
	b->http.request.max_reply = EMBED_MAX_REPLY;
	b->http.ops = &ops;
	b->http.ctx = b;
	b->http.retries = a->e->retries;
	return b;
}

static struct http_task *next_task(void *ctx)
{
	struct embedding *a = ctx;

	while (a->next < a->n && !a->fail) {
		struct batch *b = new_batch(a);

		if (b->sent.n && !b->body.failed)
			return &b->http;
		if (b->body.failed) {
			a->fail = NET_SETUP;
			err_set(&a->why, E_LIMIT, "the texts are too long for one request");
		}
		free_batch(b);
	}
	return NULL;
}

static enum status run(struct embedding *a, struct net *net, struct cancel *cancel, struct err *err)
{
	struct http_source source = {next_task, a, a->e->concurrency};
	enum status st;

	headers_init(&a->headers, a->e, &a->secrets, "/embeddings", "application/json");
	st = http_run(net, &source, cancel, err);
	headers_release(&a->headers);
	if (st)
		a->fail = a->fail && a->fail != NET_CANCELLED ? a->fail : NET_CANCELLED;
	if (a->fail && a->why.code)
		*err = a->why;
	return a->fail ? err->code : OK;
}

enum status embed_texts(struct net *net, const struct endpoint *e, const struct str *texts,
			size_t n, const struct embed_options *options, struct cancel *cancel,
			struct embed_result *out, struct err *err)
{
	static const struct embed_options usual = {0};
	struct embedding a = {
	    .e = e, .o = options ? options : &usual, .texts = texts, .n = n, .out = out};
	enum status st;

	*out = (struct embed_result){.n = n, .tokens = -1, .fail = NET_SETUP};
	a.batch = a.o->batch ? a.o->batch : BATCH_USUAL;
	if (a.batch > EMBED_MAX_BATCH)
		return err_set(err, E_LIMIT, "%u texts in one request; at most %u are sent",
			       a.batch, EMBED_MAX_BATCH);
	if (!model_of(&a))
		return err_set(err, E_USAGE, "endpoint %s names no model", e->name);
	st = secrets_fetch(e, &a.secrets, err);
	if (st) {
		err_prefix(err, "endpoint %s", e->name);
	} else {
		st = run(&a, net, cancel, err);
		out->fail = a.fail;
	}
	secrets_release(&a.secrets);
	if (st) {
		free(out->v);
		*out = (struct embed_result){.tokens = -1, .fail = out->fail};
	}
	return st;
}

void embed_result_release(struct embed_result *r)
{
	free(r->v);
	*r = (struct embed_result){.tokens = -1};
}
