/*
 * The most usual row by the shortest way: a prediction of one name for a sample that is declared
 * elsewhere, with numbers and a response, and nothing else to be kept. Whatever is not exactly
 * that goes through generic_prediction(), which would make the same record of this row.
 */
#include "core/reader/generic.h"

#define LONGEST_KEY 22 /* longer ones may be names of ImageNet's files, which are cut down */

#define NAME_FIRST  1 /* begins what is no name */
#define NAME_SECOND 2
#define MISSES_MAX  8
#define LEFT_ALONE  256 /* lines */

static const uint8_t signs[256] = {
    ['['] = NAME_FIRST, ['('] = NAME_FIRST, ['{'] = NAME_FIRST, ['+'] = NAME_FIRST,
    ['-'] = NAME_FIRST, ['n'] = NAME_FIRST, ['F'] = NAME_FIRST, ['0'] = NAME_FIRST,
    ['1'] = NAME_FIRST, ['2'] = NAME_FIRST, ['3'] = NAME_FIRST, ['4'] = NAME_FIRST,
    ['5'] = NAME_FIRST, ['6'] = NAME_FIRST, ['7'] = NAME_FIRST, ['8'] = NAME_FIRST,
    ['9'] = NAME_FIRST, [')'] = NAME_SECOND, ['.'] = NAME_SECOND, [']'] = NAME_SECOND,
    [':'] = NAME_SECOND,
};

static bool is_blank(char c)
{
	return (unsigned char)c <= ' ';
}

/* Something in it and no blanks around. */
static inline bool is_trim(struct str s)
{
	return s.n && !is_blank(s.p[0]) && !is_blank(s.p[s.n - 1]);
}

static bool is_trim_text(const struct cell *c)
{
	return c->type == CELL_TEXT && is_trim(c->text);
}

static bool is_empty(const struct cell *c)
{
	return c->type == CELL_NULL || (c->type == CELL_TEXT && !c->text.n);
}

/* No picture's name, and no number that may be written in several ways. */
static inline bool is_key(struct str s)
{
	size_t tail = s.n < 6 ? s.n : 6;
	bool point = false;

	for (size_t i = 1; i <= tail; i++)
		point |= s.p[s.n - i] == '.';
	return is_trim(s) && s.n <= LONGEST_KEY && !point;
}

/* A name, by its first byte: neither list nor number, WordNet id, nor what tools write instead
 * of an answer; and no letter, which may mean an option. */
static inline bool is_name(struct str s)
{
	return is_trim(s) && s.n > 1 && !(signs[(unsigned char)s.p[1]] & NAME_SECOND) &&
	       !(signs[(unsigned char)s.p[0]] & NAME_FIRST);
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
		p->rec->key = c->text;
		return c->type == CELL_TEXT && is_key(c->text);
	case ROLE_PREDICTION:
		p->prediction = c->text;
		return c->type == CELL_TEXT && is_name(c->text);
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
		return take_number(c, field, &p->rec->score);
	case ROLE_LATENCY:
		return take_number(c, field, &p->rec->latency_ms);
	case ROLE_TOKENS:
		return take_whole(c, field, &p->rec->tokens);
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
	p->rec->raw = raw.n ? raw : p->prediction;
	if (raw.n)
		p->rec->extracted = p->prediction;
	return p->rec->raw.p[0] != 'F';
}

static void clear(struct plain *p, struct sink *sink)
{
	p->rec = sink_plain_room(sink);
	if (!p->rec)
		p->rec = &p->own;
	/* One by one: the rest is set by every row that is plain. */
	p->rec->key = p->rec->extracted = STR_NONE;
	p->rec->name = &p->name;
	p->rec->memo = &p->memo;
	p->rec->score = p->rec->latency_ms = NAN;
	p->rec->tokens = -1;
	p->batch_size = p->batch_pos = -1;
	p->raw = p->prediction = p->model = p->protocol = p->run = STR_NONE;
}

static enum status hand_over(struct generic *g, struct err *err)
{
	const struct plain *p = &g->plain;
	struct rec_prediction whole;

	if (!g->numbers.n && p->batch_size < 0 && p->batch_pos < 0)
		return sink_plain(g->ctx->sink, p->rec, err);
	rec_prediction_of_plain(p->rec, &whole);
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
	clear(p, g->ctx->sink);
	vec_clear(&g->numbers);
	if (!take_row(g, row) || !p->rec->key.p || !p->prediction.p || !take_answer(p))
		return false;
	p->rec->src = row->src;
	words = (struct run_words){p->model, p->protocol, p->run};
	*st = generic_run_of(g, &words, &p->rec->run, err);
	if (*st == OK)
		*st = hand_over(g, err);
	return true;
}

/* --- lines of one shape --- */

static inline bool take_decimal(const struct flat_value *v, double *out)
{
	return cell_decimal(v->digits, v->places, out);
}

static inline bool take_count(const struct flat_value *v, int64_t *out)
{
	if (v->places || v->digits >= (uint64_t)1e15)
		return false;
	*out = (int64_t)v->digits;
	return true;
}

