/* http_fail: what a code of libcurl means. Only for http_curl.c. */
#ifndef QUALM_CORE_NET_HTTP_FAIL_H
#define QUALM_CORE_NET_HTTP_FAIL_H

#include "core/net/http.h"

#ifdef HAVE_CURL
#include "core/net/curl_load.h"

/* Sets t->fail and t->err. message: libcurl's own words, may be "". */
void http_fail(CURL *easy, CURLcode code, const char *message, struct http_task *t);
#endif

#endif
