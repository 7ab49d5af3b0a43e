"""How many points of a measurement are finished, and how long the others will take."""

import time
from collections.abc import Callable
from pathlib import Path


def duration_text(seconds: float) -> str:
    """`40 s`, `3 min`, `2.5 h`."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


def finished_points(output: Path) -> int:
    """How many points a program that writes `output` has rows of, or an interrupted one had: a line each."""
    partial = output.with_name(f"{output.name}.partial.jsonl")
    # The last line may be cut off; the program measures it again.
    return partial.read_bytes().count(b"\n") if partial.exists() else 0


class RowProgress:
    """Looks at the rows that a program has kept of `total` points, while it measures them."""

    def __init__(self, total: int, output: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._total = total
        self._output = output
        self._before = self._finished = finished_points(output)
        self._clock = clock
        self._start = clock()

    def news(self) -> str | None:
        """For example `12 of 49 points, about 3 min left`; None where no point has been finished since."""
        finished = finished_points(self._output)
        if finished <= self._finished:
            return None
        self._finished = finished
        seconds_per_point = (self._clock() - self._start) / (finished - self._before)
        left = duration_text(seconds_per_point * max(0, self._total - finished))
        return f"{finished} of {self._total} points, about {left} left"
