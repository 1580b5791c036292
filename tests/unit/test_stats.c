#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/eval/mos.h"
#include "core/eval/paired.h"
#include "core/eval/stats.h"

struct pairs_case {
	uint64_t seed;
	size_t n;
	uint64_t levels;
	double pearson, spearman, kendall, rmse, kappa, kl;
};
struct icc_case {
	uint64_t seed;
	size_t n, k;
	uint64_t levels;
	double icc;
};
struct quantile_case {
	double p, x;
};
struct mcnemar_case {
	uint64_t b, c;
	double p, mid;
};
struct wilson_case {
	uint64_t k, n;
	double lo, hi;
};

#include "tests/unit/stats_values.h"

#define N(a) (sizeof(a) / sizeof *(a))

static void near_to(double got, double want, double tolerance, const char *what)
{
	if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= tolerance * (1 + fabs(want))))
		fail_msg("%s: %.17g, not %.17g", what, got, want);
}

/* The generator of stats_values.py. */
static double *numbers(uint64_t seed, size_t n, uint64_t levels)
{
	double *out = xcalloc(n + 1, sizeof *out);

	for (size_t i = 0; i < n; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		out[i] = (double)((seed >> 33) % levels);
	}
	return out;
}

static void mixed(const struct pairs_case *c, double **x, double **y)
{
	double *keep = numbers(c->seed + 2, c->n, 3);

	*x = numbers(c->seed, c->n, c->levels);
	*y = numbers(c->seed + 1, c->n, c->levels);
	for (size_t i = 0; i < c->n; i++)
		(*y)[i] = keep[i] > 0 ? (*x)[i] : (*y)[i];
	free(keep);
}

static uint32_t *as_classes(const double *x, size_t n)
{
	uint32_t *out = xcalloc(n + 1, sizeof *out);

	for (size_t i = 0; i < n; i++)
		out[i] = (uint32_t)x[i];
	return out;
}

static double *histogram(const double *x, size_t n, size_t levels)
{
	double *out = xcalloc(levels + 1, sizeof *out);

	for (size_t i = 0; i < n; i++)
		out[(size_t)x[i]]++;
	return out;
}

static void pairs_agree_with_scipy(void **state)
{
	(void)state;
	for (size_t k = 0; k < N(pairs_cases); k++) {
		const struct pairs_case *c = &pairs_cases[k];
		double *x, *y, *hx, *hy;
		uint32_t *a, *b;

		mixed(c, &x, &y);
		a = as_classes(x, c->n);
		b = as_classes(y, c->n);
		hx = histogram(x, c->n, c->levels);
		hy = histogram(y, c->n, c->levels);
		near_to(stats_pearson(x, y, c->n), c->pearson, 1e-12, "pearson");
		near_to(stats_spearman(x, y, c->n), c->spearman, 1e-12, "spearman");
		near_to(stats_kendall(x, y, c->n), c->kendall, 1e-12, "kendall");
		near_to(stats_rmse(x, y, c->n), c->rmse, 1e-12, "rmse");
		near_to(stats_kappa(a, b, c->n, (uint32_t)c->levels), c->kappa, 1e-12, "kappa");
		near_to(stats_kl(hx, hy, c->levels, 0.5), c->kl, 1e-11, "kl");
		free(x), free(y), free(hx), free(hy), free(a), free(b);
	}
}

static void kendall_counts_pairs(void **state)
{
	double x[60], y[60];

	(void)state;
	for (uint64_t seed = 1; seed < 60; seed++) {
		size_t n = 2 + seed;
		double *a = numbers(seed, n, 7), *b = numbers(seed + 99, n, 5), up = 0, tx = 0, ty = 0, all = 0;

		for (size_t i = 0; i < n && i < 60; i++)
			x[i] = a[i], y[i] = b[i];
		n = n < 60 ? n : 60;
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < i; j++) {
				double d = (x[i] - x[j]) * (y[i] - y[j]);

				up += d > 0 ? 1 : d < 0 ? -1 : 0;
				tx += x[i] == x[j];
				ty += y[i] == y[j];
				all++;
			}
		near_to(stats_kendall(x, y, n), up / sqrt((all - tx) * (all - ty)), 1e-12, "tau-b");
		free(a), free(b);
	}
}

