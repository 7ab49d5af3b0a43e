"""Draws a figure of the workflow in a process of its own, which has the libraries already.

To import them takes as long as to draw. One process imports them and is forked for each figure.
"""

import multiprocessing
import multiprocessing.connection
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

# To start a process reads the exit status of those that have ended, and a status can be read once: a thread
# that waits for its own must not read it at the same time.
_starting_or_reading_a_status = threading.Lock()


class DrawingError(Exception):
    """A figure could not be drawn; its log says why."""


def _draw(arguments: Sequence[str], log: str) -> None:
    with Path(log).open("wb") as file:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(file.fileno(), stream.fileno())
    # The program that asks for figures needs no matplotlib.
    from experiments.make_figure import main

    sys.exit(main(arguments))


def draw(arguments: Sequence[str], log: str) -> None:
    """Runs `experiments.make_figure` with `arguments`. What it says goes to the file `log` and is printed.

    May be called from several threads. Raises DrawingError where the figure cannot be drawn.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, "experiments.make_figure"])
    process = context.Process(target=_draw, args=(arguments, log))
    with _starting_or_reading_a_status:
        process.start()
    multiprocessing.connection.wait([process.sentinel])
    with _starting_or_reading_a_status:
        process.join()
    print(Path(log).read_text(encoding="utf-8"), end="", flush=True)
    if process.exitcode != 0:
        raise DrawingError(f"make_figure {' '.join(arguments)}: exit status {process.exitcode}, see {log}")
