/* Putting a field's texts in order. Of a text and its sample there are two witnesses, the chunk
 * and the column of places; a place that fits says more, as it is a whole number that fits. Of a
 * shared text there is one, the column. */
#include <stdlib.h>

#include "db/verify_impl.h"

#define NONE UINT32_MAX

struct claim { /* a sample says that its text begins here */
	uint64_t place;
	uint32_t ord;
};

struct retext {
	struct verify *k;
	const struct verify_run *r;
	const struct text_field_parts *parts;
	struct claim *claims; /* by place */
	size_t n_claims;
	struct column fresh; /* places after repair */
	uint64_t end;
	uint64_t dropped;
};

struct fresh_chunk {
	ordinal_vec ords, lens;
	struct buf data;
};

static int by_place(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

static enum status read_claims(struct retext *t, struct err *err)
{
	const struct column *place = &t->parts->place;

	t->claims = mem_try((place->n + 1) * sizeof *t->claims);
	if (!t->claims)
		return err_set(err, E_MEMORY, "there is no memory to put %zu texts in order",
			       place->n);
	for (size_t i = 0; i < place->n; i++)
		if (column_u(place, i) != COLUMN_NONE)
			t->claims[t->n_claims++] = (struct claim){column_u(place, i), (uint32_t)i};
	qsort(t->claims, t->n_claims, sizeof *t->claims, by_place);
	return OK;
}

/* Whose text begins here, when exactly one says so; NONE. */
static uint32_t claimed(const struct retext *t, uint64_t place)
{
	size_t lo = 0, hi = t->n_claims;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->claims[mid].place < place)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == t->n_claims || t->claims[lo].place != place ||
	    (lo + 1 < t->n_claims && t->claims[lo + 1].place == place))
		return NONE;
	return t->claims[lo].ord;
}

static bool is_free(const struct retext *t, uint32_t ord)
{
	return ord < t->r->d->n && column_u(&t->fresh, ord) == COLUMN_NONE;
}

static bool superseded(const struct retext *t, const struct text_chunk *c, size_t at, uint32_t ord)
{
	return verify_superseded(t->r, t->parts->field, &t->parts->place, ord, c->start + at);
}

static uint32_t owner_of(const struct retext *t, const struct text_chunk *c, size_t at,
			 uint32_t ord)
{
	uint32_t by_start = claimed(t, c->start + at), by_order = claimed(t, c->expected + at);

	if (is_free(t, by_start))
		return by_start;
	if (is_free(t, by_order))
		return by_order;
	return is_free(t, ord) && !superseded(t, c, at, ord) ? ord : NONE;
}

static enum status write_chunk(struct retext *t, int64_t id, const struct fresh_chunk *c,
			       struct err *err)
{
	sqlite3_stmt *s;

	if (!c->lens.n)
		return verify_exec2(t->k, STMT_FIX_CHUNK, id, 0, err);
	if (c->data.failed)
		return err_set(err, E_MEMORY, "there is no memory for a chunk of texts");
	s = stmt_get(t->k->c, STMT_FIX_CHUNK_ROW, err);
	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, id);
	sqlite3_bind_int64(s, 2, (int64_t)t->end);
	sqlite3_bind_int64(s, 3, (int64_t)c->lens.n);
	sqlite3_bind_blob64(s, 4, c->ords.n ? (const void *)c->ords.v : "", c->ords.n * sizeof *c->ords.v, SQLITE_STATIC);
	sqlite3_bind_blob64(s, 5, c->lens.v, c->lens.n * sizeof *c->lens.v, SQLITE_STATIC);
	sqlite3_bind_blob64(s, 6, c->data.p, c->data.n, SQLITE_STATIC);
	return stmt_run(t->k->c, s, err);
}

static void sort_out(struct retext *t, const struct text_chunk *c, sqlite3_stmt *s,
		     struct fresh_chunk *out)
{
	struct str ords = stmt_blob(s, 0), lens = stmt_blob(s, 1), data = stmt_blob(s, 2);
	size_t at = 0;

	for (size_t i = 0; i < ords.n / sizeof(uint32_t); i++) {
		uint32_t ord, len, owner;

		memcpy(&ord, ords.p + i * sizeof ord, sizeof ord);
		memcpy(&len, lens.p + i * sizeof len, sizeof len);
		owner = len ? owner_of(t, c, at, ord) : NONE;
		if (owner == NONE) {
			t->dropped += !superseded(t, c, at, ord);
		} else {
			column_set_u(&t->fresh, owner, t->end + out->data.n);
			vec_push(&out->ords, owner);
			vec_push(&out->lens, len);
			buf_put(&out->data, data.p + at, len);
		}
		at += len;
	}
}

/* Samples whose text begins at c's byte `at`, if the chunk began at `base`. */
static size_t sharers_of(const struct retext *t, uint64_t base, size_t at, const uint32_t **ords)
{
	size_t next = sharers_from(&t->parts->sharers, base + at);

	return sharers_at(&t->parts->sharers, base + at, &next, ords);
}

