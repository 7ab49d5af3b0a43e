"""Stages without their checks of damaged input, which only the measuring program has, and what those cost."""

from collections.abc import Mapping, Sequence
from typing import Any

from experiments.decoder_ladder import ladder_steps
from experiments.results import Result
from experiments.stage_effect import machine_title
from experiments.stage_effect_text import TextTable, number_text

_SUFFIX = "_unchecked"

Row = Mapping[str, Any]


def checked_stage(stage: str) -> str:
    """The registered stage that `stage` is, or is the unchecked variant of."""
    return stage.removesuffix(_SUFFIX)


def _same_frame(row: Row) -> tuple[Any, ...]:
    """What two rows share that decode the same bytes."""
    parameters, tiles = row["parameters"], row["tiles"]
    shape = tiles["code_bits"], tiles["codes_per_lane"]
    return row["dataset"], parameters["blocks"], *shape, tiles["level"], tiles["parse"]


def _line(unchecked: Row, checked: Row) -> tuple[str, ...]:
    without, with_check = unchecked["throughput_gb_per_s"], checked["throughput_gb_per_s"]
    cost = 100 * (without / with_check - 1)
    codes = f"{checked['tiles']['code_bits']} bits, {checked['tiles']['parse']} parse"
    return (
        checked["variant"],
        codes,
        number_text(with_check),
        number_text(without),
        f"{cost:+.1f} %",
    )


def check_cost(result: Result, stage: str) -> tuple[str, TextTable] | None:
    """The machine, and what the check of `stage` costs there: each unchecked row beside the last checked step
    on the same frame. None where the result has no such pair."""
    unchecked = [row for row in result.rows if row["stage"] == stage + _SUFFIX]
    if not unchecked:
        return None
    checked_steps = ladder_steps([row for row in result.rows if row["stage"] == stage])
    checked = {_same_frame(row): row for row in checked_steps}
    pairs = [(row, checked[_same_frame(row)]) for row in unchecked if _same_frame(row) in checked]
    if not pairs:
        return None
    header = ("step", "codes", "GB/s", "GB/s without the check", "faster without")
    table = TextTable(header, tuple(_line(*pair) for pair in pairs))
    return machine_title(result.machine), table


def check_costs(results: Sequence[Result], stage: str) -> list[tuple[str, TextTable]]:
    """What the check of `stage` costs on each machine that measured it."""
    costs = [check_cost(result, stage) for result in results]
    return [cost for cost in costs if cost is not None]
