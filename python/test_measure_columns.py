"""Measures columns from Python by the targets' definitions, and checks the rows and the errors."""

from dataclasses import replace
from pathlib import Path

import pytest

from experiments.definition import load_experiment
from experiments.environment import build_of
from experiments.measure_columns.packages import has_package
from experiments.run_measurement import MeasurementError, measure
from experiments.sources import REPOSITORY_ROOT

PROGRAM = REPOSITORY_ROOT / "experiments" / "measure_columns" / "gsst_measure_columns"
LABEL = "tpch/l_comment_sf0.05"
# Each line is the answer to some question.
LINES = (
    b"final warthogs blithely nag furiously\n",
    b"special pinto beans wake among requests\n",
    b"special requests\n",
    b"carefully no boosts nag\n",
    "\u00fcber, caf\u00e9\n".encode(),
)
COPIES = 1000


def _text(folder: Path, content: bytes = b"".join(LINES) * COPIES) -> dict[str, str]:
    (folder / "text").write_bytes(content)
    return {LABEL: str(folder / "text")}


def test_codecs_of_columns_are_measured(tmp_path: Path) -> None:
    result = measure(load_experiment("engine_columns"), "tiny", _text(tmp_path), PROGRAM)
    codecs = [("library/column", "dense"), ("library/column", "lookup"), ("peer/parquet", "zstd 1")]
    codecs += [("peer/zstd", "level 1")]
    codecs += [("peer/vortex", "array")] if has_package("vortex-data") else []
    expected = [
        (*codec, operation)
        for codec in codecs
        for operation in ("encode", "decode", "query")
        if (codec[0], operation) != ("peer/zstd", "query")
    ]
    assert [(row["stage"], row["variant"], row["operation"]) for row in result.rows] == expected
    for row in result.rows:
        assert row["strings"] == len(LINES) * COPIES
        assert row["uncompressed_bytes"] == len(b"".join(LINES)) * COPIES
        assert 3 <= row["seconds"]["repetitions"] <= 10
        assert ("microseconds_each" in row) == (row["operation"] == "query")
    assert not result.stale
    assert "pyarrow" in build_of(PROGRAM)["flags"]


def test_bytes_that_are_no_text_are_a_column_too(tmp_path: Path) -> None:
    content = b"\xff\xfe\n\n" * COPIES + b"without an end"
    result = measure(load_experiment("engine_columns"), "tiny", _text(tmp_path, content), PROGRAM)
    assert {row["strings"] for row in result.rows} == {2 * COPIES + 1}
    assert {row["uncompressed_bytes"] for row in result.rows} == {len(content)}


def test_all_engines_give_the_same_counts(tmp_path: Path) -> None:
    experiment = load_experiment("search_engines")
    result = measure(experiment, "tiny", _text(tmp_path), PROGRAM)
    stages = ("search/column", "search/column_decoded", "peer/arrow_compute", "peer/duckdb")
    measured = [(row["question"], row["stage"]) for row in result.rows]
    assert measured == [(question, stage) for question in experiment.questions for stage in stages]
    counts = {row["question"]: row["matched_strings"] for row in result.rows}
    assert counts == {
        "a rare string": COPIES,
        "a frequent word": COPIES,
        "TPC-H query 13": 2 * COPIES,
        "start of a string": COPIES,
        "end of a string": 2 * COPIES,
        "expression with a word": COPIES,
        "expression, no word": 0,
    }


def test_rows_are_given_in_all_ways(tmp_path: Path) -> None:
    experiment = load_experiment("search_columns_rows")
    result = measure(experiment, "tiny", _text(tmp_path), PROGRAM)
    stages = ["search/column", "search/column_decoded", "peer/arrow_compute", "peer/duckdb"]
    outputs = ("rows", "matching strings", "filter")
    expected = [
        (question, *way)
        for question in experiment.questions
        for way in [("search/frame", "count"), *((stage, output) for output in outputs for stage in stages)]
    ]
    taken = [("1000 rows", stage, "take") for stage in ("search/column", *stages)]
    assert [(row["question"], row["stage"], row["output"]) for row in result.rows] == expected + taken
    assert {row["matched_strings"] for row in result.rows} == {COPIES}
    for row in result.rows[-len(taken) :]:
        assert row["throughput_gb_per_s"] < 1e-9 * row["uncompressed_bytes"] / row["seconds"]["median"]


def test_a_question_of_another_kind_is_refused(tmp_path: Path) -> None:
    experiment = replace(load_experiment("search_engines"), questions={"who": ("glob", "*")})
    with pytest.raises(MeasurementError, match="gsst_measure_columns matches ended with status 2"):
        measure(experiment, "tiny", _text(tmp_path), PROGRAM)


def test_an_empty_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MeasurementError, match="gsst_measure_columns speed ended with status 2"):
        measure(load_experiment("engine_columns"), "tiny", _text(tmp_path, b""), PROGRAM)
