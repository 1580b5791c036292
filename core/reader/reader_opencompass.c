/*
 * opencompass: OpenCompass's predictions/{model}/{dataset}.json, an object by position "0", "1" …
 * with what was asked, answered and, mostly, `gold`. Perplexity tasks have a member "label: X" for
 * each answer that was tried; conditional probabilities a list as prediction, beside `choices`. A
 * big dataset is cut into {dataset}_0.json, {dataset}_1.json …, each counting from 0: the shards
 * before this one are counted, where they lie beside it. tmp_{dataset}.json, of a run that was
 * interrupted, has a line each with `idx`.
 */
#include <unistd.h>

#include "core/base/path.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define LABEL	    "label: "
#define MAX_CHOICES 256

static bool has_label(const struct peek *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (str_starts(p->name[i], STR(LABEL)))
			return true;
	return false;
}

static int probe(struct str path, struct str head)
{
	struct peek p;
	int64_t number;
	bool asked;
	int score = 0;

	(void)path;
	peek_open(&p, head);
	asked = peek_has(&p, "origin_prompt") || peek_has(&p, "testing input") || has_label(&p);
	if (p.shape == SHAPE_OBJECT && str_int(p.first_key, &number) && asked &&
	    (peek_has(&p, "prediction") || has_label(&p)))
		score = 95;
	else if (p.shape == SHAPE_JSONL && peek_has(&p, "idx") && peek_has(&p, "prediction") &&
		 peek_has(&p, "origin_prompt"))
		score = 95;
	peek_release(&p);
	return score;
}

struct opencompass {
	struct stored s; /* first */
	struct str model;
	int64_t offset; /* positions of the shards before this one */
	struct str choices[MAX_CHOICES];
	size_t n_choices;
};

static const cJSON *json_of(struct opencompass *o, const char *name)
{
	const struct cell *c = row_find(&o->s.rows, &o->s.row, name);

	return c ? c->json : NULL;
}

/* --- shards --- */

static enum status count_members(const char *path, const struct cancel *cancel, int64_t *n,
				 struct err *err)
{
	struct json_slice slice;
	struct input in;
	struct str element;
	bool more = true;
	enum status st = input_open_cancel(&in, path, cancel, err);

	if (st)
		return st;
	in.cancel = cancel;
	json_slice_init(&slice, &in);
	while (!st && more) {
		st = json_slice_next(&slice, &element, &more, err);
		*n += !st && more;
	}
	json_slice_release(&slice);
	input_close(&in);
	if (st)
		err_prefix(err, "%s", path);
	return st;
}

/* {dataset}_3.json: 3, and how long the name is without "_3.json"; -1: no shard. */
static int64_t shard_of(struct str path, size_t *n_name)
{
	struct str stem = path_stem(path_base(path));
	size_t n = stem.n;
	int64_t number = -1;

	while (n && stem.p[n - 1] >= '0' && stem.p[n - 1] <= '9')
		n--;
	if (n < 2 || stem.p[n - 1] != '_' || stem.n - n > 6 ||
	    !str_int((struct str){stem.p + n, stem.n - n}, &number))
		return -1;
	*n_name = (size_t)(stem.p + n - 1 - path.p);
	return number;
}

static enum status find_offset(struct opencompass *o, struct err *err)
{
	struct str path = str_z(o->s.ctx->in->path);
	size_t n = 0;
	int64_t shard = shard_of(path, &n);
	enum status st = OK;

	for (int64_t i = 0; i < shard && !st; i++) {
		char *other = xasprintf("%.*s_%lld.json", (int)n, path.p, (long long)i);

		if (access(other, F_OK) == 0) {
			st = count_members(other, o->s.ctx->in->cancel, &o->offset, err);
		} else if (i > 0) {
			st = err_set(err, E_FORMAT,
				     "this is shard %lld of a dataset, and its positions follow those "
				     "of %.*s, which is not beside it",
				     (long long)shard, (int)path_base(str_z(other)).n,
				     path_base(str_z(other)).p);
		} else {
			i = shard; /* without a first one, the number is the dataset's own */
		}
		free(other);
	}
	return st;
}

