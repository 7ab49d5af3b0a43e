#!/usr/bin/env bash
# Installs the pinned nvCOMP into a folder of its own, and says whose licence that accepts. GSST_INSTALL=0 forbids it.
#
# usage: install_nvcomp.sh PYTHON FOLDER
set -euo pipefail
python=$1
folder=$2

if [[ -e $folder/nvidia/libnvcomp/LICENSE ]]; then
  exit 0
fi
if [[ ${GSST_INSTALL:-1} == 0 ]]; then
  echo "Missing (GSST_INSTALL=0 forbids installing it): NVIDIA nvCOMP 5.2.0.13 in $folder" >&2
  exit 1
fi
echo "Installing NVIDIA nvCOMP 5.2.0.13 into $folder."
echo "By installing it you accept NVIDIA's licence agreement for it: $folder/nvidia/libnvcomp/LICENSE"
echo "(what it allows is said in experiments/peers/README.md)"
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --retries 1 --timeout 20 \
  --target "$folder" --requirement "$(dirname "$0")/requirements.txt"
