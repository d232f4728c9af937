#!/bin/sh
# Pith's main job on a real build log, with the program given: view, one gap by its address, the whole, SHA-256.
set -eu
cd "$(dirname "$0")/.."
pith=${1:-pith}
log=tests/data/builds/lua-make.log
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
export XDG_STATE_HOME="$state"

echo "\$ pith compact $log --command 'make -k' --exit-code 2        # $(wc -c <"$log") bytes"
"$pith" compact "$log" --command "make -k" --exit-code 2 --marker-style cli | tee "$state/view"
token=$("$pith" ls --json | grep -o '"token": *"[0-9a-f]*"' | head -n 1 | grep -o '[0-9a-f]\{24\}')
lines=$(grep -o 'omitted: [0-9]*-[0-9]*' "$state/view" | head -n 1 | cut -d' ' -f2)
first=${lines%-*}
last=${lines#*-}
echo
echo "\$ pith retrieve $token --lines $lines | head -n 3        # one gap, by the address that the view gives"
"$pith" retrieve "$token" --lines "$lines" >"$state/gap"
head -n 3 "$state/gap"
sed -n "${first},${last}p" "$log" | cmp - "$state/gap" || { echo "the gap is not what the log has there" >&2; exit 1; }
echo
echo "\$ pith retrieve $token | sha256sum        # the whole, byte for byte"
"$pith" retrieve "$token" | sha256sum
sha256sum <"$log"
[ "$("$pith" retrieve "$token" | sha256sum)" = "$(sha256sum <"$log")" ] || { echo "the original came back changed" >&2; exit 1; }
echo "Same bytes. View: $(wc -c <"$state/view") of $(wc -c <"$log") bytes."
