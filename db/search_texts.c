/*
 * Needles in texts. Answers lie one behind the other in chunks, so a chunk is scanned as one
 * piece and a hit is given to the entry that it lies in; one that reaches over an entry's end is
 * none. Expressions are tried on each entry.
 */
#include "db/conn_impl.h"
#include "db/fetch.h"
#include "db/overlay.h"
#include "db/search_impl.h"

#define SLICE 4096 /* samples read at once, so that a writer gets its turn */

struct hunt {
	struct search *s;
	const struct needle *needle;
	const uint64_t *within;
	uint64_t *bits;
	const struct cancel *cancel;
	struct err *err;
};

static bool matters(const struct hunt *h, uint32_t ord)
{
	return ord < h->s->snap->n && (!h->within || bits_get(h->within, ord)) &&
	       !bits_get(h->bits, ord);
}

/* --- answers --- */

struct entries {
	uint32_t n;
	const char *ords, *lens; /* u32[n], not aligned */
	struct str data;
};

static uint32_t u32_at(const char *p, uint32_t i)
{
	uint32_t v;

	memcpy(&v, p + (size_t)i * sizeof v, sizeof v);
	return v;
}

static enum status read_entries(const struct hunt *h, sqlite3_stmt *s, struct entries *out)
{
	struct str ords = stmt_blob(s, 1), lens = stmt_blob(s, 2), data = stmt_blob(s, 3);
	uint64_t sum = 0;

	if (sqlite3_column_int64(s, 0) != 0)
		return err_set(h->err, E_UNSUPPORTED, "%s has texts that are packed in an unknown way",
			       h->s->c->path);
	if (ords.n != lens.n || ords.n % sizeof(uint32_t) || ords.n / sizeof(uint32_t) > UINT32_MAX)
		goto damaged;
	*out = (struct entries){(uint32_t)(ords.n / sizeof(uint32_t)), ords.p, lens.p, data};
	for (uint32_t i = 0; i < out->n; i++)
		sum += u32_at(lens.p, i);
	if (sum == data.n)
		return OK;
damaged:
	return err_set(h->err, E_FORMAT, "%s is damaged: a chunk of texts has impossible sizes",
		       h->s->c->path);
}

static void scan_each(const struct hunt *h, const struct entries *e)
{
	size_t at = 0;

	for (uint32_t i = 0; i < e->n; i++) {
		uint32_t len = u32_at(e->lens, i), ord = u32_at(e->ords, i);

		if (matters(h, ord) && needle_is_in(h->needle, (struct str){e->data.p + at, len}))
			bits_set(h->bits, ord);
		at += len;
	}
}

static void scan_all(const struct hunt *h, const struct entries *e)
{
	size_t from = 0, begin = 0, at, len;
	uint32_t i = 0;

	while (i < e->n && needle_find(h->needle, e->data, from, &at, &len)) {
		while (i < e->n && begin + u32_at(e->lens, i) <= at)
			begin += u32_at(e->lens, i++);
		if (i == e->n)
			break;
		if (at + len > begin + u32_at(e->lens, i)) {
			from = at + 1;
			continue;
		}
		if (u32_at(e->ords, i) < h->s->snap->n)
			bits_set(h->bits, u32_at(e->ords, i));
		begin += u32_at(e->lens, i++);
		from = begin;
	}
}

static enum status scan_field(const struct hunt *h, int64_t run, enum text_field field)
{
	sqlite3_stmt *s = stmt_get(h->s->c, STMT_SEARCH_CHUNKS, h->err);
	enum status st;
	bool row;

	if (!s)
		return h->err->code;
	sqlite3_bind_int64(s, 1, run);
	sqlite3_bind_int64(s, 2, (int64_t)field);
	while ((st = stmt_step(h->s->c, s, &row, h->err)) == OK && row) {
		struct entries e = {0};

		st = read_entries(h, s, &e);
		if (st == OK && needle_is_regex(h->needle))
			scan_each(h, &e);
		else if (st == OK)
			scan_all(h, &e);
		if (st == OK)
			st = cancel_check(h->cancel, h->err);
		if (st != OK)
			break;
	}
	sqlite3_reset(s);
	return st;
}

static enum status scan_answers(const struct hunt *h, int run)
{
	int64_t id = h->s->snap->runs[run].id;
	enum status st = scan_field(h, id, FIELD_RAW);

	return st == OK ? scan_field(h, id, FIELD_EXTRACTED) : st;
}

