#!/bin/sh
# Builds every fuzz target with clang's libFuzzer and the sanitizers and runs each T seconds on a
# copy of its corpus under $BUILD/fuzz. FUZZ="flat csv" runs only these. What breaks one is left
# in $BUILD/fuzz/NAME/found.
set -u
BUILD=${BUILD:-build} T=${T:-60}
: "${LIBS:?what to link with; make fuzz says it}"
command -v clang > /dev/null || { echo 'fuzz: clang is not there'; exit 1; }
san='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1:allocator_may_return_null=1}"

# the library, sanitized and instrumented, by the same rules as ever
make --no-print-directory B="$BUILD/fuzz/lib" CC=clang CFLAGS="-O1 -g $san" \
	"$BUILD/fuzz/lib/libqualm.a" || exit 1
# A machine that stands still looks like an input that takes too long: only one that does so again is.
was_waiting() {
	slow=$(sed -n 's/.*Test unit written to \(.*timeout-.*\)/\1/p' "$dir/log")
	[ -n "$slow" ] && "$dir/fuzz" -timeout=20 "$slow" > "$dir/again" 2>&1 && rm -f "$slow"
}

bad=0 ran=0
for src in tests/fuzz/fuzz_*.c; do
	name=${src##*/fuzz_}; name=${name%.c}
	case " ${FUZZ:-$name} " in *" $name "*) ;; *) continue ;; esac
	ran=$((ran + 1))
	dir=$BUILD/fuzz/$name
	mkdir -p "$dir/corpus" "$dir/found"
	cp tests/fuzz/corpus/"$name"/* "$dir/corpus/" 2> /dev/null
	clang -std=c11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -I. -I"$BUILD/fuzz/lib/gen" -isystem /usr/include/stb -O1 -g \
		-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer \
		$(pkg-config --cflags libcjson) -o "$dir/fuzz" "$src" \
		"$BUILD/fuzz/lib/libqualm.a" $LIBS -pthread || { bad=1; continue; }
	tries=0
	until "$dir/fuzz" -max_total_time="$T" -timeout=20 -rss_limit_mb=3000 -max_len=4096 \
		-artifact_prefix="$dir/found/" "$dir/corpus" > "$dir/log" 2>&1; do
		tries=$((tries + 1))
		if [ $tries -lt 4 ] && was_waiting; then continue; fi
		bad=1
		echo "FAIL fuzz $name"; tail -n 40 "$dir/log"
		continue 2
	done
	echo "ok   fuzz $name: $(grep -o 'stat::.*\|DONE.*\|Done.*' "$dir/log" | tail -n 1)"
done
[ $ran -gt 0 ] || { echo "fuzz: there is no target $FUZZ"; exit 1; }
exit $bad
