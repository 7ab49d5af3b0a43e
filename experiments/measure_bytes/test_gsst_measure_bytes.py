"""Runs gsst_measure_bytes on small data, and by a target's definition, and checks the rows and the errors."""

import hashlib
import json
import subprocess
from pathlib import Path

import pytest

from experiments.definition import load_experiment
from experiments.environment import build_of
from experiments.run_measurement import MeasurementError, measure
from experiments.sources import REPOSITORY_ROOT

pytestmark = pytest.mark.measuring

PROGRAM = REPOSITORY_ROOT / "build" / "bin" / "gsst_measure_bytes"
TARGET = "zle_fig_18"
CONTENT = b"\0\0\0\0\xffab\0\0\0" * 100


def run(path: Path, output: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAM), "--input", str(path), "--dataset", "test/bytes", "--dataset-sha256", "ab" * 32]
    command += ["--output", str(output), *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_file_is_measured_as_the_definition_says(tmp_path: Path) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(CONTENT)
    result = measure(load_experiment(TARGET), "tiny", {"test/bytes": str(path)}, PROGRAM)
    (row,) = result.rows
    assert row["dataset_sha256"] == hashlib.sha256(CONTENT).hexdigest()
    assert row["byte_counts"][0] == 700
    # Where a copy ends, three zeros and the next four are a run of seven.
    assert row["run_counts"] == [0, 0, 0, 1, 1, 0, 0, 99, 0]
    assert (row["uncompressed_bytes"], row["compressed_bytes"]) == (1000, 24 + 101 * 2 + 400)
    assert row["parameters"] == {"block_bytes": 1 << 20}
    assert row["verified"] is True
    assert not result.stale
    assert build_of(PROGRAM)["compiler"] != "unknown"


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("absent", ("--block-bytes", "4"), "absent does not exist"),
        ("empty", ("--block-bytes", "4"), "empty is empty"),
        ("bytes", ("--block-bytes", "0"), "--block-bytes"),
        ("bytes", (), "--block-bytes is required"),
        ("bytes", ("--block-bytes", "4", "--dataset-sha256", "x"), "64 lower-case hexadecimal digits"),
    ],
)
def test_what_cannot_be_counted_is_refused(
    name: str, more: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    (tmp_path / "bytes").write_bytes(CONTENT)
    (tmp_path / "empty").touch()
    done = run(tmp_path / name, tmp_path / "rows.json", *more)
    assert done.returncode == 2
    assert message in done.stderr + done.stdout
    assert not (tmp_path / "rows.json").exists()


def test_a_failing_program_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    available = {"test/empty": str(tmp_path / "empty")}
    with pytest.raises(MeasurementError, match="test/empty: gsst_measure_bytes ended with status 2"):
        measure(load_experiment(TARGET), "tiny", available, PROGRAM)


def test_the_rows_are_a_list(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(CONTENT)
    done = run(tmp_path / "bytes", tmp_path / "rows.json", "--block-bytes", "5")
    assert done.returncode == 0
    assert done.stderr.startswith("points: 1\n")
    assert len(json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))) == 1
