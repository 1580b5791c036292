#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/lib_asked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/text/json.h"
#include "tests/fixtures/pictures.h"
#include "tests/unit/lib_project.h"
#include "tests/unit/lib_secret.h"
#include "tui/map/map.h"

static void whole(struct server_conn *c, const char *content)
{
	struct buf body = BUF_INIT;

	buf_z(&body, "{\"model\":\"m-1\",\"choices\":[{\"finish_reason\":\"stop\",\"message\":{\"content\":");
	json_quote(&body, str_z(content));
	buf_z(&body, "}}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":3}}");
	server_reply(c, 200, "application/json", "", buf_view(&body));
	buf_release(&body);
}

static void piece(struct server_conn *c, struct str text)
{
	struct buf b = BUF_INIT;

	buf_z(&b, "data: {\"choices\":[{\"delta\":{\"content\":");
	json_quote(&b, text);
	buf_z(&b, "}}]}\n\n");
	server_chunk(c, buf_view(&b));
	buf_release(&b);
}

/* Only the client ends it. */
static bool trickled(struct asked_world *w, struct server_conn *c)
{
	server_begin_chunks(c, "text/event-stream");
	do {
		piece(c, STR("word "));
		atomic_fetch_add(&w->ticks, 1);
	} while (server_wait(c, ASKED_TICK_MS));
	atomic_store(&w->gone, true);
	return false;
}

/* False: it stops in the middle, by hanging up. */
static bool streamed(struct asked_world *w, struct server_conn *c, enum asked_how how)
{
	size_t n = strlen(w->answer);

	server_begin_chunks(c, "text/event-stream");
	for (size_t i = 0; i < n; i++) {
		if (i == n / 2 && how == ASKED_CUT)
			return false;
		while (i == n / 2 && how == ASKED_HOLD && !atomic_load(&w->go))
			if (!server_wait(c, 5))
				return false;
		piece(c, (struct str){w->answer + i, 1});
	}
	server_chunk(c, STR("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],"
			    "\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":3}}\n\ndata: [DONE]\n\n"));
	server_chunk(c, STR(""));
	return true;
}

static bool serve(void *ctx, struct server_conn *c, const struct server_request *q)
{
	struct asked_world *w = ctx;
	enum asked_how how = atomic_load(&w->how);

	(void)q;
	if (atomic_fetch_sub(&w->broken, 1) > 0) {
		server_reply(c, atomic_load(&w->status), "application/json", "",
			     STR("{\"error\":{\"message\":\"not today\"}}"));
		return true;
	}
	if (how == ASKED_TRICKLE)
		return trickled(w, c);
	if (how != ASKED_WHOLE)
		return streamed(w, c, how);
	whole(c, w->answer);
	return true;
}

static void make_samples(struct asked_world *w)
{
	struct pixels px = picture_quarters(32, 16);
	struct buf jpeg = picture_jpeg(&px, 90, 0, false);
	struct feed feed = {0};
	char path[512], key[8];
	FILE *out;

	snprintf(path, sizeof path, "%s/a.jpg", w->p.folder);
	out = fopen(path, "wb");
	assert_non_null(out);
	fwrite(jpeg.p, 1, jpeg.n, out);
	fclose(out);
	feed_begin(&feed, w->p.c, "d");
	feed_class(&feed, 7, "n07", "cock", NULL);
	feed_class(&feed, 8, "n08", "hen", NULL);
	feed_class(&feed, 9, "n09", "owl", NULL);
	feed_class(&feed, 10, "n10", "cat", NULL);
	for (int i = 0; i < 6; i++) {
		snprintf(key, sizeof key, "s%d", i);
		feed_sample(&feed, key, "what?", i == 5 ? "gone.jpg" : "a.jpg", i % 2 ? "#7" : "#8");
	}
	feed_answer(&feed, feed_run(&feed, "m0", "cw"), "s0", "#9", "owl");
	feed_end(&feed);
	assert_int_equal(feed.st, OK);
	feed_done(&feed);
	buf_release(&jpeg);
	pixels_release(&px);
}

static void put_endpoint(struct asked_world *w, const char *section, const char *model)
{
	const char *const entries[][2] = {{"model", model}, {"key_env", "QUERY_TEST_KEY"}, {"concurrency", "2"},
					  {"retries", "0"}};
	struct err err = ERR_INIT;
	char url[64];

	snprintf(url, sizeof url, "http://127.0.0.1:%d/v1", server_port(w->server));
	assert_int_equal(endpoint_entry(&w->endpoints, section, "base_url", url, &err), OK);
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
		assert_int_equal(endpoint_entry(&w->endpoints, section, entries[i][0], entries[i][1], &err), OK);
}

static const char *const homes[] = {"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"};

void asked_begin(struct asked_world *w)
{
	char *log;

	memset(w, 0, sizeof *w);
	setenv("QUERY_TEST_KEY", ASKED_KEY, 1);
	w->p = place_new(true);
	for (size_t i = 0; i < sizeof homes / sizeof *homes; i++)
		setenv(homes[i], w->p.folder, 1);
	log = project_file(w->p.folder, "log");
	log_open(log);
	free(log);
	make_samples(w);
	w->answer = "hen";
	atomic_store(&w->status, 400);
	w->server = server_start(serve, w, SERVER_PLAIN, NULL);
	put_endpoint(w, "endpoint e", "m 1");
	put_endpoint(w, "endpoint other", "m-2");
}

void asked_end(struct asked_world *w)
{
	server_stop(w->server);
	endpoint_list_release(&w->endpoints);
	log_close();
	secret_is_nowhere(w->p.folder, ASKED_KEY);
	place_end(&w->p);
	unsetenv("QUERY_TEST_KEY");
	for (size_t i = 0; i < sizeof homes / sizeof *homes; i++)
		unsetenv(homes[i]);
}

char *asked_vectors(struct asked_world *w, const char *lines)
{
	char *path = project_file(w->p.folder, "names.jsonl"), *key = NULL;
	struct snapshot *snap = must_load(w->p.c, "d");
	const struct class_vectors v = {.conn = w->p.c, .snap = snap, .encoder = path, .endpoints = &w->endpoints};
	struct err err = ERR_INIT;
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	fputs(lines, out);
	fclose(out);
	if (class_vectors_keep(&v, &key, &err) != OK)
		fail_msg("%s", err.msg);
	snapshot_free(snap);
	free(path);
	return key;
}
