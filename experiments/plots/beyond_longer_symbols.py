"""Stored compression ratio against the longest symbol, and what the streaming limit gains by it."""

from statistics import geometric_mean

import pandas as pd
from matplotlib.axes import Axes

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result

TARGET = "beyond_longer_symbols"
STUDY = "study"
MEAN = "geometric mean"
# By what the names of their data sets begin with, sizes follow. The other columns are drawn as their mean.
DRAWN_ALONE = {
    "tpch/l_comment": "l_comment",
    "dbtext/ps_comment": "ps_comment",
    "dbtext/c_name": "c_name",
    "dbtext/l_comment": "DBText's l_comment",
}
# The column on which another dictionary codec publishes its ratios, and the study's symbols that are as long.
PUBLISHED, PUBLISHED_LENGTH = "ps_comment", 16
PUBLISHED_RATIO = "compression ratio of ps_comment of DBText, 12 bits"
PUBLISHED_TPCH_RATIO = "compression ratio of ps_comment at scale factor 10, 12 bits"
# A column gains where its ratio rises by more than this.
LEAST_GAIN = 0.05
DBTEXT = "other columns of DBText"
LOOKS = dict(zip([*DRAWN_ALONE.values(), DBTEXT], [(style.OURS, "o"), *style.SERIES[:4]], strict=True))
VALUES = ["ratio", "code_ratio", "limit_gain", "ratio_gain"]


def _series(dataset: str) -> str:
    """`l_comment` for `tpch/l_comment_sf1.2_first_33554432_bytes`."""
    return next((name for start, name in DRAWN_ALONE.items() if dataset.startswith(start)), DBTEXT)


def _by_dataset(result: Result) -> pd.DataFrame:
    """One row for each data set, variant and length. A byte of output costs the memory 1 + 1 / ratio bytes,
    so the limit's gain is against the shortest symbols of the same variant."""
    rows = [
        (
            _series(row["dataset"]),
            row["dataset"],
            row["variant"],
            row["parameters"]["longest_symbol"],
            row["parameters"]["table_bytes"],
            row["ratio"],
            row["uncompressed_bytes"] / (row["compressed_bytes"] - row["parameters"]["table_bytes"]),
        )
        for row in result.rows
    ]
    columns = ["series", "dataset", "variant", "longest_symbol", "table_bytes", "ratio", "code_ratio"]
    table = pd.DataFrame(rows, columns=columns).sort_values(["dataset", "variant", "longest_symbol"])
    moved = 1 + 1 / table["ratio"]
    shortest = moved.groupby([table["dataset"], table["variant"]]).transform("first")
    first = table["ratio"].groupby([table["dataset"], table["variant"]]).transform("first")
    return table.assign(limit_gain=shortest / moved, ratio_gain=table["ratio"] / first)


def _means(table: pd.DataFrame) -> pd.DataFrame:
    groups = table.groupby(["series", "variant", "longest_symbol"], as_index=False)
    return groups[VALUES].agg(geometric_mean)


def _draw_lines(axes: Axes, table: pd.DataFrame, column: str) -> None:
    for series, part in table.groupby("series"):
        color, marker = LOOKS[str(series)]
        study = part[part["variant"] == STUDY]
        axes.plot(study["longest_symbol"], study[column], marker=marker, color=color, label=series)
        others = part[part["variant"] != STUDY]
        axes.plot(others["longest_symbol"], others[column], marker, color=color, markerfacecolor="white")


def _gain_notes(table: pd.DataFrame) -> list[str]:
    """What the longest symbols bring on each text that gains, and on how many texts none do."""
    study = table[table["variant"] == STUDY]
    gains = study[study["longest_symbol"] == study["longest_symbol"].max()].sort_values(
        "ratio_gain", ascending=False
    )
    more = gains[gains["ratio_gain"] > 1 + LEAST_GAIN]
    if more.empty:
        return []
    each = ", ".join(
        f"{line.dataset} {100 * (line.ratio_gain - 1):+.0f} % (limit {100 * (line.limit_gain - 1):+.1f} %)"
        for line in more.itertuples()
    )
    return [
        f"Ratio with the longest symbols against the shortest: {each}; the other "
        f"{len(gains) - len(more)} texts {100 * LEAST_GAIN:.0f} % more at most."
    ]


def draw(inputs: FigureInput) -> FigureOutput:
    """Two plots over the longest symbol: the ratio, and the gain of the streaming limit."""
    assert inputs.result is not None
    table = _by_dataset(inputs.result)
    means = _means(table)
    figure, (ratio, gain) = style.new_figure(4.2, rows=2)
    _draw_lines(ratio, means, "ratio")
    _draw_lines(gain, means[means["variant"] == STUDY], "limit_gain")
    published = inputs.published.value(TARGET, PUBLISHED_RATIO)
    of_tpch = inputs.published.value(TARGET, PUBLISHED_TPCH_RATIO)
    ratio.plot(PUBLISHED_LENGTH, published, "D", color=style.PAPER, markerfacecolor="none", label="OnPair")
    ratio.set_ylabel("compression ratio")
    gain.set_ylabel("streaming limit\n(shortest symbols = 1)")
    gain.set_xlabel("bytes of the longest symbol")
    for axes in (ratio, gain):
        axes.set_xticks(sorted(means["longest_symbol"].unique()))
    if not means.empty:
        style.legend_above(figure, 2, ratio)
    notes = [
        "Where longer symbols are worse on a part of the first half, the table with shorter ones is taken.",
        f"Grey: OnPair, which publishes {published:g} for DBText's {PUBLISHED} with codes of 12 bits and "
        f"symbols of up to {PUBLISHED_LENGTH} bytes, and {of_tpch:g} for a larger one of TPC-H. Its "
        "dictionary is of the whole column, the study's of the other half.",
        *_gain_notes(table),
    ]
    columns = table[table["series"] == DBTEXT]["dataset"].nunique()
    if columns:
        notes.append(f"Other columns of DBText: geometric mean over {columns}, each with its own table.")
    means.insert(1, "dataset", MEAN)
    return FigureOutput(figure, pd.concat([table, means], ignore_index=True), notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """The study's ratio of the column that OnPair publishes, with symbols as long as its own."""
    del published
    assert result is not None
    table = _by_dataset(result)
    same = table[
        (table["dataset"] == f"dbtext/{PUBLISHED}")
        & (table["variant"] == STUDY)
        & (table["longest_symbol"] == PUBLISHED_LENGTH)
    ]
    return {} if same.empty else {PUBLISHED_RATIO: float(same["ratio"].iloc[0])}
