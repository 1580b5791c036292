#include "core/eval/mos.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"

/* Sums over the ratings of one rater or one item. */
struct moments {
	uint64_t n;
	double mean, sd; /* sample standard deviation */
	double kurtosis; /* m4 / m2² */
};

static struct moments *moments_of(const struct rating *r, size_t n, uint32_t groups, bool by_item)
{
	struct moments *m = xcalloc((size_t)groups + 1, sizeof *m);
	double *m2 = xcalloc((size_t)groups + 1, sizeof *m2), *m4 = xcalloc((size_t)groups + 1, sizeof *m4);

	for (size_t i = 0; i < n; i++) {
		struct moments *g = &m[by_item ? r[i].item : r[i].rater];

		g->n++;
		g->mean += (r[i].value - g->mean) / (double)g->n;
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t g = by_item ? r[i].item : r[i].rater;
		double d = r[i].value - m[g].mean;

		m2[g] += d * d;
		m4[g] += d * d * d * d;
	}
	for (uint32_t g = 0; g < groups; g++) {
		double k = (double)m[g].n;

		m[g].sd = k > 1 ? sqrt(m2[g] / (k - 1)) : 0;
		m[g].kurtosis = m2[g] > 0 ? m4[g] / k / (m2[g] / k * (m2[g] / k)) : 0;
	}
	free(m2);
	free(m4);
	return m;
}

/* P and Q of BT.500: how often a rater is far above, and far below, the others. */
static void screen(const struct rating *r, size_t n, const struct moments *item,
		   const struct moments *rater, struct mos *out)
{
	uint64_t *above = xcalloc((size_t)out->n_raters + 1, sizeof *above);
	uint64_t *below = xcalloc((size_t)out->n_raters + 1, sizeof *below);

	for (size_t i = 0; i < n; i++) {
		const struct moments *m = &item[r[i].item];
		bool normal = m->kurtosis >= 2 && m->kurtosis <= 4;
		double far = (normal ? 2 : sqrt(20)) * m->sd;

		if (m->sd <= 0)
			continue;
		above[r[i].rater] += r[i].value >= m->mean + far;
		below[r[i].rater] += r[i].value <= m->mean - far;
	}
	for (uint32_t k = 0; k < out->n_raters; k++) {
		double p = (double)above[k], q = (double)below[k];

		if (rater[k].n && (p + q) / (double)rater[k].n > 0.05 && fabs(p - q) / (p + q) < 0.3) {
			out->rejected[k] = true;
			out->n_rejected++;
		}
	}
	free(above);
	free(below);
}

static void average(const struct rating *r, size_t n, const struct moments *rater, struct mos *out)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t k = r[i].rater, j = r[i].item;

		if (out->rejected[k] || out->constant[k])
			continue;
		out->score[j] += (r[i].value - rater[k].mean) / rater[k].sd;
		out->n[j]++;
	}
	for (uint32_t j = 0; j < out->n_items; j++) {
		double s = out->n[j] ? 5 * (out->score[j] / out->n[j] + 3) / 6 : NAN;

		out->score[j] = s < 0 ? 0 : s > 5 ? 5 : s;
	}
}

void mos_make(const struct rating *ratings, size_t n, uint32_t n_raters, uint32_t n_items,
	      struct mos *out)
{
	struct moments *item = moments_of(ratings, n, n_items, true);
	struct moments *rater = moments_of(ratings, n, n_raters, false);

	*out = (struct mos){.n_raters = n_raters, .n_items = n_items};
	out->rejected = xcalloc((size_t)n_raters + 1, sizeof *out->rejected);
	out->constant = xcalloc((size_t)n_raters + 1, sizeof *out->constant);
	out->score = xcalloc((size_t)n_items + 1, sizeof *out->score);
	out->n = xcalloc((size_t)n_items + 1, sizeof *out->n);
	screen(ratings, n, item, rater, out);
	for (uint32_t k = 0; k < n_raters; k++)
		if (!(rater[k].sd > 0)) {
			out->constant[k] = true;
			out->n_constant += rater[k].n > 0;
		}
	average(ratings, n, rater, out);
	free(item);
	free(rater);
}

void mos_release(struct mos *m)
{
	free(m->rejected);
	free(m->constant);
	free(m->score);
	free(m->n);
	*m = (struct mos){0};
}
