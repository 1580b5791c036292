/*
 * emotion6: Emotion6's ground_truth.txt, a table parted by tabs whose columns are in brackets:
 * [image_filename] [valence] [arousal] [prob. anger] … [prob. neutral]. The shares of the seven
 * emotions are a layer of votes. The first bracket makes it look like JSON to whatever only looks there.
 */
#include "core/base/utf8.h"
#include "core/reader/emotions.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define N_EMOTIONS  7
#define COLUMNS_MAX 32
#define SUM_AWAY    0.02 /* of shares that are written with six digits */

/* What a column is for: a share of the emotion of that number, or one of these. */
enum { IMAGE = N_EMOTIONS, VALENCE, AROUSAL, OTHER };

static int column_of(struct str name)
{
	struct str inside = str_trim(name);
	size_t emotion;

	if (inside.n < 2 || inside.p[0] != '[' || inside.p[inside.n - 1] != ']')
		return OTHER;
	inside = (struct str){inside.p + 1, inside.n - 2};
	if (str_eqz(inside, "image_filename"))
		return IMAGE;
	if (str_eqz(inside, "valence") || str_eqz(inside, "arousal"))
		return str_eqz(inside, "valence") ? VALENCE : AROUSAL;
	if (!str_starts(inside, STR("prob.")))
		return OTHER;
	emotion = emotions_by_name(&emotions_emotion6, (struct str){inside.p + 5, inside.n - 5});
	return emotion == SIZE_MAX ? OTHER : (int)emotion;
}

static int probe(struct str path, struct str head)
{
	struct str rest = peek_skip_blanks(head), field;
	size_t shares = 0;
	bool image = false;

	(void)path;
	str_cut(rest, '\n', &rest);
	while (rest.p) {
		int what;

		rest = str_cut(rest, '\t', &field);
		what = column_of(field);
		image |= what == IMAGE;
		shares += what < N_EMOTIONS;
	}
	return image && shares > 1 ? 100 : 0;
}

struct emotion6 {
	struct stored s; /* first */
	int column[COLUMNS_MAX];
	struct str cell[OTHER]; /* of the row, by what it is for */
	struct class_ref refs[N_EMOTIONS];
	double share[N_EMOTIONS];
};

static enum status settle(struct emotion6 *e, const struct csv_row *header, struct err *err)
{
	bool image = false;

	for (size_t i = 0; i < COLUMNS_MAX; i++)
		e->column[i] = i < header->n ? column_of(header->field[i]) : OTHER;
	for (size_t i = 0; i < COLUMNS_MAX; i++)
		image |= e->column[i] == IMAGE;
	if (!image)
		return err_set(err, E_FORMAT, "expected a header with [image_filename], parted by tabs");
	for (size_t i = 0; i < N_EMOTIONS; i++)
		e->refs[i] = emotions_ref(&emotions_emotion6, i);
	return emotions_send(&emotions_emotion6, e->s.ctx->sink, (struct src){header->line, header->byte}, err);
}

static void cells_of(struct emotion6 *e, const struct csv_row *row)
{
	memset(e->cell, 0, sizeof e->cell);
	for (size_t i = 0; i < row->n && i < COLUMNS_MAX; i++)
		if (e->column[i] != OTHER)
			e->cell[e->column[i]] = str_trim(row->field[i]);
}

static void add_level(struct emotion6 *e, int what, const char *name)
{
	struct stored *s = &e->s;
	double v;

	if (str_num(e->cell[what], &v))
		vec_push(&s->facets, ((struct rec_facet){str_z(name), STR_NONE, v, true}));
	else if (e->cell[what].n)
		report_add(s->ctx->report, PROBLEM_WARNING, s->row.src, name, "expected a number");
}

/* The sum; negative: a share is none, which is reported. */
static double read_shares(struct emotion6 *e)
{
	double sum = 0;

	memset(e->share, 0, sizeof e->share);
	for (size_t i = 0; i < N_EMOTIONS; i++) {
		if (!e->cell[i].n)
			continue;
		if (!str_num(e->cell[i], &e->share[i]) || e->share[i] < 0) {
			report_add(e->s.ctx->report, PROBLEM_WARNING, e->s.row.src, e->refs[i].text.p,
				   "expected a share of 0 to 1");
			return -1;
		}
		sum += e->share[i];
	}
	if (fabs(sum - 1) > SUM_AWAY)
		report_add(e->s.ctx->report, PROBLEM_WARNING, e->s.row.src, "prob.", "the shares add up to %g", sum);
	return sum;
}

static enum status take(struct emotion6 *e, const struct csv_row *row, struct err *err)
{
	struct stored *s = &e->s;
	struct rec_truth truth = {s->ctx->opt->layer.n ? s->ctx->opt->layer : STR("original"), e->refs, N_EMOTIONS,
				  e->share};
	struct rec_sample rec = {.src = {row->line, row->byte}, .media = MEDIA_IMAGE, .n_paths = 1,
				 .truths = &truth, .creates = true, .declares = true};
	struct str path, folder;
	size_t at;

	stored_next(s, rec.src);
	cells_of(e, row);
	path = e->cell[IMAGE];
	if (!path.n || utf8_fault(path, &at)) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, rec.src, "image_filename", "expected a picture's name");
		return OK;
	}
	path = path_with_slashes(&s->row.arena, path);
	rec.key = path;
	rec.paths = &path;
	add_level(e, VALENCE, "valence");
	add_level(e, AROUSAL, "arousal");
	str_cut(path, '/', &folder);
	if (folder.n < path.n)
		stored_facet(s, "searched", folder);
	rec.n_truths = read_shares(e) > 0;
	rec.facets = s->facets.v;
	rec.n_facets = s->facets.n;
	return sink_sample(s->ctx->sink, &rec, err);
}

/* One row, whether it can be used or not. */
static enum status step(struct emotion6 *e, struct csv *csv, bool *settled, bool *more, struct err *err)
{
	struct err why = ERR_INIT;
	struct csv_row row = {0};
	enum status st = csv_next(csv, &row, more, &why);

	if ((st == E_FORMAT || st == E_LIMIT) && *settled) {
		report_add(e->s.ctx->report, PROBLEM_SKIPPED, (struct src){row.line, row.byte}, "", "%s", why.msg);
		*more = true;
		return OK;
	}
	if (st)
		*err = why;
	if (st || !*more)
		return st;
	if (!*settled) {
		*settled = true;
		return settle(e, &row, err);
	}
	e->s.ctx->report->rows++;
	return take(e, &row, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct emotion6 *e = xcalloc(1, sizeof *e);
	struct csv *csv = csv_new(ctx->in, '\t');
	bool more = true, settled = false;
	enum status st = OK;

	stored_init(&e->s, ctx);
	while (!st && more)
		st = step(e, csv, &settled, &more, err);
	csv_free(csv);
	stored_release(&e->s);
	free(e);
	return st;
}

const struct reader reader_emotion6 = {
    .name = "emotion6",
    .help = "Emotion6: shares of seven emotions, valence and arousal (ground_truth.txt)",
    .probe = probe,
    .rank = reader_rank_samples,
    .read = read_file,
};
