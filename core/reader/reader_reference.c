/*
 * reference: figures of people or of a paper, to stand beside runs. A row a model (or generator, or
 * "Human average"), a column a figure:
 *
 *   model,S+,S-,total        the accuracy of a group of samples; A, all, total, overall: of all
 *   …,A_original,S@prompt    under another truth than the lens's; right_under_both: under both
 *   …,srcc,avg_step,oop      other numbers, by the names of metrics[]
 *   …,task                   where a model has several rows, the group; else a part of the name
 *
 * or a row a figure: name, value, and metric, group, layer where there are any. Shares are 0 … 1, or
 * percent when one of the file is above 1; --map unit=percent or unit=share decides it. Other words of
 * --map: name, group, metric (what columns of groups hold), value, layer.
 */
#include <math.h>
#include <stdio.h>

#include "core/base/path.h"
#include "core/reader/guess.h"
#include "core/reader/rows.h"
#include "core/reader/table.h"

#define FIGURES_MAX 100000

static const char *const name_names[] = {"model", "generator", "reference", "annotator", "human",
					 "method", "name", NULL};
static const char *const group_names[] = {"group", "task", "mme_task", "protocol", NULL};
static const char *const metric_names[] = {"metric", NULL};
static const char *const value_names[] = {"value", NULL};
static const char *const layer_names[] = {"layer", "truth", NULL};
/* Told of a model, not measured on it. */
static const char *const told_names[] = {"params", "size", "llm_size", "audio", "video", "text", "year",
					 "source", "url", "date", "notes", "rank", NULL};

static const struct metric {
	const char *name, *means;
	bool share;
} metrics[] = {
    {"accuracy", "accuracy", true}, {"acc", "accuracy", true},
    {"right_under_both", "accuracy@both", true}, {"both", "accuracy@both", true},
    {"oop", "oop", true}, {"oop_rate", "oop", true}, {"partial", "oop_partial", true},
    {"alias", "oop_alias", true}, {"abstain", "oop_abstain", true}, {"wrong", "oop_wrong", true},
    {"oop_partial", "oop_partial", true}, {"oop_alias", "oop_alias", true},
    {"oop_abstain", "oop_abstain", true}, {"oop_wrong", "oop_wrong", true},
    {"positive", "positive", true}, {"positive_ratio", "positive", true},
    {"give_up", "give_up", true}, {"give_up_ratio", "give_up", true},
    {"tpr", "tpr", true}, {"tnr", "tnr", true}, {"precision", "precision", true},
    {"recall", "recall", true}, {"f1", "f1", true}, {"rec_s", "rec_s", true},
    {"rea_s", "rea_s", true}, {"cot_s", "cot_s", true}, {"d_prime", "d_prime", false},
    {"criterion", "criterion", false}, {"srcc", "srcc", false}, {"plcc", "plcc", false},
    {"krcc", "krcc", false}, {"rmse", "rmse", false}, {"steps", "steps", false},
    {"avg_step", "steps", false}, {"avg_steps", "steps", false}, {"tokens", "tokens", false},
    {"avg_token", "tokens", false}, {"avg_tokens", "tokens", false}, {"n", "n", false},
    {"images", "n", false},
};

static const char *const all_names[] = {"a", "all", "total", "overall", "average", "mean", NULL};
static const char *const layer_ends[][2] = {
    {"original", "original"}, {"reannotated", "reannotated"}, {"prompt", "prompt"}, {"mine", "mine"},
    {"imgt", "original"},     {"regt", "reannotated"},
};

static bool is_one_of(struct str s, const char *const *names)
{
	for (; *names; names++)
		if (str_eq_nocase(s, str_z(*names)))
			return true;
	return false;
}

/* --- is it one? --- */

