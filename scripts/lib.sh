# Shared by the scripts beside it: packages and messages. Sourced, not run.

say() { printf '%s\n' "$*" >&2; }
die() { say "$0: $*"; exit 1; }

# Installs the Debian packages listed in the given files that are not there yet, and says which.
need_packages() {
  command -v dpkg-query >/dev/null 2>&1 || {
    say "Not a Debian system: install by hand what these list, then run this again with PITH_SKIP_PACKAGES=1: $*"
    [ -n "${PITH_SKIP_PACKAGES:-}" ] && return 0
    exit 1
  }
  missing=""
  for package in $(grep -hv '^#' "$@"); do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
  done
  [ -z "$missing" ] && return 0
  say "Installing these packages with apt-get:$missing"
  sudo=""
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 || die "not root and no sudo: install these as root, then run this again:$missing"
    sudo="sudo"
  fi
  $sudo apt-get update -qq || say "apt-get update failed; trying with the package lists that are there"
  # shellcheck disable=SC2086
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null || die "apt-get could not install:$missing"
}

# Configures and builds build/release with the given CMake options; quiet unless it fails.
build_release() {
  cmake --preset release "$@" >build.log 2>&1 || { cat build.log >&2; rm -f build.log; die "CMake refused; see above"; }
  rm -f build.log
  cmake --build --preset release >&2 || die "the build failed; see above"
}
