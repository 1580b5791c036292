#include "core/net/http_curl.h"

#ifdef HAVE_CURL
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "core/base/xmalloc.h"
#include "core/net/http_fail.h"
#include "core/net/retry.h"
#include "core/net/saying.h"

/* --- what comes --- */

static int status_of(struct transfer *x)
{
	long status = 0;

	curl_easy_getinfo(x->easy, CURLINFO_RESPONSE_CODE, &status);
	return (int)status;
}

static bool is_fine(int status)
{
	return status >= 200 && status < 300;
}

static size_t on_body(char *p, size_t one, size_t n, void *ctx)
{
	struct transfer *x = ctx;
	struct http_task *t = x->task;
	struct str bytes = {p, one * n};

	t->reply.status = status_of(x);
	t->reply.bytes_in += bytes.n;
	if (!is_fine(t->reply.status)) {
		size_t room = HTTP_MAX_ERROR - t->reply.body.n;

		buf_put(&t->reply.body, bytes.p, bytes.n < room ? bytes.n : room);
		return bytes.n <= room ? bytes.n : 0;
	}
	if (t->enough)
		return bytes.n;
	if (t->reply.bytes_in > t->request.max_reply) {
		t->fail = NET_LIMIT;
		err_set(&t->err, E_LIMIT, "the server's answer is over %zu bytes",
			t->request.max_reply);
	} else if (t->ops->bytes(t, bytes, &t->err) == OK) {
		return bytes.n;
	}
	return 0;
}

static bool is_header(struct str line, const char *name, struct str *value)
{
	struct str head;
	struct str rest = str_cut(line, ':', &head);

	if (!rest.p || !str_eq_nocase(head, str_z(name)))
		return false;
	*value = str_trim(rest);
	return true;
}

static void keep(char *to, size_t size, struct str value)
{
	size_t n = value.n < size ? value.n : size - 1;

	memcpy(to, value.p, n);
	to[n] = '\0';
}

/* A proxy's own answer to CONNECT comes here too, and a 100: each begins with its status line. */
static void note_header(struct http_reply *r, struct str line)
{
	struct str value;
	double ms;

	if (str_starts(line, STR("HTTP/"))) {
		r->retry_after = -1;
		*r->type = *r->id = '\0';
	} else if (is_header(line, "content-type", &value)) {
		str_cut(value, ';', &value);
		keep(r->type, sizeof r->type, str_trim(value));
	} else if (is_header(line, "x-request-id", &value)) {
		keep(r->id, sizeof r->id, value);
	} else if (is_header(line, "retry-after-ms", &value) && str_num(value, &ms) && ms >= 0) {
		r->retry_after = ms / 1e3;
	} else if (is_header(line, "retry-after", &value) && r->retry_after < 0) {
		retry_after(value, (int64_t)time(NULL), &r->retry_after);
	}
}

static size_t on_header(char *p, size_t one, size_t n, void *ctx)
{
	struct transfer *x = ctx;
	struct http_task *t = x->task;

	x->header_bytes += one * n;
	if (x->header_bytes > HTTP_MAX_HEADERS) {
		t->fail = NET_LIMIT;
		err_set(&t->err, E_LIMIT, "the headers of the server's answer are over %zu bytes",
			HTTP_MAX_HEADERS);
		return 0;
	}
	note_header(&t->reply, (struct str){p, one * n});
	return one * n;
}

/* --- opening --- */

/* No helper process inherits a connection. */
static curl_socket_t on_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *a)
{
	(void)ctx;
	(void)purpose;
	return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

static bool add_header(struct transfer *x, const char *name, const char *value)
{
	char *line = xasprintf("%s:%s%s", name, *value ? " " : "", value);
	struct curl_slist *more = curl.slist_append(x->headers, line);

	explicit_bzero(line, strlen(line));
	free(line);
	if (more)
		x->headers = more;
	return more != NULL;
}

static bool add_headers(struct transfer *x)
{
	const struct http_request *q = &x->task->request;
	bool ok = add_header(x, "Expect", ""); /* many servers never answer it */

	for (size_t i = 0; ok && i < q->n_headers; i++)
		ok = add_header(x, q->header[i].name, q->header[i].value);
	return ok;
}

static void limit_protocols(CURL *easy)
{
#if LIBCURL_VERSION_NUM >= 0x075500
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
	/* a name that is being looked up does not hold up who cancels */
	curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
}

static void set_trust(CURL *easy, const char *ca_file)
{
	const char *file = ca_file ? ca_file : getenv("SSL_CERT_FILE");

	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
	if (file && *file)
		curl_easy_setopt(easy, CURLOPT_CAINFO, file);
	if (ca_file)
		curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
}

static void set_times(CURL *easy, double timeout)
{
	double connect = timeout < HTTP_CONNECT_TIME ? timeout : HTTP_CONNECT_TIME;

	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)(timeout * 1e3));
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)(connect * 1e3));
}