/* --- samples --- */

/* Rows (sample id, text, …) of one slice. kind: of the third column, TEXT_NONE = any. */
static enum status scan_slice(const struct hunt *h, enum stmt_id id, uint32_t from, enum text_kind kind)
{
	int64_t base = (int64_t)((uint64_t)h->s->snap->dataset_id << 32) + from;
	sqlite3_stmt *s = stmt_get(h->s->c, id, h->err);
	enum status st;
	bool row;

	if (!s)
		return h->err->code;
	sqlite3_bind_int64(s, 1, base);
	sqlite3_bind_int64(s, 2, base + SLICE - 1);
	while ((st = stmt_step(h->s->c, s, &row, h->err)) == OK && row) {
		uint32_t ord = (uint32_t)sqlite3_column_int64(s, 0);

		if (kind != TEXT_NONE && sqlite3_column_int64(s, 2) != (int64_t)kind)
			continue;
		if (matters(h, ord) && needle_is_in(h->needle, stmt_str(s, 1)))
			bits_set(h->bits, ord);
	}
	return st == OK ? cancel_check(h->cancel, h->err) : st;
}

static enum status scan_samples(const struct hunt *h, enum stmt_id id, enum text_kind kind)
{
	uint32_t n = h->s->snap->n;
	enum status st = OK;

	for (uint32_t from = 0; st == OK && from < n; from += SLICE) {
		uint32_t left = n - from < SLICE ? n - from : SLICE;

		if (!h->within || bits_next(h->within, n, from) < from + left)
			st = scan_slice(h, id, from, kind);
	}
	return st;
}

/* --- notes --- */

/* Notes about samples that are no longer there are passed over. */
static enum status take_note(const struct hunt *h, struct str key)
{
	struct err none = ERR_INIT;
	uint32_t ord;
	enum status st = fetch_ordinal(h->s->c, h->s->snap->dataset_id, key, &ord, &none);

	if (st == OK && matters(h, ord))
		bits_set(h->bits, ord);
	if (st != OK && st != E_NOT_FOUND)
		*h->err = none;
	return h->err->code;
}

static enum status scan_notes_of(const struct hunt *h, struct conn *from)
{
	sqlite3_stmt *s = stmt_get(from, STMT_SEARCH_NOTES, h->err);
	enum status st;
	bool row;

	if (!s)
		return h->err->code;
	stmt_bind_str(s, 1, str_z(h->s->snap->dataset));
	while ((st = stmt_step(from, s, &row, h->err)) == OK && row) {
		if (needle_is_in(h->needle, stmt_str(s, 1)))
			st = take_note(h, stmt_str(s, 0));
		if (st != OK)
			break;
	}
	sqlite3_reset(s);
	return st;
}

static enum status scan_notes(const struct hunt *h)
{
	struct conn *overlay = NULL;
	enum status st = scan_notes_of(h, h->s->c);

	if (st == OK && h->s->c->read_only)
		st = overlay_open(h->s->c, false, &overlay, h->err);
	return st == OK && overlay ? scan_notes_of(h, overlay) : st;
}

/* --- all --- */

static enum status dispatch(const struct hunt *h, enum filter_scope scope, int run)
{
	enum status st;

	switch (scope) {
	case SCOPE_TEXT:
		return scan_samples(h, STMT_SEARCH_TEXTS, TEXT_NONE);
	case SCOPE_QUESTION:
		return scan_samples(h, STMT_SEARCH_TEXTS, TEXT_QUESTION);
	case SCOPE_STATEMENT:
		return scan_samples(h, STMT_SEARCH_TEXTS, TEXT_STATEMENT);
	case SCOPE_ANSWER:
		return scan_answers(h, run);
	case SCOPE_NOTE:
		return scan_notes(h);
	case SCOPE_KEY:
		return scan_samples(h, STMT_SEARCH_KEYS, TEXT_NONE);
	case SCOPE_PATH:
		st = scan_samples(h, STMT_SEARCH_PATHS, TEXT_NONE);
		return st == OK ? scan_samples(h, STMT_SEARCH_MORE_PATHS, TEXT_NONE) : st;
	}
	return OK;
}

enum status search_texts(void *ctx, enum filter_scope scope, int run, const struct needle *needle,
			 const uint64_t *within, uint64_t *bits, const struct cancel *cancel,
			 struct err *err)
{
	struct hunt h = {ctx, needle, within, bits, cancel, err};

	return dispatch(&h, scope, run);
}
