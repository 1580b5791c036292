/*
 * sql_print: what a statement gives, as rows of a file or as a table for people. A format is a
 * row of one table.
 */
#ifndef QUALM_TUI_SQL_PRINT_H
#define QUALM_TUI_SQL_PRINT_H

#include <stdio.h>

#include "core/base/cancel.h"
#include "core/base/vec.h"
#include "db/sql.h"

struct sql_format;

struct sql_print {
	FILE *out;
	bool tty;  /* out is a terminal: texts must not steer it, and rows are aligned */
	int width; /* of the terminal, columns; 0: not limited */
	const struct sql_format *format;
	uint64_t rows;
	/* inside */
	int n;
	char **names;
	struct buf b, cell;
	VEC(char *) held; /* cells of the first rows, until the widths are known */
	int *widths;
	bool *right, laid_out;
};

const struct sql_format *sql_format_find(struct str name); /* NULL if none */

/* The sink that prints; p has out, tty, width and format. */
struct sql_sink sql_print_sink(struct sql_print *p);
/* Writes what is left. */
enum status sql_print_end(struct sql_print *p, struct err *err);
void sql_print_release(struct sql_print *p);

#endif
