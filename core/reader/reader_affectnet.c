/*
 * affectnet: AffectNet's tables, subDirectory_filePath … expression, valence, arousal. Expressions are
 * numbers of AffectNet's own, 0 to 10; the last three say that there is none to name. Valence and
 * arousal of -2 are no values.
 */
#include "core/base/path.h"
#include "core/reader/emotions.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define NO_VALUE (-2)

static int probe(struct str path, struct str head)
{
	struct peek p;
	bool mine;

	(void)path;
	peek_open(&p, head);
	mine = p.shape == SHAPE_CSV && peek_has(&p, "subDirectory_filePath") && peek_has(&p, "expression");
	peek_release(&p);
	return mine ? 100 : 0;
}

struct affectnet {
	struct stored s; /* first */
	bool settled;
};

static void add_level(struct stored *s, const char *name)
{
	const struct cell *c = row_find(&s->rows, &s->row, name);
	double v;

	if (!c || cell_blank(c) || (cell_number(c, &v) && v == NO_VALUE))
		return;
	if (!cell_number(c, &v) || v < -1 || v > 1)
		report_add(s->ctx->report, PROBLEM_WARNING, s->row.src, name, "expected a number of -1 to 1, or -2");
	else
		vec_push(&s->facets, ((struct rec_facet){str_z(name), STR_NONE, v, true}));
}

/* {"face": [x, y, width, height]} */
static struct str face_of(struct stored *s)
{
	static const char *const names[] = {"face_x", "face_y", "face_width", "face_height"};
	struct buf b = BUF_INIT;
	struct str out;
	double v;

	buf_z(&b, "{\"face\":[");
	for (size_t i = 0; i < 4; i++) {
		if (!cell_number(row_find(&s->rows, &s->row, names[i]), &v)) {
			buf_release(&b);
			return STR_NONE;
		}
		buf_z(&b, i ? "," : "");
		json_put_number(&b, v);
	}
	buf_z(&b, "]}");
	out = arena_str(&s->row.arena, buf_view(&b));
	buf_release(&b);
	return out;
}

static struct str split_of(struct stored *s)
{
	struct str stem = path_stem(path_base(str_z(s->ctx->in->path)));

	return str_eqz(stem, "training") || str_eqz(stem, "validation") || str_eqz(stem, "automatically_annotated")
		   ? stem : STR_NONE;
}

static enum status take(struct stored *s, struct err *err)
{
	struct affectnet *a = (struct affectnet *)s;
	struct str path = cell_text(row_find(&s->rows, &s->row, "subDirectory_filePath"));
	const struct cell *label = row_find(&s->rows, &s->row, "expression");
	size_t emotion = emotions_by_code(&emotions_affectnet, cell_text(label));
	struct class_ref ref;
	struct rec_truth truth = {s->ctx->opt->layer.n ? s->ctx->opt->layer : STR("original"), &ref, 1, NULL};
	struct rec_sample rec = {.src = s->row.src, .media = MEDIA_IMAGE, .paths = &path, .n_paths = 1,
				 .truths = &truth, .creates = true, .declares = true};
	enum status st = OK;

	if (!a->settled)
		st = emotions_send(&emotions_affectnet, s->ctx->sink, s->row.src, err);
	a->settled = true;
	if (!path.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "subDirectory_filePath",
			   "expected a path, got nothing");
		return st;
	}
	path = path_with_slashes(&s->row.arena, path);
	rec.key = path;
	if (emotion != SIZE_MAX)
		ref = emotions_ref(&emotions_affectnet, emotion);
	else if (!cell_blank(label))
		report_add(s->ctx->report, PROBLEM_WARNING, s->row.src, "expression", "expected 0 to 10");
	rec.n_truths = emotion != SIZE_MAX;
	add_level(s, "valence");
	add_level(s, "arousal");
	stored_facet(s, "split", split_of(s));
	rec.facets = s->facets.v;
	rec.n_facets = s->facets.n;
	rec.extra = face_of(s);
	return st ? st : sink_sample(s->ctx->sink, &rec, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct affectnet *a = xcalloc(1, sizeof *a);
	enum status st;

	stored_init(&a->s, ctx);
	st = stored_rows(&a->s, take, err);
	stored_release(&a->s);
	free(a);
	return st;
}

const struct reader reader_affectnet = {
    .name = "affectnet",
    .help = "AffectNet: expression, valence and arousal of faces (training.csv, validation.csv)",
    .probe = probe,
    .rank = reader_rank_samples,
    .read = read_file,
};
