"""Runs gsst_measure_codec_speed by a target's definition, and checks the rows and the errors."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from experiments.definition import Scale, load_experiment
from experiments.environment import build_of, usable_processors
from experiments.run_measurement import MeasurementError, measure
from experiments.sources import REPOSITORY_ROOT

pytestmark = pytest.mark.measuring

PROGRAM = REPOSITORY_ROOT / "build" / "bin" / "gsst_measure_codec_speed"
TARGET = "tile_compression_speed"
# 1000 values of 32 bits, as many as 8 packed blocks, of which the last is not full.
CONTENT = b"".join(number.to_bytes(4, "little") for number in range(1000))


def tiny(**changes: object) -> dict[str, Scale]:
    """The scale of that name, with some fields replaced."""
    return {"tiny": replace(load_experiment(TARGET).scales["tiny"], **changes)}


def test_codecs_are_measured_as_the_definition_says(tmp_path: Path) -> None:
    path = tmp_path / "values"
    path.write_bytes(CONTENT)
    result = measure(load_experiment(TARGET), "tiny", {"test/values": str(path)}, PROGRAM)
    threads = sorted({1, usable_processors()})
    measured = [(row["variant"], row["parameters"]["threads"], row["operation"]) for row in result.rows]
    assert measured == [
        (name, count, operation)
        for name in ("for", "dfor", "rfor")
        for count in threads
        for operation in ("encode", "decode")
    ]
    sizes = set()
    for row in result.rows:
        assert row["stage"] == "reference_cpu/codec"
        assert row["dataset_sha256"] == hashlib.sha256(CONTENT).hexdigest()
        assert row["uncompressed_bytes"] == len(CONTENT)
        assert row["parameters"]["block_bytes"] == 4194304
        assert row["seconds"]["repetitions"] == 10
        assert row["memcpy_gb_per_s"] > 0
        assert row["verified"] is True
        sizes.add((row["variant"], row["compressed_bytes"]))
    # The same file, whatever the threads.
    assert len(sizes) == 3
    assert not result.stale
    assert build_of(PROGRAM)["compiler"] != "unknown"


@pytest.mark.parametrize(
    ("changes", "content"),
    [({"formats": ("none",)}, CONTENT), ({"block_bytes": (1 << 40,)}, CONTENT), ({}, b"")],
)
def test_what_cannot_be_measured_is_refused(
    changes: dict[str, object], content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "values"
    path.write_bytes(content)
    experiment = replace(load_experiment(TARGET), scales=tiny(**changes))
    with pytest.raises(MeasurementError, match="test/values: gsst_measure_codec_speed ended with status 2"):
        measure(experiment, "tiny", {"test/values": str(path)}, PROGRAM)
