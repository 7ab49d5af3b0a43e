import csv
import json
from pathlib import Path

import pytest

from experiments.definition import load_experiment
from experiments.made_up_results import made_up_result, ranges_rows
from experiments.ncu_metrics import Launch, NcuError
from experiments.range_traffic import READ, traffic_of_rows, with_traffic, write_plan
from experiments.results import write_result

TARGET = "beyond_random_access"
ROWS = ranges_rows(
    {("tiles of 8 bits", "scattered", 32, 0.001): 1.0, ("splits", "scattered", 32, 0.001): 1.0}
)
_RANGES = ("count_items_of_groups", "add_up_groups", "void decode_items<Strips>")
# Each row runs the ranges twice and the whole frame once.
KERNELS = (*_RANGES, "decode_strips", *_RANGES)


def _launches(factor: float) -> list[Launch]:
    values = (10, 1, 100, 5000, 20, 3, 300)
    return [Launch(name, {READ.key: factor * value}) for name, value in zip(KERNELS, values, strict=True)]


def _put_profile(folder: Path, rows: list[dict]) -> None:
    folder.mkdir()
    write_result(made_up_result(TARGET, rows), folder / "traffic.json")
    with (folder / "traffic.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerows([["ID", "Kernel Name", READ.name], ["", "", "byte"]])
        for factor in range(1, 1 + len(rows)):
            for launch in _launches(factor):
                writer.writerow(["0", launch.kernel, launch.counters[READ.key]])


def test_a_row_has_what_one_run_of_its_kernels_reads() -> None:
    counts = traffic_of_rows([*_launches(1), *_launches(2)], 2, "here")
    assert counts == [{"ranges": 15 + 2 + 200, "whole_frame": 5000}, {"ranges": 434, "whole_frame": 10000}]


def test_launches_that_are_not_of_the_rows_are_refused() -> None:
    with pytest.raises(NcuError, match="here: 7 launches are not of 2 rows"):
        traffic_of_rows(_launches(1), 2, "here")
    with pytest.raises(NcuError, match="lacks launches"):
        traffic_of_rows(_launches(1)[:3], 1, "here")
    with pytest.raises(NcuError, match="this GPU has no"):
        traffic_of_rows([Launch(name, {READ.key: None}) for name in KERNELS], 1, "here")


def test_the_counts_stand_in_the_rows_that_they_are_of(tmp_path: Path) -> None:
    others = ranges_rows({("splits", "clustered", 32, 0.001): 1.0})
    _put_profile(tmp_path / "ncu", ROWS)
    joined = with_traffic(made_up_result(TARGET, [*others, *reversed(ROWS)]), tmp_path / "ncu")
    assert [row.get(READ.key, {}).get("whole_frame") for row in joined.rows] == [None, 10000, 5000]


def test_a_profile_of_another_text_is_refused(tmp_path: Path) -> None:
    _put_profile(tmp_path / "ncu", [{**row, "dataset_sha256": "cd" * 32} for row in ROWS])
    with pytest.raises(NcuError, match="another text"):
        with_traffic(made_up_result(TARGET, ROWS), tmp_path / "ncu")


def test_the_plan_counts_at_the_point_that_the_experiment_names(tmp_path: Path) -> None:
    write_plan(load_experiment(TARGET), tmp_path, ["./gsst_measure", "ranges"])
    document = json.loads((tmp_path / "traffic.points.json").read_text(encoding="utf-8"))
    lists = {(point["ranges"]["pattern"], point["ranges"]["selectivity"]) for point in document["points"]}
    assert lists == {("scattered", 0.001)}
    assert not any(point["on_cpu"] for point in document["points"])
    assert READ.name in (tmp_path / "run_ncu.sh").read_text(encoding="utf-8")
