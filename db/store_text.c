#include "db/store_internal.h"

enum status store_text_flush(struct store *s, bool stage, int64_t run, enum text_field field,
			     struct text_out *out, struct err *err)
{
	size_t n = out->data.n;
	enum status rc;

	if (!out->ords.n)
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
	if (!out->data.cap) /* not bit by bit */
		buf_reserve(&out->data, STORE_CHUNK_BYTES);
	buf_str(&out->data, text);
	if (out->data.failed)
		return err_set(err, E_MEMORY, "there is no memory for an answer of %zu bytes", text.n);
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

static enum status visit_chunk(sqlite3_stmt *st, const struct text_visit *visit, struct err *err)
{
	struct str ords = stmt_blob(st, 0), lens = stmt_blob(st, 1), data = stmt_blob(st, 2);
	size_t n = ords.n / sizeof(uint32_t);

	if (lens.n != ords.n || ords.n % sizeof(uint32_t))
		return err_set(err, E_FORMAT, "a chunk of answers is damaged");
	for (size_t i = 0; i < n; i++) {
		uint32_t ord, len;

		memcpy(&ord, ords.p + i * sizeof ord, sizeof ord);
		memcpy(&len, lens.p + i * sizeof len, sizeof len);
		if (len > data.n)
			return err_set(err, E_FORMAT, "a chunk of answers is damaged");
		if (visit->entry(visit->ctx, ord, (struct str){data.p, len}, err) != OK)
			return err->code;
		data.p += len;
		data.n -= len;
	}
	return OK;
}

/* The chunks' ids first: while an entry is visited, chunks may be added. */
static enum status chunk_ids(struct store *s, bool stage, int64_t run, enum text_field field,
			     int64_t **ids, size_t *n, struct err *err)
{
	VEC(int64_t) v = {0};
	sqlite3_stmt *st = stmt_get(s->c, stage ? STMT_STAGE_CHUNK_IDS : STMT_STORE_CHUNK_IDS, err);
	enum status rc = st ? OK : err->code;
	bool row = false;

	if (st) {
		sqlite3_bind_int64(st, 1, run);
		sqlite3_bind_int(st, 2, field);
		while ((rc = stmt_step(s->c, st, &row, err)) == OK && row)
			vec_push(&v, sqlite3_column_int64(st, 0));
	}
	*ids = v.v;
	*n = v.n;
	return rc;
}

enum status store_text_each(struct store *s, bool stage, int64_t run, enum text_field field,
			    const struct text_visit *visit, struct err *err)
{
	int64_t *ids = NULL;
	size_t n = 0;
	enum status rc = chunk_ids(s, stage, run, field, &ids, &n, err);
	bool row;

	for (size_t i = 0; i < n && rc == OK; i++) {
		sqlite3_stmt *st = stmt_get(s->c, stage ? STMT_STAGE_CHUNK_GET : STMT_STORE_CHUNK_GET,
					    err);

		if (!st) {
			rc = err->code;
			break;
		}
		sqlite3_bind_int64(st, 1, ids[i]);
		rc = stmt_step(s->c, st, &row, err);
		if (rc == OK && row)
			rc = visit_chunk(st, visit, err);
		sqlite3_reset(st);
	}
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
