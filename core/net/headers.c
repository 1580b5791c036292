#include "core/net/headers.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"

static void add(struct headers *h, const char *name, const char *value)
{
	h->v[h->n++] = (struct http_header){name, value};
}

void headers_init(struct headers *h, const struct endpoint *e, const struct secrets *secrets,
		  const char *path, const char *accept)
{
	*h = (struct headers){.url = xasprintf("%s%s", e->base_url, path)};
	if (e->ca_file)
		h->ca_file = endpoint_file(e->ca_file);
	add(h, "Accept", accept);
	add(h, "Content-Type", "application/json");
	if (secrets->key.value) {
		h->authorization = xasprintf("Bearer %s", secrets->key.value);
		add(h, "Authorization", h->authorization);
	}
	for (size_t i = 0; i < secrets->n_headers; i++)
		add(h, e->header[i].name, secrets->header[i].value);
}

void headers_release(struct headers *h)
{
	if (h->authorization)
		explicit_bzero(h->authorization, strlen(h->authorization));
	free(h->authorization);
	free(h->url);
	free(h->ca_file);
	*h = (struct headers){0};
}

struct http_request headers_request(const struct headers *h, const struct endpoint *e)
{
	return (struct http_request){.url = h->url,
				     .header = h->v,
				     .n_headers = h->n,
				     .ca_file = h->ca_file,
				     .timeout = e->timeout};
}
