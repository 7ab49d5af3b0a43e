"""Ingestion throughput against interconnect throughput, from the points of Figure 6.2."""

import itertools
import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from experiments.ingestion_model import Codec, crossover, leading_range, throughput_without_overlap
from experiments.plots import style
from experiments.plots.gpu_codecs import measured_codecs, published_codecs, representatives
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result

TARGET = "gsst_fig_6_3"
GSST = "GSST"
INTERCONNECTS = np.geomspace(0.1, 400, 240)
# The thesis's figure ends there.
LARGEST_IN_THESIS = 100.0
WITHOUT_POINT = ("Snappy", "LZ4", "GDeflate", "Cascaded")
CROSSOVERS = {
    "Zstd": "interconnect where GSST overtakes Zstd",
    "ANS": "interconnect where ANS overtakes GSST",
}
LOOKS = {
    GSST: (style.OURS, "o", "-"),
    "ANS": (style.BLUE, "s", "-"),
    "Bitcomp": (style.GREEN, "^", "-"),
    "Zstd": (style.PURPLE, "v", "-"),
    "Snappy": (style.ORANGE, "D", "-"),
    "LZ4": (style.SKY_BLUE, "P", "-"),
    "Deflate": (style.BLACK, "X", "-"),
    "GDeflate": (style.BLUE, "<", "--"),
    "Cascaded": (style.ORANGE, ">", "--"),
}
# Names at the ends of the lines stand at least so far apart, as a factor on the axis.
LABEL_FACTOR = 1.5
COLUMNS = [
    "codec",
    "kind",
    "ratio",
    "decompression_gb_per_s",
    "interconnect_gb_per_s",
    "ingestion_gb_per_s",
]


