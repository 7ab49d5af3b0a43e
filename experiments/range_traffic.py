"""Counts how much memory a GPU reads for byte ranges, with NVIDIA Nsight Compute.

python -m experiments.range_traffic plan TARGET --folder FOLDER -- PROGRAM [OPTION ...]
python -m experiments.range_traffic join RESULT.json --folder FOLDER --output RESULT.json

`plan` writes FOLDER/run_ncu.sh, which needs nothing but bash, ncu and the measuring program, and leaves a
CSV and the program's result. `join` adds what was counted to the rows of a result that was measured without
the profiler: `dram_bytes_read`, of `ranges` and of the `whole_frame`.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

from data.files import write_text
from experiments.definition import DefinitionError, Experiment, load_experiment
from experiments.gpu_points import points_document, range_points
from experiments.ncu import SCRIPT, ncu_options
from experiments.ncu_metrics import Launch, Metric, NcuError, parse_launches
from experiments.results import Result, ResultError, parse_result, write_result

READ = Metric("dram_bytes_read", "dram__bytes_read.sum", "memory read (bytes)")
# A part of the names of the kernels that decode ranges; those of whole frames have `decode` in theirs, too.
_OF_RANGES = ("count_items_of_groups", "add_up_groups", "decode_items")
_KERNELS = "decode|count_items_of_groups|add_up_groups"
_NAME = "traffic"
# What tells the rows of a result apart.
_KEY = ("stage", "variant", "pattern", "selectivity", "range_bytes")


def write_plan(experiment: Experiment, folder: Path, program: Sequence[str]) -> None:
    """Writes the points where traffic is counted, and the script that counts it."""
    access = experiment.random_access
    if access is None:
        raise DefinitionError(f"{experiment.target} decodes no ranges")
    frames = tuple({**frame, "on_cpu": False} for frame in access.frames)
    patterns, selectivities = (access.counted["pattern"],), (access.counted["selectivity"],)
    counted = replace(access, frames=frames, patterns=patterns, selectivities=selectivities)
    document = points_document(experiment, range_points(counted))
    write_text(folder / f"{_NAME}.points.json", json.dumps(document, indent=1) + "\n")
    files = ["--points", f"{_NAME}.points.json", "--output", f"{_NAME}.json"]
    command = [*ncu_options(f"{_NAME}.csv", _KERNELS, [READ]), *program, *files]
    lines = ["#!/usr/bin/env bash", "# Run in this folder, where counters may be read.", "set -euo pipefail"]
    lines += ['cd "$(dirname "$0")"', shlex.join(command)]
    write_text(folder / SCRIPT, "\n".join(lines) + "\n")


def _bytes_read(launches: Sequence[Launch], place: str) -> int:
    """By one run of these kernels, each of which was launched as often."""
    by_kernel: dict[str, list[float]] = {}
    for launch in launches:
        value = launch.counters[READ.key]
        if value is None:
            raise NcuError(f"{place}: this GPU has no {READ.name}")
        by_kernel.setdefault(launch.kernel, []).append(value)
    return round(sum(mean(values) for values in by_kernel.values()))


def traffic_of_rows(launches: Sequence[Launch], rows: int, place: str) -> list[dict[str, int]]:
    """What each of the rows has read, which are in the order of the launches and have as many of them."""
    share, left = divmod(len(launches), rows)
    if share == 0 or left != 0:
        raise NcuError(f"{place}: {len(launches)} launches are not of {rows} rows")
    traffic = []
    for first in range(0, len(launches), share):
        own = launches[first : first + share]
        of_ranges = [launch for launch in own if any(name in launch.kernel for name in _OF_RANGES)]
        whole = [launch for launch in own if launch not in of_ranges]
        if not of_ranges or not whole:
            raise NcuError(f"{place}: a row lacks launches for ranges or for the whole frame")
        traffic.append({"ranges": _bytes_read(of_ranges, place), "whole_frame": _bytes_read(whole, place)})
    return traffic


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in _KEY)


def with_traffic(result: Result, folder: Path) -> Result:
    """The result with what the script in `folder` has counted. Raises NcuError where the two are not of the
    same data and sources."""
    path = folder / f"{_NAME}.csv"
    profiled = parse_result(path.with_suffix(".json"))
    if profiled.sources_digest != result.sources_digest:
        raise NcuError(f"{path}: other sources were profiled than measured")
    launches = parse_launches(path.read_text(encoding="utf-8"), str(path), [READ])
    counts = traffic_of_rows(launches, len(profiled.rows), str(path))
    by_row = {_key(row): count for row, count in zip(profiled.rows, counts, strict=True)}
    data = {(row["dataset_sha256"], row["compressed_bytes"]) for row in profiled.rows}
    if not data <= {(row["dataset_sha256"], row["compressed_bytes"]) for row in result.rows}:
        raise NcuError(f"{path}: another text was profiled than measured")
    rows = [{**row, READ.key: by_row[_key(row)]} if _key(row) in by_row else row for row in result.rows]
    return replace(result, rows=tuple(rows))


def main() -> int:
    """Plans or joins; status 1 with the reason where that fails."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, dest="command")
    plan = commands.add_parser("plan")
    plan.add_argument("target")
    plan.add_argument("program", nargs="+", help="the measuring program with its other options")
    join = commands.add_parser("join")
    join.add_argument("result", type=Path)
    join.add_argument("--output", type=Path, required=True)
    for command in (plan, join):
        command.add_argument("--folder", type=Path, required=True)
    arguments = parser.parse_args()
    try:
        if arguments.command == "plan":
            arguments.folder.mkdir(parents=True, exist_ok=True)
            write_plan(load_experiment(arguments.target), arguments.folder, arguments.program)
        else:
            write_result(with_traffic(parse_result(arguments.result), arguments.folder), arguments.output)
    except (DefinitionError, NcuError, OSError, ResultError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
