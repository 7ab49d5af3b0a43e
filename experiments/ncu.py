"""Profiles GPU stages with NVIDIA Nsight Compute: commands for the GPU host, and a result of what they wrote.

python -m experiments.ncu plan TARGET --points POINTS.json --folder FOLDER -- PROGRAM [OPTION ...]
python -m experiments.ncu parse TARGET --folder FOLDER --output RESULT.json

`plan` writes FOLDER/run_ncu.sh, which needs nothing but bash, ncu and the measuring program. It runs the
program once for each point, adding --points and --output, and leaves a CSV and the program's result for each.
The program verifies its output, so that counters of a wrong kernel are never read.
"""

import argparse
import json
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from data.files import write_text
from experiments.definition import DefinitionError, load_experiment
from experiments.kernel_metrics import KERNEL_METRICS
from experiments.ncu_metrics import (
    METRICS,
    Launch,
    Metric,
    NcuError,
    l2_write_bytes_per_output_byte,
    parse_launches,
)
from experiments.results import Result, ResultError, parse_result, write_result

# The kernels of all decoder stages have `decode` in their names; the measuring program's own have not.
DECODING = {"decoding": "decode"}
# The first launch of a kernel meets cold caches and clocks.
LAUNCHES_SKIPPED = 1
SCRIPT = "run_ncu.sh"
# What a row holds of the time, besides its rates.
_TIMES = ("graph_seconds", "phase_seconds")


@dataclass(frozen=True)
class ProfiledPoint:
    """A point of a points file, and the kernels that are profiled there: each by its name in the rows, a part
    of its function's name. A run of the point launches each of them once, in any order. The first
    `launches_before` launches of each are not profiled."""

    point: Mapping[str, Any]
    kernels: Mapping[str, str]
    launches_before: int = LAUNCHES_SKIPPED


def metrics_of(target: str) -> tuple[Metric, ...]:
    """What is counted for a target: Table 6.1 has what the thesis has, others show each unit of the GPU."""
    return METRICS if load_experiment(target).points_of is not None else KERNEL_METRICS


def ncu_options(csv_name: str, kernels: str, metrics: Sequence[Metric]) -> list[str]:
    """ncu with its options for every launch of the kernels in whose names the regular expression occurs.
    Clocks stay as they are in Figure 6.1."""
    return [
        *("ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base"),
        *("--force-overwrite", "--log-file", csv_name, "--kernel-name", f"regex:{kernels}"),
        *("--metrics", ",".join(metric.name for metric in metrics)),
    ]


def ncu_command(csv_name: str, profiled: ProfiledPoint, metrics: Sequence[Metric]) -> list[str]:
    """ncu with its options for one launch of each kernel, up to the program."""
    count = len(profiled.kernels)
    launches = ["--launch-skip", str(profiled.launches_before * count), "--launch-count", str(count)]
    # What ncu looks into is the name without the arguments of a template.
    names = (function.partition("<")[0] for function in profiled.kernels.values())
    return [*ncu_options(csv_name, "|".join(names), metrics), *launches]


def point_name(index: int, point: Mapping[str, Any]) -> str:
    """Names the files of a point, in the order of the points, for example `00_gsst_04_alignment`."""
    return f"{index:02}_{point['stage'].replace('/', '_')}"


def write_plan(target: str, points: Sequence[ProfiledPoint], folder: Path, program: Sequence[str]) -> None:
    """Writes a points file for each point, and the script that profiles one after the other."""
    metrics = metrics_of(target)
    lines = ["#!/usr/bin/env bash", "# Run in this folder, where counters may be read.", "set -euo pipefail"]
    lines.append('cd "$(dirname "$0")"')
    for index, profiled in enumerate(points):
        name = point_name(index, profiled.point)
        # The kernels' names are for the rows.
        document = {"target": target, "kernels": profiled.kernels, "points": [profiled.point]}
        write_text(folder / f"{name}.points.json", json.dumps(document, indent=1) + "\n")
        files = ["--points", f"{name}.points.json", "--output", f"{name}.json"]
        lines.append(shlex.join([*ncu_command(f"{name}.csv", profiled, metrics), *program, *files]))
    write_text(folder / SCRIPT, "\n".join(lines) + "\n")


