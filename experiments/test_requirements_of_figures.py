from pathlib import Path

import pytest

from data.catalogue import Instance, load_catalogue
from experiments.definition import load_experiment
from experiments.made_up_results import made_up_result, threads_rows, workers_rows
from experiments.requirements_of_figures import (
    HEADER,
    disk_bytes,
    points_text,
    requirements_table,
    text_bytes,
    whole_bytes,
)
from experiments.results import write_result

TEXT_60 = 9_900_207_718


def test_text_that_is_not_known_has_its_share_of_the_largest_known_one() -> None:
    dataset = load_catalogue()["tpch/l_comment"]
    assert whole_bytes(Instance(dataset, 60)) == TEXT_60
    assert whole_bytes(Instance(dataset, 30)) == TEXT_60 // 2


def test_a_file_that_several_texts_are_cut_from_counts_once() -> None:
    cut = [10**6, 3 * 10**6, 10**7, 3 * 10**7, 2**26, 10**8, 2**28, 3 * 10**8, 10**9, 3 * 10**9]
    assert disk_bytes(load_experiment("beyond_sizes")) == TEXT_60 + sum(cut)


def test_the_parts_that_a_sweep_is_chosen_and_reported_on_are_files_too() -> None:
    whole = whole_bytes(Instance(load_catalogue()["tpch/l_comment"], 80))
    assert disk_bytes(load_experiment("gsst_tuning")) == whole
    assert disk_bytes(load_experiment("gsst_fig_6_1")) == 2 * whole


def test_an_orc_file_counts_as_its_column() -> None:
    catalogue = load_catalogue()
    column = Instance(catalogue["lineitem/orderkey"], 3)
    file = Instance(catalogue["orc/orderkey_v2_zlib"], 3)
    assert whole_bytes(file) == whole_bytes(column)
    tiled = Instance(catalogue["orc/returnflag"], 3, tiled_to_bytes=10**8)
    assert text_bytes(tiled) == whole_bytes(tiled) == 10**8


@pytest.mark.parametrize(
    ("target", "points"),
    [
        ("gsst_fig_5_5", "49"),
        ("gsst_tuning", "721"),
        ("gsst_table_6_1", "10"),
        ("beyond_columns", "200"),
        ("beyond_overlap", "64"),
        ("beyond_random_access", "96"),
        ("codag_beyond_files", "58"),
        ("engine_files", "12"),
        ("gsst_fig_5_4", "-"),
        ("search_columns", "60"),
        ("search_counters", "18"),
        ("search_ladder", "216"),
        ("tile_beyond_instructions", "13"),
        ("tile_beyond_instructions_limit", "7"),
        ("tile_beyond_instructions_queries", "12"),
        ("tile_beyond_instructions_sums", "10"),
        ("tile_beyond_parquet", "35"),
        ("tile_beyond_queries", "117"),
        ("tile_random_access", "60"),
        ("warp_tiles_counters", "15"),
        ("warp_tiles_widths", "24"),
        ("wide_encoder_counters", "9"),
        ("zle_beyond_line_rate_gpu", "15"),
        ("zle_beyond_pipeline", "43"),
    ],
)
def test_every_point_on_every_text_counts(target: str, points: str) -> None:
    assert points_text(load_experiment(target)) == points


def test_time_is_that_of_the_records(tmp_path: Path) -> None:
    rows = workers_rows({(8, 192): 4.0, (8, 256): 8.0})
    folder = tmp_path / "recorded"
    write_result(made_up_result("gsst_fig_5_5", rows), folder / "some_gpu" / "gsst_fig_5_5.json")
    write_result(made_up_result("gsst_fig_b_1", threads_rows({1: 2.0})), folder / "one" / "gsst_fig_b_1.json")
    lines = requirements_table(
        ["gsst_fig_5_5", "gsst_fig_b_1", "gsst_fig_6_3", "gsst_ingestion_model", "gsst_table_5_4"], folder
    ).lines
    assert dict(zip(HEADER, lines[0], strict=True)) == {
        "figure": "gsst_fig_5_5",
        "measured with": "GPU",
        "texts (GB)": "9.9",
        "disk (GB)": "9.9",
        "memory (GB)": "29.7",
        "points": "49",
        "timed calls (s)": "0.03 (SOME GPU)",
    }
    assert [line[1] for line in lines[:2]] == ["GPU", "CPU"]
    assert [line[1] for line in lines[2:]] == ["the results of gsst_fig_6_2", "nothing: a model", "nvcc"]
    assert [line[-1] for line in lines[1:]] == ["0.04 (ONE)", "-", "-", "-"]
