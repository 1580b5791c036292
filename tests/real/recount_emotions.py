#!/usr/bin/env python3
"""Writes files as EmoSet, FER2013, AffectNet, RAF-DB, Emotion6, ArtEmis and EIBench have them from a
seed, lets qualm read them, and counts from what was written what it must say. EIBench, EmoSet's
info.json, MME-Emotion's audio clues and the table of facial expressions as published, where they are.

usage: recount_emotions.py QUALM DATA WORKDIR; prints "ok NAME", "not ok NAME: why", "skip NAME: why".
Nothing of qualm's own code or output is used for the expected numbers.
"""
import csv
import glob
import json
import os
import random
import subprocess
import sys
from collections import Counter

qualm, data, work = sys.argv[1:4]
failed = False
rng = random.Random(20260811)

FER2013 = ["anger", "disgust", "fear", "happiness", "sadness", "surprise", "neutral"]
AFFECTNET = ["neutral", "happiness", "sadness", "surprise", "fear", "disgust", "anger", "contempt", "none", "uncertain",
             "no face"]
RAFDB = [None, "surprise", "fear", "disgust", "happiness", "sadness", "anger", "neutral"]
MIKELS = ["amusement", "awe", "contentment", "excitement", "anger", "disgust", "fear", "sadness"]


def say(name, ok, why=""):
    global failed
    failed |= not ok
    print(f"ok {name}" if ok else f"not ok {name}: {why}")


def run(*args, allowed=(0,)):
    done = subprocess.run([qualm, *args], capture_output=True, text=True, encoding="utf-8")
    if done.returncode not in allowed:
        raise SystemExit(f"not ok emotions: qualm {' '.join(args)} ended with {done.returncode}\n{done.stderr}")
    return done


def groups(project, facet):
    rows = json.loads(run("report", project, "facets", "--format", "json").stdout)
    return {r["group"]: r["n"] for r in rows if r["facet"] == facet and r["n"]}


def rows_of(project, query):
    return [dict(zip(r[0], x)) for r in [list(csv.reader(run("sql", project, query, "--format", "csv").stdout.splitlines()))]
            for x in r[1:]]


def place(*parts):
    path = os.path.join(work, *parts)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


def write(path, text):
    with open(path, "w") as f:
        f.write(text)
    return path


# --- three numberings ---

def grey_of(path):
    """The rows of an 8-bit BMP, from the top."""
    with open(path, "rb") as f:
        b = f.read()
    at, w, h = (int.from_bytes(b[i:i + 4], "little") for i in (10, 18, 22))
    stride = (w + 3) // 4 * 4
    return [v for y in range(h) for v in b[at + (h - 1 - y) * stride:][:w]]


def numberings():
    want = Counter()
    faces = [(rng.randrange(7), [rng.randrange(256) for _ in range(48 * 48)]) for _ in range(60)]
    fer = write(place("sets", "fer2013.csv"), "emotion,pixels,Usage\n" + "".join(
        f"{c},{' '.join(map(str, p))},Training\n" for c, p in faces))
    want.update(FER2013[c] for c, _ in faces)
    codes = [rng.randrange(11) for _ in range(80)]
    affect = write(place("sets", "training.csv"),
                   "subDirectory_filePath,face_x,face_y,face_width,face_height,facial_landmarks,expression,valence,arousal\n"
                   + "".join(f"{i}/a{i}.jpg,1,1,9,9,1;2,{c},{-2 if c > 7 else 0.5},{-2 if c > 7 else -0.25}\n"
                             for i, c in enumerate(codes)))
    want.update(AFFECTNET[c] for c in codes)
    raf = [rng.randrange(1, 8) for _ in range(70)]
    rafdb = write(place("sets", "list_patition_label.txt"), "".join(f"train_{i:05d}.jpg {c}\n" for i, c in enumerate(raf)))
    want.update(RAFDB[c] for c in raf)
    project = os.path.join(work, "sets.qualm")
    run("import", project, fer, affect, rafdb)
    say("emotions_numberings", groups(project, "class") == want, groups(project, "class"))
    said = run("export", project, "--filter", "valence>=-2", "--format", "ids").stdout.splitlines()
    say("emotions_no_value", len(said) == sum(c < 8 for c in codes), len(said))
    shown = {r["key"]: grey_of(os.path.join(work, r["path"]))
             for r in rows_of(project, "SELECT key, path FROM sample WHERE key LIKE 'row%'")}
    say("emotions_pixels", shown == {f"row{i:05d}": p for i, (_, p) in enumerate(faces)}, len(shown))


# --- EmoSet, Emotion6, ArtEmis ---

