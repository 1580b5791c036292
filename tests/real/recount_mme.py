#!/usr/bin/env python3
"""Writes MME-Emotion's three stages of files, people's marks and tables of votes from a seed, lets
qualm read them, and counts from the files alone what its tables must say.

usage: recount_mme.py QUALM DATA WORKDIR; prints "ok NAME", "not ok NAME: why", "skip NAME: why".
Nothing of qualm's own code or output is used for the expected numbers.
"""
import csv
import glob
import itertools
import json
import math
import os
import random
import re
import subprocess
import sys

qualm, data, work = sys.argv[1:4]
failed = False
rng = random.Random(20260603)

TASKS = {  # by the questions' label_set, as published
    "ER_Lab": ["Anger", "Sadness", "Surprise", "Happiness", "Excited", "Fear", "Neutral", "Other"],
    "ER_Wild": ["angry", "happy", "sad", "surprised", "disgusted", "fear", "neutral"],
    "Noise_ER": ["happy", "neutral", "angry", "surprise", "sad", "worried"],
    "FG_ER": ["Excitement", "Engagement", "Pain", "Doubt/Confusion", "Peace", "Yearning"],
    "ML_ER": ["happy", "fear", "disgust", "anger", "sad", "surprise"],
    "SA": ["neutral", "positive", "negative"],
    "FG_SA": ["very strong negative", "strong negative", "negative", "neutral", "positive", "strong positive"],
    "IR": ["neutral", "questioning", "consoling", "suggesting", "wishing"],
}
MANY = {"FG_ER": ";", "ML_ER": ","}
MERGED = {"angry": "anger", "disgusted": "disgust", "happy": "happiness", "sad": "sadness", "surprised": "surprise"}
MODELS = ["gpt4o", "qwen2.5_omni_7b"]


def say(name, ok, why=""):
    global failed
    failed |= not ok
    print(f"ok {name}" if ok else f"not ok {name}: {why}")


def run(*args, allowed=(0,)):
    done = subprocess.run([qualm, *args], capture_output=True, text=True, encoding="utf-8")
    if done.returncode not in allowed:
        raise SystemExit(f"not ok mme: qualm {' '.join(args)} ended with {done.returncode}\n{done.stderr}")
    return done


def merged(label):
    return MERGED.get(label.lower(), label.lower())


def close(a, b, within=1e-6):
    return a is None and b is None or a is not None and b is not None and abs(a - b) <= within


# --- the files ---

def question(task, i):
    labels = TASKS[task]
    n = rng.randint(1, 3) if task in MANY else 1
    label = MANY.get(task, ",").join(rng.sample(labels, n))
    return {"video_id": f"SRC{i % 3}/video/{i:04d}.mp4", "label": label, "label_set": labels}


def bad_marks():
    return rng.choice([None, "I cannot rate this.", "<score>Step 1: 1/1", "Step 1: 1/1, Step 2: 0/1",
                       "<score>Step 1: 1/1,\nStep 2: 0/1</score>", "<score></score>"])


def answer(task, q):
    truths = q["label"].split(MANY[task]) if task in MANY else [q["label"]]
    said = rng.sample(q["label_set"], rng.randint(1, 3) if task in MANY else 1)
    if rng.random() < 0.5:
        said = list(truths)
    sort = "sentiment" if task.endswith("SA") else "intent" if task == "IR" else "emotion"
    last = f"The predicted {sort}{'s are' if len(said) > 1 else ' is'} {', '.join(said)}."
    if rng.random() < 0.04:
        said, last = [], "None"
    thoughts = [rng.choice(["The face is tense.", "The voice rises.", "He looks away.", "The room is dark."])
                for _ in range(rng.choice([0, 0, 1, 2, 3, 5]))]
    steps = " ".join(f"Step {k}: {t}" for k, t in enumerate(thoughts + [last], 1))
    marks = [f"{int(rng.random() < 0.7)}/1" for _ in thoughts]
    hits = sum(t in said for t in truths)
    if rng.random() < 0.1:  # the judge is not qualm
        hits = rng.randint(0, len(truths))
    marks.append(f"{hits}/{len(truths)}")
    score = "<score>" + ", ".join(f"Step {k}: {m}" for k, m in enumerate(marks, 1)) + "</score>"
    return {
        "video_id": q["video_id"], "ground_truth": q["label"],
        "model_response": " ".join(thoughts + [last]), "label_set": q["label_set"],
        "step": f"<step>{steps}</step>", "score": bad_marks() if rng.random() < 0.07 else score,
        "response_tokens": rng.randint(1, 400), "input_tokens": 900, "output_tokens": rng.randint(10, 60),
        "_said": said, "_truths": truths,
    }


