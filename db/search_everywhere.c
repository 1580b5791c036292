#include "db/search_everywhere.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/conn_impl.h"
#include "db/search_impl.h"

#define SLICE     1024 /* samples of a piece of work */
#define FIRST     1    /* slices that are done before the first tell() */
#define MOST      64   /* slices between two of them */

struct slice {
	uint32_t from, to; /* ordinals */
};

/* The chunks of one field of the run, and which of them have been searched. Those of the next
 * samples are few where the answers were imported in the samples' order; else the first slice
 * wants nearly all, and the others none. */
struct stream {
	struct answer_chunks all;
	uint8_t *wanted, *searched;
};

struct everywhere {
	struct hunt hunt;
	const struct search_everywhere *what;
	struct stream stream[2];
	uint8_t *named; /* [classes] 1: its name has the needle; NULL: none has */
};

/* --- keys and questions --- */

static enum status scan_rows(const struct hunt *h, const void *items, size_t item)
{
	const struct slice *slice = (const struct slice *)items + item;
	int64_t base = (int64_t)((uint64_t)h->s->snap->dataset_id << 32);
	sqlite3_stmt *s = stmt_get(h->s->c, STMT_SEARCH_ROWS, h->err);
	enum status st;
	bool row;

	if (!s)
		return h->err->code;
	sqlite3_bind_int64(s, 1, base + slice->from);
	sqlite3_bind_int64(s, 2, base + slice->to - 1);
	while ((st = stmt_step(h->s->c, s, &row, h->err)) == OK && row) {
		uint32_t ord = (uint32_t)sqlite3_column_int64(s, 0);

		if (hunt_matters(h, ord) && (needle_is_in(h->needle, stmt_blob(s, 1)) ||
					     needle_is_in(h->needle, stmt_blob(s, 2))))
			bits_set(h->bits, ord);
	}
	return st;
}

static uint64_t row_work(const void *items, size_t item)
{
	const struct slice *slice = (const struct slice *)items + item;

	return (uint64_t)(slice->to - slice->from) * SEARCH_ROW_WORK;
}

/* --- answers --- */

static enum status open_streams(struct everywhere *e)
{
	static const enum text_field fields[] = {FIELD_RAW, FIELD_EXTRACTED};
	const struct hunt *h = &e->hunt;
	enum status st = OK;

	for (int k = 0; k < 2 && st == OK && e->what->run >= 0; k++) {
		struct stream *t = &e->stream[k];

		st = answer_chunks_add(h, h->s->snap->runs[e->what->run].id, fields[k], &t->all);
		t->wanted = xcalloc(t->all.list.n + 1, 1);
		t->searched = xcalloc(t->all.list.n + 1, 1);
	}
	return st;
}

static enum status scan_stream(struct everywhere *e, struct stream *t, const struct slice *slices,
			       size_t n)
{
	struct answer_chunks due = {.list = {0}};
	uint64_t done = 0;
	struct err none = ERR_INIT;
	enum status st = OK;
	bool known = true;

	if (!t->all.list.n)
		return OK;
	memset(t->wanted, 0, t->all.list.n);
	for (size_t k = 0; k < n && known; k++)
		known = answer_chunks_of(&e->hunt, t->all.list.v, t->all.list.n, NULL, slices[k].from,
					 slices[k].to, t->wanted, &none);
	for (size_t i = 0; i < t->all.list.n; i++) {
		if (t->searched[i] || (known && !t->wanted[i]))
			continue;
		vec_push(&due.list, t->all.list.v[i]);
		t->searched[i] = 1;
	}
	if (due.list.n)
		st = answer_chunks_scan(&e->hunt, due.list.v, due.list.n, &done);
	vec_release(&due.list);
	return st;
}

/* --- names of classes --- */

static void find_named(struct everywhere *e)
{
	const struct snapshot *snap = e->hunt.s->snap;
	uint8_t *named = xcalloc((size_t)snap->n_classes + 1, 1);
	bool any = false;

	for (uint32_t c = 0; c < snap->n_classes; c++)
		any |= named[c] = needle_is_in(e->hunt.needle, str_z(snap->classes[c].name));
	if (any)
		e->named = named;
	else
		free(named);
}

static bool is_named(const struct everywhere *e, uint64_t class)
{
	return class < e->hunt.s->snap->n_classes && e->named[class];
}

static bool set_has(const struct everywhere *e, const struct csr *sets, uint32_t ord)
{
	size_t from, n = csr_row(sets, ord, &from);

	for (size_t k = 0; k < n; k++)
		if (is_named(e, column_u(&sets->val, from + k)))
			return true;
	return false;
}

