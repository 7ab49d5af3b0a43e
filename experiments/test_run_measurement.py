"""The wrapper around the measuring program, with stand-ins for the program."""

import sys
from pathlib import Path

import pytest

from data.files import digest_of
from experiments.definition import load_experiment
from experiments.run_measurement import MeasurementError, measure_one, program_arguments, thread_counts

PROGRAM = """#!{python}
import json, sys
arguments = sys.argv[1:]
value = lambda name: arguments[arguments.index(name) + 1]
{body}
row = {{"dataset": value("--dataset"), "dataset_sha256": value("--dataset-sha256"), "arguments": arguments}}
json.dump([row], open(value("--output"), "w"))
"""


def make_program(folder: Path, body: str = "") -> Path:
    """A program that writes one row with what it was called with, after `body`."""
    program = folder / "measure"
    program.write_text(PROGRAM.format(python=sys.executable, body=body), encoding="utf-8")
    program.chmod(0o755)
    return program


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text"
    path.write_bytes(b"some text\n" * 1000)
    return path


def test_passes_data_and_parameters_to_the_program(tmp_path: Path, text: Path) -> None:
    scale = load_experiment("gsst_fig_5_4").scales["tiny"]
    (row,) = measure_one(make_program(tmp_path), "ratio", scale, "some/text", text)
    arguments = row["arguments"]
    assert arguments[0] == "ratio"
    assert arguments[arguments.index("--input") + 1] == str(text)
    assert arguments[arguments.index("--dataset-sha256") + 1] == digest_of(text).sha256
    assert arguments[arguments.index("--splits") + 1] == ",".join(str(splits) for splits in scale.splits)


def test_keeps_the_names_of_missing_codecs(tmp_path: Path, text: Path) -> None:
    program = make_program(tmp_path, 'print("missing codec: zstd", file=sys.stderr)')
    scale = load_experiment("gsst_fig_2_2").scales["tiny"]
    (row,) = measure_one(program, "codecs", scale, "some/text", text)
    assert row["missing_codecs"] == ["zstd"]


def test_a_program_that_fails_is_an_error(tmp_path: Path, text: Path) -> None:
    scale = load_experiment("gsst_fig_2_2").scales["tiny"]
    with pytest.raises(MeasurementError, match="status 3"):
        measure_one(make_program(tmp_path, "sys.exit(3)"), "codecs", scale, "some/text", text)


def test_rows_about_other_data_are_an_error(tmp_path: Path, text: Path) -> None:
    body = "arguments[arguments.index('--dataset') + 1] = 'other'"
    scale = load_experiment("gsst_fig_2_2").scales["tiny"]
    with pytest.raises(MeasurementError, match="other data: other"):
        measure_one(make_program(tmp_path, body), "codecs", scale, "some/text", text)


def test_threads_go_to_twice_the_processors() -> None:
    assert thread_counts(1) == [1, 2]
    assert thread_counts(6) == [1, 2, 4, 6, 8]
    assert thread_counts(16) == [1, 2, 4, 8, 16, 32]


def test_keeps_the_bytes_per_block() -> None:
    scale = load_experiment("gsst_fig_b_1").scales["default"]
    arguments = program_arguments("threads", scale, 10 * scale.block_bytes[0])
    assert arguments[arguments.index("--blocks") + 1] == "10"


def test_an_unknown_subcommand_is_an_error() -> None:
    with pytest.raises(MeasurementError, match="no subcommand speed"):
        program_arguments("speed", load_experiment("gsst_fig_b_1").scales["tiny"], 1)


def test_rows_that_are_no_list_are_an_error(tmp_path: Path, text: Path) -> None:
    body = "json.dump({}, open(value('--output'), 'w')); sys.exit(0)"
    scale = load_experiment("gsst_fig_2_2").scales["tiny"]
    with pytest.raises(MeasurementError, match="no rows"):
        measure_one(make_program(tmp_path, body), "codecs", scale, "some/text", text)
