"""Runs gsst_measure_cpu_stages on small data, and by a definition, and checks the rows and the errors."""

import json
import subprocess
from pathlib import Path

import pytest

from experiments.definition import load_experiment
from experiments.environment import build_of
from experiments.run_measurement import MeasurementError, measure
from experiments.sources import REPOSITORY_ROOT

pytestmark = pytest.mark.measuring

PROGRAM = REPOSITORY_ROOT / "build" / "bin" / "gsst_measure_cpu_stages"
LABEL = "zero_length/kat7_859"
CONTENT = b"\0\0\0\0\xffab\0\0\0" * 1000
POINT = {"operation": "encode", "stage": "zero_length/01_naive", "format": "zle_bare", "block_bytes": 1024}


def run(folder: Path, *points: dict[str, object], repetitions: int = 2) -> subprocess.CompletedProcess[str]:
    (folder / "bytes").write_bytes(CONTENT)
    (folder / "points.json").write_text(json.dumps({"points": points}), encoding="utf-8")
    command = [str(PROGRAM), "--points", str(folder / "points.json"), "--input", str(folder / "bytes")]
    command += ["--dataset", "test/bytes", "--dataset-sha256", "ab" * 32, "--repetitions", str(repetitions)]
    command += ["--output", str(folder / "rows.json")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_target_is_measured_as_its_definition_says(tmp_path: Path) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(CONTENT)
    result = measure(load_experiment("zle_intrinsics"), "tiny", {LABEL: str(path)}, PROGRAM)
    assert not result.stale
    rows = {
        (row["stage"], row["operation"], row["vector_bytes"], row["compiler_vectorisation"]): row
        for row in result.rows
    }
    assert len(rows) == len(result.rows)
    naive = rows["zero_length/01_naive", "encode", 1, True]
    # A copy has three zeros at its end, which are a run of seven with the next one's.
    assert naive["uncompressed_bytes"] == 10000
    for (stage, _, vector_bytes, _), row in rows.items():
        assert row["compressed_bytes"] == naive["compressed_bytes"]
        assert row["seconds"]["repetitions"] == 10
        assert row["memcpy_gb_per_s"] > 0
        assert row["threads"] == 1
        assert (vector_bytes == 1) == (stage == "zero_length/01_naive")
    assert ("zero_length/03_simd", "decode", 8, False) in rows
    assert build_of(PROGRAM)["compiler"] != "unknown"


def test_rows_of_frames_and_bare_files_are_told_apart(tmp_path: Path) -> None:
    done = run(tmp_path, {**POINT, "operation": "decode"}, {**POINT, "operation": "decode", "format": "zle"})
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("points: 2\n")
    rows = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))
    assert [row["format"] for row in rows] == ["zle_bare", "zle"]
    assert rows[0]["compressed_bytes"] < rows[1]["compressed_bytes"]


def test_what_the_processor_lacks_is_left_out(tmp_path: Path) -> None:
    other = {**POINT, "stage": "zero_length/03_simd", "parameters": {"vector_bytes": 4096}}
    done = run(tmp_path, POINT, {**other, "where_offered": ["vector_bytes"]})
    assert done.returncode == 0, done.stderr
    assert "left out, not of this processor: zero_length/03_simd, vector_bytes 4096" in done.stderr
    assert len(json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))) == 1


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ({**POINT, "stage": "zero_length/09_none"}, "there is no stage 'zero_length/09_none' that encodes"),
        ({**POINT, "parameters": {"threads": 2}}, "threads"),
        ({**POINT, "format": "tiles"}, "'format' must be"),
        ({**POINT, "operation": "both"}, "'operation' must be encode or decode"),
    ],
)
def test_what_cannot_be_measured_is_refused(point: dict[str, object], message: str, tmp_path: Path) -> None:
    done = run(tmp_path, point)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "rows.json").exists()


def test_a_text_without_points_is_refused(tmp_path: Path) -> None:
    experiment = load_experiment("zle_fig_18")
    (tmp_path / "empty").touch()
    with pytest.raises(MeasurementError):
        measure(experiment, "tiny", {"test/empty": str(tmp_path / "empty")}, PROGRAM)
