/* Answers to the nearest class name: by an endpoint's vectors, by a file of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/net/net.h"
#include "core/text/json.h"
#include "tests/unit/lib_server.h"
#include "tests/unit/lib_store.h"
#include "tui/map/map.h"

/* Three dimensions; what is not here has a zero vector, as has "nothing". */
static const struct {
	const char *text;
	double v[3];
} vectors[] = {
    {"cock", {1, 0, 0}},	    {"hen", {0, 1, 0}},	       {"owl", {0, 0, 1}},
    {"a rooster", {2, 0.1, 0}},	    {"night bird", {0, 0.3, 3}}, {"nothing", {0, 0, 0}},
    {"a sort of a rooster", {0, 5, 0}}, {"a sort of cock", {1, 0, 0}}, {"a sort of hen", {0, 1, 0}},
    {"a sort of owl", {0, 0, 1}},   {"a sort of night bird", {0, 0, 1}},
};

struct fixture {
	struct place p;
	struct server *server;
	struct endpoint_list endpoints;
	atomic_int texts; /* that were asked for */
};

static void put_vector(struct buf *out, struct str text)
{
	const double *v = (const double[3]){0, 0, 0};

	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
		if (str_eqz(text, vectors[i].text))
			v = vectors[i].v;
	buf_printf(out, "[%g,%g,%g]", v[0], v[1], v[2]);
}

static bool serve(void *ctx, struct server_conn *c, const struct server_request *q)
{
	struct fixture *f = ctx;
	struct buf body = BUF_INIT;
	struct err err = ERR_INIT;
	cJSON *o = NULL;
	int n = 0;

	json_parse(buf_view(&q->body), &o, &err);
	buf_z(&body, "{\"data\":[");
	for (const cJSON *e = json_get(o, "input")->child; e; e = e->next, n++) {
		buf_printf(&body, "%s{\"index\":%d,\"embedding\":", n ? "," : "", n);
		put_vector(&body, json_text(e));
		buf_z(&body, "}");
	}
	buf_z(&body, "],\"model\":\"v-3\"}");
	atomic_fetch_add(&f->texts, n);
	server_reply(c, 200, "application/json", "", buf_view(&body));
	buf_release(&body);
	cJSON_Delete(o);
	return true;
}

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);
	struct feed feed = {0};
	struct err err = ERR_INIT;
	uint32_t run;
	char url[64];

	f->p = place_new(true);
	feed_begin(&feed, f->p.c, "d");
	feed_class(&feed, 7, "n07", "cock", NULL);
	feed_class(&feed, 8, "n08", "hen", NULL);
	feed_class(&feed, 9, "n09", "owl", NULL);
	for (int i = 0; i < 5; i++) {
		char key[8];

		snprintf(key, sizeof key, "s%d", i);
		feed_sample(&feed, key, NULL, NULL, "#7");
	}
	run = feed_run(&feed, "m", "cw");
	feed_answer(&feed, run, "s0", "#8", "hen");
	feed_answer(&feed, run, "s1", "a rooster", NULL);
	feed_answer(&feed, run, "s2", "night bird", NULL);
	feed_answer(&feed, run, "s3", "nothing", NULL);
	feed_answer(&feed, run, "s4", "a rooster", NULL);
	feed_end(&feed);
	assert_int_equal(feed.st, OK);
	feed_done(&feed);
	f->server = server_start(serve, f, SERVER_PLAIN, NULL);
	snprintf(url, sizeof url, "http://127.0.0.1:%d/v1", server_port(f->server));
	assert_int_equal(endpoint_entry(&f->endpoints, "endpoint e", "base_url", url, &err), OK);
	assert_int_equal(endpoint_entry(&f->endpoints, "endpoint e", "model", "v-3", &err), OK);
	assert_int_equal(endpoint_entry(&f->endpoints, "endpoint e", "retries", "0", &err), OK);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	server_stop(f->server);
	endpoint_list_release(&f->endpoints);
	place_end(&f->p);
	free(f);
	return 0;
}

static struct map_result map_by(struct fixture *f, struct encoder *e, const char *handle, bool all)
{
	struct snapshot *snap = must_load(f->p.c, "d");
	struct map_job job = {.conn = f->p.c, .snap = snap, .run = snapshot_run(snap, str_z(handle)), .encoder = e,
			      .all = all};
	struct map_result r;
	struct err err = ERR_INIT;

	assert_true(job.run >= 0);
	if (map_run(&job, &r, &err) != OK)
		fail_msg("%s", err.msg);
	snapshot_free(snap);
	return r;
}

static struct encoder encoder_named(struct fixture *f, const char *name)
{
	struct encoder e = {0};
	struct err err = ERR_INIT;

	if (encoder_find(&e, name, &f->endpoints, &err) != OK)
		fail_msg("%s", err.msg);
	return e;
}

static void expect(struct fixture *f, const char *handle, const char *const want[5])
{
	struct snapshot *snap = must_load(f->p.c, "d");

	for (int i = 0; i < 5; i++) {
		char key[8];

		snprintf(key, sizeof key, "s%d", i);
		assert_string_equal(answered(f->p.c, snap, handle, key), want[i]);
	}
	snapshot_free(snap);
}

