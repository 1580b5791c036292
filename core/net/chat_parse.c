#include "core/net/chat_parse.h"

#include "core/net/saying.h"
#include "core/text/json.h"

#define MAX_EXACT 9007199254740992.0 /* 2^53 */

void chat_parse_init(struct chat_parse *p, struct chat_reply *reply, const struct secrets *secrets,
		     const struct chat_watch *watch)
{
	*p = (struct chat_parse){.reply = reply, .secrets = secrets, .watch = watch};
	p->whole.max = CHAT_MAX_REPLY;
	p->text.secrets = p->thought.secrets = p->refusal.secrets = secrets;
}

void chat_parse_release(struct chat_parse *p)
{
	sse_release(&p->sse);
	buf_release(&p->whole);
	buf_release(&p->scratch);
	hider_release(&p->text);
	hider_release(&p->thought);
	hider_release(&p->refusal);
}

static enum status failed(struct chat_parse *p, enum net_fail fail, struct err *err)
{
	p->fail = fail;
	err->code = net_fail_status(fail);
	return err->code;
}

/* --- pieces --- */

typedef void tell_piece(void *ctx, struct str piece);

static void hand_on(struct chat_parse *p, struct buf *to, size_t from, tell_piece *tell)
{
	if (to->n == from)
		return;
	if (tell) {
		tell(p->watch->ctx, (struct str){to->p + from, to->n - from});
		p->told = true;
	}
}

static void add(struct chat_parse *p, struct hider *h, struct buf *to, struct str piece,
		tell_piece *tell)
{
	size_t from = to->n;

	if (!piece.n)
		return;
	if (p->first)
		p->first(p->ctx);
	hider_feed(h, piece, to);
	hand_on(p, to, from, tell);
}

static void end_text(struct chat_parse *p, struct hider *h, struct buf *to, tell_piece *tell)
{
	size_t from = to->n;

	hider_end(h, to);
	hand_on(p, to, from, tell);
}

static void add_text(struct chat_parse *p, struct str piece)
{
	add(p, &p->text, &p->reply->text, piece, p->watch ? p->watch->text : NULL);
}

static void add_thought(struct chat_parse *p, struct str piece)
{
	add(p, &p->thought, &p->reply->reasoning, piece, p->watch ? p->watch->thought : NULL);
}

static void set_field(struct chat_parse *p, char to[CHAT_MAX_FIELD], const cJSON *item)
{
	struct str s = json_text(item);

	if (!s.n)
		return;
	buf_clear(&p->scratch);
	saying_clean(p->secrets, s, CHAT_MAX_FIELD - 4, &p->scratch);
	memcpy(to, buf_cstr(&p->scratch), p->scratch.n + 1);
}

/* --- JSON of an answer, whole or a piece --- */

/* Some servers give an array of parts in place of a text. */
static void add_content(struct chat_parse *p, const cJSON *content)
{
	const cJSON *part;

	if (cJSON_IsString(content))
		add_text(p, json_text(content));
	if (!cJSON_IsArray(content))
		return;
	cJSON_ArrayForEach(part, content)
	{
		if (str_eqz(json_text(json_get(part, "type")), "thinking"))
			add_thought(p, json_text(json_get(part, "thinking")));
		else
			add_text(p, json_text(json_get(part, "text")));
	}
}

/* Servers name the same thoughts in one of two ways, some in both. */
static void add_reasoning(struct chat_parse *p, const cJSON *message)
{
	struct str s = json_text(json_get(message, "reasoning_content"));

	add_thought(p, s.n ? s : json_text(json_get(message, "reasoning")));
}

static void take_choice(struct chat_parse *p, const cJSON *choice)
{
	const cJSON *delta = json_get(choice, "delta"), *message = json_get(choice, "message");
	struct chat_reply *r = p->reply;

	if (cJSON_IsObject(delta))
		message = delta;
	add_reasoning(p, message);
	add_content(p, json_get(message, "content"));
	add(p, &p->refusal, &r->refusal, json_text(json_get(message, "refusal")), NULL);
	set_field(p, r->finish, json_get(choice, "finish_reason"));
}

static void take_count(const cJSON *item, int64_t *out)
{
	double n;

	if (json_number(item, &n) && n >= 0 && n <= MAX_EXACT)
		*out = (int64_t)n;
}

static void take_usage(struct chat_reply *r, const cJSON *usage)
{
	take_count(json_get(usage, "prompt_tokens"), &r->tokens_in);
	take_count(json_get(usage, "completion_tokens"), &r->tokens_out);
	take_count(json_get(json_get(usage, "completion_tokens_details"), "reasoning_tokens"),
		   &r->tokens_reasoning);
}

static enum status take_error(struct chat_parse *p, const cJSON *tree, struct err *err)
{
	struct buf message = BUF_INIT;

	saying_of_json(p->secrets, tree, &message);
	err_set(err, E_IO, "the server failed in the middle: %s",
		message.n ? buf_cstr(&message) : "it does not say why");
	buf_release(&message);
	return failed(p, NET_SERVER, err);
}

static bool is_first(const cJSON *choice)
{
	double index = 0;

	json_number(json_get(choice, "index"), &index);
	return index == 0;
}

static enum status take(struct chat_parse *p, const cJSON *tree, struct err *err)
{
	const cJSON *choices = json_get(tree, "choices"), *choice, *error = json_get(tree, "error");

