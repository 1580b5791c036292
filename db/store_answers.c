#include "db/store_internal.h"

#define LAID_AT_ONCE 256

const char *const store_field_column[N_FIELDS] = {
    [FIELD_RAW] = "text_raw",	  [FIELD_EXTRACTED] = "text_extracted",
    [FIELD_STEPS] = "text_steps", [FIELD_MARKS] = "text_marks",
    [FIELD_ERROR] = "text_error", [FIELD_DETAILS] = "text_details",
    [FIELD_PEOPLE] = "text_people",
};

struct view store_set_view(const struct store *s, uint32_t id)
{
	const struct set *set = &s->refs.set.v[id];
	struct view v = {(enum outcome)store_set_tag(s, id), s->refs.classes.v + set->from, set->n,
			 (enum outcome)set->was};

	if (v.outcome == OUTCOME_ANSWERED && !v.n)
		v.outcome = OUTCOME_OOP;
	if (v.outcome != OUTCOME_ANSWERED && v.outcome != OUTCOME_OOP)
		v.n = 0;
	if (!v.n)
		v.was = OUTCOME_MISSING;
	return v;
}

static enum status put(struct store *s, int64_t run, const char *name, struct column *col,
		       struct err *err)
{
	enum status rc = column_store(s->c, OWNER_RUN, run, name, col, err);

	column_release(col);
	return rc;
}

/* --- answers of several classes --- */

void store_lists_add(struct lists *l, uint32_t ord, const struct view *v)
{
	if (!l->offs.n)
		vec_push(&l->offs, 0);
	vec_push(&l->ords, ord);
	for (size_t i = 0; i < v->n; i++)
		vec_push(&l->vals, v->classes[i]);
	vec_push(&l->offs, (uint32_t)l->vals.n);
}

enum status store_lists_write(struct store *s, int64_t run, const struct lists *l, struct err *err)
{
	const struct {
		const char *name;
		const ordinals *from;
		enum dtype dtype;
	} parts[] = {{"list_ord", &l->ords, DT_U32},
		     {"list_offset", &l->offs, DT_U32},
		     {"list_value", &l->vals, dtype_for(store_n_classes(s))}};

	for (size_t p = 0; l->ords.n && p < 3; p++) {
		struct column col;

		if (store_column(&col, parts[p].dtype, parts[p].from->n, err) != OK)
			return err->code;
		for (size_t i = 0; i < col.n; i++)
			column_set_u(&col, i, parts[p].from->v[i]);
		if (put(s, run, parts[p].name, &col, err) != OK)
			return err->code;
	}
	return OK;
}

void store_lists_release(struct lists *l)
{
	vec_release(&l->ords);
	vec_release(&l->offs);
	vec_release(&l->vals);
}

/* --- a run anew, answer by answer --- */

static enum status drop(struct store *s, int64_t run, const char *name, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_COLUMN_DROP, err);

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, run);
	stmt_bind_str(st, 2, str_z(name));
	return stmt_run(s->c, st, err);
}

static void lay_views(struct laid *l, uint32_t n, store_view_fn *view, void *ctx)
{
	for (uint32_t i = 0; i < n; i++) {
		struct view v = view(ctx, i);

		column_set_u(&l->outcome, i, v.outcome);
		if (v.n)
			column_set_u(&l->label, i, v.classes[0]);
		if (v.was != OUTCOME_MISSING)
			column_set_u(&l->mapped, i, v.was);
		l->labels |= v.n > 0;
		l->maps |= v.was != OUTCOME_MISSING;
		if (v.n > 1)
			store_lists_add(&l->lists, i, &v);
	}
}

/* What the run had and has no more must go. */
static enum status put_views(struct store *s, int64_t run, struct laid *l, struct err *err)
{
	enum status rc = put(s, run, "outcome", &l->outcome, err);

	if (rc == OK)
		rc = l->labels ? put(s, run, "label", &l->label, err) : drop(s, run, "label", err);
	if (rc == OK)
		rc = l->maps ? put(s, run, STORE_MAPPED, &l->mapped, err)
			     : drop(s, run, STORE_MAPPED, err);
	if (rc == OK && !l->lists.ords.n) {
		rc = drop(s, run, "list_ord", err);
		rc = rc ? rc : drop(s, run, "list_offset", err);
		return rc ? rc : drop(s, run, "list_value", err);
	}
	return rc ? rc : store_lists_write(s, run, &l->lists, err);
}

enum status store_views_write(struct store *s, int64_t run, uint32_t n, store_view_fn *view,
			      void *ctx, struct err *err)
{
	struct laid l = {0};
	enum status rc = store_column(&l.outcome, DT_U8, n, err);

	if (rc == OK)
		rc = store_column(&l.label, dtype_for(store_n_classes(s)), n, err);
	if (rc == OK)
		rc = store_column(&l.mapped, DT_U8, n, err);
	if (rc == OK) {
		lay_views(&l, n, view, ctx);
		rc = put_views(s, run, &l, err);
	}
	store_laid_release(&l);
	return rc;
}

/* --- a new run --- */

static enum status make_columns(struct laid *out, const struct store *s, const struct run_in *r,
				struct err *err)
{
	uint32_t n = store_n_samples(s);