STAGES = [("", ["video_id", "ground_truth", "model_response", "label_set", "response_tokens"]),
          ("_step", ["video_id", "ground_truth", "model_response", "step"]),
          ("_eval", ["video_id", "ground_truth", "model_response", "step", "score", "input_tokens",
                     "output_tokens"])]


def write_files(folder):
    answers = {m: [] for m in MODELS}
    questions = []
    files = {0: [], 1: [], 2: []}
    for task in TASKS:
        qs = [question(task, i) for i in range(rng.randint(30, 60))]
        path = os.path.join(folder, f"{task}.json")
        json.dump(qs, open(path, "w"))
        questions.append(path)
        for model in MODELS:
            rows = [answer(task, q) for q in qs]
            answers[model] += [(task.replace("_", "-"), r) for r in rows]
            for stage, (suffix, fields) in enumerate(STAGES):
                name = "ER_SL_Wild" if task == "ER_Wild" and stage == 2 else task
                path = os.path.join(folder, f"{name}_{model}{suffix}.json")
                json.dump([{k: r[k] for k in fields} for r in rows], open(path, "w"), indent=stage or None)
                files[stage].append(path)
    return questions, files, answers


# --- counting ---

def marks_of(score):
    found = re.search(r"<score>(.*?)</score>", str(score))
    return [int(a) / int(b) if int(b) else 0.0
            for a, b in re.findall(r":\s*(\d+)/(\d+)", found.group(1))] if found else []


def scores(rows, alpha=0.5, zero=False):
    """rows: answers. What a row of the table must say of them."""
    rec, rea, steps, unread = [], [], [], 0
    for r in rows:
        marks = marks_of(r["score"])
        if not marks:
            unread += 1
            continue
        rec.append(marks[-1])
        rea.append(sum(marks[:-1]) / (len(marks) - 1) if len(marks) > 1 else 0.0)
        steps.append(len(marks))
    n = len(rec) + (unread if zero else 0)
    mean = lambda v, n: sum(v) / n if n else None
    rec_s, rea_s = mean(rec, n), mean(rea, n)
    return {
        "judged": len(rec), "unparsed": unread, "rec": rec_s, "rea": rea_s, "steps": mean(steps, len(rec)),
        "cot": alpha * rec_s + (1 - alpha) * rea_s if n else None,
        "tokens": mean([r["response_tokens"] for r in rows], len(rows)),
        "judge_tokens": mean([r["output_tokens"] for r in rows], len(rows)),
        "n": len(rows), "right": sum(all(merged(t) in map(merged, r["_said"]) for t in r["_truths"]) for r in rows),
    }


def handle(model):
    return f"{model}/mme"


def compare(name, table, wanted):
    """wanted: {(run, group): {column: number}}."""
    got = {(r["run"], r["group"].lower()): r for r in table}
    bad = []
    for (run_, group), columns in wanted.items():
        row = got.get((run_, group.lower()))
        for column, value in columns.items():
            if row is None or not close(row.get(column), value):
                bad.append(f"{run_} {group} {column}: {row and row.get(column)}, not {value}")
    say(name, not bad and len(got) == len(wanted), "; ".join(bad[:4]) or f"{len(got)} rows, not {len(wanted)}")


def report(project, *args):
    return json.loads(run("report", project, *args, "--format", "json").stdout)


def count_tables(project, answers):
    for alpha, zero in ((0.5, False), (0.3, True)):
        args = ["--alpha", str(alpha), "--unparsed-marks", "zero" if zero else "skip"]
        by_task, by_label, crossed = {}, {}, {}
        for model, rows in answers.items():
            tasks = sorted({t for t, _ in rows})
            labels = sorted({merged(x) for _, r in rows for x in r["_truths"]})
            everything = scores([r for _, r in rows], alpha, zero)
            by_task[handle(model), "all"] = by_label[handle(model), "all"] = everything
            for t in tasks:
                by_task[handle(model), t] = scores([r for u, r in rows if u == t], alpha, zero)
            for x in labels:
                by_label[handle(model), x] = scores(
                    [r for _, r in rows if x in map(merged, r["_truths"])], alpha, zero)
        compare(f"mme_by_task_{alpha}", report(project, "accuracy", *args), by_task)
        rows = report(project, "accuracy", "--by", "class", *args)
        # classes of other label sets that nothing here bears have empty rows
        rows = [r for r in rows if (r["run"], r["group"].lower()) in by_label or r["n"]]
        compare(f"mme_by_label_{alpha}", rows, by_label)


