#include "core/text/json.h"
#include "db/store_internal.h"

#define NONE UINT32_MAX

static const uint32_t *set_values(const struct facet_in *f, uint32_t set, size_t *n)
{
	struct str key = intern_key(&f->sets, set - 1);

	*n = key.n / sizeof(uint32_t);
	return (const uint32_t *)(const void *)key.p; /* arenas align to 16 bytes */
}

static bool has_several(const struct facet_in *f)
{
	for (size_t i = 0; i < f->sets.keys.n; i++)
		if (f->sets.keys.v[i].n > sizeof(uint32_t))
			return true;
	return false;
}

/* A new facet with numbers in some rows and words in others is one of words. */
static enum status numbers_to_words(struct store *s, struct facet_in *f, struct err *err)
{
	struct buf text = BUF_INIT;
	enum status rc = OK;

	for (size_t i = 0; i < f->num.n && rc == OK; i++) {
		double number = dense_at(&f->num, double, i);
		uint32_t value;

		if (isnan(number) || dense_u32(&f->set, i))
			continue;
		buf_clear(&text);
		store_room(&text, 64);
		json_put_number(&text, number);
		value = intern_add(&f->folded, buf_view(&text));
		if (value == f->values.n) {
			vec_push(&f->values, arena_str(&s->arena, buf_view(&text)));
			vec_push(&f->parents, NONE);
			vec_push(&f->alone, 0);
		}
		rc = store_dense_reach(&f->set, i, store_n_samples(s), err);
		if (rc == OK)
			dense_at(&f->set, uint32_t, i) = store_facet_set(f, &value, 1) + 1;
	}
	buf_release(&text);
	return rc;
}

static enum status write_row(struct store *s, const struct facet_in *f, bool multi, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_FACET_PUT, err);

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, f->id);
	sqlite3_bind_int64(st, 2, s->dataset);
	stmt_bind_str(st, 3, f->name);
	sqlite3_bind_int(st, 4, f->numeric);
	sqlite3_bind_int(st, 5, multi);
	return stmt_run(s->c, st, err);
}

static enum status write_values(struct store *s, const struct facet_in *f, struct err *err)
{
	for (size_t i = f->parents_changed ? 0 : f->values_stored; i < f->values.n; i++) {
		sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_FACET_VALUE_PUT, err);

		if (!st)
			return err->code;
		sqlite3_bind_int64(st, 1, f->id);
		sqlite3_bind_int64(st, 2, (int64_t)i);
		stmt_bind_str(st, 3, f->values.v[i]);
		if (f->parents.v[i] != NONE)
			sqlite3_bind_int64(st, 4, f->parents.v[i]);
		if (stmt_run(s->c, st, err) != OK)
			return err->code;
	}
	return OK;
}

static enum status put_column(struct store *s, int64_t facet, const char *name, struct column *col,
			      struct err *err)
{
	enum status rc = column_store(s->c, OWNER_FACET, facet, name, col, err);

	column_release(col);
	return rc;
}

static enum status write_numbers(struct store *s, const struct facet_in *f, struct err *err)
{
	struct column col;

	if (store_column(&col, DT_F64, store_n_samples(s), err) != OK)
		return err->code;
	for (size_t i = 0; i < col.n && i < f->num.n; i++)
		column_set_f(&col, i, dense_at(&f->num, double, i));
	return put_column(s, f->id, "number", &col, err);
}

static enum status write_single(struct store *s, const struct facet_in *f, struct err *err)
{
	struct column col;

	if (store_column(&col, dtype_for(f->values.n), store_n_samples(s), err) != OK)
		return err->code;
	for (size_t i = 0; i < col.n; i++) {
		uint32_t set = dense_u32(&f->set, i);
		size_t n;

		if (set)
			column_set_u(&col, i, set_values(f, set, &n)[0]);
	}
	return put_column(s, f->id, "value", &col, err);
}

static enum status write_multi(struct store *s, const struct facet_in *f, struct err *err)
{
	uint32_t samples = store_n_samples(s);
	struct column off, val;
	uint64_t total = 0;
	size_t n, at = 0;

	if (store_column(&off, DT_U32, (size_t)samples + 1, err) != OK)
		return err->code;
	for (uint32_t i = 0; i <= samples; i++) {
		uint32_t set = i < samples ? dense_u32(&f->set, i) : 0;

		column_set_u(&off, i, total);
		if (set)
			(void)set_values(f, set, &n);
		total += set ? n : 0;
	}
	if (total >= UINT32_MAX) {
		column_release(&off);
		return err_set(err, E_LIMIT, "facet %.*s has too many values", STR_ARG(f->name));
	}
	if (store_column(&val, dtype_for(f->values.n), (size_t)total, err) != OK) {
		column_release(&off);
		return err->code;
	}
	for (uint32_t i = 0; i < samples; i++) {
		uint32_t set = dense_u32(&f->set, i);
		const uint32_t *v = set ? set_values(f, set, &n) : NULL;

		for (size_t k = 0; set && k < n; k++)
			column_set_u(&val, at++, v[k]);
	}
	if (put_column(s, f->id, "offset", &off, err) != OK) {
		column_release(&val);
		return err->code;
	}
	return put_column(s, f->id, "value", &val, err);
}

static enum status write_facet(struct store *s, struct facet_in *f, struct err *err)
{
	bool multi;

	if (f->fresh) {
		bool numbers = f->num.n > 0, words = f->sets.keys.n > 0 || f->text;

		f->numeric = numbers && !words;
		if (numbers && words && numbers_to_words(s, f, err) != OK)
			return err->code;
	}
	multi = has_several(f);
	if (write_row(s, f, multi, err) != OK || write_values(s, f, err) != OK)
		return err->code;
	if (f->numeric)
		return write_numbers(s, f, err);
	return multi ? write_multi(s, f, err) : write_single(s, f, err);
}

/* The regular expressions behind derived facets are kept with the project. */
static enum status write_derived(struct store *s, struct err *err)
{
	for (size_t i = 0; i < s->opt->n_facets; i++) {
		sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_FACET_DERIVED, err);

		if (!st)
			return err->code;
		sqlite3_bind_int64(st, 1, s->dataset);
		stmt_bind_str(st, 2, s->opt->facets[i].name);
		stmt_bind_str(st, 3, s->opt->facets[i].value);
		if (stmt_run(s->c, st, err) != OK)
			return err->code;
	}
	return OK;
}

enum status store_facets_write(struct store *s, struct err *err)
{
	for (size_t i = 0; i < s->facets.v.n; i++) {
		struct facet_in *f = s->facets.v.v[i];

		if (!f->changed && f->values_stored == f->values.n)
			continue;
		s->changed = true;
		if (write_facet(s, f, err) != OK)
			return err->code;
	}
	return write_derived(s, err);
}
