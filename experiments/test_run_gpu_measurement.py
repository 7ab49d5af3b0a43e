"""How the targets that need a GPU are measured, with programs that stand in for those of such a machine."""

import hashlib
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from experiments import run_gpu_measurement as module
from experiments.definition import Encoding, all_targets, load_experiment
from experiments.made_up_programs import (
    put_executable,
    put_gpu_programs,
    put_ncu,
    put_nvidia_smi,
)
from experiments.made_up_results import made_up_result, row, stages_rows
from experiments.measuring_programs import kinds, programs
from experiments.results import load_result, write_result
from experiments.sources import target_digest

TEXT = b"some text\n" * 1000
EXPERIMENTS = {target: load_experiment(target) for target in all_targets()}
STAGES = {stage for experiment in EXPERIMENTS.values() for stage in experiment.stages}


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with a GPU; its programs lie in `bin`, and every stage of a definition is registered."""
    others = (
        *(
            "allocation",
            "arithmetic",
            "command",
            "files",
            "frames",
            "gzip",
            "line_rate_gpu",
            "memory",
            "nvcomp",
        ),
        *("nvcomp_integers", "nvcomp_zlib", "overlap", "pipeline"),
        *("parquet", "query", "search", "selection", "sums"),
    )
    put_gpu_programs(tmp_path / "bin", *others)
    put_nvidia_smi(tmp_path / "bin")
    put_ncu(tmp_path / "bin")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    listing = [{"id": stage, "minimum_compute_capability": "8.0"} for stage in STAGES]
    monkeypatch.setattr(module, "registered_stages", lambda: listing)
    return tmp_path


def put_data(host: Path, *labels: str, missing: dict[str, str] | None = None) -> None:
    available = {}
    for label in labels:
        path = host / "data" / f"{label}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(TEXT)
        available[label] = str(path)
    manifest = {"available": available, "unavailable": missing or {}}
    (host / "data.json").write_text(json.dumps(manifest), encoding="utf-8")


def measure(host: Path, monkeypatch: pytest.MonkeyPatch, target: str, *options: str) -> int:
    places = ["--data", host / "data.json", "--programs", host / "bin", "--unfinished", host / "unfinished"]
    places += ["--output", host / f"{target}.json"]
    command = ["run_gpu_measurement", target, "--scale", "paper", *map(str, places), *options]
    monkeypatch.setattr(sys, "argv", command)
    return module.main()


def calls(host: Path, program: str = "gsst_measure") -> list[list[Any]]:
    """How a program was called: kind, target, number of points, options."""
    path = host / "bin" / f"{program}.calls"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# A target of each kind, its stages and its number of points.
KINDS = [
    ("beyond_checksums", "checksums", ["gsst/07_tuned", "gsst/09_warp_tiles"], 5),
    ("beyond_overlap", "overlap", ["gsst/02_splits", "gsst/07_tuned"], 2),
    ("beyond_random_access", "ranges", ["gsst/11_random_access"], 96),
    (
        *("codag_beyond_files", "files"),
        *(["codag/05_writes_deflate", "codag/08_substreams", "codag/09_copies"], 4),
    ),
    ("codag_all_thread_alu", "arithmetic", ["codag/02_warp", "codag/03_all_threads"], 12),
    ("encoder_fig_10", "encode", ["gsst/08_gpu_encoder"], 3),
    ("engine_files", "command", ["gsst/09_warp_tiles", "gsst/10_wide_encoder"], 2),
    ("engine_small_frames", "frames", ["gsst/09_warp_tiles"], 4),
    ("gsst_fig_5_3", "decode", ["gsst/07_tuned"], 8),
    (
        *("search_ladder", "search"),
        [
            *("search/01_decode_then_search", "search/02_byte_automaton_on_codes"),
            *("search/03_shift_words", "search/04_queue", "search/05_wide_codes", "search/06_hot_set"),
            *("search/07_automaton", "search/08_second_look", "search/09_rows"),
        ],
        216,
    ),
    ("tile_beyond_parquet", "parquet", ["tile_integer/12_parquet_delta"], 1),
    ("tile_fig_12", "query", ["tile_integer/09_queries"], 8),
    ("tile_random_access", "selection", ["tile_integer/09_queries"], 60),
    ("zle_beyond_line_rate_gpu", "line_rate_gpu", ["zero_length/06_pipeline"], 15),
    ("zle_beyond_pipeline", "pipeline", ["zero_length/06_pipeline"], 38),
]


@pytest.mark.parametrize(("target", "kind", "stages", "points"), KINDS)
def test_points_of_each_kind_are_measured_and_counted_on_the_terminal(
    target: str,
    kind: str,
    stages: list[str],
    points: int,
    host: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    put_data(host, "zero_length/kat7_859")
    (host / "bin" / "ncu").unlink()
    assert measure(host, monkeypatch, target) == 0
    result = load_result(host / f"{target}.json")
    assert sorted({row["stage"] for row in result.rows}) == stages
    assert result.sources_digest == target_digest(target, stages)
    ((*called, _),) = calls(host, "gsst_measure" if kind in kinds() else f"gsst_measure_{kind}")
    assert called == [kind, target, points]
    assert f"\n[{points} of {points} points, about 0 s left] " in capsys.readouterr().err


def test_programs_are_found_by_their_folders(tmp_path: Path) -> None:
    for folder in ("measure/kinds/query", "measure/shared", "measure_cpu", "peers"):
        (tmp_path / "experiments" / folder).mkdir(parents=True)
    assert kinds(tmp_path) == {"query"}
    assert programs(tmp_path) == {"query", "cpu", "counters", "ptx"}


def test_a_text_is_measured_at_its_own_points_alone(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_data(host, "zero_length/kat7_859", "zero_length/kat7_5060")
    assert measure(host, monkeypatch, "zle_cuda") == 0
    rows = load_result(host / "zle_cuda.json").rows
    runs, scan = "zero_length/04_cuda_runs", "zero_length/05_cuda_scan"
    assert [(row["stage"], row["dataset"]) for row in rows] == [
        (runs, "zero_length/kat7_859"),
        *[(scan, "zero_length/kat7_859")] * 5,
        *[(scan, "zero_length/kat7_5060")] * 2,
    ]


def test_texts_without_points_are_an_error(
    host: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    experiment = EXPERIMENTS["zle_cuda"]
    grids = tuple(replace(grid, texts="zero_length/*") for grid in experiment.encoding.grids)
    monkeypatch.setattr(module, "load_experiment", lambda _: replace(experiment, encoding=Encoding(grids)))
    put_data(host, "one")
    assert measure(host, monkeypatch, "zle_cuda") == 1
    assert "none of the texts has a point" in capsys.readouterr().err
    assert not (host / "zle_cuda.json").exists()


def test_every_point_of_a_grid_becomes_a_row(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_data(host, "one")
    assert measure(host, monkeypatch, "gsst_fig_5_5") == 0
    result = load_result(host / "gsst_fig_5_5.json")
    assert len(result.rows) == 7 * 7
    assert result.sources_digest == target_digest("gsst_fig_5_5", ["gsst/07_tuned"])
    assert {row["dataset_sha256"] for row in result.rows} == {hashlib.sha256(TEXT).hexdigest()}
    command = result.environment["command"]
    assert command == "python -m experiments.run_gpu_measurement gsst_fig_5_5 --scale paper"
    ((kind, target, points, options),) = calls(host)
    assert (kind, target, points) == ("decode", "gsst_fig_5_5", 49)
    assert options["--repetitions"] == "10"
    assert "--allow-small" not in options
    assert not (host / "unfinished" / "gsst_fig_5_5").exists(), "what is finished is not kept twice"


def test_a_sweep_is_chosen_on_one_part_and_reported_on_the_other(
    host: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_data(host, "one")
    assert measure(host, monkeypatch, "gsst_fig_6_1") == 0
    result = load_result(host / "gsst_fig_6_1.json")
    assert {row["dataset"] for row in result.rows} == {"one, last three quarters"}
    assert {row["uncompressed_bytes"] for row in result.rows} == {len(TEXT) * 3 // 4}
    stages = {entry.stage for entry in EXPERIMENTS["gsst_fig_6_1"].points}
    for policy in ("common", "best"):
        assert {row["stage"] for row in result.rows if row["policy"] == policy} == stages
    ((*_, options),) = calls(host)
    assert options["--tuning-dataset"] == "one, first quarter"
    assert options["--tuning-dataset-sha256"] == hashlib.sha256(TEXT[: len(TEXT) // 4]).hexdigest()


def test_a_sweep_by_itself_holds_candidates_and_choice(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_data(host, "one")
    assert measure(host, monkeypatch, "gsst_tuning") == 0
    rows = load_result(host / "gsst_tuning.json").rows
    assert [row["policy"] for row in rows] == ["candidate"] * 720 + ["chosen"]


def test_a_text_that_is_finished_is_not_measured_again(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_data(host, "one", "two_failing")
    assert measure(host, monkeypatch, "beyond_sizes") == 1
    assert not (host / "beyond_sizes.json").exists()
    put_data(host, "one", "two")
    assert measure(host, monkeypatch, "beyond_sizes") == 0
    assert [options["--dataset"] for *_, options in calls(host)] == ["one", "two_failing", "two"]
    assert all("--allow-small" in options for *_, options in calls(host))
    assert {row["dataset"] for row in load_result(host / "beyond_sizes.json").rows} == {"one", "two"}


def test_another_gpu_measures_again(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_data(host, "one", "two_failing")
    assert measure(host, monkeypatch, "beyond_sizes") == 1
    smi = host / "bin" / "nvidia-smi"
    smi.write_text(smi.read_text(encoding="utf-8").replace("1.2", "1.3"), encoding="utf-8")
    assert measure(host, monkeypatch, "beyond_sizes") == 1
    assert [options["--dataset"] for *_, options in calls(host)] == ["one", "two_failing"] * 2


def test_the_fixed_settings_of_another_result_are_profiled(
    host: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_data(host, "one")
    rows = [
        {**row, "parameters": {"alignment": 16, "blocks": 160, "splits": 192}}
        for row in stages_rows({"01_blocks": 2.0, "07_tuned": 3.0})
    ]
    write_result(made_up_result("gsst_fig_6_1", rows), host / "gsst_fig_6_1.json")
    measured = str(host / "gsst_fig_6_1.json")
    assert measure(host, monkeypatch, "gsst_table_6_1", "--points-of", measured) == 0
    result = load_result(host / "gsst_table_6_1.json")
    found = sorted((row["stage"], row["policy"], row["parameters"]["blocks"]) for row in result.rows)
    # The best setting of 01 is a sweep's choice; that of 07 is in the file.
    settings = [("gsst/01_blocks", "common"), ("gsst/07_tuned", "best"), ("gsst/07_tuned", "common")]
    assert found == [(*setting, 160) for setting in settings]
    assert {row["counters"]["memory_percent"] for row in result.rows} == {7.0}


@pytest.mark.parametrize("scale", ["tiny", "paper"])
def test_kernels_of_a_decoder_are_profiled_at_the_points_of_each_text(
    scale: str, host: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_data(host, "tpch/l_comment_sf1", "dbtext/wiki_tiled")
    assert measure(host, monkeypatch, "warp_tiles_counters", "--scale", scale) == 0
    result = load_result(host / "warp_tiles_counters.json")
    steps = [(row["dataset"], row["parameters"]["step"]) for row in result.rows]
    assert steps == [
        *(("tpch/l_comment_sf1", step) for step in (1, 3, 5, 8, 9, 9, 10)),
        *(("dbtext/wiki_tiled", step) for step in (9, 10)),
    ]
    assert {row["kernel"] for row in result.rows} == {"decoding"}
    assert {row["counters"]["instructions"] for row in result.rows} == {7.0}
    assert ("--allow-small" in last_options(host, "gsst_measure")) == (scale == "tiny")


def test_sums_are_profiled_by_their_own_program(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_data(host, "tile_integer/uniform_8")
    assert measure(host, monkeypatch, "tile_beyond_instructions_sums") == 0
    stages = ["tile_integer/10_wide_sums", "tile_integer/10_interleaved_sums"]
    result = load_result(host / "tile_beyond_instructions_sums.json")
    assert result.sources_digest == target_digest("tile_beyond_instructions_sums", stages)
    assert [row["stage"] for row in result.rows] == stages
    assert {row["kernel_function"] for row in result.rows} == {"sum_tiles<8>()"}
    assert last_options(host, "gsst_measure_sums")["--target"] == "tile_beyond_instructions_sums"


LIMIT = "tile_beyond_instructions_limit"


def test_each_variant_of_the_limit_is_profiled_by_a_run_of_its_own(
    host: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_data(host, "tile_integer/uniform_6", "tile_integer/ascending")
    kernels = EXPERIMENTS[LIMIT].limit_kernels
    functions = {str(kernel.launches_before): kernel.function for kernel in kernels.values()}
    templates = {before: function.partition("<")[2][:-1] for before, function in functions.items()}
    put_ncu(host / "bin", templates)
    assert measure(host, monkeypatch, LIMIT) == 0
    rows = load_result(host / f"{LIMIT}.json").rows
    stages = ("10_wide_tiles", "10_wide_deltas")
    assert [(row["stage"], row["kernel"], row["kernel_function"]) for row in rows] == [
        (f"tile_integer/{stage}", name, f"{kernel.function}()")
        for stage in stages
        for name, kernel in kernels.items()
    ]
    assert last_options(host, "gsst_measure")["--target"] == LIMIT


def test_another_variant_than_the_named_one_is_refused(
    host: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put_data(host, "tile_integer/uniform_6")
    put_ncu(host / "bin", {"13": "128, 1, 1"})
    assert measure(host, monkeypatch, LIMIT) == 1
    assert "holds 0 launches of stream_tiles<256, 1, 0>, must hold one" in capsys.readouterr().err


def test_each_text_may_be_profiled_with_stages_of_its_own(
    host: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_data(host, "tile_integer/uniform_16", "tile_integer/gaps_16", "tile_integer/runs_4")
    assert measure(host, monkeypatch, "tile_beyond_instructions") == 0
    result = load_result(host / "tile_beyond_instructions.json")
    assert not result.stale
    assert {row["stage"] for row in result.rows} == set(EXPERIMENTS["tile_beyond_instructions"].stages)


def test_queries_are_profiled_by_their_own_program(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_data(host, "ssb/tables_sf5")
    assert measure(host, monkeypatch, "tile_beyond_instructions_queries") == 0
    result = load_result(host / "tile_beyond_instructions_queries.json")
    ways = [(stage, "plain") for stage in ("09_queries", "10_wide_queries") for _ in range(2)]
    ways += [("09_queries", "packed"), ("10_wide_queries", "packed")]
    asked = [(row["query"], row["stage"], row["storage"]) for row in result.rows]
    assert asked == [
        (query, f"tile_integer/{stage}", storage) for query in ("q1.1", "q2.1") for stage, storage in ways
    ]
    assert {row["kernel"] for row in result.rows} == {"asking"}
    assert last_options(host, "gsst_measure_query")["--target"] == "tile_beyond_instructions_queries"


def test_each_kernel_of_an_encoder_is_profiled(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_data(host, "tpch/l_comment_sf1", "dbtext/hex_tiled")
    assert measure(host, monkeypatch, "wide_encoder_counters") == 0
    result = load_result(host / "wide_encoder_counters.json")
    assert result.sources_digest == target_digest("wide_encoder_counters", ["gsst/10_wide_encoder"])
    kernels = [(row["parameters"]["step"], row["kernel"]) for row in result.rows]
    of_last = [(6, "encoding"), (6, "compaction")]
    assert kernels == [*((step, "encoding") for step in range(1, 6)), *of_last, *of_last, *of_last]
    assert {row["dataset"] for row in result.rows[-2:]} == {"dbtext/hex_tiled"}
    assert last_options(host, "gsst_measure")["--target"] == "wide_encoder_counters"


def test_a_text_without_points_is_not_profiled(
    host: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put_data(host, "one")
    assert measure(host, monkeypatch, "warp_tiles_counters") == 1
    assert "none of the texts has a point" in capsys.readouterr().err


CPU_PROGRAM = """#!{python}
import json, sys
options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
data = {{"dataset": options["--dataset"], "dataset_sha256": options["--dataset-sha256"]}}
with open(options["--output"], "w") as file:
    json.dump([{{**{row!r}, **data}}], file)