static void constants_have_no_correlation(void **state)
{
	double x[3] = {1, 1, 1}, y[3] = {1, 2, 3};
	uint32_t one[3] = {0, 0, 0}, other[3] = {1, 1, 1};

	(void)state;
	assert_true(isnan(stats_pearson(x, y, 3)));
	assert_true(isnan(stats_spearman(x, y, 3)));
	assert_true(isnan(stats_kendall(x, y, 3)));
	assert_true(isnan(stats_pearson(y, y, 1)));
	assert_true(isnan(stats_rmse(x, y, 0)));
	assert_true(stats_kappa(one, one, 3, 2) == 1);
	assert_true(stats_kappa(one, other, 3, 2) == 0);
	assert_true(isnan(stats_kappa(one, one, 0, 2)));
	assert_true(isnan(stats_phi(5, 0, 0, 0)));
}

static void icc_agrees(void **state)
{
	(void)state;
	for (size_t t = 0; t < N(icc_cases); t++) {
		const struct icc_case *c = &icc_cases[t];
		double *base = numbers(c->seed, c->n, c->levels), *v = numbers(c->seed + 1, c->n * c->k, 3);

		for (size_t i = 0; i < c->n * c->k; i++)
			v[i] += base[i / c->k];
		near_to(stats_icc21(v, c->n, c->k), c->icc, 1e-12, "icc");
		free(base), free(v);
	}
}

/* Shrout and Fleiss (1979), table 2: six targets, four judges. */
static void icc_of_the_paper(void **state)
{
	static const double v[] = {9, 2, 5, 8, 6, 1, 3, 2, 8, 4, 6, 8, 7, 1, 2, 6, 10, 5, 6, 9, 6, 2, 4, 7};

	(void)state;
	near_to(stats_icc21(v, 6, 4), 0.29, 0.004, "icc(2,1)");
}

static void quantiles_agree(void **state)
{
	(void)state;
	for (size_t i = 0; i < N(normal_cases); i++)
		near_to(stats_normal_quantile(normal_cases[i].p), normal_cases[i].x, 1e-9, "normal");
	for (size_t i = 0; i < N(t_cases); i++)
		near_to(stats_t95((unsigned)t_cases[i].p), t_cases[i].x, 1e-9, "t");
	assert_true(isinf(stats_normal_quantile(0)) && isinf(stats_normal_quantile(1)));
	assert_true(isnan(stats_normal_quantile(1.5)));
}

static void wilson_agrees(void **state)
{
	(void)state;
	for (size_t i = 0; i < N(wilson_cases); i++) {
		double lo, hi;

		stats_wilson(wilson_cases[i].k, wilson_cases[i].n, &lo, &hi);
		near_to(lo, wilson_cases[i].lo, 1e-9, "wilson lo");
		near_to(hi, wilson_cases[i].hi, 1e-9, "wilson hi");
	}
}

static void mcnemar_agrees(void **state)
{
	(void)state;
	for (size_t i = 0; i < N(mcnemar_cases); i++) {
		const struct mcnemar_case *c = &mcnemar_cases[i];

		near_to(paired_mcnemar(c->b, c->c, 0), c->p, 1e-11, "mcnemar");
		near_to(paired_mcnemar(c->b, c->c, 1), c->mid, 1e-11, "mid-p");
		assert_true(paired_mcnemar(c->b, c->c, 0) == paired_mcnemar(c->c, c->b, 0));
	}
	assert_true(paired_mcnemar(10, 0, 0) == 0.001953125);
}

static void d_prime_is_corrected(void **state)
{
	struct binary b = {40, 10, 15, 35, 0, 0}, perfect = {50, 0, 0, 50, 0, 0};
	struct binary none = {0, 0, 3, 4, 0, 0}, silent = {40, 5, 15, 20, 5, 15};
	struct detection d = stats_detection(&b);
	double h = 40.5 / 51, f = 15.5 / 51;

	(void)state;
	near_to(d.d_prime, stats_normal_quantile(h) - stats_normal_quantile(f), 1e-14, "d'");
	near_to(d.criterion, -(stats_normal_quantile(h) + stats_normal_quantile(f)) / 2, 1e-14, "c");
	near_to(d.positive, 0.55, 1e-14, "positive");
	near_to(d.tpr, 0.8, 1e-14, "tpr");
	near_to(d.tnr, 0.7, 1e-14, "tnr");
	near_to(stats_detection(&silent).d_prime, d.d_prime, 1e-14, "silence is no yes");
	near_to(stats_detection(&silent).tnr, 0.4, 1e-14, "nor a no");
	assert_true(d.criterion < 0); /* more often yes than no */
	assert_true(isfinite(stats_detection(&perfect).d_prime));
	assert_true(isnan(stats_detection(&none).d_prime));
}

