/*
 * csv: RFC 4180 rows from an input, comma, tab, semicolon or pipe. Quoted fields may hold
 * delimiters, doubled quotes and line ends; LF, CRLF and CR-only files work.
 */
#ifndef QUALM_CORE_TEXT_CSV_H
#define QUALM_CORE_TEXT_CSV_H

#include "core/text/input.h"

#define CSV_MAX_FIELDS 4096
#define CSV_MAX_RECORD ((size_t)64 << 20)

struct csv_row {
	struct str *field; /* n of them, valid until the next call; quotes removed */
	size_t n;
	uint64_t line, byte; /* where the row begins */
};

struct csv;

/* Which of ",\t;|" separates the rows of these first bytes best; 0 when none does so evenly. */
char csv_guess_delimiter(struct str head);
struct csv *csv_new(struct input *in, char delimiter);
/* Tests: a lower ceiling than CSV_MAX_RECORD. */
void csv_set_max(struct csv *c, size_t max_record);
/* Blank lines are passed over. E_FORMAT for a quote that is never closed, text behind a closing
 * quote, or a row beyond the ceilings: names line and byte of the row; calling again goes on with
 * the next row where there is one. Other codes end the file. Bytes are not checked for UTF-8. */
enum status csv_next(struct csv *c, struct csv_row *out, bool *more, struct err *err);
void csv_free(struct csv *c);
/* Where the next row begins, if no blank line comes first. */
void csv_place(const struct csv *c, uint64_t *line, uint64_t *byte);
/* Goes on with the first byte of another input, which is at this place of the file. */
void csv_over(struct csv *c, struct input *in, uint64_t line, uint64_t byte);
/* Gives back to the input what comes behind the last row. E_MEMORY. */
enum status csv_stop(struct csv *c, struct err *err);
/* '\n', or '\r' in a file that has no other line ends. */
char csv_line_end(const struct csv *c);
char csv_delimiter(const struct csv *c);
/* How many of these bytes, which begin a row, are whole rows: up to behind the last line feed
 * that ends one. *sure = false: the quotes are such that only csv_next() can tell. */
size_t csv_whole_rows(struct str bytes, char delimiter, bool *sure);
/* Append one field, quoted when it must be. */
void csv_quote(struct buf *out, struct str s, char delimiter);

#endif
