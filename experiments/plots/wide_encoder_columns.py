"""Throughput of the encoder that is all on the GPU on every column, with and without training."""

import pandas as pd

from experiments.plots import style
from experiments.plots.beyond_columns import OF_THESIS, column_name
from experiments.plots.encoder_ladder import END_TO_END, GIVEN, SERIES, THROUGHPUT
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.stages import slowest_and_fastest
from experiments.published import Published
from experiments.results import Result

LINE_INCHES = 0.17
COLUMNS = ["series", "column", "uncompressed_bytes", "ratio", "throughput_gb_per_s", "slowest", "fastest"]


def _table(result: Result | None) -> pd.DataFrame:
    rows = result.rows if result is not None else ()
    lines = [
        (
            END_TO_END if row["end_to_end"] else GIVEN,
            column_name(row["dataset"]),
            row["uncompressed_bytes"],
            row["ratio"],
            row["throughput_gb_per_s"],
            *slowest_and_fastest(row),
        )
        for row in rows
    ]
    return pd.DataFrame(lines, columns=COLUMNS).sort_values(["ratio", "series"], ignore_index=True)


def draw(inputs: FigureInput) -> FigureOutput:
    """Two bars for each column, the best compressed one on top, with their throughputs."""
    table = _table(inputs.result)
    columns = list(dict.fromkeys(table["column"]))
    figure, (axes,) = style.new_figure(0.8 + LINE_INCHES * max(len(columns), 4))
    if table.empty:
        style.draw_no_measurement(axes)
        return FigureOutput(figure, table)
    for place, (series, color) in enumerate(SERIES.items()):
        part = table[table["series"] == series]
        positions = [columns.index(column) + (0.5 - place) * 0.4 for column in part["column"]]
        axes.barh(positions, part["throughput_gb_per_s"], 0.38, color=color, label=series)
        for y, value in zip(positions, part["throughput_gb_per_s"], strict=True):
            axes.annotate(
                f"{value:.3g}", (value, y), (2, 0), textcoords="offset points", va="center", fontsize=4.6
            )
    ratios = table.groupby("column")["ratio"].first()
    axes.set_yticks(range(len(columns)), [f"{column}, {ratios[column]:.2f}" for column in columns])
    axes.grid(axis="y", visible=False)
    axes.set_xlim(0, 1.12 * table["throughput_gb_per_s"].max())
    axes.set_xlabel("compression throughput (GB/s)")
    axes.legend(frameon=False, fontsize=style.LABEL_SIZE, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    return FigureOutput(figure, table, ["Beside each column's name is its compression ratio."])


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """What the column of the paper's text reaches end to end."""
    del published
    table = _table(result)
    of_paper = table[(table["column"] == OF_THESIS) & (table["series"] == END_TO_END)]
    if of_paper.empty:
        return {}
    return {f"{OF_THESIS} {THROUGHPUT}": of_paper["throughput_gb_per_s"].iloc[-1]}
