"""Exercises in code: which lines of a stage a student writes anew.

teach/exercises/<name>.toml names a stage and regions of its files by the text of their first and last lines,
and what a skeleton has in their place. The solution is the stage itself.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tools.copy_stage import copy_stage
from tools.repository import ROOT

FOLDER = "teach/exercises"


class ExerciseError(Exception):
    """An exercise that cannot be made, and why."""


@dataclass(frozen=True)
class Region:
    """Lines of a file that a skeleton lacks."""

    file: str
    first: str
    """The first of them, without spaces around it. Its text is there once."""
    last: str
    """The last of them: the next line from the first on with this text."""
    todo: str
    """What is there in their place."""


@dataclass(frozen=True)
class Exercise:
    """One exercise in code."""

    name: str
    title: str
    session: int
    """Of teach/syllabus.md."""
    stage: str
    """The solution."""
    own: str
    """The id of the skeleton."""
    task: str
    regions: tuple[Region, ...]


def exercise_names(root: Path = ROOT) -> list[str]:
    """All exercises."""
    return sorted(path.stem for path in (root / FOLDER).glob("*.toml"))


def read_exercise(name: str, root: Path = ROOT) -> Exercise:
    """Raises ExerciseError if there is none of that name, or it lacks something."""
    path = root / FOLDER / f"{name}.toml"
    if not path.is_file():
        raise ExerciseError(f"no exercise is called '{name}'; there are: {', '.join(exercise_names(root))}")
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        regions = tuple(Region(**region) for region in document.pop("regions"))
        return Exercise(name=name, regions=regions, **document)
    except (KeyError, TypeError, tomllib.TOMLDecodeError) as error:
        raise ExerciseError(f"{FOLDER}/{name}.toml: {error}") from error


def _lines_of(region: Region, text: str) -> tuple[int, int]:
    """The first line of the region and the one past its last, counted from 0."""
    lines = [line.strip() for line in text.splitlines()]
    if lines.count(region.first) != 1:
        raise ExerciseError(f"{region.file}: {lines.count(region.first)} lines are '{region.first}', not one")
    first = lines.index(region.first)
    if region.last not in lines[first:]:
        raise ExerciseError(f"{region.file}: no line from '{region.first}' on is '{region.last}'")
    return first, lines.index(region.last, first) + 1


def without_region(region: Region, text: str) -> str:
    """The text with what is to be done in place of the region. Raises ExerciseError."""
    first, end = _lines_of(region, text)
    lines = text.splitlines(keepends=True)
    return "".join(lines[:first]) + region.todo + "".join(lines[end:])


def make_skeleton(exercise: Exercise, root: Path = ROOT) -> Path:
    """Makes the stage that a student completes. Returns its folder. Raises ExerciseError and CopyError."""
    source = root / "stages" / exercise.stage
    texts: dict[str, str] = {}
    for region in exercise.regions:
        text = texts.get(region.file) or (source / region.file).read_text(encoding="utf-8")
        texts[region.file] = without_region(region, text)
    folder = copy_stage(exercise.stage, exercise.own, root)
    for file, text in texts.items():
        (folder / file).write_text(text.replace(exercise.stage, exercise.own), encoding="utf-8")
    return folder


def put_in_solution(exercise: Exercise, root: Path = ROOT) -> None:
    """Gives the skeleton's files the lines of the solution."""
    for file in {region.file for region in exercise.regions}:
        text = (root / "stages" / exercise.stage / file).read_text(encoding="utf-8")
        own = root / "stages" / exercise.own / file
        own.write_text(text.replace(exercise.stage, exercise.own), encoding="utf-8")
