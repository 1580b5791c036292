/*
 * mme: MME-Emotion's questions, a JSON array of {video_id, label, label_set}, one file a task.
 * video_id repeats between tasks, so that a sample's key is TASK/video_id; the task comes from
 * the file's name.
 */
#include "core/base/path.h"
#include "core/reader/answer.h"
#include "core/reader/table.h"

#define MAX_LABELS 256

static const char *const tasks[][2] = {
    {"ER_SL_Wild", "ER-Wild"}, {"ER_Wild", "ER-Wild"}, {"ER_Lab", "ER-Lab"},
    {"Noise_ER", "Noise-ER"},  {"FG_ER", "FG-ER"},     {"FG_SA", "FG-SA"},
    {"ML_ER", "ML-ER"},        {"IR", "IR"},           {"SA", "SA"},
};

static int probe(struct str path, struct str head)
{
	struct peek p;
	int score = 0;

	(void)path;
	peek_open(&p, head);
	if (p.shape == SHAPE_ARRAY && peek_has(&p, "video_id") &&
	    (peek_has(&p, "label_set") || peek_has(&p, "model_response") ||
	     peek_has(&p, "audio_clue")))
		score = 100;
	peek_release(&p);
	return score;
}

static enum rank rank(struct str path, struct str head)
{
	(void)path;
	(void)head;
	return RANK_SAMPLES;
}

struct mme {
	struct read_ctx *ctx;
	struct rows rows;
	struct str task;
	struct arena arena;
	struct intern classes; /* folded names that the sink has */
	struct str options[MAX_LABELS];
	size_t n_options;
	struct class_ref refs[MAX_LABELS];
	size_t n_refs;
};

/* "ER_SL_Wild_gpt4o_eval" is of ER-Wild: what follows the task is a model's name. */
static struct str task_of(struct arena *arena, struct str path)
{
	struct str stem = path_stem(path_base(path));
	char *name = arena_strndup(arena, stem.p, stem.n);

	for (size_t i = 0; i < stem.n; i++)
		if (name[i] == '-')
			name[i] = '_';
	for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
		struct str known = str_z(tasks[i][0]);

		if (stem.n >= known.n && str_eq_nocase((struct str){name, known.n}, known) &&
		    (stem.n == known.n || name[known.n] == '_'))
			return str_z(tasks[i][1]);
	}
	for (size_t i = 0; i < stem.n; i++)
		if (name[i] == '_')
			name[i] = '-';
	return (struct str){name, stem.n};
}

static void read_options(struct mme *m, struct row *row)
{
	const struct cell *set = row_find(&m->rows, row, "label_set");

	m->n_options = 0;
	if (!set || set->type != CELL_LIST)
		return;
	for (const cJSON *o = set->json->child; o && m->n_options < MAX_LABELS; o = o->next)
		if (str_trim(json_text(o)).n)
			m->options[m->n_options++] = str_trim(json_text(o));
}

static bool is_option(const struct mme *m, struct str label)
{
	for (size_t i = 0; i < m->n_options; i++)
		if (str_eq_nocase(m->options[i], label))
			return true;
	return false;
}

static void add_ref(struct mme *m, const struct row *row, struct str label)
{
	label = str_trim(label);
	if (!label.n || m->n_refs == MAX_LABELS)
		return;
	if (m->n_options && !is_option(m, label))
		report_add(m->ctx->report, PROBLEM_WARNING, row->src, "label",
			   "\"%.*s\" is not in label_set", (int)(label.n < 80 ? label.n : 80), label.p);
	m->refs[m->n_refs++] = (struct class_ref){.kind = CLASS_BY_NAME, .text = label};
}

/* Names may hold a '/' or a ','; only what is no label as a whole is several. */
static void read_label(struct mme *m, const struct row *row, struct str label)
{
	char sep = label.n && memchr(label.p, ';', label.n) ? ';' : ',';
	struct str part;

	m->n_refs = 0;
	if (is_option(m, label)) {
		add_ref(m, row, label);
		return;
	}
	while (label.p) {
		label = str_cut(label, sep, &part);
		add_ref(m, row, part);
	}
}

