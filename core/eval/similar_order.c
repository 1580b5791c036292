/* Similar runs beside each other (similar.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "core/eval/similar.h"

#define LEAST (-2.0) /* below every correlation */

struct groups {
	const double *likeness;
	int n, n_groups;
	int *member; /* [n × n] of group g: member[g × n ..), in their order */
	int *size;   /* [n] */
};

static double like(const struct groups *g, int a, int b)
{
	double v = g->likeness[a * g->n + b];

	return isnan(v) ? LEAST : v;
}

static double mean_like(const struct groups *g, int p, int q)
{
	double sum = 0;

	for (int i = 0; i < g->size[p]; i++)
		for (int k = 0; k < g->size[q]; k++)
			sum += like(g, g->member[p * g->n + i], g->member[q * g->n + k]);
	return sum / (g->size[p] * g->size[q]);
}

static void closest(const struct groups *g, int *p, int *q)
{
	double best = -INFINITY;

	for (int i = 0; i < g->n_groups; i++)
		for (int k = i + 1; k < g->n_groups; k++) {
			double v = mean_like(g, i, k);

			if (v > best) {
				best = v;
				*p = i;
				*q = k;
			}
		}
}

static void reverse(int *v, int n)
{
	for (int i = 0; i < n / 2; i++) {
		int swap = v[i];

		v[i] = v[n - 1 - i];
		v[n - 1 - i] = swap;
	}
}

/* q behind p, each perhaps turned round: the ends that meet are as alike as can be. */
static void join(struct groups *g, int p, int q)
{
	int *a = g->member + p * g->n, *b = g->member + q * g->n, na = g->size[p], nb = g->size[q];
	double best = -INFINITY;
	int turn = 0;

	for (int t = 0; t < 4; t++) {
		double v = like(g, t & 1 ? a[0] : a[na - 1], t & 2 ? b[nb - 1] : b[0]);

		if (v > best) {
			best = v;
			turn = t;
		}
	}
	if (turn & 1)
		reverse(a, na);
	if (turn & 2)
		reverse(b, nb);
	memcpy(a + na, b, (size_t)nb * sizeof *b);
	g->size[p] = na + nb;
	g->n_groups--;
	if (q != g->n_groups) {
		memcpy(b, g->member + g->n_groups * g->n, (size_t)g->size[g->n_groups] * sizeof *b);
		g->size[q] = g->size[g->n_groups];
	}
}

void similar_order(const double *likeness, int n, int *order)
{
	struct groups g = {likeness, n, n, xcalloc((size_t)n * (size_t)n + 1, sizeof *g.member),
			   xcalloc((size_t)n + 1, sizeof *g.size)};
	int p = 0, q = 1;

	for (int k = 0; k < n; k++) {
		g.member[k * n] = k;
		g.size[k] = 1;
	}
	while (g.n_groups > 1) {
		closest(&g, &p, &q);
		join(&g, p, q);
	}
	for (int k = 0; k < n; k++)
		order[k] = g.member[k];
	if (n > 1 && order[0] > order[n - 1]) /* of the two ways round, the one that begins earlier */
		reverse(order, n);
	free(g.member);
	free(g.size);
}
