/*
 * observer: results of EmObserver on MVEI_PLUS (Std_MVEI_results.json and so on, below a folder with
 * the model's name): an object by sample id of records with `generations`, the model's answers to
 * one question, each rollout a repeat. Answers are read as its evaluation does (evaluate/,
 * metrics_calculators/), which never abstains but for MVEI; where it falls back to a first option,
 * the number `fallback` says so.
 */
#include <ctype.h>

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
	score = p.shape == SHAPE_OBJECT && peek_has(&p, "generations") &&
			peek_has(&p, "ground_truth")
		    ? 100
		    : 0;
	peek_release(&p);
	return score;
}

struct observer {
	struct stored s; /* first */
	struct str model;
	bool declared; /* the two classes of MVEI */
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

static void facets_of(struct observer *o)
{
	const cJSON *info = json_of(o, "other_info");

	stored_facet(&o->s, "dimension", json_text(json_get(json_get(info, "statement_meta"), "class")));
	stored_facet(&o->s, "question_type", json_text(json_get(info, "question_type")));
	stored_facet(&o->s, "task", json_text(json_get(info, "task")));
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

static enum status take(struct stored *s, struct err *err)
{
	struct observer *o = (struct observer *)s;
	struct str truth = cell_text(row_find(&s->rows, &s->row, "ground_truth"));
	enum benchmark b = benchmark_of(o, truth);
	const cJSON *said = json_of(o, "generations");
	struct rec_truth label = {.layer = STR("original"), .n_refs = 1};
	struct rec_sample sample = {.truths = &label, .n_truths = truth.n > 0,
				    .options = o->candidates, .n_options = o->n_candidates};
	enum status st = b == MVEI ? declare(o, err) : OK;
	struct refs refs;
	uint32_t repeat = 1;

	if (!cJSON_IsArray(said) || !said->child || !str_trim(s->row.key).n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "generations",
			   "expected a list of answers");
		return st;
	}
	paths_of(o, &sample);
	facets_of(o);
	sample.text = cell_text(row_find(&s->rows, &s->row, "prompt"));
	sample.text_kind = b == MVEI ? TEXT_STATEMENT : sample.text.n ? TEXT_QUESTION : TEXT_NONE;
	refs = stored_truth_text(s, truth, NULL, 0);
	label.refs = b == MVEI ? verdict_ref(o, str_eq_nocase(truth, STR("correct"))) : refs.v;
	for (const cJSON *g = said->child; g && !st && repeat <= MAX_ROLLOUTS; g = g->next)
		st = send(o, b, g, repeat++, &sample, err);
	return st;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct observer *o = xcalloc(1, sizeof *o);
	enum status st;

	stored_init(&o->s, ctx);
	o->model = stored_folder(&o->s, 0);
	st = stored_rows(&o->s, take, err);
	stored_release(&o->s);
	free(o);
	return st;
}

const struct reader reader_observer = {
    .name = "observer",
    .help = "results on MVEI_PLUS (JSON with generations); rollouts are repeats",
    .probe = probe,
    .rank = stored_rank,
    .read = read_file,
};
