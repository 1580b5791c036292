#include "core/net/http_fail.h"

#ifdef HAVE_CURL
#include "core/net/saying.h"

static const struct {
	CURLcode code;
	enum net_fail fail;
	const char *words;
} meanings[] = {
    {CURLE_COULDNT_RESOLVE_HOST, NET_DNS, "the name of the host is not known"},
    {CURLE_COULDNT_RESOLVE_PROXY, NET_DNS, "the name of the proxy is not known"},
    {CURLE_COULDNT_CONNECT, NET_CONNECT, "nobody answers there"},
#if LIBCURL_VERSION_NUM >= 0x074900
    {CURLE_PROXY, NET_CONNECT, "the proxy does not let it through"},
#endif
    {CURLE_SSL_CONNECT_ERROR, NET_TLS, "no secure connection can be made"},
    {CURLE_PEER_FAILED_VERIFICATION, NET_TLS,
     "the server's certificate is not trusted (ca_file names one that should be)"},
    {CURLE_SSL_CACERT_BADFILE, NET_TLS, "the file of trusted certificates cannot be read"},
    {CURLE_SSL_ISSUER_ERROR, NET_TLS, "the server's certificate is not trusted"},
    {CURLE_SSL_CERTPROBLEM, NET_TLS, "no secure connection can be made"},
    {CURLE_SSL_CIPHER, NET_TLS, "no secure connection can be made"},
    {CURLE_SSL_INVALIDCERTSTATUS, NET_TLS, "the server's certificate is not trusted"},
    {CURLE_SSL_PINNEDPUBKEYNOTMATCH, NET_TLS, "the server's certificate is not trusted"},
    {CURLE_USE_SSL_FAILED, NET_TLS, "no secure connection can be made"},
    {CURLE_PARTIAL_FILE, NET_CUT, "the connection ended before the answer did"},
    {CURLE_GOT_NOTHING, NET_CUT, "the server hung up without an answer"},
    {CURLE_RECV_ERROR, NET_CUT, "the connection broke"},
    {CURLE_SEND_ERROR, NET_CUT, "the connection broke"},
    {CURLE_HTTP2, NET_CUT, "the connection broke"},
    {CURLE_HTTP2_STREAM, NET_CUT, "the connection broke"},
    {CURLE_UNSUPPORTED_PROTOCOL, NET_GARBLED, "what answers does not speak HTTP"},
    {CURLE_URL_MALFORMAT, NET_SETUP, "base_url cannot be used"},
    {CURLE_WEIRD_SERVER_REPLY, NET_GARBLED, "what answers does not speak HTTP"},
    {CURLE_BAD_CONTENT_ENCODING, NET_GARBLED, "the answer is encoded in an unknown way"},
    {CURLE_OUT_OF_MEMORY, NET_SETUP, "there is no memory for the request"},
};

static void put_timeout(CURL *easy, struct http_task *t)
{
	curl_off_t connected = 0;
	struct buf s = BUF_INIT;

	curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &connected);
	saying_seconds(t->reply.ended - t->reply.began, &s);
	t->fail = connected > 0 ? NET_TIMEOUT : NET_CONNECT;
	if (connected > 0)
		err_set(&t->err, E_IO, "no whole answer came within %s (timeout)", buf_cstr(&s));
	else
		err_set(&t->err, E_IO, "no connection could be made within %s", buf_cstr(&s));
	buf_release(&s);
}

/* libcurl has no code of its own for a tunnel that a proxy refuses. */
static bool is_refused_tunnel(CURL *easy, CURLcode code)
{
	long status = 0;

	return code == CURLE_RECV_ERROR && curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &status) == CURLE_OK &&
	       status >= 300;
}

void http_fail(CURL *easy, CURLcode code, const char *message, struct http_task *t)
{
	const char *words = "the request failed";
	struct buf own = BUF_INIT;

	if (code == CURLE_OPERATION_TIMEDOUT) {
		put_timeout(easy, t);
		return;
	}
	t->fail = NET_CUT;
	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
		if (meanings[i].code == code) {
			t->fail = meanings[i].fail;
			words = meanings[i].words;
		}
	if (is_refused_tunnel(easy, code)) {
		t->fail = NET_CONNECT;
		words = "the proxy does not let it through";
	}
	saying_clean(NULL, str_z(*message ? message : curl.easy_strerror(code)), SAYING_MAX_BYTES,
		     &own);
	err_set(&t->err, net_fail_status(t->fail), "%s: %s", words, buf_cstr(&own));
	buf_release(&own);
}
#endif
