/*
 * lmeval: samples of lm-evaluation-harness (samples_{task}_{date}.jsonl) and lmms-eval
 * ({date}_samples_{task}.jsonl), one task a file, below a folder with the model's name. A document
 * has a line for each filter of the answers: each filter is a run. `resps` is what the model said,
 * `filtered_resps` what the filter made of it; of tasks that compare likelihoods it is a pair of
 * log-likelihood and greediness for each choice.
 *
 * lmms-eval has pictures in `input_media`, and metrics that are objects: what the task found in the
 * answer, its score, and what the sample is about.
 */
#include "core/base/path.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define MAX_CHOICES  256
#define MAX_PICTURES 64

static int probe(struct str path, struct str head)
{
	struct peek p;
	int score;

	(void)path;
	peek_open(&p, head);
	score = p.shape == SHAPE_JSONL && peek_has(&p, "doc_id") && peek_has(&p, "filtered_resps")
		    ? 100
		    : 0;
	peek_release(&p);
	return score;
}

struct lmeval {
	struct stored s; /* first */
	struct str model;
	struct str choices[MAX_CHOICES];
	size_t n_choices;
	struct str paths[MAX_PICTURES];
};

static const cJSON *json_of(struct lmeval *l, const char *name)
{
	const struct cell *c = row_find(&l->s.rows, &l->s.row, name);

	return c ? c->json : NULL;
}

static void add_choice(struct lmeval *l, const cJSON *item)
{
	struct buf scratch = BUF_INIT;
	struct str text = str_trim(json_scalar(item, &scratch));

	if (text.n && l->n_choices < MAX_CHOICES)
		l->choices[l->n_choices++] = arena_str(&l->s.row.arena, text);
	buf_release(&scratch);
}

/* The continuations whose likelihoods were compared: gen_args_0.arg_1, gen_args_1.arg_1 … In
 * older files `arguments` is a list of [context, continuation]. */
static void choices_compared(struct lmeval *l)
{
	const cJSON *list = json_of(l, "arguments");

	for (const cJSON *a = list ? list->child : NULL; a; a = a->next)
		add_choice(l, cJSON_IsArray(a) ? cJSON_GetArrayItem(a, 1) : json_get(a, "arg_1"));
}

/* Those of the document: a list of texts, or {"text": [...]} as ARC has it. */
static void choices_of_document(struct lmeval *l)
{
	const cJSON *doc = json_of(l, "doc"), *list = json_get(doc, "choices");

	if (!list)
		list = json_get(doc, "options");
	if (cJSON_IsObject(list) && cJSON_IsArray(json_get(list, "text")))
		list = json_get(list, "text");
	for (const cJSON *c = list ? list->child : NULL; c; c = c->next)
		add_choice(l, c);
}

/* What stands at the bottom of lists in lists, the first of each. */
static const cJSON *innermost(const cJSON *item)
{
	while (cJSON_IsArray(item))
		item = item->child;
	return item;
}

/* A number, [-1.2, false], or as the tool writes it since 2024, ["-1.2", "False"]. */
static bool likelihood(const cJSON *item, double *out)
{
	const cJSON *value = cJSON_IsArray(item) ? item->child : item;
	struct str text = str_trim(json_text(value)), greedy;

	if (cJSON_IsNumber(value)) {
		*out = value->valuedouble;
		return true;
	}
	greedy = value ? json_text(value->next) : STR_NONE;
	if (value == item || (!str_eqz(greedy, "True") && !str_eqz(greedy, "False")))
		return false;
	*out = -INFINITY;
	return str_eqz(text, "-inf") || str_num(text, out);
}

static bool is_likelihoods(const cJSON *list)
{
	double value;

	if (!cJSON_IsArray(list) || !list->child)
		return false;
	for (const cJSON *item = list->child; item; item = item->next)
		if (!likelihood(item, &value))
			return false;
	return true;
}

static void most_likely(struct lmeval *l, const cJSON *list, struct rec_prediction *out)
{
	size_t best = 0, i = 0;

	out->score = NAN;
	for (const cJSON *item = list->child; item; item = item->next, i++) {
		double value;

		if (likelihood(item, &value) && (isnan(out->score) || value > out->score)) {
			out->score = value;
			best = i;
		}
	}
	if (best < l->n_choices)
		out->raw = l->choices[best];
	else
		out->raw = str_z(arena_printf(&l->s.row.arena, "%zu", best));
}

static struct str innermost_text(struct lmeval *l, const cJSON *item)
{
	struct buf scratch = BUF_INIT;
	struct str text = str_trim(json_scalar(innermost(item), &scratch));

