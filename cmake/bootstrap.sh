# shellcheck shell=bash
# Installs what is missing and builds: shared by ./stoker and ./test. Source it with `root` set
# to the project's folder. What is whole gets a mark, so that an interrupted setup goes on where
# it was. The running step inherits the lock: if only its parent dies, nobody starts beside it.
# shellcheck disable=SC2154
deps="$root/.deps"
logs="$root/build/logs"
wheels_gib=3
build_gib=2
child=

say() { printf 'stoker: %s\n' "$*" >&2; }
die() {
  say "$1"
  exit "${2:-1}"
}

# Ctrl-C, a kill or a closed terminal ends the running step too.
stop() {
  trap '' INT TERM HUP
  if [ -n "$child" ]; then
    kill -TERM -- "-$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
  fi
  say "interrupted; the same command goes on from here"
  exit $((128 + $1))
}
trap 'stop 1' HUP
trap 'stop 2' INT
trap 'stop 15' TERM

# One setup or build at a time for this checkout; the second waits.
lock() {
  mkdir -p "$deps" 2>/dev/null && : 2>/dev/null >>"$deps/lock" ||
    die "$deps: expected a folder that can be written, for LibTorch and the build (hint: clone the project to a place of your own)"
  exec 9>>"$deps/lock"
  flock -n 9 || {
    say "another setup or build of this checkout is running; waiting for it"
    flock 9
  }
}
unlock() { exec 9>&-; }

free_gib() { df -Pk "$root" | awk 'NR == 2 { print int($4 / 1024 / 1024) }'; }
check_disk() { # GiB, what for
  [ "$(free_gib)" -ge "$1" ] ||
    die "[disk] $root: expected $1 GiB free for $2, got $(free_gib) GiB"
}

# Names the usual causes that a log shows.
hint_from() { # log
  if grep -qE 'No space left|disk full|Disk quota|not enough space' "$1"; then
    say "the disk is full: $(free_gib) GiB are free in $root (hint: setup and build take about $((wheels_gib + build_gib)) GiB)"
  elif grep -qE 'Temporary failure|Could not resolve|NewConnectionError|[Tt]imed out|unreachable|Failed to fetch|ConnectTimeout|ProxyError|SSLError' "$1"; then
    say "the package registries (apt and the Python index) cannot be reached (hint: check the network; behind a proxy set https_proxy)"
  elif grep -qE 'Killed signal|Killed|out of memory' "$1"; then
    say "a process was killed, perhaps for lack of memory (hint: STOKER_JOBS=1)"
  fi
}

# run_logged NAME COMMAND...: output to a log; every 15 seconds what `$progress LOG` prints; on
# failure the log's end and place. The command is a process group, so that it ends as a whole.
run_logged() {
  local log="$logs/$1.log" name=$1 beats=0 status=0 began=$SECONDS pattern="${errors:-}"
  shift
  mkdir -p "$logs"
  set -m
  LC_ALL=C.UTF-8 "$@" >"$log" 2>&1 </dev/null &
  child=$!
  set +m
  while kill -0 "$child" 2>/dev/null; do
    sleep 0.2
    beats=$((beats + 1))
    [ $((beats % 75)) != 0 ] || [ -z "${progress:-}" ] || "$progress" "$log"
  done
  wait "$child" || status=$?
  child=
  if [ "$status" = 0 ]; then
    [ $((SECONDS - began)) -lt 5 ] || say "  $name: $((SECONDS - began)) s"
    return
  fi
  if [ -n "$pattern" ] && grep -qE "$pattern" "$log"; then
    grep -E -A 4 "$pattern" "$log" | head -n 20 >&2
  else
    tail -n 20 "$log" >&2
  fi
  hint_from "$log"
  die "failed: $* (the whole log: $log)"
}

# A name with a distribution behind it, `chromium debian`, is for that one only.
names() {
  local here
  here=$(. /etc/os-release 2>/dev/null && echo "${ID:-}") || true
  sed 's/#.*//' "$@" | awk -v here="$here" 'NF == 1 || $2 == here { print $1 }'
}

check_machine() {
  local system
  system=$(. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-}") || true
  [ "$(uname -m)" = x86_64 ] ||
    die "expected an x86-64 processor, got $(uname -m): LibTorch is pinned for x86-64 only" 2
  command -v apt-get >/dev/null && command -v dpkg-query >/dev/null ||
    die "expected Debian 12, Ubuntu 24.04 or newer, got ${system:-an unknown system without apt-get} (hint: a container of debian:12)" 2
  case "$(. /etc/os-release && echo "${ID:-} ${VERSION_ID:-}")" in
    "debian "[1-9] | "debian "1[01] | "ubuntu "1* | "ubuntu "2[0-3].*)
      die "expected Debian 12, Ubuntu 24.04 or newer, got $system: its CMake and compiler are too old" 2
      ;;
  esac
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@" 9>&-; else sudo -n "$@" 9>&-; fi
}
apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=l \
    apt-get -o DPkg::Lock::Timeout=600 "$@"
}