def count_filters(project, answers):
    model = MODELS[0]
    rows = [r for _, r in answers[model]]
    marks = [marks_of(r["score"]) for r in rows]
    wanted = {
        "judge": sum(bool(m) for m in marks),
        "judge:right": sum(bool(m) and m[-1] >= 1 for m in marks),
        "judge:wrong": sum(bool(m) and m[-1] < 1 for m in marks),
        "judge:unparsed": sum(not m for m in marks),
        "step": sum(len(m) > 1 for m in marks),
        "step:wrong": sum(any(x < 1 for x in m[:-1]) for m in marks),
        "step:right": sum(len(m) > 1 and all(x == 1 for x in m[:-1]) for m in marks),
        "rec<1": sum(bool(m) and m[-1] < 1 for m in marks),
        "rea<0.5": sum(bool(m) and (sum(m[:-1]) / (len(m) - 1) if len(m) > 1 else 0) < 0.5 for m in marks),
        "steps>3": sum(r["step"].count("Step ") > 3 for r in rows),
        "tokens>200": sum(r["response_tokens"] > 200 for r in rows),
        "refused": sum(not r["_said"] for r in rows),
        "judge:right wrong": sum(
            bool(m) and m[-1] >= 1 and not all(merged(t) in map(merged, r["_said"]) for t in r["_truths"])
            for m, r in zip(marks, rows)),
    }
    bad = []
    for text, n in wanted.items():
        got = len(run("export", project, "--run", handle(model), "--format", "ids", "--filter", text).stdout.split())
        if got != n:
            bad.append(f"{text}: {got}, not {n}")
    say("mme_filters", not bad, "; ".join(bad))


def stored(project):
    sql = ("SELECT sample, run, outcome, classes, tokens, numbers, raw, extracted, steps, marks, people "
           "FROM prediction ORDER BY run, sample")
    return run("sql", project, sql).stdout


def three_stages():
    folder = os.path.join(work, "mme")
    os.makedirs(folder)
    questions, files, answers = write_files(folder)
    everything = questions + files[0] + files[1] + files[2]
    first = None
    for k, order in enumerate(itertools.permutations(range(3))):
        project = os.path.join(work, f"mme{k}.qualm")
        run("import", project, *questions)
        for stage in order:
            run("import", project, *rng.sample(files[stage], len(files[stage])))
        first = first or project
        if k:
            say(f"mme_order_{''.join(map(str, order))}", stored(project) == stored(first), "it is another run")
    project = os.path.join(work, "mme_once.qualm")
    shuffled = files[0] + files[1] + files[2]
    rng.shuffle(shuffled)
    run("import", project, *shuffled, *questions)
    say("mme_all_at_once", stored(project) == stored(first), "it is another run")
    again = run("import", project, *everything).stderr
    say("mme_again", "nothing changed" in again and stored(project) == stored(first), again[-200:])
    unread = sum(not marks_of(r["score"]) for _, r in answers[MODELS[0]])
    told = sum(int(m.group(1)) for p in files[2] if MODELS[0] in p for m in re.finditer(
        r"the marks of (\d+) of", run("import", project, p).stderr))
    say("mme_unread_is_told", told == unread, f"{told}, not {unread}")
    say("mme_check", run("check", project).returncode == 0)
    late = os.path.join(work, "mme_late.qualm")  # answers alone make their samples
    run("import", late, *files[2], *files[0], "--dataset", "late")
    count_tables(late, answers)
    count_tables(project, answers)
    count_filters(project, answers)
    people(project, folder, answers)


# --- the judge against people ---

def ranks(v):
    order = sorted(range(len(v)), key=lambda i: v[i])
    out = [0.0] * len(v)
    i = 0
    while i < len(v):
        j = i
        while j < len(v) and v[order[j]] == v[order[i]]:
            j += 1
        for k in range(i, j):
            out[order[k]] = (i + 1 + j) / 2
        i = j
    return out


