#!/bin/sh
# Builds Pith with its tests and runs them all. Arguments go to ctest (`scripts/test.sh -R I3`).
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh

need_packages scripts/packages.txt scripts/packages-test.txt
build_release -DPITH_TESTS=ON -DPITH_BENCH=ON
say "All tests pass when the last lines say so. Next: CONTRIBUTING.md tells how to change Pith."
exec ctest --test-dir build/release --output-on-failure -j "$(nproc)" "$@"
