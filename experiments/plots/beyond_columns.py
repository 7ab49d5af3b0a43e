"""Ratio and throughput of every column: one line for each, a mark for each format or stage."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator

from experiments.captions import SKIPPED
from experiments.definition import load_experiment
from experiments.own_sizes import OwnRatio, own_ratios
from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.stages import short_name, slowest_and_fastest
from experiments.published import Published
from experiments.results import Result
from experiments.text_template import column_name

TARGET = "beyond_columns"
THESIS = "thesis"
# The column that the thesis's numbers are compared with.
OF_THESIS = "l_comment"
RATIO, THROUGHPUT = "compression ratio", "decompression throughput"
# One stage of each format, which decides the ratio: blocks, splits and tiles. That of coalesced is within
# 1 % of that of splits.
DRAWN_RATIOS = ("01_blocks", "04_alignment", "09_warp_tiles")
# Ten stages would hide each other: the steps that differ, and of those after 04 the fastest.
DRAWN_ALONE = ("01_blocks", "03_shared_memory", "04_alignment", "09_warp_tiles")
BEST_OF = ("05_coalesced", "06_async", "06_async_pipeline", "06_async_splits", "07_tuned")
BEST = "best of 05 to 07"
LOOKS = dict(
    zip(
        (*DRAWN_ALONE[:3], BEST, DRAWN_ALONE[3]),
        (*style.SERIES[:4], (style.OURS, "o")),
        strict=True,
    )
)
# Whose ratio is also shown of the columns as they are: wide codes have room for long parts of a small text.
TILES = "09_warp_tiles"
ONCE = "09, column once"
LEVEL_1_ONCE = "level 1 in blocks, column once"
LINE_INCHES = 0.125
COLUMNS = ["series", "column", "uncompressed_bytes", "ratio", "throughput_gb_per_s", "slowest", "fastest"]


def _measured(result: Result) -> pd.DataFrame:
    rows = [
        (
            short_name(row["stage"]),
            column_name(row["dataset"]),
            row["uncompressed_bytes"],
            row["ratio"],
            row["throughput_gb_per_s"],
            *slowest_and_fastest(row),
        )
        for row in result.rows
    ]
    return pd.DataFrame(rows, columns=COLUMNS).sort_values(["column", "series"], ignore_index=True)


def _thesis(published: Published) -> pd.DataFrame:
    """The thesis's numbers of the last stage."""
    values = [published.value(TARGET, f"{OF_THESIS} 07_tuned {name}") for name in (RATIO, THROUGHPUT)]
    return pd.DataFrame([(THESIS, OF_THESIS, None, *values, None, None)], columns=COLUMNS)


def _best(measured: pd.DataFrame) -> pd.DataFrame:
    """The fastest of the stages BEST_OF on each column, as one series."""
    of_stages = measured[measured["series"].isin(BEST_OF)]
    fastest = of_stages.loc[of_stages.groupby("column")["throughput_gb_per_s"].idxmax()]
    return fastest.assign(series=BEST)


def _by_ratio(measured: pd.DataFrame) -> list[str]:
    """The columns, the best compressed one first."""
    return list(measured.groupby("column")["ratio"].max().sort_values(ascending=False).index)


def _draw_marks(axes: Axes, table: pd.DataFrame, value: str, lines: Sequence[str]) -> None:
    for series, (color, marker) in LOOKS.items():
        part = table[table["series"] == series]
        if part.empty:
            continue
        places = [lines.index(column) for column in part["column"]]
        axes.plot(part[value], places, marker, color=color, markersize=3, label=series)


def _draw_thesis(axes: Axes, thesis: pd.DataFrame, value: str, lines: Sequence[str]) -> None:
    axes.plot(
        thesis[value],
        [lines.index(column) for column in thesis["column"]],
        "D",
        color=style.PAPER,
        markerfacecolor="none",
        markersize=4.5,
        label="thesis (A100)",
    )


def _own(columns: Sequence[str]) -> list[OwnRatio]:
    """The ratios of these columns as they are; the smallest columns are the first."""
    known = [ratio for column, ratio in own_ratios().items() if column in columns]
    return sorted(known, key=lambda ratio: ratio.uncompressed_bytes)


