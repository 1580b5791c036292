/*
 * memo: MEMO-Bench's annotations. annotation_emo.csv has Image, Score (the degree's mean opinion
 * score) and Distortions (the emotion that most annotators saw); annotation_quality.csv has Image
 * and Quality. A table with all of them, under plainer names, is read as well. What a portrait's
 * prompt asked for is a layer of its own, `prompt`, from a column or by --facet prompt=REGEX.
 */
#include "core/reader/answer.h"
#include "core/reader/memo.h"
#include "core/reader/table.h"

#define MAX_FACET_TEXT 256

enum what { KEY, IMAGE, EMOTION, DEGREE, QUALITY, GENERATOR, PROMPT, OTHER, N_WHATS = OTHER };

static const struct {
	const char *name;
	enum what what;
} usual[] = {
    {"image", IMAGE},          {"image_path", IMAGE},   {"image_name", IMAGE}, {"filename", IMAGE},
    {"file_name", IMAGE},      {"distortions", EMOTION}, {"emotion", EMOTION}, {"score", DEGREE},
    {"degree", DEGREE},        {"quality", QUALITY},    {"generator", GENERATOR}, {"t2i", GENERATOR},
    {"prompt", PROMPT},        {"prompt_emotion", PROMPT}, {"gp", PROMPT},
};

static enum what what_of(struct str name)
{
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		if (str_eq_nocase(str_trim(name), str_z(usual[i].name)))
			return usual[i].what;
	return OTHER;
}

static bool all_known(const struct peek *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (what_of(p->name[i]) == OTHER)
			return false;
	return true;
}

/* The published headers, or names that are all known and say degree and emotion. */
static int probe(struct str path, struct str head)
{
	struct peek p;
	bool has[N_WHATS + 1] = {false};
	int score = 0;

	(void)path;
	peek_open(&p, head);
	for (size_t i = 0; i < p.n; i++)
		has[what_of(p.name[i])] = true;
	if (p.shape != SHAPE_CSV || !has[IMAGE])
		score = 0;
	else if (peek_has(&p, "score") && peek_has(&p, "distortions"))
		score = 100;
	else if (all_known(&p) && (has[QUALITY] || peek_has(&p, "degree")) &&
		 (has[EMOTION] || (p.n == 2 && peek_has(&p, "image"))))
		score = 90;
	peek_release(&p);
	return score;
}

enum kind { KIND_OPEN, KIND_NUMBER, KIND_TEXT }; /* of another column, by its first value */

struct memo {
	struct read_ctx *ctx;
	struct rows rows;
	VEC(enum what) what; /* by column */
	VEC(enum kind) kind;
	const struct cell *by[N_WHATS]; /* of the row at hand */
	VEC(struct rec_facet) facets;
	struct intern others; /* labels beside the six emotions */
	uint64_t failed;
};

static enum what mapped_or_usual(const struct memo *m, struct str name)
{
	static const struct {
		const char *field;
		enum what what;
	} fields[] = {{"key", KEY}, {"image", IMAGE}, {"label", EMOTION}, {"degree", DEGREE}};
	enum what usually = what_of(name);

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		struct str mapped = str_trim(reader_mapped(m->ctx->opt, fields[i].field));

		if (mapped.n && str_eq_nocase(mapped, name))
			return fields[i].what;
		if (mapped.n && usually == fields[i].what)
			usually = OTHER;
	}
	return usually;
}

static void know_columns(struct memo *m)
{
	for (size_t i = m->what.n; i < m->rows.names.keys.n; i++) {
		vec_push(&m->what, mapped_or_usual(m, rows_name(&m->rows, (uint32_t)i)));
		vec_push(&m->kind, KIND_OPEN);
	}
}

static void warn(struct memo *m, const struct row *row, const struct cell *c, const char *why)
{
	report_add(m->ctx->report, PROBLEM_WARNING, row->src, rows_name_z(&m->rows, c->column), "%s", why);
}

/* --- facets --- */

static void add_score(struct memo *m, const struct row *row, const char *facet, const struct cell *c)
{
	double v;

	if (cell_blank(c))
		return;
	if (!cell_number(c, &v)) {
		warn(m, row, c, "expected a mean opinion score, a number");
		return;
	}
	if (v < 0 || v > MEMO_MOS_MAX)
		warn(m, row, c, "a mean opinion score outside of 0 to 5");
	vec_push(&m->facets, ((struct rec_facet){str_z(facet), STR_NONE, v, true}));
}

static void add_text(struct memo *m, struct str facet, struct str text)
{
	if (text.n && text.n <= MAX_FACET_TEXT)
		vec_push(&m->facets, ((struct rec_facet){facet, text, NAN, false}));
}

/* A column that the format does not know. */
static void add_other(struct memo *m, const struct row *row, const struct cell *c)
{
	enum kind *kind = &m->kind.v[c->column];
	struct str name = rows_name(&m->rows, c->column);
	double v = 0;
	bool number = cell_number(c, &v);

	if (cell_blank(c) || !str_trim(name).n)
		return;
	if (*kind == KIND_OPEN)
		*kind = number ? KIND_NUMBER : KIND_TEXT;
	if (*kind == KIND_TEXT)
		add_text(m, name, cell_text(c));
	else if (number)
		vec_push(&m->facets, ((struct rec_facet){name, STR_NONE, v, true}));
	else
		warn(m, row, c, "expected a number, as in the first rows");
}

