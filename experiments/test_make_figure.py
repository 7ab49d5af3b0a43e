import csv
import io
import re
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from experiments import make_figure as module
from experiments.charts.drawing import drawing_of
from experiments.definition import load_experiment
from experiments.made_up_results import (
    Row,
    codecs_rows,
    counters_rows,
    encoder_rows,
    figure_input,
    made_up_result,
    ptx_rows,
    stages_rows,
    threads_rows,
    tuning_rows,
)
from experiments.make_figure import (
    comparison_table,
    find_layout,
    judged_first,
    make_figure,
    save_svg,
    with_alternative_text,
)
from experiments.planted_rows import PLANTED, PLANTED_ROWS
from experiments.plots import gsst_table_5_4, gsst_table_6_1, gsst_tuning, style
from experiments.results import ResultError, write_result

pytestmark = pytest.mark.long

ALL_ROWS: dict[str, list[Row] | None] = {
    **PLANTED_ROWS,
    "gsst_fig_6_3": None,
    "gsst_ingestion_model": None,
}


# test_provenance.py asks the same, but for the PNG, of every figure that is drawn from rows.
@pytest.mark.parametrize(
    "target", ["gsst_fig_6_1", *(name for name, rows in ALL_ROWS.items() if rows is None)]
)
def test_all_files_are_made_and_are_the_same_the_second_time(target: str, tmp_path: Path) -> None:
    make_figure(figure_input(target, ALL_ROWS[target]), tmp_path / "first")
    names = sorted(path.name for path in (tmp_path / "first").iterdir())
    assert names == sorted(f"{target}{end}" for end in (".svg", ".png", ".csv", ".txt", ".comparison.csv"))
    make_figure(figure_input(target, ALL_ROWS[target]), tmp_path / "second")
    for name in names:
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()


def words_and_numbers(svg: str) -> tuple[list[str], list[float]]:
    """An SVG's words, without the names of its parts, which are digests of all digits of a place, and the
    numbers between them."""
    unnamed = re.sub(r"(?<=[#\"])[a-z][0-9a-f]{10}(?=[)\"])", "name", svg)
    number = r"-?\d+\.\d+"
    return re.split(number, unnamed), [float(found) for found in re.findall(number, unnamed)]


@pytest.mark.parametrize("target", ["gsst_fig_6_1", "codag_fig_8", "gsst_fig_6_3"])
def test_names_in_a_picture_do_not_depend_on_the_last_digits_of_a_layout(target: str, tmp_path: Path) -> None:
    inputs = figure_input(target, ALL_ROWS[target])
    style.apply()
    figure = drawing_of(inputs.experiment).draw(inputs).figure
    find_layout(figure)
    pictures = []
    for difference in (0, 1e-16, -1e-16):
        for axes in figure.axes:
            left, bottom, width, height = axes.get_position(original=True).bounds
            axes.set_position((left + difference, bottom, width, height + difference))
        save_svg(figure, tmp_path / "moved.svg", "Title", "Description")
        pictures.append((tmp_path / "moved.svg").read_bytes())
    assert len(set(pictures)) == 1


@pytest.mark.parametrize("target", ["gsst_fig_6_1", "codag_fig_8", "gsst_fig_6_3"])
def test_the_layout_is_the_one_that_matplotlib_finds_when_it_saves(target: str, tmp_path: Path) -> None:
    inputs = figure_input(target, ALL_ROWS[target])
    style.apply()
    saved, ours = (drawing_of(inputs.experiment).draw(inputs).figure for _ in range(2))
    path, expected = tmp_path / "ours.svg", io.StringIO()
    save_svg(ours, path, "Title", "Description")
    saved.savefig(expected, format="svg", metadata={"Date": None, "Creator": None})
    text = with_alternative_text(expected.getvalue(), "Title", "Description")
    our_words, our_numbers = words_and_numbers(path.read_text(encoding="utf-8"))
    words, numbers = words_and_numbers(text)
    assert our_words == words
    # Six digits are printed, and the last one may be rounded the other way.
    assert our_numbers == pytest.approx(numbers, rel=0, abs=2e-6)
    assert (ours.dpi, type(ours.canvas)) == (saved.dpi, type(saved.canvas))


