/*
 * export: the samples of a population as rows of a file. A format is a row of one table; all get
 * the same samples, in the order of the project, in blocks whose texts were fetched together.
 */
#ifndef QUALM_TUI_EXPORT_H
#define QUALM_TUI_EXPORT_H

#include <stdio.h>

#include "core/eval/eval.h"
#include "core/eval/truth.h"
#include "db/fetch.h"
#include "tui/population.h"

struct export_run {
	int run;           /* of the snapshot */
	uint8_t *verdict;  /* [n] */
	struct str *texts; /* [EXPORT_BLOCK]: of the block's samples; empty: none is kept */
};

#define EXPORT_BLOCK 256 /* samples */

struct export {
	const struct population *pop;
	const struct snapshot *snap;
	struct truth *truth;   /* [n_layers] */
	uint8_t *category;     /* [n] */
	struct export_run *runs; /* the panel, and a and b where they are not in it */
	int n_runs;
	/* the block */
	struct arena arena;
	struct sample_row *rows; /* [EXPORT_BLOCK] */
	uint32_t from;
	/* the sample */
	const struct sample_row *row;
	uint32_t ord, k; /* k: its place in the block */
};

struct export_format {
	const char *name;
	bool texts; /* answers' texts are wanted */
	void (*begin)(const struct export *x, struct buf *out); /* NULL: nothing */
	void (*sample)(const struct export *x, struct buf *out);
};

extern const struct export_format export_formats[]; /* ends with a NULL name */
const struct export_format *export_format_find(struct str name); /* NULL if none */

/* Writes all rows. tty: what files hold must not steer the terminal. *n: rows. */
enum status export_write(const struct population *pop, const struct export_format *format,
			 const struct cancel *cancel, FILE *out, bool tty, uint32_t *n,
			 struct err *err);

#endif
