import itertools
import json
import shlex
import sys
from pathlib import Path

import pytest

from experiments import ncu as module
from experiments.made_up_results import figure_input, made_up_result, row
from experiments.ncu import SCRIPT, ncu_command, parse_folder, write_plan
from experiments.ncu_metrics import METRICS, NcuError, parse_counters
from experiments.plots import gsst_table_6_1
from experiments.published import load_published
from experiments.results import Result, load_result, write_result

TARGET = "gsst_table_6_1"
POINTS = [
    {"stage": f"gsst/{stage}", "parameters": {}, "blocks": 64, "splits": 32, "row": {"policy": "common"}}
    for stage in ("01_blocks", "02_splits")
]


def csv_text(values: dict[str, str] | None = None, launches: int = 1, unit: str = "") -> str:
    """What ncu writes for its raw page; every metric is 2 unless `values` has another."""
    header = ["ID", "Kernel Name", *(metric.name for metric in METRICS)]
    numbers = [(values or {}).get(metric.key, "2") for metric in METRICS]
    rows = [header, ["", "", *(unit for _ in METRICS)]]
    rows += [[str(index), "decode_splits", *numbers] for index in range(launches)]
    lines = [",".join(f'"{cell}"' for cell in cells) for cells in rows]
    return "\n".join(["==PROF== Connected to process 7", "other output", *lines, "==PROF== Disconnected"])


def test_counters_are_read_by_key() -> None:
    counters = parse_counters(csv_text({"memory_percent": "92.05", "l2_write_sectors": "1,625,000,000"}), "x")
    assert counters["memory_percent"] == 92.05
    assert counters["l2_write_sectors"] == 1_625_000_000
    assert set(counters) == {metric.key for metric in METRICS}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "some.csv: holds no profiled kernel"),
        ("==ERROR== ERR_NVGPUCTRPERM", "holds no profiled kernel"),
        (csv_text(launches=2), "some.csv: holds 2 launches"),
        (csv_text({"memory_percent": "many"}), "gpu__compute_memory_throughput.* is 'many', not a number"),
        (csv_text(unit="Kbyte"), "is in Kbyte: run ncu with --print-units base"),
        (csv_text().replace("launch__registers_per_thread", "other"), "registers_per_thread is missing"),
    ],
)
def test_what_ncu_does_not_write_for_one_launch_is_named(text: str, message: str) -> None:
    with pytest.raises(NcuError, match=message):
        parse_counters(text, "some.csv")


def test_a_counter_that_the_gpu_has_not_is_none(tmp_path: Path) -> None:
    profiled(tmp_path, "04_alignment", csv_text({"l2_write_sectors": "n/a"}))
    (measured,) = parse_folder(TARGET, tmp_path).rows
    assert measured["counters"]["l2_write_sectors"] is None
    assert measured["l2_write_bytes_per_output_byte"] is None
    assert gsst_table_6_1.draw(figure_input(TARGET, [measured])).table["value"].notna().any()
    compared = gsst_table_6_1.compare(made_up_result(TARGET, [measured]), load_published())
    assert compared["04_alignment memory throughput"] == 2
    assert "04_alignment L2 bytes written per output byte" not in compared


def test_the_command_asks_for_every_metric_of_one_decoding_launch() -> None:
    command = ncu_command("out.csv")
    options = dict(itertools.pairwise(command))
    assert options["--metrics"].split(",") == [metric.name for metric in METRICS]
    assert options["--kernel-name"] == "regex:decode"
    assert options["--launch-count"] == "1"
    assert options["--clock-control"] == "none"
    assert options["--log-file"] == "out.csv"


def test_the_plan_runs_the_program_once_for_each_point(tmp_path: Path) -> None:
    write_plan(TARGET, POINTS, tmp_path, ["../measure", "--input", "a text"])
    commands = [
        shlex.split(line)
        for line in (tmp_path / SCRIPT).read_text(encoding="utf-8").splitlines()
        if line.startswith("ncu ")
    ]
    program = ["../measure", "--input", "a text", "--points"]
    for name, point, command in zip(
        ("gsst_01_blocks_common", "gsst_02_splits_common"), POINTS, commands, strict=True
    ):
        assert command[-7:] == [*program, f"{name}.points.json", "--output", f"{name}.json"]
        written = json.loads((tmp_path / f"{name}.points.json").read_text(encoding="utf-8"))
        assert written == {"target": TARGET, "points": [point]}


def profiled(folder: Path, stage: str, text: str) -> Result:
    """The files that profiling one point leaves."""
    size = 1_000_000
    rows = [row(stage=f"gsst/{stage}", policy="common", uncompressed_bytes=size, copy_moved_gb_per_s=3.0)]
    result = made_up_result(TARGET, rows, gpu="Made-up GPU")
    write_result(result, folder / f"gsst_{stage}_common.json")
    (folder / f"gsst_{stage}_common.csv").write_text(text, encoding="utf-8")
    return result


def test_a_row_has_the_counters_and_no_time(tmp_path: Path) -> None:
    profiled(tmp_path, "04_alignment", csv_text({"l2_write_sectors": "62500"}))
    (measured,) = parse_folder(TARGET, tmp_path).rows
    assert measured["counters"]["memory_percent"] == 2
    assert measured["l2_write_bytes_per_output_byte"] == 2.0
    assert measured["policy"] == "common"
    assert measured["seconds"] is None
    assert measured["throughput_gb_per_s"] is None
    assert measured["streaming_limit_gb_per_s"] is None
    assert "copy_moved_gb_per_s" not in measured


def test_every_point_is_a_row_of_one_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for stage in ("01_blocks", "01_blocks_copy"):
        result = profiled(tmp_path, stage, csv_text())
        # All points are measured by one program, so with one digest.
        write_result(
            Result(TARGET, result.environment, "0" * 64, result.rows), tmp_path / f"gsst_{stage}_common.json"
        )
    output = tmp_path / "out" / f"{TARGET}.json"
    monkeypatch.setattr(
        sys, "argv", ["ncu", "parse", TARGET, "--folder", str(tmp_path), "--output", str(output)]
    )
    assert module.main() == 0
    result = load_result(output)
    assert [row["stage"] for row in result.rows] == ["gsst/01_blocks", "gsst/01_blocks_copy"]
    assert result.environment["gpu"] == "Made-up GPU"


def test_files_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NcuError, match="no CSV"):
        parse_folder(TARGET, tmp_path)
    profiled(tmp_path, "01_blocks", csv_text())
    profiled(tmp_path, "02_splits", csv_text())
    with pytest.raises(NcuError, match=r"gsst_02_splits_common\.json: measured other sources"):
        parse_folder(TARGET, tmp_path)
    (tmp_path / "gsst_01_blocks_common.json").unlink()
    with pytest.raises(NcuError, match=r"gsst_01_blocks_common\.json is missing"):
        parse_folder(TARGET, tmp_path)


def test_plan_takes_the_program_after_two_dashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = tmp_path / "points.json"
    points.write_text(json.dumps({"points": POINTS}), encoding="utf-8")
    options = [
        "--points",
        str(points),
        "--folder",
        str(tmp_path / "plan"),
        "--",
        "./measure",
        "--input",
        "text",
    ]
    monkeypatch.setattr(sys, "argv", ["ncu", "plan", TARGET, *options])
    assert module.main() == 0
    assert "./measure --input text --points" in (tmp_path / "plan" / SCRIPT).read_text(encoding="utf-8")
