/* http_curl: one try of one task as an easy handle of libcurl. Only for http.c and http_curl.c. */
#ifndef QUALM_CORE_NET_HTTP_CURL_H
#define QUALM_CORE_NET_HTTP_CURL_H

#include "core/net/http.h"

#ifdef HAVE_CURL
#include "core/net/curl_load.h"

struct transfer {
	struct http_task *task;
	struct transfer *next;
	char *url;	   /* where it goes now; owned */
	double not_before; /* of the next try */
	double enough_since;
	int redirects;
	bool redirected; /* url is where the same request goes next */
	/* of this try; easy NULL: it waits */
	CURL *easy;
	struct curl_slist *headers;
	size_t header_bytes;
	char message[CURL_ERROR_SIZE];
};

/* A handle for the next try. A failure is in task->err and task->fail. */
enum status transfer_open(struct transfer *x);
/* The try has ended so: fills task->reply, task->fail, task->err, or sets redirected. */
void transfer_finish(struct transfer *x, CURLcode code);
/* What is known so far: fills task->reply. */
void transfer_facts(struct transfer *x);
void transfer_close(struct transfer *x);
#endif

#endif
