"""Checks one stage: runs its tests, and on a GPU measures it beside its base stage and its recorded result.

python -m tools.check_stage STAGE [--device cpu|simt|gpu]

Without --device it is the GPU where this machine has one, else simt, the CPU executor, for which
tools/check_on_cpu.py does it all; cpu is for a stage that has code for the host. Fails if a test fails, if
the measuring program meets a wrong byte, or if the stage reaches a smaller share of the streaming limit than
its record by more than the noise of both. A stage without a record is held to its base stage. What is
measured is in the series.yaml of the stage's series; without one only the tests run.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from data.errors import DataUnavailableError
from experiments.gpu_host import find_gpu
from experiments.results import recorded_paths
from tools.check_on_cpu import CheckError, check_on_cpu
from tools.measure_stages import PROGRAM, MeasureError, measure_stages
from tools.repository import ROOT
from tools.series import Check, SeriesError, check_of
from tools.stage_comparison import compare, comparison_table, points_to_measure, recorded_row
from tools.stages import COMMAND, number_of_tests, registered_stages, suffix_of_tests


def problem_with(stage: str, registered: Sequence[str]) -> str | None:
    """Why `stage` cannot be checked, or None if it can."""
    if not registered:
        return "no stage is registered yet, so there is nothing to check"
    if not stage:
        return f"say which stage: make check STAGE=<id>; registered: {', '.join(registered)}"
    if stage not in registered:
        return f"no stage is called '{stage}'; registered: {', '.join(registered)}"
    return None


def device_to_use(wanted: str | None, gpu: bool) -> str:
    """`wanted`, or the best that this machine has. Raises ValueError where it is a GPU that is not there."""
    if wanted == "gpu" and not gpu:
        raise ValueError("DEVICE=gpu needs a GPU that nvidia-smi sees and a build with nvcc")
    return wanted or ("gpu" if gpu else "simt")


def tests_pass(stage: str, device: str) -> bool:
    """Runs the tests of one stage on one device. None at all is a failure."""
    tests_of_stage = f"--gtest_filter=*/{suffix_of_tests(stage, device)}"
    programs = sorted((COMMAND.parent.parent / "tests").glob("stage_*_test"))
    tests = 0
    for program in programs:
        run = subprocess.run(
            [program, tests_of_stage], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
        )
        print(run.stdout, end="", flush=True)
        if run.returncode != 0:
            return False
        tests += number_of_tests(run.stdout)
    print(f"{stage}: {tests} tests passed on device {device}")
    return tests > 0


def check_speed(stage: str, listing: Sequence[dict[str, Any]], gpu: str, check: Check) -> str | None:
    """Measures and prints; returns why the stage fails, or None. Raises SeriesError, and as measure_stages()
    does."""
    by_id = {entry["id"]: entry for entry in listing}
    names = [stage] if not by_id[stage]["base"] else [stage, by_id[stage]["base"]]
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in recorded_paths(check.target)]
    records = [recorded_row(documents, gpu, name) for name in names]
    result = measure_stages(points_to_measure([by_id[name] for name in names], records, check), check)
    speeds, failure = compare(result["rows"], records[0])
    print(comparison_table(speeds))
    if records[0] is None:
        print(f"no result of {stage} is recorded for {gpu}")
    return failure


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("stage", help="id as `gsst --list-stages` prints it")
    parser.add_argument("--device", choices=("cpu", "simt", "gpu"))
    arguments = parser.parse_args()
    stage: str = arguments.stage
    gpu = find_gpu()
    try:
        device = device_to_use(arguments.device, gpu is not None and PROGRAM.exists())
        if device == "simt":
            sys.exit(0 if check_on_cpu(stage, os.cpu_count() or 1) else 1)
    except (ValueError, CheckError) as error:
        sys.exit(str(error))
    listing = registered_stages()
    problem = problem_with(stage, [str(entry["id"]) for entry in listing])
    if problem is not None:
        sys.exit(problem)
    if not tests_pass(stage, device):
        sys.exit(f"{stage}: the tests on device {device} failed")
    if device != "gpu" or gpu is None:
        print(f"device {device}: the logic is tested; only a GPU says something about speed")
        return
    operation = next(entry["operation"] for entry in listing if entry["id"] == stage)
    if operation != "decode":
        print(f"operation {operation}: how fast it is an experiment measures; here only decoders are")
        return
    try:
        check = check_of(stage)
    except SeriesError as error:
        print(f"only tested: {error}")
        return
    try:
        failure = check_speed(stage, listing, gpu.name, check)
    except (MeasureError, DataUnavailableError, SeriesError) as error:
        failure = str(error)
    if failure is not None:
        sys.exit(f"{stage}: {failure}")


if __name__ == "__main__":
    main()
