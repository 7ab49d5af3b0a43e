"""Runs gsst_measure_block_sizes by the target's definition, and checks the rows and the errors."""

import hashlib
from pathlib import Path

import pytest

from experiments.definition import load_experiment
from experiments.environment import build_of
from experiments.run_measurement import MeasurementError, measure
from experiments.sources import REPOSITORY_ROOT

pytestmark = pytest.mark.measuring
PROGRAM = REPOSITORY_ROOT / "build" / "bin" / "gsst_measure_block_sizes"
TARGET = "engine_mixed_text"
LABEL = "tpch/l_comment_sf0.05_first_1048576_bytes"
LINE = b"carefully final deposits sleep %d times\n"


def test_sizes_are_measured_as_the_definition_says(tmp_path: Path) -> None:
    content = b"".join(LINE % number for number in range(20_000))
    (tmp_path / "text").write_bytes(content)
    result = measure(load_experiment(TARGET), "tiny", {LABEL: str(tmp_path / "text")}, PROGRAM)
    sizes = load_experiment(TARGET).scales["tiny"].block_bytes
    tiles = [row for row in result.rows if row["stage"] == "library/tiles"]
    wanted = [("named", size) for size in sizes] + [("chosen", 0)]
    assert [(row["variant"], row["named_block_bytes"], row["operation"]) for row in tiles] == [
        (*codec, operation) for codec in wanted for operation in ("encode", "decode")
    ]
    # Lines of one kind.
    assert [row["parameters"]["block_bytes"] for row in tiles[::2]] == [*sizes, 4 << 20]
    zstd = [row["variant"] for row in result.rows if row["stage"] == "peer/zstd"]
    missing = {name for row in result.rows for name in row.get("missing_codecs", ())}
    assert zstd == ([] if missing else ["level 1", "level 1", "level 3", "level 3"])
    assert len(result.rows) == len(tiles) + len(zstd)
    for row in result.rows:
        assert row["dataset_sha256"] == hashlib.sha256(content).hexdigest()
        assert row["uncompressed_bytes"] == len(content)
        assert row["ratio"] > 1
        assert row["verified"] is True
    assert not result.stale
    assert build_of(PROGRAM)["compiler"] != "unknown"


def test_an_empty_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"")
    with pytest.raises(MeasurementError, match="gsst_measure_block_sizes ended with status 2"):
        measure(load_experiment(TARGET), "tiny", {LABEL: str(tmp_path / "text")}, PROGRAM)
