/* Answers of the file against answers in the project: known, an extension, or another run. */
#include <stdio.h>

#include "db/store_merge.h"

#define NONE UINT32_MAX

void store_stored_release(struct stored *o)
{
	column_release(&o->outcome);
	column_release(&o->label);
	column_release(&o->mapped);
	column_release(&o->list_ord);
	csr_release(&o->list);
	store_dense_release(&o->hash);
	for (size_t i = 0; i < o->numbers.n; i++)
		column_release(&o->numbers.v[i].col);
	vec_release(&o->numbers);
	for (int f = 0; f < N_FIELDS; f++)
		column_release(&o->place[f]);
}

/* --- what the file and the project say of one sample --- */

struct view store_view_in(const struct store *s, const struct run_in *r, uint32_t ord)
{
	return store_set_view(s, dense_u32(&r->set, ord) - 1);
}

static size_t list_row(const struct stored *o, uint32_t ord, size_t *from)
{
	size_t lo = 0, hi = o->list_ord.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (column_u(&o->list_ord, mid) < ord)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < o->list_ord.n && column_u(&o->list_ord, lo) == ord)
		return csr_row(&o->list, lo, from);
	return 0;
}

struct view store_view_stored(const struct stored *o, uint32_t ord, ordinals *scratch)
{
	uint64_t outcome = column_u(&o->outcome, ord), label = column_u(&o->label, ord);
	uint64_t was = column_u(&o->mapped, ord);
	struct view v = {OUTCOME_MISSING, NULL, 0, OUTCOME_MISSING};
	size_t from, n;

	if (!o->id || outcome >= N_OUTCOMES)
		return v;
	v.outcome = (enum outcome)outcome;
	v.was = was < N_OUTCOMES ? (enum outcome)was : OUTCOME_MISSING;
	vec_clear(scratch);
	n = list_row(o, ord, &from);
	for (size_t i = 0; i < n; i++)
		vec_push(scratch, (uint32_t)column_u(&o->list.val, from + i));
	if (!n && label != COLUMN_NONE)
		vec_push(scratch, (uint32_t)label);
	v.classes = scratch->v;
	v.n = scratch->n;
	return v;
}

static bool is_answer(enum outcome o)
{
	return o == OUTCOME_ANSWERED || o == OUTCOME_OOP;
}

bool store_views_equal(const struct view *a, const struct view *b)
{
	return a->outcome == b->outcome && a->n == b->n &&
	       (!a->n || memcmp(a->classes, b->classes, a->n * sizeof *a->classes) == 0);
}

static enum state compare(const struct store *s, struct merge *m, uint32_t ord)
{
	struct view in = store_view_in(s, m->in, ord), old = store_view_stored(&m->old, ord, &m->scratch);
	bool text = ord < m->in->place[FIELD_RAW].n &&
		    dense_at(&m->in->place[FIELD_RAW], uint64_t, ord) != UINT64_MAX;
	uint64_t hash = ord < m->old.hash.n ? dense_at(&m->old.hash, uint64_t, ord) : 0;

	if (old.outcome == OUTCOME_MISSING)
		return STATE_FRESH;
	if (m->in->scratch && old.outcome == OUTCOME_ERROR)
		return STATE_AGAIN;
	if (hash != dense_at(&m->in->hash, uint64_t, ord))
		return STATE_DIFFERS;
	if (store_views_equal(&in, &old) || (old.was && old.was == in.outcome && !in.n))
		return STATE_SAME;
	/* The same words: classes that have become known since then are a blank filled in, and a
	 * class that was found for them meanwhile stays. */
	if (!text || !is_answer(in.outcome) || !is_answer(old.outcome) || (in.n && old.n))
		return STATE_DIFFERS;
	return in.n ? STATE_MAPS : STATE_SAME;
}

/* Can the file's run go into the stored one? */
static enum status compare_all(struct store *s, struct merge *m, bool *agrees, struct err *err)
{
	uint32_t n = store_n_samples(s);

