#!/bin/sh
# Installs what Pith needs, builds and installs it, and shows its main job on a real build log: the view, one gap of it
# fetched by its address, the whole original fetched and compared. Safe to run again. Where to: PREFIX, else /usr/local
# for root, else ~/.local.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh

need_packages scripts/packages.txt
if [ -z "${PREFIX:-}" ]; then
  if [ "$(id -u)" = 0 ]; then PREFIX=/usr/local; else PREFIX="$HOME/.local"; fi
fi
say "Building Pith; about two minutes on two cores the first time."
build_release -DPITH_TESTS=OFF -DPITH_BENCH=OFF
cmake --install build/release --prefix "$PREFIX" >/dev/null
say "Installed $("$PREFIX/bin/pith" --version) in $PREFIX."
sh scripts/demo.sh "$PREFIX/bin/pith"
case ":$PATH:" in
  *":$PREFIX/bin:"*) ;;
  *) say "Add $PREFIX/bin to your PATH: export PATH=\"$PREFIX/bin:\$PATH\"" ;;
esac
say "Next: claude mcp add pith -- pith serve    (other hosts: README.md; the tests: scripts/test.sh)"
