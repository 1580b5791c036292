/* core/net against a server of the tests' own: good answers and hostile ones. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/log.h"
#include "core/base/xmalloc.h"
#include "core/net/chat.h"
#include "core/net/embed.h"
#include "core/net/http.h"
#include "core/net/models.h"
#include "tests/unit/lib_ask.h"
#include "tests/unit/lib_server.h"

/* --- one request, many servers --- */

static const struct {
	const char *script;
	enum net_fail fail;
	int http, tries;
	const char *text; /* that came */
	const char *says; /* in the message */
} cases[] = {
    {"good", NET_NONE, 200, 1, "kit fox", ""},
    {"plain", NET_NONE, 200, 1, "kit fox", ""},
    {"bytewise", NET_NONE, 200, 1, "kit fox", ""},
    {"crlf", NET_NONE, 200, 1, "kit fox", ""},
    {"crlf-bytewise", NET_NONE, 200, 1, "kit fox", ""},
    {"no-done", NET_NONE, 200, 1, "kit fox", ""}, /* it has said that it stops */
    {"cut-after-stop", NET_CUT, 200, 1, "kit fox", "ended before the answer did"},
    {"open", NET_NONE, 200, 1, "kit fox", ""}, /* [DONE], and the connection stays open */
    {"cut-after-done", NET_NONE, 200, 1, "kit fox", ""},
    {"wrong-type", NET_NONE, 200, 1, "kit fox", ""}, /* the bytes count, not what they are called */
    {"redirect-same", NET_NONE, 200, 1, "kit fox", ""},
    {"cut-stream", NET_CUT, 200, 1, "kit ", "ended before the answer did"},
    {"early-end", NET_CUT, 200, 1, "kit ", "ended before the answer did, after 4 bytes"},
    {"error-in-stream", NET_SERVER, 200, 1, "kit ", "in the middle: overloaded"},
    {"html", NET_GARBLED, 200, 1, "", "text/html and not as the API does: Sign in"},
    {"bad-json", NET_GARBLED, 200, 1, "", "is no JSON"},
    {"nothing", NET_GARBLED, 200, 1, "", "no bytes"},
    {"hang-up", NET_CUT, 0, 3, "", "hung up without an answer"},
    {"no-http", NET_GARBLED, 0, 1, "", "does not speak HTTP"},
    {"huge-header", NET_LIMIT, 200, 1, "", "headers of the server's answer are over"},
    {"many-headers", NET_LIMIT, 200, 1, "", "headers of the server's answer are over"},
    {"endless", NET_LIMIT, 200, 1, "", "over 16777216 bytes"},
    {"endless-line", NET_LIMIT, 200, 1, "", "over 4194304 bytes"},
    {"endless-error", NET_SERVER, 500, 3, "", "the server failed (500)"},
    {"401", NET_AUTH, 401, 1, "", "refuses the key from $NET_TEST_KEY (401): Incorrect key: [key]"},
    {"403", NET_AUTH, 403, 1, "", "forbids it (403): not in your country"},
    {"404-model", NET_MODEL, 404, 1, "", "has no model m (404): The model `m` does not exist"},
    {"404", NET_PATH, 404, 1, "", "is base_url http://127.0.0.1"},
    {"413", NET_TOO_LARGE, 413, 1, "", "image_max_bytes (413): too big"},
    {"429-long", NET_RATE, 429, 1, "", "asks to wait 3 h"},
    {"429-quota", NET_QUOTA, 429, 1, "", "nothing is left to spend (429)"},
    {"429", NET_RATE, 429, 3, "", "is asked too often (429)"},
    {"500", NET_SERVER, 500, 3, "", "the server failed (500): oops [31m!"},
    {"400", NET_REQUEST, 400, 1, "", "refuses the request (400): no such field"},
    {"redirect-other", NET_REDIRECT, 307, 1, "", "neither key nor request goes to another host"},
    {"redirect-scheme", NET_REDIRECT, 308, 1, "", "neither key nor request goes to another host"},
    {"redirect-get", NET_REDIRECT, 302, 1, "", "in a way that cannot be followed"},
    {"redirect-round", NET_REDIRECT, 307, 1, "", "in a way that cannot be followed"},
    {"304", NET_REQUEST, 304, 1, "", "refuses the request (304)"},
};

