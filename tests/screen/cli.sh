#!/bin/sh
# The command line as a shell sees it: exit statuses, messages, help, imports that go wrong.
set -u
cd "$(dirname "$0")/../.." || exit 1
QUALM=${QUALM:-$PWD/build/qualm}
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
XDG_CONFIG_HOME=$W/config XDG_STATE_HOME=$W/state XDG_DATA_HOME=$W/data TMPDIR=$W
export XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME TMPDIR
bad=0
ok() { echo "ok $1"; }
not_ok() { echo "not ok $1: $2"; bad=1; sed 's/^/    out: /' "$W/out"; sed 's/^/    err: /' "$W/err"; }

# run NAME STATUS PATTERN ARGS...: the status, and a line of output or errors that matches.
run() {
	name=$1 status=$2 pattern=$3; shift 3
	"$QUALM" "$@" > "$W/out" 2> "$W/err" < /dev/null
	rc=$?
	if [ $rc != "$status" ]; then not_ok "$name" "status $rc, not $status"
	elif [ "$pattern" ] && ! cat "$W/out" "$W/err" | grep -qE -- "$pattern"; then not_ok "$name" "nothing says $pattern"
	else ok "$name"; fi
}
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "\"$2\", not \"$3\""; fi; }

# --- words ---

run no_words 2 'what shall be opened'
run help 0 '^  qualm import FILE.qualm PATH' --help
run version 0 '^qualm [0-9]' --version
commands=$("$QUALM" --help | sed -n 's/^  qualm \([a-z][a-z]*\) .*/\1/p')
is commands_are_listed "$(echo "$commands" | grep -cE '^(import|info|preview|help)$')" 4
for c in open $commands; do
	run "help_$c" 0 '^usage: qualm ' "$c" --help
	run "help_of_$c" 0 '^usage: qualm ' help "$c"
done
run help_typo 2 'did you mean import' help imprt
run unknown_option 2 'no option --dryrun; did you mean --dry-run' import p x --dryrun
run unknown_option_far 2 'qualm info --help' info p --zzzz
run no_value 2 'needs a value' info p --format
run command_typo 2 'did you mean info' inof
run no_project 1 'qualm import .*/none.qualm PATH' "$W/none.qualm"
run info_no_project 1 'none.qualm' info "$W/none.qualm"
run import_no_files 2 'files or folders to read' import "$W/p.qualm"
run bad_format 2 'text or json' info "$W/p.qualm" --format xml
run bad_map 2 'FIELD=COLUMN' import "$W/p.qualm" "$W/x" --map=nonsense
run bad_facet 2 'NAME=REGEX' import "$W/p.qualm" "$W/x" --facet nonsense
printf 'id,label\na,cat\n' > "$W/one.csv"
run bad_regex 2 'regular expression|\[' import "$W/p.qualm" "$W/one.csv" --facet 'x=['
run bad_as 2 'nonsense' import "$W/p.qualm" "$W/one.csv" --as nonsense
run missing_file 1 'absent.csv' import "$W/p.qualm" "$W/absent.csv"
[ -e "$W/p.qualm" ]; is nothing_was_made $? 1
run no_project_name 2 'project needs a name' import '' "$W/one.csv"
run no_such_folder 1 'p.qualm cannot be made: No such file' import "$W/nowhere/p.qualm" "$W/one.csv"
printf 'not a project\n' > "$W/text.qualm"
run not_a_project 1 'text.qualm' "$W/text.qualm"
run info_not_a_project 1 'text.qualm' info "$W/text.qualm"

# --- tables that nobody knows ---

printf 'photo,mood,what it said\na1,joy,joy\na2,fear,joy\n' > "$W/moods.csv"
run unknown 1 "there are: photo, mood, what it said.*--map 'key=photo,label=mood,prediction=what it said'" import "$W/moods.qualm" --dataset moods "$W/moods.csv"
[ -e "$W/moods.qualm" ]; is unknown_makes_nothing $? 1
printf '{id: 1, "prediction": "cat"}\n' > "$W/script.jsonl"
run unreadable_rows 1 'script.jsonl: it looks like JSON, but no row of it can be read: line 1: byte 1' import "$W/moods.qualm" --dataset moods "$W/script.jsonl"
run unknown_asked 1 'there are: photo, mood, what it said' import "$W/moods.qualm" --dataset moods "$W/moods.csv" --map
run known_asked 2 'asks on a terminal' import "$W/moods.qualm" --dataset moods "$W/one.csv" --map
run no_recipe 2 'there is no recipe moods; none is saved yet' import "$W/moods.qualm" --dataset moods "$W/moods.csv" --recipe moods
mkdir -p "$W/config/qualm/recipes"
printf '[table]\ncolumn = photo\ncolumn = mood\ncolumn = what it said\n[fields]\nkey = photo\nlabel = mood\nprediction = what it said\n[constants]\nmodel = m7\n' > "$W/config/qualm/recipes/moods.recipe"
run unknown_proposed 1 'those of the recipe moods: qualm import .*moods.qualm .*moods.csv --recipe moods' import "$W/moods.qualm" --dataset moods "$W/moods.csv"
run recipe_typo 2 'no recipe mods; there are: moods' import "$W/moods.qualm" --dataset moods "$W/moods.csv" --recipe mods
run with_recipe 0 'new run: m7' import "$W/moods.qualm" --dataset moods "$W/moods.csv" --recipe moods
run with_recipe_again 0 'nothing changed' import "$W/moods.qualm" --dataset moods "$W/moods.csv" --recipe "$W/config/qualm/recipes/moods.recipe"
run recipe_beats_nothing 0 'new run: m8' import "$W/moods.qualm" --dataset moods "$W/moods.csv" --recipe moods --model m8
printf 'photo,mood\na1,joy\n' > "$W/less.csv"
run recipe_wants 1 'the recipe moods wants what it said' import "$W/moods.qualm" --dataset moods "$W/less.csv" --recipe moods
run recipe_is_not_for_all 1 'one.csv: 1 class, 1 sample, 1 truth' import "$W/other.qualm" "$W/one.csv" "$W/moods.csv" --recipe moods
printf '[fields]\nkye = photo\n' > "$W/bad.recipe"
run bad_recipe 1 'bad.recipe: line 2: there is no field "kye"' import "$W/moods.qualm" --dataset moods "$W/moods.csv" --recipe "$W/bad.recipe"
printf '[table]\njoin = position\n[fields]\nprediction = said\n[constants]\nmodel = by place\n' > "$W/place.recipe"
printf 'said,sure\njoy,1\nfear,1\njoy,1\n' > "$W/place.csv"
run by_position 1 'unmatched: 1' import "$W/moods.qualm" --dataset moods "$W/place.csv" --recipe "$W/place.recipe"
run by_position_is_right 0 'by.place.* 100.0 %' info "$W/moods.qualm"
printf '[table]\njoin = exact\n[fields]\nkey = photo\nprediction = said\n[constants]\nmodel = exact\n' > "$W/exact.recipe"
printf 'photo,said\na,cat\nA,cat\n' > "$W/exact.csv"
run by_letter 1 'unmatched: 1' import "$W/exact.qualm" "$W/one.csv" "$W/exact.csv" --recipe "$W/exact.recipe"
run table_is_no_project 2 'is no project; qualm import moods.qualm' "$W/moods.csv"
printf ':save-screen %s/screen\ni\n' "$W" > "$W/keys"
mkdir "$W/here"; cd "$W/here" || exit 1
run table_on_screen 0 '' "$W/moods.csv" --headless 80x24 --script "$W/keys"
run table_is_imported 0 'm7' info "$W/here/moods.qualm"
printf 'q\nQ\n' > "$W/keys"
run table_left 0 '' "$W/less.csv" --headless 80x24 --script "$W/keys"
is left_behind "$(ls "$W/here")" moods.qualm
cd - > /dev/null || exit 1

