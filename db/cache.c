#include "db/cache.h"

#include <stdlib.h>

#include "core/base/vec.h"
#include "core/base/xmalloc.h"
#include "db/column.h"
#include "db/conn_impl.h"
#include "db/sharers.h"

#define CHUNKS        8
#define COLUMNS       256 /* entries, absent columns among them */
#define COLUMNS_BYTES ((size_t)32 << 20)
#define CHUNK_MAX     ((size_t)256 << 20) /* bytes of one chunk with its lists */

struct cached_column {
	int64_t run;
	char *name;
	struct column col;
	uint64_t used;
};

struct fetch_cache {
	int64_t data_version, changes, generation;
	uint64_t clock;
	size_t bytes; /* of columns */
	VEC(struct cached_column) columns;
	struct chunk chunks[CHUNKS];
};

static size_t column_bytes(const struct column *c)
{
	return c->n * dtype_size(c->dtype);
}

static void drop_column(struct fetch_cache *k, size_t i)
{
	struct cached_column *e = &k->columns.v[i];

	k->bytes -= column_bytes(&e->col);
	column_release(&e->col);
	free(e->name);
	*e = k->columns.v[--k->columns.n];
}

static void drop_chunk(struct chunk *ch)
{
	free(ch->memory);
	*ch = (struct chunk){0};
}

static void drop_all(struct fetch_cache *k)
{
	while (k->columns.n)
		drop_column(k, k->columns.n - 1);
	for (size_t i = 0; i < CHUNKS; i++)
		drop_chunk(&k->chunks[i]);
}

void cache_drop(struct fetch_cache *cache)
{
	if (!cache)
		return;
	drop_all(cache);
	vec_release(&cache->columns);
	free(cache);
}

/* Another process may have done anything. What this connection writes are the user's own things
 * (a choice of runs at every key, say), which are not kept here, or an import, which says so. */
static enum status has_changed(struct conn *c, int64_t version, bool *yes, struct err *err)
{
	struct fetch_cache *k = c->cache;
	int64_t changes = sqlite3_total_changes64(c->db), generation = k->generation;
	enum status st = OK;

	if (version != k->data_version || changes != k->changes)
		st = conn_generation(c, &generation, err);
	*yes = version != k->data_version || generation != k->generation;
	k->data_version = version;
	k->changes = changes;
	k->generation = generation;
	return st;
}

enum status cache_check(struct conn *c, struct err *err)
{
	sqlite3_stmt *s = stmt_get(c, STMT_DATA_VERSION, err);
	bool row, changed = true;
	enum status st;
	int64_t version;

	if (!s)
		return err->code;
	st = stmt_step(c, s, &row, err);
	if (st != OK)
		return st;
	version = row ? sqlite3_column_int64(s, 0) : 0;
	sqlite3_reset(s);
	if (!c->cache)
		c->cache = xcalloc(1, sizeof *c->cache);
	st = has_changed(c, version, &changed, err);
	if (changed)
		drop_all(c->cache);
	return st;
}

/* --- columns --- */

static size_t oldest_column(const struct fetch_cache *k)
{
	size_t oldest = 0;

	for (size_t i = 1; i < k->columns.n; i++)
		if (k->columns.v[i].used < k->columns.v[oldest].used)
			oldest = i;
	return oldest;
}

enum status cache_column(struct conn *c, int64_t run, const char *name, const struct column **col,
			 struct err *err)
{
	struct fetch_cache *k = c->cache;
	struct cached_column fresh = {run, NULL, {DT_U8, 0, NULL}, 0};
	enum status st;

	for (size_t i = 0; i < k->columns.n; i++) {
		struct cached_column *e = &k->columns.v[i];

		if (e->run != run || strcmp(e->name, name) != 0)
			continue;
		e->used = ++k->clock;
		*col = &e->col;
		return OK;
	}
	st = column_load(c, OWNER_RUN, run, name, &fresh.col, err);
	if (st == E_NOT_FOUND)
		err_clear(err);
	else if (st != OK)
		return st;
	while (k->columns.n &&
	       (k->columns.n >= COLUMNS || k->bytes + column_bytes(&fresh.col) > COLUMNS_BYTES))
		drop_column(k, oldest_column(k));
	fresh.name = xstrdup(name);
	fresh.used = ++k->clock;
	k->bytes += column_bytes(&fresh.col);
	vec_push(&k->columns, fresh);
	*col = &k->columns.v[k->columns.n - 1].col;
	return OK;
}

/* --- chunks --- */

