"""Rows and columns that symbols of two bytes use, for each group of data sets."""

import pandas as pd

from experiments.plots import style
from experiments.plots.encoder import DBTEXT, TPCH, by_group, mean_of_tables, symbols_by_length, tables_of
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.table import TableLine, draw_table, even_columns, table_height
from experiments.published import Published
from experiments.results import Result

TARGET = "encoder_table_1"
QUANTITIES = ("most rows", "mean rows", "most columns", "mean columns")
PAPER_GROUPS = ("TPC-H", "GDELT", "DBText")


def _measured(result: Result) -> dict[str, tuple[float, ...]]:
    """The four quantities of each group."""
    lines = {}
    for group, rows in by_group(result.rows).items():
        mean_rows = mean_of_tables(rows, "mean_rows")
        pairs = symbols_by_length(rows)[1] / tables_of(rows)
        lines[group] = (
            max(row["tables"]["most_rows"] for row in rows),
            mean_rows,
            max(row["tables"]["most_columns"] for row in rows),
            pairs / mean_rows if mean_rows else 0.0,
        )
    return lines


def draw(inputs: FigureInput) -> FigureOutput:
    """Our lines, then the paper's."""
    assert inputs.result is not None
    lines = [(group, *values) for group, values in _measured(inputs.result).items()]
    paper = [
        (f"paper, {group}", *(inputs.published.value(TARGET, f"{group} {name}") for name in QUANTITIES))
        for group in PAPER_GROUPS
    ]
    table = pd.DataFrame(
        [*lines, *paper], columns=["series", *(name.replace(" ", "_") for name in QUANTITIES)]
    )
    figure, (axes,) = style.new_figure(table_height(len(table)))
    texts = [
        TableLine(
            str(series),
            [f"{value:.3g}" for value in values],
            style.PAPER if str(series).startswith("paper") else style.BLACK,
        )
        for series, *values in table.itertuples(index=False)
    ]
    draw_table(axes, "two-byte symbols", even_columns(QUANTITIES, 0.18), texts)
    return FigureOutput(figure, table)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """The quantities of the groups that the paper has too."""
    del published
    assert result is not None
    return {
        f"{group} {name}": value
        for group, values in _measured(result).items()
        if group in (TPCH, DBTEXT)
        for name, value in zip(QUANTITIES, values, strict=True)
    }