	text = text.p ? arena_str(&l->s.row.arena, text) : STR_NONE;
	buf_release(&scratch);
	return text;
}

static struct str scalar_of(struct lmeval *l, const struct cell *c)
{
	return c && c->json ? innermost_text(l, c->json) : cell_text(c);
}

/* --- metrics --- */

/* What is left of a row: numbers, or what a metric is computed from. */
static bool is_metric(struct str name)
{
	static const char *const others[] = {
	    "doc_id",	   "doc",	  "target",	  "arguments", "resps",
	    "filter",	   "input",	  "doc_hash",	  "metrics",   "filtered_resps",
	    "prompt_hash", "target_hash", "token_counts", "input_media",
	};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (str_eqz(name, others[i]))
			return false;
	return true;
}

/* What the task's own rules found in the answer, empty for nothing; NULL p: no metric says. */
static struct str found_by_task(struct lmeval *l)
{
	static const char *const names[] = {"parsed_pred", "pred_answer", "pred"};
	struct stored *s = &l->s;

	for (size_t i = 0; i < s->row.cells.n; i++) {
		const struct cell *c = &s->row.cells.v[i];

		if (!cJSON_IsObject(c->json) || !is_metric(rows_name(&s->rows, c->column)))
			continue;
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			if (json_get(c->json, names[k]))
				return innermost_text(l, json_get(c->json, names[k]));
	}
	return STR_NONE;
}

static bool tells_of_sample(const char *name)
{
	static const char *const list[] = {"subdomain", "subject",  "domain",	 "topic",
					   "task",	"sub_task", "task_type", "question_type",
					   "duration",	"split"};

	if (str_ends(str_z(name), STR("category")))
		return true;
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (str_eqz(str_z(name), list[i]))
			return true;
	return false;
}

static bool has_facet(const struct stored *s, const char *name)
{
	for (size_t i = 0; i < s->facets.n; i++)
		if (str_eqz(s->facets.v[i].name, name))
			return true;
	return false;
}

/* {"question_id": "a.png", "category": "color", "score": 1.0}: the score stands for the metric. */
static void object_of(struct lmeval *l, struct str metric, const cJSON *object)
{
	struct stored *s = &l->s;

	if (cJSON_IsNumber(json_get(object, "score")) || cJSON_IsBool(json_get(object, "score")))
		stored_put(s, metric, json_get(object, "score"));
	for (const cJSON *m = object->child; m; m = m->next)
		if (tells_of_sample(m->string) && json_text(m).n <= 256 && !has_facet(s, m->string))
			stored_facet(s, m->string, json_text(m));
}

static void metrics_of(struct lmeval *l)
{
	struct stored *s = &l->s;

	for (size_t i = 0; i < s->row.cells.n; i++) {
		const struct cell *c = &s->row.cells.v[i];
		struct str name = rows_name(&s->rows, c->column);

		if (!is_metric(name))
			continue;
		if (cJSON_IsObject(c->json))
			object_of(l, name, c->json);
		stored_put_cell(s, c);
	}
}

/* --- the answer --- */

static void answer_of(struct lmeval *l, struct rec_prediction *out)
{
	struct stored *s = &l->s;
	const struct cell *filtered = row_find(&s->rows, &s->row, "filtered_resps");
	const struct cell *resps = row_find(&s->rows, &s->row, "resps");
	struct str found;

	if (filtered && is_likelihoods(filtered->json)) {
		l->n_choices = 0;
		choices_compared(l);
		if (!l->n_choices)
			choices_of_document(l);
		most_likely(l, filtered->json, out);
		stored_put_cell(s, filtered);
	} else {
		found = scalar_of(l, filtered);
		out->raw = scalar_of(l, resps);
		if (!resps)
			out->raw = found; /* left out where the filter changed nothing */
		else if (!str_eq(found, out->raw))
			out->extracted = found.p ? found : STR("");
		found = found_by_task(l);
		if (found.p && !str_eq(found, out->raw))
			out->extracted = found;
	}
	stored_answer(s, l->choices, l->n_choices, out);
}

/* Where choices were compared the target is mostly the number of one. */
static struct refs truth_of(struct lmeval *l)
{
	struct stored *s = &l->s;
	const struct cell *target = row_find(&s->rows, &s->row, "target");
	struct str text = cell_text(target);
	int64_t number;

	if (target && target->json)
		return stored_truth(s, target->json, l->choices, l->n_choices);
	if (str_int(text, &number) && number >= 0 && (size_t)number < l->n_choices &&
	    choice_option(text, l->choices, l->n_choices) == SIZE_MAX)
		text = l->choices[number];
	return stored_truth_text(s, text, l->choices, l->n_choices);
}

