/*
 * observer: MVEI_PLUS, as EmObserver reads and writes it: an object by sample id of standard records
 * (Std-MVEI.json and so on: image_path, one or a list, prompt, ground_truth, other_info), which are the
 * samples; and its results (Std_MVEI_results.json and so on, below a folder with the model's name), the
 * same records with `generations`, the model's answers to one question, each rollout a repeat. Answers
 * are read as its evaluation does (evaluate/, metrics_calculators/), which never abstains but for MVEI;
 * where it falls back to a first option, the number `fallback` says so.
 */
#include <ctype.h>

#include "core/base/path.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define MAX_CANDIDATES 256
#define MAX_ROLLOUTS   1000

enum benchmark { MVEI, CANDIDATES, LETTERS };

static int probe(struct str path, struct str head)
{
	struct peek p;
	int score;

	(void)path;
	peek_open(&p, head);
	score = p.shape == SHAPE_OBJECT && peek_has(&p, "ground_truth") &&
			(peek_has(&p, "generations") ||
			 (peek_has(&p, "image_path") && peek_has(&p, "prompt")))
		    ? 100
		    : 0;
	peek_release(&p);
	return score;
}

/* Results say so in their first records, which may be cut off in the head. */
static enum rank rank(struct str path, struct str head)
{
	(void)path;
	return str_find(head, STR("\"generations\"")) != SIZE_MAX ? RANK_PREDICTIONS : RANK_SAMPLES;
}

struct observer {
	struct stored s; /* first */
	struct str model;
	bool declared; /* the two classes of MVEI */
	bool tasks;    /* the tree of VECBench's is sent */
	bool results;  /* the file begins with `generations`: it declares no samples */
	struct str candidates[MAX_CANDIDATES];
	size_t n_candidates;
};

static const cJSON *json_of(struct observer *o, const char *name)
{
	const struct cell *c = row_find(&o->s.rows, &o->s.row, name);

	return c ? c->json : NULL;
}

/* --- answers --- */

/* What stands in <answer>, else what follows the last of its opening and the end of thoughts. */
static struct str answer_text(struct str raw)
{
	size_t at = 0, open = SIZE_MAX, start = 0, next, end;
	struct str rest;

	while ((next = str_find((struct str){raw.p + at, raw.n - at}, STR("<answer>"))) != SIZE_MAX)
		open = start = at += next + strlen("<answer>");
	if (open != SIZE_MAX) {
		rest = (struct str){raw.p + open, raw.n - open};
		end = str_find(rest, STR("</answer>"));
		if (end != SIZE_MAX)
			return (struct str){rest.p, end};
	}
	for (at = 0; (next = str_find((struct str){raw.p + at, raw.n - at}, STR("</think>"))) !=
		     SIZE_MAX;) {
		at += next + strlen("</think>");
		start = at > start ? at : start;
	}
	return (struct str){raw.p + start, raw.n - start};
}

/* The capital letter anywhere, or the small one as a word of its own. */
static bool has_letter(struct str text, char capital)
{
	char small = (char)tolower((unsigned char)capital);

	for (size_t i = 0; i < text.n; i++) {
		bool alone = (i == 0 || !isalnum((unsigned char)text.p[i - 1])) &&
			     (i + 1 == text.n || !isalnum((unsigned char)text.p[i + 1]));

		if (text.p[i] == capital || (alone && text.p[i] == small))
			return true;
	}
	return false;
}

/* 1 correct, 0 incorrect, -1 given up. */
static int64_t mvei_answer(struct str text)
{
	if (str_find_nocase(text, STR("incorrect")) != SIZE_MAX)
		return 0;
	if (str_find_nocase(text, STR("correct")) != SIZE_MAX)
		return 1;
	if (has_letter(text, 'A'))
		return 1;
	return has_letter(text, 'B') ? 0 : -1;
}

static void fall_back(struct observer *o)
{
	vec_push(&o->s.numbers, ((struct rec_number){STR("fallback"), 1}));
}

