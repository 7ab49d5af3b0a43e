"""Ratio, training time, encoding and decoding throughput of each compression level."""

from statistics import geometric_mean

import pandas as pd
from matplotlib.axes import Axes

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result

TARGET = "beyond_levels"
GROUPS = {"tpch": "TPC-H-derived text", "dbtext": "DBText"}
MEAN = "geometric mean"
THESIS_RATIO = "GSST compression ratio"
ENCODING, DECODING = "encode_gb_per_s", "decode_gb_per_s"
VALUES = ["ratio", "held_out_ratio", "training_milliseconds", ENCODING, DECODING]


def _blocks(row: dict) -> int:
    return -(-row["uncompressed_bytes"] // row["parameters"]["block_bytes"])


def by_dataset(result: Result) -> pd.DataFrame:
    """One row for each data set and level. Training is of one table; the held-out ratio is of codes alone."""
    rows = [
        (
            row["dataset"].partition("/")[0],
            row["dataset"],
            row["parameters"]["level"],
            row["ratio"],
            row["held_out_bytes"] / row["held_out_code_bytes"] if row["held_out_code_bytes"] else None,
            1e3 * row["training_seconds"]["median"] / _blocks(row),
            row["uncompressed_bytes"] / row["encoding_seconds"]["median"] / 1e9,
            row["throughput_gb_per_s"],
        )
        for row in result.rows
    ]
    return pd.DataFrame(rows, columns=["group", "dataset", "level", *VALUES])


def means(table: pd.DataFrame) -> pd.DataFrame:
    """The geometric mean over the data sets of a group, by level."""
    return table.groupby(["group", "level"], as_index=False)[VALUES].agg(
        lambda values: geometric_mean(values) if values.notna().all() else None
    )


def _draw_lines(axes: Axes, table: pd.DataFrame, column: str, dashed: bool = False) -> None:
    looks = dict(zip(GROUPS, [(style.OURS, "o"), *style.SERIES], strict=False))
    for group, part in table.groupby("group"):
        color, marker = looks[str(group)]
        # Decoding stands in the plot of encoding: dashed, with hollow points.
        axes.plot(
            part["level"],
            part[column],
            linestyle="--" if dashed else "-",
            marker=marker,
            color=color,
            markerfacecolor="white" if dashed else color,
            label=None if dashed else GROUPS[str(group)],
        )


def draw(inputs: FigureInput) -> FigureOutput:
    """Three plots over the level: ratio, training time, throughput."""
    assert inputs.result is not None
    table = by_dataset(inputs.result)
    mean = means(table)
    figure, (ratio, training, speed) = style.new_figure(5.4, rows=3)
    _draw_lines(ratio, mean, "ratio")
    _draw_lines(training, mean, "training_milliseconds")
    _draw_lines(speed, mean, ENCODING)
    _draw_lines(speed, mean, DECODING, dashed=True)
    ratio.set_ylabel("compression ratio")
    training.set_ylabel("training of a table (ms)")
    speed.set_ylabel("GB/s: encoding,\ndecoding (dashed)")
    for axes in (training, speed):
        axes.set_yscale("log")
        style.plain_numbers(axes, "y")
    for axes in (ratio, training, speed):
        axes.set_xticks(range(1, 10))
        axes.set_xlim(0.7, 9.3)
    speed.set_xlabel("level")
    # The thesis's ratio, on its kind of text.
    paper = inputs.published.value(TARGET, THESIS_RATIO)
    ratio.axhline(paper, color=style.PAPER, linewidth=0.8, linestyle=(0, (1, 1.5)))
    ratio.annotate(
        f"thesis: {paper:g}",
        (9, paper),
        xytext=(0, 2),
        textcoords="offset points",
        ha="right",
        va="bottom",
        color=style.PAPER,
        fontsize=style.LABEL_SIZE,
    )
    if not mean.empty:
        style.legend_above(figure, len(GROUPS), ratio)
    columns = table[table["group"] == "dbtext"]["dataset"].nunique()
    notes = ["Ratios count all that is stored, a table for each block included."]
    if columns:
        notes.append(f"DBText: geometric mean over {columns} columns, each compressed on its own.")
    mean.insert(1, "dataset", MEAN)
    return FigureOutput(figure, pd.concat([table, mean], ignore_index=True), notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """Our ratio where we train and parse like the thesis, on its kind of text."""
    del published
    assert result is not None
    mean = means(by_dataset(result))
    like_thesis = mean[(mean["group"] == "tpch") & (mean["level"] == 1)]
    return {} if like_thesis.empty else {THESIS_RATIO: float(like_thesis["ratio"].iloc[0])}
