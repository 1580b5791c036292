/*
 * ratings: tables of what raters said. Long: a row for each sample and rater, with a value, or
 * with degree, quality and an emotion as MEMO-Bench's annotators gave them. Wide: a row for each
 * sample, a column for each rater, of numbers or of words that are votes.
 */
#include "core/base/path.h"
#include "core/reader/guess.h"
#include "core/reader/ratings.h"
#include "core/reader/table.h"

#define RATERS_TO_TELL 3 /* columns that look like raters make a wide table */

enum what { SAMPLE, RATER, VALUE, DEGREE, QUALITY, VOTE, OTHER, N_WHATS = OTHER };

static const struct {
	const char *name;
	enum what what;
} usual[] = {
    {"sample", SAMPLE},      {"sample_id", SAMPLE},   {"image", SAMPLE},       {"image_id", SAMPLE},
    {"image_name", SAMPLE},  {"img", SAMPLE},         {"item", SAMPLE},        {"item_id", SAMPLE},
    {"stimulus", SAMPLE},    {"key", SAMPLE},         {"id", SAMPLE},          {"filename", SAMPLE},
    {"file_name", SAMPLE},   {"file", SAMPLE},        {"video", SAMPLE},       {"rater", RATER},
    {"rater_id", RATER},     {"annotator", RATER},    {"annotator_id", RATER}, {"subject", RATER},
    {"subject_id", RATER},   {"observer", RATER},     {"observer_id", RATER},  {"volunteer", RATER},
    {"participant", RATER},  {"participant_id", RATER}, {"worker", RATER},     {"worker_id", RATER},
    {"user", RATER},         {"user_id", RATER},      {"value", VALUE},        {"rating", VALUE},
    {"score", VALUE},        {"opinion", VALUE},      {"degree", DEGREE},      {"intensity", DEGREE},
    {"quality", QUALITY},    {"emotion", VOTE},       {"vote", VOTE},          {"label", VOTE},
    {"category", VOTE},
};

static enum what what_of(struct str name)
{
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		if (str_eq_nocase(str_trim(name), str_z(usual[i].name)))
			return usual[i].what;
	return OTHER;
}

/* "rater1", "R 07", "subject_12": a usual word, or its beginning, and a number. */
static bool names_a_rater(struct str name)
{
	static const char *const words[] = {
	    "rater", "r", "annotator", "ann", "a", "subject", "subj", "sub", "s", "observer", "obs", "o",
	    "volunteer", "v", "participant", "p", "worker", "w", "user", "u", "judge", "person", NULL,
	};
	size_t digits = 0;

	name = str_trim(name);
	while (digits < name.n && name.p[name.n - 1 - digits] >= '0' && name.p[name.n - 1 - digits] <= '9')
		digits++;
	if (!digits || digits > 6)
		return false;
	name.n -= digits;
	while (name.n && memchr("_- .#", name.p[name.n - 1], 5))
		name.n--;
	for (const char *const *w = words; *w; w++)
		if (str_eq_nocase(name, str_z(*w)))
			return true;
	return false;
}

static int probe(struct str path, struct str head)
{
	struct peek p;
	bool has[N_WHATS + 1] = {false}, runs = false;
	size_t raters = 0;
	int score = 0;

	(void)path;
	peek_open(&p, head);
	for (size_t i = 0; i < p.n; i++) {
		enum role role = guess_role(p.name[i]).role;

		has[what_of(p.name[i])] = true;
		raters += i > 0 && names_a_rater(p.name[i]);
		runs |= role == ROLE_MODEL || role == ROLE_RUN || role == ROLE_PREDICTION || role == ROLE_RAW;
	}
	if (p.shape == SHAPE_TEXT || !has[SAMPLE] || runs)
		score = 0;
	else if (has[RATER] && (has[VALUE] || has[DEGREE] || has[QUALITY] || has[VOTE]))
		score = 92;
	else if (p.shape == SHAPE_CSV && raters >= RATERS_TO_TELL && raters + 1 == p.n)
		score = 92;
	peek_release(&p);
	return score;
}

