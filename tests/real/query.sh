#!/bin/sh
# Real classifiers asked about real pictures: what they answer is what is stored of them.
# The server comes with the data and needs node; QUALM_PEER is a folder where it is installed already.
set -u
cd "$(dirname "$0")/../.." || exit 1
D=${QUALM_DATA:-../shared/data}
QUALM=${QUALM:-$PWD/build/qualm}
START=$D/../tools/peer/start.sh
[ -f "$D/imagenet-sample/items.jsonl" ] || { echo "skip query: there is no data at $D (QUALM_DATA=DIR says where it is)"; exit 0; }
command -v node > /dev/null && [ -f "$START" ] || { echo 'skip query: there is no node, or no server beside the data'; exit 0; }
D=$(cd "$D" && pwd) START=$(cd "$D/../tools/peer" && pwd)/start.sh
W=$(mktemp -d) P=$(mktemp -d) peer= # P: the server's own, which may know the key
trap '[ -n "$peer" ] && kill "$peer" 2> /dev/null; rm -rf "$W" "$P" "${SECRETS:-}"' EXIT
bad=0
. tests/secrets.sh
XDG_CONFIG_HOME=$W/xdg XDG_STATE_HOME=$W/xdg XDG_DATA_HOME=$W/xdg XDG_CACHE_HOME=$W/xdg QUALM_LOG=$W/qualm.log
export XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME XDG_CACHE_HOME QUALM_LOG
ok() { echo "ok $1"; }
not_ok() { echo "not ok $1: $2"; bad=1; tail -n 12 "$W/log" | sed 's/^/    /'; }
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2, not $3"; fi; }
sql() { "$QUALM" sql "$1" "$2" --format csv 2>> "$W/log" | tr -d '\r"' | sed 1d; }

port=$((18000 + $$ % 2000))
sh "$START" "${QUALM_PEER:-$PWD/build/peer}" --port $port --log "$P/requests.jsonl" > "$P/peer.log" 2>&1 & peer=$!
i=0
until grep -q 'listening on' "$P/peer.log"; do
	i=$((i + 1))
	if [ $i -gt 120 ] || ! kill -0 "$peer" 2> /dev/null; then
		echo "skip query: the server does not start: $(tail -n 1 "$P/peer.log")"; exit 0
	fi
	sleep 1
done

PEER_KEY=sk-peer-test; export PEER_KEY
endpoint() { printf '[endpoint %s]\nbase_url = http://127.0.0.1:%s/v1\nmodel = %s\nkey_env = PEER_KEY\nretries = 0\n' "$1" $port "$2"; }
{ endpoint peer mobilenet-v2; endpoint slow mobilenet-v2:slow-400; endpoint flaky mobilenet-v2:fault-401; endpoint glove glove-100d; endpoint filed mobilenet-v2 | sed "s|^key_env.*|key_file = $W/the-key|"; } > "$W/config"
(umask 077; printf '%s\n' "$PEER_KEY" > "$W/the-key")

printf 'goldfish\nmink\n' > "$W/few"
S=$W/s.qualm V2=mobilenet_v2_1.0_224_quant
"$QUALM" import "$S" "$D/imagenet-sample/items.jsonl" "$D/imagenet-sample/pred-$V2.jsonl" --images "$D/imagenet-sample" --dataset s > "$W/log" 2>&1

# Open world: the answers are the predictions that are stored.
"$QUALM" query "$S" --config "$W/config" --endpoint peer --protocol ow --filter "answered@$V2" --limit 100 > /dev/null 2> "$W/log"
is ow_status $? 0
sql "$S" "SELECT sample, raw FROM prediction WHERE run = 'mobilenet-v2/ow/q1' ORDER BY sample" > "$W/got"
sed 's/.*"id":"\([^"]*\)".*"prediction":"\([^"]*\)".*/\1,\2/' "$D/imagenet-sample/pred-$V2.jsonl" | sort > "$W/stored"
is ow_answers "$(wc -l < "$W/got" | tr -d ' ')" 100
is ow_are_the_stored "$(grep -cxFf "$W/stored" "$W/got")" 100

# Multiple choice: the letters that are stored; the same four names without letters.
M=$W/mc.qualm T=$D/api-transcripts/imagenet-mc4-mobilenet-v2.jsonl
if [ -f "$T" ]; then
	"$QUALM" import "$M" "$T" --images "$D/imagenet-sample" --dataset mc > "$W/log" 2>&1
	"$QUALM" query "$M" --config "$W/config" --endpoint peer --protocol mc --filter 'id~n' --limit 50 > /dev/null 2> "$W/log"
	sql "$M" "SELECT sample, raw FROM prediction WHERE run = 'mobilenet-v2/mc/q1'" | sort > "$W/got"
	sed 's/^{"id":"\([^"]*\)".*"prediction":"\([A-D]\)".*/\1,\2/' "$T" | sort > "$W/stored"
	is mc_letters "$(grep -cxFf "$W/stored" "$W/got")" 50
	"$QUALM" query "$M" --config "$W/config" --endpoint peer --protocol cw --classes options --filter 'id~n' --limit 50 > /dev/null 2> "$W/log"
	is cw_names "$(sql "$M" "SELECT count(*) FROM prediction a JOIN prediction b ON a.sample = b.sample WHERE a.run = 'mobilenet-v2/mc/q1' AND b.run = 'mobilenet-v2/cw/q1' AND a.class = b.raw")" 50
