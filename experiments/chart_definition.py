"""The entry `chart` of an experiment's YAML file: a figure that experiments/charts draws.

Its fields, which the schema lists, hold expressions, conditions and texts as those of a table do (see
experiments/table_definition.py). A chart of the kind `lines` has a point for each row that `where` selects,
at `x` and at the `y` of each panel; rows with the same text `series` are a line. `hollow` selects rows that
are a line by themselves: dashed, with hollow marks, in the color of their series. `published` are numbers of
the paper, drawn as horizontal lines. `compare` says what ours is beside a published number, by its quantity.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from experiments.table_definition import (
    Cell,
    Conditions,
    Pick,
    cells_of,
    conditions_of,
    expression_of,
    pick_of,
)


@dataclass(frozen=True)
class Axis:
    """A horizontal axis: what is on it, and its label. With `ticks` as `bytes` each value has a tick."""

    value: str
    label: str
    scale: Literal["linear", "log", "log2"]
    ticks: Literal["numbers", "bytes"]


@dataclass(frozen=True)
class Panel:
    """One of the plots below each other: what is on its vertical axis, and its title, which may be empty."""

    value: str
    title: str


@dataclass(frozen=True)
class Compared:
    """Our number beside a published one: an expression of one row."""

    row: Pick
    value: str


@dataclass(frozen=True)
class Chart:
    """A figure as data; `height` is in inches, `label` is that of each vertical axis."""

    place: str
    kind: Literal["lines"]
    height: float
    where: Conditions
    x: Axis
    panels: Sequence[Panel]
    label: str
    from_zero: bool
    series: Sequence[Cell]
    hollow: Conditions
    legend: Literal["above", "inside"]
    published: Mapping[str, str]
    compare: Mapping[str, Compared]
    notes: Sequence[str]


def _axis(document: Mapping[str, Any], place: str) -> Axis:
    return Axis(
        expression_of(document["value"], f"{place}.value"),
        document["label"],
        document.get("scale", "linear"),
        document.get("ticks", "numbers"),
    )


def _compared(document: Mapping[str, Any], place: str) -> Compared:
    return Compared(pick_of(document, place), expression_of(document["value"], f"{place}.value"))


def parse_chart(document: Mapping[str, Any]) -> Chart | None:
    """The chart of an experiment's document, which fits the schema; None without one. Raises ValueError,
    which names the field, where an expression or a text with such is malformed."""
    if "chart" not in document:
        return None
    chart, place = document["chart"], "$.chart"
    y = chart["y"]
    return Chart(
        place,
        chart["kind"],
        chart["height"],
        conditions_of(chart, place),
        _axis(chart["x"], f"{place}.x"),
        tuple(
            Panel(expression_of(entry["value"], f"{place}.y.panels[{index}]"), entry.get("title", ""))
            for index, entry in enumerate(y["panels"])
        ),
        y["label"],
        y.get("from_zero", False),
        cells_of(chart["series"], f"{place}.series"),
        conditions_of({"where": chart.get("hollow", {})}, f"{place}.hollow"),
        chart["legend"],
        chart.get("published", {}),
        {
            name: _compared(entry, f"{place}.compare.{name}")
            for name, entry in chart.get("compare", {}).items()
        },
        chart.get("notes", ()),
    )
