/*
 * deepeval: test runs of DeepEval: {testCases: [{name, input, actualOutput, expectedOutput, success,
 * metricsData, …}]}, or the same below testRunData (.deepeval/.latest_test_run.json). The expected
 * output is the truth, scores of metrics are numbers. Which model answered is not in the cases.
 */
#include "core/reader/embedded.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define MAX_PICTURES 64

/* 1: at the top; 2: below testRunData; 0: neither. */
static int where_cases_are(struct str head)
{
	struct str rest = peek_skip_blanks(head), inner;
	struct member m, i;

	while (peek_member(&rest, &m)) {
		bool seen = m.value.p < head.p + head.n;

		if (str_eqz(m.key, "testCases") && seen && *m.value.p == '[')
			return str_find(head, STR("\"actualOutput\"")) != SIZE_MAX ||
					       str_find(head, STR("\"metricsData\"")) != SIZE_MAX
				   ? 1
				   : 0;
		if (!str_eqz(m.key, "testRunData") || !seen || *m.value.p != '{')
			continue;
		inner = (struct str){m.value.p, (size_t)(head.p + head.n - m.value.p)};
		while (peek_member(&inner, &i))
			if (str_eqz(i.key, "testCases"))
				return 2;
	}
	return 0;
}

static int probe(struct str path, struct str head)
{
	(void)path;
	return where_cases_are(head) ? 100 : 0;
}

static struct str text_of(struct stored *s, const cJSON *item)
{
	struct buf scratch = BUF_INIT;
	struct str text = json_scalar(item, &scratch);

	text = text.p ? arena_str(&s->row.arena, text) : STR_NONE;
	buf_release(&scratch);
	return text;
}

/* Of a mapping by id, or of a list of texts and pictures: a path, or the picture itself. */
static void pictures_of(struct stored *s, const cJSON *list, struct rec_sample *out)
{
	struct str *paths = arena_zalloc(&s->row.arena, MAX_PICTURES, sizeof *paths);
	size_t n = 0;

	for (const cJSON *i = list ? list->child : NULL; i && n < MAX_PICTURES; i = i->next) {
		struct str url = json_text(json_get(i, "url")), data = json_text(json_get(i, "dataBase64"));

		if (!cJSON_IsObject(i))
			continue;
		if (data.n)
			paths[n] = embedded_picture(s->ctx, &s->row.arena, data, s->row.src);
		if (!paths[n].n)
			paths[n] = stored_picture(s, url);
		n++;
	}
	stored_pictures(out, paths, n);
}

static void sample_of(struct stored *s, const cJSON *c, struct rec_sample *out)
{
	const cJSON *parts = json_get(c, "multimodalInput"), *metadata = json_get(c, "metadata");
	const cJSON *mapping = json_get(c, "imagesMapping"), *tags = json_get(c, "tags");

	pictures_of(s, mapping ? mapping : parts, out);
	out->text = str_trim(json_text(json_get(c, "input")));
	if (!out->text.n)
		out->text = str_trim(stored_content(s, parts));
	out->text_kind = out->text.n ? TEXT_QUESTION : TEXT_NONE;
	for (const cJSON *m = cJSON_IsObject(metadata) ? metadata->child : NULL; m; m = m->next)
		if (m->string[0] && json_text(m).n <= 256)
			stored_facet(s, m->string, json_text(m));
	for (const cJSON *t = cJSON_IsArray(tags) ? tags->child : NULL; t; t = t->next)
		stored_facet(s, "tag", json_text(t));
}

static void metrics_of(struct stored *s, const cJSON *c)
{
	const cJSON *list = json_get(c, "metricsData");

	stored_put(s, STR("success"), json_get(c, "success"));
	for (const cJSON *m = cJSON_IsArray(list) ? list->child : NULL; m; m = m->next) {
		struct str name = str_trim(json_text(json_get(m, "name")));
		char *z = arena_strndup(&s->row.arena, name.p ? name.p : "", name.n);

		stored_put(s, name, json_get(m, "score"));
		if (!name.n)
			continue;
		stored_put_text(s, arena_printf(&s->row.arena, "%s reason", z),
				json_text(json_get(m, "reason")));
		stored_put_text(s, arena_printf(&s->row.arena, "%s error", z),
				json_text(json_get(m, "error")));
	}
}

static void answer_of(struct stored *s, const cJSON *c, struct rec_prediction *out)
{
	double n;

	out->raw = text_of(s, json_get(c, "actualOutput"));
	if (!out->raw.n)
		out->raw = stored_content(s, json_get(c, "multimodalActualOutput"));
	if (json_number(json_get(c, "completionTime"), &n))
		out->latency_ms = n * 1000;
	if (json_number(json_get(c, "outputTokenCount"), &n) && n >= 0 && n < 1e15)
		out->tokens = (int64_t)n;
	stored_answer(s, NULL, 0, out);
}

static enum status take_case(struct stored *s, const cJSON *c, struct err *err)
{
	struct stored_run run = {0};
	struct rec_truth truth = {.layer = STR("original")};
	struct rec_sample sample = {.truths = &truth};
	struct rec_prediction out;
	struct refs target;
	enum status st;

	s->ctx->report->rows++;
	rec_prediction_init(&out);
	out.key = str_trim(text_of(s, json_get(c, "name")));
	if (!out.key.n)
		out.key = str_trim(text_of(s, json_get(c, "order")));
	if (!out.key.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "name",
			   "expected the test case's name, got nothing");
		return OK;
	}
	sample_of(s, c, &sample);
	target = stored_truth(s, json_get(c, "expectedOutput"), NULL, 0);
	truth.refs = target.v;
	truth.n_refs = target.n;
	sample.n_truths = target.known;
	metrics_of(s, c);
	answer_of(s, c, &out);
	st = stored_run(s, &run, &out.run, err);
	return st ? st : stored_send(s, &out, &sample, err);
}

static enum status take_value(struct stored *s, const struct stored_value *v, struct err *err)
{
	if (v->inside && cJSON_IsObject(v->tree))
		return take_case(s, v->tree, err);
	if (v->inside)
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "", "expected an object in braces");
	else if (str_eqz(v->key, "conversationalTestCases") && v->tree->child)
		report_note(s->ctx->report, "conversations are test cases of several turns, which are left out");
	return OK;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct stored s = {0};
	int where = where_cases_are(buf_view(&ctx->in->head));
	enum status st;

	stored_init(&s, ctx);
	st = stored_values(&s, where == 2 ? "testRunData/testCases" : "testCases", take_value, err);
	stored_release(&s);
	return st;
}

const struct reader reader_deepeval = {
    .name = "deepeval",
    .help = "test runs of DeepEval (JSON): test cases with outputs and metrics",
    .probe = probe,
    .rank = stored_rank,
    .read = read_file,
};
