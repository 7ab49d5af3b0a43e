"""Compression ratio against decompression throughput of CPU codecs, with the Pareto front."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.text import Text
from matplotlib.transforms import blended_transform_factory

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.labels import Label, place_labels
from experiments.plots.pareto import pareto_front
from experiments.published import Published
from experiments.results import Result

TARGET = "gsst_fig_2_2"
OUR_CODEC = "FSST"
GROUPS = {"tpch": "TPC-H-derived text", "dbtext": "DBText"}


def codec_name(stage: str) -> str:
    """`FSST` for the reference codec with its fast decoder, the library's name for a peer."""
    kind, _, name = stage.partition("/")
    if kind == "peer":
        return name
    return OUR_CODEC if name == "fast" else f"{OUR_CODEC} {name}"


def _rows_table(result: Result) -> pd.DataFrame:
    rows = [
        (
            row["dataset"].partition("/")[0],
            row["dataset"],
            codec_name(row["stage"]),
            f"{row['stage']} {row['variant'] or ''}".strip(),
            row["uncompressed_bytes"],
            row["compressed_bytes"],
            row["seconds"]["median"],
        )
        for row in result.rows
        if row["operation"] == "decode"
    ]
    columns = [
        "group",
        "dataset",
        "codec",
        "setting",
        "uncompressed_bytes",
        "compressed_bytes",
        "median_seconds",
    ]
    return pd.DataFrame(rows, columns=columns)


def pooled(result: Result) -> pd.DataFrame:
    """One row for each group of data sets, codec and setting: bytes and seconds of all columns added up."""
    table = _rows_table(result)
    sums = table.groupby(["group", "codec", "setting"], sort=True, as_index=False).agg(
        columns=("dataset", "nunique"),
        uncompressed_bytes=("uncompressed_bytes", "sum"),
        compressed_bytes=("compressed_bytes", "sum"),
        seconds=("median_seconds", "sum"),
    )
    sums["ratio"] = sums["uncompressed_bytes"] / sums["compressed_bytes"]
    sums["throughput_gb_per_s"] = sums["uncompressed_bytes"] / sums["seconds"] / 1e9
    sums["pareto"] = False
    for _, part in sums.groupby("group"):
        sums.loc[pareto_front(part), "pareto"] = True
    return sums


def _draw_codecs(axes: Axes, part: pd.DataFrame, looks: dict[str, tuple[str, str]]) -> list[Label]:
    front = part[part["pareto"]].sort_values("throughput_gb_per_s")
    axes.plot(
        *(front["throughput_gb_per_s"], front["ratio"], ":"),
        color=style.GREY,
        linewidth=0.9,
        zorder=1,
        label="Pareto front, its points large",
    )
    labels = []
    for codec, points in part.groupby("codec"):
        color, marker = looks[codec]
        for large, group in points.groupby("pareto"):
            axes.plot(
                group["throughput_gb_per_s"],
                group["ratio"],
                linestyle="",
                marker=marker,
                color=color,
                markersize=5.0 if large else 3.0,
                zorder=3,
            )
        ordered = points.sort_values("ratio", ascending=False)
        anchors = list(zip(ordered["throughput_gb_per_s"], ordered["ratio"], strict=True))
        labels.append(Label(str(codec), anchors, color))
    return labels


def _draw_paper(axes: Axes, published: Published) -> tuple[Label, list[Text]]:
    """zstd's point, whose label is returned, and named ticks at the edge for single coordinates."""
    x = published.value(TARGET, "zstd decompression throughput")
    y = published.value(TARGET, "zstd compression ratio")
    axes.plot([x], [y], "o", mfc="white", color=style.PAPER, zorder=4)
    bzip2 = published.value(TARGET, "bzip2 compression ratio")
    edge = {"color": style.PAPER, "fontsize": style.LABEL_SIZE}
    along_x = blended_transform_factory(axes.transAxes, axes.transData)
    axes.plot([0, 0.05], [bzip2, bzip2], color=style.PAPER, transform=along_x)
    texts = [axes.text(0.06, bzip2, "bzip2 (thesis)", va="center", transform=along_x, **edge)]
    along_y = blended_transform_factory(axes.transData, axes.transAxes)
    for name, quantity, align in (
        ("FSST\n(thesis)", "FSST decompression throughput", "right"),
        ("lzsse\n(thesis)", "lzsse decompression throughput", "left"),
    ):
        value = published.value(TARGET, quantity)
        axes.plot([value, value], [0, 0.06], color=style.PAPER, transform=along_y)
        shift = 0.97 if align == "right" else 1.03
        texts.append(axes.text(value * shift, 0.02, name, ha=align, va="bottom", transform=along_y, **edge))
    return Label("zstd (thesis)", [(x, y)], style.PAPER), texts