/* --- one row --- */

static struct str key_of(struct opencompass *o)
{
	struct stored *s = &o->s;
	struct str text = s->row.key.p ? str_trim(s->row.key)
				       : cell_key(&s->row.arena, row_find(&s->rows, &s->row, "idx"));
	int64_t number;

	if (!str_int(text, &number) || number < 0 || number > INT64_MAX / 2)
		return text;
	return str_z(arena_printf(&s->row.arena, "%lld", (long long)(number + o->offset)));
}

static void add_choice(struct opencompass *o, struct str text)
{
	if (text.n && o->n_choices < MAX_CHOICES)
		o->choices[o->n_choices++] = text;
}

/* The answers that were tried, and of perplexities the lowest one as the score. */
static void labels_of(struct opencompass *o, struct rec_prediction *out)
{
	struct stored *s = &o->s;
	double ppl;

	o->n_choices = 0;
	for (size_t i = 0; i < s->row.cells.n; i++) {
		const struct cell *c = &s->row.cells.v[i];
		struct str name = rows_name(&s->rows, c->column);

		if (!str_starts(name, STR(LABEL)) || !c->json)
			continue;
		add_choice(o, (struct str){name.p + strlen(LABEL), name.n - strlen(LABEL)});
		if (!json_number(json_get(c->json, "PPL"), &ppl))
			continue;
		stored_put(s, str_z(arena_printf(&s->row.arena, "PPL %.*s", (int)name.n - 7, name.p + 7)),
			   json_get(c->json, "PPL"));
		if (isnan(out->score) || ppl < out->score)
			out->score = ppl;
	}
	for (const cJSON *c = json_of(o, "choices") ? json_of(o, "choices")->child : NULL; c;
	     c = c->next)
		add_choice(o, str_trim(json_text(c)));
}

static struct str most_probable(struct opencompass *o, const cJSON *list, double *score)
{
	size_t best = 0, i = 0;

	for (const cJSON *p = list->child; p; p = p->next, i++)
		if (isnan(*score) || p->valuedouble > *score) {
			*score = p->valuedouble;
			best = i;
		}
	return best < o->n_choices ? o->choices[best] : STR_NONE;
}

/* A text; of several rounds the last one; of conditional probabilities the best choice. */
static void answer_of(struct opencompass *o, struct rec_prediction *out)
{
	struct stored *s = &o->s;
	const struct cell *c = row_find(&s->rows, &s->row, "prediction");
	const cJSON *last = c && c->json ? c->json->child : NULL;

	if (last && cJSON_IsNumber(last)) {
		out->raw = most_probable(o, c->json, &out->score);
		return;
	}
	while (last && last->next)
		last = last->next;
	out->raw = last ? json_text(last) : cell_text(c);
}

static struct str question_of(struct opencompass *o)
{
	struct stored *s = &o->s;
	const struct cell *c = row_find(&s->rows, &s->row, "origin_prompt");

	if (c && c->json) {
		struct str text = stored_last_message(s, c->json, "HUMAN");

		return text.n ? text : stored_last_message(s, c->json, NULL);
	}
	return c ? cell_text(c) : cell_text(row_find(&s->rows, &s->row, "testing input"));
}

/* Where people or a judge are to compare answers, gold says what a question is about,
 * {"capability": "safety"}, and may have an answer to compare with. */
static struct refs gold_object(struct opencompass *o, const cJSON *gold)
{
	static const char *const names[] = {"answer", "reference", "ref", "label", "gold", "target"};
	const cJSON *answer = NULL;

