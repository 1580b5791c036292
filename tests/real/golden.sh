#!/bin/sh
# The golden lines: real files in, published numbers out. Each import is run as the manual shows
# it; the numbers are read back from `info --format json`. The data is found by QUALM_DATA.
set -u
cd "$(dirname "$0")/../.." || exit 1
D=${QUALM_DATA:-../shared/data}
QUALM=${QUALM:-$PWD/build/qualm}
if [ ! -d "$D" ]; then
	echo "skip golden: there is no data at $D (QUALM_DATA=DIR says where it is)"
	exit 0
fi
if ! command -v python3 > /dev/null; then
	echo 'skip golden: there is no python3 to check the numbers with'
	exit 0
fi
D=$(cd "$D" && pwd)
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
bad=0
qualm() { "$QUALM" "$@"; }
ok() { echo "ok $1"; }
not_ok() { echo "not ok $1: $2"; bad=1; sed 's/^/    /' "$W/log" 2> /dev/null | tail -n 12; }

# check NAME PROJECT EXPRESSION...: every expression over d, the first dataset, must be true.
check() {
	name=$1 project=$2; shift 2
	if ! qualm info "$project" --format json > "$W/info.json" 2> "$W/log"; then
		not_ok "$name" 'info failed'
		return
	fi
	if why=$(python3 - "$W/info.json" "$@" 2>&1 <<'P'
import json, sys
info = json.load(open(sys.argv[1], encoding="utf-8"))
d = info["datasets"][0]
runs = d["runs"]
def layer(name): return next(l["labelled"] for l in d["layers"] if l["name"] == name)
def facet(name): return next(f for f in d["facets"] if f["name"] == name)
def cats(): return [d["categories"][k] for k in ("S+", "S-", "M+", "M-", "N")]
for e in sys.argv[2:]:
    if not eval(e):
        print(e, "| runs:", [(r["handle"], r["predictions"], r["right"], r["n"]) for r in runs],
              "| samples:", d["samples"], "| categories:", cats(), "| layers:", d["layers"])
        sys.exit(1)
P
	); then ok "$name"; else not_ok "$name" "$why"; fi
}
# there NAME FILE: is the data here?
there() { [ -e "$2" ] || { echo "skip $1: there is no ${2#"$D"/} in the data"; return 1; }; }
# import NAME ARGS...: must end with status 0.
import() {
	name=$1; shift
	qualm import "$@" > "$W/out" 2> "$W/log"
	rc=$?
	if [ $rc = 0 ]; then ok "$name"; else not_ok "$name" "status $rc"; fi
}
# A hash of all that a project holds, but for the log of imports.
contents() {
	python3 - "$1" <<'P'
import hashlib, sqlite3, sys
db, sum = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True), hashlib.sha256()
for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall():
    if table != "import":
        for row in db.execute(f"SELECT * FROM {table} ORDER BY 1, 2"):
            sum.update(repr(row).encode())
print(sum.hexdigest())
P
}
again() { # NAME PROJECT ARGS...: importing again changes nothing and says so
	name=$1 before=$(contents "$2"); shift
	if qualm import "$@" > "$W/out" 2> "$W/log" && grep -q 'nothing changed' "$W/log" &&
		[ "$before" = "$(contents "$1")" ]; then ok "$name"; else not_ok "$name" 'it changed or failed'; fi
}

if there real "$D/imagenet-real/real.json" && there real "$D/regt-paper/equivalent_pairs.tsv"; then
	set -- "$W/r.qualm" "$D/imagenet-class-files/imagenet_1k_names.tsv" \
		"$D/imagenet-class-files/ILSVRC2012_validation_ground_truth.txt" \
		"$D/imagenet-real/real.json" "$D/regt-paper/equivalent_pairs.tsv" --dataset imagenet
	import real_import "$@"
	check real_counts "$W/r.qualm" 'd["name"] == "imagenet"' 'd["samples"] == 50000' 'd["classes"] == 1000' \
		'cats() == [35716, 3678, 6448, 995, 3163]' 'layer("original") == 50000' 'd["pairs"] == 12' \
		'd["lens"].startswith("layer=reannotated,original=original")'
	again real_again "$@"
	# The order of the paths does not matter.
	import real_any_order "$W/r2.qualm" "$D/regt-paper/equivalent_pairs.tsv" "$D/imagenet-real/real.json" \
		"$D/imagenet-class-files/ILSVRC2012_validation_ground_truth.txt" \
		"$D/imagenet-class-files/imagenet_1k_names.tsv" --dataset imagenet
	check real_any_order_counts "$W/r2.qualm" 'cats() == [35716, 3678, 6448, 995, 3163]'
	# Under the other rule pairs count as one class: the sums must hold, and M must shrink.
	qualm info "$W/r.qualm" --format json --lens rule=reimagenet > "$W/rule.json" 2> "$W/log"
	if python3 -c "
