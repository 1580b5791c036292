#include "core/eval/stats.h"

#include <math.h>

/* --- distributions --- */

double stats_normal_cdf(double x)
{
	return 0.5 * erfc(-x / sqrt(2));
}

static double polynomial(const double *c, int n, double x)
{
	double y = c[0];

	for (int i = 1; i < n; i++)
		y = y * x + c[i];
	return y;
}

/* Rational approximation (P. J. Acklam), relative error 1.15e-9. */
static double rough_quantile(double p)
{
	static const double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,
				   -2.759285104469687e+02, 1.383577518672690e+02,
				   -3.066479806614716e+01, 2.506628277459239e+00};
	static const double b[] = {-5.447609879822406e+01, 1.615858368580409e+02,
				   -1.556989798598866e+02, 6.680131188771972e+01,
				   -1.328068155288572e+01, 1};
	static const double c[] = {-7.784894002430293e-03, -3.223964580411365e-01,
				   -2.400758277161838e+00, -2.549732539343734e+00,
				   4.374664141464968e+00, 2.938163982698783e+00};
	static const double d[] = {7.784695709041462e-03, 3.224671290700398e-01,
				   2.445134137142996e+00, 3.754408661907416e+00, 1};
	double q;

	if (p < 0.02425) {
		q = sqrt(-2 * log(p));
		return polynomial(c, 6, q) / polynomial(d, 5, q);
	}
	q = p - 0.5;
	return q * polynomial(a, 6, q * q) / polynomial(b, 6, q * q);
}

double stats_normal_quantile(double p)
{
	double x, e, u;

	if (isnan(p) || p < 0 || p > 1)
		return NAN;
	if (p == 0 || p == 1)
		return p == 0 ? -INFINITY : INFINITY;
	if (p > 0.5)
		return -stats_normal_quantile(1 - p);
	x = rough_quantile(p);
	/* One step of Halley's method takes it to the precision of erfc(). */
	e = stats_normal_cdf(x) - p;
	u = e * sqrt(2 * M_PI) * exp(x * x / 2);
	return x - u / (1 + x * u / 2);
}

/* Continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (int m = 1; m <= 500; m++) {
		double up = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), step;

		d = 1 + up * d;
		c = 1 + up / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		f *= d * (fabs(c) < tiny ? tiny : c);
		up = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 + up * d;
		c = 1 + up / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		step = d * (fabs(c) < tiny ? tiny : c);
		f *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return f;
}

/* P(|T| > t) of Student's t: the regularized incomplete beta function at df / (df + t²). */
static double t_outside(double t, double df)
{
	double x = df / (df + t * t), a = df / 2, b = 0.5;
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));

	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double stats_t95(unsigned df)
{
	double lo = 1.9, hi = 13;

	if (df == 0)
		return NAN;
	for (int i = 0; i < 60; i++) {
		double mid = (lo + hi) / 2;

		if (t_outside(mid, df) > 0.05)
			lo = mid;
		else
			hi = mid;
	}
	return (lo + hi) / 2;
}

/* --- proportions --- */

void stats_wilson(uint64_t k, uint64_t count, double *lo, double *hi)
{
	double n = (double)count, p, z2 = Z95 * Z95, mid, half;

	*lo = 0;
	*hi = 1;
	if (count == 0)
		return;
	p = (double)k / n;
	mid = (p + z2 / (2 * n)) / (1 + z2 / n);
	half = Z95 / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n));
	/* At 0 and n the bound is exact; rounding must not move it. */
	*lo = k == 0 ? 0 : mid - half;
	*hi = k == count ? 1 : mid + half;
}

/* --- signal detection --- */

static double share(uint64_t k, uint64_t n)
{
	return n ? (double)k / (double)n : NAN;
}

static double z_loglinear(uint64_t k, uint64_t n)
{
	return stats_normal_quantile(((double)k + 0.5) / ((double)n + 1));
}

struct detection stats_detection(const struct binary *b)
{
	uint64_t signal = b->hit + b->miss + b->silent_signal;
	uint64_t noise = b->false_alarm + b->rejection + b->silent_noise;
	double h = signal ? z_loglinear(b->hit, signal) : NAN;
	double f = noise ? z_loglinear(b->false_alarm, noise) : NAN;

	return (struct detection){.tpr = share(b->hit, signal),
				  .tnr = share(b->rejection, noise),
				  .d_prime = h - f,
				  .criterion = -(h + f) / 2,
				  .positive = share(b->hit + b->false_alarm, signal + noise),
				  .signal = share(signal, signal + noise)};
}

/* --- distances --- */

static double total(const double *p, size_t k, double alpha)
{
	double sum = 0;

	for (size_t i = 0; i < k; i++)
		sum += p[i] + alpha;
	return sum;
}

/* a log2(a / b) with 0 log 0 = 0. */
static double term(double a, double b)
{
	return a > 0 ? a * log2(a / b) : 0;
}

double stats_kl(const double *p, const double *q, size_t k, double alpha)
{
	double sp = total(p, k, alpha), sq = total(q, k, alpha), sum = 0;

	if (!(sp > 0) || !(sq > 0))
		return NAN;
	for (size_t i = 0; i < k; i++)
		sum += term((p[i] + alpha) / sp, (q[i] + alpha) / sq);
	return sum < 0 ? 0 : sum; /* by rounding alone */
}

double stats_js(const double *p, const double *q, size_t k)
{
	double sp = total(p, k, 0), sq = total(q, k, 0), sum = 0;

	if (!(sp > 0) || !(sq > 0))
		return NAN;
	for (size_t i = 0; i < k; i++) {
		double a = p[i] / sp, b = q[i] / sq, m = (a + b) / 2;

		sum += term(a, m) + term(b, m);
	}
	sum /= 2;
	return sum < 0 ? 0 : sum;
}

double stats_l1(const double *p, const double *q, size_t k)
{
	double sp = total(p, k, 0), sq = total(q, k, 0), sum = 0;

	if (!(sp > 0) || !(sq > 0))
		return NAN;
	for (size_t i = 0; i < k; i++)
		sum += fabs(p[i] / sp - q[i] / sq);
	return sum;
}

double stats_cosine(const double *p, const double *q, size_t k)
{
	double pq = 0, pp = 0, qq = 0;

	for (size_t i = 0; i < k; i++) {
		pq += p[i] * q[i];
		pp += p[i] * p[i];
		qq += q[i] * q[i];
	}
	return pp > 0 && qq > 0 ? pq / sqrt(pp * qq) : NAN;
}
