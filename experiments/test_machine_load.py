import pytest

from experiments.environment import usable_processors
from experiments.machine_load import Sample, load_between, take_sample, taken_by_others


@pytest.mark.parametrize(
    ("worked", "own", "taken"),
    [(20.0, 20.0, 0.0), (20.0, 5.0, 1.5), (4.0, 5.0, 0.0)],
    ids=["only this one", "others", "the kernel counts in steps"],
)
def test_others_took_what_this_process_and_its_children_did_not(
    worked: float, own: float, taken: float
) -> None:
    begin = Sample(100.0, 1000.0, 7.0)
    assert taken_by_others(begin, Sample(110.0, 1000.0 + worked, 7.0 + own)) == taken


def test_without_time_between_them_nothing_was_taken() -> None:
    sample = take_sample()
    assert taken_by_others(sample, sample) == 0.0


def test_a_record_says_the_load_of_the_processors_that_may_be_used() -> None:
    load = load_between(Sample(0.0, 0.0, 0.0), Sample(3.0, 5.0, 4.0))
    assert load == {"processors": usable_processors(), "taken_by_others": 0.333}


def test_times_grow() -> None:
    begin = take_sample()
    sum(range(10**6))
    end = take_sample()
    assert end.clock > begin.clock
    assert end.own > begin.own
    assert end.worked >= begin.worked
