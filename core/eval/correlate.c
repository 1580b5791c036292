/* Correlation of two lists of numbers (stats.h). */
#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/eval/stats.h"

static double mean_of(const double *x, size_t n)
{
	double sum = 0, rest = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	sum /= (double)n;
	for (size_t i = 0; i < n; i++) /* what rounding lost */
		rest += x[i] - sum;
	return sum + rest / (double)n;
}

double stats_pearson(const double *x, const double *y, size_t n)
{
	double mx, my, xy = 0, xx = 0, yy = 0, r;

	if (n < 2)
		return NAN;
	mx = mean_of(x, n);
	my = mean_of(y, n);
	for (size_t i = 0; i < n; i++) {
		double dx = x[i] - mx, dy = y[i] - my;

		xy += dx * dy;
		xx += dx * dx;
		yy += dy * dy;
	}
	if (!(xx > 0) || !(yy > 0))
		return NAN;
	r = xy / (sqrt(xx) * sqrt(yy));
	return r > 1 ? 1 : r < -1 ? -1 : r;
}

double stats_rmse(const double *x, const double *y, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (x[i] - y[i]) * (x[i] - y[i]);
	return n ? sqrt(sum / (double)n) : NAN;
}

/* --- ranks --- */

struct item {
	double x, y;
	size_t at;
};

static int by_x(const void *a, const void *b)
{
	const struct item *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return (p->y > q->y) - (p->y < q->y);
}

void stats_ranks(const double *x, size_t n, double *rank)
{
	struct item *v = xcalloc(n + 1, sizeof *v);

	for (size_t i = 0; i < n; i++)
		v[i] = (struct item){x[i], 0, i};
	qsort(v, n, sizeof *v, by_x);
	for (size_t i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && v[j].x == v[i].x; j++)
			;
		for (size_t k = i; k < j; k++)
			rank[v[k].at] = (double)(i + 1 + j) / 2;
	}
	free(v);
}

double stats_spearman(const double *x, const double *y, size_t n)
{
	double *rx = xcalloc(n + 1, sizeof *rx), *ry = xcalloc(n + 1, sizeof *ry), r;

	stats_ranks(x, n, rx);
	stats_ranks(y, n, ry);
	r = stats_pearson(rx, ry, n);
	free(rx);
	free(ry);
	return r;
}

/* --- Kendall --- */

static double pairs(size_t n)
{
	return (double)n * ((double)n - 1) / 2;
}

/* Sorts v by y and returns how many neighbours had to change places: the discordant pairs. */
static double merge_sort(double *v, double *spare, size_t n)
{
	size_t half = n / 2, i = 0, j = half, k = 0;
	double swaps;

	if (n < 2)
		return 0;
	swaps = merge_sort(v, spare, half) + merge_sort(v + half, spare, n - half);
	while (i < half && j < n)
		if (v[j] < v[i]) {
			swaps += (double)(half - i);
			spare[k++] = v[j++];
		} else {
			spare[k++] = v[i++];
		}
	while (i < half)
		spare[k++] = v[i++];
	while (j < n)
		spare[k++] = v[j++];
	for (k = 0; k < n; k++)
		v[k] = spare[k];
	return swaps;
}

/* Pairs that tie in x, and those that tie in both, of items sorted by x, then y. */
static void count_ties(const struct item *v, size_t n, double *in_x, double *in_both)
{
	size_t x = 1, both = 1;

	*in_x = *in_both = 0;
	for (size_t i = 1; i <= n; i++) {
		bool same_x = i < n && v[i].x == v[i - 1].x;
		bool same = same_x && v[i].y == v[i - 1].y;

		if (!same_x)
			*in_x += pairs(x);
		if (!same)
			*in_both += pairs(both);
		x = same_x ? x + 1 : 1;
		both = same ? both + 1 : 1;
	}
}

static double ties_of_sorted(const double *y, size_t n)
{
	double ties = 0;
	size_t run = 1;

	for (size_t i = 1; i <= n; i++)
		if (i < n && y[i] == y[i - 1]) {
			run++;
		} else {
			ties += pairs(run);
			run = 1;
		}
	return ties;
}

double stats_kendall(const double *x, const double *y, size_t n)
{
	struct item *v = xcalloc(n + 1, sizeof *v);
	double *by_y = xcalloc(2 * n + 1, sizeof *by_y);
	double all = pairs(n), in_x, in_y, in_both, swaps, below;

	for (size_t i = 0; i < n; i++)
		v[i] = (struct item){x[i], y[i], i};
	qsort(v, n, sizeof *v, by_x);
	count_ties(v, n, &in_x, &in_both);
	for (size_t i = 0; i < n; i++)
		by_y[i] = v[i].y;
	swaps = merge_sort(by_y, by_y + n, n);
	in_y = ties_of_sorted(by_y, n);
	free(v);
	free(by_y);
	below = sqrt(all - in_x) * sqrt(all - in_y);
	if (n < 2 || !(below > 0))
		return NAN;
	return (all - in_x - in_y + in_both - 2 * swaps) / below;
}
