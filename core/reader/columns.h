/*
 * columns: the fields of a generic file and what each is for. Roles come from --map, then from
 * the usual names (guess.h); of several fields for one role the best name wins and the others
 * are ordinary. A field that shows up later takes a role that is still free.
 *
 * Ordinary fields become facets (samples) or numbers (predictions) by the first rows: numeric
 * when every value there is a number; categorical when the texts are short and repeat, or when
 * there are few rows to tell (of samples also lists of such texts: several values); the rest is
 * kept as it is in `extra` or `details`. A field keeps its kind for the whole file. By hand:
 * `facet`, `number`, `details` (kept as it is), `ignore`, and `label@LAYER`, a further truth.
 */
#ifndef QUALM_CORE_READER_COLUMNS_H
#define QUALM_CORE_READER_COLUMNS_H

#include "core/reader/guess.h"
#include "core/reader/rows.h"

#define COLUMNS_LOOK_AHEAD 256 /* rows */
#define FACET_MAX_BYTES 64

enum column_kind { COLUMN_UNDECIDED, COLUMN_NUMBER, COLUMN_TEXT, COLUMN_LONG };

struct column_use {
	enum role role;
	struct guess guess;
	bool mapped;
	bool settled; /* the kind was given by hand */
	enum column_kind kind;
};

struct columns {
	const struct rows *rows;
	const struct read_options *opt;
	VEC(struct column_use) use; /* by column of rows */
	uint32_t of_role[N_ROLES];  /* column, or INTERN_NONE */
	bool predictions;
	uint32_t version; /* goes up with every column that comes or is decided */
	bool fixed;   /* neither happens: a row that asks for it is `strange` */
	bool strange; /* set by columns_kind(), never cleared */
};

/* Decides from the first rows. E_USAGE when --map names an unknown field. E_FORMAT when no field names the samples. */
enum status columns_init(struct columns *c, const struct rows *rows,
			 const struct read_options *opt, const struct row *first, size_t n,
			 struct err *err);
/* Knows columns that appeared since. */
void columns_update(struct columns *c);
/* What is known so far, for another thread's rows; borrows what `from` borrows, but its rows. */
void columns_fork(struct columns *out, const struct columns *from, const struct rows *rows);
void columns_release(struct columns *c);
/* A word of --map that readers of other files of the same command understand? */
bool columns_of_others(struct str word);
/* by[role] = the row's cell for it, or NULL; of roles that several columns share, any of them. */
void columns_by_role(const struct columns *c, const struct row *r, const struct cell *by[N_ROLES]);
enum column_kind columns_decide(struct columns *c, const struct cell *cell);
/* Decides at the first value, when the first rows had none. */
static inline enum column_kind columns_kind(struct columns *c, const struct cell *cell)
{
	enum column_kind kind = c->use.v[cell->column].kind;

	return kind == COLUMN_UNDECIDED ? columns_decide(c, cell) : kind;
}

#endif
