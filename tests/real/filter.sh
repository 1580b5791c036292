#!/bin/sh
# Filters on real files: published counts, and what awk finds in the files themselves.
set -u
cd "$(dirname "$0")/../.." || exit 1
D=${QUALM_DATA:-../shared/data}
QUALM=${QUALM:-$PWD/build/qualm}
if [ ! -d "$D" ]; then
	echo "skip filter: there is no data at $D (QUALM_DATA=DIR says where it is)"
	exit 0
fi
D=$(cd "$D" && pwd)
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
bad=0
ok() { echo "ok $1"; }
not_ok() { echo "not ok $1: $2"; bad=1; sed 's/^/    /' "$W/log" 2> /dev/null | tail -n 12; }
there() { [ -e "$2" ] || { echo "skip $1: there is no ${2#"$D"/} in the data"; return 1; }; }

# count NAME EXPECTED PROJECT FILTER ARGS...: as many keys as expected, and the number on stderr.
count() {
	name=$1 want=$2 project=$3 filter=$4; shift 4
	"$QUALM" export "$project" --filter "$filter" --format ids "$@" > "$W/out" 2> "$W/log"
	rc=$? got=$(wc -l < "$W/out" | tr -d ' ') told=$(sed 's/ of .*//; s/,//g' "$W/log")
	if [ $rc = 0 ] && [ "$got" = "$want" ] && [ "$told" = "$want" ]; then ok "$name"
	else not_ok "$name" "status $rc, $got rows, not $want"; fi
}

if there sample "$D/imagenet-sample/items.jsonl"; then
	V1=mobilenet_v1_0.25_128_quant V2=mobilenet_v2_1.0_224_quant S=$W/s.qualm
	"$QUALM" import "$S" "$D/imagenet-sample/items.jsonl" "$D"/imagenet-sample/pred-*.jsonl \
		--dataset imagenet-sample > "$W/log" 2>&1
	count sample_wrong_v2 145 "$S" "wrong@$V2"
	count sample_wrong_v1 525 "$S" "wrong@$V1"
	count sample_wrong_both 135 "$S" "wrong@$V2 wrong@$V1"
	count sample_wrong_all 135 "$S" wrong@all
	count sample_wrong_two 135 "$S" wrong@2+
	count sample_wrong_any 535 "$S" 'wrong@any'
	count sample_flip 400 "$S" flip --run $V2 --against $V1
	count sample_regressed 10 "$S" regressed --run $V2 --against $V1
	count sample_improved 390 "$S" improved --run $V2 --against $V1
	count sample_flip_swapped 400 "$S" flip --run $V1 --against $V2
	count sample_prefix 145 "$S" wrong@mobilenet_v2
	# ids, read back as a list, are the same samples
	"$QUALM" export "$S" --filter "wrong@$V2" --format ids > "$W/keys" 2> "$W/log"
	count sample_list 145 "$S" "id:<$W/keys"
	count sample_not_list 855 "$S" "-id:<$W/keys"
	n=$("$QUALM" export "$S" --filter flip --run $V2 --against $V1 --format jsonl 2> "$W/log" | wc -l | tr -d ' ')
	if [ "$n" = 400 ]; then ok sample_jsonl; else not_ok sample_jsonl "$n rows"; fi
fi

if there real "$D/imagenet-real/real.json" && there real "$D/regt-paper/equivalent_pairs.tsv"; then
	R=$W/r.qualm
	"$QUALM" import "$R" "$D/imagenet-class-files/imagenet_1k_names.tsv" \
		"$D/imagenet-class-files/ILSVRC2012_validation_ground_truth.txt" \
		"$D/imagenet-real/real.json" "$D/regt-paper/equivalent_pairs.tsv" --dataset imagenet > "$W/log" 2>&1
	count real_minus 4673 "$R" cat:S-,M-
	count real_clean 42164 "$R" '-cat:S-,M- -cat:N'
	count real_clean_by_plus 42164 "$R" cat:S+,M+
	count real_category_follows_two_layers 4673 "$R" cat:S-,M- --lens layer=original
	count real_empty 3163 "$R" 'gt:(none)'
	count real_never_empty 0 "$R" 'gt@original:(none)'
	count real_class 50 "$R" gt@original:#657
	# two classes are named crane: a name means both, as their numbers do
	count real_ambiguous 100 "$R" gt@original:crane
	count real_ambiguous_numbers 100 "$R" gt@original:#134,#517
	want=$(tr -d ' \n' < "$D/imagenet-real/real.json" | sed 's/^\[\[//; s/\]\]$//; s/\],\[/\n/g' |
		awk -F, '{ for (i = 1; i <= NF; i++) if ($i == 356) { n++; break } } END { print n + 0 }')
	count real_weasel "$want" "$R" gt:#356
fi
exit $bad
