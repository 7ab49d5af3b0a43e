"""Device memory beyond input and output, with a mark for each interface of each codec."""

from collections.abc import Sequence
from typing import Literal

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter

from experiments.plots import style
from experiments.plots.gpu_codecs import BATCHED, MANAGER, OURS, series_and_name
from experiments.results import Result

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


def measured_memory(result: Result | None) -> pd.DataFrame:
    """A line for each row of a result."""
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
            color=style.text_color(color),
            fontsize=style.LABEL_SIZE - 1.3,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.2},
        )


def draw_memory(
    measured: pd.DataFrame, peers: Sequence[str], most_bytes: float, scale: Literal["linear", "log"]
) -> tuple[Figure, Axes]:
    """A line for each codec measured and each of `peers`, on an axis that holds `most_bytes`."""
    names = list(dict.fromkeys([*measured["codec"], *peers]))
    places = {name: index for index, name in enumerate(names)}
    figure, (axes,) = style.new_figure(1.0 + 0.24 * len(names))
    axes.set_xscale(scale)
    if scale == "log":
        axes.set_xlim(0.6, 60 * most_bytes)
        axes.xaxis.set_major_locator(FixedLocator([1e3, 1e6, 1e9]))
    else:
        axes.set_xlim(-0.03 * most_bytes, 1.25 * most_bytes)
        axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: bytes_text(value)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("device memory beyond input and output")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    for series in LOOKS:
        _draw_series(axes, measured, series, places)
    if not measured.empty:
        style.legend_above(figure, 3)
    return figure, axes


def uncounted_bytes(measured: pd.DataFrame) -> pd.Series:
    """How much more the device's free memory fell than was counted, for each line."""
    return (measured["free_memory_drop_bytes"] - measured["bytes_beyond_input_and_output"]).clip(lower=0)


def uncounted_note(measured: pd.DataFrame) -> str:
    """How much more the device's free memory fell than was counted at most, and for what."""
    hidden = uncounted_bytes(measured)
    most = measured.loc[hidden.idxmax()]
    return (
        f"The device's free memory fell by at most {bytes_text(hidden.max())} more than was counted "
        f"({most['codec']}); that holds local memory, which is device memory set aside for every thread that "
        "can be resident, the code of the kernels and the rest of whole pages."
    )
