/*
 * reannotation: ReImageNet's annotations (reannotation.jsonl; analysis/src/annotation_loader.py): an
 * image a line with the classes that are to be seen in it and a box for each object. -1 is a label
 * that the annotator was not sure of: it is no class, so that an image with nothing else has an
 * empty set, as in the authors' categories; the facet `unsure` tells. What the boxes are flagged with
 * are facets of the image: yes when one of its boxes is.
 */
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define N_CLASSES 1000
#define UNSURE	  (-1)
#define MAX_LABELS 1000

static const struct {
	const char *field, *facet;
} flags[] = {
    {"crowd_flag", "crowd"},
    {"reflected_flag", "reflected"},
    {"rendition_flag", "rendition"},
    {"ocr_needed_flag", "ocr_needed"},
    {"dominant_object", "dominant_object"},
};

static int probe(struct str path, struct str head)
{
	struct peek p;
	int score;

	(void)path;
	peek_open(&p, head);
	score = p.shape != SHAPE_TEXT && peek_has(&p, "reannotated_labels") &&
			(peek_has(&p, "file_path") || peek_has(&p, "image_name"))
		    ? 100
		    : 0;
	peek_release(&p);
	return score;
}

struct reannotation {
	struct stored s; /* first */
	struct str layer;
	bool unsure; /* of the image at hand */
};

static const struct cell *cell_of(struct reannotation *r, const char *name)
{
	return row_find(&r->s.rows, &r->s.row, name);
}

static bool is_label(double v)
{
	return v >= UNSURE && v < N_CLASSES && v == (double)(int)v;
}

/* A list of numbers, or one number. known: it was there; n 0: an empty set. Where one of them is no
 * class nothing is known of the image. */
static struct refs labels_of(struct reannotation *r, const char *field)
{
	const struct cell *c = cell_of(r, field);
	const cJSON *item = c && c->type == CELL_LIST ? c->json->child : NULL;
	struct refs out = {.known = c && c->type == CELL_LIST};
	double v;

	out.v = arena_zalloc(&r->s.row.arena, MAX_LABELS, sizeof *out.v);
	if (c && c->type == CELL_NUMBER && cell_number(c, &v) && is_label(v) && v != UNSURE) {
		out.v[out.n++] = (struct class_ref){.kind = CLASS_BY_INDEX, .index = (int64_t)v};
		out.known = true;
	}
	for (; item && out.known; item = item->next) {
		out.known = json_number(item, &v) && is_label(v) && out.n < MAX_LABELS;
		if (out.known && v == UNSURE)
			r->unsure = true;
		else if (out.known)
			out.v[out.n++] = (struct class_ref){.kind = CLASS_BY_INDEX, .index = (int64_t)v};
	}
	if (!out.known)
		report_add(r->s.ctx->report, PROBLEM_WARNING, r->s.row.src, field,
			   "expected class indices from 0 to %d, or -1 for what is not sure: left out",
			   N_CLASSES - 1);
	return out;
}

static void put_yes_no(struct reannotation *r, const char *name, bool yes)
{
	stored_facet(&r->s, name, yes ? STR("yes") : STR("no"));
}

static bool is_unsure(const cJSON *box)
{
	const cJSON *labels = json_get(box, "labels");
	double v;

	for (const cJSON *l = cJSON_IsArray(labels) ? labels->child : NULL; l; l = l->next)
		if (json_number(l, &v) && v == UNSURE)
			return true;
	return false;
}

static void boxes_of(struct reannotation *r)
{
	const struct cell *c = cell_of(r, "bboxes");
	const cJSON *boxes = c && c->type == CELL_LIST ? c->json : NULL;
	bool any[sizeof flags / sizeof *flags] = {false};
	double n = 0;

	if (!boxes) {
		put_yes_no(r, "unsure", r->unsure);
		return;
	}
	for (const cJSON *box = boxes->child; box; box = box->next, n++) {
		r->unsure |= is_unsure(box);
		for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
			any[i] |= cJSON_IsTrue(json_get(box, flags[i].field)) != 0;
	}
	vec_push(&r->s.facets, ((struct rec_facet){STR("boxes"), STR_NONE, n, true}));
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		put_yes_no(r, flags[i].facet, any[i]);
	put_yes_no(r, "unsure", r->unsure);
}

/* The boxes themselves, and what else there is, stay as they are. */
static struct str extra_of(struct reannotation *r)
{
	static const char *const taken[] = {"image_name", "file_path", "original_class", "reannotated_labels"};
	struct buf *out = &r->s.details;

	for (size_t i = 0; i < r->s.row.cells.n; i++) {
		const struct cell *c = &r->s.row.cells.v[i];
		struct str name = rows_name(&r->s.rows, c->column);
		bool known = c->type == CELL_NULL;

		for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
			known |= str_eqz(name, taken[k]);
		if (known)
			continue;
		buf_ch(out, out->n ? ',' : '{');
		json_quote(out, name);
		buf_ch(out, ':');
		cell_json(out, c);
	}
	if (out->n)
		buf_ch(out, '}');
	return buf_view(out);
}

static enum status take(struct stored *s, struct err *err)
{
	struct reannotation *r = (struct reannotation *)s;
	struct str path = cell_text(cell_of(r, "file_path"));
	struct rec_truth truths[2] = {{.layer = STR("original")}, {.layer = r->layer}};
	struct rec_sample rec = {.src = s->row.src, .media = MEDIA_IMAGE, .paths = &path, .n_paths = 1,
				 .truths = truths, .creates = true, .declares = true};
	struct refs original, labels;

	if (!path.n)
		path = cell_text(cell_of(r, "image_name"));
	path = path_with_slashes(&s->row.arena, path);
	if (!path.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "file_path",
			   "expected the image's name, got nothing");
		return OK;
	}
	rec.key = imagenet_key(path);
	original = labels_of(r, "original_class");
	r->unsure = false;
	labels = labels_of(r, "reannotated_labels");
	if (original.known && original.n) {
		truths[0].refs = original.v;
		truths[0].n_refs = 1; /* the first one, as the authors' reader has it */
		rec.n_truths = 1;
	}
	if (labels.known)
		truths[rec.n_truths++] = (struct rec_truth){.layer = r->layer, .refs = labels.v,
							    .n_refs = labels.n};
	boxes_of(r);
	rec.facets = s->facets.v;
	rec.n_facets = s->facets.n;
	rec.extra = extra_of(r);
	return sink_sample(s->ctx->sink, &rec, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct reannotation *r = xcalloc(1, sizeof *r);
	enum status st = sink_preset(ctx->sink, STR("reimagenet"), err);

	stored_init(&r->s, ctx);
	r->layer = ctx->opt->layer.n ? ctx->opt->layer : STR("reannotated");
	if (!st)
		st = stored_rows(&r->s, take, err);
	stored_release(&r->s);
	free(r);
	return st;
}

const struct reader reader_reannotation = {
    .name = "reannotation",
    .help = "ReImageNet's annotations (reannotation.jsonl)",
    .probe = probe,
    .rank = reader_rank_samples,
    .read = read_file,
};
