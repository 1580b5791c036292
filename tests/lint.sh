#!/bin/sh
# The rules of the house that a compiler does not check. Prints what breaks them; exit 1 if any.
set -u
bad=0
fail() { echo "lint: $*"; bad=1; }
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT

# 1. Direction: core <- db <- tui. Never back.
grep -rnE '#include "(db|tui)/' core && fail 'core includes from db or tui'
grep -rnE '#include "tui/' db && fail 'db includes from tui'
grep -rnlE '#include <sqlite3.h>' core tui && fail 'sqlite3.h outside db'
curses=$(grep -rlE '#include <(n?curses|term)(w)?(/[a-z]*)?\.h>' core db tui | grep -v '^tui/term/')
[ -n "$curses" ] && fail "curses outside tui/term: $curses"
for o in $(find "$BUILD/obj/core" -name '*.o' 2>/dev/null); do
	nm -u "$o" | grep -E ' (sqlite3_|initscr|wrefresh|doupdate)' && fail "$o needs SQLite or curses"
done
for o in $(find "$BUILD/obj/tui" -name '*.o' 2>/dev/null); do
	nm -u "$o" | grep -E ' sqlite3_' && fail "$o needs SQLite"
done

# 2. Each header compiles alone.
for h in $(git ls-files 'core/*.h' 'db/*.h' 'tui/*.h'; git ls-files -o --exclude-standard 'core/*.h' 'db/*.h' 'tui/*.h'); do
	[ -f "$h" ] || continue
	printf '#include "%s"\n' "$h" > "$tmp/h.c"
	$CC $CFLAGS -fsyntax-only "$tmp/h.c" 2> "$tmp/out" || { cat "$tmp/out"; fail "$h does not compile alone"; }
done

# 3. Lengths: 700 lines a file, 80 a function. Median and p90 are printed.
for f in $(find core db tui tests -name '*.[ch]'); do
	n=$(wc -l < "$f")
	[ "$n" -gt 700 ] && fail "$f has $n lines (700)"
done
find core db tui -name '*.c' | xargs awk '
	FNR == 1 { start = 0 }
	/^\{/ { start = FNR }
	/^\}/ && start { len = FNR - start - 1; print len, FILENAME ":" start; start = 0 }' | sort -n > "$tmp/len"
awk '{ v[NR] = $1 } END { if (NR) printf "functions: %d, median %d lines, p90 %d, longest %d\n", NR, v[int((NR + 1) / 2)], v[int(NR * .9)], v[NR] }' "$tmp/len"
awk '$1 > 80 { print "lint: " $2 " has " $1 " lines (80)"; bad = 1 } END { exit bad }' "$tmp/len" || bad=1

# 4. Words that do not belong, calls that are banned.
grep -rnE '\b(strcpy|strcat|sprintf|vsprintf|gets|atoi|atof|system|popen)[ ]*\(' --include='*.[ch]' core db tui && fail 'banned call'

# 5. Manual pages.
if command -v mandoc > /dev/null; then
	for m in man/*.[157]; do
		[ -f "$m" ] || continue
		mandoc -T lint -W warning "$m" > "$tmp/out" || { cat "$tmp/out"; fail "$m"; }
	done
else
	echo 'lint: mandoc is not there, the manual pages were not checked'
fi
[ $bad = 0 ] && echo 'lint: clean'
exit $bad
