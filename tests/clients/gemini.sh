#!/usr/bin/env bash
# Gemini CLI in a scratch HOME, without login: registers pith over both transports, and `gemini mcp list` must say that it
# is connected to both; then with our example configuration. gemini.sh NODE GEMINI
set -euo pipefail
node=$1 script=$2 root=$(cd "$(dirname "$0")/../.." && pwd)
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir -p "$home/.gemini" "$home/project" "$home/bin"
ln -s "$PITH" "$home/bin/pith"
echo "{\"$home/project\": \"TRUST_FOLDER\"}" >"$home/.gemini/trustedFolders.json"
cd "$home/project"
gemini() { env -i HOME="$home" XDG_STATE_HOME="$home/state" PATH="$home/bin:/usr/bin:/bin" timeout 60 "$node" "$script" "$@" 2>&1; }
connected() {
  local list
  list=$(gemini mcp list)
  [ "$(grep -c 'Connected' <<<"$list")" = "$1" ] || { echo "$list" >&2; exit 1; }
}
gemini mcp add -s user pith pith serve --host gemini >/dev/null
gemini mcp add -s user -t http pith-http "$PITH_URL" >/dev/null
connected 2
cp "$root/examples/clients/gemini.settings.json" "$home/.gemini/settings.json"
connected 1
echo "ok: both Connected, and the example"
