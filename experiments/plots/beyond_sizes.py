"""Throughput against the size of the decompressed text, for several numbers of data blocks and widths of
codes."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.stages import all_stages, published_by_stage, short_name, slowest_and_fastest
from experiments.published import Published
from experiments.results import Result

TARGET = "beyond_sizes"
THROUGHPUT = "decompression throughput"
SIZE = "decompressed size"
THESIS = "thesis"
# The axes begin there or before, whatever is measured.
SMALLEST_BYTES = 1e6
SLOWEST = 10
# The bits of the codes with which numbers of blocks are compared.
COMPARED_BITS = 8
COLUMNS = [
    *("series", "stage", "code_bits", "blocks_per_sm", "uncompressed_bytes", "ratio"),
    *("throughput_gb_per_s", "slowest", "fastest", "share_of_limit"),
    "graph_throughput_gb_per_s",
]


def _share(row: Mapping[str, Any]) -> float | None:
    """Of the streaming limit; None where that was not measured."""
    limit = row["streaming_limit_gb_per_s"]
    return row["throughput_gb_per_s"] / limit if limit else None


def _graph_throughput(row: Mapping[str, Any]) -> float | None:
    """GB/s as a CUDA graph; None where no times of one were measured."""
    return (
        row["uncompressed_bytes"] / 1e9 / row["graph_seconds"]["median"] if "graph_seconds" in row else None
    )


def _measured(result: Result) -> pd.DataFrame:
    """`code_bits` is empty for stages whose codes have one width, and for tiles that are all stored raw."""
    rows = [
        (
            f"{row['blocks_per_multiprocessor']} blocks per SM",
            short_name(row["stage"]),
            row.get("tiles", {}).get("code_bits"),
            row["blocks_per_multiprocessor"],
            row["uncompressed_bytes"],
            row["ratio"],
            row["throughput_gb_per_s"],
            *slowest_and_fastest(row),
            _share(row),
            _graph_throughput(row),
        )
        for row in result.rows
    ]
    table = pd.DataFrame(rows, columns=COLUMNS)
    return table.sort_values(["stage", "blocks_per_sm", "uncompressed_bytes"])


def _with_compared_codes(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of every number of blocks, without those of other widths of codes."""
    return table[table["code_bits"].isna() | (table["code_bits"] == COMPARED_BITS)]


