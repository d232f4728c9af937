#!/usr/bin/env bash
# One run of the official suite: run.sh NODE SUITE URL OPTIONS...  The last line is "ok: ..." if the suite ended with 0.
out=$(mktemp -d)
log=$("$1" "$2" server --url "$3" -o "$out" "${@:4}" 2>&1)
code=$?
rm -rf "$out"
total=$(grep -a '^Total\|^Passed' <<<"$log" | tail -n 1 | sed 's/^[A-Z][a-z]*: //')
unscored=$(grep -a 'Not scored for' <<<"$log" | sed 's/.*: //; s/ scenario(s) run//; s/\. These.*//')
if [ $code = 0 ]; then
  echo "ok: exit 0; checks: $total${unscored:+; scenarios that the revision does not score: $unscored}"
else
  grep -a '✗\|FAILURE' <<<"$log" >&2
  echo "failed: exit $code; $total" >&2
fi
exit $code
