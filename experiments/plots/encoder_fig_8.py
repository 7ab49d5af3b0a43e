"""Compression ratio against the entries of the hash table, for each group of data sets."""

import pandas as pd

from experiments.plots import style
from experiments.plots.encoder import COLORS, MARKERS, by_group, ratio
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result

TARGET = "encoder_fig_8"
SUFFICIENT = "sufficient hash table entries"
# A ratio that is no worse than this share of the best is taken to be as good.
_AS_GOOD = 0.99


def _table(result: Result) -> pd.DataFrame:
    lines = []
    for group, rows in by_group(result.rows).items():
        sizes = sorted({row["parameters"]["hash_entries"] for row in rows})
        ratios = {
            size: ratio([row for row in rows if row["parameters"]["hash_entries"] == size]) for size in sizes
        }
        lines += [(group, size, ratios[size], ratios[size] / ratios[sizes[-1]]) for size in sizes]
    return pd.DataFrame(lines, columns=["series", "hash_entries", "ratio", "relative_ratio"])


def draw(inputs: FigureInput) -> FigureOutput:
    """A line for each group, and the number that the paper finds sufficient."""
    assert inputs.result is not None
    table = _table(inputs.result)
    figure, (axes,) = style.new_figure(2.4)
    for group, part in table.groupby("series", sort=False):
        axes.plot(
            *(part["hash_entries"], 100 * part["relative_ratio"]),
            color=COLORS[str(group)],
            marker=MARKERS[str(group)],
            label=group,
        )
    sufficient = inputs.published.value(TARGET, SUFFICIENT)
    axes.axvline(sufficient, color=style.PAPER, linestyle="--", label=f"enough in the paper: {sufficient:g}")
    axes.set_xlabel("X, symbols of 3 and more bytes in a table")
    axes.set_ylabel("ratio (% of that without limits)")
    axes.legend(frameon=False, fontsize=style.LABEL_SIZE, loc="lower right")
    return FigureOutput(
        figure, table, ["The dashed line is the number of entries that the paper finds sufficient."]
    )


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """The smallest X from which on every group has 99 % of its best ratio."""
    del published
    assert result is not None
    table = _table(result)
    worst = table.groupby("hash_entries")["relative_ratio"].min()
    enough = [size for size in worst.index if (worst.loc[size:] >= _AS_GOOD).all()]
    return {SUFFICIENT: min(enough)} if enough else {}
