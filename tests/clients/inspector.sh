#!/usr/bin/env bash
# MCP Inspector in its command line mode, strict about schemas: inspector.sh NODE WORK stdio|http ERA
set -euo pipefail
node=$1 work=$2 transport=$3 era=$4
export PATH="$(dirname "$node"):$PATH"
if [ "$transport" = stdio ]; then target=("$PITH" serve); else target=(--server-url "$PITH_URL" --transport http); fi
inspect() { (cd "$work" && node node_modules/.bin/mcp-inspector --cli "${target[@]}" --protocol-era "$era" "$@"); }
inspect --method tools/list --strict --format json >/dev/null
inspect --method tools/call --tool-name ccr_stats | grep originals >/dev/null
echo "ok: strict list and a call"
