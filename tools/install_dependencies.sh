#!/usr/bin/env bash
# Installs the system packages that are missing, on Debian 12 and Ubuntu 24.04; asks apt only when one is.
#
#   tools/install_dependencies.sh [GROUP]...     groups: build peers lint fuzz sanitizers ninja ccache slurm site (default: build peers)
#
#   build  compiler, CMake, Python, libraries of the program and its tests
#   peers  the codecs that FSST is compared with, and what reads Parquet and ORC files; each is optional: without one its
#          row is missing from the figure, gsst_parquet from the build, or `gsst --column` reads no ORC files
#   lint   clang-format, clang-tidy and Doxygen
#   fuzz   clang with libFuzzer
#   sanitizers  clang, and its reader of the coverage of kernels
#   ninja  what leaves no processor idle between the folders of a build; CMake takes it where CMAKE_GENERATOR=Ninja
#   ccache  what spares .ci/run to compile again what is unchanged; CMake takes it where CMAKE_CXX_COMPILER_LAUNCHER=ccache
#   slurm  what tools/try_on_slurm.sh starts
#   site   what compiles the codec for the pages of the course; optional: without it a page says that it has none
#
# GSST_INSTALL=0 forbids installing: what is missing is listed, and the exit status is 1 if any of it is needed.
set -euo pipefail
tools=$(cd "$(dirname "$0")" && pwd)

# PACKAGE or PACKAGE:COMMAND. A package counts as present where dpkg says so, or where its command is on PATH
# (a compiler or a CMake may come from elsewhere).
build=(g++:g++ cmake:cmake make:make git:git pkg-config:pkg-config ca-certificates
  libgtest-dev libbenchmark-dev libboost-context-dev libcli11-dev nlohmann-json3-dev libre2-dev libxxhash-dev zlib1g-dev libdeflate-dev)
peers=(liblz4-dev libzstd-dev libsnappy-dev libbrotli-dev libbz2-dev liblzma-dev libthrift-dev
  libprotobuf-dev protobuf-compiler:protoc)
# clang's OpenMP header is a package of its own.
lint=(clang-format:clang-format clang-tidy:clang-tidy doxygen:doxygen libomp-dev)
fuzz=(clang:clang++ libclang-rt-dev libomp-dev)
sanitizers=("${fuzz[@]}" llvm:llvm-cov)
ninja=(ninja-build:ninja)
ccache=(ccache:ccache)
slurm=(slurmctld:slurmctld slurmd:slurmd slurm-client:sbatch munge:munged)
site=(emscripten:emcc)

is_present() { # PACKAGE[:COMMAND]
  [[ $1 == *:* ]] && command -v "${1#*:}" >/dev/null && return
  [[ $(dpkg-query -W -f '${db:Status-Abbrev}' "${1%%:*}" 2>/dev/null) == ii* ]]
}

print_missing() { # PACKAGE[:COMMAND]...
  local package
  for package in "$@"; do
    is_present "$package" || echo "${package%%:*}"
  done
}

print_missing_of_group() {
  case $1 in
    build)
      print_missing "${build[@]}"
      "$tools/find_python.sh" >/dev/null || printf '%s\n' python3 python3-venv
      ;;
    peers) print_missing "${peers[@]}" ;;
    lint) print_missing "${lint[@]}" ;;
    fuzz) print_missing "${fuzz[@]}" ;;
    sanitizers) print_missing "${sanitizers[@]}" ;;
    ninja) print_missing "${ninja[@]}" ;;
    ccache) print_missing "${ccache[@]}" ;;
    slurm) print_missing "${slurm[@]}" ;;
    site) print_missing "${site[@]}" ;;
    *)
      echo "unknown group '$1'; the groups are: build peers lint fuzz sanitizers ninja ccache slurm site" >&2
      return 2
      ;;
  esac
}

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "Not root, and sudo is missing." >&2
    return 1
  fi
}

install_packages() {
  as_root apt-get install -y --no-install-recommends "$@"
}

(($#)) || set -- build peers
needed=()
optional=()
for group in "$@"; do
  names=$(print_missing_of_group "$group")
  [[ -n $names ]] || continue
  if [[ $group == peers || $group == site ]]; then
    mapfile -t -O "${#optional[@]}" optional <<<"$names"
  else
    mapfile -t -O "${#needed[@]}" needed <<<"$names"
  fi
done
((${#needed[@]} + ${#optional[@]})) || exit 0

if ! command -v apt-get >/dev/null; then
  echo "This system has no apt: install the equivalents of these packages yourself where they are missing."
  printf '  %s\n' "${needed[@]}" "${optional[@]/%/ (optional)}"
  exit 0
fi

if [[ ${GSST_INSTALL:-1} == 0 ]]; then
  echo "Missing system packages (GSST_INSTALL=0 forbids installing them):"
else
  echo "Installing missing system packages (GSST_INSTALL=0 forbids it):"
fi
printf '  %s\n' "${needed[@]}" "${optional[@]/%/ (optional)}"

if [[ ${GSST_INSTALL:-1} == 0 ]]; then
  ((${#needed[@]} == 0)) && exit 0
  echo "Install them with: apt-get install ${needed[*]}" >&2
  exit 1
fi

export DEBIAN_FRONTEND=noninteractive
as_root apt-get update || echo "apt-get update failed; trying with the package lists as they are." >&2
if ((${#needed[@]})) && ! install_packages "${needed[@]}"; then
  echo "These packages are needed and could not be installed: ${needed[*]}" >&2
  exit 1
fi
for package in "${optional[@]}"; do
  install_packages "$package" || echo "Going on without $package: what needs it will be missing." >&2
done
