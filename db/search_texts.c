/* Needles in the texts of samples and in notes; answers are in search_answers.c. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/conn_impl.h"
#include "db/overlay.h"
#include "db/search_impl.h"

#define SLICE 4096 /* samples read at once */

/* --- samples --- */

/* Rows (sample id, text, ...) of slices of all samples. */
struct rows_of {
	enum stmt_id id;
	enum text_kind kind; /* of the third column; TEXT_NONE: any */
};

static enum status scan_slice(const struct hunt *h, const void *items, size_t item)
{
	const struct rows_of *rows = items;
	uint32_t from = (uint32_t)item * SLICE, n = h->s->snap->n, to = n - from < SLICE ? n : from + SLICE;
	int64_t base = (int64_t)((uint64_t)h->s->snap->dataset_id << 32);
	sqlite3_stmt *s;
	enum status st;
	bool row;

	if (h->within && bits_next(h->within, n, from) >= to)
		return OK;
	if (!(s = stmt_get(h->s->c, rows->id, h->err)))
		return h->err->code;
	sqlite3_bind_int64(s, 1, base + from);
	sqlite3_bind_int64(s, 2, base + to - 1);
	while ((st = stmt_step(h->s->c, s, &row, h->err)) == OK && row) {
		uint32_t ord = (uint32_t)sqlite3_column_int64(s, 0);

		if (rows->kind != TEXT_NONE && sqlite3_column_int64(s, 2) != (int64_t)rows->kind)
			continue;
		if (hunt_matters(h, ord) && needle_is_in(h->needle, stmt_blob(s, 1)))
			bits_set(h->bits, ord);
	}
	return st;
}

static uint64_t slice_work(const void *items, size_t item)
{
	(void)items, (void)item;
	return (uint64_t)SLICE * SEARCH_ROW_WORK;
}

static enum status scan_samples(const struct hunt *h, enum stmt_id id, enum text_kind kind)
{
	struct rows_of rows = {id, kind};
	uint64_t done = 0;
	size_t slices = (h->s->snap->n + (size_t)SLICE - 1) / SLICE;

	return search_pieces(h, &rows, slices, slice_work, scan_slice, &done);
}

/* --- notes --- */

/* Notes about samples that are no longer there are passed over. */
static enum status take_note(const struct hunt *h, struct str key)
{
	struct err none = ERR_INIT;
	uint32_t ord;
	enum status st = fetch_ordinal(h->s->c, h->s->snap->dataset_id, key, &ord, &none);

	if (st == OK && hunt_matters(h, ord))
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

enum status search_notes(const struct hunt *h)
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
		return search_answers(h, run);
	case SCOPE_NOTE:
		return search_notes(h);
	case SCOPE_KEY:
		return scan_samples(h, STMT_SEARCH_KEYS, TEXT_NONE);
	case SCOPE_PATH:
		st = scan_samples(h, STMT_SEARCH_PATHS, TEXT_NONE);
		return st == OK ? scan_samples(h, STMT_SEARCH_MORE_PATHS, TEXT_NONE) : st;
	}
	return OK;
}

enum status search_texts(void *ctx, enum filter_scope scope, int run, const struct needle *needle,
			 const uint64_t *within, uint64_t *bits, const struct text_watch *watch,
			 struct err *err)
{
	struct hunt h = {ctx, needle, within, bits, watch, err};

	return dispatch(&h, scope, run);
}

/* The end of a stream is where its last chunk begins, nearly. */
static uint64_t stream_end(struct search *s, int64_t run, enum text_field field)
{
	struct err none = ERR_INIT;
	sqlite3_stmt *st = stmt_get(s->c, STMT_SEARCH_END, &none);
	uint64_t end = 0;
	bool row;

	if (!st)
		return 0;
	sqlite3_bind_int64(st, 1, run);
	sqlite3_bind_int64(st, 2, (int64_t)field);
	if (stmt_step(s->c, st, &row, &none) == OK && row)
		end = (uint64_t)sqlite3_column_int64(st, 0);
	sqlite3_reset(st);
	return end;
}

uint64_t search_work(void *ctx, enum filter_scope scope, int run)
{
	struct search *s = ctx;
	int64_t id;

	if (scope == SCOPE_NOTE)
		return 1;
	if (scope != SCOPE_ANSWER)
		return (uint64_t)s->snap->n * SEARCH_ROW_WORK + 1;
	id = s->snap->runs[run].id;
	return stream_end(s, id, FIELD_RAW) + stream_end(s, id, FIELD_EXTRACTED) + 1;
}
