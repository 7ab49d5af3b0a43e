"""What the figures of kernels' counters share: how busy each kernel keeps each unit, and what explains it."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from experiments.kernel_metrics import (
    UNITS,
    conflict_share,
    instructions_per_byte,
    instructions_per_code,
    memory_bytes_per_byte,
    unit_shares,
)
from experiments.plots import style
from experiments.plots.heatmap import draw_heatmap, outline_ours
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result
from experiments.text_template import column_name

CELL_INCHES = 0.15
# Between numbers beside the units, in cells.
_DISTANCE = 1.6
# In percent: a unit that every kernel uses less is not drawn.
_IDLE = 2
# Digits after the point, for each number beside the units.
_FORMATS = (".1f", ".2f", ".0f", ".0f")
COLUMNS = ["series", "text", "counter", "value"]
_NAME_SIZE = 5.4
_CELL_TEXT_SIZE = 4.8
_MAIN_KERNELS = {"decode": "decoding", "encode": "encoding"}
NOTES = (
    "In a coloured cell: percent of the unit's peak over the whole duration of the kernel.",
    "Next to them: instructions that a lane executes for a code; bytes of GPU memory read and written for a "
    "byte of text; percent of the passes over shared memory's banks that only conflicts of lanes made "
    "necessary; percent of the warps that a multiprocessor has room for, running.",
)

Row = dict[str, Any]


def _kernel_name(row: Row) -> str:
    """The step of a profiled row, and its kernel where that is not the one that the stage is about."""
    is_main = row["kernel"] == _MAIN_KERNELS[row["operation"]]
    return row["variant"] if is_main else f"{row['variant']}, {row['kernel']}"


def _text_name(row: Row) -> str:
    """The column of the text, and the bits of its codes where they differ: `wiki, 12 bits`."""
    column = column_name(row["dataset"])
    return f"{column}, {row['tiles']['code_bits']} bits" if "tiles" in row else column


def _explanations(row: Row) -> dict[str, float | None]:
    """What stands beside the units."""
    share = conflict_share(row["counters"])
    return {
        "instructions a code": instructions_per_code(row),
        "memory bytes a byte": memory_bytes_per_byte(row),
        "bank conflicts (%)": None if share is None else 100 * share,
        "warps (%)": row["counters"]["warps_active_percent"],
    }


def _values(row: Row) -> dict[str, float | None]:
    """Every counter of a kernel, and what follows from them."""
    units = {f"{name} (% of peak)": share for name, share in unit_shares(row["counters"]).items()}
    more = {"instructions a byte": instructions_per_byte(row)}
    return {**row["counters"], **units, **_explanations(row), **more}


def _table(rows: Sequence[Row]) -> pd.DataFrame:
    lines = [
        (_kernel_name(row), _text_name(row), counter, value)
        for row in rows
        for counter, value in _values(row).items()
    ]
    return pd.DataFrame(lines, columns=COLUMNS)


def _used_units(shares: Sequence[Mapping[str, float]]) -> list[str]:
    """The units that some kernel keeps busy for at least _IDLE percent of its time."""
    most = {unit.name: max((found.get(unit.name, 0) for found in shares), default=0) for unit in UNITS}
    return [name for name, share in most.items() if share >= _IDLE]


def _draw_units(axes: Axes, rows: Sequence[Row], names: Sequence[str]) -> None:
    shares = [unit_shares(row["counters"]) for row in rows]
    grid = pd.DataFrame([[found.get(name) for name in names] for found in shares], dtype=float)
    kernels = [f"{_kernel_name(row)}; {_text_name(row)}" for row in rows]
    draw_heatmap(axes, grid, names, kernels, ".0f", _CELL_TEXT_SIZE)
    for line, found in enumerate(shares):
        if found:
            outline_ours(axes, (names.index(next(iter(found))), line))


def _draw_explanations(axes: Axes, rows: Sequence[Row], units: int) -> None:
    """Writes them to the right of the units."""
    for line, row in enumerate(rows):
        values = _explanations(row).values()
        for place, value, number_format in zip(_explained_places(units), values, _FORMATS, strict=True):
            text = "" if value is None else format(value, number_format)
            axes.text(place, line, text, ha="center", va="center", fontsize=_NAME_SIZE)


def _explained_places(units: int) -> list[float]:
    return [units + 0.5 + _DISTANCE * index for index in range(len(_FORMATS))]


def _name_columns(axes: Axes, units: Sequence[str], explanations: Sequence[str]) -> None:
    places = [*range(len(units)), *_explained_places(len(units))]
    axes.set_xlim(-0.5, places[-1] + _DISTANCE / 2)
    axes.tick_params(axis="x", top=True, bottom=False, labeltop=True, labelbottom=False)
    axes.set_xticks(places, [*units, *explanations], rotation=90)
    axes.tick_params(labelsize=_NAME_SIZE)
    axes.spines[:].set_visible(False)


def draw(inputs: FigureInput) -> FigureOutput:
    """A line for each kernel: how busy each unit is, and what explains it."""
    rows = list(inputs.result.rows) if inputs.result is not None else []
    figure, (axes,) = style.new_figure(1.2 + CELL_INCHES * len(rows))
    if not rows:
        style.draw_no_measurement(axes)
        return FigureOutput(figure, _table(rows))
    units = _used_units([unit_shares(row["counters"]) for row in rows])
    _draw_units(axes, rows, units)
    _draw_explanations(axes, rows, len(units))
    _name_columns(axes, units, list(_explanations(rows[0])))
    idle = [unit.name for unit in UNITS if unit.name not in units]
    unused = [f"Not drawn, below {_IDLE} % everywhere: {', '.join(idle)}."] if idle else []
    return FigureOutput(figure, _table(rows), [*NOTES, *unused])


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """No paper prints such counters."""
    del result, published
    return {}
