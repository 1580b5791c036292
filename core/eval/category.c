#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "core/eval/eval.h"
#include "core/eval/truth.h"

static const char *const words[N_CATEGORIES] = {"S+", "S-", "M+", "M-", "N"};

const char *category_word(enum category c)
{
	return (unsigned)c < N_CATEGORIES ? words[c] : "";
}

/* Rule reimagenet knows groups of equivalent classes (formats.md §3.4). group[c] is the lowest
 * class that c is connected with; without the rule every class is its own group. */
static uint32_t *groups_new(const struct snapshot *snap, bool equiv)
{
	uint32_t *group = xcalloc((size_t)snap->n_classes + 1, sizeof *group);

	for (uint32_t c = 0; c < snap->n_classes; c++)
		group[c] = c;
	for (uint32_t k = 0; equiv && k < snap->n_pairs; k++) {
		uint32_t a = snap->pairs[k][0], b = snap->pairs[k][1];

		while (group[a] != a)
			a = group[a];
		while (group[b] != b)
			b = group[b];
		group[a > b ? a : b] = a > b ? b : a;
	}
	/* A parent is never above its child, so one ascending pass flattens the trees. */
	for (uint32_t c = 0; c < snap->n_classes; c++)
		group[c] = group[group[c]];
	return group;
}

static bool one_group(const uint32_t *group, const uint32_t *set, size_t n)
{
	for (size_t k = 1; k < n; k++)
		if (group[set[k]] != group[set[0]])
			return false;
	return true;
}

static bool meets(const uint32_t *group, const uint32_t *a, size_t n_a, const uint32_t *b,
		  size_t n_b)
{
	for (size_t i = 0; i < n_a; i++)
		for (size_t k = 0; k < n_b; k++)
			if (group[a[i]] == group[b[k]])
				return true;
	return false;
}

static uint8_t categorize(const uint32_t *group, const struct truth *g, const struct truth *l,
			  uint32_t i, bool merge)
{
	const uint32_t *set = l->val + l->off[i];
	size_t n = l->off[i + 1] - l->off[i];
	bool plus;

	if (n == 0)
		return CAT_N;
	plus = meets(group, g->val + g->off[i], g->off[i + 1] - g->off[i], set, n);
	if (n == 1 || (merge && one_group(group, set, n)))
		return plus ? CAT_S_PLUS : CAT_S_MINUS;
	return plus ? CAT_M_PLUS : CAT_M_MINUS;
}

int eval_category_layer(const struct snapshot *snap, const struct lens *lens)
{
	int layer = snapshot_layer(snap, STR("reannotated"));

	if (layer < 0 || layer == lens->original)
		layer = lens->layer;
	return lens->original < 0 || layer == lens->original ? -1 : layer;
}

void eval_categories(const struct snapshot *snap, const struct lens *lens, uint8_t *out)
{
	bool merge = lens->rule == RULE_REIMAGENET;
	int layer = eval_category_layer(snap, lens);
	struct truth g, l;
	uint32_t *group;

	memset(out, CAT_NONE, snap->n);
	if (layer < 0)
		return;
	truth_init(&g, snap, lens->original);
	truth_init(&l, snap, layer);
	group = groups_new(snap, merge);
	for (uint32_t i = 0; i < snap->n; i++)
		if (g.covered[i] && l.covered[i])
			out[i] = categorize(group, &g, &l, i, merge);
	free(group);
	truth_release(&g);
	truth_release(&l);
}

void eval_category_counts(const uint8_t *category, uint32_t n, uint32_t count[N_CATEGORIES])
{
	uint32_t all[256] = {0};

	for (uint32_t i = 0; i < n; i++)
		all[category[i]]++;
	memcpy(count, all, N_CATEGORIES * sizeof *count);
}
