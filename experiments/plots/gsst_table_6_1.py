"""What limits each decoder stage: counters of NVIDIA Nsight Compute, a column for each setting of a stage."""

from collections.abc import Sequence

import pandas as pd

from experiments.gpu_points import BEST
from experiments.ncu_metrics import METRICS
from experiments.plots import style
from experiments.plots.interface import FigureInput, FigureOutput
from experiments.plots.stages import POLICIES, published_by_stage, short_name
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
_BILLIONS = ("shared_bank_conflicts", "l2_write_sectors")
# Share of the width that the counters' names take.
NAMES_END = 0.36


def _values(row: dict) -> dict[str, float | None]:
    """All numbers of a row by key: the counters and what follows from them."""
    return {**row["counters"], L2_WRITES: row[L2_WRITES]}


def _labels() -> dict[str, str]:
    labels = {metric.key: metric.label for metric in METRICS}
    stalls = {key: f"{label} (warps)" for key, label in labels.items() if label.startswith("stall ")}
    return {**labels, **stalls, L2_WRITES: L2_WRITES_QUANTITY}


def _text(key: str, value: float | None) -> str:
    if value is None or pd.isna(value):
        return ""
    if key in _BILLIONS:
        value /= 1e9
    if key == "shared_bytes_per_block":
        value /= 1e3
    if value >= 1000:
        return f"{value:.0f}"
    return f"{value:.2g}" if value < 1 else f"{value:.3g}"


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


def _columns(table: pd.DataFrame) -> list[tuple[str, str | None]]:
    """Stage and policy of each column: the thesis's number stands in the last one of its stage."""
    settings = set(zip(table["stage"], table["series"], strict=True))
    stages = sorted(set(table["stage"]))
    policies = {stage: [policy for policy in POLICIES if (stage, policy) in settings] for stage in stages}
    return [(stage, policy) for stage in stages for policy in policies[stage] or [None]]


def _cells(table: pd.DataFrame, key: str, columns: Sequence[tuple[str, str | None]]) -> list[str]:
    """What was measured of a counter, column by column."""
    part = table[table["counter"] == key]
    values = dict(zip(zip(part["stage"], part["series"], strict=True), part["value"], strict=True))
    return [_text(key, values.get(column)) for column in columns]


def _thesis_cells(table: pd.DataFrame, key: str, columns: Sequence[tuple[str, str | None]]) -> list[str]:
    part = table[(table["series"] == "thesis") & (table["counter"] == key)]
    values = dict(zip(part["stage"], part["value"], strict=True))
    last = {stage: index for index, (stage, _) in enumerate(columns)}
    return [
        _text(key, values.get(stage)) if last[stage] == index else ""
        for index, (stage, _) in enumerate(columns)
    ]


def _lines(table: pd.DataFrame, columns: Sequence[tuple[str, str | None]]) -> list[TableLine]:
    """A line for each counter that was measured, and one for each that the thesis prints."""
    measured = bool((table["series"] != "thesis").any())
    lines = []
    for key, label in _labels().items():
        if key.startswith(ONLY_IN_CSV):
            continue
        if measured:
            lines.append(TableLine(label, _cells(table, key, columns)))
        if key in QUANTITIES:
            name = "    thesis" if measured else f"{label}, thesis"
            lines.append(TableLine(name, _thesis_cells(table, key, columns), style.PAPER))
    return lines


def draw(inputs: FigureInput) -> FigureOutput:
    """A column for each setting of a stage; without a measurement a table of the thesis's numbers."""
    measured, thesis = _measured(inputs.result), _thesis(inputs.published)
    table = pd.concat([part for part in (measured, thesis) if not part.empty], ignore_index=True)
    columns = _columns(table)
    lines = _lines(table, columns)
    figure, (axes,) = style.new_figure(table_height(len(lines)), rows=1)
    title = (
        "only the thesis's numbers"
        if measured.empty
        else "parameters: common; best: those of the tuned 07\n06*: async_pipeline; 06**: async_splits"
    )
    draw_table(axes, title, even_columns(_headers(columns), NAMES_END), lines)
    stages = list(dict.fromkeys(stage for stage, _ in columns))
    notes = [f"Columns: {', '.join(stages)}, in this order; 06* and 06** are the variants of 06."]
    if not measured.empty:
        notes.append(
            "Stalls: the mean number of warps that wait for this reason while an instruction issues; "
            "also how many cycles a warp waits for it with each of its instructions."
        )
    return FigureOutput(figure, table, notes)


def _headers(columns: Sequence[tuple[str, str | None]]) -> list[str]:
    """`04` for 04_alignment; further stages of the same number, variants, are `06*` and `06**`. `best` is the
    second column of the stage before it."""
    stages = list(dict.fromkeys(stage for stage, _ in columns))
    numbers = [stage.partition("_")[0] for stage in stages]
    marks = ["*" * numbers[:index].count(number) for index, number in enumerate(numbers)]
    names = {stage: number + mark for stage, number, mark in zip(stages, numbers, marks, strict=True)}
    return ["best" if policy == BEST else names[stage] for stage, policy in columns]


def compare(result: Result | None, published: Published) -> dict[str, float]:
    """The counters that the thesis prints."""
    del published
    if result is None:
        return {}
    # Of a stage with two settings the best one is compared, as it stands in the table.
    rows = sorted(result.rows, key=lambda row: POLICIES.index(row["policy"]))
    by_stage = {short_name(row["stage"]): _values(row) for row in rows}
    values = {
        f"{stage} {quantity}": counters[key]
        for stage, counters in by_stage.items()
        for key, quantity in QUANTITIES.items()
        if counters[key] is not None
    }
    # Comparable at the same parameters only.
    parameters = {short_name(row["stage"]): row["parameters"] for row in rows}
    used = {stage: counters["shared_bytes_per_block"] for stage, counters in by_stage.items()}
    if used.get("06_async") and parameters["06_async"] == parameters.get("05_coalesced"):
        values[ASYNC_SHARED] = used["06_async"] / used["05_coalesced"]
    return values
