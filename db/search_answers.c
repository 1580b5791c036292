/*
 * Needles in answers. These lie one behind the other in chunks, so a chunk is scanned as one
 * piece and a hit is given to the entry that it lies in; one that reaches over an entry's end is
 * none. Expressions are tried on each entry, or on those that have the text that all their
 * matches have.
 */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/cache.h"
#include "db/conn_impl.h"
#include "db/search_impl.h"

#define CHUNK_GUESS ((uint64_t)128 << 10) /* bytes of a stream's last chunk */

uint32_t entries_u32(const char *p, uint32_t i)
{
	uint32_t v;

	memcpy(&v, p + (size_t)i * sizeof v, sizeof v);
	return v;
}

static enum status read_entries(const struct hunt *h, sqlite3_stmt *s, struct entries *out)
{
	struct str ords = stmt_blob(s, 3), lens = stmt_blob(s, 4), data = stmt_blob(s, 5);
	uint64_t sum = 0;

	if (sqlite3_column_int64(s, 2) != 0)
		return err_set(h->err, E_UNSUPPORTED, "%s has texts that are packed in an unknown way",
			       h->s->c->path);
	if (ords.n != lens.n || ords.n % sizeof(uint32_t) || ords.n / sizeof(uint32_t) > UINT32_MAX)
		goto damaged;
	*out = (struct entries){(uint32_t)(ords.n / sizeof(uint32_t)), ords.p, lens.p, data};
	for (uint32_t i = 0; i < out->n; i++)
		sum += entries_u32(lens.p, i);
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
		uint32_t len = entries_u32(e->lens, i), ord = entries_u32(e->ords, i);

		if (hunt_matters(h, ord) && needle_is_in(h->needle, (struct str){e->data.p + at, len}))
			bits_set(h->bits, ord);
		at += len;
	}
}

static bool is_hit(const struct hunt *h, const struct entries *e, uint32_t i, size_t begin)
{
	uint32_t ord = entries_u32(e->ords, i);

	if (!needle_is_regex(h->needle))
		return ord < h->s->snap->n;
	return hunt_matters(h, ord) &&
	       needle_is_in(h->needle, (struct str){e->data.p + begin, entries_u32(e->lens, i)});
}

static void scan_all(const struct hunt *h, const struct needle *literal, const struct entries *e)
{
	size_t from = 0, begin = 0, at, len;
	uint32_t i = 0;

	while (i < e->n && needle_find(literal, e->data, from, &at, &len)) {
		while (i < e->n && begin + entries_u32(e->lens, i) <= at)
			begin += entries_u32(e->lens, i++);
		if (i == e->n)
			break;
		if (at + len > begin + entries_u32(e->lens, i)) {
			from = at + 1;
			continue;
		}
		if (is_hit(h, e, i, begin))
			bits_set(h->bits, entries_u32(e->ords, i));
		begin += entries_u32(e->lens, i++);
		from = begin;
	}
}

enum status answer_entries(const struct hunt *h, const struct answer_chunk *chunk, sqlite3_stmt **out,
			   struct entries *e)
{
	sqlite3_stmt *s = *out = stmt_get(h->s->c, STMT_SEARCH_CHUNK, h->err);
	enum status st;
	bool row;

	if (!s)
		return h->err->code;
	sqlite3_bind_int64(s, 1, chunk->id);
	st = stmt_step(h->s->c, s, &row, h->err);
	if (st == OK && (!row || sqlite3_column_int64(s, 0) != chunk->run ||
			 sqlite3_column_int64(s, 1) != (int64_t)chunk->field))
		st = err_set(h->err, E_BUSY, "the answers were replaced while they were searched");
	return st == OK ? read_entries(h, s, e) : st;
}

static enum status scan_chunk(const struct hunt *h, const void *items, size_t item)
{
	const struct needle *literal = needle_literal(h->needle);
	sqlite3_stmt *s;
	struct entries e = {0};
	enum status st = answer_entries(h, (const struct answer_chunk *)items + item, &s, &e);

	if (st == OK && literal)
		scan_all(h, literal, &e);
	else if (st == OK)
		scan_each(h, &e);
	sqlite3_reset(s);
	return st;
}

