#!/usr/bin/env python3
"""Writes agree_values.h: what SciPy and NumPy make of runs whose answers a small generator gives, for
test_agreement.c, which makes the same answers. Classes, recalls and verdicts are full of ties.
python3 agree_values.py > agree_values.h"""
import numpy
import scipy
from scipy import stats

RUNS = 4


def numbers(seed, n, levels):
    """n numbers 0 … levels - 1: the high bits of a 64-bit linear congruential generator."""
    out = []
    for _ in range(n):
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        out.append((seed >> 33) % levels)
    return out


def answers(seed, n, classes):
    """The truth, and for each run its answers: the truth two times out of four, -1 (no answer) now
    and then, else any class."""
    truth = numbers(seed, n, classes)
    runs = []
    for r in range(RUNS):
        other, how = numbers(seed + 10 + r, n, classes), numbers(seed + 20 + r, n, 8)
        runs.append([t if h < 4 else -1 if h == 7 else o for t, o, h in zip(truth, other, how)])
    return truth, runs


def phi(truth, a, b):
    x = [(p == t, q == t) for t, p, q in zip(truth, a, b) if p >= 0 and q >= 0]
    return stats.pearsonr([float(p) for p, _ in x], [float(q) for _, q in x])[0]


def kappa(a, b, k):
    table = numpy.zeros((k, k))
    for p, q in zip(a, b):
        if p >= 0 and q >= 0:
            table[p, q] += 1
    share = table / table.sum()
    chance = share.sum(0) @ share.sum(1)
    return (numpy.trace(share) - chance) / (1 - chance)


def recalls(truth, a, k):
    out = []
    for c in range(k):
        counted = [p == c for t, p in zip(truth, a) if t == c and p >= 0]
        out.append(numpy.mean(counted) if counted else numpy.nan)
    return numpy.array(out)


def rho(truth, a, b, k):
    x, y = recalls(truth, a, k), recalls(truth, b, k)
    there = ~numpy.isnan(x) & ~numpy.isnan(y)
    return stats.spearmanr(x[there], y[there])[0]


def mean(values):
    m = numpy.mean(values)
    lo, hi = stats.t.interval(0.95, len(values) - 1, loc=m, scale=stats.sem(values))
    return m, lo, hi


print(f"/* Made by agree_values.py with SciPy {scipy.__version__}, NumPy {numpy.__version__}. */")
print("static const struct agree_case agree_cases[] = {")
for seed, n, k in [(101, 60, 3), (202, 500, 7), (303, 777, 40), (404, 3000, 25), (505, 64, 5)]:
    truth, runs = answers(seed, n, k)
    accuracy = [numpy.mean([p == t for t, p in zip(truth, a) if p >= 0]) for a in runs]
    pairs = [(runs[i], runs[j]) for i in range(RUNS) for j in range(i + 1, RUNS)]
    print(f"\t{{{seed}, {n}, {k},")
    for row in ([phi(truth, a, b) for a, b in pairs], [kappa(a, b, k) for a, b in pairs],
                [rho(truth, a, b, k) for a, b in pairs], mean(accuracy)):
        print("\t {" + ", ".join(repr(float(v)) for v in row) + "},")
    print("\t},")
print("};")
