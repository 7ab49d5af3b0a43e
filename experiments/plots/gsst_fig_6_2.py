"""Compression ratio against decompression throughput of our stages and of nvCOMP, with the Pareto front."""

import pandas as pd
from matplotlib.axes import Axes

from experiments.plots import style
from experiments.plots.codec_scatter import COLUMNS, anchors, draw_measured, front, labels_of, measured_table
from experiments.plots.gpu_codecs import (
    GSST_STAGE,
    MANAGER,
    OURS,
    MeasuredCodec,
    measured_codecs,
    missing_note,
    published_codecs,
)
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.labels import Label, place_labels
from experiments.published import Published
from experiments.results import Result

THESIS = "thesis (A100)"
CPU_IN_THESIS = "FSST decompression throughput"


def _measured_table(codecs: list[MeasuredCodec]) -> pd.DataFrame:
    return measured_table(
        (codec.series, codec.name, codec.ratio, codec.decompression, codec.slowest, codec.fastest)
        for codec in codecs
    )


def _thesis_table(published: Published) -> pd.DataFrame:
    rows = [
        (f"thesis, {codec.kind}", codec.name, codec.ratio, codec.decompression, None, None, None)
        for codec in published_codecs(published).values()
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _draw_thesis(axes: Axes, table: pd.DataFrame) -> None:
    axes.plot(
        table["throughput_gb_per_s"],
        table["ratio"],
        linestyle="",
        marker="o",
        markerfacecolor="white",
        color=style.PAPER,
        zorder=2,
        label=THESIS,
    )


def _labels(measured: pd.DataFrame, thesis: pd.DataFrame) -> list[Label]:
    """A stage's number, and the names of the others."""
    return labels_of(measured, lambda name: name[:2]) + [
        Label(line.codec, [(line.throughput_gb_per_s, line.ratio)], style.PAPER)
        for line in thesis.itertuples()
    ]


def _mark_cpu_of_thesis(axes: Axes, published: Published) -> None:
    """The thesis prints the throughput of FSST on a CPU and not its ratio: a tick at the edge."""
    value = published.value("gsst_fig_2_2", CPU_IN_THESIS)
    along = axes.get_xaxis_transform()
    axes.plot([value, value], [0, 0.05], color=style.PAPER, transform=along)
    axes.text(
        *(value * 1.06, 0.01, "FSST on a CPU\n(thesis)"),
        color=style.PAPER,
        fontsize=style.LABEL_SIZE,
        va="bottom",
        transform=along,
    )


def draw(inputs: FigureInput) -> FigureOutput:
    """All points in one plot; the thesis's are hollow."""
    measured = _measured_table(measured_codecs(inputs.result))
    thesis = _thesis_table(inputs.published)
    whole = pd.concat([part for part in (measured, thesis) if not part.empty], ignore_index=True)
    figure, (axes,) = style.new_figure(4.0)
    axes.set_xscale("log")
    throughputs = whole["throughput_gb_per_s"]
    least = min(throughputs.min(), inputs.published.value("gsst_fig_2_2", CPU_IN_THESIS))
    axes.set_xlim(0.7 * least, 1.9 * throughputs.max())
    axes.set_ylim(0.75, 1.08 * whole["ratio"].max())
    style.plain_numbers(axes, "x")
    axes.set_xlabel("decompression throughput (GB/s)")
    axes.set_ylabel("compression ratio")
    _draw_thesis(axes, thesis)
    draw_measured(axes, measured)
    _mark_cpu_of_thesis(axes, inputs.published)
    style.legend_above(figure, 2)
    place_labels(axes, _labels(measured, thesis), anchors(whole), anchors(front(measured)), axes.texts)
    notes = [
        "Numbers are our stages. The thesis prints GSST's point and relations to it, from which "
        "those of ANS, Bitcomp and Zstd follow; no point is printed for LZ4, Snappy, GDeflate and Cascaded, "
        "nor a ratio of FSST on a CPU.",
    ]
    notes += missing_note(inputs.result, inputs.experiment.peers)
    return FigureOutput(figure, whole, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """What Section 6.2 prints or implies: GSST is the tuned stage, nvCOMP its manager, as in the thesis."""
    del published
    codecs = {
        "GSST" if codec.series == OURS else codec.name: codec
        for codec in measured_codecs(result)
        if codec.series == MANAGER or (codec.series, codec.name) == (OURS, GSST_STAGE)
    }
    values: dict[str, float] = {}
    for name, codec in codecs.items():
        values[f"{name} compression ratio"] = codec.ratio
        values[f"{name} decompression throughput"] = codec.decompression
    gsst = codecs.get("GSST")
    if gsst is None:
        return values
    values["GSST decompression throughput in the abstract"] = gsst.decompression
    for name in ("ANS", "Bitcomp"):
        if name in codecs:
            values[f"{name} throughput relative to GSST"] = codecs[name].decompression / gsst.decompression
            values[f"GSST ratio relative to {name}"] = gsst.ratio / codecs[name].ratio
    if "Zstd" in codecs:
        values["Zstd ratio relative to GSST"] = codecs["Zstd"].ratio / gsst.ratio
        values["GSST throughput relative to Zstd"] = gsst.decompression / codecs["Zstd"].decompression
    return values
