#include "core/text/json.h"
#include "db/store_internal.h"

#define NONE UINT32_MAX

static struct facet_in *facet_new(struct store *s, int64_t id, struct str name)
{
	struct facet_in *f = xcalloc(1, sizeof *f);

	f->id = id;
	f->name = arena_str(&s->arena, name);
	f->set = DENSE(uint32_t, 0);
	f->num = DENSE(double, 0xff);
	return f;
}

/* The value's ordinal; made when it is new. Distinct spellings are folded once each. */
static uint32_t value_add(struct store *s, struct facet_in *f, struct str text)
{
	uint32_t raw = intern_add(&f->raw, text), value;

	if (raw < f->raw_value.n)
		return f->raw_value.v[raw];
	value = intern_add(&f->folded, store_fold(text, &s->refs.scratch));
	if (value == f->values.n) {
		vec_push(&f->values, arena_str(&s->arena, str_trim(text)));
		vec_push(&f->parents, NONE);
		vec_push(&f->alone, 0);
	}
	vec_push(&f->raw_value, value);
	return value;
}

uint32_t store_facet_set(struct facet_in *f, const uint32_t *values, size_t n)
{
	struct str key = {(const char *)values, n * sizeof *values};
	uint32_t *alone = n == 1 ? &f->alone.v[values[0]] : NULL;

	if (!alone)
		return intern_add(&f->sets, key);
	if (!*alone)
		*alone = intern_append(&f->sets, key) + 1;
	return *alone - 1;
}

/* --- loading --- */

static enum status load_values(struct store *s, struct facet_in *f, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_FACET_VALUES, err);
	bool row;

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, f->id);
	for (;;) {
		if (stmt_step(s->c, st, &row, err) != OK)
			return err->code;
		if (!row)
			break;
		if (value_add(s, f, stmt_str(st, 1)) != sqlite3_column_int64(st, 0))
			return err_set(err, E_FORMAT, "the values of facet %.*s have gaps",
				       STR_ARG(f->name));
		if (sqlite3_column_type(st, 2) != SQLITE_NULL)
			f->parents.v[f->parents.n - 1] = (uint32_t)sqlite3_column_int64(st, 2);
	}
	f->values_stored = f->values.n;
	return OK;
}

static enum status load_numbers(struct store *s, struct facet_in *f, struct err *err)
{
	struct column col = {0};
	enum status rc = column_load(s->c, OWNER_FACET, f->id, "number", &col, err);

	if (rc == OK && col.n)
		rc = store_dense_reach(&f->num, col.n - 1, store_n_samples(s), err);
	for (size_t i = 0; rc == OK && i < col.n; i++)
		dense_at(&f->num, double, i) = column_f(&col, i);
	column_release(&col);
	return rc;
}

static enum status set_stored(struct store *s, struct facet_in *f, size_t ord,
			      const uint32_t *values, size_t n, struct err *err)
{
	if (!n)
		return OK;
	if (store_dense_reach(&f->set, ord, store_n_samples(s), err) != OK)
		return err->code;
	dense_at(&f->set, uint32_t, ord) = store_facet_set(f, values, n) + 1;
	return OK;
}

static enum status load_single(struct store *s, struct facet_in *f, struct err *err)
{
	struct column col = {0};
	enum status rc = column_load(s->c, OWNER_FACET, f->id, "value", &col, err);

	for (size_t i = 0; rc == OK && i < col.n; i++) {
		uint32_t value = (uint32_t)column_u(&col, i);

		rc = set_stored(s, f, i, &value, value < f->values.n, err);
	}
	column_release(&col);
	return rc;
}

static enum status load_multi(struct store *s, struct facet_in *f, struct err *err)
{
	struct csr csr = {0};
	enum status rc = column_load(s->c, OWNER_FACET, f->id, "offset", &csr.off, err);

	if (rc == OK)
		rc = column_load(s->c, OWNER_FACET, f->id, "value", &csr.val, err);
	if (rc == OK && !csr_valid(&csr, f->values.n))
		rc = err_set(err, E_FORMAT, "facet %.*s is damaged", STR_ARG(f->name));
	for (size_t i = 0; rc == OK && i < csr_n(&csr); i++) {
		size_t from, n = csr_row(&csr, i, &from);

		vec_clear(&s->facets.values);
		for (size_t k = 0; k < n; k++)
			vec_push(&s->facets.values, (uint32_t)column_u(&csr.val, from + k));
		rc = set_stored(s, f, i, s->facets.values.v, n, err);
	}
	csr_release(&csr);
	return rc;
}

static enum status load_columns(struct store *s, struct facet_in *f, bool multi, struct err *err)
{
	struct err why = ERR_INIT;
	enum status rc;

	if (f->numeric)
		rc = load_numbers(s, f, &why);
	else
		rc = multi ? load_multi(s, f, &why) : load_single(s, f, &why);
	if (rc == OK || rc == E_NOT_FOUND) /* a tree without samples has no columns */
		return OK;
	*err = why;
	return rc;
}

