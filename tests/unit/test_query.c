/* Samples asked again: what is sent, what is kept, what is asked once more. */
#include <math.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/text/json.h"
#include "tests/unit/lib_asked.h"
#include "tests/unit/lib_secret.h"
#include "tui/print.h"
#include "tui/query/query_batch.h"
#include "tui/query/query_cost.h"
#include "tui/query/query_parse.h"

struct fixture {
	struct asked_world w;
	struct pool *pool;
	/* of a query */
	bool ended;
	struct err why;
	size_t answered, failed, kept;
	char rules[256];
};

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);
	struct err err = ERR_INIT;

	asked_begin(&f->w);
	f->pool = pool_new(3, &err);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	pool_free(f->pool);
	asked_end(&f->w);
	free(f);
	return 0;
}

/* --- a query to its end --- */

static void on_answer(void *ctx, const struct query_answer *a)
{
	struct fixture *f = ctx;
	size_t n = strlen(f->rules);

	f->answered += !a->why;
	f->failed += a->why != NULL;
	snprintf(f->rules + n, sizeof f->rules - n, "%s ", a->x.rule);
}

static void kept(void *ctx, size_t n)
{
	((struct fixture *)ctx)->kept += n;
}

static void ended(void *ctx, const struct crowd_counts *counts, const struct err *why)
{
	struct fixture *f = ctx;

	(void)counts;
	f->ended = true;
	f->why = why ? *why : (struct err)ERR_INIT;
}

static struct query_plan plan_for(struct fixture *f, const struct query_spec *spec, const uint32_t *ords,
				  size_t n, bool anew)
{
	struct snapshot *snap = must_load(f->w.p.c, "d");
	struct query_plan plan;
	struct err err = ERR_INIT;

	if (query_plan_make(&plan, f->w.p.c, snap, spec, ords, n, anew, &err) != OK)
		fail_msg("%s", err.msg);
	snapshot_free(snap);
	return plan;
}

/* Returns the handle of the run; caller frees. */
static char *ask(struct fixture *f, struct query_plan *plan)
{
	static const struct net_options quick = {.backoff = 0.01, .seed = 1};
	struct query_watch watch = {.answered = on_answer, .kept = kept, .ended = ended, .ctx = f};
	char *handle = xstrdup(plan->handle);

	f->ended = false;
	f->answered = f->failed = f->kept = 0;
	f->rules[0] = 0;
	query_start(plan, f->pool, NULL, &quick, &watch);
	pool_settle(f->pool);
	assert_true(f->ended);
	return handle;
}

static struct query_spec spec_for(const struct fixture *f, const char *protocol)
{
	struct query_spec s;

	query_spec_init(&s, &f->w.endpoints.v[0], protocol_find(str_z(protocol)));
	return s;
}

static const uint32_t five[] = {0, 1, 2, 3, 4};

static void answers_are_kept(void **state)
{
	struct fixture *f = *state;
	struct query_spec s = spec_for(f, "cw");
	struct query_plan plan = plan_for(f, &s, five, 5, false);
	struct snapshot *snap;
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct buf seen = BUF_INIT;
	struct str text;
	char *handle = ask(f, &plan);

	assert_string_equal(handle, "m_1/cw/q1");
	assert_true(f->answered == 5 && f->kept == 5 && !f->why.code);
	snap = must_load(f->w.p.c, "d");
	assert_int_equal(snap->n_runs, 2);
	assert_true(snap->runs[1].scratch && !snap->runs[0].scratch);
	assert_int_equal(column_u(&snap->runs[1].label, 3), 1);
	assert_int_equal(fetch_text(f->w.p.c, snap->runs[1].id, FIELD_DETAILS, 2, &text, &arena, &err), OK);
	assert_true(str_find(text, STR("\"picture\":\"as it is\"")) != SIZE_MAX);
	assert_true(fetch_number(f->w.p.c, snap->runs[1].id, "tokens", 2) == 3);
	assert_int_equal(project_int(f->w.p.c, "SELECT count(*) FROM import WHERE reader = ''"), 0);
	/* The key went to the server and nowhere else. */
	server_received(f->w.server, &seen);
	assert_true(str_find(buf_view(&seen), STR("Bearer " ASKED_KEY)) != SIZE_MAX);
	assert_int_equal(project_int(f->w.p.c, "SELECT count(*) FROM run WHERE settings || prompt LIKE '%" ASKED_KEY "%'"),
			 0);
	/* All are answered: there is nothing to ask, unless it is wished for. */
	plan = plan_for(f, &s, five, 5, false);
	assert_true(plan.n == 0 && plan.known == 5);
	assert_string_equal(plan.handle, handle);
	query_plan_release(&plan);
	plan = plan_for(f, &s, five, 5, true);
	assert_string_equal(plan.handle, "m_1/cw/q2");
	query_plan_release(&plan);
	s.ids = true; /* another way to ask */
	plan = plan_for(f, &s, five, 5, false);
	assert_string_equal(plan.handle, "m_1/cw/q2");
	query_plan_release(&plan);
	free(handle);
	buf_release(&seen);
	arena_release(&arena);
	snapshot_free(snap);
	query_spec_release(&s);
}