def test_a_picture_has_its_words_as_text_and_says_what_is_seen(tmp_path: Path) -> None:
    inputs = figure_input("gsst_fig_6_1", ALL_ROWS["gsst_fig_6_1"])
    make_figure(inputs, tmp_path)
    svg = (tmp_path / "gsst_fig_6_1.svg").read_text(encoding="utf-8")
    root = ET.fromstring(svg)
    named = {
        child.get("id"): child.text or "" for child in root if child.get("id") in ("title", "description")
    }
    assert root.get("role") == "img"
    assert named["title"] == inputs.experiment.title
    assert named["description"].startswith(inputs.experiment.caption)
    words = "".join(root.itertext())
    assert "GB/s (share of the streaming limit)" in words
    assert "'DejaVu Sans', 'Verdana', sans-serif" in svg


@pytest.mark.parametrize("target", sorted(ALL_ROWS))
def test_the_paper_s_numbers_stand_beside_ours(target: str) -> None:
    inputs = figure_input(target, ALL_ROWS[target])
    rows = list(csv.DictReader(comparison_table(inputs).to_csv(index=False).splitlines()))
    printed = {
        number.quantity: number.value
        for name in inputs.experiment.published
        for number in inputs.published.of(name)
    }
    assert {row["quantity"]: float(row["paper"]) if row["paper"] else None for row in rows} == printed
    if not printed:
        return
    ours = [name for name in rows[0] if name.startswith(("yours", "ours (model)"))]
    assert len(ours) == max(1, len(inputs.experiment.policies))
    assert any(row[ours[0]] for row in rows)


def test_the_comparison_is_of_the_right_numbers() -> None:
    table = comparison_table(figure_input("gsst_fig_b_1", threads_rows({1: 2.0, 4: 11.0})))
    ours = table.set_index("quantity")["yours"]
    assert ours["throughput gained per thread"] == pytest.approx(3.0)
    table = comparison_table(figure_input("gsst_fig_6_3", None))
    ours = table.set_index("quantity")["ours (model)"]
    assert ours["interconnect where GSST overtakes Zstd"] == pytest.approx(0.70, abs=0.005)
    assert ours["interconnect where ANS overtakes GSST"] == pytest.approx(103, abs=0.5)
    assert ours["GSST ingestion throughput at the largest lead"] == pytest.approx(45.76, abs=0.005)


def test_each_policy_is_compared_by_itself() -> None:
    rows = stages_rows({"01_blocks": 2.0, "02_splits": 18.0})
    rows[3]["throughput_gb_per_s"] = 44.0
    table = comparison_table(figure_input("gsst_fig_6_1", rows)).set_index("quantity")
    factor = "02_splits throughput relative to 01_blocks"
    assert table["yours, common"][factor] == pytest.approx(9.0)
    assert table["yours, best"][factor] == pytest.approx(20.0)
    assert table["yours, best"]["02_splits decompression throughput"] == pytest.approx(44.0)


def test_transfers_of_another_width_than_the_thesis_s_are_said() -> None:
    same = gsst_table_5_4.draw(figure_input("gsst_table_5_4", ptx_rows({32: 16.0}))).notes
    assert not any("Not as in the thesis" in note for note in same)
    other = gsst_table_5_4.draw(figure_input("gsst_table_5_4", ptx_rows({32: 16.0, 64: 8.0}))).notes
    assert "Not as in the thesis: alignment 64 (8 bytes instead of 16)." in other


def test_the_instructions_of_the_thesis_are_drawn_as_ours_are(tmp_path: Path) -> None:
    make_figure(figure_input("gsst_table_5_4", ptx_rows({32: 16.0})), tmp_path)
    with (tmp_path / "gsst_table_5_4.csv").open(encoding="utf-8") as file:
        inputs = {(row["series"], row["alignment"]): row["input"] for row in csv.DictReader(file)}
    assert inputs["compute capability 8.0", "32"] == "2 x (ld.u32, st.u32)"
    assert inputs["thesis", "32"] == "2 x (ld.v2.u64, st.shared.v2.u64)"


def test_ratio_and_throughput_of_a_codec_are_of_the_same_level() -> None:
    rows = codecs_rows({("peer/zstd", "level 1"): 4.0, ("peer/zstd", "level 19"): 1.0})
    rows[1]["compressed_bytes"] = 1_000_000
    ours = comparison_table(figure_input("gsst_fig_2_2", rows)).set_index("quantity")["yours"]
    assert ours["zstd compression ratio"] == pytest.approx(8.0)
    assert ours["zstd decompression throughput"] == pytest.approx(1.0)


