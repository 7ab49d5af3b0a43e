"""How many rows of a measurement are finished, and how long the others will take."""

import time
from collections.abc import Callable


def duration_text(seconds: float) -> str:
    """`40 s`, `3 min`, `2.5 h`."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


class RowProgress:
    """Counts rows up to `total`, of which an interrupted run has left `finished`."""

    def __init__(self, total: int, finished: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._total = total
        self._before = finished
        self._finished = finished
        self._clock = clock
        self._start = clock()

    def next_row(self) -> str:
        """Counts one row; says, for example, `12 of 49 rows, about 3 min left`."""
        self._finished += 1
        seconds_per_row = (self._clock() - self._start) / (self._finished - self._before)
        left = duration_text(seconds_per_row * max(0, self._total - self._finished))
        return f"{self._finished} of {self._total} rows, about {left} left"
