"""Passes the stages' tests on this machine's GPU, plain and under the four tools of compute-sanitizer.

python -m experiments.verify_on_gpu --output experiments/recorded/<gpu>/verification/stages.json
    [--programs build/tests/stage_decode_test ...] [--jobs N]

The tests on more than 4 GiB run plain only. The file names the commit and the digest of each stage's
sources, and is written only if everything passed; `make lint` lists the stages that have changed since.
Needs nvidia-smi and compute-sanitizer.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from experiments.environment import commit_and_dirty
from experiments.sources import REPOSITORY_ROOT, verified_digest
from tools.stages import suffix_of_tests

PROGRAMS = [
    REPOSITORY_ROOT / "build" / "tests" / f"stage_{kind}_test"
    for kind in ("decode", "encode", "encode_graph")
]
TOOLS = ("memcheck", "racecheck", "synccheck", "initcheck")
LARGE_TESTS = "*MoreThanFourGibibytes*"


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
    listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True)
    return gpu_stages(listed.stdout)


def _run(program: Path, stage: str, tool: str) -> Outcome:
    tests = f"*/{suffix_of_tests(stage, 'gpu')}" + (f":-{LARGE_TESTS}" if tool else "")
    command: list[str | Path] = [program, f"--gtest_filter={tests}"]
    if tool:
        command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "1", *command]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=REPOSITORY_ROOT)
    place = f"{stage}, {tool or 'plain'}"
    if run.returncode != 0:
        raise VerificationError(f"{place}: exit status {run.returncode}\n{(run.stdout + run.stderr)[-1000:]}")
    try:
        return outcome_of(stage, tool, run.stdout + run.stderr)
    except VerificationError as error:
        raise VerificationError(f"{place}: {error}") from error


def _last_line(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip().splitlines()[-1]


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
    parser.add_argument("--jobs", type=int, default=8, help="runs of compute-sanitizer at the same time")
    arguments = parser.parse_args()
    commit, dirty = commit_and_dirty(REPOSITORY_ROOT)
    tests = [(program, stage) for program in arguments.programs for stage in _stages_of(program)]
    if not tests:
        sys.exit("error: no test runs on a GPU: there is none here, or the build has no CUDA code")
    try:
        outcomes = [_run(program, stage, "") for program, stage in tests]
        with ThreadPoolExecutor(arguments.jobs) as pool:
            runs = [(program, stage, tool) for tool in TOOLS for program, stage in tests]
            outcomes += pool.map(lambda run: _run(*run), runs)
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
