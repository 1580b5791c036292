/*
 * mme: MME-Emotion. Questions, a JSON array of {video_id, label, label_set}, one file a task; audio
 * clues, {video_id, ground_truth, audio_clue}, what another model heard in the clip; and answers
 * (mme_answers.c). video_id repeats between tasks, so that a sample's key is
 * TASK/video_id; the task comes from the file's name, or from a field `task`.
 */
#include "core/reader/mme.h"

#include "core/base/path.h"
#include "core/reader/answer.h"
#include "core/reader/table.h"

static bool has_answers(const struct peek *p)
{
	return peek_has(p, "model_response") || peek_has(p, "human_score") ||
	       peek_has(p, "people_score") || peek_has(p, "expert_score");
}

static int probe(struct str path, struct str head)
{
	struct peek p;
	int score = 0;

	(void)path;
	peek_open(&p, head);
	if (peek_has(&p, "video_id") &&
	    (peek_has(&p, "label_set") || has_answers(&p) || peek_has(&p, "audio_clue")))
		score = p.shape == SHAPE_ARRAY ? 100 : 90;
	peek_release(&p);
	return score;
}

static enum rank rank(struct str path, struct str head)
{
	struct peek p;
	enum rank r;

	(void)path;
	peek_open(&p, head);
	r = has_answers(&p) ? RANK_PREDICTIONS : peek_has(&p, "audio_clue") ? RANK_TRUTH : RANK_SAMPLES;
	peek_release(&p);
	return r;
}

void mme_read_options(struct mme *m, const struct row *row)
{
	const struct cell *set = row_find(&m->rows, row, "label_set");

	m->options.n = 0;
	if (!set || set->type != CELL_LIST)
		return;
	for (const cJSON *o = set->json->child; o && m->options.n < MME_LABELS_MAX; o = o->next)
		if (str_trim(json_text(o)).n)
			m->options.v[m->options.n++] = str_trim(json_text(o));
}

static bool is_option(const struct mme *m, struct str label)
{
	for (size_t i = 0; i < m->options.n; i++)
		if (str_eq_nocase(m->options.v[i], label))
			return true;
	return false;
}

static void add_truth(struct mme *m, const struct row *row, const char *field, struct str label)
{
	label = str_trim(label);
	if (!label.n || m->n_truth == MME_LABELS_MAX)
		return;
	if (m->options.n && !is_option(m, label))
		report_add(m->ctx->report, PROBLEM_WARNING, row->src, field,
			   "\"%.*s\" is not in label_set", (int)(label.n < 80 ? label.n : 80), label.p);
	m->truth[m->n_truth++] = (struct class_ref){.kind = CLASS_BY_NAME, .text = label};
}

/* Names may hold a '/' or a ','; only what is no label as a whole is several. */
void mme_read_truth(struct mme *m, const struct row *row, const char *field)
{
	struct str label = cell_text(row_find(&m->rows, row, field)), part;
	char sep = label.n && memchr(label.p, ';', label.n) ? ';' : ',';

	m->n_truth = 0;
	if (is_option(m, label)) {
		add_truth(m, row, field, label);
		return;
	}
	while (label.p) {
		label = str_cut(label, sep, &part);
		add_truth(m, row, field, part);
	}
}

/* A label of two spellings is one class: the published script counts angry as anger, and so on. */
enum status mme_send_class(struct mme *m, const struct row *row, struct str name, struct err *err)
{
	struct str other, merged = mme_merged(name, &other);
	struct rec_class rec = {.src = row->src, .index = -1, .name = merged, .aliases = &other,
				.n_aliases = other.p != NULL};
	char *folded = arena_strndup(&m->arena, merged.p, merged.n);
	size_t known = m->classes.keys.n;

	for (size_t i = 0; i < merged.n; i++)
		if (folded[i] >= 'A' && folded[i] <= 'Z')
			folded[i] = (char)(folded[i] + 32);
	intern_add(&m->classes, (struct str){folded, merged.n});
	arena_clear(&m->arena);
	return m->classes.keys.n > known ? sink_class(m->ctx->sink, &rec, err) : OK;
}

enum status mme_send_classes(struct mme *m, const struct row *row, struct err *err)
{
	enum status st = OK;

	for (size_t i = 0; i < m->options.n && !st; i++)
		st = mme_send_class(m, row, m->options.v[i], err);
	for (size_t i = 0; i < m->n_truth && !st; i++)
		st = mme_send_class(m, row, m->truth[i].text, err);
	return st;
}

void mme_sample_of(struct mme *m, struct row *row, struct str video, struct str task,
		   struct mme_sample *out)
{
	struct str source;