# --- preview ---

# 12 x 6 points in two colours, BMP: a head of 54 bytes, then rows of blue, green, red.
{
	printf 'BM\016\001\0\0\0\0\0\0\066\0\0\0\050\0\0\0\014\0\0\0\006\0\0\0\001\0\030\0\0\0\0\0\330\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	i=0
	while [ $i -lt 36 ]; do printf '\360\100\020\020\100\360'; i=$((i + 1)); done
} > "$W/a.bmp"
printf 'text\n' > "$W/one.txt"
run preview 0 '' preview "$W/a.bmp"
is preview_begins "$(head -c 12 "$W/out" | od -An -c | tr -d ' \n')" '033Pq"1;1;12;6'
is preview_ends "$(tail -c 2 "$W/out" | od -An -c | tr -d ' \n')" '033\'
run preview_of_text 1 'one.txt: .*no picture' preview "$W/one.txt"
run preview_of_nothing 1 'none.png: No such file' preview "$W/none.png"
run preview_no_image 2 'one IMAGE' preview
run preview_bad_size 2 '--size wants WxH' preview "$W/a.bmp" --size 3x
run preview_bad_colors 2 '--colors wants' preview "$W/a.bmp" --colors 999
{
	while [ ! -e "$W/gone" ]; do sleep 0.01; done
	"$QUALM" preview "$W/a.bmp"
	echo $? > "$W/rc"
} 2> "$W/err" | { exec < /dev/null; : > "$W/gone"; }
is preview_reader_is_gone "$(cat "$W/rc" "$W/err")" 0
if [ -e /dev/full ]; then
	"$QUALM" preview "$W/a.bmp" > /dev/full 2> "$W/err"
	is preview_full_disk "$? $(grep -c 'could not be written' "$W/err") $(wc -l < "$W/err" | tr -d ' ')" '1 1 1'
fi

# --- an import with mistakes in it ---