static struct str candidate_answer(struct observer *o, struct str text)
{
	for (size_t i = 0; i < o->n_candidates; i++)
		if (str_find_nocase(text, o->candidates[i]) != SIZE_MAX)
			return o->candidates[i];
	fall_back(o);
	return o->n_candidates ? o->candidates[0] : STR_NONE;
}

static struct str letter_answer(struct observer *o, struct str text)
{
	static const char letters[] = "ABCD";

	for (size_t i = 0; letters[i]; i++)
		if (has_letter(text, letters[i]))
			return (struct str){letters + i, 1};
	fall_back(o);
	return STR("A");
}

static struct class_ref *verdict_ref(struct observer *o, int64_t index)
{
	struct class_ref *ref = arena_zalloc(&o->s.row.arena, 1, sizeof *ref);

	*ref = (struct class_ref){.kind = CLASS_BY_INDEX,
				  .index = index,
				  .text = index ? STR("Correct") : STR("Incorrect")};
	return ref;
}

static void read_answer(struct observer *o, enum benchmark b, struct rec_prediction *out)
{
	struct str text = str_trim(answer_text(out->raw));
	struct class_ref *ref = NULL;

	if (!str_trim(out->raw).n) {
		out->outcome = OUTCOME_EMPTY;
		return;
	}
	if (!str_eq(text, str_trim(out->raw)))
		out->extracted = text;
	if (b == MVEI) {
		int64_t index = mvei_answer(text);

		if (index >= 0)
			ref = verdict_ref(o, index);
	} else {
		struct str name =
		    b == CANDIDATES ? candidate_answer(o, text) : letter_answer(o, text);

		ref = arena_zalloc(&o->s.row.arena, 1, sizeof *ref);
		*ref = (struct class_ref){.kind = CLASS_BY_NAME, .text = name};
	}
	out->outcome = ref ? OUTCOME_ANSWERED : OUTCOME_REFUSED;
	out->refs = ref;
	out->n_refs = ref != NULL;
}

/* --- samples --- */

static struct str path_of(struct observer *o, struct str path)
{
	path = path_with_slashes(&o->s.row.arena, path);
	while (str_starts(path, STR("./")))
		path = (struct str){path.p + 2, path.n - 2};
	if (str_starts(path, STR("../")))
		path = (struct str){path.p + 3, path.n - 3};
	return path;
}

static void paths_of(struct observer *o, struct rec_sample *out)
{
	const struct cell *c = row_find(&o->s.rows, &o->s.row, "image_path");
	const cJSON *list = c && c->json ? c->json->child : NULL;
	struct str *paths;
	size_t n = 1;

	for (const cJSON *p = list; p; p = p->next)
		n++;
	paths = arena_alloc(&o->s.row.arena, n * sizeof *paths);
	n = 0;
	if (cell_text(c).n)
		paths[n++] = path_of(o, cell_text(c));
	for (const cJSON *p = list; p; p = p->next)
		if (json_text(p).n)
			paths[n++] = path_of(o, json_text(p));
	out->paths = paths;
	out->n_paths = n;
	out->media = n > 1 ? MEDIA_IMAGES : n ? MEDIA_IMAGE : MEDIA_NONE;
}

static void candidates_of(struct observer *o)
{
	const cJSON *list = json_get(json_of(o, "other_info"), "candidates");

	o->n_candidates = 0;
	for (const cJSON *c = cJSON_IsArray(list) ? list->child : NULL;
	     c && o->n_candidates < MAX_CANDIDATES; c = c->next)
		if (str_trim(json_text(c)).n)
			o->candidates[o->n_candidates++] = str_trim(json_text(c));
}

static enum benchmark benchmark_of(struct observer *o, struct str truth)
{
	candidates_of(o);
	if (o->n_candidates)
		return CANDIDATES;
	return str_eq_nocase(truth, STR("correct")) || str_eq_nocase(truth, STR("incorrect"))
		   ? MVEI
		   : LETTERS;
}

