/*
 * report_print: a table of core/report written out. JSON and CSV have a flat row for each group and
 * numbers as they are; text, Markdown and LaTeX are for people: a row for each run, groups side by
 * side, shares in percent.
 */
#ifndef QUALM_TUI_REPORT_PRINT_H
#define QUALM_TUI_REPORT_PRINT_H

#include <stdio.h>

#include "core/report/table.h"
#include "core/base/err.h"

struct report_style {
	const char *columns; /* names, "," between, in this order; NULL: all (for people: no details) */
	int digits;          /* after the point, for people; -1: the usual */
	bool mark_best;      /* the best value of each column, for people */
	bool tty;            /* what files hold must not steer the terminal */
};

struct report_format {
	const char *name;
	bool people;
	void (*write)(const struct table *t, const struct report_style *style, struct buf *out);
};
extern const struct report_format report_formats[]; /* ends with a NULL name */
const struct report_format *report_format_find(struct str name); /* NULL if none */

/* Appends a cell as people read it: "1,234", "89.7" (percent), "-" where there is no number. digits
 * after the point; -1: the usual. */
void report_cell(const struct table_column *column, const struct table_cell *cell, int digits,
		 struct buf *out);
/* E_USAGE when a column of the style is not there. */
enum status report_print(const struct table *t, const struct report_format *format,
			 const struct report_style *style, FILE *out, struct err *err);

#endif
