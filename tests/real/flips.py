#!/usr/bin/env python3
"""Counts inverted against upright faces, asked with explanation, straight from the file:
python3 flips.py final_results.csv prints n, regressed, improved, both, neither, p, and the same by face type."""
import csv
import math
import sys


def p_exact(b, c):
    """The two-sided binomial test of b of b + c at 1/2, by its definition."""
    n, k = b + c, min(b, c)
    return min(1.0, 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2**n)


def show(name, pairs):
    regressed = sum(not inverted and upright for inverted, upright in pairs)
    improved = sum(inverted and not upright for inverted, upright in pairs)
    both = sum(inverted and upright for inverted, upright in pairs)
    p = p_exact(regressed, improved)
    print(f"{name},{len(pairs)},{regressed},{improved},{both},{len(pairs) - regressed - improved - both},{p:.6e}")


def main():
    answers, kind = {}, {}
    with open(sys.argv[1], newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            if row["prompt_style"] == "explanation":
                right = row["response"].strip().lower() == row["correct_emotion"].strip().lower()
                answers.setdefault(row["img_key"], {})[row["orientation"]] = right
                kind[row["img_key"]] = row["face_type"]
    whole = {k: (v["inverted"], v["upright"]) for k, v in answers.items() if len(v) == 2}
    show("all", list(whole.values()))
    for name in sorted(set(kind.values())):
        show(name, [v for k, v in whole.items() if kind[k] == name])


main()
