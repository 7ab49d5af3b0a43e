"""Ways to do the same work, timed by turns."""

import gc
import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# What takes longer is timed less often.
SECONDS_OF_REPEATED_WAY = 1.0
LEAST_REPETITIONS = 3
# The order of one round differs from that of another, and is the same in every run.
_SEED_OF_ORDER = 1


class MismatchError(Exception):
    """Something that was measured gave a wrong result."""


@dataclass(frozen=True)
class Way:
    """One way: `run` is timed, and `is_right` says of what it gives whether it is what it should be.

    `stored_bytes` is the size of what it reads, or of what it makes. `worked_bytes` are those of the text
    that its throughput counts, None for all. `fields` are more of the row's, besides those of Way."""

    stage: str
    variant: str
    operation: str
    run: Callable[[], Any]
    is_right: Callable[[Any], bool]
    stored_bytes: int
    parameters: Mapping[str, Any] = field(default_factory=dict)
    worked_bytes: int | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.stage}, {self.variant}, {self.operation}"


def _seconds_of(way: Way) -> tuple[float, Any]:
    start = time.perf_counter()
    given = way.run()
    return time.perf_counter() - start, given


def _checked_seconds(way: Way) -> float:
    seconds, given = _seconds_of(way)
    if not way.is_right(given):
        raise MismatchError(f"{way.name}: the result is wrong")
    return seconds


def _count_of(seconds: float, wanted: int) -> int:
    affordable = int(SECONDS_OF_REPEATED_WAY / seconds) if seconds > 0 else wanted
    return min(wanted, max(affordable, LEAST_REPETITIONS))


def time_ways(ways: Sequence[Way], repetitions: int) -> list[list[float]]:
    """The seconds of each way, at most `repetitions` times, by turns: what disturbs the machine for a while
    disturbs all of them. Results are compared before and after. Raises MismatchError."""
    for way in ways:
        _checked_seconds(way)
    # The first call also loads code and makes memory known.
    counts = [_count_of(_checked_seconds(way), repetitions) for way in ways]
    seconds: list[list[float]] = [[] for _ in ways]
    chosen = random.Random(_SEED_OF_ORDER)
    gc.collect()
    gc.disable()
    try:
        for number in range(max(counts)):
            left = [index for index, count in enumerate(counts) if count > number]
            chosen.shuffle(left)
            for index in left:
                seconds[index].append(_seconds_of(ways[index])[0])
    finally:
        gc.enable()
    for way in ways:
        _checked_seconds(way)
    return seconds


def row_of(way: Way, seconds: Sequence[float], text_bytes: int) -> dict[str, Any]:
    """A row of results, without its data set. `text_bytes` are those of the whole text."""
    median = statistics.median(seconds)
    worked = text_bytes if way.worked_bytes is None else way.worked_bytes
    return {
        "stage": way.stage,
        "variant": way.variant,
        "operation": way.operation,
        "parameters": {**way.parameters, "threads": 1},
        "uncompressed_bytes": text_bytes,
        "compressed_bytes": way.stored_bytes,
        "ratio": text_bytes / way.stored_bytes,
        "seconds": {
            "median": median,
            "min": min(seconds),
            "max": max(seconds),
            "stddev": statistics.pstdev(seconds),
            "repetitions": len(seconds),
        },
        "throughput_gb_per_s": worked / median / 1e9,
        "streaming_limit_gb_per_s": None,
        "verified": True,
        **way.fields,
    }