	free(m->state);
	m->state = mem_try(n);
	if (!m->state)
		return err_set(err, E_MEMORY, "there is no memory to compare %u answers", n);
	memset(m->count, 0, sizeof m->count);
	for (uint32_t i = 0; i < n; i++) {
		enum state state = STATE_NONE;

		if (dense_u32(&m->in->set, i))
			state = m->stage    ? store_stage_compare(s, m, i)
				: m->old.id ? compare(s, m, i)
					    : STATE_FRESH;
		m->state[i] = (uint8_t)state;
		m->count[state]++;
	}
	*agrees = !m->count[STATE_DIFFERS];
	return OK;
}

/* --- loading a stored run --- */

static enum status load_optional(struct store *s, int64_t run, const char *name, struct column *out,
				 struct err *err)
{
	struct err why = ERR_INIT;
	enum status rc = column_load(s->c, OWNER_RUN, run, name, out, &why);

	if (rc != OK && rc != E_NOT_FOUND)
		*err = why;
	return rc == E_NOT_FOUND ? OK : rc;
}

static bool is_number(struct str name)
{
	return !str_eqz(name, "outcome") && !str_eqz(name, "label") &&
	       !str_starts(name, STR("list_")) && !str_starts(name, STR("text_"));
}

static enum status load_numbers(struct store *s, struct stored *o, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_RUN_COLUMNS, err);
	enum status rc;
	bool row;

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, o->id);
	while ((rc = stmt_step(s->c, st, &row, err)) == OK && row)
		if (is_number(stmt_str(st, 0)))
			vec_push(&o->numbers,
				 ((struct stored_number){arena_str(&s->arena, stmt_str(st, 0)), {0}}));
	for (size_t i = 0; i < o->numbers.n && rc == OK; i++)
		rc = column_load(s->c, OWNER_RUN, o->id, o->numbers.v[i].name.p,
				 &o->numbers.v[i].col, err);
	return rc;
}

struct hashing {
	struct store *s;
	struct stored *o;
	enum text_field field;
};

static enum status hash_entry(void *ctx, uint32_t ord, struct str text, struct err *err)
{
	struct hashing *h = ctx;

	(void)err;
	if (ord < h->o->hash.n)
		dense_at(&h->o->hash, uint64_t, ord) ^= store_text_mix(h->field, text);
	return OK;
}

static enum status hash_stored(struct store *s, struct stored *o, struct err *err)
{
	uint32_t n = store_n_samples(s);

	if (!n || store_dense_reach(&o->hash, n - 1, n, err) != OK)
		return n ? err->code : OK;
	for (int f = 0; f < N_FIELDS; f++) {
		struct hashing h = {s, o, (enum text_field)f};
		struct text_visit visit = {&h, hash_entry};

		if (store_text_each(s, false, o->id, h.field, &visit, err) != OK)
			return err->code;
	}
	for (size_t k = 0; k < o->numbers.n; k++) {
		const struct stored_number *num = &o->numbers.v[k];
		uint64_t salt = store_number_salt(num->name);

		for (uint32_t i = 0; i < n && i < num->col.n; i++) {
			double v = column_f(&num->col, i);

			if (!isnan(v))
				dense_at(&o->hash, uint64_t, i) ^=
				    store_number_mix(salt, num->col.dtype, v);
		}
	}
	return OK;
}

enum status store_stored_columns(struct store *s, struct stored *o, struct err *err)
{
	enum status rc = column_load(s->c, OWNER_RUN, o->id, "outcome", &o->outcome, err);

	if (rc == OK)
		rc = load_optional(s, o->id, "label", &o->label, err);
	return rc == OK ? load_optional(s, o->id, STORE_MAPPED, &o->mapped, err) : rc;
}

enum status store_stored_answers(struct store *s, struct stored *o, struct err *err)
{
	if (store_stored_columns(s, o, err) != OK ||
	    load_optional(s, o->id, "list_ord", &o->list_ord, err) != OK)
		return err->code;
	if (o->list_ord.n &&
	    (column_load(s->c, OWNER_RUN, o->id, "list_offset", &o->list.off, err) != OK ||
	     column_load(s->c, OWNER_RUN, o->id, "list_value", &o->list.val, err) != OK))
		return err->code;
	if (o->list_ord.n &&
	    (!csr_valid(&o->list, store_n_classes(s)) || csr_n(&o->list) != o->list_ord.n))
		return err_set(err, E_FORMAT, "the lists of a run are damaged");
	return OK;
}

