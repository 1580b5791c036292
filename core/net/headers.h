/* headers: what is sent with each request to an endpoint: its key and further headers. */
#ifndef QUALM_CORE_NET_HEADERS_H
#define QUALM_CORE_NET_HEADERS_H

#include "core/net/http.h"
#include "core/net/secrets.h"

#define HEADERS_MAX (ENDPOINT_MAX_HEADERS + 3)

struct headers {
	struct http_header v[HEADERS_MAX];
	size_t n;
	char *authorization; /* wiped and freed by headers_release() */
	char *url;	     /* base_url and the path behind it; owned */
	char *ca_file;	     /* NULL: none; owned */
};

/* path: "/chat/completions". Borrows e and secrets. */
void headers_init(struct headers *h, const struct endpoint *e, const struct secrets *secrets,
		  const char *path, const char *accept);
void headers_release(struct headers *h);
/* A request with them. */
struct http_request headers_request(const struct headers *h, const struct endpoint *e);

#endif
