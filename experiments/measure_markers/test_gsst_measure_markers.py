"""Runs gsst_measure_markers by a target's definition, and checks the rows and the errors."""

import hashlib
import subprocess
from pathlib import Path

import pytest

from experiments.definition import load_experiment
from experiments.environment import build_of
from experiments.run_measurement import MeasurementError, measure
from experiments.sources import REPOSITORY_ROOT

pytestmark = pytest.mark.measuring

PROGRAM = REPOSITORY_ROOT / "build" / "bin" / "gsst_measure_markers"
TARGET = "zle_beyond_marker"
# In 100 copies: runs of four zeros, a byte FF each, and no byte 1 or 2.
CONTENT = b"\0\0\0\0\xffab" * 100


def test_a_file_is_measured_as_the_definition_says(tmp_path: Path) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(CONTENT)
    result = measure(load_experiment(TARGET), "tiny", {"test/bytes": str(path)}, PROGRAM)
    stored = {}
    for row in result.rows:
        assert row["dataset_sha256"] == hashlib.sha256(CONTENT).hexdigest()
        assert row["parameters"]["block_bytes"] == 1 << 20
        assert row["uncompressed_bytes"] == 700
        assert row["verified"] is True
        stored[row["parameters"]["marker"], row["parameters"]["runs_of_4"]] = row["compressed_bytes"]
    # The frame without payloads, and the two bytes of the block.
    around = 40 + 24 + 40 + 24 + 16 + 24 + 2
    assert stored == {
        ("ff", "two bytes"): around + 600,
        ("rarest", "two bytes"): around + 500,
        ("ff", "one byte"): around + 500,
        ("rarest", "one byte"): around + 400,
    }
    assert not result.stale
    assert build_of(PROGRAM)["compiler"] != "unknown"


def test_a_failing_program_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    available = {"test/empty": str(tmp_path / "empty")}
    with pytest.raises(MeasurementError, match="test/empty: gsst_measure_markers ended with status 2"):
        measure(load_experiment(TARGET), "tiny", available, PROGRAM)


@pytest.mark.parametrize("block_bytes", ["0", str((1 << 30) + 1)])
def test_a_block_size_out_of_range_is_refused(block_bytes: str, tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(CONTENT)
    command = [str(PROGRAM), "--input", str(tmp_path / "bytes"), "--dataset", "test/bytes"]
    command += ["--dataset-sha256", "ab" * 32, "--output", str(tmp_path / "rows.json")]
    done = subprocess.run(
        [*command, "--block-bytes", block_bytes], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "--block-bytes" in done.stderr + done.stdout
    assert not (tmp_path / "rows.json").exists()
