"""The counters that say what limits a kernel, and the units of a GPU that they are about.

The share of a unit's peak is over the kernel's whole duration, so that units can be compared with each
other. The names are those of compute capability 9.0; what another GPU has not is left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from experiments.ncu_metrics import Metric

DURATION = "duration_ns"
LANES = 32
_SHARE = "avg.pct_of_peak_sustained_elapsed"
# Warps that wait for these are ready, or wait for no unit and no data.
_READY = ("selected", "not_selected")
STALL_PREFIX = "stall_"


@dataclass(frozen=True)
class Unit:
    """A part of the GPU that can limit a kernel. It is as busy as the busiest of its `metrics`, each of
    which is a share of its peak in percent."""

    name: str
    metrics: tuple[Metric, ...]


UNITS = (
    Unit(
        "memory",
        (Metric("memory_percent", f"dram__throughput.{_SHARE}", "bytes of GPU memory read and written"),),
    ),
    Unit("L2", (Metric("l2_percent", f"lts__throughput.{_SHARE}", "what the L2 cache can do"),)),
    Unit(
        "shared memory, L1",
        (
            Metric(
                "l1_wavefronts_percent",
                f"l1tex__data_pipe_lsu_wavefronts.{_SHARE}",
                "passes over the banks of shared memory and L1 for loads, stores and shuffles",
            ),
            Metric(
                "bank_reads_percent", f"l1tex__data_bank_reads.{_SHARE}", "reads of these banks, copies too"
            ),
            Metric("bank_writes_percent", f"l1tex__data_bank_writes.{_SHARE}", "writes, copies too"),
            Metric(
                "writeback_percent",
                f"l1tex__lsu_writeback_active.{_SHARE}",
                "cycles in which loads give their data back",
            ),
        ),
    ),
    Unit(
        "issue", (Metric("issue_percent", f"sm__issue_active.{_SHARE}", "cycles that issue an instruction"),)
    ),
    Unit("ALU", (Metric("alu_percent", f"sm__pipe_alu_cycles_active.{_SHARE}", "shifts, logic, additions"),)),
    Unit(
        "FMA",
        (
            Metric("fma_percent", f"sm__pipe_fma_cycles_active.{_SHARE}", "multiplications, both pipes"),
            Metric(
                "fma_heavy_percent",
                f"sm__pipe_fmaheavy_cycles_active.{_SHARE}",
                "the pipe that also multiplies integers",
            ),
        ),
    ),
    Unit(
        "LSU",
        (
            Metric("lsu_percent", f"sm__inst_executed_pipe_lsu.{_SHARE}", "instructions that access memory"),
            Metric(
                "mio_percent",
                f"sm__mio_inst_issued.{_SHARE}",
                "instructions through the queue to memory, shuffles and conversions",
            ),
        ),
    ),
    Unit("XU", (Metric("xu_percent", f"sm__inst_executed_pipe_xu.{_SHARE}", "conversions, counts of bits"),)),
)

STALLS = tuple(
    Metric(
        f"{STALL_PREFIX}{reason}",
        f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio",
        meaning,
    )
    for reason, meaning in (
        ("long_scoreboard", "data of global memory"),
        ("short_scoreboard", "data of shared memory, a shuffle"),
        ("mio_throttle", "room in the queue to shared memory"),
        ("lg_throttle", "room in the queue to global memory"),
        ("math_pipe_throttle", "a pipe that computes"),
        ("wait", "the fixed time of the instruction before"),
        ("barrier", "the other warps of the block"),
        ("membar", "a memory fence"),
        ("branch_resolving", "a branch"),
        ("dispatch_stall", "the dispatcher"),
        ("no_instruction", "the next instruction from memory"),
        ("sleeping", "the end of a pause"),
        ("imc_miss", "a constant from memory"),
        ("drain", "its last stores"),
        ("misc", "something else"),
        ("not_selected", "nothing: another warp issued"),
        ("selected", "nothing: the warp issued"),
    )
)

# All that are asked for. ncu counts warps that wait for a reason, in every cycle, and divides the sum by the
# cycles that issue an instruction. Each such cycle issues one, so a stall is how many cycles a warp waits for
# it per instruction: all stalls together are the cycles from one instruction of a warp to its next.
KERNEL_METRICS = (
    Metric(DURATION, "gpu__time_duration.sum", "duration under the profiler (ns)"),
    *(metric for unit in UNITS for metric in unit.metrics),
    Metric("memory_read_bytes", "dram__bytes_read.sum", "bytes read from GPU memory"),
    Metric("memory_written_bytes", "dram__bytes_write.sum", "bytes written to GPU memory"),
    Metric(
        "shared_wavefronts_percent",
        f"l1tex__data_pipe_lsu_wavefronts_mem_shared.{_SHARE}",
        "passes over the banks for shared memory alone",
    ),
    Metric(
        "shared_wavefronts",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
        "passes over the banks for shared memory",
    ),
    Metric(
        "shared_bank_conflicts",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
        "those that only conflicts of lanes made necessary",
    ),
    Metric("instructions", "smsp__inst_executed.sum", "instructions of warps"),
    *STALLS,
    Metric(
        "warps_active_percent",
        "sm__warps_active.avg.pct_of_peak_sustained_active",
        "warps of a multiprocessor, of those it has room for (%)",
    ),
    Metric("registers_per_thread", "launch__registers_per_thread", "registers a thread"),
    Metric("shared_bytes_per_block", "launch__shared_mem_per_block", "bytes of shared memory a block"),
    Metric("thread_blocks", "launch__grid_size", "thread blocks of the launch"),
)

Counters = Mapping[str, float | None]


def unit_shares(counters: Counters) -> dict[str, float]:
    """Percent of its peak by unit, the one nearest to it first; units without a counter are left out."""
    shares = {
        unit.name: max(values)
        for unit in UNITS
        if (values := [value for metric in unit.metrics if (value := counters.get(metric.key)) is not None])
    }
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def most_frequent_stall(counters: Counters) -> tuple[Metric, float] | None:
    """What most warps wait for, and for how many cycles per instruction; None without counters."""
    waiting = [metric for metric in STALLS if metric.key.removeprefix(STALL_PREFIX) not in _READY]
    found = [(metric, value) for metric in waiting if (value := counters.get(metric.key)) is not None]
    return max(found, key=lambda item: item[1], default=None)


def _over(value: float | None, count: float) -> float | None:
    return None if value is None else value / count


def codes(row: Mapping[str, Any]) -> float:
    """The codes in the compressed bytes of a result's row; what is stored beside them counts as codes too."""
    code_bits = row["tiles"]["code_bits"] if "tiles" in row else 8
    return row["compressed_bytes"] * 8 / code_bits


