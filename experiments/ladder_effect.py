"""What each step of a stage with a ladder gained, from measurements of it, as a table of texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.clock_agreement import clocks_sentence, has_both_clocks, host_over_device
from experiments.coding_throughput import coding_phases, coding_throughput
from experiments.decoder_ladder import ladder_choices, ladder_steps
from experiments.published import MEASURED, Published
from experiments.results import MEASURED_DIR, RECORDED_DIR, Result, recorded_results, results_here
from experiments.stage_effect import machine_title
from experiments.stage_effect_text import UNKNOWN, TextTable, data_text, number_text

LADDER_TARGETS = ("encoder_ladder", "warp_tiles_ladder", "wide_encoder_ladder")
MEMORY = "GPU memory beyond the input (GB)"
CHOICES_EXPLAINED = "Each row stands beside the one that differs from it in nothing else, from the same run."

Row = Mapping[str, Any]


@dataclass(frozen=True)
class LadderEffect:
    """The steps of one stage on one machine. `given` is GB/s of a decoder's fastest row, and of an encoder's
    last step with the symbol tables given; `end_to_end`, which only an encoder has, is that with training.
    `choices`, which only a decoder has, shows what one other setting gives, None where none was measured.
    `clocks` says whether two clocks agree on it; empty where only one was recorded. `target` is the
    experiment's."""

    machine: str
    source: str
    given: float
    end_to_end: float | None
    table: TextTable
    clocks: str = ""
    target: str = ""
    choices: TextTable | None = None


def recorded_ladders(folder: Path = RECORDED_DIR) -> list[Result]:
    """The committed ladders of every stage and machine."""
    return recorded_results(LADDER_TARGETS, folder)


def ladders_here(folder: Path = MEASURED_DIR) -> list[Result]:
    """The ladders that were measured on this machine."""
    return results_here(LADDER_TARGETS, folder)


def _cut(row: Row) -> dict[str, Any]:
    """How the text is cut: all parameters but the step."""
    return {name: value for name, value in row["parameters"].items() if name != "step"}


def _steps(given: Sequence[Row]) -> list[Row]:
    """The rows of the ladder itself: the others differ from the first one in more than their step."""
    return [row for row in given if _cut(row) == _cut(given[0])]


def _has_memory(row: Row) -> bool:
    return "device_bytes_beyond_input" in row


def _table(given: Sequence[Row], end_to_end: Mapping[str, Row]) -> TextTable:
    phases = list(given[0]["phase_seconds"])
    coding = f"GB/s, {' + '.join(coding_phases(given[0]))}"
    header = ("step", "GB/s", "times the step before", "GB/s end to end", coding, "ratio")
    both_clocks = all(has_both_clocks(row) for row in (*given, *end_to_end.values()))
    clocks = ("host time / event time; end to end",) if both_clocks else ()
    # With training too, which takes memory of its own.
    has_memory = all(map(_has_memory, end_to_end.values()))
    memory = (MEMORY,) if has_memory else ()
    lines = []
    before = None
    steps = _steps(given)
    for row in given:
        throughput = row["throughput_gb_per_s"]
        if row not in steps:
            before = None
        line = [
            row["variant"],
            number_text(throughput),
            number_text(throughput / before) if before else UNKNOWN,
            number_text(end_to_end[row["variant"]]["throughput_gb_per_s"]),
            number_text(coding_throughput(row)),
            f"{row['ratio']:.3f}",
        ]
        line += [number_text(1e3 * row["phase_seconds"][phase]) for phase in phases]
        if has_memory:
            line.append(number_text(end_to_end[row["variant"]]["device_bytes_beyond_input"] / 1e9))
        if both_clocks:
            line.append(f"{host_over_device(row):.3f}; {host_over_device(end_to_end[row['variant']]):.3f}")
        lines.append(tuple(line))
        before = throughput
    return TextTable((*header, *(f"{phase} (ms)" for phase in phases), *memory, *clocks), tuple(lines))


