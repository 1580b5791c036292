/* Many requests at once: crowds of chats, batches of texts. */
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/net/crowd.h"
#include "core/net/embed.h"
#include "core/net/http.h"
#include "core/text/json.h"
#include "tests/unit/lib_server.h"

#define N 40

/* --- a server that counts --- */

struct world {
	struct server *server;
	struct endpoint endpoint;
	struct net *net;
	struct pool *pool;
	struct crowd *crowd; /* while it lasts */
	char *url;
	char words[4][16];
	/* the server's, under the lock */
	pthread_mutex_t lock;
	int now, most;      /* requests under way */
	int busy;           /* so many are answered with 429 first */
	int delay;          /* ms before each answer */
	int hang_from;      /* requests after this one are never answered; 0: none */
	const char *refuse; /* the request whose text has this is refused */
	int refuse_with;    /* this status, 0: 400 */
	int status;         /* of every answer, 0: 200 */
	bool torn;          /* the vectors of a batch come in the wrong number */
	/* the owner's */
	int done[N], n_done, n_failed, n_cancelled, n_freed, n_ended, released;
	size_t fail_make;   /* this one cannot be made */
	bool stop_at_first; /* cancel when the first one is done */
	struct crowd_counts last;
	struct err why;
	pthread_t owner;
	char text[N][32];
	struct chat_part part[N];
	struct chat_message message[N];
	size_t got; /* texts that have vectors */
};

static void enter(struct world *w)
{
	pthread_mutex_lock(&w->lock);
	w->now++;
	w->most = w->now > w->most ? w->now : w->most;
	pthread_mutex_unlock(&w->lock);
}

static bool leave(struct world *w)
{
	bool busy;

	pthread_mutex_lock(&w->lock);
	w->now--;
	busy = w->busy > 0;
	w->busy -= busy;
	pthread_mutex_unlock(&w->lock);
	return busy;
}

static void put_vector(struct buf *out, const char *text, int index, bool base64)
{
	/* as many letters as there are, and the first one */
	if (base64)
		buf_printf(out, "{\"index\":%d,\"embedding\":\"AACAPwAAAEA=\"}", index);
	else
		buf_printf(out, "{\"index\":%d,\"embedding\":[%zu,%d]}", index, strlen(text),
			   *text);
}

/* In reverse order. */
static void answer_vectors(struct world *w, struct server_conn *c, const cJSON *body)
{
	const cJSON *input = json_get(body, "input");
	bool base64 = json_get(body, "encoding_format") != NULL;
	int n = cJSON_GetArraySize(input);
	struct buf out = BUF_INIT;

	buf_z(&out, "{\"model\":\"g\",\"usage\":{\"prompt_tokens\":2},\"data\":[");
	for (int i = n - 1; i >= (w->torn ? 1 : 0); i--) {
		put_vector(&out, json_text(cJSON_GetArrayItem(input, i)).p, i, base64);
		if (i > (w->torn ? 1 : 0))
			buf_ch(&out, ',');
	}
	buf_z(&out, "]}");
	server_reply(c, 200, "application/json", "", buf_view(&out));
	buf_release(&out);
}

static void answer_chat(struct world *w, struct server_conn *c, const struct server_request *q,
			const cJSON *body)
{
	struct str text =
	    json_text(json_get(cJSON_GetArrayItem(json_get(body, "messages"), 0), "content"));
	struct buf out = BUF_INIT;

	(void)q;
	if (w->refuse && str_eqz(text, w->refuse)) {
		server_reply(c, w->refuse_with ? w->refuse_with : 400, "application/json", "",
			     STR("{\"error\":\"not this one\"}"));
		return;
	}
	buf_z(&out, "{\"choices\":[{\"message\":{\"content\":");
	json_quote(&out, text);
	buf_z(&out, "},\"finish_reason\":\"stop\"}]}");
	server_reply(c, 200, "application/json", "", buf_view(&out));
	buf_release(&out);
}

static bool handle(void *ctx, struct server_conn *c, const struct server_request *q)
{
	struct world *w = ctx;
	struct err err = ERR_INIT;
	cJSON *body = NULL;

	enter(w);
	if (w->hang_from && q->number > w->hang_from)
		server_wait(c, 20000);
	else if (w->delay)
		server_wait(c, w->delay);
	if (leave(w)) {
		server_reply(c, 429, "application/json", "retry-after-ms: 50\r\n", STR("{}"));
	} else if (w->status) {
		server_reply(c, w->status, "application/json", "",
			     STR("{\"error\":\"model gone\"}"));
	} else if (json_parse(buf_view(&q->body), &body, &err) != OK) {
		server_reply(c, 400, "application/json", "", STR("{\"error\":\"no JSON\"}"));
	} else if (strstr(q->path, "/embeddings")) {
		answer_vectors(w, c, body);
	} else {
		answer_chat(w, c, q, body);
	}
	cJSON_Delete(body);
	return true;
}