/* As take_field() has it. */
static bool take_other_value(struct generic *g, const struct flat_between *b, uint32_t column,
			     const struct flat_value *v, struct str text)
{
	struct flat_field f = {.decimal = !b->string, .places = v->places, .digits = v->digits};
	struct cell c = {
	    .column = column, .type = b->string ? CELL_TEXT : CELL_NUMBER, .text = text};

	return take_cell(g, &c, b->string ? NULL : &f);
}

static struct str text_of(struct generic *g, struct row *row, const struct flat_value *v)
{
	struct flat_field f = {.type = FLAT_STRING, .raw = v->text, .escaped = v->escaped};

	return v->escaped ? arena_str(&row->arena, flat_text(&f, &g->rows.scratch)) : v->text;
}

static inline bool take_text(struct plain *p, enum role role, struct str text)
{
	switch (role) {
	case ROLE_KEY:
		p->rec->key = text;
		return is_key(text);
	case ROLE_PREDICTION:
		p->prediction = text;
		return is_name(text);
	case ROLE_RAW:
		p->raw = text;
		return true;
	case ROLE_MODEL:
		p->model = text;
		return is_trim(text);
	case ROLE_PROTOCOL:
		p->protocol = text;
		return is_trim(text);
	default:
		return false;
	}
}

static inline bool is_of_texts(enum role role)
{
	return role == ROLE_KEY || role == ROLE_PREDICTION || role == ROLE_RAW ||
	       role == ROLE_MODEL || role == ROLE_PROTOCOL;
}

static inline bool take_value(struct generic *g, struct row *row, size_t i,
			      const struct flat_value *v)
{
	const struct flat_between *b = &g->rows.lines_like.field[i];
	enum role role = g->lines.role[i];
	struct plain *p = &g->plain;

	if (b->string) {
		struct str text = v->escaped ? text_of(g, row, v) : v->text;

		return is_of_texts(role) ? take_text(p, role, text)
					 : take_other_value(g, b, g->lines.column[i], v, text);
	}
	if (role == ROLE_SCORE)
		return take_decimal(v, &p->rec->score);
	if (role == ROLE_LATENCY)
		return take_decimal(v, &p->rec->latency_ms);
	if (role == ROLE_TOKENS)
		return take_count(v, &p->rec->tokens);
	return take_other_value(g, b, g->lines.column[i], v, v->text);
}

/* What the shape's values are for; can a line of it be plain at all? */
static void look_at_shape(struct generic *g)
{
	const struct flat_shape *shape = &g->rows.lines_like;
	bool key = false, name = false, bad = false;

	g->lines.shape = shape->version;
	g->lines.columns = g->columns.version;
	for (size_t i = 0; i < shape->n; i++) {
		uint32_t column = shape->field[i].usual;
		enum role role = g->columns.use.v[column].role;

		g->lines.column[i] = column;
		g->lines.role[i] = role;
		key |= role == ROLE_KEY;
		name |= role == ROLE_PREDICTION;
		bad |= is_of_texts(role) && !shape->field[i].string;
	}
	g->lines.fit = key && name && !bad && !shape->lists;
	g->lines.misses = 0;
}

static bool lines_may_be_plain(struct generic *g)
{
	const struct flat_shape *shape = &g->rows.lines_like;

	if (!shape->n || !g->columns.predictions || sink_wants_samples(g->ctx->sink))
		return false;
	if (g->lines.shape != shape->version || g->lines.columns != g->columns.version)
		look_at_shape(g);
	if (g->lines.misses > MISSES_MAX && g->lines.misses++ < LEFT_ALONE)
		return false;
	return g->lines.fit;
}

/* false: another kind of line; nothing was done. */
static bool take_line(struct generic *g, struct row *row, const struct flat_value *v,
		      struct src src)
{
	struct plain *p = &g->plain;
	struct run_words words;
	struct err ignored;

	clear(p, g->ctx->sink);
	vec_clear(&g->numbers);
	for (size_t i = 0; i < g->rows.lines_like.n; i++)
		if (!take_value(g, row, i, &v[i]))
			return false;
	if (!take_answer(p))
		return false;
	p->rec->src = src;
	words = (struct run_words){p->model, p->protocol, p->run};
	return generic_run_of(g, &words, &p->rec->run, &ignored) == OK &&
	       hand_over(g, &ignored) == OK;
}

size_t generic_plain_lines(struct generic *g, struct row *row)
{
	struct lines *lines = &g->rows.lines;
	struct flat_value v[FLAT_SHAPE_FIELDS];
	size_t n = 0, bytes;

	if (!lines_may_be_plain(g))
		return 0;
	for (;; n++) {
		bytes = flat_shaped_line(lines_ahead(lines), &g->rows.lines_like, v, NULL);
		if (!bytes || !take_line(g, row, v, (struct src){lines->number + 1, lines->byte}))
			break;
		lines_pass(lines, bytes, 1);
		arena_clear(&row->arena);
	}
	g->lines.misses = n ? 0 : g->lines.misses > MISSES_MAX ? 1 : g->lines.misses + 1;
	return n;
}
