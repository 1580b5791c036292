/* Columns of datasets and facets, and what becomes of damaged ones; sets for layers too. */
#include <math.h>
#include <stdlib.h>

#include "core/base/utf8.h"
#include "db/verify_impl.h"

#define NONE UINT32_MAX

/* --- one column --- */

enum status verify_exec2(struct verify *k, enum stmt_id id, int64_t a, int64_t b, struct err *err)
{
	sqlite3_stmt *s = stmt_get(k->c, id, err);

	if (!s)
		return err->code;
	if (sqlite3_bind_parameter_count(s) > 0)
		sqlite3_bind_int64(s, 1, a);
	if (sqlite3_bind_parameter_count(s) > 1)
		sqlite3_bind_int64(s, 2, b);
	return stmt_run(k->c, s, err);
}

enum status verify_drop_column(struct verify *k, enum owner_kind kind, int64_t owner,
			       const char *name, struct err *err)
{
	sqlite3_stmt *s = stmt_get(k->c, STMT_FIX_COLUMN, err);

	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, (int64_t)kind);
	sqlite3_bind_int64(s, 2, owner);
	stmt_bind_str(s, 3, str_z(name));
	return stmt_run(k->c, s, err);
}

/* Where stands in front already. */
static const char *without_preface(const char *message)
{
	const struct str preface = STR("the project is damaged: ");

	return str_starts(str_z(message), preface) ? message + preface.n : message;
}

enum status verify_column(struct verify *k, enum owner_kind kind, int64_t owner, const char *where,
			  const char *name, const char *fix, struct column *out, bool *there,
			  bool *bad, struct err *err)
{
	enum status st = column_load(k->c, kind, owner, name, out, err);

	*there = st == OK;
	if (st == OK) {
		k->counts->columns++;
		verify_progress(k, where, out->n * dtype_size(out->dtype));
		return cancel_check(k->job->cancel, err);
	}
	if (st == E_NOT_FOUND || st == E_FORMAT)
		*bad |= st == E_FORMAT;
	else
		return st;
	if (st == E_FORMAT)
		finding_one(k, where, fix, "%.190s", without_preface(err->msg));
	err_clear(err);
	return OK;
}

enum status verify_store(struct verify *k, enum owner_kind kind, int64_t owner, const char *name,
			 struct column *col, struct err *err)
{
	enum status st = column_store(k->c, kind, owner, name, col, err);

	column_release(col);
	return st;
}

enum status verify_new_column(struct column *out, enum dtype dtype, size_t n, struct err *err)
{
	*out = column_new(dtype, n);
	return out->data ? OK : err_set(err, E_MEMORY, "there is no memory for a column of %zu", n);
}

/* --- samples --- */

struct samples_pass {
	struct verify *k;
	const struct verify_dataset *d;
	struct column media, fresh; /* as stored; as it should be */
	struct finding wrong, texts;
};

static void take_sample(struct samples_pass *p, sqlite3_stmt *s)
{
	static const char *const what[] = {NULL, "key", "path", "text"};
	int64_t ord = sqlite3_column_int64(s, 0), media = sqlite3_column_int64(s, 4);
	struct str key = stmt_str(s, 1);
	uint64_t stored;

	if (ord < 0 || ord >= p->d->n)
		return;
	for (int i = 1; i < 4; i++) {
		struct str text = stmt_str(s, i);

		if (utf8_valid_prefix(text) != text.n)
			finding_see(&p->texts, "%s of %lld", what[i], (long long)ord);
	}
	column_set_u(&p->fresh, (size_t)ord,
		     media > 0 && media <= MEDIA_VIDEO ? (uint64_t)media : 0);
	stored = column_u(&p->media, (size_t)ord);
	if ((stored == COLUMN_NONE ? 0 : stored) != column_u(&p->fresh, (size_t)ord))
		finding_see(&p->wrong, "%.*s", (int)(key.n < 60 ? key.n : 60), key.n ? key.p : "");
}

enum status verify_samples(struct verify *k, const struct verify_dataset *d, struct err *err)
{
	static const char again[] = "it is made again from the samples";
	struct samples_pass p = {.k = k, .d = d};
	sqlite3_stmt *s = NULL;
	bool there, bad = false, row;
	enum status st = verify_column(k, OWNER_DATASET, d->id, d->where, "media", again, &p.media,
				       &there, &bad, err);

