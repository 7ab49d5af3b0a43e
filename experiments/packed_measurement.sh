#!/usr/bin/env bash
# Measures on a host with a GPU and its driver, bash and coreutils: no network, repository or Python is needed.
# Started again after an interruption, it goes on with what is missing. `experiments/pack_measurement.py` puts this
# file, its settings and the programs into one folder.
#
# usage: run.sh     leaves results/<target>.json
set -euo pipefail
cd "$(dirname "$0")"
# shellcheck source=/dev/null
source ./settings.sh
export LC_ALL=C
mkdir -p data results

fail() { # MESSAGE
  echo "run.sh: $1" >&2
  exit 1
}

run_packed() { # PROGRAM ARGUMENT...
  local program=$1
  shift
  LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "bin/$program" "$@"
}

# The text, its frame and what the compressor works on are in memory at the same time.
check_free_memory() {
  local key value rest available=0
  while read -r key value rest; do
    if [[ $key == MemAvailable: ]]; then available=$((value * 1024)); fi
  done </proc/meminfo
  if ((available < NEEDED_MEMORY_BYTES)); then
    fail "$available bytes of memory are free, $NEEDED_MEMORY_BYTES are needed; CHECK_MEMORY=0 tries all the same"
  fi
}

check_free_disk() {
  local available
  available=$(df --output=avail -B1 data | tail -n 1)
  if ((available < NEEDED_DISK_BYTES)); then
    fail "$available bytes of disk are free in $PWD/data, $NEEDED_DISK_BYTES are needed"
  fi
}

generate_part() { # PART
  run_packed tpchgen-cli tbl --scale-factor "$SCALE_FACTOR" --tables "$TABLE" --parts "$PARTS" --part "$1" \
    --num-threads 1 --stdout --quiet | cut '-d|' "-f$FIELD" >"data/part_$1.partial"
  mv "data/part_$1.partial" "data/part_$1"
}

# A part that is there is whole: it gets its name last.
generate_parts() {
  local part jobs
  jobs=$(nproc)
  for ((part = 1; part <= PARTS; ++part)); do
    if [[ -e data/part_$part ]]; then continue; fi
    while (($(jobs -rp | wc -l) >= jobs)); do wait -n || true; done
    generate_part "$part" &
  done
  wait
  for ((part = 1; part <= PARTS; ++part)); do
    if [[ ! -e data/part_$part ]]; then fail "part $part of the text could not be generated"; fi
  done
}

join_parts() { # FILE FIRST LAST
  local part
  for ((part = $2; part <= $3; ++part)); do cat "data/part_$part"; done >"$1.partial"
  mv "$1.partial" "$1"
  for ((part = $2; part <= $3; ++part)); do rm "data/part_$part"; done
}

make_texts() {
  if [[ -e data/text ]]; then return; fi
  check_free_disk
  generate_parts
  sync data
  if ((TUNING_PARTS > 0)); then join_parts data/tuning_text 1 "$TUNING_PARTS"; fi
  join_parts data/text "$((TUNING_PARTS + 1))" "$PARTS"
}

sha256_of() { # FILE
  sha256sum "$1" | cut '-d ' -f1
}

if [[ ${CHECK_MEMORY:-1} != 0 ]]; then check_free_memory; fi
make_texts
text_sha256=$(sha256_of data/text)
origin=(--commit "$COMMIT" --sources-digest "$SOURCES_DIGEST")
if [[ $DIRTY == yes ]]; then origin+=(--dirty); fi
tuning=()
if ((TUNING_PARTS > 0)); then
  tuning=(--tuning-input data/tuning_text --tuning-dataset "$TUNING_DATASET"
    --tuning-dataset-sha256 "$(sha256_of data/tuning_text)")
fi

result=results/$TARGET.json
if [[ ! -e $result ]]; then
  run_packed "$PROGRAM" ${KIND:+"$KIND"} --target "$TARGET" --points points.json --output "$result" "${origin[@]}" \
    --repetitions "$REPETITIONS" --input data/text --dataset "$DATASET" --dataset-sha256 "$text_sha256" "${tuning[@]}"
fi
echo "$PWD/$result"
