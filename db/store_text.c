#include "db/store_internal.h"

enum status store_text_flush(struct store *s, bool stage, int64_t run, enum text_field field,
			     struct text_out *out, struct err *err)
{
	size_t n = out->data.n;
	enum status rc;

	if (!out->lens.n)
		return OK;
	rc = store_put_chunk(s, stage, run, field, out, err);
	out->start += n;
	vec_clear(&out->ords);
	vec_clear(&out->lens);
	if (out->data.cap > 4 * STORE_CHUNK_BYTES)
		buf_release(&out->data);
	else
		buf_clear(&out->data);
	return rc;
}

enum status store_text_put(struct store *s, bool stage, int64_t run, enum text_field field,
			   struct text_out *out, uint32_t ord, struct str text, uint64_t *place,
			   struct err *err)
{
	if (out->data.n && out->data.n + text.n > STORE_CHUNK_BYTES &&
	    store_text_flush(s, stage, run, field, out, err) != OK)
		return err->code;
	if (text.n >= STORE_TEXT_MAX)
		return err_set(err, E_LIMIT, "an answer's text is longer than %zu MiB",
			       STORE_TEXT_MAX >> 20);
	*place = out->start + out->data.n;
	if (!out->data.cap && !store_field_shared(field)) /* not bit by bit */
		buf_reserve(&out->data, STORE_CHUNK_BYTES);
	buf_str(&out->data, text);
	if (out->data.failed)
		return err_set(err, E_MEMORY, "there is no memory for an answer of %zu bytes", text.n);
	if (!store_field_shared(field))
		vec_push(&out->ords, ord);
	vec_push(&out->lens, (uint32_t)text.n);
	return OK;
}

void store_text_release(struct text_out *out)
{
	buf_release(&out->data);
	vec_release(&out->ords);
	vec_release(&out->lens);
}

struct chunk_view { /* borrowed from its statement */
	struct str ords, lens, data;
	uint64_t start;
	bool shared;
};

struct walk {
	const struct text_stream *from;
	const struct text_visit *visit;
	struct sharers sharers;
	bool turned; /* sharers is made */
};

static uint32_t u32_at(struct str list, size_t i)
{
	uint32_t v;

	memcpy(&v, list.p + i * sizeof v, sizeof v);
	return v;
}

/* Whose texts those of a shared chunk are; nobody's when nobody asks. */
static enum status turn_places(struct walk *w, struct err *err)
{
	if (w->turned || !w->from->place)
		return OK;
	w->turned = true;
	return sharers_init(&w->sharers, w->from->place, err);
}

static enum status visit_entries(struct walk *w, const struct chunk_view *c, struct err *err)
{
	struct text_entry e = {.place = c->start, .shared = c->shared};
	struct str data = c->data;
	size_t next = w->turned ? sharers_from(&w->sharers, c->start) : 0;

	for (size_t i = 0; i < c->lens.n / sizeof(uint32_t); i++) {
		uint32_t len = u32_at(c->lens, i), ord = c->shared ? 0 : u32_at(c->ords, i);

		if (len > data.n)
			return err_set(err, E_FORMAT, "a chunk of answers is damaged");
		e.text = (struct str){data.p, len};
		e.ords = &ord;
		e.n = !c->shared;
		if (c->shared && w->turned)
			e.n = sharers_at(&w->sharers, e.place, &next, &e.ords);
		if (w->visit->entry(w->visit->ctx, &e, err) != OK)
			return err->code;
		data.p += len;
		data.n -= len;
		e.place += len;
	}
	return OK;
}

static enum status visit_chunk(struct walk *w, sqlite3_stmt *st, struct err *err)
{
	struct chunk_view c = {stmt_blob(st, 0), stmt_blob(st, 1), stmt_blob(st, 2),
				    (uint64_t)sqlite3_column_int64(st, 3), false};
	int64_t codec = sqlite3_column_int64(st, 4);

	if (!codec_fits(codec, c.ords.n, c.lens.n))
		return err_set(err, E_FORMAT, "a chunk of answers is damaged");
	c.shared = codec == CODEC_SHARED;
	if (c.shared && turn_places(w, err) != OK)
		return err->code;
	return visit_entries(w, &c, err);
}

/* The chunks' ids first: while an entry is visited, chunks may be added. */
static enum status chunk_ids(struct store *s, const struct text_stream *from, int64_t **ids,
			     size_t *n, struct err *err)
{
	VEC(int64_t) v = {0};
	sqlite3_stmt *st =
	    stmt_get(s->c, from->stage ? STMT_STAGE_CHUNK_IDS : STMT_STORE_CHUNK_IDS, err);
	enum status rc = st ? OK : err->code;
	bool row = false;

	if (st) {
		sqlite3_bind_int64(st, 1, from->run);
		sqlite3_bind_int(st, 2, from->field);
		while ((rc = stmt_step(s->c, st, &row, err)) == OK && row)
			vec_push(&v, sqlite3_column_int64(st, 0));
	}
	*ids = v.v;
	*n = v.n;
	return rc;
}

enum status store_text_each(struct store *s, const struct text_stream *from,
			    const struct text_visit *visit, struct err *err)
{
	struct walk w = {.from = from, .visit = visit};
	int64_t *ids = NULL;
	size_t n = 0;
	enum status rc = chunk_ids(s, from, &ids, &n, err);
	bool row;

	for (size_t i = 0; i < n && rc == OK; i++) {
		sqlite3_stmt *st =
		    stmt_get(s->c, from->stage ? STMT_STAGE_CHUNK_GET : STMT_STORE_CHUNK_GET, err);

		if (!st) {
			rc = err->code;
			break;
		}
		sqlite3_bind_int64(st, 1, ids[i]);
		rc = stmt_step(s->c, st, &row, err);
		if (rc == OK && row)
			rc = visit_chunk(&w, st, err);
		sqlite3_reset(st);
	}
	sharers_release(&w.sharers);
	free(ids);
	return rc;
}

enum status store_text_end(struct store *s, int64_t run, enum text_field field, uint64_t *end,
			   struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_CHUNK_END, err);
	enum status rc;
	bool row;

	*end = 0;
	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, run);
	sqlite3_bind_int(st, 2, field);
	rc = stmt_step(s->c, st, &row, err);
	if (rc == OK && row)
		*end = (uint64_t)sqlite3_column_int64(st, 0);
	sqlite3_reset(st);
	return rc;
}