static int probe(struct str path, struct str head)
{
	struct peek p;
	bool sample = false;
	int score = 0;

	(void)path;
	peek_open(&p, head);
	for (size_t i = 0; i < p.n; i++) {
		enum role role = is_one_of(p.name[i], told_names) ? ROLE_OTHER : guess_role(p.name[i]).role;

		sample |= role == ROLE_KEY || role == ROLE_IMAGE || role == ROLE_QUESTION ||
			  role == ROLE_STATEMENT || role == ROLE_PREDICTION || role == ROLE_RAW ||
			  role == ROLE_LABEL || role == ROLE_OPTIONS || role == ROLE_ANSWER;
	}
	if (p.shape == SHAPE_CSV && !p.headerless && p.n > 1 && !sample &&
	    (is_one_of(p.name[0], name_names) || peek_has(&p, "model") || peek_has(&p, "generator")))
		score = 70;
	peek_release(&p);
	return score;
}

static enum rank rank(struct str path, struct str head)
{
	(void)path;
	(void)head;
	return RANK_REFERENCES;
}

/* --- columns --- */

enum use { USE_UNKNOWN, USE_NAME, USE_GROUP, USE_METRIC, USE_VALUE, USE_LAYER, USE_TOLD, USE_FIGURE };

struct figure {
	struct src src;
	struct str name, group, part; /* part: of the row's group column */
	struct str metric;
	bool share;
	double value;
};

struct reading {
	struct read_ctx *ctx;
	struct rows rows;
	struct arena arena;
	VEC(enum use) use; /* by column */
	VEC(struct figure) figures;
	bool percent, several; /* a share is above 1; a name has rows of several parts */
};

static enum use mapped_use(const struct read_options *opt, struct str name)
{
	static const struct {
		const char *word;
		enum use use;
	} words[] = {{"name", USE_NAME}, {"group", USE_GROUP}, {"value", USE_VALUE}, {"layer", USE_LAYER}};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_eq_nocase(reader_mapped(opt, words[i].word), name))
			return words[i].use;
	return USE_UNKNOWN;
}

static bool has_use(const struct reading *r, enum use use)
{
	for (size_t i = 0; i < r->use.n; i++)
		if (r->use.v[i] == use)
			return true;
	return false;
}

static enum use use_of(const struct reading *r, struct str name)
{
	enum use use = mapped_use(r->ctx->opt, name);

	if (use != USE_UNKNOWN)
		return use;
	if (is_one_of(name, name_names) && !has_use(r, USE_NAME))
		return USE_NAME;
	if (is_one_of(name, group_names) && !has_use(r, USE_GROUP))
		return USE_GROUP;
	if (is_one_of(name, metric_names))
		return USE_METRIC;
	if (is_one_of(name, value_names))
		return USE_VALUE;
	if (is_one_of(name, layer_names))
		return USE_LAYER;
	return is_one_of(name, told_names) ? USE_TOLD : USE_FIGURE;
}

/* Without a usual name the first column is the names'. */
static enum status know_columns(struct reading *r, struct err *err)
{
	while (r->use.n < r->rows.names.keys.n) {
		enum use use = use_of(r, rows_name(&r->rows, (uint32_t)r->use.n));

		vec_push(&r->use, use);
	}
	if (!r->use.n)
		return err_set(err, E_FORMAT, "expected a column of names and columns of figures");
	if (!has_use(r, USE_NAME))
		r->use.v[0] = USE_NAME;
	return OK;
}

/* --- what a column is called --- */

/* A letter alone is as it is written: N is a category, n a number. */
static const struct metric *metric_of(struct str name)
{
	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
		if (name.n == 1 ? str_eqz(name, metrics[i].name) : str_eq_nocase(name, str_z(metrics[i].name)))
			return &metrics[i];
	return NULL;
}

/* "A_original", "S@prompt" → "A", "original". */
static struct str cut_layer(struct str name, struct str *layer)
{
	struct str head, tail = str_cut(name, '@', &head);

	*layer = STR_NONE;
	if (tail.n) {
		*layer = tail;
		return head;
	}
	for (size_t i = 0; i < sizeof layer_ends / sizeof *layer_ends; i++) {
		size_t n = strlen(layer_ends[i][0]);

		if (name.n > n + 1 && name.p[name.n - n - 1] == '_' &&
		    str_ends_nocase(name, str_z(layer_ends[i][0]))) {
			*layer = str_z(layer_ends[i][1]);
			return (struct str){name.p, name.n - n - 1};
		}
	}
	return name;
}

