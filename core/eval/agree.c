/* Agreement between raters (stats.h). */
#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/eval/stats.h"

/* observed of n agree; row and column: the raters' totals by class. */
static double kappa(double observed, double n, const double *row, const double *column, size_t k)
{
	double chance = 0;

	if (!(n > 0))
		return NAN;
	for (size_t c = 0; c < k; c++)
		chance += row[c] / n * (column[c] / n);
	if (chance >= 1) /* one class alone: they agree on all */
		return observed == n ? 1 : NAN;
	return (observed / n - chance) / (1 - chance);
}

double stats_kappa(const uint32_t *a, const uint32_t *b, size_t n, uint32_t k)
{
	double *row = xcalloc((size_t)k + 1, sizeof *row), *column = xcalloc((size_t)k + 1, sizeof *column);
	double same = 0, result;

	for (size_t i = 0; i < n; i++) {
		row[a[i]]++;
		column[b[i]]++;
		same += a[i] == b[i];
	}
	result = kappa(same, (double)n, row, column, k);
	free(row);
	free(column);
	return result;
}

double stats_kappa_table(const uint64_t *count, size_t k)
{
	double *row = xcalloc(k + 1, sizeof *row), *column = xcalloc(k + 1, sizeof *column);
	double same = 0, n = 0, result;

	for (size_t i = 0; i < k; i++)
		for (size_t j = 0; j < k; j++) {
			double c = (double)count[i * k + j];

			row[i] += c;
			column[j] += c;
			n += c;
			same += i == j ? c : 0;
		}
	result = kappa(same, n, row, column, k);
	free(row);
	free(column);
	return result;
}

double stats_phi(uint64_t both, uint64_t only_a, uint64_t only_b, uint64_t neither)
{
	double a = (double)both, b = (double)only_a, c = (double)only_b, d = (double)neither;
	double below = sqrt(a + b) * sqrt(c + d) * sqrt(a + c) * sqrt(b + d);

	return below > 0 ? (a * d - b * c) / below : NAN;
}

double stats_icc21(const double *value, size_t n, size_t k)
{
	double *column = xcalloc(k + 1, sizeof *column), mean = 0, rows = 0, columns = 0, all = 0;
	double msr, msc, mse, below;

	if (n < 2 || k < 2) {
		free(column);
		return NAN;
	}
	for (size_t i = 0; i < n * k; i++) {
		mean += value[i] / (double)(n * k);
		column[i % k] += value[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		double row = 0;

		for (size_t j = 0; j < k; j++) {
			double d = value[i * k + j] - mean;

			row += value[i * k + j] / (double)k;
			all += d * d;
		}
		rows += (double)k * (row - mean) * (row - mean);
	}
	for (size_t j = 0; j < k; j++)
		columns += (double)n * (column[j] - mean) * (column[j] - mean);
	free(column);
	msr = rows / (double)(n - 1);
	msc = columns / (double)(k - 1);
	mse = (all - rows - columns) / (double)((n - 1) * (k - 1));
	below = msr + (double)(k - 1) * mse + (double)k * (msc - mse) / (double)n;
	return below != 0 ? (msr - mse) / below : NAN;
}
