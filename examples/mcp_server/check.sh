#!/usr/bin/env bash
# Asks the word server in the words of an older and of the newest revision, and compares what it says.
set -euo pipefail
answers=$(printf '%s\n' \
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"check","version":"1"}}}' \
  '{"jsonrpc":"2.0","method":"notifications/initialized"}' \
  '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"count_words","arguments":{"text":"to be or not to be"}}}' \
  '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"count_words","arguments":{"text":5}}}' \
  '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"count_words","arguments":{"text":"to be or not to be","distinct":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}' \
  | "$1")
expect() {
  grep -qF -- "$1" <<<"$answers" || { echo "missing: $1"; echo "$answers"; exit 1; }
}
expect '"id":1,"result":{"protocolVersion":"2025-06-18"'
expect '"id":2,"result":{"content":[{"type":"text","text":"6 words"}]}'
expect '`text` must be a string; got 5'
expect '"id":4,"result":{"content":[{"type":"text","text":"4 words"}],"resultType":"complete"'
[ "$(wc -l <<<"$answers")" = 4 ] || { echo "not four lines:"; echo "$answers"; exit 1; }
echo "the word server answers"
