"""Passes the tests of stages and library on this GPU, plain and under the four tools of compute-sanitizer.

python -m experiments.verify_on_gpu --output experiments/recorded/<gpu>/verification
    [--stages ID library ...] [--programs build/tests/stage_decode_test ...] [--jobs N] [--plain-jobs N]

`library` stands beside the stages: its tests are those of build/tests/gpu_api_test that need a GPU.
Each stage has a file, which names the commit and the digest of the stage's sources, and is written as soon as
all of the stage's tests have passed, and only then; `make lint` lists the stages that have changed since.
What each process took is said on stderr: the slowest ones set how long the whole takes, and begin first.
Plain, tests take all of their inputs. Under a tool those with hundreds of like ones take every fifth, and
others for each tool; and large inputs are smaller: GSST_TEST_SAMPLE, which stages/suite/test_sample.hpp
describes. The tests on inputs of gigabytes run plain only, --plain-jobs programs at the same time, if the GPU
has tens of gigabytes for each. Under a tool a stage's tests run in several processes, which take the
machine's GPUs in turn: CUDA_VISIBLE_DEVICES names fewer. Needs nvidia-smi and compute-sanitizer.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from experiments.environment import commit_and_dirty
from experiments.sources import LIBRARY, REPOSITORY_ROOT, is_encoder, verified_digest
from tools.stages import suffix_of_tests

PROGRAMS = [
    REPOSITORY_ROOT / "build" / "tests" / f"{name}_test"
    for name in (
        "stage_decode",
        "stage_encode",
        "stage_encode_graph",
        "stage_query",
        "stage_ranges",
        "gpu_api",
    )
]
TOOLS = ("racecheck", "memcheck", "synccheck", "initcheck")
# Which part of many like inputs a tool's tests take: one part more than there are tools.
SAMPLE = "GSST_TEST_SAMPLE"
SAMPLES = {tool: f"{number}/{len(TOOLS) + 1}" for number, tool in enumerate(TOOLS, start=1)}
LARGE_TESTS = "*MoreThanFourGibibytes*:*HundredMegabytes*"
# The suites of the library's tests that need a GPU.
LIBRARY_SUITES = ("GpuLibrary.", "GpuColumns.", "GpuDeviceFrames.", "GpuFrames.", "GpuSearch.")

# Processes for one stage's tests under one tool: racecheck of all tests of one stage takes longer than
# everything else together, and a few of a stage's tests take most of its time.
SHARDS = 8
# The library's: as many as it has tests, since racecheck of some takes minutes.
LIBRARY_SHARDS = 64


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


def gpu_parts(test_list: str, root: Path = REPOSITORY_ROOT) -> list[str]:
    """The stages that have tests on a GPU in the output of --gtest_list_tests, and LIBRARY if it has."""
    has_library = not set(LIBRARY_SUITES).isdisjoint(test_list.splitlines())
    return gpu_stages(test_list, root) + [LIBRARY] * has_library


def excerpt(output: str) -> str:
    """What a program said of its first failure, and its end: others may only follow from the first."""
    first = re.search(r"^.*(Failure|Invalid|Error: |hazard).*$", output, re.MULTILINE)
    end = output.strip()[-600:]
    return f"{output[first.start() :][:600]}\n[...]\n{end}" if first else end


def passed_tests(output: str) -> int:
    """How many tests passed. Raises VerificationError where any failed, was skipped or none ran."""
    match = re.search(r"^\[  PASSED  \] (\d+) tests?\.$", output, re.MULTILINE)
    if match is None or int(match[1]) == 0 or "[  FAILED  ]" in output or "[  SKIPPED ]" in output:
        raise VerificationError(excerpt(output))
    return int(match[1])


def sanitizer_summary(output: str) -> str:
    """compute-sanitizer's last line. Raises VerificationError unless it says that nothing was found."""
    match = re.search(r"(ERROR SUMMARY: .*|RACECHECK SUMMARY: .*)", output)
    if match is None or not re.search(r"SUMMARY: 0 (errors|hazards)", match[1]):
        raise VerificationError(excerpt(output))
    return match[1]


def outcome_of(stage: str, tool: str, output: str) -> Outcome:
    """The outcome of one run's output; `tool` is empty for a plain run. Raises VerificationError."""
    return Outcome(stage, tool, passed_tests(output), sanitizer_summary(output) if tool else "")


