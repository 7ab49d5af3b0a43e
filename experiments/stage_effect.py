"""What a stage gained over its base, from measurements of Figure 6.1 and Table 6.1."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.plots.stages import POLICIES, short_name
from experiments.published import Published
from experiments.results import MEASURED_DIR, RECORDED_DIR, Result, load_result, recorded_paths

THROUGHPUT_TARGET = "gsst_fig_6_1"
COUNTERS_TARGET = "gsst_table_6_1"

Row = Mapping[str, Any]


@dataclass(frozen=True)
class PolicyEffect:
    """One setting of a stage: GB/s, as a factor of its base under the same policy, and as a share of the
    streaming limit. Factor and share are None where there is nothing to divide by."""

    policy: str
    parameters: Mapping[str, Any]
    throughput: float
    factor: float | None
    share: float | None


@dataclass(frozen=True)
class StageEffect:
    """What one machine measured of one stage. `counters` are of `counters_policy`, each beside its base's."""

    machine: str
    result: Result
    dataset: str
    uncompressed_bytes: int
    policies: tuple[PolicyEffect, ...]
    thesis_factor: float | None
    counters_policy: str | None
    counters: Mapping[str, tuple[float | None, float | None]]


@dataclass(frozen=True)
class Measurements:
    """The results of one machine; `counters` is None where it has not profiled."""

    machine: str
    throughput: Result
    counters: Result | None


def machine_title(machine: str | None) -> str:
    """`H200` for the folder `h200`; a result that lies in no folder was measured here."""
    return machine.replace("_", " ").upper() if machine else "this machine"


def _measurements(throughput: Path, machine: str | None) -> Measurements:
    """The result in this file, with the counters beside it where there are any."""
    counters = throughput.with_name(f"{COUNTERS_TARGET}.json")
    profile = load_result(counters) if counters.exists() else None
    return Measurements(machine_title(machine), load_result(throughput), profile)


def recorded_measurements(folder: Path = RECORDED_DIR) -> list[Measurements]:
    """The committed measurements of every machine."""
    return [_measurements(path, path.parent.name) for path in recorded_paths(THROUGHPUT_TARGET, folder)]


def measurements_here(folder: Path = MEASURED_DIR) -> list[Measurements]:
    """What was measured on this machine, if anything was."""
    throughput = folder / f"{THROUGHPUT_TARGET}.json"
    return [_measurements(throughput, None)] if throughput.exists() else []


def find_row(rows: Iterable[Row], stage: str, policy: str) -> Row | None:
    """The row of a stage under a policy."""
    return next((row for row in rows if row["stage"] == stage and row["policy"] == policy), None)


def _policy_effect(rows: Sequence[Row], row: Row, base: str) -> PolicyEffect:
    of_base = find_row(rows, base, row["policy"])
    throughput, limit = row["throughput_gb_per_s"], row["streaming_limit_gb_per_s"]
    return PolicyEffect(
        row["policy"],
        row["parameters"],
        throughput,
        throughput / of_base["throughput_gb_per_s"] if of_base else None,
        throughput / limit if limit else None,
    )


def _values(row: Row | None) -> dict[str, float | None]:
    if row is None:
        return {}
    return {**row["counters"], "l2_write_bytes_per_output_byte": row["l2_write_bytes_per_output_byte"]}


def _counters(profile: Result | None, stage: str, base: str) -> tuple[str | None, dict]:
    """The counters under the first policy that was profiled: equal settings compare best."""
    rows = profile.rows if profile else ()
    for policy in POLICIES:
        row = find_row(rows, stage, policy)
        if row is not None:
            of_base = _values(find_row(rows, base, policy))
            return policy, {key: (value, of_base.get(key)) for key, value in _values(row).items()}
    return None, {}


def thesis_factor(published: Published, stage: str, base: str) -> float | None:
    """What the thesis prints for the stage's throughput relative to its base; None where it prints none."""
    quantity = f"{short_name(stage)} throughput relative to {short_name(base)}"
    for number in published.of(THROUGHPUT_TARGET):
        if number.quantity == quantity:
            return number.value
    return None


def stage_effect(
    measurements: Measurements, published: Published, stage: str, base: str
) -> StageEffect | None:
    """The effect of a stage on one machine, None where it was not measured. `base` is empty for a first."""
    rows = measurements.throughput.rows
    of_stage = [row for policy in POLICIES if (row := find_row(rows, stage, policy)) is not None]
    if not of_stage:
        return None
    policy, counters = _counters(measurements.counters, stage, base)
    return StageEffect(
        measurements.machine,
        measurements.throughput,
        of_stage[0]["dataset"],
        of_stage[0]["uncompressed_bytes"],
        tuple(_policy_effect(rows, row, base) for row in of_stage),
        thesis_factor(published, stage, base),
        policy,
        counters,
    )