/* VECBench's tasks below the groups whose means its evaluation reports. */
static const char *const tasks[][2] = {
    {"id_ver", ""},	     {"EmoSet-8", "id_ver"},	      {"FI-8", "id_ver"},
    {"WebEmo-25", "id_ver"}, {"WebEmo-7", "id_ver"},	      {"id_vsa", ""},
    {"FI-2", "id_vsa"},	     {"WebEmo-2", "id_vsa"},	      {"ood_ver", ""},
    {"UnbiasedEmo-6", "ood_ver"}, {"Abstract-8", "ood_ver"}, {"Artphoto-8", "ood_ver"},
};

static enum status send_tasks(struct observer *o, enum benchmark b, enum status st, struct err *err)
{
	if (st || b != CANDIDATES || o->tasks)
		return st;
	o->tasks = true;
	for (size_t i = 0; i < sizeof tasks / sizeof *tasks && !st; i++) {
		struct rec_tree rec = {.facet = STR("task"), .value = str_z(tasks[i][0]),
				       .parent = str_z(tasks[i][1])};

		st = sink_tree(o->s.ctx->sink, &rec, err);
	}
	return st;
}

static struct str task_of(const cJSON *info)
{
	struct str task = str_trim(json_text(json_get(info, "task")));

	/* So the published files have it now and then. */
	return str_eqz(task, "UnbaisedEmo-6") ? STR("UnbiasedEmo-6") : task;
}

static void facets_of(struct observer *o)
{
	const cJSON *info = json_of(o, "other_info");

	stored_facet(&o->s, "dimension", json_text(json_get(json_get(info, "statement_meta"), "class")));
	stored_facet(&o->s, "question_type", json_text(json_get(info, "question_type")));
	stored_facet(&o->s, "task", task_of(info));
}

static enum status declare(struct observer *o, struct err *err)
{
	struct sink *sink = o->s.ctx->sink;
	struct rec_class incorrect = {.index = 0, .name = STR("Incorrect")};
	struct rec_class correct = {.index = 1, .name = STR("Correct")};
	enum status st = o->declared ? OK : sink_preset(sink, STR("mvei"), err);

	if (!st && !o->declared)
		st = sink_class(sink, &incorrect, err);
	if (!st && !o->declared)
		st = sink_class(sink, &correct, err);
	o->declared = true;
	return st;
}

static enum status send(struct observer *o, enum benchmark b, const cJSON *text, uint32_t repeat,
			struct rec_sample *sample, struct err *err)
{
	struct stored_run run = {.rec = {.model = o->model}, .repeat = repeat};
	struct rec_prediction out;
	enum status st;

	vec_clear(&o->s.numbers);
	rec_prediction_init(&out);
	out.key = str_trim(o->s.row.key);
	out.raw = json_text(text);
	read_answer(o, b, &out);
	if (b == MVEI)
		run.rec.protocol = STR("ESJ");
	st = stored_run(&o->s, &run, &out.run, err);
	return st ? st : stored_send(&o->s, &out, sample, err);
}

/* --- records --- */

static enum status send_all(struct observer *o, enum benchmark b, const cJSON *said,
			    struct rec_sample *sample, struct err *err)
{
	enum status st = OK;
	uint32_t repeat = 1;

	if (cJSON_GetArraySize(said) > MAX_ROLLOUTS)
		report_add(o->s.ctx->report, PROBLEM_WARNING, o->s.row.src, "generations",
			   "only the first %d answers were taken", MAX_ROLLOUTS);
	for (const cJSON *g = said->child; g && !st && repeat <= MAX_ROLLOUTS; g = g->next)
		st = send(o, b, g, repeat++, sample, err);
	return st;
}

/* The sample's own truth: one class, or a list of them. */
static struct refs truth_of(struct observer *o, enum benchmark b, const struct cell *c)
{
	struct str text = cell_text(c);
	struct refs refs = {0};

