/*
 * faces: final_results.csv of the study of GPT-4 on facial expressions: every row is one answer
 * under one of four ways of asking, which become four runs.
 */
#include "core/reader/answer.h"
#include "core/reader/table.h"

static const char *const needed[] = {"img_key", "response", "full_response", "orientation",
				     "prompt_style", "correct_emotion"};
#define N_NEEDED (sizeof needed / sizeof *needed)
enum { KEY, RESPONSE, FULL, ORIENTATION, STYLE, TRUTH };

static int probe(struct str path, struct str head)
{
	struct peek p;
	size_t n = 0;

	(void)path;
	peek_open(&p, head);
	for (size_t i = 0; p.shape == SHAPE_CSV && i < N_NEEDED; i++)
		n += peek_has(&p, needed[i]);
	peek_release(&p);
	return n == N_NEEDED ? 100 : 0;
}

static enum rank rank(struct str path, struct str head)
{
	(void)path;
	(void)head;
	return RANK_PREDICTIONS;
}

struct faces {
	struct read_ctx *ctx;
	struct rows rows;
	struct intern handles;
	VEC(uint32_t) runs; /* by handle */
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

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct faces f = {.ctx = ctx};
	struct row row;
	bool more = true;
	enum status st = rows_open(&f.rows, ctx, err);

	row_init(&row);
	while (!st && more) {
		st = rows_next(&f.rows, &row, &more, err);
		if (!st && more)
			st = take_row(&f, &row, err);
	}
	row_release(&row);
	rows_release(&f.rows);
	intern_release(&f.handles);
	vec_release(&f.runs);
	return st;
}

const struct reader reader_faces = {
    .name = "faces",
    .help = "GPT-4 on facial expressions (final_results.csv): four runs in one table",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
