"""The figures of Sections 6.2 to 6.4: codecs on a GPU."""

import csv
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from experiments.made_up_results import Row, figure_input, gpu_codecs_rows, made_up_result, memory_rows
from experiments.make_figure import comparison_table, make_figure
from experiments.plots import gsst_fig_6_2, gsst_fig_6_3, gsst_fig_6_4, style
from experiments.plots.gpu_codecs import measured_codecs, representatives
from experiments.plots.interface import FigureInput

GSST, ANS, ZSTD = "gsst/07_tuned", "nvcomp/ANS", "nvcomp/Zstd"
POINTS = {
    ("gsst/04_alignment", ""): (2.8, 390.0),
    (GSST, ""): (2.8, 400.0),
    (ANS, "manager"): (1.4, 600.0),
    (ANS, "batched"): (1.4, 500.0),
    (ZSTD, "manager"): (3.5, 40.0),
    (ZSTD, "batched"): (3.5, 50.0),
}


def compared(target: str, rows: list[Row]) -> pd.Series:
    return comparison_table(figure_input(target, rows)).set_index("quantity")["yours"]


def csv_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def ingestion_input(rows: list[Row]) -> FigureInput:
    result = made_up_result("gsst_fig_6_2", rows, machine="big_gpu", gpu="Made-up GPU")
    return replace(figure_input("gsst_fig_6_3", None), result=result)


def test_the_tuned_stage_and_the_managers_are_compared_with_the_thesis() -> None:
    ours = compared("gsst_fig_6_2", gpu_codecs_rows(POINTS))
    assert ours["GSST decompression throughput"] == pytest.approx(400.0)
    assert ours["ANS throughput relative to GSST"] == pytest.approx(1.5)
    assert ours["GSST ratio relative to ANS"] == pytest.approx(2.0)
    assert ours["Zstd ratio relative to GSST"] == pytest.approx(1.25)
    assert ours["GSST throughput relative to Zstd"] == pytest.approx(10.0)
    assert pd.isna(ours["LZ4 compression ratio"])


def test_both_interfaces_and_the_front_are_in_the_csv(tmp_path: Path) -> None:
    make_figure(figure_input("gsst_fig_6_2", gpu_codecs_rows(POINTS)), tmp_path)
    lines = csv_rows(tmp_path / "gsst_fig_6_2.csv")
    front = {(line["series"], line["codec"]) for line in lines if line["pareto"] == "True"}
    assert front == {("nvCOMP batched", "Zstd"), ("ours", "07_tuned"), ("nvCOMP manager", "ANS")}
    assert {line["series"] for line in lines} == {
        *("ours", "nvCOMP manager", "nvCOMP batched", "thesis, printed", "thesis, derived")
    }


def test_fsst_on_the_cpu_is_a_series_of_its_own() -> None:
    rows = gpu_codecs_rows({("reference_cpu/fast", "blocks"): (2.6, 2.4)}, parameters={"threads": 16})
    (codec,) = measured_codecs(made_up_result("gsst_fig_6_2", rows))
    assert (codec.series, codec.name) == ("FSST on the CPU", "FSST, 16 CPU threads")


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ({(GSST, ""): (2.8, 400.0)}, "skipped: nvCOMP was not measured"),
        (POINTS, "skipped: without a result are nvCOMP manager LZ4, nvCOMP manager Snappy,"),
    ],
)
def test_codecs_without_a_result_are_named(
    points: dict[tuple[str, str], tuple[float, float]], expected: str
) -> None:
    notes = gsst_fig_6_2.draw(figure_input("gsst_fig_6_2", gpu_codecs_rows(points))).notes
    assert any(note.startswith(expected) for note in notes), notes


def test_the_faster_interface_stands_for_a_codec() -> None:
    codecs = representatives(measured_codecs(made_up_result("gsst_fig_6_2", gpu_codecs_rows(POINTS))))
    assert {name: codec.decompression for name, codec in codecs.items()} == pytest.approx(
        {"GSST": 400.0, "ANS": 600.0, "Zstd": 50.0}
    )


