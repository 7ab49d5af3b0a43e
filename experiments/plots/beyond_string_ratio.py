"""The ratio of blocks and of single strings, with and without the offsets of strings: a table by column."""

from statistics import geometric_mean

import pandas as pd

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.table import TableLine, draw_table, even_columns, table_height
from experiments.published import Published
from experiments.results import Result

BLOCK, STRING = "block", "each string"
# The variant and the offsets that count, in the order of the table's columns.
COLUMNS = [(variant, offsets) for variant in (BLOCK, STRING) for offsets in ("none", "32 bits", "packed")]
HEADERS = ["block", "+ 32 bits", "+ packed", "string", "+ 32 bits", "+ packed"]
MEAN = "geometric mean"


def _column_name(dataset: str) -> str:
    """`l_comment` for `tpch/l_comment_sf1.2_first_33554432_bytes`."""
    name = dataset.partition("/")[2]
    return "l_comment (TPC-H)" if dataset.startswith("tpch/") else name


def _rows_of(result: Result) -> pd.DataFrame:
    fields = [
        (
            row["dataset"],
            row["variant"],
            row["parameters"]["offsets"],
            row["parameters"]["strings"],
            row["uncompressed_bytes"],
            row["compressed_bytes"],
            row["ratio"],
        )
        for row in result.rows
    ]
    columns = ["dataset", "variant", "offsets", "strings", "uncompressed_bytes", "compressed_bytes", "ratio"]
    return pd.DataFrame(fields, columns=columns)


def _ratios(rows: pd.DataFrame) -> dict[str, list[float]]:
    """The ratios of each data set in the order of COLUMNS, the data sets by the first of them."""
    found = {(row.dataset, row.variant, row.offsets): row.ratio for row in rows.itertuples()}
    lines = {
        dataset: [found[dataset, variant, offsets] for variant, offsets in COLUMNS]
        for dataset in rows["dataset"].unique()
    }
    return dict(sorted(lines.items(), key=lambda line: line[1][0]))


def draw(inputs: FigureInput) -> FigureOutput:
    """A line for each column, and their geometric mean."""
    assert inputs.result is not None
    rows = _rows_of(inputs.result)
    ratios = _ratios(rows)
    figure, (axes,) = style.new_figure(table_height(len(ratios) + 1))
    lines = [
        TableLine(_column_name(dataset), [f"{ratio:.2f}" for ratio in values])
        for dataset, values in ratios.items()
    ]
    notes = []
    if len(ratios) > 1:
        means = [geometric_mean(values) for values in zip(*ratios.values(), strict=True)]
        lines.append(TableLine(MEAN, [f"{mean:.2f}" for mean in means], style.OURS))
        mean_rows = [(MEAN, *of, mean) for of, mean in zip(COLUMNS, means, strict=True)]
        added = pd.DataFrame(mean_rows, columns=["dataset", "variant", "offsets", "ratio"])
        rows = pd.concat([rows, added], ignore_index=True)
        notes.append(f"The mean is geometric, over {len(ratios)} columns, each with its own tables.")
    draw_table(axes, "compression ratio", even_columns(HEADERS, 0.24), lines)
    return FigureOutput(figure, rows, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """Nothing is published that this is compared with."""
    del result, published
    return {}
