"""Throughput of the decoder of tiles with each of its ideas, beside the streaming limit of the same run."""

import pandas as pd

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.stages import slowest_and_fastest
from experiments.published import Published
from experiments.results import Result

TARGET = "warp_tiles_ladder"
THROUGHPUT = "decompression throughput"
THESIS = "thesis"
STEPS = "09_warp_tiles"
COLUMNS = [
    *("series", "step", "throughput_gb_per_s", "slowest", "fastest"),
    *("streaming_limit_gb_per_s", "share_of_limit", "ratio"),
]


def _measured(result: Result | None) -> pd.DataFrame:
    rows = result.rows if result is not None else ()
    lines = [
        (
            STEPS,
            row["variant"],
            row["throughput_gb_per_s"],
            *slowest_and_fastest(row),
            row["streaming_limit_gb_per_s"],
            row["throughput_gb_per_s"] / row["streaming_limit_gb_per_s"],
            row["ratio"],
        )
        for row in rows
    ]
    return pd.DataFrame(lines, columns=COLUMNS)


def draw(inputs: FigureInput) -> FigureOutput:
    """A bar for each step, a mark at the limit of its ratio, and the thesis's throughput as a line."""
    measured = _measured(inputs.result)
    thesis = inputs.published.value(TARGET, THROUGHPUT)
    of_thesis = pd.DataFrame([(THESIS, None, thesis, *[None] * 5)], columns=COLUMNS)
    figure, (axes,) = style.new_figure(0.9 + 0.2 * max(len(measured), 4))
    axes.axvline(thesis, color=style.PAPER, linestyle="--", zorder=0.5, label=f"thesis (A100): {thesis:g}")
    places = range(len(measured))
    axes.barh(places, measured["throughput_gb_per_s"], 0.7, color=style.OURS)
    limits = measured["streaming_limit_gb_per_s"]
    axes.plot(limits, places, "|", color=style.BLUE, markersize=9, label="streaming limit")
    for place, line in zip(places, measured.itertuples(), strict=True):
        text = f"{line.throughput_gb_per_s:.0f}, {line.share_of_limit:.0%}, {line.ratio:.2f}"
        axes.annotate(
            text, (0, place), (3, 0), textcoords="offset points", va="center", fontsize=5.6, color="white"
        )
    axes.set_yticks(places, measured["step"])
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlim(0, 1.08 * max([thesis, *limits]))
    axes.set_xlabel("decompression throughput (GB/s)")
    style.legend_above(figure, 2, axes)
    table = of_thesis if measured.empty else pd.concat([measured, of_thesis], ignore_index=True)
    note = "In each bar: GB/s, the share of the streaming limit, and the ratio with everything stored."
    return FigureOutput(figure, table, [note])


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """What the fastest of the rows reaches."""
    del published
    table = _measured(result)
    return {} if table.empty else {THROUGHPUT: table["throughput_gb_per_s"].max()}
