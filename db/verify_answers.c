/* Making a run's answers anew: what is sound in them stays; an answer that has lost its class is
 * mapped again from its text by the names of classes, as an import does it. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/store_internal.h"
#include "db/verify_impl.h"

struct redo {
	struct verify *k;
	struct verify_run *r;
	struct store names; /* only its class list: how an import looks up a name */
	struct report report;
	struct arena arena;
	uint32_t *row; /* [n]: the sample's list + 1; 0 = none */
	ordinal_vec ords, offs, vals;
	struct column outcome, label;
	uint64_t mapped, unmapped, guessed, n;
};

static bool list_stands(const struct verify_run *r, size_t row)
{
	uint64_t before = 0;
	size_t from, n = csr_row(&r->list, row, &from);

	for (size_t j = 0; j < n; j++) {
		uint64_t v = column_u(&r->list.val, from + j);

		if (v >= r->d->n_classes || (j && v <= before))
			return false;
		before = v;
	}
	return n >= 2;
}

static enum status index_lists(struct redo *d, struct err *err)
{
	const struct verify_run *r = d->r;
	size_t n = (size_t)r->d->n + 1;

	d->row = mem_try(n * sizeof *d->row);
	if (!d->row)
		return err_set(err, E_MEMORY, "there is no memory to make %u answers again",
			       r->d->n);
	memset(d->row, 0, n * sizeof *d->row);
	for (size_t i = 0; i < r->list_ord.n; i++) {
		uint64_t ord = column_u(&r->list_ord, i);

		if (ord < r->d->n && list_stands(r, i))
			d->row[ord] = (uint32_t)i + 1;
	}
	return OK;
}

/* The classes that are left of answer i. The list and the label must say the same of the first. */
static void stored_classes(const struct redo *d, uint32_t i, ordinals *out)
{
	const struct verify_run *r = d->r;
	uint64_t label = column_u(&r->label, i);
	size_t from, n = d->row[i] ? csr_row(&r->list, d->row[i] - 1, &from) : 0;

	for (size_t j = 0; j < n; j++)
		vec_push(out, (uint32_t)column_u(&r->list.val, from + j));
	if (!n && label < r->d->n_classes)
		vec_push(out, (uint32_t)label);
}

static enum status text_of(struct redo *d, uint32_t i, enum text_field field, struct str *out,
			   struct err *err)
{
	enum status st = fetch_text(d->k->c, d->r->id, field, i, out, &d->arena, err);

	if (st == E_FORMAT) { /* it was told */
		err_clear(err);
		*out = STR("");
		return OK;
	}
	return st;
}

/* The text that was mapped: what was extracted, where that is another one than the raw text. */
static enum status answer_text(struct redo *d, uint32_t i, struct str *out, struct err *err)
{
	enum status st = text_of(d, i, FIELD_EXTRACTED, out, err);

	return st == OK && !out->n ? text_of(d, i, FIELD_RAW, out, err) : st;
}

static enum status map_again(struct redo *d, uint32_t i, ordinals *classes, bool *text,
			     struct err *err)
{
	struct str s = STR("");
	enum status st = answer_text(d, i, &s, err);

	*text = s.n > 0;
	if (st == OK && s.n && s.n <= STORE_NAME_MAX)
		store_classes_by_name(&d->names, s, classes);
	if (classes->n > 1)
		ordinals_sort(classes->v, classes->n);
	return st;
}

static enum status guess_outcome(struct redo *d, uint32_t i, bool text, enum outcome *out,
				 struct err *err)
{
	struct str error = STR("");
	enum status st = text_of(d, i, FIELD_ERROR, &error, err);

	*out = error.n ? OUTCOME_ERROR : text ? OUTCOME_OOP : OUTCOME_MISSING;
	d->guessed += *out != OUTCOME_MISSING;
	return st;
}

static void put_answer(struct redo *d, uint32_t i, enum outcome o, const ordinals *classes)
{
	column_set_u(&d->outcome, i, o);
	d->n += o != OUTCOME_MISSING;
	if (o != OUTCOME_ANSWERED && o != OUTCOME_OOP)
		return;
	if (classes->n)
		column_set_u(&d->label, i, classes->v[0]);
	if (classes->n < 2)
		return;
	if (!d->offs.n)
		vec_push(&d->offs, 0);
	vec_push(&d->ords, i);
	for (size_t j = 0; j < classes->n; j++)
		vec_push(&d->vals, classes->v[j]);
	vec_push(&d->offs, (uint32_t)d->vals.n);
}

