#!/usr/bin/env python3
"""MEMO-Bench by code: writes seeded files, imports them, and counts every cell of the table apart.

usage: recount_memo.py QUALM DATA WORKDIR; prints "ok NAME", "not ok NAME: why", "skip NAME: why".
Nothing of qualm's own code or output is used for the expected numbers. Formulas: MEMO-Bench (1) to
(4) and §5.1; the screening of raters: ITU-R BT.500-13, Annex 2, 2.3.1.
"""
import csv
import glob
import itertools
import json
import math
import os
import random
import subprocess
import sys
from collections import Counter, defaultdict

qualm, data, work = sys.argv[1:4]
failed = False
rnd = random.Random(20240711)

EMOTIONS = ["happiness", "sadness", "worry", "neutrality", "surprise", "anger"]
WRITTEN = dict(zip(EMOTIONS, ["happy", "sad", "worry", "neutral", "surprise", "angry"]))
GENERATORS = ["APA", "DL3", "FCS", "FLU", "KDS", "ODE", "PTS", "SD1", "SD2", "SDX", "SD3", "SGA"]
Z = 1.959963984540054


def say(name, why):
    global failed
    failed |= bool(why)
    print(f"not ok {name}: {why}" if why else f"ok {name}")


def run(*args):
    done = subprocess.run([qualm, *args], capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise SystemExit(f"not ok memo: qualm {' '.join(args)} ended with {done.returncode}\n{done.stderr}")
    return done


def path(name):
    return os.path.join(work, name)


def table(project, *args):
    return json.loads(run("report", project, "accuracy", "--format", "json", *args).stdout)


def ids(project, *args):
    return set(run("export", project, "--format", "ids", *args).stdout.split())


# --- the files ---

def make_samples():
    samples = []
    for generator, emotion in itertools.product(GENERATORS, EMOTIONS):
        for k in range(14):
            if rnd.random() < 0.02:
                continue  # generation failed, and there is no picture
            seen = emotion if rnd.random() < 0.55 else rnd.choice(EMOTIONS)
            samples.append({
                "key": f"{generator}_{WRITTEN[emotion]}_{k:03d}", "generator": generator, "prompt": emotion,
                "seen": seen if rnd.random() > 0.02 else None,
                "degree": round(min(5, max(0, rnd.gauss(2.8, 1.2))), rnd.choice([1, 2, 4])),
                "quality": round(rnd.uniform(0, 5), 3),
            })
    return samples


def answer_of(sample, skill, style):
    seen = sample["seen"] or sample["prompt"]
    emotion = seen if rnd.random() < skill else rnd.choice(EMOTIONS)
    degree = min(5, max(0, sample["degree"] + rnd.gauss(0, 1.3)))
    degree = round(degree) if style == "whole" else round(degree * 2) / 2
    word = rnd.choice([emotion, WRITTEN[emotion], emotion.upper(), WRITTEN[emotion].title()])
    luck = rnd.random()
    if luck < 0.04:
        return {"answer": "boredom", "class": None, "outcome": "oop", "degree": degree}
    if luck < 0.07:
        return {"answer": "", "class": None, "outcome": "empty", "degree": None}
    if luck < 0.09:
        return None
    return {"answer": word, "class": emotion, "outcome": "answered", "degree": degree if rnd.random() > 0.05 else None}


def write_annotations(samples):
    with open(path("annotation_emo.csv"), "w", encoding="utf-8-sig", newline="") as f:
        w = csv.writer(f, lineterminator="\r\n")
        w.writerow(["Image", "Score", "Distortions"])
        for s in samples:
            w.writerow([s["key"] + ".png", s["degree"], WRITTEN[s["seen"]] if s["seen"] else ""])
    with open(path("annotation_quality.csv"), "w", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(["Image", "Quality"])
        for s in rnd.sample(samples, len(samples)):
            w.writerow([s["key"], s["quality"]])


def write_answers(samples, runs):
    for name, (skill, style) in runs.items():
        answers = {s["key"]: answer_of(s, skill, style) for s in samples}
        runs[name] = answers
        if style == "whole":
            with open(path(f"pred-{name}.jsonl"), "w") as f:
                for key in rnd.sample(list(answers), len(answers)):
                    a = answers[key]
                    if a:
                        f.write(json.dumps({"id": key, "model": name, "prediction": a["answer"],
                                            "degree": a["degree"]}) + "\n")
        else:
            with open(path(f"pred-{name}.csv"), "w", newline="") as f:
                w = csv.writer(f)
                w.writerow(["image", "model", "prediction", "predicted_degree"])
                for key, a in answers.items():
                    if a:
                        w.writerow([key + ".png", name, a["answer"], "" if a["degree"] is None else a["degree"]])


# --- counting apart ---

def wilson(k, n):
    if not n:
        return 0.0, 1.0
    p, d = k / n, 1 + Z * Z / n
    middle, half = p + Z * Z / (2 * n), Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    return max(0.0, (middle - half) / d), min(1.0, (middle + half) / d)


def pearson(x, y):
    mx, my = math.fsum(x) / len(x), math.fsum(y) / len(y)
    sxy = math.fsum((a - mx) * (b - my) for a, b in zip(x, y))
    return sxy / math.sqrt(math.fsum((a - mx) ** 2 for a in x) * math.fsum((b - my) ** 2 for b in y))


def ranks(x):
    return [sum(b < a for b in x) + (sum(b == a for b in x) + 1) / 2 for a in x]


def tau_b(x, y):
    concordant = discordant = tied_x = tied_y = 0
    for i in range(len(x)):
        for j in range(i):
            a, b = (x[i] > x[j]) - (x[i] < x[j]), (y[i] > y[j]) - (y[i] < y[j])
            concordant += a * b > 0
            discordant += a * b < 0
            tied_x += a == 0
            tied_y += b == 0
    pairs = len(x) * (len(x) - 1) // 2
    return (concordant - discordant) / math.sqrt((pairs - tied_x) * (pairs - tied_y))


def close(a, b):
    return (a is None and b is None) or (a is not None and b is not None and abs(a - b) <= 1e-9 * max(1, abs(a), abs(b)))


def cells(right, n, population):
    lo, hi = wilson(right, n)
    return {"right": right, "n": n, "excluded": population - n, "accuracy": right / n if n else None,
            "lo": lo if n else None, "hi": hi if n else None}


def understood(samples, answers):
    """{group: cells}: truth is what most annotators see; a refusal or a blank answer is wrong."""
    out = {}
    for group in ["all"] + EMOTIONS:
        members = [s for s in samples if group in ("all", s["seen"])]
        counted = [s for s in members if s["seen"] and answers[s["key"]]]
        right = [s for s in counted if answers[s["key"]]["class"] == s["seen"]]
        out[group] = cells(len(right), len(counted), len(members))
        if group == "all":
            out[group].update(fine(right, answers))
    return out


def fine(right, answers):
    pairs = [(answers[s["key"]]["degree"], s["degree"]) for s in right if answers[s["key"]]["degree"] is not None]
    x, y = [p[0] for p in pairs], [p[1] for p in pairs]
    return {"n_fine": len(pairs), "srcc": pearson(ranks(x), ranks(y)), "plcc": pearson(x, y), "krcc": tau_b(x, y),
            "rmse": math.sqrt(math.fsum((a - b) ** 2 for a, b in pairs) / len(pairs))}


def generated(samples):
    """{(generator, group): cells}: what annotators see, judged by what the prompt asked for."""
    out = {}
    for generator, group in itertools.product(["all"] + GENERATORS, ["all"] + EMOTIONS):
        members = [s for s in samples if generator in ("all", s["generator"]) and group in ("all", s["prompt"])]
        counted = [s for s in members if s["seen"]]
        out[generator, group] = cells(sum(s["seen"] == s["prompt"] for s in counted), len(counted), len(members))
    return out


def compare(name, rows, want):
    """rows by key against the wanted cells: each there once, none beside them."""
    got = {}
    for row in rows:
        key = (row["run"], row["generator"], row["group"])
        if key in got:
            return say(name, f"{key} twice")
        got[key] = row
    if set(got) != set(want):
        return say(name, f"rows differ: {sorted(set(got) ^ set(want))[:5]}")
    bad = [(key, column, got[key][column], value) for key, w in want.items() for column, value in w.items()
           if not close(got[key][column], value)]
    say(name, f"{bad[:4]} (of {len(bad)})" if bad else "")
    return None


# --- raw ratings ---

def write_ratings(samples):
    """Ten fair raters, two who say the opposite or anything, one who says 3 only; votes that tie."""
    raters, long, wide = [f"r{k:02d}" for k in range(13)], [], {}
    for s in samples:
        wide[s["key"]] = row = {}
        for k, rater in enumerate(raters):
            if rnd.random() < 0.15:
                continue
            truth = s["degree"] if k < 10 else rnd.uniform(0, 5) if k == 10 else 5 - s["degree"]
            degree = 3 if k == 12 else min(5, max(0, round(truth + rnd.gauss(0, 0.5 if k < 10 else 0.1))))
            emotion = (s["seen"] or s["prompt"]) if rnd.random() < 0.5 else rnd.choice(EMOTIONS)
            long.append((s["key"] + ".png", rater, WRITTEN[emotion], degree))
            row[rater] = min(5, max(0, round(s["quality"] + rnd.gauss(0, 1))))
    with open(path("ratings.csv"), "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["image", "rater", "emotion", "degree"])
        w.writerows(rnd.sample(long, len(long)))
    with open(path("quality_ratings.csv"), "w", newline="") as f:
        w = csv.writer(f, delimiter=";")
        w.writerow(["Image"] + raters)
        for key, row in wide.items():
            w.writerow([key + ".png"] + [row.get(r, "") for r in raters])
    degree = [(key[:-4], rater, value) for key, rater, _, value in long]
    quality = [(key, rater, value) for key, row in wide.items() for rater, value in row.items()]
    votes = defaultdict(Counter)
    for key, _, word, _ in long:
        votes[key[:-4]][EMOTIONS[list(WRITTEN.values()).index(word)]] += 1
    return degree, quality, votes


def mos(ratings):
    """{sample: score}, raters that are rejected."""
    by_item, by_rater = defaultdict(list), defaultdict(list)
    for item, rater, value in ratings:
        by_item[item].append((rater, value))
        by_rater[rater].append((item, value))
    far = {}
    for item, rows in by_item.items():
        v = [x for _, x in rows]
        m = sum(v) / len(v)
        m2, m4 = sum((x - m) ** 2 for x in v) / len(v), sum((x - m) ** 4 for x in v) / len(v)
        sd = math.sqrt(sum((x - m) ** 2 for x in v) / (len(v) - 1)) if len(v) > 1 else 0
        kurtosis = m4 / m2 ** 2 if m2 else 0
        far[item] = (m, sd, 2 * sd if 2 <= kurtosis <= 4 else math.sqrt(20) * sd)
    rejected, z = set(), defaultdict(list)
    for rater, rows in by_rater.items():
        p = sum(far[i][1] > 0 and x >= far[i][0] + far[i][2] for i, x in rows)
        q = sum(far[i][1] > 0 and x <= far[i][0] - far[i][2] for i, x in rows)
        if p + q and (p + q) / len(rows) > 0.05 and abs(p - q) / (p + q) < 0.3:
            rejected.add(rater)
    for rater, rows in by_rater.items():
        v = [x for _, x in rows]
        m = sum(v) / len(v)
        sd = math.sqrt(sum((x - m) ** 2 for x in v) / (len(v) - 1)) if len(v) > 1 else 0
        if sd and rater not in rejected:
            for item, x in rows:
                z[item].append((x - m) / sd)
    return {item: min(5, max(0, 5 * (sum(v) / len(v) + 3) / 6)) for item, v in z.items()}, rejected


def check_facet(name, exported, facet, want):
    bad = [(k, exported[k]["facets"].get(facet), v) for k, v in want.items()
           if not close(exported[k]["facets"].get(facet), v)]
    more = [k for k, row in exported.items() if facet in row["facets"] and k not in want]
    say(name, f"{bad[:3]} {more[:3]}" if bad or more else "")


# --- the tests ---

def check_table(samples, runs):
    project = path("memo.qualm")
    run("import", project, path("annotation_quality.csv"), path("annotation_emo.csv"),
        *glob.glob(path("pred-*")), "--dataset", "memo", "--facet", "generator=^([^_]+)_",
        "--facet", "prompt=^[^_]+_([^_]+)_")
    rows = table(project)
    want = {}
    for name, answers in runs.items():
        want.update({(name, "all", group): c for group, c in understood(samples, answers).items()})
    compare("memo_understanding", [r for r in rows if r["layer"] == "original"], want)
    want = {("layer:original", *key): c for key, c in generated(samples).items()}
    compare("memo_generation", [r for r in rows if r["layer"] == "prompt"], want)
    check_under_a_filter(project, samples, runs)
    check_errors(project, samples)
    check_degree_words(project, samples, runs)


def check_under_a_filter(project, samples, runs):
    some = [s for s in samples if s["generator"] in ("FLU", "SD1") and s["quality"] > 1.5]
    rows = table(project, "--filter", "generator:FLU,SD1 quality>1.5", "--run", "layer:original",
                 "--lens", "layer=prompt")
    want = {("layer:original", *key): c for key, c in generated(some).items()}
    compare("memo_generation_filtered", rows, want)
    name = next(iter(runs))
    rows = [r for r in table(project, "--filter", "generator:FLU,SD1 quality>1.5", "--run", name)]
    compare("memo_understanding_filtered", rows,
            {(name, "all", group): c for group, c in understood(some, runs[name]).items()})


def check_errors(project, samples):
    """GERR_kl: the rows of the confusion matrix of one generator."""
    rows = json.loads(run("report", project, "confusion", "--run", "layer:original", "--lens", "layer=prompt",
                          "--filter", "generator:KDS", "--format", "json").stdout)
    got = {(r["truth"], r["answer"]): r["count"] for r in rows if r["answer"] in EMOTIONS}
    want = Counter((s["prompt"], s["seen"]) for s in samples if s["generator"] == "KDS" and s["seen"])
    say("memo_generation_errors", "" if got == dict(want) else f"{sorted(got.items() ^ want.items())[:4]}")


def check_degree_words(project, samples, runs):
    for name, answers in runs.items():
        want = {s["key"] for s in samples
                if answers[s["key"]] and (answers[s["key"]]["degree"] or 0) >= 4 and s["degree"] < 3}
        got = ids(project, "--filter", f"degree@{name}>=4 .degree<3")
        say(f"memo_degree_words_{name}", "" if got == want else f"{len(got)} samples, not {len(want)}")


def check_ratings(samples):
    project = path("ratings.qualm")
    degree, quality, votes = write_ratings(samples)
    told = run("import", project, path("quality_ratings.csv"), path("ratings.csv"), "--dataset", "memo").stderr
    exported = {r["id"]: r for r in map(json.loads, run("export", project, "--format", "jsonl").stdout.splitlines())}
    for facet, ratings in (("degree", degree), ("quality", quality)):
        want, rejected = mos(ratings)
        check_facet(f"memo_mos_{facet}", exported, facet, want)
        words = f"rejected {len(rejected)}" + (f" ({', '.join(sorted(rejected))})" if rejected else "")
        line = next((x for x in told.splitlines() if f"{facet}: " in x and "BT.500" in x), "")
        got = line.split("BT.500 ")[-1].split(";")[0]
        say(f"memo_rejected_{facet}", "" if sorted(got) == sorted(words) else f"{line!r}, not {words!r}")
    if not mos(degree)[1]:
        say("memo_rejected_some", "the screening rejected nobody, so that it was not tested")
    top = {k: {e for e, n in c.items() if n == max(c.values())} for k, c in votes.items()}
    bad = [k for k, row in exported.items() if set(row["labels"].get("original", [])) != top.get(k, set())]
    say("memo_majority", f"{bad[:3]} of {len(bad)}" if bad else "")
    if not any(len(t) > 1 for t in top.values()):
        say("memo_ties", "no votes tie, so that they were not tested")


def check_published():
    """The publication's own files, when they are there: one sample a row, nothing passed over."""
    found = glob.glob(os.path.join(data, "**", "annotation_emo.csv"), recursive=True)
    if not found:
        print("skip memo_published: there is no annotation_emo.csv in the data")
        return
    with open(found[0], encoding="utf-8-sig", newline="") as f:
        rows = list(csv.DictReader(f))
    project = path("published.qualm")
    run("import", project, found[0], "--dataset", "memo")
    info = json.loads(run("info", project, "--format", "json").stdout)["datasets"][0]
    keys = {os.path.splitext(os.path.basename(r["Image"].replace("\\", "/")))[0] for r in rows}
    say("memo_published", "" if info["samples"] == len(keys) else f"{info['samples']} samples, not {len(keys)}")


samples = make_samples()
runs = {"gpt": (0.7, "whole"), "gemini": (0.6, "half"), "otter": (0.35, "whole")}
write_annotations(samples)
write_answers(samples, runs)
check_table(samples, runs)
check_ratings(samples)
check_published()
sys.exit(failed)
