# For tests that use a key: is it where others can read it? Sourced; the caller has ok() and not_ok().
# The words to look for stand in a file, so that the search itself shows them to nobody.
SECRETS=$(mktemp -d)

secret_files() { grep -rlaF -f "$SECRETS/words" --exclude="${KEY_FILE:-no such file}" "$@" 2> /dev/null; }
secret_programs() { cat /proc/[0-9]*/cmdline 2> /dev/null | tr '\0' '\n' | grep -caF -f "$SECRETS/words"; }

# no_secret NAME KEY FOLDER...: in no file below, but the one whose name is $KEY_FILE. What was put
# there for the purpose must be found first.
no_secret() {
	name=$1; printf '%s\n' "$2" > "$SECRETS/words"; shift 2
	mkdir "$1/canary"; { printf 'binary \001\200 '; cat "$SECRETS/words"; } > "$1/canary/.db-wal"
	found=$(secret_files "$@")
	rm -r "$1/canary"
	case $found in *.db-wal*) ;; *) not_ok "$name" 'the search finds nothing'; return ;; esac
	found=$(secret_files "$@")
	if [ -z "$found" ]; then ok "$name"; else not_ok "$name" "the key is in $(echo "$found" | tr '\n' ' ')"; fi
}

# no_secret_started NAME KEY: in the words that no program was started with.
no_secret_started() {
	printf '%s\n' "$2" > "$SECRETS/words"
	[ -r /proc/self/cmdline ] || { echo "skip $1: there is no /proc"; return; }
	n=$(secret_programs)
	sh -c 'while :; do sleep 0.2; done' "$2" & canary=$!
	i=0
	while [ "$(secret_programs)" = 0 ] && [ $i -lt 100 ]; do i=$((i + 1)); sleep 0.05; done
	if [ $i = 100 ]; then not_ok "$1" 'the search finds nothing'
	elif [ "$n" = 0 ]; then ok "$1"
	else not_ok "$1" "$n programs show the key"; fi
	kill "$canary" 2> /dev/null; wait "$canary" 2> /dev/null
}
