"""Compression ratio against throughput of the GPU encoder and other codecs, and the paper's throughputs."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from experiments.plots import style
from experiments.plots.codec_scatter import COLUMNS, anchors, draw_measured, front, labels_of, measured_table
from experiments.plots.gpu_codecs import BATCHED, CPU, MANAGER, OURS, missing_note, series_and_name
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.labels import place_labels
from experiments.plots.pareto import pareto_front
from experiments.plots.stages import slowest_and_fastest
from experiments.published import Published
from experiments.results import Result

TARGET = "encoder_fig_11"
GIVEN, END_TO_END = "tables given", "end to end"
THROUGHPUT = "compression throughput"
RATIO = "compression ratio"
RELATIVE = "throughput relative to"
ONE_THREAD, ALL_THREADS = "FSST, one thread", "FSST, all threads"
_CITED = "GPULZ best throughput"


def _name(row: Mapping[str, Any]) -> tuple[str, str]:
    series, name = series_and_name(dict(row))
    return (OURS, END_TO_END if row["end_to_end"] else GIVEN) if series == OURS else (series, name)


def _measured(result: Result | None) -> pd.DataFrame:
    """The front leaves out the encoder with given tables: the other codecs are measured end to end."""
    table = measured_table(
        (*_name(row), row["ratio"], row["throughput_gb_per_s"], *slowest_and_fastest(row))
        for row in (result.rows if result else ())
    )
    table["pareto"] = table.index.isin(pareto_front(table[table["codec"] != GIVEN]))
    return table


def _paper(published: Published) -> pd.DataFrame:
    """The printed throughputs, and those that follow from the printed factors; fastest first."""
    whole = published.value(TARGET, THROUGHPUT)
    lines = [
        ("paper, printed", "GPU encoder", whole),
        ("paper, cited", "GPULZ at best", published.value(TARGET, _CITED)),
    ]
    lines += [
        ("paper, derived", number.quantity.removeprefix(f"{RELATIVE} "), whole / number.value)
        for number in published.of(TARGET)
        if number.quantity.startswith(RELATIVE) and number.value is not None
    ]
    rows = [(series, name, None, value, None, None, None) for series, name, value in lines]
    return pd.DataFrame(rows, columns=COLUMNS).sort_values("throughput_gb_per_s", ascending=False)


def _draw_paper(axes: Axes, paper: pd.DataFrame) -> None:
    """A line for each codec; what is cited is from a third machine and has another marker."""
    for place, line in enumerate(paper.itertuples()):
        axes.plot(
            *(line.throughput_gb_per_s, place),
            linestyle="",
            marker="x" if line.series == "paper, cited" else "o",
            markerfacecolor="white",
            color=style.PAPER,
        )
    axes.set_yticks(range(len(paper)), paper["codec"], fontsize=style.LABEL_SIZE)
    axes.set_ylim(len(paper) - 0.4, -0.6)
    axes.set_title("the paper (RTX 4090; a cross: cited there)", fontsize=style.LABEL_SIZE, color=style.PAPER)
    axes.tick_params(axis="y", colors=style.PAPER)


def draw(inputs: FigureInput) -> FigureOutput:
    """What was measured, above; below, on the same axis of throughput, what the paper prints."""
    measured, paper = _measured(inputs.result), _paper(inputs.published)
    whole = pd.concat([part for part in (measured, paper) if not part.empty], ignore_index=True)
    figure, (axes, strip) = style.new_figure(5.0, rows=2, heights=(3, 1))
    for part in (axes, strip):
        part.set_xscale("log")
        # Room on the left for the name of the slowest.
        part.set_xlim(0.36 * whole["throughput_gb_per_s"].min(), 1.9 * whole["throughput_gb_per_s"].max())
        style.plain_numbers(part, "x")
    strip.set_xlabel("compression throughput (GB/s)")
    axes.set_ylabel("compression ratio")
    _draw_paper(strip, paper)
    notes = [
        "The paper prints the throughput of its encoder and factors to other codecs, from which theirs "
        "follow; LC's compressors, which it also shows, have no printed number."
    ]
    if measured.empty:
        axes.set_yticks([])
        style.say_no_measurement(axes)
        return FigureOutput(figure, whole, notes)
    axes.set_ylim(0.75, 1.08 * measured["ratio"].max())
    draw_measured(axes, measured)
    style.legend_above(figure, 2)
    place_labels(axes, labels_of(measured, str), anchors(measured), anchors(front(measured)))
    return FigureOutput(figure, whole, notes + missing_note(inputs.result, inputs.experiment.peers))


def _by_thread_count(result: Result | None) -> list[Mapping[str, Any]]:
    rows = [row for row in (result.rows if result else ()) if series_and_name(row)[0] == CPU]
    return sorted(rows, key=lambda row: row["parameters"]["threads"])


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """The encoder end to end, as the paper's throughput is of its whole pipeline; of a codec of nvCOMP the
    faster of its interfaces."""
    del published
    table = _measured(result)
    ours = table[(table["series"] == OURS) & (table["codec"] == END_TO_END)]
    if ours.empty:
        return {}
    throughput, ratio = float(ours["throughput_gb_per_s"].iloc[0]), float(ours["ratio"].iloc[0])
    values = {THROUGHPUT: throughput, RATIO: ratio}
    peers = table[table["series"].isin((MANAGER, BATCHED))]
    for name, part in peers.groupby("codec"):
        fastest = part.loc[part["throughput_gb_per_s"].idxmax()]
        values[f"{RELATIVE} {name}"] = throughput / fastest["throughput_gb_per_s"]
        values[f"ratio relative to {name}"] = ratio / fastest["ratio"]
    on_cpu = _by_thread_count(result)
    if on_cpu and on_cpu[0]["parameters"]["threads"] == 1:
        values[f"{RELATIVE} {ONE_THREAD}"] = throughput / on_cpu[0]["throughput_gb_per_s"]
    if len(on_cpu) > 1:
        values[f"{RELATIVE} {ALL_THREADS}"] = throughput / on_cpu[-1]["throughput_gb_per_s"]
    return values