static void failures_alone_are_asked_again(void **state)
{
	struct fixture *f = *state;
	struct query_spec s = spec_for(f, "ow");
	struct query_plan plan = plan_for(f, &s, five, 5, false);
	struct snapshot *snap;
	int before;

	atomic_store(&f->w.broken, 2);
	free(ask(f, &plan));
	assert_true(f->answered == 3 && f->failed == 2 && f->kept == 5);
	snap = must_load(f->w.p.c, "d");
	before = 0;
	for (uint32_t i = 0; i < 5; i++)
		before += column_u(&snap->runs[1].outcome, i) == OUTCOME_ERROR;
	assert_int_equal(before, 2);
	snapshot_free(snap);
	plan = plan_for(f, &s, five, 5, false);
	assert_true(plan.n == 2 && plan.known == 3);
	before = server_requests(f->w.server);
	free(ask(f, &plan));
	assert_int_equal(server_requests(f->w.server) - before, 2);
	snap = must_load(f->w.p.c, "d");
	assert_int_equal(snap->n_runs, 2);
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(column_u(&snap->runs[1].outcome, i), OUTCOME_ANSWERED);
	snapshot_free(snap);
	query_spec_release(&s);
}

static void batches_keep_their_places(void **state)
{
	struct fixture *f = *state;
	struct query_spec s = spec_for(f, "cw");
	struct query_plan plan;
	struct snapshot *snap;
	int64_t run;

	free(s.prompt);
	s.prompt = xstrdup(protocol_prompt(s.protocol, ASK_JSON));
	s.form = ASK_JSON;
	s.batch = 3;
	f->w.answer = "{\"1\": \"hen\", \"2\": \"a dodo\", \"3\": \"n07\"}";
	plan = plan_for(f, &s, five, 5, false);
	assert_int_equal(query_plan_requests(&plan), 2);
	free(ask(f, &plan));
	assert_string_equal(f->rules, "json key json key json key json key json key ");
	snap = must_load(f->w.p.c, "d");
	run = snap->runs[1].id;
	assert_int_equal(column_u(&snap->runs[1].outcome, 1), OUTCOME_OOP);
	assert_int_equal(column_u(&snap->runs[1].outcome, 0), OUTCOME_ANSWERED);
	assert_true(fetch_number(f->w.p.c, run, "batch_size", 2) == 3 && fetch_number(f->w.p.c, run, "batch_pos", 2) == 3);
	assert_true(fetch_number(f->w.p.c, run, "batch_size", 4) == 2 && fetch_number(f->w.p.c, run, "batch_pos", 4) == 2);
	snapshot_free(snap);
	query_spec_release(&s);
}

