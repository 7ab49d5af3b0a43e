"""Charts of the kind `scatter`: a mark for each row, and published points."""

import pandas as pd

from experiments.chart_definition import Scatter
from experiments.charts import shared
from experiments.charts.shared import ChartInput
from experiments.plots import style
from experiments.plots.interface import FigureOutput

COLUMNS = ["series", "x", "y", "limit"]


def numbers(scatter: Scatter, inputs: ChartInput) -> pd.DataFrame:
    """A line for each mark."""
    reader = inputs.reader
    points = [
        (
            reader.text(scatter.series, row, "series"),
            reader.number(scatter.x.value, row, "x.value"),
            reader.number(scatter.y.value, row, "y.value"),
            reader.number(scatter.limit, row, "limit.value") if scatter.limit else None,
        )
        for row in inputs.rows
    ]
    return pd.DataFrame(points, columns=COLUMNS)


def draw(scatter: Scatter, inputs: ChartInput) -> FigureOutput:
    """The figure. Raises TableError where a row lacks what the chart shows."""
    table, paper = numbers(scatter, inputs), shared.paper_points(inputs.chart.published, inputs)
    figure, (axes,) = style.new_figure(inputs.chart.height)
    for series, (color, marker) in shared.looks_of(table["series"]).items():
        part = table[table["series"] == series]
        axes.plot(part["x"], part["y"], marker, color=color, label=series)
    if scatter.limit:
        line = table.sort_values("x")
        axes.plot(line["x"], line["limit"], color=style.BLACK, linewidth=0.8, label=scatter.limit_name)
    shared.draw_paper(axes, paper)
    for which, axis, set_label in (("x", scatter.x, axes.set_xlabel), ("y", scatter.y, axes.set_ylabel)):
        shared.set_scale(axes, which, axis.scale)
        set_label(axis.label)
    if table.empty:
        style.say_no_measurement(axes)
    shared.legend([axes])
    named = shared.joined_tables(
        [table.dropna(axis="columns", how="all"), shared.paper_table(paper, "x", "y")]
    ).rename(columns={"x": scatter.x.label, "y": scatter.y.label, "limit": scatter.limit_name})
    return FigureOutput(figure, named, inputs.reader.notes(inputs.chart.notes))
