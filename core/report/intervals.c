#include "core/report/intervals.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"

void intervals_free(struct intervals *s)
{
	if (!s)
		return;
	vec_release(&s->v);
	compare_clusters_release(&s->clusters);
	free(s);
}

static size_t cluster_count(const struct intervals *s, size_t k)
{
	size_t g = s->v.v[k].group;

	return s->clusters.from[g + 1] - s->clusters.from[g];
}

uint64_t intervals_cost(const struct intervals *s, size_t k)
{
	const struct fourfold *f = &s->v.v[k].f;

	if (s->clusters.from)
		return 20 * (uint64_t)PAIRED_DRAWS + cluster_count(s, k);
	return PAIRED_DRAWS * (uint64_t)(1 + (f->only_a > 0) + (f->only_b > 0));
}

static int by_place(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

void intervals_order(struct intervals *s, const uint32_t *rows, size_t n)
{
	size_t *place = xcalloc(n + 1, sizeof *place);

	for (size_t k = 0; k < n; k++)
		place[rows[k]] = k;
	for (size_t k = 0; k < s->v.n; k++)
		s->v.v[k].place = s->v.v[k].row < n ? place[s->v.v[k].row] : n;
	if (s->v.n)
		qsort(s->v.v, s->v.n, sizeof *s->v.v, by_place);
	free(place);
}

void intervals_make(struct intervals *s, size_t k)
{
	struct interval *out = &s->v.v[k];

	if (s->clusters.from)
		paired_bootstrap_clusters(s->clusters.table + s->clusters.from[out->group], cluster_count(s, k),
					  PAIRED_DRAWS, s->seed, &out->lo, &out->hi);
	else
		paired_bootstrap(&out->f, PAIRED_DRAWS, s->seed, &out->lo, &out->hi);
}

static void put(struct table *t, size_t row, size_t column, double number, bool later)
{
	struct table_cell *cell = table_at(t, row, column);

	cell->number = number;
	cell->later = later;
}

void intervals_await(const struct intervals *s, size_t k, struct table *t)
{
	put(t, s->v.v[k].row, s->lo, NAN, true);
	put(t, s->v.v[k].row, s->hi, NAN, true);
}

void intervals_put(const struct intervals *s, size_t k, struct table *t)
{
	put(t, s->v.v[k].row, s->lo, s->v.v[k].lo, false);
	put(t, s->v.v[k].row, s->hi, s->v.v[k].hi, false);
}
