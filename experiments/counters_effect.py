"""What limits the kernels of a stage, by the counters that a machine recorded, as a table of texts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.kernel_metrics import (
    instructions_per_code,
    memory_bytes_per_byte,
    most_frequent_stall,
    unit_shares,
)
from experiments.results import MEASURED_DIR, RECORDED_DIR, Result, recorded_results, results_here
from experiments.stage_effect import machine_title
from experiments.stage_effect_text import UNKNOWN, MachineTable, TextTable, number_text

COUNTERS_TARGETS = ("warp_tiles_counters", "wide_encoder_counters")
HEADER = (
    *("kernel", "text", "nearest to its peak", "second", "most warps wait for"),
    *("instructions a code", "memory bytes a byte of text"),
)
# What the table's columns mean.
UNITS_EXPLAINED = (
    "A unit's share of its peak is over the whole duration of the kernel; of all units the two nearest to "
    "it are named. In brackets: warps that wait for this while an instruction issues, on average. "
    "Instructions are those of a lane; memory bytes are read and written."
)
_MAIN_KERNELS = {"decode": "decoding", "encode": "encoding"}

Row = Mapping[str, Any]


def recorded_counters(folder: Path = RECORDED_DIR) -> list[Result]:
    """The committed counters of every machine."""
    return recorded_results(COUNTERS_TARGETS, folder)


def counters_here(folder: Path = MEASURED_DIR) -> list[Result]:
    """The counters that were read on this machine."""
    return results_here(COUNTERS_TARGETS, folder)


def kernel_name(row: Row) -> str:
    """The step of a profiled row, and its kernel where that is not the one that the stage is about."""
    is_main = row["kernel"] == _MAIN_KERNELS[row["operation"]]
    return row["variant"] if is_main else f"{row['variant']}, {row['kernel']}"


def text_name(row: Row) -> str:
    """The column of the text, and the bits of its codes where they differ: `wiki, 12 bits`."""
    column = row["dataset"].partition("/")[2].partition("_tiled_to_")[0].partition("_sf")[0]
    return f"{column}, {row['tiles']['code_bits']} bits" if "tiles" in row else column


def _unit_text(shares: Sequence[tuple[str, float]], place: int) -> str:
    """`issue, 87 %`."""
    if place >= len(shares):
        return UNKNOWN
    name, share = shares[place]
    return f"{name}, {share:.0f} %"


def _line(row: Row) -> tuple[str, ...]:
    shares = list(unit_shares(row["counters"]).items())
    stall = most_frequent_stall(row["counters"])
    return (
        kernel_name(row),
        text_name(row),
        *(_unit_text(shares, place) for place in (0, 1)),
        f"{stall[0].label} ({number_text(stall[1])})" if stall else UNKNOWN,
        number_text(instructions_per_code(row)),
        number_text(memory_bytes_per_byte(row)),
    )


def counters_effects(results: Sequence[Result], stage: str) -> list[MachineTable]:
    """The profiled kernels of `stage` on each machine that recorded them."""
    effects = []
    for result in results:
        lines = tuple(_line(row) for row in result.rows if row["stage"] == stage)
        if not lines:
            continue
        machine = machine_title(result.machine)
        gpu = result.environment["gpu"] or machine
        source = f"{gpu}, counters of NVIDIA Nsight Compute, {result.origin_text}"
        effects.append(MachineTable(machine, source, TextTable(HEADER, lines)))
    return effects