static enum status load_facet(struct store *s, struct str name, struct facet_in **out,
			      struct err *err)
{
	sqlite3_stmt *st;
	bool row, found = false, multi = false, numeric = false;
	int64_t id = 0;
	struct buf fold = BUF_INIT, other = BUF_INIT;
	enum status rc = OK;

	*out = NULL;
	if (store_quiet(s, err) != OK)
		return err->code;
	st = stmt_get(s->c, STMT_STORE_FACET_LIST, err);
	if (!st)
		return err->code;
	store_fold(name, &fold);
	sqlite3_bind_int64(st, 1, s->dataset);
	while ((rc = stmt_step(s->c, st, &row, err)) == OK && row) {
		if (found || !str_eq(store_fold(stmt_str(st, 1), &other), buf_view(&fold)))
			continue;
		found = true;
		id = sqlite3_column_int64(st, 0);
		*out = facet_new(s, id, stmt_str(st, 1));
		(*out)->numeric = numeric = sqlite3_column_int(st, 2) != 0;
		(*out)->text = !numeric;
		multi = sqlite3_column_int(st, 3) != 0;
	}
	buf_release(&fold);
	buf_release(&other);
	if (rc != OK || !found)
		return rc;
	if (load_values(s, *out, err) != OK)
		return err->code;
	return load_columns(s, *out, multi, err);
}

static enum status facet_get(struct store *s, struct str name, uint32_t *out, struct err *err)
{
	struct facets *fs = &s->facets;
	uint32_t raw = intern_add(&fs->raw, name), at;
	struct facet_in *f;
	enum status rc;

	fs->expected = raw + 1;
	if (raw < fs->raw_facet.n) {
		*out = fs->raw_facet.v[raw];
		return OK;
	}
	at = intern_add(&fs->folded, store_fold(name, &s->refs.scratch));
	vec_push(&fs->raw_facet, at);
	*out = at;
	if (at < fs->v.n)
		return OK;
	if (!fs->next_id && store_int(s, STMT_STORE_FACET_NEXT, 0, &fs->next_id, err) != OK)
		return err->code;
	rc = load_facet(s, name, &f, err);
	if (!f) {
		f = facet_new(s, fs->next_id++, str_trim(name));
		f->fresh = true;
	}
	vec_push(&fs->v, f);
	return rc;
}

/* Rows mostly have the same facets in the same order. NONE: this one is another. */
static inline uint32_t expected_facet(struct facets *fs, struct str name)
{
	uint32_t raw = fs->expected;

	if (raw >= fs->raw_facet.n || !str_eq(fs->raw.keys.v[raw], name))
		return NONE;
	fs->expected++;
	return fs->raw_facet.v[raw];
}

/* --- records --- */

static enum status apply_number(struct store *s, struct facet_in *f, uint32_t ord, double number,
				const struct rec_sample *rec, bool *changed, struct err *err)
{
	double *at;

	if (store_dense_reach(&f->num, ord, store_n_samples(s), err) != OK)
		return err->code;
	at = &dense_at(&f->num, double, ord);
	if (!isfinite(number) || *at == number)
		return OK;
	if (isnan(*at)) {
		*at = number;
		f->changed = *changed = true;
	} else {
		report_add(s->report, PROBLEM_WARNING, rec->src, "facet",
			   "%.*s has another value already, which is kept", STR_ARG(f->name));
	}
	return OK;
}

static enum status apply_set(struct store *s, struct facet_in *f, uint32_t ord,
			     const struct rec_sample *rec, bool *changed, struct err *err)
{
	uint32_t set = store_facet_set(f, s->facets.values.v, s->facets.values.n) + 1, *at;

	if (store_dense_reach(&f->set, ord, store_n_samples(s), err) != OK)
		return err->code;
	at = &dense_at(&f->set, uint32_t, ord);
	if (*at == set)
		return OK;
	if (!*at) {
		*at = set;
		f->changed = *changed = true;
	} else {
		report_add(s->report, PROBLEM_WARNING, rec->src, "facet",
			   "%.*s has another value already, which is kept", STR_ARG(f->name));
	}
	return OK;
}

static void put_value(struct store *s, struct facet_in *f, struct str text)
{
	uint32_t value;

	if (!str_trim(text).n || text.n > STORE_NAME_MAX)
		return;
	value = value_add(s, f, text);
	for (size_t i = 0; i < s->facets.values.n; i++)
		if (s->facets.values.v[i] == value)
			return;
	vec_push(&s->facets.values, value);
}

static void put_number_as_text(struct store *s, struct facet_in *f, double number)
{
	struct buf text = BUF_INIT;

	if (isfinite(number)) {
		store_room(&text, 64);
		json_put_number(&text, number);
		put_value(s, f, buf_view(&text));
	}
	buf_release(&text);
}

