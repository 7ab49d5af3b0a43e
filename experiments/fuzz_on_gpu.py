"""Makes the record of a run of gsst_fuzz_kernels on a GPU, and the table of it in docs/library.md.

python -m experiments.fuzz_on_gpu --origin FOLDER
    writes FOLDER/origin.json: the commit and the digests of the sources that the program is built from
fuzz/kernels/run_on_gpu.sh build/bin/gsst_fuzz_kernels FOLDER
    on the machine with the GPU
python -m experiments.fuzz_on_gpu --results FOLDER --output experiments/recorded/<gpu>/verification/fuzz.json
    writes the record, only if no decoder did anything wrong; `make lint` lists the stages that change later
"""

import argparse
import json
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from experiments.environment import commit_and_dirty
from experiments.results import RECORDED_DIR
from experiments.sources import (
    REPOSITORY_ROOT,
    formats_of_library,
    is_shared_part,
    shared_parts,
    verified_digest,
)
from tools.stages import default_stages, registered_stages

Document = dict[str, Any]
_RANGES_BECAME = ("refused_as_outside", "decoded_alike", "refused_alike")


class FuzzingError(Exception):
    """Results that must not be recorded."""


def _formats(operation: str) -> set[str]:
    """Formats of the library for which a GPU has a stage with this operation. Frames in device memory and
    ranges are the library's."""
    lines = [line for line in default_stages() if (line.operation, line.executor) == (operation, "gpu")]
    return {line.format for line in lines} & formats_of_library()


def stages_that_decode() -> list[str]:
    """The ids of the stages whose kernels decode blocks or ranges. Every build has these for the CPU
    executor, also one without CUDA."""
    decoders = [stage for stage in registered_stages() if stage["operation"] in ("decode", "ranges")]
    return sorted({str(stage["id"]) for stage in decoders if "simt" in cast(list[str], stage["devices"])})


def origin(root: Path = REPOSITORY_ROOT) -> Document:
    """What the program is built from."""
    commit, dirty = commit_and_dirty(root)
    parts = [*stages_that_decode(), *shared_parts(root)]
    digests = {part: verified_digest(part, root) for part in parts}
    return {"commit": commit, "dirty": dirty, "sources_digests": digests}


def _check_counts(counts: Mapping[str, Any], built_from: Mapping[str, Any], place: str) -> None:
    if counts["device"] != "gpu":
        raise FuzzingError(f"{place}: ran on {counts['device']}")
    if counts["commit"] != built_from["commit"]:
        raise FuzzingError(f"{place}: the program is of commit {counts['commit']}, not the origin's")
    if counts["failed_batches"] != 0:
        raise FuzzingError(f"{place}: {counts['failed_batches']} batches failed")
    built = {stage for stage in built_from["sources_digests"] if not is_shared_part(stage)}
    if {*counts["stages"], *counts["range_stages"]} != built:
        raise FuzzingError(f"{place}: not every stage that decodes was run")
    if set(counts["ranges"]) != _formats("ranges"):
        raise FuzzingError(f"{place}: ranges were decoded of {', '.join(counts['ranges']) or 'no format'}")
    if set(counts["device_frames"]) != _formats("decode"):
        names = ", ".join(counts["device_frames"]) or "no format"
        raise FuzzingError(f"{place}: frames were decoded in device memory of {names}")
    total = counts["total"]
    alike = total["decoded_alike"] + total["refused_alike"]
    if total["inputs"] != total["refused_by_plan"] + alike:
        raise FuzzingError(f"{place}: the counts do not add up")
    for name, ranges in counts["ranges"].items():
        if ranges["ranges"] != sum(ranges[key] for key in _RANGES_BECAME):
            raise FuzzingError(f"{place}: the counts of ranges of {name} do not add up")


