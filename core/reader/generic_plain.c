/*
 * The most usual row by the shortest way: a prediction of one name for a sample that is declared
 * elsewhere, with numbers and a response, and nothing else to be kept. Whatever is not exactly
 * that goes through generic_prediction(), which would make the same record of this row.
 */
#include "core/reader/generic.h"

#define LONGEST_KEY 22 /* longer ones may be names of ImageNet's files, which are cut down */

static bool is_blank(char c)
{
	return (unsigned char)c <= ' ';
}

/* A text with something in it and no blanks around. */
static bool is_trim_text(const struct cell *c)
{
	return c->type == CELL_TEXT && c->text.n && !is_blank(c->text.p[0]) &&
	       !is_blank(c->text.p[c->text.n - 1]);
}

static bool is_empty(const struct cell *c)
{
	return c->type == CELL_NULL || (c->type == CELL_TEXT && !c->text.n);
}

/* No picture's name, and no number that may be written in several ways. */
static bool take_key(const struct cell *c, struct rec_plain *out)
{
	size_t tail = c->text.n < 6 ? c->text.n : 6;

	if (!is_trim_text(c) || c->text.n > LONGEST_KEY ||
	    memchr(c->text.p + c->text.n - tail, '.', tail))
		return false;
	out->key = c->text;
	return true;
}

/* A name, by its first byte: neither list nor number, WordNet id, nor what tools write instead
 * of an answer; and no letter, which may mean an option. */
static bool is_name(const struct cell *c)
{
	return is_trim_text(c) && c->text.n > 1 && !memchr(").]:", c->text.p[1], 4) && !memchr("[({0123456789+-nF", c->text.p[0], 17);
}

/* field: what the cell was made from, NULL when that was no JSON. */
static inline bool number_of(const struct cell *c, const struct flat_field *field, double *out)
{
	return (field && c->type == CELL_NUMBER && field->decimal &&
		cell_decimal(field->digits, field->places, out)) ||
	       cell_number(c, out);
}

static bool take_number(const struct cell *c, const struct flat_field *field, double *out)
{
	return is_empty(c) || number_of(c, field, out);
}

static bool take_whole(const struct cell *c, const struct flat_field *field, int64_t *out)
{
	double value;

	if (is_empty(c))
		return true;
	if (!number_of(c, field, &value) || value < 0 || value >= 1e15 ||
	    value != (double)(int64_t)value)
		return false;
	*out = (int64_t)value;
	return true;
}

static bool take_other(struct generic *g, const struct cell *c, const struct column_use *use)
{
	double value;

	if (is_empty(c))
		return true;
	if (use->kind != COLUMN_NUMBER || !cell_number(c, &value))
		return false;
	vec_push(&g->numbers, ((struct rec_number){rows_name(&g->rows, c->column), value}));
	return true;
}

static bool take_degree(struct generic *g, const struct cell *c)
{
	double value;

	if (is_empty(c))
		return true;
	if (!cell_number(c, &value))
		return false;
	vec_push(&g->numbers, ((struct rec_number){STR("degree"), value}));
	return true;
}

static inline __attribute__((always_inline)) bool take_cell(struct generic *g,
								    const struct cell *c,
								    const struct flat_field *field)
{
	const struct column_use *use = &g->columns.use.v[c->column];
	struct plain *p = &g->plain;

	switch (use->role) {
	case ROLE_KEY:
		return take_key(c, &p->rec);
	case ROLE_PREDICTION:
		p->prediction = c->text;
		return is_name(c);
	case ROLE_RAW:
		p->raw = c->text;
		return c->type == CELL_TEXT || c->type == CELL_NULL;
	case ROLE_MODEL:
		p->model = c->text;
		return is_trim_text(c);
	case ROLE_PROTOCOL:
		p->protocol = c->text;
		return is_trim_text(c);
	case ROLE_RUN:
		p->run = c->text;
		return is_trim_text(c);
	case ROLE_SCORE:
		return take_number(c, field, &p->rec.score);
	case ROLE_LATENCY:
		return take_number(c, field, &p->rec.latency_ms);
	case ROLE_TOKENS:
		return take_whole(c, field, &p->rec.tokens);
	case ROLE_DEGREE:
		return take_degree(g, c);
	case ROLE_BATCH_SIZE:
		return take_whole(c, field, &p->batch_size);
	case ROLE_BATCH_POS:
		return take_whole(c, field, &p->batch_pos);
	case ROLE_QUESTION: /* of the sample, which is declared */
	case ROLE_STATEMENT:
	case ROLE_OPTIONS:
	case ROLE_LABEL:
	case ROLE_LABEL_INDEX:
	case ROLE_LABEL_WNID:
	case ROLE_LABEL_FULL:
	case ROLE_IGNORED:
		return true;
	case ROLE_ERROR:
	case ROLE_REFUSAL:
		return is_empty(c);
	case ROLE_OTHER:
		return take_other(g, c, use);
	default:
		return false;
	}
}

