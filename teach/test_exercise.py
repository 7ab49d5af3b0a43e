import re
from pathlib import Path

import pytest

from teach.exercise import (
    Exercise,
    ExerciseError,
    Region,
    exercise_names,
    make_skeleton,
    put_in_solution,
    read_exercise,
    without_region,
)
from tools.repository import ROOT

REGION = Region("kernel.cuh", "b;", "d;", "  // To do: b to d.\n")
TEXT = "a;\n  b;\n  c;\n  d;\n  d;\n"


def test_a_region_is_replaced_by_what_is_to_be_done() -> None:
    assert without_region(REGION, TEXT) == "a;\n  // To do: b to d.\n  d;\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a;\nd;\n", "0 lines are 'b;', not one"),
        ("b;\nb;\nd;\n", "2 lines are 'b;', not one"),
        ("d;\nb;\n", "no line from 'b;' on is 'd;'"),
    ],
)
def test_a_region_that_is_not_there_is_named(text: str, problem: str) -> None:
    with pytest.raises(ExerciseError, match=re.escape(f"kernel.cuh: {problem}")):
        without_region(REGION, text)


def test_a_skeleton_is_an_own_stage_and_the_solution_is_the_stage(tmp_path: Path) -> None:
    folder = tmp_path / "stages/a/01_b"
    folder.mkdir(parents=True)
    (folder / "stage.cu").write_text('"a/01_b", .base = "", #include "stages/a/01_b/kernel.cuh"')
    (folder / "kernel.cuh").write_text(TEXT)
    exercise = Exercise("e", "t", 1, "a/01_b", "a/61_e", "task", (REGION,))
    own = make_skeleton(exercise, tmp_path)
    assert own == tmp_path / "stages/a/61_e"
    assert (own / "kernel.cuh").read_text() == without_region(REGION, TEXT)
    assert '.base = "a/01_b"' in (own / "stage.cu").read_text()
    put_in_solution(exercise, tmp_path)
    assert (own / "kernel.cuh").read_text() == TEXT


@pytest.mark.parametrize("name", exercise_names())
def test_every_exercise_can_be_made_of_the_kernels_as_they_are(name: str) -> None:
    exercise = read_exercise(name)
    for file in {region.file for region in exercise.regions}:
        text = (ROOT / "stages" / exercise.stage / file).read_text(encoding="utf-8")
        for region in exercise.regions:
            if region.file == file:
                text = without_region(region, text)
        assert "// To do: " in text
        assert text.count("{") == text.count("}")
    assert exercise.task.strip()


def test_the_syllabus_names_every_exercise_in_its_session() -> None:
    _, *sessions = (ROOT / "teach/syllabus.md").read_text(encoding="utf-8").split("\n## Session ")
    assert [session[0] for session in sessions] == ["1", "2", "3", "4", "5", "6"]
    for name in exercise_names():
        assert f"`make skeleton EXERCISE={name}`" in sessions[read_exercise(name).session - 1]


def test_the_minutes_of_each_session_are_ninety() -> None:
    _, *sessions = (ROOT / "teach/syllabus.md").read_text(encoding="utf-8").split("\n## Session ")
    for session in sessions:
        minutes = [int(number) for number in re.findall(r"^\| (\d+) \|", session, re.MULTILINE)]
        assert sum(minutes) == 90, session[:40]


def test_an_unknown_exercise_is_named_beside_the_known_ones() -> None:
    with pytest.raises(ExerciseError, match="no exercise is called 'none'; there are: decode_codes"):
        read_exercise("none")


def test_an_exercise_that_lacks_something_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "teach/exercises").mkdir(parents=True)
    (tmp_path / "teach/exercises/e.toml").write_text('title = "t"\n')
    with pytest.raises(ExerciseError, match=r"teach/exercises/e\.toml: "):
        read_exercise("e", tmp_path)
