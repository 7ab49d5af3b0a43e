"""What the module of a figure gets and gives."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd
from matplotlib.figure import Figure

from experiments.definition import Experiment
from experiments.published import Published
from experiments.results import Result


@dataclass(frozen=True)
class FigureInput:
    """`result` is what is drawn as ours, None for a figure that needs no measurement; `recorded` are further
    results of other machines; `scale` is the scale at which `result` was asked for. `not_drawn` was measured
    here, but `reasons` speak against drawing it in the place of a record."""

    experiment: Experiment
    published: Published
    result: Result | None
    recorded: Sequence[Result] = ()
    scale: str | None = None
    not_drawn: Result | None = None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class FigureOutput:
    """The figure, the numbers in it, and what its caption must add."""

    figure: Figure
    table: pd.DataFrame
    notes: list[str] = field(default_factory=list)