cat > "$W/items.csv" <<'C'
id,label,text
one,cat,first
two,dog,second
three,cat,third
C
cat > "$W/pred.jsonl" <<'C'
{"id":"one","prediction":"cat","model":"m"}
{"id":"two","prediction":"cat","model":"m"}
{"id":"three","prediction":"","model":"m"}
{"id":"four","prediction":"cat","model":"m"}
{"id":"five","prediction":
C
run dry_run 1 'dry run, nothing was written' import "$W/p.qualm" "$W/items.csv" "$W/pred.jsonl" --dataset d --dry-run
[ -e "$W/p.qualm" ]; is dry_run_makes_nothing $? 1
run import 1 '1 row skipped, 1 unmatched' import "$W/p.qualm" "$W/pred.jsonl" "$W/items.csv" --dataset d --errors "$W/errors"
is errors_file "$(sed "s|^$W/||" "$W/errors" | cut -d: -f1,2 | sort | tr '\n' ' ')" 'pred.jsonl:4 pred.jsonl:5 '
is errors_stdout "$("$QUALM" import "$W/p.qualm" "$W/pred.jsonl" --dataset d --errors - 2> /dev/null | wc -l | tr -d ' ')" 2
run import_again 1 'nothing changed' import "$W/p.qualm" "$W/pred.jsonl" "$W/items.csv" --dataset d
sum=$(cksum < "$W/p.qualm")
run import_third 1 'nothing changed' import "$W/p.qualm" "$W/pred.jsonl" "$W/items.csv" --dataset d
is import_again_no_byte "$(cksum < "$W/p.qualm")" "$sum"
run errors_nowhere 1 'cannot be written' import "$W/p.qualm" "$W/items.csv" --errors "$W/no/such/folder"
# Every failure names its file, once, and the good file of the three is in.
printf '[[[[' > "$W/deep.json"
printf '{"z":1}\n' > "$W/nokey.jsonl"
run three_files 1 '1 of 3 files brought something new; 2 could not be read' import "$W/three.qualm" "$W/deep.json" "$W/nokey.jsonl" "$W/items.csv" --dataset d
is each_failure_once "$(grep -c 'nokey.jsonl' "$W/err") $(grep -c 'deep.json' "$W/err")" '1 1'
# A pipe can be read only once: it is not opened again after the look at its head.
mkfifo "$W/pipe"; cat "$W/items.csv" > "$W/pipe" &
run named_pipe 0 '3 samples' import "$W/pipe.qualm" "$W/pipe" --dataset d
printf 'primary\tsecondary\ttertiary\nfear\thorror\talarm\n' > "$W/tree.tsv"
run tree_says_so 0 'imported: [0-9]+ values of a tree' import "$W/pipe.qualm" "$W/tree.tsv"
printf '{"id":"one","prediction":"cat","model":"m2"}\n' > "$W/m2.jsonl"
run one_answer 0 'imported: 1 prediction$' import "$W/pipe.qualm" "$W/m2.jsonl" --dry-run
run second_run 0 'new run: m2' import "$W/pipe.qualm" "$W/m2.jsonl"
printf '{"id":"one","prediction":"cat","model":"m3"}\n' > "$W/m3.jsonl"
run third_run 0 'new run: m3' import "$W/pipe.qualm" "$W/m3.jsonl"
run last_two_are_compared 0 '^a m3, b m2' report "$W/pipe.qualm" compare
run last_two_are_grouped 0 '^a m3, b m2' report "$W/pipe.qualm" groups
run ambiguous_run 2 'begins like "m": m2, m3' "$W/pipe.qualm" --run m --headless 80x24 --script /dev/null
run info_text 0 '^  m  +50\.0 %' info "$W/p.qualm" --lens abstain=exclude
run info_n 0 '^  m  +33\.3 % +\[6\.1, 79\.2\] +1 +3 +0 +3 +1 empty' info "$W/p.qualm"
run info_dataset 0 '^d$' info "$W/p.qualm" --dataset d
run info_no_dataset 2 'no dataset "e"' info "$W/p.qualm" --dataset e
run info_bad_lens 2 'expected one of' info "$W/p.qualm" --lens n=sometimes
run info_no_pairs 2 'equivalent' info "$W/p.qualm" --lens equiv=on
run two_projects 2 'one project' "$W/p.qualm" "$W/q.qualm"
run not_in_a_pipe 2 'opens on a terminal' "$W/p.qualm"
mkdir -p "$W/config/qualm"
printf '[screen]\ncolour = red\n' > "$W/config/qualm/config"
run bad_config 2 'colour' "$W/p.qualm" --headless 80x24 --script /dev/null
printf '[screen]\ntheme = /no/such\n' > "$W/config/qualm/config"
run config_theme 1 '/no/such' "$W/p.qualm" --headless 80x24 --script /dev/null
run option_beats_config 0 '' "$W/p.qualm" --headless 80x24 --script /dev/null --theme dark
printf '[screen]\nthem = dark\n' > "$W/config/qualm/config"
run config_nearest 2 'line 2.*no option them; did you mean theme' "$W/p.qualm" --headless 80x24 --script /dev/null
printf '[screen]\n\npicture-colors = 1000\n' > "$W/config/qualm/config"
run config_range 2 'line 3.*picture-colors is not "1000" but 2 to 256' "$W/p.qualm" --headless 80x24 --script /dev/null
printf '[screen]\ntheme = mono\npictures = blocks\ncell = 8x16\npicture-colors = 64\npicture-rest = 0\nwheel = yes\n' > "$W/config/qualm/config"
run config_all 0 '' "$W/p.qualm" --headless 80x24 --script /dev/null
rm "$W/config/qualm/config"
run headless_needs_script 2 'needs --script' "$W/p.qualm" --headless 80x24
run headless 0 '' "$W/p.qualm" --headless 80x24 --script /dev/null
run no_config_file 1 'no-config' "$W/p.qualm" --headless 80x24 --script /dev/null --config "$W/no-config"
if command -v python3 > /dev/null; then
	is info_json "$("$QUALM" info "$W/p.qualm" --format json | python3 -c '
import json, sys
d = json.load(sys.stdin)["datasets"][0]
r = d["runs"][0]
print(d["name"], d["samples"], d["layers"][0]["name"], d["layers"][0]["labelled"], sorted(d["categories"]),
      r["handle"], r["predictions"], r["right"], r["n"], r["excluded"], r["outcomes"]["empty"], d["lens"])')" \
		"d 3 original 3 ['M+', 'M-', 'N', 'S+', 'S-'] m 3 1 3 0 1 layer=original,original=original,equiv=off,n=right,abstain=wrong,rule=regt"
else echo 'skip info_json: there is no python3'; fi
# --- filters and exports ---

before_filters=$(cksum < "$W/p.qualm")
run filter_screen 0 '' "$W/p.qualm" --filter wrong --headless 80x24 --script /dev/null
run filter_info 0 '^  shown +2 of 3 samples' info "$W/p.qualm" --filter gt:cat
run filter_info_run 0 '^  filter +wrong@m$' info "$W/p.qualm" --run m --filter wrong
run filter_info_n 0 '^  m  +50\.0 % .* 2  ' info "$W/p.qualm" --filter gt:cat
run filter_typo 2 "unknown word 'wrogn' at 1; did you mean wrong" info "$W/p.qualm" --filter wrogn
run filter_no_run 2 "'wrong' needs a run at 1" export "$W/p.qualm" --filter wrong
run filter_no_b 2 "'flip' needs a run at 1: choose one with --against" export "$W/p.qualm" --run m --filter flip
run filter_unquoted 2 'single quotes' export "$W/p.qualm" --filter gt:cat wrong@m
run filter_value_unquoted 2 'whole filter in single quotes' export "$W/p.qualm" --filter 'text@m~two words'
run filter_suggests 2 "--filter 'gt:cat wrong@m'" export "$W/p.qualm" --filter gt:cat wrong@m
run open_filter_unquoted 2 'single quotes' "$W/p.qualm" --filter gt:cat wrong@m
run open_two_words 2 'and "more" is another word; a filter stands behind --filter' "$W/p.qualm" more
run info_filter_unquoted 2 'single quotes' info "$W/p.qualm" --filter gt:cat ,dog
run filter_list_eaten 2 'id:<FILE' export "$W/p.qualm" --filter id: --format ids < "$W/items.csv"
run filter_less_eaten 2 'single quotes' export "$W/p.qualm" --run m --filter score --format ids
run filter_typo_alone 2 'did you mean wrong\?$' export "$W/p.qualm" --filter wrnog
run filter_minus_unquoted 2 'single quotes' export "$W/p.qualm" --filter gt:cat -seen
run filter_begins_with_minus 0 '^2 of 3' export "$W/p.qualm" --filter '-gt:dog'
# Names of files need not be UTF-8; JSON has to be.
bytes=$(printf '%s/caf\351' "$W")
"$QUALM" import "$bytes.qualm" "$W/items.csv" --dataset "$(printf 'm\351')" > "$W/out" 2>&1
"$QUALM" info "$bytes.qualm" --format json > "$W/bytes.json" 2> "$W/err"
"$QUALM" export "$bytes.qualm" -o "$W/bytes.jsonl" > "$W/out" 2> "$W/err"
command -v iconv > /dev/null || echo 'skip utf8_of: there is no iconv'
command -v iconv > /dev/null && for f in bytes.json bytes.jsonl bytes.jsonl.meta.json; do
	[ -s "$W/$f" ] && iconv -f UTF-8 -t UTF-8 "$W/$f" > /dev/null 2>&1; is utf8_of_$f $? 0
done
# A regular expression means characters wherever it is used, not bytes.
printf 'id,question,label\n\303\251t\303\251,gr\303\266\303\237e,x\na,caf\303\251,x\nb,plain,x\n' > "$W/letters.csv"
for l in C C.UTF-8 xx_XX.UTF-8; do
	rm -f "$W/letters.qualm"
	LC_ALL=$l "$QUALM" import "$W/letters.qualm" "$W/letters.csv" --facet 'first=^(.)' > "$W/out" 2> "$W/err"
	run letters_sound_$l 0 'is sound' check "$W/letters.qualm"
	is letters_$l "$(for f in '/[\303\251\303\250]/' '/CAF\303\211$/' '/^caf.$/' '/gr[^x]\303\237/'; do
		LC_ALL=$l "$QUALM" export "$W/letters.qualm" --filter "question~$(printf "$f")" --format ids 2> /dev/null
	done | tr '\n' ' ')" "$(printf 'a a a \303\251t\303\251 ')"
