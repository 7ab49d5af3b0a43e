"""The numbers that a program of this repository has made a data set with, as a field of rows about it."""

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from data.catalogue import Built, load_catalogue
from experiments.expressions import Row

FIELD = "made_with"
# What a label has after the name of a data set of which a part, or more than the whole, was measured.
_AMOUNT = re.compile(r"_(first|tiled_to)_\d+_bytes$")


def _numbers(arguments: Iterable[str]) -> dict[str, int]:
    """The options with a number: `--run-bytes 4` is run_bytes."""
    return {
        name.removeprefix("--").replace("-", "_"): int(value)
        for name, value in pairwise(arguments)
        if name.startswith("--") and value.isdecimal()
    }


@functools.cache
def _by_dataset() -> Mapping[str, Mapping[str, int]]:
    built = {
        name: dataset.source
        for name, dataset in load_catalogue().items()
        if isinstance(dataset.source, Built)
    }
    return {name: numbers for name, source in built.items() if (numbers := _numbers(source.arguments))}


def with_numbers_of_data(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows with `made_with.run_bytes`, say, where a program made their data with such an option; the
    others as they are."""
    numbers = [_by_dataset().get(_AMOUNT.sub("", str(row["dataset"]))) for row in rows]
    return tuple({**row, FIELD: found} if found else row for row, found in zip(rows, numbers, strict=True))