def test_what_more_pairs_cost_and_bring() -> None:
    def rows(pairs: int, throughput: float, ratio: float, dataset: str) -> list[Row]:
        changed = {"dataset": dataset, "compressed_bytes": round(8_000_000 / ratio)}
        return [{**row, **changed} for row in encoder_rows({("", 128, 4096): throughput}, match_pairs=pairs)]

    text = rows(8, 100.0, 2.0, "tpch/l_comment_sf1") + rows(16, 50.0, 1.0, "tpch/l_comment_sf1")
    columns = [
        row
        for column in ("hex", "uuid")
        for pairs, throughput, ratio in ((8, 100.0, 2.0), (16, 100.0, 2.2))
        for row in rows(pairs, throughput, ratio, f"dbtext/{column}_tiled_to_8000000_bytes")
    ]
    compared = {
        name: comparison_table(figure_input("encoder_fig_10", measured)).set_index("quantity")["yours"]
        for name, measured in {"text": text, "both": text + columns}.items()
    }
    # Three texts take 3 units of time with the fewer pairs and 4 with more.
    assert compared["both"]["throughput lost with more pairs"] == pytest.approx(25.0)
    assert compared["both"]["DBText ratio gained with more pairs"] == pytest.approx(10.0, abs=0.001)
    assert compared["text"]["throughput lost with more pairs"] == pytest.approx(50.0)
    assert pd.isna(compared["text"]["DBText ratio gained with more pairs"])


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


def test_times_that_mean_different_things_are_not_in_one_figure(tmp_path: Path) -> None:
    rows = threads_rows({1: 2.0})
    other = replace(made_up_result("gsst_fig_b_1", rows, machine="big_machine"), timing=2)
    with pytest.raises(ResultError, match=r"recorded/big_machine/.*: its times are"):
        make_figure(figure_input("gsst_fig_b_1", rows, recorded=(other,)), tmp_path)
    assert list(tmp_path.iterdir()) == []


def run_main(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["make_figure", *arguments])
    return module.main()


def test_of_several_records_the_judged_one_is_drawn() -> None:
    experiment = load_experiment("gsst_fig_b_1")
    assert experiment.verdict is not None
    rows = threads_rows({1: 2.0})
    machines = ("a_machine", experiment.verdict.machine, "z_machine")
    recorded = [made_up_result("gsst_fig_b_1", rows, machine=machine) for machine in machines]
    found = [result.machine for result in judged_first(recorded, experiment)]
    assert found == [experiment.verdict.machine, "a_machine", "z_machine"]
    not_judged = replace(experiment, verdict=None)
    assert judged_first(recorded, not_judged) == recorded


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