def pearson(x, y):
    mx, my = sum(x) / len(x), sum(y) / len(y)
    top = sum((a - mx) * (b - my) for a, b in zip(x, y))
    return top / math.sqrt(sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y))


def kappa(x, y):
    n = len(x)
    chance = sum(x.count(c) / n * (y.count(c) / n) for c in set(x) | set(y))
    return (sum(a == b for a, b in zip(x, y)) / n - chance) / (1 - chance)


def icc21(x, y):
    n, k = len(x), 2
    mean = (sum(x) + sum(y)) / (n * k)
    rows = sum(k * ((a + b) / k - mean) ** 2 for a, b in zip(x, y))
    columns = sum(n * (sum(c) / n - mean) ** 2 for c in (x, y))
    rest = sum((v - mean) ** 2 for v in x + y) - rows - columns
    msr, msc, mse = rows / (n - 1), columns / (k - 1), rest / ((n - 1) * (k - 1))
    return (msr - mse) / (msr + (k - 1) * mse + k * (msc - mse) / n)


def people(project, folder, answers):
    model = MODELS[1]
    pairs = {"all": [], "reasoning": [], "answer": []}
    left_out = dict.fromkeys(pairs, 0)
    path = os.path.join(folder, "people.csv")
    with open(path, "w", newline="") as f:
        out = csv.writer(f)
        out.writerow(["task", "video_id", "human_score"])
        for task, r in rng.sample(answers[model], 150):
            judge = marks_of(r["score"])
            n = len(judge) or rng.randint(1, 4)
            marks = [int(x >= 1) if rng.random() < 0.85 else rng.randint(0, 1) for x in judge or [0] * n]
            out.writerow([task, r["video_id"], json.dumps(marks)])
            for k, m in enumerate(marks):
                for group in ("all", "reasoning" if k < n - 1 else "answer"):
                    if judge:
                        pairs[group].append((judge[k], float(m)))
                    else:
                        left_out[group] += 1
    run("import", project, path, "--model", model)
    say("people_again", "nothing changed" in run("import", project, path, "--model", model).stderr)
    wanted = {}
    for group, p in pairs.items():
        x, y = [a for a, _ in p], [b for _, b in p]
        wanted[handle(model), group] = {
            "n": len(p), "right": sum(a == b for a, b in p), "excluded": left_out[group],
            "spearman": pearson(ranks(x), ranks(y)), "kappa": kappa(x, y), "icc": icc21(x, y)}
    compare("judge_against_people", report(project, "judge"), wanted)


# --- votes ---

FER = ["neutral", "happiness", "surprise", "sadness", "anger", "disgust", "fear", "contempt", "unknown", "NF"]


def kl(p, q, alpha):
    p, q = [x / sum(p) for x in p], [x / sum(q) for x in q]
    p, q = [x + alpha for x in p], [x + alpha for x in q]
    p, q = [x / sum(p) for x in p], [x / sum(q) for x in q]
    return sum(a * math.log2(a / b) for a, b in zip(p, q) if a > 0)


def distances(p, q):
    ps, qs = [x / sum(p) for x in p], [x / sum(q) for x in q]
    half = [(a + b) / 2 for a, b in zip(ps, qs)]
    plain = lambda a, b: sum(x * math.log2(x / y) for x, y in zip(a, b) if x > 0)
    return {"kl": kl(p, q, 0.01), "js": (plain(ps, half) + plain(qs, half)) / 2,
            "l1": sum(abs(a - b) for a, b in zip(ps, qs)),
            "cosine": sum(a * b for a, b in zip(ps, qs)) / math.sqrt(sum(a * a for a in ps) * sum(b * b for b in qs))}


