"""What the levels are meant to reach, and whether a measurement of them does."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import geometric_mean

import pandas as pd

TEXT, COLUMNS = "tpch", "dbtext"
HIGHEST = 9
CODING = ["variant", "code_bits", "parse"]


@dataclass(frozen=True)
class Goal:
    """A bound on one column of the table of levels.

    It is about the rows of `group` (None: all) and of `levels` that `coding` lets through, whose worst value
    counts: the largest where the bound is `at_most`, else the smallest."""

    what: str
    column: str
    bound: float
    unit: str
    levels: tuple[int, ...]
    coding: Callable[[pd.DataFrame], pd.Series]
    at_most: bool = False
    group: str | None = TEXT


def _coding(variant: str, code_bits: int, parse: str) -> Callable[[pd.DataFrame], pd.Series]:
    return lambda table: (
        (table["variant"] == variant) & (table["code_bits"] == code_bits) & (table["parse"] == parse)
    )


def _training_goals(level: int, bounds: dict[int, float]) -> list[Goal]:
    goals = []
    codings = [("blocks", 8, "optimal")]
    codings += [("tiles", bits, parse) for bits in (8, 12) for parse in ("greedy", "optimal")]
    for variant, bits, parse in codings:
        what = f"slowest training of a table at level {level}, {bits} bits in {variant}, {parse} parse"
        coding = _coding(variant, bits, parse)
        goals.append(
            Goal(
                what, "training_milliseconds", bounds[bits], "ms", (level,), coding, at_most=True, group=None
            )
        )
    return goals


def _ratio_goal(variant: str, bits: int, parse: str, bound: float) -> Goal:
    what = f"codes alone of held-out l_comment at level {HIGHEST}, {bits} bits in {variant}, {parse} parse"
    return Goal(what, "held_out_ratio", bound, "", (HIGHEST,), _coding(variant, bits, parse))


def _encoding_goal(variant: str, bits: int, group: str) -> Goal:
    text = {TEXT: "l_comment", COLUMNS: "DBText"}[group]
    what = f"slowest encoding of {text} with the optimal parse, {bits} bits in {variant}"
    levels = tuple(range(2, HIGHEST + 1))
    coding = _coding(variant, bits, "optimal")
    return Goal(what, "encode_gb_per_s", 0.15, "GB/s", levels, coding, group=group)


GOALS = (
    *_training_goals(3, {8: 50, 12: 50}),
    *_training_goals(HIGHEST, {8: 2000, 12: 5000}),
    _ratio_goal("tiles", 8, "greedy", 3.30),
    _ratio_goal("blocks", 8, "optimal", 3.45),
    _ratio_goal("tiles", 8, "optimal", 3.45),
    _ratio_goal("tiles", 12, "optimal", 4.15),
    *(
        _encoding_goal(variant, bits, group)
        for group in (TEXT, COLUMNS)
        for variant, bits in (("blocks", 8), ("tiles", 8), ("tiles", 12))
    ),
)
# How much smaller the codes of a column are to be than with FSST's way of training, which level 1 is.
LEAST_GAIN = 1.10


def _number(value: float) -> str:
    """Four digits, and all before the point."""
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"


def _sentence(what: str, value: float, bound: float, unit: str, at_most: bool = False) -> str:
    reached = value <= bound if at_most else value >= bound
    named = f" {unit}" if unit else ""
    limit = f"{'at most' if at_most else 'at least'} {_number(bound)}{named}"
    return f"Goal {'reached' if reached else 'not reached'}: {what}: {_number(value)}{named} ({limit})."


def _check(goal: Goal, table: pd.DataFrame) -> list[str]:
    rows = table[goal.coding(table) & table["level"].isin(goal.levels)]
    values = (rows if goal.group is None else rows[rows["group"] == goal.group])[goal.column].dropna()
    if values.empty:
        return []
    worst = values.idxmax() if goal.at_most else values.idxmin()
    what = f"{goal.what} ({rows['dataset'][worst]})"
    return [_sentence(what, float(values[worst]), goal.bound, goal.unit, goal.at_most)]


def _gain_over_level_1(table: pd.DataFrame) -> list[str]:
    blocks = table[(table["variant"] == "blocks") & (table["group"] == COLUMNS)]
    ratios = blocks.pivot_table(index="dataset", columns="level", values="held_out_ratio")
    if not {1, HIGHEST} <= set(ratios.columns):
        return []
    gain = geometric_mean((ratios[HIGHEST] / ratios[1]).dropna())
    what = f"held-out ratio of DBText at level {HIGHEST} over level 1, geometric mean, 8 bits in blocks"
    return [_sentence(what, gain, LEAST_GAIN, "times")]


def _compared(table: pd.DataFrame) -> str:
    """Which levels of which codings there are: `8 bits in tiles at levels 3, 9`."""
    parts = []
    for (variant, bits), part in table.groupby(["variant", "code_bits"]):
        levels = sorted(part["level"].unique())
        if len(levels) > 1:
            parts.append(f"{bits} bits in {variant} at levels {', '.join(map(str, levels))}")
    return "; ".join(parts)


def _larger_at_a_higher_level(table: pd.DataFrame) -> list[str]:
    # Blocks have one parse a level, and level 1 another than the others: they are one series.
    series = table.assign(parse=table["parse"].where(table["variant"] != "blocks", "its own"))
    worse = []
    for (dataset, variant, bits, parse), part in series.groupby(["dataset", *CODING]):
        if (part.sort_values("level")["ratio"].diff().dropna() < 0).any():
            worse.append(f"{dataset} ({variant}, {bits} bits, {parse} parse)")
    compared = _compared(table)
    if worse:
        named = ", ".join(worse)
        return [f"Goal not reached: larger at a higher level than at a lower: {named}. Compared: {compared}."]
    if not compared:
        return []
    return [
        "Goal reached, of what was compared: no text is larger at a higher level than at a lower, in either "
        f"parse: {compared}."
    ]


def check_goals(table: pd.DataFrame) -> list[str]:
    """A sentence for each goal that the table says something about."""
    checked = [sentence for goal in GOALS for sentence in _check(goal, table)]
    return [*checked, *_gain_over_level_1(table), *_larger_at_a_higher_level(table)]
