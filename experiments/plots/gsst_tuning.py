"""Throughput of every candidate of the tuned stage's sweep, and of the chosen one on another text."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MultipleLocator

from experiments.gpu_points import candidates
from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.labels import Label, Point, place_labels
from experiments.published import Published
from experiments.results import Result
from experiments.sweep_result import CANDIDATE, CHOSEN

TARGET = "gsst_tuning"
THROUGHPUT = "decompression throughput"
BLOCKS = "blocks per SM"
# Parameters of the stage, which the thesis's numbers are named after.
PARAMETERS = ["splits", "alignment", "input_transfers", "output_transfers", "registers"]
THESIS = "thesis"
COLUMNS = ["series", "dataset", BLOCKS, *PARAMETERS, "threads_per_sm", "throughput_gb_per_s"]


def _values(row: dict[str, Any]) -> dict[str, float]:
    """The parameters and the throughput of a row, under the names of the published ones."""
    return {
        BLOCKS: row["parameters"]["blocks"] / row["multiprocessors"],
        **{name: row["parameters"][name] for name in PARAMETERS},
        THROUGHPUT: row["throughput_gb_per_s"],
    }


def _line(series: str, dataset: str | None, values: dict[str, float]) -> tuple:
    threads = values[BLOCKS] * values["splits"]
    parameters = [values.get(name) for name in (BLOCKS, *PARAMETERS)]
    return series, dataset, *parameters, threads, values[THROUGHPUT]


def _measured(result: Result) -> pd.DataFrame:
    rows = [_line(row["policy"], row["dataset"], _values(row)) for row in result.rows]
    return pd.DataFrame(rows, columns=COLUMNS)


def _thesis(published: Published) -> pd.DataFrame:
    values = {number.quantity: number.value for number in published.of(TARGET) if number.value is not None}
    return pd.DataFrame([_line(THESIS, None, values)], columns=COLUMNS)


def _same_setting(table: pd.DataFrame, chosen: pd.Series) -> pd.DataFrame:
    """The rows of `table` with the setting of the row `chosen`."""
    parameters = [BLOCKS, *PARAMETERS]
    return table[(table[parameters] == chosen[parameters]).all(axis="columns")]


def _draw_candidates(axes: Axes, table: pd.DataFrame, looks: dict[int, tuple[str, str]]) -> None:
    for registers, (color, marker) in looks.items():
        part = table[table["registers"] == registers]
        axes.plot(
            part["threads_per_sm"],
            part["throughput_gb_per_s"],
            linestyle="none",
            marker=marker,
            color=color,
            markersize=2.6,
            markeredgewidth=0,
            alpha=0.75,
        )


def _mark(axes: Axes, line: pd.Series, color: str, marker: str, size: float, filled: bool) -> Point:
    """Marks one point and returns it."""
    point = (line["threads_per_sm"], line["throughput_gb_per_s"])
    face = color if filled else "none"
    axes.plot(*point, marker, color=color, markersize=size, markerfacecolor=face, zorder=4)
    return point


def _mark_chosen(axes: Axes, table: pd.DataFrame) -> list[Label]:
    """Marks what was chosen on both texts, where it is in this plot."""
    labels = []
    tried = table[table["series"] == CANDIDATE]
    for _, line in table[table["series"] == CHOSEN].iterrows():
        reported = _mark(axes, line, style.OURS, "*", 5, filled=True)
        (tuned,) = [
            _mark(axes, candidate, style.OURS, "o", 6.5, filled=False)
            for _, candidate in _same_setting(tried, line).iterrows()
        ]
        text = f"chosen: {tuned[1]:.0f}, on another text: {reported[1]:.0f}"
        labels.append(Label(text, [reported, tuned], style.OURS))
    return labels


def _mark_thesis(axes: Axes, table: pd.DataFrame) -> list[Label]:
    """Marks the thesis's point, where it is in this plot."""
    labels = []
    for _, line in table[table["series"] == THESIS].iterrows():
        point = _mark(axes, line, style.PAPER, "D", 4, filled=False)
        labels.append(Label(f"thesis (A100): {point[1]:g}", [point], style.PAPER))
    return labels


def _draw_alignment(axes: Axes, table: pd.DataFrame, looks: dict[int, tuple[str, str]]) -> None:
    """What has one alignment. The limits of the axes must be final."""
    _draw_candidates(axes, table[table["series"] == CANDIDATE], looks)
    labels = [*_mark_chosen(axes, table), *_mark_thesis(axes, table)]
    points = list(zip(table["threads_per_sm"], table["throughput_gb_per_s"], strict=True))
    place_labels(axes, labels, points)


def _write_register_limits(axes: Axes, looks: dict[int, tuple[str, str]]) -> None:
    """The colours of the register limits, above the plot."""
    for registers, (color, marker) in looks.items():
        axes.plot([], [], linestyle="none", marker=marker, color=color, label=f"{registers:g}")
    style.legend_above(
        axes.figure,
        len(looks),
        title="most registers of a thread",
        title_fontsize=style.LABEL_SIZE,
        handletextpad=0.1,
        columnspacing=1.2,
        borderpad=0.1,
    )


def _notes(inputs: FigureInput, measured: pd.DataFrame) -> list[str]:
    notes = ["The thesis's parameters are of its Section 5.4.4, its throughput is that of its abstract."]
    if measured.empty:
        return notes
    tried = int((measured["series"] == CANDIDATE).sum())
    notes.append(f"{tried} of {len(candidates(inputs.experiment))} candidates were measured.")
    for _, chosen in measured[measured["series"] == CHOSEN].iterrows():
        setting = ", ".join(f"{name} {chosen[name]:g}" for name in (BLOCKS, *PARAMETERS))
        notes.append(f"Chosen: {setting}.")
    return notes


def draw(inputs: FigureInput) -> FigureOutput:
    """One plot for each alignment: candidates, the chosen setting on both texts, and the thesis's point."""
    measured = _measured(inputs.result) if inputs.result else pd.DataFrame(columns=COLUMNS)
    parts = [part for part in (measured, _thesis(inputs.published)) if not part.empty]
    whole = pd.concat(parts, ignore_index=True)
    looks = dict(zip(sorted(set(measured["registers"])), style.SERIES, strict=False))
    alignments = sorted(set(whole["alignment"]))
    figure, plots = style.new_figure(0.8 + 1.7 * len(alignments), rows=len(alignments))
    threads, values = whole["threads_per_sm"], whole["throughput_gb_per_s"]
    if looks:
        _write_register_limits(plots[0], looks)
    for alignment, axes in zip(alignments, plots, strict=True):
        axes.set_xlim(threads.min() - 128, threads.max() + 128)
        axes.set_ylim(0.85 * values.min(), 1.15 * values.max())
        axes.xaxis.set_major_locator(MultipleLocator(512))
        axes.set_title(f"alignment {alignment:g} bytes")
        axes.set_ylabel("throughput (GB/s)")
    plots[-1].set_xlabel("threads per SM (blocks per SM x splits)")
    for alignment, axes in zip(alignments, plots, strict=True):
        _draw_alignment(axes, whole[whole["alignment"] == alignment], looks)
    return FigureOutput(figure, whole, _notes(inputs, measured))


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """Setting and throughput of the fastest row: of the candidates, or of what was chosen."""
    del published
    if result is None or not result.rows:
        return {}
    return _values(max(result.rows, key=lambda row: row["throughput_gb_per_s"]))
