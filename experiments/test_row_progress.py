from pathlib import Path

import pytest

from experiments.row_progress import RowProgress, duration_text, finished_points


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (59, "59 s"), (150, "2 min"), (3599, "60 min"), (9000, "2.5 h")]
)
def test_durations_are_short(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def keep(output: Path, lines: str) -> None:
    with output.with_name(f"{output.name}.partial.jsonl").open("a", encoding="utf-8") as file:
        file.write(lines)


def test_the_time_left_follows_from_the_points_of_this_run(tmp_path: Path) -> None:
    output = tmp_path / "result.json"
    keep(output, "{}\n" * 4)
    times = iter([100.0, 110.0, 130.0])
    progress = RowProgress(total=10, output=output, clock=lambda: next(times))
    assert progress.news() is None
    keep(output, "{}\n")
    assert progress.news() == "5 of 10 points, about 50 s left"
    assert progress.news() is None
    keep(output, "{}\n")
    assert progress.news() == "6 of 10 points, about 1 min left"


def test_the_rows_of_a_point_count_once_and_a_line_that_is_cut_off_not_at_all(tmp_path: Path) -> None:
    output = tmp_path / "result.json"
    assert finished_points(output) == 0
    keep(output, '{"key": 1, "row": {}}\n{"key": 2, "row": [{}, {}]}\n{"key": 3, "ro')
    assert finished_points(output) == 2
