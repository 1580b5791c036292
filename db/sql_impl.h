/*
 * What the files behind sql.h share. Not for other rooms.
 *
 *   sql.c         statements, their values and errors
 *   sql_guard.c   what a statement may do
 *   sql_world.c   datasets and their columns, loaded when they are asked for
 *   sql_module.c  SQLite's side: plans and cursors
 *   sql_tables.c  the columns of the tables, one row each
 */
#ifndef QUALM_DB_SQL_IMPL_H
#define QUALM_DB_SQL_IMPL_H

#include "core/base/vec.h"
#include "core/eval/truth.h"
#include "core/model/snapshot.h"
#include "db/conn_impl.h"
#include "db/sql.h"

/* --- the world: sql_world.c --- */

struct sql_number {
	char *name;
	struct column col; /* n = 0: the run has none */
};

/* A run or a layer of a dataset: loaded as a whole, kept while there is room. */
struct sql_piece {
	bool loaded;
	unsigned held; /* cursors that stand in it */
	uint64_t used;
	size_t bytes;
	/* of a run, made when asked for */
	uint8_t *verdict; /* [n] */
	VEC(struct sql_number) numbers;
	VEC(char *) further; /* names of numbers that have no column in the table */
	bool further_known;
	/* of a layer */
	struct truth truth;
};

struct sql_dataset {
	int64_t id;
	const char *name;
	uint32_t n;            /* samples, as the dataset's row says */
	struct snapshot *snap; /* a frame (snapshot_impl.h); NULL: not loaded yet */
	struct sql_piece *runs, *layers;
	struct lens lens;
	char *lens_text;
	bool has_lens, judged;
	uint8_t *category; /* [n] */
};

struct sql {
	struct conn *c;
	struct sql_options options;
	struct arena arena;
	struct sql_dataset *datasets;
	size_t n_datasets;
	int64_t n_runs, n_layers; /* of the project: to estimate by */
	uint64_t clock;
	size_t bytes;      /* of all pieces */
	struct err err;    /* of a virtual table: says more than SQLite's */
	char refused[160]; /* by the guard */
};

enum status sql_world_open(struct sql *s, struct err *err);
void sql_world_close(struct sql *s);
/* Classes, rows of runs and layers. */
enum status sql_frame(struct sql *s, struct sql_dataset *d, struct err *err);
/* Loads it and keeps it until it is let go as often. */
enum status sql_hold_run(struct sql *s, struct sql_dataset *d, uint32_t r, struct err *err);
enum status sql_hold_layer(struct sql *s, struct sql_dataset *d, uint32_t l, struct err *err);
void sql_let_go(struct sql_piece *p);
/* Of a run that is held; *out borrowed until it is let go. */
enum status sql_verdicts(struct sql *s, struct sql_dataset *d, uint32_t r, const uint8_t **out,
			 struct err *err);
enum status sql_number(struct sql *s, struct sql_dataset *d, uint32_t r, const char *name,
		       const struct column **out, struct err *err);
/* Names of the numbers beyond those that have columns. */
enum status sql_further(struct sql *s, struct sql_dataset *d, uint32_t r, struct err *err);
enum status sql_categories(struct sql *s, struct sql_dataset *d, const uint8_t **out,
			   struct err *err);
/* The dataset's lens. */
enum status sql_lens(struct sql *s, struct sql_dataset *d, struct err *err);

/* --- tables and cursors --- */

enum sql_kind { SQL_PREDICTION, SQL_VERDICT, SQL_LABEL, N_SQL_TABLES };

/* What a column is for the planner: how a value of it leads to rows. */
enum sql_role {
	ROLE_NONE,
	ROLE_DATASET, /* name */
	ROLE_DATASET_ID,
	ROLE_UNIT, /* handle of a run, name of a layer */
	ROLE_UNIT_ID,
	ROLE_SAMPLE, /* key */
	ROLE_SAMPLE_ID,
	ROLE_ORD,
	ROLE_CODE, /* outcome or verdict: rows can come sorted by it */
	N_ROLES
};

struct sql_cursor;

struct sql_column {
	const char *name, *type;
	enum sql_role role;
	/* Gives the value of the cursor's row to SQLite; none given is NULL. */
	enum status (*put)(struct sql_cursor *cur, sqlite3_context *out, struct err *err);
};

struct sql_table {
	const char *name;
	enum sql_kind kind;
	const struct sql_column *columns; /* ends with a NULL name */
};

extern const struct sql_table sql_table_list[N_SQL_TABLES];

struct sql_unit { /* a run or a layer, and which samples of it */
	struct sql_dataset *d;
	uint32_t index;
	uint32_t lo, hi; /* ordinals lo ≤ i < hi */
	int64_t id;
	const char *name;
};

#define SQL_KEYS   256 /* read at once when rows come in order */
#define SQL_PASSES 8

struct sql_cursor {
	sqlite3_vtab_cursor base; /* first */
	struct sql *s;
	const struct sql_table *table;
	VEC(struct sql_unit) units;
	/* Codes to go through one by one, so that rows come sorted by them; none: all at once.
	 * A step is one unit and one pass over it. */
	uint8_t passes[SQL_PASSES];
	int n_passes; /* 0: rows of any code */
	bool outer;   /* all units for a code, not all codes for a unit */
	size_t step, n_steps;
	bool eof;
	/* the unit */
	const struct sql_unit *unit;
	struct sql_dataset *d;
	struct sql_piece *piece; /* held; NULL: none */
	const uint8_t *codes;    /* by ordinal; outcomes, verdicts, covered */
	uint32_t n_codes;
	/* the row */
	uint32_t ord, k, n_rows; /* k: of the sample's n_rows rows (label) */
	struct arena arena;
	/* keys of some samples */
	struct arena key_arena;
	struct str keys[SQL_KEYS];
	uint32_t keys_from, keys_n, keys_span;
};

int sql_register(struct sql *s); /* SQLite's code */
/* How many rows the cursor's sample, which its layer covers, has in `label`: at least one. */
uint32_t sql_label_rows(const struct sql_cursor *cur);

/* --- the guard: sql_guard.c --- */

/* For sqlite3_set_authorizer(); ctx is a struct sql, whose `refused` it fills. */
int sql_guard(void *ctx, int action, const char *a, const char *b, const char *db,
	      const char *trigger);

#endif
