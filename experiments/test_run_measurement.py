import hashlib
import json
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from experiments import machine_load
from experiments import run_measurement as module
from experiments.definition import load_experiment
from experiments.machine_load import Sample
from experiments.made_up_results import Row, row
from experiments.results import load_result
from experiments.run_measurement import MeasurementError, measure, program_arguments, thread_counts

# Writes one row with its own arguments in it; PROBLEM makes it misbehave.
PROGRAM = """#!{python}
import json, sys
problem = {problem!r}
if sys.argv[1] == "--version":
    sys.exit(print("compiler: made-up 1.0\\nflags: -O3"))
options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
if problem == "fails":
    sys.exit("made-up failure")
print("missing codec: snappy", file=sys.stderr)
print("points: 3", file=sys.stderr, flush=True)
with open(options["--output"] + ".partial.jsonl", "w") as kept:
    kept.write("{{}}\\n{{}}\\n")
print("peer/zstd level 3", file=sys.stderr)
row = {row!r}
row["dataset"] = "other" if problem == "other data" else options["--dataset"]
row["dataset_sha256"] = options["--dataset-sha256"]
row["parameters"] = {{"subcommand": sys.argv[1], "blocks": 6, "options": sorted(options)}}
row["variant"] = options.get("--format", "")
if problem == "unverified":
    row["verified"] = False
with open(options["--output"], "w") as file:
    json.dump([] if problem == "no rows" else [row], file)
"""


