"""The counters of NVIDIA Nsight Compute that Table 6.1 shows, and the parser of its raw CSV pages."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass

SECTOR_BYTES = 32
# What ncu writes for a counter that the GPU has not.
NOT_AVAILABLE = "n/a"
_STALL_REASONS = ("long_scoreboard", "short_scoreboard", "mio_throttle", "barrier", "wait", "lg_throttle")
_OCCUPANCY_LIMITS = ("blocks", "registers", "shared_mem", "warps")


class NcuError(Exception):
    """A CSV file that is not what ncu writes for one launch with these metrics."""


@dataclass(frozen=True)
class Metric:
    """`key` in a row's `counters`, `name` as ncu has it, `label` in the table."""

    key: str
    name: str
    label: str


METRICS = (
    Metric(
        "memory_percent", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "memory (%)"
    ),
    Metric("compute_percent", "sm__throughput.avg.pct_of_peak_sustained_elapsed", "compute (%)"),
    *(
        Metric(
            f"stall_{reason}",
            f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio",
            f"stall {reason.replace('_', ' ')}",
        )
        for reason in _STALL_REASONS
    ),
    Metric(
        "shared_bank_conflicts",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
        "shared bank conflicts (10⁹)",
    ),
    Metric(
        "sectors_per_load",
        "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
        "sectors per global load",
    ),
    Metric(
        "sectors_per_store",
        "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
        "sectors per global store",
    ),
    Metric("l2_write_sectors", "lts__t_sectors_op_write.sum", "L2 sectors written (10⁹)"),
    Metric("warps_active_percent", "sm__warps_active.avg.pct_of_peak_sustained_active", "achieved warps (%)"),
    Metric("registers_per_thread", "launch__registers_per_thread", "registers a thread"),
    Metric("shared_bytes_per_block", "launch__shared_mem_per_block", "shared memory a block (KB)"),
    *(
        Metric(
            f"occupancy_limit_{limit}",
            f"launch__occupancy_limit_{limit}",
            f"blocks per SM by {limit.replace('_', ' ')}",
        )
        for limit in _OCCUPANCY_LIMITS
    ),
)


def _csv_rows(lines: Iterable[str]) -> list[list[str]]:
    """The rows of the CSV part: ncu writes `==PROF==` lines, and programs their own output, around it."""
    kept: list[str] = []
    for line in lines:
        if kept or line.startswith('"ID",'):
            if kept and not line.startswith('"'):
                break
            kept.append(line)
    return list(csv.reader(kept))


def _number(text: str, unit: str, metric: Metric) -> float | None:
    if text == NOT_AVAILABLE:
        return None
    if unit[:1] in ("K", "M", "G", "T"):
        raise NcuError(f"{metric.name} is in {unit}: run ncu with --print-units base")
    try:
        return float(text.replace(",", ""))
    except ValueError as error:
        raise NcuError(f"{metric.name} is {text!r}, not a number") from error


def parse_counters(text: str, place: str) -> dict[str, float | None]:
    """The counters of the one launch in `text`, by key; None for those that the GPU has not. Raises NcuError,
    naming `place` and the metric."""
    rows = _csv_rows(text.splitlines())
    if len(rows) < 3:
        raise NcuError(f"{place}: holds no profiled kernel")
    if len(rows) > 3:
        raise NcuError(f"{place}: holds {len(rows) - 2} launches, must hold one")
    header, units, values = rows
    counters = {}
    try:
        for metric in METRICS:
            if metric.name not in header:
                raise NcuError(f"{metric.name} is missing")
            column = header.index(metric.name)
            counters[metric.key] = _number(values[column], units[column], metric)
    except NcuError as error:
        raise NcuError(f"{place}: {error}") from error
    return counters


def l2_write_bytes_per_output_byte(
    counters: dict[str, float | None], uncompressed_bytes: int
) -> float | None:
    """Bytes written to the L2 cache for each byte of the output; None without the counter."""
    sectors = counters["l2_write_sectors"]
    return None if sectors is None else sectors * SECTOR_BYTES / uncompressed_bytes
