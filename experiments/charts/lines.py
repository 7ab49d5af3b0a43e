"""Charts of the kind `lines`: a line of marks for each series, in one or more plots below each other."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes

from experiments.chart_definition import Chart
from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.tables import RowReader
from experiments.text_template import bytes_text

COLUMNS = ["series", "hollow", "panel", "x", "y"]


def _table(chart: Chart, rows: RowReader) -> pd.DataFrame:
    """A line for each point."""
    points = [
        (
            rows.text(chart.series, row, "series"),
            bool(chart.hollow) and rows.suits(chart.hollow, row),
            panel.title,
            rows.number(chart.x.value, row, "x.value"),
            rows.number(panel.value, row, f"y.panels[{index}].value"),
        )
        for row in rows.select(chart.where)
        for index, panel in enumerate(chart.panels)
    ]
    return pd.DataFrame(points, columns=COLUMNS)


def _looks(table: pd.DataFrame) -> dict[str, tuple[str, str]]:
    """Color and mark of each series, in the order of the rows; the first is ours."""
    looks = ((style.OURS, "o"), *style.SERIES)
    return dict(zip(dict.fromkeys(table["series"]), looks, strict=False))


def _draw_lines(axes: Axes, part: pd.DataFrame, looks: Mapping[str, tuple[str, str]]) -> None:
    for (series, hollow), line in part.groupby(["series", "hollow"], sort=False):
        color, mark = looks[str(series)]
        ordered = line.sort_values("x")
        axes.plot(
            *(ordered["x"], ordered["y"]),
            color=color,
            marker=mark,
            linestyle="--" if hollow else "-",
            markerfacecolor="white" if hollow else color,
            label=None if hollow else series,
        )


def _draw_x_axis(axes: Axes, chart: Chart, values: Sequence[float]) -> None:
    if chart.x.scale != "linear":
        axes.set_xscale("log", base=2 if chart.x.scale == "log2" else 10)
        style.plain_numbers(axes, "x")
    if chart.x.ticks == "bytes":
        axes.minorticks_off()
        axes.set_xticks(values, [bytes_text(value) for value in values])


def _draw_published(axes: Axes, chart: Chart, published: Published, target: str) -> None:
    for quantity, name in chart.published.items():
        value = published.value(target, quantity)
        look = {"color": style.PAPER, "linewidth": 0.8, "linestyle": (0, (1, 1.5))}
        axes.axhline(value, label=f"{name}: {value:g}", **look)


def draw(chart: Chart, inputs: FigureInput) -> FigureOutput:
    """The figure of `chart`. Raises TableError where a row lacks what the chart shows."""
    table = _table(chart, RowReader(inputs.experiment.target, chart.place, inputs.result))
    looks, values = _looks(table), sorted(set(table["x"]))
    figure, plots = style.new_figure(chart.height, rows=len(chart.panels))
    for axes, panel in zip(plots, chart.panels, strict=True):
        _draw_lines(axes, table[table["panel"] == panel.title], looks)
        _draw_published(axes, chart, inputs.published, inputs.experiment.target)
        axes.set_title(panel.title)
        axes.set_ylabel(chart.label)
        _draw_x_axis(axes, chart, values)
        if chart.from_zero:
            axes.set_ylim(0, 1.1 * axes.get_ylim()[1])
    plots[-1].set_xlabel(chart.x.label)
    if table.empty:
        style.say_no_measurement(plots[0])
    elif chart.legend == "above":
        style.legend_above(figure, min(len(looks) + len(chart.published), 4), plots[0])
    else:
        plots[0].legend(frameon=False, fontsize=style.LABEL_SIZE)
    named = table.rename(columns={"x": chart.x.label, "y": chart.label})
    return FigureOutput(figure, named, list(chart.notes))