static uint64_t chunk_work(const void *items, size_t item)
{
	return ((const struct answer_chunk *)items)[item].bytes;
}

enum status answer_chunks_scan(const struct hunt *h, const struct answer_chunk *list, size_t n,
			       uint64_t *done)
{
	return search_pieces(h, list, n, chunk_work, scan_chunk, done);
}

enum status answer_chunks_add(const struct hunt *h, int64_t run, enum text_field field,
			      struct answer_chunks *out)
{
	sqlite3_stmt *s = stmt_get(h->s->c, STMT_SEARCH_CHUNKS, h->err);
	size_t first = out->list.n;
	enum status st;
	bool row;

	if (!s)
		return h->err->code;
	sqlite3_bind_int64(s, 1, run);
	sqlite3_bind_int64(s, 2, (int64_t)field);
	while ((st = stmt_step(h->s->c, s, &row, h->err)) == OK && row) {
		struct answer_chunk c = {sqlite3_column_int64(s, 0), run, field,
					 (uint64_t)sqlite3_column_int64(s, 1), CHUNK_GUESS};

		if (out->list.n > first && c.start > out->list.v[out->list.n - 1].start)
			out->list.v[out->list.n - 1].bytes = c.start - out->list.v[out->list.n - 1].start;
		vec_push(&out->list, c);
	}
	return st;
}

/* The chunk that holds the byte at `offset`; near: where the last one was. */
static size_t chunk_at(const struct answer_chunk *list, size_t n, uint64_t offset, size_t near)
{
	size_t low = 0, high = n;

	if (list[near].start <= offset && (near + 1 == n || list[near + 1].start > offset))
		return near;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		*(list[middle].start <= offset ? &low : &high) = middle;
	}
	return low;
}

bool answer_chunks_of(const struct hunt *h, const struct answer_chunk *list, size_t n,
		      const uint64_t *ords, uint32_t from, uint32_t to, uint8_t *wanted,
		      struct err *err)
{
	const struct column *places = NULL;
	const char *name = list->field == FIELD_RAW ? "text_raw" : "text_extracted";
	size_t near = 0;
	bool began;

	if (!n || read_begin(h->s->c, &began, err) != OK)
		return false;
	if (cache_check(h->s->c, err) != OK ||
	    cache_column(h->s->c, list->run, name, &places, err) != OK)
		places = NULL;
	read_end(h->s->c, began);
	if (!places || !places->n)
		return false;
	for (uint32_t i = from; i < to; i++) {
		uint64_t offset = !ords || bits_get(ords, i) ? column_u(places, i) : COLUMN_NONE;

		if (offset == COLUMN_NONE)
			continue;
		near = chunk_at(list, n, offset, near);
		wanted[near] = 1;
	}
	return true;
}

/* Few samples may lie in few chunks. */
static void drop_needless(const struct hunt *h, size_t first, struct answer_chunks *all)
{
	struct answer_chunk *list = all->list.v + first;
	size_t n = all->list.n - first, kept = 0;
	uint32_t samples = h->s->snap->n;
	uint8_t *wanted;
	struct err none = ERR_INIT;

	if (!h->within || !n || bits_count(h->within, samples) > samples / 8)
		return;
	wanted = xcalloc(n, 1);
	if (answer_chunks_of(h, list, n, h->within, 0, samples, wanted, &none)) {
		for (size_t i = 0; i < n; i++)
			if (wanted[i])
				list[kept++] = list[i];
		all->list.n = first + kept;
	}
	free(wanted);
}

enum status search_answers(const struct hunt *h, int run)
{
	static const enum text_field fields[] = {FIELD_RAW, FIELD_EXTRACTED};
	struct answer_chunks all = {{0}};
	enum status st = OK;
	uint64_t done = 0;

	for (size_t k = 0; st == OK && k < 2; k++) {
		size_t first = all.list.n;

		st = answer_chunks_add(h, h->s->snap->runs[run].id, fields[k], &all);
		if (st == OK)
			drop_needless(h, first, &all);
	}
	if (st == OK)
		st = answer_chunks_scan(h, all.list.v, all.list.n, &done);
	vec_release(&all.list);
	return st;
}
