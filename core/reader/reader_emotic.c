/*
 * emotic: EMOTIC in its form as a table, which mat2py.py of Tandon-A/emotic makes of Annotations.mat, a
 * row for each person in a picture: Folder, Filename, Image Size, BBox, Categorical_Labels,
 * Continuous_Labels, Gender, Age. Lists are Python's, in texts:
 * ['Peace', 'Happiness'], [7.0, 3.0, 8.0]. A picture has several people, so that a sample's key is the
 * path and the person's number in it, counted from 0.
 */
#include "core/base/path.h"
#include "core/reader/emotions.h"
#include "core/reader/literal.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define LABELS_MAX 64

static int probe(struct str path, struct str head)
{
	struct peek p;
	bool mine;

	(void)path;
	peek_open(&p, head);
	mine = p.shape == SHAPE_CSV && peek_has(&p, "Filename") && peek_has(&p, "Categorical_Labels") &&
	       peek_has(&p, "Continuous_Labels");
	peek_release(&p);
	return mine ? 100 : 0;
}

struct emotic {
	struct stored s; /* first */
	struct intern paths;
	VEC(uint32_t) people; /* by paths: that were met */
	struct intern others; /* labels that are none of the 26 */
	struct class_ref refs[LABELS_MAX];
	size_t n_refs;
	bool settled;
};

/* --- what is in a row --- */

/* The list in a cell, a JSON one or Python's; a text that is none stands for itself. */
static void list_of(struct emotic *e, const char *column, struct literal *out)
{
	struct stored *s = &e->s;
	const struct cell *c = row_find(&s->rows, &s->row, column);

	*out = (struct literal){.dict = false};
	if (!c || cell_blank(c))
		return;
	if (literal_parse(cell_text(c), &s->row.arena, out))
		return;
	if (cell_text(c).n && cell_text(c).p[0] == '[')
		report_add(s->ctx->report, PROBLEM_WARNING, s->row.src, column, "expected a list");
	else
		vec_push(&out->items, cell_text(c));
}

static enum status other_class(struct emotic *e, struct str name, struct err *err)
{
	struct rec_class rec = {.src = e->s.row.src, .index = -1, .name = name};
	size_t known = e->others.keys.n;

	intern_add(&e->others, name);
	if (e->others.keys.n == known)
		return OK;
	report_note(e->s.ctx->report, "\"%.*s\" is none of the 26 categories: a class of its own",
		    (int)(name.n < 80 ? name.n : 80), name.p);
	return sink_class(e->s.ctx->sink, &rec, err);
}

static bool is_in(const struct emotic *e, struct str name)
{
	for (size_t i = 0; i < e->n_refs; i++)
		if (str_eq_nocase(e->refs[i].text, name))
			return true;
	return false;
}

static enum status read_labels(struct emotic *e, struct err *err)
{
	struct literal list;
	enum status st = OK;

	e->n_refs = 0;
	list_of(e, "Categorical_Labels", &list);
	for (size_t i = 0; i < list.items.n && e->n_refs < LABELS_MAX && !st; i++) {
		struct str name = str_trim(list.items.v[i]);
		size_t class = emotions_by_name(&emotions_emotic, name);

		if (!name.n || is_in(e, name))
			continue;
		if (class == SIZE_MAX)
			st = other_class(e, name, err);
		e->refs[e->n_refs++] = class == SIZE_MAX
					   ? (struct class_ref){.kind = CLASS_BY_NAME, .text = name}
					   : emotions_ref(&emotions_emotic, class);
	}
	literal_release(&list);
	return st;
}