done
run export_unknown_run 2 'no run "mm"; did you mean m' export "$W/p.qualm" --run mm
run export_bad_format 2 'jsonl, csv, md or ids' export "$W/p.qualm" --format xml
run export_no_file 2 'wants a project' export
run export_no_project 1 'none.qualm' export "$W/none.qualm"
run export_no_dataset 2 'no dataset e' export "$W/p.qualm" --dataset e
run export_nowhere 1 'cannot be written' export "$W/p.qualm" -o "$W/no/such"
cp "$W/p.qualm" "$W/whole.qualm"
run export_over_project 2 'is the project: nothing' export "$W/p.qualm" -o "$W/p.qualm"
run errors_over_project 2 'is the project: nothing' import "$W/p.qualm" "$W/items.csv" --errors "$W/p.qualm"
cp "$W/items.csv" "$W/kept.csv"
run errors_over_input 2 'is to be read' import "$W/p.qualm" "$W/items.csv" --errors "$W/./items.csv"
cmp -s "$W/items.csv" "$W/kept.csv"; is errors_over_input_stays $? 0
printf ':save-screen %s/p.qualm\n' "$W" > "$W/keys"
"$QUALM" "$W/p.qualm" --headless 80x24 --script "$W/keys" > "$W/out" 2>&1
cmp -s "$W/p.qualm" "$W/whole.qualm"; is project_stays_whole $? 0
"$QUALM" export "$W/p.qualm" --format ids --run m --filter wrong > "$W/out" 2> "$W/err"
is export_ids "$(cat "$W/out")" 'two
three'
is export_tells "$(cat "$W/err")" '2 of 3 samples, filter: wrong@m'
printf 'two\nnobody\n' > "$W/keys"
is export_ids_back "$("$QUALM" export "$W/p.qualm" --format ids --filter "id:<$W/keys" 2> /dev/null)" two
"$QUALM" export "$W/p.qualm" --format csv -o "$W/x.csv" > "$W/out" 2> "$W/err"; is export_o $? 0
is export_o_quiet "$(cat "$W/out")" ''
is export_csv "$(tr -d '\r' < "$W/x.csv" | sort)" 'id,path,text,category,label original,m answer,m outcome,m verdict
one,,first,,cat,cat,answered,right
three,,third,,cat,,empty,wrong
two,,second,,dog,cat,answered,wrong'
is export_md "$("$QUALM" export "$W/p.qualm" --format md --filter gt:dog 2> /dev/null)" '| id | text | category | truth | m |
|---|---|---|---|---|
| two | second |  | dog | cat ✗ |'
if command -v python3 > /dev/null; then
	is export_meta "$(python3 -c '
