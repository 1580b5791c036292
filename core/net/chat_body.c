#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/utf8.h"
#include "core/net/base64.h"
#include "core/net/chat_impl.h"
#include "core/text/json.h"

/* --- parts --- */

/* cJSON takes C strings: a NUL would end the text. */
static cJSON *text_item(struct str s)
{
	struct buf clean = BUF_INIT;
	cJSON *item;

	while (s.p) {
		struct str part;
		struct str rest = str_cut(s, '\0', &part);

		utf8_repair(part, &clean);
		if (rest.p)
			buf_z(&clean, "\xef\xbf\xbd");
		s = rest;
	}
	item = clean.failed ? NULL : cJSON_CreateString(buf_cstr(&clean));
	buf_release(&clean);
	return item;
}

static cJSON *data_url(const struct chat_part *part, bool elided)
{
	struct buf url = {.max = CHAT_MAX_BODY * 2};
	cJSON *item;

	buf_printf(&url, "data:%s;base64,", part->mime);
	if (elided)
		buf_printf(&url, "[%zu bytes]", part->bytes.n);
	else
		base64_put(&url, part->bytes);
	item = url.failed ? NULL : cJSON_CreateString(buf_cstr(&url));
	buf_release(&url);
	return item;
}

/* Takes item. false: no memory. */
static bool put(cJSON *object, const char *name, cJSON *item)
{
	if (item && cJSON_AddItemToObject(object, name, item))
		return true;
	cJSON_Delete(item);
	return false;
}

static bool put_image(cJSON *o, const struct chat_part *part, bool elided)
{
	cJSON *image;

	return cJSON_AddStringToObject(o, "type", "image_url") &&
	       (image = cJSON_AddObjectToObject(o, "image_url")) &&
	       put(image, "url", data_url(part, elided)) &&
	       (!part->detail || cJSON_AddStringToObject(image, "detail", part->detail));
}

static bool put_part(cJSON *array, const struct chat_part *part, bool elided)
{
	cJSON *o = cJSON_CreateObject();

	if (!o || !cJSON_AddItemToArray(array, o)) {
		cJSON_Delete(o);
		return false;
	}
	if (part->kind == CHAT_IMAGE)
		return put_image(o, part, elided);
	return cJSON_AddStringToObject(o, "type", "text") && put(o, "text", text_item(part->text));
}

static bool put_content(cJSON *message, const struct chat_message *m, bool elided)
{
	cJSON *array;
	bool ok = true;

	if (m->n_parts == 1 && m->parts->kind == CHAT_TEXT)
		return put(message, "content", text_item(m->parts->text));
	array = cJSON_AddArrayToObject(message, "content");
	for (size_t i = 0; array && ok && i < m->n_parts; i++)
		ok = put_part(array, &m->parts[i], elided);
	return array && ok;
}

static bool put_messages(cJSON *body, const struct chat_request *q, bool elided)
{
	cJSON *array = cJSON_AddArrayToObject(body, "messages");
	bool ok = array != NULL;

	for (size_t i = 0; ok && i < q->n_messages; i++) {
		cJSON *o = cJSON_CreateObject();

		ok = o && cJSON_AddItemToArray(array, o);
		if (!ok)
			cJSON_Delete(o);
		ok = ok && cJSON_AddStringToObject(o, "role", q->messages[i].role) &&
		     put_content(o, &q->messages[i], elided);
	}
	return ok;
}

/* --- the body --- */

static bool put_settings(cJSON *body, const struct endpoint *e, const struct chat_request *q)
{
	double t = q->has_temperature ? q->temperature : e->temperature;
	bool ok = true;
	char digits[24];

	if (e->send_temperature)
		ok = cJSON_AddNumberToObject(body, "temperature", t);
	if (ok && q->max_tokens > 0)
		ok = cJSON_AddNumberToObject(body, e->max_tokens_field, q->max_tokens);
	if (ok && q->has_seed) {
		snprintf(digits, sizeof digits, "%lld", (long long)q->seed);
		ok = cJSON_AddRawToObject(body, "seed", digits);
	}
	if (ok && q->stream) {
		cJSON *options;

		ok = cJSON_AddTrueToObject(body, "stream") &&
		     (options = cJSON_AddObjectToObject(body, "stream_options")) &&
		     cJSON_AddTrueToObject(options, "include_usage");
	}
	return ok;
}

