"""Figures of made-up results: every file is there, and a number in a row reaches table and picture."""

from pathlib import Path

import pytest

from experiments.definition import all_targets
from experiments.made_up_results import (
    Row,
    codecs_rows,
    figure_input,
    made_up_result,
    ratio_rows,
    threads_rows,
)
from experiments.make_figure import make_figure

PLANTED = 12345.6


def rows_of(target: str, planted: float = PLANTED) -> list[Row] | None:
    """Rows for each target with `planted` among them; None for the targets that measure nothing."""
    if target == "gsst_fig_b_1":
        return threads_rows({1: 2.0, 2: 3.5, 4: planted})
    if target == "gsst_fig_5_4":
        return ratio_rows(
            {(5787038, 32): 2.7, (5787038, 256): planted, (1446760, 32): 2.6, (1446760, 256): 2.5}
        )
    if target == "gsst_fig_2_2":
        return codecs_rows({("reference_cpu/fast", "blocks"): 3.0, ("peer/zstd", "level 3"): planted})
    return None


@pytest.mark.parametrize("target", all_targets())
def test_makes_every_file_the_same_each_time(target: str, tmp_path: Path) -> None:
    for folder in ("first", "second"):
        make_figure(figure_input(target, rows_of(target), scale="tiny"), tmp_path / folder)
    names = {path.name for path in (tmp_path / "first").iterdir()}
    assert names == {f"{target}{ending}" for ending in (".svg", ".png", ".csv", ".txt", ".comparison.csv")}
    for name in names:
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()


@pytest.mark.parametrize("target", [target for target in all_targets() if rows_of(target)])
def test_a_number_in_a_row_reaches_table_and_picture(target: str, tmp_path: Path) -> None:
    make_figure(figure_input(target, rows_of(target)), tmp_path / "planted")
    make_figure(figure_input(target, rows_of(target, 2.75)), tmp_path / "plain")
    planted, plain = tmp_path / "planted", tmp_path / "plain"
    assert str(PLANTED) in (planted / f"{target}.csv").read_text(encoding="utf-8")
    assert str(PLANTED) not in (plain / f"{target}.csv").read_text(encoding="utf-8")
    assert (planted / f"{target}.svg").read_bytes() != (plain / f"{target}.svg").read_bytes()


@pytest.mark.parametrize("target", [target for target in all_targets() if rows_of(target)])
def test_is_drawn_without_any_data(target: str, tmp_path: Path) -> None:
    make_figure(figure_input(target, [], scale="tiny"), tmp_path)
    assert "skipped" in (tmp_path / f"{target}.txt").read_text(encoding="utf-8")


def test_a_recorded_result_is_named_in_caption_and_comparison(tmp_path: Path) -> None:
    recorded = made_up_result(
        "gsst_fig_b_1", threads_rows({1: 4.0, 16: 50.0}), machine="many_cores", cpu="Big CPU"
    )
    make_figure(figure_input("gsst_fig_b_1", threads_rows({1: 2.0}), (recorded,)), tmp_path)
    assert "many_cores" in (tmp_path / "gsst_fig_b_1.comparison.csv").read_text(encoding="utf-8")
    assert "Big CPU" in (tmp_path / "gsst_fig_b_1.txt").read_text(encoding="utf-8")
