/*
 * stats: numbers about numbers: proportions, correlations, agreement, signal detection, distances
 * between distributions. Pure; n is a number of pairs or items; NaN comes back where a value is
 * not defined (n too small, no variance, nothing counted) and never raises an error.
 */
#ifndef QUALM_CORE_EVAL_STATS_H
#define QUALM_CORE_EVAL_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define Z95 1.959963984540054 /* two-sided 95 % of the normal distribution */

/* --- distributions --- */

double stats_normal_cdf(double x);
/* The x whose stats_normal_cdf() is p; -inf for 0, +inf for 1. */
double stats_normal_quantile(double p);
/* The two-sided 95 % quantile of Student's t with df degrees of freedom. */
double stats_t95(unsigned df);

/* --- proportions --- */

/* Wilson's interval of k / n at 95 %; 0 and 1 when n = 0. */
void stats_wilson(uint64_t k, uint64_t n, double *lo, double *hi);

/* --- pairs x[n], y[n]; all values must be finite --- */

/* Pearson's r (PLCC). */
double stats_pearson(const double *x, const double *y, size_t n);
/* Pearson's r of the ranks, ties by average rank (SRCC). */
double stats_spearman(const double *x, const double *y, size_t n);
/* Kendall's tau-b (KRCC), by merge sort: O(n log n). Knight, JASA 61 (1966). */
double stats_kendall(const double *x, const double *y, size_t n);
double stats_rmse(const double *x, const double *y, size_t n);
/* rank[n]: 1 … n, ties by average. */
void stats_ranks(const double *x, size_t n, double *rank);

/* --- agreement --- */

/* Cohen's κ of two raters' classes a[n], b[n], each < k. 1 when both always say one and the same
 * class. Cohen, EPM 20 (1960). */
double stats_kappa(const uint32_t *a, const uint32_t *b, size_t n, uint32_t k);
/* The same of a table count[k × k]. */
double stats_kappa_table(const uint64_t *count, size_t k);
/* phi coefficient of a 2 × 2 table. */
double stats_phi(uint64_t both, uint64_t only_a, uint64_t only_b, uint64_t neither);
/* ICC(2,1): two-way random effects, absolute agreement, single rater. value[n × k], item by item.
 * Shrout and Fleiss, Psychological Bulletin 86 (1979). */
double stats_icc21(const double *value, size_t n, size_t k);

/* --- a yes-or-no task: signal = the statement is correct, "yes" = the model says so --- */

struct binary {
	uint64_t hit, miss, false_alarm, rejection; /* yes|signal no|signal yes|noise no|noise */
	uint64_t silent_signal, silent_noise;       /* neither yes nor no */
};
struct detection {
	double tpr, tnr;  /* yes, of signal; no, of noise */
	double d_prime;   /* z(H) - z(F); H, F: yes, of signal and of noise */
	double criterion; /* -(z(H) + z(F)) / 2; below 0: says yes more readily */
	double positive;  /* share of yes, of all */
	double signal;    /* share of signal, of all */
};
/* H and F by the log-linear correction: (k + 1/2) / (n + 1). Hautus, BRMIC 27 (1995). */
struct detection stats_detection(const struct binary *b);

/* --- distributions p[k], q[k]: votes or shares, not negative, not all 0; scaled to sum 1 here --- */

/* Kullback-Leibler divergence of q from p in bits; alpha is added to each share of both before
 * scaling (0: none; then infinite where q is 0 and p is not). */
double stats_kl(const double *p, const double *q, size_t k, double alpha);
/* Jensen-Shannon divergence in bits: 0 … 1. */
double stats_js(const double *p, const double *q, size_t k);
/* Sum of absolute differences: 0 … 2. */
double stats_l1(const double *p, const double *q, size_t k);
double stats_cosine(const double *p, const double *q, size_t k);

#endif
