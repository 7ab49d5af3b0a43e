"""Runs gsst_measure_accesses by a target's definition, and checks the rows and the errors."""

import hashlib
import subprocess
from pathlib import Path

import pytest

from experiments.definition import load_experiment
from experiments.environment import build_of
from experiments.run_measurement import MeasurementError, measure
from experiments.sources import REPOSITORY_ROOT
from tools.trace_input import text

PROGRAM = REPOSITORY_ROOT / "build" / "bin" / "gsst_measure_accesses"
TARGET = "beyond_model_of_accesses"


def test_a_text_is_traced_as_the_definition_says(tmp_path: Path) -> None:
    path = tmp_path / "text"
    content = text()[:20_000]
    path.write_bytes(content)
    result = measure(load_experiment(TARGET), "tiny", {"test/text": str(path)}, PROGRAM)
    assert len(result.rows) == 10
    for row in result.rows:
        assert row["dataset_sha256"] == hashlib.sha256(content).hexdigest()
        assert row["uncompressed_bytes"] == len(content)
        assert row["verified"] is True
        assert row["model"]["sectors_per_store"] >= 1
        assert row["counted"]["machine"] == "h200"
    assert build_of(PROGRAM)["compiler"] != "unknown"
    by_stage = {(row["stage"], row["policy"]): row["accesses"] for row in result.rows}
    # Each byte of the output is stored once, by this stage byte by byte.
    assert by_stage["gsst/02_splits", "common"]["global_store"]["bytes"] == len(content)
    assert by_stage["gsst/06_async", "common"]["global_copy"]["requests"] > 0


def test_a_failing_program_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    available = {"test/empty": str(tmp_path / "empty")}
    with pytest.raises(MeasurementError, match="test/empty: gsst_measure_accesses ended with status 2"):
        measure(load_experiment(TARGET), "tiny", available, PROGRAM)


def test_points_of_another_kind_are_refused(tmp_path: Path) -> None:
    points = tmp_path / "points.json"
    points.write_text('{"kind": "decode", "points": []}', encoding="utf-8")
    command = [str(PROGRAM), "--points", str(points), "--input", str(points), "--dataset", "test/bytes"]
    command += ["--dataset-sha256", "ab" * 32, "--output", str(tmp_path / "rows.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "accesses" in done.stderr
    assert not (tmp_path / "rows.json").exists()