/* Valence, arousal, dominance, 1 to 10. */
static void read_levels(struct emotic *e)
{
	static const char *const names[] = {"valence", "arousal", "dominance"};
	struct stored *s = &e->s;
	struct literal list;
	double v;

	list_of(e, "Continuous_Labels", &list);
	if (list.items.n && list.items.n != 3)
		report_add(s->ctx->report, PROBLEM_WARNING, s->row.src, "Continuous_Labels",
			   "expected three numbers, got %zu", list.items.n);
	for (size_t i = 0; i < 3 && list.items.n == 3; i++) {
		struct cell c = {.type = CELL_TEXT, .text = list.items.v[i]};

		if (cell_number(&c, &v))
			vec_push(&s->facets, ((struct rec_facet){str_z(names[i]), STR_NONE, v, true}));
	}
	literal_release(&list);
}

static struct str path_of(struct emotic *e)
{
	struct stored *s = &e->s;
	struct str folder = cell_text(row_find(&s->rows, &s->row, "Folder"));
	struct str name = cell_text(row_find(&s->rows, &s->row, "Filename"));

	if (!name.n || name.n > 2000 || folder.n > 2000)
		return STR_NONE;
	if (folder.n)
		name = str_z(arena_printf(&s->row.arena, "%.*s/%.*s", STR_ARG(folder), STR_ARG(name)));
	return path_with_slashes(&s->row.arena, name);
}

static struct str key_of(struct emotic *e, struct str path)
{
	size_t known = e->paths.keys.n;
	uint32_t at = intern_add(&e->paths, path);

	if (at == known)
		vec_push(&e->people, 0);
	return str_z(arena_printf(&e->s.row.arena, "%.*s#%u", STR_ARG(path), e->people.v[at]++));
}

static struct str box_of(struct emotic *e)
{
	struct stored *s = &e->s;

	stored_put_text(s, "bbox", cell_text(row_find(&s->rows, &s->row, "BBox")));
	stored_put_text(s, "image_size", cell_text(row_find(&s->rows, &s->row, "Image Size")));
	return s->details.n ? str_z(arena_printf(&s->row.arena, "{%s}", buf_cstr(&s->details))) : STR_NONE;
}

static struct str split_of(struct stored *s)
{
	struct str stem = path_stem(path_base(str_z(s->ctx->in->path)));

	return str_eqz(stem, "train") || str_eqz(stem, "val") || str_eqz(stem, "test") ? stem : STR_NONE;
}

static enum status take(struct stored *s, struct err *err)
{
	struct emotic *e = (struct emotic *)s;
	struct str path = path_of(e);
	struct rec_truth truth = {s->ctx->opt->layer.n ? s->ctx->opt->layer : STR("original"), e->refs, 0, NULL};
	struct rec_sample rec = {.src = s->row.src, .media = MEDIA_IMAGE, .paths = &path, .n_paths = 1,
				 .truths = &truth, .creates = true, .declares = true};
	enum status st = OK;

	if (!e->settled)
		st = emotions_send(&emotions_emotic, s->ctx->sink, s->row.src, err);
	e->settled = true;
	if (!path.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "Filename", "expected a picture's name");
		return st;
	}
	if (!st)
		st = read_labels(e, err);
	read_levels(e);
	stored_facet(s, "gender", cell_text(row_find(&s->rows, &s->row, "Gender")));
	stored_facet(s, "age", cell_text(row_find(&s->rows, &s->row, "Age")));
	stored_facet(s, "split", split_of(s));
	truth.n_refs = e->n_refs;
	rec.n_truths = e->n_refs > 0;
	rec.key = key_of(e, path);
	rec.facets = s->facets.v;
	rec.n_facets = s->facets.n;
	rec.extra = box_of(e);
	return st ? st : sink_sample(s->ctx->sink, &rec, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct emotic *e = xcalloc(1, sizeof *e);
	enum status st;

	stored_init(&e->s, ctx);
	st = stored_rows(&e->s, take, err);
	stored_release(&e->s);
	intern_release(&e->paths);
	intern_release(&e->others);
	vec_release(&e->people);
	free(e);
	return st;
}

const struct reader reader_emotic = {
    .name = "emotic",
    .help = "EMOTIC as a table: 26 categories, valence, arousal, dominance of people in pictures",
    .probe = probe,
    .rank = reader_rank_samples,
    .read = read_file,
};
