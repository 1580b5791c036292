#!/bin/sh
# Budgets 10 to 12: pictures in process, whole processes against chafa and img2sixel (those that
# are installed), `j` held over 50,000 samples. SAMPLES=50000 may be set from outside. Real
# photographs are taken from Debian's wallpapers and ${QUALM_DATA:-../shared/data} where they are.
set -eu
cd "$(dirname "$0")/../.."
QUALM=${QUALM:-$PWD/build/qualm} BUILD=${BUILD:-build} SAMPLES=${SAMPLES:-50000}
DATA=${QUALM_DATA:-../shared/data}
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
XDG_CONFIG_HOME=$W XDG_STATE_HOME=$W XDG_CACHE_HOME=$W XDG_DATA_HOME=$W LC_ALL=C.UTF-8
export XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_DATA_HOME LC_ALL

"$QUALM" demo "$W/demo" --help > /dev/null # fails early when there is no program
"$BUILD/tests/bench/pictures" --make "$W/img"
awk -v n="$SAMPLES" 'BEGIN { print "id,label,image"
	for (i = 0; i < n; i++) printf "s%06d,class %d,p%02d.jpg\n", i, i % 1000, i % 60 }' > "$W/samples.csv"
awk -v n="$SAMPLES" 'BEGIN { print "id,label,prediction,model,raw"
	for (i = 0; i < n; i++) printf "s%06d,class %d,class %d,m1,it looks like class %d\n", i, i % 1000, (i * 7) % 1000, i }' > "$W/m1.csv"
"$QUALM" import "$W/p.qualm" "$W/samples.csv" "$W/m1.csv" --images "$W/img" --dataset d > /dev/null 2>&1 || true

mkdir -p "$BUILD/bench"
set --
for f in /usr/share/backgrounds/Dragonfly*.jpg /usr/share/backgrounds/life*.jpg /usr/share/backgrounds/picosdeeuropa*.jpg \
	/usr/share/backgrounds/sunset*.jpg "$DATA"/imagenet-sample/images/n0144*.jpg "$DATA"/imagenet-sample/images/n02123*.jpg; do
	[ -f "$f" ] && [ $# -lt 7 ] && set -- "$@" "$f"
done
"$BUILD/tests/bench/pictures" "$QUALM" "$W/p.qualm" "$BUILD/bench/pictures.json" "$@"
