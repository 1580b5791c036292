/* Statements and their rows as lines of text, for tests. What fails here fails the test. */
#ifndef QUALM_TESTS_UNIT_LIB_SQL_H
#define QUALM_TESTS_UNIT_LIB_SQL_H

#include "db/sql.h"

struct listed { /* a line a row: values with | between them, texts in quotes */
	char **v;
	size_t n, cap;
};

void listed_release(struct listed *l);
enum status sql_ask(struct sql *s, const char *text, struct listed *l, struct err *err);
void must_ask(struct sql *s, const char *text, struct listed *l);
struct sql *open_sql(struct conn *c, const char *lens, size_t memory);
/* Are the rows the same? Releases both; in_order = false sorts them first. */
void same_rows(const char *what, struct listed *got, struct listed *want, bool in_order);
/* The statement fails with this status and these words. */
void must_refuse(struct sql *s, const char *text, enum status want, const char *words);

#endif
