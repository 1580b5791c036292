/*
 * core/report: tables of numbers, as a benchmark prints them: what they hold is computed here and
 * printed elsewhere (tui/report_print.h) or shown on the screen. Pure.
 *
 * table: named columns, rows of cells. A cell that is a count or a share of samples can carry the
 * condition of the filter language that opens exactly those samples: a number is a door.
 */
#ifndef QUALM_CORE_REPORT_TABLE_H
#define QUALM_CORE_REPORT_TABLE_H

#include "core/base/arena.h"
#include "core/base/str.h"
#include "core/base/vec.h"

enum table_kind {
	TABLE_TEXT,
	TABLE_COUNT,  /* a whole number */
	TABLE_SHARE,  /* 0 … 1, shown in percent */
	TABLE_NUMBER, /* as it is */
	TABLE_P       /* a p or q value: small ones in scientific notation */
};
enum column_best { BEST_NONE, BEST_HIGH, BEST_LOW }; /* which value of a column is the best one */

struct table_column {
	const char *name;  /* in JSON, CSV and --columns: lower case, "_" for blanks */
	const char *title; /* for people */
	enum table_kind kind;
	enum column_best best;
	const char *help;  /* what it is, and of what; "" for names of groups */
	bool detail;       /* for programs, and for people who ask for it */
};

/* What a count or a share of answers is made of, to be explained: whole + rest are all answers of
 * the run to the group's samples. */
struct table_share {
	double part, whole, rest; /* right answers; counted ones; those that are left out */
	const char *part_door, *whole_door, *rest_door; /* conditions */
	int run;                  /* index into the snapshot's */
	const char *words[3];     /* what they are, texts that stay; NULL: right, counted, left out */
	const char *formula;      /* with its source; NULL: the column's help says it */
	const char *why;          /* why the rest is left out; NULL: what the lens says of the run */
};

/* One of the numbers that another one is made of. */
struct table_part {
	const char *label; /* "hits" */
	double n;          /* samples */
	const char *door;
};

struct table_cell {
	const char *text;   /* TEXT; else NULL, or of people's tables what stands for a number that is NaN */
	double number;      /* NaN: there is none */
	const char *door;   /* a condition; NULL: not one set of samples */
	bool reference;     /* a published figure, not computed here */
	bool later;         /* it is still being worked out */
	unsigned char family; /* the best one of a column is looked for among cells of one family */
	const struct table_share *share; /* NULL: there is no more to tell than the number */
	const struct table_part *parts;  /* [n_parts] where it is made of other numbers */
	size_t n_parts;
	const char *why; /* it has no door; NULL: it has one, or nothing is to be said */
};

struct table {
	struct arena arena;
	const char *title;
	VEC(struct table_column) columns;
	VEC(struct table_cell) cells; /* row by row */
	VEC(const char *) warnings;   /* sentences above it: what must be known before a number is read */
	VEC(const char *) notes;      /* sentences below it: what was left out, by which rule */
	size_t pivot_group, pivot_value; /* columns: see table_pivot(); equal: it is not to be pivoted */
	const char *pivot_name, *pivot_title; /* of a pivoted table: the column whose values the groups have; else NULL */
};

void table_init(struct table *t, const char *title);
void table_release(struct table *t);
size_t table_rows(const struct table *t);
/* Strings are copied. Returns the column's place. */
size_t table_column(struct table *t, const char *name, const char *title, enum table_kind kind,
		    enum column_best best, const char *help);
/* The column is a detail. */
size_t table_detail(struct table *t, size_t column);
int table_find(const struct table *t, struct str name); /* a column's place; -1 if none */

/* So many rows are to come, of the columns that there are. */
void table_expect(struct table *t, size_t rows);
/* A row of empty cells; returns its number. */
size_t table_row(struct table *t);
struct table_cell *table_at(struct table *t, size_t row, size_t column);
const struct table_cell *table_look(const struct table *t, size_t row, size_t column);
/* Set cells of the last row; texts are copied. */
void table_text(struct table *t, size_t column, const char *text);
void table_number(struct table *t, size_t column, double number);
void table_door(struct table *t, size_t column, const char *condition);
/* Copied; each of the columns [n] of the last row tells of it. */
void table_share(struct table *t, const size_t *columns, size_t n, const struct table_share *share);
/* Copied, likewise. */
void table_parts(struct table *t, const size_t *columns, size_t n, const struct table_part *parts,
		 size_t n_parts);
void table_why(struct table *t, size_t column, const char *why);
/* What is told of `from` is told of `to` as well: the samples of both are the same. */
void table_same(struct table *t, size_t from, size_t to);
/* What is still being worked out will never be known: the work was stopped. */
void table_give_up(struct table *t);
void table_note(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void table_warn(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* For people: rows that differ in pivot_group alone become one row, with a column for each group
 * that holds pivot_value; the other columns keep what their first row (group "all" where it is)
 * says. out is owned by the caller. */
void table_pivot(const struct table *t, struct table *out);

#endif