	if (store_column(&out->outcome, DT_U8, n, err) != OK ||
	    store_column(&out->label, dtype_for(store_n_classes(s)), n, err) != OK)
		return err->code;
	if (s->classes.map_class.n && store_column(&out->mapped, DT_U8, n, err) != OK)
		return err->code;
	memset(out->outcome.data, OUTCOME_MISSING, n);
	for (int f = 0; f < PACKED_FIELDS; f++)
		if (r->last[f] &&
		    store_column(&out->place[f], dtype_for(r->last[f] - 1), n, err) != OK)
			return err->code;
	for (int k = 0; k < PACKED_NUMBERS; k++)
		if (r->has_number[k] &&
		    store_column(&out->number[k], r->numbers.v[k].dtype, n, err) != OK)
			return err->code;
	return OK;
}

/* false: no answer has a class. */
static bool lay_labels(struct laid *out, const struct store *s, const struct packed *packed,
		       size_t from, size_t n)
{
	uint8_t *outcome = (uint8_t *)out->outcome.data + from;
	uint64_t label[LAID_AT_ONCE];
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		struct view v;

		label[i] = COLUMN_NONE;
		if (!packed[i].set)
			continue;
		v = store_set_view(s, packed[i].set - 1);
		outcome[i] = (uint8_t)v.outcome;
		if (v.n) {
			label[i] = v.classes[0];
			any = true;
		}
		if (v.was != OUTCOME_MISSING) {
			column_set_u(&out->mapped, from + i, v.was);
			out->maps = true;
		}
		if (v.n > 1)
			store_lists_add(&out->lists, (uint32_t)(from + i), &v);
	}
	column_set_many(&out->label, from, label, n);
	return any;
}

static void lay_places(struct laid *out, const struct run_in *r, const struct packed *packed,
		       size_t from, size_t n, int field)
{
	uint64_t place[LAID_AT_ONCE];

	for (size_t i = 0; i < n; i++)
		place[i] = packed[i].place[field];
	for (size_t i = 0; r->high[field].n && i < n; i++)
		place[i] |= (uint64_t)dense_u32(&r->high[field], from + i) << 32;
	for (size_t i = 0; i < n; i++)
		place[i]--; /* 0, for no text, becomes COLUMN_NONE */
	column_set_many(&out->place[field], from, place, n);
}

/* No number stays what the column began with: its own "none". */
static void lay_numbers(struct laid *out, const struct packed *packed, size_t from, size_t n, int k)
{
	uint32_t *number = (uint32_t *)out->number[k].data + from;

	for (size_t i = 0; i < n; i++)
		if (packed[i].set && packed[i].number[k] != UINT32_MAX)
			number[i] = packed[i].number[k];
}

/* A few hundred answers at a time, which stay close while column after column is filled. */
static bool lay_out(struct laid *out, const struct store *s, const struct run_in *r)
{
	size_t all = store_n_samples(s) < r->packed.n ? store_n_samples(s) : r->packed.n;
	bool any = false;

	for (size_t from = 0; from < all; from += LAID_AT_ONCE) {
		const struct packed *packed = (const struct packed *)r->packed.data + from;
		size_t n = all - from < LAID_AT_ONCE ? all - from : LAID_AT_ONCE;

		any |= lay_labels(out, s, packed, from, n);
		for (int f = 0; f < PACKED_FIELDS; f++)
			if (out->place[f].n)
				lay_places(out, r, packed, from, n, f);
		for (int k = 0; k < PACKED_NUMBERS; k++)
			if (out->number[k].n)
				lay_numbers(out, packed, from, n, k);
	}
	return any;
}

void store_answers_lay(const struct store *s, const struct run_in *r, struct laid *out)
{
	if (make_columns(out, s, r, &out->err) == OK)
		out->labels = lay_out(out, s, r);
}

enum status store_answers_write(struct store *s, const struct run_in *r, struct laid *l,
				struct err *err)
{
	if (l->err.code != OK) {
		*err = l->err;
		return err->code;
	}
	if (put(s, r->id, "outcome", &l->outcome, err) != OK ||
	    (l->labels && put(s, r->id, "label", &l->label, err) != OK) ||
	    (l->maps && put(s, r->id, STORE_MAPPED, &l->mapped, err) != OK) ||
	    store_lists_write(s, r->id, &l->lists, err) != OK)
		return err->code;
	for (int f = 0; f < PACKED_FIELDS; f++)
		if (l->place[f].n &&
		    put(s, r->id, store_field_column[f], &l->place[f], err) != OK)
			return err->code;
	for (int k = 0; k < PACKED_NUMBERS; k++)
		if (l->number[k].n &&
		    put(s, r->id, r->numbers.v[k].name.p, &l->number[k], err) != OK)
			return err->code;
	return OK;
}

void store_laid_release(struct laid *l)
{
	column_release(&l->outcome);
	column_release(&l->label);
	column_release(&l->mapped);
	for (int f = 0; f < PACKED_FIELDS; f++)
		column_release(&l->place[f]);
	for (int k = 0; k < PACKED_NUMBERS; k++)
		column_release(&l->number[k]);
	store_lists_release(&l->lists);
}
