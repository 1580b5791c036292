#!/bin/sh
# MME-Emotion's three stages, people's marks and votes: every number counted again by a program that
# knows only the files. The published questions and FER+ as well, when they are there.
set -u
cd "$(dirname "$0")/../.." || exit 1
D=${QUALM_DATA:-../shared/data}
QUALM=${QUALM:-$PWD/build/qualm}
if ! command -v python3 > /dev/null; then
	echo "skip recount_mme: there is no python3"
	exit 0
fi
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
exec python3 tests/real/recount_mme.py "$QUALM" "$D" "$W"
