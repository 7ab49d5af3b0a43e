"""Draws a table as a figure: text in columns, a rule under the header."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from matplotlib.axes import Axes

from experiments.plots.style import BLACK, text_color

TEXT_SIZE = 5.6
ROW_INCHES = 0.135


@dataclass(frozen=True)
class Column:
    """A column: its header, and the place where its texts begin (`left`) or end (`right`), as a share of the
    table's width."""

    header: str
    place: float
    align: Literal["left", "right"] = "right"


@dataclass(frozen=True)
class TableLine:
    """One line: what it is about, then a text for each column."""

    name: str
    cells: Sequence[str]
    color: str = BLACK


def table_height(lines: int) -> float:
    """Inches that a table of so many lines needs with its header."""
    return (lines + 2.5) * ROW_INCHES


def even_columns(headers: Sequence[str], first: float) -> list[Column]:
    """Columns of numbers that share the width from `first` on."""
    width = (1 - first) / max(len(headers), 1)
    return [Column(header, first + (index + 1) * width) for index, header in enumerate(headers)]


def draw_table(axes: Axes, title: str, columns: Sequence[Column], lines: Sequence[TableLine]) -> None:
    """Fills `axes` with the table; the lines' names begin at its left edge."""
    axes.set_axis_off()
    axes.set_title(title)
    axes.set(xlim=(0, 1), ylim=(len(lines) + 0.5, -0.8))
    for column in columns:
        axes.text(
            *(column.place, 0, column.header),
            ha=column.align,
            va="center",
            fontsize=TEXT_SIZE,
            fontweight="bold",
        )
    axes.plot([0, 1], [0.5, 0.5], color=BLACK, linewidth=0.6)
    for index, line in enumerate(lines, start=1):
        axes.text(0, index, line.name, va="center", fontsize=TEXT_SIZE, color=text_color(line.color))
        for column, cell in zip(columns, line.cells, strict=True):
            axes.text(
                *(column.place, index, cell),
                ha=column.align,
                va="center",
                fontsize=TEXT_SIZE,
                color=text_color(line.color),
            )
