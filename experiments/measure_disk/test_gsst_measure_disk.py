"""Runs gsst_measure_disk on small data, and by a target's definition, and checks rows and errors."""

import json
import subprocess
from pathlib import Path

import pytest

from experiments.definition import load_experiment
from experiments.environment import build_of
from experiments.run_measurement import DISK_VARIABLE, measure
from experiments.sources import REPOSITORY_ROOT

pytestmark = pytest.mark.measuring

PROGRAM = REPOSITORY_ROOT / "build" / "bin" / "gsst_measure_disk"
CONTENT = b"\0\0\0\0\xffab\0\0\0" * 1000
VARIANTS = {"disk to disk", "memory to memory", "reading alone", "writing alone"}


def run(where: Path, **changed: str) -> subprocess.CompletedProcess[str]:
    (where / "bytes").write_bytes(CONTENT)
    options = {
        "input": str(where / "bytes"),
        "dataset": "test/bytes",
        "dataset-sha256": "ab" * 32,
        "threads": "1",
        "repetitions": "2",
        "output": str(where / "rows.json"),
        **changed,
    }
    command = [str(PROGRAM), *(text for name, value in options.items() for text in (f"--{name}", value))]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_target_is_measured_in_the_folder_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(CONTENT)
    (tmp_path / "disk").mkdir()
    monkeypatch.setenv(DISK_VARIABLE, str(tmp_path / "disk"))
    result = measure(load_experiment("zle_fig_22"), "tiny", {"zero_length/kat7_859": str(path)}, PROGRAM)
    assert not result.stale
    assert {row["variant"] for row in result.rows} == VARIANTS
    assert {row["threads"] for row in result.rows} >= {1}
    for row in result.rows:
        assert row["uncompressed_bytes"] == len(CONTENT)
        assert row["seconds"]["repetitions"] == 10
        assert row["file_system"]
        assert row["device"]
        assert row["medium"] in ("rotational", "not rotational", "unknown")
        assert row["flushed"] == "fsync"
    assert list((tmp_path / "disk").iterdir()) == []
    assert build_of(PROGRAM)["compiler"] != "unknown"


def test_without_a_folder_the_disk_is_that_of_the_input(tmp_path: Path) -> None:
    done = run(tmp_path, threads="1,2")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("points: 2\n")
    rows = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))
    assert [row["threads"] for row in rows] == [1, 1, 1, 1, 2, 2, 2, 2]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bytes", "rows.json"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"threads": "0"}, "--threads"),
        ({"dataset-sha256": "x"}, "64 lower-case hexadecimal digits"),
        ({"folder": "/nowhere"}, "/nowhere is no folder"),
        ({"input": "/nowhere"}, "/nowhere"),
    ],
)
def test_what_cannot_be_measured_is_refused(changed: dict[str, str], message: str, tmp_path: Path) -> None:
    done = run(tmp_path, **changed)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr + done.stdout
    assert not (tmp_path / "rows.json").exists()