static void distances(void **state)
{
	static const double p[] = {1, 0, 1}, q[] = {0, 2, 0}, r[] = {5, 0, 5}, zero[] = {0, 0, 0};

	(void)state;
	near_to(stats_js(p, q, 3), 1, 1e-14, "apart");
	near_to(stats_js(p, r, 3), 0, 1e-14, "the same");
	near_to(stats_l1(p, q, 3), 2, 1e-14, "l1");
	near_to(stats_cosine(p, r, 3), 1, 1e-14, "cosine");
	assert_true(isinf(stats_kl(p, q, 3, 0)));
	assert_true(isfinite(stats_kl(p, q, 3, 0.01)));
	assert_true(isnan(stats_js(p, zero, 3)) && isnan(stats_cosine(p, zero, 3)));
}

/* --- many tests --- */

static void families(void **state)
{
	static const double p[] = {0.01, NAN, 0.04, 0.03, 0.005, 0.5};
	/* R 4: p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.5), "BH") and "holm" */
	static const double bh[] = {0.025, 0, 0.05, 0.05, 0.025, 0.5};
	static const double holm[] = {0.04, 0, 0.09, 0.09, 0.025, 0.5};
	double q[6], h[6];

	(void)state;
	paired_bh(p, 6, q);
	paired_holm(p, 6, h);
	for (int i = 0; i < 6; i++) {
		if (isnan(p[i])) {
			assert_true(isnan(q[i]) && isnan(h[i]));
			continue;
		}
		near_to(q[i], bh[i], 1e-14, "bh");
		near_to(h[i], holm[i], 1e-14, "holm");
	}
}

static void power_at_the_mde(void **state)
{
	(void)state;
	assert_true(isinf(paired_mde(19, 0.1)));
	assert_true(isnan(paired_mde(0, 0.1)));
	near_to(paired_mde(1000, 0.2), 0.0397, 0.01, "mde");
	assert_true(paired_mde(4000, 0.2) < paired_mde(1000, 0.2));
}

/* --- the bootstrap --- */

/* Resamples the samples one by one. */
static void naive(const struct fourfold *f, uint32_t draws, double *lo, double *hi)
{
	uint64_t n = fourfold_n(f), seed = 7;
	double *d = xcalloc(draws, sizeof *d);

	for (uint32_t k = 0; k < draws; k++) {
		for (uint64_t i = 0; i < n; i++) {
			uint64_t at;

			seed = seed * 6364136223846793005u + 1442695040888963407u;
			at = (seed >> 33) % n;
			d[k] += at < f->only_a ? 1 : at < f->only_a + f->only_b ? -1 : 0;
		}
		d[k] /= (double)n;
	}
	for (uint32_t i = 1; i < draws; i++) /* insertion: few draws */
		for (uint32_t j = i; j && d[j] < d[j - 1]; j--) {
			double t = d[j];

			d[j] = d[j - 1];
			d[j - 1] = t;
		}
	*lo = d[(uint32_t)(0.025 * draws)];
	*hi = d[(uint32_t)(0.975 * draws)];
	free(d);
}

static void bootstrap_agrees_with_resampling(void **state)
{
	static const struct fourfold tables[] = {
	    {465, 390, 10, 135}, {50, 3, 4, 20}, {0, 1, 1, 0}, {10, 0, 0, 5}, {100, 60, 40, 100}};

	(void)state;
	for (size_t i = 0; i < N(tables); i++) {
		double n = (double)fourfold_n(&tables[i]), lo, hi, l, h, again_lo, again_hi;
		double discordant = (double)(tables[i].only_a + tables[i].only_b) / n;
		double error = 5 * sqrt(discordant / n) * sqrt(0.025 * 0.975 / 2000) / 0.058 + 1.5 / n;

		paired_bootstrap(&tables[i], 4000, 1, &lo, &hi);
		paired_bootstrap(&tables[i], 4000, 1, &again_lo, &again_hi);
		assert_true(lo == again_lo && hi == again_hi);
		naive(&tables[i], 2000, &l, &h);
		if (fabs(lo - l) > error || fabs(hi - h) > error)
			fail_msg("table %zu: [%g, %g], not [%g, %g] within %g", i, lo, hi, l, h, error);
	}
}

/* Clusters of one sample are samples; doubling every sample as a cluster of two changes nothing
 * of the differences that can be drawn. */
