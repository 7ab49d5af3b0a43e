import csv
import sys
from pathlib import Path

import pytest

from experiments import make_figure as module
from experiments.made_up_results import (
    Row,
    codecs_rows,
    figure_input,
    made_up_result,
    ratio_rows,
    threads_rows,
)
from experiments.make_figure import choose_result, comparison_table, make_figure
from experiments.results import write_result

PLANTED = 12345.6
# Rows of every target that is measured, one of them with a value that stands nowhere else.
PLANTED_ROWS: dict[str, list[Row]] = {
    "gsst_fig_2_2": codecs_rows({("reference_cpu/fast", "blocks"): 3.0, ("peer/zstd", "level 3"): PLANTED}),
    "gsst_fig_5_4": ratio_rows({(92592593, 32): 2.5, (46296297, 32): PLANTED, (46296297, 64): 2.7}),
    "gsst_fig_b_1": threads_rows({1: 2.0, 2: PLANTED, 4: 7.0}),
}
ALL_ROWS: dict[str, list[Row] | None] = {
    **PLANTED_ROWS,
    "gsst_fig_6_3": None,
    "gsst_ingestion_model": None,
}


@pytest.mark.parametrize("target", sorted(PLANTED_ROWS))
def test_a_measured_number_reaches_the_csv(target: str, tmp_path: Path) -> None:
    make_figure(figure_input(target, PLANTED_ROWS[target]), tmp_path)
    assert str(PLANTED) in (tmp_path / f"{target}.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("target", sorted(ALL_ROWS))
def test_all_files_are_made_and_are_the_same_the_second_time(target: str, tmp_path: Path) -> None:
    for folder in ("first", "second"):
        make_figure(figure_input(target, ALL_ROWS[target]), tmp_path / folder)
    names = sorted(path.name for path in (tmp_path / "first").iterdir())
    assert names == sorted(f"{target}{end}" for end in (".svg", ".png", ".csv", ".txt", ".comparison.csv"))
    for name in names:
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()


@pytest.mark.parametrize("target", sorted(ALL_ROWS))
def test_the_paper_s_numbers_stand_beside_ours(target: str, tmp_path: Path) -> None:
    inputs = figure_input(target, ALL_ROWS[target])
    make_figure(inputs, tmp_path)
    with (tmp_path / f"{target}.comparison.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    printed = {
        number.quantity: number.value
        for name in inputs.experiment.published
        for number in inputs.published.of(name)
    }
    assert {row["quantity"]: float(row["paper"]) if row["paper"] else None for row in rows} == printed
    ours = "yours" if ALL_ROWS[target] else "ours (model)"
    assert any(row[ours] for row in rows)


def test_the_comparison_is_of_the_right_numbers() -> None:
    table = comparison_table(figure_input("gsst_fig_b_1", threads_rows({1: 2.0, 4: 11.0})))
    ours = table.set_index("quantity")["yours"]
    assert ours["throughput gained per thread"] == pytest.approx(3.0)
    table = comparison_table(figure_input("gsst_fig_6_3", None))
    ours = table.set_index("quantity")["ours (model)"]
    assert ours["interconnect where GSST overtakes Zstd"] == pytest.approx(0.70, abs=0.005)
    assert ours["interconnect where ANS overtakes GSST"] == pytest.approx(103, abs=0.5)
    assert ours["GSST ingestion throughput at the largest lead"] == pytest.approx(45.76, abs=0.005)


def test_ratio_and_throughput_of_a_codec_are_of_the_same_level() -> None:
    rows = codecs_rows({("peer/zstd", "level 1"): 4.0, ("peer/zstd", "level 19"): 1.0})
    rows[1]["compressed_bytes"] = 1_000_000
    ours = comparison_table(figure_input("gsst_fig_2_2", rows)).set_index("quantity")["yours"]
    assert ours["zstd compression ratio"] == pytest.approx(8.0)
    assert ours["zstd decompression throughput"] == pytest.approx(1.0)


def test_only_points_that_none_beats_are_on_the_pareto_front(tmp_path: Path) -> None:
    rows = codecs_rows({("peer/zstd", "level 3"): 2.0, ("peer/lz4", "fast"): 4.0, ("peer/zlib", "1"): 1.0})
    rows[0]["compressed_bytes"] = 1_000_000
    make_figure(figure_input("gsst_fig_2_2", rows), tmp_path)
    with (tmp_path / "gsst_fig_2_2.csv").open(encoding="utf-8") as file:
        front = {row["codec"]: row["pareto"] for row in csv.DictReader(file)}
    assert front == {"lz4": "True", "zlib": "False", "zstd": "True"}


def test_other_machines_have_their_own_line_and_column(tmp_path: Path) -> None:
    other = made_up_result("gsst_fig_b_1", threads_rows({1: 3.0, 64: 99.5}), machine="big_machine")
    inputs = figure_input("gsst_fig_b_1", threads_rows({1: 2.0, 2: 4.0}), recorded=(other,))
    make_figure(inputs, tmp_path)
    lines = (tmp_path / "gsst_fig_b_1.csv").read_text(encoding="utf-8").splitlines()
    assert any("recorded on big_machine,64,99.5" in line for line in lines)
    assert any("measured here,2,4" in line for line in lines)
    assert {"yours", "recorded on big_machine"} <= set(comparison_table(inputs).columns)


def test_measured_here_comes_before_recorded_and_recorded_before_nothing() -> None:
    measured = made_up_result("gsst_fig_b_1", threads_rows({1: 2.0}))
    empty = made_up_result("gsst_fig_b_1", [])
    recorded = [made_up_result("gsst_fig_b_1", threads_rows({1: 3.0}), machine=name) for name in ("a", "b")]
    assert choose_result(measured, recorded) == (measured, recorded)
    assert choose_result(empty, recorded) == (recorded[0], recorded[1:])
    assert choose_result(None, recorded) == (recorded[0], recorded[1:])
    assert choose_result(empty, []) == (empty, [])
    assert choose_result(None, []) == (None, [])


def run_main(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["make_figure", *arguments])
    return module.main()


def test_a_recorded_result_is_drawn_where_nothing_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "recorded" / "big_machine" / "gsst_fig_b_1.json"
    write_result(made_up_result("gsst_fig_b_1", PLANTED_ROWS["gsst_fig_b_1"]), record)
    folder = str(tmp_path / "figures")
    status = run_main(monkeypatch, "gsst_fig_b_1", "--output-dir", folder, "--recorded", str(record))
    assert status == 0
    assert str(PLANTED) in (tmp_path / "figures" / "gsst_fig_b_1.csv").read_text(encoding="utf-8")
    caption = (tmp_path / "figures" / "gsst_fig_b_1.txt").read_text(encoding="utf-8")
    assert "recorded on big_machine" in caption
    assert "measured here" not in caption


def test_with_nothing_to_draw_from_no_file_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "figures"
    assert run_main(monkeypatch, "gsst_fig_b_1", "--output-dir", str(folder)) == 1
    assert "nothing measured here and nothing recorded" in capsys.readouterr().err
    assert not folder.exists()
