#!/usr/bin/env python3
"""Import and opening against cat and the sqlite3 shell: medians of alternating rounds, ratios."""
import json
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

qualm = sys.argv[1]
rounds = int(os.environ.get("ROUNDS", "5"))
n_samples = int(os.environ.get("SAMPLES", "50000"))
n_runs = int(os.environ.get("RUNS", "4"))


def make_data(folder):
    rng = random.Random(1)
    words = "the picture shows a small furry animal that looks quite calm near some green plants".split()
    paths = []
    for r in range(n_runs):
        paths.append(os.path.join(folder, f"pred-m{r}.jsonl"))
        with open(paths[-1], "w", encoding="utf-8") as f, open(paths[-1] + ".csv", "w", encoding="utf-8") as c:
            for i in range(n_samples):
                label, answer = i % 1000, i % 1000 if rng.random() < 0.7 else rng.randrange(1000)
                text = " ".join(rng.choices(words, k=15))
                row = {"id": f"s{i:06d}", "label": f"class {label}", "prediction": f"class {answer}", "model": f"m{r}",
                       "score": round(rng.random(), 4), "latency_ms": rng.randrange(100, 4000), "raw": text}
                f.write(json.dumps(row) + "\n")
                c.write(",".join(str(v) for v in row.values()) + "\n")
    return paths


def timed(args, stdin=None):
    began = time.perf_counter()
    subprocess.run(args, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, input=stdin)
    return time.perf_counter() - began


def cpu():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            return next(line.split(":", 1)[1].strip() for line in f if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


def main(folder):
    paths = make_data(folder)
    project, table = os.path.join(folder, "p.qualm"), os.path.join(folder, "t.db")
    script = os.path.join(folder, "script")
    with open(script, "w", encoding="utf-8") as f:
        f.write("G\n")
    tasks = {"cat": lambda: timed(["cat", *paths])}
    if shutil.which("sqlite3"):
        load = "CREATE TABLE t(id,label,prediction,model,score,latency,raw);\n.mode csv\n"
        load += "".join(f".import '{p}.csv' t\n" for p in paths)
        tasks["sqlite3 .import"] = lambda: timed(["sqlite3", table], load.encode())
    tasks["qualm import"] = lambda: timed([qualm, "import", project, *paths, "--dataset", "d"])
    tasks["qualm info"] = lambda: timed([qualm, "info", project])
    tasks["qualm open"] = lambda: timed([qualm, project, "--headless", "120x36", "--script", script])
    took = {name: [] for name in tasks}
    for _ in range(rounds):
        for path in (project, table):
            if os.path.exists(path):
                os.unlink(path)
        for name, task in tasks.items():
            took[name].append(task())
    median = {name: statistics.median(t) for name, t in took.items()}
    size = sum(os.path.getsize(p) for p in paths)
    print(f"{cpu()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}")
    print(f"{n_samples:,} samples x {n_runs} runs, {size / 1e6:.0f} MB of JSONL, project {os.path.getsize(project) / 1e6:.0f} MB")
    print(f"{'':18}{'median':>9}{'fastest':>9}{'x cat':>8}{'x sqlite3':>11}   ({rounds} rounds, alternating)")
    shell = median.get("sqlite3 .import")
    for name, m in median.items():
        against = f"{m / shell:11.2f}" if shell else f"{'-':>11}"
        print(f"{name:18}{m:8.3f}s{min(took[name]):8.3f}s{m / median['cat']:8.1f}{against}")
    if not shell:
        print("the sqlite3 shell is not there to compare with")


with tempfile.TemporaryDirectory() as where:
    main(where)
