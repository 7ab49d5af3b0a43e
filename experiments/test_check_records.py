import json
from pathlib import Path

import pytest

from experiments import check_records as module
from experiments.check_records import check_records
from experiments.command_times import PLACE
from experiments.made_up_results import made_up_command_times, made_up_result, threads_rows
from experiments.record_checksums import add_checksum
from experiments.results import RECORDED_DIR, Result, write_result

TARGET = "gsst_fig_b_1"
FRESH = made_up_result(TARGET, threads_rows({1: 2.0}))
STALE = Result(TARGET, FRESH.environment, "0" * 64, FRESH.rows)


def put_record(result: Result, folder: Path) -> None:
    """Records a result for the machine that `folder` is named after, whatever is wrong with it."""
    path = folder / f"{TARGET}.json"
    write_result(result, path)
    add_checksum(path, folder.parent)


def test_a_fresh_record_gives_no_message(tmp_path: Path) -> None:
    put_record(FRESH, tmp_path / "one")
    assert check_records(tmp_path) == ([], [])


def test_a_stale_record_is_listed_but_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put_record(STALE, tmp_path / "one")
    stale, broken = check_records(tmp_path)
    assert broken == []
    assert [message.partition(" ")[0] for message in stale] == ["stale:"]
    assert f"one/{TARGET}.json" in stale[0]
    monkeypatch.setattr(module, "check_records", lambda: (stale, broken))
    assert module.main() == 0
    assert "stale" in capsys.readouterr().out


def test_a_record_from_a_dirty_tree_or_with_a_wrong_row_is_a_failure(tmp_path: Path) -> None:
    dirty = made_up_result(TARGET, threads_rows({1: 2.0}), dirty=True)
    put_record(dirty, tmp_path / "one")
    malformed = tmp_path / "two" / f"{TARGET}.json"
    malformed.parent.mkdir()
    malformed.write_text("{}", encoding="utf-8")
    add_checksum(malformed, tmp_path)
    stale, broken = check_records(tmp_path)
    assert stale == []
    assert len(broken) == 2
    assert "uncommitted changes" in broken[0]


def test_times_of_commands_that_are_edited_or_malformed_are_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "one" / PLACE
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(made_up_command_times()), encoding="utf-8")
    assert "not in checksums.txt" in check_records(tmp_path)[1][0]
    add_checksum(path, tmp_path)
    assert check_records(tmp_path) == ([], [])
    path.write_text(path.read_text(encoding="utf-8").replace("5400.0", "54.0"), encoding="utf-8")
    assert "no number is edited by hand" in check_records(tmp_path)[1][0]
    path.write_text("{}", encoding="utf-8")
    add_checksum(path, tmp_path)
    _, (message,) = check_records(tmp_path)
    assert "'schema' is a required property" in message


def test_the_committed_records_are_whole() -> None:
    assert check_records(RECORDED_DIR)[1] == []
