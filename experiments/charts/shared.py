"""What the kinds of charts share: pooled rows, looks of series, and published numbers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from statistics import geometric_mean
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from experiments.chart_definition import Axis, Chart, Choice, Mark, Pool, PublishedNumber
from experiments.expressions import Row
from experiments.made_data import with_numbers_of_data
from experiments.plots import style
from experiments.published import Published
from experiments.results import Result
from experiments.tables import RowReader

MEASURED = "measured"
# There are more stages than other series.
_LOOKS = ((style.OURS, "o"), *style.SERIES, (style.GREEN, "p"), (style.PURPLE, "*"))
_PAPER_LINE: dict[str, Any] = {"color": style.PAPER, "linewidth": 0.8}
_PAPER_DASHES = ((1, 1.5), (4, 2), (6, 1.5, 1, 1.5), (2, 3))
# How many fit beside each other above the plots, and what a mark takes of them.
_LEGEND_CHARACTERS, _LEGEND_HANDLE = 66, 6
_PAPER_MARKS = ("D", "o", "s", "^")


@dataclass(frozen=True)
class ChartInput:
    """A chart, the rows that it is drawn from, and the published numbers."""

    target: str
    chart: Chart
    reader: RowReader
    rows: Sequence[Row]
    published: Published


@dataclass(frozen=True)
class PaperPoint:
    """Published numbers as they are drawn: None is a coordinate that is not printed. `kind` is `printed`, or
    `derived` where one of them is; `row` is that of ours which they stand beside, if any."""

    name: str
    label: str
    x: float | None
    y: float | None
    kind: str
    row: Row | None


def _pooled(pool: Pool, rows: Sequence[Row], reader: RowReader) -> Row:
    def values(expressions: Mapping[str, str], name: str) -> Iterator[tuple[str, list[float]]]:
        for key, expression in expressions.items():
            yield key, [reader.number(expression, row, f"pool.{name}.{key}") for row in rows]

    return {
        **rows[0],
        **{key: sum(found) for key, found in values(pool.total, "total")},
        **{key: max(found) for key, found in values(pool.most, "most")},
        **{key: geometric_mean(found) for key, found in values(pool.mean, "mean")},
    }


def _grouped(
    of: Choice | Pool, rows: Sequence[Row], reader: RowReader, place: str, field: str
) -> list[list[Row]]:
    """Rows with the same text `group` and the same values `by`, each with the text as this field."""
    groups = dict[tuple[object, ...], list[Row]]()
    for row in rows:
        text = reader.text(of.group, row, f"{place}.group")
        by = (reader.value(column, row, f"{place}.by") for column in of.by)
        groups.setdefault((text, *by), []).append({**row, field: text})
    return list(groups.values())


def _chosen(choice: Choice, rows: Sequence[Row], reader: RowReader) -> tuple[Row, ...]:
    def least(row: Row) -> float:
        expression = next((text for text, where in choice.least if reader.suits(where, row)), "")
        return reader.number(expression, row, "choose.least")

    return tuple(min(of_group, key=least) for of_group in _grouped(choice, rows, reader, "choose", "choice"))


def pooled(chart: Chart, target: str, result: Result | None) -> RowReader:
    """Reads the rows of `result`, with the numbers of their data, as `choose` and `pool` leave them."""
    result = result and replace(result, rows=with_numbers_of_data(result.rows))
    reader = RowReader(target, chart.place, result)
    if chart.choice is not None and result is not None:
        result = replace(result, rows=_chosen(chart.choice, result.rows, reader))
        reader = replace(reader, result=result)
    if chart.pool is None or result is None:
        return reader
    pool = chart.pool
    one = [_pooled(pool, rows, reader) for rows in _grouped(pool, result.rows, reader, "pool", "group")]
    kept: list[Row] = [{**row, "group": ""} for row in result.rows] if pool.also else []
    return replace(reader, result=replace(result, rows=(*kept, *one)))


def pooled_table(pool: Pool, rows: Sequence[Row]) -> pd.DataFrame:
    """A line of the CSV for each pooled row: what became one, and the numbers that were put together."""
    names = (*pool.total, *pool.most, *pool.mean)
    lines = [
        [row["group"], *(row[name] for name in names)] for row in rows if row["group"] and names[0] in row
    ]
    return pd.DataFrame(lines, columns=["pooled", *names], dtype=object)


def looks_of(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Color and mark of each series in the order of their first rows; the first is ours. Looks come again
    where they are too few."""
    return dict(zip(dict.fromkeys(names), cycle(_LOOKS), strict=False))


