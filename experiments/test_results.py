import json
from dataclasses import replace
from pathlib import Path

import pytest

from experiments.made_up_results import environment, made_up_result, row, threads_rows
from experiments.measuring_programs import programs
from experiments.results import (
    Carry,
    Result,
    ResultError,
    carry_over,
    check_one_timing,
    load_result,
    parse_result,
    recorded_paths,
    write_result,
)
from experiments.timing import RAISED

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


@pytest.mark.parametrize(
    "changes",
    [
        {"graph_seconds": None},
        {"graph_seconds": {"median": 0.5}},
        {"graph_seconds": row()["seconds"], "operation": "encode"},
        {"graph_seconds": row()["seconds"], "seconds": None, "throughput_gb_per_s": None},
    ],
)
def test_times_of_a_graph_are_whole_and_beside_those_of_a_decoding_launch(
    changes: dict, tmp_path: Path
) -> None:
    path = tmp_path / f"{TARGET}.json"
    whole = row(graph_seconds=row()["seconds"])
    write_result(made_up_result(TARGET, [whole]), path)
    assert load_result(path).rows == (whole,)
    with pytest.raises(ResultError, match=r"\$\.rows\[0\]"):
        write_result(made_up_result(TARGET, [row(**changes)]), path)


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


def test_every_row_has_its_own_line(tmp_path: Path) -> None:
    rows = threads_rows({1: 2.0, 2: 3.5})
    carry = Carry("a" * 40, "b" * 40, "S", "2026-01-03T03:04:05Z")
    write_result(carry_over(made_up_result(TARGET, rows), carry, "0" * 64), tmp_path / f"{TARGET}.json")
    lines = (tmp_path / f"{TARGET}.json").read_text(encoding="utf-8").splitlines()
    first = lines.index(' "rows": [') + 1
    assert [json.loads(line.rstrip(",")) for line in lines[first : first + 2]] == rows
    assert lines[first + 2 :] == [" ]", "}"]
    assert json.loads(lines[lines.index(' "carried": [') + 1]) == carry.document()


def test_a_carried_result_is_of_the_new_sources(tmp_path: Path) -> None:
    measured = made_up_result(TARGET, threads_rows({1: 2.0}))
    first = Carry("a" * 40, "b" * 40, "K and L", "2026-01-03T03:04:05Z")
    second = Carry("b" * 40, "c" * 40, "S", "2026-01-04T03:04:05Z")
    carried = carry_over(carry_over(measured, first, "1" * 64), second, "2" * 64)
    write_result(carried, tmp_path / f"{TARGET}.json")
    assert load_result(tmp_path / f"{TARGET}.json") == carried
    assert (carried.sources_digest, carried.carried) == ("2" * 64, (first, second))
    assert carried.rows == measured.rows
    assert measured.sources_commit == measured.environment["commit"]
    assert carried.sources_commit == "c" * 40
    assert carried.origin_text.endswith(
        "commit 012345678901, carried over to bbbbbbbbbbbb by K and L, carried over to cccccccccccc by S"
    )


@pytest.mark.parametrize(
    "carry",
    [
        Carry("a" * 40, "b" * 40, "K", "2026-01-03T03:04:05Z"),
        Carry("a" * 40, "b" * 12, "S", "2026-01-03T03:04:05Z"),
        Carry("a" * 40, "b" * 40, "S", "yesterday"),
    ],
    ids=["half a rule", "short commit", "no date"],
)
def test_a_carry_with_a_wrong_field_is_refused(carry: Carry, tmp_path: Path) -> None:
    with pytest.raises(ResultError, match=r"\$\.carried\[0\]"):
        write_result(carry_over(made_up_result(TARGET, []), carry, "0" * 64), tmp_path / f"{TARGET}.json")


def test_only_programs_that_measure_have_a_raised_number() -> None:
    assert set(RAISED) <= programs()


def test_a_result_whose_times_mean_something_else_now_is_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    result = made_up_result(TARGET, [])
    monkeypatch.setitem(RAISED, "cpu", 2)
    assert result.stale
    assert not made_up_result(TARGET, []).stale


def test_what_a_program_wrote_gets_the_present_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = {**made_up_result(TARGET, []).document(), "target": TARGET}
    del written["timing"]
    path = tmp_path / f"{TARGET}.json"
    path.write_text(json.dumps(written), encoding="utf-8")
    monkeypatch.setitem(RAISED, "cpu", 2)
    assert parse_result(path).timing == 2
    # A finished file without a number is from before there was one; a record has one.
    assert load_result(path).timing == 1
    recorded = tmp_path / "recorded" / "machine" / path.name
    recorded.parent.mkdir(parents=True)
    path.rename(recorded)
    with pytest.raises(ResultError, match="'timing' is a required property"):
        load_result(recorded)


def test_results_of_two_meanings_of_time_are_not_drawn_together() -> None:
    here, recorded = made_up_result(TARGET, []), made_up_result(TARGET, [], machine="one")
    check_one_timing([here, recorded])
    check_one_timing([])
    names = f"experiments/recorded/one/{TARGET}.json.*results/measured/{TARGET}.json"
    with pytest.raises(ResultError, match=names):
        check_one_timing([here, replace(recorded, timing=2)])
