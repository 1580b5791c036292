/* The columns of the virtual tables, a row each. man qualm(5) tells of every one. */
#include <math.h>

#include "core/eval/eval.h"
#include "core/text/json.h"
#include "db/fetch.h"
#include "db/sql_impl.h"

typedef struct sql_cursor cursor;

static const struct run *run_of(const cursor *cur)
{
	return &cur->d->snap->runs[cur->unit->index];
}

static enum status give_text(sqlite3_context *out, struct str s)
{
	sqlite3_result_text64(out, s.p ? s.p : "", s.n, SQLITE_TRANSIENT, SQLITE_UTF8);
	return OK;
}

/* A text that stays. */
static enum status give_word(sqlite3_context *out, const char *word)
{
	sqlite3_result_text(out, word, -1, SQLITE_STATIC);
	return OK;
}

static enum status give_buf(sqlite3_context *out, struct buf *b, struct err *err)
{
	if (b->failed)
		err_set(err, E_MEMORY, "there is no memory for a value");
	else
		give_text(out, buf_view(b));
	buf_release(b);
	return err->code;
}

/* --- where a row belongs --- */

static enum status put_dataset(cursor *cur, sqlite3_context *out, struct err *err)
{
	(void)err;
	return give_word(out, cur->d->snap->dataset);
}

static enum status put_dataset_id(cursor *cur, sqlite3_context *out, struct err *err)
{
	(void)err;
	sqlite3_result_int64(out, cur->d->id);
	return OK;
}

static enum status put_unit(cursor *cur, sqlite3_context *out, struct err *err)
{
	(void)err;
	return give_word(out, cur->unit->name);
}

static enum status put_unit_id(cursor *cur, sqlite3_context *out, struct err *err)
{
	(void)err;
	sqlite3_result_int64(out, cur->unit->id);
	return OK;
}

static int64_t sample_id(const cursor *cur, uint32_t ord)
{
	return (int64_t)((uint64_t)cur->d->id << 32 | ord);
}

static enum status put_sample_id(cursor *cur, sqlite3_context *out, struct err *err)
{
	(void)err;
	sqlite3_result_int64(out, sample_id(cur, cur->ord));
	return OK;
}

static enum status put_ord(cursor *cur, sqlite3_context *out, struct err *err)
{
	(void)err;
	sqlite3_result_int64(out, cur->ord);
	return OK;
}

/* The more rows come one after the other, the more keys are read at once. */
static enum status read_keys(cursor *cur, struct err *err)
{
	bool goes_on = cur->keys_n && cur->ord >= cur->keys_from &&
		       cur->ord - cur->keys_from <= 2 * cur->keys_n;
	sqlite3_stmt *s = stmt_get(cur->s->c, STMT_SEARCH_KEYS, err);
	enum status st;
	bool row;

	if (!s)
		return err->code;
	cur->keys_span = !goes_on                        ? 1
			 : cur->keys_span * 4 < SQL_KEYS ? cur->keys_span * 4
							 : SQL_KEYS;
	cur->keys_from = cur->ord;
	cur->keys_n = cur->keys_span;
	memset(cur->keys, 0, sizeof cur->keys);
	arena_clear(&cur->key_arena);
	sqlite3_bind_int64(s, 1, sample_id(cur, cur->ord));
	sqlite3_bind_int64(s, 2, sample_id(cur, cur->ord) + cur->keys_n - 1);
	while ((st = stmt_step(cur->s->c, s, &row, err)) == OK && row)
		cur->keys[(uint32_t)sqlite3_column_int64(s, 0) - cur->ord] =
		    arena_str(&cur->key_arena, stmt_str(s, 1));
	if (st != OK)
		cur->keys_n = 0;
	return st;
}

static enum status put_sample(cursor *cur, sqlite3_context *out, struct err *err)
{
	struct str key;

	if (cur->ord < cur->keys_from || cur->ord - cur->keys_from >= cur->keys_n)
		if (read_keys(cur, err) != OK)
			return err->code;
	key = cur->keys[cur->ord - cur->keys_from];
	return key.p ? give_text(out, key) : OK;
}

/* --- of a run --- */