static enum status send_class(struct mme *m, const struct row *row, struct str name,
			      struct err *err)
{
	struct rec_class rec = {.src = row->src, .index = -1, .name = name};
	char *folded = arena_strndup(&m->arena, name.p, name.n);
	size_t known = m->classes.keys.n;

	for (size_t i = 0; i < name.n; i++)
		if (folded[i] >= 'A' && folded[i] <= 'Z')
			folded[i] = (char)(folded[i] + 32);
	intern_add(&m->classes, (struct str){folded, name.n});
	arena_clear(&m->arena);
	return m->classes.keys.n > known ? sink_class(m->ctx->sink, &rec, err) : OK;
}

static enum status send_classes(struct mme *m, const struct row *row, struct err *err)
{
	enum status st = OK;

	for (size_t i = 0; i < m->n_options && !st; i++)
		st = send_class(m, row, m->options[i], err);
	for (size_t i = 0; i < m->n_refs && !st; i++)
		st = send_class(m, row, m->refs[i].text, err);
	return st;
}

static enum status send_sample(struct mme *m, struct row *row, struct str video, struct err *err)
{
	struct rec_truth truth = {
	    .layer = m->ctx->opt->layer.n ? m->ctx->opt->layer : STR("original"),
	    .refs = m->refs,
	    .n_refs = m->n_refs,
	};
	struct rec_facet facets[2] = {{STR("mme_task"), m->task, NAN, false}};
	struct rec_sample out = {
	    .src = row->src,
	    .media = MEDIA_VIDEO,
	    .paths = &video,
	    .n_paths = 1,
	    .options = m->options,
	    .n_options = m->n_options,
	    .facets = facets,
	    .n_facets = 1,
	    .truths = &truth,
	    .n_truths = m->n_refs > 0,
	    .creates = true,
	    .declares = true,
	};
	struct str source;
	char *key = arena_printf(&row->arena, "%.*s/%.*s", STR_ARG(m->task), (int)video.n, video.p);

	out.key = str_z(key);
	str_cut(video, '/', &source);
	if (source.n && source.n < video.n) {
		facets[1] = (struct rec_facet){STR("source"), source, NAN, false};
		out.n_facets = 2;
	}
	return sink_sample(m->ctx->sink, &out, err);
}

static enum status take_row(struct mme *m, struct row *row, struct err *err)
{
	struct str label = cell_text(row_find(&m->rows, row, "label"));
	struct str video = cell_text(row_find(&m->rows, row, "video_id"));
	enum status st;

	if (row_find(&m->rows, row, "model_response"))
		return err_set(err, E_UNSUPPORTED,
			       "this is a file of MME-Emotion answers (model_response); only the "
			       "question files can be imported so far");
	if (row_find(&m->rows, row, "audio_clue"))
		return err_set(err, E_UNSUPPORTED, "this is a file of audio clues; only the "
						   "question files of MME-Emotion can be imported");
	if (!video.n || video.n > 4096) {
		report_add(m->ctx->report, PROBLEM_SKIPPED, row->src, "video_id",
			   "expected a path");
		return OK;
	}
	video = path_with_slashes(&row->arena, video);
	read_options(m, row);
	read_label(m, row, label);
	if (!m->n_refs)
		report_add(m->ctx->report, PROBLEM_WARNING, row->src, "label",
			   "expected a label, got nothing");
	if (!m->n_options)
		report_add(m->ctx->report, PROBLEM_WARNING, row->src, "label_set",
			   "expected a list of labels");
	st = send_classes(m, row, err);
	return st ? st : send_sample(m, row, video, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct mme *m = xcalloc(1, sizeof *m);
	struct arena names = ARENA_INIT;
	struct row row;
	bool more = true;
	enum status st;

	m->ctx = ctx;
	m->task = task_of(&names, str_z(ctx->in->path));
	row_init(&row);
	st = rows_open(&m->rows, ctx, err);
	while (!st && more) {
		st = rows_next(&m->rows, &row, &more, err);
		if (!st && more)
			st = take_row(m, &row, err);
	}
	row_release(&row);
	rows_release(&m->rows);
	intern_release(&m->classes);
	arena_release(&m->arena);
	arena_release(&names);
	free(m);
	return st;
}

const struct reader reader_mme = {
    .name = "mme",
    .help = "MME-Emotion questions (JSON); the task is read from the file's name",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
