from dataclasses import replace
from pathlib import Path

import pytest

from experiments.made_up_results import made_up_result, threads_rows
from experiments.record import RecordError, record
from experiments.record_checksums import changed_records
from experiments.results import Result, load_result, write_result

TARGET = "gsst_fig_b_1"
ROWS = threads_rows({1: 2.0, 2: 3.5})


def written(result: Result, folder: Path) -> Path:
    path = folder / "measured" / f"{TARGET}.json"
    write_result(result, path)
    return path


def test_a_clean_measurement_is_recorded(tmp_path: Path) -> None:
    measured = written(made_up_result(TARGET, ROWS), tmp_path)
    path = record(measured, "some_machine", tmp_path / "recorded")
    assert path == tmp_path / "recorded" / "some_machine" / f"{TARGET}.json"
    assert load_result(path).machine == "some_machine"
    assert load_result(path).rows == tuple(ROWS)
    assert changed_records(tmp_path / "recorded") == []


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (made_up_result(TARGET, ROWS, dirty=True), "uncommitted changes"),
        (made_up_result(TARGET, []), "holds no measurement"),
        (replace(made_up_result(TARGET, ROWS), sources_digest="0" * 64), "have changed"),
        (replace(made_up_result(TARGET, ROWS), timing=99), "have changed"),
    ],
    ids=["dirty", "empty", "stale", "other timing"],
)
def test_what_must_not_be_recorded(result: Result, reason: str, tmp_path: Path) -> None:
    measured = written(result, tmp_path)
    with pytest.raises(RecordError, match=reason):
        record(measured, "some_machine", tmp_path / "recorded")
    assert not (tmp_path / "recorded").exists()


def test_without_a_measurement_it_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="make figures"):
        record(tmp_path / "measured" / f"{TARGET}.json", "some_machine", tmp_path / "recorded")


@pytest.mark.parametrize("machine", ["", "../up", "Big", "a b"])
def test_a_machine_that_is_no_folder_name_is_refused(machine: str, tmp_path: Path) -> None:
    measured = written(made_up_result(TARGET, ROWS), tmp_path)
    with pytest.raises(RecordError, match="lower-case"):
        record(measured, machine, tmp_path / "recorded")