import json
m = json.load(open("'"$W"'/x.csv.meta.json"))
print(m["dataset"], m["format"], m["rows"], m["samples"], repr(m["filter"]), m["lens"][:14])')" "d csv 3 3 '' layer=original"
	is export_jsonl "$("$QUALM" export "$W/p.qualm" --filter gt:dog 2> /dev/null | python3 -c '
import json, sys
for line in sys.stdin: print(json.dumps(json.loads(line), sort_keys=True))')" '{"answers": [{"classes": ["cat"], "outcome": "answered", "run": "m", "text": "cat", "verdict": "wrong"}], "dataset": "d", "id": "two", "labels": {"original": ["dog"]}, "question": "second"}'
	is info_json_filter "$("$QUALM" info "$W/p.qualm" --format json --run m --filter wrong | python3 -c '
import json, sys
d = json.load(sys.stdin)["datasets"][0]
print(d["samples"], d["shown"], d["filter"], d["runs"][0]["right"], d["runs"][0]["n"])')" '3 2 wrong@m 0 2'
else echo 'skip export_json: there is no python3'; fi
is export_columns "$("$QUALM" export "$W/p.qualm" --run m --format csv --columns key,answer,verdict@m,text --sort 'key down' 2> /dev/null | tr -d '\r')" 'key,answer@m,verdict@m,text
two,cat,wrong,second
three,(empty),wrong,third
one,cat,right,first'
is export_sort "$("$QUALM" export "$W/p.qualm" --format ids --sort 'text down' 2> /dev/null)" 'three
two
one'
run export_columns_unknown 2 'no column or facet "anwser"; did you mean answer' export "$W/p.qualm" --format csv --columns anwser
run export_columns_jsonl 2 'columns is for csv and md' export "$W/p.qualm" --columns key
run export_sort_unknown 2 'sort: there is no column or facet "zz"' export "$W/p.qualm" --sort zz
cp "$W/x.csv" "$W/x.before"
"$QUALM" export "$W/p.qualm" --format csv -o "$W/x.csv" --filter 'id:<none' > "$W/out" 2> "$W/err"
cmp -s "$W/x.csv" "$W/x.before"; is export_keeps_what_was $? 0
ls "$W" | grep -c part > "$W/out"; is export_leaves_no_part "$(cat "$W/out")" 0
if [ -c /dev/full ]; then
	"$QUALM" export "$W/p.qualm" > /dev/full 2> "$W/err"; is export_full_disk "$?" 1
	"$QUALM" export "$W/p.qualm" -o /dev/full > /dev/null 2> "$W/err"; is export_full_device "$?" 1
	[ -c /dev/full ]; is export_replaces_no_device $? 0
else echo 'skip export_full_disk: there is no /dev/full'; fi
cp "$W/p.qualm" "$W/saved.qualm"
printf ':save all of them\n' > "$W/keys.script"
"$QUALM" "$W/saved.qualm" --headless 80x24 --script "$W/keys.script" > /dev/null 2>&1; is info_saves $? 0
run info_saved 0 '^  saved +all of them: all samples$' info "$W/saved.qualm"
is filter_changes_nothing "$(cksum < "$W/p.qualm")" "$before_filters"

# --- tables ---

for table in accuracy classes confusion pairs oop facets; do
	for format in text md csv json latex; do
		run "report_${table}_$format" 0 '' report "$W/p.qualm" $table --format $format
	done
done
run report_filtered 0 'population [0-9]+ of' report "$W/p.qualm" accuracy --filter right@m
run report_layer 0 'layer:original' report "$W/p.qualm" accuracy --run layer:original --by none
run report_json 0 '"n": [0-9]+, "right": [0-9]+, "excluded"' report "$W/p.qualm" accuracy --format json
run report_columns 0 '^run,accuracy' report "$W/p.qualm" accuracy --format csv --columns run,accuracy
run report_bad_column 2 'did you mean accuracy' report "$W/p.qualm" accuracy --format csv --columns acuracy
run report_bad_table 2 'did you mean accuracy' report "$W/p.qualm" acuracy
run report_bad_group 2 'nothing is called' report "$W/p.qualm" accuracy --by zzz
run report_bad_format 2 'text, md, csv, json or latex' report "$W/p.qualm" accuracy --format xml
run report_bad_digits 2 'from 0 to 15' report "$W/p.qualm" accuracy --digits 16
run report_no_table 2 'a project and a table' report "$W/p.qualm"
run report_words 2 'single quotes' report "$W/p.qualm" accuracy wrong oop

for format in text md csv json latex; do
	run "report_compare_$format" 0 '' report "$W/p.qualm" compare --run m --against layer:original --format $format
done
run report_compare 0 'a m, b layer:original' report "$W/p.qualm" compare --run m --against layer:original
run report_compare_seeded 0 '"group": "all", "n": [0-9]+, "both": [0-9]+, "only_run": [0-9]+, "only_against"' \
	report "$W/p.qualm" compare --run m --against layer:original --format json --seed 5
run report_compare_one 2 'two runs: --run A --against B' report "$W/p.qualm" compare --run m
run report_compare_seed 2 'from 0 to 9007199254740991, not x' report "$W/p.qualm" compare --seed x
run report_compare_cluster 2 'no facet "imag" to cluster by' report "$W/p.qualm" compare --run m \
	--against layer:original --cluster imag
run report_not_compare 2 'are of the table compare' report "$W/p.qualm" accuracy --mid-p

# --- SQL ---

