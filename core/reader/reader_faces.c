/*
 * faces: the study of GPT-4 on facial expressions. In final_results.csv every row is one answer
 * under one of four ways of asking, which become four runs. The files that it was made from,
 * gpt4_image_responses_{single,matrix}_{upright,inverted}_…_{exp,noExp}.csv, have the answers of one
 * kind of picture, asked in one way, without truths: these are in SingleFace_answers.csv and
 * MatrixFace_answers.csv, the lists of the pictures.
 */
#include "core/base/path.h"
#include "core/reader/answer.h"
#include "core/reader/table.h"

static const char *const needed[] = {"img_key", "response", "full_response", "orientation",
				     "prompt_style", "correct_emotion"};
#define N_NEEDED (sizeof needed / sizeof *needed)
enum { KEY, RESPONSE, FULL, ORIENTATION, STYLE, TRUTH };

static bool name_has(struct str path, const char *word)
{
	return str_find_nocase(path_base(path), str_z(word)) != SIZE_MAX;
}

/* The way of asking stands in the file's name alone. */
static bool is_named(struct str path)
{
	return (name_has(path, "_upright_") || name_has(path, "_inverted_")) &&
	       (name_has(path, "_single_") || name_has(path, "_matrix_"));
}

enum file { NEITHER, JOINED, RESPONSES, ANSWERS };

static enum file kind_of(struct str path, struct str head)
{
	struct peek p;
	size_t n = 0;
	enum file kind = NEITHER;

	peek_open(&p, head);
	for (size_t i = 0; p.shape == SHAPE_CSV && i < N_NEEDED; i++)
		n += peek_has(&p, needed[i]);
	if (n == N_NEEDED)
		kind = JOINED;
	else if (p.shape == SHAPE_CSV && p.n == 3 && peek_has(&p, "image_name") &&
		 peek_has(&p, "response") && peek_has(&p, "full_response") && is_named(path))
		kind = RESPONSES;
	else if (p.shape == SHAPE_CSV && p.n == 2 && peek_has(&p, "image_name") &&
		 peek_has(&p, "correct_emotion") &&
		 (name_has(path, "SingleFace") || name_has(path, "MatrixFace")))
		kind = ANSWERS;
	peek_release(&p);
	return kind;
}

static int probe(struct str path, struct str head)
{
	static const int scores[] = {[NEITHER] = 0, [JOINED] = 100, [RESPONSES] = 90, [ANSWERS] = 90};

	return scores[kind_of(path, head)];
}

static enum rank rank(struct str path, struct str head)
{
	return kind_of(path, head) == ANSWERS ? RANK_SAMPLES : RANK_PREDICTIONS;
}

struct faces {
	struct read_ctx *ctx;
	struct rows rows;
	struct intern handles;
	VEC(uint32_t) runs; /* by handle */
	enum file kind;
};

static enum status run_of(struct faces *f, struct str orientation, struct str style, uint32_t *run,
			  struct err *err)
{
	struct buf handle = BUF_INIT;
	const struct read_options *opt = f->ctx->opt;
	size_t known = f->handles.keys.n;
	enum status st = OK;
	uint32_t id;

	buf_str(&handle, orientation);
	buf_ch(&handle, '-');
	buf_str(&handle, style);
	*run = 0;
	id = intern_add(&f->handles, buf_view(&handle));
	if (id == known) {
		struct rec_run rec = {
		    .model = opt->model.n ? opt->model : STR("gpt-4"),
		    .protocol = opt->protocol.n ? opt->protocol : buf_view(&handle),
		    .handle = buf_view(&handle),
		    .source = str_z(f->ctx->in->path),
		};

		st = sink_run(f->ctx->sink, &rec, run, err);
		vec_push(&f->runs, *run);
	}
	*run = f->runs.v[id];
	buf_release(&handle);
	return st;
}

/* false: reported. */
static bool texts_of(struct faces *f, struct row *row, struct str out[N_NEEDED])
{
	for (size_t i = 0; i < N_NEEDED; i++) {
		out[i] = cell_text(row_find(&f->rows, row, needed[i]));
		if (!out[i].n && i != RESPONSE && i != FULL) {
			report_add(f->ctx->report, PROBLEM_SKIPPED, row->src, needed[i],
				   "expected a text, got nothing");
			return false;
		}
	}
	return true;
}

static struct rec_facet face_of(struct str path)
{
	return (struct rec_facet){STR("face_type"),
				  name_has(path, "matrix") ? STR("matrixed") : STR("individual"), NAN, false};
}

