#!/usr/bin/env bash
# Runs the fuzzers of build-fuzz/ side by side for a number of seconds. A fuzzer stops at its first finding.
#
#   tools/run_fuzzers.sh SECONDS
#
# They start from the golden files, and from files of every format that the build's codecs make (build-fuzz/seeds/).
# New inputs are kept in build-fuzz/corpus/<fuzzer>/, findings in build-fuzz/findings/.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-}
if [[ ! $seconds =~ ^[1-9][0-9]*$ ]]; then
  echo "say for how long each fuzzer runs: make fuzz SECONDS=<n>" >&2
  exit 2
fi
shopt -s nullglob
fuzzers=(build-fuzz/fuzzers/*)
if ((${#fuzzers[@]} == 0)); then
  echo "no fuzzers in build-fuzz/fuzzers" >&2
  exit 1
fi
rm -rf build-fuzz/seeds
build-fuzz/bin/gsst_fuzz_seeds build-fuzz/seeds
mkdir -p build-fuzz/findings build-fuzz/logs
pids=()
for fuzzer in "${fuzzers[@]}"; do
  name=$(basename "$fuzzer")
  corpus=build-fuzz/corpus/$name
  mkdir -p "$corpus"
  seeds=(build-fuzz/seeds)
  # With the folders in it. To compress them all takes a minute.
  [[ $name == fuzz_round_trip ]] || seeds+=(data/golden)
  # Without a limit the largest golden file, 1.5 MB, would set the length of every input.
  "$fuzzer" -max_total_time="$seconds" -max_len=65536 -rss_limit_mb=1024 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="build-fuzz/findings/$name-" "$corpus" "${seeds[@]}" >"build-fuzz/logs/$name" 2>&1 &
  pids+=($!)
done
trap 'kill "${pids[@]}" 2>/dev/null || true' EXIT
echo "${#fuzzers[@]} fuzzers side by side, $seconds seconds each"
failed=()
for i in "${!fuzzers[@]}"; do
  name=$(basename "${fuzzers[i]}")
  wait "${pids[i]}" || failed+=("$name")
  echo "== $name"
  cat "build-fuzz/logs/$name"
done
if ((${#failed[@]})); then
  echo "findings of: ${failed[*]}" >&2
  exit 1
fi
echo "no findings"
