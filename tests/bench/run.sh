#!/bin/sh
# Measures the budgets on data made here, as ratios against something real in the same run.
# ROUNDS=5 SAMPLES=50000 RUNS=4 may be set from outside.
set -eu
cd "$(dirname "$0")/../.."
command -v python3 > /dev/null || { echo 'bench: python3 is needed to measure'; exit 1; }
exec python3 tests/bench/bench.py "${QUALM:-$PWD/build/qualm}"