def _stages_of(program: Path) -> list[str]:
    """The stages that have tests on a GPU in a test program."""
    return gpu_parts(_output_of([str(program), "--gtest_list_tests"]))


@dataclass(frozen=True)
class Run:
    """One process: a stage's tests, or every `shards`-th of them, plain (`tool` is empty) or under a tool."""

    program: Path
    stage: str
    tool: str
    shard: int = 0
    shards: int = 1

    def __str__(self) -> str:
        part = f", part {self.shard + 1} of {self.shards}" if self.shards > 1 else ""
        return f"{self.stage}, {self.program.name}, {self.tool or 'plain'}{part}"


def filter_of(run: Run) -> str:
    """The filter of GoogleTest that chooses the tests of a run."""
    of_library = ":".join(f"{suite}*" for suite in LIBRARY_SUITES)
    tests = of_library if run.stage == LIBRARY else f"*/{suffix_of_tests(run.stage, 'gpu')}"
    return tests + (f":-{LARGE_TESTS}" if run.tool else "")


def count_tests(test_list: str) -> int:
    """How many tests --gtest_list_tests printed: they are indented, their suites are not."""
    return sum(line.startswith("  ") for line in test_list.splitlines())


def _sharded(program: Path, stage: str, tool: str) -> list[Run]:
    """The processes of a stage under a tool; none is without a test."""
    filtered = f"--gtest_filter={filter_of(Run(program, stage, tool))}"
    tests = count_tests(_output_of([str(program), "--gtest_list_tests", filtered]))
    shards = max(1, min(LIBRARY_SHARDS if stage == LIBRARY else SHARDS, tests))
    return [Run(program, stage, tool, shard, shards) for shard in range(shards)]


def is_slow(run: Run) -> bool:
    """Whether a run is of those that take minutes: launches by the hundred, and training under racecheck."""
    if run.stage == LIBRARY:
        return run.tool in ("racecheck", "initcheck")
    return run.tool == "racecheck" and is_encoder(run.stage)


def in_order_of_start(runs: Iterable[Run]) -> list[Run]:
    """The slow runs first, so that none of them is left when all others have ended."""
    return sorted(runs, key=lambda run: not is_slow(run))


def environment_of(run: Run, gpu: str, outside: Mapping[str, str]) -> dict[str, str]:
    """The environment of a run's process on a GPU; `outside` is this program's."""
    shard = {"GTEST_TOTAL_SHARDS": str(run.shards), "GTEST_SHARD_INDEX": str(run.shard)}
    # A plain run takes everything, whatever was set for another.
    whole = {name: value for name, value in outside.items() if name != SAMPLE}
    sample = {SAMPLE: SAMPLES[run.tool]} if run.tool else {}
    return {**whole, "CUDA_VISIBLE_DEVICES": gpu, **shard, **sample}


