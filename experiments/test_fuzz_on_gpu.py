"""Tests of experiments.fuzz_on_gpu: what is recorded, what is refused, and the program's own output."""

import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from experiments.fuzz_on_gpu import FuzzingError, fuzzing_section, join, origin
from experiments.sources import REPOSITORY_ROOT
from tools.stages import registered_stages

PROGRAM = REPOSITORY_ROOT / "build" / "bin" / "gsst_fuzz_kernels"
COMMIT = "0" * 40
BATCH = 16


def _batches_that_run_every_stage() -> int:
    """Batches take the formats in turn, and those of a format its stages in turn: a number that is enough,
    however many stages and formats a tree has."""
    decoders = [stage for stage in registered_stages() if stage["operation"] in ("decode", "ranges")]
    of_format = Counter(stage["format"] for stage in decoders)
    return len(of_format) * max(of_format.values())


INPUTS = BATCH * _batches_that_run_every_stage()


@pytest.fixture(scope="module")
def counts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the program writes of a run on the CPU."""
    path = tmp_path_factory.mktemp("counts") / "counts.json"
    command = [PROGRAM, "--device", "simt", "--inputs", str(INPUTS), "--batch", str(BATCH), "--threads", "1"]
    command += ["--commit", COMMIT, "--json", path, "--findings", path.parent]
    subprocess.run(command, check=True, capture_output=True)
    return json.loads(path.read_text())


def test_the_seed_is_said_first() -> None:
    command = [PROGRAM, "--device", "simt", "--inputs", "1", "--batch", "1", "--seed", "77"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert output.startswith("seed 77, batches of 1 inputs from 0 on\n")


@pytest.fixture
def results(tmp_path: Path, counts: dict[str, Any]) -> Path:
    """A folder as run_on_gpu.sh leaves it."""
    on_gpu = {**counts, "device": "gpu"}
    digests = dict.fromkeys([*counts["stages"], *counts["range_stages"], "gsst/shared"], "a")
    built_from = {"commit": COMMIT, "dirty": False, "sources_digests": digests}
    _write(tmp_path / "origin.json", built_from)
    _write(tmp_path / "counts.json", on_gpu)
    _write(tmp_path / "memcheck.json", on_gpu)
    (tmp_path / "memcheck.log").write_text("========= ERROR SUMMARY: 0 errors\n")
    (tmp_path / "gpu.txt").write_text("A GPU, 1.0\n")
    (tmp_path / "sanitizer.txt").write_text("Version 1\n")
    return tmp_path


def _write(path: Path, document: dict[str, Any]) -> None:
    path.write_text(json.dumps(document))


def test_the_record_holds_the_counts_and_what_they_are_of(results: Path, counts: dict[str, Any]) -> None:
    record = join(results)
    assert record["commit"] == COMMIT
    assert record["gpu"] == "A GPU, 1.0"
    assert record["fuzzed"]["total"]["inputs"] == INPUTS
    assert record["sources_digests"].keys() == {*counts["stages"], "gsst/11_random_access", "gsst/shared"}
    assert record["fuzzed"]["ranges"]["tiles"]["decoded_alike"] > 0
    assert record["fuzzed"]["device_frames"]["blocks"]["decoded_alike"] > 0


def test_the_origin_names_the_stages_that_the_program_runs(counts: dict[str, Any]) -> None:
    named = {part for part in origin()["sources_digests"] if not part.endswith("/shared")}
    assert named == {*counts["stages"], *counts["range_stages"]}
    assert "zero_length/05_cuda_scan" in named, "a stage that also encodes"


@pytest.mark.parametrize(
    ("file", "change", "reason"),
    [
        ("origin.json", {"dirty": True}, "uncommitted"),
        ("origin.json", {"commit": "1" * 40}, "not the origin's"),
        ("origin.json", {"sources_digests": {"a/01_x": "a"}}, "not every stage"),
        ("counts.json", {"range_stages": []}, "not every stage"),
        ("counts.json", {"ranges": {}}, "ranges were decoded of no format"),
        ("counts.json", {"device_frames": {}}, "device memory of no format"),
        ("counts.json", {"device": "simt"}, "ran on simt"),
        ("counts.json", {"failed_batches": 1}, "1 batches failed"),
        ("memcheck.json", {"failed_batches": 2}, "memcheck.json: 2 batches failed"),
        (
            "counts.json",
            {"total": {"inputs": 4, "refused_by_plan": 1, "decoded_alike": 1, "refused_alike": 1}},
            "add up",
        ),
    ],
)
def test_what_must_not_be_recorded(results: Path, file: str, change: dict[str, Any], reason: str) -> None:
    document = json.loads((results / file).read_text())
    _write(results / file, {**document, **change})
    with pytest.raises(FuzzingError, match=reason):
        join(results)


@pytest.mark.parametrize("log", ["", "========= ERROR SUMMARY: 10 errors\n"])
def test_memcheck_must_have_found_nothing(results: Path, log: str) -> None:
    (results / "memcheck.log").write_text(log)
    with pytest.raises(FuzzingError, match="memcheck"):
        join(results)


def test_the_table_shows_the_record(results: Path, tmp_path: Path) -> None:
    recorded = tmp_path / "recorded"
    assert fuzzing_section(recorded) == "Not recorded yet.\n"
    folder = recorded / "h200" / "verification"
    folder.mkdir(parents=True)
    record = join(results)
    record["fuzzed"]["formats"]["tiles"] = {
        "inputs": 1234567,
        "refused_by_plan": 7,
        "decoded_alike": 1234559,
        "refused_alike": 1,
    }
    _write(folder / "fuzz.json", record)
    section = fuzzing_section(recorded)
    assert "Recorded on h200 (A GPU, 1.0)" in section
    assert "| tiles | 1,234,567 | 7 | 1,234,559 | 1 |\n" in section
    # The names of the columns, two sums, and a line for each format.
    fuzzed = record["fuzzed"]
    lines = 3 + len(fuzzed["formats"])
    assert section.count("\n| ") == lines + 2 + len(fuzzed["ranges"]) + len(fuzzed["device_frames"])
    # As before ranges and frames in device memory were fuzzed.
    del record["fuzzed"]["ranges"], record["fuzzed"]["device_frames"]
    _write(folder / "fuzz.json", record)
    assert fuzzing_section(recorded).count("\n| ") == lines


def test_a_frame_is_decoded_again() -> None:
    """What a finding leaves can be looked at with the same program."""
    frame = REPOSITORY_ROOT / "data" / "golden" / "valid"
    golden = sorted(frame.glob("splits*.gsst"))[0]
    command = [PROGRAM, "--device", "simt", "--stage", "gsst/07_tuned", "--replay", golden]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "gsst/07_tuned: " in run.stdout
    assert " 0 refused alike, 0 finding(s)" in run.stdout
