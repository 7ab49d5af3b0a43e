"""What is run of a target when its launches are compared: every point at its scale tiny.

Points that decode one frame are one run, so that it is encoded once. An encoder's run ends with its first
point.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.definition import Experiment
from experiments.encode_points import encode_points
from experiments.gpu_points import Point, candidates, fixed_points, ranges_document
from experiments.run_gpu_measurement import MEASURERS

TINY = "tiny"
# By the definition's `program`: the subcommand of the measuring program, None where it has none.
SUBCOMMANDS = {
    "checksums": "measure",
    "encode": None,
    "gpu": "measure",
    "ncu": "measure",
    "ncu_encode": None,
    "ranges": "measure",
}
ENCODERS = ("encode", "ncu_encode")
# Those that come to an end without kernels: `checksums` decodes what the GPU has encoded.
LOGGED = ("encode", "gpu", "ncu", "ncu_encode", "ranges")
# A block may have a table of its own, which takes a millisecond: more blocks show no more.
MOST_BLOCKS = 16384
# The CPU encodes what is decoded, with a table for each block.
DECODED_BYTES = 1 << 20
ENCODED_BYTES = 8 << 20


# What decides which frame a decoder's point decodes.
_OF_FRAME = ("blocks", "splits", "code_bits", "codes_per_lane", "level", "parse")


@dataclass(frozen=True)
class PointRun:
    """A run of a measuring program with a points file and a text of `text_bytes` bytes."""

    program: str
    subcommand: str | None
    document: Mapping[str, Any]
    text_bytes: int

    @property
    def points(self) -> Sequence[Point]:
        return self.document["points"]

    @property
    def label(self) -> str:
        """For messages."""
        stages = ", ".join(dict.fromkeys(point["stage"] for point in self.points))
        common = {
            key: self.points[0][key]
            for key in (*_OF_FRAME, "block_bytes", "variant")
            if key in self.points[0]
        }
        return f"{stages} {json.dumps(common)}"


# What a point's launches do not depend on: its graph holds the ones that it makes anyway.
_NOT_OF_LAUNCHES = ("row", "graph")


def _in_sample(point: Point) -> Point:
    """The point, as far as its launches depend on it, with as many blocks as the text has of the size that
    the row names."""
    blocks, block_bytes = point["blocks"], point.get("row", {}).get("block_bytes")
    if block_bytes is not None:
        blocks = max(1, DECODED_BYTES // block_bytes)
    if isinstance(blocks, int):
        blocks = min(blocks, MOST_BLOCKS)
    return {**{key: value for key, value in point.items() if key not in _NOT_OF_LAUNCHES}, "blocks": blocks}


def _points_of_decoders(experiment: Experiment, multiprocessors: int) -> list[Point]:
    fixed = fixed_points(experiment, multiprocessors, TINY)
    # What another experiment's sweep chose is not profiled.
    swept = [] if experiment.points_of is not None else candidates(experiment, multiprocessors)
    return [_in_sample(point) for point in (*fixed, *swept)]


def _groups(experiment: Experiment, multiprocessors: int) -> Iterable[list[Point]]:
    if experiment.program in ENCODERS:
        return [[point] for point in encode_points(experiment)]
    if experiment.random_access is not None:
        document = ranges_document(experiment.target, experiment.random_access)
        return [[point] for point in document["points"]]
    of_frame: dict[str, list[Point]] = {}
    for point in _points_of_decoders(experiment, multiprocessors):
        of_frame.setdefault(json.dumps([point.get(key) for key in _OF_FRAME]), []).append(point)
    return of_frame.values()


def _only_once(points: Iterable[Point]) -> list[Point]:
    return list({json.dumps(point, sort_keys=True): point for point in points}.values())


def point_runs(experiment: Experiment, multiprocessors: int, stages: Iterable[str]) -> list[PointRun]:
    """The runs for these stages. The target's program must be in LOGGED."""
    assert experiment.program is not None
    wanted = set(stages)
    whole = {}
    if experiment.random_access is not None:
        whole = ranges_document(experiment.target, experiment.random_access)
    runs = []
    for group in _groups(experiment, multiprocessors):
        points = _only_once(point for point in group if point["stage"] in wanted)
        if points:
            document = {"target": experiment.target, **whole, "points": points}
            text_bytes = ENCODED_BYTES if experiment.program in ENCODERS else DECODED_BYTES
            program = MEASURERS[experiment.program].built
            runs.append(PointRun(program, SUBCOMMANDS[experiment.program], document, text_bytes))
    return runs
