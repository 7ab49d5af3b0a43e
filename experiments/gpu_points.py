"""Makes the points file that a GPU's measuring program reads, from the YAML file of an experiment.

python -m experiments.gpu_points TARGET [--scale SCALE] [--stages ID ...] [--output FILE]

The file is {"target", "kind", "points"}, with "candidates" where a sweep chooses, with "batches" and
"interconnects" where transfers overlap, and with "options" where sources are paced;
experiments/measure/shared/points.hpp says what a point is. A point
of a grid or a sweep says in its row how the data was cut: "blocks_per_multiprocessor" or "block_bytes".
Splits are said where the format has them.
The scale (paper unless said) matters only where blocks have a size in bytes: its text says how many they
are.
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

from data.catalogue import OF_A_SCALE, Instance
from data.files import write_text
from experiments.definition import (
    DefinitionError,
    EncodeGrid,
    Experiment,
    Queries,
    RandomAccess,
    Searches,
    Selections,
    StagePoints,
    load_experiment,
)

Point = dict[str, Any]
COMMON = "common"
BEST = "best"
GRID = "grid"
PAPER_SCALE = "paper"
# How a number of data blocks is written, and what a row of a grid or a sweep calls the number in it.
_PER_MULTIPROCESSOR = re.compile(r"(\d+) per SM")
_BYTES_EACH = re.compile(r"(\d+) bytes each")
# What a setting may say of how the data is cut.
_CUTS = ("blocks", "block_bytes", "splits")
_NAMES_IN_ROWS = {_PER_MULTIPROCESSOR: "blocks_per_multiprocessor", _BYTES_EACH: "block_bytes"}


class PointsError(Exception):
    """There are no points to make, a choice is about other stages, or the size of a text is not known."""


def resolve_blocks(blocks: int | str, multiprocessors: int | None) -> int | str:
    """`16 per SM` as a number where the number of multiprocessors is known; anything else as it is."""
    match = _PER_MULTIPROCESSOR.fullmatch(str(blocks))
    if match is None or multiprocessors is None:
        return blocks
    return int(match[1]) * multiprocessors


def _cut(setting: Mapping[str, Any]) -> dict[str, int]:
    """What the row of a grid's or a sweep's point says of how the data was cut."""
    if "block_bytes" in setting:
        return {"block_bytes": setting["block_bytes"]}
    matches = {name: pattern.fullmatch(str(setting["blocks"])) for pattern, name in _NAMES_IN_ROWS.items()}
    return {name: int(match[1]) for name, match in matches.items() if match is not None}


def _point(stage: str, setting: Mapping[str, Any], policy: str, multiprocessors: int | None) -> Point:
    cut = {name: setting[name] for name in _CUTS if name in setting}
    if "blocks" in cut:
        cut["blocks"] = resolve_blocks(cut["blocks"], multiprocessors)
    return {
        "stage": stage,
        "parameters": dict(setting.get("parameters", {})),
        **cut,
        **setting.get("options", {}),
        "row": {"policy": policy},
    }


def _text_bytes(instance: Instance) -> int:
    cut = instance.first_bytes or instance.tiled_to_bytes
    if cut is not None:
        return cut
    source = instance.dataset.source
    if not isinstance(source, OF_A_SCALE):
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
        counted = dict(setting)
        if "blocks" in setting:
            counted["blocks"] = _blocks_of_size(setting["blocks"], experiment, entry, scale)
        said = {name: grid[name] for name in ("variant", "graph") if name in grid}
        point = _point(entry.stage, counted, GRID, multiprocessors)
        yield {**point, **said, "row": {"policy": GRID, **grid.get("row", {}), **_cut(setting)}}


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
    cuts = {name: sweep[name] for name in _CUTS if name in sweep}
    options = {name: sweep[name] for name in ("options",) if name in sweep}
    for values in itertools.product(*cuts.values(), *parameters.values()):
        cut = dict(zip(cuts, values, strict=False))
        yield {**cut, **options, "parameters": dict(zip(parameters, values[len(cut) :], strict=True))}


def candidates(experiment: Experiment, multiprocessors: int | None = None) -> list[Point]:
    """Every point of every stage's sweep."""
    return [
        {
            **_point(entry.stage, setting, BEST, multiprocessors),
            "row": {"policy": BEST, **_cut(setting)},
        }
        for entry in experiment.points
        if entry.sweep is not None
        for setting in _settings(entry.sweep)
    ]


def grid_points(grid: EncodeGrid) -> list[Point]:
    """Every point of one grid."""
    cuts = itertools.product(*grid.cuts.values())
    settings = list(itertools.product(*grid.parameters.values()))
    return [
        {
            "stage": grid.stage,
            "variant": grid.variant,
            "parameters": dict(zip(grid.parameters, values, strict=True)),
            **dict(zip(grid.cuts, cut, strict=True)),
            **grid.options,
            **({"row": dict(pace)} if pace else {}),
        }
        for cut in cuts
        for values in settings
        for pace in grid.paces or ({},)
    ]