/* Its id, 0 when there is none, and how many answers it has. */
static enum status find_stored(struct store *s, const char *handle, int64_t *id, int64_t *n,
			       struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_RUN_GET, err);
	bool row;

	*id = *n = 0;
	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->dataset);
	stmt_bind_str(st, 2, str_z(handle));
	if (stmt_step(s->c, st, &row, err) != OK)
		return err->code;
	if (row) {
		*id = sqlite3_column_int64(st, 0);
		*n = sqlite3_column_int64(st, 1);
	}
	sqlite3_reset(st);
	return OK;
}

static enum status stored_load(struct store *s, const char *handle, struct stored *o,
			       struct err *err)
{
	if (find_stored(s, handle, &o->id, &o->n, err) != OK)
		return err->code;
	if (!o->id)
		return OK;
	if (store_stored_answers(s, o, err) != OK || load_numbers(s, o, err) != OK)
		return err->code;
	for (int f = 0; f < N_FIELDS; f++)
		if (load_optional(s, o->id, store_field_column[f], &o->place[f], err) != OK ||
		    store_text_end(s, o->id, (enum text_field)f, &o->end[f], err) != OK)
			return err->code;
	return hash_stored(s, o, err);
}

/* --- columns --- */

static enum status put(struct store *s, const struct merge *m, const char *name, struct column *col,
		       struct err *err)
{
	enum status rc = column_store(s->c, OWNER_RUN, m->id, name, col, err);

	column_release(col);
	return rc;
}

static bool from_file(const struct merge *m, uint32_t ord)
{
	return m->state[ord] == STATE_FRESH || m->state[ord] == STATE_AGAIN ||
	       m->state[ord] == STATE_MAPS || m->state[ord] == STATE_FINDS;
}

struct merging {
	const struct store *s;
	struct merge *m;
};

static struct view view_merged(void *ctx, uint32_t ord)
{
	struct merging *g = ctx;

	return from_file(g->m, ord) ? store_view_in(g->s, g->m->in, ord)
				    : store_view_stored(&g->m->old, ord, &g->m->scratch);
}

static enum status write_answers(struct store *s, struct merge *m, struct err *err)
{
	struct merging g = {s, m};

	return store_views_write(s, m->id, store_n_samples(s), view_merged, &g, err);
}

const struct column *store_old_number(const struct stored *o, struct str name)
{
	for (size_t i = 0; i < o->numbers.n; i++)
		if (str_eq(o->numbers.v[i].name, name))
			return &o->numbers.v[i].col;
	return NULL;
}

/* Of the same type; "none" differs in its bits where it is a NaN. */
static void put_all(struct column *col, const struct dense *v)
{
	for (size_t i = 0; i < col->n && i < v->n; i++)
		if (dense_at(v, const uint32_t, i) != NONE)
			((uint32_t *)col->data)[i] = dense_at(v, const uint32_t, i);
}

double store_number_at(const struct number_in *in, uint32_t ord)
{
	if (ord >= in->v.n || dense_at(&in->v, const uint32_t, ord) == NONE)
		return NAN;
	return in->dtype == DT_U32 ? dense_at(&in->v, const uint32_t, ord)
				   : (double)dense_at(&in->v, const float, ord);
}

/* Do numbers and texts of the file go into the project? */
static bool adds(const struct merge *m, uint32_t ord)
{
	return m->state[ord] == STATE_FRESH || m->state[ord] == STATE_AGAIN ||
	       m->state[ord] == STATE_FILLS || m->state[ord] == STATE_FINDS;
}

static enum status write_number(struct store *s, const struct merge *m, const struct number_in *in,
				struct err *err)
{
	const struct column *old = store_old_number(&m->old, in->name);
	struct column col;