def join(folder: Path) -> Document:
    """The record of the results in `folder`. Raises FuzzingError where they must not be recorded."""
    built_from = json.loads((folder / "origin.json").read_text(encoding="utf-8"))
    if built_from["dirty"]:
        raise FuzzingError("origin.json: the program was built from a tree with uncommitted changes")
    counts = json.loads((folder / "counts.json").read_text(encoding="utf-8"))
    sample = json.loads((folder / "memcheck.json").read_text(encoding="utf-8"))
    _check_counts(counts, built_from, "counts.json")
    _check_counts(sample, built_from, "memcheck.json")
    log = (folder / "memcheck.log").read_text(encoding="utf-8")
    summary = re.search(r"ERROR SUMMARY: 0 errors", log)
    if summary is None:
        raise FuzzingError("memcheck.log: memcheck has found something, or did not end")
    date = datetime.fromtimestamp((folder / "counts.json").stat().st_mtime, UTC)
    return {
        "schema": 1,
        "gpu": (folder / "gpu.txt").read_text(encoding="utf-8").strip(),
        "compute_sanitizer": (folder / "sanitizer.txt").read_text(encoding="utf-8").strip(),
        "date": date.strftime("%Y-%m-%dT%H:%M:%SZ"),
        **built_from,
        "fuzzed": counts,
        "under_memcheck": sample,
        "memcheck": summary[0],
    }


def _recorded(folder: Path) -> list[tuple[str, Document]]:
    """The records by the name of their machine."""
    paths = sorted(folder.glob("*/verification/fuzz.json"))
    return [(path.parent.parent.name, json.loads(path.read_text(encoding="utf-8"))) for path in paths]


def _ranges_row(name: str, counts: Mapping[str, int]) -> str:
    keys = ("frames", "frames_refused_by_plan", "ranges", *_RANGES_BECAME)
    return f"| {name} | " + " | ".join(f"{counts[key]:,}" for key in keys) + " |"


def _ranges_table(fuzzed: Mapping[str, Any]) -> list[str]:
    """Nothing for a record that was made before ranges were fuzzed."""
    if "ranges" not in fuzzed:
        return []
    return [
        "",
        "| ranges of | frames | refused by the plan | ranges | outside | decoded alike | refused alike |",
        "|---|---|---|---|---|---|---|",
        *(_ranges_row(name, counts) for name, counts in fuzzed["ranges"].items()),
    ]


def _device_frames_row(name: str, counts: Mapping[str, int]) -> str:
    keys = ("frames", "frames_refused_alike", "decoded_alike", "wrong_checksums", "refused_alike")
    return f"| {name} | " + " | ".join(f"{counts[key]:,}" for key in keys) + " |"


def _device_frames_table(fuzzed: Mapping[str, Any]) -> list[str]:
    """Nothing for a record that was made before frames in device memory were fuzzed."""
    if "device_frames" not in fuzzed:
        return []
    return [
        "",
        "| frames in device memory of | frames | refused alike | blocks decoded alike "
        "| of these with a wrong checksum | blocks refused alike |",
        "|---|---|---|---|---|---|",
        *(_device_frames_row(name, counts) for name, counts in fuzzed["device_frames"].items()),
    ]


def _row(name: str, counts: Mapping[str, int]) -> str:
    keys = ("inputs", "refused_by_plan", "decoded_alike", "refused_alike")
    return f"| {name} | " + " | ".join(f"{counts[key]:,}" for key in keys) + " |"


def fuzzing_section(folder: Path = RECORDED_DIR) -> str:
    """What is recorded, in Markdown."""
    parts = []
    for machine, record in _recorded(folder):
        fuzzed = record["fuzzed"]
        lines = [
            f"Recorded on {machine} ({record['gpu']}), {record['date'][:10]}, "
            f"commit {record['commit'][:12]}, seed {fuzzed['seed']}:",
            "",
            "| format | changed blocks | refused by the plan | decoded alike | refused alike |",
            "|---|---|---|---|---|",
            *(_row(name, counts) for name, counts in fuzzed["formats"].items()),
            _row("all", fuzzed["total"]),
            _row("all, others under memcheck", record["under_memcheck"]["total"]),
            *_ranges_table(fuzzed),
            *_device_frames_table(fuzzed),
        ]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts) or "Not recorded yet.\n"


def main() -> int:
    """Writes the origin or the record; status 1 with the reason where that is refused."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    work = parser.add_mutually_exclusive_group(required=True)
    work.add_argument("--origin", type=Path, metavar="FOLDER")
    work.add_argument("--results", type=Path, metavar="FOLDER")
    parser.add_argument("--output", type=Path, help="the record, with --results")
    arguments = parser.parse_args()
    if arguments.origin is not None:
        arguments.origin.mkdir(parents=True, exist_ok=True)
        path = arguments.origin / "origin.json"
        document = origin()
    else:
        if arguments.output is None:
            parser.error("--results needs --output")
        path = arguments.output
        try:
            document = join(arguments.results)
        except (FuzzingError, OSError, KeyError, json.JSONDecodeError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
        path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
