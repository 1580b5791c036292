/*
 * export: samples as rows of a file: those of a list, in its order, with its columns. The shell
 * and the screen write by the same functions. A format is a row of one table; rows are written in
 * blocks whose texts were fetched together.
 */
#ifndef QUALM_TUI_EXPORT_H
#define QUALM_TUI_EXPORT_H

#include <stdio.h>

#include "core/eval/eval.h"
#include "core/eval/truth.h"
#include "db/fetch.h"
#include "tui/view/columns.h"

/* What is exported; all borrowed. */
struct export_what {
	struct conn *conn;
	struct snapshot *snap;
	struct lens lens;
	int a, b; /* -1: none */
	const int *panel;
	int n_panel;
	const struct user_things *mine; /* NULL: none */
	const uint32_t *order;          /* [n] the ordinals of the rows, in order */
	uint32_t n;
	const struct columns *columns; /* of csv and md; NULL: all that there is */
	/* told in the meta file and to the user */
	const char *filter, *base; /* NULL: none */
	struct sort sort;
	/* Called now and then with the rows written so far; NULL: nobody asks. */
	void (*progress)(void *ctx, uint32_t rows);
	void *progress_ctx;
};

struct export_run {
	int run;           /* of the snapshot */
	uint8_t *verdict;  /* [n] */
	struct str *texts; /* [block]: of the block's samples; empty: none is kept */
};

struct export {
	const struct export_what *what;
	const struct snapshot *snap;
	struct truth *truth;   /* [n_layers] */
	uint8_t *category;     /* [n] */
	struct export_run *runs; /* the panel, and a and b where they are not in it */
	int n_runs;
	/* where columns are given: what they need */
	struct columns columns; /* none that is made of others */
	struct scene scene;
	double *number[COLUMNS_MAX]; /* [snap->n] of columns of numbers; else NULL */
	/* the block: samples by ordinal */
	struct arena arena;
	struct sample_row *rows; /* [block] */
	uint64_t *keys;          /* [block] */
	uint32_t *by_ord, *at;   /* [block]: the j-th by ordinal; where the k-th of the block is among them */
	uint32_t block;
	/* the sample */
	const struct sample_row *row;
	uint32_t ord, k; /* k: its place among the block's rows */
};

struct export_format {
	const char *name, *help;
	bool texts;   /* answers' texts are wanted */
	bool columns; /* it has columns */
	void (*begin)(const struct export *x, struct buf *out); /* NULL: nothing */
	void (*sample)(const struct export *x, struct buf *out);
};

extern const struct export_format export_formats[]; /* ends with a NULL name */
const struct export_format *export_format_find(struct str name); /* NULL if none */

/* Head and rows of csv and md with the columns that were chosen. */
void export_columns_begin(const struct export *x, bool md, struct buf *out);
void export_columns_sample(const struct export *x, bool md, struct buf *out);
/* The columns as they are exported: "pair" is truth and answer, "verdict" one for each run, and a, b
 * and the layer are written out. */
void export_columns_plain(const struct scene *s, const struct columns *in, struct columns *out);

/* Writes all rows. tty: what files hold must not steer the terminal. *n: rows. */
enum status export_write(const struct export_what *what, const struct export_format *format,
			 const struct cancel *cancel, FILE *out, bool tty, uint32_t *n,
			 struct err *err);

/* The same into a file, and what was exported into PATH.meta.json beside it; path NULL: standard
 * output alone. A regular file is replaced as a whole when all rows are there. */
enum status export_file(const struct export_what *what, const struct export_format *format,
			const char *path, const struct cancel *cancel, bool tty, uint32_t *n,
			struct err *err);

#endif
