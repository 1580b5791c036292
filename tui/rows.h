/*
 * rows: the samples' own rows, fetched a page at a time as the list shows them and kept for a
 * while. A row pointer stays good until 191 other samples have been asked for.
 */
#ifndef QUALM_TUI_ROWS_H
#define QUALM_TUI_ROWS_H

#include "db/fetch.h"

struct rows;

struct rows *rows_new(struct conn *conn, int64_t dataset, uint32_t n); /* borrows conn */
void rows_free(struct rows *rows); /* NULL is fine */
/* NULL beyond the end, or when the project could not be read (rows_error() says why). */
const struct sample_row *rows_get(struct rows *rows, uint32_t ord);
const char *rows_error(const struct rows *rows); /* of the last page fetched; NULL: none */
/* Was it only that another program was writing? */
bool rows_busy(const struct rows *rows);

#endif
