"""Decompression throughput of the CPU decoder against the number of threads."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, LogLocator, NullLocator

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result

TARGET = "gsst_fig_b_1"
GAIN = "throughput gained per thread"
STEADY = "threads up to which the gain is steady"
FALLING = "threads beyond which throughput falls"


def _measured_table(result: Result) -> pd.DataFrame:
    name = f"recorded on {result.machine}" if result.machine else "measured here"
    rows = [
        (
            name,
            row["parameters"]["threads"],
            row["throughput_gb_per_s"],
            row["uncompressed_bytes"] / row["seconds"]["max"] / 1e9,
            row["uncompressed_bytes"] / row["seconds"]["min"] / 1e9,
        )
        for row in result.rows
    ]
    columns = ["series", "threads", "throughput_gb_per_s", "slowest_gb_per_s", "fastest_gb_per_s"]
    return pd.DataFrame(rows, columns=columns).sort_values("threads")


def _paper_table(published: Published) -> pd.DataFrame:
    gain, steady = published.value(TARGET, GAIN), published.value(TARGET, STEADY)
    rows = [("thesis, derived line", threads, gain * threads) for threads in (1, steady)]
    return pd.DataFrame(rows, columns=["series", "threads", "throughput_gb_per_s"])


def _draw_paper(axes: Axes, paper: pd.DataFrame, published: Published) -> None:
    axes.plot(paper["threads"], paper["throughput_gb_per_s"], linestyle=(0, (4, 2)), color=style.PAPER)
    last = paper.iloc[-1]
    axes.annotate(
        f"thesis:\n+{published.value(TARGET, GAIN):g} GB/s a thread\nup to {last['threads']:g} threads",
        (last["threads"], last["throughput_gb_per_s"]),
        xytext=(0, 3),
        textcoords="offset points",
        ha="right",
        va="bottom",
        color=style.PAPER,
        fontsize=style.LABEL_SIZE,
    )


def draw(inputs: FigureInput) -> FigureOutput:
    """A line for each machine, and the thesis's slope."""
    assert inputs.result is not None
    results = [result for result in (inputs.result, *inputs.recorded) if result.rows]
    paper = _paper_table(inputs.published)
    falling = inputs.published.value(TARGET, FALLING)
    tables = [_measured_table(result) for result in results]
    figure, (axes,) = style.new_figure(2.6)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    _draw_paper(axes, paper, inputs.published)
    looks = [(style.OURS, "o"), *style.SERIES]
    most_threads = max([falling, *(table["threads"].max() for table in tables)])
    for table, (color, marker) in zip(tables, looks, strict=False):
        errors = [
            table["throughput_gb_per_s"] - table["slowest_gb_per_s"],
            table["fastest_gb_per_s"] - table["throughput_gb_per_s"],
        ]
        x, y = table["threads"], table["throughput_gb_per_s"]
        axes.errorbar(x, y, yerr=errors, color=color, marker=marker, capsize=2, elinewidth=0.8)
        # A line that ends far to the right has its name below, where the plot still has room for it.
        name = table["series"].iloc[0]
        beside = x.iloc[-1] < most_threads / 4
        axes.annotate(
            name if beside else name.replace(" on ", " on\n"),
            (x.iloc[-1], y.iloc[-1] if beside else table["slowest_gb_per_s"].iloc[-1]),
            xytext=(6, 0) if beside else (-4, -6),
            textcoords="offset points",
            ha="left" if beside else "right",
            va="center" if beside else "top",
            color=style.text_color(color),
            fontsize=style.LABEL_SIZE,
        )
    whole = pd.concat([*tables, paper], ignore_index=True)
    axes.axvline(falling, color=style.PAPER, linewidth=0.8, linestyle=(0, (1, 1.5)))
    axes.set_xlim(0.85, 1.5 * most_threads)
    lowest = whole[["throughput_gb_per_s", "slowest_gb_per_s"]].min().min()
    axes.set_ylim(0.7 * lowest, 2.2 * whole["throughput_gb_per_s"].max())
    axes.annotate(
        f"thesis: falls\nbeyond {falling:g}",
        (falling, axes.get_ylim()[0]),
        xytext=(-3, 5),
        textcoords="offset points",
        ha="right",
        color=style.PAPER,
        fontsize=style.LABEL_SIZE,
    )
    axes.xaxis.set_major_locator(
        FixedLocator([1 << power for power in range(int(most_threads).bit_length())])
    )
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    style.plain_numbers(axes, "x")
    style.plain_numbers(axes, "y")
    axes.set_xlabel("threads")
    axes.set_ylabel("decompression throughput (GB/s)")
    blocks = sorted({row["parameters"]["blocks"] for result in results for row in result.rows})
    notes = [
        "The thesis decodes 1.5 GB in 1024 blocks; the bytes per block are the same here"
        + (f", in {', '.join(str(count) for count in blocks)} blocks." if blocks else "."),
        "The thesis's line is derived from the sentence under its figure; its points are a picture.",
    ]
    return FigureOutput(figure, whole, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """Throughput gained per further thread, up to the fastest number of threads (14 at most)."""
    assert result is not None
    steady = published.value(TARGET, STEADY)
    by_threads = {row["parameters"]["threads"]: row["throughput_gb_per_s"] for row in result.rows}
    if 1 not in by_threads:
        return {}
    best = max(
        (threads for threads in by_threads if threads <= steady), key=lambda threads: by_threads[threads]
    )
    if best == 1:
        return {}
    return {GAIN: (by_threads[best] - by_threads[1]) / (best - 1)}
