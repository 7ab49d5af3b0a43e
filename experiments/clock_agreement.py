"""Whether the clocks of the device and of the host say the same of an encoder's rows."""

from collections.abc import Mapping, Sequence
from typing import Any

# The host's wall time agrees with the time between the device's events where they differ by no more.
AGREEMENT = 0.05

Row = Mapping[str, Any]


def has_both_clocks(row: Row) -> bool:
    """Whether a row was measured by both."""
    return "host_seconds" in row and "device_seconds" in row


def host_over_device(row: Row) -> float:
    """The host's wall time over the device's, of the same repetitions."""
    return row["host_seconds"] / row["device_seconds"]


def _difference(row: Row) -> float:
    return abs(host_over_device(row) - 1)


def clocks_sentence(rows: Sequence[Row]) -> str:
    """What both clocks say of those rows that they measured; empty without one."""
    timed = [row for row in rows if has_both_clocks(row)]
    if not timed:
        return ""
    agreeing = sum(_difference(row) <= AGREEMENT for row in timed)
    count = f"all {len(timed)} rows" if agreeing == len(timed) else f"{agreeing} of {len(timed)} rows"
    furthest = max(timed, key=_difference)
    end_to_end = ", end to end" if furthest["end_to_end"] else ""
    return (
        "The host's wall time, from before the first launch until all is done, and the time between the "
        "device's events in the same repetitions are within "
        f"{100 * AGREEMENT:.0f} % of each other in {count}; they differ most, by "
        f"{100 * _difference(furthest):.2g} %, in `{furthest['variant']}`{end_to_end}."
    )
