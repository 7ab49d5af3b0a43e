"""Makes the points file that the GPU's measuring program reads, from the YAML file of an experiment.

python -m experiments.gpu_points TARGET [--scale SCALE] [--candidates | --choice SWEEP.json] [--stages ID ...]
    [--output FILE]

The file is {"target", "points"}, with "batches" and "interconnects" where transfers overlap; a point is
{"stage", "parameters", "blocks", "splits", "row": {"policy"}}, with "variant", "graph", and how tiles are
made, where a grid says so.
Without an option: the points that are fixed before measuring, the grids' among them. With --candidates: every
point of the sweeps. With --choice: the fixed points and those that a sweep chose, one for each stage with a
sweep. A point of a grid or a sweep says in its row how the data was cut: "blocks_per_multiprocessor" or
"block_bytes".
The scale (paper unless said) matters only where blocks have a size in bytes: its text says how many they are.
"""

import argparse
import itertools
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from data.catalogue import Generator, Instance
from data.files import write_text
from experiments.definition import DefinitionError, Experiment, RandomAccess, StagePoints, load_experiment

Point = dict[str, Any]
COMMON = "common"
BEST = "best"
GRID = "grid"
PAPER_SCALE = "paper"
# A sweep has hundreds of points; what it chooses is measured again.
SWEEP_REPETITIONS = 5
# How a number of data blocks is written, and what a row of a grid or a sweep calls the number in it.
_PER_MULTIPROCESSOR = re.compile(r"(\d+) per SM")
_BYTES_EACH = re.compile(r"(\d+) bytes each")
_NAMES_IN_ROWS = {_PER_MULTIPROCESSOR: "blocks_per_multiprocessor", _BYTES_EACH: "block_bytes"}


class PointsError(Exception):
    """There are no points to make, a choice is about other stages, or the size of a text is not known."""


def resolve_blocks(blocks: int | str, multiprocessors: int | None) -> int | str:
    """`16 per SM` as a number where the number of multiprocessors is known; anything else as it is."""
    match = _PER_MULTIPROCESSOR.fullmatch(str(blocks))
    if match is None or multiprocessors is None:
        return blocks
    return int(match[1]) * multiprocessors


def _cut(blocks: int | str) -> dict[str, int]:
    """What the row of a grid's or a sweep's point says of how the data was cut."""
    matches = {name: pattern.fullmatch(str(blocks)) for pattern, name in _NAMES_IN_ROWS.items()}
    return {name: int(match[1]) for name, match in matches.items() if match is not None}


def _point(stage: str, setting: Mapping[str, Any], policy: str, multiprocessors: int | None) -> Point:
    return {
        "stage": stage,
        "parameters": dict(setting.get("parameters", {})),
        "blocks": resolve_blocks(setting["blocks"], multiprocessors),
        "splits": setting["splits"],
        "row": {"policy": policy},
    }


def _text_bytes(instance: Instance) -> int:
    cut = instance.first_bytes or instance.tiled_to_bytes
    if cut is not None:
        return cut
    source = instance.dataset.source
    if not isinstance(source, Generator):
        return source.digest.bytes
    if instance.scale_factor not in source.known:
        raise PointsError(f"data/datasets.yaml does not say how many bytes {instance.label} has")
    return source.known[instance.scale_factor].bytes