/* The question: the document's, else the whole prompt. */
static struct str text_of(struct lmeval *l)
{
	static const char *const names[] = {"question", "query", "prompt", "problem"};
	const cJSON *doc = json_of(l, "doc"), *arguments = json_of(l, "arguments");
	struct str text = STR_NONE;
	const cJSON *first = arguments ? arguments->child : NULL;

	for (size_t i = 0; i < sizeof names / sizeof *names && !text.n; i++)
		text = str_trim(json_text(json_get(doc, names[i])));
	if (!text.n)
		text = scalar_of(l, row_find(&l->s.rows, &l->s.row, "input"));
	if (!text.n)
		text = str_trim(json_text(cJSON_IsArray(first)    ? first->child
					  : cJSON_IsObject(first) ? json_get(first, "arg_0")
								  : first));
	return text;
}

static void tokens_of(struct lmeval *l, struct rec_prediction *out)
{
	const cJSON *counts = json_of(l, "token_counts");
	double n;

	if (counts && json_number(json_get(counts->child, "output_tokens"), &n) && n >= 0 && n < 1e15)
		out->tokens = (int64_t)n;
}

/* Pictures and clips, by the names that the task's data has for them. */
static void media_of(struct lmeval *l, struct rec_sample *out)
{
	const cJSON *list = json_of(l, "input_media");
	size_t n = 0;

	for (const cJSON *m = cJSON_IsArray(list) ? list->child : NULL; m && n < MAX_PICTURES;
	     m = m->next) {
		struct str path = stored_picture(&l->s, json_text(m));

		if (looks_like_image(path) || looks_like_video(path))
			l->paths[n++] = path;
	}
	stored_pictures(out, l->paths, n);
}

static enum status take(struct stored *s, struct err *err)
{
	struct lmeval *l = (struct lmeval *)s;
	struct str filter = cell_text(row_find(&s->rows, &s->row, "filter"));
	struct stored_run run = {.rec = {.model = l->model, .response_format = filter}};
	struct rec_truth truth = {.layer = STR("original")};
	struct rec_prediction out;
	struct rec_sample sample = {.options = l->choices};
	struct refs target;
	enum status st;

	rec_prediction_init(&out);
	out.key = cell_key(&s->row.arena, row_find(&s->rows, &s->row, "doc_id"));
	if (!out.key.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "doc_id",
			   "expected the document's number, got nothing");
		return OK;
	}
	l->n_choices = 0;
	choices_of_document(l);
	answer_of(l, &out);
	tokens_of(l, &out);
	metrics_of(l);
	sample.n_options = l->n_choices;
	media_of(l, &sample);
	sample.text = text_of(l);
	sample.text_kind = sample.text.n ? TEXT_QUESTION : TEXT_NONE;
	target = truth_of(l);
	truth.refs = target.v;
	truth.n_refs = target.n;
	sample.truths = &truth;
	sample.n_truths = target.known;
	if (!str_eqz(filter, "none"))
		run.variant = filter;
	st = stored_run(s, &run, &out.run, err);
	return st ? st : stored_send(s, &out, &sample, err);
}

/* "2025-01-01T12-00-00.123456", "20250101_120000" */
static bool is_date(struct str s)
{
	size_t digits = 0;

	for (size_t i = 0; i < s.n; i++) {
		bool digit = s.p[i] >= '0' && s.p[i] <= '9';

		if (!digit && !memchr("-_.:T", s.p[i], 5))
			return false;
		digits += digit;
	}
	return digits >= 8;
}

/* With nothing in front of it: "2025-01-01T12-00-00.123456", "20250101_120000". */
static bool is_whole_date(struct str s)
{
	static const char *const shapes[] = {"0000-00-00", "00000000"};

	for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
		size_t n = strlen(shapes[k]), i = 0;

		while (i < n && i < s.n && (shapes[k][i] == '0' ? s.p[i] >= '0' && s.p[i] <= '9'
							       : s.p[i] == shapes[k][i]))
			i++;
		if (i == n && (s.n == n || s.p[n] == 'T' || s.p[n] == '_'))
			return is_date(s);
	}
	return false;
}

/* samples_{task}_{date} or {date}_samples_{task}; empty: the file has another name. */
static struct str task_of(struct str path)
{
	static const char word[] = "samples_";
	struct str stem = path_stem(path_base(path));
	size_t at = str_find(stem, str_z(word)), cut;

