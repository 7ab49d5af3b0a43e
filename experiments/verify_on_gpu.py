"""Passes the stages' tests on this machine's GPU, plain and under the four tools of compute-sanitizer.

python -m experiments.verify_on_gpu --output experiments/recorded/<gpu>/verification/stages.json
    [--programs build/tests/stage_decode_test ...] [--jobs N]

The tests on more than 4 GiB run plain only, one program a GPU at a time. Under a tool a stage's tests run in
several processes, which take the machine's GPUs in turn: CUDA_VISIBLE_DEVICES names fewer. The file names the
commit and the digest of each stage's sources, and is written only if everything passed; `make lint` lists the
stages that have changed since. Needs nvidia-smi and compute-sanitizer.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import cycle, groupby
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from experiments.environment import commit_and_dirty
from experiments.sources import REPOSITORY_ROOT, verified_digest
from tools.stages import suffix_of_tests

PROGRAMS = [
    REPOSITORY_ROOT / "build" / "tests" / f"stage_{kind}_test"
    for kind in ("decode", "encode", "encode_graph")
]
TOOLS = ("racecheck", "memcheck", "synccheck", "initcheck")
LARGE_TESTS = "*MoreThanFourGibibytes*"

# Processes for one stage's tests under one tool: racecheck of all tests of one stage takes longer than
# everything else together.
SHARDS = 4


class VerificationError(Exception):
    """A test failed, a tool found something, or their output is not what was expected."""


@dataclass(frozen=True)
class Outcome:
    """What one run printed as its summary."""

    stage: str
    tool: str
    passed: int
    summary: str


def gpu_stages(test_list: str, root: Path = REPOSITORY_ROOT) -> list[str]:
    """The ids of the stages that have tests on a GPU in the output of --gtest_list_tests, sorted."""
    folders = sorted((root / "stages").glob("*/*/stage.cu"))
    stages = [path.parent.relative_to(root / "stages").as_posix() for path in folders]
    return [stage for stage in stages if f"/{suffix_of_tests(stage, 'gpu')} " in test_list.replace("\n", " ")]


def passed_tests(output: str) -> int:
    """How many tests passed. Raises VerificationError where any failed, was skipped or none ran."""
    match = re.search(r"^\[  PASSED  \] (\d+) tests?\.$", output, re.MULTILINE)
    if match is None or int(match[1]) == 0 or "[  FAILED  ]" in output or "[  SKIPPED ]" in output:
        raise VerificationError(output.strip()[-1000:])
    return int(match[1])


def sanitizer_summary(output: str) -> str:
    """compute-sanitizer's last line. Raises VerificationError unless it says that nothing was found."""
    match = re.search(r"(ERROR SUMMARY: .*|RACECHECK SUMMARY: .*)", output)
    if match is None or not re.search(r"SUMMARY: 0 (errors|hazards)", match[1]):
        raise VerificationError(output.strip()[-1000:])
    return match[1]


def outcome_of(stage: str, tool: str, output: str) -> Outcome:
    """The outcome of one run's output; `tool` is empty for a plain run. Raises VerificationError."""
    return Outcome(stage, tool, passed_tests(output), sanitizer_summary(output) if tool else "")


def _stages_of(program: Path) -> list[str]:
    """The stages that have tests on a GPU in a test program."""
    return gpu_stages(_output_of([str(program), "--gtest_list_tests"]))


@dataclass(frozen=True)
class Run:
    """One process: a stage's tests, or every SHARDS-th of them, plain (`tool` is empty) or under a tool."""

    program: Path
    stage: str
    tool: str
    shard: int = 0
    shards: int = 1


def _tests_of(run: Run) -> str:
    return f"*/{suffix_of_tests(run.stage, 'gpu')}" + (f":-{LARGE_TESTS}" if run.tool else "")


def count_tests(test_list: str) -> int:
    """How many tests --gtest_list_tests printed: they are indented, their suites are not."""
    return sum(line.startswith("  ") for line in test_list.splitlines())


def _sharded(program: Path, stage: str, tool: str) -> list[Run]:
    """The processes of a stage under a tool; none is without a test."""
    filtered = f"--gtest_filter={_tests_of(Run(program, stage, tool))}"
    tests = count_tests(_output_of([str(program), "--gtest_list_tests", filtered]))
    shards = max(1, min(SHARDS, tests))
    return [Run(program, stage, tool, shard, shards) for shard in range(shards)]