/* What columns of groups hold: --map metric=WORD, what the file is called (regt_oop_rate.csv), else
 * the accuracy. */
static const struct metric *metric_of_groups(const struct reading *r)
{
	struct str word = reader_mapped(r->ctx->opt, "metric");
	struct str stem = path_stem(path_base(str_z(r->ctx->in->path)));
	const struct metric *m = word.n ? metric_of(word) : NULL;

	for (size_t i = 0; i < stem.n && !m && !word.n; i++)
		if (i == 0 || stem.p[i - 1] == '_' || stem.p[i - 1] == '-')
			m = metric_of((struct str){stem.p + i, stem.n - i});
	return m ? m : &metrics[0];
}

static struct str with_layer(struct reading *r, const char *metric, struct str layer)
{
	if (!layer.n || strcmp(metric, "accuracy") != 0)
		return str_z(metric);
	return str_z(arena_printf(&r->arena, "accuracy@%.*s", (int)(layer.n < 200 ? layer.n : 200), layer.p));
}

/* Generators are judged by what the prompt asked for. */
static bool is_of_generators(const struct reading *r)
{
	for (size_t i = 0; i < r->use.n; i++)
		if (r->use.v[i] == USE_NAME)
			return str_eq_nocase(rows_name(&r->rows, (uint32_t)i), STR("generator"));
	return false;
}

static void name_figure(struct reading *r, struct str column, struct figure *f)
{
	struct str layer, base = cut_layer(column, &layer);
	const struct metric *m = metric_of(base);

	f->group = m || is_one_of(base, all_names) ? STR("all") : base;
	if (!m)
		m = metric_of_groups(r);
	if (!layer.n && is_of_generators(r))
		layer = STR("prompt");
	f->share = m->share;
	f->metric = with_layer(r, m->means, layer);
}

/* A row a figure. */
static void name_row(struct reading *r, struct str metric, struct str layer, struct figure *f)
{
	const struct metric *m = metric.n ? metric_of(metric) : metric_of_groups(r);

	f->group = f->part.n && !is_one_of(f->part, all_names) ? f->part : STR("all");
	f->part = STR_NONE;
	f->share = !m || m->share;
	f->metric = m ? with_layer(r, m->means, layer) : metric;
}

/* --- rows --- */

static enum status keep(struct reading *r, const struct figure *f, struct err *err)
{
	struct figure copy = *f;

	if (r->figures.n >= FIGURES_MAX)
		return err_set(err, E_LIMIT, "more than %d figures in one file", FIGURES_MAX);
	copy.name = arena_str(&r->arena, f->name);
	copy.group = arena_str(&r->arena, f->group);
	copy.part = arena_str(&r->arena, f->part);
	copy.metric = arena_str(&r->arena, f->metric);
	r->percent |= f->share && f->value > 1;
	vec_push(&r->figures, copy);
	return OK;
}

static struct str text_of(const struct reading *r, const struct row *row, enum use use)
{
	for (size_t i = 0; i < row->cells.n; i++)
		if (row->cells.v[i].column < r->use.n && r->use.v[row->cells.v[i].column] == use)
			return cell_text(&row->cells.v[i]);
	return STR_NONE;
}

static bool is_nothing(const struct cell *c)
{
	struct str text = cell_text(c);

	return cell_blank(c) || str_eqz(text, "-") || str_eqz(text, "--");
}

static enum status take_row(struct reading *r, const struct row *row, struct err *err)
{
	struct figure f = {.src = row->src, .name = text_of(r, row, USE_NAME), .part = text_of(r, row, USE_GROUP)};
	struct str metric = text_of(r, row, USE_METRIC), layer = text_of(r, row, USE_LAYER);
	bool tall = has_use(r, USE_VALUE);
	enum status st = OK;