static void set_up(struct transfer *x)
{
	const struct http_request *q = &x->task->request;
	CURL *easy = x->easy;

	curl_easy_setopt(easy, CURLOPT_URL, x->url);
	curl_easy_setopt(easy, CURLOPT_PRIVATE, x);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, x->message);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(easy, CURLOPT_HTTPHEADER, x->headers);
	curl_easy_setopt(easy, CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE); /* none for proxies */
	curl_easy_setopt(easy, CURLOPT_USERAGENT, "qualm");
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, x);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, x);
	curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_socket);
	if (q->post) {
		curl_easy_setopt(easy, CURLOPT_POSTFIELDS, q->body.p ? q->body.p : "");
		curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)q->body.n);
	}
	limit_protocols(easy);
	set_trust(easy, q->ca_file);
	set_times(easy, q->timeout);
}

enum status transfer_open(struct transfer *x)
{
	struct http_task *t = x->task;

	buf_release(&t->reply.body);
	t->reply = (struct http_reply){.retry_after = -1};
	t->reply.body.max = HTTP_MAX_ERROR;
	t->reply.began = t->reply.ended = http_clock();
	x->header_bytes = 0;
	x->enough_since = 0;
	x->redirected = false;
	*x->message = '\0';
	x->easy = curl.easy_init();
	if (!x->easy || !add_headers(x)) {
		t->fail = NET_SETUP;
		transfer_close(x);
		return err_set(&t->err, E_MEMORY, "libcurl has no memory for the request");
	}
	set_up(x);
	return OK;
}

void transfer_close(struct transfer *x)
{
	curl.easy_cleanup(x->easy);
	x->easy = NULL;
	for (struct curl_slist *h = x->headers; h; h = h->next)
		explicit_bzero(h->data, strlen(h->data));
	curl.slist_free_all(x->headers);
	x->headers = NULL;
}

/* --- the end of a try --- */

void transfer_facts(struct transfer *x)
{
	struct http_reply *r = &x->task->reply;
	curl_off_t sent = 0;

	if (!x->easy)
		return;
	r->status = status_of(x);
	r->ended = http_clock();
	if (curl_easy_getinfo(x->easy, CURLINFO_SIZE_UPLOAD_T, &sent) == CURLE_OK)
		r->bytes_out = (uint64_t)sent;
}

/* "https://host:port" of a URL, with the port that goes without saying; caller: free. NULL: none.
 */
static char *origin(const char *url)
{
	CURLU *u = curl.url();
	char *scheme = NULL, *host = NULL, *port = NULL, *out = NULL;

	if (u && curl.url_set(u, CURLUPART_URL, url, 0) == CURLUE_OK &&
	    curl.url_get(u, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
	    curl.url_get(u, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
	    curl.url_get(u, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) == CURLUE_OK)
		out = xasprintf("%s://%s:%s", scheme, host, port);
	curl.free(scheme);
	curl.free(host);
	curl.free(port);
	curl.url_cleanup(u);
	return out;
}

static bool keeps_method(const struct http_task *t, int status)
{
	return status == 307 || status == 308 ||
	       (!t->request.post && status != 304 && status != 300);
}

static void refuse_redirect(struct http_task *t, const char *to, bool same)
{
	struct buf where = BUF_INIT;

	saying_clean(NULL, str_z(to), 200, &where);
	t->fail = NET_REDIRECT;
	if (same)
		err_set(&t->err, E_IO,
			"the server sends elsewhere (%d), to %s, in a way that "
			"cannot be followed: is base_url right?",
			t->reply.status, buf_cstr(&where));
	else
		err_set(&t->err, E_IO,
			"the server sends elsewhere (%d), to %s: neither key nor "
			"request goes to another host; if it should, make it base_url",
			t->reply.status, buf_cstr(&where));
	buf_release(&where);
}

static void redirect(struct transfer *x, const char *to)
{
	struct http_task *t = x->task;
	char *from = origin(x->url), *there = origin(to);
	bool same = from && there && str_eq_nocase(str_z(from), str_z(there));

	if (same && keeps_method(t, t->reply.status) && x->redirects < HTTP_MAX_REDIRECTS) {
		free(x->url);
		x->url = xstrdup(to);
		x->redirects++;
		x->redirected = true;
	} else {
		refuse_redirect(t, to, same);
	}
	free(from);
	free(there);
}

void transfer_finish(struct transfer *x, CURLcode code)
{
	struct http_task *t = x->task;
	char *to = NULL;

	transfer_facts(x);
	if (t->enough)
		code = CURLE_OK;
	if (t->fail)
		return;
	if (t->reply.status >= 300 && t->reply.status < 400)
		curl_easy_getinfo(x->easy, CURLINFO_REDIRECT_URL, &to);
	if (to)
		redirect(x, to);
	else if (t->reply.status >= 300)
		t->fail =
		    t->ops->refused(t, &t->err); /* also where the connection broke after it */
	else if (code)
		http_fail(x->easy, code, x->message, t);
	else if (t->ops->complete(t, &t->err) && t->fail == NET_NONE)
		t->fail = NET_GARBLED;
}
#endif
