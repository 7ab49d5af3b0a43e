"""Charts of the kind `bars`: a line for each name with a bar for each of its series; marks on log axes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import pandas as pd
from matplotlib.axes import Axes

from experiments.chart_definition import Bars
from experiments.charts import shared
from experiments.charts.shared import ChartInput
from experiments.expressions import Row
from experiments.plots import style
from experiments.plots.interface import FigureOutput

COLUMNS = ["group", "line", "series", "value", "limit", "text", "order"]
# Group and name of a line.
Line = tuple[str, str]
# Of a line's height.
_FILLED = 0.84
_TEXT_SIZE = 5.6
# The slot of what is published, among those of series.
_PUBLISHED = "\0published"
# Of a line's height, for the name of a group.
_HEADING = 0.7
# Of the plot's width, at most: a character of a bar's text, and what is free around the text.
_CHARACTER, _MARGIN = 0.024, 0.03
# What legend and axis take of a figure's height.
_AROUND_INCHES = 0.8


def _group(bars: Bars, row: Row, inputs: ChartInput) -> str:
    return inputs.reader.text(bars.group, row, "group") if bars.group else ""


def _line_name(bars: Bars, name: str, row: Row, inputs: ChartInput) -> str:
    return name or inputs.reader.text(bars.line, row, "line")


def numbers(bars: Bars, inputs: ChartInput) -> pd.DataFrame:
    """A line for each bar."""
    reader, found = inputs.reader, []
    for row in inputs.rows:
        for name, value in bars.values.items():
            found.append(
                (
                    _group(bars, row, inputs),
                    _line_name(bars, name, row, inputs),
                    reader.text(bars.series, row, "series") if bars.series else "",
                    reader.number(value, row, "x.value"),
                    reader.number(bars.limit, row, "limit.value") if bars.limit else None,
                    reader.text(bars.text, row, "text") if bars.text else "",
                    reader.number(bars.order, row, "order") if bars.order else None,
                )
            )
    return pd.DataFrame(found, columns=COLUMNS)


def _lines(bars: Bars, table: pd.DataFrame) -> list[Line]:
    """The lines from the top, those of a group together."""
    lines = table.groupby(["group", "line"], sort=False)["order"].max()
    if bars.order:
        lines = lines.sort_values(ascending=False)
    groups = list(dict.fromkeys(group for group, _ in lines.index))
    return sorted(lines.index, key=lambda line: groups.index(line[0]))


@dataclass(frozen=True)
class _Places:
    """Where lines and bars are, from the top of the plot down. A line with a bar of each series is 1 high."""

    # The first is the series of what is published, where there is any.
    slots: Mapping[Line, Sequence[str]]
    middles: Mapping[Line, float]
    headings: Mapping[str, float]
    bar_height: float
    bottom: float

    def of(self, line: Line, series: str) -> float:
        slots = self.slots[line]
        return self.middles[line] + (slots.index(series) - (len(slots) - 1) / 2) * self.bar_height


def _places(
    table: pd.DataFrame, lines: Sequence[Line], series: Sequence[str], published: Sequence[str]
) -> _Places:
    """`published` is the slot above all bars, none where it is empty."""
    bar_height = _FILLED / (len(series) + len(published))
    shown = table.groupby(["group", "line"])["series"].agg(set)
    slots = {line: [*published, *(name for name in series if name in shown[line])] for line in lines}
    middles: dict[Line, float] = {}
    headings: dict[str, float] = {}
    end = -0.5
    for line in lines:
        if line[0] and line[0] not in headings:
            headings[line[0]] = end + 0.6 * _HEADING
            end += _HEADING
        height = len(slots[line]) * bar_height + 1 - _FILLED
        middles[line] = end + height / 2
        end += height
    return _Places(slots, middles, headings, bar_height, end)


def _write(
    axes: Axes, x: float, y: float, text: str, size: float, align: Literal["left", "right"] = "left"
) -> None:
    offset = (3 if align == "left" else -3, 0)
    axes.annotate(text, (x, y), offset, textcoords="offset points", ha=align, va="center", fontsize=size)


def _points_of_line(axes: Axes) -> float:
    """How high a line of the plot is, in points."""
    low, high = axes.get_ylim()
    return 72 * (axes.figure.get_size_inches()[1] - _AROUND_INCHES) / abs(high - low)


def _limit_in_the_way(axes: Axes, value: float, limit: float | None, text: str) -> bool:
    """Whether a text that begins at the bar's end covers the mark of the limit."""
    if limit is None or pd.isna(limit):
        return False
    to_axis = axes.transScale.transform
    (left, _), (right, _) = (to_axis((x, 1)) for x in axes.get_xlim())
    (bar_end, _), (mark, _) = to_axis((value, 1)), to_axis((limit, 1))
    return 0 <= mark - bar_end < (_MARGIN + _CHARACTER * len(text)) * (right - left)