	if (!in->v.n && !(old && m->count[STATE_AGAIN]))
		return OK;
	if (store_column(&col, old ? old->dtype : in->dtype, store_n_samples(s), err) != OK)
		return err->code;
	if (!m->old.id && !m->stage) { /* every value is the file's, or none on both sides */
		put_all(&col, &in->v);
		return put(s, m, in->name.p, &col, err);
	}
	for (uint32_t i = 0; i < col.n; i++) {
		double v = adds(m, i) ? store_number_at(in, i) : NAN;

		if (isnan(v) && old && m->state[i] != STATE_AGAIN)
			v = column_f(old, i);
		if (isnan(v))
			continue;
		if (col.dtype == DT_F32 || col.dtype == DT_F64)
			column_set_f(&col, i, v);
		else
			column_set_u(&col, i, (uint64_t)v);
	}
	return put(s, m, in->name.p, &col, err);
}

/* --- texts --- */

/* The file's place, else the project's, unless that was a failure's. */
static uint64_t place_at(const struct merge *m, const struct dense *place, const struct column *old,
			 uint32_t i)
{
	uint64_t at = i < place->n ? dense_at(place, const uint64_t, i) : COLUMN_NONE;

	return at == COLUMN_NONE && old->n && !(m->state && m->state[i] == STATE_AGAIN)
		   ? column_u(old, i)
		   : at;
}

enum status store_places_write(struct store *s, const struct merge *m, enum text_field field,
			       const struct dense *place, struct err *err)
{
	const struct column *old = &m->old.place[field];
	uint32_t n = store_n_samples(s);
	uint64_t max = 0;
	struct column col;
	bool any = false;

	if (!place->n && !old->n)
		return OK;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t at = place_at(m, place, old, i);

		max = at != COLUMN_NONE && at > max ? at : max;
		any |= at != COLUMN_NONE;
	}
	if (!any && !m->count[STATE_AGAIN])
		return OK;
	if (store_column(&col, dtype_for(max), n, err) != OK)
		return err->code;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t at = place_at(m, place, old, i);

		if (at != COLUMN_NONE)
			column_set_u(&col, i, at);
	}
	return put(s, m, store_field_column[field], &col, err);
}

struct moving { /* entries of samples that are new to a stored run */
	struct store *s;
	const struct merge *m;
	enum text_field field;
	struct text_out out;
	struct dense place;
};

static enum status move_entry(void *ctx, uint32_t ord, struct str text, struct err *err)
{
	struct moving *mv = ctx;

	if (ord >= store_n_samples(mv->s) || !adds(mv->m, ord) ||
	    (mv->m->stage && !store_stage_takes(mv->m, mv->field, ord)))
		return OK;
	if (store_dense_reach(&mv->place, ord, store_n_samples(mv->s), err) != OK)
		return err->code;
	return store_text_put(mv->s, false, mv->m->id, mv->field, &mv->out, ord, text,
			      &dense_at(&mv->place, uint64_t, ord), err);
}

static enum status extend_text(struct store *s, const struct merge *m, enum text_field field,
			       struct err *err)
{
	struct moving mv = {.s = s, .m = m, .field = field, .place = DENSE(uint64_t, 0xff)};
	struct text_visit visit = {&mv, move_entry};
	enum status rc;

	mv.out.start = m->old.end[field];
	rc = store_text_each(s, !s->direct, m->in->id, field, &visit, err);
	if (rc == OK)
		rc = store_text_flush(s, false, m->id, field, &mv.out, err);
	if (rc == OK && (mv.place.n || m->count[STATE_AGAIN]))
		rc = store_places_write(s, m, field, &mv.place, err);
	store_text_release(&mv.out);
	store_dense_release(&mv.place);
	return rc;
}

enum status store_by_run(struct store *s, enum stmt_id id, int64_t run, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, id, err);

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, run);
	return stmt_run(s->c, st, err);
}

static enum status write_texts(struct store *s, struct merge *m, struct err *err)
{
	for (int f = 0; f < N_FIELDS; f++) {
		enum text_field field = (enum text_field)f;
		bool anew = field == FIELD_EXTRACTED && m->count[STATE_FINDS];

		if (anew		  ? store_stage_extracted(s, m, err) != OK
		    : m->old.id || m->stage ? extend_text(s, m, field, err) != OK
				      : store_places_write(s, m, field, &m->in->place[f], err) != OK)
			return err->code;
	}
	if (!m->old.id && !m->stage)
		return s->direct ? OK : store_by_run(s, STMT_STAGE_CHUNKS_MERGE, m->in->id, err);
	return OK;
}

