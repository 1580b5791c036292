#!/bin/sh
# doctor: in pipes, with broken settings, on terminals that say nothing, in a real tmux.
set -u
cd "$(dirname "$0")/../.." || exit 1
QUALM=${QUALM:-$PWD/build/qualm}
W=$(mktemp -d)
tm() { tmux -S "$W/sock" -f /dev/null "$@"; }
trap 'tm kill-server 2> /dev/null; rm -rf "$W"' EXIT
XDG_CONFIG_HOME=$W/config XDG_STATE_HOME=$W/state XDG_DATA_HOME=$W/data XDG_CACHE_HOME=$W/cache
TERM=xterm-256color LC_ALL=C.UTF-8
export XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME XDG_CACHE_HOME TERM LC_ALL
unset SSH_CONNECTION STY TMUX NO_COLOR QUALM_GRAPHICS QUALM_CELL
bad=0
ok() { echo "ok $1"; }
not_ok() { echo "not ok $1: $2"; bad=1; sed 's/^/    out: /' "$W/out"; }
has() { if grep -qE -- "$2" "$W/out"; then ok "$1"; else not_ok "$1" "nothing says $2"; fi; }
# run NAME STATUS [ARGS]: into a file, without a terminal
run() {
	name=$1 status=$2; shift 2
	"$QUALM" doctor "$@" > "$W/out" 2>&1 < /dev/null; rc=$?
	if [ $rc = "$status" ]; then ok "$name"; else not_ok "$name" "status $rc, not $status"; fi
}

run pipe 0
has pipe_says_so 'nothing was asked'
has pipe_term '^ok    TERM        xterm-256color$'
has pipe_locale '^ok    locale      C.UTF-8 \(UTF-8\)$'
has pipe_libraries 'ncurses [0-9].*SQLite [0-9]'
has pipe_cache "^ok    cache       $W/cache/qualm"
if awk 'length > 100' "$W/out" | grep -q .; then not_ok wrapped 'a line is too long'; else ok wrapped; fi
TERM=nosuchterminal run unknown_term 1
has unknown_term_fix 'fix   TERM .*nosuchterminal'
has unknown_term_line '^ *export TERM='
TERM='' run no_term 1
LC_ALL=C run ascii 0
has ascii_note '^note  locale'
mkdir -p "$W/config/qualm"
printf '[screen]\nnonsense = 1\n' > "$W/config/qualm/config"
run bad_config 1
has bad_config_fix '^fix   config'
rm "$W/config/qualm/config"
printf 'this is no binding\n' > "$W/config/qualm/keys"
run bad_keys 1
has bad_keys_fix '^fix   keys'
rm -r "$W/config"
: > "$W/plain"
run cache_is_a_file 1 --cache-dir "$W/plain"
has cache_fix '^fix   cache'
printf 'id,label\na,cat\n' > "$W/one.csv"
"$QUALM" import "$W/p.qualm" "$W/one.csv" > /dev/null 2>&1
run project 0 "$W/p.qualm"
has project_opens '^ok    project'
has project_place 'file system'
printf 'nothing\n' > "$W/no.qualm"
run no_project 1 "$W/no.qualm"
has no_project_fix '^fix   project'
run too_many 2 a b

# A terminal that never answers: script(1) makes one.
if command -v script > /dev/null; then
	timeout 20 script -qec "$QUALM doctor" /dev/null < /dev/null > "$W/out" 2>&1; rc=$?
	if [ $rc = 0 ]; then ok mute; else not_ok mute "status $rc"; fi
	has mute_says_so 'no answer'
else echo 'skip mute: script is not installed'; fi

if command -v tmux > /dev/null; then
	tm new-session -d -x 100 -y 70 "$QUALM doctor; echo rc=\$?; sleep 60" 2> /dev/null
	n=0; : > "$W/out"
	until grep -q '^rc=' "$W/out" || [ $n = 100 ]; do
		tm capture-pane -p > "$W/out" 2> /dev/null; n=$((n + 1)); sleep 0.1
	done
	has tmux_status '^rc=0'
	has tmux_name '^ok    terminal    tmux [0-9]'
	has tmux_size '^ok    size        100 columns, 70 rows'
	has tmux_pictures '^note  pictures    blocks: '
	has tmux_tells_what_to_do 'set -g allow-passthrough on|built without sixel'
	has tmux_focus 'set -g focus-events on'
	has tmux_widths ' widths '
	has tmux_link 'link        .*B/s to tmux'
	if grep -qE '\[6n|\[c|Ptmux' "$W/out"; then not_ok tmux_clean 'questions are on the screen'; else ok tmux_clean; fi
else echo 'skip tmux: tmux is not installed'; fi
exit $bad
