/*
 * Needles in answers. These lie one behind the other in chunks, so a chunk is scanned as one
 * piece and a hit is given to the entry that it lies in, and to all samples whose text that is; one
 * that reaches over an entry's end is none. Expressions are tried on each entry, or on those that
 * have the text that all their matches have.
 */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/cache.h"
#include "db/column.h"
#include "db/conn_impl.h"
#include "db/search_impl.h"

#define CHUNK_GUESS ((uint64_t)128 << 10) /* bytes of a stream's last chunk */

uint32_t entries_u32(const char *p, uint32_t i)
{
	uint32_t v;

	memcpy(&v, p + (size_t)i * sizeof v, sizeof v);
	return v;
}

size_t entries_owners(struct entries *e, uint32_t i, size_t begin, const uint32_t **ords)
{
	if (e->sharers)
		return sharers_at(e->sharers, e->start + begin, &e->next, ords);
	e->own = entries_u32(e->ords, i);
	*ords = &e->own;
	return 1;
}

static enum status replaced(const struct hunt *h)
{
	return err_set(h->err, E_BUSY, "the answers were replaced while they were searched");
}

static enum status read_entries(const struct hunt *h, const struct answer_chunk *chunk,
				sqlite3_stmt *s, struct entries *out)
{
	struct str ords = stmt_blob(s, 3), lens = stmt_blob(s, 4), data = stmt_blob(s, 5);
	int64_t codec = sqlite3_column_int64(s, 2);
	uint64_t sum = 0;

	if (codec < 0 || codec >= N_CODECS)
		return err_set(h->err, E_UNSUPPORTED, "%s has texts that are packed in an unknown way",
			       h->s->c->path);
	if (!codec_fits(codec, ords.n, lens.n) || lens.n / sizeof(uint32_t) > UINT32_MAX)
		goto damaged;
	if (codec == CODEC_SHARED && !chunk->sharers)
		return replaced(h);
	*out = (struct entries){.n = (uint32_t)(lens.n / sizeof(uint32_t)),
				.ords = ords.p,
				.lens = lens.p,
				.data = data,
				.start = chunk->start};
	if (codec == CODEC_SHARED) {
		out->sharers = chunk->sharers;
		out->next = sharers_from(out->sharers, out->start);
	}
	for (uint32_t i = 0; i < out->n; i++)
		sum += entries_u32(lens.p, i);
	if (sum == data.n)
		return OK;
damaged:
	return err_set(h->err, E_FORMAT, "%s is damaged: a chunk of texts has impossible sizes",
		       h->s->c->path);
}

/* Entry i has the literal when there is one, else it is still to be looked at. */
static void take_hit(const struct hunt *h, bool literal, struct entries *e, uint32_t i,
		     size_t begin)
{
	struct str text = {e->data.p + begin, entries_u32(e->lens, i)};
	const uint32_t *ords;
	size_t n = entries_owners(e, i, begin, &ords), k = 0;

	if (literal && !needle_is_regex(h->needle)) {
		for (; k < n; k++)
			if (ords[k] < h->s->snap->n)
				bits_set(h->bits, ords[k]);
		return;
	}
	while (k < n && !hunt_matters(h, ords[k]))
		k++;
	if (k == n || !needle_is_in(h->needle, text))
		return;
	for (; k < n; k++)
		if (hunt_matters(h, ords[k]))
			bits_set(h->bits, ords[k]);
}

static void scan_each(const struct hunt *h, struct entries *e)
{
	size_t at = 0;

	for (uint32_t i = 0; i < e->n; i++) {
		take_hit(h, false, e, i, at);
		at += entries_u32(e->lens, i);
	}
}

static void scan_all(const struct hunt *h, const struct needle *literal, struct entries *e)
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
		take_hit(h, true, e, i, begin);
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
		st = replaced(h);
	return st == OK ? read_entries(h, chunk, s, e) : st;
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

void answer_chunks_release(struct answer_chunks *chunks)
{
	for (int f = 0; f < N_FIELDS; f++) {
		sharers_release(&chunks->shared[f].sharers);
		column_release(&chunks->shared[f].place);
	}
	vec_release(&chunks->list);
}

static const char *place_column(enum text_field field)
{
	return field == FIELD_RAW ? "text_raw" : "text_extracted";
}

/* Where texts are shared, the last chunk is: an import only adds such ones. */
static enum status has_shared(const struct hunt *h, int64_t run, enum text_field field, bool *out)
{
	sqlite3_stmt *s = stmt_get(h->s->c, STMT_SEARCH_LAST, h->err);
	enum status st;
	bool row;

	if (!s)
		return h->err->code;
	sqlite3_bind_int64(s, 1, run);
	sqlite3_bind_int64(s, 2, (int64_t)field);
	st = stmt_step(h->s->c, s, &row, h->err);
	*out = st == OK && row && sqlite3_column_int64(s, 0) == CODEC_SHARED;
	sqlite3_reset(s);
	return st;
}

static enum status load_sharers(const struct hunt *h, int64_t run, enum text_field field,
				struct shared_field *out)
{
	struct err none = ERR_INIT;
	bool shared = false;
	enum status st = has_shared(h, run, field, &shared);

	if (st != OK || !shared || out->sharers.ords)
		return st;
	st = column_load(h->s->c, OWNER_RUN, run, place_column(field), &out->place, &none);
	if (st != OK && st != E_NOT_FOUND) { /* not found: they are nobody's */
		*h->err = none;
		return st;
	}
	return sharers_init(&out->sharers, &out->place, h->err);
}

static enum status list_chunks(const struct hunt *h, int64_t run, enum text_field field,
			       struct answer_chunks *out)
{
	sqlite3_stmt *s = stmt_get(h->s->c, STMT_SEARCH_CHUNKS, h->err);
	const struct sharers *sharers = &out->shared[field].sharers;
	size_t first = out->list.n;
	enum status st;
	bool row;

	if (!s)
		return h->err->code;
	sqlite3_bind_int64(s, 1, run);
	sqlite3_bind_int64(s, 2, (int64_t)field);
	while ((st = stmt_step(h->s->c, s, &row, h->err)) == OK && row) {
		struct answer_chunk c = {sqlite3_column_int64(s, 0), run, field,
					 (uint64_t)sqlite3_column_int64(s, 1), CHUNK_GUESS,
					 sharers->ords ? sharers : NULL};

		if (out->list.n > first && c.start > out->list.v[out->list.n - 1].start)
			out->list.v[out->list.n - 1].bytes = c.start - out->list.v[out->list.n - 1].start;
		vec_push(&out->list, c);
	}
	return st;
}

enum status answer_chunks_add(const struct hunt *h, int64_t run, enum text_field field,
			      struct answer_chunks *out)
{
	bool began;
	enum status st = read_begin(h->s->c, &began, h->err);

	if (st != OK)
		return st;
	st = load_sharers(h, run, field, &out->shared[field]);
	if (st == OK)
		st = list_chunks(h, run, field, out);
	read_end(h->s->c, began);
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
	size_t near = 0;
	bool began;

	if (!n || read_begin(h->s->c, &began, err) != OK)
		return false;
	if (cache_check(h->s->c, err) != OK ||
	    cache_column(h->s->c, list->run, place_column(list->field), &places, err) != OK)
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
	struct answer_chunks all = {.list = {0}};
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
	answer_chunks_release(&all);
	return st;
}
