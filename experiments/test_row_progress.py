from pathlib import Path

import pytest

from experiments.row_progress import RowProgress, duration_text, finished_rows


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


def test_rows_that_were_measured_together_count_each(tmp_path: Path) -> None:
    output = tmp_path / "result.json"
    assert finished_rows(output) == 0
    kept = ['{"key": 1, "row": {}}', '{"key": 2, "row": [{}, {}]}', '{"key": 3, "ro']
    (tmp_path / "result.json.partial.jsonl").write_text("\n".join(kept), encoding="utf-8")
    assert finished_rows(output) == 3
