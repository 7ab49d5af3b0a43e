"""Makes the points file that gsst_measure_cpu_stages reads, from the YAML file of an experiment.

The number of threads may depend on the machine: the points are those of one with so many processors.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from experiments.definition import UP_TO_PROCESSORS, Experiment, HostGrid

Point = dict[str, Any]
# What the ids of stages end with that were compiled without the compiler's own vectorisation.
UNVECTORISED = "_unvectorised"
# Of a stage: one thread for each processor.
ALL_PROCESSORS = 0


def numbers_of_threads(processors: int) -> list[int]:
    """Powers of two up to the number of processors, and all of them."""
    powers = [1 << exponent for exponent in range(processors.bit_length())]
    return powers if powers[-1] == processors else [*powers, ALL_PROCESSORS]


def _values(values: Sequence[int] | str, processors: int) -> Sequence[int]:
    if isinstance(values, str):
        assert values == UP_TO_PROCESSORS
        return numbers_of_threads(processors)
    return values


def _points_of(grid: HostGrid, processors: int) -> Iterator[Point]:
    names = list(grid.parameters)
    choices = [_values(values, processors) for values in grid.parameters.values()]
    for block_bytes, operation, name_of_format in itertools.product(
        grid.block_bytes, grid.operations, grid.formats
    ):
        for chosen, vectorised in itertools.product(itertools.product(*choices), grid.compiler_vectorisation):
            point = {
                "operation": operation,
                "stage": grid.stage if vectorised else f"{grid.stage}{UNVECTORISED}",
                "format": name_of_format,
                "block_bytes": block_bytes,
                "parameters": dict(zip(names, chosen, strict=True)),
            }
            if grid.variant:
                point["variant"] = grid.variant
            if grid.where_offered:
                point["where_offered"] = list(grid.where_offered)
            yield point


def host_points(experiment: Experiment, label: str, processors: int) -> list[Point]:
    """The points of the text with this label on a machine with so many processors."""
    grids = [grid for grid in experiment.host_grids if grid.is_of(label)]
    return [point for grid in grids for point in _points_of(grid, processors)]