def _codes(row: Row) -> tuple[Any, Any]:
    """What two rows of a decoder share if only their steps differ."""
    return row["tiles"]["code_bits"], row["tiles"]["parse"]


def share_text(row: Row) -> str:
    """What part of the streaming limit a row reaches."""
    return f"{100 * row['throughput_gb_per_s'] / row['streaming_limit_gb_per_s']:.1f} %"


def _decoder_table(rows: Sequence[Row]) -> TextTable:
    header = ("step", "GB/s", "times the step before", "of the streaming limit", "ratio")
    lines = []
    before: dict[tuple[Any, Any], float] = {}
    for row in rows:
        throughput = row["throughput_gb_per_s"]
        slower = before.get(_codes(row))
        lines.append(
            (
                row["variant"],
                number_text(throughput),
                number_text(throughput / slower) if slower else UNKNOWN,
                share_text(row),
                f"{row['ratio']:.3f}",
            )
        )
        before[_codes(row)] = throughput
    return TextTable(header, tuple(lines))


def _choices_table(rows: Sequence[Row]) -> TextTable | None:
    """Each row that differs from another in one setting, beside that."""
    header = ("row", "GB/s", "of the streaming limit", "ratio", "beside", "times its GB/s", "times its ratio")
    lines = [
        (
            row["variant"],
            number_text(row["throughput_gb_per_s"]),
            share_text(row),
            f"{row['ratio']:.3f}",
            usual["variant"],
            f"{row['throughput_gb_per_s'] / usual['throughput_gb_per_s']:.3f}",
            f"{row['ratio'] / usual['ratio']:.3f}",
        )
        for row, usual in ladder_choices(rows)
    ]
    return TextTable(header, tuple(lines)) if lines else None


def _decoder_effect(result: Result, rows: Sequence[Row]) -> LadderEffect:
    last = rows[-1]
    machine = machine_title(result.machine)
    source = data_text(machine, result, last["dataset"], last["uncompressed_bytes"])
    of_ladder = ladder_steps(rows)
    fastest = max(row["throughput_gb_per_s"] for row in of_ladder)
    table = _decoder_table(of_ladder)
    return LadderEffect(machine, source, fastest, None, table, choices=_choices_table(rows))


def ladder_effect(result: Result, stage: str) -> LadderEffect | None:
    """The steps of `stage`, in their order, and behind them other settings; None where the result is
    about other stages."""
    rows = [row for row in result.rows if row["stage"] == stage]
    if not rows:
        return None
    if rows[0]["operation"] == "decode":
        return _decoder_effect(result, rows)
    given = [row for row in rows if not row["end_to_end"]]
    end_to_end = {row["variant"]: row for row in rows if row["end_to_end"]}
    last = _steps(given)[-1]
    machine = machine_title(result.machine)
    return LadderEffect(
        machine,
        data_text(machine, result, last["dataset"], last["uncompressed_bytes"]),
        last["throughput_gb_per_s"],
        end_to_end[last["variant"]]["throughput_gb_per_s"],
        _table(given, end_to_end),
        clocks_sentence(rows),
        result.target,
    )


def ladder_effects(results: Sequence[Result], stage: str) -> list[LadderEffect]:
    """The steps of `stage` on each machine that measured them."""
    effects = [ladder_effect(result, stage) for result in results]
    return [effect for effect in effects if effect is not None]


def measured_peers(published: Published, target: str) -> str:
    """What others' programs reached where this project measured them; empty without such numbers."""
    numbers = [number for number in published.of(target) if number.kind == MEASURED]
    texts = [
        f"{number.quantity}: {number.value:g}{'' if number.unit == 'ratio' else f' {number.unit}'}"
        for number in numbers
    ]
    sources = dict.fromkeys(number.source for number in numbers)
    return f"{'; '.join(texts)}. {'. '.join(sources)}." if numbers else ""