static void every_server_is_met(void **state)
{
	struct asking *a = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		enum status st = ask(a, cases[i].script, NULL);

		if (a->reply.fail != cases[i].fail || !strstr(a->err.msg, cases[i].says) ||
		    st != net_fail_status(cases[i].fail))
			fail_msg("%s: %s, %d: %s", cases[i].script, net_fail_word(a->reply.fail),
				 st, a->err.msg);
		if (st && !strstr(a->err.msg, "endpoint test: "))
			fail_msg("%s: %s", cases[i].script, a->err.msg);
		if (a->reply.http != cases[i].http || a->reply.tries != cases[i].tries)
			fail_msg("%s: %d, %d tries", cases[i].script, a->reply.http,
				 a->reply.tries);
		if (strcmp(buf_cstr(&a->reply.text), cases[i].text) != 0)
			fail_msg("%s: \"%s\"", cases[i].script, buf_cstr(&a->reply.text));
		assert_true(a->reply.latency_ms >= 0);
		assert_null(strstr(a->err.msg, TEST_KEY));
		assert_null(strchr(a->err.msg, '\033'));
	}
	assert_int_equal(server_requests(a->other), 0);
}

/* What is said has a ceiling far below that of the bytes around it: it is searched for names. */
static void an_answer_has_an_end(void **state)
{
	struct asking *a = *state;

	assert_int_equal(ask(a, "long-answer", NULL), E_LIMIT);
	assert_int_equal(a->reply.fail, NET_LIMIT);
	assert_non_null(strstr(a->err.msg, "the answer is over 1048576 bytes"));
	assert_in_range(a->reply.text.n, CHAT_MAX_TEXT, CHAT_MAX_TEXT + 65536);
}

static void facts_are_kept(void **state)
{
	struct asking *a = *state;

	assert_int_equal(ask(a, "good", NULL), OK);
	assert_string_equal(a->reply.finish, "stop");
	assert_string_equal(a->reply.model, "m-1");
	assert_string_equal(a->reply.id, "req-1");
	assert_int_equal(a->reply.tokens_in, 7);
	assert_int_equal(a->reply.tokens_out, 3);
	assert_true(a->reply.streamed && a->reply.complete);
	assert_true(a->reply.first_ms >= 0 && a->reply.first_ms <= a->reply.latency_ms);
	assert_true(a->reply.bytes_in > 100 && a->reply.bytes_out > 50);
	assert_int_equal(ask(a, "plain", NULL), OK);
	assert_false(a->reply.streamed);
	assert_int_equal(ask(a, "429-long", NULL), E_BUSY);
	assert_true(a->reply.wait == 10800);
}

/* What was sent: the key once, as a header; the body as it was built. */
static void the_request_is_as_it_should_be(void **state)
{
	struct asking *a = *state;
	struct buf got = BUF_INIT;

	setenv("NET_TEST_TITLE", "a title", 1);
	a->endpoint.header[0] = (struct endpoint_header){a->text[0], a->text[1]};
	a->endpoint.n_headers = 1;
	assert_int_equal(ask(a, "good", NULL), OK);
	server_received(a->server, &got);
	assert_true(str_starts(buf_view(&got), STR("POST /good/v1/chat/completions HTTP/1.1\r\n")));
	assert_non_null(strstr(buf_cstr(&got), "\r\nAuthorization: Bearer " TEST_KEY "\r\n"));
	assert_non_null(strstr(buf_cstr(&got), "\r\nX-Title: a title\r\n"));
	assert_non_null(strstr(buf_cstr(&got), "\r\nContent-Type: application/json\r\n"));
	assert_null(strstr(buf_cstr(&got), "Expect:"));
	assert_non_null(strstr(buf_cstr(&got),
			       "\r\n\r\n{\"model\":\"m\",\"messages\":[{\"role\":\"user\","
			       "\"content\":\"what is it?\"}],\"temperature\":0,\"stream\":true,"
			       "\"stream_options\":{\"include_usage\":true}}"));
	buf_release(&got);
	a->endpoint.n_headers = 0;
}

static void without_a_key_none_is_sent(void **state)
{
	struct asking *a = *state;
	struct buf got = BUF_INIT;

	a->endpoint.key_env = NULL;
	assert_int_equal(ask(a, "good", NULL), OK);
	server_received(a->server, &got);
	assert_null(strstr(buf_cstr(&got), "Authorization"));
	buf_release(&got);
}