/* All records of one facet in this row, from record i on. */
static enum status apply_facet(struct store *s, uint32_t ord, const struct rec_sample *rec,
			       size_t i, bool *changed, struct err *err)
{
	uint32_t which = s->facets.row.v[i];
	struct facet_in *f = s->facets.v.v[which];

	vec_clear(&s->facets.values);
	for (; i < rec->n_facets; i++) {
		const struct rec_facet *r = &rec->facets[i];

		if (s->facets.row.v[i] != which)
			continue;
		s->facets.row.v[i] = NONE;
		if (r->numeric && !f->text) {
			if (apply_number(s, f, ord, r->number, rec, changed, err) != OK)
				return err->code;
		} else if (r->numeric) {
			put_number_as_text(s, f, r->number);
		} else if (f->numeric && str_trim(r->value).n) {
			report_add(s->report, PROBLEM_WARNING, rec->src, "facet",
				   "%.*s holds numbers; \"%.*s\" is left out", STR_ARG(f->name),
				   (int)(r->value.n > 80 ? 80 : r->value.n), r->value.p);
		} else {
			put_value(s, f, r->value);
		}
	}
	return s->facets.values.n ? apply_set(s, f, ord, rec, changed, err) : OK;
}

enum status store_facets_add(struct store *s, uint32_t ord, const struct rec_sample *rec,
			     bool *changed, struct err *err)
{
	vec_clear(&s->facets.row);
	s->facets.expected = 0;
	for (size_t i = 0; i < rec->n_facets; i++) {
		struct str name = rec->facets[i].name;
		uint32_t which = expected_facet(&s->facets, name);

		if (which == NONE && str_trim(name).n && name.n <= STORE_NAME_MAX &&
		    facet_get(s, name, &which, err) != OK)
			return err->code;
		vec_push(&s->facets.row, which);
	}
	for (size_t i = 0; i < rec->n_facets; i++)
		if (s->facets.row.v[i] != NONE &&
		    apply_facet(s, ord, rec, i, changed, err) != OK)
			return err->code;
	return OK;
}

/* Would `value` stand above itself? */
static bool above_itself(const struct facet_in *f, uint32_t value, uint32_t parent)
{
	for (size_t steps = 0; parent < f->parents.n && steps <= f->parents.n; steps++) {
		if (parent == value)
			return true;
		parent = f->parents.v[parent];
	}
	return false;
}

static void hang(struct store *s, struct facet_in *f, const struct rec_tree *rec)
{
	size_t n = f->values.n;
	uint32_t value = value_add(s, f, rec->value), parent;

	s->report->values += f->values.n > n;
	if (!str_trim(rec->parent).n)
		return;
	parent = value_add(s, f, rec->parent);
	if (parent == value || f->parents.v[value] == parent)
		return; /* a word on two levels stands on the upper one */
	if (f->parents.v[value] != NONE || above_itself(f, value, parent)) {
		report_add(s->report, PROBLEM_WARNING, rec->src, "parent",
			   "\"%.*s\" stands elsewhere in the tree already and stays there",
			   (int)(rec->value.n > 80 ? 80 : rec->value.n), rec->value.p);
		return;
	}
	f->parents.v[value] = parent;
	f->parents_changed = f->changed = true;
	s->report->values += f->values.n == n; /* it was there, without a parent */
}

enum status store_tree_add(struct store *s, const struct rec_tree *rec, struct err *err)
{
	uint32_t which;
	struct facet_in *f;

	if (!str_trim(rec->facet).n || !str_trim(rec->value).n || rec->value.n > STORE_NAME_MAX ||
	    rec->parent.n > STORE_NAME_MAX || rec->facet.n > STORE_NAME_MAX) {
		report_add(s->report, PROBLEM_SKIPPED, rec->src, "value", "no value, or too long a one");
		return OK;
	}
	if (store_samples_load(s, err) != OK || facet_get(s, rec->facet, &which, err) != OK)
		return err->code;
	f = s->facets.v.v[which];
	if (f->numeric) {
		report_add(s->report, PROBLEM_SKIPPED, rec->src, "value",
			   "facet %.*s holds numbers and can have no tree", STR_ARG(f->name));
		return OK;
	}
	f->text = true;
	hang(s, f, rec);
	return OK;
}

void store_facets_release(struct facets *fs)
{
	for (size_t i = 0; i < fs->v.n; i++) {
		struct facet_in *f = fs->v.v[i];

		intern_release(&f->raw);
		vec_release(&f->raw_value);
		intern_release(&f->folded);
		vec_release(&f->values);
		vec_release(&f->parents);
		vec_release(&f->alone);
		intern_release(&f->sets);
		store_dense_release(&f->set);
		store_dense_release(&f->num);
		free(f);
	}
	vec_release(&fs->v);
	intern_release(&fs->raw);
	vec_release(&fs->raw_facet);
	intern_release(&fs->folded);
	vec_release(&fs->row);
	vec_release(&fs->values);
}
