"""Compares the speed of a stage with its base stage and with its recorded result.

What is compared is the share of the streaming limit that the same run measured, so that a GPU with other
clocks does not look like a change of the kernel.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tools.series import Check

Row = Mapping[str, Any]
Point = dict[str, Any]

# What a row says of how its text was cut; the rest of the input is the series' to say.
_CUTS = ("blocks", "block_bytes", "splits")


@dataclass(frozen=True)
class Speed:
    """How fast a stage is. `noise` is the spread of its repetitions: (slowest - fastest) / median."""

    label: str
    gigabytes_per_second: float
    share_of_limit: float
    noise: float


def speed(label: str, row: Row) -> Speed:
    """The speed in a row of a result."""
    seconds = row["seconds"]
    throughput = row["throughput_gb_per_s"]
    return Speed(
        label,
        throughput,
        throughput / row["streaming_limit_gb_per_s"],
        (seconds["max"] - seconds["min"]) / seconds["median"],
    )


def recorded_row(documents: Iterable[Mapping[str, Any]], gpu: str, stage: str) -> Row | None:
    """The row of `stage` in a result that was recorded on this GPU: its best one where there are several."""
    rows = [
        row
        for document in documents
        if document["environment"]["gpu"] == gpu
        for row in document["rows"]
        if row["stage"] == stage and not row["variant"]
    ]
    return max(rows, key=lambda row: row["throughput_gb_per_s"], default=None)


def points_to_measure(
    stages: Sequence[Mapping[str, Any]], records: Sequence[Row | None], check: Check
) -> list[Point]:
    """What to measure of a stage and of its base, which are entries of `gsst --list-stages --json`.

    Each as it was recorded. A stage without a record is held to its base, so neither is measured as it was
    recorded then. Raises SeriesError."""
    settings = records if records[0] is not None else [None] * len(stages)
    return [
        _point(stage["id"], check.input_of(stage), record)
        for stage, record in zip(stages, settings, strict=True)
    ]


def _point(stage: str, said: Mapping[str, Any], record: Row | None) -> Point:
    if record is None:
        return {"stage": stage, "parameters": {}, **said}
    parameters = dict(record["parameters"])
    cut = {name: parameters.pop(name) for name in _CUTS if name in parameters}
    options = {name: value for name, value in said.items() if name not in _CUTS}
    return {"stage": stage, "parameters": parameters, **cut, **options}


def drop_beyond_noise(measured: Speed, reference: Speed) -> str | None:
    """Says so if `measured` has a smaller share of the limit than `reference`, by more than their noise."""
    drop = 1 - measured.share_of_limit / reference.share_of_limit
    noise = measured.noise + reference.noise
    if drop <= noise:
        return None
    return (
        f"{measured.label} reaches {drop:.1%} less of the streaming limit than {reference.label}; "
        f"the noise of both together is {noise:.1%}"
    )


def compare(rows: Sequence[Row], record: Row | None) -> tuple[list[Speed], str | None]:
    """The speeds to print side by side, and why the stage fails, or None.

    `rows` were measured in one run: the stage's and, where it has one, its base's. The stage is held
    to `record`, the recorded row, else to its base."""
    labels = ("now", "its base, now")
    speeds = [speed(f"{row['stage']}, {label}", row) for row, label in zip(rows, labels, strict=False)]
    if record is not None:
        speeds.append(speed(f"{record['stage']}, recorded", record))
    failure = drop_beyond_noise(speeds[0], speeds[-1]) if len(speeds) > 1 else None
    return speeds, failure


def comparison_table(speeds: Sequence[Speed]) -> str:
    """The speeds below each other in columns that line up."""
    width = max(len(entry.label) for entry in speeds)
    lines = [f"{'':{width}}      GB/s  of limit   noise"]
    for entry in speeds:
        numbers = f"{entry.gigabytes_per_second:8.1f}  {entry.share_of_limit:8.1%}  {entry.noise:6.1%}"
        lines.append(f"{entry.label:{width}}  {numbers}")
    return "\n".join(lines)
