"""What a stage with a ladder reaches, in the numbers that stand for all its steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.coding_throughput import encoder_steps
from experiments.decoder_ladder import ladder_choices, ladder_steps
from experiments.results import RECORDED_DIR, Result, recorded_results
from experiments.table_text import machine_title

LADDER_TARGETS = ("encoder_ladder", "warp_tiles_ladder", "wide_encoder_ladder")

Row = Mapping[str, Any]


@dataclass(frozen=True)
class LadderSummary:
    """One stage on one machine. `rows`: a decoder's fastest one, and before it the one at level 1 where that
    was measured; of an encoder the last step with the symbol tables given. `end_to_end`, which only an
    encoder has, is its GB/s with training."""

    machine: str
    rows: tuple[Row, ...]
    end_to_end: float | None = None


def recorded_ladders(folder: Path = RECORDED_DIR) -> list[Result]:
    """The committed ladders of every stage and machine."""
    return recorded_results(LADDER_TARGETS, folder)


def _decoder_rows(rows: Sequence[Row]) -> tuple[Row, ...]:
    of_level_1 = (row for row, _ in ladder_choices(rows) if row["tiles"]["level"] == 1)
    return (*of_level_1, max(ladder_steps(rows), key=lambda row: row["throughput_gb_per_s"]))


def _summary(result: Result, stage: str) -> LadderSummary | None:
    rows = [row for row in result.rows if row["stage"] == stage]
    if not rows:
        return None
    machine = machine_title(result.machine)
    if rows[0]["operation"] == "decode":
        return LadderSummary(machine, _decoder_rows(rows))
    last = encoder_steps([row for row in rows if not row["end_to_end"]])[-1]
    end_to_end = {row["variant"]: row["throughput_gb_per_s"] for row in rows if row["end_to_end"]}
    return LadderSummary(machine, (last,), end_to_end[last["variant"]])


def ladder_summaries(results: Sequence[Result], stage: str) -> list[LadderSummary]:
    """`stage` on each machine that measured its ladder; none where the results are about other stages."""
    summaries = [_summary(result, stage) for result in results]
    return [summary for summary in summaries if summary is not None]
