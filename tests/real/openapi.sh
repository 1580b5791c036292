#!/bin/sh
# What is sent to models is what the published description of the API asks for.
set -u
cd "$(dirname "$0")/../.." || exit 1
SPEC=${QUALM_DATA:-../shared/data}/openai-openapi/openai-openapi.json
[ -f "$SPEC" ] || { echo "skip openapi: there is no $SPEC (QUALM_DATA=DIR says where the data is)"; exit 0; }
command -v python3 > /dev/null || { echo 'skip openapi: there is no python3 to check with'; exit 0; }
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
python3 -B tests/real/openapi.py "${QUALM:-$PWD/build/qualm}" "$SPEC" "$W"