/* --- one run --- */

static enum status write_row(struct store *s, const struct merge *m, struct err *err)
{
	const struct run_in *r = m->in;
	struct str model = r->model.n ? r->model : r->handle;
	struct str title = str_eq(r->title, r->handle) ? str_z(m->handle) : r->title;
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_MODEL_PUT, err);
	char now[32];

	if (!st)
		return err->code;
	stmt_bind_str(st, 1, model);
	if (stmt_run(s->c, st, err) != OK || !(st = stmt_get(s->c, STMT_STORE_RUN_PUT, err)))
		return err->code;
	store_now(now);
	sqlite3_bind_int64(st, 1, m->id);
	sqlite3_bind_int64(st, 2, s->dataset);
	stmt_bind_str(st, 3, model);
	stmt_bind_str(st, 4, str_z(m->handle));
	stmt_bind_str(st, 5, title);
	stmt_bind_str(st, 6, r->protocol);
	stmt_bind_str(st, 7, r->prompt);
	stmt_bind_str(st, 8, r->response_format);
	stmt_bind_str(st, 9, r->encoder);
	sqlite3_bind_int(st, 10, r->list_rule);
	sqlite3_bind_int(st, 11, r->open_world);
	stmt_bind_str(st, 12, r->settings);
	stmt_bind_str(st, 13, r->source);
	sqlite3_bind_int64(st, 14, m->count[STATE_FRESH]);
	stmt_bind_str(st, 15, str_z(now));
	sqlite3_bind_int(st, 16, r->scratch);
	stmt_bind_str(st, 17, r->parent);
	return stmt_run(s->c, st, err);
}

static enum status grow_row(struct store *s, const struct merge *m, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_RUN_GROW, err);

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, m->id);
	sqlite3_bind_int64(st, 2, m->old.n + m->count[STATE_FRESH]);
	return stmt_run(s->c, st, err);
}

static enum status write_run(struct store *s, struct merge *m, struct err *err)
{
	m->id = m->old.id ? m->old.id : m->in->id;
	if (!m->old.id && m->stage) /* what goes in is copied out of the file's own chunks */
		m->id = s->next_run++;
	s->changed = true;
	if ((m->old.id ? grow_row(s, m, err) : write_row(s, m, err)) != OK ||
	    write_answers(s, m, err) != OK || write_texts(s, m, err) != OK)
		return err->code;
	for (size_t i = 0; i < m->in->numbers.n; i++)
		if (write_number(s, m, &m->in->numbers.v[i], err) != OK)
			return err->code;
	return OK;
}

static void tell_lost(struct store *s, const struct merge *m)
{
	for (uint32_t i = 0; m->count[STATE_LOST] && i < store_n_samples(s); i++)
		if (m->state[i] == STATE_LOST)
			report_add(s->report, PROBLEM_UNMATCHED, (struct src){0, 0}, "key",
				   "run %s has no answer for \"%.*s\" to add to", m->handle,
				   STR_ARG(intern_key(&s->samples.keys, i)));
}

static void tell(struct store *s, const struct merge *m, int k)
{
	struct report *r = s->report;
	const char *handle = arena_strdup(&r->arena, m->handle);

	r->predictions += m->count[STATE_FRESH] + m->count[STATE_AGAIN] + m->count[STATE_MAPS];
	r->predictions_filled += m->count[STATE_FILLS] + m->count[STATE_FINDS];
	r->predictions_known += m->count[STATE_SAME];
	if (m->old.id)
		vec_push(&r->runs_known, handle);
	else
		vec_push(&r->runs_new, handle);
	if (!m->old.id && k > 1)
		report_note(r, "the answers differ from those of run %.*s; they are in run %s",
			    STR_ARG(m->in->handle), handle);
	if (m->old.id && m->count[STATE_FRESH])
		report_note(r, "run %s has %u answers more", handle, m->count[STATE_FRESH]);
	if (m->count[STATE_MAPS])
		report_note(r, "%u %s of run %s that meant no class now %s one", m->count[STATE_MAPS],
			    m->count[STATE_MAPS] == 1 ? "answer" : "answers", handle,
			    m->count[STATE_MAPS] == 1 ? "means" : "mean");
}