def _draw_series(
    axes: Axes, bars: Bars, part: pd.DataFrame, heights: Sequence[float], height: float, look: tuple[str, str]
) -> None:
    color, marker = look
    size = min(_TEXT_SIZE, height * _points_of_line(axes))
    if bars.scale == "linear":
        axes.barh(heights, part["value"], 0.95 * height, color=color)
    else:
        axes.plot(part["value"], heights, marker, color=color, markersize=4, linestyle="none")
    if bars.limit:
        ends = [[y + half * height for y in heights] for half in (-0.5, 0.5)]
        # The white edge is for bars that are as dark as the mark.
        axes.vlines(part["limit"], *ends, color="white", linewidth=1.7)
        axes.vlines(part["limit"], *ends, color=style.BLACK, linewidth=1, label=bars.limit_name)
    columns = (part["value"], part["limit"], part["text"], heights)
    for value, limit, text, y in zip(*columns, strict=True):
        if not _limit_in_the_way(axes, value, limit, text):
            _write(axes, value, y, text, size)
        elif bars.scale == "linear":
            _write(axes, limit, y, text, size)
        else:
            # The other side of a mark is free, that of a bar is not.
            _write(axes, value, y, text, size, "right")


def _draw_bars(axes: Axes, bars: Bars, table: pd.DataFrame, places: _Places) -> None:
    for series, look in shared.looks_of(table["series"]).items():
        part = table[table["series"] == series]
        heights = [places.of(line, series) for line in zip(part["group"], part["line"], strict=True)]
        _draw_series(axes, bars, part, heights, places.bar_height, look)
        if series:
            axes.plot([], [], "s" if bars.scale == "linear" else look[1], color=look[0], label=series)


def _name_lines(axes: Axes, places: _Places) -> None:
    """Writes the names of lines at the axis, and above each group its own in bold."""
    named = [(place, line[1]) for line, place in places.middles.items()]
    named += [(place, group) for group, place in places.headings.items()]
    axes.set_yticks([place for place, _ in named], [name for _, name in named])
    for label in axes.get_yticklabels()[len(places.middles) :]:
        label.set_fontweight("bold")
    for tick in axes.yaxis.get_major_ticks()[len(places.middles) :]:
        tick.tick1line.set_visible(False)
    axes.set_ylim(places.bottom + 0.1, -0.6)
    axes.grid(axis="y", visible=False)


def draw(bars: Bars, inputs: ChartInput) -> FigureOutput:
    """The figure. Raises TableError where a row lacks what the chart shows."""
    table, paper = numbers(bars, inputs), shared.paper_points(inputs.chart.published, inputs)
    figure, (axes,) = style.new_figure(inputs.chart.height)
    if table.empty:
        style.draw_no_measurement(axes)
        return FigureOutput(figure, shared.paper_table(paper, "value", "y"))
    shared.set_scale(axes, "x", bars.scale)
    in_lines = {
        (point.name, (_group(bars, point.row, inputs), _line_name(bars, "", point.row, inputs))): point
        for point in paper
        if point.row
    }
    lines, series = _lines(bars, table), list(shared.looks_of(table["series"]))
    places = _places(table, lines, series, [_PUBLISHED] if in_lines else [])
    _name_lines(axes, places)
    farthest = max([*table["value"], *table["limit"].dropna(), *(point.x or 0 for point in paper)])
    if bars.scale == "linear":
        # Room for the text beside the longest.
        axes.set_xlim(0, (1 + 0.02 * max(map(len, table["text"])) + 0.05) * farthest)
    else:
        axes.set_xlim(0.6 * min([*table["value"], *(point.x or farthest for point in paper)]), 12 * farthest)
    _draw_bars(axes, bars, table, places)
    shared.draw_paper(axes, [point for point in paper if not point.row])
    for (name, line), point in in_lines.items():
        y = places.of(line, _PUBLISHED)
        axes.plot(
            *(point.x, y, "D"),
            color=style.PAPER,
            markerfacecolor=style.PAPER if point.kind == "printed" else "white",
            label=f"{name}, {point.kind}",
            # Whole at the axis too.
            clip_on=False,
            zorder=3,
        )
        _write(axes, point.x or 0, y, f"{point.x:.3g}", _TEXT_SIZE)
    axes.set_xlabel(bars.label)
    shared.legend([axes])
    unshown = ["order"] if bars.group else ["order", "group"]
    parts = [table.drop(columns=unshown).dropna(axis="columns", how="all")]
    beside = [
        (line[0], f"{name}, {point.kind}", line[1], point.kind, point.x)
        for (name, line), point in in_lines.items()
    ]
    columns = ["group", "series", "line", "kind", "value"]
    parts += [
        pd.DataFrame(beside, columns=columns).drop(columns=[] if bars.group else ["group"]),
        shared.paper_table([point for point in paper if not point.row], "value", "y"),
    ]
    whole = shared.joined_tables(parts).rename(columns={"value": bars.label, "limit": bars.limit_name})
    return FigureOutput(figure, whole, inputs.reader.notes(inputs.chart.notes))
