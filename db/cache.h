/*
 * cache: what fetch keeps in memory of an open project: columns of runs and the last chunks of
 * text. Dropped as a whole when another process has changed the file, or an import. Not for other
 * rooms.
 */
#ifndef QUALM_DB_CACHE_H
#define QUALM_DB_CACHE_H

#include "core/model/column.h"
#include "db/fetch.h"

struct fetch_cache;

struct chunk {
	int64_t run;
	enum text_field field;
	uint64_t start; /* of the chunk in its stream */
	uint32_t n;
	const uint32_t *ords, *lens; /* n; ords NULL: its texts are shared (sharers.h) */
	struct str data;
	uint64_t used; /* when last; 0 = free place */
	void *memory;
};

/* Call inside read_begin, before the rest: drops everything if the file has changed. */
enum status cache_check(struct conn *c, struct err *err);
/* *col: a run's column, borrowed until the next call; n = 0 when there is none. */
enum status cache_column(struct conn *c, int64_t run, const char *name, const struct column **col,
			 struct err *err);
/* *chunk: the chunk that holds the byte at `offset`, borrowed until the next call. E_FORMAT. */
enum status cache_chunk(struct conn *c, int64_t run, enum text_field field, uint64_t offset,
			const struct chunk **chunk, struct err *err);
void cache_drop(struct fetch_cache *cache); /* NULL is fine */

#endif