def set_scale(axes: Axes, which: str, scale: str) -> None:
    """A logarithmic axis with its ticks as plain numbers; a linear one stays as it is."""
    if scale != "linear":
        set_it = axes.set_xscale if which == "x" else axes.set_yscale
        set_it("log", base=2 if scale == "log2" else 10)
        style.plain_numbers(axes, which)


def ticks_of(axis: Axis, inputs: ChartInput, name: str) -> dict[float, str]:
    """The text at each value of an axis, in order; empty where the axis names none."""
    reader = inputs.reader
    found = {
        reader.number(axis.value, row, f"{name}.value"): reader.text(axis.tick, row, f"{name}.tick")
        for row in (inputs.rows if axis.tick else ())
    }
    return dict(sorted(found.items()))


def _coordinate(
    number: PublishedNumber | None, row: Row, inputs: ChartInput, field: str
) -> tuple[float | None, str]:
    if number is None:
        return None, "printed"
    quantity = inputs.reader.text(number.quantity, row, field)
    target = number.target or inputs.target
    for found in inputs.published.of(target):
        if found.quantity == quantity and found.value is not None:
            return number.times * found.value, found.kind
    if row:
        return None, "printed"
    return inputs.published.value(target, quantity), "printed"


def _is_for_each_row(mark: Mark) -> bool:
    numbers = (number for number in (mark.x, mark.y) if number is not None)
    return any("{" in cell.text for number in numbers for cell in number.quantity)


def paper_points(marks: Sequence[Mark], inputs: ChartInput) -> list[PaperPoint]:
    """The published numbers of `marks`; those that stand beside a row of ours once for each row."""
    found = []
    for mark in marks:
        rows: Sequence[Row] = inputs.rows if _is_for_each_row(mark) else ({},)
        for row in rows:
            x, kind_of_x = _coordinate(mark.x, row, inputs, f"published: {mark.name}: x")
            y, kind_of_y = _coordinate(mark.y, row, inputs, f"published: {mark.name}: y")
            kind = "derived" if "derived" in (kind_of_x, kind_of_y) else "printed"
            if x is not None or y is not None:
                found.append(PaperPoint(mark.name, mark.label, x, y, kind, row or None))
    return found


def paper_table(points: Sequence[PaperPoint], x: str, y: str) -> pd.DataFrame:
    """A line of the CSV for each published number that is drawn."""
    lines = [(f"{point.name}, {point.kind}", point.kind, point.x, point.y) for point in points]
    return pd.DataFrame(lines, columns=["series", "kind", x, y]).dropna(axis="columns", how="all")


def draw_paper(axes: Axes, points: Sequence[PaperPoint], with_values: bool = False) -> None:
    """A line for each single coordinate and a mark for each point, filled where it is printed; all with their
    names for the legend, a point's with its height where `with_values`."""
    names = list(dict.fromkeys(point.name for point in points))
    for point in points:
        dashes = (0, _PAPER_DASHES[names.index(point.name) % len(_PAPER_DASHES)])
        if point.y is None:
            axes.axvline(point.x, label=f"{point.name}: {point.x:g}", linestyle=dashes, **_PAPER_LINE)
        elif point.x is None:
            axes.axhline(point.y, label=f"{point.name}: {point.y:g}", linestyle=dashes, **_PAPER_LINE)
        else:
            axes.plot(
                *(point.x, point.y),
                linestyle="",
                marker=_PAPER_MARKS[names.index(point.name) % len(_PAPER_MARKS)],
                color=style.PAPER,
                markerfacecolor=style.PAPER if point.kind == "printed" else "white",
                zorder=3,
                label=(
                    f"{point.name}{', derived' if point.kind == 'derived' else ''}"
                    f"{f': {point.y:g}' if with_values else ''}"
                ),
            )
            axes.annotate(
                point.label,
                (point.x, point.y),
                (4, -4),
                textcoords="offset points",
                va="top",
                color=style.PAPER,
                fontsize=style.LABEL_SIZE,
            )


def legend(plots: Sequence[Axes]) -> None:
    """Names what the plots show above all of them, each name once."""
    once: dict[str, Any] = {}
    for axes in plots:
        handles, names = axes.get_legend_handles_labels()
        once = {**dict(zip(names, handles, strict=True)), **once}
    if once:
        columns = max(1, _LEGEND_CHARACTERS // (max(map(len, once)) + _LEGEND_HANDLE))
        plots[0].figure.legend(
            *(list(once.values()), list(once)),
            loc="outside upper center",
            ncols=min(columns, len(once)),
            frameon=False,
            fontsize=style.LABEL_SIZE,
            handletextpad=0.4,
            columnspacing=1.0,
        )


def joined_tables(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """All lines of the tables that have any, of the first where none has."""
    first, *others = tables
    filled = [table for table in (first, *others) if not table.empty]
    return pd.concat(filled, ignore_index=True) if filled else first
