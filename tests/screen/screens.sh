#!/bin/sh
# Golden screens: key scripts through the headless backend, compared with tests/screen/golden.
# UPDATE=1 writes what is shown now as what is expected; look at the difference before keeping it.
set -u
cd "$(dirname "$0")/../.." || exit 1
QUALM=${QUALM:-$PWD/build/qualm}
G=$PWD/tests/screen/golden
W=$(mktemp -d); trap 'rm -rf "$W" "${SECRETS:-}"' EXIT
. tests/secrets.sh
XDG_CONFIG_HOME=$W/config XDG_STATE_HOME=$W/state XDG_DATA_HOME=$W/data
export XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME
bad=0

# A picture of 24 x 16 points, BMP: a head of 54 bytes, then rows of blue, green, red.
bmp() {
	printf 'BM\266\004\0\0\0\0\0\0\066\0\0\0\050\0\0\0\030\0\0\0\020\0\0\0\001\0\030\0\0\0\0\0\200\004\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	i=0
	while [ $i -lt 192 ]; do printf '\360\100\020\020\100\360'; i=$((i + 1)); done
}

# faces: two layers, three runs, every outcome, texts of every kind, good and bad pictures.
faces() {
	mkdir -p "$W/pics"
	bmp > "$W/pics/a.bmp"
	printf '\211PNG\r\n\032\nnothing that follows a head' > "$W/pics/broken.png"
	printf '\0\0\0\030ftypmp42\0\0\0\0mp42isom' > "$W/pics/clip.mp4"
	cat > "$W/faces.jsonl" <<'X'
{"id":"face_001","image":"a.bmp","question":"Which emotion does the face show?","label":"happiness","emotion_level":1}
{"id":"face_002","image":"broken.png","question":"Which emotion does the face show, taking into account the brows, the eyes, the mouth and whatever else may tell?","label":"sadness","emotion_level":2}
{"id":"face_003","image":"a.bmp","question":"\u8868\u60c5\u306f\u4f55\u3092\u793a\u3057\u3066\u3044\u307e\u3059\u304b\u3002 \ud83d\ude00 \ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67 e\u0301","label":"anger","emotion_level":3}
{"id":"face_004","image":"gone.bmp","question":"\u001b[31mred\u0007 and \u202ebidi\u202c","label":"fear","emotion_level":1}
{"id":"\u611f\u60c5_005","image":"a.bmp","question":"line one\nline two","label":"surprise","emotion_level":2}
{"id":"train/a/very/long/key/that/does/not/fit/face_006","image":"clip.mp4","question":"","label":"happiness","emotion_level":3}
X
	cat > "$W/careful.jsonl" <<'X'
{"id":"face_001","prediction":"happiness","response":"The mouth turns upwards.\n\nI would call it happiness.","score":0.91}
{"id":"face_002","prediction":"sadness","response":"sadness"}
{"id":"face_003","prediction":"fear","response":"fear, or anger"}
{"id":"face_004","prediction":"melancholia","response":"melancholia"}
{"id":"\u611f\u60c5_005","prediction":"","response":""}
X
	cat > "$W/hasty.jsonl" <<'X'
{"id":"face_001","prediction":"sadness"}
{"id":"face_002","prediction":"sadness"}
{"id":"face_003","prediction":"anger"}
{"id":"face_004","prediction":"fear"}
{"id":"\u611f\u60c5_005","prediction":"surprise"}
{"id":"train/a/very/long/key/that/does/not/fit/face_006","prediction":"sadness"}
X
	sed 's/"anger"/"fear"/' "$W/hasty.jsonl" > "$W/third.jsonl"
	cat > "$W/again.jsonl" <<'X'
{"id":"face_001","label":["happiness","surprise"]}
{"id":"face_002","label":"fear"}
{"id":"face_003","label":"anger"}
X
	into "$W/faces.qualm" faces "$W/faces.jsonl" --images "$W/pics"
	into "$W/faces.qualm" faces "$W/again.jsonl" --layer reannotated
	into "$W/faces.qualm" faces "$W/third.jsonl" --model third
	into "$W/faces.qualm" faces "$W/hasty.jsonl" --model hasty
	into "$W/faces.qualm" faces "$W/careful.jsonl" --model careful --protocol CW
}

# plain: no pictures, no runs.
plain() {
	i=1
	while [ $i -le 120 ]; do
		printf '{"id":"q%03d","question":"What is %d plus %d?","label":"%d"}\n' $i $i $i $((i % 7))
		i=$((i + 1))
	done > "$W/plain.jsonl"
	into "$W/plain.qualm" sums "$W/plain.jsonl"
}

# portraits: MEMO-Bench's annotations, generator and prompt in the file's name, the answers of two runs.
portraits() {
	printf 'Image,Score,Distortions\n' > "$W/annotation_emo.csv"
	printf 'id,prediction,degree\n' | tee "$W/sharp.csv" > "$W/blunt.csv"
	i=0
	for generator in SD1 FLU SDX; do
		for emotion in happy sad worry neutral surprise angry sad happy angry worry; do
			i=$((i + 1)) key=${generator}_${emotion}_$i seen=$emotion blunt=happy
			[ $((i % 4)) = 0 ] && seen=neutral
			[ $((i % 11)) = 0 ] && seen=
			[ $((i % 3)) = 0 ] && blunt=$emotion
			printf '%s.png,%d.%d,%s\n' "$key" $((i * 7 % 5)) $((i % 10)) "$seen" >> "$W/annotation_emo.csv"
			printf '%s,%s,%d\n' "$key" "$emotion" $((i * 7 % 5)) >> "$W/sharp.csv"
			printf '%s,%s,%d\n' "$key" "$blunt" $((i % 6)) >> "$W/blunt.csv"
		done
	done
	into "$W/portraits.qualm" portraits "$W/annotation_emo.csv" "$W/sharp.csv" "$W/blunt.csv" \
		--facet generator='^([^_]+)_' --facet prompt='^[^_]+_([^_]+)_'
}