def _by_width(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of tiles with the fewest blocks, which every width of codes has; empty where one width or
    none was measured."""
    tiles = table[table["code_bits"].notna()]
    tiles = tiles[tiles["blocks_per_sm"] == tiles["blocks_per_sm"].min()]
    return tiles if tiles["code_bits"].nunique() > 1 else tiles.iloc[:0]


def _thesis(published: Published) -> pd.DataFrame:
    """The thesis's throughput of each stage, at its one size."""
    size = published.value(TARGET, SIZE) * 1e9
    kinds = {number.quantity: number.kind for number in published.of(TARGET)}
    rows = [
        (f"{THESIS}, {kinds[f'{stage} {THROUGHPUT}']}", stage, None, None, size, None, value, *[None] * 4)
        for stage, value in published_by_stage(published, TARGET, THROUGHPUT).items()
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _draw_measured(axes: Axes, table: pd.DataFrame, looks: dict[str, tuple[str, str]]) -> None:
    for series, (color, marker) in looks.items():
        part = table[table["series"] == series]
        x, y = part["uncompressed_bytes"], part["throughput_gb_per_s"]
        errors = [y - part["slowest"], part["fastest"] - y]
        axes.errorbar(
            x, y, yerr=errors, color=color, marker=marker, capsize=1.5, elinewidth=0.8, markersize=3
        )
        raw = part[part["ratio"] < 1]
        axes.plot(
            raw["uncompressed_bytes"],
            raw["throughput_gb_per_s"],
            marker,
            color=color,
            markerfacecolor="white",
            markersize=3,
            zorder=3,
        )
        graphs = part[part["graph_throughput_gb_per_s"].notna()]
        if not graphs.empty:
            axes.plot(
                graphs["uncompressed_bytes"],
                graphs["graph_throughput_gb_per_s"],
                "--",
                color=color,
                marker=marker,
                markersize=3,
            )


def _draw_thesis(axes: Axes, table: pd.DataFrame) -> None:
    for line in table.itertuples():
        point = (line.uncompressed_bytes, line.throughput_gb_per_s)
        axes.plot(*point, "D", color=style.PAPER, markerfacecolor="white", zorder=3)
        axes.annotate(
            f"{line.series}\n(A100): {line.throughput_gb_per_s:g}",
            point,
            xytext=(4, -5),
            textcoords="offset points",
            ha="right",
            va="top",
            color=style.PAPER,
            fontsize=style.LABEL_SIZE,
        )


def _draw_shares(axes: Axes, tiles: pd.DataFrame) -> None:
    """Each width's part of the streaming limit."""
    for (bits, part), (color, marker) in zip(tiles.groupby("code_bits"), style.SERIES, strict=False):
        axes.plot(
            part["uncompressed_bytes"],
            100 * part["share_of_limit"],
            marker=marker,
            color=color,
            markersize=3,
            label=f"{bits:g} bits",
        )
    (blocks,) = set(tiles["blocks_per_sm"])
    axes.set_title(f"{tiles['stage'].iloc[0]}, data blocks per SM: {blocks:g}")
    axes.set_ylabel("of the streaming limit (%)")
    axes.set_ylim(0, 105)
    axes.legend(loc="lower right", frameon=False, fontsize=style.LABEL_SIZE)


def _write_looks(axes: Axes, looks: dict[str, tuple[str, str]], others: Mapping[str, str]) -> None:
    """The colours of the lines, above the plots, and the names of `others`, by how they are drawn."""
    for series, (color, marker) in looks.items():
        axes.plot([], [], marker=marker, color=color, markersize=3, label=series.partition(" ")[0])
    for line, name in others.items():
        axes.plot([], [], line, color=style.GREY, markerfacecolor="white", markersize=3, label=name)
    style.legend_above(
        axes.figure,
        max(len(looks), 2),
        title="data blocks per SM",
        title_fontsize=style.LABEL_SIZE,
        borderpad=0.1,
    )


def _graphs_note(measured: pd.DataFrame) -> str:
    """Which lines are of graphs, or that there are none."""
    if measured["graph_throughput_gb_per_s"].isna().all():
        return "Times as a CUDA graph, without the host's work until the launch, are not recorded yet."
    return (
        "Dashed lines: decoding as a CUDA graph that was captured before; the host's work is not in these "
        "times."
    )


def draw(inputs: FigureInput) -> FigureOutput:
    """A plot for each stage with a line for each number of blocks and the thesis's point, and one with a line
    for each width of codes."""
    thesis = _thesis(inputs.published)
    measured = _measured(inputs.result) if inputs.result else pd.DataFrame(columns=COLUMNS)
    whole = pd.concat([part for part in (measured, thesis) if not part.empty], ignore_index=True)
    compared, by_width = _with_compared_codes(measured), _by_width(measured)
    looks = dict(zip(dict.fromkeys(compared["series"]), style.SERIES, strict=False))
    stages = all_stages(whole["stage"])
    rows = len(stages) + (not by_width.empty)
    figure, plots = style.new_figure(0.6 + 1.7 * rows, rows=rows)
    if looks:
        others = {}
        if compared["graph_throughput_gb_per_s"].notna().any():
            others["--"] = "as a CUDA graph"
        if (compared["ratio"] < 1).any():
            others["o"] = "stored raw"
        _write_looks(plots[0], looks, others)
    sizes, values = whole["uncompressed_bytes"], whole["throughput_gb_per_s"]
    fastest = whole[["throughput_gb_per_s", "graph_throughput_gb_per_s"]].max(axis=None)
    for axes in plots:
        axes.set_xscale("log")
        axes.set_xlim(0.7 * min(SMALLEST_BYTES, sizes.min()), 1.7 * sizes.max())
    for stage, axes in zip(stages, plots, strict=False):
        axes.set_yscale("log")
        axes.set_ylim(min(SLOWEST, 0.6 * values.min()), 1.7 * fastest)
        axes.set_title(stage)
        axes.set_ylabel("throughput (GB/s)")
        style.plain_numbers(axes, "y")
        _draw_measured(axes, compared[compared["stage"] == stage], looks)
        _draw_thesis(axes, thesis[thesis["stage"] == stage])
    if not by_width.empty:
        _draw_shares(plots[-1], by_width)
    plots[-1].set_xlabel("size of the decompressed text (bytes)")
    notes = [
        "The thesis's points are its throughput in the abstract and what follows from the factors of its "
        f"Section 6.1; it measured {inputs.published.value(TARGET, SIZE):g} GB only."
    ]
    if inputs.result:
        notes += ["Bars go from the slowest to the fastest repetition.", _graphs_note(measured)]
        if (measured["ratio"] < 1).any():
            notes.append(
                "White marks: blocks too small for coding to pay. They are stored raw: decoding is copying."
            )
    return FigureOutput(figure, whole, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """The largest size, and each stage's throughput there with the number of blocks that is best for it."""
    del published
    if result is None or not result.rows:
        return {}
    table = _with_compared_codes(_measured(result))
    largest = table[table["uncompressed_bytes"] == table["uncompressed_bytes"].max()]
    best = largest.groupby("stage")["throughput_gb_per_s"].max()
    values = {f"{stage} {THROUGHPUT}": value for stage, value in best.items()}
    return {SIZE: largest["uncompressed_bytes"].iloc[0] / 1e9, **values}