before_sql=$(cksum < "$W/p.qualm")
run sql_tables 0 '^verdict +dataset sample run verdict mark category lens' sql "$W/p.qualm"
run sql_tables_json 0 '"table":"label","column":"truth","type":"INTEGER"' sql "$W/p.qualm" --format jsonl
is sql_tsv "$("$QUALM" sql "$W/p.qualm" 'SELECT sample, outcome, class, raw FROM prediction ORDER BY ord' 2> "$W/err")" \
	"$(printf 'sample\toutcome\tclass\traw\none\tanswered\tcat\tcat\ntwo\tanswered\tcat\tcat\nthree\tempty\t\t')"
is sql_tells "$(cat "$W/err")" '3 rows'
is sql_csv "$("$QUALM" sql "$W/p.qualm" 'SELECT '"'a,b'"' AS x, NULL AS y, 1.5 AS z' --format csv 2> /dev/null | tr -d '\r')" 'x,y,z
"a,b",,1.5'
is sql_md "$("$QUALM" sql "$W/p.qualm" "SELECT verdict, count(*) AS n FROM verdict GROUP BY 1" --format md 2> "$W/err")" '| verdict | n |
|---|---|
| right | 1 |
| wrong | 2 |'
grep -q '^lens of d: layer=original' "$W/err"; is sql_tells_lens $? 0
is sql_json "$("$QUALM" sql "$W/p.qualm" "SELECT sample, truth, class FROM label WHERE sample = 'two'" --format json 2> /dev/null)" '[
{"sample":"two","truth":1,"class":"dog"}
]'
is sql_json_empty "$("$QUALM" sql "$W/p.qualm" "SELECT 1 WHERE 0" --format json 2> /dev/null)" '[]'
is sql_stdin "$(echo 'SELECT count(*) AS n FROM sample;' | "$QUALM" sql "$W/p.qualm" - --format csv 2> /dev/null | tr -d '\r')" 'n
3'
is sql_lens "$("$QUALM" sql "$W/p.qualm" "SELECT verdict FROM verdict WHERE sample = 'three'" --lens abstain=exclude 2> /dev/null)" 'verdict
uncounted'
run sql_place 2 'no such column: nope at 8' sql "$W/p.qualm" 'SELECT nope FROM run'
run sql_two 2 'one statement at a time: another begins at 10' sql "$W/p.qualm" 'SELECT 1; SELECT 2'
run sql_write 2 'INSERT is refused' sql "$W/p.qualm" "INSERT INTO meta VALUES ('a', 'b')"
run sql_attach 2 'ATTACH is refused' sql "$W/p.qualm" "ATTACH '$W/x' AS x"
run sql_unquoted 2 'stands in quotes' sql "$W/p.qualm" SELECT 1
run sql_filter 2 'takes no --filter' sql "$W/p.qualm" 'SELECT 1' --filter wrong
run sql_format 2 'expected text, csv, json, jsonl or md' sql "$W/p.qualm" 'SELECT 1' --format xml
run sql_no_file 2 'wants a project' sql
run sql_no_project 1 'none.qualm' sql "$W/none.qualm" 'SELECT 1'
run sql_no_dataset 2 'no dataset "e"; it has d' sql "$W/p.qualm" 'SELECT 1' --dataset e
run sql_bad_lens 2 'expected one of' sql "$W/p.qualm" 'SELECT verdict FROM verdict' --lens n=sometimes
run sql_runtime 1 'malformed JSON' sql "$W/p.qualm" "SELECT json('{')"
if [ -c /dev/full ]; then
	"$QUALM" sql "$W/p.qualm" 'SELECT 1' > /dev/full 2> "$W/err"; is sql_full_disk "$?" 1
fi
is sql_changes_nothing "$(cksum < "$W/p.qualm")" "$before_sql"
mkdir "$W/fixed" && cp "$W/p.qualm" "$W/fixed/p.qualm" && chmod a-w "$W/fixed/p.qualm" "$W/fixed"
run sql_read_only 0 '^3$' sql "$W/fixed/p.qualm" 'SELECT count(*) FROM prediction'
chmod u+w "$W/fixed" "$W/fixed/p.qualm"
# An endless statement ends by a signal, with words.
"$QUALM" sql "$W/p.qualm" 'WITH RECURSIVE t (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t) SELECT max(i) FROM t' \
	> "$W/out" 2> "$W/err" & pid=$!
sleep 0.3; kill -s INT $pid; wait $pid; is sql_int "$? $(grep -c cancelled "$W/err")" '1 1'

# --- checking ---

before_check=$(cksum < "$W/p.qualm")
run check_sound 0 'p.qualm is sound' check "$W/p.qualm"
is check_sound_quiet "$(cat "$W/out")" ''
run check_no_file 2 'wants one project' check
run check_no_project 1 'none.qualm' check "$W/none.qualm"
run check_text 1 'text.qualm' check "$W/text.qualm"
is check_changes_nothing "$(cksum < "$W/p.qualm")" "$before_check"
if command -v python3 > /dev/null; then
	cp "$W/p.qualm" "$W/bad.qualm"
	python3 -c 'import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("UPDATE run SET n = 77"); c.execute("DROP INDEX chunk_place")
c.execute("UPDATE dataset SET n_samples = 2"); c.commit()' "$W/bad.qualm"
	run check_finds 1 '^run m: 77 answers are said to be there, 3 are; --repair: they are counted again$' check "$W/bad.qualm"
	is check_lines "$(wc -l < "$W/out" | tr -d ' ') $(grep -c '3 findings; --repair can do something about 3' "$W/err")" '3 1'
	run check_repairs 0 '^chunk_place: this index is missing; repaired: it is made again$' check "$W/bad.qualm" --repair
	run check_repaired 0 'is sound' check "$W/bad.qualm"
	is check_info "$("$QUALM" info "$W/bad.qualm" | sed 1d)" "$("$QUALM" info "$W/p.qualm" | sed 1d)"
	head -c 20000 "$W/p.qualm" > "$W/cut.qualm"
	run check_cut 1 'damaged|cannot be repaired' check "$W/cut.qualm"