into() { # PROJECT DATASET ARGS...
	p=$1 d=$2; shift 2
	"$QUALM" import "$p" "$@" --dataset "$d" > "$W/out" 2>&1 || { echo "not ok import: $(cat "$W/out")"; exit 1; }
}

# screen NAME SIZE PROJECT STEPS: steps are lines; the last screen is compared. VIEW: where it begins.
# FILTER: of the list. IN: the project's folder, with a slash.
screen() {
	printf '%b\n:save-screen %s\n' "$4" "$W/screen" > "$W/keys"
	rm -f "$W/screen"
	if ! "$QUALM" "${IN-$W/}$3.qualm" --view "${VIEW:-browse}" ${FILTER:+--filter "$FILTER"} --headless "$2" --script "$W/keys" ${ARGS:-} > "$W/out" 2>&1; then
		echo "not ok $1: $(cat "$W/out")"; bad=1; return
	fi
	[ "${UPDATE:-}" ] && cp "$W/screen" "$G/$1.txt"
	if diff "$G/$1.txt" "$W/screen" > "$W/diff" 2>&1; then echo "ok $1"
	else echo "not ok $1: differs from tests/screen/golden/$1.txt"; cat "$W/diff"; bad=1; fi
}

# refused NAME STATUS PATTERN STEPS ARGS...
refused() {
	name=$1 status=$2 pattern=$3; printf '%b\n' "$4" > "$W/keys"; shift 4
	"$QUALM" "$W/faces.qualm" --script "$W/keys" "$@" > "$W/out" 2>&1; rc=$?
	if [ $rc = "$status" ] && grep -q -- "$pattern" "$W/out"; then echo "ok $name"
	else echo "not ok $name: status $rc: $(cat "$W/out")"; bad=1; fi
}

# results: two tasks of lmms-eval, whose documents both begin with 0, two models; and answers to faces,
# one of them all the same, one under other names.
results() {
	for model in llava-hf__llava-1.5-7b Qwen__Qwen2-VL-7B; do
		mkdir -p "$W/results/lmms/$model"
		for task in emotion6 ferplus; do
			i=0
			while [ $i -lt 12 ]; do
				answer=$( [ $((i % 3)) = 0 ] && echo joy || echo fear )
				echo "{\"doc_id\":$i,\"target\":\"joy\",\"resps\":[[\"$answer\"]],\"filtered_resps\":[\"$answer\"],\"input\":\"$task $i?\"}"
				i=$((i + 1))
			done > "$W/results/lmms/$model/20250101_120000_samples_$task.jsonl"
		done
		echo '{"results":{"emotion6":{"acc,none":0.5}},"configs":{},"config":{"model":"m"}}' > "$W/results/lmms/$model/20250101_120000_results.json"
	done
	mkdir -p "$W/results/faces"
	printf '{"id":"FACE_001.png","prediction":"happiness"}\n{"id":"x/face_002","prediction":"anger"}\n{"id":"face_003","prediction":"fear"}\n' > "$W/results/faces/lax_cw.jsonl"
	printf '{"id":"portrait_1","prediction":"happiness"}\n{"id":"portrait_2","prediction":"anger"}\n' > "$W/results/faces/lost_cw.jsonl"
	printf 'try again\nlater\n' > "$W/results/notes.txt"
}

