/*
 * cell_counts: counts of (row, column), for matrices of a thousand classes by a thousand and for few
 * hits among a million columns. What may become crowded is counted in a full table, what stays
 * sparse is kept as a list of hits; who counts does not see which.
 */
#ifndef QUALM_CORE_EVAL_CELL_COUNTS_H
#define QUALM_CORE_EVAL_CELL_COUNTS_H

#include "core/base/vec.h"
#include "core/eval/confusion.h"

struct hit {
	uint32_t row, column;
};

struct cell_counts {
	uint32_t n_rows, n_columns;
	uint8_t *table; /* [n_rows * n_columns] modulo 256, or NULL when a list is kept */
	VEC(struct hit) list; /* beside a table: the cells that came round, 256 counts each */
};

/* expected: about how many counts there will be. */
void cell_counts_init(struct cell_counts *c, uint32_t n_rows, uint32_t n_columns, size_t expected);
void cell_counts_release(struct cell_counts *c);

static inline void cell_counts_add(struct cell_counts *c, uint32_t row, uint32_t column)
{
	if (!c->table || !++c->table[(size_t)row * c->n_columns + column])
		vec_push(&c->list, ((struct hit){row, column}));
}

/* The cells that are not 0 and the sums: out->off, cell, row and column. out->off [n_rows + 1],
 * row [n_rows] and column [n_columns] are there, of zeros; out->cell becomes the caller's. */
void cell_counts_gather(struct cell_counts *c, struct confusion *out);

#endif
