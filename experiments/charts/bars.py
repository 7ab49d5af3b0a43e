"""Charts of the kind `bars`: a line for each name with a bar for each series; marks on logarithmic axes."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes

from experiments.chart_definition import Bars
from experiments.charts import shared
from experiments.charts.shared import ChartInput
from experiments.expressions import Row
from experiments.plots import style
from experiments.plots.interface import FigureOutput

COLUMNS = ["line", "series", "pale", "value", "limit", "text", "order"]
# Of a line's height.
_FILLED = 0.84
_PALE = 0.45
_TEXT_SIZE = 5.6
# What legend and axis take of a figure's height.
_AROUND_INCHES = 0.8


def _line_name(bars: Bars, name: str, row: Row, inputs: ChartInput) -> str:
    return name or inputs.reader.text(bars.line, row, "line")


def numbers(bars: Bars, inputs: ChartInput) -> pd.DataFrame:
    """A line for each bar."""
    reader, found = inputs.reader, []
    for row in inputs.rows:
        for name, value in bars.values.items():
            found.append(
                (
                    _line_name(bars, name, row, inputs),
                    reader.text(bars.series, row, "series") if bars.series else "",
                    bool(bars.pale) and reader.suits(bars.pale, row),
                    reader.number(value, row, "x.value"),
                    reader.number(bars.limit, row, "limit.value") if bars.limit else None,
                    reader.text(bars.text, row, "text") if bars.text else "",
                    reader.number(bars.order, row, "order") if bars.order else None,
                )
            )
    return pd.DataFrame(found, columns=COLUMNS)


def _lines(bars: Bars, table: pd.DataFrame) -> list[str]:
    """The names of the lines from the top."""
    if not bars.order:
        return list(dict.fromkeys(table["line"]))
    return list(table.groupby("line", sort=False)["order"].max().sort_values(ascending=False).index)


def _write(axes: Axes, x: float, y: float, text: str, size: float) -> None:
    axes.annotate(text, (x, y), (3, 0), textcoords="offset points", va="center", fontsize=size)


def _points_of_line(axes: Axes) -> float:
    """How high a line of the plot is, in points."""
    low, high = axes.get_ylim()
    return 72 * (axes.figure.get_size_inches()[1] - _AROUND_INCHES) / abs(high - low)


def _draw_series(
    axes: Axes, bars: Bars, part: pd.DataFrame, heights: Sequence[float], height: float, look: tuple[str, str]
) -> None:
    color, marker = look
    size = min(_TEXT_SIZE, height * _points_of_line(axes))
    opacities = [_PALE if pale else 1.0 for pale in part["pale"]]
    if bars.scale == "linear":
        for value, y, opacity in zip(part["value"], heights, opacities, strict=True):
            axes.barh(y, value, 0.95 * height, color=color, alpha=opacity)
    else:
        for value, y, opacity in zip(part["value"], heights, opacities, strict=True):
            axes.plot(value, y, marker, color=color, markersize=4, alpha=opacity)
    if bars.limit:
        ends = [[y + half * height for y in heights] for half in (-0.5, 0.5)]
        axes.vlines(part["limit"], *ends, color=style.BLACK, linewidth=1, label=bars.limit_name)
    farthest = part[["value", "limit"]].max(axis=1)
    for x, y, text in zip(farthest, heights, part["text"], strict=True):
        _write(axes, x, y, text, size)


def _draw_bars(axes: Axes, bars: Bars, table: pd.DataFrame, lines: Sequence[str], places: int) -> float:
    """All bars; `places` are those of a line, the first for what is published. Returns a bar's height."""
    looks = shared.looks_of(table["series"])
    height = _FILLED / (len(looks) + places)
    for index, (series, look) in enumerate(looks.items(), start=places):
        part = table[table["series"] == series]
        middle = (len(looks) + places - 1) / 2
        heights = [lines.index(name) + (index - middle) * height for name in part["line"]]
        _draw_series(axes, bars, part, heights, height, look)
        if series:
            axes.plot([], [], "s" if bars.scale == "linear" else look[1], color=look[0], label=series)
    return height


def draw(bars: Bars, inputs: ChartInput) -> FigureOutput:
    """The figure. Raises TableError where a row lacks what the chart shows."""
    table, paper = numbers(bars, inputs), shared.paper_points(inputs.chart.published, inputs)
    figure, (axes,) = style.new_figure(inputs.chart.height)
    if table.empty:
        style.draw_no_measurement(axes)
        return FigureOutput(figure, shared.paper_table(paper, "value", "y"))
    lines = _lines(bars, table)
    shared.set_scale(axes, "x", bars.scale)
    in_lines = {(point.name, _line_name(bars, "", point.row, inputs)): point for point in paper if point.row}
    axes.set_ylim(len(lines) - 0.4, -0.6)
    height = _draw_bars(axes, bars, table, lines, 1 if in_lines else 0)
    shared.draw_paper(axes, [point for point in paper if not point.row])
    top = _FILLED / 2 - height / 2
    for (name, line), point in in_lines.items():
        axes.plot(
            *(point.x, lines.index(line) - top, "D"),
            color=style.PAPER,
            markerfacecolor=style.PAPER if point.kind == "printed" else "white",
            label=f"{name}, {point.kind}",
        )
        _write(axes, point.x or 0, lines.index(line) - top, f"{point.x:.3g}", _TEXT_SIZE)
    axes.set_yticks(range(len(lines)), lines)
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    farthest = max([*table["value"], *table["limit"].dropna(), *(point.x or 0 for point in paper)])
    if bars.scale == "linear":
        # Room for the text beside the longest.
        axes.set_xlim(0, (1 + 0.02 * max(map(len, table["text"])) + 0.05) * farthest)
    else:
        axes.set_xlim(0.6 * min([*table["value"], *(point.x or farthest for point in paper)]), 12 * farthest)
    axes.set_xlabel(bars.label)
    shared.legend([axes])
    parts = [table.drop(columns="order").dropna(axis="columns", how="all")]
    beside = [
        (f"{name}, {point.kind}", line, point.kind, point.x) for (name, line), point in in_lines.items()
    ]
    parts += [
        pd.DataFrame(beside, columns=["series", "line", "kind", "value"]),
        shared.paper_table([point for point in paper if not point.row], "value", "y"),
    ]
    whole = shared.joined_tables(parts).rename(columns={"value": bars.label, "limit": bars.limit_name})
    return FigureOutput(figure, whole, inputs.reader.notes(inputs.chart.notes))
