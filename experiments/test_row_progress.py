import pytest

from experiments.row_progress import RowProgress, duration_text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (59, "59 s"), (150, "2 min"), (3599, "60 min"), (9000, "2.5 h")]
)
def test_durations_are_short(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_the_time_left_follows_from_the_rows_of_this_run() -> None:
    times = iter([100.0, 110.0, 130.0])
    progress = RowProgress(total=10, finished=4, clock=lambda: next(times))
    assert progress.next_row() == "5 of 10 rows, about 50 s left"
    assert progress.next_row() == "6 of 10 rows, about 1 min left"
