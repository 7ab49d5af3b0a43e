"""Decompression throughput of the decoder stages and their share of the streaming limit."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.stages import (
    POLICIES,
    all_stages,
    published_by_stage,
    short_name,
    slowest_and_fastest,
)
from experiments.published import Published
from experiments.results import Result

TARGET = "gsst_fig_6_1"
THROUGHPUT = "decompression throughput"
DERIVED = "thesis, derived"
PRINTED = "thesis, printed"
RELATIVE = " throughput relative to "
COLUMNS = ["series", "stage", "throughput_gb_per_s", "share_of_streaming_limit", "slowest", "fastest"]
# Marker, whether it is filled, and how far below the stage's line it stands, so that none covers another.
LOOKS = {"common": ("o", False, 0.0), "best": ("o", True, 0.27)}
THESIS_SHIFT = -0.27


def _measured(result: Result) -> pd.DataFrame:
    rows = []
    for row in result.rows:
        limit = row["streaming_limit_gb_per_s"]
        share = row["throughput_gb_per_s"] / limit if limit else None
        spread = slowest_and_fastest(row)
        rows.append((row["policy"], short_name(row["stage"]), row["throughput_gb_per_s"], share, *spread))
    return pd.DataFrame(rows, columns=COLUMNS)


def _thesis(published: Published) -> pd.DataFrame:
    kinds = {number.quantity: number.kind for number in published.of(TARGET)}
    rows = [
        (f"thesis, {kinds[f'{stage} {THROUGHPUT}']}", stage, value, None, None, None)
        for stage, value in published_by_stage(published, TARGET, THROUGHPUT).items()
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _draw_thesis(axes: Axes, thesis: pd.DataFrame, places: dict[str, int]) -> None:
    for series, filled in ((DERIVED, False), (PRINTED, True)):
        part = thesis[thesis["series"] == series]
        axes.plot(
            part["throughput_gb_per_s"],
            [places[stage] + THESIS_SHIFT for stage in part["stage"]],
            linestyle="none",
            marker="D",
            color=style.PAPER,
            markerfacecolor=style.PAPER if filled else "white",
            label=f"{series} (A100)",
        )
    for stage, value in zip(thesis["stage"], thesis["throughput_gb_per_s"], strict=True):
        _write_value(axes, value, places[stage] + THESIS_SHIFT, f"{value:.3g}", style.PAPER)


def _write_value(axes: Axes, x: float, y: float, text: str, color: str) -> None:
    axes.annotate(
        text,
        (x, y),
        xytext=(5, 0),
        textcoords="offset points",
        va="center",
        color=color,
        fontsize=style.LABEL_SIZE - 1.3,
    )


def _draw_measured(axes: Axes, table: pd.DataFrame, places: dict[str, int]) -> None:
    for policy in POLICIES:
        part = table[table["series"] == policy]
        if part.empty:
            continue
        marker, filled, shift = LOOKS[policy]
        heights = [places[stage] + shift for stage in part["stage"]]
        axes.plot(
            part["throughput_gb_per_s"],
            heights,
            linestyle="none",
            marker=marker,
            color=style.OURS,
            markerfacecolor=style.OURS if filled else "white",
            label=f"ours, {policy}",
        )
        for line, height in zip(part.itertuples(), heights, strict=True):
            share = line.share_of_streaming_limit
            text = f"{line.throughput_gb_per_s:.3g}" + ("" if pd.isna(share) else f" ({100 * share:.2g} %)")
            _write_value(axes, line.throughput_gb_per_s, height, text, style.OURS)


def draw(inputs: FigureInput) -> FigureOutput:
    """For each stage a mark of the thesis and one of each policy, with the share of the streaming limit."""
    thesis = _thesis(inputs.published)
    measured = _measured(inputs.result) if inputs.result else pd.DataFrame(columns=COLUMNS)
    stages = all_stages(thesis["stage"], measured["stage"])
    places = {stage: index for index, stage in enumerate(stages)}
    figure, (axes,) = style.new_figure(0.8 + 0.33 * len(stages))
    axes.set_xscale("log")
    _draw_thesis(axes, thesis, places)
    _draw_measured(axes, measured, places)
    whole = pd.concat([part for part in (measured, thesis) if not part.empty], ignore_index=True)
    values = whole["throughput_gb_per_s"]
    # Room on the right for the text beside the fastest.
    axes.set_xlim(0.6 * values.min(), 10 * values.max())
    axes.xaxis.set_major_locator(FixedLocator([0.1, 1, 10, 100, 1000, 10000]))
    style.plain_numbers(axes, "x")
    axes.set_xlabel("decompression throughput (GB/s)")
    axes.set_yticks(range(len(stages)), stages)
    axes.set_ylim(len(stages) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    style.legend_above(figure, 2)
    notes = [
        "In brackets: share of the streaming limit, measured in the same run.",
        "Derived: the thesis prints the throughput of the last stage and the factors between the stages "
        "(see the table); it does not give the parameters of the stages before the last.",
    ]
    return FigureOutput(figure, whole, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """Throughput of each stage, and the factors between stages that the thesis prints."""
    if result is None:
        return {}
    by_stage = {short_name(row["stage"]): row["throughput_gb_per_s"] for row in result.rows}
    values = {f"{stage} {THROUGHPUT}": value for stage, value in by_stage.items()}
    for number in published.of(TARGET):
        stage, relative, base = number.quantity.partition(RELATIVE)
        if relative and stage in by_stage and base in by_stage:
            values[number.quantity] = by_stage[stage] / by_stage[base]
    return values