	if (str_eq_nocase(path_ext(path_base(path)), STR("gz")) ||
	    str_eq_nocase(path_ext(path_base(path)), STR("zst")))
		stem = path_stem(stem);
	if (at == SIZE_MAX || (at && !is_date((struct str){stem.p, at - 1})))
		return STR_NONE;
	if (at)
		return (struct str){stem.p + at + strlen(word), stem.n - at - strlen(word)};
	stem = (struct str){stem.p + strlen(word), stem.n - strlen(word)};
	for (cut = stem.n; cut > 1; cut--) /* a task's name may end in numbers, "prompt_1" */
		if (stem.p[cut - 1] == '_' && is_whole_date((struct str){stem.p + cut, stem.n - cut}))
			return (struct str){stem.p, cut - 1};
	return stem;
}

/* --- the model --- */

/* The summary of the same date that both tools write beside the samples; NULL: the file has another
 * name. Caller frees. */
static char *summary_beside(struct str path)
{
	static const char word[] = "samples_";
	struct str base = path_base(path), dir = path_dir(path), stem = path_stem(base);
	size_t at = str_find(stem, str_z(word)), cut = stem.n;

	if (at == SIZE_MAX)
		return NULL;
	if (at) /* 20260101_120000_samples_mme: 20260101_120000_results.json */
		return xasprintf("%.*s/%.*sresults.json", STR_ARG(dir), (int)at, stem.p);
	while (cut && stem.p[cut - 1] != '_')
		cut--;
	return xasprintf("%.*s/results_%.*s.json", STR_ARG(dir), (int)(stem.n - cut), stem.p + cut);
}

/* "/cache/models--Qwen--Qwen2-VL/snapshots/1a2b": Qwen/Qwen2-VL; of another path the last folder. */
static struct str name_in_hub(struct arena *arena, struct str name)
{
	size_t at = str_find(name, STR("models--")), cut;
	char *copy;

	if (at == SIZE_MAX)
		return name.n && (name.p[0] == '/' || name.p[0] == '.') ? path_base(name) : name;
	name = (struct str){name.p + at + strlen("models--"), name.n - at - strlen("models--")};
	str_cut(name, '/', &name);
	cut = str_find(name, STR("--"));
	if (cut == SIZE_MAX)
		return name;
	copy = arena_strndup(arena, name.p, name.n);
	copy[cut] = '/';
	memmove(copy + cut + 1, copy + cut + 2, name.n - cut - 1); /* with its end */
	return (struct str){copy, name.n - 1};
}

/* `model_name` of the summary that both tools write beside the samples; empty: it is not there. */
static struct str name_in_summary(struct lmeval *l)
{
	char *path = summary_beside(str_z(l->s.ctx->in->path));
	struct str value, found = STR_NONE;
	struct err ignored = ERR_INIT;
	struct json_slice slice;
	struct input in;
	bool more = true;

	if (path && input_open_cancel(&in, path, l->s.ctx->in->cancel, &ignored) == OK) {
		json_slice_init(&slice, &in);
		while (!found.n && json_slice_next(&slice, &value, &more, &ignored) == OK && more) {
			cJSON *tree = NULL;

			if (!slice.object || !str_eqz(buf_view(&slice.key), "model_name"))
				continue;
			if (json_parse(value, &tree, &ignored) == OK)
				found = name_in_hub(&l->s.arena,
						    arena_str(&l->s.arena, str_trim(json_text(tree))));
			cJSON_Delete(tree);
		}
		json_slice_release(&slice);
		input_close(&in);
	}
	free(path);
	return found;
}

/* A folder that no model is called as: a snapshot in a cache, or what is made by hand. */
static bool tells_nothing(struct str folder)
{
	static const char *const list[] = {"lmms_eval", "lm_eval", "results", "logs", "output",
					   "outputs",	"samples", "eval",    "model_outputs"};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (str_eqz(folder, list[i]))
			return true;
	return !folder.n || str_starts(folder, STR("snapshots__"));
}

static struct str model_of(struct lmeval *l)
{
	struct str folder = stored_folder(&l->s, 0), named = STR_NONE;

	if (tells_nothing(folder))
		named = name_in_summary(l);
	return named.n ? named : stored_model_name(&l->s.arena, folder);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct lmeval *l = xcalloc(1, sizeof *l);
	enum status st;

	stored_init(&l->s, ctx);
	l->model = model_of(l);
	sink_task(ctx->sink, task_of(str_z(ctx->in->path)));
	ctx->report->by_position = true;
	st = stored_rows(&l->s, take, err);
	stored_release(&l->s);
	free(l);
	return st;
}

const struct reader reader_lmeval = {
    .name = "lmeval",
    .help = "samples of lm-evaluation-harness and lmms-eval (JSONL); each filter is a run",
    .probe = probe,
    .rank = stored_rank,
    .read = read_file,
};
