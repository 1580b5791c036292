/*
 * mvei: MVEI and INSETS metadata (an image, its emotion words, statements with a verdict each),
 * and the same with `predict` in the statements: one model's stored judgements.
 *
 * A sample is one statement: image_id#k, k from 0. Its classes are incorrect (0) and correct (1).
 */
#include "core/base/path.h"
#include "core/reader/answer.h"
#include "core/reader/parrott.h"
#include "core/reader/table.h"

#define MAX_WORDS 256

static int probe(struct str path, struct str head)
{
	struct peek p;
	int score;

	(void)path;
	peek_open(&p, head);
	score = peek_has(&p, "image_id") && peek_has(&p, "statement_list") ? 100 : 0;
	peek_release(&p);
	return score;
}

static enum rank rank(struct str path, struct str head)
{
	(void)path;
	return str_find(head, STR("\"predict\"")) != SIZE_MAX ? RANK_PREDICTIONS : RANK_SAMPLES;
}

struct mvei {
	struct read_ctx *ctx;
	struct rows rows;
	bool predictions; /* the file begins with `predict`: it declares no samples */
	bool has_run;
	uint32_t run;
	/* of the entry at hand */
	struct str image;
	struct rec_facet facets[MAX_WORDS + 3];
	size_t n_entry_facets;
};

static enum status declare(struct mvei *m, struct err *err)
{
	struct sink *sink = m->ctx->sink;
	enum status st = sink_preset(sink, STR("mvei"), err);
	struct rec_class incorrect = {.index = 0, .name = STR("Incorrect")};
	struct rec_class correct = {.index = 1, .name = STR("Correct")};

	if (!st)
		st = sink_class(sink, &incorrect, err);
	if (!st)
		st = sink_class(sink, &correct, err);
	return st ? st : parrott_send(sink, STR("emotion"), err);
}

static void add_facet(struct mvei *m, size_t *n, struct str name, struct str value)
{
	if (value.n)
		m->facets[(*n)++] = (struct rec_facet){name, value, NAN, false};
}

/* What all statements of one image share: the emotion words and EmoSet's folder. */
static void entry_facets(struct mvei *m, const struct row *row)
{
	const struct cell *words = row_find(&m->rows, row, "ov_emotion");
	size_t n = 0;
	struct str folder;

	if (words && words->type == CELL_LIST) {
		for (const cJSON *w = words->json->child; w && n < MAX_WORDS; w = w->next)
			add_facet(m, &n, STR("emotion"), str_trim(json_text(w)));
		if (cJSON_GetArraySize(words->json) > MAX_WORDS)
			report_add(m->ctx->report, PROBLEM_WARNING, row->src, "ov_emotion",
				   "only the first %d words were taken", MAX_WORDS);
	} else if (!cell_blank(words)) {
		report_add(m->ctx->report, PROBLEM_WARNING, row->src, "ov_emotion",
			   "expected a list of words");
	}
	str_cut(m->image, '/', &folder);
	if (folder.n < m->image.n)
		add_facet(m, &n, STR("emoset"), folder);
	m->n_entry_facets = n;
}

/* 1 correct, 0 incorrect, -1 none. */
static int64_t label_of(struct mvei *m, const struct row *row, const cJSON *statement)
{
	struct str label = str_trim(json_text(json_get(statement, "label")));

	if (str_eq_nocase(label, STR("correct")))
		return 1;
	if (str_eq_nocase(label, STR("incorrect")))
		return 0;
	report_add(m->ctx->report, PROBLEM_WARNING, row->src, "label",
		   "expected correct or incorrect");
	return -1;
}

static enum status run_of(struct mvei *m, struct err *err)
{
	const struct read_options *opt = m->ctx->opt;
	struct str path = str_z(m->ctx->in->path);
	struct rec_run rec = {
	    .model = reader_model(opt, path),
	    .protocol = opt->protocol.n ? opt->protocol : STR("ESJ"),
	    .handle = opt->run,
	    .source = path,
	};
	enum status st = OK;

	if (!m->has_run)
		st = sink_run(m->ctx->sink, &rec, &m->run, err);
	m->has_run = true;
	return st;
}

