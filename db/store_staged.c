/* Answers that come in stages: a file has a part of what is known of each, and blanks on either
 * side agree with anything. */
#include "db/store_merge.h"

struct stage {
	struct dense in[N_FIELDS], old[N_FIELDS]; /* u64: hash of the text by sample; 0 = none */
};

struct hashing {
	struct store *s;
	struct dense *hash;
	enum text_field field;
};

static enum status hash_entry(void *ctx, const struct text_entry *e, struct err *err)
{
	struct hashing *h = ctx;
	uint64_t hash = store_text_mix(h->field, e->text);

	for (size_t i = 0; i < e->n; i++) {
		if (e->ords[i] >= store_n_samples(h->s))
			continue;
		if (store_dense_reach(h->hash, e->ords[i], store_n_samples(h->s), err) != OK)
			return err->code;
		dense_at(h->hash, uint64_t, e->ords[i]) = hash ? hash : 1;
	}
	return OK;
}

static enum status hash_field(struct store *s, const struct text_stream *from, struct dense *out,
			      struct err *err)
{
	struct hashing h = {s, out, from->field};
	struct text_visit visit = {&h, hash_entry};

	*out = DENSE(uint64_t, 0);
	return store_text_each(s, from, &visit, err);
}

enum status store_stage_load(struct store *s, struct merge *m, struct err *err)
{
	struct stage *g = xcalloc(1, sizeof *g);

	store_stage_free(m->stage);
	m->stage = g;
	for (int f = 0; f < N_FIELDS; f++) {
		struct column place = store_places_column(&m->in->place[f]);
		struct text_stream in = {!s->direct, m->in->id, (enum text_field)f, &place},
				   old = {false, m->old.id, (enum text_field)f, &m->old.place[f]};

		if (hash_field(s, &in, &g->in[f], err) != OK ||
		    (m->old.id && hash_field(s, &old, &g->old[f], err) != OK))
			return err->code;
	}
	return OK;
}

void store_stage_free(struct stage *g)
{
	for (int f = 0; g && f < N_FIELDS; f++) {
		store_dense_release(&g->in[f]);
		store_dense_release(&g->old[f]);
	}
	free(g);
}

static uint64_t hash_at(const struct dense *d, uint32_t ord)
{
	return ord < d->n ? dense_at(d, const uint64_t, ord) : 0;
}

bool store_stage_takes(const struct merge *m, enum text_field field, uint32_t ord)
{
	if (field == FIELD_EXTRACTED) /* made of the raw text and the steps, as the answer is */
		return m->state[ord] == STATE_FRESH;
	return hash_at(&m->stage->in[field], ord) && !hash_at(&m->stage->old[field], ord);
}

/* *fills: the file has a text that the project has not. */
static bool texts_agree(const struct merge *m, uint32_t ord, bool *fills)
{
	for (int f = 0; f < N_FIELDS; f++) {
		uint64_t in = hash_at(&m->stage->in[f], ord), old = hash_at(&m->stage->old[f], ord);

		if (f == FIELD_EXTRACTED)
			continue;
		if (in && old && in != old)
			return false;
		*fills |= in && !old;
	}
	return true;
}

static bool numbers_agree(const struct merge *m, uint32_t ord, bool *fills)
{
	for (size_t i = 0; i < m->in->numbers.n; i++) {
		const struct number_in *n = &m->in->numbers.v[i];
		const struct column *col = store_old_number(&m->old, n->name);
		double in = store_number_at(n, ord), old = col ? column_f(col, ord) : NAN;

		if (isnan(in))
			continue;
		if (!isnan(old) && (float)in != (float)old)
			return false;
		*fills |= isnan(old);
	}
	return true;
}

/* Is the answer the file's? It was found in more, or means a class that it did not mean before. */
static bool finds(const struct merge *m, uint32_t ord, const struct view *in, const struct view *old)
{
	bool steps = hash_at(&m->stage->in[FIELD_STEPS], ord);

	if (in->outcome == OUTCOME_MISSING || store_views_equal(in, old))
		return false;
	if (steps != (hash_at(&m->stage->old[FIELD_STEPS], ord) != 0))
		return steps;
	return in->n && !old->n;
}

enum state store_stage_compare(const struct store *s, struct merge *m, uint32_t ord)
{
	struct view in = store_view_in(s, m->in, ord);
	struct view old = store_view_stored(&m->old, ord, &m->scratch);
	bool fills = false, raw = hash_at(&m->stage->in[FIELD_RAW], ord);

