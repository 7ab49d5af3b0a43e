#!/usr/bin/env bash
# Prints the option of CMake with which `make test` leaves out what nvcc compiles: where no GPU is there to run it and
# no build has it yet.
#
#   tools/cuda_of_tests.sh [BUILD_FOLDER]
set -euo pipefail
cache=${1:-build}/CMakeCache.txt

if ! nvidia-smi -L >/dev/null 2>&1 && { [[ ! -e $cache ]] || grep -qx 'GSST_CUDA:STRING=OFF' "$cache"; }; then
  echo -DGSST_CUDA=OFF
fi
