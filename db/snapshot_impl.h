/* What the files that load a snapshot share. Everything from the file is checked here, once, so
 * that nobody who holds a snapshot has to. */
#ifndef QUALM_DB_SNAPSHOT_IMPL_H
#define QUALM_DB_SNAPSHOT_IMPL_H

#include "core/model/snapshot.h"
#include "db/column.h"
#include "db/stmt.h"

#define SAMPLES_MAX 100000000 /* of one dataset */

struct loader {
	struct conn *c;
	struct snapshot *s;
	struct err *err;
	const struct snapshot_part *part; /* NULL: all of it */
};

/* E_FORMAT: "FILE is damaged: WHAT NAME WHY". */
enum status load_damaged(struct loader *ld, const char *what, const char *name, const char *why);

typedef enum status (*load_row_fn)(struct loader *ld, sqlite3_stmt *s, void *ctx);
/* Every row of a statement whose first parameter is key. */
enum status load_rows(struct loader *ld, enum stmt_id id, int64_t key, load_row_fn fn, void *ctx);
const char *load_text(struct loader *ld, sqlite3_stmt *s, int col); /* "" for NULL */
/* UINT32_MAX for NULL; what cannot be an ordinal becomes one beyond every list. */
uint32_t load_ordinal(sqlite3_stmt *s, int col);
/* Do all parents lead to a root (UINT32_MAX) within n? stride: bytes from one to the next. */
bool load_is_forest(const uint32_t *parents, size_t stride, uint32_t n);

/* A column of at most `max` elements; absent: left empty, OK. */
enum status load_column(struct loader *ld, enum owner_kind kind, int64_t owner, const char *name,
			size_t max, struct column *out);
/* Columns "offset" and "value" as sets of ordinals below limit, of at most max_rows rows. */
enum status load_csr(struct loader *ld, enum owner_kind kind, int64_t owner, size_t max_rows,
		     uint64_t limit, struct csr *out);

/* Classes, pairs, and what the rows of layers and runs say, without their columns. */
enum status load_frame(struct loader *ld, int64_t dataset);
enum status load_layer_rows(struct loader *ld);
enum status load_run_rows(struct loader *ld);
/* The columns of one. On failure they are to be released all the same. */
enum status load_layer(struct loader *ld, struct layer *layer);
enum status load_run(struct loader *ld, struct run *run);
enum status load_layers(struct loader *ld);
enum status load_facets(struct loader *ld);
enum status load_runs(struct loader *ld);
/* The columns of the runs that are not `later`, and nothing of those that have them. */
enum status load_run_columns(struct loader *ld);

#endif
