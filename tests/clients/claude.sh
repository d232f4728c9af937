#!/usr/bin/env bash
# Claude Code in a scratch HOME, without login: registers pith over both transports, and `claude mcp list` must say that it
# is connected to both. claude.sh CLAUDE
set -euo pipefail
claude() { env -i HOME="$home" XDG_STATE_HOME="$home/state" PATH=/usr/bin:/bin "$program" "$@"; }
program=$1
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
cd "$home"
claude mcp add -s user pith -- "$PITH" serve >/dev/null
claude mcp add -s user -t http pith-http "$PITH_URL" >/dev/null
list=$(claude mcp list 2>&1)
connected=$(grep -c 'Connected' <<<"$list" || true)
[ "$connected" = 2 ] || { echo "$list"; exit 1; }
echo "ok: both Connected"