static void options_are_drawn(void **state)
{
	struct fixture *f = *state;
	struct query_spec s = spec_for(f, "mc");
	struct query_plan plan, again;
	struct query_request *a, *b;
	struct err err = ERR_INIT;

	s.options = QUERY_OPTIONS_RANDOM;
	plan = plan_for(f, &s, five, 5, false);
	assert_int_equal(query_request_make(&plan, f->w.p.c, 0, NULL, NULL, &a, &err), OK);
	again = plan_for(f, &s, five, 5, true);
	assert_int_equal(query_request_make(&again, f->w.p.c, 0, NULL, NULL, &b, &err), OK);
	assert_true(str_eq(query_request_prompt(a), query_request_prompt(b)));
	for (int i = 0; i < 4; i++) {
		static const char *const names[] = {"cock", "hen", "owl", "cat"};

		assert_true(str_find(query_request_prompt(a), str_z(names[i])) != SIZE_MAX);
	}
	query_request_free(a);
	query_request_free(b);
	query_plan_release(&plan);
	query_plan_release(&again);
	query_spec_release(&s);
}

/* Another picture of s0, before and behind which the order must stay. */
static void give_s0_more(struct fixture *f, const char *name)
{
	char *path = xasprintf("%s/%s", f->w.p.folder, name), *from = xasprintf("%s/a.jpg", f->w.p.folder);
	FILE *in = fopen(from, "rb"), *out = fopen(path, "wb");
	char bytes[8192];
	size_t n = fread(bytes, 1, sizeof bytes, in);

	/* JPEGs may have anything behind their end: the bytes tell which one it is. */
	assert_int_equal(fwrite(bytes, 1, n, out), n);
	assert_true(fputs(name, out) >= 0);
	fclose(in);
	fclose(out);
	free(path);
	free(from);
}

static void several_pictures_go_in_their_order(void **state)
{
	static const uint32_t first[] = {0, 1};
	struct fixture *f = *state;
	struct query_spec s = spec_for(f, "ow");
	struct query_plan plan;
	struct query_request *r;
	struct err err = ERR_INIT;

	give_s0_more(f, "z.jpg");
	give_s0_more(f, "b.jpg");
	project_exec(f->w.p.c, "UPDATE sample SET media = 2 WHERE ord = 0");
	project_exec(f->w.p.c, "INSERT INTO sample_media (sample, pos, path) SELECT id, 2, 'b.jpg' FROM sample "
			       "WHERE ord = 0 UNION SELECT id, 1, 'z.jpg' FROM sample WHERE ord = 0");
	plan = plan_for(f, &s, first, 1, false);
	if (query_request_make(&plan, f->w.p.c, 0, NULL, NULL, &r, &err) != OK)
		fail_msg("%s", err.msg);
	assert_int_equal(query_request_pictures(r), 3);
	assert_int_equal(query_request_chat(r)->messages[0].n_parts, 4);
	assert_true(str_ends(query_request_chat(r)->messages[0].parts[1].bytes, STR("z.jpg")));
	assert_true(str_ends(query_request_chat(r)->messages[0].parts[2].bytes, STR("b.jpg")));
	query_request_free(r);
	query_plan_release(&plan);
	/* Places tell samples apart where a request has several of them. */
	query_spec_release(&s);
	s = spec_for(f, "cw");
	free(s.prompt);
	s.prompt = xstrdup(protocol_prompt(s.protocol, ASK_JSON));
	s.form = ASK_JSON;
	s.batch = 2;
	plan = plan_for(f, &s, first, 2, false);
	assert_int_equal(query_request_make(&plan, f->w.p.c, 0, NULL, NULL, &r, &err), E_UNSUPPORTED);
	assert_non_null(strstr(err.msg, "s0 has several pictures"));
	query_plan_release(&plan);
	query_spec_release(&s);
}