def emoset():
    rows, truth, objects, split, dark, scenes = [], Counter(), Counter(), Counter(), 0, Counter()
    written = Counter()
    for i in range(120):
        e = rng.choice(MIKELS)
        name = f"{e}_{i:05d}"
        a = {"image_id": name, "emotion": e, "brightness": rng.randrange(11) / 10, "colorfulness": 0.5}
        if rng.random() < 0.6:
            a["object"] = rng.sample(["Axe", "Tree", "Person", "Cat"], rng.randint(1, 3))
        if rng.random() < 0.5:
            a["scene"] = rng.choice(["arch", "park"])
        there = rng.random() < 0.9
        if there:
            write(place("emoset", "annotation", e, name + ".json"), json.dumps(a))
            written[e] += 1
            objects.update(a.get("object", []))
            scenes.update([a["scene"]] if "scene" in a else [])
            dark += a["brightness"] < 0.5
        rows.append([e, i, f"image/{e}/{name}.jpg", f"annotation/{e}/{name}.json"])
        truth[e] += 1
        split["train" if i < 80 else "test"] += 1
    write(place("emoset", "train.json"), json.dumps(rows[:80]))
    write(place("emoset", "test.json"), json.dumps(rows[80:]))
    project = os.path.join(work, "emoset.qualm")
    told = run("import", project, os.path.join(work, "emoset")).stderr
    say("emoset_folder", "read along with the index" in told, told[:300])
    got = [groups(project, f) for f in ("class", "object", "scene", "split")]
    for g in got[1:3]:
        g.pop("(none)", None)
    say("emoset_counts", got == [truth, objects, scenes, split], got)
    said = run("export", project, "--filter", "brightness<0.5", "--format", "ids").stdout.splitlines()
    alone = os.path.join(work, "alone.qualm")
    run("import", alone, os.path.join(work, "emoset", "annotation"))
    say("emoset_annotations", groups(alone, "class") == written, groups(alone, "class"))
    say("emoset_levels", len(said) == dark, f"{len(said)}, not {dark}")


def shares():
    names = ["anger", "disgust", "fear", "joy", "sadness", "surprise", "neutral"]
    lines, top = [], Counter()
    for i in range(60):
        cut = sorted(rng.randrange(16) for _ in range(6))
        v = [b - a for a, b in zip([0] + cut, cut + [15])]
        top.update(n for n, x in zip(names, v) if x == max(v))
        lines.append(f"{rng.choice(names)}/{i}.jpg\t5\t4.5\t" + "\t".join(f"{x / 15:.6g}" for x in v))
    head = "[image_filename]\t[valence]\t[arousal]\t" + "\t".join(f"[prob. {n}]" for n in names)
    project = os.path.join(work, "six.qualm")
    run("import", project, write(place("six", "ground_truth.txt"), "\n".join([head] + lines)))
    say("emotion6_dominant", groups(project, "class") == top, groups(project, "class"))


def paintings():
    nine = MIKELS + ["something else"]
    rows, votes = [], {}
    for i in range(300):
        style, name, e = f"Style_{i % 3}", f"painter_{i % 40}", rng.choice(nine)
        rows.append([style, name, e, f'He said, "{i}"', 7])
        votes.setdefault((style, name), Counter())[e] += 1
    with open(place("art", "artemis.csv"), "w", newline="") as f:
        csv.writer(f).writerows([["art_style", "painting", "emotion", "utterance", "repetition"], *rows])
    project = os.path.join(work, "art.qualm")
    run("import", project, os.path.join(work, "art", "artemis.csv"))
    top = Counter(e for v in votes.values() for e, n in v.items() if n == max(v.values()))
    say("artemis_dominant", groups(project, "class") == top, groups(project, "class"))
    got = {r["key"]: len(json.loads(r["extra"])["utterances"]) for r in rows_of(project, "SELECT key, extra FROM sample")}
    say("artemis_said", got == {"/".join(k): sum(v.values()) for k, v in votes.items()}, len(got))


# --- as published ---

def published(name):
    path = os.path.join(data, name)
    if os.path.exists(path):
        return path
    print(f"skip {name}: it is not among the data")
    return None


def records(path):
    with open(path) as f:
        return [next(iter(json.loads(line).items())) for line in f if line.strip()]


