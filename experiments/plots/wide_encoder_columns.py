"""Throughput of the encoder that is all on the GPU on every column, with and without training."""

from itertools import product

import pandas as pd
from matplotlib.axes import Axes

from experiments.plots import style
from experiments.plots.beyond_columns import OF_THESIS
from experiments.plots.encoder_ladder import END_TO_END, GIVEN, SERIES, THROUGHPUT
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.stages import slowest_and_fastest
from experiments.published import Published
from experiments.results import Result
from experiments.text_template import column_name

LINE_INCHES = 0.3
# Of the bars of each way to cut the text, in their order.
OPACITIES = (1.0, 0.45)
COLUMNS = [
    *("series", "cut", "column", "uncompressed_bytes"),
    *("ratio", "throughput_gb_per_s", "slowest", "fastest"),
]


def _table(result: Result | None) -> pd.DataFrame:
    """`cut` is the way to cut the text, empty for the first one."""
    rows = result.rows if result is not None else ()
    lines = [
        (
            END_TO_END if row["end_to_end"] else GIVEN,
            row["variant"],
            column_name(row["dataset"]),
            row["uncompressed_bytes"],
            row["ratio"],
            row["throughput_gb_per_s"],
            *slowest_and_fastest(row),
        )
        for row in rows
    ]
    return pd.DataFrame(lines, columns=COLUMNS).sort_values(["ratio", "series"], ignore_index=True)


def _draw_bars(axes: Axes, table: pd.DataFrame, columns: list[str]) -> None:
    """A bar for each series and way to cut the text, beside each other in the line of their column."""
    cuts = sorted(set(table["cut"]))
    height = 0.8 / (len(SERIES) * len(cuts))
    for place, (series, cut) in enumerate(product(SERIES, cuts)):
        part = table[(table["series"] == series) & (table["cut"] == cut)]
        positions = [columns.index(column) + 0.4 - (place + 0.5) * height for column in part["column"]]
        axes.barh(
            positions,
            part["throughput_gb_per_s"],
            0.95 * height,
            color=SERIES[series],
            alpha=OPACITIES[cuts.index(cut)],
            label=f"{series}, {cut}" if cut else series,
        )
        for y, value in zip(positions, part["throughput_gb_per_s"], strict=True):
            axes.annotate(
                f"{value:.3g}", (value, y), (2, 0), textcoords="offset points", va="center", fontsize=4.6
            )


def draw(inputs: FigureInput) -> FigureOutput:
    """Bars for each column, the best compressed one on top, with their throughputs."""
    table = _table(inputs.result)
    columns = list(dict.fromkeys(table["column"]))
    figure, (axes,) = style.new_figure(0.8 + LINE_INCHES * max(len(columns), 4))
    if table.empty:
        style.draw_no_measurement(axes)
        return FigureOutput(figure, table)
    _draw_bars(axes, table, columns)
    ratios = table.groupby(["column", "cut"], sort=True)["ratio"].first().groupby("column")
    names = {column: " and ".join(f"{ratio:.2f}" for ratio in found) for column, found in ratios}
    axes.set_yticks(range(len(columns)), [f"{column}, {names[column]}" for column in columns])
    axes.grid(axis="y", visible=False)
    axes.set_xlim(0, 1.12 * table["throughput_gb_per_s"].max())
    axes.set_xlabel("compression throughput (GB/s)")
    style.legend_above(figure, len(SERIES))
    note = "Beside each column's name is its compression ratio, and behind it that of longer splits."
    return FigureOutput(figure, table, [note])


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """What the column of the paper's text reaches end to end, cut as the first grid does."""
    del published
    table = _table(result)
    is_end_to_end = (table["series"] == END_TO_END) & (table["cut"] == "")
    of_paper = table[(table["column"] == OF_THESIS) & is_end_to_end]
    if of_paper.empty:
        return {}
    return {f"{OF_THESIS} {THROUGHPUT}": of_paper["throughput_gb_per_s"].iloc[-1]}
