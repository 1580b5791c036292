/* The paired bootstrap (paired.h). Draw k has a stream of random numbers of its own, made from
 * the seed and k, so that the result does not depend on who draws what. */
#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/eval/paired.h"

/* --- random numbers: splitmix64 (Steele, Lea and Flood, OOPSLA 2014) --- */

struct stream {
	uint64_t state;
	const double *factorial; /* [FACTORIALS] logarithms, as far as n goes; NULL: n goes further */
};

#define FACTORIALS 8192

static uint64_t next_u64(struct stream *s)
{
	uint64_t z = s->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static struct stream stream_of(uint64_t seed, uint32_t draw, const double *factorial)
{
	struct stream a = {seed, NULL}, b = {next_u64(&a) + draw, NULL};

	return (struct stream){next_u64(&b), factorial};
}

/* Uniform in (0, 1). */
static double uniform(struct stream *s)
{
	return ((double)(next_u64(s) >> 11) + 0.5) * 0x1p-53;
}

/* --- the binomial distribution --- */

/* Few successes: from the bottom up. */
static uint64_t invert(struct stream *s, uint64_t n, double p)
{
	double q = pow(1 - p, (double)n), u = uniform(s), odds = p / (1 - p);
	uint64_t k = 0;

	while (u > q && k < n) {
		u -= q;
		k++;
		q *= odds * (double)(n - k + 1) / (double)k;
		if (q <= 0)
			break;
	}
	return k;
}

/* Beyond the table by Stirling's series, whose next term is below 1e-17 there. */
static double log_factorial(const struct stream *s, double k)
{
	double r = 1 / k;

	if (s->factorial)
		return s->factorial[(size_t)k];
	if (k < 256)
		return lgamma(k + 1);
	return (k + 0.5) * log(k) - k + 0.918938533204672742 + r * (1.0 / 12 - r * r * (1.0 / 360 - r * r / 1260));
}

static double *log_factorials(uint64_t n)
{
	double *v = n < FACTORIALS ? xcalloc((size_t)n + 1, sizeof *v) : NULL;

	for (size_t k = 1; v && k <= n; k++)
		v[k] = v[k - 1] + log((double)k);
	return v;
}

/* How much more likely the most likely number m is than k, as a logarithm. */
static double log_odds(const struct stream *s, double n, double p, double k)
{
	double m = floor((n + 1) * p);

	return log_factorial(s, m) + log_factorial(s, n - m) - log_factorial(s, k) - log_factorial(s, n - k) +
	       (k - m) * log(p / (1 - p));
}

/* Transformed rejection. Hörmann, J. Statist. Comput. Simul. 46 (1993), algorithm BTRS. */
static uint64_t reject(struct stream *s, uint64_t count, double p)
{
	double n = (double)count, sd = sqrt(n * p * (1 - p));
	double b = 1.15 + 2.53 * sd, a = -0.0873 + 0.0248 * b + 0.01 * p, c = n * p + 0.5;
	double vr = 0.92 - 4.2 / b, alpha = (2.83 + 5.1 / b) * sd;

	for (;;) {
		double u = uniform(s) - 0.5, v = uniform(s), us = 0.5 - fabs(u);
		double k = floor((2 * a / us + b) * u + c);

		if (k < 0 || k > n)
			continue;
		if ((us >= 0.07 && v <= vr) || log(v * alpha / (a / (us * us) + b)) <=
						      log_odds(s, n, p, k))
			return (uint64_t)k;
	}
}

static uint64_t binomial(struct stream *s, uint64_t n, double p)
{
	if (n == 0 || p <= 0)
		return 0;
	if (p >= 1)
		return n;
	if (p > 0.5)
		return n - binomial(s, n, 1 - p);
	return (double)n * p < 10 ? invert(s, n, p) : reject(s, n, p);
}

/* --- the draws --- */

struct kind { /* clusters of one size and one difference */
	uint64_t n, count;
	int64_t d; /* right by a alone minus right by b alone */
};

/* One resampled difference: how many of each kind are drawn is multinomial. */
static double draw_delta(const struct kind *kind, size_t n_kinds, uint64_t clusters, struct stream *s)
{
	uint64_t left = clusters, rest = clusters;
	double n = 0, d = 0;

	for (size_t i = 0; i < n_kinds && left; i++) {
		uint64_t k = i + 1 == n_kinds ? left
					      : binomial(s, left, (double)kind[i].count / (double)rest);

		n += (double)k * (double)kind[i].n;
		d += (double)k * (double)kind[i].d;
		left -= k;
		rest -= kind[i].count;
	}
	return n > 0 ? d / n : 0;
}

/* Puts the k-th smallest of v[n] in its place, smaller ones before it, larger ones behind it.
 * Hoare, CACM 4 (1961), algorithm 65. */
static double nth(double *v, size_t n, size_t k)
{
	size_t lo = 0, hi = n - 1;

	while (lo < hi) {
		double pivot = v[lo + (hi - lo) / 2];
		size_t i = lo, j = hi;

		for (;;) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			double t = v[i];

			v[i++] = v[j];
			v[j--] = t;
		}
		if (k <= j)
			hi = j;
		else
			lo = j + 1;
	}
	return v[k];
}

/* Between neighbours (type 7 of Hyndman and Fan). */
static double quantile(double *v, size_t n, double p)
{
	double at = p * (double)(n - 1), low = floor(at);
	size_t i = (size_t)low;
	double below = nth(v, n, i);

	return i + 1 < n ? below + (at - low) * (nth(v, n, i + 1) - below) : below;
}

static void interval(const struct kind *kind, size_t n_kinds, uint64_t clusters, uint32_t draws,
		     uint64_t seed, double *lo, double *hi)
{
	double *delta, *factorial;

	*lo = *hi = NAN;
	if (!clusters || !draws)
		return;
	delta = xcalloc(draws, sizeof *delta);
	factorial = log_factorials(clusters);
	for (uint32_t k = 0; k < draws; k++) {
		struct stream s = stream_of(seed, k, factorial);

		delta[k] = draw_delta(kind, n_kinds, clusters, &s);
	}
	*lo = quantile(delta, draws, 0.025);
	*hi = quantile(delta, draws, 0.975);
	free(delta);
	free(factorial);
}

void paired_bootstrap(const struct fourfold *f, uint32_t draws, uint64_t seed, double *lo, double *hi)
{
	struct kind kind[3] = {{1, f->only_a, 1}, {1, f->only_b, -1}, {1, f->both + f->neither, 0}};

	interval(kind, 3, fourfold_n(f), draws, seed, lo, hi);
}

static int by_kind(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	return (x->d > y->d) - (x->d < y->d);
}

void paired_bootstrap_clusters(const struct fourfold *cluster, size_t n, uint32_t draws, uint64_t seed,
			       double *lo, double *hi)
{
	struct kind *kind = xcalloc(n + 1, sizeof *kind);
	size_t m = 0, clusters = 0;

	for (size_t i = 0; i < n; i++)
		if (fourfold_n(&cluster[i]))
			kind[clusters++] = (struct kind){fourfold_n(&cluster[i]), 1,
							 (int64_t)cluster[i].only_a - (int64_t)cluster[i].only_b};
	qsort(kind, clusters, sizeof *kind, by_kind);
	for (size_t i = 0; i < clusters; i++)
		if (m && by_kind(&kind[m - 1], &kind[i]) == 0)
			kind[m - 1].count++;
		else
			kind[m++] = kind[i];
	interval(kind, m, clusters, draws, seed, lo, hi);
	free(kind);
}
