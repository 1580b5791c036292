/*
 * paired: two runs on the samples that both have a counted answer to (benchmarks.md §7), from
 * the four numbers of the table of right and wrong; and what is done with many p values at once.
 * Pure.
 */
#ifndef QUALM_CORE_EVAL_PAIRED_H
#define QUALM_CORE_EVAL_PAIRED_H

#include <stddef.h>
#include <stdint.h>

struct fourfold { /* samples: a and b right, only a, only b, neither */
	uint64_t both, only_a, only_b, neither;
};

static inline uint64_t fourfold_n(const struct fourfold *f)
{
	return f->both + f->only_a + f->only_b + f->neither;
}

/* Accuracy of a minus that of b; NaN for an empty table. */
double paired_delta(const struct fourfold *f);
/* Exact two-sided McNemar test of b and c discordant samples: twice the smaller tail of
 * Binomial(b + c, 1/2), at most 1; 1 when b = c. mid: the mid-p variant, which takes half of the
 * probability of the table itself. McNemar, Psychometrika 12 (1947); Fagerland et al., BMC Med.
 * Res. Methodol. 13 (2013). */
double paired_mcnemar(uint64_t b, uint64_t c, int mid);
/* Cohen's kappa and phi of the two rows of right and wrong; NaN where not defined. */
double paired_kappa(const struct fourfold *f);
double paired_phi(const struct fourfold *f);

#define PAIRED_SEED    20240117u /* the default; any other gives another draw */
#define PAIRED_DRAWS   10000u

/* Percentile interval (95 %) of the difference by the paired bootstrap: `draws` tables drawn from
 * the multinomial distribution of f, which is what resampling its samples gives. The same seed
 * gives the same bits. NaN for an empty table. Efron and Tibshirani (1993), ch. 13. */
void paired_bootstrap(const struct fourfold *f, uint32_t draws, uint64_t seed, double *lo, double *hi);
/* The same with whole clusters drawn: cluster[n] is a table each; not all need be of one size. */
void paired_bootstrap_clusters(const struct fourfold *cluster, size_t n, uint32_t draws, uint64_t seed,
			       double *lo, double *hi);

/* q[n] from p[n], NaN stays NaN and is no test: Benjamini and Hochberg, JRSS B 57 (1995). */
void paired_bh(const double *p, size_t n, double *q);
/* Holm, Scand. J. Statist. 6 (1979). */
void paired_holm(const double *p, size_t n, double *adjusted);

/* The smallest difference that a McNemar test at 5 % finds with 80 % power among n samples when
 * the share `discordant` of them differs (0 … 1); above 1 it cannot be found at all. Connor,
 * Biometrics 43 (1987). */
double paired_mde(uint64_t n, double discordant);

#endif