/* Where a chunk of shared texts began when the places were written: where it is said to begin, or
 * where the one before it ends, whichever gives more of them a text. */
static uint64_t base_of(const struct retext *t, const struct text_chunk *c, struct str lens)
{
	uint64_t said = 0, after = 0;
	const uint32_t *ords;
	size_t at = 0;

	for (size_t i = 0; c->start != c->expected && i < lens.n / sizeof(uint32_t); i++) {
		uint32_t len;

		memcpy(&len, lens.p + i * sizeof len, sizeof len);
		said += sharers_of(t, c->start, at, &ords);
		after += sharers_of(t, c->expected, at, &ords);
		at += len;
	}
	return after > said ? c->expected : c->start;
}

static void sort_out_shared(struct retext *t, const struct text_chunk *c, sqlite3_stmt *s,
			    struct fresh_chunk *out)
{
	struct str lens = stmt_blob(s, 1), data = stmt_blob(s, 2);
	uint64_t base = base_of(t, c, lens);
	size_t at = 0;

	for (size_t i = 0; i < lens.n / sizeof(uint32_t); i++) {
		const uint32_t *ords;
		uint32_t len;
		size_t n, taken = 0;

		memcpy(&len, lens.p + i * sizeof len, sizeof len);
		n = len ? sharers_of(t, base, at, &ords) : 0;
		for (size_t k = 0; k < n; k++) {
			if (!is_free(t, ords[k]))
				continue;
			column_set_u(&t->fresh, ords[k], t->end + out->data.n);
			taken++;
		}
		if (taken) {
			vec_push(&out->lens, len);
			buf_put(&out->data, data.p + at, len);
		} else {
			t->dropped++;
		}
		at += len;
	}
}

static enum status order_chunk(struct retext *t, const struct text_chunk *c, struct err *err)
{
	struct fresh_chunk fresh = {{0}, {0}, BUF_INIT};
	sqlite3_stmt *s = stmt_get(t->k->c, STMT_STORE_CHUNK_GET, err);
	enum status st = s ? OK : err->code;
	bool row = false;

	if (s) {
		sqlite3_bind_int64(s, 1, c->id);
		st = stmt_step(t->k->c, s, &row, err);
	}
	if (st == OK && row) {
		(c->shared ? sort_out_shared : sort_out)(t, c, s, &fresh);
		sqlite3_reset(s);
		st = write_chunk(t, c->id, &fresh, err);
	}
	t->end += fresh.data.n;
	vec_release(&fresh.ords);
	vec_release(&fresh.lens);
	buf_release(&fresh.data);
	return st == OK ? cancel_check(t->k->job->cancel, err) : st;
}

static enum status write_places(struct retext *t, struct err *err)
{
	const char *name = verify_text_column(t->parts->field);
	struct column col;
	enum status st;

	if (!t->end)
		return verify_drop_column(t->k, OWNER_RUN, t->r->id, name, err);
	st = verify_new_column(&col, dtype_for(t->end), t->r->d->n, err);
	if (st != OK)
		return st;
	for (uint32_t i = 0; i < t->r->d->n; i++)
		column_set_u(&col, i, column_u(&t->fresh, i));
	return verify_store(t->k, OWNER_RUN, t->r->id, name, &col, err);
}

static enum status order_all(struct retext *t, struct err *err)
{
	enum status st = read_claims(t, err);

	if (st == OK)
		st = verify_new_column(&t->fresh, DT_U64, t->r->d->n, err);
	for (size_t i = 0; i < t->parts->damaged.n && st == OK; i++)
		st = verify_exec2(t->k, STMT_FIX_CHUNK, t->parts->damaged.v[i], 0, err);
	/* Two chunks cannot begin at one place: all step aside first. */
	if (st == OK)
		st = verify_exec2(t->k, STMT_FIX_CHUNK_STARTS, t->r->id, (int64_t)t->parts->field,
				  err);
	for (size_t i = 0; i < t->parts->chunks.n && st == OK; i++)
		st = order_chunk(t, &t->parts->chunks.v[i], err);
	return st == OK ? write_places(t, err) : st;
}

/* Of shared ones samples are counted, as far as it is known who had one. */
static uint64_t count_lost(const struct retext *t)
{
	uint64_t lost = 0;

	if (!t->parts->shared || !t->n_claims)
		return t->parts->lost + t->dropped;
	for (size_t i = 0; i < t->n_claims; i++)
		lost += column_u(&t->fresh, t->claims[i].ord) == COLUMN_NONE;
	return lost;
}

enum status verify_repair_texts(struct verify *k, const struct verify_run *r,
				const struct text_field_parts *parts, struct err *err)
{
	struct retext t = {.k = k, .r = r, .parts = parts};
	enum status st = order_all(&t, err);
	uint64_t lost = st == OK ? count_lost(&t) : 0;

	if (lost)
		verify_told(k, r->where, "%llu texts (%s) are lost", (unsigned long long)lost,
			    verify_text_column(parts->field) + 5);
	free(t.claims);
	column_release(&t.fresh);
	return st;
}
