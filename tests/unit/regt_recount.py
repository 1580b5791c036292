#!/usr/bin/env python3
"""Counts a benchmark's table from its files alone and compares every cell with what qualm printed.

usage: regt_recount.py FOLDER; the folder has classes.tsv, pairs.tsv, original.jsonl,
reannotated.jsonl, pred-*.jsonl and qualm's tables table-POLICY-EQUIV[-batch].csv. Prints how many
cells were compared; a line and status 1 for what differs. Nothing of qualm's own code is used.
"""
import collections
import csv
import functools
import glob
import json
import os
import re
import sys

folder = sys.argv[1]
bad = 0


def rows(name):
    with open(os.path.join(folder, name), encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def table(name):
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f, delimiter="\t" if name.endswith(".tsv") else ","))


names, words, second = {}, [], set()
for row in table("classes.tsv"):
    names.setdefault(row["name"].lower(), set()).add(int(row["idx"]))
    words.append(set(row["name"].lower().split()))
    second.add(row["openai_name"].lower())
partners = {}
for row in table("pairs.tsv"):
    a, b = int(row["c1"]), int(row["c2"])
    partners.setdefault(a, set()).add(b)
    partners.setdefault(b, set()).add(a)
original = {r["id"]: {r["label_index"]} for r in rows("original.jsonl")}
labels = {r["id"]: set(r["label"]) for r in rows("reannotated.jsonl")}


def category(key):
    if key not in labels or key not in original:
        return None
    found = labels[key]
    if not found:
        return "N"
    return ("S" if len(found) == 1 else "M") + ("+" if original[key] <= found else "-")


def kind(text):
    mine = re.sub("[^a-z0-9 ]", " ", text.lower().replace("'", "")).split()
    if mine and any(set(mine) <= w for w in words):
        return "partial"
    if " ".join(mine) in second:
        return "alias"
    return "abstain" if re.search("dont know|not sure|unable to", " ".join(mine)) else "wrong"


runs = {}
for path in sorted(glob.glob(os.path.join(folder, "pred-*.jsonl"))):
    for r in rows(os.path.basename(path)):
        text = r["prediction"]
        hit = names.get(text.strip().lower(), set())
        answers = runs.setdefault(r["model"] + "/" + r["protocol"].lower(), {})
        answers[r["id"]] = (hit, None if hit else kind(text), r["batch_size"])
categories = {key: category(key) for key in original}


LAYERS = ("reannotated", "original", "original+reannotated")


@functools.lru_cache(None)
def admitted(which, equiv):
    truth = labels if which == "labels" else original
    out = {}
    for key, found in truth.items():
        out[key] = set(found).union(*(partners.get(c, ()) for c in found)) if equiv else found
    return out


def judge(hit, allowed, empty):
    """1 right, 0 wrong, None not counted; empty: what an image without labels is worth."""
    if allowed is None:
        return None
    return int(not hit.isdisjoint(allowed)) if allowed else empty


def groups_of(mine, by_batch):
    if by_batch:
        return ("all", mine)
    return ("all",) if mine is None else ("all", "N") if mine == "N" else ("all", mine, mine[0])


def new():
    counts = {layer: [0, 0, 0] for layer in LAYERS}
    return counts, {"n": 0, "oop": 0, "partial": 0, "alias": 0, "abstain": 0, "wrong": 0}


def tell_apart(run, policy, equiv, by_batch):
    """How often each combination of group, verdicts, answer there or not, and kind of oop is."""
    empty = {"right": 1, "wrong": 0, "exclude": None}[policy]
    under, before = admitted("labels", equiv), admitted("original", equiv)
    seen = collections.Counter()
    for key in original:
        answer = runs[run].get(key)
        if answer is None:
            seen["(none)" if by_batch else categories[key], None, None, False, None] += 1
            continue
        hit, oop, batch = answer
        a, b = judge(hit, under.get(key), empty), judge(hit, before[key], empty)
        seen[str(batch) if by_batch else categories[key], a, b, True, oop] += 1
    return seen


def count(run, policy, equiv, by_batch):
    """By group: right, n, left out under each layer; answers, oop and its kinds."""
    out = {}
    for (mine, a, b, there, kind_of), times in tell_apart(run, policy, equiv, by_batch).items():
        verdicts = (a, b, None if a is None or b is None else a & b)
        for group in groups_of(mine, by_batch):
            counts, oop = out.setdefault(group, new())
            for layer, v in zip(LAYERS, verdicts):
                counts[layer][0] += times * (v == 1)
                counts[layer][1] += times * (v is not None)
                counts[layer][2] += times * (v is None)
            oop["n"] += times * there
            if kind_of:
                oop["oop"] += times
                oop[kind_of] += times
    return out


def share(part, whole):
    return part / whole if whole else None


def ranks(counts, layer):
    """Among runs of the same n; nothing where there is no other."""
    out = {}
    for run, c in counts.items():
        right, n, _ = c[layer]
        others = [d[layer] for r, d in counts.items() if r != run and d[layer][1] == n]
        out[run] = 1 + sum(d[0] > right for d in others) if others and n else None
    return out


compared = 0


def compare(where, column, got, want):
    global bad, compared
    compared += 1
    got = None if got == "" else float(got)
    if (got is None) != (want is None) or (want is not None and abs(got - want) > 1e-12):
        bad += 1
        if bad < 20:
            print(f"{where} {column}: qualm has {got}, the files have {want}")


def expected(c, oop, layer, rank, by_batch):
    right, n, left = c[layer]
    want = {"n": n, "right": right, "excluded": left, "accuracy": share(right, n), "rank": rank}
    if not by_batch:
        first = layer == "reannotated"
        a, b = share(*c["reannotated"][:2]), share(*c["original"][:2])
        want["delta"] = a - b if first and a is not None and b is not None else None
        want["oop"] = share(oop["oop"], oop["n"]) if first else None
        for k in ("partial", "alias", "abstain", "wrong"):
            want["oop_" + k] = share(oop[k], oop["oop"]) if first else None
    return want


def check(name, policy, equiv, by_batch):
    got = {(r["run"], r["group"], r["layer"]): r for r in table(name)}
    counted = {run: count(run, policy, equiv, by_batch) for run in runs}
    for group in set().union(*counted.values()):
        here = {run: counted[run].get(group, new()) for run in runs}
        for layer in LAYERS[:1] if by_batch else LAYERS:
            rank = ranks({run: c[0] for run, c in here.items()}, layer)
            for run, (c, oop) in here.items():
                row = got.pop((run, group, layer))
                for column, value in expected(c, oop, layer, rank[run], by_batch).items():
                    compare(f"{name}: {run} {group} {layer}", column, row[column], value)
    for key in got:
        compare(f"{name}: {key}", "row", "1", None)


for path in sorted(glob.glob(os.path.join(folder, "table-*.csv"))):
    name = os.path.basename(path)
    policy, equiv = name[:-4].split("-")[1:3]
    check(name, policy, equiv == "on", name.endswith("-batch.csv"))
print(f"{compared} cells compared, {bad} differ")
sys.exit(bad > 0)
