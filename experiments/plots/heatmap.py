"""Heatmaps of the common look: a colour and a number in each cell, and outlines around the best cells."""

from collections.abc import Sequence

import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import Normalize, to_hex
from matplotlib.patches import Rectangle

from experiments.plots import style

CELL_TEXT_SIZE = 6.2
_COLORS = "cividis"
_EMPTY_CELL = "#F2F2F2"
# Of the largest value: what colours tell apart, so that a small effect looks small.
_LEAST_RANGE = 0.1

# Column and row of a cell, as they are drawn.
Cell = tuple[int, int]


def _outline(axes: Axes, cell: Cell, color: str, inset: float) -> None:
    column, row = cell
    size = 1 - 2 * inset
    corner = (column - 0.5 + inset, row - 0.5 + inset)
    axes.add_patch(Rectangle(corner, size, size, fill=False, edgecolor=color, linewidth=1.4))


def outline_ours(axes: Axes, cell: Cell) -> None:
    """Marks the cell that is best here."""
    _outline(axes, cell, style.OURS, 0.03)


def outline_paper(axes: Axes, cell: Cell) -> None:
    """Marks a cell that is best in the paper, inside the mark of ours."""
    _outline(axes, cell, "white", 0.07)
    _outline(axes, cell, style.BLACK, 0.11)


def best_cell(grid: pd.DataFrame) -> Cell:
    """The cell with the largest value; `grid` must hold one."""
    row, column = grid.stack().dropna().idxmax()
    return list(grid.columns).index(column), list(grid.index).index(row)


def cells_explained(unit: str, ours: bool, paper: bool) -> str:
    """What the numbers and the outlines in the plot mean, for its title."""
    lines = [f"in each cell: {unit}", "orange outline: best here"] if ours else []
    lines += ["black outline: best in the thesis"] if paper else []
    return "\n".join(lines)


def draw_heatmap(
    axes: Axes,
    grid: pd.DataFrame,
    columns: Sequence[str],
    rows: Sequence[str],
    number_format: str,
    text_size: float = CELL_TEXT_SIZE,
) -> None:
    """Fills `axes` with the cells of `grid`, whose columns and rows get these names; a cell without a value
    stays empty."""
    values = grid.to_numpy(dtype=float)
    found = grid.stack().dropna()
    low, high = (float(found.min()), float(found.max())) if len(found) else (0.0, 0.0)
    low = min(low, (1 - _LEAST_RANGE) * high)
    norm = Normalize(low, high if high > low else low + 1e-3)
    colors = colormaps[_COLORS].with_extremes(bad=_EMPTY_CELL)
    axes.imshow(values, cmap=colors, norm=norm, aspect="auto")
    axes.grid(visible=False)
    axes.tick_params(length=0)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    for (row, column), value in pd.DataFrame(values).stack().dropna().items():
        cell = to_hex(colors(norm(value)))
        color = max(("white", "black"), key=lambda of_text, cell=cell: style.contrast(of_text, cell))
        text = format(value, number_format)
        axes.text(column, row, text, ha="center", va="center", color=color, fontsize=text_size)