static void a_missing_key_is_told(void **state)
{
	struct asking *a = *state;

	unsetenv("NET_TEST_KEY");
	assert_int_equal(ask(a, "good", NULL), E_NOT_FOUND);
	assert_int_equal(a->reply.fail, NET_SETUP);
	assert_string_equal(a->err.msg,
			    "endpoint test: $NET_TEST_KEY, which has the key, is not set");
	assert_int_equal(server_requests(a->server), 0);
	setenv("NET_TEST_KEY", TEST_KEY, 1);
}

static void connections_are_kept(void **state)
{
	struct asking *a = *state;

	for (int i = 0; i < 5; i++)
		assert_int_equal(ask(a, "good", NULL), OK);
	assert_int_equal(server_requests(a->server), 5);
	assert_int_equal(server_connections(a->server), 1);
}

/* --- retries --- */

static void a_busy_server_is_asked_again(void **state)
{
	struct asking *a = *state;
	double began = http_clock();

	assert_int_equal(ask(a, "busy-twice", NULL), OK);
	assert_int_equal(a->reply.tries, 3);
	assert_string_equal(buf_cstr(&a->reply.text), "kit fox");
	assert_int_equal(a->n_waits, 2);
	assert_true(http_clock() - began < 2);
}

static void retry_after_is_heeded(void **state)
{
	struct asking *a = *state;
	double began = http_clock();

	assert_int_equal(ask(a, "busy-a-second", NULL), OK);
	assert_int_equal(a->reply.tries, 2);
	assert_true(http_clock() - began >= 1);
	assert_true(a->waited >= 1 && a->waited <= 1.25);
	began = http_clock();
	assert_int_equal(ask(a, "busy-until-a-date", NULL), OK);
	assert_int_equal(a->reply.tries, 2);
	assert_true(http_clock() - began >= 0.9); /* a date has whole seconds */
}

static void no_retries_means_none(void **state)
{
	struct asking *a = *state;

	a->endpoint.retries = 0;
	assert_int_equal(ask(a, "busy-twice", NULL), E_BUSY);
	assert_int_equal(a->reply.tries, 1);
	assert_int_equal(a->n_waits, 0);
}

/* What was shown is not asked again; what nobody saw is. */
static void nothing_is_shown_twice(void **state)
{
	struct asking *a = *state;

	assert_int_equal(ask(a, "cut-once", NULL), E_IO);
	assert_int_equal(a->reply.tries, 1);
	assert_string_equal(buf_cstr(&a->told), "kit ");
	a->silent = true;
	assert_int_equal(ask(a, "cut-once-more", NULL), OK);
	assert_int_equal(a->reply.tries, 2);
	assert_string_equal(buf_cstr(&a->reply.text), "kit fox");
}

static void nobody_listens(void **state)
{
	struct asking *a = *state;
	char url[64];
	int port = server_port(a->other);

	server_stop(a->other);
	a->other = NULL;
	snprintf(url, sizeof url, "http://127.0.0.1:%d/v1", port);
	a->endpoint.retries = 1;
	assert_int_equal(ask_url(a, url, NULL), E_IO);
	assert_int_equal(a->reply.fail, NET_CONNECT);
	assert_int_equal(a->reply.tries, 2);
	assert_non_null(strstr(a->err.msg, "nobody answers there"));
	assert_int_equal(ask_url(a, "http://no-such-host.invalid/v1", NULL), E_IO);
	assert_int_equal(a->reply.fail, NET_DNS);
	assert_int_equal(a->reply.tries, 1);
}

static void time_is_up(void **state)
{
	struct asking *a = *state;
	double began = http_clock();

	a->endpoint.timeout = 0.3;
	assert_int_equal(ask(a, "silent", NULL), E_IO);
	assert_int_equal(a->reply.fail, NET_TIMEOUT);
	assert_int_equal(a->reply.tries, 1);
	assert_non_null(strstr(a->err.msg, "(timeout)"));
	assert_int_equal(ask(a, "stall", NULL), E_IO);
	assert_int_equal(a->reply.fail, NET_TIMEOUT);
	assert_string_equal(buf_cstr(&a->reply.text), "kit ");
	assert_int_equal(ask(a, "drip", NULL), E_IO); /* it never stops sending */
	assert_int_equal(a->reply.fail, NET_TIMEOUT);
	assert_true(http_clock() - began < 5);
}

/* --- cancel --- */

struct stopper {
	struct cancel *cancel;
	double at;
};