# clips: MME-Emotion, two tasks, two models, steps and a judge's marks of them.
clips() {
	cat > "$W/ER_Lab.json" <<'X'
[{"video_id":"SET/a.mp4","label":"Anger","label_set":["Anger","Fear","Neutral"]},
 {"video_id":"SET/b.mp4","label":"Fear","label_set":["Anger","Fear","Neutral"]}]
X
	cat > "$W/ML_ER.json" <<'X'
[{"video_id":"SET/c.mp4","label":"happy,sad","label_set":["happy","sad","fear"]}]
X
	cat > "$W/ER_Lab_keen_eval.json" <<'X'
[{"video_id":"SET/a.mp4","ground_truth":"Anger","model_response":"The brows are low. The voice is loud. So it is anger.","step":"<step>Step 1: The brows are low. Step 2: The voice is loud. Step 3: The predicted emotion is anger.</step>","score":"<score>Step 1: 1/1, Step 2: 0/1, Step 3: 1/1</score>","response_tokens":14},
 {"video_id":"SET/b.mp4","ground_truth":"Fear","model_response":"Neutral","step":"<step>Step 1: The predicted emotion is neutral.</step>","score":"I cannot tell.","response_tokens":1}]
X
	cat > "$W/ML_ER_keen_eval.json" <<'X'
[{"video_id":"SET/c.mp4","ground_truth":"happy,sad","model_response":"He smiles and weeps: sad.","step":"<step>Step 1: He smiles and weeps. Step 2: The predicted emotion is sad.</step>","score":"<score>Step 1: 1/1, Step 2: 1/2</score>","response_tokens":6}]
X
	cat > "$W/ER_Lab_terse_eval.json" <<'X'
[{"video_id":"SET/a.mp4","ground_truth":"Anger","model_response":"Fear","step":"<step>Step 1: The predicted emotion is fear.</step>","score":"<score>Step 1: 0/1</score>","response_tokens":1},
 {"video_id":"SET/b.mp4","ground_truth":"Fear","model_response":"Fear","step":"<step>Step 1: The predicted emotion is fear.</step>","score":"<score>Step 1: 1/1</score>","response_tokens":1}]
X
	into "$W/clips.qualm" clips "$W/ER_Lab.json" "$W/ML_ER.json" "$W"/*_eval.json
}

# pairs: standard records of MVEI_PLUS, two pictures a question, one of them missing once.
pairs() {
	cat > "$W/Std-EEmo-Bench-Pair-Perception.json" <<'X'
{"p1":{"image_path":["../a.bmp","a.bmp"],"prompt":"Which of the two looks happier?\nA. the first\nB. the second","ground_truth":"B","other_info":{"question_type":"What/How"}},
 "p2":{"image_path":["a.bmp","gone.bmp","a.bmp"],"prompt":"Are they alike?","ground_truth":"A","other_info":{"question_type":"Yes-or-No"}}}
X
	mkdir -p "$W/keen"
	sed 's/,"ground_truth"/,"generations":["<answer>B<\/answer>","A"]&/' "$W/Std-EEmo-Bench-Pair-Perception.json" > "$W/keen/Std_EEmo_Bench_Pair_Perception_results.json"
	into "$W/pairs.qualm" pairs "$W/Std-EEmo-Bench-Pair-Perception.json" "$W/keen" --images "$W/pics"
}

faces
plain
portraits
clips
pairs
mkdir -p "$G"
printf '{"id":"x"}\n' > "$W/empty.jsonl"
"$QUALM" import "$W/empty.qualm" "$W/empty.jsonl" --dataset d > /dev/null 2>&1

for size in 40x10 40x30 80x24 120x36 200x60; do
	screen "first_$size" $size faces ''
done
# Colours change no cell: without them the screens are the same.
for theme in mono ansi light; do
	ARGS="--theme $theme" screen first_80x24 80x24 faces ''
	ARGS="--theme $theme" VIEW=gallery screen gallery_80x24 80x24 faces ''
done
NO_COLOR=1 screen first_120x36 120x36 faces ''
TERM=vt100 screen first_120x36 120x36 faces ''
TERM=vt100 LC_ALL=C screen ascii 80x24 faces ''
screen wrong 80x24 faces 'e'
screen broken_picture 80x24 faces 'j'
screen wide_text 80x24 faces 'j j'
screen control_text 80x24 faces ':4'
screen missing_answer 80x24 faces 'G'
screen next_run 120x36 faces ']'
cp "$W/faces.qualm" "$W/swapped.qualm" # what is a and b is kept
screen swapped 80x24 swapped '~'
screen sample 80x24 faces 'Enter'
screen sample_narrow 40x10 faces 'j j Enter'
screen sample_next 120x36 faces 'Enter j j'
screen search_hit 80x24 faces '/ b r o w s Enter'
screen search_regex 120x36 faces '/ / m o u t h | 0 0 [ 3 5 ] / Enter'
screen search_cjk 80x24 faces '/ 感 Enter'
screen search_names 120x36 faces '/ s a d Enter'
FILTER='text~/mouth|brow/ or id~_005' screen filter_hits 120x36 faces 'g g'
screen search_none 80x24 faces '/ x y z z y Enter'
screen prompt 80x24 faces ': s a v e'
screen pending 80x24 faces 'g'
screen unknown_key 80x24 faces 'Ctrl-y'
screen unknown_command 80x24 faces ': f r o b Enter'
screen help 80x24 faces '?'
screen help_narrow 40x10 faces '?'
screen help_search 80x24 faces '? / w r o n g Enter'
screen help_sample 120x36 faces 'Enter ?'
screen no_runs 80x24 plain 'Ctrl-d Ctrl-d'
screen no_runs_wide 120x36 plain ':77'
screen one_sample 80x24 empty 'j k G'

LC_ALL=C screen ascii 80x24 faces ''
LC_ALL=C screen ascii_control 80x24 faces ':4'

# A table that nobody knows: columns become fields; hostile and wide cells, doubles, unknown names.
printf 'photo,mood,what it said,sure,\346\204\237\346\203\205\n' > "$W/moods.csv"
printf 'face_001,joyful,happiness,0.91,\345\226\234\343\201\263\n' >> "$W/moods.csv"
printf 'face_002,sadness,fear|sadness,no,\033[31mred\007\n' >> "$W/moods.csv"
printf 'face_002,anger,melancholia,0.5,\342\200\256bidi\n' >> "$W/moods.csv"
printf 'nobody,fear,fear,0.25,\360\237\221\251\342\200\215\360\237\221\251\342\200\215\360\237\221\247\n' >> "$W/moods.csv"
printf '{"v":1,"run":{"items":[{"meta":{"face":"face_001"},"gold":"happiness","out":[{"text":"happiness"}]},{"meta":{"face":"face_003"},"gold":"anger","out":[{"text":"I cannot say."}]}]}}' > "$W/deep.json"
cp "$W/faces.qualm" "$W/mapped.qualm"
for size in 80x24 40x10 120x36 200x60; do
	screen "mapping_$size" $size mapped ":import $W/moods.csv"
done
for theme in mono light; do
	ARGS="--theme $theme" screen mapping_80x24 80x24 mapped ":import $W/moods.csv"
done
LC_ALL=C screen mapping_ascii 80x24 mapped ":import $W/moods.csv"
screen mapping_fields 80x24 mapped ":import $W/moods.csv\nj j Enter"
screen mapping_narrow_problem 40x10 mapped ":import $W/moods.csv\nj j"
screen mapping_changed 80x24 mapped ":import $W/moods.csv\nj j S | Enter\n:spelling happiness=joyful\n:constant model=gpt-4o\nj Space"
screen mapping_undone 80x24 mapped ":import $W/moods.csv\nj l l u u u"
screen mapping_no_key 80x24 mapped ":import $W/moods.csv\n:field details\n:rows-in a\ni"
screen mapping_deep 80x24 mapped ":import $W/deep.json"
screen mapping_help 80x24 mapped ":import $W/moods.csv\n?"
screen mapping_left 80x24 mapped ":import $W/moods.csv\nq"
screen mapping_saved 80x24 mapped ":import $W/moods.csv\n:save-recipe moods\ni\nj"
screen mapping_proposed 80x24 mapped ":import $W/moods.csv"

# Home, the gallery, the facets, and what is chosen in popups.
mkdir "$W/all"; for f in a.bmp gone.bmp broken.png clip.mp4; do bmp > "$W/all/$f"; done
into "$W/two.qualm" faces "$W/faces.jsonl" --images "$W/all"
into "$W/two.qualm" faces "$W/again.jsonl" --layer reannotated
into "$W/two.qualm" faces "$W/third.jsonl" --model third
into "$W/two.qualm" faces "$W/careful.jsonl" --model careful --protocol CW
printf '{"id":"face_001","prediction":"joy"}\n{"id":"face_999","prediction":"fear"}\n{"id":\n' > "$W/odd.jsonl"
"$QUALM" import "$W/two.qualm" "$W/odd.jsonl" --dataset faces --model odd > /dev/null 2>&1
into "$W/two.qualm" sums "$W/plain.jsonl"
for size in 40x10 80x24 120x36 200x60; do
	VIEW=home screen "home_$size" $size two ''
	VIEW=gallery screen "gallery_$size" $size faces ''
done
LC_ALL=C VIEW=home screen home_ascii 120x36 two ''
VIEW=home screen home_end 40x10 two 'G'
VIEW=home screen home_no_runs 80x24 plain ''
VIEW=home screen home_in 80x24 two 'j Enter'
VIEW=home screen home_b 80x24 two 'j j b'
LC_ALL=C VIEW=gallery screen gallery_ascii 80x24 faces 'l'
VIEW=gallery screen gallery_end 80x24 faces 'G'
VIEW=gallery screen gallery_plain 80x24 plain 'Ctrl-d l'
VIEW=gallery screen gallery_sample 80x24 faces 'l Enter j'
VIEW=gallery screen gallery_help 80x24 faces '?'
cp "$W/faces.qualm" "$W/mat.qualm" # lens and filter are kept
for size in 40x10 80x24 120x36 200x60; do
	VIEW=matrix screen "matrix_$size" $size mat ''
done
for theme in mono ansi light; do
	ARGS="--theme $theme" VIEW=matrix screen matrix_80x24 80x24 mat ''
done
LC_ALL=C VIEW=matrix screen matrix_ascii 80x24 mat ''
VIEW=matrix screen matrix_list_narrow 40x10 mat 'Tab j'
VIEW=matrix screen matrix_row_share 80x24 mat '% d S j'
VIEW=matrix screen matrix_difference 80x24 mat 'm'
VIEW=matrix screen matrix_sums 66x16 portraits 'm'
VIEW=matrix screen matrix_sums_40x14 40x14 portraits 'm'
VIEW=matrix screen matrix_no_runs 80x24 plain ''
VIEW=matrix screen matrix_opened 120x36 mat ':lens layer=original\nTab\nEnter'
VIEW=matrix screen matrix_sheet 80x24 mat ':lens layer=original\nTab\ng c'
for size in 120x36 80x24 40x10; do
	VIEW=browse screen "sheet_$size" $size mat ':lens layer=original\ng c\nj l'
done
TERM=vt100 LC_ALL=C VIEW=browse screen sheet_ascii 80x24 mat ':lens layer=original\ng c'
VIEW=matrix screen matrix_help 80x24 mat '?'
VIEW=matrix screen matrix_none 80x24 mat ':filter right wrong'
# 120 classes, more than fit; each is taken for the next one now and then.
awk 'BEGIN { for (i = 0; i < 1200; i++) printf "{\"id\":\"m%04d\",\"label\":\"class %d\"}\n", i, i % 120 }' > "$W/many.jsonl"
awk 'BEGIN { for (i = 0; i < 1200; i++) printf "{\"id\":\"m%04d\",\"prediction\":\"class %d\"}\n", i,
	(i % 120 + (i * 7 % 10 < i % 120 % 7 ? 1 : 0)) % 120 }' > "$W/guess.jsonl"
into "$W/many.qualm" many "$W/many.jsonl"
into "$W/many.qualm" many "$W/guess.jsonl" --model guess
for size in 40x10 80x24 200x60; do
	VIEW=matrix screen "matrix_many_$size" $size many ''
done
VIEW=matrix screen matrix_cluster 120x36 many ':matrix-order cluster\nTab\nCtrl-d'
VIEW=matrix screen matrix_other 80x24 many ':matrix-order index\nTab\nj h l l\nG'
cp "$W/faces.qualm" "$W/chosen.qualm"
screen choose_a 80x24 chosen 'a k'
screen choose_b_narrow 40x10 chosen 'b'
screen choose_search 80x24 chosen 'a / h a s'
screen chosen_a 80x24 chosen 'a k Enter'
screen panel 80x24 chosen 'p Space'
screen sort_popup 120x36 chosen 's'
LC_ALL=C screen sort_popup_ascii 80x24 chosen 's'
screen sorted 120x36 chosen 's / v e r d Enter Enter g g'
screen sorted_back 80x24 chosen ':sort key\n:sort key down\n/ b r o Enter'
screen facets 120x36 chosen 'Tab j'
screen facets_chosen 120x36 chosen 'Tab } j Enter j Enter'
screen facets_excluded 200x60 chosen 'Tab j - j j ,'
screen facets_search 120x36 chosen 'Tab } } } } / s u r'
screen facets_over 80x24 chosen 'Tab j Enter'
screen facets_over_narrow 40x10 chosen 'Tab j j Enter G'
screen facets_over_tall 40x30 chosen 'Tab j Enter Enter'
LC_ALL=C screen facets_ascii 120x36 chosen 'Tab G'
LC_ALL=C screen facets_over_ascii 80x24 chosen 'Tab j Enter j -'

# A tree of values, names from outside, numbers in ranges.
cat > "$W/tree.awk" <<'X'
BEGIN {
	n = split("bliss delight zeal dread worry horror oddity", emotion, " ")
	split("ひらがな|plain|\\u001b[31mred \\u202e|a rather long name of a source that nobody reads", source, "|")
	for (i = 1; i <= 400; i++)
		printf "{\"id\":\"t%03d\",\"label\":\"%d\",\"emotion\":\"%s\",\"mos\":%.2f,\"source of it\":\"%s\"}\n",
			i, i % 40, emotion[i % n + 1], (i * 7 % 400) / 100, source[i % 4 + 1]
}
X
awk -f "$W/tree.awk" > "$W/tree.jsonl"
printf 'primary\tsecondary\ttertiary\njoy\tcheerfulness\tbliss\njoy\tcheerfulness\tdelight\njoy\tzest\tzeal\nfear\thorror\tdread\nfear\tnervousness\tworry\n' > "$W/tree.tsv"
into "$W/tree.qualm" tree "$W/tree.jsonl"
into "$W/tree.qualm" tree "$W/tree.tsv"
screen facets_tree 120x36 tree 'Tab l l j l j j Space'
screen facets_tree_excluded 80x24 tree 'Tab l l j - k k Enter'
screen facets_ranges 120x36 tree 'Tab } j j j Enter j Enter'
LC_ALL=C screen facets_tree_ascii 80x24 tree 'Tab l l'

screen filter_prompt 80x24 chosen 'i'
screen filter_word 80x24 chosen 'i r i g h t Space e m'
screen filter_counted 80x24 chosen 'i w r o n g'
screen filter_fault 80x24 chosen 'i w r n o g Space r i g h t Home'
screen filter_fault_narrow 40x10 chosen 'i r i g h t @ n o n e Enter'
screen filter_list 80x24 chosen 'i g t : Tab Tab Tab'
screen filter_list_narrow 40x10 chosen 'i w r o n g @ Tab Tab'
LC_ALL=C screen filter_list_ascii 80x24 chosen 'i g t : Tab'
screen filtered 80x24 chosen 'i w r o n g Space g t @ o r i g i n a l : a n g e r , f e a r Enter'
screen filtered_wide 120x36 chosen ':filter wrong emotion_level>1'
screen filtered_narrow 40x10 chosen ':filter -missing@any'
screen filter_off 80x24 chosen ':filter wrong\nCtrl-t'
screen filter_none 80x24 chosen ':filter wrong right\nj'
screen filter_none_narrow 40x10 chosen ':filter wrong right'
VIEW=gallery screen filter_none_gallery 80x24 chosen ':filter wrong right\nEnter'
screen filter_by 80x24 chosen ':3\n, j'
screen filter_out_narrow 40x10 chosen ':3\n-'
screen filtered_by 80x24 chosen ':3\n, j Enter'
screen conditions 80x24 chosen ':filter -right emotion_level>1 -missing\ng f j'
screen conditions_removed 80x24 chosen ':filter -right emotion_level>1 -missing\ng f j d'
LC_ALL=C screen conditions_ascii 80x24 chosen ':filter -right emotion_level>1\ng f'
screen base 80x24 chosen ':filter emotion_level>1\n:base\n:filter right'
VIEW=gallery screen filtered_gallery 80x24 chosen ':filter emotion_level>1'
# Saved filters and columns stay in the project as well; what is written goes to a file.
cp "$W/faces.qualm" "$W/shelf.qualm"
screen saved_none 80x24 shelf '@'
VIEW=home screen saved_apply 80x24 shelf '0\nG Enter'
screen saved_name 80x24 shelf '@\ns h a p p y'
screen saved_popup 80x24 shelf '@\ns h a p p y Enter\nEsc :\ns a v e Space h a r d Enter\n@'
screen saved_wide 120x36 shelf '@'
screen saved_narrow 40x10 shelf '@'
screen saved_ask 80x24 shelf ':save hard'
VIEW=home screen saved_home 80x24 shelf ''
VIEW=home screen saved_home_narrow 40x10 shelf 'G'
LC_ALL=C VIEW=home screen saved_home_ascii 80x24 shelf ''
cp "$W/faces.qualm" "$W/columns.qualm"
screen columns_popup 80x24 columns 'C'
screen columns_narrow 40x10 columns 'C'
screen columns_moved 120x36 columns 'C j K > >'
screen columns_chosen 200x60 columns ':columns key,truth@original,answer,answer@b,verdict,runs,panel,score,emotion_level,text,path'
screen columns_some 80x24 columns ':columns key,answer,answer@b,score,panel'
screen columns_few 40x10 columns ''
LC_ALL=C screen columns_ascii 120x36 columns ''
screen columns_unknown 80x24 columns ':columns key,anwser'
screen write_popup 80x24 columns 'x'
screen write_narrow 40x10 columns 'x'
screen write_name 80x24 columns 'x j Enter'
cd "$W" && screen written 80x24 columns ':write csv list.csv'; cd - > /dev/null
[ "$(wc -l < "$W/list.csv")" = 7 ] && echo 'ok written_rows' || { echo 'not ok written_rows'; bad=1; }

# Tables of numbers; the lens is kept in their project.
cp "$W/faces.qualm" "$W/tables.qualm"
for size in 40x10 80x24 120x36 200x60; do
	VIEW=runs screen runs_$size $size tables ''
	VIEW=classes screen classes_$size $size tables ''
done
TERM=vt100 LC_ALL=C VIEW=runs screen runs_ascii 80x24 tables ''
TERM=vt100 LC_ALL=C VIEW=classes screen classes_ascii 80x24 tables 'j l'
VIEW=runs screen runs_right 80x24 tables 'l l l l l l l l l l l l'
VIEW=runs screen runs_by 80x24 tables ':group-by emotion_level\n:filter -id:face_003'
VIEW=runs screen runs_none 80x24 tables ':filter right@all cat:M-'
VIEW=runs screen runs_plain 80x24 plain ''
for size in 40x10 80x24 200x60; do
	VIEW=runs screen runs_memo_$size $size portraits ''
done
for size in 40x10 80x24 200x60; do
	VIEW=runs screen runs_mme_$size $size clips ''
done
VIEW=runs screen runs_mme_zero 120x36 clips ':set unparsed-marks zero\n:set alpha 25\n:group-by class'
screen steps_mme 80x24 clips '~\n:filter step:wrong\n:set pictures none'
screen steps_mme_partly 120x36 clips ':filter rec<1\n:set pictures none'
# Figures of people below the runs, and answers by their place in a request.
cp "$W/faces.qualm" "$W/figures.qualm"
printf 'model,A,A_original,S+,S_minus\nHuman average,91.6,88,95.3,\nPali OW,47.94,37.11,41.49,3\n' > "$W/people.csv"
printf '{"id":"face_00%d","model":"batched","prediction":"%s","batch_size":%d,"position":%d}\n' \
	1 happiness 5 1 2 'happy face' 5 2 3 anger 5 3 4 fear 1 1 > "$W/batched.jsonl"
into "$W/figures.qualm" faces "$W/batched.jsonl" "$W/people.csv"
for size in 80x24 120x36 200x60; do
	VIEW=runs screen runs_reference_$size $size figures 'G k'
done
cd "$W" && IN= VIEW=runs screen runs_reference_explained 80x24 figures 'G ='; cd - > /dev/null
VIEW=runs screen runs_reference_refused 80x24 figures 'G Enter'
VIEW=runs screen runs_groups 80x24 figures 'B'
VIEW=runs screen runs_batch 120x36 figures ':group-by batch'
cd "$W" && IN= VIEW=runs screen runs_oop_explained 120x36 figures 'j j j j j j l l l l l l l l l l l l l ='; cd - > /dev/null
screen answer_in_batch 200x60 figures ':run-a batched\nj'
VIEW=runs screen runs_memo_opened 80x24 portraits 'j j j Enter'
VIEW=classes screen classes_by 80x24 tables 'B'
VIEW=classes screen classes_sorted 80x24 tables 'h s j'
VIEW=classes screen classes_opened 120x36 tables 'j j j Enter'
VIEW=classes screen classes_head 80x24 tables 'Tab l l'
VIEW=classes screen classes_head_opened 120x36 tables 'Tab l Enter'
VIEW=classes screen classes_cluster 120x36 tables ':cluster emotion_level'
VIEW=classes screen classes_no_flips 80x24 tables 'G Enter'
VIEW=classes screen classes_of_one 80x24 many ''
VIEW=matrix screen flip_from_matrix 80x24 tables 'f f'
# Both say something of several words.
sed 's/careful/wordy/; s/"prediction":"fear","response":"fear, or anger"/"prediction":"anger","response":"It is anger, or fear."/;
	s/turns upwards/is wide open/' "$W/careful.jsonl" > "$W/wordy.jsonl"
cp "$W/faces.qualm" "$W/wordy.qualm"
into "$W/wordy.qualm" faces "$W/wordy.jsonl" --model wordy --protocol CW
screen wording 80x30 wordy 'g g Enter'
LC_ALL=C screen wording_ascii 120x36 wordy 'g g'
cd "$W" || exit 1 # the popup says where the project is
IN= VIEW=runs screen explain 80x24 tables '='
IN= VIEW=runs screen explain_memo_generator 80x24 portraits 'j j j l l l l l l ='
IN= VIEW=runs screen explain_memo_fine 80x24 portraits 'l l l l l l l l l l l l l l l\n='
IN= VIEW=runs screen explain_mme 80x24 clips 'l l ='
IN= VIEW=runs screen explain_narrow 40x10 tables '=\nj j j'
IN= VIEW=classes screen explain_flips 120x36 tables ':filter emotion_level>1\nl l l ='
IN= VIEW=matrix screen matrix_explain 80x24 mat ':lens layer=original\nj j j l l l l l =\nj'
IN= VIEW=matrix screen matrix_moved 120x36 mat ':lens layer=original\nm\nl =\nj j'
IN= VIEW=classes screen explain_recall 80x24 many 'j l l l l l l l l l\n='
IN= VIEW=classes screen explain_mean 80x24 many 'l l l l l l l l\n='
IN= LC_ALL=C VIEW=runs screen explain_ascii 80x24 tables '='
cd - > /dev/null || exit 1
VIEW=runs screen table_help 80x24 tables '? / t a b l e'
VIEW=runs screen runs_one_layer 80x24 tables 'L l'

# Who is right together: the three runs of the faces, 20 runs of two families, two of which repeat
# each other.
awk 'BEGIN { for (i = 0; i < 600; i++) printf "{\"id\":\"s%03d\",\"label\":\"class %d\"}\n", i, i % 10 }' > "$W/crowd.jsonl"
into "$W/crowd.qualm" crowd "$W/crowd.jsonl"
for r in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	awk -v r=$r 'BEGIN { for (i = 0; i < 600; i++) {
		hard = (i * 37 % 101 + (r % 2 ? i % 10 * 6 : (9 - i % 10) * 6)) % 100; off = (i * r * 13 + r) % 17
		if (i % 50 != r) printf "{\"id\":\"s%03d\",\"prediction\":\"class %d\"}\n", i,
			(hard + off > 70 + r) ? (i + 1 + off % 3) % 10 : i % 10 } }' > "$W/crowd_$r.jsonl"
	into "$W/crowd.qualm" crowd "$W/crowd_$r.jsonl" --run "run-$r" --model "vendor/model-$((r > 18 ? 19 : r))" --protocol CW
done
for size in 40x10 80x24 120x36 200x60; do
	VIEW=agreement screen agreement_$size $size tables ''
	VIEW=agreement screen agreement_pairs_$size $size tables 'Tab'
	VIEW=agreement screen agreement_crowd_$size $size crowd ''
	VIEW=agreement screen agreement_crowd_pairs_$size $size crowd 'Tab m\nG l l l'
done
for theme in mono ansi light; do
	ARGS="--theme $theme" VIEW=agreement screen agreement_80x24 80x24 tables ''
	ARGS="--theme $theme" VIEW=agreement screen agreement_pairs_80x24 80x24 tables 'Tab'
done
TERM=vt100 LC_ALL=C VIEW=agreement screen agreement_ascii 80x24 tables 'j'
TERM=vt100 LC_ALL=C VIEW=agreement screen agreement_pairs_ascii 80x24 tables 'Tab m'
VIEW=agreement screen agreement_runs 80x24 crowd 'G l'
VIEW=agreement screen agreement_rho 80x24 crowd ':agreement-measure spearman\no'
VIEW=agreement screen agreement_opened 80x24 tables 'j j Enter'
VIEW=agreement screen agreement_help 80x24 tables '?'
VIEW=agreement screen agreement_plain 80x24 plain ''
VIEW=agreement screen agreement_none 80x24 tables ':filter right@all wrong@all'
cd "$W" || exit 1 # the popup says where the project is
IN= VIEW=agreement screen explain_pair 120x36 tables 'Tab ='
cd - > /dev/null || exit 1
VIEW=runs screen runs_repeats 80x24 crowd 'G'
VIEW=runs screen runs_unfolded 80x24 crowd 'o G'
screen columns_repeats 80x24 crowd ':columns key,answer,panel,difficulty,repeats\n:filter unstable'
screen facets_difficulty 120x36 crowd 'Tab G Enter\nG'

# What the user says stays in the project: each screen goes on where the one before has left it.
USER=ada; export USER
cp "$W/faces.qualm" "$W/mine.qualm"
awk 'BEGIN { for (i = 1; i <= 1200; i++) printf "{\"id\":\"n%04d\",\"label\":\"%d\"}\n", i, i % 7 }' > "$W/sums.jsonl"
into "$W/sums.qualm" sums "$W/sums.jsonl"
screen note_prompt 80x24 mine 'c f r o n t a l , Space c l o s e'
screen note 80x24 mine 'c f r o n t a l , Space c l o s e Enter'
screen note_again 80x24 mine 'c Space u p'
screen tag_prompt 80x24 mine 'j t p o s e Space b l u r r y Enter t b'
screen tag_taken 80x24 mine ':2\nt - b Tab Enter'
screen range 80x24 mine ':2\nv j j'
LC_ALL=C screen range_ascii 80x24 mine ':2\nv j j'
screen marked 80x24 mine ':2\nv j j Space'
screen marked_narrow 40x10 mine ':3'
screen marked_wide 120x36 mine ':2'
LC_ALL=C screen marked_ascii 80x24 mine ':3'
screen tag_marked 80x24 mine '; t d o n e Enter'
screen undone 80x24 mine 'u'
screen sample_mine 80x24 mine 'g g Enter'
screen all_marked 80x24 mine ';'
screen copied 80x24 mine 'y p'
screen filter_stale 80x24 mine ':filter tag:done\n:2\n:untag done'
VIEW=gallery screen filter_stale_gallery 80x24 mine ':tag done\n:filter tag:done\n:untag done'
screen place 80x24 mine 'G Enter g o g o'
screen ask 80x24 sums '; t s u m Enter'

# The picture alone.
for size in 40x10 80x24 120x36 200x60; do
	VIEW=browse screen zoom_$size $size faces 'z'
	VIEW=browse screen zoom_in_$size $size faces 'z + + + + + + + + l j'
done
LC_ALL=C VIEW=browse screen zoom_ascii 80x24 faces 'z + + + + + + + h k'
VIEW=browse screen zoom_next 80x24 faces 'z + + + + + + + h k Ctrl-n Ctrl-n'
VIEW=browse screen zoom_no_picture 80x24 sums 'z'
VIEW=gallery screen zoom_in_gallery 80x24 faces 'j z +'
VIEW=browse screen zoom_back 80x24 faces 'z + q'
VIEW=browse screen zoom_help 80x24 faces 'z ?'

# How a model would be asked. Nobody listens there: nothing is sent by these screens.
printf '[endpoint local]\nbase_url = http://127.0.0.1:9/v1\nmodel = careful-2\nkey_env = QUALM_TEST_KEY\n[endpoint far]\nbase_url = https://models.example.org/v1\nmodel = third\n' > "$W/asking"
QUALM_TEST_KEY=sk-that-is-on-no-screen ARGS="--config $W/asking"; export QUALM_TEST_KEY
cp "$W/faces.qualm" "$W/asked.qualm"
for size in 40x10 80x24 120x36 200x60; do
	VIEW=query screen query_$size $size asked ''
done
LC_ALL=C VIEW=query screen query_ascii 80x24 asked ''
VIEW=query screen query_offer 80x24 asked 'o'
VIEW=query screen query_protocol_narrow 40x10 asked 'P'
VIEW=query screen query_model 120x36 asked 'm'
VIEW=query screen query_crop 80x24 asked 'z H H L J j'
VIEW=query screen query_cropped 80x24 asked 'z H H H l Backspace'
VIEW=query screen query_no_picture 80x24 asked ':4'
VIEW=query screen query_other 120x36 asked ':endpoint far\n:protocol ow\n:repeats 3\nj j'
screen query_many 80x24 asked '7\n:protocol ow\n:filter wrong\n:query 2'
VIEW=query screen query_help 80x24 asked '? / a s k'
ARGS= VIEW=query screen query_no_endpoint 80x24 asked ''
ARGS=
ok() { echo "ok $1"; }
not_ok() { echo "not ok $1: $2"; bad=1; }
no_secret query_no_key "$QUALM_TEST_KEY" "$W" "$G"

# A folder of results, from inside: the plan, what it brought, and where what looks off is told.
results
cd "$W" || exit 1
for size in 40x10 80x24 120x36 200x60; do
	cp faces.qualm into.qualm; IN= screen import_plan_$size $size into ':import results'
	cp faces.qualm into.qualm; IN= screen import_told_$size $size into ':import results\nEnter\n:import'
done
cp faces.qualm into.qualm; IN= LC_ALL=C screen import_plan_ascii 80x24 into ':import results'
cp faces.qualm into.qualm; IN= screen import_plan_end 80x24 into ':import results\nG'
cp faces.qualm into.qualm; IN= screen import_done 80x24 into ':import results\nEnter'
IN= VIEW=home ARGS='--dataset faces' screen import_home_80x24 80x24 into ''
IN= VIEW=home ARGS='--dataset faces' screen import_home_76x36 76x36 into ''
IN= VIEW=home ARGS='--dataset faces' screen import_home_40x10 40x10 into 'G'
cd - > /dev/null || exit 1
# Texts that mean no class, one after the other; what is counted follows, and comes back.
for size in 40x10 80x24 120x36 200x60; do
	cp "$W/faces.qualm" "$W/map.qualm"; VIEW=runs screen labels_$size $size map ':labels Tristesse=sadness\n:labels'
done
LC_ALL=C VIEW=runs screen labels_ascii 80x24 map ':labels'
cp "$W/faces.qualm" "$W/map.qualm"
VIEW=runs screen labels_typed 80x24 map ':labels\nEnter\nf e Tab'
VIEW=runs screen labels_placed 80x24 map ':labels\nEnter\nf e Tab Enter'
screen labels_preview 120x36 map ':4'
VIEW=runs screen labels_undone 80x24 map 'u\n:labels'
# An answer that is longer than the line leaves what a text means in sight.
(cd "$W" && echo '{"id":"face_003","prediction":"I cannot tell from this picture alone what the person may feel"}' > wordy.jsonl &&
	cp faces.qualm wordy.qualm && "$QUALM" import wordy.qualm wordy.jsonl && "$QUALM" labels wordy.qualm Tristesse=sadness) > /dev/null 2>&1
for size in 40x10 80x24; do
	VIEW=runs screen labels_wordy_$size $size wordy ':labels'
done
# Several pictures of one sample.
for size in 40x10 80x24 120x36 200x60; do
	screen "pairs_$size" "$size" pairs ''
done
screen pairs_three 80x24 pairs 'j'
VIEW=gallery screen pairs_gallery 80x24 pairs ''
ARGS="--config $W/asking" VIEW=query screen pairs_query 120x36 pairs ''

refused bad_key 2 'keys:2: "Nokey" is no key' 'j\nNokey' --headless 80x24
refused bad_command 2 'keys:1: there is no command frob' ':frob' --headless 80x24
refused bad_sample 2 'there is no sample "face_999"' 'j' --headless 80x24 --at face_999
refused bad_size 2 '--headless takes' 'j' --headless 80
exit $bad
