"""The entry `chart` of an experiment's YAML file: a figure that experiments/charts draws.

Its fields, which the schema lists, hold expressions, conditions and texts as those of a table do (see
experiments/table_definition.py). Rows about data that a program of this repository makes have its numbers as
`made_with.run_bytes` and the like. All kinds have in common:

    where, with   the rows that are drawn, and the rows that each is shown with
    choose        rows of which one stays before anything else is read (see Choice)
    pool          rows that become one before anything else is read, after the choice (see Pool)
    published     numbers of the papers that are drawn (see Mark); of lines, by panel
    compare       what ours is beside a published number, by its quantity; for a quantity with expressions in
                  braces, each row that is selected gives one
    notes         what the caption adds; a note with numbers names the rows that they are of

lines    a point for each row and panel at `x` and the panel's `value`, with a bar from `low` to `high`. Rows
         with the same text `series` are a line; those that `hollow` selects are one by themselves: dashed,
         with hollow marks, under the name `hollow_name`.
bars     a bar for each row, in the line that `line` names, in the color of its `series`; with `values` each
         row has a bar for each of them. On a logarithmic axis, which has no zero, bars are marks.
heatmap  a cell for each row. The largest value is outlined, and the cells at published numbers.
scatter  a mark for each row.
table    a picture of a table with a line for each row, and for each published line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from experiments.table_definition import (
    Cell,
    Conditions,
    Note,
    Pick,
    cells_of,
    conditions_of,
    expression_of,
    notes_of,
    pick_of,
    picks_of,
)

Scale = Literal["linear", "log", "log2"]


@dataclass(frozen=True)
class Axis:
    """What is on an axis, and its label. With `tick` each value has a tick with this text."""

    value: str
    label: str
    scale: Scale
    tick: Sequence[Cell]


@dataclass(frozen=True)
class Panel:
    """One of the plots below each other: its rows, what is on its vertical axis and how it is labelled, the
    ends of the bar at each point, empty for none, its title, which may be empty, and what of the paper is
    drawn."""

    where: Conditions
    value: str
    label: str
    scale: Scale
    low: str
    high: str
    title: str
    published: Sequence["Mark"]


@dataclass(frozen=True)
class Choice:
    """Of rows with the same text `group` and the same values of the columns `by` the one stays of which the
    expression `least` is the smallest, the first of equal ones: of several expressions the first one whose
    conditions a row suits. It has the text as its field `choice`."""

    group: Sequence[Cell]
    by: Sequence[str]
    least: Sequence[tuple[str, Conditions]]


@dataclass(frozen=True)
class Pool:
    """Rows with the same text `group` and the same values of the columns `by` become one.

    It has the fields of the first, `group`, and by their names the sums of the expressions `total`, the
    largest of `most` and the geometric means of `mean`. With `also` the rows themselves stay as well."""

    group: Sequence[Cell]
    by: Sequence[str]
    total: Mapping[str, str]
    most: Mapping[str, str]
    mean: Mapping[str, str]
    also: bool


@dataclass(frozen=True)
class PublishedNumber:
    """A number of a paper: its quantity, of another target where one is named, in another unit by a factor.

    The quantity is a text: where it has expressions, each row that is drawn gives one."""

    quantity: Sequence[Cell]
    target: str
    times: float


@dataclass(frozen=True)
class Mark:
    """Published numbers as they are drawn, and their name: one is a line across the plot, two are a point,
    beside which `label` is written."""

    name: str
    label: str
    x: PublishedNumber | None
    y: PublishedNumber | None


@dataclass(frozen=True)
class Compared:
    """Our number beside a published one: an expression of one row, or of each where the quantity says so."""

    quantity: Sequence[Cell]
    each: bool
    row: Pick
    value: str


@dataclass(frozen=True)
class Lines:
    """What a chart of the kind `lines` has of its own."""

    x: Axis
    panels: Sequence[Panel]
    from_zero: bool
    series: Sequence[Cell]
    hollow: Conditions
    hollow_name: str
    legend: Literal["above", "inside"]


@dataclass(frozen=True)
class Bars:
    """What a chart of the kind `bars` has of its own. `line` is empty where `values` name the lines.

    Lines of the same `group` are together, below its name. The line with the largest value of `order` is on
    top; without it, that of the first row. `text` is written beside each bar, and `limit`, empty for none, is
    marked in each bar's line."""

    values: Mapping[str, str]
    label: str
    scale: Scale
    group: Sequence[Cell]
    line: Sequence[Cell]
    order: str
    series: Sequence[Cell]
    text: Sequence[Cell]
    limit: str
    limit_name: str


