import json
from pathlib import Path

import pytest

from experiments.made_up_results import environment, made_up_result, row, threads_rows
from experiments.results import Result, ResultError, load_result, recorded_paths, write_result

TARGET = "gsst_fig_b_1"


def test_a_result_comes_back_as_it_was_written(tmp_path: Path) -> None:
    result = made_up_result(TARGET, threads_rows({1: 2.0}))
    write_result(result, tmp_path / f"{TARGET}.json")
    assert load_result(tmp_path / f"{TARGET}.json") == result


@pytest.mark.parametrize("key", sorted(row()))
def test_a_row_without_a_key_is_refused(key: str, tmp_path: Path) -> None:
    broken = row()
    del broken[key]
    with pytest.raises(ResultError, match=r"\$\.rows\[0\]"):
        write_result(made_up_result(TARGET, [broken]), tmp_path / f"{TARGET}.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("key", sorted(environment()))
def test_an_environment_without_a_key_is_refused(key: str, tmp_path: Path) -> None:
    fields = environment()
    del fields[key]
    with pytest.raises(ResultError, match=r"\$\.environment"):
        write_result(Result(TARGET, fields, "0" * 64, ()), tmp_path / f"{TARGET}.json")


@pytest.mark.parametrize(
    "changes",
    [
        {"verified": False},
        {"seconds": None},
        {"throughput_gb_per_s": None},
        {"dataset_sha256": "ab"},
        {"uncompressed_bytes": -1},
        {"operation": "guess"},
    ],
)
def test_a_row_with_a_wrong_value_is_refused(changes: dict, tmp_path: Path) -> None:
    with pytest.raises(ResultError):
        write_result(made_up_result(TARGET, [row(**changes)]), tmp_path / f"{TARGET}.json")


def test_a_row_may_have_further_keys_and_may_only_count_bytes(tmp_path: Path) -> None:
    rows = [row(None, end_to_end=True)]
    write_result(made_up_result(TARGET, rows), tmp_path / f"{TARGET}.json")
    assert load_result(tmp_path / f"{TARGET}.json").rows[0]["end_to_end"] is True


def test_a_file_under_the_name_of_another_target_is_refused(tmp_path: Path) -> None:
    write_result(made_up_result(TARGET, []), tmp_path / "gsst_fig_5_4.json")
    with pytest.raises(ResultError, match=f"holds the target {TARGET}"):
        load_result(tmp_path / "gsst_fig_5_4.json")


def test_what_is_not_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / f"{TARGET}.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(ResultError, match="not JSON"):
        load_result(path)


def test_a_recorded_result_has_the_name_of_its_machine(tmp_path: Path) -> None:
    folder = tmp_path / "recorded"
    for machine in ("second", "first"):
        write_result(made_up_result(TARGET, threads_rows({1: 2.0})), folder / machine / f"{TARGET}.json")
    assert [load_result(path).machine for path in recorded_paths(TARGET, folder)] == ["first", "second"]
    assert recorded_paths("gsst_fig_5_4", folder) == []


def test_a_result_of_other_sources_is_stale() -> None:
    fresh = made_up_result(TARGET, [])
    assert not fresh.stale
    assert Result(TARGET, fresh.environment, "0" * 64, ()).stale
    assert json.dumps(fresh.document())
