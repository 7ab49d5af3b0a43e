import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from teach.grade import (
    POINTS_OF_CHECKS,
    Mark,
    marks_of_checks,
    marks_of_prediction,
    marks_of_write_up,
    marks_without_program,
    report,
    todos,
)
from teach.history import problem_with_order
from teach.page import read_page
from tools.check_on_cpu import CHECKS, Verdict
from tools.copy_stage import copy_stage
from tools.gtest_output import Failure

OWN = "a/70_mine"
WORDS = "Threads of a warp load together, so that half of the sectors go."
PREDICTION = "Half of the 8 sectors for each load, and twice the throughput."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    base = tmp_path / "stages/a/01_b"
    base.mkdir(parents=True)
    (base / "stage.cu").write_text('.base = "",\n')
    (base / "kernel.cuh").write_text("int kernel;\n")
    return copy_stage("a/01_b", OWN, tmp_path)


def filled(text: str, *, prediction: str = PREDICTION) -> str:
    """The page with words where something was to be done."""
    paragraphs = text.split("\n\n")
    for number, paragraph in enumerate(paragraphs):
        if "To do" in paragraph and "What should get faster" in paragraph:
            paragraphs[number] = f"{paragraph.partition('To do')[0]}{prediction}"
        elif "To do: " in paragraph:
            paragraphs[number] = f"{paragraph.partition('To do')[0]}{WORDS}\n"
    return "\n\n".join(paragraphs)


def points(marks: Sequence[Mark]) -> tuple[int, int]:
    return sum(mark.points for mark in marks), sum(mark.of for mark in marks)


def test_full_points_are_a_hundred() -> None:
    page = read_page("")
    marks = [*marks_of_prediction(page, ""), *marks_of_write_up(page, "", has_notes=False)]
    assert sum(POINTS_OF_CHECKS.values()) + points(marks)[1] == 100
    assert {check.title for check in CHECKS} == set(POINTS_OF_CHECKS)


def test_a_fresh_copy_has_no_points_for_its_page_but_for_its_form(folder: Path) -> None:
    text = (folder / "stage.md").read_text(encoding="utf-8")
    page = read_page(text)
    assert points(marks_of_prediction(page, "nothing is committed")) == (0, 20)
    assert points(marks_of_write_up(page, text, has_notes=False)) == (5, 30)


def test_a_page_that_is_written_has_all_points(folder: Path) -> None:
    text = filled((folder / "stage.md").read_text(encoding="utf-8"))
    page = read_page(text)
    assert points(marks_of_prediction(page, "")) == (20, 20)
    assert points(marks_of_write_up(page, text, has_notes=False)) == (30, 30)


@pytest.mark.parametrize(
    ("prediction", "missing"),
    [
        ("Sectors fall to a tenth.", "say by how much, in digits"),
        ("Twice as good: 2 times.", "say which counter changes"),
    ],
)
def test_a_prediction_needs_a_number_and_a_counter(folder: Path, prediction: str, missing: str) -> None:
    text = filled((folder / "stage.md").read_text(encoding="utf-8"), prediction=prediction)
    reasons = [mark.reason for mark in marks_of_prediction(read_page(text), "") if mark.reason]
    assert len(reasons) == 1
    assert missing in reasons[0]


def git(root: Path, *arguments: str) -> None:
    name = ("-c", "user.name=Student", "-c", "user.email=student@example.org")
    subprocess.run(["git", "-C", str(root), *name, *arguments], check=True, capture_output=True)


def commit(root: Path) -> None:
    git(root, "add", "stages")
    git(root, "commit", "--message", "A step")


def test_a_prediction_goes_before_the_code(folder: Path) -> None:
    root, name = folder.parent.parent.parent, f"stages/{OWN}"
    page = folder / "stage.md"
    assert "git says: " in problem_with_order(root, name)
    git(root, "init")
    assert "nothing is committed" in problem_with_order(root, name)
    commit(root)
    assert "no prediction" in problem_with_order(root, name)
    page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
    assert "the code is as it was first committed" in problem_with_order(root, name)
    commit(root)
    (folder / "kernel.cuh").write_text("int better_kernel;\n")
    assert problem_with_order(root, name) == ""
    commit(root)
    assert problem_with_order(root, name) == ""


def test_code_that_goes_before_its_prediction_is_seen(folder: Path) -> None:
    root, name = folder.parent.parent.parent, f"stages/{OWN}"
    git(root, "init")
    commit(root)
    (folder / "kernel.cuh").write_text("int better_kernel;\n")
    commit(root)
    page = folder / "stage.md"
    page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
    commit(root)
    assert problem_with_order(root, name) == "the code was changed before the prediction was committed"


def test_a_failed_check_gives_no_points_and_says_what_is_left_to_do(folder: Path) -> None:
    root = folder.parent.parent.parent
    (folder / "kernel.cuh").write_text("int a;\n  // To do: write b.\n")
    left = todos(folder, root)
    assert left == ["stages/a/70_mine/kernel.cuh:2: To do: write b."]
    verdicts = [
        Verdict(CHECKS[0], 3, 1.0, None),
        Verdict(CHECKS[2], 3, 1.0, Failure("T.X", "seed 4", "race: one")),
        Verdict(CHECKS[3], 0, 1.0, None),
    ]
    passed, failed, empty = marks_of_checks(verdicts, left, OWN, root)
    assert (passed.points, passed.reason) == (10, "")
    assert failed.points == 0
    assert failed.reason.splitlines() == [
        "a/70_mine: races: FAILED: race: one",
        "  in test T.X",
        "  with seed 4",
        "stages/a/70_mine/kernel.cuh:2: To do: write b.",
    ]
    assert empty.points == 0


def test_what_does_not_compile_has_the_first_error() -> None:
    marks = marks_without_program("noise\nk.cuh:3: error: no b\nk.cuh:4: error: no c\n")
    assert {mark.reason for mark in marks} == {"it does not compile: k.cuh:3: error: no b"}
    assert points(marks) == (0, 50)


def test_the_report_ends_with_the_sum() -> None:
    text = report(OWN, marks_without_program("error: no"))
    assert text.splitlines()[0] == "  0 of 10  tests"
    assert text.endswith("  0 of 50  a/70_mine")