	for (size_t i = 0; i < sizeof names / sizeof *names && !answer; i++)
		answer = json_get(gold, names[i]);
	for (const cJSON *m = gold->child; m; m = m->next)
		if (m != answer && m->string[0] && json_text(m).n <= 256)
			stored_facet(&o->s, m->string, json_text(m));
	return stored_truth(&o->s, answer, o->choices, o->n_choices);
}

static struct refs gold_of(struct opencompass *o)
{
	struct stored *s = &o->s;
	const struct cell *gold = row_find(&s->rows, &s->row, "gold");
	struct refs refs = {0};
	int64_t number;

	if (!gold)
		return refs;
	if (cJSON_IsObject(gold->json))
		return gold_object(o, gold->json);
	if (gold->json)
		return stored_truth(s, gold->json, o->choices, o->n_choices);
	if (str_int(cell_text(gold), &number) && number >= 0 && (size_t)number < o->n_choices &&
	    json_of(o, "choices"))
		return stored_truth_text(s, o->choices[number], NULL, 0);
	return stored_truth_text(s, cell_text(gold), o->choices, o->n_choices);
}

/* Where gold is a letter, the letter that was answered is looked for. */
static void judge(struct opencompass *o, const struct refs *gold, struct rec_prediction *out)
{
	static const char letters[] = "ABCDEFGHIJ";
	struct str options[sizeof letters - 1];
	size_t n = 4;

	if (o->n_choices || gold->n != 1 || gold->v[0].kind != CLASS_BY_NAME ||
	    gold->v[0].text.n != 1 || !strchr(letters, gold->v[0].text.p[0])) {
		stored_answer(&o->s, o->choices, o->n_choices, out);
		return;
	}
	for (size_t i = 0; i < sizeof letters - 1; i++) {
		options[i] = (struct str){letters + i, 1};
		if (letters[i] == gold->v[0].text.p[0] && i >= n)
			n = i + 1;
	}
	stored_answer(&o->s, options, n, out);
}

static enum status take(struct stored *s, struct err *err)
{
	struct opencompass *o = (struct opencompass *)s;
	struct stored_run run = {.rec = {.model = o->model}};
	struct rec_truth truth = {.layer = STR("original")};
	struct rec_prediction out;
	struct rec_sample sample = {.options = o->choices};
	struct refs gold;
	enum status st;

	rec_prediction_init(&out);
	out.key = key_of(o);
	if (!out.key.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "idx",
			   "expected the row's position, got nothing");
		return OK;
	}
	labels_of(o, &out);
	answer_of(o, &out);
	gold = gold_of(o);
	judge(o, &gold, &out);
	sample.n_options = o->n_choices;
	sample.text = str_trim(question_of(o));
	sample.text_kind = sample.text.n ? TEXT_QUESTION : TEXT_NONE;
	truth.refs = gold.v;
	truth.n_refs = gold.n;
	sample.truths = &truth;
	sample.n_truths = gold.known;
	st = stored_run(s, &run, &out.run, err);
	return st ? st : stored_send(s, &out, &sample, err);
}

static struct str task_of(struct str path)
{
	struct str stem = path_stem(path_base(path));
	size_t n = 0;

	if (shard_of(path, &n) >= 0)
		stem.n = (size_t)(path.p + n - stem.p);
	return str_starts(stem, STR("tmp_")) ? (struct str){stem.p + 4, stem.n - 4} : stem;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct opencompass *o = xcalloc(1, sizeof *o);
	enum status st;

	stored_init(&o->s, ctx);
	o->model = stored_folder(&o->s, 0);
	sink_task(ctx->sink, task_of(str_z(ctx->in->path)));
	ctx->report->by_position = true;
	st = find_offset(o, err);
	if (!st)
		st = stored_rows(&o->s, take, err);
	stored_release(&o->s);
	free(o);
	return st;
}

const struct reader reader_opencompass = {
    .name = "opencompass",
    .help = "OpenCompass's predictions (JSON), generated or by perplexity, in shards or not",
    .probe = probe,
    .rank = stored_rank,
    .read = read_file,
};
