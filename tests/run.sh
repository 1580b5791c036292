#!/bin/sh
# Runs every test and sums up. Unit tests are cmocka programs; scripts under tests/screen and
# tests/real print lines "ok NAME", "not ok NAME: why" and "skip NAME: why". TESTS=thread runs
# only what says something about threads (for ThreadSanitizer builds), TESTS=WORD what has WORD
# in its name.
set -u
export LC_ALL=C.UTF-8 ASAN_OPTIONS="${ASAN_OPTIONS:-abort_on_error=0:detect_leaks=1}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}" TSAN_OPTIONS="${TSAN_OPTIONS:-halt_on_error=1}"
unset NO_COLOR QUALM_LOG XDG_CONFIG_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_DATA_HOME TMUX

# One program with a home of its own: what it printed and how it ended, into the folder $3.
if [ "${1:-}" = --one ]; then
	HOME=$3/home.${2##*/}; export HOME; mkdir "$HOME"
	case $2 in
	*-replay) name=${2##*/fuzz_}; "$2" tests/fuzz/corpus/"${name%-replay}" ;;
	*.sh) sh "$2" ;;
	*) "$2" ;;
	esac > "$3/${2##*/}.out" 2>&1
	echo $? > "$3/${2##*/}.rc"
	exit 0
fi

passed=0 failed=0 skipped=0
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
out=$work/out HOME=$work/home; export HOME; mkdir "$HOME"
# As many at a time as there are cores; J=1: one after the other.
side_by_side() { xargs -r -P "${J:-$(nproc 2> /dev/null || echo 1)}" -I '{}' sh tests/run.sh --one '{}' "$work"; }
result() { rc=$(cat "$work/${1##*/}.rc" 2> /dev/null || echo 1); out=$work/${1##*/}.out; [ -f "$out" ] || : > "$out"; }

unit() { # cmocka prints "[       OK ] name" and "[  FAILED  ] name"
	result "$1"
	ok=$(grep -c '^\[       OK \]' "$out"); bad=$(grep -c '^\[  FAILED  \] [a-z_0-9]*$' "$out"); sk=$(grep -c '^\[  SKIPPED \] [a-z_0-9]*$' "$out")
	[ $rc -ne 0 ] && [ "$bad" = 0 ] && bad=1
	passed=$((passed + ok)); failed=$((failed + bad)); skipped=$((skipped + sk))
	if [ $rc -ne 0 ]; then echo "FAIL ${1##*/}"; cat "$out"; else echo "ok   ${1##*/} ($ok)"; fi
	[ "$sk" = 0 ] || echo "skip ${1##*/}: $sk of its tests, for want of what they try (QUALM_DATA=DIR: published files)"
}
replay() {
	result "$1"; name=${1##*/fuzz_}; name=${name%-replay}
	if [ "$rc" = 0 ]; then passed=$((passed + 1)); echo "ok   replay $name: $(tail -n 1 "$out")"
	else failed=$((failed + 1)); echo "FAIL replay $name"; cat "$out"; fi
}
script() {
	result "$1"
	ok=$(grep -c '^ok ' "$out"); bad=$(grep -c '^not ok ' "$out"); sk=$(grep -c '^skip ' "$out")
	if [ $rc -ne 0 ] && [ "$bad" = 0 ]; then bad=1; fi
	if [ $((ok + bad + sk)) = 0 ]; then bad=1; echo "FAIL $1 ran nothing"; fi
	passed=$((passed + ok)); failed=$((failed + bad)); skipped=$((skipped + sk))
	if [ "$bad" != 0 ]; then echo "FAIL $1"; cat "$out"; else echo "ok   ${1#tests/} ($ok)"; grep '^skip ' "$out"; fi
}

# The scripts first: they are the longest.
all() {
	for t in tests/screen/*.sh tests/real/*.sh "$BUILD"/tests/unit/test_* "$BUILD"/tests/fuzz/*-replay; do
		case $t in *.o|*.d) ;; *) [ -e "$t" ] && echo "$t" ;; esac
	done
}
wanted() {
	all | case ${TESTS:-all} in
	all) cat ;;
	thread) grep -E '/test_(job|app|media|import|net|library)[^/]*$' ;;
	*) grep -e "${TESTS}[^/]*\$" ;;
	esac
}
wanted > "$work/wanted"
side_by_side < "$work/wanted"
while read -r t; do
	case $t in *.sh) script "$t" ;; *-replay) replay "$t" ;; *) unit "$t" ;; esac
done < "$work/wanted"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $((passed + skipped)) != 0 ]
