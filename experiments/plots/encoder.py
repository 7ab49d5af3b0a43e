"""What the figures of the GPU encoder paper share: its groups of data sets, and how rows are summed up."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from experiments.plots import style

Row = Mapping[str, Any]

TPCH, GDELT, DBTEXT = "TPC-H", "location", "DBText"
GROUPS = (TPCH, GDELT, DBTEXT)
# The column that stands for GDELT's locations; the other columns of DBText are its machine-readable ones.
_SUBSTITUTE = "dbtext/location"
COLORS = dict(zip(GROUPS, (style.BLUE, style.GREEN, style.ORANGE), strict=True))
MARKERS = dict(zip(GROUPS, ("s", "^", "D"), strict=True))


def group_of(dataset: str) -> str:
    """The group that a row's data set belongs to."""
    if dataset == _SUBSTITUTE:
        return GDELT
    return TPCH if dataset.startswith("tpch/") else DBTEXT


def by_group(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The rows of each group that has any, in the order of the paper."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(group_of(row["dataset"]), []).append(row)
    return {group: found[group] for group in GROUPS if group in found}


def ratio(rows: Sequence[Row]) -> float:
    """Compression ratio of all data of the rows together."""
    return sum(row["uncompressed_bytes"] for row in rows) / sum(row["compressed_bytes"] for row in rows)
