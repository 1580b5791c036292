#include "core/eval/cell_counts.h"

#include <stdlib.h>

#include "core/base/bits.h"
#include "core/base/clones.h"
#include "core/base/xmalloc.h"

/* A full table is cleared and read once, about a cell in a nanosecond; a hit in a list costs some
 * ten. Of a thousand classes by a thousand it stays in a core's own cache. */
#define TABLE_MAX (4u << 20)
#define HIT_COST 10

void cell_counts_init(struct cell_counts *c, uint32_t n_rows, uint32_t n_columns, size_t expected)
{
	uint64_t all = (uint64_t)n_rows * n_columns;

	*c = (struct cell_counts){.n_rows = n_rows, .n_columns = n_columns};
	if (all <= TABLE_MAX && all / HIT_COST <= expected)
		c->table = xcalloc((size_t)all, sizeof *c->table);
	else
		vec_reserve(&c->list, expected);
}

void cell_counts_release(struct cell_counts *c)
{
	free(c->table);
	vec_release(&c->list);
	*c = (struct cell_counts){0};
}

/* --- from the table --- */

CLONES static uint32_t count_cells(const uint8_t *count, size_t n)
{
	uint32_t cells = 0;

	for (size_t i = 0; i < n; i++)
		cells += count[i] != 0;
	return cells;
}

CLONES static void widen_row(const uint8_t *count, size_t n, uint32_t *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = count[i];
}

CLONES static uint32_t sum_row(const uint32_t *count, size_t n, uint32_t *column)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += count[i];
		column[i] += count[i];
	}
	return sum;
}

/* Without a branch for each cell: which ones are 0 cannot be guessed. cell has room for one more
 * than there are. */
static uint32_t gather_cells(const uint32_t *count, uint32_t n, struct confusion_cell *cell)
{
	uint32_t cells = 0;

	for (uint32_t i = 0; i < n; i++) {
		cell[cells] = (struct confusion_cell){i, count[i]};
		cells += count[i] != 0;
	}
	return cells;
}

static int by_row(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	return (x->row > y->row) - (x->row < y->row);
}

static void gather_table(struct cell_counts *c, struct confusion *out)
{
	size_t all = count_cells(c->table, (size_t)c->n_rows * c->n_columns) + c->list.n, round = 0;
	uint32_t *count = xcalloc(c->n_columns, sizeof *count), n = 0;

	if (c->list.n)
		qsort(c->list.v, c->list.n, sizeof *c->list.v, by_row);
	out->cell = xcalloc(all + 1, sizeof *out->cell);
	for (uint32_t r = 0; r < c->n_rows; r++) {
		widen_row(c->table + (size_t)r * c->n_columns, c->n_columns, count);
		for (; round < c->list.n && c->list.v[round].row == r; round++)
			count[c->list.v[round].column] += 256;
		out->off[r] = n;
		out->row[r] = sum_row(count, c->n_columns, out->column);
		n += gather_cells(count, c->n_columns, out->cell + n);
	}
	out->off[c->n_rows] = n;
	free(count);
}

/* --- from hits, row by row, so that what is counted in stays in the cache --- */

struct row_count {
	uint32_t *count; /* [n_columns], all 0 between rows */
	uint64_t *seen;  /* [bits_words(n_columns)], likewise: columns that are not 0 */
};

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* A row of few hits among very many columns. Returns the number of cells. */
static uint32_t gather_few(uint32_t *column, size_t n, struct confusion_cell *cell)
{
	uint32_t cells = 0;

	if (n)
		qsort(column, n, sizeof *column, by_value);
	for (size_t i = 0; i < n; i++) {
		if (i && column[i] == column[i - 1])
			cell[cells - 1].count++;
		else
			cell[cells++] = (struct confusion_cell){column[i], 1};
	}
	return cells;
}

/* Without a branch for each hit: whether a column was seen before cannot be guessed. */
static uint32_t gather_row(struct row_count *rc, uint32_t n_columns, const uint32_t *column, size_t n,
			   struct confusion_cell *cell)
{
	uint32_t cells = 0;

	for (size_t i = 0; i < n; i++) {
		rc->count[column[i]]++;
		bits_set(rc->seen, column[i]);
	}
	for (size_t w = 0; w < bits_words(n_columns); w++) {
		for (uint64_t seen = rc->seen[w]; seen; seen &= seen - 1) {
			uint32_t k = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(seen);

			cell[cells++] = (struct confusion_cell){k, rc->count[k]};
			rc->count[k] = 0;
		}
		rc->seen[w] = 0;
	}
	return cells;
}

static void sum_hits(const struct cell_counts *c, struct confusion *out)
{
	for (size_t i = 0; i < c->list.n; i++) {
		out->row[c->list.v[i].row]++;
		out->column[c->list.v[i].column]++;
	}
}

/* The columns of the hits, those of each row together. */
static uint32_t *columns_by_row(const struct cell_counts *c, const uint32_t *row)
{
	uint32_t *column = xcalloc(c->list.n + 1, sizeof *column);
	size_t *at = xcalloc((size_t)c->n_rows + 1, sizeof *at);

	for (uint32_t r = 0; r < c->n_rows; r++)
		at[r + 1] = at[r] + row[r];
	for (size_t i = 0; i < c->list.n; i++)
		column[at[c->list.v[i].row]++] = c->list.v[i].column;
	free(at);
	return column;
}

static void gather_hits(const struct cell_counts *c, struct confusion *out)
{
	size_t words = bits_words(c->n_columns);
	struct row_count rc = {.count = xcalloc(c->n_columns, sizeof *rc.count),
			       .seen = xcalloc(words, sizeof *rc.seen)};
	uint32_t *column, *next, n = 0;

	sum_hits(c, out);
	next = column = columns_by_row(c, out->row);
	out->cell = xcalloc(c->list.n + 1, sizeof *out->cell);
	for (uint32_t r = 0; r < c->n_rows; next += out->row[r++]) {
		out->off[r] = n;
		n += out->row[r] < words / 4
			 ? gather_few(next, out->row[r], out->cell + n)
			 : gather_row(&rc, c->n_columns, next, out->row[r], out->cell + n);
	}
	out->off[c->n_rows] = n;
	out->cell = xrealloc(out->cell, ((size_t)n + 1) * sizeof *out->cell);
	free(rc.count);
	free(rc.seen);
	free(column);
}

void cell_counts_gather(struct cell_counts *c, struct confusion *out)
{
	if (c->table)
		gather_table(c, out);
	else
		gather_hits(c, out);
}