def _table(codecs: Mapping[str, Codec], kinds: Mapping[str, str]) -> pd.DataFrame:
    rows = [
        (name, kinds[name], *codec, interconnect, throughput_without_overlap(*codec, interconnect))
        for name, codec in codecs.items()
        for interconnect in INTERCONNECTS
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _without_point() -> pd.DataFrame:
    rows = [(name, "no point printed", None, None, None, None) for name in WITHOUT_POINT]
    return pd.DataFrame(rows, columns=COLUMNS)


def _points_of_thesis(published: Published) -> dict[str, Codec]:
    return {name: codec.point for name, codec in published_codecs(published).items()}


def _points_of_result(result: Result | None) -> dict[str, Codec]:
    return {name: codec.point for name, codec in representatives(measured_codecs(result)).items()}


def _relative(table: pd.DataFrame) -> pd.DataFrame:
    """The table with the throughput of each codec over GSST's at the same interconnect."""
    ours = table[table["codec"] == GSST].set_index("interconnect_gb_per_s")["ingestion_gb_per_s"]
    return table.assign(
        ingestion_gb_per_s=table["ingestion_gb_per_s"] / table["interconnect_gb_per_s"].map(ours)
    )


def _draw_relative(axes: Axes, table: pd.DataFrame) -> None:
    """The same lines over GSST's, on a linear axis: a lead of a quarter is seen."""
    for name, (color, marker, line) in LOOKS.items():
        part = table[table["codec"] == name]
        if not part.empty:
            x, y = part["interconnect_gb_per_s"], part["ingestion_gb_per_s"]
            axes.plot(x, y, line, color=color, marker=marker, markevery=(20, 40))
    axes.set_xscale("log")
    axes.set_xlim(INTERCONNECTS[0], 3300)
    axes.set_ylim(0, 1.6)
    style.plain_numbers(axes, "x")
    axes.set_ylabel("relative to GSST")


def _crossovers(codecs: Mapping[str, Codec]) -> dict[str, float]:
    """Where Equation 3.4 puts the crossovers of GSST with Zstd and ANS, in GB/s, where there are such."""
    found = {}
    for name in CROSSOVERS:
        if GSST not in codecs or name not in codecs:
            continue
        try:
            found[name] = crossover(codecs[GSST], codecs[name])
        except ValueError:
            continue
    return found


def _spread(heights: Mapping[str, float]) -> dict[str, float]:
    """The heights moved apart until neighbours differ by the factor, around the middle of all."""
    names = sorted(heights, key=lambda name: heights[name])
    places = [math.log(heights[name]) for name in names]
    gap = math.log(LABEL_FACTOR)
    for _ in range(100):
        for lower, upper in itertools.pairwise(range(len(places))):
            missing = gap - (places[upper] - places[lower])
            if missing > 1e-9:
                places[lower] -= missing / 2
                places[upper] += missing / 2
    return {name: math.exp(place) for name, place in zip(names, places, strict=True)}


def _draw_lines(axes: Axes, table: pd.DataFrame, starred: str) -> None:
    """A line for each codec and its name at the end, with a star where its point is of the kind `starred`."""
    ends = table.groupby("codec")["ingestion_gb_per_s"].last().to_dict()
    places = _spread(ends)
    for name, (color, marker, line) in LOOKS.items():
        part = table[table["codec"] == name]
        if part.empty:
            continue
        x, y = part["interconnect_gb_per_s"], part["ingestion_gb_per_s"]
        axes.plot(x, y, line, color=color, marker=marker, markevery=(20, 40))
        # A dashed line has the colour of another codec.
        shown = f"{name} - -" if line == "--" else name
        axes.annotate(
            f"{shown} *" if part["kind"].iloc[0] == starred else shown,
            (x.iloc[-1] * 1.15, places[name]),
            va="center",
            color=color,
            fontsize=style.LABEL_SIZE,
            annotation_clip=False,
        )


def _set_axes(axes: Axes, title: str) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(INTERCONNECTS[0], 3300)
    axes.set_ylim(0.1, 1000)
    axes.set_title(title)
    style.plain_numbers(axes, "x")
    style.plain_numbers(axes, "y")
    axes.set_ylabel("ingestion throughput (GB/s)")


def _mark_thesis(axes: Axes, printed: Mapping[str, float], equation: Mapping[str, float]) -> None:
    """Vertical lines: dashed where the thesis puts a crossover, solid where the equation does."""
    for name in CROSSOVERS:
        axes.axvline(printed[name], color=style.GREY, linewidth=0.8, linestyle=(0, (4, 2)))
        axes.axvline(equation[name], color=style.BLACK, linewidth=0.8)
    for name, (side, align) in {"Zstd": (1.12, "left"), "ANS": (0.9, "right")}.items():
        edge = max if side > 1 else min
        x = edge(printed[name], equation[name]) * side
        digits = 0 if equation[name] >= 100 else 2
        text = f"GSST = {name}\nsolid: equation {equation[name]:.{digits}f}\ndashed: thesis {printed[name]:g}"
        axes.text(x, CROSSOVER_LABEL_HEIGHT[name], text, ha=align, va="center", fontsize=style.LABEL_SIZE)


CROSSOVER_LABEL_HEIGHT = {"Zstd": 0.45, "ANS": 2.1}


def _mark_lead(axes: Axes, lead: tuple[float, float] | None) -> None:
    """The ends of the range in which GSST leads, where they are on the axis."""
    for end in lead or ():
        if INTERCONNECTS[0] < end < INTERCONNECTS[-1]:
            axes.axvline(end, color=style.BLACK, linewidth=0.8)
            text = f"GSST {'ahead from' if end == lead[0] else 'behind from'} {end:.3g}"
            axes.text(1.12 * end, 0.13, text, va="bottom", fontsize=style.LABEL_SIZE)


def _lead_text(lead: tuple[float, float] | None) -> str:
    if lead is None:
        return "By Equation 3.4 GSST leads at no interconnect throughput with what was measured"
    start = "" if lead[0] == 0 else f"from {lead[0]:.3g} GB/s "
    end = "on" if math.isinf(lead[1]) else f"to {lead[1]:.3g} GB/s"
    return f"By Equation 3.4 GSST leads {start}{end} with what was measured".replace(
        "leads on", "leads always"
    )


def _lead(codecs: Mapping[str, Codec]) -> tuple[float, float] | None:
    if GSST not in codecs:
        return None
    return leading_range(codecs[GSST], (codec for name, codec in codecs.items() if name != GSST))


def draw(inputs: FigureInput) -> FigureOutput:
    """The thesis's codecs with its crossovers and the equation's, and below them those that were measured."""
    kinds = {name: codec.kind for name, codec in published_codecs(inputs.published).items()}
    of_thesis = _points_of_thesis(inputs.published)
    measured = _points_of_result(inputs.result)
    thesis_table = _table(of_thesis, kinds)
    measured_table = _table(measured, dict.fromkeys(measured, "measured"))
    groups = 2 if measured else 1
    figure, plots = style.new_figure(4.4 * groups, rows=2 * groups, heights=[1.5, 1] * groups)
    printed = {name: inputs.published.value(TARGET, quantity) for name, quantity in CROSSOVERS.items()}
    equation = _crossovers(of_thesis)
    _set_axes(plots[0], "the thesis's points (A100); * derived")
    _draw_lines(plots[0], thesis_table, "derived")
    _mark_thesis(plots[0], printed, equation)
    _draw_relative(plots[1], _relative(thesis_table))
    notes = [
        "* derived from a printed relation to GSST's point. No point is printed for "
        + ", ".join(WITHOUT_POINT)
        + ": left empty.",
        f"The thesis puts GSST ahead between {printed['Zstd']:g} and {printed['ANS']:g} GB/s; Equation 3.4 "
        f"with the numbers of Section 6.2 gives {equation['Zstd']:.2f} and {equation['ANS']:.0f} GB/s. "
        "Both are drawn: dashed the thesis, solid the equation.",
    ]
    if measured:
        lead = _lead(measured)
        _set_axes(plots[2], f"measured ({inputs.result.environment['gpu'] if inputs.result else ''})")
        _draw_lines(plots[2], measured_table, "")
        _mark_lead(plots[2], lead)
        if GSST in measured:
            _draw_relative(plots[3], _relative(measured_table))
        else:
            style.draw_no_measurement(plots[3])
        notes.append(
            f"{_lead_text(lead)}. GSST is the tuned stage there, and a codec of nvCOMP the faster of its "
            "two interfaces."
        )
    plots[-1].set_xlabel("interconnect throughput (GB/s, compressed)")
    parts = [part for part in (thesis_table, measured_table, _without_point()) if not part.empty]
    return FigureOutput(figure, pd.concat(parts, ignore_index=True), notes)


def _gain(codecs: Mapping[str, Codec], name: str, interconnect: float) -> float:
    """How much faster GSST ingests than the codec, in percent."""
    ours = throughput_without_overlap(*codecs[GSST], interconnect)
    return (ours / throughput_without_overlap(*codecs[name], interconnect) - 1) * 100


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """What Equation 3.4 gives for the numbers that Section 6.3 prints; with the thesis's points where there
    is no result."""
    codecs = _points_of_thesis(published) if result is None else _points_of_result(result)
    interconnect = published.value(TARGET, "interconnect with the largest lead of GSST")
    values = {CROSSOVERS[name]: value for name, value in _crossovers(codecs).items()}
    for name in (GSST, "ANS"):
        if name in codecs:
            quantity = f"{name} ingestion throughput at the largest lead"
            values[quantity] = throughput_without_overlap(*codecs[name], interconnect)
    if GSST in codecs and "ANS" in codecs:
        gain = _gain(codecs, "ANS", interconnect)
        values["gain of GSST ingestion throughput over ANS at the largest lead"] = gain
    if GSST in codecs and "Snappy" in codecs:
        values["largest gain of GSST ingestion throughput over Snappy"] = max(
            _gain(codecs, "Snappy", x) for x in INTERCONNECTS if x <= LARGEST_IN_THESIS
        )
    return values
