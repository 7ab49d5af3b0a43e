"""What an encoder loses where its memory is allocated for each encoding, as a table of texts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.results import RECORDED_DIR, Result, recorded_results
from experiments.stage_effect import machine_title
from experiments.stage_effect_text import MachineTable, TextTable, data_text, number_text

ALLOCATION_TARGETS = ("encoder_fig_13",)
HEADER = ("end to end", "GB/s", "ms", "fastest to slowest (ms)")
_NAMES = {
    "without_allocations": "memory is there",
    "with_allocations": "memory is allocated before and freed after",
}
ALLOCATION_EXPLAINED = (
    "Training and encoding on the host's clock, input in device memory. In the second line the output, the "
    "scratch memory with the tables, the statuses and the frame's size are allocated and freed in the time."
)

Row = Mapping[str, Any]


def recorded_allocations(folder: Path = RECORDED_DIR) -> list[Result]:
    """The committed times with and without allocations of every machine."""
    return recorded_results(ALLOCATION_TARGETS, folder)


def throughputs(row: Row) -> dict[str, float]:
    """GB/s by `without_allocations` and `with_allocations`; empty where they were not measured."""
    return {
        name: row["uncompressed_bytes"] / seconds["median"] / 1e9
        for name, seconds in row.get("end_to_end_seconds", {}).items()
    }


def _lines(row: Row) -> tuple[tuple[str, ...], ...]:
    found = throughputs(row)
    lines = []
    for name, text in _NAMES.items():
        seconds = row["end_to_end_seconds"][name]
        fastest, median, slowest = (number_text(1e3 * seconds[key]) for key in ("min", "median", "max"))
        lines.append((text, number_text(found[name]), median, f"{fastest} to {slowest}"))
    return tuple(lines)


def allocation_effects(results: Sequence[Result], stage: str) -> list[MachineTable]:
    """What allocations cost `stage` on each machine that measured it."""
    effects = []
    for result in results:
        for row in result.rows:
            if row["stage"] != stage or "end_to_end_seconds" not in row:
                continue
            machine = machine_title(result.machine)
            source = data_text(machine, result, row["dataset"], row["uncompressed_bytes"])
            effects.append(MachineTable(machine, source, TextTable(HEADER, _lines(row))))
    return effects
