"""Charts of the kind `lines`: a line of marks for each series, in one or more plots below each other."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes

from experiments.chart_definition import Lines, Panel
from experiments.charts import shared
from experiments.charts.shared import ChartInput
from experiments.plots import style
from experiments.plots.interface import FigureOutput

COLUMNS = ["series", "hollow", "panel", "x", "y", "low", "high"]
_MARK_SIZE, _LARGER, _LARGEST = 4.0, 2.0, 8.0
# Points that differ by this part of a plot's height are in the same place for the eye.
_SAME = 0.01


def numbers(lines: Lines, inputs: ChartInput) -> pd.DataFrame:
    """A line for each point."""
    reader = inputs.reader

    def end(panel: Panel, name: str, row: Mapping[str, object], place: str) -> float | None:
        expression = panel.low if name == "low" else panel.high
        return reader.number(expression, row, f"{place}.{name}") if expression else None

    points = []
    for index, panel in enumerate(lines.panels):
        place = f"y.panels[{index}]"
        for row in inputs.rows:
            if not reader.suits(panel.where, row):
                continue
            points.append(
                (
                    reader.text(lines.series, row, "series"),
                    bool(lines.hollow) and reader.suits(lines.hollow, row),
                    index,
                    reader.number(lines.x.value, row, "x.value"),
                    reader.number(panel.value, row, f"{place}.value"),
                    end(panel, "low", row, place),
                    end(panel, "high", row, place),
                )
            )
    return pd.DataFrame(points, columns=COLUMNS)


def _mark_size(line: pd.DataFrame, later: Sequence[pd.DataFrame], height: float) -> float:
    """Larger where lines that are drawn later have the same points, so that no mark hides another."""
    size = _MARK_SIZE
    for other in later:
        common = line.merge(other, on="x")
        same = (common["y_x"] - common["y_y"]).abs() <= _SAME * height
        if same.sum() > len(line) / 2:
            size += _LARGER
    return min(size, _LARGEST)


def _draw_lines(axes: Axes, part: pd.DataFrame, looks: Mapping[str, tuple[str, str]]) -> None:
    lines = list(part.groupby(["series", "hollow"], sort=False))
    height = part["y"].max() - part["y"].min()
    for index, ((series, hollow), line) in enumerate(lines):
        color, mark = looks[str(series)]
        ordered = line.sort_values("x")
        axes.plot(
            *(ordered["x"], ordered["y"]),
            color=color,
            marker=mark,
            markersize=_mark_size(line, [other for _, other in lines[index + 1 :]], height),
            linestyle="--" if hollow else "-",
            zorder=2.5 if hollow else 2,
            markerfacecolor="white" if hollow else color,
            label=None if hollow else series,
        )
        if ordered["low"].notna().all():
            ends = [ordered["y"] - ordered["low"], ordered["high"] - ordered["y"]]
            axes.errorbar(
                *(ordered["x"], ordered["y"]),
                yerr=ends,
                fmt="none",
                capsize=1.5,
                elinewidth=0.8,
                ecolor=color,
            )


def _name_hollow(axes: Axes, lines: Lines, part: pd.DataFrame) -> None:
    if part["hollow"].any():
        axes.plot([], [], "--o", color=style.GREY, markerfacecolor="white", label=lines.hollow_name)


def draw(lines: Lines, inputs: ChartInput) -> FigureOutput:
    """The figure. Raises TableError where a row lacks what the chart shows."""
    table = numbers(lines, inputs)
    looks, ticks = shared.looks_of(table["series"]), shared.ticks_of(lines.x, inputs, "x")
    paper = [shared.paper_points(panel.published, inputs) for panel in lines.panels]
    figure, plots = style.new_figure(inputs.chart.height, rows=len(lines.panels))
    for index, (axes, panel) in enumerate(zip(plots, lines.panels, strict=True)):
        part = table[table["panel"] == index]
        _draw_lines(axes, part, looks)
        _name_hollow(axes, lines, part)
        shared.draw_paper(axes, paper[index], with_values=True)
        axes.set_title(panel.title)
        axes.set_ylabel(panel.label)
        shared.set_scale(axes, "x", lines.x.scale)
        shared.set_scale(axes, "y", panel.scale)
        if ticks:
            axes.minorticks_off()
            axes.set_xticks(list(ticks), list(ticks.values()))
        if lines.from_zero:
            axes.set_ylim(0, 1.1 * axes.get_ylim()[1])
    plots[-1].set_xlabel(lines.x.label)
    if table.empty:
        for axes in plots:
            style.say_no_measurement(axes)
    elif lines.legend == "above":
        shared.legend(plots)
    else:
        for axes in plots:
            axes.legend(frameon=False, fontsize=style.LABEL_SIZE)
    table["panel"] = table["panel"].map(lambda index: lines.panels[index].title or lines.panels[index].label)
    of_paper = shared.paper_table([point for points in paper for point in points], "x", "y")
    named = shared.joined_tables([table.dropna(axis="columns", how="all"), of_paper])
    return FigureOutput(
        figure, named.rename(columns={"x": lines.x.label}), inputs.reader.notes(inputs.chart.notes)
    )
