"""Decompression throughput against ratio for every stage and column, under the streaming limit."""

import pandas as pd
from matplotlib.axes import Axes

from experiments.captions import SKIPPED
from experiments.definition import load_experiment
from experiments.plots import style
from experiments.plots.gpu_codecs import GSST_STAGE, published_codecs
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.stages import looks_of, short_name
from experiments.published import Published
from experiments.results import Result

TARGET = "beyond_ratio_and_speed"
RATIO, THROUGHPUT = "GSST compression ratio", "GSST decompression throughput"
LIMIT = "streaming limit"
# A codec of strings whose publisher measured it on a GPU, and the texts.
ONPAIR = "OnPair"
ONPAIR_TEXTS = ("ps_comment", "wikipedia", "fineweb")
GB_PER_GIB = 2**30 / 1e9
COLUMNS = ["series", "kind", "dataset", "ratio", "throughput_gb_per_s", "streaming_limit_gb_per_s"]


def _measured(result: Result | None) -> pd.DataFrame:
    rows = [
        (
            short_name(row["stage"]),
            "measured",
            row["dataset"],
            row["ratio"],
            row["throughput_gb_per_s"],
            row["streaming_limit_gb_per_s"],
        )
        for row in (result.rows if result else ())
    ]
    return pd.DataFrame(rows, columns=COLUMNS).sort_values(["series", "ratio"], ignore_index=True)


def _published(published: Published) -> pd.DataFrame:
    rows = [
        (codec.name, codec.kind, None, codec.ratio, codec.decompression, None)
        for codec in published_codecs(published).values()
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _onpair(published: Published) -> pd.DataFrame:
    rows = [
        (
            ONPAIR,
            "printed",
            text,
            published.value(TARGET, f"{ONPAIR} {text} compression ratio"),
            published.value(TARGET, f"{ONPAIR} {text} decompression throughput") * GB_PER_GIB,
            None,
        )
        for text in ONPAIR_TEXTS
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _missing_note(measured: pd.DataFrame) -> list[str]:
    """Which stages of the definition have no row."""
    wanted = map(short_name, load_experiment(load_experiment(TARGET).source).stages)
    missing = [stage for stage in dict.fromkeys(wanted) if stage not in set(measured["series"])]
    return [f"{SKIPPED} stages without a row: {', '.join(missing)}."] if missing else []


def _draw_limit(axes: Axes, measured: pd.DataFrame) -> None:
    limits = measured.dropna(subset=["streaming_limit_gb_per_s"]).sort_values("ratio")
    if limits.empty:
        return
    x, y = limits["ratio"], limits["streaming_limit_gb_per_s"]
    axes.plot(x, y, color=style.BLACK, linewidth=0.8, label=LIMIT)


def _draw_published(axes: Axes, table: pd.DataFrame) -> None:
    axes.plot(table["ratio"], table["throughput_gb_per_s"], "o", color=style.PAPER, label="thesis (A100)")
    for name, ratio, throughput in zip(
        table["series"], table["ratio"], table["throughput_gb_per_s"], strict=True
    ):
        axes.annotate(
            name,
            (ratio, throughput),
            xytext=(3, -7),
            textcoords="offset points",
            color=style.PAPER,
            fontsize=style.LABEL_SIZE,
        )


def draw(inputs: FigureInput) -> FigureOutput:
    """A mark for each column and stage, the limit as a line, and the thesis's codecs."""
    measured = _measured(inputs.result)
    published = _published(inputs.published)
    figure, (axes,) = style.new_figure(4.0)
    for stage, (color, marker) in looks_of(measured["series"]).items():
        part = measured[measured["series"] == stage]
        axes.plot(part["ratio"], part["throughput_gb_per_s"], marker, color=color, label=stage)
    _draw_limit(axes, measured)
    _draw_published(axes, published)
    onpair = _onpair(inputs.published)
    axes.plot(
        onpair["ratio"],
        onpair["throughput_gb_per_s"],
        "D",
        color=style.PAPER,
        markerfacecolor="none",
        label=f"{ONPAIR} (GH200)",
    )
    axes.set_yscale("log")
    style.plain_numbers(axes, "y")
    axes.set_xlabel("compression ratio")
    axes.set_ylabel("decompression throughput (GB/s)")
    style.legend_above(figure, 3, axes, handletextpad=0.3, columnspacing=0.8, handlelength=1.2)
    notes = [
        "The thesis prints GSST's point; ANS, Bitcomp and Zstd are derived from printed relations to it.",
        f"{ONPAIR}'s points are {', '.join(ONPAIR_TEXTS)}, of texts of their own; its publisher calls them "
        "preliminary.",
    ]
    if inputs.result:
        notes += _missing_note(measured)
    parts = [part for part in (measured, published, onpair) if not part.empty]
    return FigureOutput(figure, pd.concat(parts, ignore_index=True), notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """The thesis's stage on its kind of text."""
    del published
    measured = _measured(result)
    of_thesis = measured[
        (measured["series"] == GSST_STAGE) & measured["dataset"].str.startswith("dbtext/l_comment", na=False)
    ]
    if of_thesis.empty:
        return {}
    row = of_thesis.iloc[0]
    return {RATIO: float(row["ratio"]), THROUGHPUT: float(row["throughput_gb_per_s"])}