	if (b == MVEI) {
		refs.v = verdict_ref(o, str_eq_nocase(text, STR("correct")));
		refs.n = 1;
	} else if (c && c->json) {
		refs = stored_truth(&o->s, c->json, NULL, 0);
	} else if (text.n) {
		refs = stored_truth_text(&o->s, text, NULL, 0);
	}
	return refs;
}

static void sample_of(struct observer *o, enum benchmark b, struct rec_sample *out)
{
	out->src = o->s.row.src;
	out->key = str_trim(o->s.row.key);
	out->options = o->candidates;
	out->n_options = o->n_candidates;
	paths_of(o, out);
	facets_of(o);
	out->text = cell_text(row_find(&o->s.rows, &o->s.row, "prompt"));
	out->text_kind = b == MVEI ? TEXT_STATEMENT : out->text.n ? TEXT_QUESTION : TEXT_NONE;
}

static enum status take(struct stored *s, struct err *err)
{
	struct observer *o = (struct observer *)s;
	const struct cell *truth = row_find(&s->rows, &s->row, "ground_truth");
	enum benchmark b = benchmark_of(o, cell_text(truth));
	const cJSON *said = json_of(o, "generations");
	struct rec_truth label = {.layer = STR("original")};
	struct rec_sample sample = {.truths = &label};
	enum status st = b == MVEI ? declare(o, err) : OK;
	bool answers = cJSON_IsArray(said) && said->child;
	struct refs refs;

	if ((o->results && !answers) || !str_trim(s->row.key).n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, o->results ? "generations" : "",
			   o->results ? "expected a list of answers" : "expected the sample's id as key");
		return st;
	}
	st = send_tasks(o, b, st, err);
	sample_of(o, b, &sample);
	refs = truth_of(o, b, truth);
	label.refs = refs.v;
	label.n_refs = refs.n;
	sample.n_truths = refs.n > 0;
	if (s->ctx->opt->layer.n)
		label.layer = s->ctx->opt->layer;
	if (!st && !o->results) {
		sample.creates = sample.declares = true;
		sample.facets = s->facets.v;
		sample.n_facets = s->facets.n;
		st = sink_sample(s->ctx->sink, &sample, err);
		sample.declares = false;
	}
	return st || !answers ? st : send_all(o, b, said, &sample, err);
}

/* Std-VECBench.json, Std_EEmo_Bench_Pair_Perception_results.json: VECBench,
 * EEmo-Bench-Pair-Perception. Empty: the file has another name. */
static struct str name_of_benchmark(struct arena *arena, struct str path)
{
	struct str stem = path_stem(path_base(path)), end = STR("_results");
	char *name;

	if (stem.n < 5 || !str_starts(stem, STR("Std")) || !memchr("-_", stem.p[3], 2))
		return STR_NONE;
	stem = (struct str){stem.p + 4, stem.n - 4};
	if (str_ends(stem, end))
		stem.n -= end.n;
	name = arena_alloc(arena, stem.n + 1);
	for (size_t i = 0; i < stem.n; i++)
		name[i] = stem.p[i] == '_' ? '-' : stem.p[i];
	return (struct str){name, stem.n};
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct observer *o = xcalloc(1, sizeof *o);
	enum status st;

	stored_init(&o->s, ctx);
	o->model = stored_folder(&o->s, 0);
	sink_task(ctx->sink, name_of_benchmark(&o->s.arena, str_z(ctx->in->path)));
	o->results = rank(STR_NONE, buf_view(&ctx->in->head)) == RANK_PREDICTIONS;
	st = stored_rows(&o->s, take, err);
	stored_release(&o->s);
	free(o);
	return st;
}

const struct reader reader_observer = {
    .name = "observer",
    .help = "MVEI_PLUS: standard records (JSON), and results with generations; rollouts are repeats",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