static void *stop_soon(void *arg)
{
	struct stopper *s = arg;

	nanosleep(&(struct timespec){0, 150000000}, NULL);
	s->at = http_clock();
	cancel_now(s->cancel);
	return NULL;
}

/* Seconds from the cancel to the return; the best of three, for machines that are busy. */
static double time_to_stop(struct asking *a, const char *url, bool with_fd)
{
	double best = 1e9;

	for (int i = 0; i < 3 && best > 0.1; i++) {
		struct cancel cancel;
		struct stopper s = {&cancel, 0};
		pthread_t thread;
		double took;

		cancel_init(&cancel);
		if (with_fd)
			assert_true(cancel_fd(&cancel) >= 0);
		assert_int_equal(pthread_create(&thread, NULL, stop_soon, &s), 0);
		assert_int_equal(ask_url(a, url, &cancel), E_CANCELLED);
		took = http_clock();
		pthread_join(thread, NULL);
		took -= s.at;
		assert_int_equal(a->reply.fail, NET_CANCELLED);
		best = took < best ? took : best;
		cancel_release(&cancel);
	}
	return best;
}

static void it_stops_at_once(void **state)
{
	static const char *const scripts[] = {"silent", "stall", "drip", "429-wait"};
	struct asking *a = *state;
	char url[128];

	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
		for (int fd = 0; fd < 2; fd++) {
			double took;

			snprintf(url, sizeof url, "http://127.0.0.1:%d/%s/v1",
				 server_port(a->server), scripts[i]);
			took = time_to_stop(a, url, fd);
			if (took > 0.1)
				fail_msg("%s: %.0f ms", scripts[i], took * 1e3);
		}
	assert_int_equal(ask(a, "good", NULL), OK); /* and works on */
}

static void what_came_is_kept(void **state)
{
	struct asking *a = *state;
	char url[128];

	snprintf(url, sizeof url, "http://127.0.0.1:%d/stall/v1", server_port(a->server));
	time_to_stop(a, url, true);
	assert_string_equal(buf_cstr(&a->reply.text), "kit ");
	assert_string_equal(a->err.msg, "stopped");
	assert_false(a->reply.complete);
}

/* A machine that does not even refuse: a queue of connections that is full. */
static void it_stops_while_connecting(void **state)
{
	struct asking *a = *state;
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int listener = socket(AF_INET, SOCK_STREAM, 0), fill[8];
	socklen_t n = sizeof to;
	char url[64];
	double took;

	assert_true(listener >= 0 && bind(listener, (struct sockaddr *)&to, n) == 0);
	assert_int_equal(listen(listener, 0), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&to, &n), 0);
	for (size_t i = 0; i < 8; i++) {
		fill[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		(void)!connect(fill[i], (struct sockaddr *)&to, n);
	}
	snprintf(url, sizeof url, "http://127.0.0.1:%d/v1", ntohs(to.sin_port));
	took = time_to_stop(a, url, true);
	assert_true(took < 0.1);
	assert_int_equal(a->reply.http, 0);
	a->endpoint.timeout = 0.3;
	a->endpoint.retries = 0;
	assert_int_equal(ask_url(a, url, NULL), E_IO);
	assert_int_equal(a->reply.fail, NET_CONNECT);
	for (size_t i = 0; i < 8; i++)
		close(fill[i]);
	close(listener);
}

static void a_cancel_before_sends_nothing(void **state)
{
	struct asking *a = *state;
	struct cancel cancel;

	cancel_init(&cancel);
	cancel_now(&cancel);
	assert_int_equal(ask(a, "good", &cancel), E_CANCELLED);
	assert_int_equal(a->reply.fail, NET_CANCELLED);
	assert_int_equal(a->reply.tries, 0);
	assert_int_equal(server_requests(a->server), 0);
	cancel_release(&cancel);
}

/* --- TLS, proxies --- */

