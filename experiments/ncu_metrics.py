"""The counters of NVIDIA Nsight Compute that Table 6.1 shows, and the parser of ncu's raw CSV pages."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SECTOR_BYTES = 32
# What ncu writes for a counter that the GPU has not, or that it does not know.
NOT_AVAILABLE = ("n/a", "(!) n/a", "nan", "(!) nan", "")
_KERNEL_COLUMN = "Kernel Name"
_STALL_REASONS = ("long_scoreboard", "short_scoreboard", "mio_throttle", "barrier", "wait", "lg_throttle")
_OCCUPANCY_LIMITS = ("blocks", "registers", "shared_mem", "warps")


class NcuError(Exception):
    """A CSV file that is not what ncu writes for the launches that were asked for with these metrics."""


@dataclass(frozen=True)
class Metric:
    """`key` in a row's `counters`, `name` as ncu has it, `label` in a table: what is counted."""

    key: str
    name: str
    label: str


@dataclass(frozen=True)
class Launch:
    """A profiled launch: the kernel's whole name, and its counters by key, None where the GPU has not one."""

    kernel: str
    counters: dict[str, float | None]


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
    if text in NOT_AVAILABLE:
        return None
    if unit[:1] in ("K", "M", "G", "T"):
        raise NcuError(f"{metric.name} is in {unit}: run ncu with --print-units base")
    try:
        return float(text.replace(",", ""))
    except ValueError as error:
        raise NcuError(f"{metric.name} is {text!r}, not a number") from error


def _counters(
    header: Sequence[str], units: Sequence[str], values: Sequence[str], metrics: Sequence[Metric]
) -> dict[str, float | None]:
    if not {metric.name for metric in metrics} & set(header):
        raise NcuError("holds none of the counters that were asked for")
    counters = {}
    for metric in metrics:
        # A counter that ncu does not know may have no column.
        column = header.index(metric.name) if metric.name in header else None
        found = None if column is None else _number(values[column], units[column], metric)
        counters[metric.key] = found
    return counters


def parse_launches(text: str, place: str, metrics: Sequence[Metric]) -> list[Launch]:
    """The profiled launches in `text`, in their order. Raises NcuError, naming `place` and the metric."""
    rows = _csv_rows(text.splitlines())
    if len(rows) < 3:
        raise NcuError(f"{place}: holds no profiled kernel")
    header, units, *launches = rows
    if _KERNEL_COLUMN not in header:
        raise NcuError(f"{place}: no column is called {_KERNEL_COLUMN}")
    column = header.index(_KERNEL_COLUMN)
    try:
        return [Launch(values[column], _counters(header, units, values, metrics)) for values in launches]
    except NcuError as error:
        raise NcuError(f"{place}: {error}") from error


def l2_write_bytes_per_output_byte(
    counters: dict[str, float | None], uncompressed_bytes: int
) -> float | None:
    """Bytes written to the L2 cache for each byte of the output; None without the counter."""
    sectors = counters["l2_write_sectors"]
    return None if sectors is None else sectors * SECTOR_BYTES / uncompressed_bytes
