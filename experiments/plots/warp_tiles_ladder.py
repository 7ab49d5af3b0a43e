"""Throughput of the decoder of tiles with each of its ideas, beside the streaming limit of the same run."""

import pandas as pd

from experiments.decoder_ladder import ladder_steps
from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.tile_bars import NOTE, VALUE_COLUMNS, row_values, write_into_bar
from experiments.published import Published
from experiments.results import Result
from experiments.unchecked import checked_stage

TARGET = "warp_tiles_ladder"
THROUGHPUT = "decompression throughput"
THESIS = "thesis"
STEPS = "09_warp_tiles"
# The color of bars that show another choice than the step which they differ from, two fifths of that of ours.
PALE = "#EEBE99"
COLUMNS = [
    *("series", "is_step", "step"),
    *VALUE_COLUMNS,
]


def _measured(result: Result | None) -> pd.DataFrame:
    """`is_step` is false for rows of another choice; those without a check are steps too."""
    rows = result.rows if result is not None else ()
    checked = [row for row in rows if row["stage"] == checked_stage(row["stage"])]
    of_ladder = ladder_steps(checked)
    lines = [
        (
            STEPS,
            row in of_ladder or row not in checked,
            row["variant"],
            *row_values(row),
        )
        for row in rows
    ]
    return pd.DataFrame(lines, columns=COLUMNS)


def draw(inputs: FigureInput) -> FigureOutput:
    """A bar for each step, paler for each other choice, a mark at the limit of its ratio, and the thesis's
    throughput as a line."""
    measured = _measured(inputs.result)
    thesis = inputs.published.value(TARGET, THROUGHPUT)
    of_thesis = pd.DataFrame([(THESIS, None, None, thesis, *[None] * 5)], columns=COLUMNS)
    figure, (axes,) = style.new_figure(0.9 + 0.2 * max(len(measured), 4))
    axes.axvline(thesis, color=style.PAPER, linestyle="--", zorder=0.5, label=f"thesis (A100): {thesis:g}")
    places = range(len(measured))
    for place, line in zip(places, measured.itertuples(), strict=True):
        bar, writing = (style.OURS, "white") if line.is_step else (PALE, style.BLACK)
        axes.barh(place, line.throughput_gb_per_s, 0.7, color=bar)
        write_into_bar(axes, place, line, writing)
    limits = measured["streaming_limit_gb_per_s"]
    axes.plot(limits, places, "|", color=style.BLUE, markersize=9, label="streaming limit")
    axes.set_yticks(places, measured["step"])
    axes.set_ylim(max(len(measured), 4) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.set_xlim(0, 1.08 * max([thesis, *limits]))
    axes.set_xlabel("decompression throughput (GB/s)")
    style.legend_above(figure, 2, axes)
    table = of_thesis if measured.empty else pd.concat([measured, of_thesis], ignore_index=True)
    return FigureOutput(figure, table, [NOTE])


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """What the fastest of the steps reaches."""
    del published
    table = _measured(result)
    return {} if table.empty else {THROUGHPUT: table["throughput_gb_per_s"][table["is_step"]].max()}