static int setup(void **state)
{
	struct world *w = xcalloc(1, sizeof *w);
	struct net_options options = {.backoff = 0.02, .seed = 3};
	struct err err = ERR_INIT;

	unsetenv("http_proxy");
	pthread_mutex_init(&w->lock, NULL);
	w->server = server_start(handle, w, SERVER_PLAIN, NULL);
	w->url = xasprintf("http://127.0.0.1:%d/v1", server_port(w->server));
	w->pool = pool_new(2, &err);
	w->owner = pthread_self();
	w->fail_make = SIZE_MAX;
	snprintf(w->words[0], sizeof w->words[0], "many");
	snprintf(w->words[1], sizeof w->words[1], "m");
	snprintf(w->words[2], sizeof w->words[2], "max_tokens");
	w->endpoint = (struct endpoint){.name = w->words[0],
					.base_url = w->url,
					.model = w->words[1],
					.max_tokens_field = w->words[2],
					.timeout = 20,
					.retries = 5,
					.concurrency = 4};
	*state = w;
	return net_new(&options, &w->net, &err) || !w->pool;
}

static int teardown(void **state)
{
	struct world *w = *state;

	pool_free(w->pool);
	net_free(w->net);
	server_stop(w->server);
	pthread_mutex_destroy(&w->lock);
	free(w->url);
	free(w);
	return 0;
}

/* --- crowds --- */

static enum status make(void *ctx, size_t k, struct chat_request *q, struct err *err)
{
	struct world *w = ctx;

	if (k == w->fail_make)
		return err_set(err, E_IO, "no picture %zu", k);
	snprintf(w->text[k], sizeof w->text[k], "text %zu", k);
	w->part[k] = (struct chat_part){.kind = CHAT_TEXT, .text = str_z(w->text[k])};
	w->message[k] = (struct chat_message){"user", &w->part[k], 1};
	*q = (struct chat_request){.messages = &w->message[k], .n_messages = 1};
	return OK;
}

static void release(void *ctx, size_t k)
{
	struct world *w = ctx;

	memset(w->text[k], 'x', sizeof w->text[k] - 1); /* nobody may need it any more */
	w->released++;
}

static void done(void *ctx, size_t k, const struct chat_reply *reply, const struct err *why)
{
	struct world *w = ctx;
	char want[32];

	assert_true(pthread_equal(pthread_self(), w->owner));
	assert_true(k < N);
	w->done[k]++;
	w->n_done += !why;
	w->n_failed += why && reply->fail != NET_CANCELLED;
	w->n_cancelled += reply->fail == NET_CANCELLED;
	if (!why) {
		snprintf(want, sizeof want, "text %zu", k);
		assert_string_equal(buf_cstr((struct buf *)&reply->text), want);
	}
	if (w->stop_at_first)
		crowd_cancel(w->crowd);
	w->stop_at_first = false;
}

static void ended(void *ctx, const struct crowd_counts *counts, const struct err *why)
{
	struct world *w = ctx;

	w->last = *counts;
	if (why)
		w->why = *why;
	w->n_ended++;
	w->crowd = NULL;
}

static void free_ctx(void *ctx)
{
	struct world *w = ctx;

	w->n_freed++;
}

static void start(struct world *w)
{
	struct crowd_plan plan = {.n = N,
				  .make = make,
				  .release = release,
				  .done = done,
				  .ended = ended,
				  .free_ctx = free_ctx,
				  .ctx = w};
	struct net_options options = {.backoff = 0.02, .seed = 3};

	w->crowd = crowd_new(&w->endpoint, &options, &plan);
	crowd_submit(w->crowd, w->pool, 1, 0);
}

static void run(struct world *w)
{
	start(w);
	pool_settle(w->pool);
	assert_int_equal(w->n_ended, 1);
	assert_int_equal(w->n_freed, 1);
	for (int i = 0; i < N; i++)
		assert_true(w->done[i] <= 1);
	assert_int_equal(w->n_done + w->n_failed + w->n_cancelled, w->last.begun);
	assert_int_equal(w->released, w->last.begun);
	assert_int_equal(w->last.n, N);
	assert_int_equal(w->last.answered, w->n_done);
	assert_int_equal(w->last.failed, w->n_failed);
}

