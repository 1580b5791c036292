#include "core/base/path.h"
#include "core/reader/answer.h"
#include "core/reader/choice.h"
#include "core/reader/generic.h"
#include "core/reader/literal.h"

#define MAX_PATH_BYTES 4096
#define MAX_FACET_TEXT 256

static bool is_nested(const struct cell *c)
{
	return c->type == CELL_LIST || c->type == CELL_OBJECT;
}

static void collect(struct generic *g, struct row *row, const struct cell *c)
{
	struct buf scratch = BUF_INIT;
	struct literal list;
	struct str text = cell_text(c);

	if (is_nested(c)) {
		for (struct cell_item i = {.of = c}; cell_next(&i);) {
			buf_clear(&scratch);
			text = str_trim(i.json ? json_scalar(i.json, &scratch) : i.text);
			if (text.n)
				vec_push(&g->texts, arena_str(&row->arena, text));
		}
		buf_release(&scratch);
	} else if (literal_parse(text, &row->arena, &list)) {
		for (size_t i = 0; i < list.items.n; i++)
			vec_push(&g->texts, list.items.v[i]);
		literal_release(&list);
	} else {
		vec_push(&g->texts, text);
	}
}

/* Every text of a cell that holds one or several: a JSON list, a Python literal, or itself. */
static struct str *texts_of(struct generic *g, struct row *row, const struct cell *c, size_t *n)
{
	struct str text = cell_text(c), *out;
	char first = text.n ? text.p[0] : ' ';

	if (!is_nested(c) && first != '[' && first != '{' && first != '(') {
		out = arena_alloc(&row->arena, sizeof *out);
		*out = text;
		*n = text.n > 0;
		return out;
	}
	collect(g, row, c);
	out = arena_alloc(&row->arena, (g->texts.n + 1) * sizeof *out);
	*n = g->texts.n;
	if (g->texts.n)
		memcpy(out, g->texts.v, g->texts.n * sizeof *out);
	vec_clear(&g->texts);
	return out;
}

static void warn(struct generic *g, const struct row *row, const struct cell *c, const char *what)
{
	report_add(g->ctx->report, PROBLEM_WARNING, row->src, rows_name_z(&g->rows, c->column), "%s",
		   what);
}

static bool is_picture_itself(struct str path)
{
	return path.n >= 5 && memcmp(path.p, "data:", 5) == 0;
}

static void read_paths(struct generic *g, struct row *row, struct rec_sample *out)
{
	const struct cell *c = g->by[ROLE_IMAGE];
	struct str *paths;
	size_t n, kept = 0;

	if (!c)
		return;
	paths = texts_of(g, row, c, &n);
	for (size_t i = 0; i < n; i++) {
		if (paths[i].n > MAX_PATH_BYTES || is_picture_itself(paths[i]))
			warn(g, row, c, "expected a path, got what looks like the picture itself");
		else
			paths[kept++] = path_with_slashes(&row->arena, paths[i]);
	}
	out->paths = paths;
	out->n_paths = kept;
}

static enum media_kind media_of(const struct generic *g, const struct rec_sample *s)
{
	struct str first = s->n_paths ? s->paths[0] : s->key;

	if (looks_like_video(first))
		return MEDIA_VIDEO;
	if (s->n_paths > 1)
		return MEDIA_IMAGES;
	if (s->n_paths || looks_like_image(first) || g->ctx->opt->images.n)
		return MEDIA_IMAGE;
	return MEDIA_NONE;
}

/* In a map of records the member's key is the sample's, unless a field was named for it. */
static struct str key_of(const struct generic *g, struct row *row)
{
	uint32_t column = g->columns.of_role[ROLE_KEY];
	bool named = column != INTERN_NONE && g->columns.use.v[column].mapped;

	return row->key.p && !named ? str_trim(row->key) : cell_key(&row->arena, g->by[ROLE_KEY]);
}

