#include "core/eval/paired.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/eval/stats.h"

#define Z80 0.8416212335729143 /* 80 % of the normal distribution lie below it */

double paired_delta(const struct fourfold *f)
{
	uint64_t n = fourfold_n(f);

	return n ? ((double)f->only_a - (double)f->only_b) / (double)n : NAN;
}

/* log of the binomial probability of k of n at 1/2. */
static double log_half(uint64_t k, uint64_t n)
{
	return lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1) -
	       (double)n * M_LN2;
}

/* P(X <= k) of Binomial(n, 1/2), k <= n / 2: from the largest term down, until they vanish. */
static double lower_tail(uint64_t k, uint64_t n)
{
	double term = 1, sum = 1;

	for (uint64_t i = k; i > 0 && term > sum * 1e-18; i--) {
		term *= (double)i / (double)(n - i + 1);
		sum += term;
	}
	return exp(log_half(k, n)) * sum;
}

/* C(n, k) / 2^n exactly, where it fits a double. */
static double small_tail(uint64_t k, uint64_t n)
{
	double term = 1, sum = 1;

	for (uint64_t i = 1; i <= k; i++) {
		term = term * (double)(n - i + 1) / (double)i;
		sum += term;
	}
	return ldexp(sum, -(int)n);
}

double paired_mcnemar(uint64_t b, uint64_t c, int mid)
{
	uint64_t k = b < c ? b : c, n = b + c;
	double tail, p;

	if (n == 0)
		return 1;
	tail = n <= 50 ? small_tail(k, n) : lower_tail(k, n);
	p = 2 * tail;
	if (mid)
		p -= exp(log_half(k, n));
	if (b == c && !mid)
		return 1;
	return p > 1 ? 1 : p;
}

double paired_kappa(const struct fourfold *f)
{
	uint64_t table[4] = {f->both, f->only_a, f->only_b, f->neither};

	return stats_kappa_table(table, 2);
}

double paired_phi(const struct fourfold *f)
{
	return stats_phi(f->both, f->only_a, f->only_b, f->neither);
}

/* --- many tests --- */

struct test {
	double p;
	size_t at;
};

static int by_p(const void *a, const void *b)
{
	const struct test *x = a, *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

/* The tests that are none are left out; returns how many are left, sorted. */
static size_t sort_tests(const double *p, size_t n, struct test *out)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(p[i]))
			out[m++] = (struct test){p[i], i};
	qsort(out, m, sizeof *out, by_p);
	return m;
}

void paired_bh(const double *p, size_t n, double *q)
{
	struct test *t = xcalloc(n + 1, sizeof *t);
	size_t m = sort_tests(p, n, t);
	double least = 1;

	for (size_t i = 0; i < n; i++)
		q[i] = NAN;
	for (size_t i = m; i-- > 0;) {
		double v = t[i].p * (double)m / (double)(i + 1);

		least = v < least ? v : least;
		q[t[i].at] = least;
	}
	free(t);
}

void paired_holm(const double *p, size_t n, double *adjusted)
{
	struct test *t = xcalloc(n + 1, sizeof *t);
	size_t m = sort_tests(p, n, t);
	double most = 0;

	for (size_t i = 0; i < n; i++)
		adjusted[i] = NAN;
	for (size_t i = 0; i < m; i++) {
		double v = t[i].p * (double)(m - i);

		most = v > most ? v : most;
		adjusted[t[i].at] = most > 1 ? 1 : most;
	}
	free(t);
}

/* The test finds d with power Phi((d sqrt(n) - za sqrt(s)) / sqrt(s - d²)) when the share s of n
 * samples is discordant; that being 80 % is a quadratic equation of d. */
double paired_mde(uint64_t n, double discordant)
{
	const double za = Z95, zb = Z80;
	double m = (double)n, s = discordant, d;

	if (n == 0 || !(discordant > 0))
		return NAN;
	d = (za * sqrt(m * s) + sqrt(m * za * za * s - (m + zb * zb) * s * (za * za - zb * zb))) / (m + zb * zb);
	return d < s ? d : INFINITY; /* not even if all of them went one way */
}
