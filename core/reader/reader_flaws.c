/*
 * flaws: the corrections of ImageNet's validation labels that "Flaws of ImageNet" (Kisel et al. 2025)
 * brought into one form: id, category, original_label, proposed_labels and, by source, further
 * columns (real.csv, finegrained.csv, multilabel.csv, label_errors.csv); the clean part of them
 * (clean_validation.csv, with `validation`); and the votes that label_errors.csv goes back to
 * (label_err_mturk.json). Indices count from 0.
 *
 * Category X is a picture on which people did not agree: no label is proposed, and none is known, so
 * that it stays unlabelled. Z has an empty set.
 */
#include "core/reader/stored.h"
#include "core/reader/table.h"

static bool is_table(const struct peek *p)
{
	return peek_has(p, "id") && peek_has(p, "original_label") && peek_has(p, "proposed_labels") &&
	       (peek_has(p, "category") || peek_has(p, "validation") || peek_has(p, "manually_validated"));
}

static int probe(struct str path, struct str head)
{
	struct peek p;
	bool mine;

	(void)path;
	peek_open(&p, head);
	mine = p.shape != SHAPE_TEXT &&
	       (is_table(&p) || (peek_has(&p, "given_original_label") && peek_has(&p, "our_guessed_label")));
	peek_release(&p);
	return mine ? 100 : 0;
}

static enum rank rank(struct str path, struct str head)
{
	(void)path;
	(void)head;
	return RANK_TRUTH;
}

struct flaws {
	struct stored s; /* first */
	struct str layer, unclear; /* names */
	struct rec_truth truths[4];
	size_t n_truths;
};

static const struct cell *cell_of(struct flaws *f, const char *name)
{
	return row_find(&f->s.rows, &f->s.row, name);
}

static void put_truth(struct flaws *f, struct str layer, const struct refs *refs)
{
	f->truths[f->n_truths++] = (struct rec_truth){.layer = layer, .refs = refs->v, .n_refs = refs->n};
}

/* false: it is there and no list of classes, which is told; *out is empty. */
static bool labels_of(struct flaws *f, const char *field, struct refs *out)
{
	const struct cell *c = cell_of(f, field);

	*out = refs_from_cell(&f->s.row.arena, c);
	for (size_t i = 0; i < out->n; i++)
		if (out->v[i].kind != CLASS_BY_INDEX) {
			report_add(f->s.ctx->report, PROBLEM_WARNING, f->s.row.src, field,
				   "expected class indices");
			*out = (struct refs){0};
			return false;
		}
	return true;
}

/* What was proposed, and with what was unclear beside it, which ImageNet-M counts as right too. */
static void proposed_of(struct flaws *f)
{
	struct refs proposed, unclear, all = {0};
	bool fine = labels_of(f, "proposed_labels", &proposed);

	if (!fine || !cell_of(f, "proposed_labels") ||
	    (!proposed.n && str_eq_nocase(cell_text(cell_of(f, "category")), STR("X"))))
		return;
	put_truth(f, f->layer, &proposed);
	if (!cell_of(f, "unclear_multi_labels") || !labels_of(f, "unclear_multi_labels", &unclear))
		return;
	all.v = arena_zalloc(&f->s.row.arena, proposed.n + unclear.n + 1, sizeof *all.v);
	for (size_t i = 0; i < proposed.n; i++)
		all.v[all.n++] = proposed.v[i];
	for (size_t i = 0; i < unclear.n; i++)
		all.v[all.n++] = unclear.v[i];
	put_truth(f, f->unclear, &all);
}

/* What confident learning thought of it; the same in both files. */
static void guessed_of(struct flaws *f, const char *field)
{
	struct refs guess;

	if (labels_of(f, field, &guess) && guess.n)
		put_truth(f, STR("cl_label"), &guess);
}

static void put_number(struct flaws *f, const char *name, double value)
{
	vec_push(&f->s.facets, ((struct rec_facet){str_z(name), STR_NONE, value, true}));
}