static void all_are_asked(void **state)
{
	struct world *w = *state;

	w->delay = 5;
	run(w);
	assert_int_equal(w->n_done, N);
	assert_int_equal(w->why.code, OK);
	assert_true(w->most >= 2 && w->most <= 4);
	assert_true(server_connections(w->server) <= 4);
	assert_true(w->last.rate > 0);
}

static void one_failure_is_its_own(void **state)
{
	struct world *w = *state;

	w->refuse = "text 7";
	w->fail_make = 9;
	run(w);
	assert_int_equal(w->n_done, N - 2);
	assert_int_equal(w->n_failed, 2);
	assert_int_equal(w->why.code, OK);
}

/* Some servers answer so to a picture that they do not like. */
static void a_forbidden_one_is_its_own(void **state)
{
	struct world *w = *state;

	w->refuse = "text 20";
	w->refuse_with = 403;
	run(w);
	assert_int_equal(w->n_done, N - 1);
	assert_int_equal(w->n_failed, 1);
	assert_int_equal(w->why.code, OK);
}

static void a_busy_server_holds_all_up(void **state)
{
	struct world *w = *state;
	double began = http_clock();

	w->busy = 6;
	run(w);
	assert_int_equal(w->n_done, N);
	assert_true(http_clock() - began >= 0.05);
	assert_int_equal(server_requests(w->server), N + 6);
}

static void what_is_everybodys_ends_it(void **state)
{
	struct world *w = *state;

	w->status = 404;
	run(w);
	assert_int_equal(w->n_done, 0);
	assert_true(w->n_failed >= 1 && w->n_failed <= 4);
	assert_non_null(
	    strstr(w->why.msg, "endpoint many: the server has no model m (404): model gone"));
}

static void without_a_key_none_is_begun(void **state)
{
	struct world *w = *state;

	snprintf(w->words[3], sizeof w->words[3], "NO_SUCH_KEY");
	w->endpoint.key_env = w->words[3];
	unsetenv("NO_SUCH_KEY");
	run(w);
	assert_int_equal(w->last.begun, 0);
	assert_int_equal(w->why.code, E_NOT_FOUND);
	assert_int_equal(server_requests(w->server), 0);
}

static void it_stops_and_keeps(void **state)
{
	struct world *w = *state;
	double began = http_clock();

	w->hang_from = 1;
	w->stop_at_first = true;
	run(w);
	assert_true(http_clock() - began < 5);
	assert_int_equal(w->n_done, 1);
	assert_true(w->n_cancelled >= 3);
	assert_true(w->last.begun < N);
	assert_int_equal(w->why.code, E_CANCELLED);
}

/* The pool is freed while it runs: nothing is handed over, nothing leaks. */
static void it_can_be_dropped(void **state)
{
	struct world *w = *state;

	w->hang_from = 1;
	start(w);
	while (server_requests(w->server) < 2)
		poll(NULL, 0, 1);
	pool_free(w->pool);
	w->pool = NULL;
	assert_int_equal(w->n_ended, 0);
	assert_int_equal(w->n_freed, 1);
}

static void one_that_never_ran_is_freed(void **state)
{
	struct world *w = *state;
	struct crowd_plan plan = {
	    .n = N, .make = make, .done = done, .free_ctx = free_ctx, .ctx = w};

	crowd_free(crowd_new(&w->endpoint, NULL, &plan));
	crowd_free(NULL);
	assert_int_equal(w->n_freed, 1);
}

/* --- vectors --- */

static void got(void *ctx, size_t first, size_t n, const float *v, uint32_t dim)
{
	struct world *w = ctx;

	assert_true(first + n <= 10);
	assert_int_equal(dim, 2);
	assert_true(v[0] >= 0);
	w->got += n;
}

static const struct str texts[10] = {STR("a"),     STR("bb"),     STR("ccc"), STR(""),  STR("dddd"),
				     STR("e\"\n"), STR("ffffff"), STR(""),    STR("h"), STR("ii")};

static void texts_become_vectors(void **state)
{
	static const int batches[] = {0, 1, 3, 4, 10};
	struct world *w = *state;

	for (size_t b = 0; b < sizeof batches / sizeof *batches; b++) {
		struct embed_options o = {.batch = (uint32_t)batches[b], .got = got, .ctx = w};
		struct embed_result r;
		struct err err = ERR_INIT;

		w->got = 0;
		if (embed_texts(w->net, &w->endpoint, texts, 10, &o, NULL, &r, &err) != OK)
			fail_msg("%s", err.msg);
		assert_int_equal(r.n, 10);
		assert_int_equal(r.dim, 2);
		assert_int_equal(r.fail, NET_NONE);
		assert_string_equal(r.model, "g");
		assert_true(r.tokens >= 2);
		for (size_t i = 0; i < 10; i++) {
			assert_true(r.v[2 * i] == (float)texts[i].n);
			assert_true(r.v[2 * i + 1] == (float)(texts[i].n ? *texts[i].p : 0));
		}
		assert_int_equal(w->got, batches[b] == 1 ? 8 : 10);
		embed_result_release(&r);
	}
}

