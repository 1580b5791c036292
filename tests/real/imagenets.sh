#!/bin/sh
# imagenet-mistakes as published, over the validation labels, and ImageWikiQA: what the program says
# is counted again from the files. The data is found by QUALM_DATA.
set -u
cd "$(dirname "$0")/../.." || exit 1
D=${QUALM_DATA:-../shared/data}
QUALM=${QUALM:-$PWD/build/qualm}
M=$D/imagenet-mistakes
C=$D/imagenet-class-files
R=$D/imagenet-real/real.json
if [ ! -d "$M" ] || [ ! -d "$C" ] || [ ! -e "$R" ]; then
	echo "skip imagenets: there is no imagenet-mistakes, imagenet-class-files or imagenet-real in $D (QUALM_DATA=DIR says where the data is)"
	exit 0
fi
if ! command -v python3 > /dev/null; then
	echo 'skip imagenets: there is no python3 to count again'
	exit 0
fi
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
bad=0
ok() { echo "ok $1"; }
not_ok() { echo "not ok $1: $2"; bad=1; sed 's/^/    /' "$W/log" 2> /dev/null | tail -n 12; }

if "$QUALM" import "$W/m.qualm" "$M/vit3b_mistakes.json" "$M/greedy_soups_mistakes.json" "$R" \
	"$C/imagenet_1k_names.tsv" "$C/ILSVRC2012_validation_ground_truth.txt" --dataset d > "$W/log" 2>&1
then ok mistakes_import; else not_ok mistakes_import 'it failed'; fi
"$QUALM" info "$W/m.qualm" --format json > "$W/info.json" 2>> "$W/log"
if why=$(python3 - "$W/info.json" "$M" "$R" 2>&1 <<'P'
import json, sys
d = json.load(open(sys.argv[1], encoding="utf-8"))["datasets"][0]
real = json.load(open(sys.argv[3]))
assert d["samples"] == 50000, d["samples"]
for name in ("vit3b", "greedy_soups"):
    said = json.load(open(f"{sys.argv[2]}/{name}_mistakes.json"))
    run = next(r for r in d["runs"] if r["handle"] == name)
    assert run["predictions"] == len(said), (name, run)
    truth = {k: real[int(k[15:23]) - 1] for k in said}
    counted = [k for k in said if truth[k]]  # ReaL's own rule: an empty set is not counted
    right = sum(said[k]["top_prediction"] in truth[k] for k in counted)
    assert (run["right"], run["n"]) == (right, len(counted)), (name, run, right, len(counted))
    facet = next(f for f in d["facets"] if f["name"] == f"{name}_failure")
    assert facet["values"] == len({m["failure category"] for m in said.values()}), facet
P
); then ok mistakes_counts; else not_ok mistakes_counts "$why"; fi

# A facet's value has exactly the images that the file gives it.
for run in vit3b greedy_soups; do
	"$QUALM" export "$W/m.qualm" --filter "${run}_severity:Major" --format ids 2>> "$W/log" | sort > "$W/got"
	python3 -c "
import json, sys
m = json.load(open(sys.argv[1]))
print('\n'.join(sorted(k[:-5] for k, v in m.items() if v['failure severity'] == 'Major')))" \
		"$M/${run}_mistakes.json" > "$W/want"
	if [ -s "$W/want" ] && cmp -s "$W/got" "$W/want"; then ok "mistakes_major_$run"
	else not_ok "mistakes_major_$run" "$(diff "$W/want" "$W/got" | head -n 5)"; fi
done

# Counts of pairs have no images: told, and nothing comes of them.
"$QUALM" import "$W/c.qualm" "$M/class_confusion_wnids.json" "$M/class_confusion_synsets.json" --dataset d > "$W/log" 2>&1
if grep -q 'no images' "$W/log"; then ok mistakes_confusions; else not_ok mistakes_confusions 'nothing is said'; fi

# ImageWikiQA: no question is lost, and each truth is the option whose letter the file gives.
Q=$D/imagewikiqa/imagewikiqa.jsonl
if [ ! -e "$Q" ]; then
	echo 'skip imagewikiqa: there is no imagewikiqa/imagewikiqa.jsonl in the data'
	exit $bad
fi
"$QUALM" import "$W/q.qualm" "$Q" --dataset d > "$W/log" 2>&1
"$QUALM" export "$W/q.qualm" --format jsonl > "$W/q.jsonl" 2>> "$W/log"
if why=$(python3 - "$Q" "$W/q.jsonl" 2>&1 <<'P'
import json, re, sys
asked = [json.loads(l) for l in open(sys.argv[1], encoding="utf-8")]
got = {json.loads(l)["id"]: json.loads(l) for l in open(sys.argv[2], encoding="utf-8")}
assert len(got) == len(asked) == 2000, (len(got), len(asked))
seen = {}
for a in asked:
    stem = re.sub(r".*/|[.]JPEG$", "", a["image"])
    k = seen[stem] = seen.get(stem, -1) + 1
    g = got[f"{stem}#{k}" if k else stem]
    option = re.search(rf"(?m)^{a['label']}[.] (.*)$", a["text"]).group(1).strip()
    assert [l.lower() for l in g["labels"]["original"]] == [option.lower()], (a, g)  # classes are caseless
    assert g["question"] == a["text"].split("\nA. ")[0].strip(), (a, g)
P
); then ok imagewikiqa; else not_ok imagewikiqa "$why"; fi
exit $bad
