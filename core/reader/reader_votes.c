/*
 * votes: a row for each sample, a column for each class, in it how many people chose the class
 * (FER+'s fer2013new.csv, and tables shaped like it). With a model named, by hand or in a column,
 * it is that model's answers: its share, or score, for each class.
 *
 * FER+ goes by the rows of fer2013.csv: some have no picture's name, and a few share one. Those are
 * keyed by their row, "row00017" (from 0), as all are under --map key=row, or where fer2013.csv lies in
 * the same folder: as that file's own rows are (reader_fer2013.c), so that both lie beside each other.
 */
#include <unistd.h>

#include "core/base/path.h"
#include "core/reader/answer.h"
#include "core/reader/guess.h"
#include "core/reader/parrott.h"
#include "core/reader/table.h"

#define COLUMNS_TO_TELL 4 /* that are named after emotions make a table of votes */
#define CLASSES_MAX	256

static const char *const fer_plus[] = {"neutral", "happiness", "surprise", "sadness", "anger",
				       "disgust", "fear",      "contempt", "unknown", "NF"};

static bool is_emotion(struct str name)
{
	static const char *const more[] = {"amusement", "awe", "contentment", "excitement", "other", "none"};
	struct str primary, secondary;

	for (size_t i = 0; i < sizeof fer_plus / sizeof *fer_plus; i++)
		if (str_eq_nocase(name, str_z(fer_plus[i])))
			return true;
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		if (str_eq_nocase(name, str_z(more[i])))
			return true;
	return parrott_find(name, &primary, &secondary) != PARROTT_NONE;
}

/* Of a column's name. */
static bool is_key(struct str name)
{
	enum role role = guess_role(str_trim(name)).role;

	return role == ROLE_KEY || role == ROLE_IMAGE;
}

static int probe(struct str path, struct str head)
{
	struct peek p;
	size_t emotions = 0;
	bool key = false, other = false;
	int score = 0;

	(void)path;
	peek_open(&p, head);
	for (size_t i = 0; i < p.n; i++) {
		enum role role = guess_role(p.name[i]).role;

		emotions += is_emotion(str_trim(p.name[i]));
		other |= role == ROLE_PREDICTION || role == ROLE_RAW || role == ROLE_LABEL;
		key |= is_key(p.name[i]);
	}
	if (p.shape == SHAPE_CSV && !p.headerless && key && !other && emotions >= COLUMNS_TO_TELL)
		score = 96;
	peek_release(&p);
	return score;
}

struct votes_in {
	struct read_ctx *ctx;
	struct rows rows;
	struct intern keys;   /* that were used */
	VEC(uint32_t) column; /* of each class */
	VEC(struct class_ref) refs;
	VEC(double) value;
	VEC(struct rec_number) numbers; /* of a run */
	struct arena arena;
	uint32_t key;                   /* column; UINT32_MAX: by row */
	bool by_row, fer_plus, settled;
	uint64_t row, renamed;
	struct str model; /* of the last row; NULL p: there was none */
	uint32_t run;
};

/* --- which columns --- */

static bool is_votes_column(const struct votes_in *v, const struct row *row, const struct cell *c)
{
	struct str name = rows_name(&v->rows, c->column);
	double number;

	(void)row;
	if (is_emotion(str_trim(name)))
		return true;
	/* By --as, other classes than emotions. */
	return v->ctx->opt->as.n && guess_role(name).role == ROLE_OTHER && cell_number(c, &number);
}

static enum status send_class(struct votes_in *v, const struct row *row, struct str name, struct err *err)
{
	struct rec_class rec = {.src = row->src, .index = -1, .name = str_trim(name)};

	return sink_class(v->ctx->sink, &rec, err);
}

static bool has_fer_plus(const struct votes_in *v, const struct row *row)
{
	for (size_t i = 0; i < sizeof fer_plus / sizeof *fer_plus; i++)
		if (!row_find(&v->rows, row, fer_plus[i]))
			return false;
	return true;
}

static bool is_of_model(const struct votes_in *v, const struct row *row)
{
	return v->ctx->opt->model.n || v->ctx->opt->run.n || row_find(&v->rows, row, "model");
}

