#include "tests/unit/lib_ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/xmalloc.h"
#include "core/text/json.h"
#include "tests/unit/lib_project.h"
#include "tests/unit/lib_secret.h"
#include "tests/unit/lib_text.h"

#define CHUNK(s)                                                                                   \
	"data: "                                                                                   \
	"{\"id\":\"c\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" s    \
	"\"}}]}\n\n"
#define STOPS "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
#define USAGE "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}\n\n"
#define DONE  "data: [DONE]\n\n"
#define WHOLE CHUNK("kit ") CHUNK("fox") STOPS USAGE DONE
#define PLAIN                                                                                      \
	"{\"model\":\"m-1\",\"choices\":[{\"index\":0,\"message\":{\"content\":\"kit fox\"},"      \
	"\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}"
#define EVENTS "text/event-stream"
#define JSON   "application/json"

/* --- answers that are nothing but status and body --- */

static const struct {
	const char *script;
	int status;
	const char *type, *extra, *body;
} plain[] = {
    {"good", 200, EVENTS, "x-request-id: req-1\r\n", WHOLE},
    {"plain", 200, JSON, "", PLAIN},
    {"wrong-type", 200, "text/html", "", WHOLE},
    {"no-done", 200, EVENTS, "", CHUNK("kit ") CHUNK("fox") STOPS},
    {"early-end", 200, EVENTS, "", CHUNK("kit ")},
    {"error-in-stream", 200, EVENTS, "",
     CHUNK("kit ") "data: {\"error\":{\"message\":\"overloaded\"}}\n\n"},
    {"html", 200, "text/html; charset=utf-8", "", "<html><title>Sign in</title></html>"},
    {"bad-json", 200, JSON, "", "{\"choices\":[{\"message\":"},
    {"nothing", 200, JSON, "", ""},
    {"401", 401, JSON, "", "{\"error\":{\"message\":\"Incorrect key: " TEST_KEY "\"}}"},
    {"403", 403, JSON, "", "{\"error\":{\"message\":\"not in your country\"}}"},
    {"404-model", 404, JSON, "", "{\"error\":{\"message\":\"The model `m` does not exist\"}}"},
    {"404", 404, "text/plain", "", "404 page not found"},
    {"413", 413, JSON, "", "{\"error\":\"too big\"}"},
    {"429-long", 429, JSON, "Retry-After: 10800\r\n", "{}"},
    {"429-wait", 429, JSON, "Retry-After: 60\r\n", "{}"},
    {"429-quota", 429, JSON, "", "{\"error\":{\"message\":\"You exceeded your current quota\"}}"},
    {"429", 429, JSON, "", "{}"},
    {"500", 500, JSON, "", "{\"error\":{\"message\":\"oops\\n\\u001b[31m!\"}}"},
    {"400", 400, JSON, "", "{\"detail\":[{\"msg\":\"no such field\"}]}"},
    {"304", 304, JSON, "", ""},
    {"redirect-same", 307, JSON, "Location: /good/v1/chat/completions\r\n", ""},
    {"redirect-get", 302, JSON, "Location: /good/v1/models\r\n", ""},
    {"redirect-round", 307, JSON, "Location: /redirect-round/v1\r\n", ""},
};

static bool answer_plain(struct server_conn *c, const char *script)
{
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (strcmp(plain[i].script, script) == 0) {
			server_reply(c, plain[i].status, plain[i].type, plain[i].extra,
				     str_z(plain[i].body));
			return true;
		}
	return false;
}

/* --- answers that take some doing --- */

static bool head_and(struct server_conn *c, const char *text)
{
	server_z(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
		    "Transfer-Encoding: chunked\r\n\r\n");
	server_chunk(c, str_z(text));
	return false;
}

static bool do_bytewise(struct server_conn *c)
{
	server_begin_chunks(c, EVENTS);
	for (const char *p = WHOLE; *p; p++)
		server_chunk(c, (struct str){p, 1});
	server_chunk(c, STR(""));
	return true;
}

