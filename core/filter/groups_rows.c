/*
 * Groups of many values, counted row by row among the samples of a mask. Where most samples are
 * in it, the others are counted and taken off the total.
 */
#include <stdlib.h>

#include "core/base/clones.h"
#include "core/base/xmalloc.h"
#include "core/filter/groups_impl.h"

/* --- one value a row --- */

#define COUNT_ROWS(T, name)                                                                        \
	static void name(const void *data, size_t n, const uint64_t *mask, uint32_t limit,         \
			 uint32_t *count)                                                          \
	{                                                                                          \
		const T *v = data;                                                                 \
		for (size_t w = 0; w < bits_words(n); w++, v += 64) {                              \
			uint64_t m = mask ? mask[w] : UINT64_MAX;                                  \
			if (n - w * 64 < 64)                                                       \
				m &= ((uint64_t)1 << (n - w * 64)) - 1;                            \
			for (; m; m &= m - 1) {                                                    \
				T x = v[__builtin_ctzll(m)];                                       \
				count[x < limit ? (uint32_t)x : limit]++;                          \
			}                                                                          \
		}                                                                                  \
	}

COUNT_ROWS(uint8_t, rows_u8)
COUNT_ROWS(uint16_t, rows_u16)
COUNT_ROWS(uint32_t, rows_u32)
COUNT_ROWS(uint64_t, rows_u64)

/* Rows beyond the column's end have no value. */
static void count_column(const struct column *c, size_t n, const uint64_t *mask, uint32_t limit,
			 uint32_t *count)
{
	size_t have = c->n < n ? c->n : n;

	if (c->dtype == DT_U8)
		rows_u8(c->data, have, mask, limit, count);
	else if (c->dtype == DT_U16)
		rows_u16(c->data, have, mask, limit, count);
	else if (c->dtype == DT_U32)
		rows_u32(c->data, have, mask, limit, count);
	else
		rows_u64(c->data, have, mask, limit, count);
	for (size_t i = have; i < n; i++)
		count[limit] += !mask || bits_get(mask, i);
}

/* --- several values a row --- */

struct rows {
	const uint32_t *off, *val;
	size_t n;                   /* rows that off has */
	const struct column *first; /* one more value of each row; NULL: none */
	const uint8_t *covered;     /* rows that have any; NULL: all */
};

/* What was counted for this row is not counted again: neither twice the same nor, in a tree, what
 * two values hang below. */
static void count_value(const struct group *g, uint32_t v, uint32_t row, uint32_t *stamp,
			uint32_t *count)
{
	v = g->same && v < g->n ? g->same[v] : v;
	while (v < g->n && stamp[v] != row + 1) {
		stamp[v] = row + 1;
		count[v]++;
		v = g->parent ? g->parent[v] : NO_VALUE;
	}
}

static void count_row(const struct group *g, const struct rows *r, uint32_t i, uint32_t *stamp,
		      uint32_t *count)
{
	uint32_t from = i < r->n ? r->off[i] : 0, to = i < r->n ? r->off[i + 1] : 0;
	uint64_t first = r->first ? column_u(r->first, i) : COLUMN_NONE;

	if (r->covered && !r->covered[i])
		return;
	for (uint32_t k = from; k < to; k++)
		count_value(g, r->val[k], i, stamp, count);
	if (r->first && first != COLUMN_NONE)
		count_value(g, (uint32_t)first, i, stamp, count);
	count[g->n] += r->first ? first == COLUMN_NONE : from == to;
}

static void count_rows(const struct group *g, const struct rows *r, size_t n, const uint64_t *mask,
		       uint32_t *count)
{
	uint32_t *stamp = xcalloc((size_t)g->n + 1, sizeof *stamp);

	if (!mask)
		for (uint32_t i = 0; i < n; i++)
			count_row(g, r, i, stamp, count);
	else
		for (size_t w = 0; w < bits_words(n); w++)
			for (uint64_t m = mask[w]; m; m &= m - 1)
				count_row(g, r, (uint32_t)(w * 64 + (size_t)__builtin_ctzll(m)),
					  stamp, count);
	free(stamp);
}

/* --- the groups --- */

static enum status widen(struct group *g, const struct column *c, struct eval *e)
{
	size_t size;

