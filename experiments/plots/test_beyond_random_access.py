import pytest

from experiments.made_up_results import figure_input, ranges_rows
from experiments.plots import beyond_random_access

TARGET = "beyond_random_access"
TILES, CPU = "tiles of 12 bits", "CPU tiles of 12 bits"


def _notes(read: dict[str, int] | None) -> str:
    rows = ranges_rows({(TILES, "scattered", 32, 0.001): 5.0, (TILES, "clustered", 32, 0.1): 20.0}, read)
    return " ".join(beyond_random_access.draw(figure_input(TARGET, rows)).notes)


def test_there_is_a_plot_for_each_size_and_pattern_with_the_cpu_beside_the_gpu() -> None:
    rows = ranges_rows(
        {
            (variant, pattern, size, part): 1.0
            for variant in (TILES, CPU)
            for pattern in ("scattered", "clustered")
            for size in (32, 1024)
            for part in (0.001, 1)
        }
    )
    output = beyond_random_access.draw(figure_input(TARGET, rows))
    titles = [axes.get_title("left") or axes.get_title() for axes in output.figure.axes]
    assert titles == ["32 bytes, scattered", "32 bytes, clustered", "1 KiB, scattered", "1 KiB, clustered"]
    assert set(output.table["series"]) == {TILES, "CPU, tiles of 12 bits"}


def test_ranges_are_counted_by_the_time_of_a_list() -> None:
    rows = ranges_rows({(TILES, "scattered", 32, 0.001): 4.0})
    (line,) = beyond_random_access.draw(figure_input(TARGET, rows)).table.itertuples()
    assert line.million_ranges_per_s == pytest.approx(4e9 / 32 / 1e6)
    assert line.slowest == pytest.approx(4.0 / 1.2)
    assert line.fastest == pytest.approx(4.0 / 0.9)


def test_the_text_says_whether_the_aim_for_memory_traffic_is_kept() -> None:
    kept = _notes({"ranges": 400_000, "whole_frame": 10_000_000})
    assert "tiles of 12 bits 4 % (128 bytes a range, ratio 33.3)" in kept
    assert "is reached by all of these frames." in kept
    assert "Every block holds some of the ranges" in kept
    assert "is reached by none of these frames." in _notes({"ranges": 600_000, "whole_frame": 10_000_000})
    assert "was not counted" in _notes(None)


def test_the_best_of_each_size_is_named() -> None:
    assert "at most 20 GB/s" in _notes(None)
    assert "625 million ranges per second (tiles of 12 bits, clustered, 10 % of the text)" in _notes(None)


def test_without_a_measurement_nothing_is_drawn() -> None:
    assert beyond_random_access.draw(figure_input(TARGET, [])).table.empty
