"""Ratios of the DBText columns as they are, each once, from the sizes that the tests of training hold."""

import csv
import functools
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from data.catalogue import load_catalogue
from experiments.sources import REPOSITORY_ROOT
from experiments.text_template import column_name

# Bytes of each column as one block, its table included: tiles at level 6 by parse and bits of a code, and
# blocks by level.
TILE_SIZES = REPOSITORY_ROOT / "reference_cpu" / "tile_sizes.csv"
LEVEL_SIZES = REPOSITORY_ROOT / "reference_cpu" / "compressed_sizes_by_level.csv"
_OPTIMAL = "optimal_"


@dataclass(frozen=True)
class OwnRatio:
    """Ratios of a column as one block: tiles of the width that is best for it, and FSST's training."""

    column: str
    uncompressed_bytes: int
    tiles: float
    code_bits: int
    level_1: float


@functools.cache
def own_ratios() -> dict[str, OwnRatio]:
    """The columns by name, read once."""
    catalogue = load_catalogue()
    with LEVEL_SIZES.open(encoding="utf-8", newline="") as file:
        level_1 = {line["column"]: int(line["level_1"]) for line in csv.DictReader(file)}
    ratios = {}
    with TILE_SIZES.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            column = line["column"]
            size = catalogue[f"dbtext/{column}"].source.digest.bytes
            widths = {
                int(name.removeprefix(_OPTIMAL)): int(value)
                for name, value in line.items()
                if name.startswith(_OPTIMAL)
            }
            best = min(widths, key=widths.__getitem__)
            ratios[column] = OwnRatio(column, size, size / widths[best], best, size / level_1[column])
    return ratios


def own_ratio_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """The ratios of a row's column, as the field `own` for a table; no field where they are not known."""
    found = own_ratios().get(column_name(row["dataset"]))
    return {"own": asdict(found)} if found else {}
