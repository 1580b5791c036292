#include "core/eval/crosstab.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/vec.h"
#include "core/base/xmalloc.h"

struct several {
	VEC(uint32_t) off, row, column;
};

static void add(void *ctx, const uint32_t *row, uint32_t n, uint32_t column)
{
	struct several *s = ctx;

	for (uint32_t k = 0; k < n; k++)
		vec_push(&s->row, row[k]);
	vec_push(&s->off, (uint32_t)s->row.n);
	vec_push(&s->column, column);
}

/* Owned by the caller, also when there is nothing in it. */
static uint32_t *kept(const uint32_t *v, size_t n)
{
	uint32_t *out = xcalloc(n + 1, sizeof *out);

	if (n)
		memcpy(out, v, n * sizeof *out);
	return out;
}

void crosstab_make_by(const struct snapshot *snap, const struct lens *lens, int run,
		      const uint8_t *verdict, const uint64_t *mask, const struct confusion_way *way,
		      struct crosstab *out)
{
	struct several s = {0};
	struct confusion_way mine = *way;

	*out = (struct crosstab){0};
	mine.several = add;
	mine.several_ctx = &s;
	vec_push(&s.off, 0);
	confusion_make_by(snap, lens, run, verdict, mask, &mine, &out->m);
	out->n_many = (uint32_t)s.column.n;
	out->many_off = kept(s.off.v, s.off.n);
	out->many_row = kept(s.row.v, s.row.n);
	out->many_column = kept(s.column.v, s.column.n);
	out->in_column = kept(out->m.column, out->m.n_columns);
	for (uint32_t k = 0; k < out->n_many; k++)
		out->in_column[out->many_column[k]] -= out->many_off[k + 1] - out->many_off[k] - 1;
	vec_release(&s.off);
	vec_release(&s.row);
	vec_release(&s.column);
}

void crosstab_make(const struct snapshot *snap, const struct lens *lens, int run,
		   const uint8_t *verdict, const uint64_t *mask, struct crosstab *out)
{
	crosstab_make_by(snap, lens, run, verdict, mask, &(struct confusion_way){.group = NULL}, out);
}

void crosstab_release(struct crosstab *t)
{
	confusion_release(&t->m);
	free(t->in_column);
	free(t->many_off);
	free(t->many_row);
	free(t->many_column);
	*t = (struct crosstab){0};
}

/* --- the window --- */

/* place[n]: where each of n is among those shown, n_shown for the rest. Owned by the caller. */
static uint32_t *places(const uint32_t *shown, uint32_t n_shown, uint32_t n)
{
	uint32_t *place = xcalloc((size_t)n + 1, sizeof *place);

	for (uint32_t k = 0; k < n; k++)
		place[k] = n_shown;
	for (uint32_t k = 0; k < n_shown; k++)
		place[shown[k]] = k;
	return place;
}

/* What is in several of the rows shown was counted in each of them. */
static void take_twice_counted(const struct crosstab *t, const uint32_t *row_place, uint32_t n_rows,
			       const uint32_t *column_place, uint32_t *distinct)
{
	for (uint32_t k = 0; k < t->n_many; k++) {
		uint32_t shown = 0;

		for (uint32_t r = t->many_off[k]; r < t->many_off[k + 1]; r++)
			shown += row_place[t->many_row[r]] < n_rows;
		if (shown > 1)
			distinct[column_place[t->many_column[k]]] -= shown - 1;
	}
}

static void fill_rows(const struct crosstab *t, const struct crosstab_window *w,
		      const uint32_t *column_place, uint32_t *cell, uint32_t *distinct)
{
	size_t width = (size_t)w->n_columns + 2;

	for (uint32_t k = 0; k < w->n_rows; k++) {
		uint32_t *line = cell + k * width, r = w->row[k];

		for (uint32_t c = t->m.off[r]; c < t->m.off[r + 1]; c++)
			line[column_place[t->m.cell[c].column]] += t->m.cell[c].count;
		for (uint32_t c = 0; c <= w->n_columns; c++)
			distinct[c] += line[c];
		line[w->n_columns + 1] = t->m.row[r];
	}
}

void crosstab_cells(const struct crosstab *t, const struct crosstab_window *w, uint32_t *cell)
{
	uint32_t *column_place = places(w->column, w->n_columns, t->m.n_columns);
	uint32_t *row_place = places(w->row, w->n_rows, t->m.n_rows);
	uint32_t *distinct = xcalloc((size_t)w->n_columns + 1, sizeof *distinct);
	size_t width = (size_t)w->n_columns + 2;
	uint32_t *other = cell + w->n_rows * width, *all = other + width;

	memset(cell, 0, (w->n_rows + 2) * width * sizeof *cell);
	fill_rows(t, w, column_place, cell, distinct);
	take_twice_counted(t, row_place, w->n_rows, column_place, distinct);
	for (uint32_t c = 0; c < t->m.n_columns; c++)
		all[column_place[c]] += t->in_column[c];
	for (uint32_t c = 0; c <= w->n_columns; c++) {
		other[c] = all[c] - distinct[c];
		other[w->n_columns + 1] += other[c];
		all[w->n_columns + 1] += all[c];
	}
	free(column_place);
	free(row_place);
	free(distinct);
}