static enum status send_prediction(struct mvei *m, const struct rec_sample *sample,
				   const cJSON *predict, struct err *err)
{
	struct class_ref ref = {.kind = CLASS_BY_INDEX};
	struct rec_prediction out;
	enum status st = run_of(m, err);

	rec_prediction_init(&out);
	out.src = sample->src;
	out.run = m->run;
	out.key = sample->key;
	out.raw = json_text(predict);
	if (!out.raw.p && !cJSON_IsNull(predict))
		report_add(m->ctx->report, PROBLEM_WARNING, out.src, "predict", "expected a text");
	out.outcome = answer_esj(out.raw, &out.extracted, &ref.index);
	if (out.outcome == OUTCOME_ANSWERED) {
		ref.text = ref.index ? STR("Correct") : STR("Incorrect");
		out.refs = &ref;
		out.n_refs = 1;
	}
	out.sample = sample;
	return st ? st : sink_prediction(m->ctx->sink, &out, err);
}

static enum status take_statement(struct mvei *m, struct row *row, const cJSON *statement,
				  size_t k, struct err *err)
{
	struct class_ref ref = {.kind = CLASS_BY_INDEX, .index = label_of(m, row, statement)};
	struct rec_truth truth = {
	    .layer = m->ctx->opt->layer.n ? m->ctx->opt->layer : STR("original"),
	    .refs = &ref,
	    .n_refs = 1,
	};
	const cJSON *predict = json_get(statement, "predict");
	struct str subclass = str_trim(json_text(json_get(statement, "subclass")));
	char *key = arena_printf(&row->arena, "%.*s#%zu", (int)m->image.n, m->image.p, k);
	struct rec_sample out = {
	    .src = row->src,
	    .key = str_z(key),
	    .media = MEDIA_IMAGE,
	    .paths = &m->image,
	    .n_paths = 1,
	    .text_kind = TEXT_STATEMENT,
	    .text = str_trim(json_text(json_get(statement, "statement"))),
	    .facets = m->facets,
	    .truths = &truth,
	    .n_truths = ref.index >= 0,
	    .creates = true,
	    .declares = !m->predictions,
	};
	size_t n = m->n_entry_facets;
	enum status st = OK;

	ref.text = ref.index == 1 ? STR("Correct") : STR("Incorrect");
	if (!out.text.n)
		report_add(m->ctx->report, PROBLEM_WARNING, row->src, "statement",
			   "expected a text");
	add_facet(m, &n, STR("dimension"), str_trim(json_text(json_get(statement, "class"))));
	if (!str_eq_nocase(subclass, STR("none")))
		add_facet(m, &n, STR("subclass"), subclass);
	out.n_facets = n;
	if (!predict || !m->predictions)
		st = sink_sample(m->ctx->sink, &out, err);
	if (!st && predict)
		st = send_prediction(m, &out, predict, err);
	return st;
}

static enum status take_row(struct mvei *m, struct row *row, struct err *err)
{
	const struct cell *statements = row_find(&m->rows, row, "statement_list");
	enum status st = OK;
	size_t k = 0;

	m->image = cell_text(row_find(&m->rows, row, "image_id"));
	m->image = path_with_slashes(&row->arena, m->image);
	if (!m->image.n || m->image.n > 4096 || !statements || statements->type != CELL_LIST) {
		report_add(m->ctx->report, PROBLEM_SKIPPED, row->src,
			   m->image.n ? "statement_list" : "image_id",
			   m->image.n ? "expected a list of statements" : "expected a path");
		return OK;
	}
	entry_facets(m, row);
	for (const cJSON *s = statements->json->child; s && !st; s = s->next, k++) {
		if (cJSON_IsObject(s))
			st = take_statement(m, row, s, k, err);
		else
			report_add(m->ctx->report, PROBLEM_SKIPPED, row->src, "statement_list",
				   "expected an object as statement %zu", k);
	}
	return st;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct mvei *m = xcalloc(1, sizeof *m);
	struct row row;
	bool more = true;
	enum status st;

	m->ctx = ctx;
	m->predictions = rank(STR_NONE, buf_view(&ctx->in->head)) == RANK_PREDICTIONS;
	row_init(&row);
	st = rows_open(&m->rows, ctx, err);
	if (!st)
		st = declare(m, err);
	while (!st && more) {
		st = rows_next(&m->rows, &row, &more, err);
		if (!st && more)
			st = take_row(m, &row, err);
	}
	row_release(&row);
	rows_release(&m->rows);
	free(m);
	return st;
}

const struct reader reader_mvei = {
    .name = "mvei",
    .help = "MVEI and INSETS metadata (JSON), with or without a model's `predict`",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
