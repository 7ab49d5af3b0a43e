"""The measured effect of a stage as tables of texts, for stage.md and for the page of stages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from experiments.ncu_metrics import METRICS
from experiments.plots.stages import short_name
from experiments.results import Result
from experiments.stage_effect import StageEffect
from experiments.text_template import UNKNOWN, number_text

NOT_MEASURED = "not measured yet"
# The counters that the stages are about; Table 6.1 has all of them.
KEY_COUNTERS = (
    "memory_percent",
    "compute_percent",
    "stall_long_scoreboard",
    "stall_short_scoreboard",
    "stall_mio_throttle",
    "stall_barrier",
    "sectors_per_load",
    "sectors_per_store",
    "l2_write_bytes_per_output_byte",
    "warps_active_percent",
    "registers_per_thread",
)
_LABELS = {metric.key: metric.label for metric in METRICS} | {
    "l2_write_bytes_per_output_byte": "L2 bytes written per output byte"
}


@dataclass(frozen=True)
class TextTable:
    """Header and lines of a table."""

    header: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


def share_text(share: float | None) -> str:
    """A share as percent."""
    return UNKNOWN if share is None else f"{100 * share:.2g} %"


# At 0 these follow the data or the kernel, and say nothing about the setting.
_FOLLOWING_AT_ZERO = frozenset({"thread_blocks", "threads_per_block", "shared_kilobytes"})


def _parameters_text(parameters: Mapping[str, Any]) -> str:
    shown = {
        name: value for name, value in parameters.items() if value != 0 or name not in _FOLLOWING_AT_ZERO
    }
    return ", ".join(f"{name} {value}" for name, value in shown.items())


def data_text(machine: str, result: Result, dataset: str, uncompressed_bytes: int) -> str:
    """On what, when and at which commit something was measured."""
    derived = " (TPC-H-derived text)" if dataset.startswith("tpch/") else ""
    return (
        f"{result.environment['gpu'] or machine}, {uncompressed_bytes / 1e9:.3g} GB of "
        f"{dataset}{derived}, {result.origin_text}"
    )


def source_text(effect: StageEffect) -> str:
    """On what, when and at which commit the effect was measured."""
    return data_text(effect.machine, effect.result, effect.dataset, effect.uncompressed_bytes)


def throughput_table(effect: StageEffect, base: str) -> TextTable:
    """A line for each policy."""
    header = ["parameters", "GB/s"]
    if base:
        header += [f"times {short_name(base)}", "in the thesis"]
    header += ["share of the streaming limit", "setting"]
    lines = []
    for policy in effect.policies:
        line = [policy.policy, number_text(policy.throughput)]
        if base:
            line += [number_text(policy.factor), number_text(effect.thesis_factor)]
        line += [share_text(policy.share), _parameters_text(policy.parameters)]
        lines.append(tuple(line))
    return TextTable(tuple(header), tuple(lines))


def counters_table(effect: StageEffect, stage: str, base: str) -> TextTable | None:
    """A line for each key counter, None where nothing was profiled."""
    if not effect.counters:
        return None
    header = [f"counter ({effect.counters_policy} parameters)", short_name(stage)]
    header += [short_name(base)] if base else []
    lines = []
    for key in KEY_COUNTERS:
        own, of_base = effect.counters[key]
        lines.append((_LABELS[key], number_text(own), *([number_text(of_base)] if base else [])))
    return TextTable(tuple(header), tuple(lines))


def tables(effect: StageEffect, stage: str, base: str) -> list[TextTable]:
    """All tables of an effect."""
    counters = counters_table(effect, stage, base)
    return [throughput_table(effect, base), *([counters] if counters else [])]


def markdown_table(table: TextTable) -> str:
    """The table in Markdown."""
    header, *lines = [f"| {' | '.join(line)} |\n" for line in (table.header, *table.lines)]
    return "".join([header, "|" + "---|" * len(table.header) + "\n", *lines])