/* {'given': 5, 'guessed': 0, 'neither': 0, 'both': 0}, printed by Python or in JSON. */
static void votes_of(struct flaws *f)
{
	static const char *const words[][3] = {{"given", "'given':", "mturk_given"},
					       {"guessed", "'guessed':", "mturk_guessed"},
					       {"neither", "'neither':", "mturk_neither"},
					       {"both", "'both':", "mturk_both"}};
	const struct cell *c = cell_of(f, "mturk");
	struct str text = cell_text(c), part;

	for (size_t i = 0; i < 4; i++) {
		size_t at = text.n ? str_find(text, str_z(words[i][1])) : SIZE_MAX;
		int64_t votes;
		double number;

		if (c && c->json && json_number(json_get(c->json, words[i][0]), &number)) {
			put_number(f, words[i][2], number);
		} else if (at != SIZE_MAX) {
			at += strlen(words[i][1]);
			str_cut((struct str){text.p + at, text.n - at}, ',', &part);
			if (part.n && part.p[part.n - 1] == '}')
				part.n--;
			if (str_int(str_trim(part), &votes))
				put_number(f, words[i][2], (double)votes);
		}
	}
}

/* "++*": how many people looked and agreed, and that ReaL does. */
static void validation_of(struct flaws *f)
{
	struct str text = cell_text(cell_of(f, "validation"));
	double people = 0;

	if (!text.n)
		return;
	for (size_t i = 0; i < text.n; i++)
		people += text.p[i] == '+';
	stored_facet(&f->s, "validation", text);
	put_number(f, "agreements", people);
}

static void facets_of(struct flaws *f)
{
	static const char *const yes_no[] = {"manually_validated", "is_problematic"};

	stored_facet(&f->s, "category", cell_text(cell_of(f, "category")));
	for (size_t i = 0; i < 2; i++)
		if (!cell_blank(cell_of(f, yes_no[i])))
			stored_facet(&f->s, yes_no[i], cell_true(cell_of(f, yes_no[i])) ? STR("yes") : STR("no"));
	validation_of(f);
	votes_of(f);
}

/* Labels that people found wrong are no truth of any kind; they are kept as they are. */
static struct str extra_of(struct flaws *f)
{
	static const char *const kept[] = {"wrong_multi_labels", "url"};
	struct buf *out = &f->s.details;

	for (size_t i = 0; i < 2; i++) {
		const struct cell *c = cell_of(f, kept[i]);

		if (cell_blank(c))
			continue;
		buf_ch(out, out->n ? ',' : '{');
		json_quote(out, str_z(kept[i]));
		buf_ch(out, ':');
		cell_json(out, c);
	}
	if (out->n)
		buf_ch(out, '}');
	return buf_view(out);
}

/* 293, as label_err_mturk.json has it, is ILSVRC2012_val_00000293. */
static struct str key_of(struct flaws *f, struct str *path)
{
	struct str id = cell_key(&f->s.row.arena, cell_of(f, "id"));
	int64_t number;

	*path = STR_NONE;
	if (id.n && str_int(id, &number))
		return number < 1 || number > 99999999
			   ? STR_NONE
			   : str_z(arena_printf(&f->s.row.arena, "ILSVRC2012_val_%08d", (int)number));
	*path = path_with_slashes(&f->s.row.arena, id);
	return imagenet_key(*path);
}

static enum status take(struct stored *s, struct err *err)
{
	struct flaws *f = (struct flaws *)s;
	struct str path;
	struct rec_sample rec = {.src = s->row.src, .key = key_of(f, &path), .media = MEDIA_IMAGE,
				 .paths = &path, .truths = f->truths, .creates = true};
	struct refs original;

	if (!rec.key.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "id",
			   "expected the image's name, or its number from 1 on");
		return OK;
	}
	f->n_truths = 0;
	if (labels_of(f, cell_of(f, "original_label") ? "original_label" : "given_original_label", &original) &&
	    original.n)
		put_truth(f, STR("original"), &original);
	proposed_of(f);
	guessed_of(f, cell_of(f, "cl_label") ? "cl_label" : "our_guessed_label");
	facets_of(f);
	rec.n_paths = path.n > 0;
	rec.n_truths = f->n_truths;
	rec.facets = s->facets.v;
	rec.n_facets = s->facets.n;
	rec.extra = extra_of(f);
	return sink_sample(s->ctx->sink, &rec, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct flaws *f = xcalloc(1, sizeof *f);
	enum status st;

	stored_init(&f->s, ctx);
	f->layer = ctx->opt->layer.n ? ctx->opt->layer : STR("reannotated");
	f->unclear = str_z(arena_printf(&f->s.arena, "%.*s+unclear", STR_ARG(f->layer)));
	st = stored_rows(&f->s, take, err);
	stored_release(&f->s);
	free(f);
	return st;
}

const struct reader reader_flaws = {
    .name = "flaws",
    .help = "Flaws of ImageNet: corrections of validation labels (CSV), votes on them (JSON)",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
