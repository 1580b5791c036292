#include "tui/query/query_batch.h"

#include <errno.h>
#include <stdlib.h>

#include "core/base/path.h"
#include "core/base/vec.h"
#include "core/net/chat_parse.h"
#include "core/text/json.h"
#include "db/column.h"
#include "db/user.h"
#include "tui/query/query_keep.h"

#define NUMBER_MAX 1000000 /* batches of one project */

/* --- how a batch was asked --- */

static void put_key(char out[32], int64_t number)
{
	snprintf(out, 32, "batch.%lld", (long long)number);
}

/* *text NULL: there is no such batch; the caller frees it. */
static enum status get_batch(struct conn *c, int64_t number, char **text, struct err *err)
{
	struct err why = ERR_INIT;
	char key[32];
	enum status st;

	*text = NULL;
	put_key(key, number);
	st = user_setting_get(c, key, text, &why);
	if (st == OK || st == E_NOT_FOUND)
		return OK;
	*err = why;
	return st;
}

static enum status note_batch(const struct query_plan *plan, struct conn *c, int64_t *number, struct err *err)
{
	struct buf settings = BUF_INIT;
	cJSON *o = cJSON_CreateObject();
	char key[32], *old = NULL, *text;
	enum status st = OK;

	for (*number = 1; *number < NUMBER_MAX; ++*number) {
		st = get_batch(c, *number, &old, err);
		if (st != OK || !old)
			break;
		free(old);
	}
	query_spec_settings(&plan->spec, plan->snap, &settings);
	cJSON_AddStringToObject(o, "dataset", plan->snap->dataset);
	cJSON_AddStringToObject(o, "handle", plan->handle);
	cJSON_AddStringToObject(o, "protocol", plan->spec.protocol->name);
	cJSON_AddStringToObject(o, "model", plan->spec.endpoint.model);
	cJSON_AddStringToObject(o, "prompt", plan->spec.prompt);
	cJSON_AddStringToObject(o, "settings", buf_cstr(&settings));
	text = cJSON_PrintUnformatted(o);
	put_key(key, *number);
	if (st == OK)
		st = user_setting_set(c, key, str_z(text ? text : ""), err);
	cJSON_free(text);
	cJSON_Delete(o);
	buf_release(&settings);
	return st;
}

/* --- writing --- */

struct shards {
	const char *path;
	const struct batch_limits *limits;
	FILE *file;
	char *name, *part; /* of the file that is open */
	size_t n, requests;
	uint64_t bytes;
};

/* PATH, PATH-2.jsonl, … */
static char *shard_name(const char *path, size_t n)
{
	struct str ext = path_ext(path_base(str_z(path)));
	size_t stem = strlen(path) - (ext.n ? ext.n + 1 : 0);

	return n == 1 ? xstrdup(path) : xasprintf("%.*s-%zu%s", (int)stem, path, n, path + stem);
}

static enum status close_shard(struct shards *s, bool good, struct err *err)
{
	enum status st = OK;

	if (!s->file)
		return OK;
	if (fclose(s->file) != 0 || (good && rename(s->part, s->name) != 0))
		st = err_errno(err, errno, "%s cannot be written", s->name);
	if (!good || st != OK)
		remove(s->part);
	free(s->name);
	free(s->part);
	s->file = NULL;
	return st;
}

static enum status open_shard(struct shards *s, struct err *err)
{
	s->n++;
	s->requests = 0;
	s->bytes = 0;
	s->name = shard_name(s->path, s->n);
	s->part = xasprintf("%s.part", s->name);
	s->file = fopen(s->part, "we");
	if (s->file)
		return OK;
	err_errno(err, errno, "%s cannot be written", s->name);
	free(s->name);
	free(s->part);
	return err->code;
}

static enum status put_line(struct shards *s, struct str line, struct err *err)
{
	bool full = s->requests >= s->limits->requests || s->bytes + line.n > s->limits->bytes;

	if (line.n > s->limits->bytes)
		return err_set(err, E_LIMIT, "one request has %zu bytes, more than a file may have", line.n);
	if (s->file && full && close_shard(s, true, err) != OK)
		return err->code;
	if (!s->file && open_shard(s, err) != OK)
		return err->code;
	s->requests++;
	s->bytes += line.n;
	return fwrite(line.p, 1, line.n, s->file) == line.n ? OK
							     : err_errno(err, errno, "%s cannot be written", s->name);
}

