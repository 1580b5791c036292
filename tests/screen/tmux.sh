#!/bin/sh
# A real tmux: text, pictures in blocks, keys, another size, leaving.
set -u
cd "$(dirname "$0")/../.." || exit 1
command -v tmux > /dev/null || { echo 'skip tmux: tmux is not installed'; exit 0; }
QUALM=${QUALM:-$PWD/build/qualm}
W=$(mktemp -d)
tm() { tmux -S "$W/sock" -f /dev/null "$@"; }
trap 'tm kill-server 2> /dev/null; rm -rf "$W"' EXIT
XDG_CONFIG_HOME=$W/config XDG_STATE_HOME=$W/state XDG_DATA_HOME=$W/data XDG_CACHE_HOME=$W/cache LC_ALL=C.UTF-8
export XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME XDG_CACHE_HOME LC_ALL
unset SSH_CONNECTION STY TMUX NO_COLOR QUALM_GRAPHICS QUALM_CELL
bad=0
# until NAME PATTERN: the screen comes to show it, within ten seconds
until_seen() {
	n=0
	while [ $n -lt 100 ]; do
		tm capture-pane -p > "$W/out" 2> /dev/null
		grep -qE -- "$2" "$W/out" && { echo "ok $1"; return; }
		n=$((n + 1)); sleep 0.1
	done
	echo "not ok $1: $2 is not on the screen"; bad=1; sed 's/^/    /' "$W/out"
}
until_gone() {
	n=0
	while [ $n -lt 100 ]; do
		tm capture-pane -p > "$W/out" 2> /dev/null
		grep -qE -- "$2" "$W/out" || { echo "ok $1"; return; }
		n=$((n + 1)); sleep 0.1
	done
	echo "not ok $1: $2 stays on the screen"; bad=1
}
unseen() {
	if grep -qE -- "$2" "$W/out"; then echo "not ok $1: $2 is on the screen"; bad=1; else echo "ok $1"; fi
}
blocks='[▀▄█▌▐▖▗▘▝▚▞▙▛▜▟]{6}'

"$QUALM" demo "$W/demo" > /dev/null 2>&1 < /dev/null
tm new-session -d -x 110 -y 36 "$QUALM $W/demo/demo.qualm --dataset faces --view browse; echo left; sleep 60"
tm set -g status off
until_seen list 'face'
until_seen blocks "$blocks"
unseen no_questions '\[6n|\[>0q|Ptmux|\[\?2026'
tm send-keys j j
until_seen moved ' 3 of '
until_seen blocks_again "$blocks"
tm send-keys '?'
until_seen help '[Kk]eys'
tm send-keys q
until_gone help_gone '─ keys ─'
until_seen blocks_after_help "$blocks"
tm send-keys 0
until_seen home_says_why 'pictures +blocks: '
until_seen home_says_what 'tmux'
tm send-keys 1
tm resize-window -x 70 -y 24 2> /dev/null
until_seen small ' 3 of '
tm send-keys Q
until_seen left '^left'
unseen nothing_left "$blocks"
# A project that would be made by an import: without the import there is none to stay in.
printf 'Foo,Bar\na.jpg,happy\nb.jpg,sad\n' > "$W/unknown.csv"
tm respawn-pane -k "$QUALM import $W/new.qualm $W/unknown.csv; echo back; sleep 60"
until_seen columns 'rows are +samples'
tm send-keys q
until_seen columns_left '^back'
until_seen columns_said 'nothing is imported'
if [ -e "$W/new.qualm" ]; then echo 'not ok columns_no_project'; bad=1; else echo 'ok columns_no_project'; fi
exit $bad