def encode_points(experiment: Experiment, text: str | None = None) -> list[Point]:
    """Every point of every grid; with the label of a `text` only those of that text. Raises PointsError where
    the experiment measures no encoder."""
    if experiment.encoding is None:
        raise PointsError(f"{experiment.target} measures no encoder")
    grids = [grid for grid in experiment.encoding.grids if text is None or grid.is_of(text)]
    return [point for grid in grids for point in grid_points(grid)]


def points_of_rows(rows: Iterable[Mapping[str, Any]]) -> list[Point]:
    """The points that a result's rows were measured at, each with its policy."""
    points = []
    for row in rows:
        parameters = dict(row["parameters"])
        cut = {name: parameters.pop(name) for name in _CUTS if name in parameters}
        points.append(
            {"stage": row["stage"], "parameters": parameters, **cut, "row": {"policy": row["policy"]}}
        )
    return points


def range_points(access: RandomAccess) -> list[Point]:
    """Every list of ranges of every frame; those of a frame together."""
    lists = itertools.product(access.range_bytes, access.patterns, access.selectivities)
    wanted = [
        {"pattern": pattern, "selectivity": selectivity, "range_bytes": size}
        for size, pattern, selectivity in lists
    ]
    return [
        {"stage": access.stage, **frame, "ranges": ranges} for frame in access.frames for ranges in wanted
    ]


def query_points(queries: Queries) -> list[Point]:
    """Every query in every way; those of a query together."""
    return [
        {
            "stage": way.get("stage", queries.stage),
            "variant": way["variant"],
            "parameters": dict(way.get("parameters", {})),
            "block_bytes": queries.block_bytes,
            "row": {"query": query, "storage": way["storage"], "place": queries.place},
        }
        for query in queries.queries
        for way in queries.ways
    ]


def selection_points(selections: Selections) -> list[Point]:
    """Every format with every selectivity."""
    return [
        {
            "stage": selections.stage,
            "variant": name,
            "block_bytes": selections.block_bytes,
            "row": {"format": name, "selectivity": selectivity},
        }
        for name in selections.formats
        for selectivity in selections.selectivities
    ]


def search_points(searches: Searches, text: str | None = None) -> list[Point]:
    """Every search of every frame, with the label of a `text` only those of that text; those of a frame
    together."""
    return [
        {
            "stage": stage,
            **frame,
            "row": {"frequency": frequency, "pattern": pattern, "output": output},
        }
        for frame in searches.frames
        for frequency, pattern in searches.patterns_of(text)
        for output in searches.outputs
        for stage in searches.stages
    ]


def all_points(experiment: Experiment, scale: str = PAPER_SCALE, text: str | None = None) -> list[Point]:
    """The points that are fixed before measuring; with the label of a `text` only those of that text."""
    if experiment.random_access is not None:
        return range_points(experiment.random_access)
    if experiment.queries is not None:
        return query_points(experiment.queries)
    if experiment.selections is not None:
        return selection_points(experiment.selections)
    if experiment.searches is not None:
        return search_points(experiment.searches, text)
    if experiment.encoding is not None:
        return encode_points(experiment, text)
    return fixed_points(experiment, scale=scale, text=text)


def points_document(experiment: Experiment, points: Sequence[Point]) -> dict[str, Any]:
    """What a points file of these points holds."""
    document: dict[str, Any] = {"target": experiment.target, "kind": experiment.kind}
    if experiment.overlap is not None:
        document["batches"] = experiment.overlap.batches
        document["interconnects"] = experiment.overlap.interconnects
    return {**document, "points": list(points)}


def whole_document(
    experiment: Experiment, scale: str = PAPER_SCALE, text: str | None = None
) -> dict[str, Any]:
    """The points file of an experiment at a scale; with the label of a `text` only with the points of that
    text. Raises PointsError where there are none."""
    points, swept = all_points(experiment, scale, text), candidates(experiment)
    if not points and not swept:
        raise PointsError(
            f"{experiment.target} has no points of its own" + (f" on {text}" if text is not None else "")
        )
    document = points_document(experiment, points)
    if experiment.kind == "line_rate_gpu":
        document["options"] = {name: values[0] for name, values in experiment.scales[scale].options.items()}
    return {**document, **({"candidates": swept} if swept else {})}


def _only_stages(experiment: Experiment, stages: Sequence[str] | None) -> Experiment:
    if stages is None:
        return experiment
    return replace(experiment, points=tuple(entry for entry in experiment.points if entry.stage in stages))


def main() -> int:
    """Writes the points as JSON; status 1 with the reason where there are none."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("target")
    parser.add_argument("--scale", default=PAPER_SCALE, choices=("tiny", "default", "paper"))
    parser.add_argument("--stages", nargs="+", help="only these stages")
    parser.add_argument("--output", type=Path, help="instead of standard output")
    arguments = parser.parse_args()
    try:
        experiment = _only_stages(load_experiment(arguments.target), arguments.stages)
        text = json.dumps(whole_document(experiment, arguments.scale), indent=1) + "\n"
    except (DefinitionError, PointsError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if arguments.output:
        write_text(arguments.output, text)
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
