"""Throughput and ratio of the GPU encoder against the pairs in a row of the match table, by group."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes

from experiments.plots import style
from experiments.plots.encoder import COLORS, DBTEXT, MARKERS, Row, by_group, ratio
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result

TARGET = "encoder_fig_10"
LOST, GAINED = "throughput lost with more pairs", "DBText ratio gained with more pairs"
# The paper's own K, and the next one that is measured.
FEWER, MORE = 8, 16
COLUMNS = ["series", "match_pairs", "throughput_gb_per_s", "slowest", "fastest", "ratio"]


def _with_pairs(rows: Sequence[Row]) -> dict[int, list[Row]]:
    """The rows without training, by K."""
    found: dict[int, list[Row]] = {}
    for row in rows:
        if not row["end_to_end"]:
            found.setdefault(row["parameters"]["match_pairs"], []).append(row)
    return dict(sorted(found.items()))


def _throughput(rows: Sequence[Row], repetition: str = "median") -> float:
    """GB/s for all texts of the rows in sequence."""
    return (
        sum(row["uncompressed_bytes"] for row in rows) / sum(row["seconds"][repetition] for row in rows) / 1e9
    )


def _table(result: Result | None) -> pd.DataFrame:
    lines = [
        (group, pairs, _throughput(rows), _throughput(rows, "max"), _throughput(rows, "min"), ratio(rows))
        for group, of_group in by_group(result.rows if result is not None else ()).items()
        for pairs, rows in _with_pairs(of_group).items()
    ]
    return pd.DataFrame(lines, columns=COLUMNS)


def _draw_paper(axes: Axes, line: pd.DataFrame, column: str, gained_percent: float, name: str) -> None:
    """How far the paper gets from FEWER to MORE pairs, from our point on."""
    at = line.set_index("match_pairs")[column]
    if {FEWER, MORE} <= set(at.index):
        ends = (at[FEWER], at[FEWER] * (1 + gained_percent / 100))
        axes.plot((FEWER, MORE), ends, linestyle=(0, (4, 2)), color=style.PAPER, zorder=1, label=name)


def draw(inputs: FigureInput) -> FigureOutput:
    """A line for each group with bars from the slowest to the fastest repetition, and its ratio below; dashed
    what the paper prints of both."""
    table = _table(inputs.result)
    figure, (axes, ratios) = style.new_figure(3.8, rows=2)
    ratios.set_xlabel("K, two-byte symbols with the same first byte")
    axes.set_ylabel("compression (GB/s)")
    ratios.set_ylabel("compression ratio")
    if table.empty:
        style.say_no_measurement(axes)
        style.draw_no_measurement(ratios)
        return FigureOutput(figure, table)
    lost, gained = (inputs.published.value(TARGET, quantity) for quantity in (LOST, GAINED))
    for group, line in table.groupby("series", sort=False):
        y = line["throughput_gb_per_s"]
        errors = [y - line["slowest"], line["fastest"] - y]
        look = {"color": COLORS[group], "marker": MARKERS[group], "label": group}
        axes.errorbar(line["match_pairs"], y, yerr=errors, capsize=2, **look)
        ratios.plot(line["match_pairs"], line["ratio"], **look)
        first = group == table["series"].iloc[0]
        _draw_paper(axes, line, "throughput_gb_per_s", -lost, f"paper: -{lost:g} %" if first else "_")
        if group == DBTEXT:
            _draw_paper(ratios, line, "ratio", gained, f"paper, DBText: +{gained:g} %")
    for part, column in ((axes, "throughput_gb_per_s"), (ratios, "ratio")):
        part.set_xticks(sorted(set(table["match_pairs"])))
        part.set_ylim(0, 1.2 * table[column].max())
        part.legend(frameon=False, fontsize=style.LABEL_SIZE, loc="lower left", ncols=3)
    notes = [
        "K counts pairs, as the text of the paper does; its Listing 1 counts words of two pairs each.",
        f"Dashed: how much the paper says that throughput and DBText's ratio change from {FEWER} to {MORE} "
        "pairs, from our point on.",
    ]
    return FigureOutput(figure, table, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """What twice the paper's pairs cost all texts together, and bring machine-readable ones: percent."""
    del published
    found = {}
    rows = _with_pairs(result.rows if result is not None else ())
    if {FEWER, MORE} <= rows.keys():
        found[LOST] = 100 * (1 - _throughput(rows[MORE]) / _throughput(rows[FEWER]))
    ratios = _table(result).set_index(["series", "match_pairs"])["ratio"]
    if {(DBTEXT, FEWER), (DBTEXT, MORE)} <= set(ratios.index):
        found[GAINED] = 100 * (ratios[DBTEXT, MORE] / ratios[DBTEXT, FEWER] - 1)
    return found