import json
c = json.load(open('$W/rule.json'))['datasets'][0]['categories']
assert sum(c.values()) == 50000 and c['N'] == 3163, c
assert c['M+'] + c['M-'] == 6448 + 995 - 250, c" 2>> "$W/log"; then ok real_rule_reimagenet; else not_ok real_rule_reimagenet 'see below'; fi
fi

if there imagenet_sample "$D/imagenet-sample/items.jsonl"; then
	set -- "$W/s.qualm" "$D/imagenet-sample/items.jsonl" "$D"/imagenet-sample/pred-*.jsonl \
		--images "$D/imagenet-sample" --dataset imagenet-sample
	import sample_import "$@"
	check sample_counts "$W/s.qualm" 'd["samples"] == 1000' 'len(runs) == 2' \
		'{r["handle"][:27]: r["right"] for r in runs} == {"mobilenet_v1_0.25_128_quant": 475, "mobilenet_v2_1.0_224_quant": 855}' \
		'all(r["predictions"] == 1000 and r["n"] == 1000 and r["excluded"] == 0 for r in runs)'
	again sample_again "$@"
	printf '1 j j k\n:save-screen %s/screen\n' "$W" > "$W/KEYS.txt"
	if qualm --headless 80x24 --script "$W/KEYS.txt" "$W/s.qualm" > "$W/out" 2> "$W/log" &&
		[ "$(sed '/^--$/q' "$W/screen" | wc -l)" = 25 ] && grep -q n01443537 "$W/screen"; then ok sample_headless
	else not_ok sample_headless 'no screen, or not the one expected'; fi
	rm -f "$W/screen"
	printf ':save-screen %s/screen\n' "$W" > "$W/KEYS.txt"
	if qualm "$W/s.qualm" --at n07873807 --headless 80x24 --script "$W/KEYS.txt" > "$W/out" 2> "$W/log" &&
		sed '/^--$/q' "$W/screen" | grep -q n07873807; then ok sample_at
	else not_ok sample_at 'the sample is not on the screen'; fi
fi

if there faces "$D/gpt4-facial-expressions/final_results.csv"; then
	set -- "$W/g.qualm" "$D/gpt4-facial-expressions/final_results.csv" --dataset faces
	import faces_import "$@"
	check faces_counts "$W/g.qualm" 'd["samples"] == 228' 'len(runs) == 4' 'all(r["predictions"] == 228 for r in runs)' \
		'sorted(r["right"] for r in runs) == [101, 104, 168, 170]' \
		'[r["right"] for r in runs if "upright-explanation" in r["handle"]] == [168]' \
		'facet("face_type")["values"] == 2'
	again faces_again "$@"
	# The same answers from the files that the table was made from: 208 of 211 names of single faces
	# have a truth, 20 of 20 of matrices.
	rm -f "$W/g.qualm"
	set -- "$W/g.qualm" "$D"/gpt4-facial-expressions/*Face_answers.csv \
		"$D"/gpt4-facial-expressions/gpt4_image_responses_*.csv --dataset faces
	qualm import "$@" > "$W/out" 2> "$W/log"
	if [ $? = 1 ] && grep -q ' 12 unmatched' "$W/log"; then ok faces_raw_import
	else not_ok faces_raw_import 'twelve answers have no truth'; fi
	check faces_raw_counts "$W/g.qualm" 'd["samples"] == 230' 'len(runs) == 4' \
		'all(r["predictions"] == 228 for r in runs)' \
		'sorted(r["right"] for r in runs) == [101, 104, 168, 170]' \
		'[r["right"] for r in runs if "upright-explanation" in r["handle"]] == [168]'
fi

if there letters "$D/api-transcripts/imagenet-mc4-mobilenet-v2.jsonl"; then
	import letters_import "$W/l.qualm" "$D/api-transcripts/imagenet-mc4-mobilenet-v2.jsonl" --dataset mc
	check letters_counts "$W/l.qualm" 'd["samples"] == 250' '[r["right"] for r in runs] == [228]'
fi

if there mme "$D/mme-emotion/MME-Emotion-Dataset"; then
	set -- "$W/m.qualm" "$D"/mme-emotion/MME-Emotion-Dataset/*/question/*.json --dataset mme-emotion
	import mme_import "$@"
	check mme_counts "$W/m.qualm" 'd["samples"] == 6500' 'layer("original") == 6500' 'facet("mme_task")["values"] == 8'
	again mme_again "$@"
fi

python3 tests/real/recount.py "$QUALM" "$D" "$W" || bad=1
exit $bad