	if (st == OK)
		st = verify_new_column(&p.fresh, DT_U8, d->n, err);
	if (st == OK && there && (p.media.dtype != DT_U8 || p.media.n > d->n)) {
		finding_one(k, d->where, again, "column media is of the wrong type or length");
		bad = true;
		column_release(&p.media);
	}
	finding_init(&p.wrong, "column media differs from the samples");
	finding_init(&p.texts, "texts of samples that are no valid UTF-8");
	if (st == OK && !(s = stmt_get(k->c, STMT_VERIFY_SAMPLES, err)))
		st = err->code;
	if (s)
		sqlite3_bind_int64(s, 1, d->id);
	while (st == OK && (st = stmt_step(k->c, s, &row, err)) == OK && row)
		take_sample(&p, s);
	if (bad && !there)
		p.wrong.n = 0; /* told already */
	bad |= finding_end(k, &p.wrong, d->where, again);
	finding_end(k, &p.texts, d->where, NULL);
	if (st == OK && bad && k->repair)
		st = column_store(k->c, OWNER_DATASET, d->id, "media", &p.fresh, err);
	column_release(&p.media);
	column_release(&p.fresh);
	return st;
}

/* --- sets of a layer or a facet --- */

/* Do the offsets hold together, whatever the values are? */
static bool offsets_hold(const struct csr *c, uint32_t n)
{
	struct csr only = {c->off, {DT_U8, c->val.n, c->val.data}};
	const uint32_t *off = c->off.data;

	if (c->off.n == 0)
		return c->val.n == 0;
	if (c->off.dtype != DT_U32 || c->off.n > (size_t)n + 1 || !column_is_unsigned(&c->val) ||
	    off[0] != 0 || off[c->off.n - 1] != only.val.n)
		return false;
	for (size_t i = 1; i < c->off.n; i++)
		if (off[i] < off[i - 1])
			return false;
	return true;
}

enum status sets_load(struct sets *s, const char *fix, struct err *err)
{
	struct finding f;
	bool off, val;
	enum status st = verify_column(s->k, s->kind, s->owner, s->where, "offset", fix,
				       &s->csr.off, &off, &s->bad, err);

	if (st == OK)
		st = verify_column(s->k, s->kind, s->owner, s->where, "value", fix, &s->csr.val,
				   &val, &s->bad, err);
	if (st != OK || s->bad)
		return st;
	s->whole = offsets_hold(&s->csr, s->n);
	if (!s->whole) {
		finding_one(s->k, s->where, fix, "columns offset and value do not fit each other");
		s->bad = true;
		return OK;
	}
	finding_init(&f, "sets with values that do not exist, or out of order");
	for (size_t i = 0; i < csr_n(&s->csr); i++) {
		size_t from, n = csr_row(&s->csr, i, &from);

		for (size_t j = 0; j < n; j++) {
			uint64_t v = column_u(&s->csr.val, from + j);

			if (v >= s->limit || (j && s->kind == OWNER_LAYER &&
					      v <= column_u(&s->csr.val, from + j - 1))) {
				finding_see(&f, "sample %zu", i);
				break;
			}
		}
	}
	s->bad |= finding_end(s->k, &f, s->where, fix);
	return OK;
}

/* The values of row i that exist, ascending and once each; returns how many there were before. */
size_t sets_clean_row(const struct sets *s, uint32_t i, uint8_t *in, ordinal_vec *out)
{
	size_t from, n = s->whole ? csr_row(&s->csr, i, &from) : 0, start = out->n;

	for (size_t j = 0; j < n; j++) {
		uint64_t v = column_u(&s->csr.val, from + j);

		if (v < s->limit && !in[v]) {
			in[v] = 1;
			vec_push(out, (uint32_t)v);
		}
	}
	for (size_t j = start; j < out->n; j++)
		in[out->v[j]] = 0;
	if (s->kind == OWNER_LAYER)
		ordinals_sort(out->v + start, out->n - start);
	return n;
}

enum status sets_write(const struct sets *s, const ordinal_vec *off, const ordinal_vec *val,
		       struct err *err)
{
	struct column o, v;
	enum status st = verify_new_column(&o, DT_U32, off->n, err);

	if (st != OK)
		return st;
	memcpy(o.data, off->v, off->n * sizeof *off->v);
	st = verify_new_column(&v, dtype_for(s->limit), val->n, err);
	if (st != OK) {
		column_release(&o);
		return st;
	}
	for (size_t i = 0; i < val->n; i++)
		column_set_u(&v, i, val->v[i]);
	st = verify_store(s->k, s->kind, s->owner, "offset", &o, err);
	if (st != OK) {
		column_release(&v);
		return st;
	}
	return verify_store(s->k, s->kind, s->owner, "value", &v, err);
}

/* --- owners --- */

/* Rows (id, name, a, b) of a dataset. */
enum status verify_owners(struct verify *k, enum stmt_id id, int64_t dataset, const char *what,
			  struct arena *arena, struct owner_vec *out, struct err *err)
{
	sqlite3_stmt *s = stmt_get(k->c, id, err);
	enum status st = s ? OK : err->code;
	bool row;

