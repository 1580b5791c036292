#!/usr/bin/env python3
"""Writes compare_values.h: two runs compared by class, as SciPy and NumPy have it, on data that a small
generator gives, for test_compare.c, which makes the same data. python3 compare_values.py > compare_values.h"""
import math

import numpy
import scipy
from scipy import optimize, stats

N, CLASSES, CLUSTERS, DRAWS = 1500, 6, 120, 20000


def numbers(seed, n, levels):
    """n numbers 0 … levels - 1: the high bits of a 64-bit linear congruential generator."""
    out = []
    for _ in range(n):
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        out.append((seed >> 33) % levels)
    return numpy.array(out)


def world(seed):
    """truth, right by a, right by b, counted for both, cluster. The clusters are not alike."""
    cluster = numbers(seed + 6, N, CLUSTERS)
    a = numbers(seed + 1, N, 10) < 4 + cluster % 5
    b = numpy.where(numbers(seed + 2, N, 3) > 0, a, numbers(seed + 3, N, 10) < 6)
    counted = (numbers(seed + 4, N, 25) > 0) & (numbers(seed + 5, N, 25) > 0)
    return numbers(seed, N, CLASSES), a, b, counted, cluster


def mde(n, s):
    """The difference that is found with 80 % power: the root of the power's equation."""
    za = stats.norm.ppf(0.975)

    def power(d):
        return stats.norm.cdf((d * math.sqrt(n) - za * math.sqrt(s)) / math.sqrt(s - d * d)) - 0.8

    top = s * (1 - 1e-12)
    return optimize.brentq(power, 1e-9, top, xtol=1e-15) if power(top) > 0 else math.inf


def benjamini_hochberg(p):
    order = numpy.argsort(p)
    q = numpy.empty(len(p))
    q[order] = numpy.minimum.accumulate((p[order] * len(p) / numpy.arange(1, len(p) + 1))[::-1])[::-1]
    return q


def kappa(a, b):
    seen, chance = (a == b).mean(), a.mean() * b.mean() + (1 - a).mean() * (1 - b).mean()
    return (seen - chance) / (1 - chance)


def bootstrap(a, b, cluster, rng):
    """Quantiles and spread of the difference: samples drawn one by one, or whole clusters."""
    d = a.astype(int) - b.astype(int)
    if cluster is None:
        deltas = [d[rng.integers(0, len(d), len(d))].mean() for _ in range(DRAWS)]
    else:
        sums = numpy.array([(d[cluster == c].sum(), (cluster == c).sum()) for c in numpy.unique(cluster)])
        drawn = [sums[rng.integers(0, len(sums), len(sums))].sum(0) for _ in range(DRAWS)]
        deltas = [s / n for s, n in drawn]
    return float(numpy.quantile(deltas, 0.025)), float(numpy.quantile(deltas, 0.975)), float(numpy.std(deltas))


def row(a, b, cluster, rng):
    only_a, only_b, n = int((a & ~b).sum()), int((b & ~a).sum()), len(a)
    p = float(stats.binomtest(only_a, only_a + only_b, 0.5).pvalue)
    return [n, int((a & b).sum()), only_a, only_b, int((~a & ~b).sum()), p, kappa(a * 1.0, b * 1.0),
            float(stats.pearsonr(a * 1.0, b * 1.0)[0]), mde(n, (only_a + only_b) / n),
            *bootstrap(a, b, None, rng), *bootstrap(a, b, cluster, rng)]


def text(v):
    return "INFINITY" if v == math.inf else "NAN" if v != v else repr(float(v)) if isinstance(v, float) else str(v)


print(f"/* Made by compare_values.py with SciPy {scipy.__version__}, NumPy {numpy.__version__}. */")
print(f"#define DRAWN {DRAWS} /* tables by each of their bootstraps */")
print("static const struct compare_case compare_cases[] = {")
for seed in (100, 200):
    truth, a, b, counted, cluster = world(seed)
    rng = numpy.random.default_rng(seed)
    groups = [counted] + [counted & (truth == c) for c in range(CLASSES)]
    rows = [row(a[g], b[g], cluster[g], rng) for g in groups]
    q = [math.nan] + list(benjamini_hochberg(numpy.array([r[5] for r in rows[1:]])))
    for k, (r, v) in enumerate(zip(rows, q)):
        print("\t{" + ", ".join(text(float(x) if isinstance(x, numpy.floating) else x)
                                for x in [seed, k, *r[:6], v, *r[6:]]) + "},")
print("};")
