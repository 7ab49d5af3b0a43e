import itertools
import json
import shlex
import sys
from pathlib import Path

import pytest

from experiments import ncu as module
from experiments.kernel_metrics import KERNEL_METRICS
from experiments.made_up_results import figure_input, made_up_result, row
from experiments.ncu import DECODING, SCRIPT, ProfiledPoint, metrics_of, ncu_command, parse_folder, write_plan
from experiments.ncu_metrics import METRICS, Metric, NcuError, parse_launches
from experiments.plots import gsst_table_6_1
from experiments.published import load_published
from experiments.results import Result, load_result, write_result

TARGET = "gsst_table_6_1"
KERNELS = {"encoding": "encode_groups", "compaction": "copy_groups"}
POINTS = [
    {"stage": f"gsst/{stage}", "parameters": {}, "blocks": 64, "splits": 32, "row": {"policy": "common"}}
    for stage in ("01_blocks", "02_splits")
]
PROFILED = [ProfiledPoint(point, DECODING) for point in POINTS]


def csv_text(
    values: dict[str, str] | None = None,
    kernels: tuple[str, ...] = ("decode_splits",),
    unit: str = "",
    metrics: tuple[Metric, ...] = METRICS,
) -> str:
    """What ncu writes for its raw page; every metric is 2 unless `values` has another."""
    header = ["ID", "Kernel Name", *(metric.name for metric in metrics)]
    numbers = [(values or {}).get(metric.key, "2") for metric in metrics]
    rows = [header, ["", "", *(unit for _ in metrics)]]
    rows += [[str(index), kernel, *numbers] for index, kernel in enumerate(kernels)]
    lines = [",".join(f'"{cell}"' for cell in cells) for cells in rows]
    return "\n".join(["==PROF== Connected to process 7", "other output", *lines, "==PROF== Disconnected"])


def test_counters_are_read_by_key() -> None:
    text = csv_text({"memory_percent": "92.05", "l2_write_sectors": "1,625,000,000"})
    (launch,) = parse_launches(text, "x", METRICS)
    assert launch.kernel == "decode_splits"
    counters = launch.counters
    assert counters["memory_percent"] == 92.05
    assert counters["l2_write_sectors"] == 1_625_000_000
    assert set(counters) == {metric.key for metric in METRICS}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "some.csv: holds no profiled kernel"),
        ("==ERROR== ERR_NVGPUCTRPERM", "holds no profiled kernel"),
        (csv_text().replace("Kernel Name", "other"), "some.csv: no column is called Kernel Name"),
        (csv_text({"memory_percent": "many"}), "gpu__compute_memory_throughput.* is 'many', not a number"),
        (csv_text(unit="Kbyte"), "is in Kbyte: run ncu with --print-units base"),
        (csv_text(metrics=()), "some.csv: holds none of the counters that were asked for"),
    ],
)
def test_what_ncu_does_not_write_is_named(text: str, message: str) -> None:
    with pytest.raises(NcuError, match=message):
        parse_launches(text, "some.csv", METRICS)


def test_a_counter_without_a_column_is_none() -> None:
    (launch,) = parse_launches(csv_text(metrics=METRICS[:1]), "x", METRICS)
    assert launch.counters == {**dict.fromkeys(metric.key for metric in METRICS), METRICS[0].key: 2}


@pytest.mark.parametrize("text", ["n/a", "(!) n/a"])
def test_a_counter_that_the_gpu_has_not_is_none(text: str, tmp_path: Path) -> None:
    profiled(tmp_path, "04_alignment", csv_text({"l2_write_sectors": text}))
    (measured,) = parse_folder(TARGET, tmp_path).rows
    assert measured["counters"]["l2_write_sectors"] is None
    assert measured["l2_write_bytes_per_output_byte"] is None
    assert gsst_table_6_1.draw(figure_input(TARGET, [measured])).table["value"].notna().any()
    compared = gsst_table_6_1.compare(made_up_result(TARGET, [measured]), load_published())
    assert compared["04_alignment memory throughput"] == 2
    assert "04_alignment L2 bytes written per output byte" not in compared


def test_the_command_asks_for_every_metric_of_one_decoding_launch() -> None:
    command = ncu_command("out.csv", PROFILED[0], METRICS)
    options = dict(itertools.pairwise(command))
    assert options["--metrics"].split(",") == [metric.name for metric in METRICS]
    assert options["--kernel-name"] == "regex:decode"
    assert options["--launch-skip"] == options["--launch-count"] == "1"
    assert options["--clock-control"] == "none"
    assert options["--log-file"] == "out.csv"


def test_the_command_asks_for_one_launch_of_each_kernel() -> None:
    profiled = ProfiledPoint(POINTS[0], KERNELS)
    options = dict(itertools.pairwise(ncu_command("out.csv", profiled, KERNEL_METRICS)))
    assert options["--kernel-name"] == "regex:encode_groups|copy_groups"
    assert options["--launch-skip"] == options["--launch-count"] == "2"


def test_the_plan_runs_the_program_once_for_each_point(tmp_path: Path) -> None:
    write_plan(TARGET, PROFILED, tmp_path, ["../measure", "--input", "a text"])
    commands = [
        shlex.split(line)
        for line in (tmp_path / SCRIPT).read_text(encoding="utf-8").splitlines()
        if line.startswith("ncu ")
    ]
    program = ["../measure", "--input", "a text", "--points"]
    for name, point, command in zip(
        ("00_gsst_01_blocks", "01_gsst_02_splits"), POINTS, commands, strict=True
    ):
        assert command[-7:] == [*program, f"{name}.points.json", "--output", f"{name}.json"]
        written = json.loads((tmp_path / f"{name}.points.json").read_text(encoding="utf-8"))
        assert written == {"target": TARGET, "kernels": DECODING, "points": [point]}