/* As RFC 7396: null takes a member away, an object is merged, all else replaces. */
static bool merge(cJSON *to, const cJSON *patch)
{
	const cJSON *item;
	bool ok = true;

	cJSON_ArrayForEach(item, patch)
	{
		cJSON *there = cJSON_GetObjectItemCaseSensitive(to, item->string);

		if (cJSON_IsObject(there) && cJSON_IsObject(item)) {
			ok = ok && merge(there, item);
			continue;
		}
		cJSON_DeleteItemFromObjectCaseSensitive(to, item->string);
		if (cJSON_IsObject(item))
			ok = ok && (there = cJSON_AddObjectToObject(to, item->string)) &&
			     merge(there, item);
		else if (!cJSON_IsNull(item))
			ok = ok && put(to, item->string, cJSON_Duplicate(item, true));
	}
	return ok;
}

static enum status merge_text(cJSON *body, const char *text, struct err *err)
{
	cJSON *patch = NULL;
	enum status st;

	if (!text)
		return OK;
	st = json_parse(str_z(text), &patch, err);
	if (!st && !cJSON_IsObject(patch))
		st = err_set(err, E_USAGE, "it is not a JSON object");
	if (!st && !merge(body, patch))
		st = err_set(err, E_MEMORY, "there is no memory for the request");
	cJSON_Delete(patch);
	if (!st)
		return OK;
	err->code = st == E_FORMAT ? E_USAGE : st;
	return err_prefix(err, "what is added to the request");
}

/* --- checks --- */

static enum status check_part(const struct endpoint *e, const struct chat_part *part, size_t *sum,
			      struct err *err)
{
	size_t n = part->kind == CHAT_IMAGE ? part->bytes.n / 3 * 4 : part->text.n;

	if (part->kind == CHAT_IMAGE && e->image_max_bytes && part->bytes.n > e->image_max_bytes)
		return err_set(
		    err, E_LIMIT,
		    "the picture has %zu bytes; endpoint %s takes %llu (image_max_bytes)",
		    part->bytes.n, e->name, (unsigned long long)e->image_max_bytes);
	if (n > CHAT_MAX_BODY || *sum + n > CHAT_MAX_BODY)
		return err_set(err, E_LIMIT, "the request is over %zu bytes", CHAT_MAX_BODY);
	*sum += n;
	return OK;
}

static enum status check(const struct endpoint *e, const struct chat_request *q, struct err *err)
{
	double t = q->has_temperature ? q->temperature : e->temperature;
	size_t sum = 0;

	if (!q->model && !e->model)
		return err_set(err, E_USAGE, "endpoint %s names no model", e->name);
	if (q->n_messages == 0)
		return err_set(err, E_USAGE, "there is no message to send");
	if (!isfinite(t))
		return err_set(err, E_USAGE, "the temperature is no number");
	for (size_t i = 0; i < q->n_messages; i++)
		for (size_t k = 0; k < q->messages[i].n_parts; k++)
			if (check_part(e, &q->messages[i].parts[k], &sum, err))
				return err->code;
	return OK;
}

enum status chat_build(const struct endpoint *e, const struct chat_request *q, bool elided,
		       cJSON **out, struct err *err)
{
	cJSON *body;
	enum status st = check(e, q, err);

	*out = NULL;
	if (st)
		return st;
	body = cJSON_CreateObject();
	if (!body || !cJSON_AddStringToObject(body, "model", q->model ? q->model : e->model) ||
	    !put_messages(body, q, elided) || !put_settings(body, e, q))
		st = err_set(err, E_MEMORY, "there is no memory for the request");
	if (!st)
		st = merge_text(body, e->extra_body, err);
	if (!st)
		st = merge_text(body, q->extra, err);
	if (st)
		cJSON_Delete(body);
	else
		*out = body;
	return st;
}

enum status chat_body(const struct endpoint *e, const struct chat_request *q, cJSON **out,
		      struct err *err)
{
	return chat_build(e, q, false, out, err);
}
