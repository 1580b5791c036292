/*
 * weasel: WeaselGT, weasels and their relatives labelled anew (356_357_358_359.json): an object by
 * image of old_label, new_label (an index, a list of them, or null), label_type, detailed_labels, and
 * sometimes selected_classes, the names of the indices. Null is a picture that shows none of the
 * classes, but for label_type `uncertain`, where nobody could tell: that one stays unlabelled.
 */
#include "core/reader/stored.h"
#include "core/reader/table.h"

static int probe(struct str path, struct str head)
{
	struct peek p;
	int score;

	(void)path;
	peek_open(&p, head);
	score = p.shape == SHAPE_OBJECT && peek_has(&p, "old_label") && peek_has(&p, "new_label") ? 100 : 0;
	peek_release(&p);
	return score;
}

static enum rank rank(struct str path, struct str head)
{
	(void)path;
	(void)head;
	return RANK_TRUTH;
}

struct weasel {
	struct stored s; /* first */
	struct str layer;
};

/* The names that selected_classes has for the indices. */
static void name_them(struct weasel *w, struct refs *refs)
{
	const struct cell *c = row_find(&w->s.rows, &w->s.row, "selected_classes");
	const cJSON *names = c ? c->json : NULL;
	char index[32];

	for (size_t i = 0; i < refs->n; i++) {
		if (refs->v[i].kind != CLASS_BY_INDEX)
			continue;
		snprintf(index, sizeof index, "%lld", (long long)refs->v[i].index);
		if (json_text(json_get(names, index)).n)
			refs->v[i].text = str_trim(json_text(json_get(names, index)));
	}
}

static struct refs labels_of(struct weasel *w, const char *field)
{
	const struct cell *c = row_find(&w->s.rows, &w->s.row, field);
	struct refs refs = refs_from_cell(&w->s.row.arena, c);

	if (c && !refs.n && !cell_blank(c) && c->type != CELL_LIST)
		report_add(w->s.ctx->report, PROBLEM_WARNING, w->s.row.src, field,
			   "expected a class index, a list of them, or null");
	name_them(w, &refs);
	return refs;
}

static enum status take(struct stored *s, struct err *err)
{
	struct weasel *w = (struct weasel *)s;
	struct str key = path_with_slashes(&s->row.arena, str_trim(s->row.key));
	struct str type = cell_text(row_find(&s->rows, &s->row, "label_type"));
	const struct cell *label = row_find(&s->rows, &s->row, "new_label");
	struct refs old = labels_of(w, "old_label"), now = labels_of(w, "new_label");
	struct rec_truth truths[2];
	struct rec_sample rec = {.src = s->row.src, .key = imagenet_key(key), .media = MEDIA_IMAGE,
				 .paths = &key, .n_paths = 1, .truths = truths, .creates = true};

	if (!key.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "", "expected the image's name as key");
		return OK;
	}
	if (old.n)
		truths[rec.n_truths++] = (struct rec_truth){.layer = STR("original"), .refs = old.v,
							    .n_refs = old.n};
	if (now.n || (label && (cell_blank(label) || label->type == CELL_LIST) &&
		      !str_eq_nocase(type, STR("uncertain"))))
		truths[rec.n_truths++] = (struct rec_truth){.layer = w->layer, .refs = now.v, .n_refs = now.n};
	stored_facet(s, "label_type", type);
	stored_facet(s, "detailed_labels", cell_text(row_find(&s->rows, &s->row, "detailed_labels")));
	rec.facets = s->facets.v;
	rec.n_facets = s->facets.n;
	return sink_sample(s->ctx->sink, &rec, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct weasel *w = xcalloc(1, sizeof *w);
	enum status st;

	stored_init(&w->s, ctx);
	w->layer = ctx->opt->layer.n ? ctx->opt->layer : STR("reannotated");
	st = stored_rows(&w->s, take, err);
	stored_release(&w->s);
	free(w);
	return st;
}

const struct reader reader_weasel = {
    .name = "weasel",
    .help = "WeaselGT: old and new labels by image (JSON)",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
