#!/usr/bin/env bash
# Fuzzes the stages that decode on this machine's GPU, then a sample under compute-sanitizer's memcheck.
#
#   fuzz/kernels/run_on_gpu.sh PROGRAM FOLDER [SECONDS]
#
# PROGRAM is gsst_fuzz_kernels; FOLDER holds origin.json (python -m experiments.fuzz_on_gpu --origin) and gets the results,
# which `python -m experiments.fuzz_on_gpu --results` makes a record of. Needs nvidia-smi and compute-sanitizer.
set -euo pipefail

program=$(realpath "$1")
folder=$2
seconds=${3:-100}
sample_seconds=30
sample_batch=1024
cd "$folder"

commit=$(sed -n 's/.*"commit": "\([0-9a-f]*\)".*/\1/p' origin.json)
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1 >gpu.txt
status=0
"$program" --device gpu --seconds "$seconds" --commit "$commit" --json counts.json || status=$?
sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
"$sanitizer" --version | tail -1 >sanitizer.txt
# Another seed: other inputs than the first batches of the run above.
"$sanitizer" --tool memcheck --error-exitcode 9 "$program" --device gpu --seed 2 --seconds "$sample_seconds" \
  --batch "$sample_batch" --commit "$commit" --json memcheck.json >memcheck.log 2>&1 || status=$?
grep -h 'SUMMARY' memcheck.log || status=1
tail -15 memcheck.log
cat counts.json
exit "$status"
