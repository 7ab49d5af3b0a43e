"""Throughput against the shared memory that a thread block asks for and does not use."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.labels import Label, Point, place_labels
from experiments.plots.stages import slowest_and_fastest
from experiments.published import Published
from experiments.results import Result

TARGET = "gsst_fig_5_3"
LEAST, MOST = "least shared memory per block", "most shared memory per block"
LOST = "throughput lost with 4 times the shared memory"
SERIES = "stage 07"
THESIS = "thesis"
COLUMNS = ["series", "shared_kib", "relative_throughput", "throughput_gb_per_s", "slowest", "fastest"]


def _measured(result: Result, least: float) -> pd.DataFrame:
    """Throughputs by shared memory, relative to that at `least` KiB, which must be measured."""
    rows = sorted(result.rows, key=lambda row: row["parameters"]["shared_kilobytes"])
    by_size = {row["parameters"]["shared_kilobytes"]: row["throughput_gb_per_s"] for row in rows}
    lines = [
        (SERIES, size, by_size[size] / by_size[least], by_size[size], *slowest_and_fastest(row))
        for size, row in zip(by_size, rows, strict=True)
    ]
    return pd.DataFrame(lines, columns=COLUMNS)


def _thesis(published: Published) -> pd.DataFrame:
    least, most = published.value(TARGET, LEAST), published.value(TARGET, MOST)
    kept = 1 - published.value(TARGET, LOST) / 100
    rows = [(THESIS, least, 1.0, None, None, None), (THESIS, most, kept, None, None, None)]
    return pd.DataFrame(rows, columns=COLUMNS)


def _draw_measured(axes: Axes, table: pd.DataFrame) -> list[Label]:
    """Draws our line and returns what is to be written beside its points."""
    x, y = table["shared_kib"], table["relative_throughput"]
    scale = y / table["throughput_gb_per_s"]
    errors = [y - scale * table["slowest"], scale * table["fastest"] - y]
    axes.errorbar(x, y, yerr=errors, color=style.OURS, marker="o", capsize=2, elinewidth=0.8)
    return [
        Label(f"{throughput:.3g}", [point], style.OURS)
        for *point, throughput in zip(x, y, table["throughput_gb_per_s"], strict=True)
    ]


def _bar_points(table: pd.DataFrame) -> list[Point]:
    """Places on the bars from the slowest to the fastest repetition, which no label may cover."""
    scale = table["relative_throughput"] / table["throughput_gb_per_s"]
    ends = zip(table["shared_kib"], scale * table["slowest"], scale * table["fastest"], strict=True)
    return [(x, y) for x, low, high in ends for y in np.linspace(low, high, 8)]


def _draw_thesis(axes: Axes, table: pd.DataFrame) -> Label:
    """Draws the thesis's two points and returns what is to be written beside the second."""
    points = list(zip(table["shared_kib"], table["relative_throughput"], strict=True))
    axes.plot(
        *zip(*points, strict=True), "D", color=style.PAPER, linestyle=(0, (4, 2)), mfc="white", zorder=3
    )
    return Label(f"thesis (A100): {points[-1][1]:g}", points[-1:], style.PAPER)


def draw(inputs: FigureInput) -> FigureOutput:
    """Our line with its throughputs, and the two points that the thesis's sentence gives."""
    least, most = inputs.published.value(TARGET, LEAST), inputs.published.value(TARGET, MOST)
    thesis = _thesis(inputs.published)
    parts = [_measured(inputs.result, least)] if inputs.result else []
    whole = pd.concat([*parts, thesis], ignore_index=True)
    figure, (axes,) = style.new_figure(2.6)
    axes.set_xticks(sorted(set(whole["shared_kib"])))
    axes.set_xlim(-0.08 * whole["shared_kib"].max(), 1.3 * whole["shared_kib"].max())
    axes.set_ylim(0, 1.25 * whole["relative_throughput"].max())
    axes.set_xlabel("shared memory that a thread block asks for (KiB)")
    axes.set_ylabel(f"throughput relative to {least:g} KiB")
    labels = [_draw_thesis(axes, thesis)]
    for measured in parts:
        labels += _draw_measured(axes, measured)
    points = list(zip(whole["shared_kib"], whole["relative_throughput"], strict=True))
    bars = [point for measured in parts for point in _bar_points(measured)]
    place_labels(axes, labels, points + bars, line=points[: -len(thesis)] or points)
    notes = ["In colour: GB/s; bars go from the slowest to the fastest repetition."] if parts else []
    notes.append(
        "The thesis prints one number for this figure: 4 times the shared memory costs "
        f"{inputs.published.value(TARGET, LOST):g} %. Its two points follow from that, taken from "
        f"{least:g} to {most:g} KB (Table 5.6)."
    )
    return FigureOutput(figure, whole, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """Percent of the throughput that is lost between the thesis's least and most shared memory."""
    if result is None or not result.rows:
        return {}
    least, most = published.value(TARGET, LEAST), published.value(TARGET, MOST)
    by_size = {row["parameters"]["shared_kilobytes"]: row["throughput_gb_per_s"] for row in result.rows}
    values = {LEAST: min(size for size in by_size if size), MOST: max(by_size)}
    if least in by_size and most in by_size:
        values[LOST] = 100 * (1 - by_size[most] / by_size[least])
    return values
