/*
 * batch: results of OpenAI's Batch API, and of vLLM's run-batch, which writes the same: a line for
 * each request, in any order, with its custom_id, which is the sample's key. The response's body is
 * a chat completion or that of /v1/responses; old vLLM has the completion without a body around it.
 * The file of requests that was sent tells what the samples are: the question and its pictures.
 */
#include "core/reader/stored.h"
#include "core/reader/table.h"

static bool are_requests(const struct peek *p)
{
	return peek_has(p, "method") && peek_has(p, "url") && peek_has(p, "body") &&
	       !peek_has(p, "response") && !peek_has(p, "error");
}

static int probe(struct str path, struct str head)
{
	struct peek p;
	int score;

	(void)path;
	peek_open(&p, head);
	score = p.shape == SHAPE_JSONL && peek_has(&p, "custom_id") &&
			(peek_has(&p, "response") || peek_has(&p, "error") || are_requests(&p))
		    ? 100
		    : 0;
	peek_release(&p);
	return score;
}

static enum rank rank(struct str path, struct str head)
{
	struct peek p;
	bool requests;

	(void)path;
	peek_open(&p, head);
	requests = are_requests(&p);
	peek_release(&p);
	return requests ? RANK_SAMPLES : RANK_PREDICTIONS;
}

struct failed { /* a request that does not say which model it was for */
	struct src src;
	struct str key, error;
};

struct batch {
	struct stored s; /* first */
	VEC(struct failed) failed;
	VEC(struct str) pictures; /* of the request at hand */
};

static const cJSON *json_of(struct stored *s, const char *name)
{
	const struct cell *c = row_find(&s->rows, &s->row, name);

	return c ? c->json : NULL;
}

/* {"message": …}, or {"code": …} alone; a text as it is. */
static struct str message_of(struct stored *s, const cJSON *error)
{
	struct str message = json_text(json_get(error, "message"));
	char *text;

	if (json_text(error).n)
		return json_text(error);
	if (message.n)
		return message;
	text = error ? cJSON_PrintUnformatted(error) : NULL;
	if (!text)
		return STR("the request failed");
	message = arena_str(&s->row.arena, str_z(text));
	cJSON_free(text);
	return message;
}

/* /v1/responses: the texts of the messages among output[]; a refusal is a part of its own kind. */
static void from_output(struct stored *s, const cJSON *output, struct rec_prediction *out)
{
	for (const cJSON *item = output->child; item; item = item->next) {
		const cJSON *content = json_get(item, "content");

		if (!cJSON_IsArray(content) || str_eqz(json_text(json_get(item, "type")), "reasoning"))
			continue;
		for (const cJSON *part = content->child; part; part = part->next)
			if (json_text(json_get(part, "refusal")).n) {
				out->outcome = OUTCOME_REFUSED;
				out->raw = json_text(json_get(part, "refusal"));
				return;
			}
		out->raw = stored_content(s, content);
	}
}

static void from_choice(struct stored *s, const cJSON *choice, struct rec_prediction *out)
{
	const cJSON *message = json_get(choice, "message");
	struct str finish = json_text(json_get(choice, "finish_reason"));
	struct str refusal = json_text(json_get(message, "refusal"));

	out->raw = message ? stored_content(s, json_get(message, "content"))
			   : json_text(json_get(choice, "text"));
	out->steps = json_text(json_get(message, "reasoning_content"));
	if (refusal.n || str_eqz(finish, "content_filter")) {
		out->outcome = OUTCOME_REFUSED;
		out->raw = str_trim(out->raw).n ? out->raw : refusal;
	}
	stored_put_text(s, "finish_reason", finish);
}

static void usage_of(const cJSON *body, struct rec_prediction *out)
{
	const cJSON *usage = json_get(body, "usage");
	double n;

	if ((json_number(json_get(usage, "completion_tokens"), &n) ||
	     json_number(json_get(usage, "output_tokens"), &n)) &&
	    n >= 0 && n < 1e15)
		out->tokens = (int64_t)n;
}

static void answer_of(struct stored *s, const cJSON *body, struct rec_prediction *out)
{
	const struct cell *error = row_find(&s->rows, &s->row, "error");
	const cJSON *choices = json_get(body, "choices"), *output = json_get(body, "output");
	double status = 200;

	json_number(json_get(json_of(s, "response"), "status_code"), &status);
	if (error && (error->json || cell_text(error).n)) {
		out->outcome = OUTCOME_ERROR;
		out->error = error->json ? message_of(s, error->json) : cell_text(error);
	} else if (status >= 400 || json_get(body, "error")) {
		out->outcome = OUTCOME_ERROR;
		out->error = message_of(s, json_get(body, "error"));
	} else if (cJSON_IsArray(choices) && choices->child) {
		from_choice(s, choices->child, out);
	} else if (cJSON_IsArray(output)) {
		from_output(s, output, out);
	} else {
		out->outcome = OUTCOME_ERROR;
		out->error = STR("the response has no answer in it");
	}
	usage_of(body, out);
	stored_answer(s, NULL, 0, out);
}

