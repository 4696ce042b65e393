# shellcheck shell=bash
# Installs what is missing and builds: shared by ./stoker and ./test. Source it with `root` set
# to the project's folder. Each step leaves a mark when it is whole, so that an interrupted setup
# goes on where it was.
deps="$root/.deps"
logs="$root/build/logs"
needed_gib=6

say() { printf 'stoker: %s\n' "$*" >&2; }
die() {
  say "$1"
  exit "${2:-1}"
}

check_machine() {
  [ "$(uname -m)" = x86_64 ] || die "expected an x86-64 processor, got $(uname -m): LibTorch is pinned for x86-64 only" 2
  command -v apt-get >/dev/null || die "expected Debian 12 or Ubuntu 24.04 (apt-get), got $(. /etc/os-release && echo "$PRETTY_NAME"); install the equivalents of cmake/packages.txt by hand" 2
}

check_disk() {
  local free_kib
  free_kib=$(df -Pk "$root" | awk 'NR == 2 { print $4 }')
  [ "$free_kib" -ge $((needed_gib * 1024 * 1024)) ] ||
    die "[disk] $root: expected $needed_gib GiB free for LibTorch and the build, got $((free_kib / 1024 / 1024)) GiB"
}

# One setup or build at a time for this checkout; the second waits.
lock() {
  mkdir -p "$deps" 2>/dev/null && : >>"$deps/lock" 2>/dev/null ||
    die "$root: cannot write, and there is no finished build (hint: build it in a folder of your own)"
  exec 9>>"$deps/lock"
  flock -n 9 || {
    say "another setup or build of this checkout is running; waiting for it"
    flock 9
  }
}
unlock() { exec 9>&-; }

names() { sed 's/#.*//' "$@" | tr -s ' \n' '\n' | sed '/^$/d'; }

# run_logged NAME COMMAND...: output to a log; on failure its end and its place.
run_logged() {
  local log="$logs/$1.log"
  shift
  mkdir -p "$logs"
  if ! "$@" >"$log" 2>&1 9>&-; then
    tail -n 20 "$log" >&2
    die "failed: $* (whole log: $log)"
  fi
}

install_packages() { # files with package names
  local missing=() name
  for name in $(names "$@"); do
    dpkg-query -W -f='${Status}\n' "$name" 2>/dev/null | grep -q 'install ok installed' ||
      missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      as_root=(sudo -n)
    else
      say "these packages are missing; run this once, then start again:"
      printf '\n  sudo apt-get update && sudo apt-get install -y --no-install-recommends %s\n\n' "${missing[*]}" >&2
      exit 2
    fi
  fi
  say "installing ${#missing[@]} packages of the distribution (about a minute)"
  export DEBIAN_FRONTEND=noninteractive
  run_logged apt-update "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=600 update
  run_logged apt-install "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=600 install -y \
    --no-install-recommends "${missing[@]}"
}

# Only what a C++ program uses comes out of a wheel.
unpack_wheel() { # wheel
  unzip -q -o "$1" -d "$deps/site" -x '*.py' '*.pyi' '*.pyx' '*.pxd' '*.pxi' '*libtorch_python.so' \
    '*/tests/*' '*.dist-info/*' 'torchgen/*' 'functorch/*' 'torch/bin/*' 'torch/test/*'
}

install_wheels() {
  local line name mark wheel
  while read -r line; do
    name=${line%% *}
    mark="$deps/marks/$name"
    [ -e "$mark" ] && continue
    [ "${name%%==*}" = torch ] && say "fetching LibTorch (540 MB, a minute or more)" || say "fetching ${name/==/ }"
    mkdir -p "$deps/wheels" "$deps/marks" "$deps/site"
    echo "$line" >"$deps/wheels/pin.txt"
    run_logged "fetch-${name%%==*}" python3 -m pip download --disable-pip-version-check --no-cache-dir \
      --no-deps --only-binary=:all: --require-hashes --python-version 3.11 --implementation cp \
      --platform manylinux_2_28_x86_64 --platform manylinux_2_27_x86_64 \
      --platform manylinux_2_25_x86_64 --platform manylinux_2_17_x86_64 \
      --platform manylinux2014_x86_64 -d "$deps/wheels" -r "$deps/wheels/pin.txt"
    wheel=$(find "$deps/wheels" -name "$(echo "${name%%==*}" | tr - _)-*.whl")
    run_logged "unpack-${name%%==*}" unpack_wheel "$wheel"
    rm -f "$wheel"
    touch "$mark"
  done < <(sed 's/#.*//; /^ *$/d' "$root/cmake/wheels.lock")
}

# The mark names the lists that it was made for: another list, another setup.
setup() { # mark name, package files
  local name=$1 mark
  shift
  mark="$deps/marks/$name-$(cat "$root/cmake/wheels.lock" "$@" | cksum | cut -d' ' -f1)"
  [ -e "$mark" ] && [ -e "$deps/site/torch/lib/libtorch_cpu.so" ] && return 0
  check_machine
  check_disk
  install_packages "$@"
  install_wheels
  mkdir -p "$deps/marks"
  touch "$mark"
}

# build PRESET TARGET: configures when needed, builds, says how far it is every ten seconds.
build() {
  local preset=$1 target=$2 folder="$root/build/$1" log="$logs/build-$1.log" pid
  mkdir -p "$logs"
  if [ ! -e "$folder/build.ninja" ]; then
    (cd "$root" && run_logged "configure-$preset" cmake --preset "$preset")
  fi
  cmake --build "$folder" --target "$target" >"$log" 2>&1 9>&- &
  pid=$!
  trap 'kill $pid 2>/dev/null' EXIT
  while kill -0 $pid 2>/dev/null; do
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      read -r -t 1 <> <(:) || true
      kill -0 $pid 2>/dev/null || break
    done
    kill -0 $pid 2>/dev/null && say "building: $(grep -oE '^\[[0-9]+/[0-9]+\]' "$log" | tail -n 1)"
  done
  trap - EXIT
  if ! wait $pid; then
    grep -E -A 3 'error|FAILED' "$log" | head -n 20 >&2
    die "the build failed (whole log: $log)"
  fi
}