install_packages() { # files with package names
  local wanted missing
  wanted=$(names "$@")
  # shellcheck disable=SC2086
  missing=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
    sed -n 's/^installed //p' | grep -vxFf - <(echo "$wanted") || true)
  [ -n "$missing" ] || return 0
  # shellcheck disable=SC2086
  set -- $missing
  if [ "$(id -u)" != 0 ] && ! { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }; then
    local become="su -c"
    command -v sudo >/dev/null && become="sudo sh -c"
    say "$# packages of the distribution are missing; run this once, then start again:"
    printf "\n  %s 'apt-get update && apt-get install -y --no-install-recommends %s'\n\n" \
      "$become" "$*" >&2
    exit 2
  fi
  say "installing $# packages of the distribution (a minute or two)"
  run_logged apt-repair as_root env DEBIAN_FRONTEND=noninteractive dpkg --configure -a
  run_logged apt-update apt_get update
  run_logged apt-install apt_get install -y --no-install-recommends "$@"
}

downloaded() {
  say "  $(du -sm "$deps/tmp" "$deps/wheels" | awk '{ sum += $1 } END { print sum }') MB here"
}

fetch_wheel() { # pin with its hash
  mkdir -p "$deps/wheels" "$deps/tmp"
  echo "$1" >"$deps/wheels/pin.txt"
  TMPDIR="$deps/tmp" PIP_REQUIRE_VIRTUALENV=0 progress=downloaded \
    run_logged "fetch-${1%%==*}" /usr/bin/python3 -I -m pip download --no-cache-dir \
    --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
    --python-version 3.11 --implementation cp --platform manylinux_2_28_x86_64 \
    --platform manylinux_2_27_x86_64 --platform manylinux_2_25_x86_64 \
    --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 \
    -d "$deps/wheels" -r "$deps/wheels/pin.txt"
}

# Unpacks only what a C++ program uses. The mark lists the files: another version removes them.
unpack_wheel() { # wheel, mark
  local old
  for old in "${2%==*}"==*; do
    [ -e "$old" ] && (cd "$deps/site" && tr '\n' '\0' <"$old" | xargs -0 -r rm -f --) && rm "$old"
  done
  unzip -q -o "$1" -d "$deps/site" -x '*.py' '*.pyi' '*.pyx' '*.pxd' '*.pxi' '*.dist-info/*' \
    '*libtorch_python.so' '*.cpython-*.so' '*/libarrow_python*' '*/tests/*' 'torchgen/*' \
    'functorch/*' 'torch/bin/*' 'torch/test/*' || return
  unzip -Z1 "$1" >"$2.part" && mv "$2.part" "$2"
}

install_wheels() {
  local line name mark wheel
  mkdir -p "$deps/marks" "$deps/site"
  rm -rf "$deps/tmp"
  while read -r line <&3; do
    name=${line%% *}
    mark="$deps/marks/$name"
    [ -e "$mark" ] && continue
    case "$name" in
      torch==*) say "fetching LibTorch ${name#*==} (540 MB to fetch, 1.2 GB on disk; a minute or more)" ;;
      *) say "fetching ${name/==/ }" ;;
    esac
    fetch_wheel "$line"
    wheel=$(find "$deps/wheels" -name "$(echo "${name%%==*}" | tr - _)-${name#*==}-*.whl")
    run_logged "unpack-${name%%==*}" unpack_wheel "$wheel" "$mark"
    rm -f "$wheel"
  done 3< <(sed 's/#.*//; /^ *$/d' "$root/cmake/wheels.lock")
  rm -rf "$deps/tmp"
}

# The mark names the lists that it was made for: another list, another setup.
setup() { # mark name, package files
  local name=$1 mark
  shift
  mark="$deps/marks/$name-$(cat "$root/cmake/wheels.lock" "$@" | cksum | cut -d' ' -f1)"
  [ -e "$mark" ] && [ -e "$deps/site/torch/lib/libtorch_cpu.so" ] && return
  check_machine
  install_packages "$@"
  [ -e "$deps/site/torch/lib/libtorch_cpu.so" ] || {
    check_disk $((wheels_gib + build_gib)) "LibTorch and the build"
    rm -f "$deps"/marks/*==*
  }
  install_wheels
  touch "$mark"
}

# A job for each core, but none without 1.5 GiB of memory.
build_jobs() {
  local cores fit
  cores=$(nproc)
  fit=$(awk '/^MemAvailable/ { print int($2 / 1024 / 1536) }' /proc/meminfo)
  [ "${fit:-1}" -ge 1 ] || fit=1
  echo "${STOKER_JOBS:-$((fit < cores ? fit : cores))}"
}

built_so_far() { # log
  local step
  step=$(grep -oE '^\[[0-9]+/[0-9]+\]' "$1" | tail -n 1 | tr -d '[]')
  [ -z "$step" ] || say "  step ${step/\// of }"
}

# build PRESET TARGET [CMAKE OPTION...]: configures when needed or asked, then builds.
build() {
  local preset=$1 target=$2 folder="$root/build/$1"
  shift 2
  # A folder that was moved or copied here names its old place everywhere.
  if [ -e "$folder/CMakeCache.txt" ] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    rm -rf "$folder"
  fi
  [ -e "$folder/build.ninja" ] || check_disk "$build_gib" "the build"
  if [ ! -e "$folder/build.ninja" ] || [ $# -gt 0 ]; then
    run_logged "configure-$preset" cmake -S "$root" --preset "$preset" "$@"
  fi
  progress=built_so_far errors='error:|^FAILED|undefined reference' run_logged "build-$preset" \
    env -C "$root" cmake --build --preset "$preset" --target "$target" -j "$(build_jobs)"
}

# build, and tell ./stoker that its program is as new as the sources were when this began.
build_stamped() {
  local stamp="$deps/stamp"
  echo "$root" >"$stamp"
  build "$@"
  mv "$stamp" "$root/build/$1/.built"
}