@dataclass(frozen=True)
class Near:
    """An expression that is a published number, or is at most `within` times as large or small."""

    quantity: str
    value: str
    within: float


@dataclass(frozen=True)
class Heatmap:
    """What a chart of the kind `heatmap` has of its own. `digits` are those after the point in each cell,
    `unit` says what its number is; one for which all of `best` are near is outlined as the paper's."""

    x: Axis
    y: Axis
    value: str
    digits: int
    unit: str
    best: Sequence[Near]


@dataclass(frozen=True)
class Scatter:
    """What a chart of the kind `scatter` has of its own; `limit`, empty for none, is a line."""

    x: Axis
    y: Axis
    series: Sequence[Cell]
    limit: str
    limit_name: str


@dataclass(frozen=True)
class Part:
    """One of the tables below each other: its rows and its title."""

    where: Conditions
    title: str


@dataclass(frozen=True)
class PublishedLine:
    """A line of published numbers: its name, and the quantity of each column."""

    name: str
    quantities: Sequence[str]


@dataclass(frozen=True)
class TablePicture:
    """What a chart of the kind `table` has of its own. `name` begins each line and takes this share of the
    width; lines are in the order of `order`, the smallest first, where that is not empty."""

    parts: Sequence[Part]
    name: Sequence[Cell]
    name_width: float
    columns: Mapping[str, Sequence[Cell]]
    order: str
    published_lines: Sequence[PublishedLine]


Kind = Lines | Bars | Heatmap | Scatter | TablePicture


@dataclass(frozen=True)
class Chart:
    """A figure as data; `height` is in inches, of a table it follows from its lines."""

    place: str
    height: float
    where: Conditions
    joins: Mapping[str, Pick]
    choice: Choice | None
    pool: Pool | None
    published: Sequence[Mark]
    compare: Sequence[Compared]
    notes: Sequence[Note]
    of_kind: Kind


Document = Mapping[str, Any]


def _axis(document: Document, place: str) -> Axis:
    return Axis(
        expression_of(document["value"], f"{place}.value"),
        document["label"],
        document.get("scale", "linear"),
        _cells(document, "tick", place),
    )


def _cells(document: Document, name: str, place: str) -> tuple[Cell, ...]:
    return cells_of(document[name], f"{place}.{name}") if name in document else ()


def _expression(document: Document, name: str, place: str) -> str:
    return expression_of(document[name], f"{place}.{name}") if name in document else ""


def _expressions(document: Document, name: str, place: str) -> dict[str, str]:
    return {key: expression_of(text, f"{place}.{name}.{key}") for key, text in document.get(name, {}).items()}


def _conditions(document: Document, name: str, place: str) -> Conditions:
    return conditions_of({"where": document.get(name, {})}, f"{place}.{name}")


def _choice(document: Document, place: str) -> Choice:
    least = document["least"]
    entries = [{"value": least}] if isinstance(least, str) else least
    return Choice(
        _cells(document, "group", place),
        tuple(expression_of(column, f"{place}.by") for column in document["by"]),
        tuple(
            (_expression(entry, "value", f"{place}.least"), _conditions(entry, "where", f"{place}.least"))
            for entry in entries
        ),
    )


def _pool(document: Document, place: str) -> Pool:
    return Pool(
        _cells(document, "group", place),
        tuple(expression_of(column, f"{place}.by") for column in document.get("by", ())),
        *(_expressions(document, name, place) for name in ("total", "most", "mean")),
        document.get("also", False),
    )


def _number(document: str | Document, place: str) -> PublishedNumber:
    entry: Document = {"quantity": document} if isinstance(document, str) else document
    return PublishedNumber(
        cells_of(entry["quantity"], place), entry.get("from", ""), float(entry.get("times", 1))
    )


def _mark(document: Document, place: str) -> Mark:
    numbers = (_number(document[name], f"{place}.{name}") if name in document else None for name in "xy")
    return Mark(document["name"], document.get("label", ""), *numbers)