static bool read_identity(struct generic *g, struct row *row, struct rec_sample *out)
{
	read_paths(g, row, out);
	out->key = key_of(g, row);
	if (!out->key.n && out->n_paths)
		out->key = path_stem(path_base(out->paths[0]));
	if (!out->key.n) {
		uint32_t column = g->columns.of_role[ROLE_KEY];

		if (column == INTERN_NONE)
			column = g->columns.of_role[ROLE_IMAGE];
		report_add(g->ctx->report, PROBLEM_SKIPPED, row->src,
			   column == INTERN_NONE ? "key" : rows_name_z(&g->rows, column),
			   "expected the sample's key, got nothing; --map key=COLUMN names one");
		return false;
	}
	out->media = media_of(g, out);
	if (!out->n_paths && (looks_like_image(out->key) || looks_like_video(out->key))) {
		struct str *path = arena_alloc(&row->arena, sizeof *path);

		*path = path_with_slashes(&row->arena, out->key);
		out->paths = path;
		out->n_paths = 1;
	}
	out->key = imagenet_key(out->key);
	return true;
}

static void read_text(struct generic *g, struct row *row, struct rec_sample *out)
{
	const struct cell *statement = g->by[ROLE_STATEMENT], *question = g->by[ROLE_QUESTION];

	out->text = cell_text(statement);
	out->text_kind = out->text.n ? TEXT_STATEMENT : TEXT_NONE;
	if (!out->text.n) {
		out->text = cell_text(question);
		out->text_kind = out->text.n ? TEXT_QUESTION : TEXT_NONE;
	}
	if (g->by[ROLE_OPTIONS])
		out->options = texts_of(g, row, g->by[ROLE_OPTIONS], &out->n_options);
}

static struct refs label_refs(struct generic *g, struct row *row)
{
	struct refs refs = refs_from_cell(&row->arena, g->by[ROLE_LABEL]);
	struct str wnid = cell_text(g->by[ROLE_LABEL_WNID]);
	bool by_name = !refs.n || (refs.n == 1 && refs.v[0].kind == CLASS_BY_NAME);

	if (!g->by[ROLE_LABEL_INDEX] && !wnid.n)
		return refs;
	refs_set_index(&row->arena, &refs, g->by[ROLE_LABEL_INDEX]);
	if (by_name && wnid.n && (!refs.n || refs.v[0].kind == CLASS_BY_NAME)) {
		refs.v = arena_alloc(&row->arena, sizeof *refs.v);
		refs.v[0] = (struct class_ref){.kind = CLASS_BY_WNID, .text = wnid};
		refs.n = 1;
		refs.known = true;
	}
	return refs;
}

static bool add_truth(struct generic *g, struct str layer, const struct refs *refs)
{
	if (!refs->known)
		return true;
	for (size_t i = 0; i < g->truths.n; i++)
		if (str_eq_nocase(g->truths.v[i].layer, layer))
			return false;
	vec_push(&g->truths, ((struct rec_truth){layer, refs->v, refs->n, refs->votes}));
	return true;
}

static void put_extra(struct generic *g, const struct cell *c)
{
	if (c->type == CELL_NULL)
		return;
	if (g->extra.n)
		buf_ch(&g->extra, ',');
	json_quote(&g->extra, rows_name(&g->rows, c->column));
	buf_ch(&g->extra, ':');
	cell_json(&g->extra, c);
}

static void add_number(struct generic *g, struct row *row, const struct cell *c)
{
	struct str name = rows_name(&g->rows, c->column);
	double value;

	if (cell_number(c, &value)) {
		if (g->columns.predictions)
			vec_push(&g->numbers, ((struct rec_number){name, value}));
		else
			vec_push(&g->facets, ((struct rec_facet){name, STR_NONE, value, true}));
	} else if (!cell_blank(c)) {
		warn(g, row, c, "expected a number, as in the first rows");
		put_extra(g, c);
	}
}

static bool lists_values(const struct cell *c)
{
	if (c->type != CELL_LIST)
		return false;
	for (struct cell_item i = {.of = c}; cell_next(&i);)
		if (!i.text.p || i.text.n > MAX_FACET_TEXT)
			return false;
	return true;
}

/* A list of texts: the sample has several values of the facet. */
static void add_values(struct generic *g, const struct cell *c)
{
	for (struct cell_item i = {.of = c}; cell_next(&i);)
		vec_push(&g->facets, ((struct rec_facet){rows_name(&g->rows, c->column),
							 str_trim(i.text), NAN, false}));
}

/* A field that has no role of its own. */
static void add_ordinary(struct generic *g, struct row *row, const struct cell *c,
			 enum column_kind kind)
{
	struct str text = cell_text(c), name = rows_name(&g->rows, c->column);

