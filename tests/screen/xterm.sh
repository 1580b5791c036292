#!/bin/sh
# A real xterm in a display without a screen: pixels are where the picture should be and gone when
# it should be gone.
set -u
cd "$(dirname "$0")/../.." || exit 1
for p in xterm Xvfb xdotool import convert; do
	command -v $p > /dev/null || { echo "skip xterm: the program $p is not installed"; exit 0; }
done
QUALM=${QUALM:-$PWD/build/qualm}
W=$(mktemp -d); xt='' xv=''
trap 'kill $xt 2> /dev/null; kill $xv 2> /dev/null; wait 2> /dev/null; rm -rf "$W"' EXIT
XDG_CONFIG_HOME=$W/config XDG_STATE_HOME=$W/state XDG_DATA_HOME=$W/data XDG_CACHE_HOME=$W/cache LC_ALL=C.UTF-8
export XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME XDG_CACHE_HOME LC_ALL
unset SSH_CONNECTION STY TMUX NO_COLOR QUALM_GRAPHICS QUALM_CELL
bad=0

# Pure colours, 320 x 240, rows of blue, green, red: no theme and no text has them.
bmp() {
	convert -size 320x240 "xc:$1" -type TrueColor "BMP3:$W/pics/$2.bmp"
}
mkdir "$W/pics"
bmp '#ff00ff' a; bmp '#00ff00' b; bmp '#ff00ff' c
printf 'id,label,image\na,cat,a.bmp\nb,dog,b.bmp\nc,cat,c.bmp\n' > "$W/s.csv"
"$QUALM" import "$W/p.qualm" "$W/s.csv" --images "$W/pics" --dataset d > "$W/out" 2>&1 ||
	{ echo 'not ok import'; cat "$W/out"; exit 1; }

mkfifo "$W/display"
Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp -noreset 3> "$W/display" > "$W/log" 2>&1 & xv=$!
read -r d < "$W/display" || { echo 'skip xterm: Xvfb does not start'; exit 0; }
DISPLAY=:$d; export DISPLAY
xterm -ti vt340 -tn xterm-256color -geometry 110x36+0+0 -fn 10x20 -bg black -fg gray90 +sb -b 0 -bw 0 -u8 \
	-xrm 'XTerm*allowWindowOps: true' -title shot -e sh -c "'$QUALM' '$W/p.qualm' --view browse; exec sleep 60" \
	> "$W/log" 2>&1 & xt=$!
n=0 win=''
while [ -z "$win" ] && [ $n -lt 100 ]; do
	win=$(xdotool search --onlyvisible --name '^shot$' 2> /dev/null | head -n 1); n=$((n + 1)); sleep 0.1
done
[ "$win" ] || { echo 'skip xterm: it shows no window (no font 10x20?)'; cat "$W/log"; exit 0; }
xdotool windowfocus --sync "$win" 2> /dev/null

# The extent of a colour, "WxH+X+Y" and the number of its points; "0" when there is none.
extent() {
	import -window "$win" -depth 8 "$W/shot.png"
	convert "$W/shot.png" -fuzz 3% -fill white -opaque "$1" -fill black +opaque white "$W/mask.png"
	count=$(convert "$W/mask.png" -format '%[fx:round(mean*w*h)]' info:)
	[ "$count" = 0 ] && { box=0; return; }
	box=$(convert "$W/mask.png" -bordercolor black -border 1 -trim -format '%wx%h%O' info:)
}
# shows NAME COLOUR LEAST: so many points of it, as one full rectangle
shows() {
	n=0
	while [ $n -lt 60 ]; do
		extent "$2"
		w=${box%%x*} h=${box#*x}; h=${h%%+*}
		[ "$count" -ge "$3" ] && [ "$count" -ge $((w * h * 98 / 100)) ] && { echo "ok $1"; return; }
		n=$((n + 1)); sleep 0.15
	done
	echo "not ok $1: $count points of $2 in $box"; bad=1
}
gone() {
	n=0
	while [ $n -lt 60 ]; do
		extent "$2"
		[ "$count" = 0 ] && { echo "ok $1"; return; }
		n=$((n + 1)); sleep 0.15
	done
	echo "not ok $1: $count points of $2 are left in $box"; bad=1
}
key() { xdotool key -- "$@"; }

shows first '#ff00ff' 50000
first=$box
y=${box##*+} x=${box#*+}; x=${x%%+*}
# right of the list, below the top line, above the last row of 20 points
if [ "$x" -gt 300 ] && [ "$y" -ge 20 ] && [ $((y + h)) -le 700 ]; then echo 'ok place'; else echo "not ok place: $box"; bad=1; fi
key j
shows second '#00ff00' 50000
gone first_is_gone '#ff00ff'
key question
gone help_hides_it '#00ff00'
key Escape
shows back_after_help '#00ff00' 50000
key j
shows third '#ff00ff' 50000
if [ "$box" = "$first" ]; then echo 'ok same_place'; else echo "not ok same_place: $box, not $first"; bad=1; fi
gone second_is_gone '#00ff00'
key 0
gone home_shows_none '#ff00ff'
key 1
shows browse_again '#ff00ff' 50000
xdotool windowsize --usehints "$win" 90 30
shows after_resize '#ff00ff' 20000
key Q
gone nothing_left '#ff00ff'
exit $bad