def instructions_per_code(row: Mapping[str, Any]) -> float | None:
    """Instructions that a lane executes for a code."""
    return _over(row["counters"]["instructions"], codes(row) / LANES)


def instructions_per_byte(row: Mapping[str, Any]) -> float | None:
    """Instructions that a lane executes for a byte of uncompressed text."""
    return _over(row["counters"]["instructions"], row["uncompressed_bytes"] / LANES)


def memory_bytes_per_byte(row: Mapping[str, Any]) -> float | None:
    """Bytes read from and written to GPU memory for a byte of uncompressed text."""
    counters = row["counters"]
    read, written = counters["memory_read_bytes"], counters["memory_written_bytes"]
    if read is None or written is None:
        return None
    return (read + written) / row["uncompressed_bytes"]


def conflict_share(counters: Counters) -> float | None:
    """The share of the passes over the banks of shared memory that conflicts made necessary."""
    passes, conflicts = counters["shared_wavefronts"], counters["shared_bank_conflicts"]
    if not passes or conflicts is None:
        return None
    return conflicts / passes


def kernel_limits(row: Mapping[str, Any]) -> dict[str, Any]:
    """What limits the kernel of a profiled row, as fields for a table: `units`, nearest to its peak first,
    each with `name` and `percent`; `stall` with `label` and `cycles`, where there is one; and what the
    functions above say."""
    units = [{"name": name, "percent": share} for name, share in unit_shares(row["counters"]).items()]
    stall = most_frequent_stall(row["counters"])
    return {
        "units": units,
        **({"stall": {"label": stall[0].label, "cycles": stall[1]}} if stall else {}),
        "instructions_per_code": instructions_per_code(row),
        "memory_bytes_per_byte": memory_bytes_per_byte(row),
    }