static void vectors_come_as_base64(void **state)
{
	struct world *w = *state;
	struct embed_options o = {.base64 = true};
	struct embed_result r;
	struct err err = ERR_INIT;

	assert_int_equal(embed_texts(w->net, &w->endpoint, texts, 2, &o, NULL, &r, &err), OK);
	assert_true(r.v[0] == 1 && r.v[1] == 2 && r.v[3] == 2);
	embed_result_release(&r);
}

static void vectors_are_refused(void **state)
{
	struct world *w = *state;
	struct embed_options o = {.batch = EMBED_MAX_BATCH + 1};
	struct embed_result r;
	struct err err = ERR_INIT;

	assert_int_equal(embed_texts(w->net, &w->endpoint, texts, 2, &o, NULL, &r, &err), E_LIMIT);
	assert_int_equal(server_requests(w->server), 0);
	w->torn = true;
	assert_int_equal(embed_texts(w->net, &w->endpoint, texts, 3, NULL, NULL, &r, &err),
			 E_FORMAT);
	assert_int_equal(r.fail, NET_GARBLED);
	assert_null(r.v);
	assert_non_null(strstr(err.msg, "3 texts were sent, 2 vectors came back"));
	w->torn = false;
	w->status = 404;
	assert_int_equal(embed_texts(w->net, &w->endpoint, texts, 3, NULL, NULL, &r, &err),
			 E_NOT_FOUND);
	assert_int_equal(r.fail, NET_MODEL);
	assert_non_null(strstr(err.msg, "endpoint many: the server has no model m"));
	w->endpoint.model = NULL;
	assert_int_equal(embed_texts(w->net, &w->endpoint, texts, 3, NULL, NULL, &r, &err),
			 E_USAGE);
}

static void nothing_gives_nothing(void **state)
{
	struct world *w = *state;
	struct embed_result r;
	struct err err = ERR_INIT;

	assert_int_equal(embed_texts(w->net, &w->endpoint, texts, 0, NULL, NULL, &r, &err), OK);
	assert_null(r.v);
	assert_int_equal(embed_texts(w->net, &w->endpoint, texts + 3, 1, NULL, NULL, &r, &err), OK);
	assert_null(r.v);
	assert_int_equal(r.dim, 0);
	assert_int_equal(server_requests(w->server), 0);
	embed_result_release(&r);
}

static void *stop_later(void *arg)
{
	poll(NULL, 0, 100);
	cancel_now(arg);
	return NULL;
}

static void vectors_can_be_stopped(void **state)
{
	struct world *w = *state;
	struct embed_options o = {.batch = 1};
	struct embed_result r;
	struct cancel cancel;
	struct err err = ERR_INIT;
	pthread_t thread;
	double began = http_clock();

	w->hang_from = 2;
	cancel_init(&cancel);
	cancel_fd(&cancel);
	assert_int_equal(pthread_create(&thread, NULL, stop_later, &cancel), 0);
	assert_int_equal(embed_texts(w->net, &w->endpoint, texts, 10, &o, &cancel, &r, &err),
			 E_CANCELLED);
	assert_true(http_clock() - began < 5);
	assert_int_equal(r.fail, NET_CANCELLED);
	assert_null(r.v);
	pthread_join(thread, NULL);
	cancel_release(&cancel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	    T(all_are_asked),
	    T(one_failure_is_its_own),
	    T(a_forbidden_one_is_its_own),
	    T(a_busy_server_holds_all_up),
	    T(what_is_everybodys_ends_it),
	    T(without_a_key_none_is_begun),
	    T(it_stops_and_keeps),
	    T(it_can_be_dropped),
	    T(one_that_never_ran_is_freed),
	    T(texts_become_vectors),
	    T(vectors_come_as_base64),
	    T(vectors_are_refused),
	    T(nothing_gives_nothing),
	    T(vectors_can_be_stopped),
#undef T
	};

	signal(SIGPIPE, SIG_IGN);
	if (!net_available()) {
		puts("[  SKIPPED ] without_libcurl");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