/* A row of a list of pictures with their emotions. */
static enum status take_answer(struct faces *f, struct row *row, struct err *err)
{
	struct str path = path_with_slashes(&row->arena, cell_text(row_find(&f->rows, row, "image_name")));
	struct class_ref ref = {.kind = CLASS_BY_NAME,
				.text = cell_text(row_find(&f->rows, row, "correct_emotion"))};
	struct rec_truth truth = {.layer = STR("original"), .refs = &ref, .n_refs = 1};
	struct rec_facet face = face_of(str_z(f->ctx->in->path));
	struct rec_sample sample = {.src = row->src, .key = path_stem(path_base(path)),
				    .media = MEDIA_IMAGE, .paths = &path, .n_paths = 1,
				    .facets = &face, .n_facets = 1, .truths = &truth,
				    .n_truths = ref.text.n > 0, .creates = true, .declares = true};

	if (f->ctx->opt->layer.n)
		truth.layer = f->ctx->opt->layer;
	if (sample.key.n)
		return sink_sample(f->ctx->sink, &sample, err);
	report_add(f->ctx->report, PROBLEM_SKIPPED, row->src, "image_name",
		   "expected a picture's name, got nothing");
	return OK;
}

/* A row of a file of one way of asking. */
static enum status take_raw(struct faces *f, struct row *row, struct err *err)
{
	struct answer said = {.prediction = row_find(&f->rows, row, "response"),
			      .raw = row_find(&f->rows, row, "full_response")};
	struct str name = str_z(f->ctx->in->path);
	struct str path = path_with_slashes(&row->arena, cell_text(row_find(&f->rows, row, "image_name")));
	struct rec_facet face = face_of(name);
	struct rec_sample sample = {.src = row->src, .media = MEDIA_IMAGE, .paths = &path,
				    .n_paths = 1, .facets = &face, .n_facets = 1, .creates = true};
	struct rec_prediction out;
	enum status st;

	rec_prediction_init(&out);
	if (!path.n || !answer_read(&row->arena, &said, &out)) {
		report_add(f->ctx->report, PROBLEM_SKIPPED, row->src, "image_name",
			   "expected a picture's name, got nothing");
		return OK;
	}
	sample.key = out.key = path_stem(path_base(path));
	out.src = row->src;
	out.sample = &sample;
	st = run_of(f, name_has(name, "_inverted_") ? STR("inverted") : STR("upright"),
		    name_has(name, "noexp") ? STR("no_explanation") : STR("explanation"), &out.run, err);
	return st ? st : sink_prediction(f->ctx->sink, &out, err);
}

static enum status take_row(struct faces *f, struct row *row, struct err *err)
{
	const struct cell *image = row_find(&f->rows, row, "image_name_x");
	struct answer said = {.prediction = row_find(&f->rows, row, "response"),
			      .raw = row_find(&f->rows, row, "full_response")};
	struct str text[N_NEEDED];
	struct str path = path_with_slashes(&row->arena, cell_text(image));
	struct rec_facet face = {.name = STR("face_type"), .number = NAN};
	struct class_ref ref;
	struct rec_truth truth = {.layer = STR("original"), .refs = &ref, .n_refs = 1};
	struct rec_sample sample = {.src = row->src, .media = MEDIA_IMAGE, .paths = &path,
				    .n_paths = path.n > 0, .truths = &truth, .n_truths = 1,
				    .creates = true};
	struct rec_prediction out;
	enum status st;

	rec_prediction_init(&out);
	if (!texts_of(f, row, text) || !answer_read(&row->arena, &said, &out))
		return OK;
	if (f->ctx->opt->layer.n)
		truth.layer = f->ctx->opt->layer;
	ref = (struct class_ref){.kind = CLASS_BY_NAME, .text = text[TRUTH]};
	face.value = cell_text(row_find(&f->rows, row, "face_type"));
	sample.facets = &face;
	sample.n_facets = face.value.n > 0;
	sample.key = out.key = text[KEY];
	out.src = row->src;
	out.sample = &sample;
	st = run_of(f, text[ORIENTATION], text[STYLE], &out.run, err);
	return st ? st : sink_prediction(f->ctx->sink, &out, err);
}

static bool has_column(const struct faces *f, const char *name)
{
	return intern_find(&f->rows.names, str_z(name)) != INTERN_NONE;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct faces f = {.ctx = ctx};
	struct row row;
	bool more = true;
	enum status st = rows_open(&f.rows, ctx, err);

	row_init(&row);
	f.kind = has_column(&f, "img_key") ? JOINED : has_column(&f, "response") ? RESPONSES : ANSWERS;
	while (!st && more) {
		st = rows_next(&f.rows, &row, &more, err);
		if (!st && more)
			st = f.kind == ANSWERS	   ? take_answer(&f, &row, err)
			     : f.kind == RESPONSES ? take_raw(&f, &row, err)
						   : take_row(&f, &row, err);
	}
	row_release(&row);
	rows_release(&f.rows);
	intern_release(&f.handles);
	vec_release(&f.runs);
	return st;
}

const struct reader reader_faces = {
    .name = "faces",
    .help = "GPT-4 on facial expressions (final_results.csv, or the files of answers and responses)",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
