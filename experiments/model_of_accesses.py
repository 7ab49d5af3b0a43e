"""The executor's model of accesses beside the counters of a GPU: what rows of gsst_measure_accesses get."""

from collections.abc import Mapping, Sequence
from typing import Any

from experiments.results import RECORDED_DIR, load_result

Row = dict[str, Any]
# The record whose counters the model is compared with, and the text and the policies that it has.
COUNTED_TARGET = "gsst_table_6_1"
COUNTED_MACHINE = "h200"
COUNTED_TEXT = "tpch/l_comment"
COUNTED_POLICIES = ("common", "best")


class NoCountersError(Exception):
    """A stage of which no counters are recorded."""


def _per_request(accesses: Mapping[str, Mapping[str, int]], kinds: Sequence[str]) -> float | None:
    requests = sum(accesses[kind]["requests"] for kind in kinds)
    return sum(accesses[kind]["sectors"] for kind in kinds) / requests if requests else None


def modelled(row: Mapping[str, Any]) -> dict[str, float | None]:
    """What counters count, by the accesses of a row. A GPU counts asynchronous copies among the loads."""
    accesses = row["accesses"]
    shared = [counts for kind, counts in accesses.items() if kind.startswith("shared_")]
    conflicts = sum(counts["passes"] - counts["passes_without_conflicts"] for counts in shared)
    return {
        "sectors_per_load": _per_request(accesses, ("global_load", "global_copy")),
        "sectors_per_store": _per_request(accesses, ("global_store",)),
        "bank_conflicts_per_byte": conflicts / row["uncompressed_bytes"],
    }


def counted(stage: str, policy: str) -> dict[str, Any]:
    """The same of the record, and where it is from. Raises NoCountersError."""
    record = load_result(RECORDED_DIR / COUNTED_MACHINE / f"{COUNTED_TARGET}.json")
    rows = [row for row in record.rows if (row["stage"], row["policy"]) == (stage, policy)]
    if not rows:
        raise NoCountersError(
            f"{stage}: {COUNTED_TARGET} of {COUNTED_MACHINE} has no counters of it with policy {policy}"
        )
    (row,) = rows
    counters = row["counters"]
    return {
        "machine": COUNTED_MACHINE,
        "sectors_per_load": counters["sectors_per_load"],
        "sectors_per_store": counters["sectors_per_store"],
        "bank_conflicts_per_byte": counters["shared_bank_conflicts"] / row["uncompressed_bytes"],
    }


# Of rows without counters.
_NOT_COUNTED: Mapping[str, Any] = {
    "machine": None,
    "sectors_per_load": None,
    "sectors_per_store": None,
    "bank_conflicts_per_byte": None,
}


def is_counted(row: Mapping[str, Any]) -> bool:
    """Whether the record has counters for a row: of its text and policy."""
    return str(row["dataset"]).startswith(COUNTED_TEXT) and row["policy"] in COUNTED_POLICIES


def with_counters(rows: Sequence[Row]) -> list[Row]:
    """The rows with `model`, what counters would count by the model, and `counted`, what they did: nulls
    unless the row is_counted(). Raises NoCountersError."""
    return [
        {
            **row,
            "model": modelled(row),
            "counted": counted(row["stage"], row["policy"]) if is_counted(row) else dict(_NOT_COUNTED),
        }
        for row in rows
    ]