def fake_program(folder: Path, problem: str = "") -> Path:
    path = folder / "build" / "bin" / "measure"
    path.parent.mkdir(parents=True)
    path.write_text(PROGRAM.format(python=sys.executable, problem=problem, row=row()), encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text"
    path.write_bytes(b"some text " * 1000)
    return path


def test_rows_get_the_digest_of_their_data_and_the_codecs_that_lack(tmp_path: Path, text: Path) -> None:
    result = measure(load_experiment("gsst_fig_2_2"), "tiny", {"one": str(text)}, fake_program(tmp_path))
    (measured,) = result.rows
    assert measured["dataset_sha256"] == hashlib.sha256(text.read_bytes()).hexdigest()
    assert measured["missing_codecs"] == ["snappy"]
    assert measured["parameters"]["subcommand"] == "codecs"


def test_how_many_points_are_finished_is_said(
    tmp_path: Path, text: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measure(load_experiment("gsst_fig_2_2"), "tiny", {"one": str(text)}, fake_program(tmp_path))
    assert "\n[2 of 3 points, about 0 s left] peer/zstd level 3\n" in capsys.readouterr().err


def test_every_data_set_is_measured(tmp_path: Path, text: Path) -> None:
    available = {"one": str(text), "two": str(text)}
    result = measure(load_experiment("gsst_fig_2_2"), "tiny", available, fake_program(tmp_path))
    assert [row["dataset"] for row in result.rows] == ["one", "two"]


def test_jobs_measure_at_the_same_time_and_rows_keep_their_order(
    tmp_path: Path, text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_are_there = threading.Barrier(3)

    def measured(*arguments: object) -> list[Row]:
        all_are_there.wait(timeout=60)
        return [{**row(), "dataset": arguments[3]}]

    monkeypatch.setattr(module, "measure_one", measured)
    available = {label: str(text) for label in ("one", "two", "three")}
    result = measure(load_experiment("gsst_fig_2_2"), "tiny", available, fake_program(tmp_path), jobs=3)
    assert [row["dataset"] for row in result.rows] == ["one", "two", "three"]


def test_one_by_one_nothing_begins_after_a_failure(
    tmp_path: Path, text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[tuple[object, threading.Thread]] = []

    def fails(*arguments: object) -> list[Row]:
        begun.append((arguments[3], threading.current_thread()))
        raise MeasurementError("made up")

    monkeypatch.setattr(module, "measure_one", fails)
    available = {label: str(text) for label in ("one", "two", "three")}
    with pytest.raises(MeasurementError, match="made up"):
        measure(load_experiment("gsst_fig_2_2"), "tiny", available, fake_program(tmp_path))
    # On another thread the next work could begin before the failure is heard of.
    assert begun == [("one", threading.current_thread())]


def test_every_format_of_a_study_is_measured_on_every_data_set(tmp_path: Path, text: Path) -> None:
    experiment = load_experiment("tile_fig_7b")
    tiny = replace(experiment.scales["tiny"], formats=("one", "two"))
    available = {"first": str(text), "second": str(text)}
    result = measure(replace(experiment, scales={"tiny": tiny}), "tiny", available, fake_program(tmp_path))
    measured = [(row["dataset"], row["variant"]) for row in result.rows]
    assert measured == [(data, name) for data in available for name in tiny.formats]


@pytest.mark.parametrize(
    ("problem", "message"),
    [("fails", "ended with status 1"), ("other data", "about other data"), ("no rows", "wrote no rows")],
)
def test_a_program_that_misbehaves_gives_an_error(
    problem: str, message: str, tmp_path: Path, text: Path
) -> None:
    with pytest.raises(MeasurementError, match=message):
        measure(load_experiment("gsst_fig_b_1"), "tiny", {"one": str(text)}, fake_program(tmp_path, problem))


def run_main(folder: Path, program: Path, available: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> int:
    manifest = folder / "manifest.json"
    manifest.write_text(json.dumps({"available": available, "unavailable": {}}), encoding="utf-8")
    arguments = ["--scale", "tiny", "--data", str(manifest), "--program", str(program)]
    output = ["--output", str(folder / "measured" / "gsst_fig_b_1.json")]
    monkeypatch.setattr(sys, "argv", ["run_measurement", "gsst_fig_b_1", *arguments, *output])
    return module.main()


def test_a_checked_result_is_written(tmp_path: Path, text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = iter([Sample(0.0, 0.0, 0.0), Sample(10.0, 16.0, 12.0)])
    monkeypatch.setattr(module, "take_sample", lambda: next(samples))
    monkeypatch.setattr(machine_load, "usable_processors", lambda: 3)
    assert run_main(tmp_path, fake_program(tmp_path), {"one": str(text)}, monkeypatch) == 0
    result = load_result(tmp_path / "measured" / "gsst_fig_b_1.json")
    assert len(result.rows) == 1
    assert not result.stale
    assert (result.environment["compiler"], result.environment["flags"]) == ("made-up 1.0", "-O3")
    assert result.environment["load"] == {"processors": 3, "taken_by_others": 0.4}


def test_without_data_the_result_has_no_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_main(tmp_path, fake_program(tmp_path), {}, monkeypatch) == 0
    assert load_result(tmp_path / "measured" / "gsst_fig_b_1.json").rows == ()
    assert "none of its data is available" in capsys.readouterr().err


@pytest.mark.parametrize("problem", ["fails", "unverified"])
def test_a_failed_or_unverified_measurement_leaves_no_result(
    problem: str, tmp_path: Path, text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_main(tmp_path, fake_program(tmp_path, problem), {"one": str(text)}, monkeypatch) == 1
    assert not (tmp_path / "measured").exists()


@pytest.mark.parametrize(
    ("processors", "counts"), [(1, [1, 2]), (2, [1, 2, 4]), (6, [1, 2, 4, 6, 8]), (8, [1, 2, 4, 8, 16])]
)
def test_threads_go_up_to_twice_the_processors(processors: int, counts: list[int]) -> None:
    assert thread_counts(processors) == counts


def test_the_options_follow_the_definition() -> None:
    scale = replace(load_experiment("gsst_fig_b_1").scales["tiny"], block_bytes=(1000,), splits=(32, 64))
    assert program_arguments("threads", scale, 5900)[:2] == ["--blocks", "6"]
    assert program_arguments("threads", scale, 10)[:2] == ["--blocks", "1"]
    assert program_arguments("ratio", scale, 1) == ["--block-bytes", "1000", "--splits", "32,64"]
    assert program_arguments("codecs", scale, 1) == ["--repetitions", "10"]
    scale = load_experiment("encoder_fig_9").scales["tiny"]
    arguments = program_arguments("tables", replace(scale, block_bytes=(1000,)), 1)
    assert arguments[:4] == ["--block-bytes", "1000", "--hash-entries", "256"]
    assert arguments[4:] == ["--match-rows", "16,32,64,256", "--match-pairs", "2,4,6,8,12,16,256"]
    scale = load_experiment("beyond_longer_symbols").scales["tiny"]
    assert program_arguments("lengths", scale, 1) == ["--longest", "8,12,16", "--level", "9"]
    scale = load_experiment("beyond_levels").scales["tiny"]
    levels = ["--levels", "1,2,3", "--tile-levels", "3", "--code-bits", "8,12", "--repetitions", "10"]
    assert program_arguments("levels", scale, 1) == levels
    scale = replace(
        scale, formats=("splits",), block_bytes=(1000, 2000), options={"splits": (1, 2), "level": (3,)}
    )
    arguments = program_arguments("format", scale, 1)
    assert arguments[:4] == ["--format", "splits", "--block-bytes", "1000,2000"]
    assert arguments[4:] == ["--option=splits=1,2", "--option=level=3", "--repetitions", "10"]
    with pytest.raises(MeasurementError, match="guess"):
        program_arguments("guess", scale, 1)
