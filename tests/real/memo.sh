#!/bin/sh
# MEMO-Bench: files made by code and read in, their table against a count apart in another language.
# When the published annotations are among the data (QUALM_DATA) they are read as well.
set -u
cd "$(dirname "$0")/../.." || exit 1
D=${QUALM_DATA:-../shared/data}
QUALM=${QUALM:-$PWD/build/qualm}
if ! command -v python3 > /dev/null; then
	echo 'skip memo: there is no python3 to count apart with'
	exit 0
fi
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
exec python3 tests/real/recount_memo.py "$QUALM" "$D" "$W"