static enum status redo_answer(struct redo *d, uint32_t i, ordinals *classes, struct err *err)
{
	uint64_t stored = column_u(&d->r->outcome, i);
	bool known = stored < N_OUTCOMES, text = false;
	enum outcome o = known ? (enum outcome)stored : OUTCOME_MISSING;
	enum status st = OK;

	vec_clear(classes);
	arena_clear(&d->arena);
	stored_classes(d, i, classes);
	if (classes->n && (!known || o == OUTCOME_MISSING))
		o = OUTCOME_ANSWERED;
	else if (!classes->n && (!known || o == OUTCOME_ANSWERED || o == OUTCOME_MISSING)) {
		st = map_again(d, i, classes, &text, err);
		d->mapped += classes->n > 0;
		d->unmapped += !classes->n && o == OUTCOME_ANSWERED;
		if (classes->n)
			o = OUTCOME_ANSWERED;
		else if (o == OUTCOME_ANSWERED)
			o = OUTCOME_OOP;
		else if (st == OK)
			st = guess_outcome(d, i, text, &o, err);
	}
	put_answer(d, i, o, classes);
	return st;
}

static enum status put_ordinals(struct redo *d, const char *name, enum dtype dtype,
				const ordinal_vec *v, struct err *err)
{
	struct column col;
	enum status st;

	if (!v->n)
		return verify_drop_column(d->k, OWNER_RUN, d->r->id, name, err);
	st = verify_new_column(&col, dtype, v->n, err);
	if (st != OK)
		return st;
	for (size_t i = 0; i < v->n; i++)
		column_set_u(&col, i, v->v[i]);
	return verify_store(d->k, OWNER_RUN, d->r->id, name, &col, err);
}

static enum status write_answers(struct redo *d, struct err *err)
{
	int64_t run = d->r->id;
	enum status st = column_store(d->k->c, OWNER_RUN, run, "outcome", &d->outcome, err);

	if (st == OK)
		st = column_store(d->k->c, OWNER_RUN, run, "label", &d->label, err);
	if (st == OK)
		st = put_ordinals(d, "list_ord", DT_U32, &d->ords, err);
	if (st == OK)
		st = put_ordinals(d, "list_offset", DT_U32, &d->offs, err);
	if (st == OK)
		st = put_ordinals(d, "list_value", dtype_for(d->r->d->n_classes), &d->vals, err);
	if (st == OK)
		st = verify_exec2(d->k, STMT_FIX_ANSWERS, run, (int64_t)d->n, err);
	return st;
}

static void tell(const struct redo *d)
{
	const char *where = d->r->where;

	if (d->mapped)
		verify_told(d->k, where, "%llu answers were mapped again from their texts",
			    (unsigned long long)d->mapped);
	if (d->unmapped)
		verify_told(d->k, where,
			    "%llu answers have lost their class: their texts name none",
			    (unsigned long long)d->unmapped);
	if (d->guessed)
		verify_told(d->k, where,
			    "%llu outcomes are lost; they became oop, or error where there is one",
			    (unsigned long long)d->guessed);
}

static enum status redo_all(struct redo *d, struct err *err)
{
	ordinals classes = {0};
	enum status st = index_lists(d, err);

	if (st == OK)
		st = verify_new_column(&d->outcome, DT_U8, d->r->d->n, err);
	if (st == OK)
		st = verify_new_column(&d->label, dtype_for(d->r->d->n_classes), d->r->d->n, err);
	if (st == OK)
		st = store_classes_load(&d->names, err);
	for (uint32_t i = 0; i < d->r->d->n && st == OK; i++) {
		st = redo_answer(d, i, &classes, err);
		if (st == OK && i % 1024 == 0)
			st = cancel_check(d->k->job->cancel, err);
	}
	vec_release(&classes);
	return st == OK ? write_answers(d, err) : st;
}

enum status verify_rebuild_answers(struct verify *k, struct verify_run *r, struct err *err)
{
	struct redo d = {.k = k, .r = r};
	enum status st;

	report_init(&d.report, "repair", NULL);
	d.names.c = k->c;
	d.names.dataset = r->d->id;
	d.names.report = &d.report;
	st = redo_all(&d, err);
	if (st == OK)
		tell(&d);
	store_classes_release(&d.names.classes);
	store_refs_release(&d.names.refs);
	arena_release(&d.names.arena);
	report_release(&d.report);
	arena_release(&d.arena);
	column_release(&d.outcome);
	column_release(&d.label);
	vec_release(&d.ords);
	vec_release(&d.offs);
	vec_release(&d.vals);
	free(d.row);
	return st;
}
