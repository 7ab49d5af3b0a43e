"""Profiles GPU stages with NVIDIA Nsight Compute: commands for the GPU host, and a result of what they wrote.

python -m experiments.ncu plan TARGET --points POINTS.json --folder FOLDER -- PROGRAM [OPTION ...]
python -m experiments.ncu parse TARGET --folder FOLDER --output RESULT.json

`plan` writes FOLDER/run_ncu.sh, which needs nothing but bash, ncu and the measuring program. It runs the
program once for each point, adding --points and --output, and leaves a CSV and the program's result for each.
The program verifies its output, so that counters of a wrong kernel are never read.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from data.files import write_text
from experiments.ncu_metrics import METRICS, NcuError, l2_write_bytes_per_output_byte, parse_counters
from experiments.results import Result, ResultError, parse_result, write_result

# The kernels of all stages have `decode` in their names; the measuring program's own kernels have not.
KERNELS = "regex:decode"
# The first launch meets cold caches and clocks.
LAUNCHES_SKIPPED = 1
SCRIPT = "run_ncu.sh"


def ncu_command(csv_name: str) -> list[str]:
    """ncu with its options for one launch, up to the program. Clocks stay as they are in Figure 6.1."""
    return [
        *("ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base"),
        *("--force-overwrite", "--log-file", csv_name),
        *("--kernel-name", KERNELS, "--launch-skip", str(LAUNCHES_SKIPPED), "--launch-count", "1"),
        *("--metrics", ",".join(metric.name for metric in METRICS)),
    ]


def point_name(point: dict[str, Any]) -> str:
    """Names the files of a point, for example `gsst_04_alignment_common`."""
    return f"{point['stage'].replace('/', '_')}_{point['row']['policy']}"


def write_plan(target: str, points: Sequence[dict[str, Any]], folder: Path, program: Sequence[str]) -> None:
    """Writes a points file for each point, and the script that profiles one after the other."""
    lines = ["#!/usr/bin/env bash", "# Run in this folder, where counters may be read.", "set -euo pipefail"]
    lines.append('cd "$(dirname "$0")"')
    for point in points:
        name = point_name(point)
        document = {"target": target, "points": [point]}
        write_text(folder / f"{name}.points.json", json.dumps(document, indent=1) + "\n")
        files = ["--points", f"{name}.points.json", "--output", f"{name}.json"]
        lines.append(shlex.join([*ncu_command(f"{name}.csv"), *program, *files]))
    write_text(folder / SCRIPT, "\n".join(lines) + "\n")


def _profiled_row(row: dict[str, Any], counters: dict[str, float | None]) -> dict[str, Any]:
    """The row with its counters and without times, which the profiler has changed."""
    output_bytes = row["uncompressed_bytes"]
    return {
        **{key: value for key, value in row.items() if not key.endswith("_gb_per_s")},
        "seconds": None,
        "throughput_gb_per_s": None,
        "streaming_limit_gb_per_s": None,
        "counters": counters,
        "l2_write_bytes_per_output_byte": l2_write_bytes_per_output_byte(counters, output_bytes),
    }


def parse_folder(target: str, folder: Path) -> Result:
    """One result from the files of every point. Raises NcuError where they do not belong together."""
    paths = sorted(folder.glob("*.csv"))
    if not paths:
        raise NcuError(f"{folder}: no CSV of ncu")
    whole: Result | None = None
    rows = []
    for path in paths:
        place = path.with_suffix(".json")
        if not place.exists():
            raise NcuError(f"{place} is missing: the program did not verify what {path.name} profiled")
        result = parse_result(place)
        if len(result.rows) != 1:
            raise NcuError(f"{place}: holds {len(result.rows)} rows, must hold one")
        if whole is None:
            whole = replace(result, target=target)
        if result.sources_digest != whole.sources_digest:
            raise NcuError(f"{place}: measured other sources than {paths[0].name}")
        rows.append(
            _profiled_row(result.rows[0], parse_counters(path.read_text(encoding="utf-8"), str(path)))
        )
    assert whole is not None
    return replace(whole, rows=tuple(rows))


def _main_plan(arguments: argparse.Namespace) -> None:
    points = json.loads(arguments.points.read_text(encoding="utf-8"))["points"]
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
    except (NcuError, ResultError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
