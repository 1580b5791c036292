/*
 * print: plain text for pipes and people, as the shell commands write it. Text that came from
 * files is shown safe: control, escape and bidi characters never reach the terminal.
 */
#ifndef QUALM_TUI_PRINT_H
#define QUALM_TUI_PRINT_H

#include <stdint.h>
#include <stdio.h>

#include "core/base/str.h"
#include "core/base/vec.h"

void print_clean(FILE *out, struct str s);
/* JSON text: the same characters become \uXXXX, so that it still means what it meant.
 * What is not UTF-8, such as a file's name, becomes U+FFFD. */
void print_json_clean(FILE *out, struct str json);
/* "12,345" */
const char *print_count(char out[32], uint64_t v);
/* "24,000": two digits, for what is known no better. Nothing below 1. */
const char *print_about(char out[32], double v);
/* "1.2 MB": powers of ten, one decimal below 100. */
const char *print_bytes(char out[32], double v);

/* grid: rows of cells in aligned columns, two blanks between them. */
#define GRID_COLUMNS 10

struct grid {
	int n_columns;
	const char *indent;
	bool right[GRID_COLUMNS]; /* flush right */
	VEC(char *) cells;        /* owned, row-major */
};

/* Copies the text; cells fill row by row. */
void grid_put(struct grid *g, const char *text);
void grid_printf(struct grid *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void grid_print(const struct grid *g, FILE *out);
void grid_release(struct grid *g);

#endif