static enum rank rank(struct str path, struct str head)
{
	(void)path;
	(void)head;
	return RANK_TRUTH;
}

struct table_in {
	struct read_ctx *ctx;
	struct rows rows;
	struct ratings out;
	VEC(enum what) what;   /* by column */
	VEC(size_t) thing;     /* by column: what is rated there */
	VEC(uint32_t) rater;   /* by column, of a wide table */
	struct str facet;      /* what plain values are of */
	bool wide, decided, words; /* decided: whether a wide table is one of words */
};

/* What is rated, when no column says so: by --map facet=NAME, else by the file's name. */
static struct str facet_of(const struct read_ctx *ctx)
{
	struct str stem = path_stem(path_base(str_z(ctx->in->path)));
	struct str mapped = reader_mapped(ctx->opt, "facet");

	if (mapped.n)
		return mapped;
	if (str_find_nocase(stem, STR("quality")) != SIZE_MAX)
		return STR("quality");
	if (str_find_nocase(stem, STR("degree")) != SIZE_MAX || str_find_nocase(stem, STR("intensity")) != SIZE_MAX ||
	    str_find_nocase(stem, STR("emo")) != SIZE_MAX)
		return STR("degree");
	return STR("mos");
}

/* --map KEY=COLUMN, RATER=, RATING=, LABEL=. */
static enum what mapped_or_usual(const struct table_in *t, struct str name)
{
	static const struct {
		const char *field;
		enum what what;
	} fields[] = {{"key", SAMPLE}, {"image", SAMPLE}, {"rater", RATER}, {"rating", VALUE}, {"label", VOTE}};
	enum what usually = what_of(name);

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		struct str mapped = str_trim(reader_mapped(t->ctx->opt, fields[i].field));

		if (mapped.n && str_eq_nocase(mapped, name))
			return fields[i].what;
		if (mapped.n && usually == fields[i].what)
			usually = OTHER;
	}
	return usually;
}

static size_t thing_of(struct table_in *t, enum what what)
{
	switch (what) {
	case VALUE:
		return ratings_thing(&t->out, t->facet);
	case DEGREE:
		return ratings_thing(&t->out, STR("degree"));
	case QUALITY:
		return ratings_thing(&t->out, STR("quality"));
	default:
		return RATED_MAX;
	}
}

/* The columns of a wide table: its first is the sample, unless another has the name of one. */
static void know_wide(struct table_in *t)
{
	bool named = false;

	for (size_t i = 0; i < t->what.n; i++)
		named |= t->what.v[i] == SAMPLE;
	for (size_t i = 0; i < t->what.n; i++) {
		if (t->what.v[i] == SAMPLE || (i == 0 && !named)) {
			t->what.v[i] = SAMPLE;
			continue;
		}
		t->what.v[i] = RATER;
		t->rater.v[i] = ratings_rater(&t->out, rows_name(&t->rows, (uint32_t)i));
		t->thing.v[i] = ratings_thing(&t->out, t->facet);
	}
}

static void know_columns(struct table_in *t)
{
	bool has[N_WHATS + 1] = {false};

	for (size_t i = 0; i < t->rows.names.keys.n; i++) {
		enum what what = mapped_or_usual(t, rows_name(&t->rows, (uint32_t)i));

		vec_push(&t->what, what);
		vec_push(&t->thing, thing_of(t, what));
		vec_push(&t->rater, INTERN_NONE);
		has[what] = true;
	}
	t->wide = !has[RATER];
	if (t->wide)
		know_wide(t);
	t->out.memo = !t->wide && has[VOTE] && has[DEGREE];
}

/* A JSON row may bring columns that were not there before. */
static void know_late_columns(struct table_in *t)
{
	for (size_t i = t->what.n; i < t->rows.names.keys.n; i++) {
		enum what what = t->wide ? OTHER : mapped_or_usual(t, rows_name(&t->rows, (uint32_t)i));

		vec_push(&t->what, what);
		vec_push(&t->thing, thing_of(t, what));
		vec_push(&t->rater, INTERN_NONE);
	}
}