def _profiled_row(row: dict[str, Any], kernel: str, launch: Launch) -> dict[str, Any]:
    """The row with a launch's counters and without times, which the profiler has changed."""
    kept = {key: value for key, value in row.items() if not key.endswith("_gb_per_s") and key not in _TIMES}
    profiled = {
        **kept,
        "seconds": None,
        "throughput_gb_per_s": None,
        "streaming_limit_gb_per_s": None,
        "kernel": kernel,
        "kernel_function": launch.kernel,
        "counters": launch.counters,
    }
    if "l2_write_sectors" in launch.counters:
        value = l2_write_bytes_per_output_byte(launch.counters, row["uncompressed_bytes"])
        profiled["l2_write_bytes_per_output_byte"] = value
    return profiled


def _is_of(function: str, kernel: str) -> bool:
    """Whether the whole name `kernel` has this part, where it may name the type of a template's argument."""
    name, *arguments = re.split("<|, ", function.removesuffix(">"))
    if not arguments:
        return name in kernel
    values = ", ".join(rf"(?:[^,]*\W)?{re.escape(argument)}" for argument in arguments)
    return re.search(rf"{re.escape(name)}<{values}>", kernel) is not None


def _launch_of(function: str, launches: Sequence[Launch], place: str) -> Launch:
    found = [launch for launch in launches if _is_of(function, launch.kernel)]
    if len(found) != 1:
        raise NcuError(f"{place}: holds {len(found)} launches of {function}, must hold one")
    return found[0]


def _measured_row(result: Result, place: Path) -> dict[str, Any]:
    """The one row of a program's result; of an encoder's two the one without training."""
    rows = [row for row in result.rows if not row.get("end_to_end", False)]
    if len(rows) != 1:
        raise NcuError(f"{place}: holds {len(rows)} rows, must hold one")
    return rows[0]


def parse_folder(target: str, folder: Path) -> Result:
    """One result from the files of every point. Raises NcuError where they do not belong together."""
    paths = sorted(folder.glob("*.csv"))
    if not paths:
        raise NcuError(f"{folder}: no CSV of ncu")
    metrics = metrics_of(target)
    whole: Result | None = None
    rows = []
    for path in paths:
        place = path.with_suffix(".json")
        if not place.exists():
            raise NcuError(f"{place} is missing: the program did not verify what {path.name} profiled")
        result = parse_result(place)
        if whole is None:
            whole = replace(result, target=target)
        if result.sources_digest != whole.sources_digest:
            raise NcuError(f"{place}: measured other sources than {paths[0].name}")
        row = _measured_row(result, place)
        kernels = json.loads(path.with_suffix(".points.json").read_text(encoding="utf-8"))["kernels"]
        launches = parse_launches(path.read_text(encoding="utf-8"), str(path), metrics)
        for kernel, function in kernels.items():
            rows.append(_profiled_row(row, kernel, _launch_of(function, launches, str(path))))
    assert whole is not None
    return replace(whole, rows=tuple(rows))


def _main_plan(arguments: argparse.Namespace) -> None:
    document = json.loads(arguments.points.read_text(encoding="utf-8"))
    kernels = document.get("kernels", DECODING)
    points = [ProfiledPoint(point, kernels) for point in document["points"]]
    arguments.folder.mkdir(parents=True, exist_ok=True)
    write_plan(arguments.target, points, arguments.folder, arguments.program)


def _main_parse(arguments: argparse.Namespace) -> None:
    write_result(parse_folder(arguments.target, arguments.folder), arguments.output)


def main() -> int:
    """Plans or parses; status 1 with the reason where that fails."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    plan = commands.add_parser("plan")
    plan.set_defaults(function=_main_plan)
    plan.add_argument("target")
    plan.add_argument("--points", type=Path, required=True)
    plan.add_argument("program", nargs="+", help="the measuring program with its other options")
    parse = commands.add_parser("parse")
    parse.set_defaults(function=_main_parse)
    parse.add_argument("target")
    parse.add_argument("--output", type=Path, required=True)
    for command in (plan, parse):
        command.add_argument("--folder", type=Path, required=True)
    arguments = parser.parse_args()
    try:
        arguments.function(arguments)
    except (DefinitionError, NcuError, ResultError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
