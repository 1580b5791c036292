#!/bin/sh
# Tables of real files: the numbers that were published, or that a count apart gives.
set -u
cd "$(dirname "$0")/../.." || exit 1
D=${QUALM_DATA:-../shared/data}
QUALM=${QUALM:-$PWD/build/qualm}
if [ ! -d "$D" ]; then
	echo "skip report: there is no data at $D (QUALM_DATA=DIR says where it is)"
	exit 0
fi
D=$(cd "$D" && pwd)
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
bad=0
qualm() { "$QUALM" "$@"; }
there() { [ -e "$2" ] || { echo "skip $1: there is no ${2#"$D"/} in the data"; return 1; }; }
# same NAME WANTED GOT
same() {
	if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: \"$3\", not \"$2\""; bad=1; fi
}
import() {
	name=$1; shift
	if qualm import "$@" > "$W/log" 2>&1; then echo "ok $name"; else
		echo "not ok $name"; sed 's/^/    /' "$W/log" | tail -n 5; bad=1
	fi
}
# cells PROJECT TABLE COLUMNS ARGS...: the columns of all rows, blanks between rows.
cells() {
	project=$1 table=$2 columns=$3; shift 3
	qualm report "$project" "$table" --format csv --columns "$columns" "$@" 2> "$W/log" |
		tr -d '\r' | sed 1d | tr '\n' ' ' | sed 's/ $//'
}

if there real "$D/imagenet-real/real.json"; then
	import real_import "$W/r.qualm" "$D/imagenet-class-files/imagenet_1k_names.tsv" \
		"$D/imagenet-class-files/ILSVRC2012_validation_ground_truth.txt" \
		"$D/imagenet-real/real.json" "$D/regt-paper/equivalent_pairs.tsv" --dataset imagenet
	for line in exclude,off,42164,46837 exclude,on,42297,46837 right,off,45327,50000 \
		right,on,45460,50000 wrong,off,42164,50000 wrong,on,42297,50000; do
		n=${line%%,*} rest=${line#*,}
		same "real_layer_as_run_$line" "${rest#*,}" "$(cells "$W/r.qualm" accuracy right,n \
			--run layer:original --by none --lens "layer=reannotated,n=$n,equiv=${rest%%,*}")"
	done
	same real_accuracy 0.9002284518649786 "$(cells "$W/r.qualm" accuracy accuracy --run layer:original \
		--by none --lens layer=reannotated,n=exclude,equiv=off)"
	same real_layer_filter 4673 "$(qualm export "$W/r.qualm" --format ids --lens n=exclude \
		--filter 'wrong@"layer:original"' 2> "$W/log" | wc -l | tr -d ' ')"
fi

if there faces "$D/gpt4-facial-expressions/final_results.csv"; then
	import faces_import "$W/f.qualm" "$D/gpt4-facial-expressions/final_results.csv" --dataset faces
	same faces_by_type '7,20 94,208 7,20 97,208 9,20 159,208 10,20 160,208' \
		"$(cells "$W/f.qualm" accuracy group,right,n --by face_type | tr ' ' '\n' |
			grep -v '^all' | cut -d, -f2- | tr '\n' ' ' | sed 's/ $//')"
	if command -v python3 > /dev/null; then
		# inverted against upright, from a count of the file itself
		same faces_flips "$(python3 tests/real/flips.py "$D/gpt4-facial-expressions/final_results.csv" | sort)" \
			"$(cells "$W/f.qualm" compare group,n,only_against,only_run,both,neither,p_mcnemar \
				--run inverted-explanation --against upright-explanation --by face_type |
				tr ' ' '\n' | awk -F, -v OFS=, '{ $NF = sprintf("%.6e", $NF); print }' | sort)"
	else
		echo "skip faces_flips: there is no python3"
	fi
	same faces_differ 'qualm: protocols differ: protocol a inverted-explanation, b upright-explanation' \
		"$(qualm report "$W/f.qualm" compare --run inverted-explanation --against upright-explanation \
			--format json 2>&1 > /dev/null)"
	# counted apart from the file's own column "correct"
	same faces_together '94 50 57 7 6 6 4 3 1' "$(cells "$W/f.qualm" agreement n --by together)"
	same faces_phi '0.903 0.473 0.521 0.467 0.515 0.817' "$(cells "$W/f.qualm" agreement phi --by pairs |
		tr ' ' '\n' | awk '{ printf "%s%.3f", (NR > 1) ? " " : "", $1 }')"
fi

if there imagenet_sample "$D/imagenet-sample/items.jsonl"; then
	import sample_import "$W/s.qualm" "$D/imagenet-sample/items.jsonl" "$D"/imagenet-sample/pred-*.jsonl \
		--images "$D/imagenet-sample" --dataset imagenet-sample
	same sample_right '475 855' "$(cells "$W/s.qualm" accuracy right --by none | tr ' ' '\n' | sort -n |
		tr '\n' ' ' | sed 's/ $//')"
	V2=mobilenet_v2_1.0_224_quant V1=mobilenet_v1_0.25_128_quant
	same sample_compare 'all,1000,465,390,10,135,0.855,0.475,0.38,20240117' "$(cells "$W/s.qualm" compare \
		group,n,both,only_run,only_against,neither,accuracy_run,accuracy_against,delta,seed \
		--run $V2 --against $V1 --by none)"
	same sample_compare_swapped 'all,465,10,390,-0.38' "$(cells "$W/s.qualm" compare \
		group,both,only_run,only_against,delta --run $V1 --against $V2 --by none)"
	# what regressed goes out as a list of keys and comes back by a filter
	qualm export "$W/s.qualm" --run $V2 --against $V1 --filter regressed --format ids -o "$W/regressed.ids" \
		2> "$W/log"
	same sample_regressed_ids '10 10' "$(grep -c . "$W/regressed.ids") $(qualm export "$W/s.qualm" --format ids \
		--filter "id:<$W/regressed.ids" 2> "$W/log" | grep -c .)"
	if command -v pdflatex > /dev/null; then
		{ printf '\\documentclass{article}\n\\begin{document}\n'
		  qualm report "$W/s.qualm" compare --run $V2 --against $V1 --format latex 2> "$W/log"
		  printf '\\end{document}\n'; } > "$W/t.tex"
		same sample_latex 0 "$(cd "$W" && pdflatex -interaction=batchmode t.tex > /dev/null; echo $?)"
	else
		echo "skip sample_latex: there is no pdflatex"
	fi
	# every row of the matrix has one sample; 145 are off the diagonal in the better run
	same sample_matrix '1000 1000 145' "$(qualm report "$W/s.qualm" confusion --format csv \
		--columns truth,answer,count --run mobilenet_v2_1.0_224_quant 2> "$W/log" | tr -d '\r' | sed 1d |
		awk -F'","|",|,"|,' '{ n += $NF; row[$1] += $NF; off += $1 != $2 }
			END { for (r in row) ones += row[r] == 1; printf "%d %d %d", n, ones, off }')"
	same sample_pair '465,390,10,135 0.335' "$(cells "$W/s.qualm" agreement \
		both,only_run,only_against,neither,phi --by pairs \
		--runs mobilenet_v2_1.0_224_quant,mobilenet_v1_0.25_128_quant |
		awk -F, '{ printf "%s,%s,%s,%s %.3f", $1, $2, $3, $4, $5 }')"
	same sample_together '465 135 390 10' "$(cells "$W/s.qualm" agreement n --by together)"
fi
exit $bad
