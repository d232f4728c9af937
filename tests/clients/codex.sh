#!/usr/bin/env bash
# Codex in a scratch HOME, without login: it registers pith over both transports and lists it, also from our example
# configuration. codex.sh CODEX
set -euo pipefail
program=$1 root=$(cd "$(dirname "$0")/../.." && pwd)
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir "$home/.codex"
codex() { env -i HOME="$home" CODEX_HOME="$home/.codex" PATH=/usr/bin:/bin "$program" "$@" 2>"$home/stderr" || { cat "$home/stderr" >&2; exit 1; }; }
codex mcp add pith -- "$PITH" serve --host codex >/dev/null
codex mcp add pith-http --url http://127.0.0.1:1/mcp >/dev/null
list=$(codex mcp list --json)
[ "$(grep -c '"enabled": true' <<<"$list")" = 2 ] || { echo "$list"; exit 1; }
cp "$root/examples/clients/codex.config.toml" "$home/.codex/config.toml"
list=$(codex mcp list --json)  # all of it first: codex panics when a reader leaves early
grep -q '"name": "pith"' <<<"$list" || { echo "$list"; exit 1; }
echo "ok: both listed, and the example"