def joined(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Shards of one run, which follow one another, as one outcome each."""
    grouped = groupby(outcomes, key=lambda outcome: (outcome.stage, outcome.tool))
    groups = [list(group) for _, group in grouped]
    return [
        Outcome(group[0].stage, group[0].tool, sum(one.passed for one in group), group[0].summary)
        for group in groups
    ]


def _run(run: Run, gpu: str) -> Outcome:
    command: list[str | Path] = [run.program, f"--gtest_filter={_tests_of(run)}"]
    if run.tool:
        command = ["compute-sanitizer", "--tool", run.tool, "--error-exitcode", "1", *command]
    shard = {"GTEST_TOTAL_SHARDS": str(run.shards), "GTEST_SHARD_INDEX": str(run.shard)}
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": gpu, **shard}
    ended = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=REPOSITORY_ROOT, env=environment
    )
    place = f"{run.stage}, {run.tool or 'plain'}"
    output = ended.stdout + ended.stderr
    if ended.returncode != 0:
        raise VerificationError(f"{place}: exit status {ended.returncode}\n{output[-1000:]}")
    try:
        return outcome_of(run.stage, run.tool, output)
    except VerificationError as error:
        raise VerificationError(f"{place}: {error}") from error


def visible_gpus(listed: str, visible: str | None) -> list[str]:
    """A value of CUDA_VISIBLE_DEVICES for each GPU: of its value now, else of what nvidia-smi -L lists."""
    if visible:
        return visible.split(",")
    return [str(index) for index in range(sum(line.startswith("GPU ") for line in listed.splitlines()))]


def _run_all(runs: Sequence[Run], gpus: Sequence[str], jobs: int) -> list[Outcome]:
    """Runs `jobs` processes at the same time, each on the GPU that has been free for longest."""
    free: SimpleQueue[str] = SimpleQueue()
    for _, gpu in zip(range(jobs), cycle(gpus), strict=False):
        free.put(gpu)

    def on_a_free_gpu(run: Run) -> Outcome:
        gpu = free.get()
        try:
            return _run(run, gpu)
        finally:
            free.put(gpu)

    with ThreadPoolExecutor(jobs) as pool:
        return joined(list(pool.map(on_a_free_gpu, runs)))


def _output_of(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _last_line(command: Sequence[str]) -> str:
    return _output_of(command).strip().splitlines()[-1]


def document(
    outcomes: Sequence[Outcome], gpu: str, sanitizer: str, commit: str, dirty: bool
) -> dict[str, Any]:
    """What the file holds."""
    return {
        "schema": 1,
        "gpu": gpu,
        "compute_sanitizer": sanitizer,
        "commit": commit,
        "dirty": dirty,
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "sources_digests": {
            stage: verified_digest(stage) for stage in sorted({outcome.stage for outcome in outcomes})
        },
        "runs": [asdict(outcome) for outcome in outcomes],
    }


def main() -> int:
    """Runs everything; status 1 with the reason where anything fails."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--programs", type=Path, nargs="+", default=PROGRAMS)
    parser.add_argument("--jobs", type=int, default=8, help="processes at the same time, all GPUs together")
    arguments = parser.parse_args()
    commit, dirty = commit_and_dirty(REPOSITORY_ROOT)
    tests = [(program, stage) for program in arguments.programs for stage in _stages_of(program)]
    if not tests:
        sys.exit("error: no test runs on a GPU: there is none here, or the build has no CUDA code")
    try:
        gpus = visible_gpus(_output_of(["nvidia-smi", "-L"]), os.environ.get("CUDA_VISIBLE_DEVICES"))
        outcomes = _run_all([Run(program, stage, "") for program, stage in tests], gpus, len(gpus))
        # The slowest tool first, and the last stages, which have the most to do.
        runs = [run for tool in TOOLS for test in reversed(tests) for run in _sharded(*test, tool)]
        outcomes += _run_all(runs, gpus, arguments.jobs)
    except VerificationError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    gpu = _last_line(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])
    sanitizer = _last_line(["compute-sanitizer", "--version"])
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(document(outcomes, gpu, sanitizer, commit, dirty), indent=1) + "\n"
    arguments.output.write_text(text, encoding="utf-8")
    print(arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
