#!/usr/bin/env python3
"""Writes stats_values.h: what SciPy and NumPy make of numbers with ties that a small generator
gives, for test_stats.c, which makes the same numbers. python3 stats_values.py > stats_values.h"""
import math

import numpy
import scipy
from scipy import stats


def numbers(seed, n, levels):
    """n numbers 0 … levels - 1: the high bits of a 64-bit linear congruential generator."""
    out = []
    for _ in range(n):
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        out.append((seed >> 33) % levels)
    return out


def mixed(seed, n, levels):
    """x, and a y that often follows it."""
    x, noise, keep = numbers(seed, n, levels), numbers(seed + 1, n, levels), numbers(seed + 2, n, 3)
    return x, [a if k else b for a, b, k in zip(x, noise, keep)]


def kappa(a, b, k):
    table = numpy.zeros((k, k))
    for i, j in zip(a, b):
        table[i, j] += 1
    p = table / table.sum()
    chance = p.sum(0) @ p.sum(1)
    return (numpy.trace(p) - chance) / (1 - chance)


def icc21(v):
    n, k = v.shape
    msr = k * v.mean(1).var(ddof=1)
    msc = n * v.mean(0).var(ddof=1)
    rest = v - v.mean(1, keepdims=True) - v.mean(0, keepdims=True) + v.mean()
    mse = (rest**2).sum() / ((n - 1) * (k - 1))
    return (msr - mse) / (msr + (k - 1) * mse + k * (msc - mse) / n)


def show(*row):
    print("\t{" + ", ".join(repr(float(v)) if isinstance(v, float) else str(v) for v in row) + "},")


print(f"/* Made by stats_values.py with SciPy {scipy.__version__}, NumPy {numpy.__version__}. */")
print("static const struct pairs_case pairs_cases[] = {")
for seed, n, levels in [(1, 5, 3), (2, 30, 4), (3, 200, 6), (4, 1000, 5), (5, 1000, 1000), (6, 777, 2),
                        (7, 5000, 40)]:
    x, y = mixed(seed, n, levels)
    show(seed, n, levels, float(stats.pearsonr(x, y)[0]), float(stats.spearmanr(x, y)[0]),
         float(stats.kendalltau(x, y)[0]),
         float(math.sqrt(sum((a - b)**2 for a, b in zip(x, y)) / n)), float(kappa(x, y, levels)),
         float(stats.entropy(numpy.bincount(x, minlength=levels) + 0.5,
                             numpy.bincount(y, minlength=levels) + 0.5, base=2)))
print("};\nstatic const struct icc_case icc_cases[] = {")
for seed, n, k, levels in [(11, 6, 4, 9), (12, 40, 2, 5), (13, 100, 5, 7)]:
    base, noise = numbers(seed, n, levels), numbers(seed + 1, n * k, 3)
    v = numpy.array([[base[i] + noise[i * k + j] for j in range(k)] for i in range(n)], float)
    show(seed, n, k, levels, float(icc21(v)))
print("};\nstatic const struct quantile_case normal_cases[] = {")
for p in [1e-12, 1e-6, 0.001, 0.02, 0.025, 0.1, 0.3, 0.5, 0.7, 0.975, 0.999, 1 - 1e-6]:
    show(p, float(stats.norm.ppf(p)))
print("};\nstatic const struct quantile_case t_cases[] = {")
for df in [1, 2, 3, 4, 9, 30, 1000]:
    show(float(df), float(stats.t.ppf(0.975, df)))
print("};\nstatic const struct mcnemar_case mcnemar_cases[] = {")
for b, c in [(10, 0), (0, 10), (5, 5), (3, 7), (390, 10), (1, 2), (60, 41), (1000, 900), (0, 0), (25, 26),
             (26, 25), (2000, 1)]:
    p = float(stats.binomtest(b, b + c, 0.5).pvalue) if b + c else 1.0
    mid = min(1.0, 2 * float(stats.binom.cdf(min(b, c), b + c, 0.5))
              - float(stats.binom.pmf(min(b, c), b + c, 0.5))) if b + c else 1.0
    show(b, c, p, mid)
print("};\nstatic const struct wilson_case wilson_cases[] = {")
for k, n in [(0, 10), (10, 10), (7, 10), (159, 208), (45011, 50000), (1, 3)]:
    ci = stats.binomtest(k, n).proportion_ci(0.95, method="wilson")
    show(k, n, float(ci.low), float(ci.high))
print("};")
