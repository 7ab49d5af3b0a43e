"""Charts of the kind `scatter`: a mark for each row, and published points."""

from dataclasses import replace

import pandas as pd

from experiments.chart_definition import Scatter
from experiments.charts import shared
from experiments.charts.shared import ChartInput
from experiments.plots import style
from experiments.plots.interface import FigureOutput
from experiments.plots.labels import Label, place_labels

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
    shared.draw_paper(axes, [replace(point, label="") for point in paper])
    for which, axis, set_label in (("x", scatter.x, axes.set_xlabel), ("y", scatter.y, axes.set_ylabel)):
        shared.set_scale(axes, which, axis.scale)
        set_label(axis.label)
    if table.empty:
        style.say_no_measurement(axes)
    shared.legend([axes])
    labels = [
        Label(point.label, [(point.x, point.y)], style.PAPER)
        for point in paper
        if point.label and point.x is not None and point.y is not None
    ]
    if labels:
        # Room for the labels of the outermost.
        axes.set_xmargin(0.12)
        marks = [*zip(table["x"], table["y"], strict=True), *(label.anchors[0] for label in labels)]
        place_labels(axes, labels, marks)
    named = shared.joined_tables(
        [table.dropna(axis="columns", how="all"), shared.paper_table(paper, "x", "y")]
    ).rename(columns={"x": scatter.x.label, "y": scatter.y.label, "limit": scatter.limit_name})
    return FigureOutput(figure, named, inputs.reader.notes(inputs.chart.notes))
