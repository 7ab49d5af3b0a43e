from pathlib import Path

import pytest

from experiments import check_records as module
from experiments.check_records import check_records
from experiments.made_up_results import made_up_result, threads_rows
from experiments.results import RECORDED_DIR, Result, write_result

TARGET = "gsst_fig_b_1"
FRESH = made_up_result(TARGET, threads_rows({1: 2.0}))
STALE = Result(TARGET, FRESH.environment, "0" * 64, FRESH.rows)


def test_a_fresh_record_gives_no_message(tmp_path: Path) -> None:
    write_result(FRESH, tmp_path / "one" / f"{TARGET}.json")
    assert check_records(tmp_path) == ([], [])


def test_a_stale_record_is_listed_but_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_result(STALE, tmp_path / "one" / f"{TARGET}.json")
    stale, broken = check_records(tmp_path)
    assert broken == []
    assert [message.partition(" ")[0] for message in stale] == ["stale:"]
    assert f"one/{TARGET}.json" in stale[0]
    monkeypatch.setattr(module, "check_records", lambda: (stale, broken))
    assert module.main() == 0
    assert "stale" in capsys.readouterr().out


def test_a_record_from_a_dirty_tree_or_with_a_wrong_row_is_a_failure(tmp_path: Path) -> None:
    dirty = made_up_result(TARGET, threads_rows({1: 2.0}), dirty=True)
    write_result(dirty, tmp_path / "one" / f"{TARGET}.json")
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / f"{TARGET}.json").write_text("{}", encoding="utf-8")
    stale, broken = check_records(tmp_path)
    assert stale == []
    assert len(broken) == 2
    assert "uncommitted changes" in broken[0]


def test_the_committed_records_are_whole() -> None:
    assert check_records(RECORDED_DIR)[1] == []
