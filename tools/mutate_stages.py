"""Plant mistakes in the kernels, one at a time, and see whether the tests of stages and of ranges find each.

A survivor is a mistake that no test finds, unless tools/equivalent_mistakes.json says why it changes nothing.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.check_on_cpu import CHECKS
from tools.gtest_output import first_reason
from tools.kernel_coverage import is_kernel
from tools.kernel_mutations import Mutant, mutants_of
from tools.kernel_switches import HEADER, HEADER_NAME, VARIABLE, Switch, line_in_source, with_switches
from tools.repository import ROOT, committable_files
from tools.stages import number_of_tests, suffix_of_tests

# What only an instrumented build finds, and what the plain one finds first, by what each takes.
BUILDS = ("race", "asan")
ALL_BUILDS = ("cpu", *BUILDS)
KINDS = ("accesses", "switches")
EQUIVALENT = ROOT / "tools/equivalent_mistakes.json"
_CRASHED = "exit status"
# Those of `make check` that find the same.
_CHECK_OF_BUILD = {"cpu": CHECKS[0], "race": CHECKS[2], "asan": CHECKS[3]}


@dataclass(frozen=True)
class Subject:
    """Kernels with the tests that must find mistakes in them."""

    name: str
    programs: tuple[str, ...]
    filter: str
    """Of GoogleTest."""
    barriers: tuple[Path, ...]
    """Files with kernels, whose barriers are deleted and whose accesses go wrong."""
    headers: tuple[Path, ...]
    """These and all that the kernels call."""


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
    parser.add_argument(
        "--stage", default="", help="id of the one stage to change, or <series>/shared; all without it"
    )
    parser.add_argument(
        "--kinds",
        default=",".join(KINDS),
        help="accesses: barriers and addresses; switches: limits, alignment, carries, statuses",
    )
    parser.add_argument(
        "--check", action="store_true", help="find them as `make check` does on the CPU; with one --stage"
    )
    parser.add_argument("--record", type=Path, help="file for what found each mistake, as JSON")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    kinds = arguments.kinds.split(",")
    programs = tuple(names_of_tests((ROOT / "stages/CMakeLists.txt").read_text()))
    subjects = chosen_subjects(all_subjects(ROOT, programs), arguments.stage)
    if arguments.check and not (ROOT / "stages" / arguments.stage / "stage.cu").is_file():
        parser.error("--check needs the --stage that `make check` is to check")
    folder = ROOT / "build-mutate"
    workshop = Workshop(folder, arguments.jobs)
    if arguments.check:
        workshop = CheckWorkshop(folder, arguments.jobs, arguments.stage)
    workshop.prepare(ALL_BUILDS if "switches" in kinds else BUILDS)
    equivalent = json.loads(EQUIVALENT.read_text(encoding="utf-8"))
    done: set[Path] = set()
    counts = {"killed": 0, "equivalent": 0}
    survivors = []
    found = []
    for subject in subjects:
        results = results_of(subject, workshop, equivalent, kinds, done)
        for name, result in results:
            print(f"{name}: {result or 'SURVIVED'}", flush=True)
            found.append({"mistake": name, "found": result})
            if result is None:
                survivors.append(name)
            else:
                counts["equivalent" if result.startswith("equivalent") else "killed"] += 1
    if arguments.record is not None:
        lines = ",\n".join(json.dumps(row) for row in found)
        arguments.record.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    total = sum(counts.values()) + len(survivors)
    print(f"killed {counts['killed']} of {total}, {counts['equivalent']} change nothing")
    for name in survivors:
        print(f"survived: {name}")
    sys.exit(1 if survivors else 0)


def all_subjects(root: Path, programs: tuple[str, ...]) -> list[Subject]:
    """The stages by their ids, then what series have kernels in that belong to no stage."""
    subjects = []
    for folder in sorted(path.parent for path in root.glob("stages/*/*/stage.cu")):
        own = tuple(sorted(path for path in folder.glob("*.cuh") if is_kernel(path)))
        subjects.append(
            Subject(
                name=stage_id(folder),
                programs=programs,
                filter=f"*/{suffix_of_tests(stage_id(folder), 'simt')}",
                barriers=tuple(sorted(folder.glob("kernel*.cu*"))),
                headers=(*own, *shared_headers(own, root)),
            )
        )
    for folder in sorted({path.parent for path in root.glob("stages/*/shared/*_check.cuh")}):
        own = tuple(sorted(folder.glob("*_check.cuh")))
        # Where they are compiled by themselves, the library uses them, whose tests they have.
        is_of_library = any(folder.glob("*.cu"))
        checks = Subject(
            name=stage_id(folder),
            programs=("gpu_plans_test",) if is_of_library else ("stage_query_test",),
            filter="DeviceFrames.*" if is_of_library else "*/FrameCheckTest.*",
            barriers=(),
            headers=(*own, *shared_headers(own, root)),
        )
        subjects.append(checks)
    of_kernels = {path.parent for path in root.glob("stages/*/*/kernel*.cuh")}
    for folder in sorted(path for path in of_kernels if not (path / "stage.cu").exists()):
        own = tuple(sorted(path for path in folder.glob("*.cuh") if is_kernel(path)))
        subjects.append(
            Subject(
                name=stage_id(folder),
                # Each such folder has a test program of its own.
                programs=(f"stage_{folder.name}_test",),
                filter="*",
                barriers=tuple(sorted(folder.glob("kernel*.cuh"))),
                headers=(*own, *shared_headers(own, root)),
            )
        )
    return subjects


def shared_headers(own: Sequence[Path], root: Path) -> list[Path]:
    """What the files of a stage include of the device code that stages share, and what that includes."""
    found: set[Path] = set()
    files = list(own)
    while files:
        text = files.pop().read_text()
        names = re.findall(r'^#include "((?:common|stages/[^"/]+/shared)/[^"]+\.cuh)"', text, re.MULTILINE)
        files += {root / name for name in names} - found
        found |= {root / name for name in names}
    return sorted(found)


def chosen_subjects(subjects: Sequence[Subject], name: str) -> list[Subject]:
    """The subject called `name`, or all. Ends the program if there is no such one."""
    chosen = [subject for subject in subjects if name in ("", subject.name)]
    if not chosen:
        known = ", ".join(subject.name for subject in subjects)
        sys.exit(f"no stage is called '{name}'; there are: {known}")
    return chosen


def stage_id(folder: Path) -> str:
    """`series/number_idea`."""
    return f"{folder.parent.name}/{folder.name}"


Results = Iterator[tuple[str, str | None]]


def results_of(
    subject: Subject,
    workshop: "Workshop",
    equivalent: Sequence[dict[str, str]],
    kinds: Sequence[str],
    done: set[Path],
) -> Results:
    """For each mistake in the subject its name and what killed it, or None. Skips the headers in `done`."""
    if "accesses" in kinds:
        yield from results_of_mutants(subject, workshop)
    if "switches" in kinds:
        for header in subject.headers:
            if header not in done:
                done.add(header)
                yield from results_of_switches(header, subject, workshop, equivalent)


def results_of_mutants(subject: Subject, workshop: "Workshop") -> Results:
    """Of mistakes that only an instrumented build may find: each is compiled by itself."""
    if not subject.barriers:
        return
    limits = {build: time_limit(workshop.outcome_of_unchanged(subject, build)) for build in BUILDS}
    for kernel in subject.barriers:
        with_mistake = kernel.relative_to(ROOT)
        for mutant in mutants_of(kernel.read_text()):
            name = f"{with_mistake}:{mutant.line} {mutant.description}"
            workshop.write(with_mistake, mutant.source)
            yield name, killer_of(mutant, subject, workshop, limits)
            workshop.write(with_mistake, kernel.read_text())


def killer_of(mutant: Mutant, subject: Subject, workshop: "Workshop", limits: dict[str, float]) -> str | None:
    """The first build whose tests fail, with the reason."""
    for build in mutant.builds:
        workshop.build(build, subject)
        outcome = workshop.run_tests(subject, build, limits[build])
        if not outcome.passed:
            return f"killed by {build}: {outcome.reason}"
    return None


def results_of_switches(
    header: Path,
    subject: Subject,
    workshop: "Workshop",
    equivalent: Sequence[dict[str, str]],
    root: Path = ROOT,
) -> Results:
    """Of mistakes that one program has all of. Each build gets those that the ones before did not find."""
    source = header.read_text()
    lines = source.splitlines()
    with_mistakes = header.relative_to(root)
    left: list[tuple[Switch, int]] | None = None
    crashed: dict[tuple[int, str, int], str] = {}
    for build in ALL_BUILDS:
        if left == []:
            break
        switches = workshop.build_with_switches(with_mistakes, source, build, subject)
        limit = time_limit(workshop.outcome_of_unchanged(subject, build, is_built=True))
        # Another build may compile fewer of them, with other numbers.
        names = {(switch.line, switch.description, nth) for switch, nth in left or []}
        survivors: list[tuple[Switch, int]] = []
        for switch, nth in numbered(switches):
            key = (switch.line, switch.description, nth)
            if left is not None and key not in names:
                continue
            name = f"{with_mistakes}:{switch.line} {switch.description}"
            reason = reason_of_equivalence(str(with_mistakes), lines[switch.line - 1], switch, equivalent)
            if reason:
                if build == ALL_BUILDS[0]:
                    yield name, f"equivalent: {reason}"
                continue
            outcome = workshop.run_tests(subject, build, limit, {VARIABLE: str(switch.number)})
            if outcome.passed:
                survivors.append((switch, nth))
            elif outcome.reason.startswith(_CRASHED) and build != ALL_BUILDS[-1]:
                # Another build may say why.
                crashed.setdefault(key, f"killed by {build}: {outcome.reason}")
                survivors.append((switch, nth))
            else:
                yield name, f"killed by {build}: {outcome.reason}"
        left = survivors
    workshop.write(with_mistakes, source)
    for switch, nth in left or []:
        crash = crashed.get((switch.line, switch.description, nth))
        yield f"{with_mistakes}:{switch.line} {switch.description}", crash


def numbered(switches: Sequence[Switch]) -> Iterator[tuple[Switch, int]]:
    """Each switch with how many before it are alike in line and description."""
    seen: dict[tuple[int, str], int] = {}
    for switch in switches:
        key = (switch.line, switch.description)
        seen[key] = seen.get(key, 0) + 1
        yield switch, seen[key] - 1


def reason_of_equivalence(
    file: str, line: str, switch: Switch, equivalent: Sequence[dict[str, str]]
) -> str | None:
    """Why a mistake changes nothing, if the list says so."""
    for entry in equivalent:
        if (entry["file"], entry["line"], entry["mistake"]) == (file, line.strip(), switch.description):
            return entry["reason"]
    return None


def time_limit(unchanged: Outcome) -> float:
    """Seconds after which a mutant is taken to wait forever."""
    return 20 + 20 * unchanged.seconds


class Workshop:
    """A copy of the tree to plant mistakes in, with its build folders."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self._folder = folder
        self._tree = folder / "tree"
        self._jobs = jobs

    def prepare(self, builds: Sequence[str]) -> None:
        """Brings the copy up to date and configures these builds of it."""
        files = set(committable_files())
        for file in self._tree.rglob("*"):
            if file.is_file() and file.relative_to(self._tree) not in files:
                file.unlink()
        for file in files:
            self._write_bytes(file, (ROOT / file).read_bytes())
        self._write_bytes(Path(HEADER_NAME), HEADER.encode())
        self._configure(builds)

    def _configure(self, builds: Sequence[str]) -> None:
        for build in builds:
            # Its own warnings are not what is looked for: a mistake may cause one.
            environment = os.environ | {"GSST_WARNINGS_AS_ERRORS": "OFF"}
            command = ["cmake", "--preset", build, "-B", str(self._build_folder(build))]
            command += ["-DGSST_CUDA=OFF", "-DGSST_JOIN_TESTS=OFF"]
            subprocess.run(command, cwd=self._tree, env=environment, check=True, stdout=subprocess.DEVNULL)

    def _build_folder(self, build: str) -> Path:
        return self._folder / build

    def _programs(self, _build: str, subject: Subject) -> Sequence[str]:
        """The programs that find mistakes in the subject."""
        return subject.programs

    def _environment(self, _build: str) -> Mapping[str, str]:
        """Of these programs."""
        return {}

    def write(self, file: Path, text: str) -> None:
        """Writes a file of the copy, named as in the repository."""
        self._write_bytes(file, text.encode())

    def _write_bytes(self, file: Path, content: bytes) -> None:
        copy = self._tree / file
        if copy.is_file() and copy.read_bytes() == content:
            return
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)

    def build(self, build: str, subject: Subject) -> None:
        """Builds the subject's tests. One that cannot be built ends this program."""
        errors = self._errors_of_build(build, subject)
        if errors:
            sys.exit(f"the {build} build failed:\n{errors}")

    def _errors_of_build(self, build: str, subject: Subject) -> str:
        command = ["cmake", "--build", str(self._build_folder(build)), "--parallel", str(self._jobs)]
        command += ["--target", *self._programs(build, subject)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        return result.stdout + result.stderr if result.returncode != 0 else ""

    def build_with_switches(self, file: Path, source: str, build: str, subject: Subject) -> list[Switch]:
        """Builds the subject's tests with all mistakes of a header, but where the compiler computes."""
        left_out: set[int] = set()
        while True:
            text, switches = with_switches(source, left_out)
            self.write(file, text)
            errors = self._errors_of_build(build, subject)
            if not errors:
                return switches
            found = {line_in_source(int(line)) for line in lines_of_errors(errors, file)} - left_out
            if not found:
                sys.exit(f"the {build} build failed:\n{errors}")
            left_out |= found

    def outcome_of_unchanged(self, subject: Subject, build: str, *, is_built: bool = False) -> Outcome:
        """Of the subject without a mistake, which must pass."""
        if not is_built:
            self.build(build, subject)
        outcome = self.run_tests(subject, build, None)
        if not outcome.passed or outcome.tests == 0:
            sys.exit(f"{subject.name}, unchanged, {build}: {outcome.reason or 'it has no tests'}")
        return outcome

    def run_tests(
        self, subject: Subject, build: str, limit: float | None, environment: dict[str, str] | None = None
    ) -> Outcome:
        """Runs the subject's tests up to the first that fails."""
        begin = time.monotonic()
        tests = 0
        reason = ""
        for program in self._programs(build, subject):
            command = [str(self._build_folder(build) / "tests" / program), f"--gtest_filter={subject.filter}"]
            try:
                result = subprocess.run(
                    [*command, "--gtest_fail_fast"],
                    cwd=self._tree,
                    env=os.environ | self._environment(build) | (environment or {}),
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
                output = result.stdout + result.stderr
                reason = first_reason(output, f"{self._tree}/") or f"{_CRASHED} {result.returncode}"
                break
        return Outcome(not reason, tests, time.monotonic() - begin, reason)


class CheckWorkshop(Workshop):
    """With the programs of `make check`, of one stage, in one build folder."""

    def __init__(self, folder: Path, jobs: int, stage: str) -> None:
        super().__init__(folder, jobs)
        self._stage = stage

    def _configure(self, _builds: Sequence[str]) -> None:
        command = ["cmake", "--preset", "check", "-B", str(self._build_folder(""))]
        command.append(f"-DGSST_CHECK_STAGE={self._stage}")
        environment = os.environ | {"GSST_WARNINGS_AS_ERRORS": "OFF"}
        subprocess.run(command, cwd=self._tree, env=environment, check=True, stdout=subprocess.DEVNULL)

    def _build_folder(self, _build: str) -> Path:
        return self._folder / "check"

    def _programs(self, build: str, _subject: Subject) -> Sequence[str]:
        return (_CHECK_OF_BUILD[build].program,)

    def _environment(self, build: str) -> Mapping[str, str]:
        return _CHECK_OF_BUILD[build].environment


def lines_of_errors(output: str, file: Path) -> set[str]:
    """The lines of a file that a compiler names in errors."""
    return set(re.findall(rf"{re.escape(str(file))}:(\d+):\d+: error", output))


def names_of_tests(cmake: str) -> list[str]:
    """The tests that stages/CMakeLists.txt names."""
    return re.findall(r"^gsst_add_test\((\w+)", cmake, re.MULTILINE)


if __name__ == "__main__":
    main()
