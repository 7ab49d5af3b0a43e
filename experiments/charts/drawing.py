"""What draws the figure of an experiment: its chart, else its module in experiments/plots."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, cast

from experiments.chart_definition import Chart
from experiments.charts import lines
from experiments.definition import Experiment
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result
from experiments.tables import RowReader

_KINDS = {"lines": lines.draw}


class Drawing(Protocol):
    """What a module of experiments/plots has."""

    def draw(self, inputs: FigureInput) -> FigureOutput:
        """The figure."""

    def compare(self, result: Result | None, published: Published) -> Mapping[str, float]:
        """Our numbers by the quantities that the paper prints."""


@dataclass(frozen=True)
class _Charted:
    target: str
    chart: Chart

    def draw(self, inputs: FigureInput) -> FigureOutput:
        return _KINDS[self.chart.kind](self.chart, inputs)

    def compare(self, result: Result | None, published: Published) -> Mapping[str, float]:
        del published
        reader = RowReader(self.target, self.chart.place, result)
        found = {}
        for quantity, compared in self.chart.compare.items():
            place = f"compare.{quantity}"
            row = reader.take(compared.row, place)
            if row is not None:
                found[quantity] = reader.number(compared.value, row, f"{place}.value")
        return found


def drawing_of(experiment: Experiment) -> Drawing:
    """What draws the experiment's figure."""
    if experiment.chart is not None:
        return _Charted(experiment.target, experiment.chart)
    return cast(Drawing, importlib.import_module(f"experiments.plots.{experiment.target}"))
