#!/usr/bin/env python3
"""Counts what qualm counts, from the files alone, after a seeded part of their rows was removed.

usage: recount.py QUALM DATA WORKDIR; prints "ok NAME", "not ok NAME: why", "skip NAME: why".
Nothing of qualm's own code or output is used for the expected numbers.
"""
import csv
import glob
import json
import os
import random
import subprocess
import sys

qualm, data, work = sys.argv[1:4]
failed = False


def say(name, got, want):
    global failed
    if got == want:
        print("ok", name)
    else:
        failed = True
        print(f"not ok {name}: qualm has {got}, the files have {want}")


def missing(name, *paths):
    gone = [p for p in paths if not os.path.exists(p)]
    if gone:
        print(f"skip {name}: there is no {os.path.relpath(gone[0], data)} in the data")
    return bool(gone)


def run(args, allowed):
    done = subprocess.run([qualm] + args, capture_output=True, text=True, encoding="utf-8")
    if done.returncode not in allowed:
        raise SystemExit(f"not ok recount: qualm {' '.join(args)} ended with {done.returncode}\n{done.stderr}")
    return done


def load(project, *paths, dataset, allowed=(0,)):
    run(["import", project, *paths, "--dataset", dataset], allowed)


def info(project):
    return json.loads(run(["info", project, "--format", "json"], (0,)).stdout)["datasets"]


