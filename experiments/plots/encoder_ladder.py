"""Throughput of the GPU encoder with each idea of the paper, with and without training."""

import pandas as pd

from experiments.coding_throughput import encoder_steps
from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.stages import slowest_and_fastest
from experiments.published import Published
from experiments.results import Result

THROUGHPUT = "compression throughput"
GIVEN, END_TO_END = "tables given", "end to end"
SERIES = {GIVEN: style.OURS, END_TO_END: style.BLUE}
COLUMNS = ["series", "step", "throughput_gb_per_s", "slowest", "fastest", "ratio"]


def _table(result: Result | None) -> pd.DataFrame:
    rows = result.rows if result is not None else ()
    lines = [
        (
            END_TO_END if row["end_to_end"] else GIVEN,
            row["variant"],
            row["throughput_gb_per_s"],
            *slowest_and_fastest(row),
            row["ratio"],
        )
        for row in rows
    ]
    return pd.DataFrame(lines, columns=COLUMNS)


def draw(inputs: FigureInput) -> FigureOutput:
    """Two bars for each step, with their throughputs."""
    table = _table(inputs.result)
    steps = list(dict.fromkeys(table["step"]))
    figure, (axes,) = style.new_figure(0.8 + 0.32 * max(len(steps), 3))
    if table.empty:
        style.draw_no_measurement(axes)
        return FigureOutput(figure, table)
    for place, (series, color) in enumerate(SERIES.items()):
        part = table[table["series"] == series]
        positions = [steps.index(step) + (place - 0.5) * 0.4 for step in part["step"]]
        axes.barh(positions, part["throughput_gb_per_s"], 0.38, color=color, label=series)
        for y, value in zip(positions, part["throughput_gb_per_s"], strict=True):
            axes.annotate(
                f"{value:.3g}", (value, y), (2, 0), textcoords="offset points", va="center", fontsize=5.6
            )
    axes.set_yticks(range(len(steps)), steps)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlim(0, 1.15 * table["throughput_gb_per_s"].max())
    axes.set_xlabel("compression throughput (GB/s)")
    style.legend_above(figure, len(SERIES))
    return FigureOutput(figure, table, ["The paper prints no number for its single ideas."])


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """What the last step reaches end to end: the paper's throughput is that of its whole pipeline."""
    del published
    whole = encoder_steps([row for row in (result.rows if result else ()) if row["end_to_end"]])
    return {THROUGHPUT: whole[-1]["throughput_gb_per_s"]} if whole else {}
