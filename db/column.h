/*
 * db/column: packed columns between the file and memory; loading a snapshot.
 * A column belongs to an owner (dataset's samples, a layer, a facet, a run) and has a name.
 */
#ifndef QUALM_DB_COLUMN_H
#define QUALM_DB_COLUMN_H

#include "core/model/snapshot.h"
#include "db/conn.h"

enum owner_kind { OWNER_DATASET, OWNER_LAYER, OWNER_FACET, OWNER_RUN }; /* stored: append only */

/* E_NOT_FOUND when there is none; E_FORMAT when its bytes do not fit its type. */
enum status column_load(struct conn *c, enum owner_kind kind, int64_t owner, const char *name,
			struct column *out, struct err *err);
/* Inserts or replaces. */
enum status column_store(struct conn *c, enum owner_kind kind, int64_t owner, const char *name,
			 const struct column *col, struct err *err);

/* The whole dataset; everything is checked (offsets, class ordinals) before it is believed.
 * dataset: a name, or NULL when there is only one (E_USAGE lists them when there are several;
 * E_NOT_FOUND when there is none). */
enum status snapshot_load(struct conn *c, const char *dataset, struct snapshot **out,
			  struct err *err);

/* Only a part of it, for a first look: all but the columns of most runs. Those runs are marked
 * `later` and the snapshot `partial`; what is counted over them is worth nothing. */
struct snapshot_part {
	uint64_t at_once; /* with no more answers (samples × answerers) than this, all is loaded */
	/* Sets want[r], [snapshot_answerers()] and all false, for the runs to load. Their columns are not there
	 * yet; it may use the conn for reading. */
	void (*pick)(void *ctx, const struct snapshot *snap, bool *want);
	void *ctx;
};
enum status snapshot_load_part(struct conn *c, const char *dataset,
			       const struct snapshot_part *part, struct snapshot **out,
			       struct err *err);
/* The whole of a partial snapshot: only what it lacks is loaded, the rest is shared with it, on any
 * thread. When the project has changed since, the whole dataset anew. */
enum status snapshot_load_rest(struct conn *c, struct snapshot *part, struct snapshot **out,
			       struct err *err);

#endif