else echo 'skip check_finds: there is no python3'; fi

# --- asking models: nobody listens at that port, and nothing is sent ---

printf '[endpoint near]\nbase_url = http://127.0.0.1:9/v1\nmodel = m-9\nkey_env = QUALM_TEST_KEY\nretries = 0\n' > "$W/near"
QUALM_TEST_KEY=sk-that-is-in-no-output; export QUALM_TEST_KEY
at=$("$QUALM" export "$W/p.qualm" --format ids --dataset d 2> /dev/null | head -n 1)
before_query=$(cksum < "$W/p.qualm")
run query_no_samples 2 'which samples\?' query "$W/p.qualm" --config "$W/near" --protocol ow --dataset d
run query_no_limit 2 '--limit N' query "$W/p.qualm" --config "$W/near" --protocol ow --dataset d --filter answered@m
run query_no_protocol 2 'which --protocol\?' query "$W/p.qualm" --config "$W/near" --at "$at" --dataset d
run query_bad_protocol 2 'there is no protocol' query "$W/p.qualm" --config "$W/near" --at "$at" --protocol owl --dataset d
run query_bad_endpoint 2 'neer' query "$W/p.qualm" --config "$W/near" --endpoint neer --at "$at" --protocol ow --dataset d
run query_bad_format 2 'expected text or json' query "$W/p.qualm" --config "$W/near" --format xml
run query_bad_batch 2 'one sample at a time' query "$W/p.qualm" --config "$W/near" --at "$at" --protocol ow --batch 3 --dataset d
run query_dry 0 '/chat/completions' query "$W/p.qualm" --config "$W/near" --at "$at" --protocol ow --dry-run --dataset d
run query_dry_key 0 'QUALM_TEST_KEY' query "$W/p.qualm" --config "$W/near" --at "$at" --protocol ow --dry-run --dataset d
is query_dry_changes_nothing "$(cksum < "$W/p.qualm")" "$before_query"
run map_no_run 2 'whose answers' map "$W/p.qualm" --encoder near
run map_no_encoder 2 'by which vectors' map "$W/p.qualm" --run m
run map_bad_encoder 2 'neither an endpoint.*nor a file' map "$W/p.qualm" --config "$W/near" --run m --encoder neer --dataset d
run reparse_no_run 2 'whose answers' reparse "$W/p.qualm" --protocol cw
run reparse_no_protocol 2 'by what' reparse "$W/p.qualm" --run m
run reparse_bad_form 2 'expected list or json' reparse "$W/p.qualm" --run m --protocol cw --form xml
run reparse_bad_protocol 2 'is cw meant' reparse "$W/p.qualm" --run m --protocol cv --dataset d
cp "$W/p.qualm" "$W/asked.qualm"
run query_nobody 1 'near' query "$W/asked.qualm" --config "$W/near" --at "$at" --protocol ow --dataset d --format json
is query_nobody_status "$(grep -c '"status":"connect"' "$W/out")" 1
run reparse_failures_alone 2 'no raw texts' reparse "$W/asked.qualm" --run m-9/ow/q1 --protocol cw --dataset d
is query_no_key "$(cat "$W/out" "$W/err" "$W/asked.qualm" | grep -c sk-that-is-in)" 0

# A reader that goes away is no error; a full disk is one.
{ "$QUALM" info "$W/p.qualm"; echo $? > "$W/rc"; } 2> "$W/err" | true
is closed_pipe "$(cat "$W/rc")$(cat "$W/err")" 0
gone() { { "$QUALM" "$@" --dataset d; echo $? > "$W/rc"; } 2> "$W/err" | true
	is "closed_pipe_$1" "$(cat "$W/rc")$(grep -v 'of 3 samples' "$W/err")" 0; }
gone sql "$W/p.qualm" 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c LIMIT 100000'
gone report "$W/p.qualm" facets
gone export "$W/p.qualm" --format ids
if [ -c /dev/full ]; then
	"$QUALM" info "$W/p.qualm" > /dev/full 2> "$W/err"; is full_disk "$?" 1
else echo 'skip full_disk: there is no /dev/full'; fi
# What a file holds cannot steer the terminal.
printf 'id,label,text\n"x\033[31m",cat,t\n' > "$W/evil.csv"
evil=$(printf 'e\033[2Jvil')
"$QUALM" import "$W/evil.qualm" "$W/evil.csv" --dataset "$evil" > "$W/out" 2> "$W/err"
"$QUALM" info "$W/evil.qualm" >> "$W/out" 2>> "$W/err"
"$QUALM" "$evil" >> "$W/out" 2>> "$W/err"
# JSON keeps what the file said, in escapes: C1, DEL and bidi too.
printf 'id,label,\302\233x\177y\342\200\256z\na,cat,v\n' > "$W/c1.csv"
"$QUALM" import "$W/c1.qualm" "$W/c1.csv" --dataset d 2> "$W/err"
is json_escapes "$("$QUALM" info "$W/c1.qualm" --format json | grep -c 'u009bx.u007fy.u202ez')" 1
is no_escapes "$(cat "$W/out" "$W/err" | tr -cd '\033' | wc -c | tr -d ' ')" 0

# --- the demo, in a pipe ---

