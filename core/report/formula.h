/*
 * formula: how the numbers of tables are worked out, and where that is from: what `=` says below a
 * number. The tables themselves are in report.h.
 */
#ifndef QUALM_CORE_REPORT_FORMULA_H
#define QUALM_CORE_REPORT_FORMULA_H

struct formula {
	const char *table;  /* its title; NULL: any */
	const char *column; /* its name */
	const char *text, *source;
};

/* NULL: there is no more to say than the column's help. table, column: not NULL. */
const struct formula *formula_find(const char *table, const char *column);

#endif