static void what_cannot_be_asked(void **state)
{
	static const uint32_t gone[] = {5};
	struct fixture *f = *state;
	struct snapshot *snap = must_load(f->w.p.c, "d");
	struct query_spec s = spec_for(f, "mc");
	struct query_plan plan;
	struct err err = ERR_INIT;

	s.truth = CHOICES_REANNOTATED;
	s.options = QUERY_OPTIONS_RANDOM;
	assert_int_equal(query_spec_check(&s, snap, &err), E_USAGE);
	s.options = QUERY_OPTIONS_HARD;
	s.truth = CHOICES_ORIGINAL;
	err = (struct err)ERR_INIT;
	assert_int_equal(query_spec_check(&s, snap, &err), E_USAGE);
	s.reference = xstrdup("m0/cw");
	err = (struct err)ERR_INIT;
	assert_int_equal(query_spec_check(&s, snap, &err), OK);
	s.batch = 2;
	assert_int_equal(query_spec_check(&s, snap, &err), E_USAGE);
	query_spec_release(&s);
	err = (struct err)ERR_INIT;
	s = spec_for(f, "cw");
	assert_int_equal(query_spec_classes(&s, snap, STR("hen\n#9\n n10 \n"), &err), OK);
	assert_int_equal(s.n_candidates, 3);
	assert_int_equal(query_spec_classes(&s, snap, STR("hen\ndodo\n"), &err), E_USAGE);
	assert_string_equal(err.msg, "line 2 of the classes: there is no class dodo");
	/* A picture that is not there: nothing is sent, nothing is kept, and it is said. */
	plan = plan_for(f, &s, gone, 1, false);
	free(ask(f, &plan));
	assert_true(f->failed == 1 && f->kept == 0 && server_requests(f->w.server) == 0);
	snapshot_free(snap);
	query_spec_release(&s);
}

static void write_text(const char *path, struct str text)
{
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	fwrite(text.p, 1, text.n, out);
	fclose(out);
}

/* --- what it costs --- */

static void a_plan_tells_its_tokens(void **state)
{
	struct fixture *f = *state;
	struct query_spec s = spec_for(f, "ow");
	struct query_plan plan;
	struct query_cost cost;
	double each;
	char n[32];

	free(s.prompt);
	s.prompt = xstrdup("12345678");
	plan = plan_for(f, &s, five, 5, false);
	cost = query_plan_cost(&plan, f->w.p.c);
	assert_true(cost.text == 5 * 2 && cost.pictures == 5 * 255);
	query_plan_release(&plan);
	s.batch = 2;
	s.form = ASK_JSON;
	plan = plan_for(f, &s, five, 5, false); /* 2, 2, 1 */
	cost = query_plan_cost(&plan, f->w.p.c);
	each = cost.pictures / 255;
	assert_true(each > 4.99 && each < 5.01 && cost.text == 6);
	query_plan_release(&plan);
	query_spec_release(&s);
	assert_string_equal(print_about(n, 0.2), "0");
	assert_string_equal(print_about(n, 99.4), "99");
	assert_string_equal(print_about(n, 99.6), "100");
	assert_string_equal(print_about(n, 24499), "24,000");
}

/* --- taken apart anew --- */

static void one_rule_makes_a_run(void **state)
{
	struct fixture *f = *state;
	struct query_spec s = spec_for(f, "cw");
	struct query_plan plan;
	struct parse_job job = {.conn = f->w.p.c, .rule = extract_rule_find(STR("marker")),
				.protocol = protocol_find(STR("cw"))};
	struct parse_result r;
	struct err err = ERR_INIT;
	struct arena arena = ARENA_INIT;
	struct run_asking was;

	f->w.answer = "I see a hen.\nAnswer: owl";
	plan = plan_for(f, &s, five, 2, false);
	free(ask(f, &plan));
	f->w.answer = "cat";
	plan = plan_for(f, &s, five, 5, false);
	free(ask(f, &plan));
	job.snap = must_load(f->w.p.c, "d");
	job.run = 1;
	assert_int_equal(parse_run(&job, &r, &err), OK);
	assert_string_equal(r.handle, "m_1/cw/q1/marker/r1");
	assert_true(r.answers == 5 && r.others == 3);
	snapshot_free(job.snap);
	job.snap = must_load(f->w.p.c, "d");
	assert_int_equal(column_u(&job.snap->runs[2].outcome, 0), OUTCOME_ANSWERED);
	assert_int_equal(column_u(&job.snap->runs[2].label, 0), 2);
	assert_int_equal(column_u(&job.snap->runs[2].outcome, 4), OUTCOME_UNPARSED);
	assert_int_equal(column_u(&job.snap->runs[1].outcome, 4), OUTCOME_ANSWERED); /* it stays as it was */
	assert_int_equal(fetch_run_asking(f->w.p.c, job.snap->runs[2].id, &was, &arena, &err), OK);
	assert_true(str_find(was.settings, STR("\"rule\":\"marker\"")) != SIZE_MAX);
	assert_true(str_find(was.settings, STR("\"endpoint\":\"e\"")) != SIZE_MAX);
	snapshot_free(job.snap);
	arena_release(&arena);
	query_spec_release(&s);
}

