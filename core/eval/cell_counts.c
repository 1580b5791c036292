#include "core/eval/cell_counts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/clones.h"
#include "core/base/xmalloc.h"

/* A full table is cleared and read once, some cells in a nanosecond; a hit in a list costs some ten.
 * Of a thousand classes by a thousand it stays in a core's own cache. */
#define TABLE_MAX (4u << 20)
#define HIT_COST 10
#define WIDE 64 /* columns that are looked at together: loops of a fixed length are made of wide vectors */

void cell_counts_init(struct cell_counts *c, uint32_t n_rows, uint32_t n_columns, size_t expected)
{
	size_t stride = ((size_t)n_columns + 1 + WIDE - 1) / WIDE * WIDE;
	uint64_t all = (uint64_t)n_rows * stride;

	*c = (struct cell_counts){.n_rows = n_rows, .n_columns = n_columns, .stride = stride};
	c->beside = xcalloc((size_t)n_rows + 1, sizeof *c->beside);
	if (all <= TABLE_MAX && all / HIT_COST <= expected)
		c->table = xcalloc((size_t)all, sizeof *c->table);
	else
		vec_reserve(&c->list, expected);
}

void cell_counts_release(struct cell_counts *c)
{
	free(c->table);
	free(c->beside);
	vec_release(&c->list);
	*c = (struct cell_counts){0};
}

void cell_counts_add_many(struct cell_counts *c, uint32_t row, uint32_t column, uint32_t n)
{
	uint8_t *cell = c->table ? &c->table[row * c->stride + column] : NULL;
	uint32_t pushed = cell ? (*cell + n) / 256 : n;

	if (cell)
		*cell = (uint8_t)(*cell + n);
	for (uint32_t k = 0; k < pushed; k++)
		vec_push(&c->list, ((struct hit){row, column}));
}

/* --- from the table --- */

#define PASS 256 /* rows whose bytes have room in sums of 16 bits */

/* One row: adds its counts to sum[n], marks those that are not 0. Returns their sum. */
static CLONES uint32_t look_over(const uint8_t *restrict count, size_t n, uint16_t *restrict sum,
				 uint64_t *restrict mark)
{
	uint32_t all = 0;

	for (size_t i = 0; i < n; i += WIDE) {
		const uint8_t *v = count + i;
		uint8_t is[WIDE];

		for (int k = 0; k < WIDE; k++)
			sum[i + (size_t)k] = (uint16_t)(sum[i + (size_t)k] + v[k]);
		for (int k = 0; k < WIDE; k++)
			all += v[k];
		for (int k = 0; k < WIDE; k++)
			is[k] = v[k] != 0;
		mark[i / WIDE] = bits_pack(is);
	}
	return all;
}

static void move_sums(uint16_t *sum, uint32_t n, uint32_t *column)
{
	for (uint32_t k = 0; k < n; k++)
		column[k] += sum[k];
	memset(sum, 0, n * sizeof *sum);
}

/* Sums of rows and columns, and what is beside; mark[n_rows * stride / WIDE]: the cells. */
static void sum_table(struct cell_counts *c, struct confusion *out, uint64_t *mark)
{
	uint16_t *sum = xcalloc(c->stride, sizeof *sum);

	for (uint32_t r = 0; r < c->n_rows; r++) {
		uint8_t *row = c->table + r * c->stride;

		c->beside[r] += row[c->n_columns];
		row[c->n_columns] = 0;
		out->row[r] = look_over(row, c->stride, sum, mark + r * c->stride / WIDE);
		if (r % PASS == PASS - 1 || r + 1 == c->n_rows)
			move_sums(sum, c->n_columns, out->column);
	}
	free(sum);
}

/* The counts that came round; those beside cells leave the list. */
static void add_rounds(struct cell_counts *c, struct confusion *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->list.n; i++) {
		struct hit h = c->list.v[i];

		if (h.column == c->n_columns) {
			c->beside[h.row] += 256;
			continue;
		}
		out->row[h.row] += 256;
		out->column[h.column] += 256;
		c->list.v[kept++] = h;
	}
	c->list.n = kept;
}

static uint32_t gather_cells(const uint8_t *count, const uint64_t *mark, size_t words, struct confusion_cell *cell)
{
	uint32_t cells = 0;

	for (size_t w = 0; w < words; w++)
		for (uint64_t left = mark[w]; left; left &= left - 1) {
			size_t k = w * WIDE + (size_t)__builtin_ctzll(left);

			cell[cells++] = (struct confusion_cell){(uint32_t)k, count[k]};
		}
	return cells;
}

static int by_place(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return (x->column > y->column) - (x->column < y->column);
}

/* Of a row with cells[n] in which counts came round: hit[hits], by column. Returns how many there
 * are then: a cell of which nothing is left but the rounds is a new one. */
static uint32_t add_hits(struct confusion_cell *cell, uint32_t n, const struct hit *hit, size_t hits)
{
	uint32_t at = 0;

	for (size_t k = 0; k < hits; k++) {
		while (at < n && cell[at].column < hit[k].column)
			at++;
		if (at == n || cell[at].column != hit[k].column) {
			memmove(cell + at + 1, cell + at, (n - at) * sizeof *cell);
			cell[at] = (struct confusion_cell){hit[k].column, 0};
			n++;
		}
		cell[at].count += 256;
	}
	return n;
}

static void gather_table(struct cell_counts *c, struct confusion *out)
{
	size_t words = c->stride / WIDE, at = 0, bits = c->n_rows * c->stride;
	uint64_t *mark = xmalloc((c->n_rows * words + 1) * sizeof *mark);
	uint32_t n = 0;

	sum_table(c, out, mark);
	add_rounds(c, out);
	if (c->list.n)
		qsort(c->list.v, c->list.n, sizeof *c->list.v, by_place);
	out->cell = xmalloc((bits_count(mark, bits) + c->list.n + 1) * sizeof *out->cell);
	for (uint32_t r = 0; r < c->n_rows; r++) {
		size_t first = at;
		uint32_t cells;

		while (at < c->list.n && c->list.v[at].row == r)
			at++;
		out->off[r] = n;
		cells = gather_cells(c->table + r * c->stride, mark + r * words, words, out->cell + n);
		n += add_hits(out->cell + n, cells, c->list.v + first, at - first);
	}
	out->off[c->n_rows] = n;
	free(mark);
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
