"""Charts of the kind `heatmap`: a cell for each row, with the best cells outlined."""

import pandas as pd

from experiments.chart_definition import Axis, Heatmap, Near
from experiments.charts import shared
from experiments.charts.shared import ChartInput
from experiments.expressions import Row
from experiments.plots import style
from experiments.plots.heatmap import (
    best_cell,
    cells_explained,
    draw_heatmap,
    outline_ours,
    outline_paper,
)
from experiments.plots.interface import FigureOutput

COLUMNS = ["x", "y", "value", "near"]


def _is_near(near: Near, row: Row, inputs: ChartInput) -> bool:
    published = inputs.published.value(inputs.target, near.quantity)
    factor = inputs.reader.number(near.value, row, f"best.{near.quantity}.value") / published
    return 1 / near.within <= factor <= near.within


def numbers(heatmap: Heatmap, inputs: ChartInput) -> pd.DataFrame:
    """A line for each cell."""
    reader = inputs.reader
    cells = [
        (
            reader.number(heatmap.x.value, row, "x.value"),
            reader.number(heatmap.y.value, row, "y.value"),
            reader.number(heatmap.value, row, "value"),
            bool(heatmap.best) and all(_is_near(near, row, inputs) for near in heatmap.best),
        )
        for row in inputs.rows
    ]
    return pd.DataFrame(cells, columns=COLUMNS)


def _names(axis: Axis, values: pd.Index, inputs: ChartInput, name: str) -> list[str]:
    ticks = shared.ticks_of(axis, inputs, name)
    return [ticks.get(value, f"{value:g}") for value in values]


def draw(heatmap: Heatmap, inputs: ChartInput) -> FigureOutput:
    """The figure. Raises TableError where a row lacks what the chart shows."""
    table = numbers(heatmap, inputs)
    figure, (axes,) = style.new_figure(inputs.chart.height)
    notes = inputs.reader.notes(inputs.chart.notes)
    axes.set_xlabel(heatmap.x.label)
    axes.set_ylabel(heatmap.y.label)
    named = table.rename(columns={"x": heatmap.x.label, "y": heatmap.y.label})
    if table.empty:
        style.draw_no_measurement(axes)
        return FigureOutput(figure, named, notes)
    grid = table.pivot(index="y", columns="x", values="value")
    names = (_names(heatmap.x, grid.columns, inputs, "x"), _names(heatmap.y, grid.index, inputs, "y"))
    draw_heatmap(axes, grid, *names, f".{heatmap.digits}f")
    outline_ours(axes, best_cell(grid))
    of_paper = table[table["near"]]
    for x, y in zip(of_paper["x"], of_paper["y"], strict=True):
        outline_paper(axes, (list(grid.columns).index(x), list(grid.index).index(y)))
    title = cells_explained(heatmap.unit, ours=True, paper=len(of_paper) > 0)
    axes.set_title(title, fontsize=style.LABEL_SIZE)
    if heatmap.best and of_paper.empty:
        notes = [*notes, "The cell that is best in the paper is not measured at this scale."]
    return FigureOutput(figure, named, notes)
