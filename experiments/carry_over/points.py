"""What is run of a target when its launches are compared: every point at its scale tiny.

Points that decode one frame are one run, so that it is encoded once. An encoder's run ends with its first
point.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.definition import Experiment
from experiments.gpu_points import (
    Point,
    candidates,
    encode_points,
    fixed_points,
    points_document,
    range_points,
)

TINY = "tiny"
# Those that come to an end without kernels: `checksums` decodes what the GPU has encoded.
LOGGED = ("decode", "encode", "ranges")
# A block may have a table of its own, which takes a millisecond: more blocks show no more.
MOST_BLOCKS = 16384
# The CPU encodes what is decoded, with a table for each block.
DECODED_BYTES = 1 << 20
ENCODED_BYTES = 8 << 20


# What a point's launches do not depend on: its graph holds the ones that it makes anyway.
_NOT_OF_LAUNCHES = ("row", "graph")
# What does not decide which frame a decoder's point decodes.
_NOT_OF_FRAME = ("stage", "variant", "parameters", "on_cpu", "ranges", *_NOT_OF_LAUNCHES)


def _frame_of(point: Point) -> dict[str, Any]:
    return {key: value for key, value in point.items() if key not in _NOT_OF_FRAME}


@dataclass(frozen=True)
class PointRun:
    """A run of a measuring program for points of one kind with a text of `text_bytes` bytes."""

    kind: str
    document: Mapping[str, Any]
    text_bytes: int

    @property
    def points(self) -> Sequence[Point]:
        return self.document["points"]

    @property
    def label(self) -> str:
        """For messages."""
        stages = ", ".join(dict.fromkeys(point["stage"] for point in self.points))
        first = self.points[0]
        common = _frame_of(first) | {key: first[key] for key in ("variant",) if key in first}
        return f"{stages} {json.dumps(common)}"


def _in_sample(point: Point) -> Point:
    """The point, as far as its launches depend on it, with as many blocks as the text has of the size that
    the row names."""
    kept = {key: value for key, value in point.items() if key not in _NOT_OF_LAUNCHES}
    if "blocks" not in kept:
        return kept
    blocks, block_bytes = kept["blocks"], point.get("row", {}).get("block_bytes")
    if block_bytes is not None:
        blocks = max(1, DECODED_BYTES // block_bytes)
    if isinstance(blocks, int):
        blocks = min(blocks, MOST_BLOCKS)
    return {**kept, "blocks": blocks}


def _points_of_decoders(experiment: Experiment, multiprocessors: int) -> list[Point]:
    fixed = fixed_points(experiment, multiprocessors, TINY)
    # What another experiment's sweep chose is not profiled.
    swept = [] if experiment.points_of is not None else candidates(experiment, multiprocessors)
    return [_in_sample(point) for point in (*fixed, *swept)]


def _groups(experiment: Experiment, multiprocessors: int) -> Iterable[list[Point]]:
    if experiment.kind == "encode":
        return [[point] for point in encode_points(experiment)]
    if experiment.random_access is not None:
        points = range_points(experiment.random_access)
    else:
        points = _points_of_decoders(experiment, multiprocessors)
    of_frame: dict[str, list[Point]] = {}
    for point in points:
        of_frame.setdefault(json.dumps(_frame_of(point), sort_keys=True), []).append(point)
    return of_frame.values()


def _only_once(points: Iterable[Point]) -> list[Point]:
    return list({json.dumps(point, sort_keys=True): point for point in points}.values())


def point_runs(experiment: Experiment, multiprocessors: int, stages: Iterable[str]) -> list[PointRun]:
    """The runs for these stages. The target's points must be of a kind in LOGGED."""
    assert experiment.kind is not None
    wanted = set(stages)
    text_bytes = ENCODED_BYTES if experiment.kind == "encode" else DECODED_BYTES
    runs = []
    for group in _groups(experiment, multiprocessors):
        points = _only_once(point for point in group if point["stage"] in wanted)
        if points:
            runs.append(PointRun(experiment.kind, points_document(experiment, points), text_bytes))
    return runs
