"""Runs gsst_measure_line_rate on small data, and by a target's definition, and checks rows and errors."""

import hashlib
import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from experiments.definition import load_experiment
from experiments.environment import build_of
from experiments.run_measurement import measure, program_arguments
from experiments.sources import REPOSITORY_ROOT

pytestmark = pytest.mark.measuring

PROGRAM = REPOSITORY_ROOT / "build" / "bin" / "gsst_measure_line_rate"
TARGET = "zle_beyond_line_rate"
CONTENT = b"\0\0\0\0\xffab\0\0\0" * 100
OPTIONS = {
    "--block-bytes": "100",
    "--packet-bytes": "50",
    "--slots": "4",
    "--gigabits-per-second": "1",
    "--milliseconds": "1",
    "--threads": "1",
    "--vector-bytes": "8",
}


def run(path: Path, output: Path, changed: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAM), "--input", str(path), "--dataset", "test/bytes", "--dataset-sha256", "ab" * 32]
    command += ["--output", str(output)]
    command += [text for option in {**OPTIONS, **changed}.items() for text in option]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_file_is_measured_as_the_definition_says(tmp_path: Path) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(CONTENT)
    experiment = load_experiment(TARGET)
    options = {
        "gigabits_per_second": (1, 2),
        "milliseconds": (2, 1),
        "packet_bytes": (50,),
        "slots": (64,),
        "threads": (1, 2),
        "vector_bytes": (8,),
    }
    scale = replace(experiment.scales["tiny"], block_bytes=(100,), options=options)
    small = replace(experiment, scales={"tiny": scale})
    result = measure(small, "tiny", {"test/bytes": str(path)}, PROGRAM)
    assert [(row["wanted_gigabits_per_second"], row["parameters"]["threads"]) for row in result.rows] == [
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
    ]
    for row in result.rows:
        assert row["dataset_sha256"] == hashlib.sha256(CONTENT).hexdigest()
        encoded = row["offered_blocks"] - row["lost_blocks"]
        # Each block has runs of 4, 7 (nine times) and 3 zeros, the marker ten times and 20 letters.
        assert row["uncompressed_bytes"] == 100 * encoded
        assert row["compressed_bytes"] == 8 + encoded * (16 + 2 * 11 + 2 * 10 + 20)
        assert 0 < row["delay_seconds_of_half"] <= row["longest_delay_seconds"]
        assert row["verified"] is True
    assert not result.stale
    assert build_of(PROGRAM)["compiler"] != "unknown"


def test_the_options_of_the_definition_are_those_of_the_program() -> None:
    arguments = program_arguments("line_rate", load_experiment(TARGET).scales["paper"], 1)
    assert arguments[:4] == ["--block-bytes", "262144", "--gigabits-per-second", "40,100,200"]
    assert arguments[4:6] == ["--milliseconds", "60000,10000,10000"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"--packet-bytes": "30"}, "--packet-bytes is 30"),
        ({"--milliseconds": "1,2"}, "--milliseconds has 2 values for 1 rates"),
        ({"--block-bytes": "2000", "--packet-bytes": "2000"}, "the input has 1000 bytes"),
        ({"--vector-bytes": "7"}, "--vector-bytes"),
        ({"--threads": "0"}, "--threads"),
        ({"--dataset-sha256": "x"}, "64 lower-case hexadecimal digits"),
    ],
)
def test_what_cannot_be_measured_is_refused(changed: dict[str, str], message: str, tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(CONTENT)
    done = run(tmp_path / "bytes", tmp_path / "rows.json", changed)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr + done.stdout
    assert not (tmp_path / "rows.json").exists()


def test_the_rows_are_a_list(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(CONTENT)
    done = run(tmp_path / "bytes", tmp_path / "rows.json", {"--vector-bytes": "8,16"})
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("points: 2\n")
    rows = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))
    assert [row["variant"] for row in rows] == ["no vectors", "SSE2"]