def test_ingestion_is_drawn_from_the_points_of_figure_6_2(tmp_path: Path) -> None:
    rows = gpu_codecs_rows({**POINTS, (ANS, "manager"): (1.4, 12345.6)})
    output = make_figure(ingestion_input(rows), tmp_path)
    measured = [line for line in csv_rows(tmp_path / "gsst_fig_6_3.csv") if line["kind"] == "measured"]
    assert {line["codec"]: line["decompression_gb_per_s"] for line in measured} == {
        "GSST": "400.0",
        "ANS": "12345.6",
        "Zstd": "50.0",
    }
    assert [axes.get_title(loc="left") for axes in output.figure.axes] == [
        *("the thesis's points (A100); * derived", "", "measured (Made-up GPU)", ""),
    ]
    relative = {line.get_color(): line.get_ydata() for line in output.figure.axes[3].lines}
    assert set(relative[style.OURS]) == {1.0}
    assert relative[gsst_fig_6_3.LOOKS["ANS"][0]][-1] > 1
    names = {text.get_text() for text in output.figure.axes[0].texts}
    assert names >= {"GSST", "ANS *", "Zstd *"}
    caption = (tmp_path / "gsst_fig_6_3.txt").read_text(encoding="utf-8")
    assert "recorded on big_gpu" in caption
    assert "nothing is measured" not in caption


def test_measured_ingestion_stands_beside_the_model() -> None:
    points = {**POINTS, ("nvcomp/Snappy", "batched"): (1.4, 100.0)}
    table = comparison_table(ingestion_input(gpu_codecs_rows(points))).set_index("quantity")
    ours, model = table["recorded on big_gpu"], table["ours (model)"]
    # 1 / (1 / (2.8 * 22) + 1 / 400)
    assert ours["GSST ingestion throughput at the largest lead"] == pytest.approx(53.38, abs=0.01)
    assert model["GSST ingestion throughput at the largest lead"] == pytest.approx(45.76, abs=0.01)
    # (1 / 1.4 - 1 / 2.8) / (1 / 400 - 1 / 600)
    assert ours["interconnect where ANS overtakes GSST"] == pytest.approx(428.57, abs=0.01)
    assert ours["largest gain of GSST ingestion throughput over Snappy"] > 100


def test_a_name_says_that_its_line_is_dashed() -> None:
    points = {**POINTS, ("nvcomp/Cascaded", "batched"): (1.4, 100.0)}
    axes = gsst_fig_6_3.draw(ingestion_input(gpu_codecs_rows(points))).figure.axes[2]
    assert {"GSST", "Cascaded - -"} <= {text.get_text() for text in axes.texts}


def test_where_nothing_overtakes_there_is_no_crossover() -> None:
    rows = gpu_codecs_rows({(GSST, ""): (2.8, 400.0), (ANS, "manager"): (1.4, 300.0)})
    table = comparison_table(ingestion_input(rows)).set_index("quantity")
    assert pd.isna(table["recorded on big_gpu"]["interconnect where ANS overtakes GSST"])
    notes = gsst_fig_6_3.draw(ingestion_input(rows)).notes
    assert any("GSST leads always" in note for note in notes), notes


def test_memory_is_compared_by_the_managers_and_the_tuned_stage() -> None:
    rows = memory_rows(
        {(GSST, ""): 2000, (ZSTD, "manager"): 16_000_000, (ZSTD, "batched"): 99, (ANS, "manager"): 5}
    )
    ours = compared("gsst_fig_6_4", rows)
    assert ours["GSST memory"] == pytest.approx(2000)
    assert ours["Zstd memory relative to GSST"] == pytest.approx(8000)
    assert ours["memory of a manager"] == pytest.approx(0.016)
    assert ours["memory of a manager relative to the decompressed text"] == pytest.approx(2)
    assert pd.isna(ours["Bitcomp memory relative to GSST"])


def test_memory_that_was_not_counted_is_said() -> None:
    notes = gsst_fig_6_4.draw(figure_input("gsst_fig_6_4", memory_rows({(GSST, ""): 2000}))).notes
    assert any("free memory fell by at most 2.1 MB more than was counted" in note for note in notes), notes


def test_the_symbol_tables_in_local_memory_are_said() -> None:
    rows = memory_rows({("gsst/01_blocks", ""): 400, ("gsst/02_splits", ""): 100, (GSST, ""): 100})
    rows[0]["gpu_memory"]["free_memory_drop_bytes"] = 350_000_400
    notes = " ".join(gsst_fig_6_4.draw(figure_input("gsst_fig_6_4", rows)).notes)
    assert "fell by at most 350 MB more than was counted (01_blocks)" in notes
    assert "Launching 01_blocks took 350 MB that no call allocated" in notes
    assert "The later stages took 2.1 MB at most: 02_splits" in notes


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0 B"), (999, "999 B"), (2112, "2.11 KB"), (5e6, "5 MB"), (20e9, "20 GB")]
)
def test_bytes_have_three_digits_and_a_unit(value: float, text: str) -> None:
    assert gsst_fig_6_4.bytes_text(value) == text
