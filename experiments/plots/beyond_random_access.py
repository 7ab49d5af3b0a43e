"""Throughput of byte ranges against the part of the text that they request."""

import math
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.stages import slowest_and_fastest
from experiments.published import Published
from experiments.results import Result

CPU = "library/cpu_ranges"
# What the GPU may read where a thousandth of the text is requested, of what the whole frame makes it read.
MOST_READ_PERCENT = 5
COLUMNS = [
    "series",
    "device",
    "pattern",
    "range_bytes",
    "selectivity_percent",
    "ranges",
    "throughput_gb_per_s",
    "slowest",
    "fastest",
    "million_ranges_per_s",
    "whole_frame_gb_per_s",
    "ratio",
    "bytes_read_by_ranges",
    "bytes_read_by_whole_frame",
    "reaches_every_block",
]


def _size(range_bytes: int) -> str:
    return f"{range_bytes // 1024} KiB" if range_bytes % 1024 == 0 else f"{range_bytes} bytes"


def _reaches_every_block(row: dict[str, Any]) -> bool:
    """Scattered ranges are one in each of as many equal parts of the text."""
    part_bytes = row["uncompressed_bytes"] / row["range_count"]
    return row["pattern"] == "scattered" and 2 * part_bytes <= row["parameters"]["block_bytes"]


def _line(row: dict[str, Any]) -> tuple[Any, ...]:
    is_cpu = row["stage"] == CPU
    traffic = row.get("dram_bytes_read", {})
    # Times are of what the ranges request, not of the whole text.
    share = row["wanted_bytes"] / row["uncompressed_bytes"]
    slowest, fastest = (value * share for value in slowest_and_fastest(row))
    return (
        f"CPU, {row['variant']}" if is_cpu else row["variant"],
        "CPU" if is_cpu else "GPU",
        row["pattern"],
        row["range_bytes"],
        100 * row["selectivity"],
        row["range_count"],
        row["throughput_gb_per_s"],
        slowest,
        fastest,
        row["range_count"] / row["seconds"]["median"] / 1e6,
        row.get("full_decode_gb_per_s"),
        row["ratio"],
        traffic.get("ranges"),
        traffic.get("whole_frame"),
        _reaches_every_block(row),
    )


def _table(result: Result) -> pd.DataFrame:
    return pd.DataFrame([_line(row) for row in result.rows], columns=COLUMNS)


def _draw_plot(axes: Axes, part: pd.DataFrame, looks: dict[str, tuple[str, str]]) -> None:
    for series, (color, marker) in looks.items():
        line = part[part["series"] == series].sort_values("selectivity_percent")
        if line.empty:
            continue
        x, y = line["selectivity_percent"], line["throughput_gb_per_s"]
        errors = [(y - line["slowest"]).clip(lower=0), (line["fastest"] - y).clip(lower=0)]
        axes.errorbar(
            x, y, yerr=errors, color=color, marker=marker, ms=3, capsize=1.2, elinewidth=0.7, label=series
        )
        whole = line["whole_frame_gb_per_s"].median()
        if not math.isnan(whole):
            axes.axhline(whole, color=color, lw=0.8, ls=":")
    axes.set_xscale("log")
    axes.set_yscale("log")
    for which in ("x", "y"):
        style.plain_numbers(axes, which)


def _looks(table: pd.DataFrame) -> dict[str, tuple[str, str]]:
    on_gpu = list(dict.fromkeys(table[table["device"] == "GPU"]["series"]))
    on_cpu = list(dict.fromkeys(table[table["device"] == "CPU"]["series"]))
    colors = [(style.OURS, "o"), *style.SERIES]
    return {
        **dict(zip(on_gpu, colors, strict=False)),
        **dict.fromkeys(on_cpu, (style.GREY, "x")),
    }


def _ranges_axis(axes: Axes, range_bytes: int) -> None:
    """The same in ranges per second, on the right."""
    per_unit = 1 / range_bytes
    right = axes.secondary_yaxis("right", functions=(lambda y: y * per_unit, lambda y: y / per_unit))
    style.plain_numbers(right, "y")
    right.set_ylabel("10⁹ ranges/s")


def _traffic_notes(table: pd.DataFrame) -> list[str]:
    counted = table.dropna(subset=["bytes_read_by_ranges"])
    if counted.empty:
        return ["How much memory the GPU reads was not counted: that needs NVIDIA Nsight Compute."]
    return [_traffic_note(int(size), part) for size, part in counted.groupby("range_bytes")]


