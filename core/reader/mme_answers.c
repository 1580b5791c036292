/*
 * MME-Emotion's answers in three stages of files: what the model said; beside it the steps that
 * it was cut into; beside these the judge's marks. Each has all that the one before it has
 * (formats: video_id, ground_truth, model_response; step; score), so that any of them fills the
 * same run, MODEL/mme, as far as it goes. A row with `human_score` alone adds people's marks.
 */
#include "core/base/path.h"
#include "core/eval/judge.h"
#include "core/reader/answer.h"
#include "core/reader/mme.h"

#define MAX_NUMBERS 12

static const struct cell *find_any(const struct mme *m, const struct row *row, const char *const *names)
{
	for (; *names; names++) {
		const struct cell *c = row_find(&m->rows, row, *names);

		if (c)
			return c;
	}
	return NULL;
}

static const struct cell *people_cell(const struct mme *m, const struct row *row)
{
	static const char *const names[] = {"human_score", "people_score", "expert_score", NULL};

	return find_any(m, row, names);
}

bool mme_is_answer(const struct mme *m, const struct row *row)
{
	return row_find(&m->rows, row, "model_response") || row_find(&m->rows, row, "step") ||
	       row_find(&m->rows, row, "score") || people_cell(m, row);
}

static enum status run_of(struct mme *m, struct err *err)
{
	const struct read_options *opt = m->ctx->opt;
	struct rec_run rec = {
	    .model = opt->model.n ? opt->model : m->model,
	    .protocol = opt->protocol.n ? opt->protocol : STR("MME"),
	    .handle = opt->run,
	    .source = path_base(str_z(m->ctx->in->path)),
	    .list_rule = LIST_ALL_HIT,
	    .staged = true,
	};
	enum status st = OK;

	if (!m->has_run)
		st = sink_run(m->ctx->sink, &rec, &m->run, err);
	m->has_run = true;
	return st;
}

/* Marks as text: a list of numbers as JSON. */
static struct str marks_text(struct arena *arena, const struct cell *c)
{
	struct buf b = BUF_INIT;
	struct str out = cell_text(c);

	if (c && c->type == CELL_LIST) {
		cell_json(&b, c);
		out = arena_str(arena, buf_view(&b));
		buf_release(&b);
	}
	return out;
}

struct answer_in { /* what a row of answers has */
	struct rec_prediction rec;
	struct class_ref refs[MME_LABELS_MAX];
	struct rec_number numbers[MAX_NUMBERS];
	size_t n_steps;
	struct str last_step;
};

static void add_number(struct answer_in *a, const char *name, double value)
{
	if (isfinite(value) && a->rec.n_numbers < MAX_NUMBERS)
		a->numbers[a->rec.n_numbers++] = (struct rec_number){str_z(name), value};
}

static void read_steps(struct mme *m, const struct row *row, struct answer_in *a)
{
	struct str text = cell_text(row_find(&m->rows, row, "step")), rest, step;

	if (!text.n)
		return;
	if (str_starts(text, STR("Error:"))) {
		report_add(m->ctx->report, PROBLEM_WARNING, row->src, "step",
			   "the steps could not be cut: %.*s", (int)(text.n < 80 ? text.n : 80), text.p);
		return;
	}
	a->rec.steps = text;
	for (rest = judge_steps(text); judge_step_next(&rest, &step); a->n_steps++)
		a->last_step = step;
}

static void read_marks(struct mme *m, struct row *row, struct answer_in *a)
{
	const struct cell *c = row_find(&m->rows, row, "score");
	struct judge_scores s = {0};

	if (c) {
		m->marked++;
		a->rec.marks = marks_text(&row->arena, c);
		add_number(a, "judged", judge_scores(a->rec.marks, &s));
	}
	if (c && !s.n) {
		m->unread++;
		report_add(m->ctx->report, PROBLEM_WARNING, row->src, "score",
			   a->rec.marks.n ? "no marks can be read in \"%.*s\"" : "there are no marks%.*s",
			   (int)(a->rec.marks.n < 60 ? a->rec.marks.n : 60),
			   a->rec.marks.n ? a->rec.marks.p : "");
	}
	if (a->n_steps || s.n)
		add_number(a, "steps", a->n_steps ? (double)a->n_steps : s.n);
	if (!s.n)
		return;
	add_number(a, "rec", s.rec);
	add_number(a, "rea", s.rea);
	add_number(a, "marks", s.n);
	add_number(a, "wrong_steps", s.wrong);
	if (a->n_steps && (size_t)s.n != a->n_steps)
		report_add(m->ctx->report, PROBLEM_WARNING, row->src, "score", "%d marks for %zu steps",
			   s.n, a->n_steps);
}

static double number_of(const struct mme *m, const struct row *row, const char *name)
{
	const struct cell *c = row_find(&m->rows, row, name);
	double v;

	return c && cell_number(c, &v) ? v : NAN;
}

