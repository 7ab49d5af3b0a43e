"""Share of the symbols of each length, for each group of data sets."""

import pandas as pd

from experiments.plots import style
from experiments.plots.encoder import (
    COLORS,
    DBTEXT,
    TPCH,
    by_group,
    mean_of_tables,
    symbols_by_length,
    tables_of,
)
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result

COLUMNS = ["series", "length", "symbols", "share"]
# Shorter symbols are not in the hash table.
_SHORTEST_HASHED = 3


def _table(result: Result) -> pd.DataFrame:
    lines = []
    for group, rows in by_group(result.rows).items():
        counts = symbols_by_length(rows)
        lines += [(group, length, count, count / sum(counts)) for length, count in enumerate(counts, start=1)]
    return pd.DataFrame(lines, columns=COLUMNS)


def draw(inputs: FigureInput) -> FigureOutput:
    """Bars for each length, one for each group."""
    assert inputs.result is not None
    table = _table(inputs.result)
    figure, (axes,) = style.new_figure(2.4)
    groups = list(dict.fromkeys(table["series"]))
    width = 0.8 / max(len(groups), 1)
    for place, group in enumerate(groups):
        part = table[table["series"] == group]
        offset = (place - (len(groups) - 1) / 2) * width
        axes.bar(part["length"] + offset, 100 * part["share"], width, color=COLORS[group], label=group)
    axes.set_xticks(range(1, 9))
    axes.set_xlabel("length of the symbol (bytes)")
    axes.set_ylabel("symbols (%)")
    axes.grid(axis="x", visible=False)
    if groups:
        axes.legend(frameon=False, fontsize=style.LABEL_SIZE)
    return FigureOutput(figure, table, ["The paper's bars are a picture; its text gives the numbers beside."])


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """How much of the tables is in the hash table, for the groups that the paper has too."""
    del published
    assert result is not None
    values = {}
    groups = by_group(result.rows)
    for group in (TPCH, DBTEXT):
        if group not in groups:
            continue
        counts = symbols_by_length(groups[group])
        hashed = sum(counts[_SHORTEST_HASHED - 1 :])
        values[f"{group} symbols in the hash table"] = (
            100 * hashed / sum(counts) if group == TPCH else hashed / tables_of(groups[group])
        )
    if DBTEXT in groups:
        values["DBText combinations in the short codes"] = mean_of_tables(groups[DBTEXT], "mean_short_codes")
    return values
