"""How many points of a measurement are finished, and how long the others will take."""

import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

# How a program says how many points it measures.
_POINTS = "points: "


def duration_text(seconds: float) -> str:
    """`40 s`, `3 min`, `2.5 h`."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


def finished_points(output: Path) -> int:
    """How many points a program that writes `output` has rows of, or an interrupted one had: a line each."""
    partial = output.with_name(f"{output.name}.partial.jsonl")
    # The last line may be cut off; the program measures it again. It removes the file when it has all rows.
    try:
        return partial.read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


class RowProgress:
    """Looks at the rows that a program has kept of `total` points, while it measures them. `before` of them
    were finished when it started: now, unless said."""

    def __init__(
        self,
        total: int,
        output: Path,
        clock: Callable[[], float] = time.monotonic,
        before: int | None = None,
    ) -> None:
        self._total = total
        self._output = output
        self._before = self._finished = finished_points(output) if before is None else before
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


def run_with_progress(
    command: Sequence[str], output: Path, points: int | None = None
) -> tuple[int, list[str]]:
    """Runs a program that keeps the rows of what it writes to `output`, and passes its messages on, with
    how many of its points are finished. `points` is their number; None where the program says it itself.
    Returns its status and its messages."""
    print(shlex.join(command), file=sys.stderr, flush=True)
    # A program may have finished points before its messages are read.
    before = finished_points(output)
    progress = None if points is None else RowProgress(points, output, before=before)
    messages = []
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            messages.append(line.rstrip("\n"))
            if points is None and line.startswith(_POINTS):
                progress = RowProgress(int(line.removeprefix(_POINTS)), output, before=before)
                news = None
            else:
                news = progress.news() if progress is not None else None
            print(f"[{news}] " if news else "", line, sep="", end="", file=sys.stderr, flush=True)
    return process.returncode, messages