	if (cJSON_IsArray(tree) || (error && !cJSON_IsNull(error)) ||
	    str_eqz(json_text(json_get(tree, "object")), "error"))
		return take_error(p, tree, err);
	set_field(p, p->reply->model, json_get(tree, "model"));
	set_field(p, p->reply->id, json_get(tree, "id"));
	cJSON_ArrayForEach(choice, choices) if (is_first(choice)) take_choice(p, choice);
	take_usage(p->reply, json_get(tree, "usage"));
	if (p->reply->text.n + p->reply->reasoning.n > CHAT_MAX_TEXT) {
		err_set(err, E_LIMIT, "the answer is over %zu bytes", CHAT_MAX_TEXT);
		return failed(p, NET_LIMIT, err);
	}
	return OK;
}

/* --- events --- */

static enum status on_event(void *ctx, struct str event, struct str data, struct err *err)
{
	struct chat_parse *p = ctx;
	struct err bad = ERR_INIT;
	cJSON *tree = NULL;
	enum status st;

	data = str_trim(data);
	if (p->done || !data.n)
		return OK;
	if (str_eqz(data, "[DONE]")) {
		p->done = true;
		return OK;
	}
	if (json_parse(data, &tree, &bad) != OK) {
		if (p->ending) /* torn: that the stream was cut is told by what is missing */
			return OK;
		err_set(err, E_FORMAT, "the stream holds what is no JSON: %s", bad.msg);
		return failed(p, NET_GARBLED, err);
	}
	st = str_eqz(event, "error") ? take_error(p, tree, err) : take(p, tree, err);
	cJSON_Delete(tree);
	return st;
}

static void recognise(struct chat_parse *p)
{
	struct str head = str_trim(buf_view(&p->whole));

	if (str_starts(head, STR("\xef\xbb\xbf"))) {
		head.p += 3;
		head.n -= 3;
	}
	if (!head.n)
		return;
	if (*head.p == '{' || *head.p == '[')
		p->shape = CHAT_JSON;
	else if (*head.p == ':' || str_starts(head, STR("data:")) ||
		 str_starts(head, STR("event:")) || str_starts(head, STR("id:")) ||
		 str_starts(head, STR("retry:")))
		p->shape = CHAT_EVENTS;
}

static enum status feed_events(struct chat_parse *p, struct str bytes, struct err *err)
{
	enum status st = sse_feed(&p->sse, bytes, err);

	return st && !p->fail ? failed(p, NET_LIMIT, err) : st;
}

enum status chat_parse_feed(struct chat_parse *p, struct str bytes, struct err *err)
{
	if (p->shape == CHAT_EVENTS)
		return feed_events(p, bytes, err);
	buf_str(&p->whole, bytes);
	if (p->whole.failed) {
		err_set(err, E_LIMIT, "the answer is over %zu bytes", CHAT_MAX_REPLY);
		return failed(p, NET_LIMIT, err);
	}
	if (p->shape == CHAT_UNKNOWN)
		recognise(p);
	if (p->shape != CHAT_EVENTS)
		return OK;
	p->reply->streamed = true;
	sse_init(&p->sse, on_event, p);
	return feed_events(p, buf_view(&p->whole), err);
}

/* --- the end --- */

static enum status no_answer(struct chat_parse *p, const char *type, struct err *err)
{
	struct buf head = BUF_INIT;

	saying_of(p->secrets, buf_view(&p->whole), &head);
	err_set(err, E_FORMAT, "the server answers with %.60s%s and not as the API does: %s",
		type && *type ? type : "something", p->whole.n ? "" : " of no bytes",
		head.n ? buf_cstr(&head) : "is base_url right?");
	buf_release(&head);
	return failed(p, NET_GARBLED, err);
}

static enum status end_json(struct chat_parse *p, const char *type, struct err *err)
{
	struct err bad = ERR_INIT;
	cJSON *tree = NULL;
	enum status st;

	if (json_parse(buf_view(&p->whole), &tree, &bad) != OK) {
		err_set(err, E_FORMAT, "the server's answer is no JSON: %s", bad.msg);
		return failed(p, NET_GARBLED, err);
	}
	st = take(p, tree, err);
	if (!st && !cJSON_IsArray(json_get(tree, "choices")))
		st = no_answer(p, type, err);
	else if (!st && !json_get(tree, "choices")->child)
		st = (err_set(err, E_FORMAT, "the server's answer has no choice in it"),
		      failed(p, NET_GARBLED, err));
	cJSON_Delete(tree);
	p->reply->complete = !st;
	return st;
}

static enum status end_events(struct chat_parse *p, struct err *err)
{
	enum status st;

	p->ending = true;
	st = sse_end(&p->sse, err);
	if (st)
		return p->fail ? st : failed(p, NET_LIMIT, err);
	p->reply->complete = p->done || *p->reply->finish;
	if (p->reply->complete)
		return OK;
	err_set(err, E_IO, "the stream ended before the answer did, after %zu bytes of it",
		p->reply->text.n);
	return failed(p, NET_CUT, err);
}

enum status chat_parse_end(struct chat_parse *p, const char *type, struct err *err)
{
	enum status st = p->shape == CHAT_EVENTS ? end_events(p, err)
			 : p->shape == CHAT_JSON ? end_json(p, type, err)
						 : no_answer(p, type, err);

	end_text(p, &p->text, &p->reply->text, p->watch ? p->watch->text : NULL);
	end_text(p, &p->thought, &p->reply->reasoning, p->watch ? p->watch->thought : NULL);
	end_text(p, &p->refusal, &p->reply->refusal, NULL);
	return st;
}