static enum status take_value(struct table_in *t, const struct row *row, const struct cell *c,
			      uint32_t item, uint32_t rater, struct err *err)
{
	double v;

	if (cell_blank(c))
		return OK;
	if (!cell_number(c, &v)) {
		report_add(t->ctx->report, PROBLEM_WARNING, row->src, rows_name_z(&t->rows, c->column),
			   "expected a rating, a number");
		return OK;
	}
	return ratings_add(&t->out, t->thing.v[c->column], (struct rating){rater, item, v}, row->src, err);
}

static enum status take_word(struct table_in *t, const struct row *row, const struct cell *c,
			     uint32_t item, uint32_t rater, struct err *err)
{
	return cell_blank(c) ? OK : ratings_vote(&t->out, item, rater, cell_text(c), row->src, err);
}

static enum status take_wide(struct table_in *t, struct row *row, uint32_t item, struct err *err)
{
	enum status st = OK;

	for (size_t i = 0; i < row->cells.n && !st; i++) {
		const struct cell *c = &row->cells.v[i];
		double v;

		if (t->what.v[c->column] != RATER || cell_blank(c))
			continue;
		if (!t->decided)
			t->words = !cell_number(c, &v);
		t->decided = true;
		st = t->words ? take_word(t, row, c, item, t->rater.v[c->column], err)
			      : take_value(t, row, c, item, t->rater.v[c->column], err);
	}
	return st;
}

static enum status take_long(struct table_in *t, struct row *row, uint32_t item, struct str who,
			     struct err *err)
{
	uint32_t rater;
	enum status st = OK;

	if (!who.n) {
		report_add(t->ctx->report, PROBLEM_SKIPPED, row->src, "rater", "expected a rater, got nothing");
		return OK;
	}
	rater = ratings_rater(&t->out, who);
	for (size_t i = 0; i < row->cells.n && !st; i++) {
		const struct cell *c = &row->cells.v[i];

		if (t->what.v[c->column] == VOTE)
			st = take_word(t, row, c, item, rater, err);
		else if (t->thing.v[c->column] < RATED_MAX)
			st = take_value(t, row, c, item, rater, err);
	}
	return st;
}

static enum status take_row(struct table_in *t, struct row *row, struct err *err)
{
	struct str sample = STR_NONE, who = STR_NONE;
	uint32_t item;

	know_late_columns(t);
	for (size_t i = 0; i < row->cells.n; i++) {
		const struct cell *c = &row->cells.v[i];

		if (t->what.v[c->column] == SAMPLE && !sample.n)
			sample = cell_key(&row->arena, c);
		else if (t->what.v[c->column] == RATER && !who.n)
			who = cell_key(&row->arena, c);
	}
	if (!sample.n) {
		report_add(t->ctx->report, PROBLEM_SKIPPED, row->src, "sample",
			   "expected the sample's name, got nothing; --map key=COLUMN names the column");
		return OK;
	}
	item = ratings_item(&t->out, sample, row->src);
	return t->wide ? take_wide(t, row, item, err) : take_long(t, row, item, who, err);
}

static enum status read_rows(struct table_in *t, struct err *err)
{
	struct row row;
	bool more = true, first = true;
	enum status st = OK;

	row_init(&row);
	while (!st && more) {
		st = rows_next(&t->rows, &row, &more, err);
		if (!st && more && first)
			know_columns(t);
		first = false;
		if (!st && more)
			st = take_row(t, &row, err);
	}
	row_release(&row);
	return st;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct table_in t = {.ctx = ctx, .facet = facet_of(ctx), .out.ctx = ctx};
	enum status st = rows_open(&t.rows, ctx, err);

	if (!st)
		st = read_rows(&t, err);
	if (!st && t.out.memo)
		st = memo_begin(ctx->sink, err);
	if (!st)
		st = ratings_send(&t.out, err);
	rows_release(&t.rows);
	ratings_release(&t.out);
	vec_release(&t.what);
	vec_release(&t.thing);
	vec_release(&t.rater);
	return st;
}

const struct reader reader_ratings = {
    .name = "ratings",
    .help = "raw ratings or votes by rater, long or sample by rater: mean opinion scores, majorities",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