static enum status put_model(cursor *cur, sqlite3_context *out, struct err *err)
{
	(void)err;
	return give_word(out, run_of(cur)->model);
}

static enum status put_protocol(cursor *cur, sqlite3_context *out, struct err *err)
{
	(void)err;
	return give_word(out, run_of(cur)->protocol);
}

static enum status put_outcome(cursor *cur, sqlite3_context *out, struct err *err)
{
	uint64_t o = column_u(&run_of(cur)->outcome, cur->ord);

	(void)err;
	return give_word(out, outcome_word(o < N_OUTCOMES ? (enum outcome)o : OUTCOME_MISSING));
}

/* --- classes of an answer --- */

static bool is_class(const cursor *cur, uint64_t c)
{
	return c < cur->d->snap->n_classes;
}

static enum status put_class(cursor *cur, sqlite3_context *out, struct err *err)
{
	uint64_t c = column_u(&run_of(cur)->label, cur->ord);

	(void)err;
	return is_class(cur, c) ? give_word(out, cur->d->snap->classes[c].name) : OK;
}

static enum status put_class_ord(cursor *cur, sqlite3_context *out, struct err *err)
{
	uint64_t c = column_u(&run_of(cur)->label, cur->ord);

	(void)err;
	if (is_class(cur, c))
		sqlite3_result_int64(out, (int64_t)c);
	return OK;
}

/* The k-th class of the answer; COLUMN_NONE beyond the last. */
static uint64_t nth_class(const cursor *cur, size_t k)
{
	const struct run *run = run_of(cur);
	size_t from, n = csr_row(&run->labels, cur->ord, &from);

	if (n)
		return k < n ? column_u(&run->labels.val, from + k) : COLUMN_NONE;
	return k == 0 ? column_u(&run->label, cur->ord) : COLUMN_NONE;
}

static enum status put_list(cursor *cur, sqlite3_context *out, bool names, struct err *err)
{
	struct buf b = BUF_INIT;
	uint64_t c = nth_class(cur, 0);

	if (!is_class(cur, c))
		return OK;
	for (size_t k = 0; is_class(cur, c); c = nth_class(cur, ++k)) {
		buf_ch(&b, k ? ',' : '[');
		if (names)
			json_quote(&b, str_z(cur->d->snap->classes[c].name));
		else
			buf_printf(&b, "%llu", (unsigned long long)c);
	}
	buf_ch(&b, ']');
	return give_buf(out, &b, err);
}

static enum status put_classes(cursor *cur, sqlite3_context *out, struct err *err)
{
	return put_list(cur, out, true, err);
}

static enum status put_class_ords(cursor *cur, sqlite3_context *out, struct err *err)
{
	return put_list(cur, out, false, err);
}

/* --- numbers of an answer --- */

/* The number that was meant: the shortest decimal that gives the stored one, so that 0.93 in a
 * file is 0.93 here. */
static double meant(float f)
{
	static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
	double v = (double)f;

	if (!(fabs(v) < 1e6))
		return v;
	for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
		double near = nearbyint(v * powers[i]) / powers[i];

		if ((float)near == f)
			return near;
	}
	return v;
}

static void give_number(sqlite3_context *out, const struct column *col, uint32_t i)
{
	uint64_t u;

	if (i >= col->n)
		return;
	if (col->dtype == DT_F32) {
		float f = ((const float *)col->data)[i];

		if (!isnan(f))
			sqlite3_result_double(out, meant(f));
	} else if (col->dtype == DT_F64) {
		sqlite3_result_double(out, column_f(col, i)); /* a NaN is NULL to SQLite */
	} else if ((u = column_u(col, i)) != COLUMN_NONE) {
		sqlite3_result_int64(out, u <= INT64_MAX ? (int64_t)u : INT64_MAX);
	}
}

static enum status put_number(cursor *cur, sqlite3_context *out, const char *name, struct err *err)
{
	const struct column *col;

	if (sql_number(cur->s, cur->d, cur->unit->index, name, &col, err) == OK)
		give_number(out, col, cur->ord);
	return err->code;
}