else echo 'skip mc_letters: there are no transcripts in the data'; fi

# Names and answers as vectors.
printf '{"id":"n01440764","prediction":"ferret"}\n{"id":"n01443537","prediction":"mug"}\n{"id":"n01484850","prediction":"golden retriever puppy"}\n' > "$W/words.jsonl"
"$QUALM" import "$S" "$W/words.jsonl" --dataset s --model words --protocol cw > "$W/log" 2>&1
nearest() {
	sql "$S" "SELECT c.idx FROM prediction p JOIN class c ON c.ord = p.class_ord WHERE p.run = '$1' ORDER BY p.sample" | tr '\n' ' '
}
"$QUALM" map "$S" --config "$W/config" --run words/cw --encoder glove > "$W/handle" 2> "$W/log"
is map_nearest "$(nearest "$(cat "$W/handle")")" '359 504 207 '
if [ "${QUALM_SLOW:-}" ] && [ -f "$D/openai-clip/imagenet_templates_80.txt" ]; then
	"$QUALM" map "$S" --config "$W/config" --run words/cw --encoder glove --templates "$D/openai-clip/imagenet_templates_80.txt" > "$W/handle" 2> "$W/log"
	is map_templates "$(nearest "$(cat "$W/handle")")" '359 504 207 '
else echo 'skip map_templates: half a minute (QUALM_SLOW=1)'; fi

# Killed in the middle, taken up again: only what is missing is asked.
"$QUALM" query "$S" --config "$W/config" --endpoint slow --protocol ow --filter "answered@$V2" --limit 24 > /dev/null 2>&1 & q=$!
sleep 1; no_secret_started no_key_in_processes "$PEER_KEY"; sleep 1.2; kill -9 $q; wait $q 2> /dev/null
n=$(sql "$S" "SELECT count(*) FROM prediction WHERE run LIKE 'mobilenet-v2_slow-400/%'")
if [ "$n" -gt 0 ] && [ "$n" -lt 24 ]; then ok "killed_after_some"; else not_ok killed_after_some "$n answers were there"; fi
"$QUALM" query "$S" --config "$W/config" --endpoint slow --protocol ow --filter "answered@$V2" --limit 24 > /dev/null 2> "$W/log"
is resumed_asks_the_rest "$(grep -c "about $((24 - n)) samples" "$W/log")" 1
is resumed_is_whole "$(sql "$S" "SELECT count(*) FROM prediction WHERE run LIKE 'mobilenet-v2_slow-400/%' AND outcome = 'answered'")" 24

# On the screen: 7 shows, Enter sends.
printf '7\n:save-screen %s/before\nEnter\n:save-screen %s/after\n:endpoint flaky\nEnter\n:save-screen %s/failed\n' "$W" "$W" "$W" > "$W/keys"
sent=$(wc -l < "$P/requests.jsonl")
"$QUALM" "$S" --config "$W/config" --at n01443537 --run $V2 --headless 100x30 --script "$W/keys" > "$W/log" 2>&1
is screen_sends_two $(($(wc -l < "$P/requests.jsonl") - sent)) 2
is screen_answer "$(sed -n '3p' "$W/after" | grep -c 'goldfish  right  mobilenet-v2/ow/q')" 1
is screen_failure "$(grep -c '(401)' "$W/failed")" 1

# Whatever can be had of it: what is shown and written has no key, whether it comes from the
# environment or from a file.
for e in peer filed flaky; do
	"$QUALM" doctor --config "$W/config" --endpoint $e > "$W/doctor-$e" 2>&1
	"$QUALM" query "$S" --config "$W/config" --endpoint $e --protocol cw --classes "$W/few" --at n01443537 --dry-run > "$W/dry-$e" 2>&1
	"$QUALM" query "$S" --config "$W/config" --endpoint $e --protocol ow --at n01443537 --format json > "$W/asked-$e" 2>&1
	"$QUALM" batch export "$S" --config "$W/config" --endpoint $e --protocol ow --limit 2 -o "$W/batch-$e.jsonl" > "$W/batch-$e.log" 2>&1
done
is key_of_a_file_is_used "$(grep -c '"outcome":"answered"' "$W/asked-filed")" 1
for f in jsonl csv md; do "$QUALM" export "$S" --format $f -o "$W/out.$f" > "$W/log.$f" 2>&1; done
"$QUALM" info "$S" --format json > "$W/info" 2>&1
"$QUALM" check "$S" > "$W/check" 2>&1
KEY_FILE=the-key no_secret no_key "$PEER_KEY" "$W"
exit $bad
