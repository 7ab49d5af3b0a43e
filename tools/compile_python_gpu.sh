#!/usr/bin/env bash
# Compiles what gsst.gpu is made of, and makes nothing: `make python` builds the package without CUDA, and with it
# takes as long as all kernels. Needs nvcc's headers, .venv, and the version's header in build/, of `make build`.
set -euo pipefail
cd "$(dirname "$0")/.."

nanobind=$(sed -n 's/^requires = .*\(nanobind==[0-9.]*\)".*/\1/p' pyproject.toml)
.venv/bin/python -m pip install --quiet --disable-pip-version-check --upgrade --target build/nanobind "$nanobind"
cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
python_headers=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("include"))')
for file in python/gpu_*.cpp; do
  g++ -std=c++20 -fsyntax-only -fvisibility=hidden -Wall -Wextra -Werror -I. -Iinclude -Ibuild/include \
    -isystem build/nanobind/nanobind/include -isystem "$cuda/include" -isystem "$python_headers" "$file"
done
