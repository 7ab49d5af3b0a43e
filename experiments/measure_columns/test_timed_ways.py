"""Ways that take turns, with a clock of the test's."""

import time
from collections.abc import Callable, Iterator

import pytest

from experiments.measure_columns.timed_ways import MismatchError, Way, row_of, time_ways


class Clock:
    """Advances as ways say."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(time, "perf_counter", made)
    return made


def _way(
    clock: Clock, name: str, seconds: float, order: list[str], gives: Callable[[], int] = lambda: 7
) -> Way:
    def run() -> int:
        clock.now += seconds
        order.append(name)
        return gives()

    return Way(name, "", "query", run, lambda given: given == 7, 1000)


def test_ways_take_turns_and_long_ones_are_timed_less_often(clock: Clock) -> None:
    order: list[str] = []
    short, long = time_ways([_way(clock, "short", 0.01, order), _way(clock, "long", 0.7, order)], 10)
    assert short == pytest.approx([0.01] * 10)
    assert long == pytest.approx([0.7] * 3)
    # Checked twice before and once after; in between each round has both, until the long one has enough.
    assert order[:4] == ["short", "long"] * 2
    assert order[-2:] == ["short", "long"]
    assert [sorted(order[begin : begin + 2]) for begin in (4, 6, 8)] == [["long", "short"]] * 3
    assert order[10:-2] == ["short"] * 7


def test_a_wrong_result_after_the_timing_is_refused(clock: Clock) -> None:
    given: Iterator[int] = iter([7] * 12 + [8])
    with pytest.raises(MismatchError, match="way, , query: the result is wrong"):
        time_ways([_way(clock, "way", 0.01, [], lambda: next(given))], 10)


def test_a_row_counts_the_bytes_that_were_worked_on() -> None:
    way = Way("stage", "variant", "query", int, bool, 25, {"level": 1}, 50, {"question": "who"})
    row = row_of(way, [2e-9, 1e-9, 3e-9], 100)
    assert row["throughput_gb_per_s"] == pytest.approx(25)
    assert row["ratio"] == 4
    assert row["parameters"] == {"level": 1, "threads": 1}
    assert row["question"] == "who"
    assert row["seconds"]["repetitions"] == 3
    assert (row["seconds"]["min"], row["seconds"]["max"]) == (1e-9, 3e-9)
