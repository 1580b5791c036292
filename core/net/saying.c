#include "core/net/saying.h"

#include <math.h>
#include <stdio.h>

#include "core/base/utf8.h"
#include "core/text/json.h"

/* --- cleaning --- */

void saying_clean(const struct secrets *secrets, struct str s, size_t max, struct buf *out)
{
	struct buf hidden = BUF_INIT;
	size_t from = out->n;
	bool blank = false;

	secrets_hide(secrets, s, &hidden);
	s = buf_view(&hidden);
	while (s.n) {
		size_t len;
		uint32_t cp = utf8_decode(s.p, s.n, &len);

		if (cp == ' ' || (cp == UTF8_BAD && len == 1) || utf8_is_unsafe(cp)) {
			blank = out->n > from;
		} else if (out->n - from + len + (blank ? 1 : 0) > max) {
			buf_z(out, "…");
			break;
		} else {
			if (blank)
				buf_ch(out, ' ');
			blank = false;
			buf_put(out, s.p, len);
		}
		s.p += len;
		s.n -= len;
	}
	buf_release(&hidden);
}

/* --- a server's message --- */

/* FastAPI: "detail" is a text, or an array of objects with "msg". */
static struct str text_of(const cJSON *item)
{
	static const char *const keys[] = {"message", "msg", "detail", "error", "title"};
	struct str found = json_text(item);

	if (cJSON_IsArray(item))
		item = item->child;
	if (!found.p && cJSON_IsString(item))
		return json_text(item);
	for (size_t i = 0; !found.n && i < sizeof keys / sizeof *keys; i++)
		found = json_text(json_get(item, keys[i]));
	return found;
}

void saying_of_json(const struct secrets *secrets, const cJSON *tree, struct buf *out)
{
	static const char *const keys[] = {"error", "detail", "errors"};
	struct str found = STR_NONE;

	if (cJSON_IsArray(tree))
		tree = tree->child;
	for (size_t i = 0; !found.n && i < sizeof keys / sizeof *keys; i++)
		found = text_of(json_get(tree, keys[i]));
	if (!found.n)
		found = text_of(tree);
	saying_clean(secrets, found, SAYING_MAX_BYTES, out);
}

static void of_html(const struct secrets *secrets, struct str body, struct buf *out)
{
	size_t at = str_find_nocase(body, STR("<title>")), end;

	if (at == SIZE_MAX)
		return;
	body.p += at + 7;
	body.n -= at + 7;
	end = str_find(body, STR("<"));
	saying_clean(secrets, (struct str){body.p, end < body.n ? end : body.n}, SAYING_MAX_BYTES,
		     out);
}

void saying_of(const struct secrets *secrets, struct str body, struct buf *out)
{
	struct err ignored = ERR_INIT;
	cJSON *tree = NULL;

	body = str_trim(body);
	if (!body.n)
		return;
	if (*body.p == '{' || *body.p == '[') {
		if (json_parse(body, &tree, &ignored) == OK)
			saying_of_json(secrets, tree, out);
		cJSON_Delete(tree);
	} else if (*body.p == '<') {
		of_html(secrets, body, out);
	} else {
		saying_clean(secrets, body, SAYING_MAX_BYTES, out);
	}
}

/* --- what a status means --- */

void saying_seconds(double s, struct buf *out)
{
	if (s < 10)
		buf_printf(out, "%.3g s", s);
	else if (s < 120)
		buf_printf(out, "%.0f s", ceil(s));
	else if (s < 7200)
		buf_printf(out, "%.0f min", ceil(s / 60));
	else
		buf_printf(out, "%.0f h", ceil(s / 3600));
}

static bool mentions(struct str message, const char *word)
{
	return str_find_nocase(message, str_z(word)) != SIZE_MAX;
}

static enum net_fail kind_of(int status, struct str message)
{
	if (status == 401 || status == 403)
		return NET_AUTH;
	if (status == 404 || status == 405)
		return mentions(message, "model") && !mentions(message, "/models") ? NET_MODEL
										   : NET_PATH;
	if (status == 413)
		return NET_TOO_LARGE;
	if (status == 402 ||
	    (status == 429 && (mentions(message, "quota") || mentions(message, "billing"))))
		return NET_QUOTA;
	if (status == 429)
		return NET_RATE;
	if (status == 408 || (status >= 500 && status != 501 && status != 505))
		return NET_SERVER;
	return NET_REQUEST;
}

static void put_auth(const struct endpoint *e, int status, struct buf *out)
{
	struct buf source = BUF_INIT;

	endpoint_key_source(e, &source);
	if (status == 403)
		buf_z(out, "the server forbids it");
	else if (!e->key_env && !e->key_file)
		buf_z(out, "the server wants a key, and no key_env or key_file says where it is");
	else
		buf_printf(out, "the server refuses the key from %.200s", buf_cstr(&source));
	buf_release(&source);
}

static void put_meaning(const struct endpoint *e, const char *model, int status, enum net_fail fail,
			struct buf *out)
{
	switch (fail) {
	case NET_AUTH:
		put_auth(e, status, out);
		break;
	case NET_MODEL:
		buf_printf(out, "the server has no model %.100s", model ? model : "of this name");
		break;
	case NET_PATH:
		buf_printf(out, "nothing answers there: is base_url %.200s right?", e->base_url);
		break;
	case NET_TOO_LARGE:
		buf_z(out, "the request is too large for the server: lower image_max_side or "
			   "image_max_bytes");
		break;
	case NET_QUOTA:
		buf_z(out, "nothing is left to spend");
		break;
	case NET_RATE:
		buf_z(out, "the server is asked too often");
		break;
	case NET_SERVER:
		buf_z(out, status == 503 || status == 529 ? "the server is overloaded or not ready"
							  : "the server failed");
		break;
	default:
		buf_z(out, "the server refuses the request");
	}
}

enum net_fail saying_status(const struct endpoint *e, const char *model, int status,
			    struct str message, double wait, struct err *err)
{
	enum net_fail fail = kind_of(status, message);
	struct buf text = BUF_INIT;

	put_meaning(e, model, status, fail, &text);
	buf_printf(&text, " (%d)", status);
	if (wait > 0) {
		buf_z(&text, " and asks to wait ");
		saying_seconds(wait, &text);
	}
	if (message.n) {
		buf_z(&text, ": ");
		buf_str(&text, message);
	}
	err_set(err, net_fail_status(fail), "%s", buf_cstr(&text));
	buf_release(&text);
	return fail;
}
