import sys
from dataclasses import replace
from pathlib import Path

import pytest

from experiments import join_results as module
from experiments.join_results import JoinError, join_results
from experiments.made_up_results import made_up_result, sizes_rows
from experiments.results import Result, load_result, write_result

TARGET = "beyond_sizes"


def run_of(size: int, **environment: object) -> Result:
    rows = sizes_rows({("07_tuned", 4, size): 100.0, ("07_tuned", 8, size): 90.0})
    return made_up_result(TARGET, rows, command=f"measure {size}", **environment)


def test_the_rows_of_all_runs_are_joined() -> None:
    first = run_of(1_000_000, date="2026-01-02T03:04:05Z", clocks="SM 1980 MHz")
    second = run_of(3_000_000, date="2026-01-02T03:05:06Z", clocks="SM 1980 MHz")
    joined = join_results([second, first], ["second", "first"])
    assert joined.rows == (*second.rows, *first.rows)
    assert joined.environment["date"] == "2026-01-02T03:05:06Z"
    assert joined.environment["clocks"] == "SM 1980 MHz"
    assert joined.environment["command"] == "measure 3000000; measure 1000000"
    assert joined.environment["gpu"] == first.environment["gpu"]


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (replace(run_of(3), target="gsst_fig_5_5"), "holds gsst_fig_5_5, a holds beyond_sizes"),
        (replace(run_of(3), sources_digest="0" * 64), "measured with other sources than a"),
        (run_of(1), "tpch/l_comment_sf60_first_1_bytes is in a too"),
        (run_of(3, gpu="Other GPU"), "gpu is Other GPU, in a it is None"),
        (run_of(3, commit="1" * 40), "commit is 1111"),
        (run_of(3, dirty=True), "dirty is True, in a it is False"),
    ],
)
def test_what_does_not_belong_together_is_refused(other: Result, reason: str) -> None:
    with pytest.raises(JoinError, match=f"^b: .*{reason}"):
        join_results([run_of(1), other], ["a", "b"])


def run_main(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["join_results", *arguments])
    return module.main()


def test_the_joined_result_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / f"{size}.json" for size in (1, 3)]
    for size, path in zip((1, 3), paths, strict=True):
        write_result(run_of(size), path)
    output = tmp_path / f"{TARGET}.json"
    assert run_main(monkeypatch, *map(str, paths), "--output", str(output)) == 0
    assert load_result(output).rows == (*run_of(1).rows, *run_of(3).rows)


def test_nothing_is_written_where_results_do_not_belong_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, output = tmp_path / "one.json", tmp_path / f"{TARGET}.json"
    write_result(run_of(1), path)
    assert run_main(monkeypatch, str(path), str(path), "--output", str(output)) == 1
    assert "one.json: tpch/l_comment_sf60_first_1_bytes is in" in capsys.readouterr().err
    assert not output.exists()
