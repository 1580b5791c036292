/*
 * sql: read-only SQL over a project, for people and scripts. Beside the ordinary tables stand
 * three virtual ones that show the packed data as rows, made row by row from the columns:
 *
 *   prediction   one row for each stored answer of each run
 *   verdict      one row for each run and sample: what the answer is worth under a lens
 *   label        one row for each class that a layer gives a sample
 *
 * Their columns are told in man qualm(5), and stand in one table (sql_tables.c). An equality on
 * dataset, run, layer or sample, by name or by id, goes straight there; columns are read once for
 * each run and kept while there is room; a text is read when its row asks for it.
 *
 * A statement sees one state of the file. It can only read: the file is open for reading, and
 * what would write, attach, load or set is refused when it is compiled.
 */
#ifndef QUALM_DB_SQL_H
#define QUALM_DB_SQL_H

#include "core/base/str.h"
#include "db/conn.h"

struct sql;

struct sql_options {
	const char *dataset; /* the virtual tables show this one; NULL: all */
	const char *lens;    /* over each dataset's preset (lens.h); NULL: the preset */
	size_t memory;       /* bytes of columns to keep; 0: 512 MiB */
};

enum sql_type { SQL_NULL, SQL_INTEGER, SQL_REAL, SQL_TEXT, SQL_BLOB };

struct sql_value {
	enum sql_type type;
	int64_t i;
	double f;
	struct str s; /* of a text or a blob; until the next row */
};

/* Takes a result; both stop the statement by returning an error. names: as SQLite gives them. */
struct sql_sink {
	void *ctx;
	enum status (*begin)(void *ctx, const char *const *names, int n, struct err *err);
	enum status (*row)(void *ctx, const struct sql_value *values, int n, struct err *err);
};

/* Borrows c, whose cancel stops a statement, and the options' texts. E_USAGE: the project has no
 * such dataset. */
enum status sql_open(struct sql **out, struct conn *c, const struct sql_options *options,
		     struct err *err);
void sql_close(struct sql *s); /* NULL is fine; before c */

/* Runs one statement. E_USAGE: SQLite does not understand it, with its words and the place ("at
 * 12", characters from 1; "at line 2, 12" when there are several lines), it is more than one, or
 * it would do more than read. begin is called once before the first row, also without rows. */
enum status sql_run(struct sql *s, struct str text, const struct sql_sink *sink, struct err *err);

/* The lenses that the last statement judged under, "DATASET: LENS" lines; empty: none. */
void sql_lenses(const struct sql *s, struct buf *out);

/* A row for each column of each table, the virtual tables first: "table", "column", "type". */
enum status sql_tables(struct sql *s, const struct sql_sink *sink, struct err *err);

#endif
