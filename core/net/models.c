#include "core/net/models.h"

#include <stdlib.h>

#include "core/base/vec.h"
#include "core/net/headers.h"
#include "core/net/saying.h"
#include "core/text/json.h"

struct listing {
	struct http_task http;
	const struct endpoint *e;
	struct secrets secrets;
	struct buf answer;
	struct models *out;
	enum net_fail fail;
	struct err why;
};

bool models_parse(const struct secrets *secrets, struct str body, struct models *out)
{
	struct err ignored = ERR_INIT;
	const cJSON *list, *item;
	cJSON *tree = NULL;
	bool is_list;

	if (json_parse(body, &tree, &ignored) != OK)
		return false;
	list = json_get(tree, "data") ? json_get(tree, "data") : json_get(tree, "models");
	is_list = cJSON_IsArray(list);
	cJSON_ArrayForEach(item, list)
	{
		struct str id = json_text(json_get(item, "id"));
		struct buf name = BUF_INIT;

		if (!id.n)
			id = json_text(json_get(item, "name"));
		if (!is_list || !id.n || out->n == MODELS_MAX)
			continue;
		saying_clean(secrets, id, 250, &name);
		vec_reserve(out, 1);
		out->v[out->n++] = buf_take(&name);
	}
	cJSON_Delete(tree);
	return is_list;
}

void models_release(struct models *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->v[i]);
	free(m->v);
	*m = (struct models){0};
}

static void on_begin(struct http_task *t)
{
	struct listing *l = t->ctx;

	buf_clear(&l->answer);
}

static enum status on_bytes(struct http_task *t, struct str bytes, struct err *err)
{
	struct listing *l = t->ctx;

	(void)err; /* the engine keeps max_reply */
	buf_str(&l->answer, bytes);
	return OK;
}

static enum status on_complete(struct http_task *t, struct err *err)
{
	struct listing *l = t->ctx;
	struct buf head = BUF_INIT;

	if (models_parse(&l->secrets, buf_view(&l->answer), l->out))
		return OK;
	saying_of(&l->secrets, buf_view(&l->answer), &head);
	err_set(err, E_FORMAT, "the server's list of models is none: %s",
		head.n ? buf_cstr(&head) : "is base_url right?");
	buf_release(&head);
	t->fail = NET_GARBLED;
	return err->code;
}

static enum net_fail on_refused(struct http_task *t, struct err *err)
{
	struct listing *l = t->ctx;
	struct buf message = BUF_INIT;
	enum net_fail fail;

	saying_of(&l->secrets, buf_view(&t->reply.body), &message);
	fail = saying_status(l->e, NULL, t->reply.status, buf_view(&message), t->reply.retry_after,
			     err);
	buf_release(&message);
	if (fail != NET_MODEL)
		return fail;
	err->code = net_fail_status(NET_PATH);
	return NET_PATH;
}

static bool was_handed_on(const struct http_task *t)
{
	(void)t;
	return false;
}

static void on_ended(struct http_task *t)
{
	struct listing *l = t->ctx;

	l->fail = t->fail;
	l->why = t->err;
}

static const struct http_ops ops = {
    .begin = on_begin,
    .bytes = on_bytes,
    .complete = on_complete,
    .refused = on_refused,
    .handed_on = was_handed_on,
    .ended = on_ended,
};

static void ask(struct listing *l, struct net *net, struct cancel *cancel, struct err *err)
{
	struct headers headers;

	headers_init(&headers, l->e, &l->secrets, "/models", "application/json");
	l->http = (struct http_task){.request = headers_request(&headers, l->e),
				     .ops = &ops,
				     .ctx = l,
				     .retries = l->e->retries};
	l->http.request.max_reply = MODELS_MAX_REPLY;
	http_run_one(net, &l->http, cancel, err);
	http_task_release(&l->http);
	headers_release(&headers);
	if (l->why.code)
		*err = l->why;
}

enum status models_list(struct net *net, const struct endpoint *e, struct cancel *cancel,
			struct models *out, enum net_fail *fail, struct err *err)
{
	struct listing l = {.e = e, .out = out, .fail = NET_SETUP};

	*out = (struct models){0};
	if (secrets_fetch(e, &l.secrets, err) == OK)
		ask(&l, net, cancel, err);
	secrets_release(&l.secrets);
	buf_release(&l.answer);
	*fail = l.fail;
	return err->code ? err_prefix(err, "endpoint %s", e->name) : OK;
}