	if (!f.name.n) {
		report_add(r->ctx->report, PROBLEM_SKIPPED, row->src, "name", "expected a name, got nothing");
		return OK;
	}
	for (size_t i = 0; i < row->cells.n && st == OK; i++) {
		const struct cell *c = &row->cells.v[i];

		if (r->use.v[c->column] != (tall ? USE_VALUE : USE_FIGURE) || is_nothing(c))
			continue;
		if (!cell_number(c, &f.value) || !isfinite(f.value)) {
			report_add(r->ctx->report, PROBLEM_WARNING, row->src, rows_name_z(&r->rows, c->column),
				   "expected a number; it is left out");
			continue;
		}
		if (tall)
			name_row(r, metric, layer, &f);
		else
			name_figure(r, rows_name(&r->rows, c->column), &f);
		st = keep(r, &f, err);
	}
	return st;
}

/* --- all of them --- */

/* Does a name have rows of several parts? Then the part is the group, else it belongs to the name. */
static void compare_parts(struct reading *r)
{
	struct intern names = INTERN_INIT;
	VEC(struct str) first = {0};

	for (size_t i = 0; i < r->figures.n; i++) {
		const struct figure *f = &r->figures.v[i];
		uint32_t id = intern_add(&names, f->name);

		if (id == first.n)
			vec_push(&first, f->part);
		else
			r->several |= !str_eq(first.v[id], f->part);
	}
	vec_release(&first);
	intern_release(&names);
}

/* 70.7 is 0.707, without what the division adds at its end. */
static double of_hundred(double percent)
{
	char text[40];
	double share = percent / 100, short_one;

	snprintf(text, sizeof text, "%.15g", share);
	return str_num(str_z(text), &short_one) ? short_one : share;
}

static enum status send_one(struct reading *r, const struct figure *f, struct err *err)
{
	struct rec_reference rec = {.src = f->src, .name = f->name, .group = f->group,
				    .metric = f->metric, .value = f->value};

	if (f->share && r->percent)
		rec.value = of_hundred(f->value);
	if (f->part.n && r->several && str_eqz(f->group, "all"))
		rec.group = f->part;
	else if (f->part.n)
		rec.name = str_z(arena_printf(&r->arena, "%.*s %.*s", (int)(f->name.n < 500 ? f->name.n : 500),
					      f->name.p, (int)(f->part.n < 200 ? f->part.n : 200), f->part.p));
	return sink_reference(r->ctx->sink, &rec, err);
}

static enum status send_all(struct reading *r, struct err *err)
{
	struct str unit = reader_mapped(r->ctx->opt, "unit"), metric = reader_mapped(r->ctx->opt, "metric");
	enum status st = OK;

	if (unit.n && !str_eqz(unit, "percent") && !str_eqz(unit, "share"))
		return err_set(err, E_USAGE, "--map unit=… takes percent or share");
	if (unit.n)
		r->percent = str_eqz(unit, "percent");
	if (metric.n && !metric_of(metric))
		return err_set(err, E_USAGE, "--map metric=%.*s: figures are of accuracy, oop, srcc and the like",
			       (int)(metric.n < 60 ? metric.n : 60), metric.p);
	compare_parts(r);
	for (size_t i = 0; i < r->figures.n && st == OK; i++)
		st = send_one(r, &r->figures.v[i], err);
	return st;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct reading r = {.ctx = ctx};
	struct row row;
	bool more = true;
	enum status st = rows_open(&r.rows, ctx, err);

	row_init(&row);
	while (st == OK && more) {
		st = rows_next(&r.rows, &row, &more, err);
		if (st == OK && more)
			st = know_columns(&r, err);
		if (st == OK && more)
			st = take_row(&r, &row, err);
	}
	if (st == OK)
		st = send_all(&r, err);
	row_release(&row);
	rows_release(&r.rows);
	vec_release(&r.use);
	vec_release(&r.figures);
	arena_release(&r.arena);
	return st;
}

const struct reader reader_reference = {
    .name = "reference",
    .help = "figures of people or of a paper: a row a model, a column a group of samples",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
