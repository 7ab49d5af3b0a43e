"""Gives points for a stage, with the reasons.

python -m teach.grade STAGE [--jobs N]        or: make grade STAGE=<id>

Runs what `make check` runs on the CPU and reads the stage's page and its history in git. The throughput gives
no points, and the rest of the rubric in course/13_project.md is for a teacher to judge. The exit status is 1
unless all points are given.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from teach.history import CODE, problem_with_order
from teach.page import FEWEST_WORDS, TODO, Page, read_page
from tools.check_on_cpu import CHECKS, CheckError, Verdict, build, require_kernels, run, verdict_text
from tools.repository import ROOT
from tools.stage_pages import stage_page_problems

POINTS_OF_CHECKS: Mapping[str, int] = {
    "tests": 10,
    "tests, another order": 10,
    "races": 15,
    "addresses": 15,
}
POINTS_OF_PREDICTION = {"a number": 8, "a counter": 7, "committed before the code": 5}
PARTS_OF_WRITE_UP = ("idea", "change", "comparison", "losses", "exercises")
POINTS_OF_A_PART = 5
POINTS_OF_FORM = 5


@dataclass(frozen=True)
class Mark:
    """Points for one thing, and why they are not more."""

    title: str
    points: int
    of: int
    reason: str = ""

    def text(self) -> str:
        """For the student."""
        lines = [f"{self.points:3d} of {self.of:2d}  {self.title}"]
        lines += [f"           {line}" for line in self.reason.splitlines()]
        return "\n".join(lines)


def mark(title: str, of: int, problem: str) -> Mark:
    """All points, or none and the problem."""
    return Mark(title, 0 if problem else of, of, problem)


def todos(folder: Path, root: Path) -> list[str]:
    """What is still to be done in the code: file, line and words."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix not in CODE:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if f"// {TODO}" in line:
                found.append(f"{path.relative_to(root)}:{number}: {line.strip().removeprefix('// ')}")
    return found


def marks_of_checks(verdicts: Sequence[Verdict], left: Sequence[str], stage: str, root: Path) -> list[Mark]:
    """For tests, races and addresses. With what is left to do, which explains most failures."""
    marks = []
    for verdict in verdicts:
        problem = "" if verdict.passed else "\n".join([verdict_text(verdict, stage, root), *left])
        marks.append(mark(verdict.check.title, POINTS_OF_CHECKS[verdict.check.title], problem))
    return marks


def marks_without_program(errors: str) -> list[Mark]:
    """Where the stage does not compile, whose first error says why."""
    lines = errors.splitlines()
    first = next((line for line in lines if "error" in line), lines[-1] if lines else "")
    return [
        mark(check.title, POINTS_OF_CHECKS[check.title], f"it does not compile: {first}") for check in CHECKS
    ]


def marks_of_prediction(page: Page, order_problem: str) -> list[Mark]:
    """For what was predicted, and when."""
    where = "stage.md, What should get faster"
    problems = {
        "a number": "" if page.has_number else f"{where}: say by how much, in digits",
        "a counter": ""
        if page.has_counter
        else f"{where}: say which counter changes (sectors, conflicts, lanes, ...)",
        "committed before the code": order_problem,
    }
    return [mark(f"prediction: {title}", of, problems[title]) for title, of in POINTS_OF_PREDICTION.items()]


def marks_of_write_up(page: Page, text: str, has_notes: bool) -> list[Mark]:
    """For the parts of the page, and for its form."""
    marks = []
    for part in PARTS_OF_WRITE_UP:
        written = page.is_written(part)
        problem = "" if written else f"stage.md: at least {FEWEST_WORDS} words, and nothing left to do"
        marks.append(mark(f"write-up: {part}", POINTS_OF_A_PART, problem))
    form = "\n".join(f"stage.md: {problem}" for problem in stage_page_problems(text, has_notes))
    return [*marks, mark("write-up: form", POINTS_OF_FORM, form)]


def grade(stage: str, jobs: int, root: Path = ROOT, build_folder: Path | None = None) -> list[Mark]:
    """All marks. Raises CheckError where there is no such stage."""
    require_kernels(stage, root)
    folder = root / "stages" / stage
    programs = build_folder or root / "build-check"
    errors = build(stage, jobs, root, programs)
    if errors:
        marks = marks_without_program(errors)
    else:
        verdicts = [run(check, stage, root, programs) for check in CHECKS]
        marks = marks_of_checks(verdicts, todos(folder, root), stage, root)
    text = (folder / "stage.md").read_text(encoding="utf-8") if (folder / "stage.md").is_file() else ""
    page = read_page(text)
    marks += marks_of_prediction(page, problem_with_order(root, f"stages/{stage}"))
    return marks + marks_of_write_up(page, text, (folder / "notes.md").is_file())


def report(stage: str, marks: Sequence[Mark]) -> str:
    """All marks, and their sum."""
    points, of = sum(one.points for one in marks), sum(one.of for one in marks)
    return "\n".join([*(one.text() for one in marks), f"{points:3d} of {of}  {stage}"])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("stage", help="id of a stage with kernels")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    try:
        marks = grade(arguments.stage, arguments.jobs)
    except CheckError as error:
        sys.exit(f"grade: {error}")
    print(report(arguments.stage, marks))
    sys.exit(0 if all(one.points == one.of for one in marks) else 1)


if __name__ == "__main__":
    main()
