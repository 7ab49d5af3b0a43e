"""Throughput of encoding, of what follows it, and of both, against the tile size."""

import pandas as pd

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result

ENCODING, COMPACTION, BOTH = "encoding", "compaction", "both"
PARTS = (ENCODING, COMPACTION, BOTH)
# Checksums belong to the format, not to the paper's pipeline.
_LEFT_OUT = "checksums"
COLUMNS = ["series", "part", "warps", "tile_bytes", "throughput_gb_per_s"]


def _table(result: Result | None) -> pd.DataFrame:
    lines = []
    for row in result.rows if result is not None else ():
        if row["end_to_end"]:
            continue
        phases = {name: value for name, value in row["phase_seconds"].items() if name != _LEFT_OUT}
        whole = sum(phases.values())
        seconds = {ENCODING: phases["encoding"], COMPACTION: whole - phases["encoding"], BOTH: whole}
        warps = row["parameters"]["threads_per_block"] // 32
        tile = row["parameters"]["block_bytes"] // row["parameters"]["splits"]
        gigabytes = row["uncompressed_bytes"] / 1e9
        lines += [(f"{warps} warps", part, warps, tile, gigabytes / value) for part, value in seconds.items()]
    return pd.DataFrame(lines, columns=COLUMNS)


def draw(inputs: FigureInput) -> FigureOutput:
    """A plot for each part of the pipeline, a line for each number of warps."""
    table = _table(inputs.result)
    figure, plots = style.new_figure(4.6, rows=len(PARTS))
    for axes, part in zip(plots, PARTS, strict=True):
        by_warps = table[table["part"] == part].groupby("warps")
        for (warps, line), (color, marker) in zip(by_warps, style.SERIES, strict=False):
            ordered = line.sort_values("tile_bytes")
            axes.plot(
                *(ordered["tile_bytes"] / 1024, ordered["throughput_gb_per_s"]),
                color=color,
                marker=marker,
                label=f"{warps} warps" if warps != 1 else "1 warp",
            )
        axes.set_title(part)
        axes.set_xscale("log", base=2)
        style.plain_numbers(axes, "x")
        axes.set_ylim(0, 1.1 * axes.get_ylim()[1])
        axes.set_ylabel("GB/s")
    plots[-1].set_xlabel("tile (KiB)")
    notes = ["The kernel that makes the frame's checksums is in none of the parts."]
    if table.empty:
        style.say_no_measurement(plots[0])
    else:
        figure.legend(
            *plots[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False
        )
    return FigureOutput(figure, table, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """The paper's figure is a picture without numbers."""
    del result, published
    return {}
