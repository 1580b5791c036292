/* What the files of this room share about an open project. Not for other rooms. */
#ifndef QUALM_DB_CONN_IMPL_H
#define QUALM_DB_CONN_IMPL_H

#include "db/conn.h"
#include "db/migrate.h"
#include "db/stmt.h"

#define UUID_LENGTH 36

struct fetch_cache;

struct conn {
	sqlite3 *db;
	char *path;
	char uuid[UUID_LENGTH + 1];
	bool read_only, is_new, no_locks;
	const struct cancel *cancel;
	conn_wait_fn *wait;
	void *wait_ctx;
	int64_t patience; /* milliseconds; 0 = the usual ones */
	bool hurry, was_busy;
	bool gave_up; /* the open transaction has waited in vain: it asks, but waits no more */
	sqlite3_stmt *stmts[N_STMTS];
	struct fetch_cache *cache; /* cache.h; made by the first fetch */
	struct conn *overlay;      /* user.h; opened by the first use */
};

/* conn_open with another ladder of versions than the program's own (tests). */
enum status conn_open_ladder(struct conn **out, const char *path, enum conn_mode mode,
			     const struct ladder *ladder, struct err *err);

/* One view of the file over several statements. Nests; *began tells read_end what to do. */
enum status read_begin(struct conn *c, bool *began, struct err *err);
void read_end(struct conn *c, bool began);

#endif
