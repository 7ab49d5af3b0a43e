"""Texts and tables of the course whose numbers come from recorded results and cited rows of papers.

A reference says which numbers, and a template (see experiments/text_template.py) how they are written:

    h200/gsst_fig_6_1[stage=gsst/04_alignment, policy=common] -> {throughput_gb_per_s:.3g} GB/s
    h200/a[x=1] with base=h200/b[x=2] -> {time / base.time:.2f} times
    paper:gsst_fig_6_1[quantity] -> {value}

The first part is a record below experiments/recorded/ and conditions that select one of its rows. Further
rows have a name each, which expressions use. The third form is a number that a paper prints.
"""

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from experiments.expressions import NoFieldError, Row, accepts, number_of, value_of
from experiments.published import Published, PublishedError, load_published
from experiments.results import RECORDED_DIR, Result, load_result
from experiments.table_text import TextTable, machine_title
from experiments.text_template import check_template, fill

_PAPER = "paper:"
_NAME = r"[A-Za-z_]\w*"
_REFERENCE = re.compile(r"(?P<record>(?:paper:)?[\w./]+)\[(?P<where>[^\]]*)\]")
_WITH = rf"\s+with\s+(?:{_NAME})=[\w./:]+\[[^\]]*\]"
_TEXT = re.compile(rf"(?P<first>{_REFERENCE.pattern})(?P<rest>(?:{_WITH})*)\s*->(?P<template>.*)", re.DOTALL)


class RecordTextError(Exception):
    """A reference that names no record, no row or more than one, or a field that the row lacks."""


@functools.cache
def recorded(record: str) -> Result:
    """The committed result `<machine>/<target>`."""
    path = RECORDED_DIR / f"{record}.json"
    if not path.is_file():
        raise RecordTextError(f"there is no experiments/recorded/{record}.json")
    return load_result(path)


@functools.cache
def _published() -> Published:
    return load_published()


def _condition_value(text: str) -> Any:  # noqa: ANN401
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text)
    except ValueError:
        return text


def parse_conditions(text: str) -> dict[str, Any]:
    """`stage=gsst/*, parameters.step=3` as conditions; alternatives are separated by `|`."""
    conditions: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        column, sign, value = part.partition("=")
        if not sign:
            raise RecordTextError(f"{part!r} is not of the form column=value")
        choices = [_condition_value(choice.strip()) for choice in value.split("|")]
        conditions[column.strip()] = choices if len(choices) > 1 else choices[0]
    return conditions


def _fits(row: Row, conditions: dict[str, Any]) -> bool:
    try:
        return all(accepts(condition, value_of(column, row)) for column, condition in conditions.items())
    except NoFieldError:
        return False


def rows_of(record: str, where: str) -> list[Row]:
    """The rows of a record that the conditions select, at least one, in the order of their stages."""
    conditions = parse_conditions(where)
    rows = [row for row in recorded(record).rows if _fits(row, conditions)]
    if not rows:
        raise RecordTextError(f"{record} has no row with {where}")
    return sorted(rows, key=lambda row: str(row["stage"]))


def one_row(reference: str) -> Row:
    """The one row that `record[conditions]` names, or the field `value` of a published number."""
    match = _REFERENCE.fullmatch(reference.strip())
    if not match:
        raise RecordTextError(f"{reference!r} is not of the form record[conditions]")
    record, where = match["record"], match["where"]
    if record.startswith(_PAPER):
        try:
            return {"value": _published().value(record.removeprefix(_PAPER), where)}
        except PublishedError as error:
            raise RecordTextError(str(error)) from error
    rows = rows_of(record, where)
    if len(rows) > 1:
        raise RecordTextError(f"{record} has {len(rows)} rows with {where}, must be one")
    return rows[0]


def filled(template: str, row: Row) -> str:
    """The template with the row's numbers."""
    try:
        check_template(template)
        return fill(template, row)
    except (NoFieldError, ValueError, ZeroDivisionError) as error:
        raise RecordTextError(f"{template!r}: {error}") from error


@dataclass(frozen=True)
class RecordText:
    """A text, and where its numbers come from."""

    text: str
    origin: str


def _origin(record: str) -> str:
    if record.startswith(_PAPER):
        return f"printed in the paper, {record.removeprefix(_PAPER)}"
    result = recorded(record)
    return f"{result.place}, measured {result.origin_text}"


def record_text(text: str) -> RecordText:
    """What a reference and its template say."""
    match = _TEXT.fullmatch(text.strip())
    if not match:
        raise RecordTextError(f"{text!r} is not of the form record[conditions] -> template")
    references = {"": match["first"]}
    for part in re.findall(rf"({_NAME})=([\w./:]+\[[^\]]*\])", match["rest"] or ""):
        references[part[0]] = part[1]
    row = dict(one_row(references.pop("")))
    row |= {name: one_row(reference) for name, reference in references.items()}
    origins = [_origin(reference.partition("[")[0]) for reference in (match["first"], *references.values())]
    return RecordText(filled(match["template"].strip(), row), "; ".join(dict.fromkeys(origins)))


def record_table(record: str, where: str, columns: Iterable[tuple[str, str]]) -> TextTable:
    """A line for each row that is selected; columns are names with templates."""
    columns = tuple(columns)
    lines = [tuple(filled(template, row) for _, template in columns) for row in rows_of(record, where)]
    return TextTable(tuple(name for name, _ in columns), tuple(lines))


def source_line(record: str) -> str:
    """What stands below a table or a chart: where its numbers come from."""
    result = recorded(record)
    return f"{machine_title(result.machine)}, {result.origin_text}: {result.place}"


def bars_of(record: str, where: str, label: str, value: str) -> list[tuple[str, float]]:
    """A label and a number for each row that is selected."""
    found = []
    for row in rows_of(record, where):
        try:
            found.append((filled(label, row), float(number_of(value, row))))
        except NoFieldError as error:
            raise RecordTextError(f"{record}: there is no {error}") from error
        except ValueError as error:
            raise RecordTextError(f"{record}: {error}") from error
    return found