def _traffic_note(range_bytes: int, part: pd.DataFrame) -> str:
    shares = 100 * part["bytes_read_by_ranges"] / part["bytes_read_by_whole_frame"]
    texts = [
        f"{line.series} {share:.2g} % ({line.bytes_read_by_ranges / line.ranges:.0f} bytes a range, "
        f"ratio {line.ratio:.3g})"
        for line, share in zip(part.itertuples(), shares, strict=True)
    ]
    kept = int(sum(shares <= MOST_READ_PERCENT))
    counts = {len(shares): "all of these frames", 0: "none of these frames"}
    held = counts.get(kept, f"{kept} of these {len(shares)} frames")
    note = (
        f"Ranges of {_size(range_bytes)}, {part['pattern'].iloc[0]}, "
        f"{part['selectivity_percent'].iloc[0]:g} % of the text: of the bytes that the GPU reads from memory "
        "to decompress the whole frame, it read for "
        f"{', for '.join(texts)}. The aim of at most {MOST_READ_PERCENT} % is reached by {held}."
    )
    if part["reaches_every_block"].all():
        note += " Every block holds some of the ranges, so these are the shares of a block, too."
    return note


def _unmeasured_note(table: pd.DataFrame) -> list[str]:
    """Where the CPU's curve ends before the others."""
    reached = table.groupby(["device", "range_bytes", "pattern"])["selectivity_percent"].max()
    most = table["selectivity_percent"].max()
    ends = [
        f"ranges of {_size(int(key[1]))}, {key[2]} (to {value:g} %)"
        for key, value in reached.items()
        if key[0] == "CPU" and value < most
    ]
    return [f"Not measured on the CPU up to 100 %: {', '.join(ends)}."] if ends else []


def _notes(table: pd.DataFrame) -> list[str]:
    notes = ["Bars go from the slowest to the fastest repetition.", *_unmeasured_note(table)]
    on_gpu = table[table["device"] == "GPU"]
    for range_bytes, part in on_gpu.groupby("range_bytes"):
        best = part.loc[part["throughput_gb_per_s"].idxmax()]
        notes.append(
            f"Ranges of {_size(int(range_bytes))}: "
            f"at most {best['throughput_gb_per_s']:.3g} GB/s, "
            f"{best['million_ranges_per_s']:.0f} million ranges per second "
            f"({best['series']}, {best['pattern']}, {best['selectivity_percent']:g} % of the text)."
        )
    return [*notes, *_traffic_notes(table)]


def draw(inputs: FigureInput) -> FigureOutput:
    """A row of plots for each size of the ranges, a column for each pattern."""
    if inputs.result is None or not inputs.result.rows:
        figure, (axes,) = style.new_figure(1.5)
        style.draw_no_measurement(axes)
        return FigureOutput(figure, pd.DataFrame(columns=COLUMNS), [])
    table = _table(inputs.result)
    sizes, patterns = sorted(set(table["range_bytes"])), list(dict.fromkeys(table["pattern"]))
    looks = _looks(table)
    figure, plots = style.new_figure(0.6 + 1.7 * len(sizes), rows=len(sizes), columns=len(patterns))
    for index, axes in enumerate(plots):
        range_bytes, pattern = sizes[index // len(patterns)], patterns[index % len(patterns)]
        part = table[(table["range_bytes"] == range_bytes) & (table["pattern"] == pattern)]
        axes.set_title(f"{_size(range_bytes)}, {pattern}")
        axes.set_xlim(0.6 * table["selectivity_percent"].min(), 160)
        _draw_plot(axes, part, looks)
        if index % len(patterns) == 0:
            axes.set_ylabel("wanted bytes (GB/s)")
        if index % len(patterns) == len(patterns) - 1:
            _ranges_axis(axes, range_bytes)
        if index >= len(plots) - len(patterns):
            axes.set_xlabel("requested (% of text)")
    if table["whole_frame_gb_per_s"].notna().any():
        plots[0].plot([], [], ":", color=style.GREY, lw=0.8, label="the whole frame, on the GPU")
    style.legend_above(figure, 2, of=plots[0])
    return FigureOutput(figure, table, _notes(table))


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """No paper has this."""
    del result, published
    return {}