static bool has_name(const struct everywhere *e, uint32_t ord)
{
	const struct snapshot *snap = e->hunt.s->snap;

	for (uint32_t l = 0; l < snap->n_layers; l++)
		if (column_u(&snap->layers[l].covered, ord) == 1 && set_has(e, &snap->layers[l].sets, ord))
			return true;
	for (int i = 0; i < e->what->n_runs; i++) {
		const struct run *r = &snap->runs[e->what->runs[i]];

		if (is_named(e, column_u(&r->label, ord)) || set_has(e, &r->labels, ord))
			return true;
	}
	return false;
}

static void scan_names(struct everywhere *e, const struct slice *slices, size_t n)
{
	for (size_t k = 0; e->named && k < n; k++)
		for (uint32_t i = slices[k].from; i < slices[k].to; i++)
			if (!bits_get(e->hunt.bits, i) && has_name(e, i))
				bits_set(e->hunt.bits, i);
}

/* --- all --- */

/* From `from` to the end, then from 0 to it. */
static size_t make_slices(uint32_t n, uint32_t from, struct slice **out)
{
	struct slice *v = xcalloc(n / SLICE + 3, sizeof *v);
	size_t k = 0;

	for (uint32_t at = from; at < n; at = v[k++].to)
		v[k] = (struct slice){at, n - at < SLICE ? n : at + SLICE};
	for (uint32_t at = 0; at < from; at = v[k++].to)
		v[k] = (struct slice){at, from - at < SLICE ? from : at + SLICE};
	*out = v;
	return k;
}

static enum status scan_slices(struct everywhere *e, const struct slice *slices, size_t n)
{
	uint64_t done = 0;
	enum status st = search_pieces(&e->hunt, slices, n, row_work, scan_rows, &done);

	for (int k = 0; k < 2 && st == OK; k++)
		st = scan_stream(e, &e->stream[k], slices, n);
	if (st == OK)
		scan_names(e, slices, n);
	return st;
}

/* Samples that lie anywhere, each a slice of its own. */
static enum status scan_first(struct everywhere *e)
{
	const struct search_everywhere *w = e->what;
	struct slice *slices = xcalloc((size_t)w->n_first + 1, sizeof *slices);
	enum status st;

	for (uint32_t i = 0; i < w->n_first; i++)
		slices[i] = (struct slice){w->first[i], w->first[i] + 1};
	st = scan_slices(e, slices, w->n_first);
	free(slices);
	if (st == OK && w->tell)
		w->tell(w->ctx, 0, e->hunt.bits);
	return st;
}

static enum status scan(struct everywhere *e)
{
	const struct search_everywhere *w = e->what;
	uint32_t n = e->hunt.s->snap->n, covered = 0;
	struct slice *slices;
	size_t n_slices = make_slices(n, w->from < n ? w->from : 0, &slices), step = FIRST;
	enum status st = search_notes(&e->hunt);

	if (st == OK)
		st = open_streams(e);
	find_named(e);
	if (st == OK && w->n_first)
		st = scan_first(e);
	for (size_t at = 0, end; at < n_slices && st == OK; at = end) {
		end = n_slices - at < step ? n_slices : at + step;
		st = scan_slices(e, slices + at, end - at);
		for (size_t k = at; k < end; k++)
			covered += slices[k].to - slices[k].from;
		if (st == OK && w->tell)
			w->tell(w->ctx, covered, e->hunt.bits);
		step = 2 * step < MOST ? 2 * step : MOST;
	}
	free(slices);
	return st;
}

static void tick(void *ctx, uint64_t done, const uint64_t *bits)
{
	const struct search_everywhere *what = ctx;

	(void)done, (void)bits;
	what->tick(what->ctx);
}

enum status search_everywhere(struct search *s, const struct search_everywhere *what, uint64_t *bits,
			      struct err *err)
{
	const struct text_watch watch = {.cancel = what->cancel, .tell = what->tick ? tick : NULL,
					 .ctx = (void *)(uintptr_t)what};
	struct everywhere e = {.hunt = {s, what->needle, NULL, bits, &watch, err}, .what = what};
	enum status st = scan(&e);

	for (int k = 0; k < 2; k++) {
		answer_chunks_release(&e.stream[k].all);
		free(e.stream[k].wanted);
		free(e.stream[k].searched);
	}
	free(e.named);
	return st;
}
