#include <stdlib.h>

#include "core/net/chat_impl.h"

static enum status print(const struct endpoint *e, const struct chat_request *q, bool pretty,
			 struct buf *out, struct err *err)
{
	cJSON *body = NULL;
	char *text = NULL;
	enum status st = chat_build(e, q, true, &body, err);

	if (!st) {
		text = pretty ? cJSON_Print(body) : cJSON_PrintUnformatted(body);
		if (!text)
			st = err_set(err, E_MEMORY, "there is no memory for the request");
	}
	if (!st)
		buf_z(out, text);
	cJSON_free(text);
	cJSON_Delete(body);
	return st;
}

enum status chat_show_body(const struct endpoint *e, const struct chat_request *q, struct buf *out,
			   struct err *err)
{
	return print(e, q, false, out, err);
}

enum status chat_show(const struct endpoint *e, const struct chat_request *q, struct buf *out,
		      struct err *err)
{
	struct buf body = BUF_INIT, source = BUF_INIT;
	enum status st = print(e, q, true, &body, err);

	if (!st) {
		buf_printf(out, "POST %s/chat/completions\n", e->base_url);
		buf_z(out, "Content-Type: application/json\n");
		endpoint_key_source(e, &source);
		if (e->key_env || e->key_file)
			buf_printf(out, "Authorization: Bearer [%s]\n", buf_cstr(&source));
		for (size_t i = 0; i < e->n_headers; i++)
			buf_printf(out, "%s: [a variable]\n", e->header[i].name);
		buf_ch(out, '\n');
		buf_str(out, buf_view(&body));
		buf_ch(out, '\n');
	}
	buf_release(&body);
	buf_release(&source);
	return st;
}