def drop_tenth(rows, seed):
    gone = set(random.Random(seed).sample(range(len(rows)), len(rows) // 10))
    return [r for i, r in enumerate(rows) if i not in gone]


def folder(name):
    path = os.path.join(work, name)
    os.makedirs(path, exist_ok=True)
    return path


def runs_of(dataset):
    return {r["handle"]: {k: r[k] for k in ("predictions", "right", "n", "excluded")} for r in dataset["runs"]}


def imagenet_sample(seed):
    src = os.path.join(data, "imagenet-sample")
    if missing("recount_imagenet_sample", os.path.join(src, "items.jsonl")):
        return
    out = folder(f"sample{seed}")
    paths = []
    kept = {}
    for k, path in enumerate([os.path.join(src, "items.jsonl")] + sorted(glob.glob(src + "/pred-*.jsonl"))):
        with open(path, encoding="utf-8") as f:
            lines = drop_tenth(f.read().splitlines(), seed + k)
        paths.append(os.path.join(out, os.path.basename(path)))
        with open(paths[-1], "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
        kept[os.path.basename(path)] = [json.loads(x) for x in lines]
    truth = {r["id"]: r["label_index"] for r in kept.pop("items.jsonl")}
    # The items make up the class list, so an answer that no remaining item bears is outside it.
    classes = set(truth.values())
    want, outcomes = {}, {}
    for rows in kept.values():
        mine = [r for r in rows if r["id"] in truth]
        answered = [r for r in mine if r["prediction_index"] in classes]
        want[mine[0]["model"]] = {
            "predictions": len(mine),
            "right": sum(truth[r["id"]] == r["prediction_index"] for r in mine),
            "n": len(mine),
            "excluded": len(truth) - len(mine),
        }
        outcomes[mine[0]["model"]] = (len(answered), len(mine) - len(answered), len(truth) - len(mine))
    project = os.path.join(out, "s.qualm")
    # Predictions of removed samples are unmatched, so the import says so by its status.
    load(project, *paths, dataset="s", allowed=(1,))
    (d,) = info(project)
    got = {h.split("/")[0]: v for h, v in runs_of(d).items()}
    say(f"recount_imagenet_sample_{seed}_samples", d["samples"], len(truth))
    say(f"recount_imagenet_sample_{seed}_runs", got, want)
    say(
        f"recount_imagenet_sample_{seed}_outcomes",
        {r["handle"].split("/")[0]: tuple(r["outcomes"][o] for o in ("answered", "oop", "missing")) for r in d["runs"]},
        outcomes,
    )


def faces(seed):
    src = os.path.join(data, "gpt4-facial-expressions", "final_results.csv")
    if missing("recount_faces", src):
        return
    out = folder(f"faces{seed}")
    with open(src, encoding="utf-8", newline="") as f:
        reader = csv.DictReader(f)
        names, rows = reader.fieldnames, drop_tenth(list(reader), seed)
    path = os.path.join(out, "final_results.csv")
    with open(path, "w", encoding="utf-8", newline="") as f:
        writer = csv.DictWriter(f, names)
        writer.writeheader()
        writer.writerows(rows)
    keys = {r["img_key"] for r in rows}
    want = []
    for o in ("upright", "inverted"):
        for p in {r["prompt_style"] for r in rows}:
            mine = [r for r in rows if r["orientation"] == o and r["prompt_style"] == p]
            right = sum(r["response"].strip().lower() == r["correct_emotion"].strip().lower() for r in mine)
            assert right == sum(r["correct"] == "True" for r in mine)
            want.append({"predictions": len(mine), "right": right, "n": len(mine), "excluded": len(keys) - len(mine)})
    project = os.path.join(out, "g.qualm")
    load(project, path, dataset="faces")
    (d,) = info(project)
    order = lambda runs: sorted(runs, key=lambda r: (r["predictions"], r["right"]))
    say(f"recount_faces_{seed}_samples", d["samples"], len(keys))
    say(f"recount_faces_{seed}_runs", order(runs_of(d).values()), order(want))


def mme(seed):
    paths = sorted(glob.glob(os.path.join(data, "mme-emotion/MME-Emotion-Dataset/*/question/*.json")))
    if not paths:
        print("skip recount_mme: there are no MME-Emotion questions in the data")
        return
    out = folder(f"mme{seed}")
    per_file, written = {}, []
    for k, path in enumerate(paths):
        with open(path, encoding="utf-8") as f:
            rows = drop_tenth(json.load(f), seed + k)
        written.append(os.path.join(out, os.path.basename(path)))
        with open(written[-1], "w", encoding="utf-8") as f:
            json.dump(rows, f, ensure_ascii=False)
        per_file[os.path.basename(path)] = len({r["video_id"] for r in rows})
    project = os.path.join(out, "m.qualm")
    load(project, *written, dataset="all")
    (d,) = info(project)
    say(f"recount_mme_{seed}_samples", d["samples"], sum(per_file.values()))
    tasks = next(f["values"] for f in d["facets"] if f["name"] == "mme_task")
    say(f"recount_mme_{seed}_tasks", tasks, len(per_file))
    one_by_one = os.path.join(out, "tasks.qualm")
    for path in written:
        load(one_by_one, path, dataset=os.path.basename(path))
    say(f"recount_mme_{seed}_each", {d["name"]: d["samples"] for d in info(one_by_one)}, per_file)


def real(seed):
    files = os.path.join(data, "imagenet-class-files")
    names = os.path.join(files, "imagenet_1k_names.tsv")
    truth = os.path.join(files, "ILSVRC2012_validation_ground_truth.txt")
    labels = os.path.join(data, "imagenet-real", "real.json")
    if missing("recount_real", names, truth, labels):
        return
    with open(names, encoding="utf-8", newline="") as f:
        index = {int(r["ilsvrc_id"]): int(r["idx"]) for r in csv.DictReader(f, delimiter="\t")}
    with open(truth, encoding="utf-8") as f:
        original = [index[int(x)] for x in f.read().split()]
    with open(labels, encoding="utf-8") as f:
        sets = json.load(f)
    for i in random.Random(seed).sample(range(len(sets)), 1000):
        sets[i] = []
    out = folder(f"real{seed}")
    path = os.path.join(out, "real.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump(sets, f)
    want = {"S+": 0, "S-": 0, "M+": 0, "M-": 0, "N": 0}
    for g, s in zip(original, map(set, sets)):
        want["N" if not s else ("S" if len(s) == 1 else "M") + ("+" if g in s else "-")] += 1
    project = os.path.join(out, "r.qualm")
    load(project, names, truth, path, dataset="imagenet")
    (d,) = info(project)
    say(f"recount_real_{seed}", d["categories"], want)


for seed in (20, 77):
    imagenet_sample(seed)
    faces(seed)
    mme(seed)
    real(seed)
sys.exit(failed)