static bool holds(const struct chunk *ch, int64_t run, enum text_field field, uint64_t offset)
{
	return ch->used && ch->run == run && ch->field == field && offset >= ch->start &&
	       offset - ch->start < ch->data.n;
}

/* One allocation for the three; lists first, for their alignment. */
static enum status copy_chunk(struct chunk *ch, struct str ords, struct str lens, struct str data,
			      struct err *err)
{
	char *p = mem_try(ords.n + lens.n + data.n + 1);

	if (!p)
		return err_set(err, E_MEMORY, "there is not enough memory for a chunk of texts");
	if (ords.n)
		memcpy(p, ords.p, ords.n);
	memcpy(p + ords.n, lens.p, lens.n);
	memcpy(p + ords.n + lens.n, data.p, data.n);
	ch->memory = p;
	ch->ords = ords.n ? (const uint32_t *)(void *)p : NULL;
	ch->lens = (const uint32_t *)(void *)(p + ords.n);
	ch->data = (struct str){p + ords.n + lens.n, data.n};
	return OK;
}

static enum status read_chunk(sqlite3_stmt *s, struct chunk *ch, struct err *err)
{
	int64_t start = sqlite3_column_int64(s, 0), n = sqlite3_column_int64(s, 1),
		codec = sqlite3_column_int64(s, 2);
	struct str ords = stmt_blob(s, 3), lens = stmt_blob(s, 4), data = stmt_blob(s, 5);
	uint64_t sum = 0;
	enum status st;

	if (codec < 0 || codec >= N_CODECS)
		return err_set(err, E_UNSUPPORTED, "its texts are packed in a way that is not known");
	if (start < 0 || n < 1 || n > UINT32_MAX || lens.n != (uint64_t)n * 4 ||
	    !codec_fits(codec, ords.n, lens.n) || data.n == 0 ||
	    ords.n + lens.n + data.n > CHUNK_MAX)
		return err_set(err, E_FORMAT, "a chunk of texts has impossible sizes");
	ch->start = (uint64_t)start;
	ch->n = (uint32_t)n;
	st = copy_chunk(ch, ords, lens, data, err);
	if (st != OK)
		return st;
	for (uint32_t i = 0; i < ch->n; i++)
		sum += ch->lens[i];
	if (sum != data.n)
		return err_set(err, E_FORMAT, "a chunk of texts is not as long as it says");
	return OK;
}

static struct chunk *oldest_chunk(struct fetch_cache *k)
{
	struct chunk *oldest = &k->chunks[0];

	for (size_t i = 1; i < CHUNKS; i++)
		if (k->chunks[i].used < oldest->used)
			oldest = &k->chunks[i];
	return oldest;
}

static enum status load_chunk(struct conn *c, struct chunk *ch, uint64_t offset, struct err *err)
{
	sqlite3_stmt *s = stmt_get(c, STMT_CHUNK_AT, err);
	enum status st;
	bool row;

	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, ch->run);
	sqlite3_bind_int64(s, 2, (int64_t)ch->field);
	sqlite3_bind_int64(s, 3, (int64_t)offset);
	st = stmt_step(c, s, &row, err);
	if (st != OK)
		return st;
	if (row)
		st = read_chunk(s, ch, err);
	else
		st = err_set(err, E_FORMAT, "a chunk of texts is missing");
	sqlite3_reset(s);
	if (st == OK && offset - ch->start >= ch->data.n)
		st = err_set(err, E_FORMAT, "a chunk of texts is missing");
	if (st != OK)
		err_prefix(err, "%s is damaged", c->path);
	return st;
}

enum status cache_chunk(struct conn *c, int64_t run, enum text_field field, uint64_t offset,
			const struct chunk **chunk, struct err *err)
{
	struct fetch_cache *k = c->cache;
	struct chunk fresh = {.run = run, .field = field}, *place;
	enum status st;

	for (size_t i = 0; i < CHUNKS; i++) {
		if (!holds(&k->chunks[i], run, field, offset))
			continue;
		k->chunks[i].used = ++k->clock;
		*chunk = &k->chunks[i];
		return OK;
	}
	if (offset > INT64_MAX)
		return err_set(err, E_FORMAT, "%s is damaged: a text is out of its stream", c->path);
	st = load_chunk(c, &fresh, offset, err);
	if (st != OK) {
		free(fresh.memory);
		return st;
	}
	place = oldest_chunk(k);
	drop_chunk(place);
	*place = fresh;
	place->used = ++k->clock;
	*chunk = place;
	return OK;
}
