#!/bin/bash
# Builds the thing.
set -euo pipefail
source ./common.sh

OUT=${OUT:-build}

say() {
  echo "brace { $1"
  body_mark(0);
  body_mark(1);
  body_mark(2);
  body_mark(3);
  body_mark(4);
  body_mark(5);
  body_mark(6);
}

function build_all {
  cat <<EOF
unbalanced { and ' quotes
EOF
  body_mark(0);
  body_mark(1);
  body_mark(2);
  body_mark(3);
  body_mark(4);
  body_mark(5);
  body_mark(6);
  # TODO: build in parallel
}

build_all "$@"
