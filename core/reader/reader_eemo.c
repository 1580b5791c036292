/*
 * eemo: EEmo-Bench's stored predictions, an array of questions whose keys carry the model's name:
 * response(MODEL), eval_result(MODEL), if_invalid(MODEL). Each model that is found is a run; its
 * name may differ from the file's.
 */
#include "core/reader/literal.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define MAX_OPTIONS 26

/* "response(gpt-4o)": the model, for what = "response"; p NULL: another key. */
static struct str model_in(struct str key, const char *what)
{
	size_t n = strlen(what);

	if (key.n < n + 3 || !str_starts(key, str_z(what)) || key.p[n] != '(' ||
	    key.p[key.n - 1] != ')')
		return STR_NONE;
	return str_trim((struct str){key.p + n + 1, key.n - n - 2});
}

static int probe(struct str path, struct str head)
{
	struct peek p;
	int score = 0;

	(void)path;
	peek_open(&p, head);
	for (size_t i = 0; i < p.n && !score; i++)
		if (p.shape != SHAPE_TEXT && model_in(p.name[i], "response").n)
			score = 100;
	peek_release(&p);
	return score;
}

struct eemo {
	struct stored s; /* first */
	struct str options[MAX_OPTIONS];
	size_t n_options;
};

static void options_of(struct eemo *e)
{
	const struct cell *c = row_find(&e->s.rows, &e->s.row, "options");
	struct literal list;

	e->n_options = 0;
	if (c && c->json) {
		for (const cJSON *o = c->json->child; o && e->n_options < MAX_OPTIONS; o = o->next)
			e->options[e->n_options++] = json_text(o);
	} else if (c && literal_parse(cell_text(c), &e->s.row.arena, &list)) {
		for (size_t i = 0; i < list.items.n && i < MAX_OPTIONS; i++)
			e->options[e->n_options++] = list.items.v[i];
		literal_release(&list);
	}
}

/* What stands behind `word` in a label, up to two blanks or the end. */
static struct str part_of(struct str label, struct str word)
{
	size_t at = str_find(label, word), end;
	struct str rest;

	if (at == SIZE_MAX)
		return STR_NONE;
	rest = (struct str){label.p + at + word.n, label.n - at - word.n};
	end = str_find(rest, STR("  "));
	return str_trim((struct str){rest.p, end == SIZE_MAX ? rest.n : end});
}

/* "[Image1] Ranking:{'Anger': 33, 'Joy': 22}     category:Animal     Valence:5.33  Arousal:6.44  …":
 * what people said of a picture, the emotion that most of them named first. */
static void picture_facets(struct eemo *e, const char *image)
{
	static const struct { const char *word, *name; } numbers[] = {
	    {"Valence:", "valence"}, {"Arousal:", "arousal"}, {"Dominance:", "dominance"}};
	struct stored *s = &e->s;
	struct arena *arena = &s->row.arena;
	struct str label = cell_text(row_find(&s->rows, &s->row, arena_printf(arena, "%s_label", image)));
	struct str emotion = part_of(label, STR("Ranking:{'"));
	double v;

	if (emotion.p)
		str_cut(emotion, '\'', &emotion);
	stored_facet(s, arena_printf(arena, "%s_emotion", image), emotion);
	stored_facet(s, arena_printf(arena, "%s_category", image), part_of(label, STR("category:")));
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (str_num(part_of(label, str_z(numbers[i].word)), &v))
			vec_push(&s->facets, ((struct rec_facet){str_z(arena_printf(arena, "%s_%s", image,
										    numbers[i].name)),
								 STR_NONE, v, true}));
}

static void sample_of(struct eemo *e, struct rec_sample *out)
{
	static const char *const facets[] = {"question_type", "perceptual_dimension",
					     "question_concern", "describing_dimension"};
	static const char *const images[] = {"image1", "image2", "image"};
	struct stored *s = &e->s;
	struct str *paths = arena_alloc(&s->row.arena, 3 * sizeof *paths);

	out->paths = paths;
	for (size_t i = 0; i < 3; i++) {
		struct str path = cell_text(row_find(&s->rows, &s->row, images[i]));

		if (path.n)
			paths[out->n_paths++] = path_with_slashes(&s->row.arena, path);
		picture_facets(e, images[i]);
	}
	out->media = out->n_paths > 1 ? MEDIA_IMAGES : out->n_paths ? MEDIA_IMAGE : MEDIA_NONE;
	out->text = cell_text(row_find(&s->rows, &s->row, "question"));
	out->text_kind = out->text.n ? TEXT_QUESTION : TEXT_NONE;
	out->options = e->options;
	out->n_options = e->n_options;
	for (size_t i = 0; i < sizeof facets / sizeof *facets; i++)
		stored_facet(s, facets[i], cell_text(row_find(&s->rows, &s->row, facets[i])));
}

