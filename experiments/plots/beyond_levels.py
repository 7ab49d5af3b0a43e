"""Ratio, training time, encoding and decoding throughput of each compression level."""

from statistics import geometric_mean

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.level_goals import CODING, COLUMNS, TEXT, check_goals
from experiments.published import Published
from experiments.results import Result

TARGET = "beyond_levels"
GROUPS = {TEXT: "TPC-H-derived text", COLUMNS: "DBText"}
MEAN = "geometric mean"
THESIS_RATIO = "GSST compression ratio"
# Format blocks is the thesis's, with its 8-bit codes.
SERIES = {
    ("blocks", 8): ("8 bits, blocks", style.OURS, "o"),
    ("tiles", 8): ("8 bits, tiles", style.BLUE, "s"),
    ("tiles", 10): ("10 bits, tiles", style.ORANGE, "D"),
    ("tiles", 12): ("12 bits, tiles", style.GREEN, "^"),
}
TRAINING = "training_milliseconds"
AXES = {
    "ratio": "compression ratio",
    TRAINING: "training of\na table (ms)",
    "encode_gb_per_s": "encoding\n(GB/s)",
    "decode_gb_per_s": "decoding\n(GB/s)",
}
VALUES = ["ratio", "held_out_ratio", *list(AXES)[1:]]


def by_dataset(result: Result) -> pd.DataFrame:
    """One row for each data set, coding and level. Training is of one table; the held-out ratio is of codes
    alone."""
    rows = [
        (
            row["dataset"].partition("/")[0],
            row["dataset"],
            row["variant"],
            row["parameters"]["code_bits"],
            row["parameters"]["parse"],
            row["parameters"]["level"],
            row["ratio"],
            row["held_out_bytes"] / row["held_out_code_bytes"] if row["held_out_code_bytes"] else None,
            1e3 * row["training_seconds"]["median"] / row["trained_tables"],
            row["uncompressed_bytes"] / row["encoding_seconds"]["median"] / 1e9,
            row["throughput_gb_per_s"],
        )
        for row in result.rows
    ]
    return pd.DataFrame(rows, columns=["group", "dataset", *CODING, "level", *VALUES])


def means(table: pd.DataFrame) -> pd.DataFrame:
    """The geometric mean over the data sets of a group, by coding and level."""
    return table.groupby(["group", *CODING, "level"], as_index=False)[VALUES].agg(
        lambda values: geometric_mean(values) if values.notna().all() else None
    )


def _draw_lines(axes: Axes, table: pd.DataFrame, column: str) -> None:
    for (variant, bits), (name, color, marker) in SERIES.items():
        of_series = table[(table["variant"] == variant) & (table["code_bits"] == bits)]
        if variant == "blocks":
            # One parse a level: one line.
            axes.plot(of_series["level"], of_series[column], marker=marker, color=color, label=name)
            continue
        for parse, part in of_series.groupby("parse"):
            greedy = parse == "greedy"
            axes.plot(
                part["level"],
                part[column],
                linestyle="--" if greedy else "-",
                marker=marker,
                color=color,
                markerfacecolor="white" if greedy else color,
                label=None if greedy else name,
            )


def _draw_group(plots: list[Axes], table: pd.DataFrame) -> None:
    """One plot for each of AXES, below each other."""
    for axes, column in zip(plots, AXES, strict=True):
        _draw_lines(axes, table, column)
        axes.set_xticks(range(1, 10))
        axes.set_xlim(0.6, 9.4)
        if column != "ratio":
            axes.set_yscale("log")
            if column != TRAINING:
                # Less than two decades: powers of ten alone would be one tick.
                axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            style.plain_numbers(axes, "y")
    plots[-1].set_xlabel("level")


def draw(inputs: FigureInput) -> FigureOutput:
    """Ratio, training time and throughput over the level, for each group of texts in a column of its own."""
    assert inputs.result is not None
    table = by_dataset(inputs.result)
    mean = means(table)
    groups = [group for group in GROUPS if group in set(table["group"])] or [TEXT]
    figure, plots = style.new_figure(6.0, rows=len(AXES), columns=len(groups))
    thesis_ratio = inputs.published.value(TARGET, THESIS_RATIO)
    for index, group in enumerate(groups):
        of_group = plots[index :: len(groups)]
        _draw_group(of_group, mean[mean["group"] == group])
        of_group[0].set_title(GROUPS[group])
        if group == TEXT:
            # On its kind of text.
            of_group[0].axhline(
                thesis_ratio,
                color=style.PAPER,
                linewidth=0.8,
                linestyle=(0, (1, 1.5)),
                label=f"thesis: {thesis_ratio:g}",
            )
    for axes, label in zip(plots[:: len(groups)], AXES.values(), strict=True):
        axes.set_ylabel(label)
    if not mean.empty:
        if "greedy" in set(mean[mean["variant"] != "blocks"]["parse"]):
            plots[0].plot([], [], "--o", color=style.GREY, markerfacecolor="white", label="greedy parse")
        style.legend_above(figure, 3, plots[0])
    columns = table[table["group"] == COLUMNS]["dataset"].nunique()
    notes = [
        "Dashed with hollow points: tables trained for the greedy parse, and that parse. Solid: the optimal "
        "parse, but for level 1 of blocks. Ratios count all that is stored, tables included.",
        f"Dotted: the thesis's ratio on its text, {thesis_ratio:g}.",
    ]
    if columns:
        notes.append(f"DBText: geometric mean over {columns} columns, each compressed on its own.")
    notes += check_goals(table)
    mean.insert(1, "dataset", MEAN)
    return FigureOutput(figure, pd.concat([table, mean], ignore_index=True), notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """Our ratio where we train and parse like the thesis, on its kind of text."""
    del published
    assert result is not None
    mean = means(by_dataset(result))
    like_thesis = mean[(mean["group"] == TEXT) & (mean["level"] == 1)]
    return {} if like_thesis.empty else {THESIS_RATIO: float(like_thesis["ratio"].iloc[0])}