static void read_facets(struct memo *m, const struct row *row)
{
	vec_clear(&m->facets);
	add_score(m, row, "degree", m->by[DEGREE]);
	add_score(m, row, "quality", m->by[QUALITY]);
	add_text(m, STR("generator"), cell_text(m->by[GENERATOR]));
	for (size_t i = 0; i < row->cells.n; i++)
		if (m->what.v[row->cells.v[i].column] == OTHER)
			add_other(m, row, &row->cells.v[i]);
}

/* --- truths --- */

static bool says_failed(struct str text)
{
	return str_eq_nocase(text, STR("failed")) || str_eq_nocase(text, STR("failure")) ||
	       str_eq_nocase(text, STR("fail"));
}

/* A label that is none of the six is a class of its own. */
static enum status emotion_of(struct memo *m, const struct row *row, struct str text, struct class_ref *out,
			      struct err *err)
{
	struct rec_class rec = {.src = row->src, .index = -1, .name = text};
	size_t known = m->others.keys.n;
	struct str emotion = memo_emotion(text);

	*out = (struct class_ref){.kind = CLASS_BY_NAME, .text = emotion.n ? emotion : text};
	if (emotion.n)
		return OK;
	intern_add(&m->others, text);
	if (m->others.keys.n == known)
		return OK;
	report_note(m->ctx->report, "\"%.*s\" is none of the six emotions: a class of its own",
		    (int)(text.n < 80 ? text.n : 80), text.p);
	return sink_class(m->ctx->sink, &rec, err);
}

static enum status read_truths(struct memo *m, const struct row *row, struct class_ref refs[2],
			       struct rec_truth truths[2], struct rec_sample *out, struct err *err)
{
	struct str label = cell_text(m->by[EMOTION]), prompt = cell_text(m->by[PROMPT]);
	struct str asked = memo_emotion(prompt), layer = m->ctx->opt->layer;
	enum status st = OK;

	out->truths = truths;
	if (m->by[EMOTION] && (cell_blank(m->by[EMOTION]) || says_failed(label))) {
		m->failed++;
	} else if (label.n) {
		st = emotion_of(m, row, label, &refs[0], err);
		truths[out->n_truths++] = (struct rec_truth){layer.n ? layer : STR("original"), &refs[0], 1, NULL};
	}
	if (asked.n) {
		refs[1] = (struct class_ref){.kind = CLASS_BY_NAME, .text = asked};
		truths[out->n_truths++] = (struct rec_truth){STR("prompt"), &refs[1], 1, NULL};
	} else if (prompt.n) {
		out->text = prompt;
		out->text_kind = TEXT_QUESTION;
	}
	return st;
}

/* --- rows --- */

static enum status take_row(struct memo *m, struct row *row, struct err *err)
{
	struct class_ref refs[2];
	struct rec_truth truths[2];
	struct rec_sample rec = {.src = row->src, .media = MEDIA_IMAGE, .creates = true, .declares = true};
	struct str path;
	enum status st;

	know_columns(m);
	memset(m->by, 0, sizeof m->by);
	for (size_t i = 0; i < row->cells.n; i++)
		if (m->what.v[row->cells.v[i].column] != OTHER)
			m->by[m->what.v[row->cells.v[i].column]] = &row->cells.v[i];
	path = cell_text(m->by[IMAGE] || !looks_like_image(cell_text(m->by[KEY])) ? m->by[IMAGE] : m->by[KEY]);
	path = path_with_slashes(&row->arena, path);
	rec.key = m->by[KEY] ? cell_key(&row->arena, m->by[KEY]) : memo_key(path);
	if (!rec.key.n) {
		report_add(m->ctx->report, PROBLEM_SKIPPED, row->src, "Image", "expected a picture's name, got nothing");
		return OK;
	}
	rec.paths = &path;
	rec.n_paths = path.n > 0;
	read_facets(m, row);
	rec.facets = m->facets.v;
	rec.n_facets = m->facets.n;
	st = read_truths(m, row, refs, truths, &rec, err);
	return st ? st : sink_sample(m->ctx->sink, &rec, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct memo m = {.ctx = ctx};
	struct row row;
	bool more = true;
	enum status st = rows_open(&m.rows, ctx, err);

	row_init(&row);
	if (!st)
		st = memo_begin(ctx->sink, err);
	while (!st && more) {
		st = rows_next(&m.rows, &row, &more, err);
		if (!st && more)
			st = take_row(&m, &row, err);
	}
	if (!st && m.failed)
		report_note(ctx->report, "rows without an emotion, as where generation failed, which have no label: %llu",
			    (unsigned long long)m.failed);
	row_release(&row);
	rows_release(&m.rows);
	vec_release(&m.what);
	vec_release(&m.kind);
	vec_release(&m.facets);
	intern_release(&m.others);
	return st;
}

const struct reader reader_memo = {
    .name = "memo",
    .help = "MEMO-Bench's annotations: emotion, degree and quality of generated portraits",
    .probe = probe,
    .rank = reader_rank_samples,
    .read = read_file,
};