"""


def put_measure_cpu(host: Path) -> None:
    text = CPU_PROGRAM.format(python=sys.executable, row=row(parameters={"threads": 1}))
    put_executable(host / "bin" / "gsst_measure_cpu", text)


def stages_of(path: Path) -> list[str]:
    return [row["stage"] for row in load_result(path).rows]


def last_options(host: Path, program: str) -> dict[str, Any]:
    """The options of a program's last call."""
    lines = (host / "bin" / f"{program}.calls").read_text(encoding="utf-8").splitlines()
    options: dict[str, Any] = json.loads(lines[-1])[3]
    return options


OURS = [entry.stage for entry in EXPERIMENTS["gsst_fig_6_2"].points]


def test_other_codecs_are_measured_on_request(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_measure_cpu(host)
    put_data(host, "one")
    assert measure(host, monkeypatch, "gsst_fig_6_2") == 0
    assert stages_of(host / "gsst_fig_6_2.json") == OURS
    assert measure(host, monkeypatch, "gsst_fig_6_2", "--nvcomp") == 0
    assert stages_of(host / "gsst_fig_6_2.json") == [*OURS, "nvcomp/ANS", "reference_cpu/fast"]
    assert not load_result(host / "gsst_fig_6_2.json").stale
    assert last_options(host, "gsst_measure_nvcomp")["--operation"] == "decompress"


def test_of_several_texts_other_codecs_are_measured_beside_the_points_of_a_stage(
    host: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_data(host, "lineitem/orderkey_sf30", "lineitem/partkey_sf30")
    assert measure(host, monkeypatch, "codag_beyond_throughput", "--nvcomp") == 0
    result = load_result(host / "codag_beyond_throughput.json")
    # No stage decodes Deflate of the other text.
    peers = [row for row in result.rows if row["stage"].startswith("nvcomp")]
    assert [peer["stage"] for peer in peers] == ["nvcomp/ANS", "nvcomp_zlib/ANS"]
    for peer in peers:
        assert (peer["dataset"], peer["codec"]) == ("lineitem/orderkey_sf30", "deflate")
    assert not result.stale
    assert last_options(host, "gsst_measure_nvcomp")["--codecs"] == "Deflate"
    on_zlib = last_options(host, "gsst_measure_nvcomp_zlib")
    assert (on_zlib["--codecs"], on_zlib["--level"]) == ("Deflate", "9")


def test_codecs_of_others_may_decompress_chunks_of_zlib_alone(
    host: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_data(host, "orc/orderkey_v1_sf30", "lineitem/orderkey_sf30")
    assert measure(host, monkeypatch, "codag_beyond_files", "--nvcomp") == 0
    result = load_result(host / "codag_beyond_files.json")
    (peer,) = (row for row in result.rows if row["stage"].startswith("nvcomp"))
    assert (peer["stage"], peer["dataset"]) == ("nvcomp_zlib/ANS", "lineitem/orderkey_sf30")
    assert peer["members"] == "plain"
    assert not result.stale
    assert not (host / "bin" / "gsst_measure_nvcomp.calls").exists()
    assert last_options(host, "gsst_measure_nvcomp_zlib")["--level"] == "6"


def test_cascades_of_other_codecs_are_measured_on_every_column(
    host: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = ("ssb/lo_orderkey_sf20", "ssb/lo_tax_sf20")
    put_data(host, *columns)
    assert measure(host, monkeypatch, "tile_fig_10") == 0
    assert "nvcomp_integers/Cascaded" not in stages_of(host / "tile_fig_10.json")
    (host / "tile_fig_10.json").unlink()
    assert measure(host, monkeypatch, "tile_fig_10", "--nvcomp") == 0
    result = load_result(host / "tile_fig_10.json")
    peers = [row for row in result.rows if row["stage"] == "nvcomp_integers/Cascaded"]
    assert [row["dataset"] for row in peers] == list(columns)
    assert not result.stale
    cascades = EXPERIMENTS["tile_fig_10"].peers
    options = last_options(host, "gsst_measure_nvcomp_integers")
    assert options["--codecs"] == ",".join(cascades)
    assert "--operation" not in options, "the program decompresses alone"
    # A row for each cascade, not for each of two interfaces.
    assert f"\n[1 of {len(cascades)} points, " in capsys.readouterr().err
    assert not (host / "bin" / "gsst_measure_nvcomp.calls").exists()


def test_codecs_that_nvcomp_cannot_run_leave_the_others(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_measure_cpu(host)
    put_data(host, "one")
    program = host / "bin" / "gsst_measure_nvcomp"
    text = program.read_text(encoding="utf-8")
    program.write_text(f"{text}\nsys.exit(3)\n", encoding="utf-8")
    assert measure(host, monkeypatch, "gsst_fig_6_2", "--nvcomp") == 0
    assert "nvcomp/ANS" in stages_of(host / "gsst_fig_6_2.json")
    program.write_text(f"{text}\nsys.exit(1)\n", encoding="utf-8")
    (host / "gsst_fig_6_2.json").unlink()
    assert measure(host, monkeypatch, "gsst_fig_6_2", "--nvcomp") == 1
    assert not (host / "gsst_fig_6_2.json").exists()


def test_memory_is_counted_at_the_settings_of_a_result_and_that_of_its_other_codecs_taken(
    host: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_measure_cpu(host)
    put_data(host, "one")
    assert measure(host, monkeypatch, "gsst_fig_6_2", "--nvcomp") == 0
    measured = str(host / "gsst_fig_6_2.json")
    assert measure(host, monkeypatch, "gsst_fig_6_4", "--points-of", measured) == 0
    assert stages_of(host / "gsst_fig_6_4.json") == [*OURS, "nvcomp/ANS"]
    assert not load_result(host / "gsst_fig_6_4.json").stale
    assert measure(host, monkeypatch, "gsst_fig_6_4") == 1


ENCODER = "gsst/08_gpu_encoder"
WIDE_ENCODER = "gsst/10_wide_encoder"


def test_other_compressors_are_measured_on_request(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_measure_cpu(host)
    put_data(host, "one")
    monkeypatch.setattr(module, "_CPU_TEXT_BYTES", 100)
    assert measure(host, monkeypatch, "encoder_fig_11") == 0
    assert stages_of(host / "encoder_fig_11.json") == [ENCODER]
    assert measure(host, monkeypatch, "encoder_fig_11", "--nvcomp") == 0
    result = load_result(host / "encoder_fig_11.json")
    assert [row["stage"] for row in result.rows] == [ENCODER, "nvcomp/ANS", "reference_cpu/fast"]
    assert result.rows[-1]["dataset"] == "one, first 100 bytes"
    assert result.rows[-1]["dataset_sha256"] == hashlib.sha256(TEXT[:100]).hexdigest()
    assert not result.stale
    assert last_options(host, "gsst_measure_nvcomp")["--operation"] == "compress"


def test_an_encoder_s_figure_without_other_codecs_measures_none(
    host: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_data(host, "one")
    assert measure(host, monkeypatch, "encoder_fig_10", "--nvcomp") == 0
    assert set(stages_of(host / "encoder_fig_10.json")) == {ENCODER}


def test_memory_of_encoders_is_counted_and_that_of_other_compressors_taken(
    host: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put_measure_cpu(host)
    put_data(host, "one")
    assert measure(host, monkeypatch, "encoder_fig_11", "--nvcomp") == 0
    interfaces = 2 * len(EXPERIMENTS["encoder_fig_11"].peers)
    assert f"\n[1 of {interfaces} points, " in capsys.readouterr().err
    measured = str(host / "encoder_fig_11.json")
    assert measure(host, monkeypatch, "encoder_fig_13", "--points-of", measured) == 0
    assert stages_of(host / "encoder_fig_13.json") == [ENCODER, WIDE_ENCODER, "nvcomp/ANS"]
    # The program that counts, and the one that times allocations.
    assert capsys.readouterr().err.count("\n[2 of 2 points, about 0 s left] ") == 2
    assert not load_result(host / "encoder_fig_13.json").stale
    for encoded in load_result(host / "encoder_fig_13.json").rows[:2]:
        times = {name: seconds["median"] for name, seconds in encoded["end_to_end_seconds"].items()}
        assert times["with_allocations"] == pytest.approx(1.1 * times["without_allocations"])


def test_data_that_is_missing_is_named(
    host: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put_data(host, missing={"tpch/l_comment_sf60": "the disk is full"})
    assert measure(host, monkeypatch, "gsst_fig_5_5") == 1
    expected = "error: gsst_fig_5_5: none of its data is available: tpch/l_comment_sf60: the disk is full"
    assert expected in capsys.readouterr().err


def test_a_stage_that_is_registered_for_no_operation_is_measured_and_an_unknown_one_is_not(
    host: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put_data(host, "one")
    listing = [
        {"id": stage, "minimum_compute_capability": "8.0"}
        for stage in STAGES - {"tile_integer/12_parquet_delta"}
    ]
    monkeypatch.setattr(module, "registered_stages", lambda: listing)
    assert measure(host, monkeypatch, "tile_beyond_parquet") == 0
    monkeypatch.setattr(module, "REPOSITORY_ROOT", host)
    monkeypatch.setattr(module, "commit_and_dirty", lambda _: ("0" * 40, False))
    assert measure(host, monkeypatch, "tile_beyond_parquet") == 1
    assert "no stage is called tile_integer/12_parquet_delta" in capsys.readouterr().err


def test_a_gpu_of_lower_compute_capability_is_refused(
    host: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put_data(host, "one")
    put_nvidia_smi(host / "bin", "7.5")
    assert measure(host, monkeypatch, "gsst_fig_5_5") == 1
    expected = "gsst/07_tuned needs a GPU of compute capability 8.0 or higher; Made-up GPU has 7.5"
    assert expected in capsys.readouterr().err
    assert not (host / "gsst_fig_5_5.json").exists()


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("nvidia-smi", "nvidia-smi finds no GPU on this machine"),
        ("gsst_measure", "gsst_measure does not exist: `make build` makes it"),
    ],
)
def test_what_a_machine_lacks_is_said(
    program: str, reason: str, host: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put_data(host, "one")
    (host / "bin" / program).unlink()
    monkeypatch.setenv("PATH", str(host / "bin"))
    assert measure(host, monkeypatch, "gsst_fig_5_5") == 1
    assert reason in capsys.readouterr().err