static void put_custom_id(const struct query_plan *plan, const struct query_request *r, int64_t number, cJSON *o)
{
	struct buf id = BUF_INIT;

	buf_printf(&id, "b%lld", (long long)number);
	for (size_t i = 0; i < r->ask.n_samples; i++)
		buf_printf(&id, "%c%u", i ? ',' : ':', r->ords[i]);
	for (size_t i = 0; plan->draw && i < r->samples[0].n_options; i++)
		buf_printf(&id, "%c%u", i ? ',' : ':', r->samples[0].options[i].class_ord);
	cJSON_AddStringToObject(o, "custom_id", buf_cstr(&id));
	buf_release(&id);
}

static enum status request_line(const struct query_plan *plan, const struct query_request *r, int64_t number,
				struct buf *line, struct err *err)
{
	struct chat_request chat = *query_request_chat(r);
	cJSON *body = NULL, *o;
	char *text;

	chat.stream = false;
	if (chat_body(&plan->spec.endpoint, &chat, &body, err) != OK)
		return err->code;
	o = cJSON_CreateObject();
	put_custom_id(plan, r, number, o);
	cJSON_AddStringToObject(o, "method", "POST");
	cJSON_AddStringToObject(o, "url", "/v1/chat/completions");
	cJSON_AddItemToObject(o, "body", body);
	text = cJSON_PrintUnformatted(o);
	buf_clear(line);
	buf_z(line, text ? text : "");
	buf_ch(line, '\n');
	cJSON_free(text);
	cJSON_Delete(o);
	return line->failed || !text ? err_set(err, E_MEMORY, "there is no memory for a request") : OK;
}

/* A sample that cannot be asked about is left out; a file that cannot be written ends it. */
static enum status export_one(const struct query_plan *plan, struct conn *c, size_t k, struct shards *s,
			      struct decoder *decoder, const struct cancel *cancel, struct buf *line,
			      struct batch_written *out, struct err *err)
{
	struct query_request *r = NULL;
	struct err why = ERR_INIT;
	enum status st = query_request_make(plan, c, k, decoder, cancel, &r, &why);

	if (st == OK)
		st = request_line(plan, r, out->number, line, &why);
	query_request_free(r);
	if (st == E_CANCELLED || st == E_MEMORY) {
		*err = why;
		return st;
	}
	if (st != OK) {
		if (!out->failed++)
			out->why = why;
		return OK;
	}
	out->requests++;
	return put_line(s, buf_view(line), err);
}

enum status batch_export(const struct query_plan *plan, struct conn *c, const char *path,
			 const struct batch_limits *limits, struct decoder *decoder,
			 const struct cancel *cancel, void (*progress)(void *ctx, size_t done, size_t n),
			 void *ctx, struct batch_written *out, struct err *err)
{
	struct shards s = {.path = path, .limits = limits};
	size_t n = query_plan_requests(plan);
	struct buf line = BUF_INIT;
	enum status st;

	*out = (struct batch_written){.why = ERR_INIT};
	st = note_batch(plan, c, &out->number, err);
	for (size_t k = 0; k < n && st == OK; k++) {
		st = export_one(plan, c, k, &s, decoder, cancel, &line, out, err);
		if (st == OK)
			st = cancel_check(cancel, err);
		if (st == OK && progress)
			progress(ctx, k + 1, n);
	}
	if (st == OK)
		st = close_shard(&s, true, err);
	else
		close_shard(&s, false, &(struct err)ERR_INIT);
	out->files = s.n;
	buf_release(&line);
	return st;
}

/* --- reading --- */

struct batch { /* one that results are of */
	int64_t number;
	struct query_plan plan;
	struct query_keep *keep;
};

struct importing {
	struct conn *c;
	struct snapshot *snap;
	struct pool *pool;
	VEC(struct batch *) batches;
	struct batch_read *out;
	struct err stored; /* of a commit that failed */
};

static void kept(void *ctx, size_t n)
{
	((struct importing *)ctx)->out->kept += n;
}

static void not_kept(void *ctx, const struct err *err)
{
	((struct importing *)ctx)->stored = *err;
}

static enum status read_batch(struct importing *im, struct batch *b, const cJSON *o, struct err *err)
{
	struct str handle = json_text(json_get(o, "handle")), dataset = json_text(json_get(o, "dataset"));
	enum status st;

	if (!handle.n || !str_eqz(dataset, im->snap->dataset))
		return err_set(err, E_NOT_FOUND, "batch b%lld is of another dataset", (long long)b->number);
	st = query_spec_recall(&b->plan.spec, im->snap, json_text(json_get(o, "settings")),
			       json_text(json_get(o, "prompt")), json_text(json_get(o, "protocol")),
			       json_text(json_get(o, "model")), err);
	b->plan.handle = xstrndup(handle.p, handle.n);
	b->plan.project = xstrdup(conn_path(im->c));
	b->plan.snap = snapshot_share(im->snap);
	if (st == OK)
		b->keep = query_keep_new(&b->plan, im->pool, im, kept, not_kept);
	return st;
}