/* input_tokens and output_tokens are what the judge used; the answer's own are named otherwise. */
static void read_tokens(struct mme *m, const struct row *row, struct answer_in *a)
{
	static const char *const names[] = {"tokens", "response_tokens", "completion_tokens", NULL};
	const struct cell *c = find_any(m, row, names);
	double v;

	if (c && cell_number(c, &v) && v >= 0 && v < 4e9)
		a->rec.tokens = (int64_t)v;
	add_number(a, "judge_input_tokens", number_of(m, row, "input_tokens"));
	add_number(a, "judge_output_tokens", number_of(m, row, "output_tokens"));
}

static void words_of(const struct mme *m, struct str task, struct mme_labels *out)
{
	const char *const *known = mme_task_labels(task);

	*out = m->options;
	for (; !m->options.n && known && *known; known++)
		out->v[out->n++] = str_z(*known);
}

/* The answer is what the last step says; without steps, what the response says at its end. */
static void read_answer(struct mme *m, const struct row *row, struct str task, struct answer_in *a)
{
	const struct cell *c = row_find(&m->rows, row, "model_response");
	bool many = mme_task_is_many(task) || m->n_truth > 1;
	struct mme_labels words;
	struct mme_said said;

	a->rec.raw = cell_text(c);
	a->rec.outcome = c ? OUTCOME_EMPTY : OUTCOME_MISSING;
	if (!a->rec.raw.n && !a->n_steps)
		return;
	words_of(m, task, &words);
	if (a->n_steps)
		mme_said_in(a->last_step, &words, many, &said);
	else
		mme_said_at_end(a->rec.raw, &words, many, &said);
	a->rec.extracted = said.text.n ? said.text : STR("");
	a->rec.outcome = said.none ? OUTCOME_REFUSED : said.text.n ? OUTCOME_ANSWERED : OUTCOME_UNPARSED;
	if (a->rec.outcome != OUTCOME_ANSWERED)
		return;
	for (size_t i = 0; i < said.labels.n; i++)
		a->refs[a->rec.n_refs++] =
		    (struct class_ref){.kind = CLASS_BY_NAME, .text = said.labels.v[i]};
	if (!a->rec.n_refs)
		a->refs[a->rec.n_refs++] = (struct class_ref){.kind = CLASS_BY_NAME, .text = said.text};
}

static void read_people(struct mme *m, struct row *row, struct answer_in *a)
{
	const struct cell *c = people_cell(m, row);
	struct judge_scores s;

	a->rec.people = marks_text(&row->arena, c);
	if (!a->rec.people.n)
		return;
	if (judge_scores(a->rec.people, &s)) {
		add_number(a, "people_marks", s.n);
		return;
	}
	report_add(m->ctx->report, PROBLEM_WARNING, row->src, rows_name_z(&m->rows, c->column),
		   "no marks can be read in \"%.*s\"",
		   (int)(a->rec.people.n < 60 ? a->rec.people.n : 60), a->rec.people.p);
	a->rec.people = STR_NONE;
}

/* A dataset whose questions are not there gets the task's classes, beside those of the truths. */
static enum status send_known_classes(struct mme *m, const struct row *row, struct str task,
				      struct err *err)
{
	const char *const *known = mme_task_labels(task);
	enum status st = mme_send_classes(m, row, err);

	for (; !st && known && *known; known++)
		st = mme_send_class(m, row, str_z(*known), err);
	return st;
}

enum status mme_take_answer(struct mme *m, struct row *row, struct str video, struct str task,
			    struct err *err)
{
	struct answer_in *a = arena_zalloc(&row->arena, 1, sizeof *a);
	struct mme_sample *sample = arena_zalloc(&row->arena, 1, sizeof *sample);
	enum status st = run_of(m, err);

	rec_prediction_init(&a->rec);
	mme_read_truth(m, row, "ground_truth");
	mme_sample_of(m, row, video, task, sample);
	sample->rec.declares = false;
	read_steps(m, row, a);
	read_marks(m, row, a);
	read_tokens(m, row, a);
	read_answer(m, row, task, a);
	read_people(m, row, a);
	a->rec.src = row->src;
	a->rec.run = m->run;
	a->rec.key = sample->rec.key;
	a->rec.refs = a->refs;
	a->rec.numbers = a->numbers;
	if (a->rec.outcome != OUTCOME_MISSING)
		a->rec.sample = &sample->rec;
	if (!st && a->rec.sample && sink_wants_samples(m->ctx->sink))
		st = send_known_classes(m, row, task, err);
	return st ? st : sink_prediction(m->ctx->sink, &a->rec, err);
}

void mme_tell_answers(const struct mme *m)
{
	if (m->unread)
		report_note(m->ctx->report,
			    "the marks of %llu of %llu answers cannot be read: these have no scores",
			    (unsigned long long)m->unread, (unsigned long long)m->marked);
}