def _marks(document: Document, place: str) -> tuple[Mark, ...]:
    marks = enumerate(document.get("published", ()))
    return tuple(_mark(entry, f"{place}.published[{index}]") for index, entry in marks)


def _compared(quantity: str, document: Document, place: str) -> Compared:
    value = expression_of(document["value"], f"{place}.value")
    return Compared(cells_of(quantity, place), "{" in quantity, pick_of(document, place), value)


def _panel(document: Document, y: Document, place: str) -> Panel:
    return Panel(
        conditions_of(document, place),
        expression_of(document["value"], place),
        document.get("label", y["label"]),
        document.get("scale", "linear"),
        _expression(document, "low", place),
        _expression(document, "high", place),
        document.get("title", ""),
        _marks(document, place),
    )


def _lines(chart: Document, place: str) -> Lines:
    y = chart["y"]
    panels = enumerate(y["panels"])
    return Lines(
        _axis(chart["x"], f"{place}.x"),
        tuple(_panel(entry, y, f"{place}.y.panels[{index}]") for index, entry in panels),
        y.get("from_zero", False),
        cells_of(chart["series"], f"{place}.series"),
        _conditions(chart, "hollow", place),
        chart.get("hollow_name", ""),
        chart["legend"],
    )


def _bars(chart: Document, place: str) -> Bars:
    x, limit = chart["x"], chart.get("limit", {})
    values = _expressions(x, "values", f"{place}.x") or {"": _expression(x, "value", f"{place}.x")}
    return Bars(
        values,
        x["label"],
        x.get("scale", "linear"),
        _cells(chart, "group", place),
        _cells(chart, "line", place),
        _expression(chart, "order", place),
        _cells(chart, "series", place),
        _cells(chart, "text", place),
        _expression(limit, "value", f"{place}.limit"),
        limit.get("name", ""),
    )


def _heatmap(chart: Document, place: str) -> Heatmap:
    return Heatmap(
        _axis(chart["x"], f"{place}.x"),
        _axis(chart["y"], f"{place}.y"),
        _expression(chart, "value", place),
        chart["digits"],
        chart["unit"],
        tuple(
            Near(name, _expression(entry, "value", f"{place}.best.{name}"), entry.get("within", 1))
            for name, entry in chart.get("best", {}).items()
        ),
    )


def _scatter(chart: Document, place: str) -> Scatter:
    limit = chart.get("limit", {})
    return Scatter(
        _axis(chart["x"], f"{place}.x"),
        _axis(chart["y"], f"{place}.y"),
        cells_of(chart["series"], f"{place}.series"),
        _expression(limit, "value", f"{place}.limit"),
        limit.get("name", ""),
    )


def _table(chart: Document, place: str) -> TablePicture:
    return TablePicture(
        tuple(
            Part(conditions_of(entry, f"{place}.parts[{index}]"), entry["title"])
            for index, entry in enumerate(chart["parts"])
        ),
        cells_of(chart["name"], f"{place}.name"),
        chart["name_width"],
        {name: cells_of(cell, f"{place}.columns.{name}") for name, cell in chart["columns"].items()},
        _expression(chart, "order", place),
        tuple(PublishedLine(name, entry) for name, entry in chart.get("published_lines", {}).items()),
    )


_KINDS = {"lines": _lines, "bars": _bars, "heatmap": _heatmap, "scatter": _scatter, "table": _table}


def parse_chart(document: Document) -> Chart | None:
    """The chart of an experiment's document, which fits the schema; None without one. Raises ValueError,
    which names the field, where an expression or a text with such is malformed."""
    if "chart" not in document:
        return None
    chart, place = document["chart"], "$.chart"
    return Chart(
        place,
        chart.get("height", 0),
        conditions_of(chart, place),
        picks_of(chart.get("with", {}), f"{place}.with"),
        _choice(chart["choose"], f"{place}.choose") if "choose" in chart else None,
        _pool(chart["pool"], f"{place}.pool") if "pool" in chart else None,
        _marks(chart, place),
        tuple(
            _compared(name, entry, f"{place}.compare.{name}")
            for name, entry in chart.get("compare", {}).items()
        ),
        notes_of(chart, place),
        _KINDS[chart["kind"]](chart, place),
    )