static void batch_free(struct batch *b)
{
	query_keep_free(b->keep);
	query_plan_release(&b->plan);
	free(b);
}

static enum status find_batch(struct importing *im, int64_t number, struct batch **out, struct err *err)
{
	char *text = NULL;
	struct batch *b;
	cJSON *o = NULL;
	enum status st;

	for (size_t i = 0; i < im->batches.n; i++)
		if (im->batches.v[i]->number == number) {
			*out = im->batches.v[i];
			return OK;
		}
	st = get_batch(im->c, number, &text, err);
	if (st == OK && !text)
		st = err_set(err, E_NOT_FOUND, "the project knows no batch b%lld", (long long)number);
	if (st == OK)
		st = json_parse(str_z(text), &o, err);
	if (st == OK) {
		b = xcalloc(1, sizeof *b);
		b->number = number;
		st = read_batch(im, b, o, err);
		if (st == OK) {
			vec_push(&im->batches, b);
			*out = b;
		} else {
			batch_free(b);
		}
	}
	cJSON_Delete(o);
	free(text);
	return st;
}

/* "17,18" → {17, 18}; false: it is no such list, or a longer one. */
static bool read_numbers(struct str list, size_t max, uint32_t *out, size_t *n)
{
	struct str part;
	int64_t v;

	for (*n = 0; list.n && *n < max; ++*n) {
		list = str_cut(list, ',', &part);
		if (!str_int(part, &v) || v < 0 || v >= UINT32_MAX)
			return false;
		out[*n] = (uint32_t)v;
	}
	return *n > 0 && !list.n;
}

struct custom_id {
	int64_t number;
	uint32_t ords[ASK_MAX_BATCH], options[CHOICES_MAX];
	size_t n, n_options;
};

/* false: it is no id of ours. */
static bool read_custom_id(struct str id, struct custom_id *out)
{
	struct str head;

	*out = (struct custom_id){0};
	if (id.n < 4 || id.p[0] != 'b')
		return false;
	id = str_cut((struct str){id.p + 1, id.n - 1}, ':', &head);
	if (!str_int(head, &out->number))
		return false;
	id = str_cut(id, ':', &head);
	return read_numbers(head, ASK_MAX_BATCH, out->ords, &out->n) &&
	       (!id.n || (out->n == 1 && read_numbers(id, CHOICES_MAX, out->options, &out->n_options)));
}

static void take(void *ctx, const struct query_request *r, size_t i, const struct query_answer *a)
{
	query_keep_add(ctx, r, i, a);
}

/* The completion of a result: response.body, or response itself, as older engines write it. */
static const cJSON *body_of(const cJSON *o)
{
	const cJSON *response = json_get(o, "response"), *body = json_get(response, "body");

	return cJSON_IsObject(body) ? body : cJSON_IsObject(response) ? response : NULL;
}

/* What the engine says of a request that failed; OK when it did not. */
static enum status failure_of(const cJSON *o, struct err *why)
{
	const cJSON *error = json_get(o, "error"), *body = body_of(o);
	struct str text = json_text(json_get(error, "message"));
	double code = 200;

	if (!cJSON_IsObject(error))
		error = json_get(body, "error");
	if (!text.p)
		text = json_text(json_get(error, "message"));
	json_number(json_get(json_get(o, "response"), "status_code"), &code);
	if (!cJSON_IsObject(error) && code < 400 && body)
		return OK;
	return err_set(why, E_IO, "the batch's engine: %.*s", (int)(text.n && text.n < 300 ? text.n : text.n ? 300 : 9),
		       text.n ? text.p : "no answer");
}

static void parse_reply(const cJSON *o, struct chat_reply *reply, struct err *why)
{
	char *text = cJSON_PrintUnformatted(body_of(o));
	struct chat_parse parse;

	chat_parse_init(&parse, reply, NULL, NULL);
	if (chat_parse_feed(&parse, str_z(text ? text : ""), why) == OK)
		chat_parse_end(&parse, "application/json", why);
	if (why->code)
		reply->fail = parse.fail;
	chat_parse_release(&parse);
	cJSON_free(text);
}

static enum status check_id(const struct snapshot *snap, const struct query_spec *spec, const struct custom_id *id,
			    struct err *err)
{
	for (size_t i = 0; i < id->n; i++)
		if (id->ords[i] >= snap->n)
			return err_set(err, E_NOT_FOUND, "there is no sample number %u", id->ords[i]);
	if (!id->n_options && spec->options != QUERY_OPTIONS_STORED)
		return err_set(err, E_FORMAT, "its custom_id does not tell which options were offered");
	for (size_t i = 0; i < id->n_options; i++)
		if (id->options[i] >= snap->n_classes)
			return err_set(err, E_NOT_FOUND, "there is no class number %u", id->options[i]);
	return OK;
}