	if (!mem_mul(c->n + 1, sizeof *g->data->wide, &size) || !(g->data->wide = mem_try(size)))
		return eval_no_memory(e->err, e->n);
	column_widen(c, 0, c->n, g->data->wide);
	return OK;
}

enum status rows_prepare(struct group *g, struct eval *e)
{
	if (g->kind == GROUP_FACET && e->snap->facets[g->facet].multi)
		return widen(g, &e->snap->facets[g->facet].sets.val, e);
	if (g->kind != GROUP_ANSWER)
		return OK;
	g->data->answered = bits_new(e->n);
	if (!g->data->answered)
		return eval_no_memory(e->err, e->n);
	answered_bits(e->snap, e->ctx->a, g->data->answered);
	return csr_n(&e->snap->runs[e->ctx->a].labels)
		   ? widen(g, &e->snap->runs[e->ctx->a].labels.val, e)
		   : OK;
}

/* Values that go by one name, and what is below in a tree, are put together. */
static void gather_up(const struct group *g, uint32_t *count)
{
	for (uint32_t v = 0; g->same && v < g->n; v++)
		if (g->same[v] != v) {
			count[g->same[v]] += count[v];
			count[v] = 0;
		}
	if (g->parent) {
		uint32_t *own = xcalloc((size_t)g->n + 1, sizeof *own);

		memcpy(own, count, (size_t)g->n * sizeof *own);
		for (uint32_t v = 0; v < g->n; v++)
			for (uint32_t up = g->parent[v]; own[v] && up < g->n; up = g->parent[up])
				count[up] += own[v];
		free(own);
	}
}

static void count_facet(const struct group *g, struct eval *e, const uint64_t *mask,
			uint32_t *count)
{
	const struct facet *f = &e->snap->facets[g->facet];

	if (f->multi) {
		struct rows r = {f->sets.off.data, g->data->wide, csr_n(&f->sets), NULL, NULL};

		count_rows(g, &r, e->n, mask, count);
		return;
	}
	count_column(&f->value, e->n, mask, g->n, count);
	gather_up(g, count);
}

static enum status count_answers(const struct group *g, struct eval *e, const uint64_t *mask,
				 uint32_t *count)
{
	const struct run *run = &e->snap->runs[e->ctx->a];
	struct rows r = {run->labels.off.data, g->data->wide, csr_n(&run->labels), &run->label,
			 NULL};
	uint64_t *within = bits_new(e->n);
	size_t all = mask ? bits_count(mask, e->n) : e->n, answered;

	if (!within)
		return eval_no_memory(e->err, e->n);
	memcpy(within, g->data->answered, bits_words(e->n) * sizeof *within);
	if (mask)
		bits_and(within, mask, e->n);
	answered = bits_count(within, e->n);
	if (csr_n(&run->labels)) {
		count_rows(g, &r, e->n, within, count);
	} else {
		count_column(&run->label, e->n, within, g->n, count);
		gather_up(g, count);
	}
	count[g->n] += (uint32_t)(all - answered);
	free(within);
	return OK;
}

static void count_tags(const struct group *g, struct eval *e, const uint64_t *mask, uint32_t *count)
{
	for (uint32_t v = 0; v < g->n; v++) {
		const struct filter_tag *tag = &e->ctx->things->tags[v];

		for (uint32_t k = 0; k < tag->n; k++)
			count[v] += tag->ords[k] < e->n && (!mask || bits_get(mask, tag->ords[k]));
	}
}

enum status rows_count(const struct group *g, struct eval *e, const uint64_t *mask, uint32_t *count)
{
	const struct truth *t;

	memset(count, 0, ((size_t)g->n + 1) * sizeof *count);
	if (g->kind == GROUP_TAGS) {
		count_tags(g, e, mask, count);
	} else if (g->kind == GROUP_ANSWER) {
		return count_answers(g, e, mask, count);
	} else if (g->kind == GROUP_FACET) {
		count_facet(g, e, mask, count);
	} else {
		t = cache_truth(e->cache, e->ctx->lens->layer);
		count_rows(g, &(struct rows){t->off, t->val, e->n, NULL, t->covered}, e->n, mask,
			   count);
	}
	return OK;
}
