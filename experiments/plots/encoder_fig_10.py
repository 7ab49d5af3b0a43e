"""Throughput of the GPU encoder against the pairs in a row of the match table."""

import pandas as pd

from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.stages import slowest_and_fastest
from experiments.published import Published
from experiments.results import Result

LOST = "throughput lost with more pairs"
# The paper's own K, and the next one that is measured.
FEWER, MORE = 8, 16
SERIES = "stage 08"
COLUMNS = ["series", "match_pairs", "throughput_gb_per_s", "slowest", "fastest", "ratio"]


def _table(result: Result | None) -> pd.DataFrame:
    rows = result.rows if result is not None else ()
    lines = [
        (
            SERIES,
            row["parameters"]["match_pairs"],
            row["throughput_gb_per_s"],
            *slowest_and_fastest(row),
            row["ratio"],
        )
        for row in rows
        if not row["end_to_end"]
    ]
    return pd.DataFrame(lines, columns=COLUMNS).sort_values("match_pairs")


def draw(inputs: FigureInput) -> FigureOutput:
    """One line with bars from the slowest to the fastest repetition."""
    table = _table(inputs.result)
    figure, (axes,) = style.new_figure(2.2)
    axes.set_xlabel("K, two-byte symbols with the same first byte")
    axes.set_ylabel("compression (GB/s)")
    if table.empty:
        style.say_no_measurement(axes)
        return FigureOutput(figure, table)
    y = table["throughput_gb_per_s"]
    errors = [y - table["slowest"], table["fastest"] - y]
    axes.errorbar(table["match_pairs"], y, yerr=errors, color=style.OURS, marker="o", capsize=2)
    axes.set_xticks(table["match_pairs"])
    axes.set_ylim(0, 1.2 * y.max())
    notes = ["K counts pairs, as the text of the paper does; its Listing 1 counts words of two pairs each."]
    return FigureOutput(figure, table, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """Percent of the throughput that is lost with twice the paper's pairs."""
    del published
    by_pairs = _table(result).set_index("match_pairs")["throughput_gb_per_s"]
    if FEWER not in by_pairs.index or MORE not in by_pairs.index:
        return {}
    return {LOST: 100 * (1 - by_pairs[MORE] / by_pairs[FEWER])}