static void rules_are_named(void **state)
{
	const struct extract_rule *rule = NULL;
	const struct protocol *cw = protocol_find(STR("cw")), *p = cw;
	struct run run = {.protocol = "mc-hard"};
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(parse_named(STR("marker"), &rule, &p, &err), OK);
	assert_true(rule && p == cw);
	assert_int_equal(parse_named(STR("esj"), &rule, &p, &err), OK);
	assert_true(!rule && p == protocol_find(STR("esj")));
	assert_int_equal(parse_named(STR("markers"), &rule, &p, &err), E_USAGE);
	assert_string_equal(err.msg, "there is no rule and no protocol markers; is marker meant?");
	assert_string_equal(parse_protocol_of(&run)->name, "mc");
	run.protocol = "";
	assert_string_equal(parse_protocol_of(&run)->name, "cw");
}

/* --- batches --- */

/* The custom_ids of a file of requests, and how many there are. */
static size_t read_ids(const char *path, char ids[][32], size_t max)
{
	struct input in;
	struct lines lines;
	struct line line;
	struct err err = ERR_INIT;
	bool more;
	size_t n = 0;

	if (input_open(&in, path, &err) != OK)
		return 0;
	lines_init(&lines, &in);
	while (lines_next(&lines, &line, &more, &err) == OK && more) {
		cJSON *o = NULL;

		assert_int_equal(json_parse(line.text, &o, &err), OK);
		assert_true(n < max && json_get(json_get(o, "body"), "messages"));
		snprintf(ids[n++], 32, "%.*s", STR_ARG(json_text(json_get(o, "custom_id"))));
		cJSON_Delete(o);
	}
	lines_release(&lines);
	input_close(&in);
	return n;
}

static void put_result(struct buf *out, const char *id, const char *content, bool old)
{
	buf_printf(out, "{\"custom_id\":\"%s\",\"error\":null,\"response\":", id);
	buf_z(out, old ? "" : "{\"status_code\":200,\"body\":");
	buf_z(out, "{\"choices\":[{\"message\":{\"content\":");
	json_quote(out, str_z(content));
	buf_printf(out, "},\"finish_reason\":\"stop\"}]}%s}\n", old ? "" : "}");
}

