"""Runs gsst_measure_chunks by a target's definition, and checks the rows and the errors."""

import hashlib
import subprocess
from pathlib import Path

import pytest

from experiments.definition import load_experiment
from experiments.environment import build_of
from experiments.run_measurement import MeasurementError, measure
from experiments.sources import REPOSITORY_ROOT

pytestmark = pytest.mark.measuring

PROGRAM = REPOSITORY_ROOT / "build" / "bin" / "gsst_measure_chunks"
TARGET = "codag_table_5"
LABEL = "codag/tpc_first_43_bytes"
# A run of forty, and a list whose last value takes two bytes as zigzag.
CONTENT = bytes([7] * 40 + [1, 9, 100])


def test_a_file_is_measured_as_the_definition_says(tmp_path: Path) -> None:
    path = tmp_path / "column"
    path.write_bytes(CONTENT)
    result = measure(load_experiment(TARGET), "tiny", {LABEL: str(path)}, PROGRAM)
    assert [row["variant"] for row in result.rows] == ["orc_rle_v1", "orc_rle_v2", "deflate"]
    for row in result.rows:
        assert row["dataset_sha256"] == hashlib.sha256(CONTENT).hexdigest()
        of_codec = {"level": 9} if row["variant"] == "deflate" else {"type": "i8"}
        assert row["parameters"] == {"block_bytes": 1 << 17, **of_codec}
        assert row["uncompressed_bytes"] == len(CONTENT)
        assert row["verified"] is True
    first = result.rows[0]
    assert (first["compressed_bytes"], first["values"], first["symbols"]) == (3 + 5, len(CONTENT), 2)
    assert not result.stale
    assert build_of(PROGRAM)["compiler"] != "unknown"


def test_a_failing_program_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    with pytest.raises(MeasurementError, match="gsst_measure_chunks ended with status 2"):
        measure(load_experiment(TARGET), "tiny", {LABEL: str(tmp_path / "empty")}, PROGRAM)


def test_a_column_whose_type_nothing_says_is_refused(tmp_path: Path) -> None:
    (tmp_path / "column").write_bytes(CONTENT)
    with pytest.raises(MeasurementError, match="test/bytes"):
        measure(load_experiment(TARGET), "tiny", {"test/bytes": str(tmp_path / "column")}, PROGRAM)


@pytest.mark.parametrize("block_bytes", ["0", str((1 << 24) + 1)])
def test_a_size_of_chunks_out_of_range_is_refused(block_bytes: str, tmp_path: Path) -> None:
    (tmp_path / "column").write_bytes(CONTENT)
    data = ["--input", tmp_path / "column", "--dataset", "x", "--dataset-sha256", "0" * 64]
    how = ["--format", "orc_rle_v1", "--type", "i8", "--block-bytes", block_bytes]
    command = [PROGRAM, *data, *how, "--output", tmp_path / "rows.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--block-bytes" in done.stderr + done.stdout
    assert not (tmp_path / "rows.json").exists()
