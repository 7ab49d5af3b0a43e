"""Ingestion throughput against interconnect throughput, from the published numbers of Figure 6.2."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from experiments.ingestion_model import crossover, throughput_without_overlap
from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result

INTERCONNECTS = np.geomspace(0.1, 400, 240)
SOURCE = "gsst_fig_6_2"
WITHOUT_POINT = ("Snappy", "LZ4", "GDeflate", "Cascaded")


@dataclass(frozen=True)
class Codec:
    """A codec's point in Figure 6.2."""

    name: str
    kind: str
    ratio: float
    decompression: float

    @property
    def point(self) -> tuple[float, float]:
        """Ratio and decompression throughput."""
        return self.ratio, self.decompression


def published_codecs(published: Published) -> dict[str, Codec]:
    """GSST's printed point, and the others from the printed relations to it."""
    ratio = published.value(SOURCE, "GSST compression ratio")
    decompression = published.value(SOURCE, "GSST decompression throughput")

    def relation(quantity: str) -> float:
        return published.value(SOURCE, quantity)

    codecs = [
        Codec("GSST", "printed", ratio, decompression),
        Codec(
            "ANS",
            "derived",
            ratio / relation("GSST ratio relative to ANS"),
            decompression * relation("ANS throughput relative to GSST"),
        ),
        Codec(
            "Bitcomp",
            "derived",
            ratio / relation("GSST ratio relative to Bitcomp"),
            decompression * relation("Bitcomp throughput relative to GSST"),
        ),
        Codec(
            "Zstd",
            "derived",
            ratio * relation("Zstd ratio relative to GSST"),
            decompression / relation("GSST throughput relative to Zstd"),
        ),
    ]
    return {codec.name: codec for codec in codecs}


def _table(codecs: dict[str, Codec]) -> pd.DataFrame:
    rows = [
        (
            codec.name,
            codec.kind,
            codec.ratio,
            codec.decompression,
            interconnect,
            throughput_without_overlap(codec.ratio, codec.decompression, interconnect),
        )
        for codec in codecs.values()
        for interconnect in INTERCONNECTS
    ]
    rows += [(name, "no point printed", None, None, None, None) for name in WITHOUT_POINT]
    return pd.DataFrame(
        rows,
        columns=[
            "codec",
            "kind",
            "ratio",
            "decompression_gb_per_s",
            "interconnect_gb_per_s",
            "ingestion_gb_per_s",
        ],
    )


def _mark_crossovers(axes: Axes, published: Published, equation: dict[str, float]) -> None:
    """Vertical lines: dashed where the thesis puts a crossover, solid where the equation does."""
    printed = {name: published.value("gsst_fig_6_3", quantity) for name, quantity in CROSSOVERS.items()}
    for name in CROSSOVERS:
        axes.axvline(printed[name], color=style.GREY, linewidth=0.8, linestyle=(0, (4, 2)))
        axes.axvline(equation[name], color=style.BLACK, linewidth=0.8)
    for name, (side, align) in {"Zstd": (1.12, "left"), "ANS": (0.9, "right")}.items():
        edge = max if side > 1 else min
        x = edge(printed[name], equation[name]) * side
        digits = 0 if equation[name] >= 100 else 2
        text = f"GSST = {name}\nsolid: equation {equation[name]:.{digits}f}\ndashed: thesis {printed[name]:g}"
        axes.text(x, CROSSOVER_LABEL_HEIGHT[name], text, ha=align, va="center", fontsize=style.LABEL_SIZE)


CROSSOVERS = {
    "Zstd": "interconnect where GSST overtakes Zstd",
    "ANS": "interconnect where ANS overtakes GSST",
}
CROSSOVER_LABEL_HEIGHT = {"Zstd": 0.45, "ANS": 2.1}
LOOKS = {
    "GSST": (style.OURS, "o"),
    "ANS": (style.BLUE, "s"),
    "Bitcomp": (style.GREEN, "^"),
    "Zstd": (style.PURPLE, "v"),
}


def equation_crossovers(published: Published) -> dict[str, float]:
    """Where Equation 3.4 puts the crossovers of GSST with Zstd and ANS, in GB/s."""
    codecs = published_codecs(published)
    return {name: crossover(codecs["GSST"].point, codecs[name].point) for name in CROSSOVERS}


def draw(inputs: FigureInput) -> FigureOutput:
    """One line for each codec with a point, and the crossovers of the thesis and of the equation."""
    codecs = published_codecs(inputs.published)
    table = _table(codecs)
    equation = equation_crossovers(inputs.published)
    figure, (axes,) = style.new_figure(2.9)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(INTERCONNECTS[0], 2200)
    axes.set_ylim(0.1, 400)
    for name, (color, marker) in LOOKS.items():
        part = table[table["codec"] == name]
        x, y = part["interconnect_gb_per_s"], part["ingestion_gb_per_s"]
        axes.plot(x, y, color=color, marker=marker, markevery=(20, 40))
        label = name if codecs[name].kind == "printed" else f"{name} *"
        axes.annotate(
            label,
            (x.iloc[-1], y.iloc[-1]),
            xytext=(4, LABEL_SHIFT[name]),
            textcoords="offset points",
            va="center",
            color=color,
            fontsize=style.LABEL_SIZE,
        )
    _mark_crossovers(axes, inputs.published, equation)
    style.plain_numbers(axes, "x")
    style.plain_numbers(axes, "y")
    axes.set_xlabel("interconnect throughput (GB/s, compressed)")
    axes.set_ylabel("ingestion throughput (GB/s)")
    printed = {
        name: inputs.published.value("gsst_fig_6_3", quantity) for name, quantity in CROSSOVERS.items()
    }
    notes = [
        "* derived from a printed relation to GSST's point. No point is printed for "
        + ", ".join(WITHOUT_POINT)
        + ": left empty.",
        f"The thesis puts GSST ahead between {printed['Zstd']:g} and {printed['ANS']:g} GB/s; Equation 3.4 "
        f"with the numbers of Section 6.2 gives {equation['Zstd']:.2f} and {equation['ANS']:.0f} GB/s. "
        "Both are drawn: dashed the thesis, solid the equation.",
    ]
    return FigureOutput(figure, table, notes)


LABEL_SHIFT = {"GSST": -7.0, "ANS": 6.0, "Bitcomp": 0.0, "Zstd": 0.0}


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """What Equation 3.4 gives for the numbers that Section 6.3 prints."""
    del result
    codecs = published_codecs(published)
    interconnect = published.value("gsst_fig_6_3", "interconnect with the largest lead of GSST")
    values = {CROSSOVERS[name]: value for name, value in equation_crossovers(published).items()}
    for name in ("GSST", "ANS"):
        quantity = f"{name} ingestion throughput at the largest lead"
        values[quantity] = throughput_without_overlap(*codecs[name].point, interconnect)
    return values
