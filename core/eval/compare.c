#include "core/eval/compare.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/xmalloc.h"
#include "core/model/outcome.h"

void compare_samples(const uint8_t *a, const uint8_t *b, uint32_t n, const uint64_t *mask, uint8_t *out)
{
	uint8_t of[3][3] = {{COMPARED_NONE}};

	of[VERDICT_RIGHT][VERDICT_RIGHT] = COMPARED_BOTH;
	of[VERDICT_RIGHT][VERDICT_WRONG] = COMPARED_ONLY_A;
	of[VERDICT_WRONG][VERDICT_RIGHT] = COMPARED_ONLY_B;
	of[VERDICT_WRONG][VERDICT_WRONG] = COMPARED_NEITHER;
	for (uint32_t i = 0; i < n; i++)
		out[i] = of[a[i]][b[i]];
	for (uint32_t i = 0; i < n && mask; i++)
		if (!bits_get(mask, i))
			out[i] = COMPARED_OUTSIDE;
}

static struct compare_count count_of(const uint32_t by[N_COMPARED])
{
	return (struct compare_count){
	    {by[COMPARED_BOTH], by[COMPARED_ONLY_A], by[COMPARED_ONLY_B], by[COMPARED_NEITHER]},
	    by[COMPARED_NONE]};
}

void compare_groups(const uint8_t *compared, uint32_t n, const uint32_t *off, const uint32_t *val,
		    uint32_t n_groups, struct compare_count *out)
{
	uint32_t (*by)[N_COMPARED] = xcalloc((size_t)n_groups + 1, sizeof *by);

	for (uint32_t i = 0; i < n; i++) {
		by[n_groups][compared[i]]++;
		for (uint32_t k = off[i]; k < off[i + 1]; k++)
			by[val[k]][compared[i]]++;
	}
	for (uint32_t g = 0; g <= n_groups; g++)
		out[g] = count_of(by[g]);
	free(by);
}

/* --- clusters --- */

/* The counted samples in the order of their clusters; *m: how many. */
static uint32_t *by_cluster(const uint8_t *compared, uint32_t n, const uint32_t *cluster,
			    uint32_t n_clusters, uint32_t *m)
{
	uint32_t *at = xcalloc((size_t)n_clusters + 2, sizeof *at);
	uint32_t *order = xcalloc((size_t)n + 1, sizeof *order);

	for (uint32_t i = 0; i < n; i++)
		at[cluster[i] + 1] += compared[i] != COMPARED_NONE && compared[i] != COMPARED_OUTSIDE;
	for (uint32_t c = 0; c < n_clusters; c++)
		at[c + 1] += at[c];
	*m = at[n_clusters];
	for (uint32_t i = 0; i < n; i++)
		if (compared[i] != COMPARED_NONE && compared[i] != COMPARED_OUTSIDE)
			order[at[cluster[i]]++] = i;
	free(at);
	return order;
}

struct clustering { /* clusters come one after the other, so that a group's last one is the only one to look at */
	const uint8_t *compared;
	const uint32_t *cluster;
	uint32_t *last; /* [n_groups + 1] the cluster that the group met last, plus 1 */
	size_t *at;     /* [n_groups + 1] one past that cluster's table */
	struct fourfold *table; /* NULL: they are counted only */
};

static void meet(struct clustering *c, uint32_t group, uint32_t i)
{
	struct fourfold *f;

	if (c->last[group] != c->cluster[i] + 1) {
		c->last[group] = c->cluster[i] + 1;
		c->at[group]++;
	}
	if (!c->table)
		return;
	f = &c->table[c->at[group] - 1];
	f->both += c->compared[i] == COMPARED_BOTH;
	f->only_a += c->compared[i] == COMPARED_ONLY_A;
	f->only_b += c->compared[i] == COMPARED_ONLY_B;
	f->neither += c->compared[i] == COMPARED_NEITHER;
}

static void meet_all(struct clustering *c, const uint32_t *order, uint32_t m, const uint32_t *off,
		     const uint32_t *val, uint32_t n_groups)
{
	memset(c->last, 0, ((size_t)n_groups + 1) * sizeof *c->last);
	for (uint32_t k = 0; k < m; k++) {
		uint32_t i = order[k];

		meet(c, n_groups, i);
		for (uint32_t g = off[i]; g < off[i + 1]; g++)
			meet(c, val[g], i);
	}
}

void compare_clusters(const uint8_t *compared, uint32_t n, const uint32_t *off, const uint32_t *val,
		      uint32_t n_groups, const uint32_t *cluster, uint32_t n_clusters,
		      struct compare_clusters *out)
{
	uint32_t m, *order = by_cluster(compared, n, cluster, n_clusters, &m);
	struct clustering c = {.compared = compared, .cluster = cluster};

	c.last = xcalloc((size_t)n_groups + 1, sizeof *c.last);
	c.at = xcalloc((size_t)n_groups + 1, sizeof *c.at);
	out->from = xcalloc((size_t)n_groups + 2, sizeof *out->from);
	meet_all(&c, order, m, off, val, n_groups);
	for (uint32_t g = 0; g <= n_groups; g++) {
		out->from[g + 1] = out->from[g] + c.at[g];
		c.at[g] = out->from[g];
	}
	out->table = c.table = xcalloc(out->from[n_groups + 1] + 1, sizeof *out->table);
	meet_all(&c, order, m, off, val, n_groups);
	free(order);
	free(c.last);
	free(c.at);
}

void compare_clusters_release(struct compare_clusters *c)
{
	free(c->from);
	free(c->table);
	*c = (struct compare_clusters){0};
}
