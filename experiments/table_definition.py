"""The entries `tables` and `goals` of an experiment's YAML file, which experiments/tables.py draws.

Their fields, which the schema lists, hold expressions and conditions (see experiments/expressions.py) and
texts with expressions in braces (see experiments/text_template.py).

A table has a line for each row of the target's record that is of the page's stage, or with `all_stages: true`
of any, and that `where` selects.
`columns` says what a column shows, by its title, which may have expressions too: a column is left out where
its title cannot be filled, or nothing in it. With `lines_of` a row has a line for each of these expressions,
by its `name`; `value` is that of the row, as `other.value` is that of another row. What `stages` says of a
stage besides its id are fields `of_page`. `with` gives other rows a name, so that a column can show
`{ratio / other.ratio}`. The other row

    record, where    is one of the target's record, or of another target's on the same machine, of any stage
    same             has the same values: a list of columns, or the other row's columns with ours
    take             is the only one (`one`, the default), the last one before ours (`previous`), the one with
                     the largest or smallest value of an expression (`{max: E}`, `{min: E}`), or the first one
                     with the geometric mean of all as its field `mean` (`{mean: E}`)

A row without it has no line; with `optional: true` it has one that lacks only what needs the other row. In
the place of a row, `published: Q` is the published number of the target with this quantity, as `value`.

A goal takes one row in the same way and compares `value` with `at_least` or `more_than`: expressions too.
With `each` all rows must reach the goal, and those that do not are named. Its rows are those of the page's
stage, or with `all_stages: true` of any.

A note is a text with numbers of the rows that it names as `with` does. It is left out where one is not there,
and, with `optional: true`, where no row has a column that a condition names: what older records lack.

`page: stage.md` puts an entry on the page that teaches; the others are in notes.md. The cells of a table for
README.md are those of its stage's row there; its columns are README_COLUMNS. The lines of a table for
formats.md are lines of the table there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from experiments.expressions import check_expression
from experiments.text_template import check_template

Page = Literal["stage.md", "notes.md", "README.md", "formats.md"]
STAGE_PAGES: tuple[Page, ...] = ("stage.md", "notes.md")
README_COLUMNS = ("GB/s", "of", "ratio", "level of the tables")

Conditions = Mapping[str, Any]


@dataclass(frozen=True)
class Extreme:
    """The row with the largest or the smallest value of an expression, or the mean of all."""

    kind: Literal["min", "max", "mean"]
    by: str


Take = Literal["one", "previous"] | Extreme


@dataclass(frozen=True)
class Pick:
    """One row of a record: see `with` above. `same` has the columns of the other row by ours."""

    record: str | None
    where: Conditions
    joins: "Mapping[str, Pick]"
    take: Take
    same: Mapping[str, str]
    optional: bool
    published: str = ""


@dataclass(frozen=True)
class Cell:
    """A text that is shown for rows which `where` selects and that have what it names."""

    text: str
    where: Conditions


@dataclass(frozen=True)
class Note:
    """A text below a table, and the rows that it is about by name."""

    text: str
    rows: Mapping[str, Pick]


@dataclass(frozen=True)
class Table:
    """A table on the pages of `stages`, each with the fields that it has there; `place` is where in the YAML
    file, `order` where on the page.

    Of the texts of `heading` and of each column the first counts that can be filled. `derived` names what is
    computed for each row besides its fields. Rows are of the page's stage, or of `all_stages`."""

    place: str
    heading: Sequence[Cell]
    stages: Mapping[str, Mapping[str, str]]
    order: int
    where: Conditions
    joins: Mapping[str, Pick]
    columns: Mapping[str, Sequence[Cell]]
    derived: str | None = None
    lines_of: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[Note] = ()
    page: Page = "notes.md"
    all_stages: bool = False


@dataclass(frozen=True)
class Bound:
    """What a value must be at least, or more than where `strict`."""

    expression: str
    strict: bool


@dataclass(frozen=True)
class Goal:
    """A value of one row, shown as `shown` says, and its bound; None where there is none to reach.

    `row` selects and takes, `at` says where the value was measured. `each` names rows, all of which are
    `of_each`, where that is not empty. Rows are of the page's stage, or of `all_stages`."""

    place: str
    goal: str
    row: Pick
    value: str
    bound: Bound | None
    shown: str
    at: str
    derived: str | None = None
    each: str = ""
    of_each: str = ""
    all_stages: bool = False


@dataclass(frozen=True)
class Goals:
    """The goals of `stages` as one table on their pages."""

    place: str
    heading: Sequence[Cell]
    stages: Mapping[str, Mapping[str, str]]
    order: int
    goals: Sequence[Goal]
    notes: Sequence[Note] = field(default=())
    page: Page = "notes.md"


Entry = Table | Goals


def expression_of(text: str | float, place: str) -> str:
    """The expression at this place of a YAML file. Raises ValueError, which names it, where it is none."""
    try:
        check_expression(str(text))
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error
    return str(text)


