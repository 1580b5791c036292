#!/bin/sh
# Libraries that are loaded when they are needed: no start needs them, what does tells when they are
# not to be had, and all else works. Empty files of their names stand in the way here.
set -u
cd "$(dirname "$0")/../.." || exit 1
QUALM=${QUALM:-$PWD/build/qualm}
W=$(mktemp -d); trap 'rm -rf "$W"' EXIT
XDG_CONFIG_HOME=$W/config XDG_STATE_HOME=$W/state XDG_DATA_HOME=$W/data XDG_CACHE_HOME=$W/cache TMPDIR=$W
TERM=xterm-256color LC_ALL=C.UTF-8
export XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME XDG_CACHE_HOME TMPDIR TERM LC_ALL
bad=0
ok() { echo "ok $1"; }
not_ok() { echo "not ok $1: $2"; bad=1; sed 's/^/    out: /' "$W/out"; }
# run NAME STATUS PATTERN ARGS...: the status, and what is said somewhere, lines put together.
run() {
	name=$1 status=$2 pattern=$3; shift 3
	"$QUALM" "$@" > "$W/out" 2>&1 < /dev/null; rc=$?
	if [ $rc != "$status" ]; then not_ok "$name" "status $rc, not $status"
	elif ! tr -s '\n ' '  ' < "$W/out" | grep -qE -- "$pattern"; then not_ok "$name" "nothing says $pattern"
	else ok "$name"; fi
}

mkdir -p "$W/config/qualm" "$W/none"
printf '[endpoint here]\nbase_url = http://127.0.0.1:9/v1\nmodel = m\n' > "$W/config/qualm/config"
printf 'id,label\na,cat\n' > "$W/one.csv"
# the beginning of an archive whose first member is header.json, and no more of it
printf 'PK\003\004\024\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\013\000\000\000header.json{}' > "$W/log.eval"

if command -v ldd > /dev/null && ldd "$QUALM" > "$W/out" 2>&1; then
	if grep -E 'lib(curl|zip|crypto)' "$W/out"; then not_ok not_linked 'a start loads them'; else ok not_linked; fi
else
	echo 'skip not_linked: there is no ldd'
fi

"$QUALM" doctor > "$W/doctor" 2>&1
has_zip=$(grep -c 'libzip [0-9]' "$W/doctor") has_curl=$(grep -c 'libcurl/[0-9]' "$W/doctor")
[ "$has_zip" = 0 ] || run zip_is_loaded 1 'ZIP archive cannot be read' import "$W/p.qualm" "$W/log.eval" --as inspect
[ "$has_curl" = 0 ] || run curl_is_loaded 1 'nobody answers there' doctor --endpoint here

for name in libcurl.so.4 libcurl-gnutls.so.4 libzip.so.4 libzip.so.5 libzip.so; do : > "$W/none/$name"; done
LD_LIBRARY_PATH=$W/none${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}; export LD_LIBRARY_PATH
run version 0 '^qualm [0-9]' --version
run import 0 '1 sample' import "$W/p.qualm" "$W/one.csv" --dataset one
run info 0 'one' info "$W/p.qualm"
run dry_run 0 '127.0.0.1' query "$W/p.qualm" --at a --protocol ow --dry-run
run doctor 0 '^Terminal' doctor
if "$QUALM" doctor 2>&1 | grep -qE 'libzip [0-9]|libcurl/[0-9]'; then
	echo 'skip none: this system finds its libraries in another way'
	exit $bad
fi
run doctor_models 0 'note models none can be asked: ' doctor
run doctor_archives 0 'note archives .*\.xlsx.* cannot be imported: ' doctor
run endpoint 1 'fix libcurl models cannot be asked: .*libcurl' doctor --endpoint here
run query 1 'models cannot be asked: .*libcurl' query "$W/p.qualm" --at a --protocol ow
run archive 1 'log.eval: .*libzip' import "$W/p.qualm" "$W/log.eval" --as inspect
[ "$has_zip" = 0 ] || run archive_installed 1 'libzip cannot be loaded: is it installed\?' import "$W/p.qualm" "$W/log.eval" --as inspect
[ "$has_curl" = 0 ] || run curl_installed 1 'libcurl cannot be loaded: is it installed\?' query "$W/p.qualm" --at a --protocol ow
exit $bad
