"""Ingestion throughput by the model: no overlap, and overlap for several numbers of blocks."""

import numpy as np
import pandas as pd

from experiments.ingestion_model import (
    regime_boundary,
    throughput_with_overlap,
    throughput_without_overlap,
)
from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result

BLOCKS = (2, 8, 64)
INTERCONNECTS = np.geomspace(4, 1500, 200)
# Where the name of a line stands: interconnect and ingestion throughput in GB/s, horizontal alignment.
LABEL_PLACES = {
    "no overlap": (160.0, 118.0, "left"),
    "2 blocks": (285.0, 171.0, "center"),
    "8 blocks": (76.0, 164.0, "left"),
    "64 blocks": (55.0, 172.0, "right"),
    "bound": (1400.0, 197.0, "right"),
}


def _gsst(published: Published) -> tuple[float, float]:
    return (
        published.value("gsst_fig_6_2", "GSST compression ratio"),
        published.value("gsst_fig_6_2", "GSST decompression throughput"),
    )


def _table(ratio: float, decompression: float) -> pd.DataFrame:
    rows = []
    for interconnect in INTERCONNECTS:
        rows.append(
            ("no overlap", 1, interconnect, throughput_without_overlap(ratio, decompression, interconnect))
        )
        for blocks in BLOCKS:
            value = throughput_with_overlap(ratio, decompression, interconnect, blocks)
            rows.append((f"{blocks} blocks", blocks, interconnect, value))
        bound = min(ratio * interconnect, decompression)
        rows.append(("bound", None, interconnect, bound))
    return pd.DataFrame(rows, columns=["series", "blocks", "interconnect_gb_per_s", "ingestion_gb_per_s"])


def draw(inputs: FigureInput) -> FigureOutput:
    """One line for each number of blocks, the bound, and the boundary of the two regimes."""
    ratio, decompression = _gsst(inputs.published)
    table = _table(ratio, decompression)
    boundary = regime_boundary(ratio, decompression)
    figure, (axes,) = style.new_figure(2.75)
    axes.set_xscale("log")
    axes.set_xlim(INTERCONNECTS[0], INTERCONNECTS[-1])
    axes.set_ylim(0, 1.22 * decompression)
    looks = {
        "no overlap": (style.BLUE, "-"),
        "2 blocks": (style.GREEN, "-"),
        "8 blocks": (style.ORANGE, "-"),
        "64 blocks": (style.VERMILLION, "-"),
        "bound": (style.BLACK, ":"),
    }
    for series, (color, line) in looks.items():
        part = table[table["series"] == series]
        axes.plot(part["interconnect_gb_per_s"], part["ingestion_gb_per_s"], line, color=color)
    axes.axvline(boundary, color=style.GREY, linewidth=0.8)
    top = 1.21 * decompression
    axes.text(boundary * 0.93, top, "transfer-bound (3.5)", ha="right", va="top", fontsize=style.LABEL_SIZE)
    axes.text(boundary * 1.07, top, "decompression-bound (3.6)", va="top", fontsize=style.LABEL_SIZE)
    for series, (x, y, align) in LABEL_PLACES.items():
        color = style.text_color(looks[series][0])
        text = axes.text(x, y, series, ha=align, va="center", color=color, fontsize=style.LABEL_SIZE)
        text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.6})
    interconnect = inputs.published.value("gsst_fig_6_3", "interconnect with the largest lead of GSST")
    printed = inputs.published.value("gsst_fig_6_3", "GSST ingestion throughput at the largest lead")
    axes.plot([interconnect], [printed], "o", mfc="white", color=style.PAPER, zorder=5)
    axes.annotate(
        f"thesis:\n{printed:g} GB/s\nat {interconnect:g} GB/s",
        (interconnect, printed),
        xytext=(3, -4),
        textcoords="offset points",
        va="top",
        color=style.PAPER,
        fontsize=style.LABEL_SIZE,
    )
    style.plain_numbers(axes, "x")
    axes.set_xlabel("interconnect throughput (GB/s, compressed)")
    axes.set_ylabel("ingestion throughput (GB/s)")
    notes = [
        f"Ratio {ratio:g} and decompression {decompression:g} GB/s are the thesis's for an NVIDIA A100; the "
        f"regimes meet at {boundary:.1f} GB/s.",
        "Dotted: the bound for very many blocks, the smaller of ratio x interconnect and decompression.",
    ]
    return FigureOutput(figure, table, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """The model's value for what the thesis prints."""
    del result
    ratio, decompression = _gsst(published)
    interconnect = published.value("gsst_fig_6_3", "interconnect with the largest lead of GSST")
    value = throughput_without_overlap(ratio, decompression, interconnect)
    return {"GSST ingestion throughput at the largest lead": value}
