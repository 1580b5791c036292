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
run import_no_files 2 'files to read' import "$W/p.qualm"
run bad_format 2 'text or json' info "$W/p.qualm" --format xml
run bad_map 2 'FIELD=COLUMN' import "$W/p.qualm" "$W/x" --map nonsense
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
run import 1 '1 rows skipped, 1 unmatched' import "$W/p.qualm" "$W/pred.jsonl" "$W/items.csv" --dataset d --errors "$W/errors"
is errors_file "$(sed "s|^$W/||" "$W/errors" | cut -d: -f1,2 | sort | tr '\n' ' ')" 'pred.jsonl:4 pred.jsonl:5 '
is errors_stdout "$("$QUALM" import "$W/p.qualm" "$W/pred.jsonl" --dataset d --errors - 2> /dev/null | wc -l | tr -d ' ')" 2
run import_again 1 'nothing changed' import "$W/p.qualm" "$W/pred.jsonl" "$W/items.csv" --dataset d
run errors_nowhere 1 'cannot be written' import "$W/p.qualm" "$W/items.csv" --errors "$W/no/such/folder"
# Every failure names its file, once, and the good file of the three is in.
printf '[[[[' > "$W/deep.json"
printf '{"z":1}\n' > "$W/nokey.jsonl"
run three_files 1 '2 of 3 files|1 of 1 files' import "$W/three.qualm" "$W/deep.json" "$W/nokey.jsonl" "$W/items.csv" --dataset d
is each_failure_once "$(grep -c 'nokey.jsonl' "$W/err") $(grep -c 'deep.json' "$W/err")" '1 1'
# A pipe can be read only once: it is not opened again after the look at its head.
mkfifo "$W/pipe"; cat "$W/items.csv" > "$W/pipe" &
run named_pipe 0 '3 samples' import "$W/pipe.qualm" "$W/pipe" --dataset d
printf 'primary\tsecondary\ttertiary\nfear\thorror\talarm\n' > "$W/tree.tsv"
run tree_says_so 0 'imported: [0-9]+ values of a tree' import "$W/pipe.qualm" "$W/tree.tsv"
printf '{"id":"one","prediction":"cat","model":"m2"}\n' > "$W/m2.jsonl"
run second_run 0 'new run: m2' import "$W/pipe.qualm" "$W/m2.jsonl"
printf '{"id":"one","prediction":"cat","model":"m3"}\n' > "$W/m3.jsonl"
run third_run 0 'new run: m3' import "$W/pipe.qualm" "$W/m3.jsonl"
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
# A reader that goes away is no error; a full disk is one.
{ "$QUALM" info "$W/p.qualm"; echo $? > "$W/rc"; } 2> "$W/err" | true
is closed_pipe "$(cat "$W/rc")$(cat "$W/err")" 0
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
is demo_is_used_again "$(cksum < "$W/qualm-demo/demo.qualm")" "$sum"
# The folder can be moved: its pictures are found from where the project lies.
mv "$W/qualm-demo" "$W/elsewhere"
printf ':save-screen %s/screen\n' "$W" > "$W/script"
run demo_moved 0 '' "$W/elsewhere/demo.qualm" --dataset faces --view browse --headless 80x24 --script "$W/script"
grep -q 'PNG 256' "$W/screen"; is demo_moved_pictures $? 0
run demo_too_many 2 'one folder' demo a b

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
