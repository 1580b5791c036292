#!/usr/bin/env python3
"""Measures the budgets of import, opening, questions, search and memory on corpora made here, each
against something real in the same run: rounds alternate, medians are printed and kept as JSON."""
import json
import os
import platform
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
QUALM = os.path.abspath(os.environ.get("QUALM", "build/qualm"))
BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
SIZE = os.environ.get("SIZE", "1M")
SIZES = {"1M": (50_000, 20), "10M": (500_000, 20)}
ROUNDS = int(os.environ.get("ROUNDS", "5" if SIZE == "1M" else "3"))
ASKED = 40 if SIZE == "1M" else 16  # times that each question is asked in a round
FILTER = "category:S+,M- emotion_word:awe dimension:size"
NEEDLE = "animal near"
DUCK = os.path.join(HERE, "duck.mjs")


class Failed(Exception):
    """A program that was measured."""


class Bench:
    """The rows that are printed, and the folder that they are measured in."""

    def __init__(self, folder):
        self.folder = folder
        self.rows = []
        self.notes = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def row(self, budget, what, value, unit="", limit=None, floor=None, against=""):
        """limit: at most; floor: at least; None of both: told without a budget."""
        holds = None
        if value is not None and limit is not None:
            holds = value <= limit
        if value is not None and floor is not None:
            holds = value >= floor
        self.rows.append({"budget": budget, "what": what, "value": value, "unit": unit, "at_most": limit,
                          "at_least": floor, "against": against, "holds": holds})

    def note(self, text):
        self.notes.append(text)


def run(args, stdin=None):
    """Wall and CPU seconds, peak MB. What was written before is on the disk first."""
    os.sync()
    with tempfile.TemporaryFile() as said:
        began = time.perf_counter()
        child = subprocess.Popen(args, stdin=subprocess.PIPE if stdin else None, stdout=subprocess.DEVNULL, stderr=said)
        if stdin:
            child.stdin.write(stdin)
            child.stdin.close()
        _, status, usage = os.wait4(child.pid, 0)
        took = time.perf_counter() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            said.seek(0)
            raise Failed(f"{' '.join(args[:4])} ... failed ({child.returncode}): {said.read()[-2000:].decode(errors='replace')}")
    return {"wall": took, "cpu": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss / 1024}


def lines_of(args):
    """What a program prints as "key value [answer]" lines."""
    out = {}
    for line in subprocess.run(args, check=True, capture_output=True, text=True).stdout.splitlines():
        key, value, *answer = line.split()
        out[key] = (float(value), answer[0] if answer else None)
    return out


def median(rounds, what="wall"):
    return statistics.median(r[what] for r in rounds)


def ratio(rounds, others, what="wall"):
    """Of pairs that ran one after the other."""
    return statistics.median(a[what] / b[what] for a, b in zip(rounds, others))


def merged(rounds):
    """Of several rounds of lines: the median of each key; answers must not change."""
    out = {}
    for key in rounds[0]:
        if len({r[key][1] for r in rounds}) > 1:
            raise SystemExit(f"bench: {key} was answered in two ways")
        out[key] = (statistics.median(r[key][0] for r in rounds), rounds[0][key][1])
    return out


# --- what there is ---

