#!/usr/bin/env bash
# Puts the packages that requirements.txt pins into the virtual environment .venv, where they are missing.
#
#   tools/install_python_packages.sh [REQUIREMENTS]...     further files of pins
#
# GSST_INSTALL=0 forbids it: what is missing is listed, and the exit status is 1.
set -euo pipefail
tools=$(cd "$(dirname "$0")" && pwd)
cd "$tools/.."
requirements=(requirements.txt "$@")

if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
  if [[ ${GSST_INSTALL:-1} == 0 ]]; then
    echo "Missing (GSST_INSTALL=0 forbids making it): a virtual environment in .venv with the packages of requirements.txt" >&2
    exit 1
  fi
  python=$("$tools/find_python.sh") || {
    echo "No Python 3.11 or newer that can make virtual environments was found." >&2
    exit 1
  }
  echo "Making the virtual environment .venv with $python ($("$python" --version))"
  "$python" -m venv --clear .venv
fi

missing=$(.venv/bin/python "$tools/missing_python_packages.py" "${requirements[@]}")
[[ -n $missing ]] || exit 0
if [[ ${GSST_INSTALL:-1} == 0 ]]; then
  echo "Missing Python packages in .venv (GSST_INSTALL=0 forbids installing them):" >&2
  sed 's/^/  /' <<<"$missing" >&2
  exit 1
fi
echo "Installing missing Python packages into .venv (GSST_INSTALL=0 forbids it):"
sed 's/^/  /' <<<"$missing"
# Python compiles the modules that are imported: less than half of them are.
.venv/bin/python -m pip install --quiet --no-compile --disable-pip-version-check "${requirements[@]/#/--requirement=}"
