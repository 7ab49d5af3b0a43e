"""Charts of the kind `table`: tables below each other as a picture."""

from collections.abc import Mapping, Sequence

import pandas as pd

from experiments.chart_definition import Part, TablePicture
from experiments.charts.shared import MEASURED, ChartInput
from experiments.expressions import Row
from experiments.plots import style
from experiments.plots.interface import FigureOutput
from experiments.plots.table import TableLine, draw_table, even_columns, table_height


def _measured_lines(picture: TablePicture, rows: list[Row], inputs: ChartInput) -> list[TableLine]:
    reader = inputs.reader
    return [
        TableLine(
            reader.text(picture.name, row, "name"),
            [reader.text(cells, row, f"columns.{title}") for title, cells in picture.columns.items()],
        )
        for row in rows
    ]


def _published_text(inputs: ChartInput, quantity: str) -> str:
    """A number that the paper has as a picture alone is a stroke."""
    found = [number for number in inputs.published.of(inputs.target) if number.quantity == quantity]
    if found and found[0].value is None:
        return "-"
    value = inputs.published.value(inputs.target, quantity)
    # Large numbers without an exponent.
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def _published_lines(picture: TablePicture, inputs: ChartInput) -> list[TableLine]:
    return [
        TableLine(
            line.name,
            [_published_text(inputs, quantity) for quantity in line.quantities],
            style.PAPER,
        )
        for line in picture.published_lines
    ]


def _rows(picture: TablePicture, part: Part, inputs: ChartInput) -> list[Row]:
    rows = [row for row in inputs.rows if inputs.reader.suits(part.where, row)]
    if picture.order:
        rows.sort(key=lambda row: inputs.reader.number(picture.order, row, "order"))
    return rows


def _texts(picture: TablePicture, parts: Mapping[str, Sequence[TableLine]]) -> pd.DataFrame:
    texts = [
        (title, line.name, "published" if line.color == style.PAPER else MEASURED, *line.cells)
        for title, lines in parts.items()
        for line in lines
    ]
    return pd.DataFrame(texts, columns=["part", "name", "kind", *picture.columns])


def _measured(picture: TablePicture, inputs: ChartInput) -> dict[str, list[TableLine]]:
    return {
        part.title: _measured_lines(picture, _rows(picture, part, inputs), inputs) for part in picture.parts
    }


def numbers(picture: TablePicture, inputs: ChartInput) -> pd.DataFrame:
    """The lines that are measured, as texts."""
    return _texts(picture, _measured(picture, inputs))


def draw(picture: TablePicture, inputs: ChartInput) -> FigureOutput:
    """The figure. Raises TableError where a row lacks what the table shows."""
    published = _published_lines(picture, inputs)
    parts = {title: [*lines, *published] for title, lines in _measured(picture, inputs).items()}
    columns = even_columns(list(picture.columns), picture.name_width)
    nothing = TableLine("no measurement", [""] * len(columns))
    shown = {title: lines or [nothing] for title, lines in parts.items()}
    heights = [table_height(len(lines)) for lines in shown.values()]
    figure, plots = style.new_figure(sum(heights), rows=len(parts), heights=heights)
    for axes, (title, lines) in zip(plots, shown.items(), strict=True):
        draw_table(axes, title, columns, lines)
    return FigureOutput(figure, _texts(picture, parts), inputs.reader.notes(inputs.chart.notes))
