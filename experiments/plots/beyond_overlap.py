"""Throughput of transfer and decompression together against the number of batches, beside the model's."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from experiments.ingestion_model import throughput_with_overlap, timeline_seconds
from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.stages import all_stages, short_name, slowest_and_fastest
from experiments.published import Published
from experiments.results import Result

TARGET = "beyond_overlap"
STAGE = "07_tuned"
INTERCONNECT = "interconnect throughput"
INGESTION = f"{STAGE} ingestion throughput without overlap"
RATIO = f"{STAGE} compression ratio"
DECOMPRESSION = f"{STAGE} decompression throughput"
# What the model is drawn for where nothing is measured.
THESIS_BATCHES = (1, 2, 4, 8, 16, 32, 64, 128)
# So many that a reader sees where the axis is not linear.
ERROR_TICKS = (-10, -5, -3, -2, -1, 0, 1, 2, 5, 10, 20, 50, 100)
COLUMNS = [
    "series",
    "stage",
    "held_back_to_gb_per_s",
    "transfer_gb_per_s",
    "decode_gb_per_s",
    "batch_decode_gb_per_s",
    "ratio",
    "batches",
    "full_wave",
    "ingestion_gb_per_s",
    "slowest",
    "fastest",
    "model_gb_per_s",
    "model_error_percent",
    "timeline_gb_per_s",
    "timeline_error_percent",
]


def predicted(row: dict[str, Any]) -> float:
    """Equation A.3 with what was measured alone beside the row: transfer, and decompression of the whole."""
    return throughput_with_overlap(
        row["ratio"], row["decode_gb_per_s"], row["transfer_gb_per_s"], row["batches"]
    )


def timeline(row: dict[str, Any]) -> float:
    """The same without two of the model's assumptions: the last batch is as long as it is, and batches are
    decompressed at the throughput that one of them has alone."""
    blocks = row["parameters"]["blocks"]
    counts = [row["blocks_per_batch"]] * (row["batches"] - 1) + [row["last_batch_blocks"]]
    gigabytes = [count / blocks * row["uncompressed_bytes"] / 1e9 for count in counts]
    seconds = timeline_seconds(
        [size / row["ratio"] / row["transfer_gb_per_s"] for size in gigabytes],
        [size / row["batch_decode_gb_per_s"] for size in gigabytes],
    )
    return row["uncompressed_bytes"] / 1e9 / seconds


def _error_percent(measured: float, model: float) -> float:
    return (measured / model - 1) * 100


def _series(row: dict[str, Any]) -> str:
    held_back = row["interconnect_gb_per_s"]
    return "PCIe, unthrottled" if held_back is None else f"{held_back:g} GB/s"


def _measured(result: Result) -> pd.DataFrame:
    rows = [
        (
            _series(row),
            short_name(row["stage"]),
            row["interconnect_gb_per_s"],
            row["transfer_gb_per_s"],
            row["decode_gb_per_s"],
            row["batch_decode_gb_per_s"],
            row["ratio"],
            row["batches"],
            row["blocks_per_batch"] >= row["full_wave_blocks"],
            row["throughput_gb_per_s"],
            *slowest_and_fastest(row),
            predicted(row),
            _error_percent(row["throughput_gb_per_s"], predicted(row)),
            timeline(row),
            _error_percent(row["throughput_gb_per_s"], timeline(row)),
        )
        for row in result.rows
    ]
    table = pd.DataFrame(rows, columns=COLUMNS)
    # Slow interconnects first.
    return table.sort_values(["stage", "transfer_gb_per_s", "batches"]).reset_index(drop=True)


def _thesis(published: Published) -> pd.DataFrame:
    """The model of the thesis's numbers, at the one interconnect that it names."""
    values = [published.value(TARGET, name) for name in (INTERCONNECT, DECOMPRESSION, RATIO)]
    interconnect, decompression, ratio = values
    rows = [
        {
            "series": "thesis, model",
            "stage": STAGE,
            "transfer_gb_per_s": interconnect,
            "decode_gb_per_s": decompression,
            "ratio": ratio,
            "batches": batches,
            "model_gb_per_s": throughput_with_overlap(ratio, decompression, interconnect, batches),
        }
        for batches in THESIS_BATCHES
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _draw_throughput(axes: Axes, table: pd.DataFrame, looks: dict[str, tuple[str, str]]) -> None:
    for series, (color, marker) in looks.items():
        part = table[table["series"] == series]
        if part.empty:
            continue
        first = part.iloc[0]
        counts = range(1, part["batches"].max() + 1)
        parts = (first["ratio"], first["decode_gb_per_s"], first["transfer_gb_per_s"])
        axes.plot(counts, [throughput_with_overlap(*parts, count) for count in counts], color=color, lw=0.9)
        for full_wave, face in ((True, color), (False, "white")):
            points = part[part["full_wave"] == full_wave]
            x, y = points["batches"], points["ingestion_gb_per_s"]
            errors = [y - points["slowest"], points["fastest"] - y]
            axes.errorbar(
                x,
                y,
                yerr=errors,
                color=color,
                marker=marker,
                ls="",
                mfc=face,
                ms=3.5,
                capsize=1.5,
                elinewidth=0.8,
            )
    axes.set_ylim(0, 1.1 * max(table["fastest"].max(), table["model_gb_per_s"].max()))
    axes.set_ylabel("ingestion (GB/s)")


def _draw_error(axes: Axes, table: pd.DataFrame, looks: dict[str, tuple[str, str]]) -> None:
    axes.axhline(0, color=style.BLACK, lw=0.6)
    for series, (color, marker) in looks.items():
        part = table[table["series"] == series]
        axes.plot(part["batches"], part["model_error_percent"], color=color, lw=0.9)
        for full_wave, face in ((True, color), (False, "white")):
            points = part[part["full_wave"] == full_wave]
            axes.plot(points["batches"], points["model_error_percent"], marker, color=color, mfc=face, ms=3.5)
    # Batches of less than a wave are off by ten times and more of what the others are.
    axes.set_yscale("symlog", linthresh=1, linscale=0.7)
    low, high = axes.get_ylim()
    axes.set_yticks([tick for tick in ERROR_TICKS if low <= tick <= high])
    style.plain_numbers(axes, "y")
    axes.set_ylabel("difference from\nmodel (%)")


def _write_looks(axes: Axes, looks: dict[str, tuple[str, str]]) -> None:
    """The colours of the interconnects, above the plots."""
    for series, (color, marker) in looks.items():
        axes.plot([], [], marker, color=color, ms=3.5, label=series.removesuffix(" GB/s"))
    axes.plot([], [], color=style.GREY, lw=0.9, label="model")
    axes.plot([], [], "o", color=style.GREY, mfc="white", ms=3.5, label="less than a full wave")
    style.legend_above(
        axes.figure,
        3,
        title="interconnect (GB/s of compressed bytes)",
        title_fontsize=style.LABEL_SIZE,
        borderpad=0.1,
    )


def _set_batches(axes: Axes, batches: list[int]) -> None:
    axes.set_xscale("log", base=2)
    axes.set_xlim(0.8 * min(batches), 1.25 * max(batches))
    axes.set_xticks(batches, [str(count) for count in batches])
    axes.xaxis.set_minor_locator(NullLocator())


def _draw_thesis(axes: Axes, thesis: pd.DataFrame) -> None:
    axes.plot(thesis["batches"], thesis["model_gb_per_s"], "--", color=style.PAPER)
    last = thesis.iloc[-1]
    axes.annotate(
        f"model, thesis's numbers (A100) at {last['transfer_gb_per_s']:g} GB/s",
        (last["batches"], last["model_gb_per_s"]),
        xytext=(0, 3),
        textcoords="offset points",
        ha="right",
        color=style.PAPER,
        fontsize=style.LABEL_SIZE,
    )


def _batches(row: pd.Series) -> str:
    return f"{row['batches']} batch{'' if row['batches'] == 1 else 'es'}"


def _notes(table: pd.DataFrame) -> list[str]:
    """How far the model is from what was measured, and where its assumptions do not hold."""
    notes = [
        "Bars go from the slowest to the fastest repetition; hollow points are batches of less than a full "
        "wave of blocks."
    ]
    for name, part in (
        ("a full wave or more", table[table["full_wave"]]),
        ("less", table[~table["full_wave"]]),
    ):
        if part.empty:
            continue
        errors, of_timeline = part["model_error_percent"], part["timeline_error_percent"]
        worst = part.loc[errors.abs().idxmax()]
        notes.append(
            f"Batches of {name}: measured and model differ by {errors.abs().median():.1f} % in the median, "
            f"at most by {worst['model_error_percent']:+.1f} % ({worst['stage']}, {_batches(worst)},"
            f" interconnect {worst['series']}). With the throughput that one batch has alone, in place of "
            f"the whole's, they differ by {of_timeline.abs().median():.1f} % in the median."
        )
    notes.append(
        "The model assumes batches of equal length that are decompressed as fast as the whole: a short last "
        "batch ends sooner, a batch of less than a full wave is decompressed more slowly, and with one batch "
        "nothing overlaps."
    )
    return notes


def draw(inputs: FigureInput) -> FigureOutput:
    """For each stage a plot of the throughput, with the model's lines, and one of the model's error."""
    thesis = _thesis(inputs.published)
    if inputs.result is None or not inputs.result.rows:
        figure, (axes,) = style.new_figure(2.2)
        _draw_thesis(axes, thesis)
        _set_batches(axes, list(THESIS_BATCHES))
        axes.set_ylim(0, 1.2 * thesis["model_gb_per_s"].max())
        axes.set_xlabel("batches")
        axes.set_ylabel("ingestion (GB/s)")
        return FigureOutput(figure, thesis, [])
    table = _measured(inputs.result)
    looks = dict(zip(dict.fromkeys(table["series"]), style.SERIES, strict=False))
    stages = all_stages(table["stage"])
    figure, plots = style.new_figure(0.7 + 2.9 * len(stages), rows=2 * len(stages))
    _write_looks(plots[0], looks)
    batches = sorted(set(table["batches"]))
    for index, stage in enumerate(stages):
        throughput, error = plots[2 * index : 2 * index + 2]
        part = table[table["stage"] == stage]
        throughput.set_title(stage)
        _draw_throughput(throughput, part, looks)
        _draw_error(error, part, looks)
        for axes in (throughput, error):
            _set_batches(axes, batches)
        if stage == STAGE:
            _draw_thesis(throughput, thesis)
    plots[-1].set_xlabel("batches")
    whole = pd.concat([table, thesis.dropna(axis="columns", how="all")], ignore_index=True)
    return FigureOutput(figure, whole, _notes(table))


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """The thesis's stage on the thesis's interconnect without overlap, which is one batch."""
    interconnect = published.value(TARGET, INTERCONNECT)
    if result is None:
        return {}
    for row in result.rows:
        at_interconnect = row["interconnect_gb_per_s"] == interconnect and row["batches"] == 1
        if short_name(row["stage"]) == STAGE and at_interconnect:
            return {
                INTERCONNECT: row["transfer_gb_per_s"],
                INGESTION: row["throughput_gb_per_s"],
                RATIO: row["ratio"],
                DECOMPRESSION: row["decode_gb_per_s"],
            }
    return {}