/* The cell of this model named `what`. */
static const struct cell *of_model(struct eemo *e, const char *what, struct str model)
{
	struct stored *s = &e->s;

	for (size_t i = 0; i < s->row.cells.n; i++) {
		struct str key = rows_name(&s->rows, s->row.cells.v[i].column);

		if (str_eq(model_in(key, what), model))
			return &s->row.cells.v[i];
	}
	return NULL;
}

/* Numbers as the evaluation gave them; a list of texts, of open questions, as it is. */
static void judged_of(struct eemo *e, struct str model)
{
	static const char *const names[] = {"eval_result", "if_invalid"};
	struct stored *s = &e->s;
	double number;

	for (size_t i = 0; i < 2; i++) {
		const struct cell *c = of_model(e, names[i], model);

		if (!c)
			continue;
		if (cell_number(c, &number)) {
			vec_push(&s->numbers, ((struct rec_number){str_z(names[i]), number}));
		} else if (c->json) {
			stored_put(s, str_z(names[i]), c->json);
		}
	}
}

static enum status send(struct eemo *e, const struct cell *said, struct str model, struct str key,
			struct rec_sample *sample, struct err *err)
{
	struct stored *s = &e->s;
	struct stored_run run = {.rec = {.model = model}};
	struct rec_prediction out;
	enum status st;

	vec_clear(&s->numbers);
	buf_clear(&s->details);
	rec_prediction_init(&out);
	out.key = key;
	out.raw = cell_text(said);
	judged_of(e, model);
	stored_answer(s, e->options, e->n_options, &out);
	st = stored_run(s, &run, &out.run, err);
	return st ? st : stored_send(s, &out, sample, err);
}

/* The answer to an open question is a description, which is shown with it: no class. */
static struct str described(struct eemo *e, struct str correct)
{
	struct buf extra = BUF_INIT;
	struct str out;

	buf_z(&extra, "{\"correct_answer\":");
	json_quote(&extra, correct);
	buf_ch(&extra, '}');
	out = arena_str(&e->s.row.arena, buf_view(&extra));
	buf_release(&extra);
	return out;
}

static enum status take(struct stored *s, struct err *err)
{
	struct eemo *e = (struct eemo *)s;
	struct str key = cell_key(&s->row.arena, row_find(&s->rows, &s->row, "id"));
	struct rec_truth truth = {.layer = STR("original")};
	struct rec_sample sample = {.truths = &truth};
	struct str correct;
	struct refs label;
	enum status st = OK;

	if (!key.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "id",
			   "expected the question's id, got nothing");
		return OK;
	}
	options_of(e);
	sample_of(e, &sample);
	correct = cell_text(row_find(&s->rows, &s->row, "correct_answer"));
	if (e->n_options) {
		label = stored_truth_text(s, correct, e->options, e->n_options);
		truth.refs = label.v;
		truth.n_refs = label.n;
		sample.n_truths = label.known;
	} else if (correct.n) {
		sample.extra = described(e, correct);
	}
	for (size_t i = 0; i < s->row.cells.n && !st; i++) {
		const struct cell *c = &s->row.cells.v[i];
		struct str model = model_in(rows_name(&s->rows, c->column), "response");

		if (model.n)
			st = send(e, c, model, key, &sample, err);
	}
	return st;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct eemo *e = xcalloc(1, sizeof *e);
	enum status st;

	stored_init(&e->s, ctx);
	st = stored_rows(&e->s, take, err);
	stored_release(&e->s);
	free(e);
	return st;
}

const struct reader reader_eemo = {
    .name = "eemo",
    .help = "EEmo-Bench's predictions, whose keys carry the model's name: response(MODEL)",
    .probe = probe,
    .rank = stored_rank,
    .read = read_file,
};