/* Line ends of two bytes, which may come in two pieces. */
static bool crlf(struct server_conn *c, size_t piece)
{
	struct buf b = BUF_INIT;

	for (const char *p = WHOLE; *p; p++) {
		if (*p == '\n')
			buf_ch(&b, '\r');
		buf_ch(&b, *p);
	}
	server_begin_chunks(c, EVENTS);
	for (size_t i = 0; i < b.n; i += piece)
		server_chunk(c, (struct str){b.p + i, b.n - i < piece ? b.n - i : piece});
	server_chunk(c, STR(""));
	buf_release(&b);
	return true;
}

static bool do_crlf(struct server_conn *c)
{
	return crlf(c, 4096);
}

static bool do_crlf_bytewise(struct server_conn *c)
{
	return crlf(c, 1);
}

/* The answer has said that it stops, but the last chunk does not come. */
static bool do_cut_after_stop(struct server_conn *c)
{
	return head_and(c, CHUNK("kit ") CHUNK("fox") STOPS);
}

static bool do_open(struct server_conn *c)
{
	head_and(c, WHOLE);
	server_wait(c, 10000);
	return false;
}

static bool do_cut_after_done(struct server_conn *c)
{
	return head_and(c, WHOLE);
}

static bool do_cut_stream(struct server_conn *c)
{
	return head_and(c, CHUNK("kit "));
}

static bool do_hang_up(struct server_conn *c)
{
	(void)c;
	return false;
}

static bool do_no_http(struct server_conn *c)
{
	server_z(c, "SSH-2.0-OpenSSH_9.2p1\r\n");
	return false;
}

static void fill(struct server_conn *c, const char *block, int times)
{
	struct buf b = BUF_INIT;

	while (b.n < 16384)
		buf_z(&b, block);
	for (int i = 0; i < times; i++)
		server_write(c, buf_view(&b));
	buf_release(&b);
}

static bool do_huge_header(struct server_conn *c)
{
	server_z(c, "HTTP/1.1 200 OK\r\nX-Huge: ");
	fill(c, "x", 5);
	server_z(c, "\r\n\r\n");
	return false;
}

static bool do_many_headers(struct server_conn *c)
{
	server_z(c, "HTTP/1.1 200 OK\r\n");
	fill(c, "X-Many: 0123456789\r\n", 1000);
	return false;
}

static bool do_endless(struct server_conn *c)
{
	server_z(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"choices\":\"");
	fill(c, "x", 100000);
	return false;
}