/* --- requests --- */

/* "image_url": {"url": …} of a chat, "image_url": … of a response. */
static void pictures_of(struct batch *b, const cJSON *content)
{
	for (const cJSON *part = cJSON_IsArray(content) ? content->child : NULL; part; part = part->next) {
		const cJSON *image = json_get(part, "image_url");
		struct str url = json_text(image).n ? json_text(image) : json_text(json_get(image, "url"));
		struct str path = url.n ? stored_picture(&b->s, url) : STR_NONE;

		if (path.n)
			vec_push(&b->pictures, path);
	}
}

static enum status take_request(struct batch *b, struct str key, const cJSON *body, struct err *err)
{
	struct stored *s = &b->s;
	const cJSON *messages = json_get(body, "messages"), *input = json_get(body, "input");
	struct rec_sample sample = {.src = s->row.src, .key = key, .creates = true, .declares = true};

	vec_clear(&b->pictures);
	if (!cJSON_IsArray(messages))
		messages = input;
	for (const cJSON *m = cJSON_IsArray(messages) ? messages->child : NULL; m; m = m->next)
		pictures_of(b, json_get(m, "content"));
	sample.text = json_text(input).n ? json_text(input) : stored_last_message(s, messages, "user");
	sample.text_kind = str_trim(sample.text).n ? TEXT_QUESTION : TEXT_NONE;
	stored_pictures(&sample, b->pictures.v, b->pictures.n);
	return sink_sample(s->ctx->sink, &sample, err);
}

/* --- results --- */

/* They belong to the run of those that say it, when there is but one. */
static enum status send_failed(struct batch *b, struct err *err)
{
	struct stored_run run = {0};
	struct rec_sample sample = {0};
	enum status st = OK;

	for (size_t i = 0; i < b->failed.n && !st; i++) {
		const struct failed *f = &b->failed.v[i];
		struct rec_prediction out;

		stored_next(&b->s, f->src);
		rec_prediction_init(&out);
		out.src = f->src;
		out.key = f->key;
		out.error = f->error;
		out.outcome = OUTCOME_ERROR;
		if (b->s.run_ids.n == 1)
			out.run = b->s.run_ids.v[0];
		else
			st = stored_run(&b->s, &run, &out.run, err);
		if (!st)
			st = stored_send(&b->s, &out, &sample, err);
	}
	vec_clear(&b->failed);
	return st;
}

static void keep_failed(struct batch *b, const struct rec_prediction *p)
{
	vec_push(&b->failed, ((struct failed){b->s.row.src, arena_str(&b->s.arena, p->key),
					      arena_str(&b->s.arena, p->error)}));
}

static enum status take(struct stored *s, struct err *err)
{
	const cJSON *response = json_of(s, "response"), *body = json_get(response, "body");
	struct stored_run run = {0};
	struct rec_prediction out;
	struct rec_sample sample = {0};
	enum status st;

	rec_prediction_init(&out);
	out.key = cell_key(&s->row.arena, row_find(&s->rows, &s->row, "custom_id"));
	if (!out.key.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "custom_id",
			   "expected the request's id, got nothing");
		return OK;
	}
	if (!response && !row_find(&s->rows, &s->row, "error") && json_of(s, "body"))
		return take_request((struct batch *)s, out.key, json_of(s, "body"), err);
	if (!body)
		body = response;
	answer_of(s, body, &out);
	run.rec.model = json_text(json_get(body, "model"));
	if (!run.rec.model.n && out.outcome == OUTCOME_ERROR) {
		keep_failed((struct batch *)s, &out);
		return OK;
	}
	st = stored_run(s, &run, &out.run, err);
	return st ? st : stored_send(s, &out, &sample, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct batch b = {.failed = {0}};
	enum status st;

	stored_init(&b.s, ctx);
	st = stored_rows(&b.s, take, err);
	if (!st)
		st = send_failed(&b, err);
	vec_release(&b.failed);
	vec_release(&b.pictures);
	stored_release(&b.s);
	return st;
}

const struct reader reader_batch = {
    .name = "batch",
    .help = "results of OpenAI's Batch API and vLLM's run-batch (JSONL); custom_id is the key",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
