#!/usr/bin/env bash
# Prints the first Python on PATH that is 3.11 or newer and can make virtual environments; fails if there is none.
# A version manager's python3 may come first on PATH and lack ensurepip, so each one found is tried.
set -euo pipefail

works='import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'
for name in python3 python3.11 python3.12 python3.13 python3.14; do
  while read -r python; do
    if "$python" -c "$works" 2>/dev/null; then
      echo "$python"
      exit 0
    fi
  done < <(type -ap "$name" || true)
done
exit 1
