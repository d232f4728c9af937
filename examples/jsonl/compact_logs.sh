#!/bin/sh
# Compacts any number of files through one long-lived `pith compact --jsonl` and prints a line for each:
#   FILE CLASS ORIGINAL-TOKENS -> SHOWN-TOKENS TOKEN
# Usage: compact_logs.sh FILE...      (PITH names the program where it is not in PATH)
set -eu

request() {  # one request: base64 takes any bytes, and its alphabet needs no JSON escapes
  printf '{"id":%d,"content_base64":"%s"}\n' "$1" "$(base64 -w 0 "$2")"
}

number() { sed -n "s/.*\"$1\":{\"bytes\":[0-9]*,\"lines\":[0-9]*,\"tokens\":\([0-9]*\)}.*/\1/p"; }

n=0
for file in "$@"; do
  n=$((n + 1))
  request "$n" "$file"
done | "${PITH:-pith}" compact --jsonl | while IFS= read -r answer; do
  file=$1
  shift
  # What is known of a view stands behind its text; the text itself may hold anything.
  facts=${answer##*\",\"class\":\"}
  token=$(printf '%s' "$answer" | sed -n 's/.*","token":"\([0-9a-f]*\)","class".*/\1/p')
  printf '%s %s %s -> %s %s\n' "$file" "${facts%%\"*}" "$(printf '%s' "$facts" | number original)" \
    "$(printf '%s' "$facts" | number shown)" "${token:--}"
done