	out->video = video;
	out->truth = (struct rec_truth){
	    .layer = m->ctx->opt->layer.n ? m->ctx->opt->layer : STR("original"),
	    .refs = m->truth,
	    .n_refs = m->n_truth,
	};
	out->facets[0] = (struct rec_facet){STR("mme_task"), task, NAN, false};
	out->rec = (struct rec_sample){
	    .src = row->src,
	    .key = str_z(arena_printf(&row->arena, "%.*s/%.*s", STR_ARG(task), (int)video.n, video.p)),
	    .media = MEDIA_VIDEO,
	    .paths = &out->video,
	    .n_paths = 1,
	    .options = m->options.v,
	    .n_options = m->options.n,
	    .facets = out->facets,
	    .n_facets = 1,
	    .truths = &out->truth,
	    .n_truths = m->n_truth > 0,
	    .creates = true,
	    .declares = true,
	};
	str_cut(video, '/', &source);
	if (source.n && source.n < video.n) {
		out->facets[1] = (struct rec_facet){STR("source"), source, NAN, false};
		out->rec.n_facets = 2;
	}
}

static enum status take_question(struct mme *m, struct row *row, struct str video, struct str task,
				 struct err *err)
{
	struct mme_sample *sample = arena_zalloc(&row->arena, 1, sizeof *sample);
	enum status st;

	mme_read_truth(m, row, "label");
	if (!m->n_truth)
		report_add(m->ctx->report, PROBLEM_WARNING, row->src, "label",
			   "expected a label, got nothing");
	if (!m->options.n)
		report_add(m->ctx->report, PROBLEM_WARNING, row->src, "label_set",
			   "expected a list of labels");
	st = mme_send_classes(m, row, err);
	mme_sample_of(m, row, video, task, sample);
	return st ? st : sink_sample(m->ctx->sink, &sample->rec, err);
}

static struct str task_of_row(struct mme *m, struct row *row)
{
	struct str text = cell_text(row_find(&m->rows, row, "task")), rest;

	return text.n && text.n < 100 ? mme_task(&row->arena, text, &rest) : m->task;
}

/* The clue is kept beside the question. Clues alone make samples, too: they know the truth. */
static enum status take_clue(struct mme *m, struct row *row, struct str video, struct str task,
			     struct err *err)
{
	struct mme_sample *sample = arena_zalloc(&row->arena, 1, sizeof *sample);
	struct str clue = cell_text(row_find(&m->rows, row, "audio_clue"));
	struct buf extra = BUF_INIT;
	enum status st;

	mme_read_truth(m, row, "ground_truth");
	st = mme_send_classes(m, row, err);
	mme_sample_of(m, row, video, task, sample);
	if (clue.n) {
		buf_z(&extra, "{\"audio_clue\":");
		json_quote(&extra, clue);
		buf_ch(&extra, '}');
		sample->rec.extra = arena_str(&row->arena, buf_view(&extra));
	} else {
		report_add(m->ctx->report, PROBLEM_WARNING, row->src, "audio_clue", "expected a text, got nothing");
	}
	buf_release(&extra);
	return st ? st : sink_sample(m->ctx->sink, &sample->rec, err);
}

static enum status take_row(struct mme *m, struct row *row, struct err *err)
{
	struct str video = cell_text(row_find(&m->rows, row, "video_id")), task;
	bool answer = mme_is_answer(m, row);

	if (!video.n || video.n > 4000) {
		report_add(m->ctx->report, PROBLEM_SKIPPED, row->src, "video_id",
			   "expected a path");
		return OK;
	}
	video = path_with_slashes(&row->arena, video);
	task = task_of_row(m, row);
	mme_read_options(m, row);
	if (answer)
		return mme_take_answer(m, row, video, task, err);
	return row_find(&m->rows, row, "audio_clue") ? take_clue(m, row, video, task, err)
						     : take_question(m, row, video, task, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct mme *m = xcalloc(1, sizeof *m);
	struct str path = str_z(ctx->in->path), rest;
	struct row row;
	bool more = true;
	enum status st;

	m->ctx = ctx;
	m->task = mme_task(&m->names, path_stem(path_base(path)), &rest);
	m->model = mme_model(rest, path);
	row_init(&row);
	st = rows_open(&m->rows, ctx, err);
	while (!st && more) {
		st = rows_next(&m->rows, &row, &more, err);
		if (!st && more)
			st = take_row(m, &row, err);
	}
	if (!st)
		mme_tell_answers(m);
	row_release(&row);
	rows_release(&m->rows);
	intern_release(&m->classes);
	arena_release(&m->arena);
	arena_release(&m->names);
	free(m);
	return st;
}

const struct reader reader_mme = {
    .name = "mme",
    .help = "MME-Emotion: questions, audio clues, answers in their three stages (JSON); the task is read "
	    "from the file's name",
    .probe = probe,
    .rank = rank,
    .read = read_file,
    .one_set = true,
};
