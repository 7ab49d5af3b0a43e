"""Which rows of a decoder's ladder are its steps, and which show what another choice gives."""

from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]


def _settings(row: Row) -> dict[str, Any]:
    """How the text was cut and encoded and the kernel launched, without the step and the width of codes."""
    settings = {**row["parameters"], **row["tiles"]}
    return {name: value for name, value in settings.items() if name not in ("step", "code_bits")}


def _step_and_width(row: Row) -> tuple[Any, Any]:
    return row["parameters"]["step"], row["tiles"]["code_bits"]


def _differences(row: Row, other: Row) -> set[str]:
    """The names of the settings that two rows do not share."""
    ours, theirs = _settings(row), _settings(other)
    return {name for name in {*ours, *theirs} if ours.get(name) != theirs.get(name)}


def ladder_steps(rows: Sequence[Row]) -> list[Row]:
    """The rows of the ladder itself: those that differ from the first one in step, width of codes and parse
    only."""
    return [row for row in rows if _differences(row, rows[0]) <= {"parse"}]


def ladder_choices(rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Each row that differs in one setting from one of the same step and width, and that row, which has all
    settings of the first one."""
    usual = {_step_and_width(row): row for row in rows if not _differences(row, rows[0])}
    return [
        (row, usual[_step_and_width(row)])
        for row in rows
        if len(_differences(row, rows[0])) == 1 and _step_and_width(row) in usual
    ]