def _own_table(own: Sequence[OwnRatio]) -> pd.DataFrame:
    rows = [
        (series, entry.column, entry.uncompressed_bytes, ratio, None, None, None)
        for entry in own
        for series, ratio in ((ONCE, entry.tiles), (LEVEL_1_ONCE, entry.level_1))
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _draw_own(ratios: Axes, of_legend: Axes, own: Sequence[OwnRatio], lines: Sequence[str]) -> None:
    looks = {"color": style.OURS, "markerfacecolor": "none", "markersize": 3}
    of_legend.plot([], [], "o", label=ONCE, **looks)
    ratios.plot([entry.tiles for entry in own], [lines.index(entry.column) for entry in own], "o", **looks)


def _named(names: Sequence[str]) -> str:
    return f" (not {', '.join(names)})" if names else ""


def _ratio_notes(measured: pd.DataFrame, own: Sequence[OwnRatio]) -> list[str]:
    """On how many columns tiles compress best, repeated and as they are."""
    repeated = measured.pivot_table(index="column", columns="series", values="ratio")
    others = repeated.drop(columns=TILES).max(axis=1)
    compared = repeated[TILES][others.notna()]
    behind = [column for column in compared.index if compared[column] <= others[column]]
    notes = []
    if len(compared):
        notes.append(
            f"Repeated, {len(compared) - len(behind)} of {len(compared)} columns are smallest in tiles"
            f"{_named(behind)}."
        )
    if own:
        larger = [entry for entry in own if entry.tiles <= entry.level_1]
        named = [f"{entry.column}: {entry.tiles:.3f} against {entry.level_1:.3f}" for entry in larger]
        gains = {entry.column: repeated[TILES][entry.column] / entry.tiles - 1 for entry in own}
        most = max(gains, key=gains.__getitem__)
        notes.append(
            f"Hollow, and in the CSV: the ratio of the column as it is, once, as one block at level 6 with "
            f"the width that is best for it. That way {len(own) - len(larger)} of {len(own)} columns are "
            f"smaller than in a block with FSST's way of training, level 1{_named(named)}. Repeating raises "
            f"the ratio in tiles by {100 * gains[most]:.0f} % at most ({most})."
        )
    return notes


def _missing_note(measured: pd.DataFrame) -> list[str]:
    """Which columns of the definition have no row."""
    scale = load_experiment(TARGET).scales["paper"]
    wanted = [column_name(instance.label) for instance in scale.instances]
    missing = [column for column in wanted if column not in set(measured["column"])]
    if not missing:
        return []
    return [f"{SKIPPED} {len(missing)} columns that were not available: {', '.join(missing)}."]


def draw(inputs: FigureInput) -> FigureOutput:
    """Ratios on the left, throughputs on the right; the columns are in the order of their ratios."""
    thesis = _thesis(inputs.published)
    measured = _measured(inputs.result) if inputs.result else pd.DataFrame(columns=COLUMNS)
    lines = _by_ratio(measured) if inputs.result else [OF_THESIS]
    shown = thesis[thesis["column"].isin(lines)]
    figure, (ratios, throughputs) = style.new_figure(0.95 + LINE_INCHES * max(len(lines), 4), columns=2)
    _draw_marks(ratios, measured[measured["series"].isin(DRAWN_RATIOS)], "ratio", lines)
    drawn = pd.concat([measured[measured["series"].isin(DRAWN_ALONE)], _best(measured)])
    _draw_marks(throughputs, drawn, "throughput_gb_per_s", lines)
    own = _own(list(measured[measured["series"] == TILES]["column"]))
    if own:
        _draw_own(ratios, throughputs, own, lines)
    for axes, value in ((ratios, "ratio"), (throughputs, "throughput_gb_per_s")):
        _draw_thesis(axes, shown, value, lines)
    ratios.set_xlim(0, 1.08 * max([*measured["ratio"], *shown["ratio"]]))
    speeds = [*measured["throughput_gb_per_s"], *shown["throughput_gb_per_s"]]
    throughputs.set_xscale("log")
    throughputs.set_xlim(0.7 * min(speeds), 1.5 * max(speeds))
    throughputs.xaxis.set_major_locator(FixedLocator([10, 30, 100, 300, 1000]))
    style.plain_numbers(throughputs, "x")
    style.legend_above(figure, 3, throughputs, handletextpad=0.1, columnspacing=0.8, borderpad=0.1)
    ratios.set_yticks(range(len(lines)), lines)
    ratios.set_ylim(len(lines) - 0.5, -0.5)
    ratios.set_xlabel("compression ratio")
    throughputs.set_xlabel("throughput (GB/s)")
    notes = [
        "The thesis's point is its ratio and throughput on TPC-H text, which it does not name; it is drawn "
        f"at {OF_THESIS}."
    ]
    if inputs.result:
        notes += _ratio_notes(measured, own) if TILES in set(measured["series"]) else []
        notes += _missing_note(measured)
    parts = (measured, _own_table(own), thesis)
    whole = pd.concat([part for part in parts if not part.empty], ignore_index=True)
    return FigureOutput(figure, whole, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """Each stage's ratio and throughput on the column that the thesis's numbers stand for."""
    del published
    if result is None or not result.rows:
        return {}
    table = _measured(result)
    values = {}
    for line in table[table["column"] == OF_THESIS].itertuples():
        values[f"{OF_THESIS} {line.series} {RATIO}"] = line.ratio
        values[f"{OF_THESIS} {line.series} {THROUGHPUT}"] = line.throughput_gb_per_s
    return values