def cpu_name():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            return next(line.split(":", 1)[1].strip() for line in f if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


def first_line(args):
    try:
        return subprocess.run(args, check=True, capture_output=True, text=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return ""


def machine():
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{cpu_name()}, {os.cpu_count()} cores, {memory:.0f} GiB, {platform.system()} {platform.release()}"


def tools(bench):
    duck = first_line(["node", DUCK, "version", ":memory:"])
    shell = first_line(["sqlite3", "--version"]).split(" ")[0]
    if not duck:
        bench.note("DuckDB is not there to compare with: npm's @duckdb/node-api, in the folder $DUCKDB or along $NODE_PATH")
    if not shell:
        bench.note("the sqlite3 shell is not there to compare with")
    return {"qualm": first_line([QUALM, "--version"]).split(" ")[-1], "duckdb": duck, "sqlite3": shell,
            "cc": first_line([os.environ.get("CC", "cc"), "--version"])}


def make_corpus(bench, with_csv):
    samples, runs = SIZES[SIZE]
    made = bench.path("made")
    kinds = ["samples", "ordered", "shuffled"] + (["csv"] if with_csv else [])
    if os.path.exists(made) and all(os.path.exists(bench.path(kind)) for kind in kinds):
        return
    for kind in kinds:
        with open(bench.path(kind), "wb") as f:
            subprocess.run([f"{BUILD}/tests/bench/gen", kind, str(samples), str(runs)], check=True, stdout=f)
    open(made, "w", encoding="utf-8").close()


# --- budgets 1 to 3 ---

def fresh(*paths):
    for path in paths:
        for each in (path, path + "-journal", path + ".wal"):
            if os.path.exists(each):
                os.unlink(each)


def qualm_import(bench, kind, name):
    fresh(bench.path(name))
    return run([QUALM, "import", bench.path(name), bench.path("samples"), bench.path(kind), "--dataset", "d"])


def duck_import(bench):
    fresh(bench.path("t.duck"))
    return run(["node", DUCK, "load", bench.path("t.duck"), bench.path("samples"), bench.path("ordered")])


def shell_import(bench):
    fresh(bench.path("t.db"))
    load = f".mode csv\n.import '{bench.path('csv')}' prediction\n"
    return run(["sqlite3", bench.path("t.db")], load.encode())


def io_floor(bench):
    size = os.path.getsize(bench.path("p.qualm"))
    took = run([f"{BUILD}/tests/bench/floor", bench.path("floor"), str(size), bench.path("samples"), bench.path("ordered")])
    fresh(bench.path("floor"))
    return took


def measure_import(bench, have):
    """One round more than are counted: the first pays for memory that the system has yet to fetch."""
    took = {"ordered": [], "floor": [], "duck": [], "shuffled": [], "shell": []}
    for i in range(ROUNDS + 1):
        took["ordered"].append(qualm_import(bench, "ordered", "p.qualm"))
        if have["duckdb"]:
            took["duck"].append(duck_import(bench))
        took["floor"].append(io_floor(bench))
        took["shuffled"].append(qualm_import(bench, "shuffled", "h.qualm"))
        fresh(bench.path("h.qualm"))
    for _ in range(ROUNDS if SIZE == "1M" and have["sqlite3"] else bool(have["sqlite3"])):
        took["shell"].append(shell_import(bench))
    return {kind: rounds[1:] if kind != "shell" else rounds for kind, rounds in took.items()}


def tell_import(bench, took):
    mine, duck, floor, shuffled = (took[k] for k in ("ordered", "duck", "floor", "shuffled"))
    rows = SIZES[SIZE][0] * SIZES[SIZE][1]
    bench.row(1, "import", median(mine), "s")
    bench.row(1, "rows a second", rows / median(mine), "/s")
    bench.row(1, "CPU time", median(mine, "cpu"), "s")
    if duck:
        bench.row(1, "DuckDB read_json", median(duck), "s")
        bench.row(1, "wall", ratio(mine, duck), "x", limit=0.25, against="DuckDB")
        bench.row(1, "CPU time", ratio(mine, duck, "cpu"), "x", against="DuckDB")
        bench.row(1, "peak memory", ratio(mine, duck, "peak"), "x", limit=0.6, against="DuckDB")
    bench.row(1, "peak memory", median(mine, "peak"), "MB")
    bench.row(1, "wall", ratio(mine, floor), "x", limit=3.5, against="I/O floor")
    if took["shell"]:
        bench.row(1, "wall", median(mine) / median(took["shell"]), "x", against="sqlite3 .import of CSV")
    bench.row(2, "import, shuffled", median(shuffled), "s")
    bench.row(2, "wall", ratio(shuffled, mine), "x", limit=2.5, against="in order")
    bench.row(2, "CPU time", ratio(shuffled, mine, "cpu"), "x", against="in order")


def measure_scanner(bench):
    took = lines_of([f"{BUILD}/tests/bench/scan", bench.path("ordered")])
    cjson = took["cJSON"][0]
    bench.row(3, "rows a second", 1e9 / took["flat_scan_shaped"][0], "/s")
    bench.row(3, "rows of one shape", cjson / took["flat_scan_shaped"][0], "x", floor=6, against="cJSON")
    bench.row(3, "rows, known keys", cjson / took["flat_scan_usual"][0], "x", floor=6, against="cJSON")
    bench.row(3, "rows, unknown keys", cjson / took["flat_scan"][0], "x", against="cJSON")


# --- budget 8: runs against each other, 30 of them over 50,000 samples ---

def measure_runs(bench):
    took = lines_of([f"{BUILD}/tests/bench/runs", "9"])
    bench.row(8, "phi of all pairs", took["phi_all_pairs"][0], "ms", limit=5)
    bench.row(8, "who is right together", took["together"][0], "ms")
    bench.row(8, "paired bootstrap, all", took["paired_bootstrap"][0] / took["naive_bootstrap"][0], "x", limit=2.5,
              against="one naive bootstrap")


# --- budgets 4, 5, 9: the screen ---

def headless(bench, name, steps):
    script = bench.path("script")
    with open(script, "w", encoding="utf-8") as f:
        f.write(steps)
    return run([QUALM, bench.path(name), "--headless", "120x36", "--script", script, "--view", "browse",
                "--filter", FILTER])


def null_key(bench, key):
    """Milliseconds a key: a long script against a short one."""
    few, many = 4, 64
    return [(headless(bench, "p.qualm", f"{key}\n" * many)["wall"] - headless(bench, "p.qualm", f"{key}\n" * few)["wall"])
            * 1000 / (many - few) for _ in range(ROUNDS)]


def measure_screen(bench, have):
    opened = [headless(bench, "p.qualm", "Q\n") for _ in range(ROUNDS * 3)]
    look = lines_of([f"{BUILD}/tests/bench/look", QUALM, bench.path("p.qualm"), str(ROUNDS * 3), FILTER])
    first = look["first_paint"][0]
    bench.row(4, "first paint, silent terminal", first, "ms", limit=100)
    bench.row(4, "open and leave, no terminal", median(opened) * 1000, "ms")
    if have["duckdb"]:
        duck = [run(["node", DUCK, "open", bench.path("t.duck")]) for _ in range(ROUNDS * 3)]
        bench.row(4, "first paint", first / (median(duck) * 1000), "x", limit=2, against="DuckDB open + one query")
    for key, what in (("key_down", "j"), ("key_page", "Ctrl-f"), ("key_swap", "~"), ("key_filter", "Ctrl-t")):
        if key in look:
            bench.row(5, f"{what} to frame, pty", look[key][0], "ms", limit=16)
            bench.row(5, f"{what} to frame, pty, worst", look[key + "_worst"][0], "ms", limit=50)
    turn = lines_of([f"{BUILD}/tests/bench/turn", QUALM, bench.path("p.qualm"), "10"])
    for view in ("browse", "matrix", "classes", "runs"):
        if f"lens_{view}" in turn:
            bench.row(5, f"the lens turned, {view}, to frame, pty", turn[f"lens_{view}"][0], "ms", limit=50)
            bench.row(5, f"the lens turned, {view}, all numbers", turn[f"lens_{view}_whole"][0], "ms")
    for view in ("classes", "matrix", "runs"):
        for key, what in ((f"{view}_key_swap", f"~ in {view}"), (f"{view}_key_filter", f"Ctrl-t in {view}")):
            if key in look:
                bench.row(5, f"{what}, pty", look[key][0], "ms", limit=16)
                bench.row(5, f"{what}, pty, worst", look[key + "_worst"][0], "ms", limit=50)
                bench.row(5, f"{what}, the screen's thread", look[key + "_cpu"][0], "ms")
    for key in ("j", "~", "Ctrl-t"):
        bench.row(5, f"{key} to frame, null backend", statistics.median(null_key(bench, key)), "ms", limit=16)
    bench.row(9, "resident, project open", look["memory_kb"][0] / 1024, "MB", limit=120)
    bench.row(9, "resident, after keys", look["memory_after_keys_kb"][0] / 1024, "MB", limit=120)


# --- budgets 5 to 7: questions ---

def like(bench):
    """All answers by SQLite's LIKE over a table of texts, in process."""
    with sqlite3.connect(bench.path("t.db")) as db:
        began = time.perf_counter()
        db.execute("select count(*) from prediction where response like ?", (f"%{NEEDLE}%",)).fetchone()
        return (time.perf_counter() - began) * 1000


def measure_questions(bench, have):
    mine, duck, likes = [], [], []
    for _ in range(ROUNDS):
        mine.append(lines_of([f"{BUILD}/tests/bench/query", bench.path("p.qualm"), str(ASKED)]))
        if have["duckdb"]:
            duck.append(lines_of(["node", DUCK, "ask", bench.path("t.duck"), "5"]))
        if have["sqlite3"]:
            likes.append(like(bench))
    return merged(mine), merged(duck) if duck else {}, likes


def tell_questions(bench, mine, duck, likes):
    for key in mine.keys() & duck.keys():
        if mine[key][1] != duck[key][1]:
            raise SystemExit(f"bench: {key}: qualm says {mine[key][1]}, DuckDB {duck[key][1]}")
    bench.row(5, "all recomputed, no drawing", mine["all_cpu"][0], "ms of CPU")
    bench.row(5, "all recomputed", mine["all_cpu"][0] / mine["read_labels_cpu"][0], "x", limit=5, against="reading all labels")
    if "compare" in mine:
        bench.row(5, "two runs by class, no drawing", mine["compare"][0], "ms", limit=16)
        bench.row(5, "their bootstrap intervals", mine["intervals"][0], "ms")
    for key, what in (("filter", "filter"), ("facets", "facet counts"), ("accuracies", "accuracies of all runs"),
                      ("matrix_filtered", "matrix, filtered"), ("matrix", "matrix"), ("classes", "classes, filtered"),
                      ("a_right_b_wrong", "a right, b wrong"), ("page", "page")):
        if key not in mine:
            continue
        bench.row(6, what, mine[key][0], "ms")
        if key in duck:
            bench.row(6, what, mine[key][0] / duck[key][0], "x", limit=0.35, against="DuckDB")
    bench.row(7, "text in the answers of one run", mine["search_one"][0], "ms", limit=50)
    bench.row(7, "text in all answers", mine["search_all"][0], "ms")
    if likes:
        bench.row(7, "text in all answers", mine["search_all"][0] / statistics.median(likes), "x", limit=0.4,
                  against="SQLite LIKE")
    if duck:
        bench.row(7, "text in all answers", mine["search_all"][0] / duck["search_all"][0], "x", against="DuckDB LIKE")


# --- telling ---

def number(value):
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}" if abs(value) < 1 else f"{value:.4g}"


def budget_text(row):
    if row["at_most"] is not None:
        return f"≤ {row['at_most']:g}"
    return f"≥ {row['at_least']:g}" if row["at_least"] is not None else ""


def tell(bench, have):
    print(machine())
    print(", ".join(f"{k}: {v}" for k, v in have.items() if v))
    samples, runs = SIZES[SIZE]
    sizes = {k: os.path.getsize(bench.path(k)) / 1e6 for k in ("samples", "ordered", "p.qualm")}
    print(f"{samples:,} samples x {runs} runs: {sizes['samples'] + sizes['ordered']:,.0f} MB of JSONL, "
          f"project {sizes['p.qualm']:,.0f} MB; {ROUNDS} rounds, medians; budgets are meant for 10M")
    for row in sorted(bench.rows, key=lambda r: r["budget"]):
        against = f"of {row['against']}" if row["unit"] == "x" else row["unit"]
        holds = {None: "", True: "holds", False: "FAILS"}[row["holds"]]
        print(f"{row['budget']:2}  {row['what']:34}{number(row['value']):>12} {against:28}{budget_text(row):>8}  {holds}".rstrip())
    for note in bench.notes:
        print(note)


def keep_json(bench, have):
    folder = os.path.join(BUILD, "bench")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"speed-{SIZE}.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"machine": machine(), "versions": have, "size": SIZE, "rounds": ROUNDS, "at": time.strftime("%FT%TZ", time.gmtime()),
                   "rows": bench.rows, "notes": bench.notes}, f, indent=1)
    print(path)


