/*
 * The most usual row by the shortest way: a prediction of one name for a sample that is declared
 * elsewhere, with numbers and a response, and nothing else to be kept. Whatever is not exactly
 * that goes through generic_prediction(), which would make the same record of this row.
 */
#include "core/reader/generic.h"

#define LONGEST_KEY 22 /* longer ones may be names of ImageNet's files, which are cut down */

#define NAME_FIRST  1 /* begins what is no name */
#define NAME_SECOND 2
#define EVERY_BYTE 0x0101010101010101u
#define LAST_SIX   0x0101010101010000u
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

/* A point among the last six bytes. */
static inline bool has_extension(struct str s)
{
	uint64_t last;
	bool point = false;

	for (size_t i = 0; s.n < 8 && i < s.n; i++)
		point |= s.p[i] == '.' && i + 6 >= s.n;
	if (s.n < 8)
		return point;
	memcpy(&last, s.p + s.n - 8, 8);
	last ^= EVERY_BYTE * '.'; /* a byte whose top bit is not set by the next line was a point */
	last |= (last & EVERY_BYTE * 0x7f) + EVERY_BYTE * 0x7f;
	return ~last & LAST_SIX * 0x80;
}

/* No picture's name, and no number that may be written in several ways. */
static inline bool is_key(struct str s)
{
	return is_trim(s) && s.n <= LONGEST_KEY && !has_extension(s);
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
	struct str name = rows_name(&g->rows, c->column);
	double value;

	if (is_empty(c))
		return true;
	if (use->kind != COLUMN_NUMBER || !cell_number(c, &value) || !str_trim(name).n)
		return false;
	vec_push(&g->numbers, ((struct rec_number){name, value}));
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

/* What is of the sample, which is declared, or of nobody. */
static bool is_left_out(enum role role)
{
	return role == ROLE_QUESTION || role == ROLE_STATEMENT || role == ROLE_OPTIONS ||
	       role == ROLE_LABEL || role == ROLE_LABEL_INDEX || role == ROLE_LABEL_WNID ||
	       role == ROLE_LABEL_FULL || role == ROLE_IGNORED;
}

static bool take_cell(struct generic *g, const struct cell *c, const struct flat_field *field)
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
	case ROLE_ERROR:
	case ROLE_REFUSAL:
		return is_empty(c);
	case ROLE_OTHER:
		return take_other(g, c, use);
	default:
		return is_left_out(use->role);
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
static inline bool take_answer(struct plain *p, struct str response, struct str answer)
{
	struct str raw = str_trim(response);

	p->name->text = answer;
	p->rec->raw = raw.n ? raw : answer;
	if (raw.n)
		p->rec->extracted = answer;
	return p->rec->raw.p[0] != 'F';
}

/* Where the sink wants some, or here. */
static struct rec_plain *room(struct plain *p, struct sink *sink)
{
	struct rec_plain *rec = sink_plain_room(sink);

	return rec ? rec : p->own;
}

/* Number i of those that are handed over together. */
static inline void begin(struct plain *p, struct rec_plain *rec, size_t i)
{
	p->rec = rec;
	p->name = &p->names[i];
	/* One by one: the rest is set by every row that is plain. */
	rec->extracted = STR_NONE;
	rec->name = p->name;
	rec->memo = &p->memos[i];
	rec->score = rec->latency_ms = NAN;
	rec->tokens = -1;
	p->memos[i] = 0;
	p->run = STR_NONE;
	p->batch_size = p->batch_pos = -1;
}

/* The first n of where they were made; a single one may have more than a plain one has. */
static enum status hand_over(struct generic *g, const struct rec_plain *v, size_t n,
			     struct err *err)
{
	const struct plain *p = &g->plain;
	struct rec_prediction whole;

	if (!g->numbers.n && p->batch_size < 0 && p->batch_pos < 0)
		return sink_plains(g->ctx->sink, v, n, err);
	rec_prediction_of_plain(v, &whole);
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
	begin(p, room(p, g->ctx->sink), 0);
	p->rec->key = p->raw = p->prediction = p->model = p->protocol = STR_NONE;
	vec_clear(&g->numbers);
	if (!take_row(g, row) || !p->rec->key.p || !p->prediction.p ||
	    !take_answer(p, p->raw, p->prediction))
		return false;
	p->rec->src = row->src;
	words = (struct run_words){p->model, p->protocol, p->run};
	*st = generic_run_of(g, &words, &p->rec->run, err);
	if (*st == OK)
		*st = hand_over(g, p->rec, 1, err);
	return true;
}

/* --- lines of one shape --- */

/* What each of the values is in a row. */
static const enum role line_roles[N_LINE_VALUES] = {
    [LINE_KEY] = ROLE_KEY,	   [LINE_NAME] = ROLE_PREDICTION,   [LINE_RAW] = ROLE_RAW,
    [LINE_MODEL] = ROLE_MODEL,	   [LINE_PROTOCOL] = ROLE_PROTOCOL, [LINE_SCORE] = ROLE_SCORE,
    [LINE_LATENCY] = ROLE_LATENCY, [LINE_TOKENS] = ROLE_TOKENS,
};

static inline bool is_there(const struct generic *g, enum line_value which)
{
	return g->lines.at[which] != FLAT_SHAPE_FIELDS;
}

/* false: the row would have two of them. */
static bool look_at_value(struct generic *g, size_t i)
{
	const struct flat_between *b = &g->rows.lines_like.field[i];
	enum role role = g->columns.use.v[b->usual].role;

	for (size_t k = 0; k < N_LINE_VALUES; k++) {
		if (line_roles[k] != role)
			continue;
		if (is_there(g, (enum line_value)k))
			return false;
		if (b->string != (k <= LINE_LAST_TEXT))
			break;
		g->lines.at[k] = (uint8_t)i;
		return true;
	}
	if (!is_left_out(role))
		g->lines.other[g->lines.n_others++] = (uint8_t)i;
	return true;
}

/* Model and protocol stand side by side, or there is only one of them. */
static void look_at_names(struct generic *g)
{
	size_t a = g->lines.at[LINE_MODEL], b = g->lines.at[LINE_PROTOCOL];
	size_t first = a < b ? a : b, last = a < b ? b : a;

	g->lines.run = INTERN_NONE;
	g->lines.names = (struct flat_repeat){.from = first, .n = 0};
	if (last == FLAT_SHAPE_FIELDS)
		last = first;
	if (first != FLAT_SHAPE_FIELDS && last - first < 2 && !g->lines.n_others)
		g->lines.names.n = last - first + 1;
}

/* What the shape's values are for; can a line of it be plain at all? */
static void look_at_shape(struct generic *g)
{
	const struct flat_shape *shape = &g->rows.lines_like;

	g->lines.shape = shape->version;
	g->lines.columns = g->columns.version;
	g->lines.n_others = 0;
	memset(g->lines.at, FLAT_SHAPE_FIELDS, sizeof g->lines.at);
	g->lines.fit = !shape->lists;
	for (size_t i = 0; i < shape->n; i++)
		g->lines.fit &= look_at_value(g, i);
	g->lines.fit &= is_there(g, LINE_KEY) && is_there(g, LINE_NAME);
	look_at_names(g);
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

static struct str decoded(struct generic *g, struct row *row, const struct flat_value *v)
{
	struct flat_field f = {.type = FLAT_STRING, .raw = v->text, .escaped = true};

	return arena_str(&row->arena, flat_text(&f, &g->rows.scratch));
}

static inline struct str text_of(struct generic *g, struct row *row, const struct flat_value *v)
{
	return v->escaped ? decoded(g, row, v) : v->text;
}

static inline bool take_texts(struct generic *g, struct row *row, const struct flat_value *v)
{
	const uint8_t *at = g->lines.at;
	struct str key = text_of(g, row, &v[at[LINE_KEY]]);
	struct str name = text_of(g, row, &v[at[LINE_NAME]]);
	struct str raw = text_of(g, row, &v[at[LINE_RAW]]);

	g->plain.rec->key = key;
	return is_key(key) && is_name(name) && take_answer(&g->plain, raw, name);
}

/* The run of the line before, or what its names mean. */
static inline bool take_run(struct generic *g, struct row *row, const struct flat_value *v)
{
	struct run_words words;
	struct err ignored;

	if (g->lines.names.again && g->lines.run != INTERN_NONE) {
		g->plain.rec->run = g->lines.run;
		return true;
	}
	words.run = g->plain.run;
	words.model = text_of(g, row, &v[g->lines.at[LINE_MODEL]]);
	words.protocol = text_of(g, row, &v[g->lines.at[LINE_PROTOCOL]]);
	if ((!is_trim(words.model) && is_there(g, LINE_MODEL)) ||
	    (!is_trim(words.protocol) && is_there(g, LINE_PROTOCOL)) ||
	    generic_run_of(g, &words, &g->plain.rec->run, &ignored) != OK)
		return false;
	g->lines.run = g->plain.rec->run;
	return true;
}

static inline bool take_decimal(const struct flat_value *v, double *out)
{
	return cell_decimal(v->digits, v->places, out);
}

static inline bool take_count(const struct flat_value *v, int64_t *out)
{
	*out = (int64_t)v->digits;
	return !v->places && v->digits < (uint64_t)1e15;
}

static inline bool take_numbers(const struct generic *g, const struct flat_value *v)
{
	const uint8_t *at = g->lines.at;
	struct rec_plain *rec = g->plain.rec;

	return (!is_there(g, LINE_SCORE) || take_decimal(&v[at[LINE_SCORE]], &rec->score)) &&
	       (!is_there(g, LINE_LATENCY) || take_decimal(&v[at[LINE_LATENCY]], &rec->latency_ms)) &&
	       (!is_there(g, LINE_TOKENS) || take_count(&v[at[LINE_TOKENS]], &rec->tokens));
}

/* As take_field() has it. */
static bool take_others(struct generic *g, struct row *row, const struct flat_value *v)
{
	vec_clear(&g->numbers);
	for (size_t i = 0; i < g->lines.n_others; i++) {
		const struct flat_between *b = &g->rows.lines_like.field[g->lines.other[i]];
		const struct flat_value *value = &v[g->lines.other[i]];
		struct flat_field f = {.decimal = !b->string, .places = value->places,
				       .digits = value->digits};
		struct cell c = {.column = b->usual,
				 .type = b->string ? CELL_TEXT : CELL_NUMBER,
				 .text = text_of(g, row, value)};

		if (!take_cell(g, &c, b->string ? NULL : &f))
			return false;
	}
	return true;
}

/* false: it is none, nothing was done. */
static inline bool take_line(struct generic *g, struct row *row, const struct flat_value *v)
{
	if (take_texts(g, row, v) && take_numbers(g, v) && take_others(g, row, v) &&
	    take_run(g, row, v))
		return true;
	g->lines.run = INTERN_NONE; /* nobody asked what this line's is */
	return false;
}

/* PLAINS_AT_ONCE, or fewer at the first line that is none. One by one, where there is what may make
 * more of them than plain ones. */
static size_t take_some(struct generic *g, struct row *row)
{
	struct rec_plain *rec = room(&g->plain, g->ctx->sink);
	struct lines *lines = &g->rows.lines;
	size_t n = 0, most = g->lines.n_others ? 1 : PLAINS_AT_ONCE;
	struct flat_value v[FLAT_SHAPE_FIELDS + 1];
	struct err ignored;

	v[FLAT_SHAPE_FIELDS] = (struct flat_value){.text = STR_NONE};
	for (; n < most; n++) {
		struct str ahead = lines_ahead(lines);
		size_t bytes = ahead.n ? flat_repeating_line(ahead, &g->rows.lines_like,
							     &g->lines.names, v)
				       : 0;

		begin(&g->plain, &rec[n], n);
		if (!bytes || !take_line(g, row, v))
			break;
		rec[n].src = (struct src){lines->number + 1, lines->byte};
		lines_pass(lines, bytes, 1);
	}
	if (n) /* to a relay, which takes everything */
		hand_over(g, rec, n, &ignored);
	arena_clear(&row->arena);
	return n;
}

size_t generic_plain_lines(struct generic *g, struct row *row)
{
	size_t n = 0, some;

	if (!lines_may_be_plain(g))
		return 0;
	do {
		some = take_some(g, row);
		n += some;
	} while (some);
	g->lines.misses = n ? 0 : g->lines.misses > MISSES_MAX ? 1 : g->lines.misses + 1;
	return n;
}