(cd "$W" && "$QUALM" demo > out 2> err < /dev/null); is demo_status $? 0
is demo_tells "$(grep -cE '^(faces|statements)$|^  samples|^  .*qualm qualm-demo/demo.qualm --dataset' "$W/out")" 6
is demo_categories "$(grep -cE 'S\+ [0-9]+   S- [0-9]+   M\+ [0-9]+   M- [0-9]+   N [0-9]+' "$W/out")" 1
is demo_runs "$(grep -c '^  sim-' "$W/out")" 6
sum=$(cksum < "$W/qualm-demo/demo.qualm")
run demo_again 0 'run this in a terminal' demo "$W/qualm-demo"
run demo_is_sound 0 'is sound' check "$W/qualm-demo/demo.qualm"
is demo_is_used_again "$(cksum < "$W/qualm-demo/demo.qualm")" "$sum"
# The folder can be moved: its pictures are found from where the project lies.
mv "$W/qualm-demo" "$W/elsewhere"
printf ':save-screen %s/screen\n' "$W" > "$W/script"
run demo_moved 0 '' "$W/elsewhere/demo.qualm" --dataset faces --view browse --headless 80x24 --script "$W/script"
grep -q 'PNG 256' "$W/screen"; is demo_moved_pictures $? 0
run demo_too_many 2 'one folder' demo a b

# --- the label map ---

printf 'tabby\ngoldfish\n' > "$W/pets.txt"
printf 'image,label\na.jpg,tabby\nb.jpg,goldfish\nc.jpg,gold fish\n' > "$W/pets.csv"
printf 'image,model,prediction\na.jpg,m,Tabby cat\nb.jpg,m,koi\nc.jpg,m,goldfish\na.jpg,n,TABBY CAT\n' > "$W/said.csv"
"$QUALM" import "$W/l.qualm" "$W/pets.txt" "$W/pets.csv" "$W/said.csv" --dataset pets > /dev/null 2>&1
right() { "$QUALM" sql "$W/l.qualm" "SELECT sum(verdict = 'right') FROM verdict" --format csv 2> /dev/null | tr -d '\r' | tail -n 1; }
is labels_unplaced "$("$QUALM" labels "$W/l.qualm" --unplaced)" "$(printf '2\tTabby cat\n1\tkoi')"
is labels_before "$(right)" 0
run labels_place 0 '^3 answers placed' labels "$W/l.qualm" 'tabby cat=tabby' koi=goldfish
grep -q 'not kept; they come when this is imported again: .*pets.csv' "$W/err"; is labels_left_out $? 0
is labels_after "$(right)" 3
is labels_none_left "$("$QUALM" labels "$W/l.qualm" --unplaced)" ''
run labels_known 0 'nothing changed' import "$W/l.qualm" "$W/said.csv" --dataset pets
run labels_remove 0 '^2 answers taken back' labels "$W/l.qualm" --remove 'TABBY cat'
is labels_removed "$(right)" 1
is labels_shown "$("$QUALM" labels "$W/l.qualm")" 'koi=goldfish'
printf 'u\nu\n' | "$QUALM" "$W/l.qualm" --headless 80x24 --script - > "$W/out" 2>&1
is labels_undone "$? $(right)" '0 0'
run labels_sound 0 'is sound' check "$W/l.qualm"
run labels_no_class 2 'there is no class "dog"' labels "$W/l.qualm" koi=dog
run labels_truth 0 '^no answer here says so' labels "$W/l.qualm" 'gold fish=goldfish'
run labels_truth_comes 0 ' 1 truth' import "$W/l.qualm" "$W/pets.csv" --dataset pets

# --- stopped in the middle ---

awk 'BEGIN { for (i = 0; i < 150000; i++)
	printf "{\"id\":\"s%06d\",\"label\":\"c%d\",\"prediction\":\"c%d\",\"model\":\"big\"}\n", i, i % 7, i % 5 }' > "$W/big.jsonl"
before=$("$QUALM" info "$W/p.qualm" --format json)
sum=$(cksum < "$W/p.qualm")

# stopped SIGNAL PROJECT: the signal comes when half of the file is in. A pipe holds far less
# than the half, so all but its last bytes were read by then; the other end stays open.
stopped() {
	rm -f "$W/fifo"; mkfifo "$W/fifo"
	"$QUALM" import "$2" - --dataset d < "$W/fifo" > "$W/out" 2> "$W/err" &
	pid=$!
	exec 3> "$W/fifo"
	head -n 75000 "$W/big.jsonl" >&3
	kill -s "$1" $pid
	wait $pid 2> /dev/null
	rc=$?
	exec 3>&-
}
stopped KILL "$W/p.qualm"
is kill_status $rc 137
is kill_changes_nothing "$("$QUALM" info "$W/p.qualm" --format json)" "$before"
is kill_leaves_the_file "$(cksum < "$W/p.qualm")" "$sum"
run import_after_kill 1 'nothing changed' import "$W/p.qualm" "$W/pred.jsonl" "$W/items.csv" --dataset d
for s in INT TERM; do
	stopped "$s" "$W/p.qualm"
	is "${s}_status" $rc 1
	grep -q 'stopped; .*p.qualm is as it was before -' "$W/err"; is "${s}_says_so" $? 0
	is "${s}_changes_nothing" "$("$QUALM" info "$W/p.qualm" --format json)" "$before"
done
stopped INT "$W/new.qualm"
is new_int_status $rc 1
[ -e "$W/new.qualm" ]; is new_int_leaves_no_file $? 1
stopped KILL "$W/new.qualm"
# What a killed first import leaves must take the file again, whole.
run new_kill_imports 0 '150,000 samples' import "$W/new.qualm" "$W/big.jsonl" --dataset d
run new_kill_counts 0 'samples +150,000' info "$W/new.qualm"
ls "$W" | grep -E 'journal|-wal|-shm|\.tmp|etilqs' > "$W/out"; is nothing_left_behind "$(wc -l < "$W/out" | tr -d ' ')" 0
exit $bad
