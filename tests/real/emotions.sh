#!/bin/sh
# Emotion sets: files made by code, and the published ones where they are among the data (QUALM_DATA),
# counted apart by a program that knows only the files.
set -u
cd "$(dirname "$0")/../.." || exit 1
D=${QUALM_DATA:-../shared/data}
QUALM=${QUALM:-$PWD/build/qualm}
if ! command -v python3 > /dev/null; then
	echo 'skip emotions: there is no python3 to count apart with'
	exit 0
fi
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
exec python3 tests/real/recount_emotions.py "$QUALM" "$D" "$W"