static void clusters_are_drawn_whole(void **state)
{
	struct fourfold single[500] = {{0}}, twice[500] = {{0}}, whole = {0};
	double lo, hi, l, h, wide_lo, wide_hi;

	(void)state;
	for (int i = 0; i < 500; i++) {
		uint64_t *cell = i % 5 == 0 ? &single[i].only_a : i % 7 == 0 ? &single[i].only_b : &single[i].both;

		*cell = 1;
		twice[i] = (struct fourfold){2 * single[i].both, 2 * single[i].only_a, 2 * single[i].only_b, 0};
		whole.both += single[i].both;
		whole.only_a += single[i].only_a;
		whole.only_b += single[i].only_b;
	}
	paired_bootstrap(&whole, 4000, 3, &lo, &hi);
	paired_bootstrap_clusters(single, 500, 4000, 3, &l, &h);
	near_to(l, lo, 0.01, "lo");
	near_to(h, hi, 0.01, "hi");
	paired_bootstrap_clusters(twice, 500, 4000, 3, &wide_lo, &wide_hi);
	assert_true(wide_lo == l && wide_hi == h);
	paired_bootstrap_clusters(twice, 0, 4000, 3, &l, &h);
	assert_true(isnan(l) && isnan(h));
}

/* Of 400 simulated experiments some 95 % of the intervals hold the true difference. */
static void intervals_cover(void **state)
{
	uint64_t seed = 42, held = 0;

	(void)state;
	for (int k = 0; k < 400; k++) {
		struct fourfold f = {0};
		double lo, hi;

		for (int i = 0; i < 300; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			switch ((seed >> 33) % 20) {
			case 0: case 1: case 2: case 3:
				f.only_a++;
				break;
			case 4: case 5:
				f.only_b++;
				break;
			default:
				f.both++;
			}
		}
		paired_bootstrap(&f, 1000, (uint64_t)k, &lo, &hi);
		held += lo <= 0.1 && 0.1 <= hi;
	}
	/* 95 % of 400, give or take four standard errors and the interval's own bias */
	assert_in_range(held, 358, 398);
}

/* --- opinion scores --- */

static void opinion_scores(void **state)
{
	struct rating r[30 * 40];
	struct mos m;
	size_t n = 0;

	(void)state;
	/* Thirty-nine raters who agree up to scale and shift, and one who swings both ways. */
	for (uint32_t j = 0; j < 30; j++)
		for (uint32_t k = 0; k < 40; k++) {
			double value = k == 39 ? (j % 2 ? 9000.0 + j : -9000.0 - j)
					       : (1 + k) * (double)(j % 10) + k + 0.01 * ((j * 7 + k * 3) % 5);

			r[n++] = (struct rating){k, j, value};
		}
	mos_make(r, n, 40, 30, &m);
	assert_int_equal(m.n_rejected, 1);
	assert_true(m.rejected[39]);
	for (uint32_t j = 0; j + 1 < 10; j++)
		assert_true(m.score[j] < m.score[j + 1]);
	assert_int_equal(m.n[0], 39);
	/* z of 0 … 9 thrice: sample standard deviation 2.9212 */
	near_to(m.score[9], 5 * (4.5 / 2.9212 + 3) / 6, 0.01, "the best");
	mos_release(&m);
}

static void raters_of_one_opinion_are_left_out(void **state)
{
	struct rating r[] = {{0, 0, 3}, {0, 1, 3}, {1, 0, 1}, {1, 1, 2}, {2, 1, 5}};
	struct mos m;

	(void)state;
	mos_make(r, 5, 4, 3, &m);
	assert_int_equal(m.n_constant, 2);
	assert_int_equal(m.n[0], 1);
	near_to(m.score[1], 5 * (M_SQRT1_2 + 3) / 6, 1e-12, "z = 1 / sqrt 2");
	assert_true(isnan(m.score[2]));
	mos_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(pairs_agree_with_scipy),
	    cmocka_unit_test(kendall_counts_pairs),
	    cmocka_unit_test(constants_have_no_correlation),
	    cmocka_unit_test(icc_agrees),
	    cmocka_unit_test(icc_of_the_paper),
	    cmocka_unit_test(quantiles_agree),
	    cmocka_unit_test(wilson_agrees),
	    cmocka_unit_test(mcnemar_agrees),
	    cmocka_unit_test(d_prime_is_corrected),
	    cmocka_unit_test(distances),
	    cmocka_unit_test(families),
	    cmocka_unit_test(power_at_the_mde),
	    cmocka_unit_test(bootstrap_agrees_with_resampling),
	    cmocka_unit_test(clusters_are_drawn_whole),
	    cmocka_unit_test(intervals_cover),
	    cmocka_unit_test(opinion_scores),
	    cmocka_unit_test(raters_of_one_opinion_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