static void batches_go_and_come(void **state)
{
	static const struct batch_limits two = {1 << 20, 2};
	struct fixture *f = *state;
	struct query_spec s = spec_for(f, "cw");
	struct query_plan plan = plan_for(f, &s, five, 5, false);
	struct batch_written w;
	struct batch_read r;
	struct err err = ERR_INIT;
	struct buf results = BUF_INIT;
	struct snapshot *snap;
	char ids[8][32], *out = project_file(f->w.p.folder, "b.jsonl"), *more = project_file(f->w.p.folder, "b-2.jsonl"),
		     *last = project_file(f->w.p.folder, "b-3.jsonl"), *back = project_file(f->w.p.folder, "r.jsonl");
	size_t n;

	assert_int_equal(batch_export(&plan, f->w.p.c, out, &two, NULL, NULL, NULL, NULL, &w, &err), OK);
	assert_true(w.requests == 5 && w.files == 3 && w.number == 1 && !w.failed);
	n = read_ids(out, ids, 8);
	n += read_ids(more, ids + n, 8 - n);
	n += read_ids(last, ids + n, 8 - n);
	assert_int_equal(n, 5);
	assert_string_equal(ids[4], "b1:4");
	/* Backwards, one missing, one failed, lines of others. */
	put_result(&results, ids[4], "hen", true);
	put_result(&results, ids[2], "no such bird", false);
	buf_printf(&results, "{\"custom_id\":\"%s\",\"response\":null,\"error\":{\"message\":\"broke\"}}\n", ids[1]);
	put_result(&results, "b9:1", "hen", false);
	put_result(&results, "b1:77", "hen", false);
	buf_z(&results, "{half\n");
	put_result(&results, ids[0], "cock", false);
	write_text(back, buf_view(&results));
	for (int again = 0; again < 2; again++) {
		assert_int_equal(batch_import(f->w.p.c, "d", back, NULL, &r, &err), OK);
		assert_true(r.lines == 7 && r.failed == 1 && r.unknown == 2 && r.broken == 1 && r.first_bad == 4);
		snap = must_load(f->w.p.c, "d");
		assert_int_equal(snap->n_runs, 2);
		assert_string_equal(snap->runs[1].handle, plan.handle);
		assert_int_equal(column_u(&snap->runs[1].outcome, 0), OUTCOME_ANSWERED);
		assert_int_equal(column_u(&snap->runs[1].outcome, 1), OUTCOME_ERROR);
		assert_int_equal(column_u(&snap->runs[1].outcome, 2), OUTCOME_OOP);
		assert_int_equal(column_u(&snap->runs[1].outcome, 3), OUTCOME_MISSING);
		assert_int_equal(column_u(&snap->runs[1].label, 4), 1);
		snapshot_free(snap);
	}
	query_plan_release(&plan);
	/* The same command exports what is missing or failed. */
	plan = plan_for(f, &s, five, 5, false);
	assert_true(plan.n == 2 && plan.ords[0] == 1 && plan.ords[1] == 3);
	query_plan_release(&plan);
	query_spec_release(&s);
	buf_release(&results);
	free(out);
	free(more);
	free(last);
	free(back);
}

/* Options go along with a batch: what is edited meanwhile changes nothing about the letters. */
static void drawn_options_come_back(void **state)
{
	static const struct batch_limits limits = {1 << 20, 100};
	struct fixture *f = *state;
	struct query_spec s = spec_for(f, "mc");
	struct query_plan plan;
	struct batch_written w;
	struct batch_read r;
	struct err err = ERR_INIT;
	struct buf results = BUF_INIT;
	struct snapshot *snap;
	char ids[8][32], *out = project_file(f->w.p.folder, "b.jsonl"), *back = project_file(f->w.p.folder, "r.jsonl");

	s.options = QUERY_OPTIONS_NEAR;
	s.encoder = asked_vectors(&f->w, ASKED_NAMES);
	plan = plan_for(f, &s, five, 1, false);
	assert_int_equal(batch_export(&plan, f->w.p.c, out, &limits, NULL, NULL, NULL, NULL, &w, &err), OK);
	assert_int_equal(read_ids(out, ids, 8), 1);
	assert_true(strncmp(ids[0], "b1:0:", 5) == 0 && strlen(ids[0]) == 12);
	put_result(&results, "b1:0:3,2,1,0", "C", false); /* as another drawing would have it */
	put_result(&results, "b1:1:3,2,77", "C", false);
	put_result(&results, "b1:1", "C", false);
	put_result(&results, "b1:1,2:3,2", "C", false);
	write_text(back, buf_view(&results));
	assert_int_equal(batch_import(f->w.p.c, "d", back, NULL, &r, &err), OK);
	assert_true(r.lines == 4 && r.kept == 1 && r.unknown == 3);
	snap = must_load(f->w.p.c, "d");
	assert_int_equal(column_u(&snap->runs[1].label, 0), 1);
	snapshot_free(snap);
	query_plan_release(&plan);
	query_spec_release(&s);
	buf_release(&results);
	free(out);
	free(back);
}

