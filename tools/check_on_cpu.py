"""Checks the kernels of one stage on the CPU: tests in two orders, races, and addresses.

python -m tools.check_on_cpu STAGE [--jobs N]

Builds three programs with this stage alone in build-check, without nvcc. The second order lets threads and
blocks take turns otherwise than the first. Says nothing about speed.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.gtest_output import Failure, first_failure, last_test
from tools.repository import ROOT
from tools.shared_members import with_members
from tools.stages import number_of_tests, suffix_of_tests

BUILD = ROOT / "build-check"
# Seconds after which a kernel is taken to run for ever. The slowest stage's tests take a tenth of it.
LIMIT = 900.0


@dataclass(frozen=True)
class Check:
    """One way to run the tests of a stage."""

    title: str
    program: str
    environment: Mapping[str, str]


# Fibers that are given up where a kernel has failed are no leak to be told of.
_ADDRESS = {"ASAN_OPTIONS": "detect_leaks=0"}
CHECKS = (
    Check("tests", "check_plain", {}),
    # Of hundreds of similar inputs a tenth, another one each.
    Check("tests, another order", "check_plain", {"GSST_TEST_ORDER": "5", "GSST_TEST_SAMPLE": "8/10"}),
    Check("races", "check_race", {"GSST_TEST_SAMPLE": "10/10"}),
    Check("addresses", "check_address", {"GSST_TEST_SAMPLE": "9/10", **_ADDRESS}),
)


@dataclass(frozen=True)
class Verdict:
    """How one check ended."""

    check: Check
    tests: int
    seconds: float
    failure: Failure | None

    @property
    def passed(self) -> bool:
        return self.failure is None and self.tests > 0


class CheckError(Exception):
    """A stage that cannot be checked, and why."""


def require_kernels(stage: str, root: Path = ROOT) -> None:
    """Raises CheckError unless it is a stage with kernels."""
    folders = (path.parent for path in root.glob("stages/*/*/stage.cu"))
    known = sorted(folder.relative_to(root / "stages").as_posix() for folder in folders)
    if not stage:
        raise CheckError(f"say which stage: make check STAGE=<id>; with kernels: {', '.join(known)}")
    if stage in known:
        sources = (root / "stages" / stage).glob("*")
        if not any("Operation::" in path.read_text(encoding="utf-8") for path in sources if path.is_file()):
            raise CheckError(f"{stage} is registered for no operation: `make test` runs its tests")
        return
    if (root / "stages" / stage / "cpu.cpp").is_file():
        raise CheckError(f"{stage} runs on the host's processor: use DEVICE=cpu")
    raise CheckError(f"no stage is called '{stage}'; with kernels: {', '.join(known)}")


def build(stage: str, jobs: int, root: Path = ROOT, folder: Path = BUILD) -> str:
    """Builds the programs. Returns what the compiler said where it failed, else nothing."""
    commands = (
        ["cmake", "--preset", "check", "-B", str(folder), f"-DGSST_CHECK_STAGE={stage}"],
        ["cmake", "--build", str(folder), "--parallel", str(jobs), "--target", *programs()],
    )
    for command in commands:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return done.stdout + done.stderr
    return ""


def programs() -> list[str]:
    """The names of the programs, each once."""
    return list(dict.fromkeys(check.program for check in CHECKS))


def how_it_ended(status: int) -> str:
    """Of a program that failed: its exit status, or the signal that ended it."""
    if status < 0:
        return f"was ended by {signal.Signals(-status).name}: a wrong address, most likely"
    return f"ended with status {status}"


def run(check: Check, stage: str, root: Path = ROOT, folder: Path = BUILD, limit: float = LIMIT) -> Verdict:
    """Runs the stage's tests up to the first that fails, for `limit` seconds at most."""
    begin = time.monotonic()
    command = [folder / "tests" / check.program, f"--gtest_filter=*/{suffix_of_tests(stage, 'simt')}"]
    try:
        done = subprocess.run(
            [*map(str, command), "--gtest_fail_fast"],
            cwd=root,
            env=os.environ | check.environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit,
            check=False,
        )
        output, status = done.stdout + done.stderr, done.returncode
        failure = first_failure(output, f"{root}/") if status else None
        if status and failure is None:
            failure = Failure(last_test(output), "", f"{check.program} {how_it_ended(status)}")
    except subprocess.TimeoutExpired as expired:
        output = (expired.stdout or b"").decode(errors="replace")
        failure = Failure(last_test(output), "", f"it did not end within {limit:.0f} seconds")
    return Verdict(check, number_of_tests(output), time.monotonic() - begin, failure)


def verdict_text(verdict: Verdict, stage: str, root: Path = ROOT) -> str:
    """One line if it passed; else more, of which the first says so."""
    title = f"{stage}: {verdict.check.title}: "
    if verdict.failure is None:
        if verdict.tests == 0:
            return f"{title}FAILED: the stage has no test"
        return f"{title}passed ({verdict.tests} tests, {verdict.seconds:.0f} s)"
    lines = [f"{title}FAILED: {with_members(verdict.failure.reason, stage, root)}"]
    if verdict.failure.test:
        lines.append(f"  in test {verdict.failure.test}")
    if verdict.failure.case:
        lines.append(f"  with {verdict.failure.case}")
    return "\n".join(lines)


def check_on_cpu(stage: str, jobs: int) -> bool:
    """Builds, runs and prints. Returns whether all checks passed. Raises CheckError."""
    require_kernels(stage)
    print(f"{stage}: building (build-check)", flush=True)
    errors = build(stage, jobs)
    if errors:
        print(errors.rstrip(), flush=True)
        raise CheckError(f"{stage}: it does not compile")
    verdicts = []
    for check in CHECKS:
        verdicts.append(run(check, stage))
        print(verdict_text(verdicts[-1], stage), flush=True)
    return all(verdict.passed for verdict in verdicts)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("stage", help="id of a stage with kernels")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    stage: str = arguments.stage
    try:
        passed = check_on_cpu(stage, arguments.jobs)
    except CheckError as error:
        sys.exit(f"check: {error}")
    if not passed:
        sys.exit(1)
    print("The logic is checked; only a GPU says something about speed.")


if __name__ == "__main__":
    main()
