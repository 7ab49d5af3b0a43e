"""GPU memory that decoders need beyond their input and output."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter

from experiments.plots import style
from experiments.plots.gpu_codecs import BATCHED, GSST_STAGE, MANAGER, OURS, missing_note, series_and_name
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result

TARGET = "gsst_fig_6_4"
MANAGER_IN_THESIS = "memory of a manager"
COLUMNS = ["series", "codec", "bytes_beyond_input_and_output", "free_memory_drop_bytes", "uncompressed_bytes"]
# Colour, marker, whether it is filled, and how far below the middle of its line it stands.
LOOKS = {
    OURS: (style.OURS, "o", True, 0.0),
    MANAGER: (style.BLUE, "s", True, -0.17),
    BATCHED: (style.BLUE, "D", False, 0.17),
}
UNITS = ((1e9, "GB"), (1e6, "MB"), (1e3, "KB"))


def bytes_text(value: float) -> str:
    """Three digits and a unit: 2.11 KB, 20 GB."""
    for factor, unit in UNITS:
        if value >= factor:
            return f"{value / factor:.3g} {unit}"
    return f"{value:.0f} B"


def _measured(result: Result | None) -> pd.DataFrame:
    rows = [
        (
            *series_and_name(row),
            row["gpu_memory"]["beyond_input_and_output_bytes"],
            row["gpu_memory"]["free_memory_drop_bytes"],
            row["uncompressed_bytes"],
        )
        for row in (result.rows if result else ())
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _thesis(published: Published) -> pd.DataFrame:
    manager = published.value(TARGET, MANAGER_IN_THESIS) * 1e9
    size = manager / published.value(TARGET, f"{MANAGER_IN_THESIS} relative to the decompressed text")
    return pd.DataFrame([("thesis", "nvCOMP's manager", manager, None, size)], columns=COLUMNS)


def _draw_series(axes: Axes, table: pd.DataFrame, series: str, places: dict[str, int]) -> None:
    color, marker, filled, shift = LOOKS[series]
    part = table[table["series"] == series]
    if part.empty:
        return
    heights = [places[name] + shift for name in part["codec"]]
    values = part["bytes_beyond_input_and_output"]
    axes.plot(
        # A logarithmic axis has no place for 0.
        values.clip(lower=1),
        heights,
        linestyle="none",
        marker=marker,
        color=color,
        markerfacecolor=color if filled else "white",
        label=series,
    )
    for value, height in zip(values, heights, strict=True):
        axes.annotate(
            bytes_text(value),
            (max(value, 1), height),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            color=color,
            fontsize=style.LABEL_SIZE - 1.3,
        )


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
    """A mark for each stage and for each interface of each codec, on a logarithmic axis of bytes."""
    measured = _measured(inputs.result)
    thesis = _thesis(inputs.published)
    whole = pd.concat([part for part in (measured, thesis) if not part.empty], ignore_index=True)
    names = list(dict.fromkeys([*measured["codec"], *inputs.experiment.peers]))
    places = {name: index for index, name in enumerate(names)}
    figure, (axes,) = style.new_figure(1.0 + 0.24 * len(names))
    axes.set_xscale("log")
    axes.set_xlim(0.6, 60 * whole["bytes_beyond_input_and_output"].max())
    axes.xaxis.set_major_locator(FixedLocator([1e3, 1e6, 1e9]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: bytes_text(value)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("device memory beyond input and output")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    _draw_thesis(axes, thesis)
    for series in LOOKS:
        _draw_series(axes, measured, series, places)
    if not measured.empty:
        figure.legend(loc="outside upper center", ncols=3, frameon=False, fontsize=style.LABEL_SIZE)
    return FigureOutput(figure, whole, _notes(inputs, measured))


def _notes(inputs: FigureInput, measured: pd.DataFrame) -> list[str]:
    notes = [
        "The thesis prints no number of bytes for a decoder: the buffer of every manager, which it shows "
        "apart, and two factors between decoders (see the table)."
    ]
    if measured.empty:
        return notes
    hidden = (measured["free_memory_drop_bytes"] - measured["bytes_beyond_input_and_output"]).max()
    notes.append(
        f"The device's free memory fell by at most {bytes_text(max(hidden, 0))} more than was counted; that "
        "holds the code of the kernels and the rest of whole pages."
    )
    return notes + missing_note(inputs.result, inputs.experiment.peers)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """The factors of Section 6.4 between nvCOMP's managers and the tuned stage, and the largest manager."""
    del published
    table = _measured(result)
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