static void a_spec_is_recalled(void **state)
{
	struct fixture *f = *state;
	struct snapshot *snap = must_load(f->w.p.c, "d");
	struct buf first = BUF_INIT, second = BUF_INIT;
	struct query_spec s = spec_for(f, "mc"), back;
	struct err err = ERR_INIT;

	s.options = QUERY_OPTIONS_HARD;
	s.truth = CHOICES_BOTH;
	s.reference = xstrdup("m0/cw");
	s.seed = 77;
	s.crop = (struct send_crop){0.25, 0, 0.5, 0.125};
	s.repeat = 3;
	assert_int_equal(query_spec_classes(&s, snap, STR("hen\nowl"), &err), OK);
	query_spec_settings(&s, snap, &first);
	assert_int_equal(query_spec_recall(&back, snap, buf_view(&first), str_z(s.prompt), STR("mc"), STR("m 1"), &err), OK);
	query_spec_settings(&back, snap, &second);
	assert_string_equal(buf_cstr(&first), buf_cstr(&second));
	assert_string_equal(back.prompt, s.prompt);
	query_spec_release(&back);
	assert_int_equal(query_spec_recall(&back, snap, STR("{\"batch\":0}"), STR(""), STR("mc"), STR("m"), &err), E_FORMAT);
	query_spec_release(&back);
	query_spec_release(&s);
	buf_release(&first);
	buf_release(&second);
	snapshot_free(snap);
}

/* Lists of any form; a class goes by wnid, by name, by the list's own index. */
static void classes_come_from_any_list(void **state)
{
	static const struct {
		const char *name, *text, *want, *error;
	} cases[] = {
	    {"lines.txt", "hen\n#9\nn10\n", "hen owl cat ", NULL},
	    {"list.json", "[\"owl\", \"hen, biddy\"]", "owl hen ", NULL},
	    {"index.json", "{\"10\": [\"n10\", \"x\"], \"7\": \"rooster\"}", "cat cock ", NULL},
	    {"list.py", "names = ['cat', # a cat\n 'Owl', 'cat']", "cat owl ", NULL},
	    {"map.txt", "n09 1 strix\n", NULL, "there is no class n09 1 strix"},
	    {"none.json", "[\"owl\",\n \"dodo\"]", NULL, "line 2 of the classes: there is no class dodo"},
	};
	struct fixture *f = *state;
	struct snapshot *snap = must_load(f->w.p.c, "d");
	struct query_spec s = spec_for(f, "cw");

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *path = project_file(f->w.p.folder, cases[i].name);
		struct err err = ERR_INIT;
		struct buf got = BUF_INIT;
		FILE *file = fopen(path, "w");

		assert_true(file && fputs(cases[i].text, file) >= 0 && fclose(file) == 0);
		assert_int_equal(query_spec_class_file(&s, snap, path, &err),
				 cases[i].want ? OK : E_USAGE);
		for (size_t k = 0; cases[i].want && k < s.n_candidates; k++)
			buf_printf(&got, "%s ", snap->classes[s.candidates[k]].name);
		if (cases[i].want)
			assert_string_equal(buf_cstr(&got), cases[i].want);
		else if (!strstr(err.msg, cases[i].error) || !strstr(err.msg, path))
			fail_msg("%s", err.msg);
		buf_release(&got);
		assert_int_equal(remove(path), 0);
		free(path);
	}
	snapshot_free(snap);
	query_spec_release(&s);
}

#define test(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    test(answers_are_kept),  test(failures_alone_are_asked_again), test(batches_keep_their_places),
	    test(options_are_drawn), test(what_cannot_be_asked), test(classes_come_from_any_list),
	    test(batches_go_and_come), test(a_spec_is_recalled),
	    test(several_pictures_go_in_their_order),
	    test(one_rule_makes_a_run),
	    test(a_plan_tells_its_tokens), test(rules_are_named), test(drawn_options_come_back),
	};

	if (!net_available()) {
		puts("skip query: there is no libcurl");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