	if (c->type == CELL_NULL || (c->type == CELL_TEXT && !text.n))
		return;
	if (!str_trim(name).n) { /* a facet without a name is none */
		put_extra(g, c);
		return;
	}
	if (kind == COLUMN_NUMBER && text.p) {
		add_number(g, row, c);
		return;
	}
	if (kind == COLUMN_TEXT && lists_values(c) && !g->columns.predictions) {
		add_values(g, c);
		return;
	}
	if (kind == COLUMN_TEXT && text.n && text.n <= MAX_FACET_TEXT) {
		vec_push(&g->facets, ((struct rec_facet){name, text, NAN, false}));
		/* Where others declare the samples only the prediction's own details are kept. */
		if (!g->columns.predictions)
			return;
	}
	put_extra(g, c);
}

static void read_rest(struct generic *g, struct row *row, const struct rec_sample *sample)
{
	for (size_t i = 0; i < row->cells.n; i++) {
		const struct cell *c = &row->cells.v[i];
		const struct column_use *use = &g->columns.use.v[c->column];

		if (use->role == ROLE_LAYER) {
			struct refs refs = refs_from_cell(&row->arena, c);

			if (sample->n_options)
				choice_refs(refs.v, refs.n, sample->options, sample->n_options);
			if (!add_truth(g, use->guess.layer, &refs))
				put_extra(g, c);
		} else if (use->role == ROLE_JUDGED) {
			put_extra(g, c);
		} else if (use->role == ROLE_OTHER) {
			add_ordinary(g, row, c, columns_kind(&g->columns, c));
		}
	}
}

bool generic_sample(struct generic *g, struct row *row, struct rec_sample *out)
{
	struct str layer = g->ctx->opt->layer.n ? g->ctx->opt->layer : STR("original");
	struct refs refs;

	*out = (struct rec_sample){.src = row->src, .creates = true};
	vec_clear(&g->facets);
	vec_clear(&g->truths);
	vec_clear(&g->numbers);
	buf_clear(&g->extra);
	if (!read_identity(g, row, out))
		return false;
	read_text(g, row, out);
	refs = label_refs(g, row);
	if (out->n_options)
		choice_refs(refs.v, refs.n, out->options, out->n_options);
	add_truth(g, layer, &refs);
	read_rest(g, row, out);
	out->facets = g->facets.v;
	out->n_facets = g->facets.n;
	out->truths = g->truths.v;
	out->n_truths = g->truths.n;
	return true;
}

static size_t aliases_of(struct row *row, struct str full, struct str **out)
{
	struct str *list = arena_alloc(&row->arena, (full.n / 2 + 2) * sizeof *list), part;
	size_t n = 0;

	if (memchr(full.p ? full.p : "", ',', full.n))
		list[n++] = full;
	while (full.p && n < full.n + 1) {
		full = str_cut(full, ',', &part);
		if (str_trim(part).n)
			list[n++] = str_trim(part);
	}
	*out = list;
	return n;
}

enum status generic_class(struct generic *g, const struct rec_class *rec, struct err *err)
{
	struct buf id = BUF_INIT;
	size_t known = g->sent.keys.n;

	buf_printf(&id, "%lld\t", (long long)rec->index);
	buf_str(&id, rec->wnid);
	buf_ch(&id, '\t');
	buf_str(&id, rec->name);
	intern_add(&g->sent, buf_view(&id));
	buf_release(&id);
	return g->sent.keys.n == known ? OK : sink_class(g->ctx->sink, rec, err);
}

static enum status class_of_label(struct generic *g, struct row *row, struct err *err)
{
	struct str name = cell_text(g->by[ROLE_LABEL]), *aliases;
	struct rec_class rec = {.src = row->src, .index = -1, .name = name};
	struct refs refs = label_refs(g, row);

	if (refs.n != 1 || refs.v[0].kind == CLASS_BY_NAME || !name.n ||
	    g->by[ROLE_LABEL]->type != CELL_TEXT)
		return OK;
	if (refs.v[0].kind == CLASS_BY_INDEX)
		rec.index = refs.v[0].index;
	rec.wnid = cell_text(g->by[ROLE_LABEL_WNID]);
	rec.n_aliases = aliases_of(row, cell_text(g->by[ROLE_LABEL_FULL]), &aliases);
	rec.aliases = aliases;
	return generic_class(g, &rec, err);
}

enum status generic_classes(struct generic *g, struct row *row, struct err *err)
{
	bool named = g->by[ROLE_LABEL_INDEX] || g->by[ROLE_LABEL_WNID];

	return named ? class_of_label(g, row, err) : OK;
}