def votes():
    folder = os.path.join(work, "votes")
    os.makedirs(folder)
    samples = []
    for i in range(300):
        v = [0] * 10
        for _ in range(10):
            v[min(int(abs(rng.gauss(i % 9, 1.2))), 9)] += 1
        name = "" if rng.random() < 0.03 else f"fer{i:07d}.png"
        if i == 200:
            name = samples[199]["name"] or name
        taken = name == "" or name in [s["name"] for s in samples]
        samples.append({"name": name, "key": f"row{i:05d}" if taken else name, "votes": v,
                        "usage": "Training" if i % 3 else "PublicTest"})
    files = [os.path.join(folder, n) for n in ("fer2013new.csv", "one.jsonl", "shares.csv")]
    with open(files[0], "w", newline="") as f:
        csv.writer(f).writerows([["Usage", "Image name", *FER]] +
                                [[s["usage"], s["name"], *s["votes"]] for s in samples])
    runs = {"one": [], "shares": []}
    with open(files[1], "w") as f:
        for s in samples:
            c = rng.randrange(10) if rng.random() < 0.5 else s["votes"].index(max(s["votes"]))
            lost = rng.random() < 0.05
            runs["one"].append(None if lost else [float(k == c) for k in range(10)])
            f.write(json.dumps({"id": s["key"], "prediction": "no idea" if lost else FER[c], "model": "one"}) + "\n")
    with open(files[2], "w", newline="") as f:
        out = csv.writer(f)
        out.writerow(["id", *FER])
        for s in samples:
            q = [round((x + rng.random()) / 10, 3) for x in s["votes"]]
            runs["shares"].append(q)
            out.writerow([s["key"], *q])
    project = os.path.join(work, "votes.qualm")
    run("import", project, files[0], files[1])
    run("import", project, files[2], "--model", "shares")
    say("votes_again", "nothing changed" in run("import", project, files[0], files[1]).stderr)
    wanted = {}
    for name, answers in runs.items():
        for group in ("all", "Training", "PublicTest"):
            rows = [(s, q) for s, q in zip(samples, answers) if group in ("all", s["usage"])]
            top = lambda v: {k for k in range(10) if v[k] == max(v)}
            said = [(s, q) for s, q in rows if q]
            d = [distances(s["votes"], q) for s, q in said]
            wanted[name, group] = {
                "n": len(rows), "right": sum(bool(top(s["votes"]) & top(q)) for s, q in said), "compared": len(said),
                **{k: sum(x[k] for x in d) / len(d) for k in ("kl", "js", "l1", "cosine")}}
    compare("votes_by_usage", report(project, "accuracy", "--by", "usage"), wanted)
    say("votes_check", run("check", project).returncode == 0)
    by_row(folder, samples)


def by_row(folder, samples):
    """fer2013.csv's rows and FER+'s lie beside each other."""
    order = ["anger", "disgust", "fear", "happiness", "sadness", "surprise", "neutral"]
    path = os.path.join(folder, "fer2013.csv")
    labels = [rng.randrange(7) for _ in samples]
    with open(path, "w", newline="") as f:
        csv.writer(f).writerows([["emotion", "pixels", "Usage"]] +
                                [[c, "70 80 82", s["usage"]] for c, s in zip(labels, samples)])
    project = os.path.join(work, "rows.qualm")
    run("import", project, path, os.path.join(folder, "fer2013new.csv"), "--map", "key=row")
    row = report(project, "accuracy", "--run", "layer:original", "--by", "none")[0]
    right = sum(s["votes"][FER.index(order[c])] == max(s["votes"]) for c, s in zip(labels, samples))
    say("votes_by_row", (row["n"], row["right"]) == (len(samples), right), f"{row['right']} of {row['n']}, not {right}")


# --- what was published ---

def published():
    paths = glob.glob(os.path.join(data, "mme-emotion/MME-Emotion-Dataset/*/question/*.json"))
    if paths:
        project = os.path.join(work, "published.qualm")
        run("import", project, *paths)
        rows = report(project, "facets")
        n = {r["group"]: r["n"] for r in rows if r["facet"] == "mme_task"}
        want = {"ER-Lab": 500, "ER-Wild": 1800, "FG-ER": 500, "FG-SA": 500, "IR": 500, "ML-ER": 600,
                "Noise-ER": 500, "SA": 1600}
        say("mme_questions", n == want, n)
    else:
        print("skip mme_questions: there is no mme-emotion in the data")
    path = os.path.join(data, "ferplus/fer2013new.csv")
    if not os.path.exists(path):
        print("skip ferplus: there is no ferplus in the data")
        return
    project = os.path.join(work, "ferplus.qualm")
    run("import", project, path)
    top = dict.fromkeys(FER, 0)
    with open(path) as f:
        for r in csv.DictReader(f):
            v = [int(r[c]) for c in FER]
            for c, x in zip(FER, v):
                top[c] += x == max(v)
    got = {r["group"]: r["n"] for r in report(project, "facets") if r["facet"] == "class"}
    say("ferplus_dominant", got == top, got)


three_stages()
votes()
published()
sys.exit(failed)
