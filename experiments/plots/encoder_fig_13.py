"""GPU memory that compressors need beyond their input and output."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from experiments.plots import style
from experiments.plots.codec_memory import bytes_text, draw_memory, measured_memory, uncounted_note
from experiments.plots.gpu_codecs import OURS, missing_note, series_and_name
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result

TARGET = "encoder_fig_13"
BUFFERS = "buffers beyond input and output"
LESS = "compressors that need less memory"
COLUMNS = ["series", "codec", "bytes_beyond_input_and_output", "output_bytes", "buffers"]


def _measured(result: Result | None) -> pd.DataFrame:
    """`buffers` is the memory beyond input and output in sizes of the output."""
    table = measured_memory(result)
    table["output_bytes"] = [row["gpu_memory"]["output_bytes"] for row in (result.rows if result else ())]
    table["buffers"] = table["bytes_beyond_input_and_output"] / table["output_bytes"]
    return table


def _paper(published: Published) -> pd.DataFrame:
    line = ("paper, printed", "GPU encoder", None, None, published.value(TARGET, BUFFERS))
    return pd.DataFrame([line], columns=COLUMNS)


def _draw_paper(axes: Axes, output_bytes: float, buffers: float) -> None:
    """What the paper's encoder would need here."""
    value = buffers * output_bytes
    axes.axvline(value, color=style.PAPER, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1)
    text = f"dashed: the paper's encoder,\n{buffers:g} buffer like the output,\n{bytes_text(value)} here"
    # The last codecs need less than that.
    axes.annotate(
        text,
        (value, axes.get_ylim()[0]),
        xytext=(4, 6),
        textcoords="offset points",
        va="bottom",
        color=style.PAPER,
        fontsize=style.LABEL_SIZE,
    )


def _throughputs(row: Mapping[str, Any]) -> dict[str, float]:
    """GB/s by `without_allocations` and `with_allocations`; empty where they were not measured."""
    return {
        name: row["uncompressed_bytes"] / seconds["median"] / 1e9
        for name, seconds in row.get("end_to_end_seconds", {}).items()
    }


def _times_notes(result: Result | None) -> list[str]:
    """A sentence for each encoder that was timed too."""
    notes = []
    for row in result.rows if result else ():
        found = _throughputs(row)
        if found:
            name = series_and_name(row)[1]
            notes.append(
                f"End to end {name} compresses {found['without_allocations']:.3g} GB/s, and "
                f"{found['with_allocations']:.3g} GB/s where all memory but the input is allocated before "
                "and freed after each time, as in the paper's times."
            )
    return notes


def draw(inputs: FigureInput) -> FigureOutput:
    """A mark for the encoder and for each interface of each codec, on an axis of bytes."""
    measured, paper = _measured(inputs.result), _paper(inputs.published)
    whole = pd.concat([part for part in (measured, paper) if not part.empty], ignore_index=True)
    most = max(measured["output_bytes"].max(), measured["bytes_beyond_input_and_output"].max())
    figure, axes = draw_memory(measured, inputs.experiment.peers, 1e9 if measured.empty else most, "linear")
    notes = [
        "The paper prints no number of bytes: one buffer more, which is as large as the output, and some "
        "working memory."
    ]
    if measured.empty:
        style.say_no_measurement(axes)
        return FigureOutput(figure, whole, notes)
    ours = measured[measured["series"] == OURS]
    if not ours.empty:
        _draw_paper(axes, ours["output_bytes"].iloc[0], inputs.published.value(TARGET, BUFFERS))
    notes += [uncounted_note(measured), *_times_notes(inputs.result)]
    return FigureOutput(figure, whole, notes + missing_note(inputs.result, inputs.experiment.peers))


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """The encoder's memory in sizes of its output, and how many codecs need less through some interface."""
    del published
    table = _measured(result)
    ours, others = table[table["series"] == OURS], table[table["series"] != OURS]
    if ours.empty:
        return {}
    needed = "bytes_beyond_input_and_output"
    less = others[others[needed] < ours[needed].iloc[0]]
    return {BUFFERS: float(ours["buffers"].iloc[0]), LESS: float(less["codec"].nunique())}
