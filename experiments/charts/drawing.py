"""What draws the figure of an experiment: its chart, else its module in experiments/plots."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Protocol, cast

import pandas as pd

from experiments.chart_definition import Bars, Chart, Heatmap, Lines, Scatter, TablePicture
from experiments.charts import bars, heatmap, lines, scatter, shared, table
from experiments.definition import Experiment
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result


class Drawing(Protocol):
    """What a module of experiments/plots has."""

    def draw(self, inputs: FigureInput) -> FigureOutput:
        """The figure."""

    def compare(self, result: Result | None, published: Published) -> Mapping[str, float]:
        """Our numbers by the quantities that the paper prints."""


# What draws each kind of chart and says its numbers.
_MODULES: Mapping[type, ModuleType] = {
    Lines: lines,
    Bars: bars,
    Heatmap: heatmap,
    Scatter: scatter,
    TablePicture: table,
}


@dataclass(frozen=True)
class Charted:
    """Draws the chart of the experiment `target`."""

    target: str
    chart: Chart

    def _given(self, result: Result | None, published: Published) -> shared.ChartInput:
        reader = shared.pooled(self.chart, self.target, result)
        rows = reader.select(self.chart.where, self.chart.joins)
        return shared.ChartInput(self.target, self.chart, reader, rows, published)

    def draw(self, inputs: FigureInput) -> FigureOutput:
        """The figure. Raises TableError where a row lacks what the chart shows."""
        given = self._given(inputs.result, inputs.published)
        output = self._drawn(given)
        if self.chart.pool is None or not given.rows:
            return output
        rows = given.reader.result.rows if given.reader.result else ()
        whole = shared.joined_tables([output.table, shared.pooled_table(self.chart.pool, rows)])
        return replace(output, table=whole)

    def _drawn(self, given: shared.ChartInput) -> FigureOutput:
        kind = self.chart.of_kind
        drawn: FigureOutput = _MODULES[type(kind)].draw(kind, given)
        return drawn

    def numbers(self, result: Result, published: Published) -> pd.DataFrame:
        """What the figure shows of a result, without drawing it: a line for each point, bar, cell or line."""
        kind = self.chart.of_kind
        shown: pd.DataFrame = _MODULES[type(kind)].numbers(kind, self._given(result, published))
        return shown

    def compare(self, result: Result | None, published: Published) -> Mapping[str, float]:
        """Our numbers by the quantities that the paper prints."""
        del published
        reader = shared.pooled(self.chart, self.target, result)
        found = {}
        for compared in self.chart.compare:
            place = f"compare.{compared.quantity[0].text}"
            if compared.each:
                rows = reader.select(compared.row.where, compared.row.joins, place)
            else:
                row = reader.take(compared.row, place)
                rows = [] if row is None else [row]
            for row in rows:
                quantity = reader.text(compared.quantity, row, place)
                found[quantity] = reader.number(compared.value, row, f"{place}.value")
        return found


def drawing_of(experiment: Experiment) -> Drawing:
    """What draws the experiment's figure."""
    if experiment.chart is not None:
        return Charted(experiment.target, experiment.chart)
    return cast(Drawing, importlib.import_module(f"experiments.plots.{experiment.target}"))
