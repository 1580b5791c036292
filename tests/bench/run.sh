#!/bin/sh
# Measures the budgets on data made here, as ratios against something real in the same run.
# SIZE=1M (default) or 10M predictions, which takes 12 GB of room for a while; ROUNDS=5; TMPDIR: where;
# KEEP=1: what was made stays, to be used again; DUCKDB: the folder in which npm installed
# @duckdb/node-api. Nothing is downloaded: what is not there is not compared with.
set -eu
cd "$(dirname "$0")/../.."
command -v python3 > /dev/null || { echo 'bench: python3 is needed to measure'; exit 1; }
exec python3 tests/bench/bench.py