static void certificates_are_checked(void **state)
{
	struct asking *a = *state;
	char url[64], *old;
	struct server *s;

	if (!server_has_tls())
		skip();
	s = server_start(answer, a, SERVER_TLS, a->ca_file);
	snprintf(url, sizeof url, "https://127.0.0.1:%d/good/v1", server_port(s));
	assert_int_equal(ask_url(a, url, NULL), E_IO);
	assert_int_equal(a->reply.fail, NET_TLS);
	assert_non_null(strstr(a->err.msg, "certificate is not trusted"));
	assert_int_equal(server_requests(s), 0);
	old = a->endpoint.ca_file;
	a->endpoint.ca_file = a->ca_file;
	assert_int_equal(ask_url(a, url, NULL), OK);
	assert_string_equal(buf_cstr(&a->reply.text), "kit fox");
	a->endpoint.ca_file = old;
	setenv("SSL_CERT_FILE", a->ca_file, 1);
	assert_int_equal(ask_url(a, url, NULL), OK);
	unsetenv("SSL_CERT_FILE");
	assert_int_equal(server_requests(s), 2);
	server_stop(s);
}

static void names_in_certificates_are_checked(void **state)
{
	struct asking *a = *state;
	char url[64];
	struct server *s;

	if (!server_has_tls())
		skip();
	s = server_start(answer, a, SERVER_TLS_OTHER_HOST, a->ca_file);
	snprintf(url, sizeof url, "https://127.0.0.1:%d/good/v1", server_port(s));
	a->endpoint.ca_file = a->ca_file;
	assert_int_equal(ask_url(a, url, NULL), E_IO);
	assert_int_equal(a->reply.fail, NET_TLS);
	assert_int_equal(server_requests(s), 0);
	a->endpoint.ca_file = a->text[2]; /* a file that is not there */
	assert_int_equal(ask_url(a, url, NULL), E_IO);
	assert_int_equal(a->reply.fail, NET_TLS);
	server_stop(s);
}

static void old_certificates_are_refused(void **state)
{
	struct asking *a = *state;
	char url[64];
	struct server *s;

	if (!server_has_tls())
		skip();
	s = server_start(answer, a, SERVER_TLS_EXPIRED, a->ca_file);
	snprintf(url, sizeof url, "https://127.0.0.1:%d/good/v1", server_port(s));
	a->endpoint.ca_file = a->ca_file;
	assert_int_equal(ask_url(a, url, NULL), E_IO);
	assert_int_equal(a->reply.fail, NET_TLS);
	assert_non_null(strstr(a->err.msg, "expired"));
	assert_int_equal(server_requests(s), 0);
	a->endpoint.ca_file = NULL;
	server_stop(s);
}

/* Who is asked to open a tunnel learns neither key nor question. */
static bool no_tunnel(void *ctx, struct server_conn *c, const struct server_request *q)
{
	(void)ctx;
	server_reply(c, strcmp(q->method, "CONNECT") == 0 ? 403 : 500, "text/plain", "", STR("no"));
	return false;
}

static void proxies_of_https_learn_nothing(void **state)
{
	static const char *const variables[] = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
	struct asking *a = *state;

	if (!server_has_tls())
		skip();
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		struct server *proxy = server_start(no_tunnel, NULL, SERVER_PLAIN, NULL);
		struct buf got = BUF_INIT;
		char url[64];

		snprintf(url, sizeof url, "http://user:proxy-pass@127.0.0.1:%d", server_port(proxy));
		setenv(variables[i], url, 1);
		a->endpoint.retries = 0;
		assert_int_equal(ask_url(a, "https://answers.invalid/good/v1", NULL), E_IO);
		unsetenv(variables[i]);
		assert_int_equal(a->reply.fail, NET_CONNECT);
		assert_non_null(strstr(a->err.msg, "the proxy does not let it through"));
		assert_null(strstr(a->err.msg, "proxy-pass"));
		server_received(proxy, &got);
		assert_true(str_starts(buf_view(&got), STR("CONNECT answers.invalid:443 ")));
		assert_null(strstr(buf_cstr(&got), TEST_KEY));
		assert_null(strstr(buf_cstr(&got), "what is it?"));
		server_stop(proxy);
		buf_release(&got);
	}
}

static void proxies_are_used(void **state)
{
	struct asking *a = *state;
	struct buf got = BUF_INIT;
	char proxy[64];

	snprintf(proxy, sizeof proxy, "http://user:proxy-pass@127.0.0.1:%d",
		 server_port(a->server));
	setenv("http_proxy", proxy, 1);
	assert_int_equal(ask_url(a, "http://answers.invalid/good/v1", NULL), OK);
	server_received(a->server, &got);
	assert_true(str_starts(buf_view(&got),
			       STR("POST http://answers.invalid/good/v1/chat/completions ")));
	setenv("no_proxy", "answers.invalid", 1);
	assert_int_equal(ask_url(a, "http://answers.invalid/good/v1", NULL), E_IO);
	assert_int_equal(a->reply.fail, NET_DNS);
	assert_null(strstr(a->err.msg, "proxy-pass"));
	unsetenv("no_proxy");
	unsetenv("http_proxy");
	buf_release(&got);
}