def answers(basic, complex_, project):
    """A model's answers to both parts and a judge's words on them."""
    low, order = 0, Counter()
    for part, keys in (("basic", [k for k, _ in basic]), ("complex", [k for k, _ in complex_])):
        said, judged = [], []
        for i, k in enumerate(keys):
            hits, n = rng.randint(0, 4), 4
            said.append({k: f"Because of thing {i} of {part}."})
            judged.append({k: f"{{score: {hits}/{n}}} as it says." if i % 9 else "I cannot tell."})
            low += i % 9 > 0 and hits / n < 0.5
            order[k] += part == "complex"
        write(place("ei", f"model_{part}.jsonl"), "\n".join(map(json.dumps, said)))
        write(place("ei", f"model_{part}_scores.jsonl"), "\n".join(map(json.dumps, judged)))
    run("import", project, os.path.join(work, "ei"))
    say("eibench_answers", "model/ei" in run("info", project).stdout)
    got = run("export", project, "--run", "model/ei", "--filter", "rec<0.5", "--format", "ids").stdout.splitlines()
    say("eibench_judged", len(got) == low, f"{len(got)}, not {low}")
    path = max(order, key=order.get)
    last = run("export", project, "--filter", f'id:"{path}#{order[path] - 1}"', "--format", "jsonl").stdout
    i = [k for k, _ in complex_].index(path) if order[path] == 1 else max(
        j for j, (k, _) in enumerate(complex_) if k == path)
    say("eibench_order", f"thing {i} of complex" in last, last[:300])


def eibench():
    folder = published("eibench")
    if not folder:
        return
    project = os.path.join(work, "eibench.qualm")
    run("import", project, folder)
    basic = records(os.path.join(folder, "EI_Basic/user.jsonl"))
    complex_ = records(os.path.join(folder, "EI_Complex/ec_complex.jsonl"))
    say("eibench_parts", groups(project, "part") == {"basic": len(basic), "complex": len(complex_)}, groups(project, "part"))
    with open(os.path.join(folder, "EI_Basic/basic_ground_truth.json")) as f:
        triggers = json.load(f)
    got = {r["key"]: (r["text"], json.loads(r["extra"])["triggers"])
           for r in rows_of(project, "SELECT key, replace(text, char(10), '~') AS text, extra FROM sample")}
    want = {k: (q, triggers[k].strip()) for k, q in basic}
    seen = Counter()
    for k, v in complex_:
        (q, t), = v.items()
        want[f"{k}#{seen[k]}"] = (q, t.strip())
        seen[k] += 1
    say("eibench_questions", got == want, [k for k in want if got.get(k) != want[k]][:2])
    for path in sorted(glob.glob(os.path.join(folder, "human_eval/*.jsonl"))):
        name = os.path.basename(path)[:-6]
        want = sum(int(v) >= 4 for _, v in records(path))
        got = run("export", project, "--filter", f"{name}>=4", "--format", "ids").stdout.splitlines()
        say(f"eibench_{name}", len(got) == want, f"{len(got)}, not {want}")
    answers(basic, complex_, project)


def info():
    path = published("emoset/info.json")
    if not path:
        return
    project = os.path.join(work, "info.qualm")
    told = run("import", project, path).stderr
    with open(path) as f:
        tree = json.load(f)
    n = sum(len(tree[k]["label2idx"]) for k in ("scene", "object", "facial_expression", "human_action"))
    say("emoset_info", f"8 classes, {n} values" in told, told)


def clues():
    paths = glob.glob(os.path.join(data, "mme-emotion/MME-Emotion-Dataset/*/audio_clue/*.json"))
    if not paths:
        print("skip mme_clues: there is no mme-emotion in the data")
        return
    project = os.path.join(work, "clues.qualm")
    run("import", project, os.path.join(data, "mme-emotion"))
    want = {}
    for path in paths:
        with open(path) as f:
            for r in json.load(f):
                want[f"{path.split('/')[-3]}/{r['video_id']}"] = r["audio_clue"].strip()
    got = {r["key"]: json.loads(r["extra"])["audio_clue"] for r in rows_of(project, "SELECT key, extra FROM sample")}
    say("mme_clues", len(got) == 6500 and got == want, [k for k in want if got.get(k) != want[k]][:2])


def faces():
    path = published("facial-expressions-legend/legend.csv")
    if not path:
        return
    project = os.path.join(work, "legend.qualm")
    run("import", project, path)
    first = {}
    with open(path) as f:
        for r in csv.DictReader(f):
            first.setdefault(r["image"], r["emotion"].lower())
    say("legend_labels", groups(project, "class") == Counter(first.values()), groups(project, "class"))
    path = os.path.join(data, "facial-expressions-legend/500_picts_satz.csv")
    project = os.path.join(work, "satz.qualm")
    run("import", project, path, "--map", "label=column3")
    with open(path, newline="") as f:
        want = Counter(line.split(",")[2] for line in f.read().split("\r") if line)
    say("satz_labels", groups(project, "class") == want, groups(project, "class"))


numberings()
emoset()
shares()
paintings()
eibench()
info()
clues()
faces()
sys.exit(failed)