def _blocks_of_size(blocks: int | str, experiment: Experiment, entry: StagePoints, scale: str) -> int | str:
    """`1024 bytes each` as the number of whole blocks in the entry's text of the scale; anything else as it
    is."""
    match = _BYTES_EACH.fullmatch(str(blocks))
    if match is None:
        return blocks
    instances = [instance for instance in experiment.scales[scale].instances if entry.are_of(instance.label)]
    if len(instances) != 1:
        raise PointsError(f"{experiment.target}: {blocks} needs one text at the scale {scale}")
    return max(1, _text_bytes(instances[0]) // int(match[1]))


def _grid_points(
    experiment: Experiment,
    entry: StagePoints,
    grid: Mapping[str, Any],
    multiprocessors: int | None,
    scale: str,
) -> Iterable[Point]:
    for setting in _settings(grid):
        blocks = setting["blocks"]
        counted = {**setting, "blocks": _blocks_of_size(blocks, experiment, entry, scale)}
        said = {name: grid[name] for name in ("variant", "graph") if name in grid}
        point = _point(entry.stage, counted, GRID, multiprocessors)
        yield {**point, **said, **grid.get("tiles", {}), "row": {"policy": GRID, **_cut(blocks)}}


def fixed_points(
    experiment: Experiment,
    multiprocessors: int | None = None,
    scale: str = PAPER_SCALE,
    text: str | None = None,
) -> list[Point]:
    """The common setting of every stage that has one, the best one where the file fixes it, and every point
    of the grids; with the label of a `text` only those of that text. Raises PointsError where the size of a
    text is asked for and not known."""
    points = []
    for entry in experiment.points:
        if text is not None and not entry.are_of(text):
            continue
        if entry.common is not None:
            points.append(_point(entry.stage, entry.common, COMMON, multiprocessors))
        if entry.best is not None:
            points.append(_point(entry.stage, entry.best, BEST, multiprocessors))
        if entry.grid is not None:
            points += _grid_points(experiment, entry, entry.grid, multiprocessors, scale)
    return points


def _settings(sweep: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """Every combination of the values of a sweep or a grid."""
    parameters = sweep.get("parameters", {})
    for blocks, splits, *values in itertools.product(sweep["blocks"], sweep["splits"], *parameters.values()):
        yield {"blocks": blocks, "splits": splits, "parameters": dict(zip(parameters, values, strict=True))}


def candidates(experiment: Experiment, multiprocessors: int | None = None) -> list[Point]:
    """Every point of every stage's sweep."""
    return [
        {
            **_point(entry.stage, setting, BEST, multiprocessors),
            "row": {"policy": BEST, **_cut(setting["blocks"])},
        }
        for entry in experiment.points
        if entry.sweep is not None
        for setting in _settings(entry.sweep)
    ]


def chosen_points(experiment: Experiment, choice: Sequence[Point]) -> list[Point]:
    """The points of `choice`, the outcome of a sweep, as the best ones of their stages. Raises PointsError
    unless it holds one for each stage with a sweep."""
    swept = [entry.stage for entry in experiment.points if entry.sweep is not None]
    if sorted(point["stage"] for point in choice) != sorted(swept):
        found = ", ".join(point["stage"] for point in choice)
        raise PointsError(f"the choice must hold one point for each of {', '.join(swept)}; it holds {found}")
    return [{**point, "row": {"policy": BEST}} for point in choice]


def points_of_rows(rows: Iterable[Mapping[str, Any]]) -> list[Point]:
    """The points that a result's rows were measured at, each with its policy."""
    points = []
    for row in rows:
        parameters = dict(row["parameters"])
        blocks, splits = parameters.pop("blocks"), parameters.pop("splits")
        points.append(
            {
                "stage": row["stage"],
                "parameters": parameters,
                "blocks": blocks,
                "splits": splits,
                "row": {"policy": row["policy"]},
            }
        )
    return points


def ranges_document(target: str, access: RandomAccess) -> dict[str, Any]:
    """What a points file for random access holds: a point for each frame."""
    points = [{"stage": access.stage, "parameters": {}, "splits": 1, **frame} for frame in access.frames]
    lists = {name: list(getattr(access, name)) for name in ("patterns", "selectivities", "range_bytes")}
    return {"target": target, "points": points, **lists}


def points_document(experiment: Experiment, points: Sequence[Point]) -> dict[str, Any]:
    """What a points file holds."""
    document: dict[str, Any] = {"target": experiment.target}
    if experiment.overlap is not None:
        document["batches"] = experiment.overlap.batches
        document["interconnects"] = experiment.overlap.interconnects
    if experiment.random_access is not None:
        return ranges_document(experiment.target, experiment.random_access)
    return {**document, "points": list(points)}


def _only_stages(experiment: Experiment, stages: Sequence[str] | None) -> Experiment:
    if stages is None:
        return experiment
    return replace(experiment, points=tuple(entry for entry in experiment.points if entry.stage in stages))


def put_points(document: Mapping[str, Any], output: Path | None) -> None:
    """Writes a points file, or prints it where there is no `output`."""
    text = json.dumps(document, indent=1) + "\n"
    if output:
        write_text(output, text)
    else:
        sys.stdout.write(text)


def main() -> int:
    """Writes the points as JSON; status 1 with the reason where there are none."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("--multiprocessors", type=int, help="of the GPU; without, `N per SM` stays as it is")
    parser.add_argument("--scale", default=PAPER_SCALE, choices=("tiny", "default", "paper"))
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--candidates", action="store_true", help="the points of the sweeps")
    which.add_argument("--choice", type=Path, help="points file that a sweep wrote")
    parser.add_argument("--stages", nargs="+", help="only these stages")
    parser.add_argument("--output", type=Path, help="instead of standard output")
    arguments = parser.parse_args()
    try:
        experiment = _only_stages(load_experiment(arguments.target), arguments.stages)
        if arguments.candidates:
            points = candidates(experiment, arguments.multiprocessors)
        else:
            points = fixed_points(experiment, arguments.multiprocessors, arguments.scale)
        if arguments.choice:
            choice = json.loads(arguments.choice.read_text(encoding="utf-8"))
            points += chosen_points(experiment, choice["points"])
        if not points:
            raise PointsError(f"{arguments.target} has no such points")
    except (DefinitionError, PointsError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    put_points(points_document(experiment, points), arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