def pack(bench, have):
    """DuckDB's tables for the questions; without them there is nothing to compare with."""
    try:
        if have["duckdb"]:
            run(["node", DUCK, "pack", bench.path("t.duck")])
    except Failed as why:
        bench.note(f"DuckDB did not sort its tables: {why}")
        have["duckdb"] = ""


def measure(folder):
    bench = Bench(folder)
    have = tools(bench)
    make_corpus(bench, bool(have["sqlite3"]))
    took = measure_import(bench, have)
    tell_import(bench, took)
    measure_scanner(bench)
    measure_runs(bench)
    pack(bench, have)
    measure_screen(bench, have)
    tell_questions(bench, *measure_questions(bench, have))
    tell(bench, have)
    keep_json(bench, have)


def main():
    if SIZE not in SIZES:
        raise SystemExit(f"bench: SIZE is one of {', '.join(SIZES)}")
    folder = os.path.join(os.environ.get("TMPDIR") or os.path.join(BUILD, "bench"), f"qualm-corpus-{SIZE}")
    os.makedirs(folder, exist_ok=True)
    for var in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        os.environ[var] = os.path.join(folder, "home")
    try:
        measure(folder)
    except Failed as why:
        raise SystemExit(f"bench: {why}") from None
    finally:
        if not os.environ.get("KEEP"):
            shutil.rmtree(folder, ignore_errors=True)


main()
