"""Makes the points file that gsst_measure_encode reads, from the YAML file of an experiment.

python -m experiments.encode_points TARGET [--output FILE]

The file is {"target", "points"}; experiments/measure_encode/encode_points.hpp says what a point holds.
"""

import argparse
import itertools
import sys
from pathlib import Path

from experiments.definition import DefinitionError, EncodeGrid, Experiment, load_experiment
from experiments.gpu_points import Point, PointsError, put_points


def grid_points(grid: EncodeGrid) -> list[Point]:
    """Every point of one grid."""
    cuts = itertools.product(grid.block_bytes, grid.splits, grid.blocks_per_table)
    settings = list(itertools.product(*grid.parameters.values()))
    return [
        {
            "stage": grid.stage,
            "variant": grid.variant,
            "parameters": dict(zip(grid.parameters, values, strict=True)),
            "block_bytes": block_bytes,
            "splits": splits,
            "blocks_per_table": blocks_per_table,
            **grid.tiles,
        }
        for block_bytes, splits, blocks_per_table in cuts
        for values in settings
    ]


def encode_points(experiment: Experiment) -> list[Point]:
    """Every point of every grid. Raises PointsError where the experiment measures no encoder."""
    if experiment.encoding is None:
        raise PointsError(f"{experiment.target} measures no encoder")
    return [point for grid in experiment.encoding.grids for point in grid_points(grid)]


def main() -> int:
    """Writes the points as JSON; status 1 with the reason where there are none."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("--output", type=Path, help="instead of standard output")
    arguments = parser.parse_args()
    try:
        points = encode_points(load_experiment(arguments.target))
    except (DefinitionError, PointsError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    put_points({"target": arguments.target, "points": points}, arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