static bool lies_beside_fer2013(const struct votes_in *v)
{
	struct str dir = path_dir(str_z(v->ctx->in->path));
	char *folder = xstrndup(dir.p, dir.n), *path = path_join(folder, STR("fer2013.csv"));
	bool there = access(path, F_OK) == 0;

	free(path);
	free(folder);
	if (there)
		report_note(v->ctx->report, "the rows are those of fer2013.csv in the same folder, and have "
			    "their keys");
	return there;
}

/* The first row settles what its columns are. */
static enum status settle(struct votes_in *v, const struct row *row, struct err *err)
{
	struct str mapped = reader_mapped(v->ctx->opt, "key");
	enum status st = OK;

	v->settled = true;
	v->fer_plus = has_fer_plus(v, row);
	v->by_row = str_eqz(mapped, "row") || (v->fer_plus && !mapped.n && lies_beside_fer2013(v));
	v->ctx->report->by_position = v->by_row;
	v->key = UINT32_MAX;
	for (size_t i = 0; i < row->cells.n && !st; i++) {
		const struct cell *c = &row->cells.v[i];
		struct str name = rows_name(&v->rows, c->column);

		if (v->key == UINT32_MAX && (mapped.n ? str_eq_nocase(name, mapped) : is_key(name))) {
			v->key = c->column;
		} else if (is_votes_column(v, row, c) && v->column.n < CLASSES_MAX) {
			vec_push(&v->column, c->column);
			vec_push(&v->refs, ((struct class_ref){.kind = CLASS_BY_NAME,
							       .text = arena_str(&v->arena, str_trim(name))}));
			st = send_class(v, row, name, err);
		}
	}
	if (!st && v->column.n < 2)
		st = err_set(err, E_FORMAT, "there are no columns of votes: a column for each class is wanted");
	if (!st && v->key == UINT32_MAX && !v->by_row)
		st = err_set(err, E_FORMAT, "no column names the sample; --map key=COLUMN says which, "
			     "--map key=row that it is the row");
	return st;
}

/* --- rows --- */

static const struct cell *cell_of(const struct row *row, uint32_t column)
{
	for (size_t i = 0; i < row->cells.n; i++)
		if (row->cells.v[i].column == column)
			return &row->cells.v[i];
	return NULL;
}

static struct str row_key(struct votes_in *v, struct row *row)
{
	return str_z(arena_printf(&row->arena, "row%05llu", (unsigned long long)v->row));
}

/* *name: the picture's, as written. */
static struct str key_of(struct votes_in *v, struct row *row, struct str *name)
{
	const struct cell *c = cell_of(row, v->key);
	size_t known = v->keys.keys.n;

	*name = c ? cell_key(&row->arena, c) : STR_NONE;
	if (v->by_row || !name->n) {
		v->renamed += !v->by_row;
		return row_key(v, row);
	}
	if (v->fer_plus) {
		intern_add(&v->keys, *name);
		if (v->keys.keys.n == known) {
			v->renamed++;
			return row_key(v, row);
		}
	}
	return *name;
}

/* false: reported. */
static bool read_votes(struct votes_in *v, const struct row *row)
{
	double sum = 0;

	vec_clear(&v->value);
	for (size_t k = 0; k < v->column.n; k++) {
		const struct cell *c = cell_of(row, v->column.v[k]);
		double n = 0;

		if (!cell_blank(c) && (!cell_number(c, &n) || n < 0)) {
			report_add(v->ctx->report, PROBLEM_SKIPPED, row->src,
				   rows_name_z(&v->rows, v->column.v[k]), "expected a number of votes");
			return false;
		}
		vec_push(&v->value, n);
		sum += n;
	}
	if (sum > 0)
		return true;
	report_add(v->ctx->report, PROBLEM_SKIPPED, row->src, "", "there is not one vote");
	return false;
}

