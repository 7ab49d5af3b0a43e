"""Which rows of a record are measured again by rule S, and at which points.

Of each stage, apart for times end to end and for each executor: the fastest row, the slowest, and the
published one, which is the last with the policy `best`, or else the last: of a ladder, its last step.

A text may be shorter than the record's; a launch has as many blocks as there.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from data.catalogue import load_catalogue
from experiments.carry_over.records import CPU_SERIES, PEER_SERIES, RefusedError
from experiments.definition import Experiment
from experiments.gpu_points import BEST, Point, fixed_points, range_points
from experiments.measuring_programs import kinds

Row = Mapping[str, Any]

# What a row says of how the text was cut, which a point says by itself.
_CUT_OF_ENCODER = ("block_bytes", "splits", "blocks_per_table", "code_bits", "codes_per_lane")
# Measured by programs that are not run.
_OTHER_SERIES = (*PEER_SERIES, *CPU_SERIES)


@dataclass(frozen=True)
class Work:
    """A point of a kind on the first `text_bytes` bytes of a data set."""

    kind: str
    dataset: str
    text_bytes: int
    point: Point

    @property
    def key(self) -> str:
        """Equal for equal works."""
        values = [self.kind, self.dataset, self.text_bytes, self.point]
        return json.dumps(values, sort_keys=True)


def _rate(row: Row) -> float:
    """How fast a row is; rows without a throughput, which a profiler has slowed down, by their time."""
    if row.get("throughput_gb_per_s") is not None:
        return float(row["throughput_gb_per_s"])
    return -float(row.get("device_seconds", 0))


def chosen_rows(rows: Iterable[Row]) -> list[Row]:
    """The rows that are measured again, each once."""
    groups: dict[object, list[Row]] = {}
    for row in rows:
        groups.setdefault((row["stage"], row.get("end_to_end"), row.get("executor")), []).append(row)
    chosen: dict[int, Row] = {}
    for group in groups.values():
        published = [row for row in group if row.get("policy") == BEST] or group
        for row in (max(group, key=_rate), min(group, key=_rate), published[-1]):
            chosen[id(row)] = row
    return list(chosen.values())


def _dataset(label: str) -> str:
    """The data set of a text's name."""
    names = [name for name in load_catalogue() if label.startswith(name)]
    if not names:
        raise RefusedError(f"the data set of {label} is not known")
    return max(names, key=len)


def _decoder_point(row: Row) -> Point:
    parameters = dict(row["parameters"])
    cut = {name: parameters.pop(name) for name in ("blocks", "splits") if name in parameters}
    return {
        "stage": row["stage"],
        "variant": row["variant"],
        "parameters": parameters,
        **cut,
        **row.get("tiles", {}),
    }


def _encoder_point(row: Row) -> Point:
    parameters = dict(row["parameters"])
    cut = {name: parameters.pop(name) for name in _CUT_OF_ENCODER if name in parameters}
    return {"stage": row["stage"], "variant": row["variant"], "parameters": parameters, **cut}


def _checksums_point(row: Row, experiment: Experiment, text_bytes: int) -> Point:
    """The definition's point: the row does not say how its tiles were made."""
    for point in fixed_points(experiment):
        # Rows of formats without splits say 1.
        cut = (point["stage"], point.get("splits", 1), point["row"]["block_bytes"])
        if cut == (row["stage"], row["parameters"]["splits"], row["block_bytes"]):
            kept = {key: value for key, value in point.items() if key != "row"}
            return {**kept, "blocks": max(1, text_bytes // row["block_bytes"])}
    raise RefusedError(f"{experiment.target}.yaml has no point of {row['stage']} {row['parameters']}")


def _range_points(experiment: Experiment, rows: Sequence[Row]) -> list[Point]:
    """Every frame, with the lists that the rows name."""
    assert experiment.random_access is not None
    frames = tuple({**frame, "on_cpu": False} for frame in experiment.random_access.frames)
    names = {"patterns": "pattern", "selectivities": "selectivity", "range_bytes": "range_bytes"}
    lists = {many: tuple(sorted({row[one] for row in rows})) for many, one in names.items()}
    return range_points(replace(experiment.random_access, frames=frames, **lists))


def works_of(experiment: Experiment, rows: Iterable[Row], text_bytes: int) -> list[Work]:
    """What is measured again of these rows, on texts of `text_bytes` at most. Raises RefusedError where speed
    says nothing about one of them."""
    kind = experiment.kind
    if kind is None or kind not in kinds():
        raise RefusedError(f"rule S does not know what `{experiment.program}` measures: measure it again")
    chosen = chosen_rows(rows)
    others = {row["stage"] for row in chosen if row["stage"].startswith(_OTHER_SERIES)}
    if others:
        raise RefusedError(
            f"rule S does not run the programs of {', '.join(sorted(others))}: measure them again"
        )
    works: dict[str, Work] = {}
    for row in chosen:
        size = min(text_bytes, row["uncompressed_bytes"])
        if kind == "ranges":
            points = _range_points(experiment, chosen)
        elif kind == "checksums":
            # Rows of the CPU are on a part of the text.
            size = text_bytes
            points = [_checksums_point(row, experiment, size)]
        else:
            points = [_encoder_point(row) if kind == "encode" else _decoder_point(row)]
        for point in points:
            work = Work(kind, _dataset(row["dataset"]), size, point)
            works[work.key] = work
    return list(works.values())