def _set_limits(axes: Axes, part: pd.DataFrame, paper: bool) -> None:
    throughputs = [*part["throughput_gb_per_s"], *([1.5, 5.6] if paper else [])]
    ratios = [*part["ratio"], *([7.5] if paper else [])]
    axes.set_xscale("log")
    axes.set_xlim(0.6 * min(throughputs), 3.2 * max(throughputs))
    axes.set_ylim(min(0.8, 0.9 * min(ratios)), 1.1 * max(ratios))


def draw(inputs: FigureInput) -> FigureOutput:
    """One plot for each group of data that was measured; the thesis's marks stand with its kind of text."""
    assert inputs.result is not None
    table = pooled(inputs.result)
    peers = dict(zip(inputs.experiment.peers, style.SERIES, strict=True))
    ours = (style.OURS, "o")
    looks = {OUR_CODEC: ours, f"{OUR_CODEC} readable": ours, **peers}
    groups = [group for group in GROUPS if group in set(table["group"])] or ["tpch"]
    figure, plots = style.new_figure(0.35 + 2.3 * len(groups), rows=len(groups))
    notes = [
        "The thesis prints no ratio for FSST and lzsse and no throughput for bzip2: ticks at the edge. "
        "It measured 1.5 GB of dbgen text and does not say which column."
    ]
    for group, axes in zip(groups, plots, strict=True):
        part = table[table["group"] == group]
        _set_limits(axes, part, paper=group == "tpch")
        labels = _draw_codecs(axes, part, looks)
        points = list(zip(part["throughput_gb_per_s"], part["ratio"], strict=True))
        texts: list[Text] = []
        if group == "tpch":
            paper_label, texts = _draw_paper(axes, inputs.published)
            labels.insert(0, paper_label)
            points += paper_label.anchors
        megabytes = part["uncompressed_bytes"].max() / 1e6 if len(part) else 0
        columns = part["columns"].max() if len(part) else 0
        suffix = f", {columns} columns" if columns > 1 else ""
        axes.set_title(f"{GROUPS[group]}{suffix}, {megabytes:.1f} MB")
        style.plain_numbers(axes, "x")
        axes.set_ylabel("compression ratio")
        front = part[part["pareto"]].sort_values("throughput_gb_per_s")
        line = list(zip(front["throughput_gb_per_s"], front["ratio"], strict=True))
        place_labels(axes, labels, points, line, texts)
    plots[-1].set_xlabel("decompression throughput (GB/s)")
    style.legend_above(figure, 1, of=plots[0])
    if "dbtext" in groups:
        notes.append(
            "DBText: each column is compressed on its own; bytes and seconds of all columns are added up."
        )
    missing = sorted({codec for row in inputs.result.rows for codec in row.get("missing_codecs", ())})
    if missing:
        notes.append(
            f"skipped: {len(missing)} codecs whose library was not there when built: {', '.join(missing)}."
        )
    return FigureOutput(figure, table, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """Our values for what Section 2.2.1 prints, on TPC-H-derived text."""
    del published
    assert result is not None
    table = pooled(result)
    table = table[table["group"] == "tpch"]
    # The level of the best ratio stands for its codec: the thesis's numbers of a codec are one point.
    best = table.sort_values("ratio").groupby("codec").last()
    values = {}
    for codec, column, quantity in (
        ("FSST", "throughput_gb_per_s", "FSST decompression throughput"),
        ("bzip2", "ratio", "bzip2 compression ratio"),
        ("zstd", "ratio", "zstd compression ratio"),
        ("zstd", "throughput_gb_per_s", "zstd decompression throughput"),
    ):
        if codec in best.index:
            values[quantity] = float(best.loc[codec, column])
    return values
