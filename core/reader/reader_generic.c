/*
 * generic: samples or predictions in JSONL, JSON, CSV or TSV, by the usual names of fields.
 * A file with a field for an answer holds predictions, any other samples. A prediction file that
 * has truths or pictures of its own describes the samples as well (see sink.h).
 */
#include "core/reader/generic.h"
#include "core/reader/recipe.h"
#include "core/reader/table.h"

#define LOOK_AHEAD_MAX_BYTES ((size_t)4 << 20)

static int probe(struct str path, struct str head)
{
	struct peek p;
	bool names_sample = false, more = false;
	int score = 0;

	(void)path;
	peek_open(&p, head);
	if (p.shape != SHAPE_TEXT && (p.shape == SHAPE_CSV || (p.first.n && p.first.p[0] == '{'))) {
		score = p.shape == SHAPE_CSV && p.n < 2 ? 0 : 10;
	}
	for (size_t i = 0; score && i < p.n; i++) {
		enum role role = guess_role(p.name[i]).role;

		if (role == ROLE_KEY || role == ROLE_IMAGE)
			names_sample = true;
		else if (role != ROLE_OTHER && role != ROLE_JUDGED)
			more = true;
	}
	if (score && p.shape == SHAPE_OBJECT) {
		/* The members' keys name the samples, if the members are samples at all. */
		names_sample |= more || looks_like_image(p.first_key);
		score = names_sample ? score : 0;
	}
	if (score && names_sample)
		score = more ? 50 : 30;
	peek_release(&p);
	return score;
}

static enum rank rank(struct str path, struct str head)
{
	struct peek p;
	bool predictions;

	(void)path;
	peek_open(&p, head);
	predictions = guess_is_predictions(p.name, p.n, false);
	peek_release(&p);
	return predictions ? RANK_PREDICTIONS : RANK_SAMPLES;
}

/* Then there are samples already, and their names are not known here. */
bool generic_by_place(const struct generic *g)
{
	return g->ctx->opt->recipe && g->ctx->opt->recipe->join == JOIN_POSITION;
}

/* Rows that lie alike have their roles alike. */
static void find_roles(struct generic *g, const struct row *row)
{
	columns_update(&g->columns);
	if (row->laid == g->by_laid && g->columns.version == g->by_columns)
		return;
	columns_by_role(&g->columns, row, g->by);
	g->by_laid = row->laid;
	g->by_columns = g->columns.version;
}

enum status generic_row(struct generic *g, struct row *row, struct err *err)
{
	struct rec_sample sample;
	struct buf extra = BUF_INIT;
	struct str layer = g->ctx->opt->layer;
	enum status st;

	find_roles(g, row);
	if (g->columns.predictions)
		return generic_prediction(g, row, err);
	if (!generic_sample(g, row, &sample))
		return OK;
	/* Labels alone for a further layer add to samples, they do not make any; a picture's name is
	 * no more than a key, unless there are no samples yet. */
	sample.creates = !layer.n || str_eqz(layer, "original") || sample.text.n || sample.n_options ||
			 (g->by[ROLE_IMAGE] && (g->by[ROLE_KEY] || g->first));
	sample.creates &= !generic_by_place(g);
	if (!sample.creates && !g->by[ROLE_IMAGE]) { /* its name is the key as this file writes it */
		sample.n_paths = 0;
		sample.media = MEDIA_NONE;
	}
	sample.declares = sample.creates;
	if (g->extra.n) {
		buf_ch(&extra, '{');
		buf_str(&extra, buf_view(&g->extra));
		buf_ch(&extra, '}');
		sample.extra = buf_view(&extra);
	}
	st = generic_classes(g, row, err);
	if (!st)
		st = sink_sample(g->ctx->sink, &sample, err);
	buf_release(&extra);
	return st;
}

/* The first rows are held back until they have told what the columns are for. */
static enum status look_ahead(struct generic *g, struct row *first, size_t *n, bool *more,
			      struct err *err)
{
	size_t bytes = 0;

	for (*n = 0; *n < COLUMNS_LOOK_AHEAD && bytes < LOOK_AHEAD_MAX_BYTES; (*n)++) {
		enum status st = rows_next(&g->rows, &first[*n], more, err);

		if (st || !*more)
			return st;
		row_keep(&first[*n]);
		bytes += first[*n].arena.total;
	}
	return OK;
}

/* A path's column is there before any row has it. */
static bool never_seen(const struct rows *rows, struct str name)
{
	for (size_t i = 0; i < rows->reach.list.n; i++) {
		const struct reached *r = &rows->reach.list.v[i];

		if (r->kind == REACH_PATH && str_eq_nocase(rows_name(rows, r->column), name))
			return !rows->seen.v[r->column];
	}
	return false;
}

static void note_unmapped(struct generic *g)
{
	const struct read_options *opt = g->ctx->opt;

	for (size_t i = 0; i < opt->n_map; i++) {
		bool there = columns_of_others(opt->map[i].name);

		for (size_t k = 0; k < g->rows.names.keys.n && !there; k++)
			there = str_eq_nocase(rows_name(&g->rows, (uint32_t)k),
					      str_trim(opt->map[i].value));
		there = there && !never_seen(&g->rows, str_trim(opt->map[i].value));
		if (!there)
			report_note(g->ctx->report, "--map %.*s=%.*s: no row has that field",
				    STR_ARG(opt->map[i].name), STR_ARG(opt->map[i].value));
	}
}

static enum status read_rows(struct generic *g, struct row *first, struct err *err)
{
	bool more = true, scanned = false;
	size_t n;
	enum status st = look_ahead(g, first, &n, &more, err);

	if (!st)
		st = columns_init(&g->columns, &g->rows, g->ctx->opt, first, n, err);
	for (size_t i = 0; i < n && !st; i++)
		st = generic_row(g, &first[i], err);
	if (!st && more)
		st = generic_scan(g, &scanned, err);
	while (!st && more && !scanned) {
		st = rows_next(&g->rows, &first[0], &more, err);
		if (!st && more)
			st = generic_row(g, &first[0], err);
	}
	if (!st)
		note_unmapped(g);
	return st;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct generic g = {.ctx = ctx, .first = sink_wants_samples(ctx->sink)};
	struct row *first = xcalloc(COLUMNS_LOOK_AHEAD, sizeof *first);
	enum status st = rows_open(&g.rows, ctx, err);

	if (!st)
		st = reach_open(&g.rows, err);
	if (!st)
		st = read_rows(&g, first, err);
	for (size_t i = 0; i < COLUMNS_LOOK_AHEAD; i++)
		row_release(&first[i]);
	free(first);
	generic_release(&g);
	return st;
}

const struct reader reader_generic = {
    .name = "generic",
    .help = "samples or predictions in JSONL, JSON, CSV or TSV, by the usual field names",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
