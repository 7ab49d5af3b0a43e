"""How far the encoder that is all on the GPU is from its goals, for its page."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.coding_throughput import Row, coding_throughput, is_of_tiles, split_bytes
from experiments.counters_effect import text_name
from experiments.results import RECORDED_DIR, Result, recorded_results
from experiments.stage_effect import machine_title
from experiments.stage_effect_text import TextTable, number_text

LADDER_TARGET, COLUMNS_TARGET = "wide_encoder_ladder", "wide_encoder_columns"
# From this length on the symbols of splits are nearly those of one parse of the block.
LONG_SPLIT_BYTES = 16384
# GB/s. Coding is encoding and compaction, tables given.
CODING, END_TO_END, LONG_SPLITS_CODING = 900.0, 500.0, 830.0
COLUMNS_CODING, COLUMNS_END_TO_END = 440.0, 300.0
HEADER = ("goal", "at least (GB/s)", "measured (GB/s)", "in", "so it is")
_TABLE_GIVEN = "encoding + compaction, table given"


@dataclass(frozen=True)
class GoalsEffect:
    """The goals of one stage on one machine, and what else its rows say; `source` says what was measured."""

    machine: str
    source: str
    table: TextTable
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class _Measured:
    """GB/s, and the step or the column that they are of."""

    value: float
    place: str


def recorded_columns(folder: Path = RECORDED_DIR) -> list[Result]:
    """The committed throughputs of every DBText column."""
    return recorded_results((COLUMNS_TARGET,), folder)


def bytes_text(count: int) -> str:
    """`256 bytes`, `16 KiB`, `1 MiB`."""
    for unit, name in ((2**20, "MiB"), (2**10, "KiB")):
        if count % unit == 0:
            return f"{count // unit} {name}"
    return f"{count} bytes"


def _result_text(value: float, goal: float) -> str:
    percent = 100 * abs(value / goal - 1)
    return f"{'met' if value >= goal else 'missed'} by {percent:.2g} %"


def _line(what: str, goal: float, measured: _Measured) -> tuple[str, ...]:
    return (
        what,
        f"{goal:.0f}",
        number_text(measured.value),
        measured.place,
        _result_text(measured.value, goal),
    )


def _coding(row: Row, place: str) -> _Measured:
    value = coding_throughput(row)
    assert value is not None
    return _Measured(value, place)


def _step(row: Row) -> str:
    return f"`{row['variant']}`"


def _best(values: Sequence[_Measured]) -> _Measured:
    return max(values, key=lambda measured: measured.value)


def _worst(values: Sequence[_Measured]) -> _Measured:
    return min(values, key=lambda measured: measured.value)


def _last_and_best(what: str, goal: float, last: _Measured, values: Sequence[_Measured]) -> list[tuple]:
    """A line for the last step, and one for the fastest row where that is another."""
    best = _best(values)
    lines = [_line(f"{what}; the last step", goal, last)]
    return lines if best.place == last.place else [*lines, _line(f"{what}; the fastest", goal, best)]


def _cut(row: Row) -> dict[str, Any]:
    return {name: value for name, value in row["parameters"].items() if name != "step"}


def _ladder_lines(given: Sequence[Row], whole: Sequence[Row]) -> list[tuple]:
    """`given` and `whole` are the rows without and with training."""
    lines = []
    for what, goal, rows, measure in (
        (_TABLE_GIVEN, CODING, given, _coding),
        ("end to end", END_TO_END, whole, lambda row, place: _Measured(row["throughput_gb_per_s"], place)),
    ):
        short = [row for row in rows if split_bytes(row) < LONG_SPLIT_BYTES]
        if not short:
            continue
        last = [row for row in short if _cut(row) == _cut(short[0])][-1]
        values = [measure(row, _step(row)) for row in short]
        lines += _last_and_best(what, goal, measure(last, _step(last)), values)
    # Longer ones leave most lanes without a split: they are measured for their ratio.
    long = [row for row in given if split_bytes(row) >= LONG_SPLIT_BYTES]
    if long:
        row = max(long, key=lambda row: _coding(row, _step(row)).value)
        what = f"{_TABLE_GIVEN}, one parse of the block: splits of {bytes_text(split_bytes(row))}"
        lines.append(_line(what, LONG_SPLITS_CODING, _coding(row, _step(row))))
    return lines


def _columns_by_split(rows: Sequence[Row]) -> dict[int, list[Row]]:
    return {
        count: [row for row in rows if split_bytes(row) == count]
        for count in sorted(set(map(split_bytes, rows)))
    }


def _measured_columns(rows: Sequence[Row]) -> tuple[list[_Measured], list[_Measured]]:
    """Coding with tables given, and end to end, of each column."""
    coding = [_coding(row, text_name(row)) for row in rows if not row["end_to_end"]]
    whole = [_Measured(row["throughput_gb_per_s"], text_name(row)) for row in rows if row["end_to_end"]]
    return coding, whole


def _columns_lines(rows: Sequence[Row]) -> list[tuple]:
    short = [row for row in rows if split_bytes(row) < LONG_SPLIT_BYTES]
    if not short:
        return []
    coding, whole = _measured_columns(short)
    return [
        _line(f"every column, {_TABLE_GIVEN}; the slowest", COLUMNS_CODING, _worst(coding)),
        _line("every column, end to end; the slowest", COLUMNS_END_TO_END, _worst(whole)),
    ]


def _range_text(values: Sequence[_Measured]) -> str:
    slowest, fastest = _worst(values), _best(values)
    return (
        f"from {number_text(slowest.value)} GB/s ({slowest.place}) "
        f"to {number_text(fastest.value)} ({fastest.place})"
    )


def _columns_sentences(rows: Sequence[Row]) -> list[str]:
    """What the slowest and the fastest column reach, for each length of splits."""
    sentences = []
    for count, part in _columns_by_split(rows).items():
        coding, whole = _measured_columns(part)
        sentences.append(
            f"The {len(coding)} columns of DBText in splits of {bytes_text(count)}, each tiled to "
            f"{number_text(part[0]['uncompressed_bytes'] / 1e9)} GB: encoding + compaction, table given, "
            f"{_range_text(coding)}; end to end {_range_text(whole)}."
        )
    return sentences


def _parse_sentences(given: Sequence[Row]) -> list[str]:
    """How much ratio long splits lose beside the longest of blocks as large: the number of blocks decides how
    many tables are stored."""
    rows = [row for row in given if split_bytes(row) >= LONG_SPLIT_BYTES]
    sentences = []
    for row in rows:
        block_bytes = row["parameters"]["block_bytes"]
        longest = max(
            (other for other in rows if other["parameters"]["block_bytes"] == block_bytes), key=split_bytes
        )
        if split_bytes(row) == split_bytes(longest):
            continue
        sentences.append(
            f"The ratio of splits of {bytes_text(split_bytes(row))} is "
            f"{100 * (1 - row['ratio'] / longest['ratio']):.2g} % below that of splits of "
            f"{bytes_text(split_bytes(longest))}, both in blocks of {bytes_text(block_bytes)}."
        )
    return sentences


def _rows(results: Sequence[Result], stage: str) -> list[Row]:
    return [
        row for result in results for row in result.rows if row["stage"] == stage and not is_of_tiles(row)
    ]


def goals_effects(ladders: Sequence[Result], columns: Sequence[Result], stage: str) -> list[GoalsEffect]:
    """The goals of `stage` on each machine that measured its ladder; none where it has no goals."""
    effects = []
    for ladder in ladders:
        rows = _rows([ladder], stage) if ladder.target == LADDER_TARGET else []
        if not rows:
            continue
        given = [row for row in rows if not row["end_to_end"]]
        whole = [row for row in rows if row["end_to_end"]]
        same_machine = [result for result in columns if result.machine == ladder.machine]
        of_columns = _rows(same_machine, stage)
        source = f"ladder: {ladder.origin_text}"
        if of_columns:
            source += f"; columns: {same_machine[0].origin_text}"
        effects.append(
            GoalsEffect(
                machine_title(ladder.machine),
                source,
                TextTable(HEADER, (*_ladder_lines(given, whole), *_columns_lines(of_columns))),
                (*_parse_sentences(given), *_columns_sentences(of_columns)),
            )
        )
    return effects