@pytest.mark.parametrize(
    ("target", "needed"),
    [
        ("beyond_columns", "GPU"),
        ("beyond_overlap", "GPU"),
        ("beyond_sizes", "GPU"),
        ("beyond_sizes_multiprocessors", "GPU"),
        ("gsst_fig_5_2", "GPU"),
        ("gsst_fig_5_3", "GPU"),
        ("gsst_fig_5_5", "GPU"),
        ("gsst_fig_6_1", "GPU"),
        ("gsst_fig_6_2", "GPU"),
        ("gsst_fig_6_4", "GPU"),
        ("gsst_table_6_1", "GPU"),
        ("gsst_tuning", "GPU"),
        ("warp_tiles_ladder", "GPU"),
        ("gsst_table_5_4", "nvcc"),
        ("engine_columns", "make columns"),
    ],
)
def test_without_a_record_what_this_machine_cannot_measure_is_skipped_with_its_reason(
    target: str,
    needed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_main(monkeypatch, target, "--output-dir", str(tmp_path)) == 0
    assert f"{target}: skipped: this needs" in capsys.readouterr().err
    caption = (tmp_path / f"{target}.txt").read_text(encoding="utf-8")
    assert any(line.startswith("skipped:") and needed in line for line in caption.splitlines())
    assert "Measured" not in caption
    with (tmp_path / f"{target}.csv").open(encoding="utf-8") as file:
        assert all(row["series"].startswith("thesis") for row in csv.DictReader(file))


@pytest.mark.parametrize(
    "target",
    [
        *("encoder_fig_10", "encoder_fig_12", "encoder_ladder", "wide_encoder_columns"),
        *("wide_encoder_counters", "wide_encoder_ladder"),
    ],
)
def test_an_encoder_s_figure_without_a_result_says_what_is_missing(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_main(monkeypatch, target, "--output-dir", str(tmp_path)) == 0
    caption = (tmp_path / f"{target}.txt").read_text(encoding="utf-8")
    assert "GPU encoder paper, " in caption
    assert "skipped: this needs a GPU" in caption
    with (tmp_path / f"{target}.csv").open(encoding="utf-8") as file:
        assert all(row["series"].startswith("paper") for row in csv.DictReader(file))


@pytest.mark.parametrize("target", ["beyond_checksums", "beyond_random_access", "warp_tiles_widths"])
def test_a_figure_that_no_paper_has_is_empty_without_a_result(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_main(monkeypatch, target, "--output-dir", str(tmp_path)) == 0
    assert "skipped: this needs a GPU" in (tmp_path / f"{target}.txt").read_text(encoding="utf-8")
    with (tmp_path / f"{target}.csv").open(encoding="utf-8") as file:
        assert list(csv.DictReader(file)) == []


@pytest.mark.parametrize("target", ["encoder_fig_11", "encoder_fig_13"])
def test_the_paper_s_encoder_is_drawn_without_a_result(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_main(monkeypatch, target, "--output-dir", str(tmp_path)) == 0
    assert "skipped: this needs a GPU" in (tmp_path / f"{target}.txt").read_text(encoding="utf-8")
    with (tmp_path / f"{target}.csv").open(encoding="utf-8") as file:
        assert {row["series"].partition(",")[0] for row in csv.DictReader(file)} == {"paper"}


def test_with_nothing_to_draw_from_no_file_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "figures"
    assert run_main(monkeypatch, "gsst_fig_b_1", "--output-dir", str(folder)) == 1
    assert "nothing was measured here and nothing is recorded" in capsys.readouterr().err
    assert not folder.exists()


def test_variants_have_columns_of_their_own() -> None:
    stages = ["06_async", "06_async_pipeline", "06_async_splits", "07_tuned"]
    figure = gsst_table_6_1.draw(
        figure_input("gsst_table_6_1", counters_rows(dict.fromkeys(stages, 5.0)))
    ).figure
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts[5:9] == ["06", "06*", "06**", "07"]


def texts_of_tuning(rows: list[Row]) -> tuple[list[str], list[str]]:
    """What is written beside the points, plot by plot, and the notes of the caption."""
    output = gsst_tuning.draw(figure_input("gsst_tuning", rows))
    return [text.get_text() for axes in output.figure.axes for text in axes.texts], output.notes


def test_the_chosen_setting_is_marked_with_both_of_its_throughputs() -> None:
    texts, notes = texts_of_tuning(tuning_rows({192: 300.0, 256: 310.0}))
    assert texts == ["thesis (A100): 191", "chosen: 310, on another text: 311"]
    assert any(note.startswith("Chosen: blocks per SM 8, splits 256, alignment 32,") for note in notes)


def test_how_many_candidates_were_measured_is_said() -> None:
    _, notes = texts_of_tuning(tuning_rows({192: 300.0, 256: 310.0}))
    assert "2 of 720 candidates were measured." in notes


def test_each_alignment_of_a_sweep_has_a_plot() -> None:
    rows = tuning_rows({192: 300.0})
    rows.insert(0, {**rows[0], "parameters": {**rows[0]["parameters"], "alignment": 64}})
    figure = gsst_tuning.draw(figure_input("gsst_tuning", rows)).figure
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "alignment 16 bytes",
        "alignment 32 bytes",
        "alignment 64 bytes",
    ]


def test_the_choice_stands_beside_the_thesis_s_parameters() -> None:
    table = comparison_table(figure_input("gsst_tuning", tuning_rows({192: 300.0, 256: 310.0})))
    table = table.set_index("quantity")
    assert table["yours, chosen"]["blocks per SM"] == 8
    assert table["yours, chosen"]["splits"] == 256
    assert table["yours, candidate"]["decompression throughput"] == pytest.approx(310.0)
    assert table["yours, chosen"]["decompression throughput"] == pytest.approx(311.0)
