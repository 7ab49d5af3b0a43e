"""Runs gsst_measure_peers by the target's definition, and checks the rows and the errors."""

import hashlib
from pathlib import Path

import pytest

from experiments.definition import load_experiment
from experiments.environment import build_of, usable_processors
from experiments.run_measurement import BLOCKS_OF_LONG_TEXTS, MeasurementError, measure
from experiments.sources import REPOSITORY_ROOT

pytestmark = pytest.mark.measuring
PROGRAM = REPOSITORY_ROOT / "build" / "bin" / "gsst_measure_peers"
TARGET = "engine_peers"
LABEL = "tpch/l_comment_sf0.05"
BLOCK_BYTES = 65536
LINE = b"carefully final deposits sleep %d times\n"


def put_text(path: Path, size: int) -> bytes:
    content = b"".join(LINE % number for number in range(size // len(LINE) + 1))[:size]
    path.write_bytes(content)
    return content


@pytest.mark.parametrize(
    ("size", "threads"),
    [(BLOCK_BYTES, 1), (BLOCKS_OF_LONG_TEXTS * BLOCK_BYTES, usable_processors())],
)
def test_codecs_are_measured_as_the_definition_says(size: int, threads: int, tmp_path: Path) -> None:
    content = put_text(tmp_path / "text", size)
    result = measure(load_experiment(TARGET), "tiny", {LABEL: str(tmp_path / "text")}, PROGRAM)
    missing = {name for row in result.rows for name in row.get("missing_codecs", ())}
    wanted = [("reference_cpu/fast", "portable"), ("library/splits", "level 1")]
    wanted += [("library/tiles", "level 1"), ("library/tiles", "level 3")]
    for name, levels in (("zstd", (1, 3)), ("lz4", (1, 9))):
        wanted += [(f"peer/{name}", f"level {level}") for level in levels if name not in missing]
    measured = [(row["stage"], row["variant"], row["operation"]) for row in result.rows]
    assert measured == [(*codec, operation) for codec in wanted for operation in ("encode", "decode")]
    for row in result.rows:
        assert row["dataset_sha256"] == hashlib.sha256(content).hexdigest()
        assert row["uncompressed_bytes"] == size
        assert (row["parameters"]["block_bytes"], row["parameters"]["threads"]) == (BLOCK_BYTES, threads)
        assert 1 <= row["seconds"]["repetitions"] <= 10
        assert row["ratio"] > 1
        assert row["verified"] is True
    assert not result.stale
    assert build_of(PROGRAM)["compiler"] != "unknown"


def test_an_empty_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"")
    with pytest.raises(MeasurementError, match="gsst_measure_peers ended with status 2"):
        measure(load_experiment(TARGET), "tiny", {LABEL: str(tmp_path / "text")}, PROGRAM)