#define NUMBER(NAME)                                                                               \
	static enum status put_##NAME(cursor *cur, sqlite3_context *out, struct err *err)          \
	{                                                                                          \
		return put_number(cur, out, #NAME, err);                                           \
	}
NUMBER(score)
NUMBER(latency)
NUMBER(tokens)
NUMBER(batch_size)
NUMBER(batch_pos)

static void json_number_of(struct buf *b, const struct column *col, uint32_t i)
{
	if (col->dtype == DT_F32)
		json_put_number(b, meant(((const float *)col->data)[i]));
	else if (col->dtype == DT_F64)
		json_put_number(b, column_f(col, i));
	else
		buf_printf(b, "%llu", (unsigned long long)column_u(col, i));
}

static enum status put_numbers(cursor *cur, sqlite3_context *out, struct err *err)
{
	struct sql_piece *p = cur->piece;
	struct buf b = BUF_INIT;

	if (sql_further(cur->s, cur->d, cur->unit->index, err) != OK)
		return err->code;
	for (size_t i = 0; i < p->further.n; i++) {
		const struct column *col;

		if (sql_number(cur->s, cur->d, cur->unit->index, p->further.v[i], &col, err) != OK)
			break;
		if (isnan(column_f(col, cur->ord)))
			continue;
		buf_ch(&b, b.n ? ',' : '{');
		json_quote(&b, str_z(p->further.v[i]));
		buf_ch(&b, ':');
		json_number_of(&b, col, cur->ord);
	}
	if (err->code == OK && b.n) {
		buf_ch(&b, '}');
		return give_buf(out, &b, err);
	}
	buf_release(&b);
	return err->code;
}

/* --- texts of an answer --- */

static enum status put_field(cursor *cur, sqlite3_context *out, enum text_field field,
			     struct err *err)
{
	struct str text = STR_NONE;

	arena_clear(&cur->arena);
	if (fetch_text(cur->s->c, cur->unit->id, field, cur->ord, &text, &cur->arena, err) == OK &&
	    text.n)
		give_text(out, text);
	return err->code;
}

#define TEXT(NAME, FIELD)                                                                          \
	static enum status put_##NAME(cursor *cur, sqlite3_context *out, struct err *err)          \
	{                                                                                          \
		return put_field(cur, out, FIELD, err);                                            \
	}
TEXT(raw, FIELD_RAW)
TEXT(extracted, FIELD_EXTRACTED)
TEXT(steps, FIELD_STEPS)
TEXT(marks, FIELD_MARKS)
TEXT(error, FIELD_ERROR)
TEXT(details, FIELD_DETAILS)
TEXT(people, FIELD_PEOPLE)

/* --- verdicts --- */

static enum status put_verdict(cursor *cur, sqlite3_context *out, struct err *err)
{
	(void)err;
	return give_word(out, verdict_word((enum verdict)cur->codes[cur->ord]));
}

static enum status put_mark(cursor *cur, sqlite3_context *out, struct err *err)
{
	static const char *const words[] = {
	    [MARK_MISSING] = "missing",
	    [MARK_ERROR] = "error",
	    [MARK_UNCOUNTED] = "uncounted",
	    [MARK_N] = "n",
	    [MARK_RIGHT] = "right",
	    [MARK_WRONG] = "wrong",
	    [MARK_OOP] = "oop",
	    [MARK_REFUSED] = "refused",
	    [MARK_EMPTY] = "empty",
	    [MARK_UNPARSED] = "unparsed",
	};
	struct sql_dataset *d = cur->d;
	int layer = d->lens.layer;
	enum mark mark;

	if (layer >= 0 && sql_hold_layer(cur->s, d, (uint32_t)layer, err) != OK)
		return err->code;
	mark = eval_mark(d->snap, &d->lens, (int)cur->unit->index, cur->ord,
			 (enum verdict)cur->codes[cur->ord]);
	if (layer >= 0)
		sql_let_go(&d->layers[layer]);
	return give_word(out, words[mark]);
}

static enum status put_category(cursor *cur, sqlite3_context *out, struct err *err)
{
	const uint8_t *category;

	if (sql_categories(cur->s, cur->d, &category, err) != OK)
		return err->code;
	if (category[cur->ord] != CAT_NONE)
		give_word(out, category_word((enum category)category[cur->ord]));
	return OK;
}

static enum status put_lens(cursor *cur, sqlite3_context *out, struct err *err)
{
	(void)err;
	return give_text(out, str_z(cur->d->lens_text));
}

/* --- labels --- */

static const struct layer *layer_of(const cursor *cur)
{
	return &cur->d->snap->layers[cur->unit->index];
}

/* The votes of the cursor's sample; NULL: there are none. */
static const float *votes_of(const cursor *cur)
{
	const struct layer *l = layer_of(cur);

	if (!l->vote_width || (size_t)(cur->ord + 1) * l->vote_width > l->votes.n)
		return NULL;
	return (const float *)l->votes.data + (size_t)cur->ord * l->vote_width;
}

static bool is_voted(const struct layer *l, const float *votes, uint32_t field)
{
	return votes[field] > 0 && l->vote_class[field] != UINT32_MAX;
}

uint32_t sql_label_rows(const cursor *cur)
{
	const struct layer *l = layer_of(cur);
	const struct truth *t = &cur->piece->truth;
	const float *votes = votes_of(cur);
	uint32_t n = votes ? 0 : t->off[cur->ord + 1] - t->off[cur->ord];

	for (uint32_t f = 0; votes && f < l->vote_width; f++)
		n += is_voted(l, votes, f);
	return n ? n : 1;
}

/* The class of the row, UINT32_MAX for an empty set; *vote: NaN where there are none. */
static uint32_t label_class(const cursor *cur, double *vote)
{
	const struct layer *l = layer_of(cur);
	const struct truth *t = &cur->piece->truth;
	const float *votes = votes_of(cur);
	uint32_t k = cur->k, at = t->off[cur->ord] + cur->k;

	*vote = NAN;
	if (!votes)
		return at < t->off[cur->ord + 1] ? t->val[at] : UINT32_MAX;
	for (uint32_t f = 0; f < l->vote_width; f++) {
		if (!is_voted(l, votes, f) || k--)
			continue;
		*vote = meant(votes[f]);
		return l->vote_class[f];
	}
	return UINT32_MAX;
}

static const struct class_info *label_info(const cursor *cur)
{
	double vote;
	uint32_t c = label_class(cur, &vote);

	return is_class(cur, c) ? &cur->d->snap->classes[c] : NULL;
}

static enum status put_label(cursor *cur, sqlite3_context *out, struct err *err)
{
	const struct class_info *c = label_info(cur);

	(void)err;
	return c ? give_word(out, c->name) : OK;
}

static enum status put_label_ord(cursor *cur, sqlite3_context *out, struct err *err)
{
	const struct class_info *c = label_info(cur);

	(void)err;
	if (c)
		sqlite3_result_int64(out, c - cur->d->snap->classes);
	return OK;
}

static enum status put_wnid(cursor *cur, sqlite3_context *out, struct err *err)
{
	const struct class_info *c = label_info(cur);

	(void)err;
	return c && c->wnid[0] ? give_word(out, c->wnid) : OK;
}

static enum status put_idx(cursor *cur, sqlite3_context *out, struct err *err)
{
	const struct class_info *c = label_info(cur);

	(void)err;
	if (c && c->index >= 0)
		sqlite3_result_int64(out, c->index);
	return OK;
}

static enum status put_votes(cursor *cur, sqlite3_context *out, struct err *err)
{
	double vote;

	(void)err;
	label_class(cur, &vote);
	if (!isnan(vote))
		sqlite3_result_double(out, vote);
	return OK;
}

static enum status put_truth(cursor *cur, sqlite3_context *out, struct err *err)
{
	const struct truth *t = &cur->piece->truth;
	double vote;
	uint32_t c = label_class(cur, &vote), from = t->off[cur->ord];

	(void)err;
	sqlite3_result_int(out, c != UINT32_MAX &&
				    set_has(t->val + from, t->off[cur->ord + 1] - from, c));
	return OK;
}

/* --- the tables --- */

static const struct sql_column prediction[] = {
    {"dataset", "TEXT", ROLE_DATASET, put_dataset},
    {"sample", "TEXT", ROLE_SAMPLE, put_sample},
    {"run", "TEXT", ROLE_UNIT, put_unit},
    {"model", "TEXT", ROLE_NONE, put_model},
    {"protocol", "TEXT", ROLE_NONE, put_protocol},
    {"outcome", "TEXT", ROLE_CODE, put_outcome},
    {"class", "TEXT", ROLE_NONE, put_class},
    {"class_ord", "INTEGER", ROLE_NONE, put_class_ord},
    {"classes", "TEXT", ROLE_NONE, put_classes},
    {"class_ords", "TEXT", ROLE_NONE, put_class_ords},
    {"score", "REAL", ROLE_NONE, put_score},
    {"latency", "REAL", ROLE_NONE, put_latency},
    {"tokens", "INTEGER", ROLE_NONE, put_tokens},
    {"batch_size", "INTEGER", ROLE_NONE, put_batch_size},
    {"batch_pos", "INTEGER", ROLE_NONE, put_batch_pos},
    {"numbers", "TEXT", ROLE_NONE, put_numbers},
    {"raw", "TEXT", ROLE_NONE, put_raw},
    {"extracted", "TEXT", ROLE_NONE, put_extracted},
    {"steps", "TEXT", ROLE_NONE, put_steps},
    {"marks", "TEXT", ROLE_NONE, put_marks},
    {"error", "TEXT", ROLE_NONE, put_error},
    {"details", "TEXT", ROLE_NONE, put_details},
    {"people", "TEXT", ROLE_NONE, put_people},
    {"dataset_id", "INTEGER", ROLE_DATASET_ID, put_dataset_id},
    {"sample_id", "INTEGER", ROLE_SAMPLE_ID, put_sample_id},
    {"ord", "INTEGER", ROLE_ORD, put_ord},
    {"run_id", "INTEGER", ROLE_UNIT_ID, put_unit_id},
    {NULL, NULL, ROLE_NONE, NULL},
};

static const struct sql_column verdict[] = {
    {"dataset", "TEXT", ROLE_DATASET, put_dataset},
    {"sample", "TEXT", ROLE_SAMPLE, put_sample},
    {"run", "TEXT", ROLE_UNIT, put_unit},
    {"verdict", "TEXT", ROLE_CODE, put_verdict},
    {"mark", "TEXT", ROLE_NONE, put_mark},
    {"category", "TEXT", ROLE_NONE, put_category},
    {"lens", "TEXT", ROLE_NONE, put_lens},
    {"dataset_id", "INTEGER", ROLE_DATASET_ID, put_dataset_id},
    {"sample_id", "INTEGER", ROLE_SAMPLE_ID, put_sample_id},
    {"ord", "INTEGER", ROLE_ORD, put_ord},
    {"run_id", "INTEGER", ROLE_UNIT_ID, put_unit_id},
    {NULL, NULL, ROLE_NONE, NULL},
};

static const struct sql_column label[] = {
    {"dataset", "TEXT", ROLE_DATASET, put_dataset},
    {"sample", "TEXT", ROLE_SAMPLE, put_sample},
    {"layer", "TEXT", ROLE_UNIT, put_unit},
    {"class", "TEXT", ROLE_NONE, put_label},
    {"class_ord", "INTEGER", ROLE_NONE, put_label_ord},
    {"wnid", "TEXT", ROLE_NONE, put_wnid},
    {"idx", "INTEGER", ROLE_NONE, put_idx},
    {"truth", "INTEGER", ROLE_NONE, put_truth},
    {"votes", "REAL", ROLE_NONE, put_votes},
    {"dataset_id", "INTEGER", ROLE_DATASET_ID, put_dataset_id},
    {"sample_id", "INTEGER", ROLE_SAMPLE_ID, put_sample_id},
    {"ord", "INTEGER", ROLE_ORD, put_ord},
    {"layer_id", "INTEGER", ROLE_UNIT_ID, put_unit_id},
    {NULL, NULL, ROLE_NONE, NULL},
};

const struct sql_table sql_table_list[N_SQL_TABLES] = {
    [SQL_PREDICTION] = {"prediction", SQL_PREDICTION, prediction},
    [SQL_VERDICT] = {"verdict", SQL_VERDICT, verdict},
    [SQL_LABEL] = {"label", SQL_LABEL, label},
};
