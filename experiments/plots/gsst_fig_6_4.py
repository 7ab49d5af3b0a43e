"""GPU memory that decoders need beyond their input and output."""

import pandas as pd
from matplotlib.axes import Axes

from experiments.plots import style
from experiments.plots.codec_memory import (
    COLUMNS,
    bytes_text,
    draw_memory,
    measured_memory,
    uncounted_bytes,
    uncounted_note,
)
from experiments.plots.gpu_codecs import GSST_STAGE, MANAGER, OURS, missing_note
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result

TARGET = "gsst_fig_6_4"
MANAGER_IN_THESIS = "memory of a manager"
# The first stage that is launched, and the last one whose threads have their own symbol tables.
TABLES_IN_LOCAL_MEMORY = ("01_blocks", "02_splits")


def _thesis(published: Published) -> pd.DataFrame:
    manager = published.value(TARGET, MANAGER_IN_THESIS) * 1e9
    size = manager / published.value(TARGET, f"{MANAGER_IN_THESIS} relative to the decompressed text")
    return pd.DataFrame([("thesis", "nvCOMP's manager", manager, None, size)], columns=COLUMNS)


def _draw_thesis(axes: Axes, thesis: pd.DataFrame) -> None:
    value = thesis["bytes_beyond_input_and_output"].iloc[0]
    axes.axvline(value, color=style.PAPER, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1)
    text = f"every manager\nin the thesis:\n{bytes_text(value)}"
    axes.text(
        *(value * 0.75, 0.6, text),
        ha="right",
        va="top",
        color=style.PAPER,
        fontsize=style.LABEL_SIZE,
    )


def draw(inputs: FigureInput) -> FigureOutput:
    """A mark for each stage and for each interface of each codec."""
    measured = measured_memory(inputs.result)
    thesis = _thesis(inputs.published)
    whole = pd.concat([part for part in (measured, thesis) if not part.empty], ignore_index=True)
    most = whole["bytes_beyond_input_and_output"].max()
    figure, axes = draw_memory(measured, inputs.experiment.peers, most, "log")
    _draw_thesis(axes, thesis)
    return FigureOutput(figure, whole, _notes(inputs, measured))


def _notes(inputs: FigureInput, measured: pd.DataFrame) -> list[str]:
    notes = [
        "The thesis prints no number of bytes for a decoder: the buffer of every manager, which it shows "
        "apart, and two factors between decoders (see the table)."
    ]
    if measured.empty:
        return notes
    notes += [uncounted_note(measured), *_local_memory_note(measured)]
    return notes + missing_note(inputs.result, inputs.experiment.peers)


def _local_memory_note(measured: pd.DataFrame) -> list[str]:
    """What the symbol tables in local memory take; none where the first stage was not measured."""
    ours = measured[measured["series"] == OURS]
    hidden = uncounted_bytes(ours).groupby(ours["codec"]).max()
    first, second = TABLES_IN_LOCAL_MEMORY
    if first not in hidden.index or len(hidden) < 2:
        return []
    taken, later = bytes_text(hidden[first]), bytes_text(hidden.drop(first).max())
    return [
        f"Launching {first} took {taken} that no call allocated: each thread has a copy of a symbol table in "
        f"local memory. The later stages took {later} at most: {second}, which has such copies too, ran in "
        "the same process, where the CUDA runtime keeps what it has set aside, and the others have their "
        "tables in shared memory."
    ]


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """The factors of Section 6.4 between nvCOMP's managers and the tuned stage, and the largest manager."""
    del published
    table = measured_memory(result)
    table = table.set_index(["series", "codec"])
    counted = table["bytes_beyond_input_and_output"]
    values: dict[str, float] = {}
    gsst = counted.get((OURS, GSST_STAGE))
    if gsst is not None:
        values["GSST memory"] = float(gsst)
    managers = table[table.index.get_level_values("series") == MANAGER]
    if not managers.empty:
        largest = managers["bytes_beyond_input_and_output"]
        values[MANAGER_IN_THESIS] = float(largest.max()) / 1e9
        relative = (largest / managers["uncompressed_bytes"]).max()
        values[f"{MANAGER_IN_THESIS} relative to the decompressed text"] = float(relative)
    for name in ("Bitcomp", "Zstd"):
        other = counted.get((MANAGER, name))
        if gsst and other is not None:
            values[f"{name} memory relative to GSST"] = float(other) / float(gsst)
    return values
