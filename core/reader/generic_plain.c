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
static bool take_key(const struct cell *c, struct rec_prediction *out)
{
	size_t tail = c->text.n < 6 ? c->text.n : 6;

	if (!is_trim_text(c) || c->text.n > LONGEST_KEY ||
	    memchr(c->text.p + c->text.n - tail, '.', tail))
		return false;
	out->key = c->text;
	return true;
}

/* A name, by its first byte: neither list nor number, WordNet id, nor what tools write instead
 * of an answer. */
static bool is_name(const struct cell *c)
{
	return is_trim_text(c) && !memchr("[({0123456789+-nF", c->text.p[0], 17);
}

static bool take_number(const struct cell *c, double *out)
{
	return is_empty(c) || cell_number(c, out);
}

static bool take_whole(const struct cell *c, int64_t *out)
{
	double value;

	if (is_empty(c))
		return true;
	if (!cell_number(c, &value) || value < 0 || value >= 1e15 ||
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

static bool take_cell(struct generic *g, const struct cell *c, struct rec_prediction *out)
{
	const struct column_use *use = &g->columns.use.v[c->column];

	switch (use->role) {
	case ROLE_KEY:
		return take_key(c, out);
	case ROLE_PREDICTION:
		g->by[ROLE_PREDICTION] = c;
		return is_name(c);
	case ROLE_RAW:
		g->by[ROLE_RAW] = c;
		return c->type == CELL_TEXT || c->type == CELL_NULL;
	case ROLE_MODEL:
	case ROLE_PROTOCOL:
	case ROLE_RUN:
		g->by[use->role] = c;
		return c->type == CELL_TEXT;
	case ROLE_SCORE:
		return take_number(c, &out->score);
	case ROLE_LATENCY:
		return take_number(c, &out->latency_ms);
	case ROLE_TOKENS:
		return take_whole(c, &out->tokens);
	case ROLE_BATCH_SIZE:
		return take_whole(c, &out->batch_size);
	case ROLE_BATCH_POS:
		return take_whole(c, &out->batch_pos);
	case ROLE_QUESTION: /* of the sample, which is declared */
	case ROLE_STATEMENT:
	case ROLE_OPTIONS:
	case ROLE_LABEL:
	case ROLE_LABEL_INDEX:
	case ROLE_LABEL_WNID:
	case ROLE_LABEL_FULL:
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

bool generic_plain(struct generic *g, const struct row *row, enum status *st, struct err *err)
{
	struct rec_prediction *out = &g->plain;
	const struct cell *raw;

	if (!g->columns.predictions || row->key.p || sink_wants_samples(g->ctx->sink))
		return false;
	rec_prediction_init(out);
	vec_clear(&g->numbers);
	g->by[ROLE_PREDICTION] = g->by[ROLE_RAW] = NULL;
	g->by[ROLE_MODEL] = g->by[ROLE_PROTOCOL] = g->by[ROLE_RUN] = NULL;
	for (size_t i = 0; i < row->cells.n; i++)
		if (!take_cell(g, &row->cells.v[i], out))
			return false;
	if (!out->key.p || !g->by[ROLE_PREDICTION])
		return false;
	raw = g->by[ROLE_RAW];
	out->raw = cell_text(raw);
	g->plain_ref.text = cell_text(g->by[ROLE_PREDICTION]);
	if (!out->raw.n)
		out->raw = g->plain_ref.text;
	else
		out->extracted = g->plain_ref.text;
	if (out->raw.p[0] == 'F')
		return false;
	out->src = row->src;
	out->outcome = OUTCOME_ANSWERED;
	out->refs = &g->plain_ref;
	out->n_refs = 1;
	out->numbers = g->numbers.v;
	out->n_numbers = g->numbers.n;
	*st = generic_run_of(g, &out->run, err);
	if (*st == OK)
		*st = sink_prediction(g->ctx->sink, out, err);
	return true;
}
