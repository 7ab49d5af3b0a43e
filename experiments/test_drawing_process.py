"""Tests of drawing figures in processes that many threads start."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from experiments.drawing_process import DrawingError, draw


def test_every_thread_gets_the_status_of_its_own_process(tmp_path: Path) -> None:
    # With two threads that read the same process's status, one of four of these ended with a false error.
    logs = [str(tmp_path / str(number)) for number in range(100)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda log: draw(["--help"], log), logs))
    assert all("usage" in Path(log).read_text(encoding="utf-8") for log in logs)


def test_a_figure_that_cannot_be_drawn_is_an_error_that_names_its_log(tmp_path: Path) -> None:
    log = str(tmp_path / "log")
    with pytest.raises(DrawingError, match=f"exit status 2, see {log}"):
        draw(["--no-such-option"], log)