def _template(text: str, place: str) -> str:
    try:
        check_template(text)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error
    return text


def conditions_of(document: Mapping[str, Any], place: str) -> Conditions:
    """The conditions of the field `where`, none without it. Raises ValueError as above."""
    conditions: Conditions = document.get("where", {})
    for column in conditions:
        expression_of(column, f"{place}.where")
    return conditions


def cells_of(document: object, place: str) -> tuple[Cell, ...]:
    """One text or several, of which the first counts that can be filled. Raises ValueError as above."""
    if not isinstance(document, list):
        document = [document]
    cells = []
    for item in document:
        entry = {"show": item} if isinstance(item, str) else item
        cells.append(Cell(_template(entry["show"], place), conditions_of(entry, place)))
    return tuple(cells)


def _take(document: str | Mapping[str, str], place: str) -> Take:
    if isinstance(document, str):
        return cast(Take, document)
    ((kind, by),) = document.items()
    return Extreme(cast(Literal["min", "max", "mean"], kind), expression_of(by, f"{place}.take"))


def pick_of(document: Mapping[str, Any], place: str) -> Pick:
    """Which row is taken. Raises ValueError as above."""
    same = document.get("same", {})
    by_ours = {name: name for name in same} if isinstance(same, list) else same
    for theirs, ours in by_ours.items():
        expression_of(theirs, f"{place}.same")
        expression_of(ours, f"{place}.same")
    return Pick(
        document.get("record"),
        conditions_of(document, place),
        picks_of(document.get("with", {}), f"{place}.with"),
        _take(document.get("take", "one"), place),
        by_ours,
        document.get("optional", False),
        _template(document.get("published", ""), f"{place}.published"),
    )


def picks_of(document: Mapping[str, Any], place: str) -> dict[str, Pick]:
    """The rows that the field `with` names. Raises ValueError as above."""
    return {name: pick_of(entry, f"{place}.{name}") for name, entry in document.items()}


def notes_of(document: Mapping[str, Any], place: str) -> tuple[Note, ...]:
    """The texts of the field `notes`, none without it; one without numbers is a text alone. Raises ValueError
    as above."""
    notes = []
    for index, item in enumerate(document.get("notes", ())):
        here = f"{place}.notes[{index}]"
        entry = {"text": item, "with": {}} if isinstance(item, str) else item
        notes.append(Note(_template(entry["text"], f"{here}.text"), picks_of(entry["with"], f"{here}.with")))
    return tuple(notes)


def _stages(document: Mapping[str, Any]) -> Mapping[str, Mapping[str, str]]:
    stages = document["stages"]
    return stages if isinstance(stages, Mapping) else {stage: {} for stage in stages}


def _table(document: Mapping[str, Any], place: str) -> Table:
    return Table(
        place,
        cells_of(document["heading"], f"{place}.heading"),
        _stages(document),
        document["order"],
        conditions_of(document, place),
        picks_of(document.get("with", {}), f"{place}.with"),
        {
            _template(name, f"{place}.columns"): cells_of(cell, f"{place}.columns.{name}")
            for name, cell in document["columns"].items()
        },
        document.get("derived"),
        {
            name: expression_of(value, f"{place}.lines_of.{name}")
            for name, value in document.get("lines_of", {}).items()
        },
        notes_of(document, place),
        document.get("page", "notes.md"),
        document.get("all_stages", False),
    )


def _bound(document: Mapping[str, Any], place: str) -> Bound | None:
    for name, strict in (("at_least", False), ("more_than", True)):
        if name in document:
            return Bound(expression_of(document[name], f"{place}.{name}"), strict)
    return None


def _goal(document: Mapping[str, Any], place: str) -> Goal:
    each = document.get("each", {})
    return Goal(
        place,
        document["goal"],
        pick_of(document, place),
        expression_of(document["value"], f"{place}.value"),
        _bound(document, place),
        _template(document["shown"], f"{place}.shown"),
        _template(document.get("at", ""), f"{place}.at"),
        document.get("derived"),
        _template(each.get("name", ""), f"{place}.each.name"),
        each.get("of", ""),
        document.get("all_stages", False),
    )


def _goals(document: Mapping[str, Any], place: str) -> Goals:
    return Goals(
        place,
        cells_of(document["heading"], f"{place}.heading"),
        _stages(document),
        document["order"],
        tuple(_goal(entry, f"{place}.lines[{index}]") for index, entry in enumerate(document["lines"])),
        notes_of(document, place),
        document.get("page", "notes.md"),
    )


def parse_entries(document: Mapping[str, Any]) -> tuple[Entry, ...]:
    """The tables and goals of an experiment's document, which fits the schema. Raises ValueError, which names
    the field, where an expression or a text with such is malformed."""
    tables = (_table(entry, f"$.tables[{index}]") for index, entry in enumerate(document.get("tables", ())))
    goals = (_goals(entry, f"$.goals[{index}]") for index, entry in enumerate(document.get("goals", ())))
    return (*tables, *goals)