static enum status take_result(struct importing *im, struct batch *b, const cJSON *o, const struct custom_id *id,
			       struct err *err)
{
	struct query_request *r = NULL;
	struct chat_reply reply;
	struct err why = ERR_INIT;
	enum status st;

	if (check_id(im->snap, &b->plan.spec, id, err) != OK)
		return err->code;
	b->plan.drawn = id->options;
	b->plan.n_drawn = id->n_options;
	st = query_request_of(&b->plan, im->c, id->ords, id->n, false, NULL, NULL, &r, err);
	b->plan.n_drawn = 0;
	if (st != OK)
		return st;
	chat_reply_init(&reply);
	if (failure_of(o, &why) == OK)
		parse_reply(o, &reply, &why);
	else
		reply.fail = NET_SERVER;
	im->out->failed += why.code != OK;
	query_take_apart(b->plan.spec.protocol, r, &reply, why.code ? &why : NULL, take, b->keep);
	chat_reply_release(&reply);
	query_request_free(r);
	return OK;
}

static enum status take_line(struct importing *im, struct str line, bool *broken, struct err *err)
{
	struct custom_id id;
	struct batch *b = NULL;
	cJSON *o = NULL;
	enum status st = json_parse(line, &o, err);

	*broken = st != OK;
	if (st == OK && !read_custom_id(json_text(json_get(o, "custom_id")), &id))
		st = err_set(err, E_NOT_FOUND, "its custom_id is of no batch of this program");
	if (st == OK)
		st = find_batch(im, id.number, &b, err);
	if (st == OK)
		st = take_result(im, b, o, &id, err);
	cJSON_Delete(o);
	return st;
}

#define KEEP_AT 4096 /* answers */

/* Everything that came is in the project, or im->stored says why not. */
static enum status flush_all(struct importing *im, size_t at_least, struct err *err)
{
	for (size_t i = 0; i < im->batches.n; i++) {
		struct query_keep *keep = im->batches.v[i]->keep;

		while (query_keep_open(keep) > at_least && !im->stored.code) {
			query_keep_flush(keep);
			pool_settle(im->pool);
		}
	}
	if (im->stored.code)
		*err = im->stored;
	return im->stored.code;
}

static void note_bad(struct importing *im, uint64_t line, bool broken, const struct err *why)
{
	struct batch_read *out = im->out;

	out->broken += broken;
	out->unknown += !broken;
	if (out->first_bad)
		return;
	out->first_bad = line;
	out->why = *why;
}

static enum status read_lines(struct importing *im, struct input *in, struct err *err)
{
	struct lines lines;
	struct line line;
	bool more = true;
	enum status st;

	lines_init(&lines, in);
	while ((st = lines_next(&lines, &line, &more, err)) == OK && more) {
		struct err why = ERR_INIT;
		bool broken;

		if (!str_trim(line.text).n)
			continue;
		im->out->lines++;
		if (line.too_long) {
			err_set(&why, E_LIMIT, "the line is too long");
			note_bad(im, line.number, true, &why);
		} else if (take_line(im, line.text, &broken, &why) != OK) {
			note_bad(im, line.number, broken, &why);
		}
		st = flush_all(im, KEEP_AT, err);
		if (st != OK)
			break;
	}
	lines_release(&lines);
	return st;
}

enum status batch_import(struct conn *c, const char *dataset, const char *path, const struct cancel *cancel,
			 struct batch_read *out, struct err *err)
{
	struct importing im = {.c = c, .out = out, .stored = ERR_INIT};
	struct input in;
	enum status st;

	*out = (struct batch_read){.why = ERR_INIT};
	st = snapshot_load(c, dataset, &im.snap, err);
	if (st != OK)
		return st;
	st = input_open_cancel(&in, path, cancel, err);
	if (st == OK && !(im.pool = pool_new(1, err))) {
		input_close(&in);
		st = err->code;
	}
	if (st == OK) {
		in.cancel = cancel;
		st = read_lines(&im, &in, err);
		input_close(&in);
		if (st == OK || st == E_CANCELLED)
			st = flush_all(&im, 0, st == OK ? err : &(struct err)ERR_INIT) == OK ? st : err->code;
	}
	for (size_t i = 0; i < im.batches.n; i++)
		batch_free(im.batches.v[i]);
	vec_release(&im.batches);
	pool_free(im.pool);
	snapshot_free(im.snap);
	return st;
}