static char *write_file(struct fixture *f, const char *name, const char *text)
{
	char *path = project_file(f->p.folder, name);
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
	return path;
}

static void answers_outside_are_mapped(void **state)
{
	static const char *const want[] = {"hen", "cock", "owl", "", "cock"};
	struct fixture *f = *state;
	struct encoder e = encoder_named(f, "e");
	struct map_result r = map_by(f, &e, "m/cw", false);
	struct snapshot *snap;
	double distance;
	char *raw;

	assert_string_equal(r.handle, "m/cw/cw+/v-3");
	assert_true(r.answers == 4 && r.texts == 3 && r.mapped == 3 && r.zero == 1);
	assert_true(r.sent == 6 && atomic_load(&f->texts) == 6); /* three names, three answers */
	expect(f, r.handle, want);
	snap = must_load(f->p.c, "d");
	assert_int_equal(column_u(&snap->runs[1].outcome, 3), OUTCOME_OOP);
	assert_int_equal(column_u(&snap->runs[1].outcome, 0), OUTCOME_ANSWERED);
	distance = fetch_number(f->p.c, snap->runs[1].id, "distance", 1);
	assert_float_equal(distance, 1 - 2 / sqrt(4.01), 1e-3);
	assert_true(isnan(fetch_number(f->p.c, snap->runs[1].id, "distance", 0)));
	assert_int_equal(project_int(f->p.c, "SELECT count(*) FROM run WHERE encoder = 'v-3' AND parent IS NOT NULL"), 1);
	raw = raw_text(f->p.c, snap, r.handle, "s2");
	assert_string_equal(raw, "night bird");
	free(raw);
	snapshot_free(snap);
	/* Vectors are kept: nothing is sent twice. */
	r = map_by(f, &e, "m/cw", true);
	assert_true(r.sent == 0 && atomic_load(&f->texts) == 6);
	assert_true(r.answers == 5);
	encoder_release(&e);
}

static void templates_are_on_both_sides(void **state)
{
	static const char *const want[] = {"hen", "hen", "owl", "", "hen"};
	struct fixture *f = *state;
	struct encoder e = encoder_named(f, "e");
	char *path = write_file(f, "templates", "# one\na sort of {}\n\n");
	struct err err = ERR_INIT;
	struct map_result r;

	assert_int_equal(encoder_templates(&e, path, &err), OK);
	r = map_by(f, &e, "m/cw", false);
	assert_string_equal(r.handle, "m/cw/cw+/v-3+templates");
	/* Its bare vector is zero, whatever it says in a sentence. */
	assert_true(r.mapped == 3 && r.zero == 1);
	expect(f, r.handle, want);
	encoder_release(&e);
	free(path);
}

static void vectors_of_a_file(void **state)
{
	static const char *const want[] = {"hen", "owl", "", "", "owl"};
	struct fixture *f = *state;
	char *path = write_file(f, "v.jsonl", "{\"text\":\"cock\",\"vector\":[1,0]}\n{\"text\":\"owl\",\"vector\":[0,1]}\n"
					      "{\"text\":\"hen\",\"vector\":[0.7,0.7]}\n"
					      "{\"text\":\"a rooster\",\"embedding\":[0,3]}\n");
	struct encoder e = encoder_named(f, path);
	struct map_result r = map_by(f, &e, "m/cw", false);
	struct err err = ERR_INIT;

	assert_string_equal(r.handle, "m/cw/cw+/v.jsonl");
	assert_true(r.mapped == 2 && r.zero == 2 && atomic_load(&f->texts) == 0);
	expect(f, r.handle, want);
	assert_int_equal(encoder_templates(&e, path, &err), E_USAGE);
	encoder_release(&e);
	free(path);
}

static void what_cannot_be_mapped(void **state)
{
	struct fixture *f = *state;
	struct encoder e = {0};
	struct err err = ERR_INIT;
	struct snapshot *snap = must_load(f->p.c, "d");
	struct map_job job = {.conn = f->p.c, .snap = snap, .encoder = &e};
	struct map_result r;

	assert_int_equal(encoder_find(&e, "nobody", &f->endpoints, &err), E_USAGE);
	assert_true(strstr(err.msg, "neither an endpoint") && strstr(err.msg, "nor a file"));
	encoder_release(&e);
	/* Nobody listens any more: no run is made. */
	e = encoder_named(f, "e");
	server_stop(f->server);
	f->server = NULL;
	err = (struct err)ERR_INIT;
	assert_true(map_run(&job, &r, &err) != OK);
	assert_int_equal(project_int(f->p.c, "SELECT count(*) FROM run"), 1);
	snapshot_free(snap);
	encoder_release(&e);
}

#define test(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    test(answers_outside_are_mapped),
	    test(templates_are_on_both_sides),
	    test(vectors_of_a_file),
	    test(what_cannot_be_mapped),
	};

	if (!net_available()) {
		puts("skip map: there is no libcurl");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