/* The first of HANDLE, HANDLE#2, … that does not exist or does not contradict. */
static enum status place_run(struct store *s, struct merge *m, struct err *err)
{
	for (int k = 1; k <= STORE_SUFFIX_MAX; k++) {
		bool agrees = false, news;
		enum status rc;

		m->handle = store_suffixed(&s->arena, m->in->handle, k);
		rc = stored_load(s, m->handle, &m->old, err);
		if (rc == OK && m->in->staged)
			rc = store_stage_load(s, m, err);
		if (rc == OK)
			rc = compare_all(s, m, &agrees, err);
		news = m->count[STATE_FRESH] + m->count[STATE_AGAIN] + m->count[STATE_MAPS] +
		       m->count[STATE_FILLS] + m->count[STATE_FINDS];
		if (rc == OK && agrees && news)
			rc = write_run(s, m, err);
		if (rc == OK && agrees && (m->old.id || m->stage) && s->direct)
			rc = store_by_run(s, STMT_STORE_CHUNKS_DROP, m->in->id, err);
		if (rc == OK && agrees && (m->old.id || news))
			tell(s, m, k);
		if (rc == OK && agrees)
			tell_lost(s, m);
		if (rc != OK || agrees)
			return rc;
		store_stored_release(&m->old);
		m->old = (struct stored){.hash = DENSE(uint64_t, 0)};
	}
	return err_set(err, E_LIMIT, "there are %d runs %.*s with different answers already",
		       STORE_SUFFIX_MAX, STR_ARG(m->in->handle));
}

/* A run whose handle is free: there is nothing to compare with. */
static enum status write_new(struct store *s, struct merge *m, struct laid *laid, struct err *err)
{
	const struct run_in *r = m->in;

	m->id = r->id;
	m->count[STATE_FRESH] = r->n;
	s->changed = true;
	if (write_row(s, m, err) != OK || store_answers_write(s, r, laid, err) != OK)
		return err->code;
	for (int f = PACKED_FIELDS; f < N_FIELDS; f++)
		if (store_places_write(s, m, (enum text_field)f, &r->place[f], err) != OK)
			return err->code;
	for (size_t i = PACKED_NUMBERS; i < r->numbers.n; i++)
		if (write_number(s, m, &r->numbers.v[i], err) != OK)
			return err->code;
	if (!s->direct && store_by_run(s, STMT_STAGE_CHUNKS_MERGE, r->id, err) != OK)
		return err->code;
	tell(s, m, 1);
	return OK;
}

enum status store_run_compared(struct store *s, const struct run_in *r, bool *out, struct err *err)
{
	int64_t stored = 0, n;

	if (find_stored(s, store_suffixed(&s->arena, r->handle, 1), &stored, &n, err) != OK)
		return err->code;
	*out = stored || r->staged;
	return OK;
}

/* Compared or not is asked once more: what was written meanwhile may have taken the handle. */
enum status store_run_write(struct store *s, struct run_in *r, struct laid *laid, struct err *err)
{
	struct merge m = {.in = r, .old.hash = DENSE(uint64_t, 0)};
	enum status rc = OK;
	bool compared = false;

	for (int f = 0; f < N_FIELDS && rc == OK; f++)
		rc = store_text_flush(s, !s->direct, r->id, (enum text_field)f, &r->text[f], err);
	m.handle = store_suffixed(&s->arena, r->handle, 1);
	if (rc == OK)
		rc = store_run_compared(s, r, &compared, err);
	if (rc == OK && !compared)
		rc = write_new(s, &m, laid, err);
	if (rc == OK && compared)
		rc = store_run_unpack(s, r, err);
	if (rc == OK && compared)
		rc = place_run(s, &m, err);
	store_stored_release(&m.old);
	store_stage_free(m.stage);
	free(m.state);
	vec_release(&m.scratch);
	return rc;
}
