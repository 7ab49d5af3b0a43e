"""How the measuring program of a tree is called. Before gsst_measure each kind had a program."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.measuring_programs import PROGRAM, build_target, kinds

# What a tree without gsst_measure has: a program for each kind, and its subcommand.
_FORMER = {
    "checksums": ("gsst_measure_checksums", ("measure",)),
    "decode": ("gsst_measure_stages", ("measure",)),
    "encode": ("gsst_measure_encode", ()),
    "ranges": ("gsst_measure_ranges", ("measure",)),
}
# Where gsst_measure reads points, and the key that frames once had in the place of `strip_codes`.
_READER_OF_POINTS = "experiments/measure/shared/points.cpp"
_SHORT_STRIPS = "short_strips"


@dataclass(frozen=True)
class Measuring:
    """How a tree measures a kind: the built program, what CMake builds it by, and its first arguments."""

    kind: str
    program: str
    target: str
    arguments: tuple[str, ...]
    is_former: bool = False
    # Whether a frame asks for short strips by a key of their own.
    has_short_strips: bool = False

    def _point(self, point: Mapping[str, Any]) -> dict[str, Any]:
        if not self.has_short_strips or "strip_codes" not in point:
            return dict(point)
        return {key: value for key, value in point.items() if key != "strip_codes"} | {_SHORT_STRIPS: True}

    def document(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The points file that the program reads, of one that gsst_measure reads."""
        if self.kind != "ranges":
            return dict(document)
        document = {**document, "points": [self._point(point) for point in document["points"]]}
        if not self.is_former:
            return document
        # A point for each frame, and the lists that all frames are measured with.
        points: list[dict[str, Any]] = []
        lists: dict[str, list[Any]] = {"patterns": [], "selectivities": [], "range_bytes": []}
        for point in document["points"]:
            frame = {key: value for key, value in point.items() if key != "ranges"}
            of_point = (frame, *(point["ranges"][key] for key in ("pattern", "selectivity", "range_bytes")))
            for values, value in zip((points, *lists.values()), of_point, strict=True):
                if value not in values:
                    values.append(value)
        return {**document, "points": points, **lists}


def measuring(tree: Path, kind: str) -> Measuring:
    """How `tree` measures a kind of gsst_measure."""
    if kind in kinds(tree):
        reader = tree / _READER_OF_POINTS
        has_short_strips = reader.is_file() and _SHORT_STRIPS in reader.read_text(encoding="utf-8")
        return Measuring(kind, PROGRAM, build_target(PROGRAM), (kind,), has_short_strips=has_short_strips)
    program, arguments = _FORMER[kind]
    return Measuring(kind, program, program, arguments, is_former=True, has_short_strips=True)