/* As add_cell() in rows.c would make it, but for lists and objects. */
static bool take_field(struct generic *g, struct row *row, const struct flat_field *f)
{
	static const enum cell_type types[] = {[FLAT_NULL] = CELL_NULL,
					       [FLAT_BOOL] = CELL_BOOL,
					       [FLAT_NUMBER] = CELL_NUMBER,
					       [FLAT_STRING] = CELL_TEXT};
	struct cell c = {.column = f->usual, .text = f->raw};

	if (f->type > FLAT_STRING)
		return false;
	c.type = types[f->type];
	if (c.type == CELL_NULL)
		c.text = STR_NONE;
	if (f->type == FLAT_STRING && f->escaped) {
		buf_clear(&g->rows.scratch);
		c.text = arena_str(&row->arena, flat_text(f, &g->rows.scratch));
	}
	return take_cell(g, &c, f);
}

static bool take_row(struct generic *g, struct row *row)
{
	if (g->rows.uncut) {
		for (size_t i = 0; i < g->rows.flat.n; i++)
			if (!take_field(g, row, &g->rows.flat.field[i]))
				return false;
		return true;
	}
	for (size_t i = 0; i < row->cells.n; i++)
		if (!take_cell(g, &row->cells.v[i], NULL))
			return false;
	return true;
}

/* What the response amounts to when the answer in it is known: answer_read(). */
static bool take_answer(struct plain *p)
{
	struct str raw = str_trim(p->raw);

	p->name = (struct class_ref){.kind = CLASS_BY_NAME, .text = p->prediction};
	p->memo = 0;
	p->rec.raw = raw.n ? raw : p->prediction;
	if (raw.n)
		p->rec.extracted = p->prediction;
	return p->rec.raw.p[0] != 'F';
}

static void clear(struct plain *p)
{
	/* One by one: the rest is set by every row that is plain. */
	p->rec.key = p->rec.extracted = STR_NONE;
	p->rec.name = &p->name;
	p->rec.memo = &p->memo;
	p->rec.score = p->rec.latency_ms = NAN;
	p->rec.tokens = -1;
	p->batch_size = p->batch_pos = -1;
	p->raw = p->prediction = p->model = p->protocol = p->run = STR_NONE;
}

static enum status hand_over(struct generic *g, struct err *err)
{
	const struct plain *p = &g->plain;
	struct rec_prediction whole;

	if (!g->numbers.n && p->batch_size < 0 && p->batch_pos < 0)
		return sink_plain(g->ctx->sink, &p->rec, err);
	rec_prediction_of_plain(&p->rec, &whole);
	whole.batch_size = p->batch_size;
	whole.batch_pos = p->batch_pos;
	whole.numbers = g->numbers.v;
	whole.n_numbers = g->numbers.n;
	return sink_prediction(g->ctx->sink, &whole, err);
}

bool generic_plain(struct generic *g, struct row *row, enum status *st, struct err *err)
{
	struct plain *p = &g->plain;
	struct run_words words;

	if (!g->columns.predictions || row->key.p || sink_wants_samples(g->ctx->sink))
		return false;
	clear(p);
	vec_clear(&g->numbers);
	if (!take_row(g, row) || !p->rec.key.p || !p->prediction.p || !take_answer(p))
		return false;
	p->rec.src = row->src;
	words = (struct run_words){p->model, p->protocol, p->run};
	*st = generic_run_of(g, &words, &p->rec.run, err);
	if (*st == OK)
		*st = hand_over(g, err);
	return true;
}
