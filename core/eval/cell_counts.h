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
	size_t stride;        /* of the table: a multiple of 64, above n_columns; what is behind them is 0 */
	uint8_t *table;       /* [n_rows * stride] modulo 256, or NULL when a list is kept */
	VEC(struct hit) list; /* beside a table: the cells that came round, 256 counts each */
	uint32_t *beside;     /* [n_rows], whole after cell_counts_gather() */
};

/* expected: about how many counts there will be. */
void cell_counts_init(struct cell_counts *c, uint32_t n_rows, uint32_t n_columns, size_t expected);
void cell_counts_release(struct cell_counts *c);

/* column: < n_columns, or n_columns itself: counted beside the row's cells. */
static inline void cell_counts_add(struct cell_counts *c, uint32_t row, uint32_t column)
{
	if (!c->table && column == c->n_columns)
		c->beside[row]++;
	else if (!c->table || !++c->table[row * c->stride + column])
		vec_push(&c->list, ((struct hit){row, column}));
}

/* column: < n_columns; n: < 2^31. */
void cell_counts_add_many(struct cell_counts *c, uint32_t row, uint32_t column, uint32_t n);
/* The cells that are not 0 and the sums: out->off, cell, row and column. out->off [n_rows + 1],
 * row [n_rows] and column [n_columns] are there, of zeros; out->cell becomes the caller's. */
void cell_counts_gather(struct cell_counts *c, struct confusion *out);

#endif
