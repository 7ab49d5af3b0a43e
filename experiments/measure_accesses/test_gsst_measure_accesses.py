"""Runs the program that measures accesses by a target's definition, and checks the rows and the errors.

`make measuring` builds it with two of the target's stages."""

import hashlib
import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from experiments.definition import Experiment, load_experiment
from experiments.environment import build_of
from experiments.run_measurement import MeasurementError, measure
from experiments.sources import REPOSITORY_ROOT
from tools.trace_input import text

pytestmark = pytest.mark.measuring

PROGRAM = REPOSITORY_ROOT / "build" / "tests" / "accesses_of_two_stages"
STAGES = ("gsst/02_splits", "gsst/03_shared_memory")
# Of the text that the counters are of.
LABEL = "tpch/l_comment_made_up"


def of_two_stages() -> Experiment:
    experiment = load_experiment("beyond_model_of_accesses")
    return replace(experiment, points=tuple(one for one in experiment.points if one.stage in STAGES))


def test_a_text_is_traced_as_the_definition_says(tmp_path: Path) -> None:
    path = tmp_path / "text"
    content = text()[:20_000]
    path.write_bytes(content)
    result = measure(of_two_stages(), "tiny", {LABEL: str(path)}, PROGRAM)
    assert [row["stage"] for row in result.rows] == list(STAGES)
    for row in result.rows:
        assert row["dataset_sha256"] == hashlib.sha256(content).hexdigest()
        assert row["uncompressed_bytes"] == len(content)
        assert row["verified"] is True
        assert row["policy"] == "common"
        assert row["model"]["sectors_per_store"] >= 1
        assert row["counted"]["machine"] == "h200"
        # Each byte of the output is stored once, by both stages byte by byte.
        assert row["accesses"]["global_store"]["bytes"] == len(content)
    assert build_of(PROGRAM)["compiler"] != "unknown"
    assert [row["accesses"]["shared_load"]["passes"] > 0 for row in result.rows] == [False, True]


def test_a_stage_that_the_program_lacks_is_named(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(text()[:20_000])
    with pytest.raises(MeasurementError, match="ended with status 2"):
        measure(load_experiment("beyond_model_of_accesses"), "tiny", {LABEL: str(path)}, PROGRAM)


def test_a_failing_program_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    available = {LABEL: str(tmp_path / "empty")}
    with pytest.raises(MeasurementError, match=f"{LABEL}: {PROGRAM.name} ended with status 2"):
        measure(of_two_stages(), "tiny", available, PROGRAM)


def run(points: object, content: bytes, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the program on a points file with this content; `folder` gets rows.json."""
    (folder / "points.json").write_text(json.dumps(points), encoding="utf-8")
    (folder / "text").write_bytes(content)
    command = [PROGRAM, "--points", folder / "points.json", "--input", folder / "text"]
    command += ["--dataset", "test/bytes", "--dataset-sha256", hashlib.sha256(content).hexdigest()]
    command += ["--output", folder / "rows.json"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_stores_of_splits_that_are_equal_are_of_all_lanes(tmp_path: Path) -> None:
    content = b"the quick brown fox jumps over the lazy dog, twice\n" * 64

    def point(stage: str, splits: int) -> dict[str, object]:
        return {"stage": f"gsst/{stage}", "block_bytes": len(content), "splits": splits}

    wanted = [point("02_splits", 32), point("02_splits", 64), point("03_shared_memory", 32)]
    done = run({"kind": "accesses", "points": wanted}, content, tmp_path)
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))
    # Points of one input are measured together.
    order = [("gsst/02_splits", 32), ("gsst/03_shared_memory", 32), ("gsst/02_splits", 64)]
    assert [(row["stage"], row["parameters"]["splits"]) for row in rows] == order
    for row in rows:
        stores = row["accesses"]["global_store"]
        if row["stage"] == "gsst/02_splits":
            # A byte at a time, each lane's of its own split.
            assert stores["requests"] == len(content) / 32
            assert stores["lanes"] == stores["bytes"] == len(content)


def test_points_of_another_kind_are_refused(tmp_path: Path) -> None:
    done = run({"kind": "decode", "points": []}, b"text", tmp_path)
    assert done.returncode == 2
    assert "accesses" in done.stderr
    assert not (tmp_path / "rows.json").exists()
