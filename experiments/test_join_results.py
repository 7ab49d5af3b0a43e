import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from experiments import join_results as module
from experiments.join_results import JoinError, join_results
from experiments.made_up_results import codecs_rows, made_up_result, memory_rows, sizes_rows
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
        (replace(run_of(3), sources_digest="0" * 64), "its sources have changed since it was measured"),
        (replace(run_of(3), timing=2), "its times are of number 2, those of a of 1"),
        (run_of(1), "gsst/07_tuned .* on tpch/l_comment_sf60_first_1_bytes is in a too"),
        (run_of(3, gpu="Other GPU"), "gpu is Other GPU, in a it is None"),
        (run_of(3, commit="1" * 40), "commit is 1111"),
        (run_of(3, dirty=True), "dirty is True, in a it is False"),
    ],
)
def test_what_does_not_belong_together_is_refused(other: Result, reason: str) -> None:
    with pytest.raises(JoinError, match=f"^b: .*{reason}"):
        join_results([run_of(1), other], ["a", "b"])


def test_runs_on_one_text_are_joined_for_another_target() -> None:
    stages = made_up_result("gsst_fig_6_4", memory_rows({("gsst/07_tuned", ""): 2112}))
    peers = made_up_result("gsst_fig_6_2", memory_rows({("nvcomp/ANS", "manager"): 10**9}))
    joined = join_results([stages, peers], ["stages", "peers"], "gsst_fig_6_4")
    assert joined.target == "gsst_fig_6_4"
    assert joined.rows == (*stages.rows, *peers.rows)
    assert not joined.stale
    with pytest.raises(JoinError, match=r"^peers: holds gsst_fig_6_2, stages holds gsst_fig_6_4"):
        join_results([stages, peers], ["stages", "peers"])


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
    assert "tpch/l_comment_sf60_first_1_bytes is in" in capsys.readouterr().err
    assert not output.exists()


def test_rows_of_the_cpu_program_are_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu, rows, output = tmp_path / "gpu.json", tmp_path / "rows.json", tmp_path / "gsst_fig_6_2.json"
    write_result(made_up_result("gsst_fig_6_2", [{**sizes_rows({("07_tuned", 4, 8): 1.0})[0]}]), gpu)
    cpu_rows = codecs_rows({("reference_cpu/fast", "blocks"): 2.0})
    rows.write_text(json.dumps(cpu_rows), encoding="utf-8")
    assert run_main(monkeypatch, str(gpu), "--cpu-rows", str(rows), "--output", str(output)) == 0
    joined = load_result(output)
    assert joined.rows[1:] == tuple(cpu_rows)
    assert not joined.stale
