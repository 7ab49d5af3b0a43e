"""What limits each decoder stage: counters of NVIDIA Nsight Compute, one table for each policy."""

import pandas as pd

from experiments.ncu_metrics import METRICS
from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.stages import POLICIES, all_stages, published_by_stage, short_name
from experiments.plots.table import TableLine, draw_table, even_columns, table_height
from experiments.published import Published
from experiments.results import Result

TARGET = "gsst_table_6_1"
L2_WRITES = "l2_write_bytes_per_output_byte"
L2_WRITES_QUANTITY = "L2 bytes written per output byte"
# The published quantity that stands beside a counter.
QUANTITIES = {
    "memory_percent": "memory throughput",
    "compute_percent": "compute throughput",
    L2_WRITES: L2_WRITES_QUANTITY,
}
ASYNC_SHARED = "06_async shared memory relative to 05_coalesced"
# Which of the launch's limits holds follows from these; the figure has no room for them.
ONLY_IN_CSV = "occupancy_limit"
_MILLIONS = ("shared_bank_conflicts", "l2_write_sectors")
# Share of the width that the counters' names take.
NAMES_END = 0.36


def _values(row: dict) -> dict[str, float | None]:
    """All numbers of a row by key: the counters and what follows from them."""
    return {**row["counters"], L2_WRITES: row[L2_WRITES]}


def _labels() -> dict[str, str]:
    return {**{metric.key: metric.label for metric in METRICS}, L2_WRITES: L2_WRITES_QUANTITY}


def _text(key: str, value: float | None) -> str:
    if value is None or pd.isna(value):
        return ""
    if key in _MILLIONS:
        value /= 1e6
    if key == "shared_bytes_per_block":
        value /= 1e3
    if value >= 1000:
        return f"{value:.0f}"
    return f"{value:.3g}"


def _measured(result: Result | None) -> pd.DataFrame:
    rows = [
        (row["policy"], short_name(row["stage"]), key, value)
        for row in (result.rows if result else ())
        for key, value in _values(row).items()
    ]
    return pd.DataFrame(rows, columns=["series", "stage", "counter", "value"])


def _thesis(published: Published) -> pd.DataFrame:
    rows = [
        ("thesis", stage, key, value)
        for key, quantity in QUANTITIES.items()
        for stage, value in published_by_stage(published, TARGET, quantity).items()
    ]
    return pd.DataFrame(rows, columns=["series", "stage", "counter", "value"])


def _cells(table: pd.DataFrame, series: str, key: str, stages: list[str]) -> list[str]:
    part = table[(table["series"] == series) & (table["counter"] == key)]
    by_stage = dict(zip(part["stage"], part["value"], strict=True))
    return [_text(key, by_stage.get(stage)) for stage in stages]


def _lines(table: pd.DataFrame, policy: str | None, stages: list[str]) -> list[TableLine]:
    """A line for each counter that was measured, and one for each that the thesis prints."""
    lines = []
    for key, label in _labels().items():
        if key.startswith(ONLY_IN_CSV):
            continue
        if policy is not None:
            lines.append(TableLine(label, _cells(table, policy, key, stages)))
        if key in QUANTITIES:
            thesis = _cells(table, "thesis", key, stages)
            lines.append(
                TableLine(f"{label}, thesis" if policy is None else "    thesis", thesis, style.PAPER)
            )
    return lines


def draw(inputs: FigureInput) -> FigureOutput:
    """A table for each measured policy; without a measurement one of the thesis's numbers."""
    measured, thesis = _measured(inputs.result), _thesis(inputs.published)
    table = pd.concat([part for part in (measured, thesis) if not part.empty], ignore_index=True)
    stages = all_stages(table["stage"])
    policies: list[str | None] = [policy for policy in POLICIES if policy in set(measured["series"])]
    policies = policies or [None]
    parts = [(policy, _lines(table, policy, stages)) for policy in policies]
    figure, axes = style.new_figure(sum(table_height(len(lines)) for _, lines in parts), rows=len(parts))
    for panel, (policy, lines) in zip(axes, parts, strict=True):
        title = f"parameters: {policy}" if policy else "only the thesis's numbers"
        columns = even_columns(_headers(stages), NAMES_END)
        draw_table(panel, title, columns, lines)
    notes = [f"Columns: {', '.join(stages)}."]
    return FigureOutput(figure, table, notes)


def _headers(stages: list[str]) -> list[str]:
    """`04` for 04_alignment; further stages of the same number, variants, are `06*` and `06**`."""
    numbers = [stage.partition("_")[0] for stage in stages]
    return [number + "*" * numbers[:index].count(number) for index, number in enumerate(numbers)]


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """The counters that the thesis prints."""
    del published
    if result is None:
        return {}
    by_stage = {short_name(row["stage"]): _values(row) for row in result.rows}
    values = {
        f"{stage} {quantity}": counters[key]
        for stage, counters in by_stage.items()
        for key, quantity in QUANTITIES.items()
        if counters[key] is not None
    }
    # Comparable at the same parameters only.
    parameters = {short_name(row["stage"]): row["parameters"] for row in result.rows}
    used = {stage: counters["shared_bytes_per_block"] for stage, counters in by_stage.items()}
    if used.get("06_async") and parameters["06_async"] == parameters.get("05_coalesced"):
        values[ASYNC_SHARED] = used["06_async"] / used["05_coalesced"]
    return values