/* --- models --- */

static void models_are_listed(void **state)
{
	struct asking *a = *state;
	struct models m;
	enum net_fail fail;

	set_url(a, "good");
	assert_int_equal(models_list(a->net, &a->endpoint, NULL, &m, &fail, &a->err), OK);
	assert_int_equal(m.n, 2);
	assert_string_equal(m.v[1], "n");
	models_release(&m);
	set_url(a, "404");
	assert_int_equal(models_list(a->net, &a->endpoint, NULL, &m, &fail, &a->err), E_NOT_FOUND);
	assert_int_equal(fail, NET_PATH);
	models_release(&m);
	set_url(a, "redirect-get"); /* a GET follows within the host */
	err_clear(&a->err);
	assert_int_equal(models_list(a->net, &a->endpoint, NULL, &m, &fail, &a->err), OK);
	models_release(&m);
	set_url(a, "redirect-other");
	assert_int_equal(models_list(a->net, &a->endpoint, NULL, &m, &fail, &a->err), E_IO);
	assert_int_equal(fail, NET_REDIRECT);
	models_release(&m);
	assert_int_equal(server_requests(a->other), 0);
}

/* --- secrets --- */

static void append_file(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "re");
	char block[4096];
	size_t n;

	while (f && (n = fread(block, 1, sizeof block, f)) > 0)
		buf_put(out, block, n);
	if (f)
		fclose(f);
}

/* Everything that a person or another program could read, after every script, good and bad. */
static void the_key_is_nowhere(void **state)
{
	struct asking *a = *state;
	struct buf seen = BUF_INIT, dry = BUF_INIT;
	char *log = xasprintf("%s/log", a->folder);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ask(a, cases[i].script, NULL);
		buf_printf(&seen, "%s\n%s\n%s\n%s\n%s\n", a->err.msg, a->reply.id, a->reply.model,
			   buf_cstr(&a->reply.text), buf_cstr(&a->told));
	}
	assert_int_equal(ask(a, "echo", NULL), OK); /* sends its request back as its answer */
	assert_non_null(strstr(buf_cstr(&a->reply.text), "Authorization: Bearer [key]"));
	buf_printf(&seen, "%s%s%s%s", buf_cstr(&a->reply.text), buf_cstr(&a->told), a->reply.model,
		   a->reply.id);
	log_close();
	append_file(log, &seen);
	assert_non_null(strstr(buf_cstr(&seen), "net: POST 200"));
	append_file("/proc/self/cmdline", &seen);
	assert_int_equal(chat_show(&a->endpoint, &a->request, &dry, &a->err), OK);
	buf_str(&seen, buf_view(&dry));
	assert_int_equal(str_find(buf_view(&seen), STR(TEST_KEY)), SIZE_MAX);
	assert_int_equal(str_find(buf_view(&seen), STR("sk-test")), SIZE_MAX);
	free(log);
	buf_release(&seen);
	buf_release(&dry);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(f) cmocka_unit_test_setup_teardown(f, asking_setup, asking_teardown)
	    T(every_server_is_met),
	    T(an_answer_has_an_end), T(facts_are_kept),
	    T(the_request_is_as_it_should_be),
	    T(without_a_key_none_is_sent),
	    T(a_missing_key_is_told),
	    T(connections_are_kept),
	    T(a_busy_server_is_asked_again),
	    T(retry_after_is_heeded),
	    T(no_retries_means_none),
	    T(nothing_is_shown_twice),
	    T(nobody_listens),
	    T(time_is_up),
	    T(it_stops_at_once),
	    T(what_came_is_kept),
	    T(it_stops_while_connecting),
	    T(a_cancel_before_sends_nothing),
	    T(certificates_are_checked),
	    T(names_in_certificates_are_checked), T(old_certificates_are_refused), T(proxies_of_https_learn_nothing),
	    T(proxies_are_used),
	    T(models_are_listed),
	    T(the_key_is_nowhere),
#undef T
	};

	signal(SIGPIPE, SIG_IGN);
	if (!net_available()) {
		puts("[  SKIPPED ] without_libcurl");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
