#!/bin/sh
# Coverage of the tests by folder, from gcov's own output; run by `make cover` after the tests.
# usage: cover.sh BUILD-FOLDER
set -eu
cd "$(dirname "$0")/.."
B=${1:-build/cover}
command -v gcov > /dev/null || { echo 'cover: gcov is not there (it comes with GCC)'; exit 1; }
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
for folder in $(find "$B/obj/core" "$B/obj/db" "$B/obj/tui" -name '*.gcda' -exec dirname {} \; | sort -u); do
	gcov -n -o "$folder" "$folder"/*.gcda 2> /dev/null
done | awk '
	/^File / { file = $2; gsub(/\x27/, "", file) }
	/^Lines executed:/ {
		split($0, part, /[:% ]+/)
		if (file !~ /^(core|db|tui)\// || file !~ /\.c$/ || file in seen) next
		seen[file] = 1
		lines = part[5] + 0; hit = lines * part[3] / 100
		folder = file; sub(/\/[^\/]*$/, "", folder)
		all[folder] += lines; got[folder] += hit; total += lines; sum += hit
		if (lines >= 20 && hit / lines < 0.5) low[file] = 100 * hit / lines
	}
	END {
		for (f in all) printf "%-14s %6d lines %6.1f %%\n", f, all[f], 100 * got[f] / all[f] | "sort"
		close("sort")
		if (total) printf "%-14s %6d lines %6.1f %%\n", "all", total, 100 * sum / total
		for (f in low) printf "less than half: %s %.0f %%\n", f, low[f]
	}'
# A file that no test linked has no counts at all; say so, instead of leaving it out.
for c in $(find core db tui -name '*.c'); do
	[ -f "$B/obj/${c%.c}.gcda" ] || echo "never run: $c"
done