static bool do_long_answer(struct server_conn *c)
{
	server_z(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
	fill(c, "data: {\"choices\":[{\"delta\":{\"content\":\"0123456789abcdef0123456789abcdef"
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"}}]}\n\n", 20000);
	return false;
}

static bool do_endless_line(struct server_conn *c)
{
	server_z(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: ");
	fill(c, "x", 100000);
	return false;
}

static bool do_endless_error(struct server_conn *c)
{
	server_z(c, "HTTP/1.1 500 Oops\r\n\r\n");
	fill(c, "x", 100000);
	return false;
}

static bool do_silent(struct server_conn *c)
{
	server_wait(c, 10000);
	return false;
}

static bool do_stall(struct server_conn *c)
{
	head_and(c, CHUNK("kit "));
	server_wait(c, 10000);
	return false;
}

static bool do_drip(struct server_conn *c)
{
	server_begin_chunks(c, EVENTS);
	do
		server_chunk(c, STR(": ping\n\n"));
	while (server_wait(c, 5));
	return false;
}

static const struct {
	const char *script;
	bool (*doing)(struct server_conn *c);
} doings[] = {
    {"bytewise", do_bytewise},
    {"crlf", do_crlf},
    {"crlf-bytewise", do_crlf_bytewise},
    {"cut-after-stop", do_cut_after_stop},
    {"open", do_open},
    {"cut-after-done", do_cut_after_done},
    {"cut-stream", do_cut_stream},
    {"hang-up", do_hang_up},
    {"no-http", do_no_http},
    {"huge-header", do_huge_header},
    {"many-headers", do_many_headers},
    {"endless", do_endless},
    {"endless-line", do_endless_line},
    {"long-answer", do_long_answer},
    {"endless-error", do_endless_error},
    {"silent", do_silent},
    {"stall", do_stall},
    {"drip", do_drip},
};

/* --- answers that depend on something --- */

/* So many failures, then it works. */
static bool busy(struct server_conn *c, const struct server_request *q, int times,
		 const char *extra)
{
	if (q->number <= times)
		server_reply(c, 429, JSON, extra, STR("{\"error\":\"busy\"}"));
	else
		answer_plain(c, "good");
	return true;
}

/* In two seconds, as HTTP writes it: at least one second from now. */
static void date_soon(char *out, size_t size)
{
	time_t t = time(NULL) + 2;
	struct tm tm;

	gmtime_r(&t, &tm);
	strftime(out, size, "Retry-After: %a, %d %b %Y %H:%M:%S GMT\r\n", &tm);
}

static bool redirect(struct server_conn *c, int status, const char *scheme, int port)
{
	char location[128];

	snprintf(location, sizeof location,
		 "Location: %s://127.0.0.1:%d/good/v1/chat/completions\r\n", scheme, port);
	server_reply(c, status, JSON, location, STR(""));
	return true;
}

static bool echo(struct server_conn *c, const struct server_request *q)
{
	struct buf body = BUF_INIT;

	buf_z(&body, "{\"model\":\"" TEST_KEY "\",\"id\":\"" TEST_KEY
		     "\",\"choices\":[{\"message\":{\"content\":");
	json_quote(&body, buf_view(&q->headers));
	buf_z(&body, "},\"finish_reason\":\"stop\"}]}");
	server_reply(c, 200, JSON, "x-request-id: " TEST_KEY "\r\n", buf_view(&body));
	buf_release(&body);
	return true;
}

static bool answer_other(const struct asking *a, struct server_conn *c, const char *script,
			 const struct server_request *q)
{
	char date[64];

	if (strcmp(script, "busy-twice") == 0)
		return busy(c, q, 2, "");
	if (strcmp(script, "busy-a-second") == 0)
		return busy(c, q, 1, "Retry-After: 1\r\n");
	if (strcmp(script, "redirect-other") == 0)
		return redirect(c, 307, "http", server_port(a->other));
	if (strcmp(script, "redirect-scheme") == 0)
		return redirect(c, 308, "https", server_port(a->server));
	if (strcmp(script, "echo") == 0)
		return echo(c, q);
	if (strcmp(script, "busy-until-a-date") == 0) {
		date_soon(date, sizeof date);
		return busy(c, q, 3, date); /* after the two of busy-a-second */
	}
	if (strcmp(script, "cut-once") == 0)
		return head_and(c, CHUNK("kit "));
	if (strcmp(script, "cut-once-more") == 0)
		return q->number <= 2 ? head_and(c, CHUNK("kit ")) : answer_plain(c, "good");
	server_reply(c, 404, JSON, "", STR("{}"));
	return true;
}

bool answer(void *ctx, struct server_conn *c, const struct server_request *q)
{
	const struct asking *a = ctx;
	const char *path =
	    strstr(q->path, "://") ? strchr(strstr(q->path, "://") + 3, '/') : q->path;
	char script[64] = "";

	sscanf(path ? path : "", "/%63[^/]", script);
	if (strcmp(script, "good") == 0 && strstr(q->path, "/models")) {
		server_reply(c, 200, JSON, "", STR("{\"data\":[{\"id\":\"m\"},{\"id\":\"n\"}]}"));
		return true;
	}
	if (strcmp(script, "vectors") == 0 && strstr(q->path, "/embeddings")) {
		server_reply(c, 200, JSON, "", STR("{\"data\":[{\"index\":0,\"embedding\":[1,0.5,0]}]}"));
		return true;
	}
	for (size_t i = 0; i < sizeof doings / sizeof *doings; i++)
		if (strcmp(doings[i].script, script) == 0)
			return doings[i].doing(c);
	return answer_plain(c, script) || answer_other(a, c, script, q);
}

/* --- asking --- */

int asking_setup(void **state)
{
	struct asking *a = xcalloc(1, sizeof *a);
	struct net_options options = {.backoff = 0.02, .seed = 7};
	char *log;

	a->folder = project_folder();
	log = project_file(a->folder, "log");
	log_open(log);
	log_line("test", "begins");
	free(log);
	unsetenv("http_proxy");
	unsetenv("all_proxy");
	unsetenv("ALL_PROXY");
	setenv("NET_TEST_KEY", TEST_KEY, 1);
	a->server = server_start(answer, a, SERVER_PLAIN, NULL);
	a->other = server_start(answer, a, SERVER_PLAIN, NULL);
	a->ca_file = temp_file(STR(""));
	snprintf(a->text[0], sizeof a->text[0], "X-Title");
	snprintf(a->text[1], sizeof a->text[1], "NET_TEST_TITLE");
	snprintf(a->text[2], sizeof a->text[2], "/nonexistent/ca.pem");
	snprintf(a->text[3], sizeof a->text[3], "NET_TEST_KEY");
	a->endpoint = (struct endpoint){.name = xstrdup("test"),
					.model = xstrdup("m"),
					.key_env = a->text[3],
					.max_tokens_field = xstrdup("max_tokens"),
					.send_temperature = true,
					.timeout = 20,
					.retries = 2,
					.concurrency = 4};
	a->part = (struct chat_part){.kind = CHAT_TEXT, .text = STR("what is it?")};
	a->message = (struct chat_message){"user", &a->part, 1};
	a->request =
	    (struct chat_request){.messages = &a->message, .n_messages = 1, .stream = true};
	chat_reply_init(&a->reply);
	*state = a;
	return net_new(&options, &a->net, &a->err);
}

int asking_teardown(void **state)
{
	struct asking *a = *state;

	net_free(a->net);
	server_stop(a->server);
	server_stop(a->other);
	log_close();
	secret_is_nowhere(a->folder, TEST_KEY);
	project_remove(a->folder);
	chat_reply_release(&a->reply);
	buf_release(&a->told);
	unlink(a->ca_file);
	free(a->ca_file);
	free(a->endpoint.name);
	free(a->endpoint.model);
	free(a->endpoint.max_tokens_field);
	free(a->url);
	free(a);
	return 0;
}

static void on_text(void *ctx, struct str piece)
{
	struct asking *a = ctx;

	buf_str(&a->told, piece);
}

static void on_wait(void *ctx, double seconds, const struct err *why)
{
	struct asking *a = ctx;

	a->n_waits += why->code != OK;
	a->waited = seconds;
}

/* What a person could come to see, as a file that is searched. */
static void keep_what_came(const struct asking *a)
{
	char *path = project_file(a->folder, "seen");
	FILE *f = fopen(path, "ae");

	if (!f)
		abort();
	fprintf(f, "%s\n%s\n%s\n", a->err.msg, a->reply.id, a->reply.model);
	fwrite(a->reply.text.p ? a->reply.text.p : "", 1, a->reply.text.n, f);
	fwrite(a->told.p ? a->told.p : "", 1, a->told.n, f);
	fclose(f);
	free(path);
}

enum status ask_url(struct asking *a, const char *url, struct cancel *cancel)
{
	enum status st;
	struct chat_watch watch = {.text = a->silent ? NULL : on_text, .wait = on_wait, .ctx = a};

	free(a->url);
	a->url = xstrdup(url);
	a->endpoint.base_url = a->url;
	chat_reply_release(&a->reply);
	chat_reply_init(&a->reply);
	buf_clear(&a->told);
	err_clear(&a->err);
	a->n_waits = 0;
	st = chat_ask(a->net, &a->endpoint, &a->request, &watch, cancel, &a->reply, &a->err);
	keep_what_came(a);
	return st;
}

void set_url(struct asking *a, const char *script)
{
	free(a->url);
	a->url = xasprintf("http://127.0.0.1:%d/%s/v1", server_port(a->server), script);
	a->endpoint.base_url = a->url;
}

enum status ask(struct asking *a, const char *script, struct cancel *cancel)
{
	char *url = xasprintf("http://127.0.0.1:%d/%s/v1", server_port(a->server), script);
	enum status st = ask_url(a, url, cancel);

	free(url);
	return st;
}
