#!/bin/sh
# Every C++ file is formatted as .clang-format says.
set -eu
cd "$(dirname "$0")/.."
git ls-files '*.cc' '*.h' | xargs clang-format --dry-run --Werror