	if (s)
		sqlite3_bind_int64(s, 1, dataset);
	while (st == OK && (st = stmt_step(k->c, s, &row, err)) == OK && row) {
		struct str name = stmt_str(s, 1);
		struct owner o = {sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 2),
				  sqlite3_column_int64(s, 3), NULL};

		o.where = arena_printf(arena, "%s %.*s", what, (int)(name.n < 200 ? name.n : 200),
				       name.n ? name.p : "");
		vec_push(out, o);
	}
	return st;
}

/* --- facets --- */

static enum status rebuild_sets(const struct sets *s, struct err *err)
{
	ordinal_vec off = {0}, val = {0};
	uint8_t *in = xcalloc((size_t)s->limit + 1, 1);
	enum status st = OK;

	vec_push(&off, 0);
	for (uint32_t i = 0; s->whole && i < csr_n(&s->csr); i++) {
		sets_clean_row(s, i, in, &val);
		vec_push(&off, (uint32_t)val.n);
	}
	if (s->whole) {
		st = sets_write(s, &off, &val, err);
	} else {
		st = verify_drop_column(s->k, s->kind, s->owner, "offset", err);
		if (st == OK)
			st = verify_drop_column(s->k, s->kind, s->owner, "value", err);
		if (st == OK)
			verify_told(s->k, s->where, "all its values are lost");
	}
	free(in);
	vec_release(&off);
	vec_release(&val);
	return st;
}

static enum status verify_multi(struct verify *k, const struct verify_dataset *d,
				const struct owner *o, uint32_t values, struct err *err)
{
	struct sets s = {
	    k,     OWNER_FACET, o->id, o->where, d->n, values, {{DT_U8, 0, NULL}, {DT_U8, 0, NULL}},
	    false, false};
	enum status st = sets_load(&s, "what holds together is kept", err);

	if (st == OK && s.bad && k->repair)
		st = rebuild_sets(&s, err);
	csr_release(&s.csr);
	return st;
}

/* One column of values or numbers. limit: of values; UINT32_MAX for numbers. */
static enum status verify_single(struct verify *k, const struct verify_dataset *d,
				 const struct owner *o, const char *name, uint32_t limit,
				 struct err *err)
{
	bool numbers = limit == NONE, there, bad = false, elements = false;
	struct column col = {DT_U8, 0, NULL};
	struct finding f;
	enum status st = verify_column(k, OWNER_FACET, o->id, o->where, name, "it is dropped", &col,
				       &there, &bad, err);

	if (st == OK && there &&
	    (col.n > d->n || (numbers ? col.dtype != DT_F64 : !column_is_unsigned(&col)))) {
		finding_one(k, o->where, "it is dropped",
			    "column %s is of the wrong type or length", name);
		bad = true;
	}
	finding_init(&f, "column %s holds values that do not exist", name);
	for (size_t i = 0; st == OK && there && !bad && !numbers && i < col.n; i++) {
		uint64_t v = column_u(&col, i);

		if (v == COLUMN_NONE || v < limit)
			continue;
		finding_see(&f, "sample %zu", i);
		column_set_u(&col, i, COLUMN_NONE);
	}
	elements = finding_end(k, &f, o->where, "the samples have none");
	if (st == OK && bad && k->repair) {
		st = verify_drop_column(k, OWNER_FACET, o->id, name, err);
		verify_told(k, o->where, "all its values are lost");
	} else if (st == OK && elements && k->repair) {
		st = column_store(k->c, OWNER_FACET, o->id, name, &col, err);
	}
	column_release(&col);
	return st;
}

static enum status verify_facet(struct verify *k, const struct verify_dataset *d,
				const struct owner *o, struct err *err)
{
	uint32_t values = 0;
	enum status st = verify_values(k, o->id, o->where, &values, err);

	k->counts->facets++;
	if (st != OK)
		return st;
	if (o->a)
		return verify_single(k, d, o, "number", NONE, err);
	return o->b ? verify_multi(k, d, o, values, err)
		    : verify_single(k, d, o, "value", values, err);
}

enum status verify_facets(struct verify *k, const struct verify_dataset *d, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct owner_vec list = {0};
	enum status st = verify_owners(k, STMT_VERIFY_FACETS, d->id, "facet", &arena, &list, err);

	for (size_t i = 0; i < list.n && st == OK; i++)
		st = verify_absorb(k, verify_facet(k, d, &list.v[i], err), list.v[i].where, err);
	vec_release(&list);
	arena_release(&arena);
	return st;
}