def joined(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Of one stage: what its processes did together, plain and under each tool."""
    return [
        Outcome(of_tool[0].stage, tool, sum(outcome.passed for outcome in of_tool), of_tool[0].summary)
        for tool in ("", *TOOLS)
        if (of_tool := [outcome for outcome in outcomes if outcome.tool == tool])
    ]


def _run(run: Run, gpu: str) -> Outcome:
    command: list[str | Path] = [run.program, f"--gtest_filter={filter_of(run)}"]
    if run.tool:
        command = ["compute-sanitizer", "--tool", run.tool, "--error-exitcode", "1", *command]
    begin = time.monotonic()
    ended = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=REPOSITORY_ROOT,
        env=environment_of(run, gpu, os.environ),
    )
    print(f"{run}: {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
    output = ended.stdout + ended.stderr
    try:
        if ended.returncode != 0:
            raise VerificationError(f"exit status {ended.returncode}\n{excerpt(output)}")
        return outcome_of(run.stage, run.tool, output)
    except VerificationError as error:
        # At once: the stage's other runs may take a quarter of an hour, and fail too.
        print(f"FAILED: {run}: {error}", file=sys.stderr, flush=True)
        raise VerificationError(f"{run}: {error}") from error


def visible_gpus(listed: str, visible: str | None) -> list[str]:
    """A value of CUDA_VISIBLE_DEVICES for each GPU: of its value now, else of what nvidia-smi -L lists."""
    if visible:
        return visible.split(",")
    return [str(index) for index in range(sum(line.startswith("GPU ") for line in listed.splitlines()))]


class GpuPool:
    """Runs `jobs` processes at the same time, each on the GPU that has been free for longest."""

    def __init__(self, gpus: Sequence[str], jobs: int) -> None:
        self._free: SimpleQueue[str] = SimpleQueue()
        for _, gpu in zip(range(jobs), cycle(gpus), strict=False):
            self._free.put(gpu)
        self._pool = ThreadPoolExecutor(jobs)

    def start(self, run: Run) -> Future[Outcome]:
        """The outcome of `run`, later."""
        return self._pool.submit(self._on_a_free_gpu, run)

    def _on_a_free_gpu(self, run: Run) -> Outcome:
        gpu = self._free.get()
        try:
            return _run(run, gpu)
        finally:
            self._free.put(gpu)


def stages_in_order_of_end(started: Mapping[str, Sequence[Future[Outcome]]]) -> Iterator[str]:
    """Each stage once all of its runs have ended, whatever became of them."""
    stage_of = {run: stage for stage, runs in started.items() for run in runs}
    left = {stage: len(runs) for stage, runs in started.items()}
    for run in as_completed([run for runs in started.values() for run in runs]):
        stage = stage_of[run]
        left[stage] -= 1
        if left[stage] == 0:
            yield stage


def _output_of(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _last_line(command: Sequence[str]) -> str:
    return _output_of(command).strip().splitlines()[-1]


@dataclass(frozen=True)
class Origin:
    """What the tests run on, and the commit that they are built from."""

    gpu: str
    compute_sanitizer: str
    commit: str
    dirty: bool


def _origin() -> Origin:
    commit, dirty = commit_and_dirty(REPOSITORY_ROOT)
    return Origin(
        _last_line(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]),
        _last_line(["compute-sanitizer", "--version"]),
        commit,
        dirty,
    )


def document(outcomes: Sequence[Outcome], origin: Origin) -> dict[str, Any]:
    """What the file holds."""
    return {
        "schema": 1,
        **asdict(origin),
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "sources_digests": {
            stage: verified_digest(stage) for stage in sorted({outcome.stage for outcome in outcomes})
        },
        "runs": [asdict(outcome) for outcome in outcomes],
    }


def _write(outcomes: Sequence[Outcome], origin: Origin, folder: Path) -> None:
    """The file of one stage."""
    text = json.dumps(document(outcomes, origin), indent=1) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{outcomes[0].stage.replace('/', '_')}.json"
    path.write_text(text, encoding="utf-8")
    print(path, flush=True)


def main() -> int:
    """Runs everything; status 1 with the reasons where anything fails."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--output", type=Path, required=True, help="a folder")
    parser.add_argument("--stages", nargs="+", help="all, if they are not named")
    parser.add_argument("--programs", type=Path, nargs="+", default=PROGRAMS)
    parser.add_argument("--jobs", type=int, default=8, help="processes at the same time, all GPUs together")
    parser.add_argument(
        "--plain-jobs",
        type=int,
        help="plain runs at the same time, beside --jobs; one a GPU, unless said",
    )
    arguments = parser.parse_args()
    programs_of: dict[str, list[Path]] = {}
    for program in arguments.programs:
        for stage in _stages_of(program):
            programs_of.setdefault(stage, []).append(program)
    # The last stages first: they have the most to do.
    stages = arguments.stages or sorted(programs_of, reverse=True)
    if not stages or any(stage not in programs_of for stage in stages):
        sys.exit(
            "error: no such test: there is no GPU here, the build has no CUDA code, or a stage has no test"
        )
    # Read before anything runs: a commit made meanwhile is not what was built.
    origin = _origin()
    gpus = visible_gpus(_output_of(["nvidia-smi", "-L"]), os.environ.get("CUDA_VISIBLE_DEVICES"))
    plain, under_tools = GpuPool(gpus, arguments.plain_jobs or len(gpus)), GpuPool(gpus, arguments.jobs)
    started = {
        stage: [plain.start(Run(program, stage, "")) for program in programs_of[stage]] for stage in stages
    }
    runs = (
        run
        for stage in stages
        for tool in TOOLS
        for program in programs_of[stage]
        for run in _sharded(program, stage, tool)
    )
    for run in in_order_of_start(runs):
        started[run.stage].append(under_tools.start(run))
    status = 0
    for stage in stages_in_order_of_end(started):
        try:
            _write(joined([run.result() for run in started[stage]]), origin, arguments.output)
        except VerificationError as error:
            print(f"error: {error}", file=sys.stderr, flush=True)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
