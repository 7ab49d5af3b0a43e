"""Compression ratio against the rows and pairs of the match table, for each group of data sets."""

import pandas as pd

from experiments.plots import style
from experiments.plots.encoder import DBTEXT, by_group, ratio
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.published import Published
from experiments.results import Result

TARGET = "encoder_fig_9"
ROWS, PAIRS = "sufficient rows", "sufficient pairs in a row"
LOST = "DBText ratio lost with them"
_NO_LIMIT = 256
COLUMNS = ["series", "match_rows", "match_pairs", "ratio", "relative_ratio"]


def _table(result: Result) -> pd.DataFrame:
    lines = []
    for group, rows in by_group(result.rows).items():
        settings = {(row["parameters"]["match_rows"], row["parameters"]["match_pairs"]) for row in rows}
        ratios = {
            setting: ratio(
                [
                    row
                    for row in rows
                    if (row["parameters"]["match_rows"], row["parameters"]["match_pairs"]) == setting
                ]
            )
            for setting in sorted(settings)
        }
        best = ratios.get((_NO_LIMIT, _NO_LIMIT), max(ratios.values()))
        lines += [(group, *setting, value, value / best) for setting, value in ratios.items()]
    return pd.DataFrame(lines, columns=COLUMNS)


def _limit_text(limit: int) -> str:
    return "no limit" if limit == _NO_LIMIT else str(limit)


def draw(inputs: FigureInput) -> FigureOutput:
    """A plot for each group with a line for each number of rows."""
    assert inputs.result is not None
    table = _table(inputs.result)
    groups = list(dict.fromkeys(table["series"]))
    figure, plots = style.new_figure(0.4 + 1.5 * max(len(groups), 1), rows=max(len(groups), 1))
    pairs = sorted(set(table["match_pairs"]))
    for axes, group in zip(plots, groups, strict=False):
        part = table[table["series"] == group]
        for (rows, line), (color, marker) in zip(part.groupby("match_rows"), style.SERIES, strict=False):
            places = [pairs.index(value) for value in line["match_pairs"]]
            label = f"R {_limit_text(int(rows))}"
            axes.plot(places, 100 * line["relative_ratio"], color=color, marker=marker, label=label)
        axes.set_title(group)
        axes.set_xticks(range(len(pairs)), [_limit_text(value) for value in pairs])
        axes.set_ylabel("ratio (%)")
    plots[-1].set_xlabel("K, two-byte symbols with the same first byte")
    plots[0].legend(frameon=False, fontsize=style.LABEL_SIZE, ncols=2, loc="lower right")
    notes = [
        "100 % is the ratio without limits. Limits change what the trainer tries next, so that a table "
        "with a limit is sometimes the better one."
    ]
    return FigureOutput(figure, table, notes)


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """What machine-readable data loses with the paper's numbers of rows and pairs."""
    assert result is not None
    table = _table(result).set_index(["series", "match_rows", "match_pairs"])["relative_ratio"]
    setting = (DBTEXT, published.value(TARGET, ROWS), published.value(TARGET, PAIRS))
    return {LOST: 100 * (1 - table[setting])} if setting in table.index else {}