def profiled(folder: Path, stage: str, text: str) -> Result:
    """The files that profiling one point of a decoder leaves."""
    size = 1_000_000
    rows = [row(stage=f"gsst/{stage}", policy="common", uncompressed_bytes=size, copy_moved_gb_per_s=3.0)]
    result = made_up_result(TARGET, rows, gpu="Made-up GPU")
    put_profile(folder / f"gsst_{stage}", result, DECODING, text)
    return result


def put_profile(stem: Path, result: Result, kernels: dict[str, str], text: str) -> None:
    write_result(result, stem.with_suffix(".json"))
    stem.with_suffix(".points.json").write_text(json.dumps({"kernels": kernels}), encoding="utf-8")
    stem.with_suffix(".csv").write_text(text, encoding="utf-8")


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
            Result(TARGET, result.environment, "0" * 64, result.rows), tmp_path / f"gsst_{stage}.json"
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
    with pytest.raises(NcuError, match=r"gsst_02_splits\.json: measured other sources"):
        parse_folder(TARGET, tmp_path)
    (tmp_path / "gsst_01_blocks.json").unlink()
    with pytest.raises(NcuError, match=r"gsst_01_blocks\.json is missing"):
        parse_folder(TARGET, tmp_path)


ENCODER = "wide_encoder_counters"
FUNCTIONS = ("void (anonymous namespace)::encode_groups<X>(EncodeJob)", "copy_groups(EncodeJob)")


def profiled_encoder(folder: Path, functions: tuple[str, ...]) -> None:
    """The files that profiling one point of an encoder leaves: its program writes two rows."""
    rows = [
        row(stage="gsst/10_wide_encoder", operation="encode", end_to_end=end_to_end, phase_seconds={})
        for end_to_end in (False, True)
    ]
    text = csv_text(kernels=functions, metrics=KERNEL_METRICS)
    put_profile(folder / "00_gsst_10_wide_encoder", made_up_result(ENCODER, rows), KERNELS, text)


def test_every_kernel_of_an_encoder_is_a_row(tmp_path: Path) -> None:
    profiled_encoder(tmp_path, FUNCTIONS)
    rows = parse_folder(ENCODER, tmp_path).rows
    assert [(row["kernel"], row["kernel_function"]) for row in rows] == list(
        zip(KERNELS, FUNCTIONS, strict=True)
    )
    for measured in rows:
        assert measured["end_to_end"] is False
        assert "phase_seconds" not in measured
        assert set(measured["counters"]) == {metric.key for metric in KERNEL_METRICS}


@pytest.mark.parametrize(("functions", "found"), [(FUNCTIONS[:1], 0), ((*FUNCTIONS, FUNCTIONS[1]), 2)])
def test_a_kernel_that_was_not_profiled_once_is_named(
    functions: tuple[str, ...], found: int, tmp_path: Path
) -> None:
    profiled_encoder(tmp_path, functions)
    with pytest.raises(
        NcuError, match=rf"encoder\.csv: holds {found} launches of copy_groups, must hold one"
    ):
        parse_folder(ENCODER, tmp_path)


@pytest.mark.parametrize(
    ("name", "is_found"),
    [
        ("void unnamed>::stream_tiles<256, 1, 0>(const uint4 *)", True),
        ("void x::stream_tiles<(int)256, (int)1, (x::<unnamed>::Caching)0>(const uint4 *)", True),
        ("void stream_tiles<256, 1, unnamed>::Caching)0>(const uint4 *)", True),
        ("void stream_tiles<256, 1, 1>(const uint4 *)", False),
        ("void stream_tiles<256, 10, 0>(const uint4 *)", False),
        ("void stream_tiles<1256, 1, 0>(const uint4 *)", False),
        ("void stream_tiles<256, 1>(const uint4 *)", False),
    ],
)
def test_a_kernel_may_be_one_of_a_template(name: str, is_found: bool, tmp_path: Path) -> None:
    profiled_encoder(tmp_path, FUNCTIONS)
    kernels = {"limit": "stream_tiles<256, 1, 0>"}
    header, unit, *_ = csv_text(kernels=(), metrics=KERNEL_METRICS).splitlines()[2:]
    values = ",".join(f'"{value}"' for value in ("0", name.replace('"', ""), *["2"] * len(KERNEL_METRICS)))
    stem = tmp_path / "00_gsst_10_wide_encoder"
    stem.with_suffix(".points.json").write_text(json.dumps({"kernels": kernels}), encoding="utf-8")
    stem.with_suffix(".csv").write_text("\n".join([header, unit, values]), encoding="utf-8")
    if is_found:
        (measured,) = parse_folder(ENCODER, tmp_path).rows
        assert measured["kernel"] == "limit"
    else:
        with pytest.raises(NcuError, match="holds 0 launches of stream_tiles"):
            parse_folder(ENCODER, tmp_path)


def test_the_command_skips_other_variants_of_a_template() -> None:
    profiled = ProfiledPoint(POINTS[0], {"limit": "stream_tiles<256, 1, 0>"}, 13)
    options = dict(itertools.pairwise(ncu_command("out.csv", profiled, KERNEL_METRICS)))
    assert options["--kernel-name"] == "regex:stream_tiles"
    assert (options["--launch-skip"], options["--launch-count"]) == ("13", "1")


def test_table_6_1_counts_what_the_thesis_has() -> None:
    assert metrics_of(TARGET) == METRICS
    assert metrics_of("warp_tiles_counters") == metrics_of(ENCODER) == KERNEL_METRICS


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