static enum status send_sample(struct votes_in *v, struct row *row, struct str key, struct str name,
			       struct err *err)
{
	struct str layer = v->fer_plus ? STR("reannotated") : STR("original");
	struct rec_truth truth = {
	    .layer = v->ctx->opt->layer.n ? v->ctx->opt->layer : layer,
	    .refs = v->refs.v,
	    .n_refs = v->refs.n,
	    .votes = v->value.v,
	};
	struct rec_facet usage = {STR("usage"), cell_text(row_find(&v->rows, row, "Usage")), NAN, false};
	/* By rows the pictures are fer2013.csv's own, unless the user says that there are others. */
	bool pictured = looks_like_image(name) && (!v->by_row || v->ctx->opt->images.n);
	struct rec_sample rec = {
	    .src = row->src,
	    .key = key,
	    .media = pictured ? MEDIA_IMAGE : MEDIA_NONE,
	    .paths = &name,
	    .n_paths = pictured,
	    .facets = &usage,
	    .n_facets = usage.value.n > 0,
	    .truths = &truth,
	    .n_truths = 1,
	    .creates = true,
	    .declares = true,
	};

	return sink_sample(v->ctx->sink, &rec, err);
}

static enum status run_of(struct votes_in *v, const struct row *row, uint32_t *run, struct err *err)
{
	const struct read_options *opt = v->ctx->opt;
	struct str model = cell_text(row_find(&v->rows, row, "model"));
	enum status st;
	struct rec_run rec = {
	    .model = opt->model.n ? opt->model : model.n ? model : opt->run,
	    .protocol = opt->protocol,
	    .handle = opt->run,
	    .source = path_base(str_z(v->ctx->in->path)),
	};

	*run = v->run;
	if (v->model.p && str_eq(v->model, rec.model))
		return OK;
	st = sink_run(v->ctx->sink, &rec, &v->run, err);
	v->model = arena_str(&v->arena, rec.model);
	*run = v->run;
	return st;
}

/* The classes with the most are the answer; all shares are numbers, "p_CLASS". */
static enum status send_answer(struct votes_in *v, struct row *row, struct str key, struct err *err)
{
	struct class_ref *top = arena_alloc(&row->arena, v->refs.n * sizeof *top);
	struct rec_prediction rec;
	double best = 0;
	enum status st;

	rec_prediction_init(&rec);
	st = run_of(v, row, &rec.run, err);
	vec_clear(&v->numbers);
	for (size_t k = 0; k < v->refs.n; k++) {
		if (v->value.v[k] > best)
			rec.n_refs = 0;
		best = v->value.v[k] > best ? v->value.v[k] : best;
		if (v->value.v[k] == best && best > 0)
			top[rec.n_refs++] = v->refs.v[k];
		vec_push(&v->numbers,
			 ((struct rec_number){str_z(arena_printf(&row->arena, "p_%.*s", STR_ARG(v->refs.v[k].text))),
					      v->value.v[k]}));
	}
	rec.src = row->src;
	rec.key = key;
	rec.raw = top[0].text;
	rec.outcome = OUTCOME_ANSWERED;
	rec.refs = top;
	rec.numbers = v->numbers.v;
	rec.n_numbers = v->numbers.n;
	return st ? st : sink_prediction(v->ctx->sink, &rec, err);
}

/* --- the file --- */

static enum status take_row(struct votes_in *v, struct row *row, struct err *err)
{
	struct str key, name;
	enum status st = v->settled ? OK : settle(v, row, err);

	if (st)
		return st;
	key = key_of(v, row, &name);
	if (!read_votes(v, row))
		return OK;
	return is_of_model(v, row) ? send_answer(v, row, key, err) : send_sample(v, row, key, name, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct votes_in *v = xcalloc(1, sizeof *v);
	struct row row;
	bool more = true;
	enum status st;

	v->ctx = ctx;
	row_init(&row);
	st = rows_open(&v->rows, ctx, err);
	while (!st && more) {
		st = rows_next(&v->rows, &row, &more, err);
		if (!st && more) {
			st = take_row(v, &row, err);
			v->row++;
		}
	}
	if (!st && v->renamed)
		report_note(ctx->report, "%llu rows have no name, or that of another row: they are keyed by "
			    "their row, as row00017", (unsigned long long)v->renamed);
	row_release(&row);
	rows_release(&v->rows);
	intern_release(&v->keys);
	vec_release(&v->column);
	vec_release(&v->refs);
	vec_release(&v->value);
	vec_release(&v->numbers);
	arena_release(&v->arena);
	free(v);
	return st;
}

const struct reader reader_votes = {
    .name = "votes",
    .help = "a column of votes for each class (FER+, MultiEmo-Bench and their like)",
    .probe = probe,
    .rank = reader_rank_samples,
    .read = read_file,
};