	if (old.outcome == OUTCOME_MISSING)
		return in.outcome == OUTCOME_MISSING ? STATE_LOST : STATE_FRESH;
	if (in.outcome != OUTCOME_MISSING &&
	    raw != (hash_at(&m->stage->old[FIELD_RAW], ord) != 0))
		return STATE_DIFFERS;
	if (!texts_agree(m, ord, &fills) || !numbers_agree(m, ord, &fills))
		return STATE_DIFFERS;
	if (finds(m, ord, &in, &old))
		return STATE_FINDS;
	return fills ? STATE_FILLS : STATE_SAME;
}

/* --- extracted answers --- */

struct rewriting {
	struct store *s;
	const struct merge *m;
	struct arena arena;
	struct str *text; /* by sample */
	bool file;        /* it is the file's texts that are visited */
};

static bool keeps(const struct rewriting *w, uint32_t ord)
{
	bool from_file;

	if (ord >= store_n_samples(w->s))
		return false;
	from_file = w->m->state[ord] == STATE_FRESH || w->m->state[ord] == STATE_FINDS;
	return from_file == w->file;
}

static enum status keep_entry(void *ctx, const struct text_entry *e, struct err *err)
{
	struct rewriting *w = ctx;
	struct str kept = STR_NONE;

	(void)err;
	for (size_t i = 0; i < e->n; i++) {
		if (!keeps(w, e->ords[i]))
			continue;
		if (!kept.n)
			kept = arena_str(&w->arena, e->text);
		w->text[e->ords[i]] = kept;
	}
	return OK;
}

static enum status put_anew(struct store *s, struct merge *m, const struct str *text,
			    struct dense *place, struct err *err)
{
	uint32_t n = store_n_samples(s);
	struct text_out out = {.start = 0};
	struct said_places said = SAID_PLACES;
	enum status rc = store_dense_reach(place, n - 1, n, err);

	for (uint32_t i = 0; rc == OK && i < n; i++)
		if (text[i].n)
			rc = store_said_share(s, m->id, &out, &said, text[i],
					      &dense_at(place, uint64_t, i), err);
	if (rc == OK)
		rc = store_text_flush(s, false, m->id, FIELD_EXTRACTED, &out, err);
	store_text_release(&out);
	store_dense_release(&said.at);
	return rc;
}

static enum status drop_field(struct store *s, int64_t run, enum text_field field, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_CHUNKS_DROP_FIELD, err);

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, run);
	sqlite3_bind_int(st, 2, field);
	if (stmt_run(s->c, st, err) != OK || !(st = stmt_get(s->c, STMT_STORE_COLUMN_DROP, err)))
		return err->code;
	sqlite3_bind_int64(st, 1, run);
	stmt_bind_str(st, 2, str_z(store_field_column[field]));
	return stmt_run(s->c, st, err);
}

/* Bits of the stream that nobody points to may not stay: they would be searched. */
enum status store_stage_extracted(struct store *s, struct merge *m, struct err *err)
{
	struct rewriting w = {.s = s, .m = m, .arena = ARENA_INIT};
	struct text_visit visit = {&w, keep_entry};
	struct dense place = DENSE(uint64_t, 0xff);
	struct column in = store_places_column(&m->in->place[FIELD_EXTRACTED]);
	struct text_stream mine = {false, m->id, FIELD_EXTRACTED, &m->old.place[FIELD_EXTRACTED]},
			   file = {!s->direct, m->in->id, FIELD_EXTRACTED, &in};
	size_t bytes;
	enum status rc;

	if (!mem_mul((size_t)store_n_samples(s) + 1, sizeof *w.text, &bytes) ||
	    !(w.text = mem_try(bytes)))
		return err_set(err, E_MEMORY, "there is no memory for the answers of a run");
	memset(w.text, 0, bytes);
	rc = store_text_each(s, &mine, &visit, err);
	w.file = true;
	if (rc == OK)
		rc = store_text_each(s, &file, &visit, err);
	if (rc == OK)
		rc = drop_field(s, m->id, FIELD_EXTRACTED, err);
	column_release(&m->old.place[FIELD_EXTRACTED]);
	m->old.place[FIELD_EXTRACTED] = (struct column){0};
	if (rc == OK)
		rc = put_anew(s, m, w.text, &place, err);
	if (rc == OK)
		rc = store_places_write(s, m, FIELD_EXTRACTED, &place, err);
	free(w.text);
	arena_release(&w.arena);
	store_dense_release(&place);
	return rc;
}
