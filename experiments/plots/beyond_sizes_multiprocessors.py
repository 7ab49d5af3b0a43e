"""Throughput against the number of thread blocks: up to the multiprocessors of the GPU, and beyond."""

import pandas as pd
from matplotlib.axes import Axes

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.stages import slowest_and_fastest
from experiments.published import Published
from experiments.results import Result

TARGET = "beyond_sizes_multiprocessors"
SERIES = "stage 07"
THESIS = "thesis"
PER_SM, SMS = "thread blocks per SM with the highest throughput", "SMs"
HIGHEST, FOR_EACH = "highest decompression throughput", "decompression throughput for each SM"
COLUMNS = ["series", "thread_blocks", "throughput_gb_per_s", "slowest", "fastest", "share_of_proportional"]


def multiprocessors(result: Result) -> int:
    """How many the GPU has, from the data blocks of a row and how many of them each has."""
    row = result.rows[0]
    return round(row["parameters"]["blocks"] / row["blocks_per_multiprocessor"])


def _measured(result: Result) -> pd.DataFrame:
    """The last column is the throughput divided by that of one thread block, times their number."""
    rows = sorted(result.rows, key=lambda row: row["parameters"]["thread_blocks"])
    fewest = rows[0]
    one = fewest["throughput_gb_per_s"] / fewest["parameters"]["thread_blocks"]
    lines = [
        (
            SERIES,
            row["parameters"]["thread_blocks"],
            row["throughput_gb_per_s"],
            *slowest_and_fastest(row),
            row["throughput_gb_per_s"] / (one * row["parameters"]["thread_blocks"]),
        )
        for row in rows
    ]
    return pd.DataFrame(lines, columns=COLUMNS)


def _thesis(published: Published) -> pd.DataFrame:
    """The thesis's best point: a thread block for each data block."""
    thread_blocks = published.value(TARGET, PER_SM) * published.value(TARGET, SMS)
    line = (THESIS, thread_blocks, published.value(TARGET, HIGHEST), None, None, None)
    return pd.DataFrame([line], columns=COLUMNS)


def _draw_measured(axes: Axes, table: pd.DataFrame, sms: int) -> None:
    x, y = table["thread_blocks"], table["throughput_gb_per_s"]
    errors = [y - table["slowest"], table["fastest"] - y]
    axes.errorbar(x, y, yerr=errors, color=style.OURS, marker="o", markersize=3, capsize=1.5, elinewidth=0.8)
    proportional = [y.iloc[0] / x.iloc[0] * count for count in (x.iloc[0], sms)]
    axes.plot([x.iloc[0], sms], proportional, color=style.OURS, linewidth=0.8, linestyle=(0, (4, 2)))
    axes.axvline(sms, color=style.BLACK, linewidth=0.6)
    axes.annotate(
        f"{sms} SMs",
        (sms, 0.02),
        xycoords=("data", "axes fraction"),
        xytext=(3, 0),
        textcoords="offset points",
        fontsize=style.LABEL_SIZE,
    )


def _draw_thesis(axes: Axes, table: pd.DataFrame) -> None:
    (line,) = table.itertuples()
    point = (line.thread_blocks, line.throughput_gb_per_s)
    axes.plot(*point, "D", color=style.PAPER, markerfacecolor="white", zorder=3)
    axes.annotate(
        f"thesis\n(A100): {line.throughput_gb_per_s:g}",
        point,
        xytext=(0, -6),
        textcoords="offset points",
        ha="center",
        va="top",
        color=style.PAPER,
        fontsize=style.LABEL_SIZE,
    )


def draw(inputs: FigureInput) -> FigureOutput:
    """Our line, what it would be if each multiprocessor added as much as the first, the thesis's point."""
    thesis = _thesis(inputs.published)
    parts = [_measured(inputs.result)] if inputs.result else []
    whole = pd.concat([*parts, thesis], ignore_index=True)
    figure, (axes,) = style.new_figure(2.5)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlim(0.8, 1.5 * whole["thread_blocks"].max())
    axes.set_xlabel("thread blocks")
    axes.set_ylabel("throughput (GB/s)")
    for axis in ("x", "y"):
        style.plain_numbers(axes, axis)
    notes = [
        "The thesis's point is its best one, with a thread block for each data block, "
        f"{inputs.published.value(TARGET, PER_SM):g} for each SM of an A100."
    ]
    for measured in parts:
        assert inputs.result is not None
        sms = multiprocessors(inputs.result)
        _draw_measured(axes, measured, sms)
        within = measured[measured["thread_blocks"] <= sms].iloc[-1]
        notes.append(
            f"The GPU has {sms} SMs. {within['thread_blocks']} thread blocks reach "
            f"{within['share_of_proportional']:.0%} of as many times the throughput of one. "
            "Bars go from the slowest to the fastest repetition."
        )
    _draw_thesis(axes, thesis)
    return FigureOutput(figure, whole, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """The highest throughput, whole and for each multiprocessor, and the thread blocks that reach it."""
    del published
    if result is None or not result.rows:
        return {}
    sms, table = multiprocessors(result), _measured(result)
    best = table.loc[table["throughput_gb_per_s"].idxmax()]
    return {
        SMS: sms,
        PER_SM: best["thread_blocks"] / sms,
        HIGHEST: best["throughput_gb_per_s"],
        FOR_EACH: best["throughput_gb_per_s"] / sms,
    }
