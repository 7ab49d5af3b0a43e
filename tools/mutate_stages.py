"""Plant mistakes in the kernels, one at a time, and see whether the stages' tests find each."""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.kernel_mutations import Mutant, mutants_of
from tools.repository import ROOT, committable_files
from tools.stages import number_of_tests, suffix_of_tests

BUILDS = ("race", "asan")
_EXCEPTION = re.compile(r"C\+\+ exception with description \"(.*)$", re.MULTILINE)
_SANITIZER = re.compile(r"ERROR: AddressSanitizer: ([\w-]+)|runtime error: (.*)$", re.MULTILINE)
_FAILURE = re.compile(r"^(\S+: Failure\n.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Outcome:
    """How the tests of one stage ended."""

    passed: bool
    tests: int
    seconds: float
    reason: str
    """What the first failure says; empty if all passed."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stage", default="", help="id of the one stage to change; all without it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    stages = chosen_stages(sorted(path.parent for path in ROOT.glob("stages/*/*/stage.cu")), arguments.stage)
    workshop = Workshop(ROOT / "build-mutate", arguments.jobs)
    workshop.prepare()
    killed = 0
    survivors = []
    for stage in stages:
        for name, result in results_of(stage, workshop):
            print(f"{name}: {result or 'SURVIVED'}", flush=True)
            if result is None:
                survivors.append(name)
            else:
                killed += 1
    print(f"killed {killed} of {killed + len(survivors)}")
    for name in survivors:
        print(f"survived: {name}")
    sys.exit(1 if survivors else 0)


def chosen_stages(folders: Sequence[Path], stage: str) -> list[Path]:
    """The folder of `stage`, or all. Ends the program if there is no such stage."""
    chosen = [folder for folder in folders if stage in ("", stage_id(folder))]
    if not chosen:
        sys.exit(f"no stage is called '{stage}'; there are: {', '.join(map(stage_id, folders))}")
    return chosen


def stage_id(folder: Path) -> str:
    """`series/number_idea`."""
    return f"{folder.parent.name}/{folder.name}"


def results_of(stage: Path, workshop: "Workshop") -> Iterator[tuple[str, str | None]]:
    """For each mutant of the stage its name and what killed it, or None."""
    limits = {build: time_limit(workshop.outcome_of_unchanged(stage, build)) for build in BUILDS}
    for kernel in sorted(stage.glob("kernel*.cu*")):
        for mutant in mutants_of(kernel.read_text()):
            name = f"{stage_id(stage)} {kernel.name}:{mutant.line} {mutant.description}"
            with_mistake = kernel.relative_to(ROOT)
            workshop.write(with_mistake, mutant.source)
            yield name, killer_of(mutant, stage, workshop, limits)
            workshop.write(with_mistake, kernel.read_text())


def killer_of(mutant: Mutant, stage: Path, workshop: "Workshop", limits: dict[str, float]) -> str | None:
    """The first build whose tests fail, with the reason."""
    for build in mutant.builds:
        workshop.build(build)
        outcome = workshop.run_tests(stage, build, limits[build])
        if not outcome.passed:
            return f"killed by {build}: {outcome.reason}"
    return None


def time_limit(unchanged: Outcome) -> float:
    """Seconds after which a mutant is taken to wait forever."""
    return 60 + 20 * unchanged.seconds


class Workshop:
    """A copy of the tree to plant mistakes in, with its build folders."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self._tree = folder / "tree"
        self._builds = {build: folder / build for build in BUILDS}
        self._jobs = jobs
        self._programs = names_of_tests((ROOT / "stages/CMakeLists.txt").read_text())

    def prepare(self) -> None:
        """Brings the copy up to date and builds it."""
        files = set(committable_files())
        for file in self._tree.rglob("*"):
            if file.is_file() and file.relative_to(self._tree) not in files:
                file.unlink()
        for file in files:
            self._write_bytes(file, (ROOT / file).read_bytes())
        for build, folder in self._builds.items():
            # Its own warnings are not what is looked for: a mistake may cause one.
            environment = os.environ | {"GSST_WARNINGS_AS_ERRORS": "OFF"}
            command = ["cmake", "--preset", build, "-B", str(folder)]
            subprocess.run(command, cwd=self._tree, env=environment, check=True, stdout=subprocess.DEVNULL)
            print(f"building {build}", flush=True)
            self.build(build)

    def write(self, file: Path, text: str) -> None:
        """Writes a file of the copy, named as in the repository."""
        self._write_bytes(file, text.encode())

    def _write_bytes(self, file: Path, content: bytes) -> None:
        copy = self._tree / file
        if copy.is_file() and copy.read_bytes() == content:
            return
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)

    def build(self, build: str) -> None:
        """Builds the stages' tests. One that cannot be built ends this program."""
        command = ["cmake", "--build", str(self._builds[build]), "--parallel", str(self._jobs), "--target"]
        result = subprocess.run([*command, *self._programs], capture_output=True, text=True, check=False)
        if result.returncode != 0:
            sys.exit(f"the {build} build failed:\n{result.stdout}{result.stderr}")

    def outcome_of_unchanged(self, stage: Path, build: str) -> Outcome:
        """Of the stage without a mistake, which must pass."""
        self.build(build)
        outcome = self.run_tests(stage, build, None)
        if not outcome.passed or outcome.tests == 0:
            sys.exit(f"{stage_id(stage)}, unchanged, {build}: {outcome.reason or 'it has no tests'}")
        return outcome

    def run_tests(self, stage: Path, build: str, limit: float | None) -> Outcome:
        """Runs the stage's tests up to the first that fails."""
        begin = time.monotonic()
        tests = 0
        reason = ""
        for program in self._programs:
            tests_of_stage = f"*/{suffix_of_tests(stage_id(stage), 'simt')}"
            command = [str(self._builds[build] / "tests" / program), f"--gtest_filter={tests_of_stage}"]
            try:
                result = subprocess.run(
                    [*command, "--gtest_fail_fast"],
                    cwd=self._tree,
                    capture_output=True,
                    text=True,
                    errors="replace",
                    timeout=limit,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                reason = f"it did not end within {limit:.0f} seconds"
                break
            tests += number_of_tests(result.stdout)
            if result.returncode != 0:
                reason = first_reason(result.stdout + result.stderr) or f"exit status {result.returncode}"
                break
        return Outcome(not reason, tests, time.monotonic() - begin, reason)


def names_of_tests(cmake: str) -> list[str]:
    """The tests that stages/CMakeLists.txt names."""
    return re.findall(r"^gsst_add_test\((\w+)", cmake, re.MULTILINE)


def first_reason(output: str) -> str:
    """What the first failure in the output of a test program says, in one line."""
    for pattern in (_SANITIZER, _EXCEPTION, _FAILURE):
        match = pattern.search(output)
        if match:
            text = " ".join(group for group in match.groups() if group)
            return " ".join(text.replace(f"{ROOT}/build-mutate/tree/", "").split()).removesuffix(
                '" thrown in the test body.'
            )
    return ""


if __name__ == "__main__":
    main()
